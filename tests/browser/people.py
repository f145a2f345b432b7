"""People with browsers, who play by clicking or by keyboard alone, and watch."""

from __future__ import annotations

import random
import time
from typing import Any

from playwright.async_api import Browser, BrowserContext, Locator, Page, expect

from tests.client import Client
from tests.service import Service

LAPTOP = (1366, 768)
PHONE = (390, 844)
PLAIN = "plain.test"  # resolves to 127.0.0.1, but over plain http it is not a secure context
GAME_S = 600  # the longest that a game may take
# A promise of the modules of the page, by their paths.
MODULES = "import(document.querySelector('script[type=module]').src).then(({ modules }) => modules)"
# A promise that is kept once the effects of what the page shows have run, which happens in a task after the next frame.
# Until then what is shown does not listen to keys.
EFFECTS = "new Promise((done) => requestAnimationFrame(() => setTimeout(done)))"
expect.set_options(timeout=30_000)

# Pick one of the controls that can be used now: the position of its centre, and whether a click there would reach it.
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
# "over" if the game is over, "asked" if there is a usable control and the page has changed since `before`, else null.
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
    """All people of a test, and the errors in their pages."""

    def __init__(self, browser: Browser, home: str) -> None:
        self._browser = browser
        self._contexts: list[BrowserContext] = []
        self.home = home
        self.errors: list[str] = []

    async def come(self, size: tuple[int, int] = LAPTOP, **context: Any) -> Page:
        """Open a page for a new person, with a browser context of their own."""
        settings: dict[str, Any] = {"viewport": {"width": size[0], "height": size[1]}, "service_workers": "block"}
        mine = await self._browser.new_context(**{**settings, **context})
        self._contexts.append(mine)
        page = await mine.new_page()
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", self._on_console)
        return page

    def _on_console(self, message: Any) -> None:
        expected = ("Failed to load resource", "WebSocket connection")  # during an outage of the server
        if message.type == "error" and not message.text.startswith(expected):
            self.errors.append(f"{message.text} ({message.location.get('url')})")

    async def print_pages(self) -> None:
        """Print the text of every page."""
        for page in (page for context in self._contexts for page in context.pages):
            print(f"{page.url}:\n{await page.locator('body').inner_text()}\n")

    async def close(self) -> None:
        """Close all browser contexts."""
        for context in self._contexts:
            await context.close()

    async def sit_down(self, page: Page, game: str, **options: str) -> str:
        """Start a game with bots from the lobby and wait for this person's turn. Return the id of the table.

        `options` are variants of the game by the names on the page.

        About one game of Diced Cheese in a thousand is won before that; then another one is started.
        """
        for _ in range(5):
            await page.goto(self.home)
            await page.click(f".game-card.of-{game}")
            for value in options.values():
                await page.locator(".variants").get_by_role("radio", name=value).click()
            await page.click(".play .do.big")
            await page.wait_for_selector(".page.table > .me, .page.table .result")
            if await asked(page, ""):
                return page.url.rpartition("/t/")[2]
        raise AssertionError(f"five games of {game} were over before it was this person's turn")

    async def share_a_table(self, host: Page, friend: Page, game: str) -> None:
        """Open a private table, let a friend join by its code, and start with bots on the other seats."""
        await host.goto(self.home)
        await host.click(f".game-card.of-{game}")
        await host.get_by_role("button", name="Private table").click()
        code = await host.locator(".waiting .code").inner_text()
        await friend.goto(self.home)
        await friend.get_by_label("Have a code?").fill(code.upper())
        await friend.locator("form").get_by_role("button", name="Join").click()  # not the button of an open table
        await friend.get_by_role("button", name="Sit here").first.click()
        name = await friend.evaluate("JSON.parse(localStorage.getItem('cheeseboard.name'))")
        await expect(host.locator(".chairs .name", has_text=name).last).to_be_visible()
        await host.get_by_role("button", name="Start").click()
        for page in (host, friend):
            await page.wait_for_selector(".page.table > .me")


async def host_of(service: Service, game: str, speed: str = "untimed", **options: Any) -> tuple[Client, str]:
    """A player without a browser who hosts a table, and its id."""
    host = await Client.join(service.url, "Ada")
    made = await host.request("create", game=game, seats=4, speed=speed, **options)
    await host.request("open", table=made["table"])
    await host.next("update", 0, table=made["table"])
    return host, made["table"]


async def stop_clock(page: Page) -> None:
    """Stop the clock of a page, which must be installed: from now on nothing on the page happens after a while."""
    now_ms = await page.evaluate("Date.now()")
    await page.clock.pause_at(now_ms / 1000 + 10)  # it runs until then, so this must not be in its past


async def asked(page: Page, before: str, within_s: float = 60) -> bool:
    """Wait until this person can act and the page has changed since `before`. Return False if the game is over."""
    found = await page.wait_for_function(READY, arg=before, timeout=within_s * 1000)
    return bool(await found.json_value() == "asked")


async def click_once(page: Page, chance: random.Random) -> str:
    """Click on a random usable control. Return the state of the page before the click."""
    moment = str(await page.evaluate(MOMENT, ""))
    for _ in range(20):
        spot = await page.evaluate(FIND, chance.random())
        if spot is None:
            return moment
        if spot["open"]:
            await page.mouse.click(spot["x"], spot["y"])
            return moment
    raise AssertionError(f"the control is covered and cannot be clicked: {spot}")


async def play_by_clicking(page: Page, chance: random.Random) -> None:
    """Click on random usable controls until the game is over."""
    end, moment = time.monotonic() + GAME_S, ""
    while await asked(page, moment):
        assert time.monotonic() < end, f"not over after {GAME_S} s"
        moment = await click_once(page, chance)


async def press_once(page: Page, chance: random.Random) -> str:
    """Move to a random usable control with Tab and arrow keys and press Enter. Return the page's state before that."""
    moment = str(await page.evaluate(MOMENT, ""))
    skip = chance.randrange(4)
    for _ in range(400):
        if await page.evaluate(FOCUSED):
            if skip == 0:
                await page.keyboard.press("Enter")
                return moment
            skip -= 1
        elif not await page.query_selector(".page.table .can"):
            return moment
        await page.keyboard.press("Tab" if chance.random() < 0.3 else "ArrowRight")
    raise AssertionError(f"Tab and arrow keys do not reach a usable control: {moment}")


async def play_by_keyboard(page: Page, chance: random.Random, most: int = 10_000) -> bool:
    """Play with Tab, arrow keys and Enter alone, with at most so many presses; return whether the game is over."""
    end, moment, pressed = time.monotonic() + GAME_S, "", 0
    while await asked(page, moment):
        if pressed >= most:
            return False
        assert time.monotonic() < end, f"not over after {GAME_S} s"
        moment = await press_once(page, chance)
        pressed += 1
    return True


def result(page: Page) -> Locator:
    """Locate the result, which is there once the game is over."""
    return page.locator(".result")
