"""A climax is played out before anything on the page tells how it ends. `SHOTS=folder` keeps the pictures of each."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from playwright.async_api import Browser, Page, expect

from games import GAMES
from tests.browser.people import MODULES, stop_clock
from tests.browser.recorded import TABLE, Recording, Show, record
from tests.client import WAIT_S

CLIMAXES = (
    ("chesterfield", "secrets_revealed"),
    ("chesterfield", "upkeep_revealed"),
    ("chesterfield", "sold"),
    ("do_my_bidding", "sold"),
    ("diced_cheese", "rolled"),
    ("cheesedog", "turned_over"),
)
# Note every state of the page: whether a beat is played, and everything else that could tell what happened.
WATCH = """() => {
  const text = (query) => [...document.querySelectorAll(query)].map((one) => one.textContent).join("|");
  const tells = [".news .just", ".log", ".seat .badges", ".paddle", ".prompt", ".legend", ".wheel-count", ".result"];
  globalThis.noted = [];
  const note = () => noted.push({
    beat: document.querySelector(".beat") !== null,
    entry: document.querySelector(".page.table").dataset.entry,
    told: tells.map(text).join("#") + document.title,
  });
  const all = { subtree: true, childList: true, attributes: true, characterData: true };
  new MutationObserver(note).observe(document.body, all);
  note();
}"""


def kinds(update: Any) -> set[str]:
    return {type(event).__struct_config__.tag for event in update.events}


def with_climax(game: str, kind: str) -> tuple[Recording, int]:
    """A recorded game with such an event, and the index of its entry."""
    for number in range(40):
        recording = record(game, 4, f"beat {game} {number}")
        for at, update in enumerate(recording.updates[4:-1], 4):
            if kind in kinds(update) and not kinds(update) & {"fell"}:
                return recording, at
    raise AssertionError(f"no {kind} in forty games")


async def open_before(browser: Browser, recording: Recording, at: int, motion: Any) -> tuple[Page, Show]:
    page = await browser.new_page(viewport={"width": 390, "height": 844}, reduced_motion=motion)
    await page.add_init_script("localStorage.setItem('cheeseboard.hints', 'false')")
    show = Show(page, recording)
    await show.open()
    await show.go_to(at - 1)
    return page, show


@pytest.mark.parametrize(("game", "kind"), CLIMAXES)
async def test_nothing_tells_the_outcome_while_it_is_played_out(
    browser: Browser, shots: Path, game: str, kind: str
) -> None:
    recording, at = with_climax(game, kind)
    page, show = await open_before(browser, recording, at, "no-preference")
    await page.evaluate(WATCH)
    step = asyncio.create_task(show.step())
    await page.wait_for_function("noted.some((one) => one.beat)")  # also if it is over by now
    ms = await page.evaluate(f"{MODULES}.then((all) => all['net.js'].openFeed('{TABLE}').beats.shown.value?.ms ?? 0)")
    beat = GAMES[game].beat(recording.final, recording.updates[at].events)
    assert beat is not None
    assert ms <= beat.ms, "the clock of those who are asked waits at least as long"
    strip = 0
    async with asyncio.timeout(WAIT_S):
        while not step.done():
            await page.screenshot(path=shots / f"beat-{game}-{kind}-{strip:02}.png")
            strip += 1
    await step
    noted = await page.evaluate("noted")
    during = [one for one in noted if one["beat"]]
    assert during
    assert {(one["entry"], one["told"]) for one in during} == {(noted[0]["entry"], noted[0]["told"])}
    await expect(page.locator(".beat")).to_have_count(0)


async def test_a_tap_ends_a_beat_and_reduced_motion_has_none(browser: Browser) -> None:
    recording, at = with_climax("chesterfield", "secrets_revealed")
    page, show = await open_before(browser, recording, at, "no-preference")
    await page.clock.install()
    await stop_clock(page)  # so that the beat does not end by itself
    step = asyncio.create_task(show.step())
    await page.locator(".beat").click()
    await step
    await expect(page.locator(".beat")).to_have_count(0)
    still, show = await open_before(browser, recording, at, "reduce")
    await still.evaluate(WATCH)
    await show.step()
    assert not [one for one in await still.evaluate("noted") if one["beat"]]


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
async def test_a_race_starts_with_three_two_one_and_nothing_can_be_rolled_before(browser: Browser, motion: Any) -> None:
    recording = record("diced_cheese", 4, "race", variant="speed")
    first = recording.updates[0]
    assert first.ask
    held = replace(first, ask=replace(first.ask, wait_ms=60_000))  # so long that the test is over before
    page = await browser.new_page(viewport={"width": 390, "height": 844}, reduced_motion=motion)
    await page.clock.install()
    show = Show(page, recording._replace(updates=(held, *recording.updates[1:])))
    await show.open()
    await expect(page.locator(".throw")).to_have_text("Get ready…")
    await page.locator(".throw").click(force=True)  # it says that it is disabled
    await stop_clock(page)
    await page.clock.run_for(100)  # the page then waits for the next second
    left_s = int(await page.locator(".countdown").inner_text())
    await page.clock.fast_forward((left_s - 3) * 1000)
    await expect(page.locator(".countdown")).to_have_text(re.compile("^[123]$"))
    await page.clock.run_for(3_500)
    await expect(page.locator(".countdown")).to_have_count(0)
    assert show.moves == []
    await page.locator(".throw.can").click()
    await expect(page.locator(".prompt")).to_have_text("Sent…")
    assert [move["type"] for move in await show.sent()] == ["roll"]
