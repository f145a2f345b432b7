"""The installed page: without a network, and over an update of the service."""

from __future__ import annotations

from playwright.async_api import Page, expect

from tests.browser.people import People
from tests.browser.test_access import findings

INSTALLED = "navigator.serviceWorker.register('/sw.js').then(() => navigator.serviceWorker.ready).then(() => true)"
CONTROLLED = "() => navigator.serviceWorker.controller !== null"


async def installed(people: People) -> Page:
    """A person whose browser keeps the client."""
    page = await people.come(service_workers="allow")
    await page.goto(people.home)
    assert await page.evaluate(INSTALLED)
    await page.wait_for_function(CONTROLLED)
    return page


async def test_without_a_network_the_page_opens_and_shows_the_rules(people: People) -> None:
    page = await installed(people)
    await page.context.set_offline(True)
    await page.goto(f"{people.home}/t/nosuchtable")
    await expect(page.locator(".offline-note")).to_contain_text("You are offline.")
    assert await findings(page) == []
    await page.get_by_role("button", name="To the lobby").click()
    await page.click(".game-card.of-diced_cheese")
    await page.get_by_role("button", name="Rules").click()
    await expect(page.locator(".rules h1, .rules h2, .rules h3").first).to_be_visible()
    await page.keyboard.press("Escape")
    await page.context.set_offline(False)
    await expect(page.locator(".offline-note")).to_have_count(0)
    await page.click(".play .do.big")
    await page.wait_for_selector(".page.table > .me")


async def test_without_a_service_a_table_says_so_and_leads_to_the_lobby(people: People) -> None:
    page = await people.come()
    await page.route_web_socket("**/ws*", lambda socket: socket.close())
    await page.goto(f"{people.home}/t/nosuchtable")
    await expect(page.get_by_text("The service does not answer. Trying again…")).to_be_visible()
    await page.get_by_role("button", name="To the lobby").click()
    await expect(page.get_by_role("heading", name="Play now")).to_be_visible()


async def test_the_cache_holds_the_version_of_the_page_and_no_other_one_is_served(people: People) -> None:
    page = await installed(people)
    names = await page.evaluate("caches.keys()")
    [version] = await page.evaluate("[document.querySelector('script[type=module]').src.split('/')[4]]")
    assert names == [f"cheeseboard-{version}"]
    other = await page.evaluate("fetch('/static/0123456789abcdef/app.js').then((answer) => answer.status)")
    assert other == 404


async def test_old_caches_are_deleted_except_the_one_before(people: People) -> None:
    page = await people.come(service_workers="allow")
    await page.goto(people.home)
    await page.evaluate("Promise.all(['cheeseboard-1', 'cheeseboard-2', 'other'].map((name) => caches.open(name)))")
    assert await page.evaluate(INSTALLED)
    await page.wait_for_function(CONTROLLED)
    names = await page.evaluate("caches.keys()")
    assert names[:2] == ["cheeseboard-2", "other"]
    assert len(names) == 3
