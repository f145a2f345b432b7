"""Every game can be played to its result in a browser, by clicking, and watched."""

from __future__ import annotations

import random
import re

import pytest
from playwright.async_api import expect

from games import GAMES
from tests.browser.people import (
    GAME_S,
    LAPTOP,
    MOMENT,
    PHONE,
    People,
    asked,
    click_once,
    play_by_clicking,
    result,
)

EVERY_GAME = pytest.mark.parametrize("game", GAMES)
MAX_CLICKS = 1_000  # far more than a game has
# Sell a wedge with a symbol as soon as one lies in the wheels, and until then produce.
STEPS_TO_A_SWAP = (
    '.eco-do .do:has-text("Sell ")',
    '.wheels-row .piece.can[aria-label*=" with "]',
    '.eco-do .do:has-text("Produce")',
    ".at-turn .hand-row .piece.can",
)
pytestmark = pytest.mark.timeout(GAME_S + 60)


@EVERY_GAME
async def test_a_person_plays_to_the_result_by_clicking_while_another_watches(people: People, game: str) -> None:
    player = await people.come(LAPTOP, reduced_motion="reduce")  # the watcher sees the beats, and is not left behind
    watcher = await people.come(PHONE)
    table = await people.sit_down(player, game)
    await watcher.goto(f"{people.home}/t/{table}")
    await expect(watcher.locator(".board > *").first).to_be_visible()
    before = await watcher.locator(".news").inner_text()
    await play_by_clicking(player, random.Random(f"click {game}"))
    await expect(result(player)).to_be_visible()
    await expect(result(watcher)).to_be_visible()
    assert await watcher.locator(".news").inner_text() != before
    assert await watcher.locator(".me .can").count() == 0
    assert await result(watcher).inner_text() != ""
    places = await result(player).locator(".who").count()
    assert places == await player.locator(".others .seat").count() + 1


async def test_eco_25_a_person_swaps_a_market_wedge_with_an_opponent_by_clicking(people: People) -> None:
    player = await people.come(LAPTOP)
    await people.sit_down(player, "cheesonomics", variant="Sharp")
    chance, counter = random.Random("swap"), player.locator(".counter")
    moment = ""
    for _ in range(MAX_CLICKS):
        assert await asked(player, moment), "the game is over"
        if await counter.get_by_role("heading", name="Swap with").count():
            break
        for wanted in STEPS_TO_A_SWAP:
            if await player.locator(wanted).count():
                moment = str(await player.evaluate(MOMENT, ""))
                await player.locator(wanted).first.click()
                break
        else:
            moment = await click_once(player, chance)
    await counter.locator(".debt", has_text="has ").first.click()
    await player.locator(".eco-do .do", has_text="Swap with").click()
    await expect(counter.get_by_role("heading")).to_contain_text("market wedges: take one")
    await expect(player.locator(".supply-row [aria-pressed=true]")).to_have_count(0)  # nothing is given by accident
    own = player.locator(".supply-row [aria-pressed]").last
    given = ((await own.get_attribute("aria-label")) or "").removeprefix("Your market wedge ").partition(":")[0]
    await own.click()
    taking = counter.locator(".piece.can").first
    await expect(taking).to_have_attribute("aria-label", re.compile(f"^Take .* for {re.escape(given)}$"))
    taken = ((await taking.get_attribute("aria-label")) or "").removeprefix("Take ").partition(" for ")[0]
    await taking.click()
    await player.locator(".eco-do .do", has_text="Swap").click()
    await expect(player.get_by_text(f"You swapped {given} for {taken}.").first).to_be_attached()


async def test_after_a_game_one_click_starts_a_rematch_and_the_replay_can_be_downloaded(people: People) -> None:
    player = await people.come(reduced_motion="reduce")
    table = await people.sit_down(player, "cheesedog")
    await play_by_clicking(player, random.Random("rematch"))
    replay = await player.request.get(f"{people.home}/replays/{table}.jsonl")
    assert replay.ok
    assert (await replay.text()).count("\n") > 10
    await player.get_by_role("button", name="Play again").click()
    await player.wait_for_url(lambda url: table not in url)
    await player.wait_for_selector(".page.table > .me .can")


async def test_a_friend_joins_a_private_table_by_its_code(people: People) -> None:
    host, friend = await people.come(), await people.come(PHONE)
    await people.share_a_table(host, friend, "cheesedog")
    for page in (host, friend):
        await expect(page.locator(".others .seat")).to_have_count(3)
    assert host.url == friend.url
