"""Opening and filling tables: how many store commands that takes, and from where a new player sees what happens."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import redis

from server.requests import opening
from server.store import keys
from server.store.answers import StoreLost
from server.store.redis_connection import RedisConnection
from tests.client import Client, eventually
from tests.server.conftest import NOT_COMPILED, Running
from tests.server.tables.test_tables import asked, one_move, people

SEED = 12


@contextmanager
def counted_commands(url: str, counts: dict[str, int]) -> Iterator[None]:
    """Count the commands and function calls that the store executes inside the block."""
    with redis.Redis.from_url(url) as store:
        store.config_resetstat()
        yield
        counts |= {name.removeprefix("cmdstat_"): of["calls"] for name, of in store.info("commandstats").items()}


async def all_reported(node: Running) -> None:
    """Wait until the node has reported who is at its tables, so that it sends nothing by itself."""
    await eventually(lambda: not node.node.presence._changed)
    await node.node.store.call("PING")


@pytest.mark.parametrize("seats", [3, 4, 6])
async def test_opening_filling_and_starting_a_table_is_one_append_and_one_note_to_the_lobby(
    node: Running, store_url: str, seats: int
) -> None:
    host = await node.join("Hilda")
    counts: dict[str, int] = {}
    with counted_commands(store_url, counts):
        made = await host.request("create", game="cheesedog", seats=seats, bots="rookie")
        await node.node.store.call("PING")  # after all commands that the request has sent
    assert counts["fcall"] == 2  # the host's place among their tables, and the append
    assert counts["hset"] == 1
    assert counts["xadd"] == seats + 2  # entries inside that call: the table, its seats, the start
    assert "xrange" not in counts
    room = node.node.rooms.get(made["table"])
    assert room.table
    assert (room.table.status, room.table.n) == ("running", seats + 2)
    assert made["n"] == seats + 1  # the entry of the last seat, as the request asked for; the start follows from it


async def test_opening_filling_and_starting_a_table_takes_17_commands_in_two_round_trips(
    node: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = await node.join("Hilda")
    flush, written = RedisConnection._flush, list[tuple[int, bool]]()

    def record(connection: RedisConnection) -> None:
        if connection._outgoing:
            tables = [room.table for room in node.node.rooms if room.table]
            written.append((len(connection._outgoing), bool(tables)))
        flush(connection)

    await all_reported(node)
    with monkeypatch.context() as patch:
        patch.setattr(RedisConnection, "_flush", record)
        await host.request("create", game="cheesedog", seats=4, bots="rookie")
        await node.node.store.call("PING")
    *written, ping = written
    assert ping == (1, True)
    # The code and the host's place; the append; then, when the table is committed, what nobody waits for.
    assert written == [(2, False), (1, False), (14, True)]


async def test_starting_with_bots_fills_all_seats_in_one_append(node: Running, store_url: str) -> None:
    host = await node.join("Hilda")
    table = (await host.request("create", game="cheesedog", seats=5))["table"]
    await host.request("open", table=table)
    await all_reported(node)
    counts: dict[str, int] = {}
    with counted_commands(store_url, counts):
        done = await host.request("start", table=table, bots="rookie")
    assert (done["type"], counts["fcall"], counts["xadd"]) == ("ok", 1, 5)
    await host.entry(table, 7)
    assert [update["n"] for update in host.updates(table)] == [2, 3, 4, 5, 6, 7]
    again = await host.request("start", table=table)
    assert (again["type"], again["again"]) == ("ok", True)


async def test_a_rematch_is_opened_with_all_its_seats(node: Running, store_url: str) -> None:
    chance = random.Random(SEED)
    players = await people(node, 2)
    table = (await players[0].request("create", game="diced_cheese", seats=2))["table"]
    await players[1].request("sit", table=table)
    await finish(players, table, chance)
    await all_reported(node)
    counts: dict[str, int] = {}
    with counted_commands(store_url, counts):
        done = await players[0].request("rematch", table=table)
    assert counts["fcall"] == 4  # the new table, the entry about it on the old one, and two for the player's place
    with redis.Redis.from_url(store_url) as store:
        assert store.xlen(keys.table_log(done["table"])) == 3  # the table, one seat held, one taken
    await players[1].request("rematch", table=table)
    room = node.node.rooms.get(done["table"])
    assert room.table
    assert room.table.status == "running"


@NOT_COMPILED
async def test_a_rematch_that_could_not_be_recorded_leaves_no_running_table(
    node: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "CLOSE_EVERY_S", 0.01)
    chance = random.Random(SEED)
    players = await people(node, 2)
    player = players[0]
    table = (await player.request("create", game="diced_cheese", seats=2))["table"]
    await players[1].request("sit", table=table)
    await finish(players, table, chance)
    room = node.node.rooms.get(table)
    append, opened, failing = room._log.append, list[str](), 1

    def fail_on_the_old_table(name: str, *arguments: Any) -> None:
        nonlocal failing
        if name == table and failing:
            failing -= 1
            asyncio.get_running_loop().call_soon(arguments[-1], StoreLost("the store is away"))
        else:
            opened.append(name)
            append(name, *arguments)

    monkeypatch.setattr(room._log, "append", fail_on_the_old_table)
    refused = await player.request("rematch", table=table)
    assert refused["code"] == "unavailable"
    new = node.node.rooms.get(opened[0])
    await eventually(lambda: new.table is not None and new.table.status == "closed")
    again = await player.request("rematch", table=table)
    assert (again["type"], again["table"] != new.id) == ("ok", True)


async def test_a_spectator_who_sits_down_sees_that_entry_and_all_later_ones_from_the_seat(node: Running) -> None:
    players = await people(node, 3)
    table = (await players[0].request("create", game="cheesedog", seats=3))["table"]
    await players[1].request("sit", table=table)
    for player in players:
        await player.request("open", table=table)
    done = await players[2].request("sit", table=table)
    started = await players[2].entry(table, done["n"] + 1)
    numbers = [update["n"] for update in players[2].updates(table)]
    assert numbers == sorted(set(numbers))  # each entry once
    assert started["view"]["me"] == 2
    dealt = [event for event in started["events"] if event["type"] == "dealt"]
    assert dealt
    assert started["view"]["hand"] != (await players[0].entry(table, done["n"] + 1))["view"]["hand"]


async def finish(players: list[Client], table: str, chance: random.Random) -> None:
    """Play until the game has ended."""
    for player in players:
        await player.request("open", table=table)
        await player.until(lambda message: message.get("table") == table and message.get("view"))  # it has started
    for _ in range(2000):
        await one_move(players, table, chance)
        if not any(asked(player, table) for player in players):
            await players[0].next("table", 0, table=table, status="ended")
            return
    raise AssertionError("the game did not end")


async def test_who_sits_down_with_a_name_has_it_at_the_table_and_keeps_it(node: Running) -> None:
    host, friend = await node.join("Hilda"), await node.join("Mellow Brie 7")
    table = (await host.request("create", game="cheesedog", seats=3))["table"]
    await friend.request("open", table=table)
    done = await friend.request("sit", table=table, seat=2, name="  Eve ")
    assert done["type"] == "ok"
    seats = (await friend.next("table", since=0, you=2))["seats"]
    assert seats[2]["name"] == "Eve"
    again = await friend.request("sit", table=table, seat=2, name="Eve")
    assert again["again"]
    await friend.request("say", table=table, text="hello")
    assert (await friend.next("chat", since=0))["name"] == "Eve"
    assert (await node.join(token=friend.token)).user["name"] == "Eve"


async def test_a_refused_seat_leaves_the_name_and_a_refused_name_the_seat(node: Running) -> None:
    host, friend = await node.join("Hilda"), await node.join("Eve")
    table = (await host.request("create", game="cheesedog", seats=3))["table"]
    taken = await friend.request("sit", table=table, seat=0, name="Mallory")
    reserved = await friend.request("sit", table=table, seat=1, name="Gouda")
    assert (taken["code"], reserved["code"]) == ("seat_taken", "bad_name")
    assert (await node.join(token=friend.token)).user["name"] == "Eve"
    room = node.node.rooms.get(table)
    assert room.table
    assert room.table.chairs[1].user is None


async def running_with_bots(node: Running, **fields: object) -> tuple[Client, Client, str]:
    """A host who plays Cheesedog against two house bots at a table that takes latecomers, and a spectator."""
    host, friend = await node.join("Hilda"), await node.join("Eve")
    chosen = {"game": "cheesedog", "seats": 3, "bots": "rookie", "public": False, "speed": "untimed", **fields}
    table = (await host.request("create", **chosen))["table"]
    for client in (host, friend):
        await client.request("open", table=table)
    return host, friend, table


async def test_p19_a_person_takes_the_seat_of_a_house_bot_in_a_running_game(node: Running) -> None:
    host, friend, table = await running_with_bots(node)
    assert host.last("table")["late"]
    before = friend.updates(table)[-1]["view"]
    done = await friend.request("sit", table=table, seat=2, name="Frida")
    seen = await friend.entry(table, done["n"])
    assert seen["view"]["me"] == 2
    assert "me" not in before or before["me"] is None
    info = await host.until(lambda message: message["type"] == "table" and message["seats"][2]["kind"] == "person")
    assert (info["seats"][2]["name"], info["status"]) == ("Frida", "running")
    assert (await friend.request("sit", table=table, seat=2))["again"]
    assert (await friend.request("sit", table=table, seat=1))["code"] == "seated_already"


async def test_p19_people_and_their_seats_are_never_taken_over(node: Running) -> None:
    host, friend, table = await running_with_bots(node)
    late = await node.join("Late")
    assert (await friend.request("sit", table=table, seat=0))["code"] == "seat_taken"
    await host.request("leave", table=table)  # a stand-in plays, and the seat stays the host's
    assert (await friend.request("sit", table=table, seat=0))["code"] == "seat_taken"
    for guest in (friend, late):
        assert (await guest.request("sit", table=table))["type"] == "ok"
    last = await node.join("Last")
    assert (await last.request("sit", table=table))["code"] == "table_full"


@pytest.mark.parametrize(("fields", "late"), [({"public": True}, False), ({"late": False}, False), ({}, True)])
async def test_p19_the_table_chooses_whether_latecomers_may_sit_down(
    node: Running, fields: dict[str, object], late: bool
) -> None:
    host, friend, table = await running_with_bots(node, **fields)
    assert host.last("table").get("late", False) is late
    done = await friend.request("sit", table=table)
    assert done["type"] == ("ok" if late else "error")
    assert late or done["code"] == "not_open"


async def test_p4_the_bot_whose_seat_was_taken_sees_what_spectators_see(node: Running) -> None:
    """The bot of the seat has its feed open, like a house bot: the entry itself already reaches it as a spectator."""
    _, friend, table = await running_with_bots(node)
    room = node.node.rooms.get(table)
    assert room.table
    users = {seat: chair.user for seat, chair in enumerate(room.table.chairs)}
    token = (await node.node.accounts.new_house_tokens())[users[2] or ""]
    bot = await node.join(token=token)
    await bot.request("open", table=table)
    assert (await bot.next("update", since=0))["view"]["me"] == 2
    spectator = await node.join("Sam")
    await spectator.request("open", table=table)
    done = await friend.request("sit", table=table, seat=2)
    mine, public = await bot.entry(table, done["n"]), await spectator.entry(table, done["n"])
    assert mine["view"] == public["view"]
    assert "ask" not in mine
    assert (await friend.entry(table, done["n"]))["view"]["me"] == 2
    move = await bot.request("move", table=table, ask=done["n"], key="k", move={"type": "pick_up"})
    assert move["code"] == "not_seated"
