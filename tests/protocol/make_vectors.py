"""Write the test vectors and the frames shown in docs/protocol.md: `python -m tests.protocol.make_vectors`.

tests/protocol/examples.py and bad_frames.py are the source. Our codec makes the hex; the tests compare it with that
of an independent codec.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import msgspec

from protocol.codec import ProtocolError, encode, read_client
from tests.protocol.bad_frames import BAD
from tests.protocol.examples import CLIENT, SERVER

ROOT = Path(__file__).resolve().parent.parent.parent
VECTORS = ROOT / "protocol" / "vectors"
DOCUMENT = ROOT / "docs" / "protocol.md"
FRAME = re.compile(r"(<!-- frame ([a-z0-9-]+) -->\n```json\n)(.*?)(```)", re.DOTALL)

Vector = dict[str, Any]


def vectors() -> dict[str, list[Vector]]:
    """Return every vector, by the name of its file."""
    return {
        "client": [_good(name, "client", message) for name, message in CLIENT.items()],
        "server": [_good(name, "server", message) for name, message in SERVER.items()],
        "bad": [_bad(name, frame) for name, frame in BAD.items()],
    }


def _good(name: str, speaker: str, message: msgspec.Struct) -> Vector:
    frame = encode(message)
    return {"name": name, "from": speaker, "json": msgspec.msgpack.decode(frame), "hex": frame.hex()}


def _bad(name: str, frame: bytes) -> Vector:
    try:
        read_client(frame)
    except ProtocolError as fault:
        return {"name": name, "from": "client", "hex": frame.hex(), "error": _error(fault)}
    raise AssertionError(f"{name} was read without an error")


def _error(fault: ProtocolError) -> Vector:
    """Return the parts of the answer that are stable. The text of the message is not."""
    return {"id": fault.id, "code": fault.code, "field": fault.field}


def text(rows: list[Vector]) -> str:
    """Format a file: a JSON array with one vector on each line."""
    lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    return f"[\n{lines}\n]\n"


def with_frames(document: str, rows: list[Vector]) -> str:
    """Return the document with every frame in it made again from its vector."""
    named = {row["name"]: row for row in rows}

    def shown(found: re.Match[str]) -> str:
        row = named[found.group(2)]
        return f"{found.group(1)}{json.dumps(row['json'], ensure_ascii=False)}\n{row['hex']}\n{found.group(4)}"

    return FRAME.sub(shown, document)


def main() -> None:
    """Write the vectors and the frames of the document."""
    VECTORS.mkdir(exist_ok=True)
    made = vectors()
    for name, rows in made.items():
        (VECTORS / f"{name}.json").write_text(text(rows), encoding="utf-8")
    before = DOCUMENT.read_text(encoding="utf-8")
    DOCUMENT.write_text(with_frames(before, made["client"] + made["server"]), encoding="utf-8")


if __name__ == "__main__":
    main()
