"""People at their browsers: they come in, play by clicking or by keyboard alone, and watch."""

from __future__ import annotations

import random
import time
from typing import Any

from playwright.async_api import Browser, BrowserContext, Locator, Page, expect

LAPTOP = (1366, 768)
PHONE = (390, 844)
PLAIN = "plain.test"  # leads to the same place as 127.0.0.1, but over plain http a browser does not trust it
GAME_S = 600  # no game takes a person longer than this when the bots do not pause
expect.set_options(timeout=30_000)

# One of the controls that can be used now: where its middle is, and whether a click there would reach it.
FIND = """(chance) => {
  const usable = (one) => !one.disabled && one.getAttribute("aria-disabled") !== "true" && one.checkVisibility();
  const found = [...document.querySelectorAll(".page.table > .board .can, .page.table > .me .can")].filter(usable);
  const one = found[Math.floor(chance * found.length)];
  if (!one) return null;
  one.scrollIntoView({ block: "nearest", inline: "nearest" });
  const box = one.getBoundingClientRect();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const hit = document.elementFromPoint(x, y);
  return { x, y, text: one.ariaLabel ?? one.textContent, open: hit === one || one.contains(hit) };
}"""
# Whether there is something to do, the game is over, or this is still the same moment as `before`.
READY = """(before) => {
  if (document.querySelector(".result")) return "over";
  const all = document.querySelectorAll(".page.table > .board .can, .page.table > .me .can");
  const cans = [...all].filter((one) => !one.disabled);
  const entry = document.querySelector(".page.table")?.dataset.entry;
  const now = [entry, ...cans.map((one) => one.ariaLabel ?? one.textContent)].join("|");
  return cans.length && now !== before ? "asked" : null;
}"""
MOMENT = READY.replace('return cans.length && now !== before ? "asked" : null', "return now")
FOCUSED = """() => {
  const one = document.activeElement;
  const mine = one.matches(".page.table > .board .can, .page.table > .me .can");
  return mine && !one.disabled && one.getAttribute("aria-disabled") !== "true";
}"""


class People:
    """Everybody who has come in during a test, and what went wrong in their pages."""

    def __init__(self, browser: Browser, home: str) -> None:
        self._browser = browser
        self._contexts: list[BrowserContext] = []
        self.home = home
        self.faults: list[str] = []

    async def come(self, size: tuple[int, int] = LAPTOP, **context: Any) -> Page:
        """Somebody new, with a browser of their own."""
        mine = await self._browser.new_context(viewport={"width": size[0], "height": size[1]}, **context)
        self._contexts.append(mine)
        page = await mine.new_page()
        page.on("pageerror", lambda fault: self.faults.append(str(fault)))
        page.on("console", self._heard)
        return page

    def _heard(self, message: Any) -> None:
        away = ("Failed to load resource", "WebSocket connection")  # what a server that is away leaves in the console
        if message.type == "error" and not message.text.startswith(away):
            self.faults.append(f"{message.text} ({message.location.get('url')})")

    async def tell(self) -> None:
        """Print what each of them has before their eyes."""
        for page in (page for context in self._contexts for page in context.pages):
            print(f"{page.url}:\n{await page.locator('body').inner_text()}\n")

    async def go_home(self) -> None:
        for context in self._contexts:
            await context.close()

    async def sit_down(self, page: Page, game: str) -> str:
        """Choose a game on the front page, play it with bots until it is this person's turn; the id of the table.

        About one game of Diced Cheese in a thousand is won before that: then the next one is played.
        """
        while True:
            await page.goto(self.home)
            await page.click(f".game-card.of-{game}")
            await page.click(".play .do.big")
            await page.wait_for_selector(".page.table > .me, .page.table .result")
            if await asked(page, ""):
                return page.url.rpartition("/t/")[2]

    async def share_a_table(self, host: Page, friend: Page, game: str) -> None:
        """Open a private table, have a friend come by its code, and start with bots on the other seats."""
        await host.goto(self.home)
        await host.click(f".game-card.of-{game}")
        await host.get_by_role("button", name="Private table").click()
        code = await host.locator(".waiting .code").inner_text()
        await friend.goto(self.home)
        await friend.get_by_label("Have a code?").fill(code.upper())
        await friend.locator("form").get_by_role("button", name="Join").click()  # not that of an open table
        await friend.get_by_role("button", name="Sit here").first.click()
        name = await friend.evaluate("JSON.parse(localStorage.getItem('cheeseboard.name'))")
        await expect(host.locator(".chairs .name", has_text=name).last).to_be_visible()
        await host.get_by_role("button", name="Start").click()
        for page in (host, friend):
            await page.wait_for_selector(".page.table > .me")


async def asked(page: Page, before: str, within_s: float = 60) -> bool:
    """Wait until this person may do something other than before; False when the game is over."""
    found = await page.wait_for_function(READY, arg=before, timeout=within_s * 1000)
    return bool(await found.json_value() == "asked")


async def click_once(page: Page, chance: random.Random) -> str:
    """Click on something that can be done; the moment it was done in."""
    moment = str(await page.evaluate(MOMENT, ""))
    for _ in range(20):
        spot = await page.evaluate(FIND, chance.random())
        if spot is None:
            return moment
        if spot["open"]:
            await page.mouse.click(spot["x"], spot["y"])
            return moment
    raise AssertionError(f"what can be done cannot be clicked: {spot}")


async def play_by_clicking(page: Page, chance: random.Random) -> None:
    """Click on anything that can be done until the game is over."""
    end, moment = time.monotonic() + GAME_S, ""
    while await asked(page, moment):
        assert time.monotonic() < end, f"not over after {GAME_S} s"
        moment = await click_once(page, chance)


async def press_once(page: Page, chance: random.Random) -> str:
    """Go with Tab to something that can be done and press Enter."""
    moment = str(await page.evaluate(MOMENT, ""))
    skip = chance.randrange(4)
    for _ in range(400):
        await page.keyboard.press("Tab")
        if await page.evaluate(FOCUSED):
            if skip == 0:
                await page.keyboard.press("Enter")
                return moment
            skip -= 1
        elif not await page.query_selector(".page.table .can"):
            return moment
    raise AssertionError(f"the keyboard does not reach what can be done: {moment}")


async def play_by_keyboard(page: Page, chance: random.Random) -> None:
    """Play with Tab and Enter alone until the game is over."""
    end, moment = time.monotonic() + GAME_S, ""
    while await asked(page, moment):
        assert time.monotonic() < end, f"not over after {GAME_S} s"
        moment = await press_once(page, chance)


def result(page: Page) -> Locator:
    """The result, once the game is over."""
    return page.locator(".result")


async def sees(page: Page, text: str) -> None:
    """Wait for a text on the page."""
    await expect(page.get_by_text(text).first).to_be_visible()
