"""Accessibility: axe-core finds nothing, nothing is cut off, and screenshots are taken."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.async_api import Page, expect

from games import GAMES
from tests.browser.people import EFFECTS, LAPTOP, PHONE, People, asked, click_once

AXE = Path(__file__).parents[2] / "web-client" / "node_modules" / "axe-core" / "axe.min.js"
SIZES = {"laptop": LAPTOP, "phone": PHONE}
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")

# The parts that must be visible without scrolling but are missing or hidden.
HIDDEN = """() => {
  const [high, wide] = [innerHeight + 1, innerWidth + 1];
  const inside = (box) => box.top >= -1 && box.left >= -1 && box.bottom <= high && box.right <= wide;
  const parts = [".bar", ".others", ".board", ".news", ".me", ".others .seat", ".me .prompt"];
  const all = (part) => [...document.querySelectorAll(`.page.table ${part}`)];
  const hidden = parts.filter((part) => !all(part).length).map((part) => `there is no ${part}`);
  for (const part of parts) if (!all(part).every((one) => inside(one.getBoundingClientRect()))) hidden.push(part);
  if (document.documentElement.scrollWidth > innerWidth) hidden.push("the page is too wide");
  if (document.documentElement.scrollHeight > innerHeight) hidden.push("the page scrolls");
  return hidden;
}"""


async def findings(page: Page) -> list[str]:
    """Return the violations that axe-core finds."""
    await page.evaluate(AXE.read_text())
    found: dict[str, Any] = await page.evaluate("axe.run({ resultTypes: ['violations'], preload: false })")
    assert len(found["passes"]) > 10, "axe-core looked at hardly anything"
    return [
        f"{one['id']}: {node['target']} {node['failureSummary']}"
        for one in found["violations"]
        for node in one["nodes"]
    ]


async def looks(page: Page) -> AsyncIterator[str]:
    """Show the page in each size and colour scheme. Yields a name for the picture."""
    for size, (width, height) in SIZES.items():
        await page.set_viewport_size({"width": width, "height": height})
        for scheme in SCHEMES:
            await page.emulate_media(color_scheme=scheme)
            await page.evaluate(EFFECTS)
            yield f"{size}-{scheme}"


async def test_the_lobby_is_accessible(people: People, shots: Path) -> None:
    page = await people.come()
    await page.goto(people.home)
    await page.wait_for_selector(".game-card")
    async for look in looks(page):
        await page.screenshot(path=shots / f"lobby-{look}.png", full_page=True)
        assert await findings(page) == [], look


async def in_play(people: People, page: Page, game: str, clicks: int) -> bool:
    """Sit down at a game and click this often; False if that has ended it."""
    await people.sit_down(page, game)
    chance, moment = random.Random(f"look {game}"), ""
    for _ in range(clicks):
        moment = await click_once(page, chance)
        if not await asked(page, moment):
            return False
    return True


@pytest.mark.parametrize("game", GAMES)
async def test_a_running_table_is_accessible_and_fits_the_window(people: People, shots: Path, game: str) -> None:
    page = await people.come(reduced_motion="reduce")
    clicks = 8
    while not await in_play(people, page, game, clicks):
        assert clicks, "the game was over before the first click"
        clicks //= 2  # the game was over by then
    async for look in looks(page):
        await page.wait_for_function("() => document.getAnimations().every((one) => one.playState !== 'running')")
        await page.screenshot(path=shots / f"{game}-{look}.png")
        assert await page.evaluate(HIDDEN) == [], look
        assert await findings(page) == [], look


async def test_a_key_opens_the_rules_and_closing_them_returns_the_focus(people: People) -> None:
    page = await people.come(PHONE)
    await people.sit_down(page, "cheesedog")
    await page.evaluate(EFFECTS)
    await page.keyboard.press("?")
    await page.wait_for_selector(".rules h3")
    assert await findings(page) == []
    await page.keyboard.press("Escape")
    await expect(page.locator(".sheet")).to_have_count(0)
    rules = page.get_by_role("button", name="Rules")
    await rules.click()
    await page.locator(".sheet").get_by_role("button", name="Close").click()
    await expect(rules).to_be_focused()
    await rules.click()
    await page.wait_for_selector(".rules h3")
    await page.go_back()
    await page.wait_for_selector(".game-card")
    await expect(page.locator(".sheet")).to_have_count(0)
    await expect(page).to_have_title("Cheeseboard")
