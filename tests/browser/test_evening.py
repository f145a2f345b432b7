"""An evening of three friends, each with a browser: an invitation, a guest sent away and let back in, a late friend."""

from __future__ import annotations

import asyncio
from collections import Counter

import pytest
from playwright.async_api import Page, expect

from tests.browser.people import LAPTOP, PHONE, People
from tests.browser.test_hosting import about, open_people, sheet, twice
from tests.browser.test_log import LINES

# Play the seat of this page to the end with moves that a seeded generator picks; the page shows all of it.
PLAY = """async ([table, seed]) => {
  const script = document.querySelector("script[type=module]").src;
  const { openFeed, closeFeed, move } = (await import(script)).modules["net.js"];
  const feed = openFeed(table);
  let state = seed;
  const below = (limit) => (state = (state * 48271) % 2147483647) % limit;
  const filled = (blank) => {
    if (typeof blank !== "object" || blank === null || Array.isArray(blank)) return blank;
    if (!blank.of) return blank.least + below(blank.most - blank.least + 1);
    if (blank.least === undefined) return blank.of[below(blank.of.length)];
    return blank.of.slice(0, blank.least + below(blank.most - blank.least + 1));
  };
  let asked = null;
  while (feed.info.value?.status !== "ended") {
    const ask = feed.now.value?.ask;
    if (ask && ask.n !== asked) {
      asked = ask.n;
      const offer = ask.offers[below(ask.offers.length)];
      const fields = Object.entries(offer.fill).map(([name, blank]) => [name, filled(blank)]);
      await move(table, ask.n, { type: offer.move, ...Object.fromEntries(fields) }).catch(() => (asked = null));
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  closeFeed(feed);
}"""


async def play(*pages: Page) -> None:
    """Play the game of these pages to its end."""
    table = pages[0].url.rpartition("/")[2]
    await asyncio.gather(*(page.evaluate(PLAY, [table, 11 + seed]) for seed, page in enumerate(pages)))
    for page in pages:
        await expect(page.locator(".result")).to_be_visible()


async def winners(page: Page) -> list[str]:
    """The names in the first place; my own is "you" as in the score."""
    names = []
    for row in await page.locator(".result .who").all():
        if await row.locator(".place").inner_text() == "1":
            names.append(await row.locator(".name").inner_text())
    return ["you" if name == "You" else name for name in names]


async def score(page: Page) -> Counter[str]:
    """The score of the evening that the page shows."""
    text = await page.locator(".result .tonight b").inner_text()
    return Counter({name: int(wins) for name, wins in (one.rsplit(" ", 1) for one in text.split(", "))})


async def next_game(host: Page, others: tuple[Page, ...], game: str) -> None:
    """The host chooses another game, and everybody joins it."""
    await host.get_by_role("button", name="Another game…").click()
    await sheet(host).get_by_label("Game").select_option(label=game)
    await sheet(host).get_by_role("button", name="Play this").click()
    await expect(host.locator(".waiting .tonight")).to_be_visible()
    for page in others:
        await page.get_by_role("button", name=f"Join the rematch: {game}").click()
    for page in (host, *others):
        await expect(page.get_by_role("heading", name=game, level=1)).to_be_visible()
        await page.wait_for_selector(".page.table > .me")
    await expect(host.locator(".bar .tonight")).to_be_visible()


@pytest.mark.slow
@pytest.mark.timeout(900)
async def test_an_evening_of_three_friends(people: People) -> None:
    host, frida, late = [await people.come(size, reduced_motion="reduce") for size in (LAPTOP, PHONE, LAPTOP)]
    await host.goto(people.home)
    await host.get_by_label("Your name").fill("Hilda")
    await host.click(".game-card.of-diced_cheese")
    await host.get_by_role("button", name="Private table").click()
    code = await host.locator(".share .code").inner_text()

    await frida.goto(host.url)
    await expect(frida.get_by_role("heading", name="Hilda invites you to Diced Cheese")).to_be_visible()
    await expect(frida.get_by_role("list", name="How to play")).to_be_visible()
    await frida.get_by_label("Your name").fill("Frida")
    await asyncio.gather(  # it is shown for a few seconds only
        expect(host.locator(".arrivals")).to_have_text("Frida sat down."),
        frida.get_by_role("button", name="Sit here").click(),
    )
    await expect(frida.locator(".chairs li", has_text="you")).to_contain_text("Frida")

    await about(host, "Frida")
    await twice(host, "Send away from this table", "Really send Frida away?")
    await expect(frida.get_by_role("heading", name="The host has sent you away")).to_be_visible()
    await host.keyboard.press("Escape")
    await open_people(host)
    await sheet(host).get_by_role("list", name="Sent away").get_by_role("button", name="About Frida").click()
    await sheet(host).get_by_role("button", name="Let back in").click()
    await expect(sheet(host).get_by_text("Frida may come back.")).to_be_visible()
    await host.keyboard.press("Escape")
    await frida.reload()
    await frida.get_by_role("button", name="Sit here").click()
    await expect(host.locator(".chairs li", has_text="Frida")).to_be_visible()

    await host.get_by_role("button", name="Start with bots on free seats").click()
    await frida.wait_for_selector(".page.table > .me")
    await late.goto(people.home)
    await late.get_by_label("Have a code?").fill(code)
    await late.locator("form").get_by_role("button", name="Join").click()
    await expect(late.get_by_text("You are watching.")).to_be_visible()
    await late.get_by_label("Your name").fill("Larry")
    log: list[str] = await host.evaluate(LINES)
    await late.get_by_role("button", name="Play for").click()
    await expect(late.locator(".me .seat.mine")).to_contain_text("Larry")
    await expect(host.locator(".rim .seat", has_text="Larry")).to_be_visible()
    assert (await host.evaluate(LINES))[: len(log)] == log, "the log renames a seat that was taken over"
    await host.reload()
    await host.wait_for_function(f"(log) => log.every((line, at) => {LINES}[at] === line)", arg=log)
    assert (await host.evaluate(LINES))[: len(log)] == log

    wins: Counter[str] = Counter()
    everybody = (host, frida, late)
    for number, game in enumerate(("Cheesedog", "Diced Cheese", None), 1):
        await play(*everybody)
        wins.update(await winners(host))
        shown = await score(host)
        assert +shown == wins, f"{shown} {wins}"
        assert {"you", "Frida", "Larry"} <= set(shown)
        await host.get_by_label("Message").fill(f"That was game {number}")
        await host.get_by_role("button", name="Send").click()
        said = host.locator(".side .chats li", has_text="That was game")
        await expect(said).to_have_count(number)  # the chat stays from one game to the next
        if game is not None:
            await next_game(host, (frida, late), game)
    assert (await score(late))["you"] == wins["Larry"]
    await late.locator(".result").get_by_role("button", name="To the lobby").click()
    games = late.get_by_role("region", name="Your last games").locator("li")
    await expect(games).to_have_count(3)
    await expect(games.nth(1)).to_contain_text("Cheesedog")
