"""The commands about replay files: `cheeseboard verify` (also called `replay`) and `import`."""

from __future__ import annotations

import argparse
import re
import sys
import urllib.error
import urllib.request
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from server.store import keys
from server.store.store import Store
from server.tables.finished.archive import KEPT_S
from server.tables.finished.packed_replay import pack_file, unpack_file
from server.tables.finished.replay import BadReplay, check_source, verify

MAX_BYTES = 64 << 20  # of a file
TIMEOUT_S = 30
PAGE = re.compile(r"^(https?://[^/]+)/r/([a-z0-9]+)(?:/\d+)?/?(?:\?.*)?$")


def add_parsers(commands: Any) -> None:
    """Add the commands to the command line."""
    for name in ("verify", "replay"):
        does = "play a replay again from its seed and compare" if name == "verify" else "another name of verify"
        parser = commands.add_parser(name, help=does)
        parser.add_argument("file", help="a replay file, or the address of a replay")
        source = "the replay from which a game plays on; default: from the same address"
        parser.add_argument("--source", metavar="FILE|ADDRESS", help=source)
        parser.add_argument("--commitment", metavar="HEX", help="what the table showed before the first move")
    parser = commands.add_parser("import", help="keep a replay file in the store, so that its page can be opened")
    parser.add_argument("file", help="a replay file, or the address of a replay of another service")


def verify_file(chosen: argparse.Namespace) -> None:
    """Verify a file or an address, and say so in one line."""
    try:
        lines = read(chosen.file)
        entries = verify(lines)
        commitment = sha256(bytes.fromhex(msgspec.json.decode(lines[0])["seed"])).hexdigest()
        if chosen.commitment not in (None, commitment):
            raise BadReplay(f"its commitment is {commitment}, not the one that was shown")
        begins = _check_source(chosen, lines)
    except BadReplay as fault:
        sys.exit(f"cheeseboard: {chosen.file}: {fault}")
    print(f"{chosen.file}: {entries} entries play again to the same final state")  # noqa: T201
    if chosen.command == "verify":
        print(f"the seed has the commitment {commitment}")  # noqa: T201
    if begins:
        print(begins)  # noqa: T201


def _check_source(chosen: argparse.Namespace, lines: list[str]) -> str:
    """Check the position from which a game plays on; what was found, in a line, or nothing for other games."""
    source = msgspec.json.decode(lines[0]).get("source")
    if source is None:
        return ""
    page = PAGE.match(chosen.file)
    where = chosen.source or (f"{page[1]}/replays/{source['table']}.jsonl" if page else "")
    moment = f"entry {source['n']} of table {source['table']}"
    if not where:
        return f"it plays on from {moment}, which was not checked: name that replay with --source"
    check_source(lines, read(where))
    return f"it plays on from {moment}, which verifies too"


def read(source: str) -> list[str]:
    """The lines of a file, or of what an address answers. The page of a replay stands for its file."""
    page = PAGE.match(source)
    address = f"{page[1]}/replays/{page[2]}.jsonl" if page else source
    try:
        if address.startswith(("http://", "https://")):
            with urllib.request.urlopen(address, timeout=TIMEOUT_S) as answer:
                content: bytes = answer.read(MAX_BYTES + 1)
        else:
            with Path(source).open("rb") as file:
                content = file.read(MAX_BYTES + 1)
        text = content.decode()
    except (OSError, UnicodeDecodeError, urllib.error.URLError) as fault:
        raise BadReplay(str(fault)) from None
    if len(content) > MAX_BYTES:
        raise BadReplay(f"it has more than {MAX_BYTES} bytes")
    if text and not text.endswith("\n"):
        raise BadReplay("the last line does not end with a line feed")
    return text.split("\n")[:-1]


async def import_file(path: str, store: Store) -> None:
    """Keep a verified replay file in the store for as long as those of new games."""
    try:
        lines = read(path)
        verify(lines)
    except BadReplay as fault:
        sys.exit(f"cheeseboard: {path}: {fault}")
    table = msgspec.json.decode(lines[0])["table"]
    if not isinstance(table, str) or not keys.TABLE_ID.fullmatch(table):
        sys.exit(f"cheeseboard: {path}: {table!r} is not the id of a table")
    packed = pack_file("".join(line + "\n" for line in lines).encode())
    known = await store.call("SET", keys.archive(table), packed, "EX", KEPT_S, "NX", "GET")
    if known is not None and unpack_file(known) != unpack_file(packed):
        sys.exit(f"cheeseboard: {path}: the store has another replay of table {table}")
    print(f"/r/{table}")  # noqa: T201
