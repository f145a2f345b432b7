"""The powers of hosts and of everybody on the page: sending away, locking, handing over, blocking, reporting."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.async_api import Locator, Page, expect

from tests.browser.people import LAPTOP, MODULES, PHONE, PLAIN, People
from tests.browser.test_access import findings


async def name_oneself(page: Page, name: str) -> None:
    """Choose a name while the page asks for it; the next request takes it along."""
    await page.get_by_label("Your name").fill(name)


async def sit(page: Page, url: str, name: str) -> None:
    """Come to a table that waits for players, and sit down."""
    await page.goto(url)
    await name_oneself(page, name)
    await page.get_by_role("button", name="Sit here").first.click()
    await expect(page.locator(".chairs li", has_text=name)).to_contain_text("you")


async def table_with(people: People, *names: str, size: tuple[int, int] = LAPTOP) -> list[Page]:
    """The page of a host at a private table, and those of guests with these names who sit there."""
    host = await people.come(size)
    await host.goto(people.home)
    await name_oneself(host, "Hilda")
    await host.get_by_role("button", name="Private table").click()
    await host.wait_for_selector(".waiting")
    pages = [host]
    for name in names:
        pages.append(await people.come(PHONE))
        await sit(pages[-1], host.url, name)
        await expect(host.locator(".chairs li", has_text=name)).to_be_visible()
    return pages


def sheet(page: Page) -> Locator:
    return page.locator(".sheet")


async def open_people(page: Page) -> None:
    await page.get_by_role("button", name="Table menu").click()
    await sheet(page).get_by_role("button", name="People").click()
    await expect(sheet(page).get_by_role("heading", name="People")).to_be_visible()


async def about(page: Page, name: str) -> None:
    """Open the sheet about a person in the list of chairs."""
    await page.locator(".chairs").get_by_role("button", name=f"About {name}").click()
    await expect(sheet(page).get_by_role("heading", name=name)).to_be_visible()


async def twice(page: Page, name: str, sure: str) -> None:
    """Press a button that asks once more."""
    await sheet(page).get_by_role("button", name=name).click()
    await sheet(page).get_by_role("button", name=sure).click()


async def test_who_is_sent_away_is_told_so_and_may_be_let_back_in(people: People) -> None:
    host, eve = await table_with(people, "Eve")
    await about(host, "Eve")
    await twice(host, "Send away from this table", "Really send Eve away?")
    await expect(eve.get_by_role("heading", name="The host has sent you away")).to_be_visible()
    await expect(host.locator(".chairs li", has_text="Eve")).to_have_count(0)
    await expect(host.locator(".chats li", has_text="Eve was sent away.")).to_have_count(1)
    await expect(host.locator(".chats li", has_text="has left")).to_have_count(0)
    await eve.reload()
    await expect(eve.get_by_role("heading", name="The host has sent you away")).to_be_visible()
    await host.keyboard.press("Escape")
    await open_people(host)
    await sheet(host).get_by_role("list", name="Sent away").get_by_role("button", name="About Eve").click()
    await sheet(host).get_by_role("button", name="Let back in").click()
    await expect(sheet(host).get_by_text("Eve may come back.")).to_be_visible()
    await eve.reload()
    await eve.get_by_role("button", name="Sit here").first.click()
    await expect(host.locator(".chairs li", has_text="Eve")).to_be_visible()


async def test_who_is_sent_away_while_the_chat_is_open_reads_it_at_once_and_can_try_again(people: People) -> None:
    host, eve = await table_with(people, "Eve")
    await eve.get_by_role("button", name="Log and chat").click()
    await expect(sheet(eve)).to_be_visible()
    await about(host, "Eve")
    await twice(host, "Send away from this table", "Really send Eve away?")
    await expect(eve.get_by_role("heading", name="The host has sent you away")).to_be_visible()
    await expect(sheet(eve)).to_have_count(0)
    await sheet(host).get_by_role("button", name="Let back in").click()
    await expect(sheet(host).get_by_text("Eve may come back.")).to_be_visible()
    await eve.get_by_role("button", name="Try again").click()
    await expect(eve.get_by_role("button", name="Sit here").first).to_be_visible()


async def test_in_a_running_game_a_bot_plays_on_for_who_is_sent_away(people: People) -> None:
    host, eve = await table_with(people, "Eve")
    await host.get_by_role("button", name="Start with bots on free seats").click()
    await expect(eve.locator(".others .seat").first).to_be_visible()
    await host.locator(".others").get_by_role("button", name="About Eve").click()
    await twice(host, "Send away from this table", "Really send Eve away? A bot plays on.")
    await expect(eve.get_by_role("heading", name="The host has sent you away")).to_be_visible()
    await expect(host.locator(".others .name", has_text="Eve")).to_have_count(0)
    await eve.get_by_role("button", name="To the lobby").click()
    await expect(eve.get_by_text("Your seat is waiting")).to_have_count(0)


async def test_a_locked_table_shows_watchers_the_door(people: People) -> None:
    host, eve = await table_with(people, "Eve")
    watcher, late = await people.come(PHONE), await people.come()
    await watcher.goto(host.url)
    await expect(watcher.get_by_text("Hilda invites you to Cheesedog")).to_be_visible()
    await open_people(host)
    await sheet(host).get_by_role("button", name="only these players").click()
    await expect(watcher.get_by_role("heading", name="This table is locked")).to_be_visible()
    await late.goto(host.url)
    await expect(late.get_by_role("heading", name="This table is locked")).to_be_visible()
    await expect(eve.get_by_role("img", name="Locked")).to_be_visible()


async def test_the_host_switches_the_chat_off_hands_over_and_closes(people: People) -> None:
    host, eve = await table_with(people, "Eve")
    await open_people(host)
    await sheet(host).get_by_role("group", name="Who may chat").get_by_role("button", name="nobody").click()
    await eve.get_by_role("button", name="Log and chat").click()
    await expect(sheet(eve).get_by_text("The host has switched the chat off.")).to_be_visible()
    await expect(sheet(eve).get_by_label("Message")).to_have_count(0)
    await eve.keyboard.press("Escape")
    await sheet(host).get_by_role("button", name="About Eve").click()
    await twice(host, "Make host", "Really make Eve the host?")
    await expect(host.locator(".chairs li", has_text="Eve")).to_contain_text("host")
    await host.keyboard.press("Escape")
    await expect(host.get_by_role("button", name="Start with bots")).to_have_count(0)
    await open_people(eve)
    await twice(eve, "Close the table", "Really close it for everybody?")
    await expect(host.get_by_text("The host closed this table.")).to_be_visible()


async def test_a_blocked_person_stays_silent_after_a_reload_and_can_be_unblocked(people: People) -> None:
    host, eve = await table_with(people, "Eve")
    await eve.get_by_role("button", name="Log and chat").click()
    await sheet(eve).get_by_label("Message").fill("something awful")
    await sheet(eve).get_by_role("button", name="Send").click()
    said = host.locator(".chats li", has_text="something awful")
    await expect(said).to_be_visible()
    await said.get_by_role("button", name="About Eve").click()
    await sheet(host).get_by_role("button", name="Report to the operator").click()
    await sheet(host).get_by_label("What happened?").fill("insults")
    await sheet(host).get_by_role("button", name="Send the report").click()
    await expect(sheet(host).get_by_text("Thank you.")).to_be_visible()
    await sheet(host).get_by_role("button", name="Block: mute").click()
    await expect(sheet(host).get_by_role("button", name="Unblock")).to_be_visible()
    await host.keyboard.press("Escape")
    await expect(said).to_have_count(0)
    await host.reload()
    await expect(host.locator(".chairs li", has_text="Eve")).to_be_visible()
    await host.get_by_label("Message").fill("is somebody there?")
    await host.get_by_role("button", name="Send").click()
    await expect(host.locator(".chats li", has_text="is somebody there?")).to_be_visible()
    await expect(said).to_have_count(0)
    await host.get_by_role("button", name="Table menu").click()
    await sheet(host).get_by_role("button", name="Settings").click()
    await sheet(host).get_by_role("button", name="Unblock Eve").click()
    await expect(sheet(host).get_by_role("list", name="Blocked")).to_have_count(0)


async def test_everything_works_by_keyboard(people: People) -> None:
    host, eve = await table_with(people, "Eve")
    await host.locator(".chairs").get_by_role("button", name="About Eve").focus()
    await host.keyboard.press("Enter")
    away = sheet(host).get_by_role("button", name="Send away from this table")
    await expect(away).to_be_visible()
    for _ in range(12):
        await host.keyboard.press("Tab")
        if await away.evaluate("(one) => one === document.activeElement"):
            break
    await host.keyboard.press("Enter")
    await host.keyboard.press("Enter")
    await expect(eve.get_by_role("heading", name="The host has sent you away")).to_be_visible()


async def test_another_tab_survives_a_new_token(people: People) -> None:
    page = await people.come()
    await page.goto(people.home)
    await expect(page.get_by_role("button", name="Play with bots")).to_be_enabled()
    name = await page.get_by_label("Your name").input_value()
    other = await page.context.new_page()
    await other.goto(people.home)
    await expect(other.get_by_role("button", name="Play with bots")).to_be_enabled()
    await page.get_by_role("button", name="Settings").click()
    await twice(page, "Log out other devices", "Really log out?")
    await expect(sheet(page).get_by_text("Only this browser")).to_be_visible()
    await other.reload()
    await expect(other.get_by_label("Your name")).to_have_value(name)


async def test_a_right_to_left_name_does_not_turn_the_words_around_it(people: People) -> None:
    host, _ = await table_with(people, "נועה")
    await expect(host.locator(".chairs bdi", has_text="נועה")).to_be_visible()
    await host.get_by_role("button", name="Start with bots on free seats").click()
    await expect(host.locator(".others bdi", has_text="נועה")).to_be_visible()
    assert await host.evaluate(
        f"{MODULES}.then(({{ 'words.js': words }}) => words.isolated('נועה') + words.isolated('Ada'))"
    ) == ("\u2068נועה\u2069Ada")


@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
async def test_the_sheets_are_accessible(people: People, shots: Path, size: tuple[int, int]) -> None:
    host, eve, bob = await table_with(people, "Eve", "Bob, Builder of Bridges", size=size)
    label = "phone" if size == PHONE else "laptop"
    await host.screenshot(path=shots / f"hosting-waiting-{label}.png")
    assert await findings(host) == []
    await open_people(host)
    await host.screenshot(path=shots / f"hosting-people-{label}.png")
    assert await findings(host) == []
    await sheet(host).get_by_role("button", name="About Eve").click()
    await sheet(host).get_by_role("button", name="Report to the operator").click()
    await host.screenshot(path=shots / f"hosting-person-{label}.png")
    assert await findings(host) == []
    await sheet(host).get_by_role("button", name="Cancel").click()
    await twice(host, "Send away from this table", "Really send Eve away?")
    await expect(eve.get_by_role("heading", name="The host has sent you away")).to_be_visible()
    await eve.screenshot(path=shots / f"hosting-sent-away-{label}.png")
    await host.keyboard.press("Escape")
    await open_people(host)
    await sheet(host).get_by_role("group", name="Who may chat").get_by_role("button", name="nobody").click()
    await host.screenshot(path=shots / f"hosting-people-after-{label}.png")
    await host.keyboard.press("Escape")
    await host.get_by_role("button", name="Start with bots on free seats").click()
    await expect(host.locator(".others .seat").first).to_be_visible()
    await host.screenshot(path=shots / f"hosting-running-{label}.png")
    assert await findings(host) == []
    await host.get_by_role("button", name="Table menu").click()
    await sheet(host).get_by_role("button", name="Settings").click()
    await host.screenshot(path=shots / f"hosting-settings-{label}.png")
    assert await findings(host) == []
    await expect(bob.locator(".others .seat").first).to_be_visible()


async def test_the_host_changes_the_game_and_swaps_seats_before_the_start(people: People) -> None:
    host, eve = await table_with(people, "Eve")
    await host.get_by_role("button", name="Change the game").click()
    await sheet(host).get_by_label("Game").select_option(label="Diced Cheese")
    await sheet(host).get_by_role("radio", name="Speed Cheese").click()
    await sheet(host).get_by_label("Seats").select_option("3")
    await sheet(host).get_by_label("Speed").select_option("relaxed")
    await sheet(host).get_by_role("button", name="Change", exact=True).click()
    await expect(sheet(host)).to_have_count(0)
    await expect(eve.get_by_role("heading", name="Diced Cheese")).to_contain_text("Speed Cheese")
    await expect(eve.locator(".plays")).to_contain_text("3 seats · relaxed, 120 s a move")
    await expect(eve.locator(".chairs li")).to_have_count(3)
    await host.get_by_role("button", name="Swap seats 1 and 2").click()
    await expect(eve.locator(".chairs li").first).to_contain_text("Eve")
    await expect(host.locator(".chairs li").nth(1).locator(".host-badge")).to_be_visible()


async def test_the_invitation_has_a_qr_code_and_shows_its_address(people: People) -> None:
    (host,) = await table_with(people)
    await expect(host.locator(".share .address")).to_have_text(host.url)
    await host.get_by_role("button", name="QR code").click()
    await expect(sheet(host).get_by_role("img", name=f"QR code of {host.url}")).to_be_visible()
    assert await findings(host) == []
    await expect(host.locator(".share")).to_contain_text("This address works only on this computer.")
    await host.goto(people.home.replace("127.0.0.1", PLAIN))
    await host.get_by_role("button", name="Private table").click()
    await host.wait_for_url("**/t/*")
    await expect(host.locator(".share .address")).to_have_text(host.url)
    await expect(host.locator(".share")).not_to_contain_text("only on this computer")


async def test_a_code_that_no_table_has_is_refused_in_a_sentence(people: People) -> None:
    page = await people.come(PHONE)
    await page.goto(people.home)
    await page.get_by_label("Have a code?").fill("zzzzzzzz")
    await page.locator("form").get_by_role("button", name="Join").click()
    await expect(page.locator("form.join").get_by_role("alert")).to_have_text("There is no table with this code.")
