"""Logs of a release, as its store had them: `python -m tests.server.tables.record_old_logs` writes those of this one.

Run it once for each release, before the next change of a rule or of an entry, and commit the new folder. Files of
earlier releases are never changed. A file is compressed by zlib. Each line is one entry in base64, the last one the
result as JSON.
"""

from __future__ import annotations

import json
import zlib
from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from typing import Any

from games import GAMES
from server.tables.finished.replay import plain
from server.tables.state.entries import encode_entry
from server.tables.state.table import Table
from tests.random_games import play

RELEASE = "0.1.0"
LOGS = Path(__file__).parent / "old_logs"
SEEDS = (bytes(range(32)), bytes(range(32, 64)))


def result(table: Table) -> dict[str, Any]:
    """What must come out when a log is folded."""
    state = json.dumps(plain(table.state), sort_keys=True)
    assert table.outcome
    return {
        "entries": table.n,
        "status": table.status,
        "places": list(table.outcome.places),
        "seats": [chair.name for chair in table.chairs],
        "state": sha256(state.encode()).hexdigest(),
    }


def record(folder: Path) -> None:
    """Write two games of each kind, with as few and as many seats as possible."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, game in GAMES.items():
        for seats, seed in zip((game.seats.start, game.seats.stop - 1), SEEDS, strict=True):
            log = play(name, seed, seats)
            lines = [b64encode(encode_entry(entry)).decode() for _, entry in log.entries]
            text = "\n".join([*lines, json.dumps(result(log.table))]) + "\n"
            (folder / f"{name}-{seats}.log.z").write_bytes(zlib.compress(text.encode(), 9))


if __name__ == "__main__":
    record(LOGS / RELEASE)
