"""Replays are compressed by zstd, and those that older releases have compressed by zlib can still be read."""

from __future__ import annotations

import zlib

import pytest

from server.store import keys
from server.tables.packed_replay import PIECE_BYTES, pack, unpack, unpack_pieces
from tests.server.conftest import Running
from tests.server.tables.test_replay import written
from tests.server.web.test_replays import get


def text_of(game: str) -> bytes:
    return "".join(line + "\n" for line in written(game)).encode()


@pytest.mark.parametrize("text", [b"", b"x", text_of("cheesedog"), text_of("cheesedog") * 30])
def test_what_was_packed_is_unpacked(text: bytes) -> None:
    for packed in (pack(text), zlib.compress(text)):
        assert unpack(packed) == text
        assert all(len(piece) <= PIECE_BYTES for piece in unpack_pieces(packed))


async def test_a_replay_that_an_older_release_has_compressed_is_served(node: Running) -> None:
    text = text_of("diced_cheese")
    for table, packed in (("older", zlib.compress(text)), ("newer", pack(text))):
        await node.node.store.call("SET", keys.archive(table), packed)
        status, body, _ = await get(node, f"/replays/{table}.jsonl")
        assert (status, body) == (200, text)
