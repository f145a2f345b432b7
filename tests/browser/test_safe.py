"""Security: names and chat are shown as text, and the page runs no foreign scripts."""

from __future__ import annotations

from playwright.async_api import expect

from tests.browser.people import PHONE, People
from tests.client import eventually

NASTY = "<img src=x onerror=hi()>"
ADD_SCRIPT = """() => {
  const script = document.createElement("script");
  script.textContent = "globalThis.hit = true";
  document.body.append(script);
}"""
SAID = "<script>hi()</script><b>bold</b> javascript:hi() \"'&lt;"


async def test_markup_in_names_and_chat_is_shown_as_text(people: People) -> None:
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
    await expect(watcher.locator(".invitation h2 bdi")).to_have_text(NASTY)
    await expect(watcher.locator(".faces-named bdi").first).to_have_text(NASTY)
    await watcher.get_by_role("button", name="Log and chat").click()
    await expect(watcher.locator(".sheet .chats li").last).to_contain_text(SAID)
    for page in (player, watcher):
        assert await page.evaluate("globalThis.hit") is None
        assert await page.locator("#app img[src=x], .chats b, .chats script").count() == 0


async def test_a_muted_person_stays_silent_under_a_new_name_and_after_a_reload(people: People) -> None:
    player, other = await people.come(), await people.come()
    await player.goto(people.home)
    await player.get_by_label("Your name").fill("Hilda")
    await player.get_by_role("button", name="Private table").click()
    await player.wait_for_selector(".waiting")
    await other.goto(player.url)
    await other.get_by_label("Your name").fill("Loudmouth")
    await other.get_by_role("button", name="Sit here").first.click()
    await expect(other.locator(".chairs li", has_text="you")).to_be_visible()
    await other.get_by_role("button", name="Say Hello!").click()
    said = player.locator(".chats li", has_text="Hello!")
    await expect(said).to_be_visible()
    await said.get_by_role("button").click()
    await player.get_by_role("button", name="Mute, under any name").click()
    await player.keyboard.press("Escape")
    await expect(said).to_have_count(0)
    await other.get_by_role("button", name="Table menu").click()
    await other.get_by_role("button", name="Settings").click()
    await other.get_by_label("Your name").fill("Another name")
    await other.keyboard.press("Enter")
    await other.keyboard.press("Escape")
    await expect(player.locator(".chairs .name", has_text="Another name")).to_be_visible()
    await other.get_by_label("Message").fill("Can you hear me?")
    await other.get_by_role("button", name="Send").click()
    await expect(other.locator(".chats li", has_text="Can you hear me?")).to_be_visible()
    await player.get_by_label("Message").fill("It is quiet here")
    await player.get_by_role("button", name="Send").click()
    await expect(player.locator(".chats li", has_text="It is quiet here")).to_be_visible()
    await expect(player.locator(".chats li", has_text="Can you hear me?")).to_have_count(0)
    await player.reload()
    await expect(player.locator(".chats li", has_text="It is quiet here")).to_be_visible()
    await expect(player.locator(".chats li", has_text="Can you hear me?")).to_have_count(0)
    await player.get_by_role("button", name="Table menu").click()
    await player.get_by_role("button", name="Settings").click()
    await player.get_by_role("list", name="Muted").get_by_role("button", name="Unmute Loudmouth").click()
    await expect(player.locator(".chats li", has_text="Can you hear me?")).to_have_count(1)


async def test_the_content_security_policy_allows_only_our_own_scripts(people: People) -> None:
    page = await people.come()
    answer = await page.goto(people.home)
    assert answer
    policy = answer.headers["content-security-policy"]
    assert "script-src 'self' 'sha256-" in policy
    assert "unsafe" not in policy
    await page.evaluate(ADD_SCRIPT)
    assert await page.evaluate("globalThis.hit") is None

    def refused() -> list[str]:
        return [fault for fault in people.errors if "Content Security Policy" in fault]

    await eventually(refused)  # the browser may tell it a moment later
    assert len(refused()) == 1
    people.errors.clear()
