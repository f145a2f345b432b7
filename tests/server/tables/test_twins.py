"""P4 over real sockets: two tables that differ only in what a viewer may not know send that viewer the same bytes."""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import os
import random
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import msgpack
import msgspec
import pytest
import redis
from websockets.asyncio.client import ClientConnection, connect

from games import GAMES
from games.chance import Chance
from protocol.codec import ProtocolError
from protocol.messages import Move
from server.delivery.frames import binary_frame
from server.process.embedded_valkey import EmbeddedValkey
from server.tables.state import decisions
from server.tables.state.local_struct import replace
from server.tables.state.table import Table
from tests.client import WAIT_S, Client, eventually, fill
from tests.playout import table_size
from tests.server.conftest import Running, Start
from tests.server.tables.test_tables import asked, one_move, people, table_of
from tests.server.web.test_replays import get

SEED = "cheeseboard twins"
MOVES = (0, 7, 25)  # how far the games are when they are looked at
LIVE_MOVES = 4  # that a viewer is shown on both tables, one after the other
TRIES = 12  # to find a move that both tables allow and that looks the same to the viewer
SAME_NUMBER = 12  # connections of one viewpoint, so many that they are written to in one batch


class Tap:
    """A connection that keeps, as bytes, every frame that says something of a game."""

    def __init__(self, link: ClientConnection) -> None:
        self.link = link
        self.frames: list[bytes] = []
        self._number = 0
        self._shown = 0

    @classmethod
    @contextlib.asynccontextmanager
    async def join(cls, node: Running, token: str, patches: bool) -> AsyncIterator[Tap]:
        """A connection that has said hello."""
        async with connect(node.url, compression=None, max_size=None) as link:
            tap = cls(link)
            await tap.request("hello", v=1, token=token, patches=patches)
            yield tap

    async def request(self, type: str, **fields: Any) -> dict[str, Any]:  # noqa: A002
        """Send a request; its answer."""
        self._number += 1
        await self.link.send(msgpack.packb({"type": type, "id": self._number, **fields}))
        return await self._read(lambda message: message.get("id") == self._number)

    async def open(self, table: str, n: int, **last: int) -> None:
        """Open a table and read until entry n was shown."""
        await self.request("open", table=table, **last)
        self._shown = 0
        await self.entry(n)

    async def entry(self, n: int) -> None:
        """Read until entry n was shown."""
        if self._shown < n:
            await self._read(lambda message: self._shown == n)

    async def _read(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        async with asyncio.timeout(WAIT_S):
            while True:
                frame = await self.link.recv()
                assert isinstance(frame, bytes)
                message: dict[str, Any] = msgpack.unpackb(frame)
                if message["type"] in ("update", "error", "ok"):
                    self.frames.append(frame)
                if message["type"] == "update":
                    self._shown = message["n"]
                if wanted(message):
                    return message


@pytest.fixture
def stores(tmp_path: Path) -> Iterator[list[str]]:
    """Two more stores: both tables go on, and each has a log of its own."""
    embedded = [EmbeddedValkey(tmp_path / name) for name in ("table", "twin")]
    for store in embedded:
        store.start()
    yield [store.url for store in embedded]
    for store in embedded:
        store.stop()


@pytest.mark.parametrize("name", list(GAMES))
async def test_p4_twin_tables_send_a_viewer_the_same_bytes(
    name: str, start: Start, store_url: str, stores: list[str]
) -> None:
    node = await start()
    players = await people(node, table_size(GAMES[name]))
    watcher = await node.join("Watcher")
    table = await table_of(players, name, speed="untimed")
    chance = random.Random(SEED)
    made = looks = secret = differing = live = patches = 0
    for moves in MOVES:
        while made < moves and any(asked(player, table) for player in players):
            await one_move(players, table, chance)
            made += 1
        secret += hides(playing(node, table))
        for seat, viewer in [*enumerate(players), (None, watcher)]:
            where = f"{name}, seat {seat}, after {made} moves, seed {SEED!r}"
            for url in stores:
                copy_store(store_url, url)
            twins = [await start(url=url) for url in stores]
            looks += 1
            differing += swap_secrets(node, table, twins, seat, f"{SEED}/{moves}/{seat}")
            told = [await everything(twin, viewer, table, seat) for twin in twins]
            assert told[0] == told[1], where
            assert len(told[0]) > 5
            count, patched = await play_on(twins, table, seat, [*players, watcher], where)
            live += count
            patches += patched
            for twin in twins:
                await twin.stop()
    print(f"{name}: {looks} looks, {differing} twins differ, {live} moves on both, {patches} patches")
    assert differing or not secret, "no twin differs from its table"
    assert live > looks // 2, f"hardly any move looks the same on both tables: {live}"
    assert patches > looks // 2, f"hardly any move was shown as a patch: {patches}"


@pytest.mark.parametrize("name", list(GAMES))
async def test_p4_twin_tables_show_somebody_taking_the_seat_of_a_bot_in_the_same_bytes(
    name: str, start: Start, store_url: str, stores: list[str]
) -> None:
    """The viewer has a seat, watches, or takes the seat: what the seat's new owner may not know makes no difference."""
    node = await start()
    size = max(2, table_size(GAMES[name]))
    players = await people(node, size - 1)
    friend, watcher = await node.join("Friend"), await node.join("Watcher")
    made = await players[0].request("create", game=name, seats=size, speed="untimed", late=True)
    table, taken = made["table"], size - 1
    for player in players[1:]:
        await player.request("sit", table=table)
    await players[0].request("start", table=table)
    for seat, viewer in ((0, players[0]), (None, watcher), (taken, friend)):
        for url in stores:
            copy_store(store_url, url)
        twins = [await start(url=url) for url in stores]
        swap_secrets(node, table, twins, seat, f"{SEED}/late/{seat}")
        n, told = playing(node, table).n, []
        for twin in twins:
            async with Tap.join(twin, viewer.token, True) as tap, Tap.join(twin, friend.token, False) as late:
                await tap.open(table, n)
                assert (await late.request("sit", table=table, seat=taken))["n"] == n + 1
                await tap.entry(n + 1)
                told.append(tap.frames)
            await twin.stop()
        assert told[0] == told[1], f"{name}, seat {seat}, seed {SEED!r}"
        assert (msgpack.unpackb(told[0][-1])["view"].get("me") == taken) is (viewer is friend)


def playing(node: Running, table: str) -> Table:
    """The table as this node holds it."""
    held = node.node.rooms.get(table).table
    assert held
    return held


def hides(table: Table) -> bool:
    """Whether somebody at this table may not know everything."""
    views = [msgspec.to_builtins(table.game.view(table.state, seat)) for seat in (*range(len(table.chairs)), None)]
    return any(
        view[field] != views[-1][field]
        for view in views
        for field in view
        if field != "me"  # which only says whose view it is
    )


def copy_store(url: str, other: str) -> None:
    """Give the other store all that is in the first, but for when the service was up."""
    with redis.Redis.from_url(url) as source, redis.Redis.from_url(other) as target:
        target.flushall()
        for key in source.scan_iter(count=1000):
            if not key.startswith(b"{beat}:"):
                target.restore(key, 0, source.dump(key))


def swap_secrets(node: Running, table: str, twins: list[Running], seat: int | None, seed: str) -> bool:
    """Give the second node the table with all changed that the viewer may not know; whether anything was."""
    real, source = playing(node, table), node.node.rooms.get(table).sync
    game = real.game
    make_twin = importlib.import_module(f"tests.games.test_{real.opened.game}").twin
    state = make_twin(real.state, seat, Chance(seed.encode(), real.n))
    twin = replace(
        real,
        state=state,
        asks={seat: replace(ask, offers=game.offers(state, seat)) for seat, ask in real.asks.items()},
        asides={seat: replace(aside, offers=game.asides(state, seat)) for seat, aside in real.asides.items()},
    )
    for other, held in zip(twins, (real, twin), strict=True):
        sync = other.node.rooms.get(real.id).sync
        sync.table, sync.last, sync.chain = held, source.last, source.chain
        other.node.clock.now = lambda: real.at + 1000
    return bool(state != real.state)


async def everything(node: Running, viewer: Client, table: str, seat: int | None) -> list[bytes]:
    """All that a fresh connection of this viewer is told: views, what it missed, refusals; frame by frame."""
    held = playing(node, table)
    ask = held.asks[seat].n if seat in held.asks else held.n
    node.node.rooms.get(table).viewers._recent.clear()  # so that what was missed is read from the log on both
    frames: list[bytes] = []
    for patches in (False, True):
        async with Tap.join(node, viewer.token, patches) as tap:
            await tap.open(table, held.n)
            for last in (held.n - 3, 1):
                await tap.open(table, held.n, last=last)
            past = await tap.request("history", table=table)
            assert [entry["n"] for entry in past["entries"]][-1:] == [held.n][: len(past["entries"])]
            await tap.request("history", table=table, before=held.n - 3)
            for move in nonsense(GAMES[held.opened.game].moves):
                await tap.request("move", table=table, ask=ask, key="never", move=move)
            await tap.request("move", table=table, ask=held.n + 1000, key="never", move={})
            await tap.request("ping")
            frames += tap.frames
    return frames + await replay_of_running_game(node, table)


async def replay_of_running_game(node: Running, table: str) -> list[bytes]:
    """What anybody is answered who asks for the replay of a game that has not ended, and the pages that lead to it."""
    told: list[bytes] = []
    if playing(node, table).status != "running":  # anybody may have the replay as soon as the game is in the archive
        return told
    for path in ("updates", "updates?view=open", "updates?view=0", "draws"):
        status, body, _ = await get(node, f"/r/{table}/{path}")
        assert status == 404
        told.append(msgpack.packb({"path": path, "body": body}))
    for path in (f"/replays/{table}.jsonl", f"/r/{table}", f"/t/{table}"):
        told.append(msgpack.packb({"path": path, "body": (await get(node, path))[1]}))
    return told


async def play_on(
    twins: list[Running],
    table: str,
    seat: int | None,
    users: list[Client],
    where: str,
    viewer: Client | None = None,
) -> tuple[int, int]:
    """Make the same moves on both tables and compare what the viewer is shown, then what it missed if it comes back.

    Every seat has a connection that wants patches on both nodes, and the viewer a second one that wants whole views.
    The viewer is the owner of the seat or a watcher, if it is not given.
    Answers how many moves were made, and how many patches the viewer got.
    """
    first, chance = playing(twins[0], table).n, random.Random(f"{SEED}/{where}")
    viewer = viewer or users[-1 if seat is None else seat]
    made = 0
    async with contextlib.AsyncExitStack() as stack:
        taps: list[dict[str, Tap]] = []
        for node in twins:
            mine = {one.token: await stack.enter_async_context(Tap.join(node, one.token, True)) for one in users}
            mine["whole"] = await stack.enter_async_context(Tap.join(node, viewer.token, False))
            for tap in mine.values():
                await tap.open(table, first)
            taps.append(mine)
        while made < LIVE_MOVES and (found := move_for_both(twins, table, seat, chance)) is not None:
            actor, asks, move = found
            made += 1
            key = f"{chance.random()}"
            for mine, ask in zip(taps, asks, strict=True):
                done = await mine[users[actor].token].request("move", table=table, ask=ask, key=key, move=move)
                assert done.get("n") == first + made, f"{where}: {done}"
        for mine in taps:
            for tap in mine.values():
                await tap.entry(first + made)
        for name in (viewer.token, "whole"):
            frames = [mine[name].frames for mine in taps]
            assert frames[0] == frames[1], where
        patches = sum("patch" in msgpack.unpackb(frame) for frame in taps[0][viewer.token].frames)
    for remembered in (True, False):
        told = []
        for node in twins:
            if not remembered:  # then it is read from the log
                node.node.rooms.get(table).viewers._recent.clear()
            async with Tap.join(node, viewer.token, True) as tap:
                await tap.open(table, first + made, last=first)
                told.append(tap.frames)
        assert told[0] == told[1], f"resumed: {where}"
    return made, patches


def move_for_both(
    twins: list[Running], table: str, viewer: int | None, chance: random.Random
) -> tuple[int, list[int], dict[str, Any]] | None:
    """A move that is allowed on both tables, with its seat and the asks that it answers, if one is found.

    What it leads to looks the same to the viewer: a card that comes to light may well be another one on the twin table.
    """
    tables = [playing(node, table) for node in twins]
    for _ in range(TRIES if tables[0].asks else 0):
        seat = chance.choice(list(tables[0].asks))
        offers = tables[0].asks[seat].offers
        move = fill(msgspec.to_builtins(chance.choice(offers)), chance)
        asks = [held.asks[seat].n for held in tables if seat in held.asks]
        seen = []
        for held, ask in zip(tables, asks, strict=False):
            request = Move(id=1, table=table, ask=ask, key="k", move=msgspec.Raw(msgspec.msgpack.encode(move)))
            try:
                (step,) = decisions.move(held, held.chairs[seat].user or "", request, held.at)
            except ProtocolError:
                break
            after = held.after(step.entry, step.events)
            shown = [held.game.show(event, viewer) for event in step.events]
            mine = [asked.get(viewer) for asked in (after.asks, after.asides)] if viewer is not None else []
            offered = [one and one.offers for one in mine]
            view = held.game.view(after.state, viewer)
            seen.append(msgspec.msgpack.encode((shown, view, list(after.asks), after.status, offered)))
        if len(seen) == len(tables) and seen[0] == seen[1]:
            return seat, asks, move
    return None


@pytest.mark.both_loops
@pytest.mark.parametrize("tabs", [1, SAME_NUMBER])
@pytest.mark.parametrize("how", ["closed", "clogged"])
async def test_p4_a_connection_that_reuses_a_file_descriptor_gets_nothing_of_the_closed_one(
    start: Start, tabs: int, how: str
) -> None:
    """A seat's connection goes, perhaps with something on its way to it, and a stranger's gets its socket's number."""
    node = await start()
    players = await people(node)
    table = await table_of(players)
    chance = random.Random(SEED)
    async with contextlib.AsyncExitStack() as stack:
        seat = [await stack.enter_async_context(Tap.join(node, players[0].token, True)) for _ in range(tabs)]
        for tap in seat:
            await tap.open(table, players[0].updates(table)[-1]["n"])
        n = await one_move(players, table, chance)  # now the socket's number is part of a batch
        await seat[-1].entry(n)
        number = number_of(seat[-1].link)
        if how == "clogged":
            seat[-1].link.transport.pause_reading()
            kept = next(one.outbox for one in node.node.connections if one.outbox.fd == number)
            for _ in range(1000):
                if not kept.unbuffered:
                    break
                kept.write(binary_frame(bytes(10_000)))
                kept.flush()
            assert not kept.unbuffered
        seat[-1].link.transport.abort()
        await eventually(lambda: not is_socket(number))
        stranger = Tap(await stack.enter_async_context(connect(node.url, compression=None, max_size=None)))
        assert number_of(stranger.link) == number
        for _ in range(3):
            n = await one_move(players, table, chance)
        await players[0].request("say", table=table, text="hello")
        for tap in seat[:-1]:
            await tap.entry(n)
        for request, answer in (({"type": "hello", "v": 1}, "welcome"), ({"type": "ping"}, "ok")):
            await stranger.link.send(msgpack.packb({"id": 1, **request}))
            first = msgpack.unpackb(await stranger.link.recv())
            assert (first["type"], first["id"]) == (answer, 1)


def number_of(link: ClientConnection) -> int:
    """The file descriptor of the server's end of this connection, which is in this process too."""
    for number in map(int, os.listdir("/proc/self/fd")):
        with contextlib.suppress(OSError), socket.socket(fileno=os.dup(number)) as end:
            if end.getpeername() == link.local_address and end.getsockname() == link.remote_address:
                return number
    raise AssertionError("the server has no end of this connection")


def is_socket(number: int) -> bool:
    """Whether this file descriptor is that of an open socket."""
    try:
        return os.readlink(f"/proc/self/fd/{number}").startswith("socket:")
    except FileNotFoundError:
        return False


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
