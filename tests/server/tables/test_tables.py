"""Tables over the wire: sitting down, starting, playing, leaving, coming back."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.client import Client, fill
from tests.server.conftest import Running, Start


async def table_of(clients: list[Client], game: str = "cheesedog", **options: object) -> str:
    """A running table with these clients on its seats, all of them watching."""
    made = await clients[0].request("create", game=game, seats=len(clients), **options)
    assert made["type"] == "ok", made
    for seat, client in enumerate(clients):
        if seat:
            seated = await client.request("sit", table=made["table"], seat=seat)
            assert seated["type"] == "ok", seated
        assert (await client.request("open", table=made["table"]))["type"] == "ok"
    for client in clients:
        await client.next("update", 0, table=made["table"])
    return str(made["table"])


async def people(node: Running, count: int = 3) -> list[Client]:
    return [await node.join(f"Player {number}") for number in range(count)]


def asked(client: Client, table: str) -> dict[str, Any] | None:
    """The newest ask of the client's seat, if it is asked now."""
    return client.updates(table)[-1].get("ask")


async def test_a_table_starts_when_it_is_full(node: Running) -> None:
    clients = await people(node)
    table = await table_of(clients)
    infos = [await client.next("table", 0, status="running") for client in clients]
    assert [info["you"] for info in infos] == [0, 1, 2]
    updates = [client.updates(table)[-1] for client in clients]
    assert len({update["n"] for update in updates}) == 1
    assert sum("ask" in update for update in updates) == 1
    for seat, update in enumerate(updates):
        assert update["view"]["me"] == seat
        assert len(update["view"]["hand"]) == update["view"]["hands"][seat]


async def test_a_move_is_acknowledged_and_shown_to_all(node: Running) -> None:
    clients = await people(node)
    table = await table_of(clients)
    mover = next(client for client in clients if asked(client, table))
    ask = mover.updates(table)[-1]["ask"]
    move = fill(ask["offers"][0], random.Random(1))
    done = await mover.request("move", table=table, ask=ask["n"], key="k1", move=move)
    assert done["type"] == "ok"
    for client in clients:
        update = await client.next("update", 0, table=table, n=done["n"])
        assert update["seat"] == mover.last("table")["you"]
        assert update["events"]


async def test_p2_sending_a_move_again_changes_nothing(node: Running) -> None:
    clients = await people(node)
    table = await table_of(clients)
    mover = next(client for client in clients if asked(client, table))
    ask = mover.updates(table)[-1]["ask"]
    move = fill(ask["offers"][0], random.Random(1))
    first = await mover.request("move", table=table, ask=ask["n"], key="same", move=move)
    for _ in range(3):
        again = await mover.request("move", table=table, ask=ask["n"], key="same", move=move)
        assert again == {"type": "ok", "id": again["id"], "n": first["n"], "again": True}
    other = await mover.request("move", table=table, ask=ask["n"], key="other", move=move)
    assert other["code"] in ("stale_ask", "not_asked")
    assert max(update["n"] for update in mover.updates(table)) == first["n"]


async def test_a_stale_ask_is_refused_with_the_current_one(node: Running) -> None:
    clients = await people(node)
    table = await table_of(clients)
    mover = next(client for client in clients if asked(client, table))
    ask = mover.updates(table)[-1]["ask"]
    answer = await mover.request("move", table=table, ask=ask["n"] - 1, key="k", move={"type": "pick_up"})
    assert (answer["code"], answer["ask"], answer["field"]) == ("stale_ask", ask["n"], "ask")


async def test_an_illegal_move_names_its_rule_and_changes_nothing(node: Running) -> None:
    clients = await people(node)
    table = await table_of(clients)
    mover = next(client for client in clients if asked(client, table))
    waiting = next(client for client in clients if not asked(client, table))
    ask = mover.updates(table)[-1]["ask"]
    no = await mover.request("move", table=table, ask=ask["n"], key="k", move={"type": "pick_up"})
    assert (no["code"], no["rule"]) == ("illegal_move", "DOG-5")
    bad = await mover.request(
        "move", table=table, ask=ask["n"], key="k", move={"type": "play", "rank": "7", "count": 1}
    )
    assert (bad["code"], bad["field"]) == ("bad_field", "move.rank")
    unknown = await mover.request("move", table=table, ask=ask["n"], key="k", move={"type": "cheat"})
    assert (unknown["code"], unknown["field"]) == ("unknown_type", "move.type")
    nobody = await waiting.request("move", table=table, ask=ask["n"], key="k", move={"type": "pick_up"})
    assert nobody["code"] == "not_asked"
    assert mover.updates(table)[-1]["n"] == ask["n"]


async def test_p3_a_client_resumes_with_exactly_what_it_missed(start: Start) -> None:
    here, there = await start(), await start()
    clients = await people(here)
    table = await table_of(clients)
    chance = random.Random(5)
    watcher = await here.join("Watcher")
    await watcher.request("open", table=table)
    last = (await watcher.next("update", 0))["n"]
    for _ in range(90):
        await one_move(clients, table, chance)
    whole = await clients[0].next("update", 0, n=clients[0].updates(table)[-1]["n"])
    await watcher.entry(table, whole["n"])
    for resumed_at in (last, whole["n"] - 70, whole["n"] - 3, whole["n"]):
        again = await there.join("Again", token=watcher.token)
        await again.request("open", table=table, last=resumed_at)
        await again.next("update", 0, n=whole["n"])
        updates = again.updates(table)
        live = {update["n"]: update for update in watcher.updates(table)}
        missed = list(range(resumed_at + 1, whole["n"] + 1)) or [whole["n"]]
        assert [update["n"] for update in updates] == missed
        for update in updates:
            if resumed_at < whole["n"]:
                assert update["events"] == live[update["n"]]["events"]
        assert "view" in updates[-1]
        assert updates[-1]["view"] == live[whole["n"]]["view"]
        await again.close()


async def one_move(clients: list[Client], table: str, chance: random.Random) -> int:
    """Some seat that is asked makes a move, and everybody sees it."""
    for client in clients:
        ask = client.updates(table)[-1].get("ask")
        if ask:
            move = fill(chance.choice(ask["offers"]), chance)
            done = await client.request("move", table=table, ask=ask["n"], key=f"{chance.random()}", move=move)
            assert done["type"] == "ok", done
            for other in clients:
                await other.entry(table, done["n"])
            return int(done["n"])
    raise AssertionError("nobody is asked")


async def test_a_watcher_sees_the_public_view_only(node: Running) -> None:
    clients = await people(node)
    table = await table_of(clients)
    watcher = await node.join("Watcher")
    await watcher.request("open", table=table)
    update = await watcher.next("update", 0)
    assert update["view"]["hand"] is None
    assert "ask" not in update
    assert (await watcher.request("sit", table=table))["code"] == "not_open"
    assert (await watcher.request("move", table=table, ask=update["n"], key="k", move={}))["code"] == "not_seated"
    info = await clients[0].next("table", 0, watchers=1)
    assert info["watchers"] == 1


async def test_a_user_who_watches_over_many_connections_counts_once(node: Running) -> None:
    """Otherwise one person would make their table the most watched one, which big screens show."""
    clients = await people(node)
    table = await table_of(clients)
    fan = await node.join("Fan")
    again = [await node.join(token=fan.token) for _ in range(5)]
    for viewer in (fan, *again):
        await viewer.request("open", table=table, named=True)
    other = await node.join("Other")
    await other.request("open", table=table)
    info = await clients[0].until(lambda m: m["type"] == "table" and m.get("watchers", 0) > 1)
    assert (info["watchers"], info["named"]) == (2, ["Fan"])


async def test_players_do_not_see_the_chat_of_watchers(node: Running) -> None:
    clients = await people(node)
    table = await table_of(clients)
    watchers = [await node.join("Watcher"), await node.join("Other")]
    for watcher in watchers:
        await watcher.request("open", table=table)
    await watchers[0].request("say", table=table, text="they have\n the <b>ace</b>")
    heard = await watchers[1].next("chat", 0)
    assert (heard["text"], heard.get("seat"), heard["name"]) == ("they have the <b>ace</b>", None, "Watcher")
    await clients[1].request("say", table=table, text="hello")
    for one in (*clients, *watchers):
        said = await one.next("chat", 0, text="hello")
        assert said["seat"] == 1
    assert not any(
        message["type"] == "chat" and "ace" in message["text"] for one in clients for message in one.received
    )


async def test_two_tabs_of_one_person_both_work(start: Start) -> None:
    here, there = await start(), await start()
    clients = await people(here)
    table = await table_of(clients)
    mover = next(client for client in clients if asked(client, table))
    tab = await there.join(token=mover.token)
    await tab.request("open", table=table)
    ask = (await tab.next("update", 0))["ask"]
    assert ask["n"] == mover.updates(table)[-1]["ask"]["n"]
    done = await tab.request("move", table=table, ask=ask["n"], key="k", move=fill(ask["offers"][0], random.Random(1)))
    for one in (*clients, tab):
        await one.next("update", 0, n=done["n"])


async def test_the_host_leaves_and_an_empty_table_vanishes(node: Running) -> None:
    host, guest = await node.join("Hilda"), await node.join("Guest")
    lobby = await node.join("Looker")
    await lobby.request("lobby", on=True)
    made = await host.request("create", game="cheesedog", seats=4)
    await lobby.until(lambda m: m["type"] == "tables" and any(t["table"] == made["table"] for t in m.get("tables", ())))
    await guest.request("open", code=made["code"])
    await guest.request("sit", table=made["table"])
    assert (await guest.request("start", table=made["table"]))["code"] == "not_host"
    await host.request("leave", table=made["table"])
    info = await guest.next("table", 0, host=guest.user["id"])
    assert info["seats"][0]["kind"] == "free"
    await guest.request("leave", table=made["table"])
    await guest.next("table", 0, status="closed")
    await lobby.until(lambda m: m["type"] == "tables" and made["table"] in m.get("gone", ()))


async def test_a_held_seat_waits_for_its_owner_in_a_rematch(node: Running) -> None:
    chance = random.Random(3)
    clients = await people(node, 3)
    table = await table_of(clients, "do_my_bidding")
    while clients[0].last("table")["status"] == "running":
        await one_move(clients, table, chance)
        if any("ask" in client.updates(table)[-1] for client in clients):
            continue
        for client in clients:
            await client.next("table", 0, status="ended")
    again = await clients[1].request("rematch", table=table)
    assert again["type"] == "ok"
    await clients[0].next("table", 0, rematch=again["table"])
    await clients[1].request("open", table=again["table"])
    info = await clients[1].next("table", 0, table=again["table"])
    assert [seat["kind"] for seat in info["seats"]] == ["held", "person", "held"]
    stranger = await node.join("Stranger")
    assert (await stranger.request("sit", table=again["table"]))["code"] == "table_full"
    for client in (clients[0], clients[2]):
        assert (await client.request("rematch", table=table))["table"] == again["table"]
    await clients[1].next("table", 0, table=again["table"], status="running")


async def test_a_user_who_leaves_a_table_has_no_seat_there(node: Running) -> None:
    host, guest = await node.join("Hilda"), await node.join("Guest")
    table = (await host.request("create", game="cheesedog", seats=4))["table"]
    await guest.request("sit", table=table)
    assert (await node.join(token=guest.token)).welcome["tables"] == [table]
    await guest.request("leave", table=table)
    assert not (await node.join(token=guest.token)).welcome.get("tables")


async def test_p16_an_open_that_is_refused_leaves_the_table_open_as_it_was(
    node: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    clients = await people(node)
    table = await table_of(clients)
    with monkeypatch.context() as crowded:
        crowded.setattr("server.tables.rooms.room.MAX_QUEUED", 0)
        assert (await clients[0].request("open", table=table))["code"] == "busy"
    await one_move(clients, table, random.Random(1))


async def ended_against_a_bot(node: Running) -> tuple[Client, Client, str]:
    """A person, a house bot, and the table at which they have played a game to its end."""
    tokens = await node.node.accounts.new_house_tokens()
    host = await node.join("Hilda")
    table = (await host.request("create", game="diced_cheese", seats=2, bots="random"))["table"]
    bots = {user: await node.join(token=token) for user, token in tokens.items()}
    await host.request("open", table=table)
    bot = bots[(await host.next("table", 0, status="running"))["seats"][1]["user"]]
    await bot.request("open", table=table)
    for client in (host, bot):
        await client.next("update", 0, table=table)
    chance = random.Random(1)
    while any(asked(client, table) for client in (host, bot)):
        await one_move([host, bot], table, chance)
    await host.next("table", 0, status="ended")
    return host, bot, table


async def test_two_rematches_at_once_are_one(node: Running) -> None:
    host, _, table = await ended_against_a_bot(node)
    numbers = [await host.send("rematch", table=table) for _ in range(2)]
    tables = {(await host.answer(number))["table"] for number in numbers}
    assert len(tables) == 1
    await node.node.rooms.settle()
    others = [one.table for one in node.node.rooms if one.table and one.id != table]
    assert sorted(one.status for one in others) == ["closed", "running"]
