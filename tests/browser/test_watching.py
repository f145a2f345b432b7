"""Watching in the browser: what watchers of a table see, looking back, consent, and the page of live tables."""

from __future__ import annotations

import random
from pathlib import Path

from playwright.async_api import Page, expect

from tests.browser.people import MODULES, PHONE, People, host_of, stop_clock
from tests.browser.test_access import findings
from tests.client import Client, fill
from tests.service import Service

ENTRY = "() => Number(document.querySelector('.page.table').dataset.entry)"
# Begin a beat of a table, as something decisive does.
BEAT = f"""(table) => {MODULES}.then((modules) => {{
  modules["net.js"].openFeed(table).beats.shown.value = {{ ms: 60_000, stage: "decided" }};
}})"""


async def some_moves(player: Client, table: str, count: int, chance: random.Random) -> None:
    """So many moves of this player; house bots have the other seats."""
    for _ in range(count):
        since = len(player.received)
        last = player.updates(table)[-1]
        if not last.get("ask"):
            last = await player.until(lambda m: m["type"] == "update" and m["table"] == table and m.get("ask"), since)
        ask = last["ask"]
        move = fill(chance.choice(ask["offers"]), chance)
        done = await player.request("move", table=table, ask=ask["n"], key=f"{chance.random()}", move=move)
        if done["type"] == "ok":
            await player.entry(table, done["n"])


async def last_entry(player: Client, table: str) -> int:
    """The number of the last entry, once the bots have moved and the table waits for this player."""
    while not player.updates(table)[-1].get("ask"):
        await player.next("update", table=table)
    return int(player.updates(table)[-1]["n"])


async def step_back(page: Page, live: int) -> None:
    """Look back by keyboard and return to the present with one key. Nothing of the present is shown in the past."""
    await expect(page.locator(".seat .seconds")).not_to_have_count(0)
    await page.keyboard.press("ArrowLeft")
    await expect(page.locator(".seat .seconds")).to_have_count(0)  # no clock runs in the past
    back = page.get_by_role("button", name="Back to live")
    await expect(back).to_be_visible()
    box, row = await back.bounding_box(), await page.locator(".watch-line").bounding_box()
    assert box
    assert row
    assert box["x"] + box["width"] <= row["x"] + row["width"]
    assert row["y"] <= box["y"] < box["y"] + box["height"] <= row["y"] + row["height"]
    assert await back.evaluate("(button) => button.scrollHeight <= button.clientHeight + 1")
    assert await page.evaluate(ENTRY) < live
    await page.evaluate(BEAT, page.url.rpartition("/")[2])
    await expect(page.locator(".beat")).to_have_count(0)
    await page.keyboard.press("l")
    await expect(page.locator(".beat")).to_be_visible()
    await expect(page.locator(".on-air")).to_be_visible()
    await page.wait_for_function(f"() => ({ENTRY})() >= {live}")


async def test_a_late_watcher_sees_all_hands_and_what_happened_and_looks_back(
    people: People, service: Service, shots: Path
) -> None:
    late = {"see": "all", "late": 3}
    host, table = await host_of(service, "cheesedog", "relaxed", bots="random", watching=late)  # with a clock for all
    chance = random.Random("late watcher")
    await some_moves(host, table, 4, chance)
    for name, size in (("laptop", (1280, 720)), ("phone", PHONE)):
        page = await people.come(size)
        await page.goto(f"{service.http}/t/{table}")
        await expect(page.locator(".watch-line")).to_contain_text("3 moves late")
        await expect(page.locator(".open-hand")).to_have_count(4)
        if name == "laptop":
            await expect(page.locator(".log li").nth(3)).to_be_attached()  # the log of what happened before
        first = await page.evaluate(ENTRY)
        await some_moves(host, table, 2, chance)
        await page.wait_for_function(f"() => ({ENTRY})() > {first}")
        last = await last_entry(host, table)
        await page.wait_for_function(f"() => ({ENTRY})() >= {last} - 3")
        assert await page.evaluate(ENTRY) <= last - 3
        await page.screenshot(path=shots / f"watching-{name}.png")
        assert await findings(page) == []
        await step_back(page, await page.evaluate(ENTRY))
    await host.close()


async def test_players_are_asked_before_watchers_see_more(people: People, service: Service) -> None:
    host, table = await host_of(service, "cheesedog", public=False, watching={"see": "nobody"})
    page = await people.come()
    await page.goto(f"{service.http}/t/{table}")
    await expect(page.locator(".invitation")).to_contain_text("Nobody may watch.")
    await page.get_by_role("button", name="Sit here").click()
    await expect(page.locator(".waiting")).to_contain_text("Nobody may watch.")
    await host.request("start", table=table)
    await host.request("configure", table=table, watching={"see": "seat", "seat": 0})
    asks = page.get_by_role("alertdialog", name="Do you agree?")
    await expect(asks).to_contain_text("Watchers see what")
    assert "watching" in host.last("table")
    assert host.last("table")["watching"] == {"see": "nobody"}
    await asks.get_by_role("button", name="Agree").click()
    await host.next("table", 0, watching={"see": "seat", "seat": 0})
    await expect(asks).to_have_count(0)
    watcher = await people.come(PHONE)
    await watcher.goto(f"{service.http}/t/{table}")
    await expect(watcher.locator(".watch-line")).to_contain_text("You see what")
    await expect(watcher.locator(".me .hand")).to_be_visible()
    await host.close()


async def test_the_page_of_live_tables_switches_by_itself_when_a_game_ends(
    people: People, service: Service, shots: Path
) -> None:
    first, watched = await host_of(service, "do_my_bidding", bots="random")
    second, _ = await host_of(service, "cheesonomics", bots="random")
    fan = await Client.join(service.url, "Fan")
    await fan.request("open", table=watched)
    await fan.request("lobby", on=True)
    await fan.until(
        lambda m: (
            m["type"] == "tables" and any(t["table"] == watched and t.get("watchers") for t in m.get("tables", ()))
        )
    )
    page = await people.come((1280, 720))
    await page.clock.install()
    await page.goto(f"{service.http}/tv?screen")
    await expect(page.locator(".tv-large")).to_have_attribute("aria-label", "Do My Bidding")
    await expect(page.locator(".tv-small")).to_contain_text("Cheesonomics")
    await expect(page.get_by_role("button", name="To this table")).to_have_count(0)  # a big screen needs no input
    small = page.locator(".tv-table:has(.tv-board)").first
    assert await small.evaluate("(table) => table.scrollWidth - table.clientWidth") == 0  # nothing is cut off
    await page.screenshot(path=shots / "tv.png")
    assert await findings(page) == []
    await stop_clock(page)  # so that the page does not switch before the test has looked
    await first.request("close_table", table=watched)
    await fan.until(lambda m: m["type"] == "tables" and watched in m.get("gone", ()))
    await expect(page.locator(".tv-large")).to_have_attribute("aria-label", "Do My Bidding")
    for _ in range(300):  # the page may learn a moment later that the game is over
        await page.clock.fast_forward(1000)
        if await page.locator(".tv-large").get_attribute("aria-label") != "Do My Bidding":
            break
    await expect(page.locator(".tv-large")).not_to_have_attribute("aria-label", "Do My Bidding")
    for client in (first, second, fan):
        await client.close()
