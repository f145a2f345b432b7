"""The log has the whole game and stays true, and the page answers by itself or by keys what the player wants."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable

import msgspec
import pytest
import pytest_asyncio
from msgspec.structs import replace
from playwright.async_api import Browser, Page, expect

from games.offers import Offer
from protocol.messages import Ask, Chat, Update
from tests.browser.people import LAPTOP, PHONE, stop_clock
from tests.browser.recorded import TABLE, Recording, Show, record

LINES = "[...document.querySelectorAll('.log li:not(.log-since)')].map((one) => one.textContent)"
AT_END = "(one) => one.scrollHeight > one.clientHeight && one.scrollHeight - one.scrollTop - one.clientHeight < 2"


@pytest_asyncio.fixture(loop_scope="session")
async def page(browser: Browser) -> AsyncIterator[Page]:
    page = await browser.new_page(
        viewport={"width": LAPTOP[0], "height": LAPTOP[1]}, reduced_motion="reduce", has_touch=False
    )
    await page.add_init_script("localStorage.setItem('cheeseboard.hints', 'false')")
    yield page
    await page.close()


def index_of(recording: Recording, wanted: Callable[[Update], bool], after: int = 0) -> int:
    """The first entry after this one with an update as wanted."""
    return next(at for at, update in enumerate(recording.updates) if at > after and wanted(update))


def asks_for(*moves: str) -> Callable[[Update], bool]:
    """Whether my seat is offered exactly these moves."""
    return lambda update: update.ask is not None and {offer.move for offer in update.ask.offers} == set(moves)


@pytest.mark.parametrize("game", ["do_my_bidding", "chesterfield", "cheesonomics"])
async def test_no_later_event_changes_a_line_of_the_log(page: Page, game: str) -> None:
    show = Show(page, record(game, 4, f"log {game}"))
    await show.open()
    before: list[str] = []
    for _ in range(8):
        await show.step(20)
        lines: list[str] = await page.evaluate(LINES)
        assert lines[: len(before)] == before
        assert len(lines) >= len(before)
        before = lines
    assert len(before) > 60
    if game == "do_my_bidding":
        assert any("Round 2" in line for line in before)


async def test_the_log_is_complete_after_a_reload_and_shows_the_newest_line(page: Page) -> None:
    recording = record("diced_cheese", 4, "log", variant="speed")
    show = Show(page, recording)
    await show.open()
    await show.step(len(recording.updates) - 2)
    lines: list[str] = await page.evaluate(LINES)
    assert len(lines) > 200
    await page.reload()
    await page.wait_for_function(f"() => {LINES}.length === {len(lines)}")
    assert await page.evaluate(LINES) == lines
    assert await page.locator(".log").evaluate(AT_END)
    await page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    await page.get_by_role("button", name="Log and chat").click()
    await expect(page.locator(".sheet .log li").last).to_be_in_viewport()
    assert await page.locator(".sheet .log").evaluate(AT_END)


async def test_the_log_marks_what_happened_since_my_last_turn(page: Page) -> None:
    recording = record("cheesedog", 4, "since")
    mine = index_of(recording, lambda update: update.seat == 0, after=20)
    other = index_of(recording, lambda update: update.seat not in (0, None), after=mine)
    show = Show(page, recording)
    await show.open()
    await show.step(other)
    mark = page.locator(".log-since")
    await expect(mark).to_have_text("Since your last turn")
    after = await mark.evaluate(
        "(one) => [...one.parentElement.children].slice([...one.parentElement.children].indexOf(one) + 1).length"
    )
    assert 0 < after < 12


async def test_what_a_stand_in_played_for_me_happened_since_my_last_turn(page: Page) -> None:
    recording = record("cheesedog", 4, "since")
    mine = [at for at, update in enumerate(recording.updates) if update.seat == 0]
    last, others = mine[2], mine[3:6]  # my last move, and those that a bot and the clock made for me
    updates = list(recording.updates)
    for at, by in zip(others, ("stand_in", "stand_in", "clock"), strict=True):
        updates[at] = replace(updates[at], by=by)
    show = Show(page, recording._replace(updates=tuple(updates)))
    await show.open()
    await show.step(others[-1])
    since = page.locator(".log-since ~ li")
    await expect(since.filter(has_text="(stand-in)").or_(since.filter(has_text="(time ran out)"))).to_have_count(3)
    before = page.locator(".log li:has(~ .log-since)")
    await expect(before.filter(has_text="(stand-in)").or_(before.filter(has_text="(time ran out)"))).to_have_count(0)
    assert last < others[0]


async def test_auto_finishes_until_there_is_something_to_lay(page: Page) -> None:
    recording = record("chesterfield", 4, "auto")
    can_lay = index_of(recording, lambda update: bool(update.ask) and len({"lay_down", "melt"} & moves_of(update)) > 0)
    nothing = index_of(recording, asks_for("finish"))
    await page.clock.install()
    show = Show(page, recording)
    await show.open()
    await show.go_to(can_lay)
    await page.clock.fast_forward(5000)
    assert show.moves == []
    await stop_clock(page)
    await show.go_to(nothing)
    await page.clock.run_for(1000)
    assert show.moves == [], "an answer at once would tell that nothing could be laid"
    assert await page.title() == "Cheeseboard", "what is answered for me does not call me"
    await page.clock.run_for(5000)
    await expect(page.locator(".prompt")).to_have_text("Sent…")
    assert await show.sent() == [{"type": "finish"}]


async def test_who_switches_the_usual_answer_off_is_asked_at_every_table(page: Page) -> None:
    recording = record("chesterfield", 4, "auto")
    nothing = index_of(recording, asks_for("finish"))
    await page.clock.install()
    for _ in range(2):
        show = Show(page, recording)
        await show.open()
        await show.go_to(0)
        await page.get_by_role("button", name="Auto").click()
        await page.get_by_label("Done, until I can lay something").uncheck()  # nothing to do the second time
        await show.go_to(nothing)
        await page.clock.fast_forward(10_000)
        await expect(page.get_by_role("button", name="Done")).to_be_visible()
        assert show.moves == []


def moves_of(update: Update) -> set[str]:
    assert update.ask
    return {offer.move for offer in update.ask.offers}


async def test_auto_drops_only_above_the_amount(page: Page) -> None:
    recording = record("do_my_bidding", 4, "auto")
    bids = [at for at, update in enumerate(recording.updates) if update.ask and {"bid", "drop"} <= moves_of(update)]
    await page.clock.install()
    show = Show(page, recording)
    await show.open()
    await show.go_to(bids[0])
    least = await page.locator(".bid-amount input").input_value()
    await page.keyboard.press("a")
    await page.get_by_label("in dollars").last.fill(least)
    await page.get_by_role("checkbox").check()
    await page.clock.fast_forward(5000)
    assert show.moves == []
    await page.get_by_label("Drop if it costs more than $, in dollars").fill(str(int(least) - 1))
    await page.clock.fast_forward(5000)
    await expect(page.locator(".prompt")).to_have_text("Sent…")
    assert await show.sent() == [{"type": "drop"}]


async def test_a_bid_is_made_by_typing_by_chips_and_by_keys(page: Page) -> None:
    recording = record("do_my_bidding", 4, "keys")
    rich = index_of(recording, lambda update: bool(update.ask) and {"bid", "drop"} <= moves_of(update))
    show = Show(page, recording)
    await show.open()
    await show.go_to(rich)
    amount = page.locator(".bid-amount input")
    least = int(await amount.input_value())
    await page.keyboard.press("+")
    await expect(amount).to_have_value(str(least + 1))
    await page.get_by_role("button", name="+3: three dollars more").click()
    await expect(amount).to_have_value(str(least + 4))
    await amount.fill(str(least + 2))
    await page.keyboard.press("Enter")
    await expect(page.locator(".prompt")).to_have_text("Sent…")
    assert await show.sent() == [{"type": "bid", "amount": least + 2}]


async def test_cards_of_chesterfield_are_sold_laid_and_given_up_by_keys(page: Page) -> None:
    recording = record("chesterfield", 4, "keys of cards")
    show = Show(page, recording)
    await show.open()
    await show.go_to(index_of(recording, lambda update: bool(update.ask) and "present" in moves_of(update)))
    await page.keyboard.press("1")
    await expect(page.locator(".block-cards .chosen")).to_have_count(1)
    await page.keyboard.press("s")
    await expect(page.locator(".prompt")).to_have_text("Sent…")
    assert [move["type"] for move in await show.sent()] == ["present"]
    await show.go_to(index_of(recording, lambda update: bool(update.ask) and "lay_down" in moves_of(update)))
    ready = page.locator('.buttons [aria-keyshortcuts="1"]')
    for card in await page.locator(".cca-hand .lot.can").all():
        await card.click()
        if await ready.count():
            break
        await page.locator(".cca-hand .lot.chosen").first.click()
    await page.keyboard.press("1")
    await expect(page.locator(".prompt")).to_have_text("Sent…")
    assert show.moves[-1]["type"] == "lay_down"


async def test_giving_up_a_card_and_the_switches_of_auto_have_keys(page: Page) -> None:
    recording = record("chesterfield", 4, "keys of auto")
    owing = index_of(recording, lambda update: bool(update.ask))
    offers = (Offer(move="default", fill={}),)
    view = {**msgspec.to_builtins(recording.updates[owing].view), "phase": "paying", "card": "Feta", "owed": 9}
    asked = replace(recording.updates[owing], view=view, ask=Ask(n=recording.updates[owing].n, offers=offers))
    updates = (*recording.updates[:owing], asked, *recording.updates[owing + 1 :])
    show = Show(page, recording._replace(updates=updates))
    await show.open()
    await show.go_to(owing)
    await page.keyboard.press("a")
    await page.keyboard.press("1")
    await expect(page.get_by_label("Done, until I can lay something")).not_to_be_checked()
    await page.keyboard.press("1")
    await expect(page.get_by_label("Done, until I can lay something")).to_be_checked()
    await page.keyboard.press("g")
    await expect(page.get_by_role("button", name="Really give up?")).to_be_visible()
    await page.keyboard.press("g")
    await expect(page.locator(".prompt")).to_have_text("Sent…")
    assert await show.sent() == [{"type": "default"}]


async def test_the_badge_on_a_phone_counts_what_others_said_and_i_have_not_read(page: Page) -> None:
    show = Show(page, record("cheesedog", 4, "badge"))
    await page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    await show.open()
    badge = page.locator(".talk-button b")
    show.send(Chat(table=TABLE, name="Petra", text="my own", at=1000, seat=0, user="me"))
    show.send(Chat(table=TABLE, name="Brie", text="hello", at=2000, seat=2, user="bot2"))
    await expect(badge).to_have_text("1")
    await page.get_by_role("button", name="Log and chat, 1 new").click()
    show.send(Chat(table=TABLE, name="Brie", text="are you there?", at=3000, seat=2, user="bot2"))
    await expect(page.locator(".sheet .chats li").last).to_contain_text("are you there?")
    await expect(badge).to_have_count(0)
    await page.keyboard.press("Escape")
    await expect(page.locator(".sheet")).to_have_count(0)
    await show.reload()
    for at in (2000, 3000, 4000):
        show.send(Chat(table=TABLE, name="Brie", text=f"said at {at}", at=at, seat=2, user="bot2"))
    await expect(badge).to_have_text("1")
