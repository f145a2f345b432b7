"""The language of the page: by default that of the browser, else the one that was chosen, which the browser keeps."""

from __future__ import annotations

from playwright.async_api import Browser, expect

from tests.browser.people import MODULES, People
from tests.browser.recorded import HOME, serve_files

TOLD = f"(text) => {MODULES}.then((all) => all['told.js'].told(text))"


async def test_the_page_is_in_the_browsers_language_until_another_one_is_chosen(people: People) -> None:
    page = await people.come(locale="de-CH")
    await page.goto(people.home)
    await expect(page.locator("html")).to_have_attribute("lang", "de")
    await page.get_by_role("button", name="Mit Bots spielen").click()
    await expect(page.locator(".me .prompt")).to_contain_text("Du bist dran")
    await page.get_by_role("button", name="Menü des Tisches").click()
    await page.get_by_role("button", name="Einstellungen").click()
    await page.get_by_label("Sprache").select_option(label="English")
    await expect(page.locator("html")).to_have_attribute("lang", "en")
    await expect(page.locator(".me .prompt")).to_contain_text("Your turn")
    await page.goto(people.home)
    await expect(page.get_by_role("button", name="Play with bots")).to_be_visible()


async def test_a_reason_of_the_server_and_a_lesson_are_in_the_language_of_the_page(people: People) -> None:
    page = await people.come(locale="de-DE")
    await page.goto(people.home)
    await page.get_by_label("Code?").fill("aaaaaaaaaa")
    await page.get_by_role("button", name="Mitspielen").first.click()
    await expect(page.locator(".join .fault")).to_contain_text("keinen Tisch")
    await page.goto(f"{people.home}/learn/cheesedog")
    await expect(page.locator(".teacher .say")).to_contain_text("Werde alle Karten los")


async def test_a_reason_of_the_server_that_begins_like_another_one_has_its_own_translation(browser: Browser) -> None:
    page = await browser.new_page()
    await serve_files(page, "de")
    await page.goto(f"{HOME}/")
    for told in ("du hast Platz 2: verlass ihn zuerst", "du hast Platz 2"):
        text = "you have seat 2" + ": leave it first" * (":" in told)
        assert await page.evaluate(TOLD, text) == told
