"""Every game of the catalogue is played to its result in a browser: by clicking, by keyboard, and watched."""

from __future__ import annotations

import random

import pytest
from playwright.async_api import expect

from games import GAMES
from tests.browser.people import LAPTOP, PHONE, People, play_by_clicking, play_by_keyboard, result

EVERY_GAME = pytest.mark.parametrize("game", GAMES)


@EVERY_GAME
async def test_a_person_plays_to_the_result_by_clicking_while_another_watches(people: People, game: str) -> None:
    player = await people.come(LAPTOP)
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
    places = await result(player).locator("li").count()
    assert places == await player.locator(".others .seat").count() + 1


@EVERY_GAME
async def test_a_person_plays_to_the_result_by_keyboard_alone_on_a_phone(people: People, game: str) -> None:
    player = await people.come(PHONE)
    await people.sit_down(player, game)
    await play_by_keyboard(player, random.Random(f"keys {game}"))
    await expect(result(player)).to_be_visible()


async def test_a_rematch_is_one_tap_and_the_replay_can_be_kept(people: People) -> None:
    player = await people.come()
    table = await people.sit_down(player, "cheesedog")
    await play_by_clicking(player, random.Random("rematch"))
    replay = await player.request.get(f"{people.home}/replays/{table}.jsonl")
    assert replay.ok
    assert (await replay.text()).count("\n") > 10
    await player.get_by_role("button", name="Play again").click()
    await player.wait_for_url(lambda url: table not in url)
    await player.wait_for_selector(".page.table > .me .can")


async def test_a_private_table_is_joined_by_its_code(people: People) -> None:
    host, friend = await people.come(), await people.come(PHONE)
    await people.share_a_table(host, friend, "cheesedog")
    for page in (host, friend):
        await expect(page.locator(".others .seat")).to_have_count(3)
    assert host.url == friend.url
