"""Pictures that people choose, and emoji that they send over the table."""

from __future__ import annotations

from playwright.async_api import expect

from tests.browser.people import PHONE, People
from tests.browser.test_access import findings
from tests.browser.test_hosting import sheet, table_with


async def test_a_friend_chooses_a_picture_reacts_over_the_table_and_reads_what_is_said(people: People) -> None:
    (host,) = await table_with(people)
    friend = await people.come(PHONE)
    await friend.goto(host.url)
    await friend.get_by_label("Your name").fill("Frida")
    await friend.get_by_role("button", name="Choose your picture").click()
    await sheet(friend).get_by_role("radio", name="Fox").click()
    await expect(sheet(friend)).to_have_count(0)
    await friend.get_by_role("button", name="Sit here").click()
    await expect(host.locator(".chairs li", has_text="Frida").locator(".avatar svg")).to_be_visible()

    await friend.get_by_role("button", name="Choose your picture").click()
    assert await findings(friend) == []
    await expect(sheet(friend).get_by_role("radio", name="Fox")).to_be_checked()
    await sheet(friend).get_by_role("radio", name="Initials").click()
    await expect(host.locator(".chairs li", has_text="Frida").locator(".avatar")).to_have_text("F")

    await host.get_by_role("button", name="Start with bots on free seats").click()
    await friend.get_by_role("button", name="React", exact=True).click()
    assert await findings(friend) == []
    await friend.get_by_role("button", name="React: laughing").click()
    bubble = host.locator(".others .bubble")  # for a few seconds only
    await expect(bubble.get_by_role("img", name="laughing")).to_be_attached()
    await expect(friend.get_by_role("group", name="Reactions")).to_have_count(0)
    await expect(host.locator(".chats li", has_text="Frida").get_by_role("img", name="laughing")).to_be_visible()

    talk = friend.locator(".talk-button")
    await expect(talk.locator("b")).to_have_count(0)  # for what I say myself
    await host.get_by_label("Message").fill("Hello, Frida")
    await host.get_by_role("button", name="Send").click()
    await expect(talk.locator("b")).to_have_text("1")
    await talk.click()
    await expect(sheet(friend).locator(".chats")).to_contain_text("Hello, Frida")
    assert await findings(friend) == []
    await expect(talk.locator("b")).to_have_count(0)
