"""Nothing jumps: during a whole game the table, the seats, the hand and the controls keep their place and size.

Nothing that matters is cut off or covered, and the table, from the upper seats to the hand, has at least 55 % of the
window's height. `EVERY=1` looks at every entry of every game at every size (`make layout`). Otherwise the tests look at
about a dozen entries of each, and at every other size: cases that follow each other take different ones.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from playwright.async_api import Browser, Page, expect

from games import GAMES
from protocol.messages import Ask, Evening, Score, SeatInfo
from tests.browser.people import MODULES
from tests.browser.recorded import Recording, Show, record
from tests.browser.test_access import SCHEMES

MEASURE = Path(__file__).with_name("layout.js")
EVERY_ENTRY = bool(os.environ.get("EVERY"))
LOOKS = 12  # at entries of a game, for each size
SIZES = ((360, 640), (390, 844), (844, 390), (1280, 720), (1920, 1080), (640, 360))  # the last: 1280x720 at 200 %
TABLET = (1024, 768)


TWO_FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"

CASES: tuple[tuple[str, int, dict[str, Any]], ...] = (
    ("cheesedog", 6, {}),
    ("cheesedog", 10, {}),
    ("chesterfield", 2, {}),
    ("chesterfield", 6, {}),
    ("chesterfield", 8, {}),
    ("do_my_bidding", 3, {}),
    ("do_my_bidding", 5, {}),
    ("diced_cheese", 6, {"variant": "speed"}),
    ("diced_cheese", 8, {"variant": "speed"}),
    ("diced_cheese", 8, {"variant": "towers"}),
    ("cheesonomics", 2, {"variant": "sharp"}),
    ("cheesonomics", 4, {}),
    ("cheesonomics", 5, {"variant": "sharp"}),
)

# Watchers: of the public view, and of all hands. At these tables they may take the seat of a bot.
WATCHED: tuple[tuple[str, int, bool, dict[str, Any]], ...] = (
    ("cheesedog", 10, False, {}),
    ("cheesedog", 6, True, {}),
    ("chesterfield", 8, False, {}),
    ("chesterfield", 8, True, {}),
    ("do_my_bidding", 5, False, {}),
    ("do_my_bidding", 5, True, {}),
    ("diced_cheese", 8, False, {}),
    ("diced_cheese", 8, False, {"variant": "speed"}),
    ("diced_cheese", 7, False, {"variant": "speed"}),
    ("cheesonomics", 5, False, {}),
    ("cheesonomics", 5, True, {}),
)

GERMAN = list(
    zip(
        ("cheesedog", "chesterfield", "do_my_bidding", "cheesonomics", "diced_cheese", "cheesedog"),
        SIZES,
        strict=True,
    )
)


def with_stand_in(recording: Recording) -> Recording:
    """The recording with a bot that stands in for the next player, as the seat says beside its score, and a score."""
    away = SeatInfo(kind="person", user="away", name="Wensleydale", stand_in="Camembert")
    return with_table(
        recording, seats=(recording.running.seats[0], away, *recording.running.seats[2:]), evening=EVENING
    )


EVENING = Evening(
    rounds=23, scores=(Score(user="away", name="Wensleydale", wins=12), Score(user="me", name="P", wins=11))
)


def with_table(recording: Recording, **fields: Any) -> Recording:
    """The recording with other fields of its table."""
    running, ended = (replace(table, **fields) for table in (recording.running, recording.ended))
    return recording._replace(running=running, ended=ended)


def looks(recording: Recording) -> range:
    """The entries at which to look: all of them before the result, or some in the whole game."""
    count = len(recording.updates)
    return range(0, count - 1, 1 if EVERY_ENTRY else max(1, count // LOOKS))


def sizes(number: int) -> tuple[tuple[int, int], ...]:
    """The sizes at which the case with this number is shown."""
    return SIZES if EVERY_ENTRY else SIZES[number % 2 :: 2]


async def shifts_and_faults(show: Show, recording: Recording, size: tuple[int, int]) -> list[str]:
    """Show the game at this size. Return what moved and what was cut off or covered, each with its first entry."""
    await show.page.set_viewport_size({"width": size[0], "height": size[1]})
    await show.page.evaluate(TWO_FRAMES)
    first: dict[str, str] = {}
    found: dict[str, int] = {}
    for at in looks(recording):
        await show.go_to(at)
        places: dict[str, str] = await show.page.evaluate("layout.places()")
        for name, place in places.items():
            if first.setdefault(name, place) != place:
                found.setdefault(f"{name} moved from {first[name]} to {place}", at)
        for fault in await show.page.evaluate("[...layout.faults(), ...layout.cutTexts()]"):
            found.setdefault(fault, at)
    return [f"{size[0]}x{size[1]}, entry {at}: {fault}" for fault, at in found.items()]


async def covered_by_hints(show: Show, recording: Recording) -> list[str]:
    """Show the first turn with the hint for new players at every size. Return what the hint covers."""
    await show.page.evaluate(f"{MODULES}.then((modules) => (modules['settings.js'].hints.value = true))")
    await show.go_to(next(at for at, update in enumerate(recording.updates) if update.ask is not None))
    await expect(show.page.locator(".coach")).to_be_visible()
    found = []
    for width, height in SIZES:
        await show.page.set_viewport_size({"width": width, "height": height})
        await show.page.evaluate(TWO_FRAMES)
        found += [f"{width}x{height}, with a hint: {one}" for one in await show.page.evaluate("layout.coveredByHint()")]
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "seats", "options"),
    CASES,
    ids=lambda value: str(value.get("variant", "")) if isinstance(value, dict) else str(value),
)
async def test_nothing_moves_and_nothing_is_cut_off_during_a_whole_game(
    browser: Browser, game: str, seats: int, options: dict[str, Any]
) -> None:
    recording = with_stand_in(record(game, seats, f"layout {game} {seats}", **options))
    show = await opened(browser, recording)
    shown = sizes(CASES.index((game, seats, options)))
    found = [fault for size in shown for fault in await shifts_and_faults(show, recording, size)]
    found += await covered_by_hints(show, recording)
    assert found == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "seats", "all_hands", "options"),
    WATCHED,
    ids=lambda value: str(value.get("variant", "")) if isinstance(value, dict) else str(value),
)
async def test_nothing_moves_and_nothing_is_cut_off_for_watchers(
    browser: Browser, game: str, seats: int, all_hands: bool, options: dict[str, Any]
) -> None:
    recording = record(game, seats, f"layout {game} {seats}", you=None, all_hands=all_hands, **options)
    page = await quiet_page(browser)
    show = Show(page, with_table(recording, late=True, evening=EVENING))
    await show.open()
    await page.evaluate(MEASURE.read_text())
    await expect(page.locator(".take-over button")).to_be_visible()
    shown = sizes(WATCHED.index((game, seats, all_hands, options)))
    assert [fault for size in shown for fault in await shifts_and_faults(show, recording, size)] == []


@pytest.mark.parametrize(("game", "seats"), [("cheesedog", 10), ("chesterfield", 8), ("do_my_bidding", 5)])
async def test_on_a_tablet_a_watcher_sees_whole_seats_at_the_fullest_tables(
    browser: Browser, game: str, seats: int
) -> None:
    recording = record(game, seats, f"layout {game} {seats}", you=None)
    show = await opened(browser, recording)
    page = show.page
    await page.set_viewport_size({"width": TABLET[0], "height": TABLET[1]})
    found: list[str] = []
    for part in (1, 2, 3):
        await show.go_to(part * len(recording.updates) // 4)
        found += await page.evaluate("layout.faults()")
    assert found == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "seats"), [("chesterfield", 2), ("chesterfield", 6), ("do_my_bidding", 3), ("cheesonomics", 4)]
)
async def test_on_a_tablet_nothing_moves_and_nothing_is_cut_off(browser: Browser, game: str, seats: int) -> None:
    recording = with_stand_in(record(game, seats, f"layout {game} {seats}"))
    assert await shifts_and_faults(await opened(browser, recording), recording, TABLET) == []


@pytest.mark.slow
@pytest.mark.parametrize(("game", "size"), GERMAN, ids=str)
async def test_nothing_moves_and_nothing_is_cut_off_in_german(
    browser: Browser, game: str, size: tuple[int, int]
) -> None:
    recording = record(game, 4, f"layout {game} 4")
    show = await opened(browser, recording, "de")
    assert await shifts_and_faults(show, recording, size) == []


def too_poor_to_bid(recording: Recording) -> tuple[Recording, int]:
    """The recording with an entry at which seat 0 cannot bid any more and pays because of a Feta, and which it is."""
    updates = list(recording.updates)
    for at, update in enumerate(updates):
        view, ask = update.view, update.ask
        if ask is not None and view.phase == "cheese_auction" and len(view.hand) > 1:
            offers = tuple(offer for offer in ask.offers if offer.move != "bid")
            if {"cash_in", "drop"} <= {offer.move for offer in offers}:
                bids = (21, *view.auction.bids[1:])
                auction = replace(view.auction, bids=bids)
                poor = replace(view, actions=("Feta",), auction=auction)
                updates[at] = replace(update, view=poor, ask=replace(ask, offers=offers))
                return recording._replace(updates=tuple(updates)), at
    raise AssertionError("seat 0 never has cards to cash in")


async def test_with_a_card_chosen_in_chesterfield_every_button_can_be_read_on_a_phone(browser: Browser) -> None:
    recording, poor = too_poor_to_bid(record("chesterfield", 4, "chosen 7"))
    page = await browser.new_page(reduced_motion="reduce")
    await page.add_init_script("localStorage.setItem('cheeseboard.hints', 'false')")
    show = Show(page, recording)
    await show.open()
    await page.evaluate(MEASURE.read_text())
    await show.go_to(poor)
    await expect(page.locator(".buttons button")).to_contain_text("still pay $21")
    cards = page.locator(".cca-hand .lot")
    found: list[str] = []
    for at in range(await cards.count()):
        await cards.nth(at).click()
        await expect(page.locator(".buttons .do").last).to_contain_text("Cash in")
        for width, height in SIZES[:3]:
            await page.set_viewport_size({"width": width, "height": height})
            await page.evaluate(TWO_FRAMES)
            faults = await page.evaluate("[...layout.faults(), ...layout.cutTexts()]")
            found += [f"{width}x{height}, card {at}: {fault}" for fault in faults]
        await cards.nth(at).click()
    assert found == []


async def quiet_page(browser: Browser) -> Page:
    """A page without motion and hints."""
    page = await browser.new_page(reduced_motion="reduce")
    await page.add_init_script("localStorage.setItem('cheeseboard.hints', 'false')")
    return page


async def opened(browser: Browser, recording: Recording, language: str = "en") -> Show:
    """A page without motion and hints that shows the recording and can measure itself."""
    show = Show(await quiet_page(browser), recording, language)
    await show.open()
    await show.page.evaluate(MEASURE.read_text())
    return show


OUTSIDE = """() => [...document.querySelectorAll(".popover, .popover :is(button, label, input)")].filter((one) => {
  const box = one.getBoundingClientRect();
  return box.left < 0 || box.top < 0 || box.right > innerWidth || box.bottom > innerHeight;
}).map((one) => one.textContent)"""


# The text and the ground of an open chooser's controls must not have about the same lightness
PALE = """() => [...document.querySelectorAll(".popover :is(button, input)")].filter((one) => {
  const lightness = (colour) => colour.match(/[\\d.]+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0);
  const ground = getComputedStyle(one.closest(".popover")).backgroundColor;
  return Math.abs(lightness(getComputedStyle(one).color) - lightness(ground)) < 300;
}).map((one) => one.value || one.textContent)"""


async def outside_at_every_size(page: Page) -> list[str]:
    """What an open chooser has outside the window of a phone, small, usual and turned: it opened at the size before."""
    found = []
    for width, height in SIZES[:3]:
        await page.set_viewport_size({"width": width, "height": height})
        await page.evaluate(TWO_FRAMES)
        await expect(page.locator(".popover")).to_be_visible()
        found += [f"{width}x{height}: {text}" for text in await page.evaluate(OUTSIDE)]
    return found


def with_four_of_each_rank(recording: Recording) -> Recording:
    """The recording of Cheesedog with a second entry that offers seat 0 four cards of every rank."""
    game = GAMES["cheesedog"]
    hand = tuple(f"{rank}{suit}" for rank in "23456789TJQKA" for suit in "cdhs")
    state = replace(recording.final, hands=(hand, *recording.final.hands[1:]), turn=0, pile=(), low=False, result=None)
    first = recording.updates[0]
    shown = replace(
        first,
        n=2,
        events=(),
        view=game.view(state, 0),
        ask=Ask(n=2, offers=game.offers(state, 0)),
        acting=((0, 45_000),),
    )
    return recording._replace(updates=(first, shown, *recording.updates[2:]))


@pytest.mark.parametrize("language", ["en", "de"])
async def test_the_chooser_of_every_rank_is_inside_the_window(browser: Browser, language: str) -> None:
    page = await quiet_page(browser)
    show = Show(page, with_four_of_each_rank(record("cheesedog", 4, "choosers")), language)
    await show.open()
    await show.step()
    ranks = page.locator(".ranks .rank")
    await expect(ranks).to_have_count(13)
    found = []
    for at in range(13):
        await ranks.nth(at).click()
        found += await outside_at_every_size(page)
    for width, height in SIZES[:3]:
        await page.set_viewport_size({"width": width, "height": height})
        for at in range(13):
            await ranks.nth(at).click(position={"x": 4, "y": 8})
            found += [f"{width}x{height}, opened there: {text}" for text in await page.evaluate(OUTSIDE)]
    assert found == []


@pytest.mark.parametrize("game", ["chesterfield", "do_my_bidding"])
@pytest.mark.parametrize("language", ["en", "de"])
async def test_the_choosers_at_the_controls_are_inside_the_window(browser: Browser, game: str, language: str) -> None:
    page = await quiet_page(browser)
    recording = record(game, 4, f"choosers {game}")
    show = Show(page, recording, language)
    await show.open()
    asked = next(
        at for at, one in enumerate(recording.updates) if one.ask and "bid" in {o.move for o in one.ask.offers}
    )
    await show.go_to(asked)
    found = []
    for opener in (".auto > button", ".react-menu > button"):
        await page.locator(opener).click()
        found += await outside_at_every_size(page)
        await page.locator(opener).click()
    if game == "do_my_bidding":
        advised = next(at for at, one in enumerate(recording.updates) if one.asides)
        await show.go_to(advised)
        await page.locator(".advise > button").first.click()
        found += await outside_at_every_size(page)
        for scheme in SCHEMES:
            await page.emulate_media(color_scheme=scheme)
            found += [f"pale in {scheme}: {text}" for text in await page.evaluate(PALE)]
    assert found == []


OVERLAPPING = """() => {
  const hand = document.querySelector(".me > .hand").getBoundingClientRect();
  const boxes = [...document.querySelectorAll(".supply-row .piece")].map((one) => one.getBoundingClientRect());
  const inside = (box) => box.bottom <= hand.bottom + 1 && box.right <= hand.right;
  const apart = (box, at) => at === 0 || box.left >= boxes[at - 1].right - 1;
  return boxes.flatMap((box, at) => (inside(box) && apart(box, at) ? [] : [at]));
}"""


@pytest.mark.parametrize("seats", [2, 3])
async def test_the_sides_of_my_market_wedges_lie_apart_inside_my_hand(browser: Browser, seats: int) -> None:
    page = await quiet_page(browser)
    recording = record("cheesonomics", seats, "sides", variant="sharp")
    show = Show(page, recording)
    await show.open()
    await show.go_to(
        next(
            at
            for at, one in enumerate(recording.updates)
            if one.ask and any(offer.move == "replace" for offer in one.ask.offers)
        )
    )
    found: list[str] = []
    for width, height in SIZES:
        await page.set_viewport_size({"width": width, "height": height})
        await page.evaluate(TWO_FRAMES)
        found += [f"{width}x{height}: side {at}" for at in await page.evaluate(OVERLAPPING)]
    assert await page.locator(".supply-row .piece").count() == {2: 10, 3: 6}[seats]
    assert found == []


BESIDE = """() => [...document.querySelectorAll(".rim .seat")].map((seat) => {
  const parts = [".host-mark", ".seconds, .next"];
  const [crown, sign] = parts.map((part) => seat.querySelector(part)?.getBoundingClientRect());
  return crown && sign ? sign.left >= crown.right : null;
}).filter((beside) => beside !== null)"""


async def test_on_a_phone_the_crown_covers_no_sign_and_a_score_of_three_is_not_in_the_bar(browser: Browser) -> None:
    page = await quiet_page(browser)
    recording = record("do_my_bidding", 3, "signs")
    third = replace(EVENING, scores=(*EVENING.scores, Score(user="third", name="Q", wins=1)))
    show = Show(page, with_table(recording, host="bot1", evening=third))
    await show.open()
    await page.set_viewport_size({"width": 360, "height": 640})
    beside: list[bool] = []
    for at in looks(recording):
        await show.go_to(at)
        beside += await page.evaluate(BESIDE)
    assert beside
    assert all(beside)
    await expect(page.locator(".short-score")).to_have_count(0)
    show.send(with_table(recording, host="bot1", evening=EVENING).running)
    await expect(page.locator(".short-score")).to_have_text("11 : 12")
