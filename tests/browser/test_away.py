"""Interruptions: after a reload, a lost network or a dead server the page returns to the same game by itself."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator

import msgpack
import pytest
import redis
from playwright.async_api import Route, WebSocketRoute, expect

from server.store import keys
from tests.browser.people import PHONE, People, asked, click_once
from tests.service import Service


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service of its own for this module, because its nodes are killed."""
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
    for turn in range(4):
        assert await asked(player, moment)
        if turn in (1, 3):
            assert service.kill("server.app") == 2
            await expect(player.locator(".link")).to_contain_text("Reconnecting")
        moment = await click_once(player, chance)  # this may only choose a card, which needs no server
        await asyncio.to_thread(service.wait_for, "server.app", 2)
    await expect(player.locator(".link")).to_be_empty()
    for _ in range(3):
        assert await asked(player, moment)
        moment = await click_once(player, chance)
    assert player.url.endswith(table)
    assert len(loads) == 1


async def test_after_a_reload_the_hand_is_the_same(people: People) -> None:
    player = await people.come(PHONE)
    await people.sit_down(player, "cheesedog")
    await asked(player, "")
    hand = await player.locator(".hand").inner_text()
    assert hand
    await player.reload()
    await asked(player, "")
    assert await player.locator(".hand").inner_text() == hand


async def test_the_page_connects_again_if_no_welcome_comes(people: People) -> None:
    page = await people.come()
    connections: list[WebSocketRoute] = []

    def connect(route: WebSocketRoute) -> None:
        connections.append(route)
        if len(connections) > 1:  # the first one never gets an answer
            route.connect_to_server()

    await page.route_web_socket("**/ws", connect)
    await page.clock.install()
    await page.goto(people.home)
    await expect(page.locator(".link")).to_contain_text("Connecting")
    await page.clock.fast_forward(60_000)
    await page.wait_for_selector(".game-card")
    await expect(page.locator(".link")).to_be_empty()


async def test_a_table_that_fails_again_and_again_is_not_asked_for_for_ever(people: People) -> None:
    page = await people.come()
    asked_for: list[int] = []
    refusal = {"type": "error", "code": "internal", "message": "this went wrong on our side; nothing was changed"}

    def connect(route: WebSocketRoute) -> None:
        server = route.connect_to_server()

        def pass_on(frame: str | bytes) -> None:
            assert isinstance(frame, bytes)
            message = msgpack.unpackb(frame)
            if message["type"] == "open":
                asked_for.append(message["id"])
                route.send(msgpack.packb({**refusal, "id": message["id"]}))
            else:
                server.send(frame)

        route.on_message(pass_on)

    await page.route_web_socket("**/ws*", connect)
    await page.goto(f"{people.home}/t/abcdefghjkmn")
    await expect(page.locator("h1")).to_contain_text("This table cannot be opened")
    await expect(page.locator("main")).to_contain_text("this went wrong on our side")
    assert len(asked_for) == 3


async def test_a_table_whose_log_is_damaged_says_why_it_is_closed(people: People, service: Service) -> None:
    player = await people.come()
    table = await people.sit_down(player, "cheesedog")
    await asked(player, "")  # so nobody else moves now
    name = table.rpartition("/")[2]
    with redis.Redis(unix_socket_path=str(service.data / "store.sock")) as store:
        n = int(store.xlen(keys.table_log(name))) + 1
        store.xadd(keys.table_log(name), {"e": b"rubbish"}, id=f"{n}-0")
        store.execute_command("SPUBLISH", keys.table_channel(name), b"%d rubbish" % n)
    await expect(player.locator(".notice")).to_contain_text("its game was damaged on our side")
    await expect(player.locator(".me .can")).to_have_count(0)


async def test_without_storage_the_page_reconnects_as_the_same_user(people: People) -> None:
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


async def test_a_renderer_that_fails_to_load_is_loaded_again(people: People) -> None:
    player = await people.come()
    refused: list[str] = []

    async def refuse_once(route: Route) -> None:
        refused.append(route.request.url)
        await (route.abort() if len(refused) == 1 else route.continue_())

    await player.route("**/games/cheesedog.js*", refuse_once)
    await people.sit_down(player, "cheesedog")
    await expect(player.locator(".board .pile")).to_be_visible()
    assert len(refused) > 1


async def test_the_page_shows_a_lost_connection_and_recovers(people: People) -> None:
    player = await people.come()
    await people.sit_down(player, "cheesedog")
    await asked(player, "")
    await player.context.set_offline(True)
    await expect(player.locator(".link")).to_contain_text("Connection lost")
    await player.context.set_offline(False)
    await expect(player.locator(".link")).to_be_empty()
    await asked(player, "")
    await click_once(player, random.Random("network"))


async def test_a_stand_in_plays_for_a_player_who_left_until_they_take_the_seat_back(people: People) -> None:
    player, friend = await people.come(), await people.come(PHONE)
    await people.share_a_table(player, friend, "cheesedog")
    await player.get_by_role("button", name="Table menu").click()
    await player.get_by_role("button", name="a bot stands in").click()
    await expect(player.locator(".me")).to_contain_text("stands in for you")
    back = player.get_by_role("button", name="Take my seat back")
    await back.click()
    await expect(back).to_have_count(0)
    await expect(player.locator(".controls .seat.mine")).to_be_visible()
