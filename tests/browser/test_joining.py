"""Joining a table by its link: the first press on the button counts, however long it is held.

`EVERY=1` presses a hundred times (`make keyboard`).
"""

from __future__ import annotations

import asyncio
import os
import random

import pytest
from playwright.async_api import Page, expect

from tests.browser.people import LAPTOP, MODULES, PHONE, People, play_by_clicking
from tests.browser.test_access import findings
from tests.client import Client
from tests.service import Service

PRESSES = 50 if os.environ.get("EVERY") else 8  # on each of two pages
LEAVE = f"""(table) => {MODULES}.then((modules) => modules["net.js"].request("leave", {{ table }}))"""


async def press(page: Page, held_ms: float) -> None:
    """Press the first button that offers a seat, and hold it for so long."""
    box = await page.get_by_role("button", name="Sit here").first.bounding_box()
    assert box
    await page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    await page.mouse.down()
    await page.wait_for_timeout(held_ms)
    await page.mouse.up()


async def sit_down_often(page: Page, url: str, presses: int, chance: random.Random) -> None:
    """Type a name and sit down with one press, then leave, so many times."""
    await page.goto(url)
    for number in range(presses):
        name = f"Eve {number}"
        await page.get_by_label("Your name").fill(name)
        await press(page, chance.uniform(20, 300))
        await expect(page.locator(".chairs li", has_text="you")).to_contain_text(name)
        await page.evaluate(LEAVE, url.rpartition("/")[2])
        await expect(page.get_by_role("button", name="Sit here").first).to_be_visible()


@pytest.mark.slow
async def test_every_press_of_any_length_takes_a_seat(people: People, service: Service) -> None:
    host = await Client.join(service.url, "Hilda")
    pages = [await people.come(size) for size in (PHONE, LAPTOP)]
    tables = [(await host.request("create", game="cheesedog", seats=4, public=False))["table"] for _ in pages]
    await asyncio.gather(
        *(
            sit_down_often(page, f"{people.home}/t/{table}", PRESSES, random.Random(table_number))
            for table_number, (page, table) in enumerate(zip(pages, tables, strict=True))
        )
    )


async def test_seats_never_share_the_colour_of_their_avatars(people: People, service: Service) -> None:
    host = await Client.join(service.url, "Bea")
    table = (await host.request("create", game="cheesedog", seats=10, public=False))["table"]
    for _ in range(8):
        guest = await Client.join(service.url, "Bea")
        await guest.request("sit", table=table)
    page = await people.come()
    await page.goto(f"{people.home}/t/{table}")
    avatars = page.locator(".faces-named .avatar")
    await expect(avatars).to_have_count(10)
    hues = await avatars.evaluate_all("(all) => all.map((one) => one.style.getPropertyValue('--hue'))")
    assert len(set(hues)) == 10


@pytest.mark.parametrize("size", [(360, 640), PHONE, (844, 390)], ids=str)
async def test_the_invitation_to_a_table_of_ten_is_as_wide_as_the_window_of_a_phone_allows(
    people: People, service: Service, size: tuple[int, int]
) -> None:
    host = await Client.join(service.url, "Hilda")
    table = (await host.request("create", game="cheesedog", seats=10, public=False))["table"]
    page = await people.come(size)
    await page.goto(f"{people.home}/t/{table}")
    await expect(page.get_by_role("heading", name="Hilda invites you to Cheesedog")).to_be_visible()
    widths = [await page.locator(".waiting").evaluate("(one) => one.clientWidth")]
    await page.get_by_role("button", name="Sit here").click()
    await expect(page.locator(".chairs li")).to_have_count(10)
    widths.append(await page.locator(".waiting").evaluate("(one) => one.clientWidth"))
    assert widths == [min(600, size[0] - 20)] * 2


async def test_a_late_friend_takes_the_seat_of_a_bot_and_plays(people: People, service: Service) -> None:
    host, late = await people.come(), await people.come(PHONE)
    await host.goto(people.home)
    await host.click(".game-card.of-diced_cheese")
    await host.get_by_role("button", name="Private table").click()
    code = await host.locator(".waiting .code").inner_text()
    await host.get_by_role("button", name="Start with bots on free seats").click()
    await host.wait_for_selector(".page.table > .me")
    await late.goto(people.home)
    await late.get_by_label("Have a code?").fill(code)
    await late.get_by_role("button", name="Join", exact=True).last.click()
    await expect(late.get_by_text("You are watching.")).to_be_visible()
    await late.get_by_label("Your name").fill("Late Larry")
    await late.get_by_role("button", name="Play for").click()
    await expect(late.locator(".me .seat.mine")).to_contain_text("Late Larry")
    await expect(host.locator(".seat .name", has_text="Late Larry")).to_be_visible()
    await expect(late.get_by_text("You are watching.")).to_have_count(0)


@pytest.mark.slow
async def test_who_comes_late_to_a_rematch_watches_it_or_takes_the_seat_of_a_bot(
    people: People, service: Service
) -> None:
    """Eve stays at the result while Hilda starts the rematch without her."""
    host, eve = [await people.come(reduced_motion="reduce") for _ in range(2)]
    await people.share_a_table(host, eve, "diced_cheese")
    chance = random.Random(5)
    await asyncio.gather(play_by_clicking(host, chance), play_by_clicking(eve, chance))
    await host.get_by_role("button", name="Play again").click()
    await host.get_by_role("button", name="Start with bots on free seats").click()
    await host.wait_for_selector(".page.table > .me")
    await eve.get_by_role("button", name="Join the rematch").click()
    await expect(eve.locator(".me .seat.mine")).to_be_visible()
    await expect(eve.locator(".fault")).to_have_count(0)


async def test_an_unknown_address_leads_to_the_lobby_and_a_code_to_its_table(people: People, service: Service) -> None:
    host = await Client.join(service.url, "Hilda")
    made = await host.request("create", game="cheesedog", seats=4, public=False)
    page = await people.come()
    await page.goto(f"{people.home}/{made['code'].upper()}")
    await expect(page.get_by_role("heading", name="Hilda invites you to Cheesedog")).to_be_visible()
    assert await findings(page) == []
    assert page.url.endswith(f"/t/{made['table']}")
    await page.goto(f"{people.home}/zzzzzzzzzz")
    await expect(page.get_by_role("heading", name="There is no table with this code")).to_be_visible()
    answer = await page.goto(f"{people.home}/nope")
    assert answer
    assert answer.status == 404
    await expect(page.get_by_role("button", name="To the lobby")).to_be_visible()
    assert await findings(page) == []
    await page.get_by_role("button", name="To the lobby").click()
    await expect(page.get_by_role("button", name="Play with bots")).to_be_enabled()


async def test_everybody_sees_who_sits_down_and_who_is_the_host_now(people: People, service: Service) -> None:
    host = await Client.join(service.url, "Hilda")
    table = (await host.request("create", game="cheesedog", seats=4, public=False))["table"]
    page = await people.come()
    await page.goto(f"{people.home}/t/{table}")
    await page.get_by_role("button", name="Sit here").click()
    await expect(page.locator(".chairs li", has_text="you")).to_be_visible()
    friend = await Client.join(service.url, "Eve")
    await friend.request("sit", table=table)
    await expect(page.locator(".arrivals")).to_have_text("Eve sat down.")
    await host.request("appoint", table=table, user=friend.user["id"])
    await expect(page.locator(".arrivals")).to_have_text("Eve is the host now.")
    await expect(page.locator(".chats li", has_text="Eve sat down.")).to_be_visible()


async def test_the_host_chooses_whether_late_friends_may_take_the_seat_of_a_bot(people: People) -> None:
    host, friend, late = await people.come(), await people.come(PHONE), await people.come()
    await host.goto(people.home)
    await host.click(".game-card.of-cheesedog")
    await host.get_by_role("button", name="Options").click()
    choice = host.get_by_label("Late friends may take a bot's seat")
    await expect(choice).to_have_value("undefined")
    await choice.select_option("no")
    await host.get_by_role("button", name="Private table").click()
    closed = "Once the game has started, nobody can join it."
    await expect(host.locator(".waiting")).to_contain_text(closed)
    await friend.goto(host.url)
    await expect(friend.locator(".invitation")).to_contain_text(closed)
    await host.get_by_role("button", name="Start with bots on free seats").click()
    await host.wait_for_selector(".page.table > .me")
    await late.goto(host.url)
    await expect(late.get_by_text("You are watching.")).to_be_visible()
    await expect(late.get_by_role("button", name="Play for")).to_have_count(0)
    await host.get_by_role("button", name="Table menu").click()
    await host.get_by_role("button", name="People and rules").click()
    rule = host.get_by_role("group", name="Late friends may take a bot's seat")
    await expect(rule.get_by_role("button", name="no")).to_have_attribute("aria-pressed", "true")
    await rule.get_by_role("button", name="yes").click()
    await late.get_by_role("button", name="Play for").click()
    await expect(late.locator(".me .seat.mine")).to_be_visible()
