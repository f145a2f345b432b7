"""Every lesson can be completed in a browser by doing what it says, on the controls of the game itself."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from playwright.async_api import Browser, Page, ViewportSize, expect

from games import GAMES
from games.lessons import LESSONS
from games.lessons.script import show_lesson
from tests.browser.people import stop_clock
from tests.browser.recorded import HOME, Show, record, serve_files
from tests.browser.test_access import findings

ON_LAPTOP = ("chesterfield", "diced_cheese")
PHONE, LAPTOP = ViewportSize(width=390, height=844), ViewportSize(width=1280, height=720)


async def amount(page: Page, label: str, dollars: int) -> None:
    await page.get_by_label(f"{label}, in dollars").fill(str(dollars))


async def cheesedog(page: Page, move: dict[str, Any]) -> None:
    if move["type"] == "play":
        await page.locator(f'.me [data-place="rank-{move["rank"]}"]').click()
        counts = page.locator(".counts button")
        if await counts.count():
            await counts.nth(move["count"] - 1).click()
    elif move["type"] == "turn_over":
        await page.locator(f'.me .rank[data-place="down-0-{move["place"]}"]').click()
    else:
        await page.locator(".me .buttons button").click()


async def diced_cheese(page: Page, move: dict[str, Any]) -> None:
    await page.locator(".me .throw").click()


async def do_my_bidding(page: Page, move: dict[str, Any]) -> None:
    if move["type"] == "bid":
        await amount(page, "Your bid", move["amount"])
        await page.locator('[data-place="my-bid"]').click()
    elif move["type"] == "drop":
        await page.get_by_role("button", name="Drop").click()
    else:
        await page.locator(".advise > .tell").click()
        await amount(page, "Advise Colby to bid up to", move["up_to"])
        await page.locator(".advise .popover .tell").last.click()


async def chesterfield(page: Page, move: dict[str, Any]) -> None:
    kind = move["type"]
    hand: dict[str, list[Any]] = {
        "play_action": [move.get("card")],
        "melt": ["Gruyere"],
        "stand_in": ["Cheddar"],
        "merge": ["Emmental"],
    }
    if kind in ("bid", "bid_secretly"):
        await amount(page, "Your bid", move["amount"])
        await page.locator('[data-place="my-bid"]').click()
        return
    if kind == "present":
        await page.locator(".block .lot", has_text=move["card"]).click()
        await amount(page, "Starting price", move["price"])
    cards: list[Any] = hand.get(kind) or move.get("discard") or []
    if kind == "lay_down":
        cards = [move["cheese"], "Cheddar"]
    for card in cards:
        await page.locator(f'.me [data-place="card-{card}"]').first.click()
    if kind == "stand_in":
        await page.locator(".me .buttons button", has_text="Feta").click()
    else:
        await page.locator(".me .buttons button.can.do, .me .buttons button[aria-keyshortcuts=f]").first.click()


def side(name: str) -> str:
    return name.replace("+", " with a ribbon")


async def confirm(page: Page, *texts: str) -> None:
    """Press the button that does what was chosen on the table."""
    button = page.locator(".eco-do .do")
    for text in texts:
        button = button.filter(has_text=text)
    await button.click()


async def cheesonomics(page: Page, move: dict[str, Any]) -> None:
    kind = move["type"]
    market = page.locator(".market-place .target")
    wedge = str(move.get("wedge", "")).replace("*", "").split("-")[::-1]
    if kind in ("churn", "produce"):
        where = (
            f'[data-place="space-{move["trait"]}"]'
            if kind == "churn"
            else f'.hand-row .piece[aria-label^="{move["trait"]}"]'
        )
        await page.locator(where).first.click()
        await confirm(page, f"{kind.capitalize()} ", move["trait"])
    elif kind == "take_shown":
        await page.locator(f'.counter [aria-label^="Take {" ".join(wedge)}"]').click()
        await confirm(page, "Take")
    elif kind == "give_back":
        await page.locator(f'.hand-row [aria-label^="Give {" ".join(wedge)}"]').first.click()
        await confirm(page, "Give")
    elif kind == "sell":
        colour = move["trait"]
        for animal in sorted(one.split("-")[0] for one in move["wedges"]):
            await page.locator(f'.wheels-row .piece[aria-pressed=false][aria-label^="{colour} {animal}"]').first.click()
        await confirm(page, "Sell")
    elif kind == "flip":
        await market.nth(move["place"]).click()
        await confirm(page, "Flip")
    elif kind == "replace":
        up = page.locator(f'.supply-row [aria-label="Use {move["wedge"].replace("/", " / ")} with {move["up"]} up"]')
        await up.click()
        await market.nth(move["place"]).click()
        await confirm(page, "Replace")
    elif kind == "swap_seat":
        await page.locator(".counter .debt", has_text="Colby").click()
        await confirm(page, "Swap with Colby")
    else:
        if kind == "exchange":
            give = " / ".join(map(side, move["give"].split("/")))
            await page.locator(f'.supply-row [aria-label^="Your market wedge {give}"]').click()
        take = " / ".join(map(side, (move.get("take") or move["wedge"]).split("/")))
        await page.locator(f'.counter [aria-label^="Take {take}"]').click()
        await confirm(page, "Swap" if kind == "exchange" else "Take")


DO = {
    "cheesedog": cheesedog,
    "diced_cheese": diced_cheese,
    "do_my_bidding": do_my_bidding,
    "chesterfield": chesterfield,
    "cheesonomics": cheesonomics,
}


async def wait_out(page: Page, entry: str) -> None:
    """Let the clock of the page run until this frame is over. A frame is shown for longer than one step of this."""
    for _ in range(100):
        await page.clock.run_for(100)
        if await page.locator(".page.lesson").get_attribute("data-entry") != entry:
            return
    raise AssertionError(f"frame {entry} does not go on by itself")


@pytest.mark.parametrize("name", LESSONS)
async def test_whoever_does_what_the_lesson_says_completes_it(browser: Browser, name: str) -> None:
    page = await browser.new_page(reduced_motion="reduce", viewport=LAPTOP if name in ON_LAPTOP else PHONE)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    await serve_files(page)
    await page.clock.install()
    await page.goto(f"{HOME}/learn/{name}")
    await expect(page.locator(".page.lesson")).to_be_visible()
    await stop_clock(page)  # so that no frame is over before the test has seen it
    chapters = show_lesson(GAMES[name], LESSONS[name])
    wheels: set[int] = (
        set()
    )  # the widths of the market of Cheesonomics, which long texts of the lesson must not squeeze
    for number, chapter in enumerate(chapters):
        for at, frame in enumerate(chapter.frames):
            await expect(page.locator(".page.lesson")).to_have_attribute("data-entry", str(at + 1))
            for part in ("say", "task"):
                if text := getattr(frame, part):
                    await expect(page.locator(f".teacher .{part}")).to_have_text(text)
            for wheel in (await page.locator(".market-place").all())[:1]:
                wheels.add(round((await wheel.bounding_box() or {"width": 0})["width"]))
            if frame.auto:
                await wait_out(page, str(at + 1))
            elif frame.want is not None:
                await page.clock.run_for(100)
                await DO[name](page, msgspec.to_builtins(frame.want))
            elif at + 1 < len(chapter.frames):
                await page.get_by_role("button", name="Go on").click()
        if number + 1 < len(chapters):
            await page.get_by_role("button", name=f"Go on to part {number + 2}").click()
    await expect(page.locator(".teacher")).to_contain_text("That was the lesson.")
    await expect(page.get_by_role("button", name="Play with bots")).to_be_visible()
    assert errors == []
    assert len(wheels) == (name == "cheesonomics")


async def test_something_else_than_the_lesson_asks_for_is_told_so_and_changes_nothing(browser: Browser) -> None:
    page = await browser.new_page(reduced_motion="reduce")
    await serve_files(page)
    await page.goto(f"{HOME}/learn/cheesedog")
    await page.locator('.me [data-place="rank-7"]').click()
    await expect(page.locator(".teacher .missed")).to_contain_text("play both 5s now")
    assert await findings(page) == []
    await expect(page.locator(".page.lesson")).to_have_attribute("data-entry", "1")


async def test_the_lesson_is_offered_at_a_first_table_until_the_first_move(browser: Browser) -> None:
    recording = record("cheesedog", 3, "offer")
    untimed = msgspec.structs.replace(recording.running, speed="untimed")
    asks = [at for at, update in enumerate(recording.updates) if update.ask]
    page = await browser.new_page(reduced_motion="reduce")
    show = Show(page, recording._replace(running=untimed))
    await show.open()
    await show.go_to(asks[0])
    await expect(page.locator(".offer-lesson")).to_contain_text("Learn Cheesedog by playing")
    await show.go_to(asks[1])
    await expect(page.locator(".offer-lesson")).to_have_count(0)
    await expect(page.locator(".coach")).to_be_visible()  # hints come instead
