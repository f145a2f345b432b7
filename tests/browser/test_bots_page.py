"""The page for bot authors: a token is made there, used, listed with its use, and taken back."""

from __future__ import annotations

import pytest
from playwright.async_api import expect

from tests.browser.people import People
from tests.client import Client
from tests.service import Service


async def test_a_token_is_made_used_listed_and_taken_back(people: People, service: Service) -> None:
    page = await people.come()
    await page.goto(f"{service.http}/bots")
    await page.get_by_label("Name of the bot").fill("Gnawbot")
    await page.get_by_label("talk").uncheck()
    await page.get_by_role("button", name="Make a token").click()
    token = (await page.locator(".token").inner_text()).strip()
    row = page.locator("li", has_text="Gnawbot")
    await expect(row).to_contain_text("may play, open tables; made")
    await expect(row).to_contain_text("last used never")
    bot = await Client.join(service.url, token=token, plays={"games": ["cheesedog"]})
    assert (bot.user["name"], bot.user["bot"]) == ("Gnawbot", True)
    await page.reload()
    own, online = row.first, page.locator("h2", has_text="Online now").locator("+ ul")
    await expect(own).not_to_contain_text("last used never")
    await expect(online).to_contain_text("plays cheesedog")
    await own.get_by_role("button", name="Revoke Gnawbot").click()
    await expect(page.get_by_role("button", name="Revoke Gnawbot")).to_have_count(0)
    with pytest.raises(ConnectionError):
        await bot.until(lambda message: False)
    assert bot.closed_with == 4004
