"""What a seat and the bar show in a running game: the host, and the score of the evening, also on a phone."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace
from playwright.async_api import Browser, expect

from games.offers import Offer
from protocol.messages import Ask, Evening, Score
from tests.browser.people import LAPTOP, PHONE
from tests.browser.recorded import Show, record
from tests.browser.test_layout import EVENING, quiet_page, with_table


async def test_the_host_has_a_crown_and_a_phone_shows_the_score_in_short(browser: Browser) -> None:
    page = await quiet_page(browser)
    await page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    show = Show(page, with_table(record("cheesedog", 4, "host"), host="bot2", evening=EVENING))
    await show.open()
    await expect(page.locator(".seat .host-mark")).to_have_count(1)
    await expect(page.get_by_role("group", name="Brie").locator(".host-mark")).to_be_visible()
    score = page.get_by_role("img", name="Tonight Wensleydale 12, you 11")
    await expect(score).to_have_text("11 : 12")
    await expect(page.locator(".bar .tonight")).to_be_hidden()
    await page.set_viewport_size({"width": LAPTOP[0], "height": LAPTOP[1]})
    await expect(score).to_be_hidden()
    await expect(page.locator(".bar .tonight")).to_be_visible()


async def test_the_score_leaves_out_bots_that_have_won_nothing(browser: Browser) -> None:
    page = await quiet_page(browser)
    scores = (Score(user="bot1", name="Wensleydale", wins=2), Score(user="me", name="P", wins=0))
    evening = Evening(rounds=2, scores=(*scores, Score(user="bot2", name="Brie", wins=0)))
    await Show(page, with_table(record("cheesedog", 4, "host"), evening=evening)).open()
    await expect(page.locator(".bar .tonight b")).to_have_text("Wensleydale 2, you 0")


async def test_a_prompt_is_measured_again_when_the_window_changes(browser: Browser) -> None:
    page = await quiet_page(browser)
    recording = record("chesterfield", 4, "prompt")
    hand = ["Feta"] * 7
    view = {**msgspec.to_builtins(recording.updates[1].view), "phase": "upkeep", "hand": hand, "auction": None}
    keep = Offer(move="keep", fill={"discard": {"least": 0, "most": 3, "of": hand}})
    asked = replace(recording.updates[1], view=view, ask=Ask(n=2, offers=(keep,)))
    show = Show(page, recording._replace(updates=(recording.updates[0], asked, *recording.updates[2:])), "de")
    await page.set_viewport_size({"width": 1920, "height": 1080})
    await show.open()
    await show.step()
    await expect(page.locator(".prompt.yours:not(.long)")).to_be_visible()
    await page.set_viewport_size({"width": 320, "height": 480})
    await expect(page.locator(".prompt.yours.long")).to_be_visible()
    await page.set_viewport_size({"width": 1920, "height": 1080})
    await expect(page.locator(".prompt.yours:not(.long)")).to_be_visible()
