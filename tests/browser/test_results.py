"""The result explains the score without rule numbers, and comes after the last move has been seen."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest
from playwright.async_api import Browser, expect

from tests.browser.recorded import Recording, Show, record
from tests.browser.test_access import findings

CASES: tuple[tuple[str, int, dict[str, Any]], ...] = (
    ("cheesedog", 4, {}),
    ("chesterfield", 4, {}),
    ("do_my_bidding", 4, {}),
    ("diced_cheese", 4, {}),
    ("diced_cheese", 3, {"variant": "towers"}),
    ("cheesonomics", 3, {}),
)
# Note how many results there are when the page first shows that the game has ended.
NOTE_END = """() => new MutationObserver((_, watch) => {
  if (!document.querySelector(".page.table.is-ended")) return;
  watch.disconnect();
  globalThis.resultsAtEnd = document.querySelectorAll(".result").length;
}).observe(document.body, { subtree: true, childList: true, attributes: true })"""
# How many paintings of the account cover another one, whose value cannot be read then.
COVERED = """(account) => {
  const places = [...account.querySelectorAll(".painting > svg")].map((one) => one.getBoundingClientRect());
  const over = (a, b) => a.left + 1 < b.right && b.left + 1 < a.right && a.top + 1 < b.bottom && b.top + 1 < a.bottom;
  return places.filter((one, at) => places.some((other, place) => place < at && over(one, other))).length;
}"""
RULE_ID = re.compile(r"\b[A-Z]{3}-\d")


def totals(recording: Recording) -> list[str]:
    """The totals that the account shows, the best first."""
    points = recording.ended.result.points if recording.ended.result else None
    return [str(one) for one in sorted(points or (), reverse=True)]


@pytest.mark.parametrize(("game", "seats", "options"), CASES, ids=lambda value: str(value))
async def test_the_result_follows_the_last_move_and_explains_every_score_in_a_table(
    browser: Browser, game: str, seats: int, options: dict[str, Any]
) -> None:
    recording = record(game, seats, f"result {game}", **options)
    page = await browser.new_page(viewport={"width": 390, "height": 844}, reduced_motion="no-preference")
    await page.clock.install()
    show = Show(page, recording)
    await show.open()
    await show.go_to(len(recording.updates) - 2)
    await page.evaluate(NOTE_END)
    await show.step()
    await page.wait_for_selector(".page.table.is-ended")
    assert await page.evaluate("resultsAtEnd") == 0
    await page.clock.run_for(2500)
    result = page.locator(".result")
    await expect(result).to_be_visible()
    assert not RULE_ID.search(await result.inner_text())
    rows = result.locator(".account tbody tr")
    await expect(rows).to_have_count(seats)
    await expect(result.get_by_text("Brie", exact=True)).to_have_count(1)  # nobody is listed twice
    shown = [int(await place.inner_text()) for place in await result.locator(".place").all()]
    assert shown == sorted(recording.ended.result.places if recording.ended.result else ())
    assert await result.locator(".account").evaluate(COVERED) == 0
    wide = await result.locator(".account .scroll").evaluate("(box) => box.scrollWidth - box.clientWidth")
    assert wide <= 0, f"{wide} px of the table are cut off"
    last = [re.findall(r"-?\d+", await row.locator("td").last.inner_text())[-1:] for row in await rows.all()]
    if totals(recording) and game != "cheesedog":
        assert sorted((int(one[0]) for one in last), reverse=True) == [int(one) for one in totals(recording)]
    places = recording.ended.result.places if recording.ended.result else ()
    assert await result.locator(".tie").count() == (places.count(1) > 1)
    for label in ("Play again", "Another game…", "To the lobby"):
        await expect(result.get_by_role("button", name=label)).to_be_visible()
    assert await findings(page) == []


# The buttons of the result: how many rows they take, how much of the sheet's height, and which texts are cut off.
BUTTONS = """(row) => {
  const parts = [...row.querySelectorAll("button, a")];
  const cut = parts.filter((one) => one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1);
  const tops = new Set(parts.map((one) => Math.round(one.getBoundingClientRect().top)));
  return [tops.size, cut.map((one) => one.textContent)];
}"""


# The names that are cut off, and whether the table of points is wider than the sheet.
CUT = """(account) => {
  const isCut = (one) => one.scrollWidth > one.clientWidth + 1;
  const names = [...account.querySelectorAll("tbody th")].filter(isCut).map((one) => one.textContent);
  const wide = [...account.querySelectorAll(".scroll")].filter(isCut).map((one) => `${one.scrollWidth} px wide`);
  return [...names, ...wide];
}"""


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("game", sorted({case[0] for case in CASES}))
async def test_on_a_small_phone_the_buttons_take_two_rows_and_long_names_are_whole(
    browser: Browser, game: str, language: str
) -> None:
    recording = record(game, 4, "result phone")
    ended = recording.ended
    long = msgspec.structs.replace(ended.seats[1], name="Bartholomew Wensleydale")
    seats = (ended.seats[0], long, *ended.seats[2:])
    page = await browser.new_page(viewport={"width": 360, "height": 640}, reduced_motion="reduce")
    show = Show(page, recording._replace(ended=msgspec.structs.replace(ended, seats=seats)), language)
    await show.open()
    await show.go_to(len(recording.updates) - 1)
    assert await page.locator(".result .begin").evaluate(BUTTONS) == [2, []]
    account = page.locator(".result .account")
    await expect(account.locator("tbody th .name", has_text="Wensleydale")).to_have_text("Bartholomew Wensleydale")
    assert await account.evaluate(CUT) == []


async def test_the_result_of_cheesedog_says_how_many_of_the_cards_left_are_in_hand_as_the_seat_does(
    browser: Browser,
) -> None:
    recording = next(one for one in (record("cheesedog", 4, f"left {at}") for at in range(50)) if has_cards_lying(one))
    view = recording.updates[-1].view
    dog = next(seat for seat in range(4) if seat not in view.escaped)
    held, lying = view.hands[dog], len(view.ups[dog]) + sum(view.downs[dog])
    page = await browser.new_page(reduced_motion="reduce")
    show = Show(page, recording)
    await show.open()
    await show.go_to(len(recording.updates) - 1)
    row = page.locator(".dog-account tbody tr").last
    await expect(row).to_contain_text(f"{held + lying} cards left, {held} of them in hand")


def has_cards_lying(recording: Recording) -> bool:
    """Whether the Cheesedog is left with cards in hand and before it."""
    view = recording.updates[-1].view
    dog = next(seat for seat in range(4) if seat not in view.escaped)
    return view.hands[dog] > 0 and any(view.downs[dog])


async def test_a_tie_is_explained_only_if_there_was_one(browser: Browser) -> None:
    recording = record("chesterfield", 3, "tie")
    result = recording.ended.result
    assert result is not None
    tied = msgspec.structs.replace(result, places=(1, 2, 3), points=(20, 20, 5))
    ended = msgspec.structs.replace(recording.ended, result=tied)
    page = await browser.new_page(reduced_motion="reduce")
    show = Show(page, recording._replace(ended=ended))
    await show.open()
    await show.go_to(len(recording.updates) - 1)
    await expect(page.locator(".result .tie")).to_contain_text("had the same points: the best single set decided.")


async def test_without_motion_too_the_result_waits_until_the_last_move_has_been_seen(browser: Browser) -> None:
    recording = record("cheesedog", 4, "result still")
    page = await browser.new_page(viewport={"width": 390, "height": 844}, reduced_motion="reduce")
    await page.clock.install()
    show = Show(page, recording)
    await show.open()
    await show.go_to(len(recording.updates) - 2)
    await page.evaluate(NOTE_END)
    await show.step()
    await page.wait_for_selector(".page.table.is-ended")
    assert await page.evaluate("resultsAtEnd") == 0
    await page.clock.run_for(2500)
    await expect(page.locator(".result")).to_be_visible()
