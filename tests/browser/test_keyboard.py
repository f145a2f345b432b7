"""Every game can be played by keyboard alone, and one by what a screen reader is told.

`EVERY=1` plays every game to its end (`make keyboard`); otherwise the longer ones are left after 30 presses.
"""

from __future__ import annotations

import contextlib
import os
import random
import re
import time
from typing import Any, NamedTuple

import pytest
from playwright.async_api import CDPSession, Error, Page, expect

from games import GAMES
from tests.browser.people import GAME_S, LAPTOP, PHONE, People, asked, host_of, play_by_keyboard, press_once, result
from tests.service import Service

pytestmark = pytest.mark.timeout(GAME_S + 60)
# The long games are played to their end by `make keyboard` only: Chesterfield takes hundreds of presses.
MOST_PRESSES = 10_000 if os.environ.get("EVERY") else 30
AT_THE_TABLE = "() => document.activeElement.closest('.hand, .board, .controls') !== null"
TURN_OR_END = "() => document.title.startsWith('Your turn') || document.querySelector('[aria-label=Result]')"
# A hand of three cards, which vanish when they are pressed, beside something else that can be done.
PLAYED_CARDS = """() => {
  const app = document.getElementById("app");
  const table = document.createElement("main");
  table.className = "page table";
  table.innerHTML = `<div class="controls"><button class="can" id="pass">Pass</button></div>
    <div class="hand"><button id="a">A</button><button id="b">B</button><button id="c">C</button></div>`;
  for (const card of table.querySelectorAll(".hand button")) card.onclick = () => card.remove();
  app.append(table);
}"""


async def tab_to(page: Page, selector: str) -> None:
    """Press Tab until the focus is on this element."""
    for _ in range(100):
        if await page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
            return
        await page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not reach {selector}")


async def entry(page: Page) -> int:
    """The number of the entry that the page of a table shows."""
    return int(await page.locator(".page.table").get_attribute("data-entry") or 0)


async def start(people: People, page: Page, game: str) -> None:
    """Start a game with bots from the lobby, by keyboard alone."""
    await page.goto(people.home)
    await page.wait_for_selector(".play .do.big:enabled")
    await tab_to(page, ".game-card")
    for _ in GAMES:
        if await page.evaluate("(name) => document.activeElement.matches(name)", f".game-card.of-{game}"):
            break
        await page.keyboard.press("ArrowRight")
    await expect(page.locator(f".game-card.of-{game}")).to_be_checked()
    await tab_to(page, ".play .do.big")
    await page.keyboard.press("Enter")
    await page.wait_for_selector(".page.table > .me, .page.table .result")


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
async def test_a_game_is_played_by_keyboard_alone_on_a_phone(people: People, game: str) -> None:
    page = await people.come(PHONE, reduced_motion="reduce")  # without beats, which only take time here
    await start(people, page, game)
    before = await entry(page)
    if await play_by_keyboard(page, random.Random(f"keys {game}"), MOST_PRESSES):
        await expect(result(page)).to_be_visible()
    else:
        assert await entry(page) >= before + MOST_PRESSES // 4


async def test_tab_reaches_a_radio_group_once_and_arrow_keys_choose(people: People) -> None:
    page = await people.come(LAPTOP)
    await page.goto(people.home)
    await page.wait_for_selector(".game-card")
    cards = page.locator(".game-card")
    await expect(page.locator(".game-card:not([tabindex='-1'])")).to_have_count(1)
    await cards.first.focus()
    for key, place in (
        ("ArrowRight", 1),
        ("ArrowDown", 2),
        ("End", -1),
        ("ArrowRight", 0),
        ("ArrowLeft", -1),
        ("Home", 0),
    ):
        await page.keyboard.press(key)
        await expect(cards.nth(place)).to_be_focused()
        await expect(cards.nth(place)).to_be_checked()
    await page.keyboard.press("Tab")
    await expect(page.locator(".game-card:focus")).to_have_count(0)


async def test_the_preview_in_the_lobby_has_no_dead_buttons(people: People, service: Service) -> None:
    await host_of(service, "do_my_bidding", bots="random")  # a game that waits for its host, and so stays in the list
    page = await people.come(LAPTOP)
    await page.goto(people.home)
    preview = page.locator(".live-window:not(.empty)")
    await expect(preview.locator("button:not([inert] *)")).to_have_text(["Watch this table"])
    box = await preview.locator(".board").bounding_box()
    assert box
    await page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    await expect(page).to_have_url(re.compile("/t/[a-z0-9]+$"))


@pytest.mark.slow
async def test_the_focus_stays_at_the_table_after_each_move(people: People) -> None:
    page = await people.come(LAPTOP)
    await start(people, page, "cheesedog")
    chance, moment = random.Random("focus"), ""
    for _ in range(6):
        assert await asked(page, moment)
        moment = await press_once(page, chance)
        await page.wait_for_function(AT_THE_TABLE)


async def test_the_focus_moves_to_the_next_card_when_a_card_is_played(people: People) -> None:
    page = await people.come(LAPTOP)
    await page.goto(people.home)
    await page.evaluate(PLAYED_CARDS)
    await page.locator("#b").focus()
    await page.keyboard.press("Enter")
    await expect(page.locator("#c")).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(page.locator("#a")).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(page.locator("#pass")).to_be_focused()


class Control(NamedTuple):
    """A control as a screen reader knows it."""

    node: int
    name: str


async def controls(session: CDPSession) -> list[Control]:
    """The buttons in the regions of the table that are not disabled, from the accessibility tree."""
    tree = await session.send("Accessibility.getFullAXTree")
    nodes = {node["nodeId"]: node for node in tree["nodes"]}

    def text(node: dict[str, Any], field: str) -> str:
        return str(node.get(field, {}).get("value", ""))

    def inside(node: dict[str, Any]) -> bool:
        while node:
            if text(node, "role") == "region" and text(node, "name") in ("You", "The table"):
                return True
            node = nodes.get(node.get("parentId", ""), {})
        return False

    def disabled(node: dict[str, Any]) -> bool:
        return any(one["name"] == "disabled" and one["value"].get("value") for one in node.get("properties", ()))

    buttons = (node for node in nodes.values() if text(node, "role") == "button" and not node.get("ignored"))
    return [Control(one["backendDOMNodeId"], text(one, "name")) for one in buttons if inside(one) and not disabled(one)]


@pytest.mark.slow
async def test_a_game_is_played_by_what_the_accessibility_tree_says(people: People) -> None:
    page = await people.come(LAPTOP, reduced_motion="reduce")  # without beats, which only take time here
    await page.goto(people.home)
    await page.get_by_role("radio", name="Cheesedog").click()
    await page.get_by_role("button", name="Play with bots").click()
    session = await page.context.new_cdp_session(page)
    chance, end = random.Random("tree"), time.monotonic() + GAME_S
    over = page.get_by_role("region", name="Result")
    before = 0
    for _ in range(MOST_PRESSES):
        await page.wait_for_function(TURN_OR_END, timeout=60_000)
        before = before or await entry(page)
        if await over.count():
            break
        assert time.monotonic() < end, f"not over after {GAME_S} s"
        found = await controls(session)
        assert all(one.name for one in found), "a button without a name"
        if found:
            await press(page, session, chance.choice(found))
    else:
        assert await entry(page) >= before + MOST_PRESSES // 4
        return
    await expect(over.get_by_role("heading").first).to_be_visible()


async def press(page: Page, session: CDPSession, control: Control) -> None:
    """Focus on a control and press Enter, unless it has just vanished."""
    with contextlib.suppress(Error):
        await session.send("DOM.focus", {"backendNodeId": control.node})
        await page.keyboard.press("Enter")
