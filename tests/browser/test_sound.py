"""What is heard: dice and gavel when a beat begins, the cheer when it is over; and the switch, on a phone too."""

from __future__ import annotations

import asyncio

import pytest
from playwright.async_api import Browser, expect

from tests.browser.people import stop_clock
from tests.browser.test_beats import open_before, with_climax

# Count the noises that are made, which are dice and gavel here: a turn, coins and cheers are tones.
LISTEN = """() => {
  globalThis.noises = 0;
  const make = BaseAudioContext.prototype.createBufferSource;
  BaseAudioContext.prototype.createBufferSource = function () {
    noises += 1;
    return make.call(this);
  };
}"""


@pytest.mark.parametrize(("game", "kind"), [("diced_cheese", "rolled"), ("do_my_bidding", "sold")])
async def test_dice_and_gavel_sound_when_the_beat_begins_and_not_again_after_it(
    browser: Browser, game: str, kind: str
) -> None:
    recording, at = with_climax(game, kind)
    page, show = await open_before(browser, recording, at, "no-preference")
    await page.evaluate(LISTEN)
    await page.locator(".bar h1").click()  # browsers let nothing sound before
    await page.clock.install()
    await stop_clock(page)  # so that the beat does not end by itself
    step = asyncio.create_task(show.step())
    await expect(page.locator(".beat")).to_be_visible()
    begun = await page.evaluate("noises")
    assert begun > 0
    await page.locator(".beat").click()
    await step
    assert await page.evaluate("noises") == begun


async def test_the_sound_is_switched_in_the_bar_of_a_phone(browser: Browser) -> None:
    recording, at = with_climax("diced_cheese", "rolled")
    page, _ = await open_before(browser, recording, at, "reduce")
    switch = page.get_by_role("button", name="Sound")
    await expect(switch).to_be_visible()
    await expect(switch).to_have_attribute("aria-pressed", "true")
    await switch.click()
    await expect(switch).to_have_attribute("aria-pressed", "false")
    await expect(switch).to_have_attribute("title", "Sound is off")
