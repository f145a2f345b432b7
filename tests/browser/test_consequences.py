"""What a move costs stands at its button, and nothing is given away by a single tap or by what the page has chosen."""

from __future__ import annotations

import re
from typing import Any

from playwright.async_api import Browser, Page, expect

from games import GAMES
from games.cheesonomics.pieces import COLOURS, MARKET, SIDES
from games.chesterfield import phases
from games.chesterfield.deck import Cheeses
from games.chesterfield.table import State
from games.kit import Auction
from tests.browser.recorded import Recording, Show, record, update_of

PHONE: Any = {"width": 390, "height": 844}


def tag(event: Any) -> str:
    return str(type(event).__struct_config__.tag)


def named(side: str) -> str:
    return side.replace("+", " with a ribbon")


def chesterfield(hand: Cheeses, phase: phases.Phase, bank: int = 20) -> Recording:
    """A recording whose only entry is this position, with the viewer asked."""
    state = State(
        first=1,
        reserved=("Bleu",) * 4,
        hands=(hand, ("Feta",), ("Feta",)),
        block=("Gruyere",),
        deck=(),
        banks=(bank, 20, 20),
        sets=((), (), ()),
        bleus=(0, 0, 0),
        phase=phase,
        auctioneer=1,
    )
    update = update_of(GAMES["chesterfield"], state, (), None, 1, 0)
    return record("chesterfield", 3, "consequences")._replace(updates=(update,))


async def opened(browser: Browser, recording: Recording) -> tuple[Page, Show]:
    page = await browser.new_page(viewport=PHONE, reduced_motion="reduce")
    await page.add_init_script("localStorage.setItem('cheeseboard.hints', 'false')")
    show = Show(page, recording)
    await show.open()
    return page, show


async def test_a_bid_says_what_is_owed_with_roquefort_and_a_drop_what_is_still_paid_with_feta(browser: Browser) -> None:
    auction = Auction(0, (4, 6, None), (False, False, True), 6, 1)
    phase = phases.CheeseAuction("Camembert", 0, auction, ("Roquefort", "Roquefort", "Feta"))
    page, _ = await opened(browser, chesterfield(("Feta", "Bleu"), phase))
    await expect(page.locator('[data-place="my-bid"]')).to_contain_text("Bid $7")
    await expect(page.locator('[data-place="my-bid"]')).to_contain_text("owe $17")
    await expect(page.get_by_role("button", name="Drop")).to_contain_text("still pay $4")


async def test_giving_up_a_card_names_its_cost_and_asks(browser: Browser) -> None:
    auction = Auction(0, (6, None, None), (False, True, True), 6, 0)
    phase = phases.Paying("Camembert", 0, auction, ("Feta", "Roquefort", "Bleu"), 11)
    page, show = await opened(browser, chesterfield(("Gruyere",), phase, bank=6))
    button = page.locator(".buttons button", has_text="ive up")
    await expect(button).to_contain_text("still pay $6, 1 Bleu: −3")
    await button.click()
    await expect(button).to_contain_text("Really give up?")
    assert show.moves == []
    await button.click()
    assert [move["type"] for move in await show.sent()] == ["default"]


async def test_a_single_card_is_told_what_would_make_it_a_set(browser: Browser) -> None:
    phase = phases.LayingDown((False, True, True))
    page, _ = await opened(browser, chesterfield(("Roquefort", "Roquefort", "Feta"), phase))
    cards = page.locator('.me [data-place="card-Roquefort"]')
    await cards.first.click()  # both are picked, as they are a set
    await cards.first.click()
    await expect(page.locator(".buttons")).to_contain_text("Add a second Roquefort or a Cheddar.")


async def test_in_sharp_nothing_is_preselected_and_every_choice_is_confirmed(browser: Browser) -> None:
    seen: set[str] = set()
    for number in range(6):
        recording = record("cheesonomics", 3, f"sharp {number}", variant="sharp")
        page, show = await opened(browser, recording)
        for at, update in enumerate(recording.updates):
            if (
                not update.ask
                or not update.view
                or (kind := update.view.phase.__struct_config__.tag) in seen | {"turn"}
            ):
                continue
            seen.add(str(kind))
            await show.go_to(at)
            pressed = page.locator(".page.table [aria-pressed=true]:not(.sound-switch, .debt)")
            assert await pressed.count() == 0, kind  # whose turn it is to get a wedge back (.debt) is only an order
            chosen = page.locator(".counter .can, .target.can")
            if await chosen.count():
                await chosen.first.click()
                assert show.moves == [], kind
        await page.close()
    assert {"picking", "replacing", "flipping", "taking", "swapping"} <= seen


async def test_what_can_i_do_sends_no_choice_by_one_tap(browser: Browser) -> None:
    recording = record("cheesonomics", 3, "offers")
    at = next(at for at, update in enumerate(recording.updates) if update.ask and update.ask.offers[0].move == "churn")
    page, show = await opened(browser, recording)
    await show.go_to(at)
    await page.get_by_role("button", name="What can I do?").click()
    offer = page.locator(".sheet .offer").first
    await expect(offer.locator(".do")).to_be_disabled()
    await offer.locator(".choice button").first.click()
    assert show.moves == []
    await offer.locator(".do").click()
    assert [move["type"] for move in await show.sent()] == ["churn"]


async def test_the_reference_lists_the_market_wedges_what_was_sold_and_the_backs_that_were_seen(
    browser: Browser,
) -> None:
    recording = record("cheesonomics", 3, "backs")
    flips = [at for at, update in enumerate(recording.updates) if "flipped" in map(tag, update.events)]
    page, show = await opened(browser, recording)
    await show.step(flips[2])
    await page.get_by_role("button", name="Rules").click()
    reference = page.locator(".reference")
    labels = [await one.get_attribute("aria-label") for one in await reference.locator(".all-market > span").all()]
    assert sorted(sorted(str(label).split(" / ")) for label in labels) == sorted(
        sorted(named(side) for side in SIDES[wedge]) for wedge in MARKET
    )
    sold = sum(
        len(event.wedges)
        for update in recording.updates[: flips[2] + 1]
        for event in update.events
        if tag(event) == "sold"
    )
    view = recording.updates[flips[2]].view
    counts = [int((await cell.inner_text())[0]) for cell in await reference.locator("tbody td").all()]
    assert sum(counts) == sold + len(view.hand) + sum(map(len, view.wheels))
    told = await reference.locator(".backs li").all_inner_texts()
    assert len(told) == len(
        {event.place for at in flips[:3] for event in recording.updates[at].events if tag(event) == "flipped"}
    )


async def test_a_change_of_the_market_says_which_price_falls_and_a_production_what_it_is_worth(
    browser: Browser,
) -> None:
    recording = record("cheesonomics", 3, "prices", variant="sharp")
    page, show = await opened(browser, recording)
    seen: set[str] = set()
    for at, update in enumerate(recording.updates):
        moves = {offer.move: offer for offer in update.ask.offers} if update.ask else {}
        kind = next((move for move in ("flip", "replace", "produce") if move in moves), "")
        if not kind or kind in seen:
            continue
        seen.add(kind)
        await show.go_to(at)
        if kind == "replace":
            await page.locator(".supply-row .half.can").first.click()
        await page.locator(".hand-row .piece.can" if kind == "produce" else ".target.can").first.click()
        button = page.locator(".eco-do .do").first
        prices = dict(zip(COLOURS, update.view.prices, strict=True))
        if kind == "produce":
            trait = re.search(r"\d+ (\w+)", await button.inner_text())
            assert trait
            held = [wedge for wedge in update.view.hand if trait[1] in wedge]
            worth = sum(prices[wedge.rstrip("*").split("-")[1]] for wedge in held)
            await expect(button).to_contain_text(f"worth {worth} curd")
            continue
        place = moves[kind].fill["place"].of[0]
        side = update.view.market[place]
        falls = f"{side.rstrip('+')} falls to {prices[side.rstrip('+')] - (2 if side.endswith('+') else 1)}"
        await expect(button).to_contain_text(falls)
        assert ("rises to" in await button.inner_text()) == (kind == "replace")
    assert seen == {"flip", "replace", "produce"}
