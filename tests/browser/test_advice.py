"""P65 on the page: a master's advice is told in words, nothing is played, and result and replay say who asked."""

from __future__ import annotations

import random
from pathlib import Path

from playwright.async_api import expect

from tests.browser.people import MODULES, PHONE, People, play_by_clicking, result

MASTER = "What would a master do?"


async def test_p65_a_master_advises_in_words_and_the_result_and_the_replay_say_so(people: People, shots: Path) -> None:
    page = await people.come(PHONE, reduced_motion="reduce")
    table = await people.sit_down(page, "diced_cheese")
    entry = await page.locator(".page.table").get_attribute("data-entry")
    await page.get_by_role("button", name="What can I do?").click()
    await page.screenshot(path=shots / "advice-before.png")
    await page.get_by_role("button", name=MASTER).click()
    advice = page.locator("p.advice")
    await expect(advice).to_contain_text("A master would choose: Roll")
    await page.screenshot(path=shots / "advice.png")
    assert await page.locator(".page.table").get_attribute("data-entry") == str(int(entry or 0) + 1), "only the record"
    await page.keyboard.press("Escape")
    await page.get_by_role("button", name="What can I do?").click()
    await expect(advice).to_be_visible()
    await page.keyboard.press("Escape")
    await play_by_clicking(page, random.Random(1))
    await expect(result(page).locator(".advised")).to_have_text("You asked the master once.")
    await page.goto(f"{people.home}/r/{table}?result")
    await page.wait_for_selector(".page.replay")
    await page.keyboard.press("End")
    await expect(page.locator(".advised")).to_contain_text("asked the master once.")


async def test_p65_nobody_is_offered_advice_at_a_table_with_another_person(people: People) -> None:
    host, friend = await people.come(), await people.come()
    await people.share_a_table(host, friend, "cheesonomics")
    for page in (host, friend):
        await page.get_by_role("button", name="What can I do?").click()
        await page.wait_for_selector(".sheet")
        await expect(page.get_by_role("button", name=MASTER)).to_have_count(0)


# What the page calls these moves of a game whose words name one value.
TEXTS = """(moves) => %s.then((modules) => {
  const words = { moves: { bid: "Bid" }, value: (field, value) => (field === "amount" ? `$${value}` : undefined) };
  return moves.map((move) => modules["words.js"].moveText(move, words, (seat) => `Seat ${seat}`));
})"""


async def test_a_move_with_one_value_is_told_without_the_name_of_its_field(people: People) -> None:
    page = await people.come()
    await page.goto(people.home)
    moves = [
        {"type": "pick_up"},
        {"type": "bid", "amount": 5},
        {"type": "churn", "trait": "blue", "note": None},
        {"type": "swap_seat", "seat": 2},
        {"type": "flip", "place": 3},
        {"type": "agree", "all": True},
        {"type": "sell", "trait": "red", "wedges": ["red cow", "red goat"]},
    ]
    found = await page.evaluate(TEXTS % MODULES, moves)
    assert found[:4] == ["Pick up", "Bid: $5", "Churn: blue", "Swap seat: Seat 2"]
    assert [text.partition(" (")[0] for text in found[4:]] == ["Flip", "Agree", "Sell"]
