"""Rates and sets of bounded size in the store: exact, atomic, and gone when they are not needed."""

from __future__ import annotations

import asyncio
import random
from collections import Counter

import pytest
import redis

from server.process.embedded_valkey import EmbeddedValkey
from server.requests.limits.limits import BY_NAME, Limits
from server.requests.limits.node_rates import NodeRates
from server.store import keys
from server.store.quotas import CLAIM_MS, CLAIMED, FULL, NEW_TABLE_CLAIM_MS, Place, Quotas, Rate, admission
from tests.server.conftest import Running

NOW = 1_800_000_000_000
SEED = 20261117
PLACES = "places"


@pytest.fixture
def quotas(node: Running) -> Quotas:
    return Quotas(node.node.store)


async def test_a_rate_gives_its_number_at_once_and_the_rest_evenly(quotas: Quotas) -> None:
    rate = Rate("rate", 3, 9_000)
    taken = [admission(await quotas.admit(NOW, [rate])).status for _ in range(5)]
    assert taken == [0, 0, 0, 3_000, 3_000]
    assert admission(await quotas.admit(NOW + 2_999, [rate])).status == 1
    assert admission(await quotas.admit(NOW + 3_000, [rate])).status == 0
    assert admission(await quotas.admit(NOW + 3_000, [rate])).status == 3_000


async def test_the_store_and_a_node_count_alike(quotas: Quotas) -> None:
    limit = BY_NAME["asides_per_minute"]
    rates = NodeRates(Limits())
    chance, now = random.Random(SEED), NOW
    shared = Rate("rate", limit.number, 60_000)
    refused = 0
    for _ in range(300):
        now += chance.randrange(0, 4_000)
        here = rates.spend(limit.name, "somebody", now)
        assert admission(await quotas.admit(now, [shared])).status == here, f"seed {SEED}"
        refused += here > 0
    assert refused > 50


async def test_nothing_is_taken_if_one_of_several_rates_refuses(node: Running, quotas: Quotas) -> None:
    narrow, wide = Rate("narrow", 1, 60_000), Rate("wide", 5, 60_000)  # the store forgets what is taken after 12 s
    place = Place(PLACES, "one", 1)
    assert admission(await quotas.admit(NOW, [wide, narrow])) == (0, 0)
    before = await node.node.store.call("GET", "wide")
    refused = admission(await quotas.admit(NOW, [wide, narrow], place))
    assert (refused.status > 0, refused.which) == (True, 2)
    assert await node.node.store.call("GET", "wide") == before
    assert await node.node.store.call("EXISTS", keys.claims(PLACES)) == 0


async def test_what_is_given_back_can_be_taken_again(node: Running, quotas: Quotas) -> None:
    rate = Rate("rate", 2, 60_000)
    for _ in range(10):
        assert admission(await quotas.admit(NOW, [rate])).status == 0
        quotas.give_back(NOW, [rate])
    assert await node.node.store.call("EXISTS", "rate") == 0
    assert [admission(await quotas.admit(NOW, [rate])).status for _ in range(3)] == [0, 0, 30_000]


async def test_a_rate_expires_when_nothing_of_it_is_taken(node: Running, quotas: Quotas) -> None:
    await quotas.admit(NOW, [Rate("rate", 4, 60_000)])
    assert 0 < await node.node.store.call("PTTL", "rate") <= 15_000


async def test_of_many_claims_as_many_succeed_as_there_are_places(quotas: Quotas) -> None:
    asked = [quotas.admit(NOW, (), Place(PLACES, f"member {number}", 7)) for number in range(200)]
    got = Counter(admission(answer).status for answer in await asyncio.gather(*asked))
    assert got == {0: 7, FULL: 193}


async def test_a_claim_counts_until_it_is_released_and_a_member_until_it_is_removed(
    node: Running, quotas: Quotas
) -> None:
    one, two = Place(PLACES, "one", 1), Place(PLACES, "two", 1)
    assert admission(await quotas.admit(NOW, (), one)).has_claim
    assert admission(await quotas.admit(NOW, (), one)).status == CLAIMED
    assert admission(await quotas.admit(NOW, (), two)).status == FULL
    quotas.add(one.key, one.member)
    assert admission(await quotas.admit(NOW, (), two)).status == FULL
    quotas.release(one)
    again = admission(await quotas.admit(NOW, (), one))
    assert (again.status, again.has_claim) == (0, False)  # it has its place
    assert admission(await quotas.admit(NOW, (), two)).status == FULL
    await node.node.store.call("SREM", one.key, one.member)
    assert admission(await quotas.admit(NOW, (), two)).has_claim


async def test_a_place_that_was_taken_is_not_counted_again_as_a_claim(quotas: Quotas) -> None:
    one, two = Place(PLACES, "one", 2), Place(PLACES, "two", 2)
    await quotas.admit(NOW, (), one)
    quotas.add(one.key, one.member)  # and not yet released
    assert admission(await quotas.admit(NOW, (), two)).has_claim


async def test_a_claim_of_a_node_that_has_died_lapses(node: Running, quotas: Quotas) -> None:
    one, two = Place(PLACES, "one", 1), Place(PLACES, "two", 1)
    await quotas.admit(NOW, (), one)
    assert admission(await quotas.admit(NOW + CLAIM_MS - 1, (), two)).status == FULL
    assert admission(await quotas.admit(NOW + CLAIM_MS, (), two)).has_claim
    assert 0 < await node.node.store.call("PTTL", keys.claims(PLACES)) <= CLAIM_MS


async def test_a_claim_for_a_new_table_outlasts_a_shorter_claim_for_the_same_set(node: Running, quotas: Quotas) -> None:
    opening, sitting = Place(PLACES, "new", 2, claim_ms=NEW_TABLE_CLAIM_MS), Place(PLACES, "old", 2)
    await quotas.admit(NOW, (), opening)
    await quotas.admit(NOW, (), sitting)
    assert await node.node.store.call("PTTL", keys.claims(PLACES)) > CLAIM_MS
    three, four = Place(PLACES, "three", 2), Place(PLACES, "four", 2)
    assert admission(await quotas.admit(NOW + CLAIM_MS, (), three)).has_claim
    assert admission(await quotas.admit(NOW + CLAIM_MS, (), four)).status == FULL


def test_the_keys_of_one_user_or_address_are_in_one_slot_of_a_cluster() -> None:
    def tag(key: str) -> str:
        return key[key.index("{") + 1 : key.index("}")] if "{" in key else key

    tables = keys.user_tables("u1")
    of_user = (tables, keys.claims(tables), keys.user_rate("u1", "x"), keys.user_hosted("u1"))
    assert len({tag(key) for key in (*of_user, keys.claims(keys.user_hosted("u1")))}) == 1
    of_address = (keys.address_tables("a"), keys.claims(keys.address_tables("a")), keys.address_rate("a", "x"))
    assert len({tag(key) for key in of_address}) == 1
    assert tag(keys.claims(keys.user_bots("u1"))) == keys.user_bots("u1")


async def test_a_claim_is_released_though_the_connection_is_lost_meanwhile(
    embedded: EmbeddedValkey, quotas: Quotas
) -> None:
    place = Place(PLACES, "one", 1)
    assert admission(await quotas.admit(NOW, (), place)).has_claim
    with redis.Redis(unix_socket_path=str(embedded.socket)) as other:
        other.client_kill_filter(_type="normal", skipme=True)
        quotas.release(place)  # before the node has noticed anything
        async with asyncio.timeout(CLAIM_MS / 1000 - 1):
            while other.zscore(place.claims_key, "one") is not None:
                await asyncio.sleep(0.02)
