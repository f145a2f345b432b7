"""Being away: whatever happens to the page, the network or the server, it comes back to the same place by itself."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from playwright.async_api import Route, WebSocketRoute, expect

from tests.browser.people import PHONE, People, asked, click_once, play_by_clicking, result
from tests.service import Service


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service of this module's own: its nodes are killed."""
    running = Service(tmp_path_factory.mktemp("data"))
    yield running
    running.stop()


async def test_play_goes_on_when_every_node_is_killed(people: People, service: Service) -> None:
    player = await people.come()
    loads: list[str] = []
    player.on("load", lambda page: loads.append(page.url))
    table = await people.sit_down(player, "cheesedog")
    chance = random.Random("killed")
    moment = ""
    for turn in range(12):
        if not await asked(player, moment):
            break
        if turn in (3, 7):
            assert service.kill("server.node") == 2
            await expect(player.locator(".link")).to_contain_text("Coming back by itself")
        moment = await click_once(player, chance)
    await expect(player.locator(".link")).to_be_empty()
    await play_by_clicking(player, chance)
    await expect(result(player)).to_be_visible()
    assert player.url.endswith(table)
    assert len(loads) == 1


async def test_a_reload_comes_back_to_the_same_hand(people: People) -> None:
    player = await people.come(PHONE)
    await people.sit_down(player, "cheesedog")
    await asked(player, "")
    hand = await player.locator(".hand").inner_text()
    await player.reload()
    await asked(player, "")
    assert await player.locator(".hand").inner_text() == hand


async def test_a_house_that_opens_the_door_and_says_nothing_is_asked_again(people: People) -> None:
    page = await people.come()
    met: list[WebSocketRoute] = []

    def meet(route: WebSocketRoute) -> None:
        met.append(route)
        if len(met) > 1:
            route.connect_to_server()

    await page.route_web_socket("**/ws", meet)
    await page.clock.install()
    await page.goto(people.home)
    await expect(page.locator(".link")).to_contain_text("Connecting")
    await page.clock.fast_forward(60_000)
    await page.wait_for_selector(".game-card")
    await expect(page.locator(".link")).to_be_empty()


async def test_a_page_that_may_keep_nothing_comes_back_as_the_same_person(people: People) -> None:
    player = await people.come()
    await player.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new Error('closed') } })"
    )
    await people.sit_down(player, "cheesedog")
    await player.context.set_offline(True)
    await expect(player.locator(".link")).to_contain_text("Connection lost")
    await player.context.set_offline(False)
    await expect(player.locator(".link")).to_be_empty()
    await asked(player, "")
    await expect(player.locator(".page.table.seated")).to_be_visible()


async def test_a_look_that_could_not_be_fetched_comes_later(people: People) -> None:
    player = await people.come()
    refused: list[str] = []

    async def refuse_once(route: Route) -> None:
        refused.append(route.request.url)
        await (route.abort() if len(refused) == 1 else route.continue_())

    await player.route("**/games/cheesedog.js*", refuse_once)
    await people.sit_down(player, "cheesedog")
    await expect(player.locator(".board .pile")).to_be_visible()
    assert len(refused) > 1


async def test_a_lost_network_is_said_and_survived(people: People) -> None:
    player = await people.come()
    await people.sit_down(player, "cheesedog")
    await asked(player, "")
    await player.context.set_offline(True)
    await expect(player.locator(".link")).to_contain_text("Connection lost")
    await player.context.set_offline(False)
    await expect(player.locator(".link")).to_be_empty()
    await asked(player, "")
    await click_once(player, random.Random("network"))


async def test_whoever_leaves_has_a_stand_in_and_takes_the_seat_back_with_one_tap(people: People) -> None:
    player, friend = await people.come(), await people.come(PHONE)
    await people.share_a_table(player, friend, "cheesedog")
    await player.get_by_role("button", name="Table menu").click()
    await player.get_by_role("button", name="a bot stands in").click()
    await expect(player.locator(".me")).to_contain_text("stands in for you")
    back = player.get_by_role("button", name="Take my seat back")
    await back.click()
    await expect(back).to_have_count(0)
    await expect(player.locator(".me-head .seat")).to_contain_text("you")
