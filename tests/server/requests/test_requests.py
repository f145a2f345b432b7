"""A running node does what the protocol document says: refusals, patches, the order of messages, the commitment."""

from __future__ import annotations

import asyncio
import random
from hashlib import sha256
from itertools import islice, product
from typing import Any

import msgpack
import pytest
from websockets.asyncio.client import ClientConnection, connect

from games import GAMES
from protocol.codec import encode, read_server
from server.tables.rooms.commands import MAX_DECODED
from server.tables.state.entries import Moved
from tests import random_games
from tests.client import WAIT_S, Client, fill
from tests.playout import table_size
from tests.server.conftest import Running, Start, free_limits
from tests.server.tables.test_tables import people, table_of

MOST_MOVES = 150
NO_TABLE = "zzzzzzzzzz"


async def refusal(client: Client, type: str, **fields: Any) -> tuple[str, str | None]:  # noqa: A002
    answer = await client.request(type, **fields)
    assert answer["type"] == "error", answer
    return answer["code"], answer.get("field")


async def test_a_hello_that_is_refused_may_be_said_again(node: Running) -> None:
    client = await node.join()
    fresh = Client(await connect_raw(node))
    assert await refusal(fresh, "ping") == ("hello_first", None)
    assert await refusal(fresh, "hello", v=2) == ("bad_version", "v")
    assert await refusal(fresh, "hello", v=1, token="unknown") == ("bad_token", "token")
    assert await refusal(fresh, "hello", v=1, name="\u200b \n") == ("bad_name", "name")
    welcome = await fresh.request("hello", v=1, token=client.token)
    assert welcome["user"] == client.user
    assert "token" not in welcome
    assert await refusal(fresh, "hello", v=1) == ("hello_again", None)


async def connect_raw(node: Running) -> ClientConnection:
    return await connect(node.url, compression=None, max_size=None)


async def test_p12_a_wrong_option_is_answered_with_those_that_exist(node: Running) -> None:
    host = await node.join("Ada")
    wrong: tuple[tuple[dict[str, Any], str], ...] = (
        ({"variant": "spede"}, "'spede' is not one of classic, speed, towers"),
        ({"varian": "speed"}, "there is no option 'varian': Diced Cheese has variant, mishaps"),
        ({"mishaps": 1}, "expected true or false, got a whole number"),
    )
    for options, message in wrong:
        refused = await host.request("create", game="diced_cheese", seats=3, options=options)
        assert refused["message"] == message
    refused = await host.request("create", game="cheesedog", seats=3, options={"variant": "speed"})
    assert refused["message"] == "there is no option 'variant': Cheesedog has none"


async def test_every_refusal_of_an_open_table(node: Running) -> None:
    host, guest, late = await people(node)
    made = await host.request("create", game="cheesedog", seats=3, public=False)
    table = made["table"]
    assert await refusal(host, "open", table=table, code=made["code"]) == ("bad_field", "code")
    assert await refusal(host, "create", game="chess", seats=3) == ("no_game", "game")
    assert await refusal(host, "create", game="cheesedog", seats=2) == ("bad_field", "seats")
    assert await refusal(host, "create", game="cheesedog", seats=3, seat=3) == ("bad_field", "seat")
    wrong = {"colour": "blue"}
    assert await refusal(host, "create", game="cheesedog", seats=3, options=wrong) == (
        "surplus_field",
        "options.colour",
    )
    wrong = {"variant": float("nan")}  # type: ignore[dict-item]
    assert await refusal(host, "create", game="cheesonomics", seats=3, options=wrong) == (
        "bad_field",
        "options.variant",
    )
    assert await refusal(host, "sit", table=table, seat=1) == ("seated_already", "seat")
    assert (await host.request("sit", table=table))["again"]
    assert await refusal(guest, "sit", table=table, seat=0) == ("seat_taken", "seat")
    assert await refusal(guest, "sit", table=table, seat=3) == ("bad_field", "seat")
    assert await refusal(guest, "leave", table=table) == ("not_seated", None)
    assert await refusal(guest, "start", table=table) == ("not_host", None)
    assert await refusal(guest, "bot", table=table, seat=1) == ("not_host", None)
    assert await refusal(host, "bot", table=table, seat=0) == ("seat_taken", "seat")
    assert await refusal(host, "bot", table=table, seat=1, level=None) == ("seat_taken", "seat")
    assert await refusal(host, "back", table=table) == ("not_running", None)
    assert await refusal(host, "move", table=table, ask=1, key="k", move={}) == ("not_running", None)
    assert await refusal(guest, "say", table=table, text="psst") == ("not_open_here", "table")
    assert await refusal(guest, "rematch", table=table) == ("not_open_here", "table")
    assert await refusal(guest, "open", code="zzzzzz") == ("no_table", "code")
    assert await refusal(guest, "open") == ("missing_field", "table")
    opened = await guest.request("open", code=made["code"].upper())
    assert opened["table"] == table
    assert await refusal(guest, "rematch", table=table) == ("not_ended", None)
    assert await refusal(guest, "say", table=table, text=" \n ") == ("bad_field", "text")
    for kind in ("open", "sit", "leave", "back", "start"):
        assert await refusal(late, kind, table=NO_TABLE) == ("no_table", "table")
    assert (await late.request("close", table=NO_TABLE))["type"] == "ok"


async def test_every_refusal_of_a_running_table(node: Running) -> None:
    clients = await people(node)
    table = await table_of(clients, speed="untimed")
    stranger = await node.join("Stranger")
    waiting = next(client for client in clients if "ask" not in client.updates(table)[-1])
    assert await refusal(stranger, "move", table=table, ask=1, key="k", move={}) == ("not_seated", None)
    assert await refusal(waiting, "move", table=table, ask=1, key="k", move={}) == ("not_asked", "ask")
    assert await refusal(stranger, "sit", table=table) == ("not_open", None)
    assert await refusal(clients[0], "bot", table=table, seat=0) == ("not_open", None)
    await waiting.request("open", table=table)
    assert await refusal(waiting, "rematch", table=table) == ("not_ended", None)
    assert (await clients[0].request("start", table=table))["type"] == "ok"
    assert (await clients[0].request("back", table=table))["again"]


async def test_a_refused_move_that_is_larger_than_any_move_is_repeated_without_decoding_it(node: Running) -> None:
    """Decoding thousands of lists that have one hash as keys of a map would take 30 ms."""
    client = await node.join()
    lists = b"".join(b"\x9b" + bytes(key) + b"\xc0" for key in islice(product(b"\xfe\xff", repeat=11), 1000))
    fields = {"type": "move", "id": 999, "table": "nosuchtable", "ask": 1, "key": "k"}
    whole: bytes = msgpack.packb({**fields, "move": None})
    await client.socket.send(whole[:-1] + b"\xde\x03\xe8" + lists)
    refused = await client.until(lambda message: message.get("id") == 999)
    assert (refused["code"], refused["sent"][:12]) == ("no_table", "de03e89bfefe")
    for game in GAMES:
        moves = [entry.move for _, entry in random_games.play(game).entries if isinstance(entry, Moved)]
        assert max(len(bytes(move)) for move in moves) < MAX_DECODED


async def test_p17_the_feeds_of_a_connection_are_limited(start: Start) -> None:
    node = await start(limits=free_limits(feeds=1))
    client = await node.join()
    tables = [(await client.request("create", game="cheesedog", seats=3))["table"] for _ in range(2)]
    assert (await client.request("open", table=tables[0]))["type"] == "ok"
    assert (await refusal(client, "open", table=tables[1]))[0] == "too_many_feeds"
    assert (await client.request("open", table=tables[0]))["type"] == "ok"
    assert (await client.request("close", table=tables[0]))["type"] == "ok"
    assert (await client.request("open", table=tables[1]))["type"] == "ok"


async def test_open_is_answered_before_the_first_update(node: Running) -> None:
    client = await node.join()
    made = await client.request("create", game="cheesedog", seats=3)
    since = len(client.received)
    await client.request("open", table=made["table"])
    await client.next("update", since, table=made["table"])
    kinds = [message["type"] for message in client.received[since:]]
    assert kinds[:3] == ["ok", "table", "update"]


async def test_the_lobby_sends_all_tables_first_and_then_changes(node: Running) -> None:
    watcher, host = await node.join("Watcher"), await node.join("Hilda")
    first = await host.request("create", game="cheesedog", seats=3)
    since = len(watcher.received)
    assert (await watcher.request("lobby", on=True))["type"] == "ok"
    whole = await watcher.next("tables", since, whole=True)
    await watcher.until(lambda message: lists(message, first["table"]), since)
    hidden = await host.request("create", game="cheesedog", seats=3, public=False)
    shown = await host.request("create", game="cheesedog", seats=4)
    news = await watcher.until(lambda message: lists(message, shown["table"]), since)
    assert "whole" not in news
    assert whole["whole"]
    await host.request("leave", table=shown["table"])
    await watcher.until(lambda message: shown["table"] in message.get("gone", ()), since)
    assert not any(lists(message, hidden["table"]) for message in watcher.received)
    assert (await watcher.request("lobby", on=False))["type"] == "ok"


def lists(message: dict[str, Any], table: str) -> bool:
    listed = message.get("tables", ()) if message["type"] == "tables" else ()
    return any(one["table"] == table for one in listed)


def patched(view: Any, update: dict[str, Any]) -> Any:
    """The view after this update, as P28 defines it."""
    if "patch" not in update:
        return update.get("view")
    patch = update["patch"]
    assert set(patch) <= {"set", "add"}
    view = {**view, **patch.get("set", {})}
    for name, items in patch.get("add", {}).items():
        view[name] = view[name] + items
    return view


async def play(clients: list[Client], table: str, seed: str) -> None:
    """Make random moves until the game ends, at most MOST_MOVES."""
    chance = random.Random(seed)
    for _ in range(MOST_MOVES):
        asked = [client for client in clients if "ask" in client.updates(table)[-1]]
        if not asked:
            return
        mover = chance.choice(asked)
        ask = mover.updates(table)[-1]["ask"]
        move = fill(chance.choice(ask["offers"]), chance)
        done = await mover.request("move", table=table, ask=ask["n"], key=f"k{ask['n']}", move=move)
        async with asyncio.timeout(WAIT_S):
            while done.get("code") == "too_soon":
                await asyncio.sleep(done["retry_after_ms"] / 1000)
                done = await mover.request("move", table=table, ask=ask["n"], key=f"k{ask['n']}", move=move)
        assert done["type"] == "ok", done
        for client in clients:
            await client.entry(table, done["n"])


@pytest.mark.parametrize("game", GAMES)
async def test_p28_patches_give_the_same_views_as_whole_ones(node: Running, game: str) -> None:
    clients = await people(node, table_size(GAMES[game]))
    table = await table_of(clients, game, speed="untimed")
    twin = await node.join(token=clients[0].token, patches=True)
    await twin.request("open", table=table)
    began = (await twin.next("update", 0, table=table))["n"]
    await play(clients, table, f"patches {game}")
    last = clients[0].updates(table)[-1]["n"]
    await twin.entry(table, last)
    whole = {update["n"]: update for update in clients[0].updates(table) if update["n"] >= began}
    view, patches = None, 0
    for update in twin.updates(table):
        patches += "patch" in update
        view = patched(view, update)
        assert view == whole[update["n"]].get("view"), update["n"]
        assert update.get("ask", {}).get("offers") == whole[update["n"]].get("ask", {}).get("offers")
    assert patches > min(len(whole), 20) // 2
    for client in (*clients, twin):
        check_words(client)


def check_words(client: Client) -> None:
    """Every message that this client received is encoded as the document says, defaults left out (P9, P10)."""
    for message in client.received:
        again = msgpack.unpackb(encode(read_server(msgpack.packb(message))))
        assert again == message


async def test_p37_the_seed_is_given_at_the_end_and_fits_the_commitment(node: Running) -> None:
    clients = await people(node)
    table = await table_of(clients, "diced_cheese", speed="untimed", options={"variant": "classic"})
    for _ in range(20):
        await play(clients, table, "commitment")
        if clients[0].last("table")["status"] == "ended":
            break
    await clients[0].next("table", 0, status="ended")
    infos = [message for message in clients[0].received if message["type"] == "table"]
    assert infos[-1]["status"] == "ended"
    assert len({info["commitment"] for info in infos}) == 1
    assert sha256(bytes.fromhex(infos[-1]["seed"])).hexdigest() == infos[0]["commitment"]
    assert not [info for info in infos if "seed" in info and info["status"] != "ended"]
    assert sorted(infos[-1]["result"]["places"])[0] == 1
    assert (await refusal(clients[0], "sit", table=table))[0] == "not_open"
    assert (await refusal(clients[0], "leave", table=table))[0] == "not_open"
