"""Cards are dragged as well as tapped, with a mouse or a finger, and several are chosen in one gesture."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.async_api import Browser, Locator, Page, expect

from tests.browser.people import EFFECTS
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


async def test_a_finger_that_moves_across_the_hand_chooses_all_cards_that_it_passes(browser: Browser) -> None:
    page, _ = await shown(browser, "chesterfield", "cash_in")
    cards = page.locator(".cca-hand .lot")
    places = [await middle(cards.nth(at)) for at in range(3)]
    session: Any = await page.context.new_cdp_session(page)
    for number, (x, y) in enumerate(places):
        kind = "touchMove" if number else "touchStart"
        await session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
    await session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    assert await cards.first.evaluate("(one) => getComputedStyle(one).touchAction") == "none", "or the browser scrolls"
    await expect(page.locator(".cca-hand .lot[aria-pressed=true]")).to_have_count(3)


async def test_a_chosen_card_that_is_dropped_stays_chosen(browser: Browser) -> None:
    page, show = await shown(browser, "chesterfield", "cash_in")
    card = page.locator(".cca-hand .lot").first
    await card.click()
    await expect(card).to_have_attribute("aria-pressed", "true")
    await drag(page, await middle(card), await middle(page.locator(".board")))
    await expect(page.locator(".dragged")).to_have_count(0)
    await page.evaluate(EFFECTS)
    await expect(card).to_have_attribute("aria-pressed", "true")
    assert show.moves == []


async def test_a_gruyere_is_dropped_on_a_set(browser: Browser) -> None:
    for number in range(30):
        recording = record("chesterfield", 4, f"melt {number}")
        found = [
            at for at, one in enumerate(recording.updates) if one.ask and "melt" in moves_of(one) and one.view.sets[0]
        ]
        if found:
            break
    page = await browser.new_page(viewport={"width": 390, "height": 844}, reduced_motion="reduce")
    await page.add_init_script("localStorage.setItem('cheeseboard.hints', 'false')")
    show = Show(page, recording)
    await show.open()
    await show.go_to(found[0])
    gruyere = page.locator('.cca-hand .lot[data-place="card-Gruyere"]').first
    await drag(page, await middle(gruyere), await middle(page.locator(".my-set").first))
    assert [move["type"] for move in await show.sent()] == ["melt"]


async def test_a_wedge_is_dropped_on_a_space_of_the_tray(browser: Browser) -> None:
    page, show = await shown(browser, "cheesonomics", "produce")
    wedge = page.locator(".hand-row .piece.can").first
    space = page.locator(".tray .space.can").first
    await drag(page, await middle(wedge), await middle(space))
    await expect(space).to_have_attribute("aria-pressed", "true")
    assert show.moves == []
