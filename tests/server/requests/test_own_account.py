"""A guest replaces or deletes their own token."""

from __future__ import annotations

import asyncio

import pytest
import redis

from server.requests.accounts import token_key
from server.store import keys
from tests.client import WAIT_S, Client, eventually
from tests.server.conftest import Running, Start
from tests.server.requests.test_hosting import refusal

REVOKED = 4004


async def closed(client: Client) -> int | None:
    """Wait until the connection is closed; its close code."""
    async with asyncio.timeout(WAIT_S):
        await client.socket.wait_closed()
    await asyncio.sleep(0)
    return client.socket.close_code


async def test_p53_a_new_token_replaces_the_old_one_and_closes_other_connections(start: Start) -> None:
    here, there = await start(), await start()
    ada = await here.join("Ada")
    others = [await here.join(token=ada.token), await there.join(token=ada.token)]
    token = (await ada.request("rotate"))["token"]
    assert token != ada.token
    for other in others:
        assert await closed(other) == REVOKED
    assert (await ada.request("ping"))["type"] == "ok"
    with pytest.raises(PermissionError, match="bad_token"):
        await here.join(token=ada.token)
    assert (await there.join(token=token)).user == ada.user
    assert (await ada.request("rename", name="Grace"))["type"] == "ok"
    assert (await there.join(token=token)).user["name"] == "Grace"


async def test_p53_one_of_two_connections_gets_the_new_token(node: Running) -> None:
    ada = await node.join("Ada")
    twin = await node.join(token=ada.token)
    numbers = [(client, await client.send("rotate")) for client in (ada, twin)]
    results = await asyncio.gather(*(client.answer(number) for client, number in numbers), return_exceptions=True)
    tokens = [result["token"] for result in results if isinstance(result, dict) and result["type"] == "ok"]
    assert len(tokens) == 1
    assert (await node.join(token=tokens[0])).user == ada.user


async def test_p53_a_guest_deletes_themselves(start: Start) -> None:
    here, there = await start(), await start()
    ada = await here.join("Ada")
    other = await there.join(token=ada.token)
    bot = await ada.request("token", name="Gnawbot")
    await ada.request("block", user="u123")
    assert (await ada.request("forget"))["type"] == "ok"
    for client in (ada, other):
        assert await closed(client) == REVOKED
    for token in (ada.token, bot["token"]):
        with pytest.raises(PermissionError, match="bad_token"):
            await there.join(token=token)
    left = await here.node.store.call("KEYS", f"*{ada.user['id']}*")
    assert left == [f"user:{ada.user['id']}:token".encode()]


async def test_p53_a_bot_does_not_change_its_token(node: Running) -> None:
    ada = await node.join("Ada")
    bot = await node.join(token=(await ada.request("token", name="Gnawbot"))["token"])
    assert await refusal(bot, "rotate") == "not_allowed"
    assert await refusal(bot, "forget") == "not_allowed"


async def test_p53_a_node_that_missed_the_news_closes_the_connections_when_it_is_back(start: Start) -> None:
    here, there = await start(), await start()
    ada = await here.join("Ada")
    other = await there.join(token=ada.token)
    there.node.pubsub._subscriptions[b"users"].on_message = lambda payload: None
    await ada.request("rotate")
    assert (await other.request("ping"))["type"] == "ok"
    there.node.pubsub._subscriptions[b"users"].on_ready()
    assert await closed(other) == REVOKED


async def test_a_connected_guest_whom_the_store_has_lost_is_stored_again(node: Running, store_url: str) -> None:
    ada, eve = await node.join("Ada"), await node.join("Eve")
    with redis.Redis.from_url(store_url) as store:
        store.delete(token_key(ada.token), token_key(eve.token))
        store.set(keys.user_token(eve.user["id"]), "")  # as if Eve had deleted herself on another node
        node.node.store.connections()[0].give_up()
        await eventually(lambda: store.exists(token_key(ada.token)))
        assert store.ttl(token_key(ada.token)) > 0
    assert await ada.request("create", game="cheesedog", seats=3)
    assert (await node.join(token=ada.token)).user == ada.user
    with pytest.raises(PermissionError, match="bad_token"):
        await node.join(token=eve.token)


async def test_a_guest_who_is_deleted_while_the_account_is_stored_again_stays_deleted(
    node: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, accounts = await node.join("Ada"), node.node.accounts
    (connection,) = node.node.users.of(ada.user["id"])
    account = connection.account

    async def is_current(user: str, token: str) -> bool:
        """The guest is deleted directly after the first question."""
        monkeypatch.undo()
        await accounts.forget(account, ada.token)
        return True

    await node.node.store.call("DEL", token_key(ada.token))
    monkeypatch.setattr(accounts, "is_current", is_current)
    assert not await accounts.store_again(account, ada.token)
    assert not await accounts.is_known(ada.token)
