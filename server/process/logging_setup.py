"""Structured logs: one JSON object per line on standard error. Tokens are never logged."""

from __future__ import annotations

import json
import logging
import sys

_PLAIN = set(logging.makeLogRecord({}).__dict__) | {"message", "asctime", "color_message"}


class JsonLines(logging.Formatter):
    """Formats time, level, node, logger, text, and the fields of `extra`."""

    def __init__(self, node: str) -> None:
        super().__init__()
        self._node = node

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "at": f"{self.formatTime(record, '%Y-%m-%dT%H:%M:%S')}.{record.msecs:03.0f}",
            "level": record.levelname.lower(),
            "node": self._node,
            "name": record.name,
            "text": record.getMessage(),
        }
        line.update({key: str(value) for key, value in record.__dict__.items() if key not in _PLAIN})
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


def set_up(node: str, level: str) -> None:
    """Use this format for every logger of the process."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines(node))
    logging.basicConfig(handlers=[handler], level=level.upper(), force=True)
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)  # its warnings are one line for each invalid request
    logging.getLogger("uvicorn.access").setLevel(logging.WARNING)
