"""Limits concern users, addresses and nodes, however many connections somebody opens."""

from __future__ import annotations

import asyncio
import os
import random
from collections import Counter
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus

from server.process.settings import BadSetting, Settings
from server.requests.limits.client_addresses import NO_LIMITS, network_address
from server.requests.limits.limits import BY_NAME, LIMITS, BadLimit, Limits
from server.requests.sanctions import Sanction, SanctionList
from server.tables.rooms import history
from server.tables.state.entries import Moved
from tests.client import Client, eventually, fill
from tests.server.conftest import Running, Start, free_limits
from tests.server.requests.test_bots import bot_of
from tests.server.tables.test_tables import asked, one_move, table_of

TRIES = 200
ADDRESS = "127.0.66.1"  # not exempt from limits
TABLE = {"game": "cheesedog", "seats": 3}
BOT_GAME = {**TABLE, "seat": None, "bots": "rookie"}


async def tabs(nodes: list[Running], count: int = 8, **hello: Any) -> list[Client]:
    """Connections of one user, on all nodes in turn."""
    first = await nodes[0].join("Greedy", **hello)
    token = hello.get("token", first.token)
    return [first, *[await nodes[n % len(nodes)].join(**{**hello, "token": token}) for n in range(1, count)]]


async def at_once(clients: list[Client], count: int, kind: str, **fields: Any) -> Counter[str]:
    """Send so many requests over these connections in turn, without waiting in between; count the answers."""
    sent = [(one, await one.send(kind, **fields)) for one in (clients[n % len(clients)] for n in range(count))]
    return Counter([answer.get("code", "ok") if answer["type"] == "error" else "ok" for answer in await answers(sent)])


async def answers(sent: list[tuple[Client, int]]) -> list[dict[str, Any]]:
    return list(await asyncio.gather(*(client.answer(number) for client, number in sent)))


async def two_nodes(start: Start, **changed: int) -> list[Running]:
    limits = free_limits(burst=10_000, **changed)
    return [await start(limits=limits), await start(limits=limits)]


# Quotas are exact, whatever races.


async def test_a_person_makes_exactly_as_many_bots_as_are_allowed(start: Start) -> None:
    nodes = await two_nodes(start)
    clients = await tabs(nodes)
    assert await at_once(clients, TRIES, "token", name="Bot") == {"ok": 20, "too_many_bots": TRIES - 20}
    own = (await clients[0].request("tokens"))["own"]
    assert len(own) == 20
    assert (await clients[1].request("revoke", bot=own[0]["user"]))["type"] == "ok"
    assert await at_once(clients, TRIES, "token", name="Bot") == {"ok": 1, "too_many_bots": TRIES - 1}


@pytest.mark.parametrize("seat", [0, None], ids=["seated", "without a seat"])
async def test_a_person_creates_exactly_as_many_tables_as_are_allowed(start: Start, seat: int | None) -> None:
    nodes = await two_nodes(start)
    clients = await tabs(nodes)
    done = await at_once(clients, TRIES, "create", game="cheesedog", seats=3, seat=seat)
    assert done == {"ok": 20, "too_many_tables": TRIES - 20}
    again = await nodes[1].join(token=clients[0].token)
    assert len(again.welcome["tables"]) == (0 if seat is None else 20)


async def test_a_person_sits_at_exactly_as_many_tables_as_are_allowed(start: Start) -> None:
    nodes = await two_nodes(start)
    hosts = [await nodes[0].join(f"Ann {number}") for number in range(10)]
    tables = [
        (await one.request("create", game="cheesedog", seats=4))["table"] for one in hosts for _ in range(TRIES // 20)
    ]
    clients = await tabs(nodes)
    sent = [
        (one, await one.send("sit", table=table))
        for number, table in enumerate(tables)
        for one in (clients[number % 8], clients[(number + 1) % 8])
    ]
    codes = Counter(answer.get("code", "ok") for answer in await answers(sent))
    again = await nodes[1].join(token=clients[0].token)
    assert len(again.welcome["tables"]) == 20
    assert set(codes) <= {"ok", "too_many_tables", "busy"}
    assert codes["too_many_tables"] >= len(tables) - 20
    for table in again.welcome["tables"][:5]:
        assert (await again.request("leave", table=table))["type"] == "ok"
    free = [table for table in tables if table not in again.welcome["tables"]]
    seats = [(await clients[n % 8].request("sit", table=table)).get("code", "ok") for n, table in enumerate(free[:20])]
    assert Counter(seats) == {"ok": 5, "too_many_tables": 15}


async def test_practice_and_rematch_count_as_seats(start: Start) -> None:
    nodes = await two_nodes(start, seats_bot=2, seats=1)
    ada, bob = await nodes[0].join("Ada"), await nodes[0].join("Bob")
    bot = await bot_of(ada, nodes[1])
    games = ("cheesedog", "diced_cheese", "chesterfield")
    practised = [await bot.request("practice", game=game, seats=3) for game in games]
    assert [answer.get("code", "ok") for answer in practised] == ["ok", "ok", "too_many_tables"]
    table = (await ada.request("create", game="diced_cheese", seats=2))["table"]
    await bob.request("sit", table=table)
    await play_to_the_end([ada, bob], table)
    await check_due(nodes[0], 1)  # the table is put away, and is no longer one of theirs
    assert (await ada.request("create", game="diced_cheese", seats=2))["type"] == "ok"
    assert (await ada.request("rematch", table=table))["code"] == "too_many_tables"
    assert (await bob.request("rematch", table=table))["type"] == "ok"


async def check_due(node: Running, ms: int) -> None:
    """Let time pass, and wait until the tables that are due have been checked."""
    await eventually(lambda: not node.node.due_tables.tasks)
    await node.later(ms)
    await eventually(lambda: not node.node.due_tables.tasks)


async def play_to_the_end(players: list[Client], table: str) -> None:
    """Play random moves until the game has ended."""
    chance = random.Random(1)
    for player in players:
        await player.request("open", table=table)
        await player.until(lambda message: message.get("table") == table and message.get("view"))  # it has started
    while any(asked(player, table) for player in players):
        await one_move(players, table, chance)
    for player in players:
        await player.next("table", 0, table=table, status="ended")


async def test_tables_that_are_over_leave_room_for_others(start: Start) -> None:
    node = await start(limits=free_limits(tables_held=1, address_tables_held=2))
    ada, bob = await node.join("Ada", source=ADDRESS), await node.join("Bob", source=ADDRESS)
    create = {"game": "cheesedog", "seats": 3}
    made = await ada.request("create", **create, seat=None)
    assert (await ada.request("create", **create, seat=None))["code"] == "too_many_tables"
    second = await bob.request("create", **create)
    assert (await bob.request("create", **create))["code"] == "too_many_tables"  # the address has two
    await bob.request("leave", table=second["table"])
    await check_due(node, 1)
    assert (await bob.request("create", **create))["type"] == "ok"
    await check_due(node, 61_000)  # nobody is at the empty table
    await check_due(node, 5_000)
    assert node.node.rooms.get(made["table"]).table.status == "closed"  # type: ignore[union-attr]
    assert (await ada.request("create", **create, seat=None))["type"] == "ok"


# Rates.


@pytest.mark.parametrize(
    ("limit", "kind", "fields"),
    [
        ("tables_per_minute", "create", TABLE),
        ("tables_per_hour", "create", TABLE),
        ("address_tables_per_minute", "create", TABLE),
        ("address_tables_per_hour", "create", TABLE),
        ("node_tables_per_minute", "create", TABLE),
        ("address_bot_games_per_10_minutes", "create", BOT_GAME),
        ("node_bot_games_per_10_minutes", "create", BOT_GAME),
        ("address_tokens_per_hour", "token", {"name": "Bot"}),
        ("codes_missed_per_hour", "open", {"code": "zzzzzzzzzz"}),
        ("address_codes_missed_per_hour", "open", {"code": "zzzzzzzzzz"}),
        ("lobbies_per_minute", "lobby", {"on": True}),
        ("address_lobbies_per_minute", "lobby", {"on": True}),
        ("bot_lists_per_minute", "tokens", {}),
        ("address_bot_lists_per_minute", "bots", {}),
        ("seat_changes_per_minute", "sit", {"table": "zzzzzzzzzzzz"}),
        ("address_seat_changes_per_minute", "leave", {"table": "zzzzzzzzzzzz"}),
        ("account_changes_per_minute", "rename", {"name": "Tester"}),
        ("account_changes_per_minute", "unblock", {"user": "zzzzzzzzzzzz"}),
        ("address_account_changes_per_minute", "rename", {"name": "Tester"}),
        ("address_account_changes_per_hour", "rename", {"name": "Tester"}),
        ("account_changes_per_minute", "sit", {"table": "zzzzzzzzzzzz", "name": "Tester"}),
        ("host_changes_per_minute", "configure", {"table": "zzzzzzzzzzzz", "locked": True}),
        ("address_host_changes_per_hour", "swap", {"table": "zzzzzzzzzzzz", "seat": 0, "other": 1}),
        ("address_requests_per_second", "ping", {}),
    ],
)
async def test_a_rate_counts_all_connections(start: Start, limit: str, kind: str, fields: dict[str, Any]) -> None:
    """With the rate set to three, the fourth request is refused on whatever connection, and again after the window."""
    node = await start(limits=free_limits(**{limit: 3 if kind != "ping" else 30}))
    allowed = 3 if kind != "ping" else 30
    node.stop_clock()  # 30 in a second are one in 33 ms
    clients = await tabs([node], 4, source=ADDRESS)
    if kind == "ping":
        node.ahead_ms += 60_000  # the hellos were requests too
    sent = [(one, await one.send(kind, **fields)) for one in (clients[n % 4] for n in range(allowed + 2))]
    got = await answers(sent)
    refused = [answer for answer in got if answer.get("code") == "rate_limited"]
    assert len(refused) == 2
    window_ms = (BY_NAME[limit].window_s or 0) * 1000
    assert all(0 < answer["retry_after_ms"] <= window_ms / allowed + 1 for answer in refused)
    node.ahead_ms += refused[-1]["retry_after_ms"]
    assert (await clients[0].request(kind, **fields)).get("code") != "rate_limited"


async def test_shared_rates_count_all_nodes(start: Start) -> None:
    nodes = await two_nodes(start, chats_per_10_s=5, tables_per_hour=6)
    for node in nodes:
        node.stop_clock()
    clients = await tabs(nodes, source=ADDRESS)
    table = (await clients[0].request("create", game="cheesedog", seats=3))["table"]
    for one in clients:
        await one.request("open", table=table)
    assert await at_once(clients, 100, "say", table=table, text="spam") == {"ok": 5, "rate_limited": 95}
    assert await at_once(clients, 50, "create", game="cheesedog", seats=3) == {"ok": 5, "rate_limited": 45}


async def test_refused_requests_of_one_user_leave_the_share_of_others_at_the_address(start: Start) -> None:
    nodes = await two_nodes(start, chats_per_10_s=2, address_chats_per_10_s=4)
    for node in nodes:
        node.stop_clock()
    greedy = await tabs(nodes, 4, source=ADDRESS)
    sister = await nodes[1].join("Sister", source=ADDRESS)
    table = (await greedy[0].request("create", game="cheesedog", seats=3))["table"]
    for one in (*greedy, sister):
        await one.request("open", table=table)
    assert await at_once(greedy, 60, "say", table=table, text="spam") == {"ok": 2, "rate_limited": 58}
    assert await at_once([sister], 3, "say", table=table, text="hello") == {"ok": 2, "rate_limited": 1}


async def test_chat_of_an_address_is_limited_by_the_hour_too(start: Start) -> None:
    node = await start(limits=free_limits(address_chats_per_hour=3))
    clients = await tabs([node], 2, source=ADDRESS)
    table = (await clients[0].request("create", **TABLE))["table"]
    await clients[0].request("open", table=table)
    assert await at_once(clients[:1], 5, "say", table=table, text="spam") == {"ok": 3, "rate_limited": 2}


async def test_a_move_is_made_without_its_note_if_too_many_bytes_of_notes_come_from_an_address(start: Start) -> None:
    node = await start(limits=free_limits(address_note_bytes_per_hour=20))
    players = [await node.join(f"Player {seat}", source=ADDRESS) for seat in range(3)]
    table, chance, notes = await table_of(players), random.Random(1), ["\U0001f9c0" * 4, "\U0001f9c0" * 2, "four"]
    for note in notes:
        mover, ask = next((player, ask) for player in players if (ask := asked(player, table)))
        move = fill(ask["offers"][0], chance)
        made = await mover.request("move", table=table, ask=ask["n"], key=note, move=move, note=note)
        for player in players:
            await player.entry(table, made["n"])
    _, entries = await history.read_entries(node.node.store, table, 100)
    assert [entry.note for _, entry in entries if isinstance(entry, Moved)] == [notes[0], None, notes[2]]


async def test_notes_are_cleaned_and_those_of_muted_users_are_not_kept(node: Running) -> None:
    players = [await node.join(f"Player {seat}") for seat in range(3)]
    table, chance = await table_of(players), random.Random(1)
    for number, note in enumerate(("good\u202e \u200b", "\u2066", "bad")):
        mover, ask = next((player, ask) for player in players if (ask := asked(player, table)))
        if note == "bad":
            await SanctionList(node.node.store).add(Sanction("mute", mover.user["id"], 0))
            await eventually(lambda: node.node.sanctions._sanctions)
        move = fill(ask["offers"][0], chance)
        made = await mover.request("move", table=table, ask=ask["n"], key=str(number), move=move, note=note)
        for player in players:
            await player.entry(table, made["n"])
    _, entries = await history.read_entries(node.node.store, table, 100)
    assert [entry.note for _, entry in entries if isinstance(entry, Moved)] == ["good", None, None]


async def test_requests_that_the_address_may_not_make_leave_the_share_of_the_node(start: Start) -> None:
    node = await start(limits=free_limits(address_guests_per_hour=2, node_guests_per_minute=3))
    for _ in range(2):
        await node.join(source=ADDRESS)
    for _ in range(20):
        with pytest.raises(PermissionError, match="rate_limited"):
            await node.join(source=ADDRESS)
    await node.join(source="127.0.66.2")
    with pytest.raises(PermissionError, match="rate_limited"):
        await node.join(source="127.0.66.3")


async def test_codes_that_are_found_do_not_count_as_missed(start: Start) -> None:
    node = await start(limits=free_limits(codes_missed_per_hour=2))
    host, guest = await node.join("Hilda"), await node.join("Guest", source=ADDRESS)
    code = (await host.request("create", game="cheesedog", seats=3, public=False))["code"]
    for _ in range(5):
        assert (await guest.request("open", code=code))["type"] == "ok"
    assert await at_once([guest], 3, "open", code="zzzzzzzzzz") == {"no_table": 2, "rate_limited": 1}
    assert (await guest.request("open", code=code))["code"] == "rate_limited"  # else the answer would tell


async def test_an_address_has_a_limited_number_of_connections(start: Start) -> None:
    node = await start(limits=free_limits(address_connections=3))
    clients = [await node.join(source=ADDRESS) for _ in range(3)]
    with pytest.raises(InvalidStatus) as refused:
        await node.join(source=ADDRESS)
    assert refused.value.response.status_code == 429
    assert int(refused.value.response.headers["Retry-After"]) > 0
    await node.join(source="127.0.66.2")
    await node.join()
    await clients[0].close()
    await eventually(lambda: len(node.node.connections) == 4)
    await node.join(source=ADDRESS)


async def test_a_node_has_a_limited_number_of_connections(start: Start) -> None:
    node = await start(limits=free_limits(node_connections=2))
    for number in (1, 2):
        await node.join(source=f"127.0.66.{number}")
    with pytest.raises(InvalidStatus):
        await node.join(source="127.0.66.3")


async def test_connections_and_hellos_of_an_address_have_a_rate(start: Start) -> None:
    node = await start(limits=free_limits(address_connections_per_minute=3, address_hellos_per_minute=2))
    node.stop_clock()
    first, second, _ = [Client(await Client.connect(node.url, ADDRESS)) for _ in range(3)]
    with pytest.raises(InvalidStatus) as refused:
        await Client.connect(node.url, ADDRESS)
    assert refused.value.response.headers["Retry-After"] == "20"
    hello = {"v": 1, "token": "unknown"}
    assert [(await one.request("hello", **hello))["code"] for one in (first, second, first)] == [
        "bad_token",
        "bad_token",
        "rate_limited",
    ]
    node.ahead_ms += 30_000
    assert (await first.request("hello", v=1, name="Late"))["type"] == "welcome"


async def test_leaving_and_coming_back_makes_a_log_longer_only_so_fast(node: Running) -> None:
    node.stop_clock()
    player = await node.join("Fickle", source=ADDRESS)
    made = await player.request("create", game="cheesedog", seats=3, bots="random", speed="untimed")
    done: Counter[str] = Counter()
    for number in range(60):
        answer = await player.request("leave" if number % 2 == 0 else "back", table=made["table"])
        done[answer.get("code", "ok")] += 1
    assert done["rate_limited"] == 60 - BY_NAME["seat_changes_per_minute"].number


async def test_p34_asides_make_a_log_longer_only_so_fast(node: Running) -> None:
    node.stop_clock()
    player = await node.join("Chatty", source=ADDRESS)
    table = (await player.request("create", game="do_my_bidding", seats=3, bots="random", speed="untimed"))["table"]
    await player.request("open", table=table)
    update = await player.until(lambda message: message["type"] == "update" and message.get("asides"))
    done: Counter[str] = Counter()
    for number in range(40):
        move = {"type": "suggest", "up_to": number % 3}
        answer = await player.request("move", table=table, ask=update["asides"]["n"], key=f"k{number}", move=move)
        done[answer.get("code", "ok")] += 1
    assert done == {"ok": 20, "rate_limited": 20}


async def test_a_host_without_a_seat_starts_a_limited_number_of_games_of_house_bots(start: Start) -> None:
    node = await start(limits=free_limits(address_bot_games_per_10_minutes=1))
    host = await node.join("Watcher", source=ADDRESS)
    first, second = [(await host.request("create", game="cheesedog", seats=3, seat=None))["table"] for _ in range(2)]
    for seat in (0, 1):
        assert (await host.request("bot", table=first, seat=seat))["type"] == "ok"
    assert (await host.request("bot", table=first, seat=2))["type"] == "ok"  # the game starts
    assert (await host.request("bot", table=second, seat=0))["type"] == "ok"
    assert (await host.request("start", table=second))["code"] == "rate_limited"
    await host.request("sit", table=second, seat=1)
    assert (await host.request("start", table=second))["type"] == "ok"  # no longer of house bots only


# Invitations.


async def test_a_bot_for_one_table_is_invited_to_one_table_at_a_time(start: Start) -> None:
    nodes = await two_nodes(start)
    ada = await nodes[0].join("Ada")
    bot = await bot_of(ada, nodes[1], plays={"games": ["cheesedog", "cheesedog"]})
    (listed,) = (await ada.request("bots"))["bots"]
    assert listed["games"] == ["cheesedog"]
    hosts = [await nodes[n % 2].join(f"Hilda {n}") for n in range(10)]
    tables = [(await one.request("create", game="cheesedog", seats=4))["table"] for one in hosts]
    sent = [
        (one, await one.send("invite", table=table, seat=1, bot=bot.user["id"]))
        for one, table in zip(hosts, tables, strict=True)
    ]
    got = await answers(sent)
    assert Counter(answer.get("code", "ok") for answer in got) == {"ok": 1, "bot_away": 9}
    (invited,) = [message for message in bot.received if message["type"] == "invited"] or [await bot.next("invited", 0)]
    number = tables.index(invited["table"])
    host, other = hosts[number], hosts[number - 1]
    assert (await host.request("bot", table=tables[number], seat=1, level=None))["type"] == "ok"
    again = {"table": tables[number], "seat": 2, "bot": bot.user["id"]}
    assert (await host.request("invite", **again))["code"] == "bot_away"
    assert (await bot.request("decline", table=tables[number]))["code"] == "not_invited"
    elsewhere = {"table": tables[number - 1], "seat": 1, "bot": bot.user["id"]}
    assert (await other.request("invite", **elsewhere))["type"] == "ok"
    assert (await bot.request("sit", table=tables[number - 1]))["type"] == "ok"
    assert (await host.request("invite", **again))["code"] == "bot_away"
    await bot.request("open", table=tables[number - 1])
    assert (await host.request("invite", **again))["code"] == "bot_away"  # it plays as much as it wants to


async def test_invitations_have_a_rate(node: Running) -> None:
    ada = await node.join("Ada")
    bot = await bot_of(ada, node, plays={"games": ["cheesedog"], "tables": 1000})
    host = await node.join("Hilda", source=ADDRESS)
    table = (await host.request("create", game="cheesedog", seats=4))["table"]
    done: Counter[str] = Counter()
    for _ in range(25):
        answer = await host.request("invite", table=table, seat=1, bot=bot.user["id"])
        done[answer.get("code", "ok")] += 1
        await bot.request("decline", table=table)
    assert done == {"ok": 20, "rate_limited": 5}


# Bots and their tokens.


async def test_repeated_scopes_are_kept_once_and_the_list_of_bots_is_short(node: Running) -> None:
    ada = await node.join("Ada")
    for _ in range(20):
        made = await ada.request("token", name="x" * 24, scopes=["talk", *(["play"] * 1500)])
        assert made["type"] == "ok"
    own = (await ada.request("tokens"))["own"]
    assert [bot["scopes"] for bot in own] == [["play", "talk"]] * 20
    bot = await node.join(token=made["token"])
    assert (await bot.request("create", game="cheesedog", seats=3))["code"] == "not_allowed"


# Who is counted, and the operator's settings.


def test_an_ipv6_network_and_an_ipv4_address_count_as_one() -> None:
    assert network_address("192.0.2.7") == network_address("::ffff:192.0.2.7") == "192.0.2.7"
    assert network_address("2001:db8:1:2::1") == network_address("2001:db8:1:2:ffff::9") == "2001:db8:1:2::/64"
    assert network_address("2001:db8:1:3::1") != network_address("2001:db8:1:2::1")
    assert network_address("fe80::1%eth0") == "fe80::/64"
    assert network_address("nonsense") == network_address("") == ""


@pytest.mark.parametrize(
    ("trusted", "forwarded", "address"),
    [
        ("", "198.51.100.1", ADDRESS),
        ("127.0.66.0/24", "198.51.100.1", "198.51.100.1"),
        ("127.0.66.0/24", "203.0.113.9, 198.51.100.1", "198.51.100.1"),
        ("127.0.66.0/24", "198.51.100.1, 127.0.66.9", "198.51.100.1"),
        ("127.0.66.0/24", "", ADDRESS),
        ("127.0.67.1", "198.51.100.1", ADDRESS),
    ],
)
async def test_only_trusted_proxies_say_where_a_client_comes_from(
    start: Start, trusted: str, forwarded: str, address: str
) -> None:
    node = await start(trusted_proxies=trusted)
    headers = {"X-Forwarded-For": forwarded} if forwarded else {}
    await Client.connect(node.url, ADDRESS, additional_headers=headers)
    (connection,) = node.node.connections
    assert connection.client_address.address == address


async def test_house_bots_do_not_count_for_their_address(start: Start) -> None:
    node = await start(limits=free_limits(address_connections=1))
    tokens = await node.node.accounts.new_house_tokens()
    for token in list(tokens.values())[:3]:
        await node.join(token=token, source=ADDRESS)
    assert [connection.client_address for connection in node.node.connections] == [NO_LIMITS] * 3
    await node.join(source=ADDRESS)


async def test_p17_welcome_has_every_limit_as_the_operator_set_it(start: Start) -> None:
    node = await start(limits=Limits.from_environment({"LIMIT_SEATS": "7", "HOME": "/", "LIMIT_EXEMPT": ""}))
    client = await node.join()
    assert client.welcome["limits"] == {limit.name: limit.number for limit in LIMITS} | {"seats": 7}


@pytest.mark.parametrize(
    ("environment", "complaint"),
    [
        ({"LIMIT_SEATS": "many"}, "LIMIT_SEATS is 'many'"),
        ({"LIMIT_SEATS": "-1"}, "LIMIT_SEATS is '-1'"),
        ({"LIMIT_SEETS": "3"}, "there is no limit 'seets'"),
        ({"LIMIT_FRAME_BYTES": "3"}, "there is no limit 'frame_bytes' to set"),
        ({"LIMIT_BURST": "0"}, "burst has to be 1 or more"),
        ({"LIMIT_EXEMPT": "home"}, "LIMIT_EXEMPT has to be a list of networks"),
        ({"TRUSTED_PROXIES": "10.0.0.1/8"}, "TRUSTED_PROXIES has to be a list of networks"),
    ],
)
def test_settings_that_cannot_work_are_named(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], complaint: str
) -> None:
    for name in os.environ:
        if name.startswith("LIMIT_"):
            monkeypatch.delenv(name)
    for name, text in environment.items():
        monkeypatch.setenv(name, text)
    with pytest.raises(BadSetting, match=complaint):
        Settings.from_environment()
    if "TRUSTED_PROXIES" not in environment:
        with pytest.raises(BadLimit, match=complaint):
            Limits.from_environment(os.environ)


async def test_a_limit_of_zero_allows_nothing(start: Start) -> None:
    node = await start(limits=free_limits(address_bot_games_per_10_minutes=0, tables_held=0))
    client = await node.join(source=ADDRESS)
    game = {"game": "cheesedog", "seats": 3}
    refused = await client.request("create", **game, seat=None, bots="rookie")
    assert refused["code"] == "too_many_tables"
    assert (await client.request("create", **game))["type"] == "ok"
