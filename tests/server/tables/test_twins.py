"""P4 over real sockets: two tables alike in what a viewer may know and unlike in their secrets send the same bytes."""

from __future__ import annotations

import importlib
import random
from typing import Any

import msgpack
import msgspec
import pytest
from websockets.asyncio.client import connect

from games import GAMES
from games.chance import Chance
from server.inner import replace
from tests.client import Client
from tests.server.conftest import Running, Start
from tests.server.test_tables import one_move, people, table_of

SEED = "cheeseboard twins"
MOVES = (0, 7, 25)  # how far the games are when they are looked at


@pytest.mark.parametrize("name", list(GAMES))
async def test_p4_twin_tables_send_a_viewer_the_same_bytes(name: str, start: Start) -> None:
    here, there = await start(), await start()
    seats = max(3, GAMES[name].seats.start)
    players = await people(here, seats)
    watcher = await here.join("Watcher")
    table = await table_of(players, name, speed="untimed")
    chance = random.Random(SEED)
    made = differing = 0
    for moves in MOVES:
        while made < moves:
            await one_move(players, table, chance)
            made += 1
        for seat, viewer in [*enumerate(players), (None, watcher)]:
            swapped = await swap_secrets(here, there, table, seat, f"{SEED}/{moves}/{seat}")
            differing += swapped
            told = [await everything(node, viewer, table, seat) for node in (here, there)]
            assert told[0] == told[1], f"{name}, seat {seat}, after {moves} moves, seed {SEED!r}"
            assert len(told[0]) > 5
    assert differing or name == "diced_cheese"  # in which nothing is hidden


async def swap_secrets(here: Running, there: Running, table: str, seat: int | None, seed: str) -> bool:
    """Give the other node the same table with all changed that the viewer may not know; whether anything was."""
    real = here.node.hub.rooms[table].table
    assert real
    twin = importlib.import_module(f"tests.games.test_{real.opened.game}").twin
    state = twin(real.state, seat, Chance(seed.encode(), real.n))
    room = there.node.hub.room(table)
    now = here.node.hub.now()
    for node in (here, there):
        node.node.hub.now = lambda: now
    room.table = replace(real, state=state)
    return bool(state != real.state)


async def everything(node: Running, viewer: Client, table: str, seat: int | None) -> list[bytes]:
    """All that a fresh connection of this viewer is told: views, what it missed, refusals; frame by frame."""
    room = node.node.hub.rooms[table].table
    assert room
    ask = room.asks[seat].n if seat in room.asks else room.n
    n, frames = room.n, list[bytes]()
    node.node.hub.rooms[table].viewers._recent.clear()  # so that what was missed is read from the log on both
    async with connect(node.url, compression=None, max_size=None) as socket:
        numbers = iter(range(1, 100))

        async def request(type: str, **fields: Any) -> None:  # noqa: A002
            """Send a request and listen until it is answered and the feed, if it starts one, has come to the end."""
            number = next(numbers)
            await socket.send(msgpack.packb({"type": type, "id": number, **fields}))
            missing = {"answer", "feed"} if type == "open" else {"answer"}
            while missing:
                frame = await socket.recv()
                assert isinstance(frame, bytes)
                message = msgpack.unpackb(frame)
                if message["type"] in ("update", "error", "ok"):
                    frames.append(frame)
                if message.get("id") == number:
                    missing.discard("answer")
                if message["type"] == "update" and message["n"] == n:
                    missing.discard("feed")

        await request("hello", v=1, token=viewer.token, patches=False)
        for last in (None, room.n - 3, 1):
            fields = {} if last is None else {"last": last}
            await request("open", table=table, **fields)
        for move in nonsense(GAMES[room.opened.game].moves):
            await request("move", table=table, ask=ask, key="never", move=move)
        await request("move", table=table, ask=room.n + 1000, key="never", move={})
        await request("ping")
    return frames


def nonsense(moves: Any) -> list[dict[str, Any]]:
    """A move of every kind that cannot be right, so that every refusal's text is looked at."""
    made = []
    for kind in moves.__args__ if hasattr(moves, "__args__") else (moves,):
        info = msgspec.inspect.type_info(kind)
        assert isinstance(info, msgspec.inspect.StructType)
        fields = {field.encode_name: wrong(field.type) for field in info.fields}
        if fields:  # a move without any could be legal
            made.append({"type": kind.__struct_config__.tag, **fields})
    return made


def wrong(kind: Any) -> Any:
    """A value of the right type that no game has use for."""
    if isinstance(kind, msgspec.inspect.StrType):
        return "moon cheese"
    if isinstance(kind, msgspec.inspect.BoolType):
        return True
    if isinstance(kind, msgspec.inspect.IntType):
        return 999_999
    if isinstance(kind, msgspec.inspect.UnionType):
        return next((wrong(one) for one in kind.types if not isinstance(one, msgspec.inspect.NoneType)), None)
    if isinstance(kind, msgspec.inspect.TupleType):
        return [wrong(one) for one in kind.item_types]
    if isinstance(kind, msgspec.inspect.VarTupleType):
        return [wrong(kind.item_type)]
    if isinstance(kind, msgspec.inspect.LiteralType):
        return kind.values[0]
    if isinstance(kind, msgspec.inspect.StructType):
        return {field.encode_name: wrong(field.type) for field in kind.fields}
    return None
