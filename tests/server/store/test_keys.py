"""Every key of the store expires, or is one of a few that are bounded however many users come and go."""

from __future__ import annotations

import re
from collections.abc import Callable, Coroutine, Iterator
from typing import Any, cast, get_args

import pytest
import redis
from redis.crc import key_slot

from protocol.messages import ClientMessage
from server.requests.accounts import BOT_S, GUEST_S, token_key
from server.requests.bot_directory import PROLONG_MS
from server.store import keys
from server.tables.rooms.rooms import ID_LENGTH
from server.tables.state import house_bots
from tests.client import Client, eventually
from tests.server.conftest import Running, Start
from tests.server.requests.test_bots import bot_of
from tests.server.requests.test_limits import ADDRESS, check_due, play_to_the_end

# Keys that do not expire, and why each of them is bounded.
BOUNDED = {
    r"\{\d+\}:table:\w+:log": "the log of an unfinished table, which ends after a day without entries",
    r"\{\d+\}:deadlines": "one for each shard, with the unfinished tables",
    r"lobby:listings": "the unfinished public tables",
    r"bots:online": "the connected bots; those of dead nodes are removed",
    r"house:tokens": "the tokens of the house bots",
    r"token:\w+": "accounts of house bots, as many as there are of these",
    r"bot:house-\w+:used": "one for each house bot",
    r"address:secret": "one",
    r"\{beat\}:last": "one",
    r"\{beat\}:writes": "one number for each node",
    r"\{beat\}:outages": "400 outages",
    r"\{beat\}:nodes": "one number for each node; nodes that are gone are removed",
    r"\{beat\}:faults": "400 faults",
}


REFUSED = {"advise", "open", "view_file"}  # with an old ask, a code that nobody has, and a file that is none

Ask = Callable[..., Coroutine[Any, Any, dict[str, Any]]]


@pytest.fixture
def store(store_url: str) -> Iterator[redis.Redis]:
    with redis.Redis.from_url(store_url, decode_responses=True) as client:
        yield client


def without_expiry(store: redis.Redis) -> list[str]:
    return sorted(key for key in cast("list[str]", store.keys("*")) if store.ttl(key) == -1)


async def exercise(nodes: list[Running], seen: set[str]) -> None:
    """Send every kind of request, from an address that is not exempt from limits."""

    async def ask(client: Client, kind: str, **fields: Any) -> dict[str, Any]:
        seen.add(kind)
        answer = await client.request(kind, **fields)
        assert answer["type"] == "ok" or kind in REFUSED, (kind, answer)
        return answer

    ada, bob = [await node.join(name, source=ADDRESS) for node, name in zip(nodes, ("Ada", "Bob"), strict=True)]
    seen.add("hello")
    for kind, fields in (("ping", {}), ("rename", {"name": "Adele"}), ("lobby", {"on": True}), ("tokens", {})):
        await ask(ada, kind, **fields)
    table = (await ask(ada, "create", game="diced_cheese", seats=2))["table"]
    await ask(bob, "sit", table=table)
    await ask(bob, "open", table=table)
    await ask(bob, "say", table=table, text="hello")
    await ask(bob, "history", table=table)
    seen.add("move")
    await play_to_the_end([ada, bob], table)
    await ask(ada, "rematch", table=table)
    await ask(ada, "play_on", table=table, n=4)
    await ask(ada, "remark", table=table, n=4, text="well")
    await ask(ada, "view_file", packed="bm8gZmlsZQ==")
    await ask(bob, "close", table=table)
    await ask(bob, "open", code="nosuchcode")
    private = await ask(bob, "create", game="cheesedog", seats=4, public=False, seat=None)
    await ask(ada, "open", code=private["code"])
    await ask(bob, "bot", table=private["table"], seat=0)
    await ask(bob, "start", table=private["table"])
    running = (await ask(ada, "create", game="do_my_bidding", seats=3, bots="random"))["table"]
    await ask(ada, "advise", table=running, ask=1)
    await ask(ada, "leave", table=running)
    await ask(ada, "back", table=running)
    bot = await bot_of(ada, nodes[1], plays={"games": ["cheesedog"], "tables": 2})
    seen.add("token")
    await ask(bot, "practice", game="diced_cheese", seats=2)
    await ask(ada, "bots")
    waiting = (await ask(bob, "create", game="cheesedog", seats=4))["table"]
    await ask(bob, "invite", table=waiting, seat=1, bot=bot.user["id"])
    await ask(bot, "decline", table=waiting)
    second = await ask(ada, "token", name="Second")
    await ask(ada, "revoke", bot=second["user"])
    await manage(ask, ada, bob)


async def manage(ask: Ask, ada: Client, bob: Client) -> None:
    """What hosts and users do about each other, and about their own account."""
    table = (await ask(ada, "create", game="cheesedog", seats=4))["table"]
    await ask(ada, "open", table=table)
    await ask(bob, "sit", table=table)
    await ada.until(lambda shown: bob.user["id"] in [seat.get("user") for seat in shown.get("seats", ())], 0)
    await ask(ada, "report", table=table, user=bob.user["id"], text="too loud")
    await ask(ada, "change", table=table, speed="blitz")
    await ask(ada, "swap", table=table, seat=0, other=1)
    await ask(ada, "configure", table=table, locked=True)
    await ask(ada, "change", table=table, speed="relaxed")
    await ask(ada, "swap", table=table, seat=0, other=3)
    shown = {"see": "seat", "seat": 0}
    await ask(ada, "configure", table=table, watching=shown)
    await ask(bob, "consent", table=table, watching=shown)
    await ask(ada, "appoint", table=table, user=bob.user["id"])
    await ask(bob, "dismiss", table=table, user=ada.user["id"])
    await ask(bob, "readmit", table=table, user=ada.user["id"])
    await ask(bob, "close_table", table=table)
    await ask(ada, "block", user=bob.user["id"])
    await ask(ada, "blocks")
    await ask(ada, "unblock", user=bob.user["id"])
    await ask(ada, "block", user="u1234")
    await ask(ada, "kept")
    await ask(ada, "rotate")
    await ask(bob, "forget")


async def test_every_key_expires_or_is_bounded(start: Start, store: redis.Redis) -> None:
    nodes = [await start(), await start()]
    await nodes[0].node.accounts.new_house_tokens()
    seen: set[str] = set()
    await exercise(nodes, seen)
    assert seen == {message.__struct_config__.tag for message in get_args(ClientMessage)}
    for node in nodes:
        await check_due(node, 5_000)
        node.node.report()
        await node.node.store.call("PING")
    house = set(cast("set[str]", store.smembers(keys.HOUSE_TOKENS)))
    shards = [cast("list[str]", store.zrange(keys.deadlines(shard), 0, -1)) for shard in range(keys.SHARDS)]
    unfinished = {table for shard in shards for table in shard}
    kinds = set()
    for key in without_expiry(store):
        kind = next((pattern for pattern in BOUNDED if re.fullmatch(pattern, key)), None)
        assert kind is not None, f"{key} neither expires nor is bounded"
        kinds.add(kind)
        if key.startswith("token:"):
            assert key in house
        if key.endswith(":log"):
            assert key.split(":")[2] in unfinished
    assert kinds >= {r"\{\d+\}:table:\w+:log", r"lobby:listings", r"token:\w+"}  # the exercise has left something
    assert len(house) == len(house_bots.USERS)


async def test_a_bot_that_is_not_used_is_forgotten(node: Running, store: redis.Redis) -> None:
    ada = await node.join("Ada")
    made = await ada.request("token", name="Forgotten")
    token, user, owner = made["token"], made["user"], ada.user["id"]
    of_bot: tuple[str, ...] = (token_key(token), keys.bot(user), keys.user_bots(owner))
    assert all(BOT_S - 60 < store.ttl(key) <= BOT_S for key in of_bot)
    for key in of_bot:
        store.expire(key, 60)
    bot = await node.join(token=token)  # its use prolongs everything
    await bot.request("ping")
    of_bot = (*of_bot, keys.bot_last_used(user))
    await eventually(lambda: all(BOT_S - 60 < store.ttl(key) <= BOT_S for key in of_bot))
    for key in of_bot:
        store.expire(key, 60)
    node.ahead_ms += PROLONG_MS  # a bot that stays connected for months is in use
    node.node.report()
    await eventually(lambda: all(store.ttl(key) > 60 for key in of_bot))


async def test_forgotten_bots_leave_room_for_others(node: Running, store: redis.Redis) -> None:
    ada = await node.join("Ada")
    made = [await ada.request("token", name=f"Bot {number}") for number in range(20)]
    assert (await ada.request("token", name="More"))["code"] == "too_many_bots"
    for one in made[:3]:
        store.delete(keys.bot(one["user"]))  # as if it had expired
    again = [await ada.request("token", name="More") for _ in range(4)]
    assert [answer.get("code", "ok") for answer in again] == ["ok", "ok", "ok", "too_many_bots"]
    assert len((await ada.request("tokens"))["own"]) == 20


async def test_the_record_of_a_bot_expires_and_goes_with_its_token(node: Running, store: redis.Redis) -> None:
    ada = await node.join("Ada")
    bots = [await bot_of(ada, node, f"Bot {number}") for number in range(2)]
    table = (await bots[0].request("create", game="diced_cheese", seats=2))["table"]
    await bots[1].request("sit", table=table)
    await play_to_the_end(bots, table)
    await check_due(node, 1)
    record = keys.bot_record(bots[0].user["id"])
    await eventually(lambda: store.exists(record))
    assert 0 < store.ttl(record) <= BOT_S
    await ada.request("revoke", bot=bots[0].user["id"])
    assert not store.exists(record)


async def test_the_key_of_a_guest_is_small_and_expires(node: Running, store: redis.Redis) -> None:
    guest = await node.join("W" * 24)
    key = token_key(guest.token)
    assert 0 < store.ttl(key) <= GUEST_S
    assert cast("int", store.memory_usage(key)) < 300


async def test_bots_of_a_dead_node_are_removed_from_the_list(start: Start, store: redis.Redis) -> None:
    here, there = await start(), await start()
    ada = await here.join("Ada")
    bot = await bot_of(ada, there, plays={"games": ["cheesedog"]})
    await eventually(lambda: store.hlen(keys.ONLINE_BOTS) == 1)
    (payload,) = (await here.node.store.call("HGETALL", keys.ONLINE_BOTS))[1::2]
    await bot.close()
    await eventually(lambda: store.hlen(keys.ONLINE_BOTS) == 0)
    store.hset(keys.ONLINE_BOTS, bot.user["id"], payload)  # as if its node had died
    here.node.report()
    await here.node.store.call("PING")
    assert store.hlen(keys.ONLINE_BOTS) == 1
    here.ahead_ms += 11 * 60_000
    here.node.report()
    await eventually(lambda: store.hlen(keys.ONLINE_BOTS) == 0)


def test_tables_of_the_first_releases_are_found_in_their_shards() -> None:
    assert keys.table_log("abcdefghjkmn") == "{7}:table:abcdefghjkmn:log"
    old = {keys.shard(f"{number:012}") for number in range(5_000)}
    assert old == set(range(keys.OLD_SHARDS))


def test_new_tables_are_spread_among_all_shards_and_their_keys_share_a_tag() -> None:
    assert ID_LENGTH > keys.OLD_ID_LENGTH
    tables = [f"{number:0{ID_LENGTH}}" for number in range(5_000)]
    assert {keys.shard(table) for table in tables} == set(range(keys.SHARDS))
    for table in tables[:100]:
        of_table = (keys.table_log, keys.table_chat, keys.table_presence, keys.table_channel)
        slots = {key_slot(key(table).encode()) for key in of_table}
        assert slots == {key_slot(keys.deadlines(keys.shard(table)).encode())}
