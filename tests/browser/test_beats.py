"""A climax is played out before anything on the page tells how it ends. `SHOTS=folder` keeps the pictures of each."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from playwright.async_api import Browser, Page, expect

from games import GAMES
from games.core import no_beat
from tests.browser.people import MODULES, People, stop_clock
from tests.browser.recorded import TABLE, Recording, Show, record
from tests.client import WAIT_S

# Events with which another one of the same entry is played out, or none.
HIDING = {"rolled": {"fell"}, "fetched": {"fell"}, "sold": {"secrets_revealed"}, "unsold": {"secrets_revealed"}}
CLIMAXES = (
    ("chesterfield", "secrets_revealed"),
    ("chesterfield", "upkeep_revealed"),
    ("chesterfield", "sold"),
    ("chesterfield", "unsold"),
    ("chesterfield", "auctioneer_found"),
    ("do_my_bidding", "sold"),
    ("diced_cheese", "rolled"),
    ("diced_cheese", "fetched"),
    ("cheesedog", "turned_over"),
    ("cheesonomics", "flipped"),
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
    faces: [...document.querySelectorAll(".beat .landed [data-face]")].map((one) => one.dataset.face),
    tumbles: document.querySelectorAll(".felt .tumble").length,
    at: performance.now(),
  });
  const all = { subtree: true, childList: true, attributes: true, characterData: true };
  new MutationObserver(note).observe(document.body, all);
  note();
}"""


# The length of the beat of each entry, or 0: of these events after that view.
LENGTHS = f"""([game, text]) => {MODULES}.then((all) => {{
  const [entries, views] = JSON.parse(text);
  const renderer = all['renderers.js'].rendererOf(game);
  return entries.map((events, at) => renderer.beat?.(events, views[at], String)?.ms ?? 0);
}})"""
RACE_MS = {"speed": 400, "towers": 700}  # DIC-15: a seat may roll once in 400 ms


def kind_of(event: Any) -> str:
    return str(type(event).__struct_config__.tag)


def kinds(update: Any) -> set[str]:
    return {kind_of(event) for event in update.events}


def with_climax(game: str, kind: str) -> tuple[Recording, int]:
    """A recorded game with such an event, and the index of its entry."""
    for number in range(40):
        recording = record(game, 4, f"beat {game} {number}")
        for at, update in enumerate(recording.updates[4:-1], 4):
            if kind in kinds(update) and not kinds(update) & HIDING.get(kind, set()):
                return recording, at
    raise AssertionError(f"no {kind} in forty games")


async def open_before(browser: Browser, recording: Recording, at: int, motion: Any) -> tuple[Page, Show]:
    page = await browser.new_page(viewport={"width": 390, "height": 844}, reduced_motion=motion)
    await page.add_init_script("localStorage.setItem('cheeseboard.hints', 'false')")
    show = Show(page, recording)
    await show.open()
    await show.go_to(at - 1)
    return page, show


# The parts of a beat that lie outside its frame.
OUTSIDE = """() => {
  const frame = document.querySelector(".board > .beat").getBoundingClientRect();
  return [...document.querySelectorAll(".beat .beat-words, .beat .beat-dice > span")].filter((one) => {
    const box = one.getBoundingClientRect();
    return box.top < frame.top || box.bottom > frame.bottom || box.left < frame.left || box.right > frame.right;
  }).length;
}"""


@pytest.mark.parametrize("size", [(360, 640), (640, 360), (844, 390)], ids=str)
async def test_the_dice_that_say_who_starts_are_inside_the_board_of_a_small_page(
    browser: Browser, shots: Path, size: tuple[int, int]
) -> None:
    recording = record("diced_cheese", 8, "small beats")
    start = recording.updates[0]
    assert "rolled_to_start" in kinds(start)
    page = await browser.new_page(viewport={"width": size[0], "height": size[1]}, reduced_motion="no-preference")
    await page.clock.install()
    show = Show(page, recording._replace(updates=(replace(start, events=()), replace(start, n=start.n + 1))))
    await show.open()
    step = asyncio.create_task(show.step())
    await page.wait_for_selector(".beat .beat-dice small")
    assert await page.locator(".beat .beat-dice > span").count() == 8
    await page.screenshot(path=shots / f"beat-start-{size[0]}.png")
    outside = await page.evaluate(OUTSIDE)
    await page.clock.run_for(60_000)
    await step
    assert outside == 0


@pytest.mark.parametrize(("game", "kind"), CLIMAXES)
async def test_nothing_tells_the_outcome_while_it_is_played_out(
    browser: Browser, shots: Path, game: str, kind: str
) -> None:
    recording, at = with_climax(game, kind)
    page, show = await open_before(browser, recording, at, "no-preference")
    await page.evaluate(WATCH)
    step = asyncio.create_task(show.step())
    await page.wait_for_function("() => noted.some((one) => one.beat)")  # also if it is over by now
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
    if game == "diced_cheese":
        check_dice(noted, during, recording.updates[at].events)


def check_dice(noted: list[Any], during: list[Any], events: Any) -> None:
    """The dice tumble, then lie as they landed, and do not tumble again."""
    real = next(event for event in events if kind_of(event) in ("rolled", "fetched"))
    landed = [one for one in during if one["faces"]]
    assert landed, "the dice never land"
    assert {tuple(one["faces"]) for one in landed} == {tuple(throw.face for throw in real.throws)}
    assert not during[0]["faces"], "the dice tumble first"
    after = next(one for one in noted if one["at"] > landed[-1]["at"] and not one["beat"])
    assert not any(one["tumbles"] for one in noted[noted.index(after) :]), "a second tumble"


async def test_dice_lie_for_half_a_second_before_anything_tells_how_they_landed(browser: Browser) -> None:
    recording, at = with_climax("diced_cheese", "rolled")
    page, show = await open_before(browser, recording, at, "no-preference")
    await page.clock.install()
    await stop_clock(page)
    step = asyncio.create_task(show.step())
    await expect(page.locator(".beat")).to_be_visible()
    for _ in range(40):
        await page.clock.run_for(50)
        if await page.locator(".beat .landed").count():
            break
    await expect(page.locator(".beat .landed")).to_be_visible()
    await page.clock.run_for(400)
    await expect(page.locator(".beat .landed")).to_be_visible()
    await page.clock.run_for(300)
    await step
    await expect(page.locator(".beat")).to_have_count(0)


@pytest.mark.parametrize("variant", ["speed", "towers"])
async def test_in_a_race_nothing_tells_my_own_roll_before_the_dice_have_landed(browser: Browser, variant: str) -> None:
    recording = record("diced_cheese", 3, f"race {variant}", variant=variant)
    at = next(at for at, one in enumerate(recording.updates[2:-1], 2) if "rolled" in kinds(one) and one.seat == 0)
    page, show = await open_before(browser, recording, at, "no-preference")
    await page.evaluate(WATCH)
    await show.step()
    noted = await page.evaluate("noted")
    during = [one for one in noted if one["beat"]]
    assert during
    assert {(one["entry"], one["told"]) for one in during} == {(noted[0]["entry"], noted[0]["told"])}
    rolled = next(event for event in recording.updates[at].events if kind_of(event) == "rolled")
    assert during[-1]["faces"] == [throw.face for throw in rolled.throws]


async def test_secret_bids_are_turned_over_from_the_auctioneer_on_and_the_winner_is_marked_last(
    browser: Browser,
) -> None:
    checked = 0
    for number in range(12):
        recording = record("chesterfield", 5, f"secret {number}")
        for at, update in enumerate(recording.updates[4:-1], 4):
            if "secrets_revealed" not in kinds(update) or checked:
                continue
            revealed = next(one for one in update.events if kind_of(one) == "secrets_revealed")
            first = recording.updates[at - 1].view.auctioneer
            seats = [(first + step) % 5 for step in range(5)]
            page, show = await open_before(browser, recording, at, "no-preference")
            await page.clock.install()
            await stop_clock(page)  # so that the beat does not end by itself
            step = asyncio.create_task(show.step())
            rows = page.locator(".beat .beat-rows li")
            await expect(rows.first).to_be_visible()
            shown = await rows.evaluate_all("(all) => all.map((one) => Number(one.dataset.seat))")
            assert shown == [seat for seat in seats if revealed.secrets[seat] is not None]
            delay = "(all) => all.map((one) => parseFloat(getComputedStyle(one).animationDelay))"
            turns = await page.locator(".beat .beat-rows b > span").evaluate_all(delay)
            marks = await page.locator(".beat .beat-rows .won b").evaluate_all(delay)
            assert turns == sorted(turns)
            assert all(mark > turns[-1] for mark in marks)
            await page.clock.run_for(100)  # until the page listens to keys
            await page.keyboard.press("Escape")
            await step
            await page.close()
            checked += 1
    assert checked


@pytest.mark.parametrize(
    ("game", "options"),
    [(name, {}) for name in GAMES]
    + [("diced_cheese", {"variant": one}) for one in ("speed", "towers")]
    + [("cheesonomics", {"variant": "sharp"})],
)
async def test_the_clock_waits_for_every_beat_of_the_page(browser: Browser, game: str, options: dict[str, Any]) -> None:
    """The length of every beat of recorded games, in the page and in the rules."""
    rules = GAMES[game]
    beats = 0
    page = await browser.new_page(reduced_motion="no-preference")
    race = options.get("variant") in RACE_MS
    for number in range(3):
        recording = record(game, max(3, rules.seats[0]), f"clock {number}", **options)
        if not number:
            await Show(page, recording).open()
        views = [one.view for one in recording.updates]
        told = msgspec.json.encode(([one.events for one in recording.updates], [views[0], *views[:-1]])).decode()
        shown = await page.evaluate(LENGTHS, [game, told])
        for update, ms in zip(recording.updates, shown, strict=True):
            beat = rules.beat(recording.final, update.events)
            where = f"{game} {options} {number}, entry {update.n}: {kinds(update)}"
            if race and "rolled" in kinds(update):  # my own roll: what I am asked next has its full time
                assert ms <= (RACE_MS[options["variant"]] if update.seat == 0 else 0), where
            elif beat is None or not beat.hold:  # with `hold`, nobody may move meanwhile
                assert ms <= (beat.ms if beat else 0), where
                assert (ms > 0) == (beat is not None), f"the clock waits for nothing: {where}"
                beats += ms > 0
    assert beats or race or rules.beat is no_beat


async def test_a_page_that_creates_a_game_sees_the_roll_for_its_start_and_no_later_one(browser: Browser) -> None:
    recording = record("diced_cheese", 4, "start")
    page = await browser.new_page(reduced_motion="no-preference")
    await Show(page, recording).open()
    views = msgspec.json.encode([one.view for one in recording.updates]).decode()
    shown = await page.evaluate(
        f"""(text) => {MODULES}.then((all) => JSON.parse(text).map((view) =>
        all['renderers.js'].rendererOf('diced_cheese').opening(view, String)?.ms ?? 0))""",
        views,
    )
    assert shown[0] == 2000
    assert not any(shown[1:])


async def test_a_key_ends_a_beat_and_presses_nothing(browser: Browser) -> None:
    recording, at = with_climax("diced_cheese", "rolled")
    for key in ("Space", "Enter", "Escape"):
        page, show = await open_before(browser, recording, at, "no-preference")
        await page.clock.install()
        await stop_clock(page)
        step = asyncio.create_task(show.step())
        await page.wait_for_selector(".beat")
        await page.clock.run_for(100)  # until the page listens to keys
        await page.keyboard.press(key)
        await step
        await expect(page.locator(".beat")).to_have_count(0)
        assert show.moves == []
        await page.close()


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
    await expect(page.locator(".countdown")).to_have_count(0)  # only the last three seconds are counted
    for _ in range(60):  # the seconds until the race starts
        if not await page.locator(".countdown").count():
            await page.clock.run_for(1000)
    await expect(page.locator(".countdown")).to_have_text(re.compile("^[123]$"))
    await page.clock.run_for(3_500)
    await expect(page.locator(".countdown")).to_have_count(0)
    assert show.moves == []
    await page.locator(".throw.can").click()
    await expect(page.locator(".prompt")).to_have_text("Sent…")
    assert [move["type"] for move in await show.sent()] == ["roll"]


async def test_who_starts_is_played_out_without_the_waiting_table_behind_it(people: People) -> None:
    host = await people.come()
    await host.goto(people.home)
    await host.click(".game-card.of-diced_cheese")
    await host.get_by_role("button", name="Private table").click()
    await host.get_by_role("button", name="Start with bots on free seats").click()
    beat = await host.wait_for_function("() => document.querySelector('.beat')?.textContent")
    text = str(await beat.json_value())
    assert "Who starts?" in text
    assert "Seat" not in text  # the bots that have just come have names
    assert await host.locator(".waiting").count() == 0
    await expect(host.locator(".page.table > .me")).to_be_visible()
