"""Names and chat are inert whatever they contain."""

from __future__ import annotations

from playwright.async_api import expect

from tests.browser.people import PHONE, People

NASTY = "<img src=x onerror=hi()>"
SAID = "<script>hi()</script><b>bold</b> javascript:hi() \"'&lt;"


async def test_names_and_chat_with_markup_stay_text(people: People) -> None:
    player, watcher = await people.come(), await people.come(PHONE)
    for page in (player, watcher):
        await page.add_init_script("globalThis.hi = () => (globalThis.hit = true)")
    await player.goto(people.home)
    await player.get_by_label("Your name").fill(NASTY)
    await player.get_by_role("button", name="Private table").click()
    await expect(player.locator(".chairs .name").first).to_have_text(NASTY)
    await player.get_by_label("Message").fill(SAID)
    await player.get_by_role("button", name="Send").click()
    await expect(player.locator(".chats li").last).to_contain_text(SAID)
    await watcher.goto(player.url)
    await expect(watcher.locator(".chairs .name").first).to_have_text(NASTY)
    await watcher.get_by_role("button", name="Log and chat").click()
    await expect(watcher.locator(".sheet .chats li").last).to_contain_text(SAID)
    for page in (player, watcher):
        assert await page.evaluate("globalThis.hit") is None
        assert await page.locator("#app img[src=x], .chats b, .chats script").count() == 0


async def test_a_muted_name_is_heard_no_more(people: People) -> None:
    player, other = await people.come(), await people.come()
    await player.goto(people.home)
    await player.get_by_role("button", name="Private table").click()
    await player.wait_for_selector(".waiting")
    await other.goto(player.url)
    await other.get_by_role("button", name="Sit here").first.click()
    await other.get_by_role("button", name="Say Hello!").click()
    said = player.locator(".chats li", has_text="Hello!")
    await expect(said).to_be_visible()
    await said.get_by_role("button").click()
    await expect(said).to_have_count(0)


async def test_the_page_runs_no_script_of_others(people: People) -> None:
    page = await people.come()
    answer = await page.goto(people.home)
    assert answer
    policy = answer.headers["content-security-policy"]
    assert "script-src 'self' 'sha256-" in policy
    assert "unsafe" not in policy
