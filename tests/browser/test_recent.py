"""The lobby shows my last games with their results, also of games that ended without me."""

from __future__ import annotations

import random

from playwright.async_api import Page, expect

from tests.browser.people import People
from tests.client import Client
from tests.server.requests.test_seating import finish
from tests.service import Service

TOKEN = "JSON.parse(localStorage.getItem('cheeseboard.token'))"
ORDINALS = ("you won", "second of 2")


async def table_that_i_left(people: People, service: Service) -> tuple[Page, Client, Client, str]:
    """A page that was at a running table and has been closed, its user without a page, the other player, the table."""
    page, bob = await people.come(), await Client.join(service.url, "Bob")
    table = (await bob.request("create", game="diced_cheese", seats=2, speed="untimed"))["table"]
    await page.goto(f"{people.home}/t/{table}")
    await page.get_by_role("button", name="Sit here").click()
    await page.wait_for_selector(".page.table > .me")
    me = await Client.join(service.url, token=await page.evaluate(TOKEN))
    await page.goto("about:blank")
    return page, me, bob, table


async def test_a_game_that_ended_without_my_page_has_its_result(people: People, service: Service) -> None:
    page, me, bob, table = await table_that_i_left(people, service)
    await finish([bob, me], table, random.Random(7))
    ended = await bob.next("table", 0, table=table, status="ended")
    await page.goto(people.home)
    row = page.get_by_role("region", name="Your last games").locator("li")
    await expect(row).to_contain_text(ORDINALS[ended["result"]["places"][1] - 1])
    await page.reload()
    await expect(row).to_contain_text(ORDINALS[ended["result"]["places"][1] - 1])
    await row.get_by_role("button", name="Replay").click()
    await expect(page).to_have_url(f"{people.home}/r/{table}")


async def test_a_game_that_was_closed_without_my_page_says_so(people: People, service: Service) -> None:
    page, _, bob, table = await table_that_i_left(people, service)
    assert (await bob.request("close_table", table=table))["type"] == "ok"
    await page.goto(people.home)
    row = page.get_by_role("region", name="Your last games").locator("li")
    await expect(row).to_contain_text("closed before the end")


async def test_a_game_from_which_i_was_sent_away_is_over_for_me(people: People, service: Service) -> None:
    page, me, bob, table = await table_that_i_left(people, service)
    assert (await bob.request("dismiss", table=table, user=me.user["id"]))["type"] == "ok"
    await page.goto(people.home)
    row = page.get_by_role("region", name="Your last games").locator("li")
    await expect(row).to_contain_text("over")
    await expect(row.get_by_role("button", name="Go on")).to_have_count(0)
