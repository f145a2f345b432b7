"""Finished games are kept compressed, and those that older releases have kept can still be read."""

from __future__ import annotations

import zlib

import pytest

from games import GAMES
from server.store import keys
from server.tables.finished.packed_replay import PIECE_BYTES, pack_file, pack_game, unpack_file, unpack_pieces
from server.tables.finished.replay import lines, stored_game
from server.tables.state.entries import encode_entry
from tests.random_games import play, written
from tests.server.conftest import Running
from tests.server.web.test_replays import get


def text_of(game: str) -> bytes:
    return "".join(line + "\n" for line in written(game)).encode()


@pytest.mark.parametrize("text", [b"", text_of("cheesedog"), text_of("cheesedog") * 30])
def test_a_file_is_kept_as_it_is(text: bytes) -> None:
    for packed in (pack_file(text), zlib.compress(text)):
        assert unpack_file(packed) == text
        assert all(len(piece) <= PIECE_BYTES for piece in unpack_pieces(packed))


@pytest.mark.parametrize("game", GAMES)
def test_the_file_of_a_game_that_is_kept_is_made_from_its_entries(game: str) -> None:
    log = play(game)
    kept = stored_game(log.table, [(n, encode_entry(entry)) for n, entry in log.entries])
    file = "".join(line + "\n" for line in lines(log.table.id, log.entries)).encode()
    packed = b"".join(pack_game(kept))
    assert unpack_file(packed) == file
    assert len(packed) < 1.1 * len(zlib.compress(file))


async def test_a_replay_that_an_older_release_has_compressed_is_served(node: Running) -> None:
    text = text_of("diced_cheese")
    for table, packed in (("older", zlib.compress(text)), ("newer", pack_file(text))):
        await node.node.store.call("SET", keys.archive(table), packed)
        status, body, _ = await get(node, f"/replays/{table}.jsonl")
        assert (status, body) == (200, text)
