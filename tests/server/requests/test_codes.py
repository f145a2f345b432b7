"""Invitation codes: too long to guess, never given twice, and gone with their table."""

from __future__ import annotations

import itertools

import pytest
import redis

from server.requests import table_opener
from server.requests.limits.limits import BY_NAME
from server.requests.table_opener import CODE_LENGTH, CODE_S, MAX_CODE_TRIES
from server.store import keys
from server.tables.finished.archive import LIVE_S
from server.tables.rooms.rooms import ALPHABET, ID_LENGTH
from tests.client import eventually
from tests.server.conftest import Running, Start, fail, free_limits

PRIVATE_TABLES = 10_000
YEAR_S = 365 * 24 * 3600


def years_to_a_hit(length: int, guesses_per_s: float) -> float:
    """How long guessing takes on average, until one of PRIVATE_TABLES is found."""
    codes: int = len(ALPHABET) ** length
    return codes / PRIVATE_TABLES / guesses_per_s / YEAR_S


def test_guessing_a_code_from_one_address_takes_more_than_a_year() -> None:
    limit = BY_NAME["address_codes_missed_per_hour"]
    assert limit.window_s
    assert years_to_a_hit(CODE_LENGTH, limit.number / limit.window_s) > 1
    assert years_to_a_hit(6, limit.number / limit.window_s) < 1  # shorter codes would not do
    # Somebody with a /48 network has 65,536 addresses as the limits count them.
    assert years_to_a_hit(CODE_LENGTH, 2**16 * limit.number / limit.window_s) > 1


def test_guessing_the_id_of_a_table_from_one_address_takes_more_than_a_year() -> None:
    """An id is no secret word, but opens a private table as well; nothing but the rate of requests limits guesses."""
    assert years_to_a_hit(ID_LENGTH, BY_NAME["address_requests_per_second"].number) > 1


async def test_a_code_that_is_taken_is_not_given_to_another_table(
    node: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    codes = itertools.cycle(("aaaaaaaaaa", "aaaaaaaaaa", "bbbbbbbbbb"))
    monkeypatch.setattr(table_opener, "new_code", lambda: next(codes))
    client = await node.join()
    first = await client.request("create", game="cheesedog", seats=3, public=False)
    second = await client.request("create", game="cheesedog", seats=3, public=False)
    assert (first["code"], second["code"]) == ("aaaaaaaaaa", "bbbbbbbbbb")
    for made in (first, second):
        assert (await client.request("open", code=made["code"]))["table"] == made["table"]
        assert (await client.next("table", 0, table=made["table"]))["code"] == made["code"]


async def test_a_table_without_a_free_code_is_not_opened(node: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    client = await node.join()
    monkeypatch.setattr(table_opener, "new_code", lambda: "aaaaaaaaaa")
    first = await client.request("create", game="cheesedog", seats=3)
    refused = await client.request("create", game="cheesedog", seats=3)
    assert (refused["code"], refused["retry_after_ms"] > 0) == ("busy", True)
    again = await node.join(token=client.token)
    assert again.welcome["tables"] == [first["table"]]
    assert MAX_CODE_TRIES > 1


async def test_a_refused_table_leaves_no_code(start: Start, store_url: str) -> None:
    node = await start(limits=free_limits(seats=2))
    client = await node.join()
    made = [await client.request("create", game="cheesedog", seats=3) for _ in range(5)]
    assert [answer["type"] for answer in made] == ["ok"] * 2 + ["error"] * 3
    await client.request("ping")
    with redis.Redis.from_url(store_url) as store:
        assert len(store.keys("code:*")) == 2


async def test_a_code_expires_with_its_table(node: Running, store_url: str) -> None:
    client = await node.join()
    made = await client.request("create", game="cheesedog", seats=3)
    with redis.Redis.from_url(store_url) as store:
        assert LIVE_S < store.ttl(keys.invitation_code(made["code"])) <= CODE_S
        await client.request("leave", table=made["table"])  # the table is closed
        await node.later(5_000)
        await eventually(lambda: not node.node.due_tables.tasks)
        assert 0 < store.ttl(keys.invitation_code(made["code"])) <= LIVE_S


async def test_codes_of_six_characters_from_before_still_open_their_table(node: Running, store_url: str) -> None:
    client = await node.join()
    made = await client.request("create", game="cheesedog", seats=3, public=False)
    assert len(made["code"]) == CODE_LENGTH <= 12
    with redis.Redis.from_url(store_url) as store:
        store.set(keys.invitation_code("m3k9pw"), made["table"])
    assert (await client.request("open", code=" M3K-9PW"))["table"] == made["table"]
    grouped = f"{made['code'][:5]}-{made['code'][5:]}"
    assert (await client.request("open", code=grouped.upper()))["table"] == made["table"]


async def test_a_table_whose_limits_could_not_be_checked_leaves_no_code(
    node: Running, store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = await node.join("Ada")
    fail(node, monkeypatch, "admit")
    assert (await client.request("create", game="cheesedog", seats=3))["code"] == "unavailable"
    with redis.Redis.from_url(store_url) as store:
        await eventually(lambda: not list(store.scan_iter("code:*")))
