"""P4 and P58 for watchers over real sockets: what they may not know, or not know yet, changes no byte that they get."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import msgpack
import msgspec
import pytest
from websockets.asyncio.client import ClientConnection, connect

from games import GAMES
from games.chance import Chance
from games.core import fold, judge, read_move
from games.offers import count_fillings
from server.tables.state.delay import is_hidden
from server.tables.state.table import Table
from tests.client import WAIT_S, Client, fill
from tests.playout import table_size
from tests.server.conftest import Running, Start
from tests.server.tables.test_tables import people, table_of
from tests.server.tables.test_twins import (
    Tap,
    copy_store,
    everything,
    hides,
    play_on,
    playing,
    replay_of_running_game,
    stores,
    swap_secrets,
)

__all__ = ["stores"]

SEED = "cheeseboard watch twins"
PREFIX = 6  # moves that both tables have in common
CANDIDATES = 12  # moves to choose from
LATE = 4
TURN_MS = 4000  # longer than the pause of any game; reports of who is there stay fresh for more than LATE of them
RULES: dict[str, dict[str, Any]] = {"late": {"see": "all", "late": LATE}, "at the end": {"see": "all"}}


class Ear:
    """A connection of a watcher that keeps every frame, whatever it is about."""

    def __init__(self, link: ClientConnection) -> None:
        self.link = link
        self.frames: list[bytes] = []
        self._number = 0

    async def request(self, type: str, **fields: Any) -> dict[str, Any]:  # noqa: A002
        """Send a request; its answer."""
        self._number += 1
        await self.link.send(msgpack.packb({"type": type, "id": self._number, **fields}))
        return await self.until(lambda message: message.get("id") == self._number)

    async def until(self, wanted: Any) -> dict[str, Any]:
        """Read until such a message comes."""
        async with asyncio.timeout(WAIT_S):
            while True:
                frame = await self.link.recv()
                assert isinstance(frame, bytes)
                self.frames.append(frame)
                message: dict[str, Any] = msgpack.unpackb(frame)
                if wanted(message):
                    return message


async def several_moves(node: Running, players: list[Client], table: str, count: int, seed: str) -> None:
    """So many moves, with a pause before each that is long enough for every game."""
    chance = random.Random(f"{SEED}/{seed}")
    for _ in range(count):
        node.ahead_ms += TURN_MS
        seat, move = lasting_move(playing(node, table), chance)
        ask = playing(node, table).asks[seat].n
        done = await players[seat].request("move", table=table, ask=ask, key=f"{chance.random()}", move=move)
        assert done["type"] == "ok", done
        for player in players:
            await player.entry(table, done["n"])


def lasting_move(table: Table, chance: random.Random) -> tuple[int, dict[str, Any]]:
    """A move and its seat: of several random ones that which leaves most to choose from, so that short games last."""
    game, seat = table.game, chance.choice(list(table.asks))
    offers = msgspec.to_builtins(table.asks[seat].offers)
    found = []
    for _ in range(CANDIDATES):
        move = fill(chance.choice(offers), chance)
        events = judge(game, table.state, seat, read_move(game, move), Chance(b"", table.n))
        after = fold(game, events, table.state)
        left = [one for other in game.to_act(after) for one in game.offers(after, other)]
        found.append((sum(map(count_fillings, left)), move))
    return seat, max(found, key=lambda one: one[0])[1]


@pytest.mark.parametrize("name", list(GAMES))
async def test_p58_late_watchers_get_the_same_bytes_whatever_happens_meanwhile(
    name: str, start: Start, store_url: str, stores: list[str]
) -> None:
    """Two tables part after the same moves. Until watchers may see that, they get the same frames from both."""
    node = await start()
    players = await people(node, table_size(GAMES[name]))
    tokens = [player.token for player in players]
    watchers = [(await node.join(text)).token for text in ("Watcher", "Friend")]
    tables = {how: await table_of(players, name, speed="relaxed", watching=rule) for how, rule in RULES.items()}
    for table in tables.values():
        await several_moves(node, players, table, PREFIX, "prefix")
    for url in stores:
        copy_store(store_url, url)
    twins = [await start(url=url) for url in stores]
    for how, table in tables.items():
        last = playing(node, table).n
        told = [await all_that_is_told(twin, number, table, tokens, watchers) for number, twin in enumerate(twins)]
        present = [playing(twin, table) for twin in twins]
        assert present[0].state != present[1].state
        assert all(is_hidden(one) for one in present)
        assert told[0] == told[1], f"{name}, {how}, seed {SEED!r}"
        updates = [message for message in map(msgpack.unpackb, told[0]) if message.get("type") == "update"]
        assert max(update["n"] for update in updates) == (last if how == "late" else len(players) + 1)
        assert any("patch" in update for update in updates) == any("views" in update for update in updates)
        assert any("views" in update for update in updates) == (how == "late")


async def all_that_is_told(
    node: Running, number: int, table: str, tokens: list[str], watchers: list[str]
) -> list[bytes]:
    """What a watcher is told live while this twin goes its own way, and afterwards if it asks for everything."""
    base = playing(node, table).at if node.node.rooms.get(table).table else 0
    players = [await node.join(token=token) for token in tokens]
    for player in players:
        await player.request("open", table=table)
        await player.next("update", 0, table=table)
    base = playing(node, table).at
    node.node.clock.now = lambda: base + node.ahead_ms
    friend = await node.join(token=watchers[1])
    await friend.request("open", table=table)
    async with connect(node.url, compression=None, max_size=None) as link:
        ear = Ear(link)
        await ear.request("hello", v=1, token=watchers[0], patches=True)
        await ear.request("open", table=table)
        node.node.presence.report(node.node.rooms.get(table))
        await ear.until(lambda message: message["type"] == "table" and message.get("watchers") == 2)
        ear.frames.clear()
        ahead = node.ahead_ms
        late = playing(node, table).rules.watching.late
        await go_on(node, players, table, number, LATE if late or number else 2)
        node.ahead_ms = ahead
        await friend.request("say", table=table, text="what a game")
        await ear.until(lambda message: message["type"] == "chat" and message["text"] == "what a game")
        node.ahead_ms += 500 * number  # watchers who are late must not see which time it is at the table
        node.node.rooms.get(table).viewers._recent.clear()  # so that what was missed is read from the log
        for last in ({}, {"last": 1}, {"last": PREFIX}, {"last": 1000}):
            await ear.request("open", table=table, **last)
            await ear.until(lambda message: message["type"] == "chat")  # which comes again, and last
        for before in ({}, {"before": PREFIX}, {"before": 1000}):
            await ear.request("history", table=table, **before)
        await ear.request("move", table=table, ask=PREFIX, key="k", move={})
        await ear.request("sit", table=table)
        node.ahead_ms = ahead
        await friend.request("say", table=table, text="the end")
        await ear.until(lambda message: message["type"] == "chat" and message["text"] == "the end")
        frames = ear.frames
    return frames + await replay_of_running_game(node, table)


async def go_on(node: Running, players: list[Client], table: str, number: int, entries: int) -> None:
    """So many entries that are others on each twin: on the first a player leaves, and all talk about it."""
    leaves = number == 0
    await several_moves(node, players, table, entries - leaves, f"twin {number}")
    for text in ("I have it!", "no")[: 2 - number]:
        await players[0].request("say", table=table, text=text)
    if leaves:
        await players[-1].request("leave", table=table)
        await players[-1].close()
    node.node.presence.report(node.node.rooms.get(table))
    await players[0].until(lambda message: message["type"] == "chat" and message["text"] == "I have it!")


@pytest.mark.parametrize("name", list(GAMES))
async def test_p58_watchers_of_a_seat_and_those_kept_out_get_the_same_bytes_whatever_is_hidden(
    name: str, start: Start, store_url: str, stores: list[str]
) -> None:
    node = await start()
    players = await people(node, table_size(GAMES[name]))
    watcher = await node.join("Watcher")
    table = await table_of(players, name, speed="untimed", watching={"see": "seat", "seat": 0})
    closed = await table_of(players, name, speed="untimed", watching={"see": "nobody"})
    for number, one in enumerate((table, closed)):
        await several_moves(node, players, one, 7, f"seat {number}")
    for url in stores:
        copy_store(store_url, url)
    twins = [await start(url=url) for url in stores]
    for one, seat in ((table, 0), (closed, None)):
        differs = swap_secrets(node, one, twins, seat, f"{SEED}/seat")
        assert differs or not hides(playing(node, one))
    kept_out = [await refused(twin, watcher, closed) for twin in twins]
    assert kept_out[0] == kept_out[1], name
    told = [await everything(twin, watcher, table, None) for twin in twins]
    assert told[0] == told[1], name
    views = [one["view"] for one in map(msgpack.unpackb, told[0]) if one.get("view")]
    assert {view["me"] for view in views} == {0}
    assert not any(one.get("ask") for one in map(msgpack.unpackb, told[0]) if one.get("type") == "update")
    await play_on(twins, table, 0, [*players, watcher], name, watcher)


async def refused(node: Running, watcher: Client, table: str) -> list[bytes]:
    """All that somebody is told of a running game that nobody may watch."""
    async with Tap.join(node, watcher.token, True) as tap:
        for last in ({}, {"last": 1}, {"last": 1000}):
            assert (await tap.request("open", table=table, **last))["code"] == "no_watchers"
        for before in ({}, {"before": PREFIX}):
            assert (await tap.request("history", table=table, **before))["type"] == "error"
        assert (await tap.request("move", table=table, ask=PREFIX, key="k", move={}))["type"] == "error"
        return tap.frames + await replay_of_running_game(node, table)
