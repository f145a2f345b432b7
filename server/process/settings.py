"""What an operator may set, all of it in the environment."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path


class BadSetting(Exception):  # noqa: N818
    """A setting that cannot be, in one line that says what to do."""


@dataclass(frozen=True)
class Settings:
    """The settings of one running service."""

    host: str = "127.0.0.1"
    port: int = 8000
    nodes: int = 1
    bots: int = 1
    bot_pause_ms: int = 900
    data: Path = Path("data")
    redis_url: str = ""
    log_level: str = "warning"

    @classmethod
    def from_environment(cls) -> Settings:
        """The settings as the environment has them; the rest by default."""
        return cls(
            host=os.environ.get("HOST") or "127.0.0.1",
            port=_number("PORT", 8000, 0, 65535),
            nodes=_number("NODES", os.cpu_count() or 1, 1, 256),
            bots=_number("BOTS", 1, 0, 64),
            bot_pause_ms=_number("BOT_PAUSE_MS", 900, 0, 60_000),
            data=Path(os.environ.get("DATA") or "data").resolve(),
            redis_url=os.environ.get("REDIS_URL", ""),
            log_level=_level(os.environ.get("LOG_LEVEL") or "warning"),
        )


def _number(name: str, default: int, least: int, most: int) -> int:
    text = os.environ.get(name) or str(default)
    if not text.isdecimal() or not least <= int(text) <= most:
        raise BadSetting(f"{name} is {text!r}, but has to be a whole number from {least} to {most}")
    return int(text)


def _level(text: str) -> str:
    levels = ("debug", "info", "warning", "error")
    if text.lower() not in levels:
        raise BadSetting(f"LOG_LEVEL is {text!r}, but has to be one of {', '.join(levels)}")
    return text.lower()
