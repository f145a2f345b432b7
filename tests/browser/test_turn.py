"""A turn is noticed elsewhere: in the title, the icon, a notification, and by screen readers."""

from __future__ import annotations

import random

from msgspec.structs import replace
from playwright.async_api import Browser, Page, expect

from tests.browser.people import People, asked, click_once
from tests.browser.recorded import Show, record

MAX_CLICKS = 200  # far more than it takes until it is somebody's turn again
# Notifications of the page are recorded instead of shown, and the page may be told that it is hidden.
RECORD = """
globalThis.shown = [];
globalThis.Notification = class {
  static permission = "default";
  static requestPermission = async () => (Notification.permission = "granted");
  constructor(title, options) { shown.push({ title, ...options }); }
  close() { shown.push("closed"); }
};
"""
HIDE = """Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true })"""


async def icon(page: Page) -> str:
    return str(await page.evaluate("document.querySelector('link[rel=icon]').href.split('/').at(-1)"))


async def test_my_turn_is_in_the_title_the_icon_and_the_live_region(people: People) -> None:
    page = await people.come()
    await people.sit_down(page, "cheesedog")
    await expect(page).to_have_title("Your turn · Cheeseboard")
    await expect(page.locator("#announcements")).to_contain_text("our turn")
    assert await icon(page) == "turn.svg"
    await page.get_by_role("button", name="To the lobby").click()
    await expect(page).to_have_title("Cheeseboard")
    assert await icon(page) == "icon.svg"


async def test_a_notification_is_asked_for_in_the_settings_and_shown_while_the_page_is_hidden(people: People) -> None:
    page = await people.come()
    await page.add_init_script(RECORD)
    await page.goto(people.home)
    await page.get_by_role("button", name="Settings").click()
    choice = page.get_by_role("radiogroup", name="Notification at my turn")
    await expect(choice.get_by_role("radio", name="off")).to_be_checked()
    await choice.get_by_role("radio", name="on").click()
    await expect(choice.get_by_role("radio", name="on")).to_be_checked()
    assert await page.evaluate("Notification.permission") == "granted"
    await page.keyboard.press("Escape")
    await page.add_init_script("Notification.permission = 'granted'")
    await people.sit_down(page, "cheesedog")
    assert await page.evaluate("shown") == []
    await page.evaluate(HIDE)
    chance, moment = random.Random("turn"), ""
    for _ in range(MAX_CLICKS):
        if await page.evaluate("shown.length"):
            break
        assert await asked(page, moment)
        moment = await click_once(page, chance)
    [first, *_] = await page.evaluate("shown")
    assert first["title"] == "Your turn: Cheesedog"


async def test_a_refused_notification_stays_off_and_says_why(people: People) -> None:
    page = await people.come()
    await page.add_init_script(RECORD.replace('"granted"', '"denied"'))
    await page.goto(people.home)
    await page.get_by_role("button", name="Settings").click()
    choice = page.get_by_role("radiogroup", name="Notification at my turn")
    await choice.get_by_role("radio", name="on").click()
    await expect(page.get_by_role("alert")).to_contain_text("does not allow")
    await expect(choice.get_by_role("radio", name="off")).to_be_checked()


# A phone: the page cannot make notifications, the service worker shows them. Vibrations are recorded.
PHONE_SYSTEM = """
globalThis.open = [];
globalThis.vibrations = [];
globalThis.Notification = class {
  static permission = "granted";
  constructor() { throw new TypeError("Illegal constructor"); }
};
const registration = {
  showNotification: async (title, { tag }) => {
    open.push({ title, tag, close() { open.splice(open.indexOf(this), 1); } });
  },
  getNotifications: async ({ tag }) => open.filter((one) => one.tag === tag),
};
const worker = { getRegistration: async () => registration, register: async () => {} };
Object.defineProperty(navigator, "serviceWorker", { value: worker });
navigator.vibrate = (ms) => vibrations.push(ms);
localStorage.setItem("cheeseboard.notify", "true");
localStorage.setItem("cheeseboard.hints", "false");
"""


async def test_on_a_phone_the_first_turn_vibrates_and_the_notification_goes_with_the_turn(browser: Browser) -> None:
    page = await browser.new_page(reduced_motion="reduce")
    await page.add_init_script(PHONE_SYSTEM)
    await page.clock.install()
    recording = record("cheesedog", 4, "phone")
    mine = next(at for at, update in enumerate(recording.updates) if update.ask)
    others = next(at for at, update in enumerate(recording.updates) if at > mine and not update.ask)
    first = recording.updates[0]
    waiting = replace(first, ask=None)
    show = Show(page, recording._replace(updates=(waiting, *recording.updates[1:])))
    await show.open()
    await page.get_by_role("heading").first.click()  # who has touched a page may be told by a vibration
    await page.clock.fast_forward(6000)
    await page.evaluate(HIDE)
    await show.go_to(max(1, mine))
    await page.wait_for_function("() => open.length === 1")
    assert await page.evaluate("[vibrations, open[0].title]") == [[150], "Your turn: Cheesedog"]
    await show.go_to(others)
    await page.wait_for_function("() => open.length === 0")
