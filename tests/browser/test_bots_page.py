"""The page for bot authors: making, listing and revoking tokens, and the documentation."""

from __future__ import annotations

import pytest
from playwright.async_api import expect

from tests.browser.people import People
from tests.browser.test_access import findings
from tests.client import Client
from tests.service import Service


async def test_a_token_is_made_used_listed_and_revoked(people: People, service: Service) -> None:
    page = await people.come()
    await page.goto(f"{service.http}/bots")
    await page.get_by_label("Name of the bot").fill("Gnawbot")
    await page.get_by_label("talk").uncheck()
    await page.get_by_role("button", name="Make a token").click()
    token = (await page.locator(".token").first.inner_text()).strip()
    await expect(page.locator(".command")).to_have_text(f"python mybot.py {service.url} {token} CODE")
    await expect(page.get_by_label("Name of the bot")).to_have_value("")
    row = page.locator("li", has_text="Gnawbot")
    await expect(row).to_contain_text("may play and open tables; made")
    await expect(row).to_contain_text("last used never")
    bot = await Client.join(service.url, token=token, plays={"games": ["cheesedog"]})
    assert (bot.user["name"], bot.user["bot"]) == ("Gnawbot", True)
    await page.reload()
    own, online = row.first, page.locator("h2", has_text="Online now").locator("+ ul")
    await expect(own).not_to_contain_text("last used never")
    await expect(online).to_contain_text("plays Cheesedog")
    assert await findings(page) == []
    await own.get_by_role("button", name="Revoke Gnawbot").click()
    await own.get_by_role("button", name="Really revoke?").click()
    await expect(page.get_by_role("button", name="Revoke Gnawbot")).to_have_count(0)
    with pytest.raises(ConnectionError):
        await bot.until(lambda message: False)
    assert bot.closed_with == 4004


async def test_a_token_needs_at_least_one_scope(people: People, service: Service) -> None:
    page = await people.come()
    await page.goto(f"{service.http}/bots")
    make = page.get_by_role("button", name="Make a token")
    await expect(make).to_be_enabled()
    for scope in ("play", "open tables", "talk"):
        await page.get_by_label(scope).uncheck()
    await expect(make).to_be_disabled()
    await page.get_by_label("play").check()
    await expect(make).to_be_enabled()


async def test_the_documents_are_shown_and_link_to_each_other(people: People, service: Service) -> None:
    page = await people.come()
    await page.goto(f"{service.http}/bots")
    await page.get_by_role("link", name="How to write a bot").click()
    await expect(page.locator("pre", has_text="from bots.sdk import fill, run")).to_be_visible()
    await expect(page.locator("article")).not_to_contain_text("<!--")
    await expect(page.locator("ol[start='5'] li")).to_contain_text("Run it")
    await page.locator("article").get_by_role("link", name="protocol.md").first.click()
    await expect(page).to_have_url(f"{service.http}/docs/protocol")
    await page.get_by_role("link", name="error codes").click()
    await expect(page.get_by_role("heading", name="Error codes")).to_be_in_viewport()
    await page.goto(f"{service.http}/docs/protocol#close-codes")
    await expect(page.get_by_role("heading", name="Close codes")).to_be_in_viewport()
    await page.goto(f"{service.http}/docs/rules/cheesedog")
    await expect(page.locator("article h2")).to_have_text("Cheesedog")
    assert await findings(page) == []
