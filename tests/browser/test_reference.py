"""Cards, wedges, dice and paintings tell their full text, and every game has a reference that agrees with its rules."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import Browser, expect

from games.chesterfield.deck import KINDS
from games.do_my_bidding.values import ARTS
from tests.browser.recorded import Show, record

THINGS = {
    "cheesedog": (".lying .card", "Four of one rank in a row clear the pile."),
    "chesterfield": (".me .lot-card", "in the deck."),
    "do_my_bidding": (".shown .painting", "It matches paintings by"),
    "diced_cheese": (".legend .die-face", "%:"),
    "cheesonomics": (".hand-row .wedge", "There are four of each in the box."),
}


@pytest.mark.parametrize("game", THINGS)
async def test_a_long_press_shows_the_full_text_and_the_reference_is_one_tap_away(browser: Browser, game: str) -> None:
    recording = record(game, 3, f"reference {game}")
    page = await browser.new_page(reduced_motion="reduce")
    await page.add_init_script("localStorage.setItem('cheeseboard.hints', 'false')")
    show = Show(page, recording)
    await show.open()
    await show.go_to(next(at for at, update in enumerate(recording.updates) if update.ask and at > 4))
    thing, text = THINGS[game]
    box = await page.locator(thing).first.bounding_box()
    assert box
    await page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    await page.mouse.down()
    await expect(page.locator(".news .why")).to_contain_text(text)
    await page.mouse.up()
    assert show.moves == []
    await page.get_by_role("button", name="Rules").click()
    reference = page.locator(".reference")
    await expect(reference).to_be_visible()
    if game == "chesterfield":
        rows = [await row.inner_text() for row in await reference.locator("tbody tr").all()]
        for row, (name, kind) in zip(rows, KINDS.items(), strict=True):
            assert re.search(rf"{name}\s+{kind.points}\s+\${kind.trade}\s.*\d of {kind.cards}$", row, re.DOTALL), row
    if game == "do_my_bidding":
        cells = [int((await cell.inner_text())[0]) for cell in await reference.locator("tbody td").all()]
        assert cells == [art.value for art in ARTS]
