"""What the page shows when somebody clicks on something that is not possible now: the server's own reason."""

from __future__ import annotations

import asyncio

import pytest
from playwright.async_api import Browser, Page, expect

from protocol.messages import Error
from tests.browser.people import PHONE, People, stop_clock
from tests.browser.recorded import NAMES, Show, record

MINE = ".page.table > .me .can"


async def entry(page: Page) -> str | None:
    return await page.locator(".page.table").get_attribute("data-entry")


async def test_a_click_on_what_is_not_offered_shows_the_reason_of_the_server_and_its_rule_on_demand(
    people: People,
) -> None:
    player = await people.come()
    await player.clock.install()
    await people.sit_down(player, "cheesedog")
    await stop_clock(player)  # so that the notice stays
    before = await entry(player)
    await player.locator(".my-rows [data-place^='down-']").first.click()
    notice = player.locator(".news .why")
    await expect(notice).to_contain_text("Your face-down cards wait until your hand is empty.")
    assert "DOG-15" not in await notice.inner_text()
    await notice.get_by_role("button", name="Why?").click()
    await expect(notice).to_contain_text("DOG-15: ")
    assert await entry(player) == before
    assert await player.locator(MINE).count() > 0


async def test_a_seat_that_is_not_asked_is_told_for_whom_the_table_waits(people: People) -> None:
    host, friend = await people.come(), await people.come(PHONE)
    await people.share_a_table(host, friend, "cheesedog")
    turns = {asyncio.ensure_future(page.wait_for_selector(MINE)): page for page in (host, friend)}
    asked, others = await asyncio.wait(turns, timeout=60, return_when=asyncio.FIRST_COMPLETED)
    assert len(asked) == 1
    (waiting,) = (turns[other] for other in others)
    for other in others:
        other.cancel()
    await waiting.locator(".my-rows [data-place^='down-']").first.click()
    await expect(waiting.locator(".news .why")).to_contain_text("Waiting for")


@pytest.mark.parametrize(("language", "reason"), [("en", "It is the turn of"), ("de", "Gerade ist")])
async def test_a_refusal_names_the_player_of_a_seat(browser: Browser, language: str, reason: str) -> None:
    page = await browser.new_page(reduced_motion="reduce")
    show = Show(page, record("cheesedog", 4, "refused"), language)
    await show.open()
    while not await page.locator(MINE).count():
        await show.step()
    show.refusal = Error(None, "illegal_move", "it is the turn of seat 3", rule="DOG-3")
    await page.locator(".my-rows [data-place^='down-']").first.click()
    await expect(page.locator(".news .why")).to_contain_text(f"{reason} {NAMES[2]}")
