"""Cards are dragged as well as tapped, with a mouse or a finger, and several are chosen in one gesture."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.async_api import Browser, Locator, Page, expect

from tests.browser.recorded import Show, record
from tests.browser.test_log import index_of, moves_of


async def shown(browser: Browser, game: str, move: str) -> tuple[Page, Show]:
    """A page that shows the first moment of a game at which this move is offered."""
    recording = record(game, 4, f"drag {game}")
    page = await browser.new_page(viewport={"width": 390, "height": 844}, reduced_motion="reduce")
    await page.add_init_script("localStorage.setItem('cheeseboard.hints', 'false')")
    show = Show(page, recording)
    await show.open()
    await show.go_to(index_of(recording, lambda update: update.ask is not None and move in moves_of(update)))
    return page, show


async def middle(one: Locator) -> tuple[float, float]:
    box = await one.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


async def drag(page: Page, *places: tuple[float, float]) -> None:
    """Press the mouse at the first place, move it over the others, and release it at the last."""
    await page.mouse.move(*places[0])
    await page.mouse.down()
    for place in places[1:]:
        await page.mouse.move(*place, steps=6)
    await page.mouse.up()


async def test_a_card_that_is_dropped_on_the_board_is_played(browser: Browser, shots: Path) -> None:
    page, show = await shown(browser, "cheesedog", "play")
    card = page.locator(".rank.can:not([data-count])").first
    start, board = await middle(card), await middle(page.locator(".board"))
    await drag(page, start, board, start)
    assert show.moves == [], "a card that is brought back is not played"
    await expect(page.locator(".dragged")).to_have_count(0)
    await page.mouse.down()
    await page.mouse.move(*board, steps=6)
    await expect(page.locator(".dragged")).to_have_count(1)
    await page.screenshot(path=shots / "drag.png")
    await page.mouse.up()
    await expect(page.locator(".prompt")).to_have_text("Sent…")
    assert [move["type"] for move in await show.sent()] == ["play"]


async def test_a_pointer_that_moves_across_the_hand_chooses_all_cards_that_it_passes(browser: Browser) -> None:
    page, show = await shown(browser, "chesterfield", "cash_in")
    cards = page.locator(".cca-hand .lot")
    places = [await middle(cards.nth(at)) for at in range(3)]
    await drag(page, *places)
    await expect(page.locator(".cca-hand .lot[aria-pressed=true]")).to_have_count(3)
    await cards.nth(1).click()
    await expect(page.locator(".cca-hand .lot[aria-pressed=true]")).to_have_count(2)
    assert show.moves == []


async def test_a_finger_drags_a_card(browser: Browser) -> None:
    page, show = await shown(browser, "cheesedog", "play")
    card = page.locator(".rank.can:not([data-count])").first
    (x, y), (to_x, to_y) = await middle(card), await middle(page.locator(".board"))
    session: Any = await page.context.new_cdp_session(page)
    for step in range(7):
        at = {"x": x + (to_x - x) * step / 6, "y": y + (to_y - y) * step / 6}
        await session.send(
            "Input.dispatchTouchEvent", {"type": "touchMove" if step else "touchStart", "touchPoints": [at]}
        )
    await session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    await expect(page.locator(".prompt")).to_have_text("Sent…")
    assert [move["type"] for move in await show.sent()] == ["play"]
