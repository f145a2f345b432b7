"""Requests for bots: tokens, the directory, invitations, the practice pool."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest
import redis

from protocol.codec import ProtocolError
from server.requests.accounts import NEW_GUEST_S, token_key
from server.requests.table_opener import TableOpener
from tests.client import WAIT_S, Client, eventually, fill
from tests.server.conftest import Running, Start, fail
from tests.server.requests.test_playing_on import play_to_the_end
from tests.server.tables.test_tables import asked, people, table_of


async def bot_of(owner: Client, node: Running, name: str = "Gnawbot", **hello: Any) -> Client:
    """A connected bot of this owner."""
    made = await owner.request("token", name=name)
    return await node.join(token=made["token"], **hello)


async def test_p42_a_person_makes_lists_and_revokes_tokens(start: Start) -> None:
    here, there = await start(), await start()
    ada, eve = await here.join("Ada"), await here.join("Eve")
    made = await ada.request("token", name="  Gnaw\u202ebot ", scopes=["play"])
    listed = (await ada.request("tokens"))["own"]
    assert [(bot["user"], bot["name"], bot["scopes"], "used" in bot) for bot in listed] == [
        (made["user"], "Gnawbot", ["play"], False)
    ]
    bot = await there.join(token=made["token"])
    assert bot.user == {"id": made["user"], "name": "Gnawbot", "bot": True, "owner": "Ada"}
    assert (await ada.request("tokens"))["own"][0]["used"] >= listed[0]["made"]
    assert (await bot.request("token", name="Child"))["code"] == "not_allowed"
    assert (await bot.request("create", game="cheesedog", seats=3))["code"] == "not_allowed"
    assert (await eve.request("revoke", bot=made["user"]))["code"] == "no_bot"
    assert (await ada.request("revoke", bot=made["user"]))["type"] == "ok"
    with pytest.raises(ConnectionError):
        await bot.until(lambda message: False)
    assert bot.closed_with == 4004
    assert (await ada.request("tokens"))["own"] == []
    with pytest.raises(PermissionError, match="bad_token"):
        await here.join(token=made["token"])


async def test_p42_a_token_needs_at_least_one_scope(node: Running) -> None:
    ada = await node.join("Ada")
    refused = await ada.request("token", name="Gnawbot", scopes=[])
    assert (refused["code"], refused["field"]) == ("bad_field", "scopes")
    assert (await ada.request("tokens"))["own"] == []


async def test_p42_a_person_has_at_most_twenty_bots(node: Running) -> None:
    ada = await node.join("Ada")
    for number in range(20):
        assert (await ada.request("token", name=f"Bot {number}"))["type"] == "ok"
    assert (await ada.request("token", name="One more"))["code"] == "too_many_bots"


async def test_p43_p44_a_bot_is_found_invited_and_accepts_or_declines(start: Start) -> None:
    here, there = await start(), await start()
    ada, host = await here.join("Ada"), await here.join("Hilda")
    bot = await bot_of(ada, there, plays={"games": ["cheesedog"], "tables": 2})
    assert (await host.request("bots", game="cheesonomics"))["bots"] == []
    (found,) = (await host.request("bots", game="cheesedog"))["bots"]
    assert (found["name"], found["owner"], found["free"]) == ("Gnawbot", "Ada", 2)
    made = await host.request("create", game="cheesedog", seats=3)
    await host.request("open", table=made["table"])
    for seat in (1, 2):
        assert (await ada.request("invite", table=made["table"], seat=seat, bot=found["user"]))["code"] == "not_host"
    assert (await host.request("invite", table=made["table"], seat=1, bot=found["user"]))["type"] == "ok"
    invited = await bot.next("invited", 0)
    assert (invited["seat"], invited["by"], invited["game"]) == (1, "Hilda", "cheesedog")
    held = await host.until(lambda m: m["type"] == "table" and m["seats"][1]["kind"] == "held")
    assert held["seats"][1]["name"] == "Gnawbot"
    again = await host.request("invite", table=made["table"], seat=2, bot=found["user"])
    assert again["code"] == "seated_already"
    assert (await bot.request("decline", table=made["table"]))["type"] == "ok"
    assert (await bot.request("decline", table=made["table"]))["code"] == "not_invited"
    await host.request("invite", table=made["table"], seat=2, bot=found["user"])
    assert (await bot.request("sit", table=made["table"]))["type"] == "ok"
    seated = await host.until(lambda m: m["type"] == "table" and m["seats"][2]["kind"] == "bot")
    assert (seated["seats"][2]["owner"], seated["seats"][1]["kind"]) == ("Ada", "free")


async def free(host: Client, bot: Client) -> int:
    """How many more tables this bot takes, as the list says."""
    found = {one["user"]: one["free"] for one in (await host.request("bots"))["bots"]}
    return int(found.get(bot.user["id"], 0))


async def test_p43_unfinished_tables_with_a_seat_count_and_open_feeds_do_not(start: Start) -> None:
    here, there = await start(), await start()
    ada = await here.join("Ada")
    bot = await bot_of(ada, here, plays={"games": ["cheesedog"], "tables": 2})
    second = await there.join(token=bot.token)
    watched, played = [(await ada.request("create", game="cheesedog", seats=3))["table"] for _ in range(2)]
    await bot.request("open", table=watched)
    assert await free(ada, bot) == 2
    await second.request("sit", table=played)
    assert await free(ada, bot) == 1
    await second.request("leave", table=played)
    assert await free(ada, bot) == 2


async def test_p43_a_bot_that_leaves_ended_tables_open_is_invited_again_and_again(node: Running) -> None:
    ada, host = await node.join("Ada"), await node.join("Hilda")
    bot = await bot_of(ada, node, plays={"games": ["cheesedog"]})
    for _ in range(3):
        table = (await host.request("create", game="cheesedog", seats=3))["table"]
        assert (await host.request("invite", table=table, seat=1, bot=bot.user["id"]))["type"] == "ok"
        await bot.request("sit", table=table)
        await bot.request("open", table=table)
        assert await free(host, bot) == 0
        await host.request("close_table", table=table)
        await bot.next("table", 0, table=table, status="closed")


async def test_p43_a_bot_is_invited_again_after_a_game_that_ended(node: Running) -> None:
    ada, host = await node.join("Ada"), await node.join("Hilda")
    bot = await bot_of(ada, node, plays={"games": ["diced_cheese"]})
    for _ in range(2):
        table = (await host.request("create", game="diced_cheese", seats=2))["table"]
        assert (await host.request("invite", table=table, seat=1, bot=bot.user["id"]))["type"] == "ok"
        await bot.next("invited", 0, table=table)
        await bot.request("sit", table=table)
        for player in (host, bot):
            await player.request("open", table=table)
            await player.until(lambda message, table=table: message["type"] == "update" and message["table"] == table)
        await play_to_the_end([host, bot], table)
        async with asyncio.timeout(WAIT_S):
            while not await free(host, bot):
                await asyncio.sleep(0.05)


async def test_p44_an_invitation_reaches_a_bot_that_reads_slowly(node: Running) -> None:
    ada, host = await node.join("Ada"), await node.join("Hilda")
    bot = await bot_of(ada, node, plays={"games": ["cheesedog"]})
    (slow,) = [one for one in node.node.connections if one.viewer.user == bot.user["id"]]
    slow.outbox.pause()
    table = (await host.request("create", game="cheesedog", seats=3))["table"]
    await host.request("invite", table=table, seat=1, bot=bot.user["id"])
    assert (await bot.next("invited", 0))["table"] == table
    slow.outbox.resume()


async def test_p44_open_invitations_reduce_what_is_free(node: Running) -> None:
    ada, host = await node.join("Ada"), await node.join("Hilda")
    bot = await bot_of(ada, node, plays={"games": ["cheesedog"], "tables": 2})
    tables = [(await host.request("create", game="cheesedog", seats=3))["table"] for _ in range(3)]
    for left, table in zip((1, 0), tables, strict=False):
        assert (await host.request("invite", table=table, seat=1, bot=bot.user["id"]))["type"] == "ok"
        assert await free(host, bot) == left
    assert (await host.request("invite", table=tables[2], seat=1, bot=bot.user["id"]))["code"] == "bot_away"
    await bot.request("sit", table=tables[0])
    assert await free(host, bot) == 0
    await bot.request("decline", table=tables[1])
    assert await free(host, bot) == 1


async def test_p44_a_held_seat_shows_that_it_is_for_a_bot_and_whose(node: Running) -> None:
    ada, host = await node.join("Ada"), await node.join("Hilda")
    bot = await bot_of(ada, node, plays={"games": ["cheesedog"]})
    table = (await host.request("create", game="cheesedog", seats=3))["table"]
    await host.request("open", table=table)
    await host.request("invite", table=table, seat=1, bot=bot.user["id"])
    held = (await host.until(lambda m: m["type"] == "table" and m["seats"][1]["kind"] == "held"))["seats"][1]
    assert held == {"kind": "held", "user": bot.user["id"], "name": "Gnawbot", "owner": "Ada", "bot": True}


async def test_p44_an_invitation_is_repeated_to_a_bot_that_connects_again(start: Start) -> None:
    here, there = await start(), await start()
    ada, host = await here.join("Ada"), await here.join("Hilda")
    plays = {"games": ["cheesedog"]}
    bot = await bot_of(ada, here, plays=plays)
    table = (await host.request("create", game="cheesedog", seats=3, seat=None))["table"]
    await host.request("invite", table=table, seat=1, bot=bot.user["id"])
    invited = await bot.next("invited", 0)
    await bot.close()
    bot = await there.join(token=bot.token, plays=plays)
    assert await bot.next("invited", 0) == invited == {**invited, "table": table, "by": "Hilda", "seat": 1}
    await bot.request("sit", table=table)
    bot = await here.join(token=bot.token, plays=plays)
    await bot.request("ping")
    assert not any(message["type"] == "invited" for message in bot.received)


async def test_p43_plays_without_games_means_all_of_them(node: Running) -> None:
    ada = await node.join("Ada")
    await bot_of(ada, node, plays={"tables": 3})
    (found,) = (await ada.request("bots"))["bots"]
    assert (found["games"], found["free"]) == ([game["name"] for game in ada.welcome["games"]], 3)


async def test_p11_a_game_that_does_not_exist_is_refused_in_plays_and_in_bots(node: Running) -> None:
    ada = await node.join("Ada")
    token = (await ada.request("token", name="Gnawbot"))["token"]
    raw = Client(await Client.connect(node.url))
    refused = await raw.request("hello", v=1, token=token, plays={"games": ["cheesedog", "chesedog"]})
    assert (refused["code"], refused["field"]) == ("no_game", "plays.games[1]")
    assert (await raw.request("hello", v=1, token=token, plays={"games": ["cheesedog"]}))["type"] == "welcome"
    await raw.close()
    refused = await ada.request("bots", game="chesedog")
    assert (refused["code"], refused["field"]) == ("no_game", "game")


async def test_p43_plays_is_refused_from_a_person_and_for_no_tables(node: Running) -> None:
    ada = await node.join("Ada")
    plays: dict[str, Any] = {"games": ["cheesedog"]}
    for who in ({"token": ada.token}, {"name": "Bob"}):
        raw = Client(await Client.connect(node.url))
        refused = await raw.request("hello", v=1, plays=plays, **who)
        assert (refused["code"], refused["field"]) == ("not_allowed", "plays")
        assert (await raw.request("hello", v=1, **who))["type"] == "welcome"
        await raw.close()
    raw = Client(await Client.connect(node.url))
    refused = await raw.request("hello", v=1, token=ada.token, plays=plays | {"tables": 0})
    assert (refused["code"], refused["field"]) == ("bad_field", "plays.tables")
    await raw.close()


async def test_p44_a_bot_that_is_away_cannot_be_invited(node: Running) -> None:
    ada, host = await node.join("Ada"), await node.join("Hilda")
    bot = await bot_of(ada, node, plays={"games": ["cheesedog"]})
    user = bot.user["id"]
    assert len((await host.request("bots"))["bots"]) == 1
    await bot.close()
    made = await host.request("create", game="cheesedog", seats=3)
    await eventually(lambda: not node.node.bots.users)
    assert (await host.request("invite", table=made["table"], seat=1, bot=user))["code"] == "bot_away"


async def test_p45_bots_find_each_other_in_the_practice_pool(start: Start) -> None:
    nodes = [await start(), await start()]
    ada = await nodes[0].join("Ada")
    assert (await ada.request("practice", game="diced_cheese", seats=3))["code"] == "not_allowed"
    bots = [await bot_of(ada, nodes[number % 2], f"Bot {number}") for number in range(6)]
    answers = await asyncio.gather(*(bot.request("practice", game="diced_cheese", seats=3) for bot in bots))
    tables = [answer["table"] for answer in answers]
    assert sorted(tables.count(table) for table in set(tables)) == [3, 3]
    for bot, table in zip(bots, tables, strict=True):
        await bot.request("open", table=table)
    for bot in bots:
        info = await bot.next("table", 0, status="running")
        assert [seat["kind"] for seat in info["seats"]] == ["bot"] * 3


async def test_p45_practice_never_answers_with_a_table_that_is_over(node: Running) -> None:
    ada = await node.join("Ada")
    bot = await bot_of(ada, node)
    first = (await bot.request("practice", game="diced_cheese", seats=3))["table"]
    assert (await bot.request("practice", game="diced_cheese", seats=3))["table"] == first
    await bot.request("leave", table=first)
    assert (await bot.request("practice", game="diced_cheese", seats=3))["table"] != first


async def test_p45_practice_refuses_if_its_table_could_not_be_opened(
    node: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada = await node.join("Ada")
    bot = await bot_of(ada, node)

    def refuse(self: TableOpener, reserved: object, opened: object, entries: object, done: object, failed: Any) -> None:
        failed(ProtocolError("unavailable", "the store did not answer"))

    with monkeypatch.context() as patch:
        patch.setattr(TableOpener, "open", refuse)
        assert (await bot.request("practice", game="diced_cheese", seats=3))["code"] == "unavailable"
    assert (await bot.request("practice", game="diced_cheese", seats=3))["type"] == "ok"


async def test_p42_a_revoked_token_is_noticed_after_a_lost_announcement(node: Running) -> None:
    ada = await node.join("Ada")
    bot = await bot_of(ada, node)
    channel = f"user:{bot.user['id']}"
    (link,) = node.node.pubsub._links.values()
    link.send_subscription("SUNSUBSCRIBE", channel)
    async with asyncio.timeout(WAIT_S):
        while (await node.node.store.call("PUBSUB", "SHARDNUMSUB", channel))[1]:
            await asyncio.sleep(0.005)
    assert (await ada.request("revoke", bot=bot.user["id"]))["type"] == "ok"
    assert (await bot.request("ping"))["type"] == "ok"
    link.give_up()
    with pytest.raises(ConnectionError):
        await bot.until(lambda message: False)
    assert bot.closed_with == 4004


async def test_p44_an_invited_bot_gets_only_its_held_seat_and_does_not_become_host(node: Running) -> None:
    host, ada, guest = [await node.join(name) for name in ("Hilda", "Ada", "Guest")]
    bot = await bot_of(ada, node, plays={"games": ["cheesedog"]})
    table = (await host.request("create", game="cheesedog", seats=4))["table"]
    await host.request("invite", table=table, seat=1, bot=bot.user["id"])
    assert (await bot.request("sit", table=table, seat=2))["code"] == "seated_already"
    await guest.request("sit", table=table, seat=3)
    await host.request("leave", table=table)
    await guest.request("open", table=table)
    assert (await guest.next("table", 0))["host"] == guest.user["id"]
    assert (await guest.request("leave", table=table))["type"] == "ok"
    await guest.next("table", 0, status="closed")


async def test_the_token_of_a_guest_who_makes_a_bot_is_kept_longer(node: Running, store_url: str) -> None:
    ada = await node.join("Ada")
    await bot_of(ada, node)
    with redis.Redis.from_url(store_url) as store:
        assert store.ttl(token_key(ada.token)) > NEW_GUEST_S


async def test_a_note_stays_hidden_until_the_replay(node: Running) -> None:
    chance = random.Random(1)
    ada = await node.join("Ada")
    bots = [await bot_of(ada, node, f"Bot {number}") for number in range(3)]
    table = (await bots[0].request("create", game="do_my_bidding", seats=3))["table"]
    for bot in bots:
        await bot.request("sit", table=table)
        await bot.request("open", table=table)
    for bot in bots:
        await bot.next("update", 0, table=table)
    while not any(m["type"] == "table" and m["status"] == "ended" for m in bots[0].received):
        bot = next(bot for bot in bots if "ask" in bot.updates(table)[-1])
        ask = bot.updates(table)[-1]["ask"]
        move = fill(chance.choice(ask["offers"]), chance)
        done = await bot.request("move", table=table, ask=ask["n"], key=str(ask["n"]), move=move, note="psst: a secret")
        for other in bots:
            await other.entry(table, done["n"])
        if node.node.rooms.get(table).table.status == "ended":  # type: ignore[union-attr]
            break
    assert not any("psst" in str(message) for bot in bots for message in bot.received)
    text = await node.node.archive.find(table)
    assert text
    assert "psst: a secret" in text


async def test_a_refused_move_says_what_came_and_how_long_is_left(node: Running) -> None:
    clients = await people(node)
    table = await table_of(clients)
    mover = next(client for client in clients if asked(client, table))
    waiting = next(client for client in clients if not asked(client, table))
    ask = mover.updates(table)[-1]["ask"]
    move = {"type": "play", "rank": 99, "count": 1}
    for number, code in ((ask["n"] - 1, "stale_ask"), (ask["n"], "illegal_move")):
        no = await mover.request("move", table=table, ask=number, key="k", move=move)
        assert (no["code"], no["sent"]) == (code, "{'type': 'play', 'rank': 99, 'count': 1}")
        assert 0 < no["left_ms"] <= ask["left_ms"]
    no = await waiting.request("move", table=table, ask=ask["n"], key="k", move=move)
    assert (no["code"], no["sent"]) == ("not_asked", "{'type': 'play', 'rank': 99, 'count': 1}")
    assert "left_ms" not in no


async def test_a_practice_table_that_could_not_be_opened_is_not_answered_with_ok(
    node: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = await bot_of(await node.join("Ada"), node)
    fail(node, monkeypatch, "append_entries")
    assert (await bot.request("practice", game="cheesedog", seats=3))["code"] == "unavailable"
