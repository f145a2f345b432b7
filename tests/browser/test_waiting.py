"""A table that waits for players: copying its link, and inviting bots."""

from __future__ import annotations

import pytest
import redis
from playwright.async_api import Page, expect

from tests.browser.people import PLAIN, People
from tests.client import Client
from tests.service import Service


async def wait_at_a_table(page: Page, home: str, game: str = "cheesedog") -> None:
    """Open a private table, which waits for players."""
    await page.goto(home)
    await page.click(f".game-card.of-{game}")
    await page.get_by_role("button", name="Private table").click()
    await page.wait_for_selector(".waiting")


async def test_the_link_can_be_copied_over_plain_http(people: People, service: Service) -> None:
    page = await people.come()
    await wait_at_a_table(page, service.http.replace("127.0.0.1", PLAIN))
    assert await page.evaluate("navigator.clipboard") is None
    copy = page.locator(".waiting").get_by_role("button", name="Copy the link")
    await copy.click()
    await expect(page.locator(".waiting").get_by_role("button", name="Copied")).to_be_focused()
    await page.get_by_label("Message").focus()
    await page.keyboard.press("Control+V")
    await expect(page.get_by_label("Message")).to_have_value(page.url)


async def test_a_link_that_cannot_be_copied_is_shown_and_selected(people: People, service: Service) -> None:
    page = await people.come()
    await page.add_init_script("document.execCommand = () => false")
    await wait_at_a_table(page, service.http.replace("127.0.0.1", PLAIN))
    await page.locator(".waiting").get_by_role("button", name="Copy the link").click()
    await expect(page.get_by_label("Please copy this text")).to_be_focused()
    assert await page.evaluate("getSelection().toString()") == page.url
    await expect(page.get_by_role("button", name="Copied")).to_have_count(0)


async def test_a_bot_is_listed_with_its_record_in_this_game_until_it_is_invited(
    people: People, service: Service
) -> None:
    owner = await Client.join(service.url, "Ada")
    token = (await owner.request("token", name="Gnawbot"))["token"]
    bot = await Client.join(service.url, token=token, plays={"games": ["cheesedog"], "tables": 5})
    record = {"cheesedog:played": 7, "cheesedog:first": 2, "diced_cheese:played": 30, "diced_cheese:first": 30}
    with redis.Redis(unix_socket_path=str(service.data / "store.sock")) as store:
        store.hset(f"record:{bot.user['id']}", mapping=record)
    page = await people.come()
    await wait_at_a_table(page, service.http)
    offered = page.locator(".add-bot option", has_text="Gnawbot of Ada")
    await expect(offered).to_have_text(["Gnawbot of Ada: first in 2 of 7"] * 3)
    await page.get_by_label("Add a bot to seat 2").select_option(label="Gnawbot of Ada: first in 2 of 7")
    await expect(page.locator(".chairs li").nth(1)).to_contain_text("Gnawbot")
    await expect(offered).to_have_count(0)


@pytest.mark.parametrize("seats", [4, 10])
async def test_the_start_button_and_all_seats_are_in_sight_and_the_rows_under_the_button_fade(
    people: People, service: Service, seats: int
) -> None:
    host = await people.come((1280, 720))
    await host.goto(people.home)
    await expect(host.get_by_role("button", name="Play with bots")).to_be_enabled()  # then it has its token
    client = await Client.join(service.url, token=await host.evaluate("JSON.parse(localStorage['cheeseboard.token'])"))
    made = await client.request("create", game="cheesedog", seats=seats, public=False)
    await host.goto(f"{people.home}/t/{made['table']}")
    start = host.get_by_role("button", name="Start with bots on free seats")
    await expect(start).to_be_in_viewport(ratio=1)
    fade = await host.locator(".begin").evaluate("(one) => getComputedStyle(one, '::before').backgroundImage")
    assert fade.startswith("linear-gradient")
    for at in range(seats):
        await expect(host.locator(".chairs li").nth(at)).to_be_in_viewport(ratio=1)
    await host.locator(".waiting > .quiet").last.scroll_into_view_if_needed()
    await expect(start).to_be_in_viewport(ratio=1)


async def test_a_guest_with_a_small_phone_sees_who_sits_where_without_scrolling(
    people: People, service: Service
) -> None:
    host = await Client.join(service.url, "Hilda")
    made = await host.request("create", game="cheesedog", seats=4, public=False)
    guest = await people.come((360, 640))
    await guest.goto(f"{people.home}/t/{made['table']}")
    await guest.get_by_role("button", name="Sit here").click()
    for at in range(4):
        await expect(guest.locator(".chairs li").nth(at)).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("seated", [False, True])
async def test_the_field_for_a_code_needs_no_scrolling_on_a_small_phone(
    people: People, service: Service, seated: bool
) -> None:
    page = await people.come((360, 640))
    await page.goto(people.home)
    await expect(page.get_by_role("button", name="Play with bots")).to_be_enabled()
    if seated:
        token = await page.evaluate("JSON.parse(localStorage['cheeseboard.token'])")
        client = await Client.join(service.url, token=token)
        await client.request("create", game="cheesedog", seats=4, public=False)
        await page.reload()
        await expect(page.get_by_role("heading", name="Your seat is waiting")).to_be_visible()
    await expect(page.get_by_label("Have a code?")).to_be_in_viewport(ratio=1)
    assert await page.evaluate("scrollY") == 0
