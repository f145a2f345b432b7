"""Nobody can appear under another's name: reserved names, names at a table, and names in chat."""

from __future__ import annotations

from typing import Any

import pytest

from server.requests.accounts import Account
from server.tables.state import names
from server.tables.state.decisions import MAX_RENAMES
from tests.client import Client
from tests.server.conftest import Running, Start

FAKES = ["Gouda", "G0uda", "Gоudа", "house", "Hоuse", "Operator", "host", "SYSTEM", "Cheeseboard", "\u3164", "\u2800"]


async def seats(client: Client, table: str) -> list[str | None]:
    """The names that the table shows."""
    since = len(client.received)
    await client.request("open", table=table)
    info = await client.next("table", since, table=table)
    return [seat.get("name") for seat in info["seats"]]


async def said(client: Client, text: str) -> dict[str, Any]:
    """The chat message with this text."""
    return await client.next("chat", 0, text=text)


@pytest.mark.parametrize("name", FAKES)
async def test_nobody_takes_a_name_of_the_house(node: Running, name: str) -> None:
    with pytest.raises(PermissionError, match="bad_name"):
        await node.join(name)
    person = await node.join("Ada")
    for request in ("rename", "token"):
        refused = await person.request(request, name=name)
        assert (refused["type"], refused.get("code"), refused.get("field")) == ("error", "bad_name", "name")
    assert (await person.request("tokens"))["own"] == []


async def test_names_that_look_alike_are_told_apart_at_a_table(node: Running) -> None:
    people = [await node.join(name) for name in ("Ada", "ada", "Аdа")]
    table = (await people[0].request("create", game="cheesedog", seats=4))["table"]
    for person in people[1:]:
        await person.request("sit", table=table)
    assert await seats(people[0], table) == ["Ada", "ada 2", "Аdа 3", None]


async def test_an_invited_bot_is_told_apart_from_the_host(node: Running) -> None:
    ada, owner = await node.join("Ada"), await node.join("Owner")
    bot = await owner.request("token", name="ADA")
    await node.join(token=bot["token"], plays={"games": ["cheesedog"]})
    table = (await ada.request("create", game="cheesedog", seats=3))["table"]
    await ada.request("invite", table=table, seat=1, bot=bot["user"])
    assert await seats(ada, table) == ["Ada", "ADA 2", None]


async def test_who_renames_while_seated_changes_the_seat_and_cannot_speak_as_another(node: Running) -> None:
    ada, eve = await node.join("Ada"), await node.join("Eve")
    table = (await ada.request("create", game="cheesedog", seats=3))["table"]
    await eve.request("sit", table=table)
    for client in (ada, eve):
        await client.request("open", table=table)
    assert (await eve.request("rename", name="Adа"))["type"] == "ok"
    await eve.request("say", table=table, text="I am Ada")
    chat = await said(ada, "I am Ada")
    assert (chat["name"], chat["seat"]) == ("Adа 2", 1)
    assert await seats(ada, table) == ["Ada", "Adа 2", None]


async def test_the_new_name_reaches_the_seats_of_a_running_game_on_every_node(start: Start) -> None:
    here, there = await start(), await start()
    ada, bob = await here.join("Ada"), await there.join("Bob")
    table = (await ada.request("create", game="cheesedog", seats=3, speed="untimed"))["table"]
    await bob.request("sit", table=table)
    await ada.request("start", table=table)
    for client in (ada, bob):
        await client.request("open", table=table)
    await ada.request("rename", name="Grace")
    info = await bob.until(lambda one: one["type"] == "table" and one["seats"][0]["name"] == "Grace")
    assert info["status"] == "running"


async def test_p47_a_chosen_picture_is_at_every_seat_of_its_user_on_every_node(start: Start) -> None:
    here, there = await start(), await start()
    ada, bob = await here.join("Ada"), await there.join("Bob")
    table = (await ada.request("create", game="cheesedog", seats=3))["table"]
    await bob.request("open", table=table)
    assert (await ada.request("rename", name="Ada", avatar="<b>"))["code"] == "bad_field"
    assert (await ada.request("rename", name="Ada", avatar="mouse"))["type"] == "ok"
    info = await bob.until(lambda one: one["type"] == "table" and one["seats"][0].get("avatar") == "mouse")
    assert info["seats"][0]["name"] == "Ada"
    await bob.request("rename", name="Bob", avatar="owl")
    await bob.request("sit", table=table)
    await ada.request("open", table=table)
    await ada.until(lambda one: one["type"] == "table" and one["seats"][1].get("avatar") == "owl")
    await ada.request("rename", name="Ada")  # without a picture it stays
    await ada.request("rename", name="Ada", avatar="")
    await bob.until(lambda one: one["type"] == "table" and "avatar" not in one["seats"][0])


async def test_a_seat_changes_its_name_only_so_often(node: Running) -> None:
    ada = await node.join("Ada")
    table = (await ada.request("create", game="cheesedog", seats=3))["table"]
    for number in range(MAX_RENAMES + 5):
        assert (await ada.request("rename", name=f"Ada the {number}th"))["type"] == "ok"
    room = node.node.rooms.get(table)
    assert room.table
    assert room.table.n == 2 + MAX_RENAMES
    assert await seats(ada, table) == [f"Ada the {MAX_RENAMES - 1}th", None, None]


async def test_a_watcher_does_not_speak_under_the_name_of_a_seat(node: Running) -> None:
    ada, eve, watcher = [await node.join(name) for name in ("Ada", "Ada", "Watcher")]
    table = (await ada.request("create", game="cheesedog", seats=3))["table"]
    for client in (eve, watcher):
        await client.request("open", table=table)
    await eve.request("say", table=table, text="trust me")
    chat = await said(watcher, "trust me")
    assert (chat["name"], chat.get("seat")) == ("Ada 2", None)


async def test_chat_has_no_overrides_and_no_stacked_marks(node: Running) -> None:
    ada = await node.join("Ada")
    table = (await ada.request("create", game="cheesedog", seats=3))["table"]
    await ada.request("open", table=table)
    await ada.request("say", table=table, text="\u202ez" + "\u0321" * 100 + "\u2067 end")
    chat = await ada.next("chat", 0)
    assert chat["text"] == "z\u0321\u0321 end"


async def test_an_account_with_a_name_that_is_reserved_now_gets_another_one(node: Running) -> None:
    accounts = node.node.accounts
    await accounts.keep(Account("u000000000001", "Gouda"), "old guest")
    await accounts.keep(Account("b00000000abcd", "Gouda", bot=True, owner="Ada"), "old bot")
    guest, bot = await node.join(token="old guest"), await node.join(token="old bot")
    assert not names.is_reserved(guest.user["name"])
    assert bot.user["name"] == "Bot abcd"
