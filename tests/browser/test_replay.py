"""Replays in a browser: from the result sheet, from every viewpoint, by keyboard alone, without spoilers."""

from __future__ import annotations

import asyncio
import json
import os
import random
import socket
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from playwright.async_api import Page, Route, expect

from games import GAMES
from server.tables.finished.replay import compact, lines
from tests.browser.people import EFFECTS, LAPTOP, PHONE, People, play_by_clicking, press_once, result
from tests.browser.people import asked as can_act
from tests.browser.test_access import findings
from tests.client import Client, fill
from tests.playout import cases, table_size
from tests.random_games import play
from tests.server.tables.test_tables import asked, table_of
from tests.server.tables.test_tampered_replays import changed_byte, changed_field
from tests.service import Service

SITE = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n<!doctype html><iframe></iframe>"
CLIENT = Path(__file__).resolve().parents[2] / "web-client"
NOTE = "I keep this for later."


@pytest.fixture(scope="module")
def sites() -> Iterator[list[socket.socket]]:
    """Two foreign sites, of which the first may show replays in a frame: each on a port of its own."""
    bound = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
    yield bound
    for one in bound:
        one.close()


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory, sites: list[socket.socket]) -> Iterator[Service]:
    allowed = f"http://127.0.0.1:{sites[0].getsockname()[1]}"
    running = Service(tmp_path_factory.mktemp("data"), ANALYST_MOVES=1000, EMBED_ORIGINS=allowed)
    yield running
    running.stop()


async def finished(service: Service, game: str) -> str:
    """Play a random game to its end over the wire. Return its table; each move has a note."""
    players = [await Client.join(service.url, f"Player {seat}") for seat in range(table_size(GAMES[game]))]
    made = await players[0].request("create", game=game, seats=len(players), speed="untimed")
    await play_out(players, made["table"], game)
    return str(made["table"])


async def play_out(players: list[Client], table: str, game: str) -> None:
    """Sit down at a new table and play at random to the end."""
    await take_seats(players, table)
    await make_moves(players, table, random.Random(f"replay {game}"))


async def take_seats(players: list[Client], table: str) -> None:
    """Sit down at a new table, of which the first player has a seat."""
    for seat, player in enumerate(players):
        if seat:
            await player.request("sit", table=table, seat=seat)
        await player.request("open", table=table)
    for player in players:  # the game may have started after they looked
        await player.until(lambda message: message["type"] == "update" and "view" in message)


async def make_moves(players: list[Client], table: str, chance: random.Random, most: int | None = None) -> None:
    """Make so many random moves; without a number, play to the end."""
    made = 0
    while acting := [player for player in players if asked(player, table)]:
        if made == most:
            return
        ask = acting[0].updates(table)[-1]["ask"]
        move, key = fill(chance.choice(ask["offers"]), chance), f"{chance.random()}"
        done = await acting[0].request("move", table=table, ask=ask["n"], key=key, move=move, note=NOTE)
        if done.get("code") == "too_soon":
            continue
        assert done["type"] == "ok", done
        made += 1
        for player in players:
            await player.entry(table, done["n"])
    for player in players:
        await player.next("table", 0, status="ended")
        await player.close()


async def entry(page: Page) -> int:
    """The number of the entry that the page shows."""
    return int(await page.locator(".replay").get_attribute("data-entry") or 0)


async def open_replay(page: Page, address: str) -> None:
    await page.goto(address)
    await page.wait_for_selector(".replay")


async def loaded(page: Page) -> None:
    """Wait until the page has the whole replay, not only its beginning, and listens to keys."""
    count = page.locator(".replay-controls .count")
    await expect(count).to_be_visible()
    await expect(count).not_to_contain_text("\u2026")
    await page.evaluate(EFFECTS)


@pytest.mark.parametrize("game", GAMES)
async def test_every_game_is_replayed_from_every_viewpoint_by_keyboard(
    people: People, service: Service, game: str
) -> None:
    table = await finished(service, game)
    page = await people.come(PHONE if list(GAMES).index(game) % 2 else LAPTOP)
    await open_replay(page, f"{people.home}/r/{table}")
    first = await entry(page)
    for view in ("public", "1", "open"):
        await page.get_by_label("Viewpoint").select_option(view)
        await page.wait_for_selector(f".replay[data-view='{view}']")
        await loaded(page)
        for key in ("Home", *["ArrowRight"] * 12, "ArrowDown", "PageDown", "PageDown", "ArrowUp", "ArrowLeft"):
            await page.keyboard.press(key)
        here = await entry(page)
        assert here > first
        await page.keyboard.press("ArrowRight")
        assert await entry(page) > here
        assert await page.evaluate(HIDDEN) == []
        await expect(result(page)).to_have_count(0)
        await page.keyboard.press("End")
        await expect(result(page)).to_be_visible()
        await expect(result(page)).not_to_contain_text("Tonight")
        if view == "public":
            told = await page.evaluate(TOLD)
        await page.keyboard.press("Home")
        assert await entry(page) == first
        assert await page.evaluate(HIDDEN) == []  # also with as many cards as at the start
    await page.goto(f"{people.home}/t/{table}")
    await expect(page.locator(".log li").nth(len(told) - 1)).to_be_attached()
    assert await page.evaluate(TOLD) == told  # the table says the same, under the same headings


# Headings and sentences of the log, of a table or of a replay.
TOLD = """[...document.querySelectorAll(".side .log :is(.log-head, .sentence, li:not(:has(.sentence), .quiet))")]
  .map((one) => one.textContent)"""

# The names of the hands of which something is outside their place, or which show less than a third of a piece.
HIDDEN = """() => [...document.querySelectorAll(".open-hand")].filter((hand) => {
  const place = hand.getBoundingClientRect();
  const boxes = [...hand.querySelectorAll(".hand button")].map((one) => one.getBoundingClientRect());
  const pieces = boxes.filter(({ width }) => width);
  const covers = (other, { left, top, width }) => other.top === top && Math.abs(other.left - left) < width / 3;
  return pieces.some(({ left, right }) => left < place.left - 1 || right > place.right + 1)
    || pieces.some((one, at) => pieces.slice(at + 1).some((other) => covers(other, one)));
}).map((hand) => hand.ariaLabel)"""
FOCUSED = "() => document.activeElement.ariaLabel ?? document.activeElement.innerText"


async def focus(page: Page, name: str) -> None:
    """Press Tab until the control with this name has the focus."""
    for _ in range(80):
        await page.keyboard.press("Tab")
        if (await page.evaluate(FOCUSED)).strip() == name:
            return
    raise AssertionError(f"the Tab key does not reach {name}")


async def press(page: Page, name: str) -> None:
    """Use a button or a link by keyboard."""
    await focus(page, name)
    await page.keyboard.press("Enter")


@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
async def test_a_game_is_watched_late_then_replayed_checked_and_branched_by_keyboard_alone(
    people: People, service: Service, shots: Path, size: tuple[int, int]
) -> None:
    async def take_picture(name: str) -> None:
        await page.screenshot(path=shots / f"replay-{'phone' if size == PHONE else 'laptop'}-{name}.png")

    players = [await Client.join(service.url, f"Player {seat}") for seat in range(3)]
    table = (await players[0].request("create", game="do_my_bidding", seats=3, speed="untimed"))["table"]
    await take_seats(players, table)
    chance = random.Random("replay do_my_bidding")
    await make_moves(players, table, chance, 25)
    page = await people.come(size)
    await page.goto(f"{people.home}/t/{table}")
    await expect(page.locator(".page.table .board")).to_be_visible()
    if size == LAPTOP:  # on a phone the log is behind a button
        await expect(page.locator(".log li").nth(5)).to_be_attached()  # what happened before one came
    await take_picture("watching")
    await make_moves(players, table, chance)
    await expect(result(page)).to_be_visible()
    await take_picture("result")
    await press(page, "Watch the replay")
    await loaded(page)
    for view in ("0", "1", "2", "open"):
        await focus(page, "Viewpoint")
        await page.keyboard.press("ArrowDown")
        await page.wait_for_selector(f".replay[data-view='{view}']")
        await loaded(page)
        if view == "2":
            await page.keyboard.press("ArrowRight")
            await take_picture("seat-2")
    for key in ("PageDown", "PageDown", "ArrowRight"):
        await page.keyboard.press(key)
    assert await entry(page) > 10
    await expect(result(page)).to_have_count(0)
    await take_picture("open")
    await press(page, "About this game")
    await press(page, "Check this deal")
    await expect(page.locator(".findings li")).to_have_count(4)
    await expect(page.locator(".findings li").first).to_contain_text("was shown the same one")
    assert await page.locator(".findings .fault").count() == 0
    await take_picture("check")
    await page.keyboard.press("Escape")
    await press(page, "About this game")
    await press(page, "Play on from here")
    await press(page, "Play on from here")
    await page.wait_for_url("**/t/*")
    await page.wait_for_selector(".page.table > .me")
    assert await can_act(page, "")
    moment = await press_once(page, random.Random(17))
    await expect(page.locator(".page.table > .me")).to_be_visible()
    assert await can_act(page, moment)  # the move was made, and it is this seat's turn again
    await take_picture("played-on")


async def test_hands_are_shown_of_the_seat_that_is_looked_from_or_of_all(people: People, service: Service) -> None:
    table = await finished(service, "cheesedog")
    for size in (LAPTOP, PHONE):
        page = await people.come(size)
        for view, hands in (("public", 0), ("1", 1), ("open", 3)):
            await open_replay(page, f"{people.home}/r/{table}/30?seat={view}")
            await expect(page.locator(".me .hand")).to_have_count(hands)
        for seat in range(3):
            hand = page.get_by_role("group", name=f"Hand of Player {seat}")
            await expect(hand).to_be_in_viewport(ratio=1)


async def test_pieces_in_three_open_hands_are_not_tiny_on_a_laptop(people: People, service: Service) -> None:
    table = await finished(service, "cheesonomics")
    page = await people.come(LAPTOP)
    await open_replay(page, f"{people.home}/r/{table}?seat=open")
    await loaded(page)
    for _ in range(12):
        await page.keyboard.press("ArrowRight")
        assert await page.evaluate(HIDDEN) == []
    pieces = page.locator(".open-hand .hand button svg")
    widths = await pieces.evaluate_all("(all) => all.map((one) => one.getBoundingClientRect().width).filter(Boolean)")
    assert len(widths) > 5
    assert min(widths) >= 30, widths


async def test_a_replay_is_opened_from_the_result_and_plays_by_itself(people: People, service: Service) -> None:
    table = await finished(service, "do_my_bidding")
    page = await people.come(LAPTOP)
    await page.goto(f"{people.home}/t/{table}")
    await expect(result(page)).to_be_visible()
    assert await findings(page) == []
    await result(page).get_by_role("link", name="Watch the replay").click()
    await loaded(page)
    assert await findings(page) == []
    await page.keyboard.press("End")
    last = await entry(page)
    for _ in range(5):
        await page.keyboard.press("ArrowLeft")
    assert await entry(page) < last
    await page.get_by_label("Speed").select_option("8")
    await page.get_by_role("button", name="Play", exact=True).click()
    await expect(result(page)).to_be_visible()
    await expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    assert await entry(page) == last


async def test_a_long_replay_is_shown_before_all_of_it_has_come(people: People, service: Service) -> None:
    table = await finished(service, "cheesedog")
    page = await people.come(LAPTOP)
    await page.add_init_script(HALF)
    await open_replay(page, f"{people.home}/r/{table}/30")
    assert await entry(page) == 30
    await expect(page.locator(".replay-controls .count")).to_contain_text("\u2026")
    await page.evaluate(EFFECTS)
    await page.keyboard.press("End")
    here = await entry(page)
    assert here > 30
    await expect(result(page)).to_have_count(0)
    await page.evaluate("release()")
    await loaded(page)
    assert await entry(page) == here
    await page.keyboard.press("End")
    await expect(result(page)).to_be_visible()
    assert await entry(page) > here


async def test_a_link_to_a_moment_leads_there_and_does_not_spoil(people: People, service: Service) -> None:
    table = await finished(service, "cheesedog")
    page = await people.come(LAPTOP)
    await open_replay(page, f"{people.home}/r/{table}/20?seat=2")
    await loaded(page)
    assert await entry(page) == 20
    await expect(page.get_by_label("Viewpoint")).to_have_value("2")
    await page.keyboard.press("ArrowRight")
    await page.wait_for_url(f"**/r/{table}/21?seat=2")
    await page.reload()
    await loaded(page)
    assert await entry(page) == 21
    lines = page.locator(".side .log li button")
    told = await page.locator("body").inner_text()
    assert "escaped" not in told
    assert "Cheesedog:" not in told
    assert await page.locator(".side .note").first.inner_text() == NOTE
    count = await lines.count()
    await page.get_by_role("button", name="Show all of it").click()
    assert await page.evaluate("document.activeElement.matches('.log')")  # not lost with the button
    assert await lines.count() > 5 * count
    await lines.nth(3).click()
    assert await entry(page) < 21
    await expect(page.locator(".side [aria-current=step]")).to_have_count(1)


async def test_what_was_reached_stays_known_to_who_goes_back(people: People, service: Service) -> None:
    table = await finished(service, "do_my_bidding")
    page = await people.come(LAPTOP)
    await open_replay(page, f"{people.home}/r/{table}/40")
    await loaded(page)
    lines, marks = page.locator(".side .log li:not(.quiet) button"), page.locator(".marks .reached")
    chapters = page.get_by_label("Chapter").locator("option")
    line_count, mark_count, texts = await lines.count(), await marks.count(), await chapters.all_inner_texts()
    assert "1. Round 1" in texts
    assert texts[-1].endswith("not reached yet")
    plot = page.locator(".seat-plot")
    now = await plot.get_attribute("aria-label")
    await expect(plot.locator(".here")).to_have_count(0)
    await page.keyboard.press("Home")
    assert (await lines.count(), await marks.count()) == (line_count, mark_count)
    assert await chapters.all_inner_texts() == texts
    assert await plot.get_attribute("aria-label") != now  # the values are those of the moment that is shown
    await expect(plot.locator(".here")).to_have_count(1)
    await page.get_by_label("Viewpoint").select_option("1")
    await page.wait_for_selector(".replay[data-view='1']")
    await loaded(page)
    assert await lines.count() >= line_count
    await lines.last.click()
    assert await entry(page) == 40


# The second half of a playback comes when `release` is called.
HALF = """(() => {
  const load = globalThis.fetch;
  globalThis.fetch = async (url, ...more) => {
    const answer = await load(url, ...more);
    if (!`${url}`.includes("/updates")) return answer;
    const bytes = new Uint8Array(await answer.arrayBuffer());
    const start = (stream) => {
      stream.enqueue(bytes.slice(0, bytes.length / 2));
      globalThis.release = () => { stream.enqueue(bytes.slice(bytes.length / 2)); stream.close(); };
    };
    return new Response(new ReadableStream({ start }), { status: answer.status });
  };
})()"""

CHECK = """async (text) => (await (await import("/source/replay_draws.js")).checkDraws(JSON.parse(text)))[0].ok"""
# Whether the file, in base64, has the digest with which it ends; false too if it cannot be read any more.
DIGEST = """async (packed) => {
  const { checkDigest } = await import("/source/replay_draws.js");
  const text = new TextDecoder().decode(Uint8Array.from(atob(packed), (one) => one.charCodeAt(0)));
  try {
    return (await checkDigest(text, text.split("\\n").filter(Boolean).map((line) => JSON.parse(line))))[0]?.ok ?? false;
  } catch {
    return false;
  }
}"""

CHECKED = (
    "chesterfield",
    "do_my_bidding",
    "diced_cheese",
    "cheesedog",
    "cheesonomics",
)  # games whose deals the page knows


def files(game: str, count: int) -> list[list[dict[str, Any]]]:
    """The rows of random games, with every number of seats and all options."""
    made = []
    for number in range(count):
        case = Random(f"{game} {number}").choice(cases(GAMES[game]))
        log = play(game, f"check {number}".encode(), case.seats, msgspec.to_builtins(case.options))
        made.append([json.loads(line) for line in lines(log.table.id, log.entries)])
    return made


def change_chance(rows: list[dict[str, Any]], chance: Random) -> None:
    """Change something that chance decided: swap two cards of a deal, or turn a die."""
    found = []
    for row in rows:
        for event in row.get("events", ()):
            if event.get("type") == "dealt":
                lists = [event[name] for name in ("deck", "pile") if name in event] or event["ups"][:1]
                found += [cards for cards in lists if len({json.dumps(card) for card in cards}) > 1]
            found += event.get("throws", ())
    one = chance.choice(found)
    if isinstance(one, dict):
        one["heading"] = (one["heading"] + 1) % 360
    else:
        last = next(at for at in range(1, len(one)) if one[at] != one[0])
        one[0], one[last] = one[last], one[0]


@pytest.mark.parametrize("game", GAMES)
async def test_the_browser_draws_everything_again_and_finds_a_changed_deal(people: People, game: str) -> None:
    page = await people.come(LAPTOP)
    await page.route(
        "**/source/**", lambda route: route.fulfill(path=CLIENT / route.request.url.partition("/source/")[2])
    )
    await page.goto(people.home)
    count = int(os.environ.get("REPLAYS_CHECKED", "2"))
    for number, rows in enumerate(files(game, count)):
        found = await page.evaluate(CHECK, json.dumps(rows))
        if game not in CHECKED:
            assert found is None, number  # the page says that it cannot check this game
            continue
        assert found is True, number
        text = "".join(compact(row) + "\n" for row in rows).encode()
        assert await page.evaluate(DIGEST, b64encode(text).decode()) is True, number
        *before, end = text.splitlines(keepends=True)
        for change in (changed_byte, changed_field):
            changed = change(b"".join(before), Random(number)) + end
            assert await page.evaluate(DIGEST, b64encode(changed).decode()) is False, number
        change_chance(rows, Random(number))
        assert await page.evaluate(CHECK, json.dumps(rows)) is False, number


async def check_deal(page: Page, address: str) -> list[str]:
    """What the page says when it checks the deal of a game."""
    await open_replay(page, address)
    await page.get_by_role("button", name="About this game").click()
    await page.get_by_role("button", name="Check this deal").click()
    await expect(page.locator(".findings")).to_be_visible()
    return await page.locator(".findings li").all_inner_texts()


async def test_the_deal_is_checked_on_the_page(people: People, service: Service) -> None:
    page = await people.come(PHONE)
    players = [await Client.join(service.url, f"Player {seat}") for seat in range(3)]
    made = await players[0].request("create", game="do_my_bidding", seats=3, salt="ab" * 16)
    table = made["table"]
    await page.goto(f"{people.home}/t/{table}")
    await expect(page.locator(".page.table .board")).to_be_visible()  # it keeps the commitment from now
    await play_out(players, table, "do_my_bidding")
    found = await check_deal(page, f"{people.home}/r/{table}")
    assert len(found) == 4
    assert "was shown the same one before the end of the game" in found[0]
    assert "random numbers that 1 of 3 seats added" in found[1]
    assert "no line of it was changed" in found[2]
    assert "2 shuffles and 1 other draw in 1 entry" in found[3]
    assert await page.locator(".findings .fault").count() == 0

    async def rename(route: Route) -> None:
        text = await (await route.fetch()).text()
        assert "Player 1" in text
        await route.fulfill(body=text.replace("Player 1", "Player 9"))

    await page.route("**/replays/*.jsonl", rename)
    found = await check_deal(page, f"{people.home}/r/{table}")
    assert [one for one in found if "a line of it was changed" in one] == [found[2]]
    assert await page.locator(".findings .fault").count() == 1
    await page.unroute_all()
    sure = [[table, "ab" * 16, 1]]
    for salts, faults in ((sure, 0), ([*sure, [table, "cd" * 16, 1]], 1)):  # one that is missing from the file
        await page.evaluate("(salts) => localStorage.setItem('cheeseboard.salts', JSON.stringify(salts))", salts)
        found = await check_deal(page, f"{people.home}/r/{table}")
        assert await page.locator(".findings .fault").count() == faults
        assert ("one of them from this browser" in found[1]) == (not faults)
    for anew, said in ((False, "exactly the position"), (True, "This browser cannot compute that again")):
        players = [await Client.join(service.url, f"Player {seat}") for seat in range(3)]
        branch = (await players[0].request("play_on", table=table, n=30, anew=anew, speed="untimed"))["table"]
        await play_out(players, branch, "do_my_bidding")
        found = await check_deal(page, f"{people.home}/r/{branch}")
        assert await page.locator(".findings .fault").count() == 0
        assert f"plays on from entry 30 of table {table}" in found[-2]
        assert said in found[-1]


async def test_what_is_not_over_has_no_replay(people: People, service: Service) -> None:
    players = [await Client.join(service.url, f"Player {seat}") for seat in range(3)]
    table = await table_of(players)
    page = await people.come(PHONE)
    await page.goto(f"{people.home}/r/{table}")
    await expect(page.get_by_role("heading", name="There is no replay to show")).to_be_visible()
    await page.get_by_role("link", name="To the table").click()
    await expect(page.locator(".page.table .board")).to_be_visible()


async def test_a_game_is_played_on_from_a_moment_and_its_deal_once_more(people: People, service: Service) -> None:
    table = await finished(service, "do_my_bidding")
    page = await people.come(PHONE, reduced_motion="reduce")
    await open_replay(page, f"{people.home}/r/{table}/30")
    await loaded(page)
    here = await page.locator(".seat-plot").first.get_attribute("aria-label")
    await page.keyboard.press("End")
    assert await page.locator(".seat-plot").first.get_attribute("aria-label") != here
    await open_replay(page, f"{people.home}/r/{table}/30?seat=1")
    await page.get_by_role("button", name="About this game").click()
    await page.get_by_role("button", name="Play on from here").click()
    await expect(page.get_by_label("My seat")).to_have_value("1")
    await page.get_by_role("radio", name="Dealt anew").click()
    await page.locator("dialog").get_by_role("button", name="Play on from here").click()
    await page.wait_for_url("**/t/*")
    await play_by_clicking(page, random.Random(17))
    await expect(result(page)).to_be_visible()
    assert await page.get_by_role("link", name="The game this one continues").get_attribute("href") == f"/r/{table}/30"
    await page.goto(f"{people.home}/r/{table}?challenge=2")
    await expect(page.get_by_label("My seat")).to_have_value("2")
    await page.get_by_role("button", name="Compare the results").click()
    await expect(page.get_by_role("list", name="Results").get_by_role("listitem")).to_have_count(2)
    await page.get_by_role("button", name="Play this deal").click()
    await page.wait_for_url("**/t/*")
    await page.wait_for_selector(".page.table > .me")


async def test_bots_analyse_a_game_and_players_leave_remarks(people: People, service: Service) -> None:
    page = await people.come(LAPTOP, reduced_motion="reduce")
    table = await people.sit_down(page, "diced_cheese")
    await play_by_clicking(page, random.Random(18))
    await open_replay(page, f"{people.home}/r/{table}")
    await loaded(page)
    for _ in range(3):
        await page.keyboard.press("ArrowRight")
    await page.get_by_role("button", name="Leave a remark").click()
    await page.get_by_label("What was on your mind here?").fill("I had a feeling.")
    await page.get_by_role("button", name="Leave this remark").click()
    await expect(page.locator(".news .remark")).to_contain_text("I had a feeling.")
    await page.keyboard.press("ArrowLeft")
    await expect(page.locator(".news .remark")).to_have_count(0)  # it belongs to the moment that comes
    await expect(page.locator(".side .remark")).to_have_count(1)  # of which the log says it
    await page.get_by_role("button", name="Analysis").click()
    await page.get_by_role("button", name="Let bots play it out 100 times").click()
    await expect(page.locator(".analysis .bars").last).to_be_visible(timeout=300_000)
    await page.get_by_role("button", name="What would the master do?").click()
    await expect(page.get_by_text("The master would")).to_be_visible(timeout=300_000)
    await page.get_by_role("button", name="Analyse this game").click()
    await expect(page.get_by_role("heading", name="The biggest swings")).to_be_visible(timeout=300_000)
    await page.keyboard.press("Escape")
    await expect(page.locator(".seat-plot")).to_contain_text("Chance to win")


async def test_a_player_downloads_what_is_kept_of_them_and_deletes_it(people: People, service: Service) -> None:
    players = [await Client.join(service.url, f"Player {seat}") for seat in range(3)]
    table = (await players[0].request("create", game="diced_cheese", seats=3, speed="untimed"))["table"]
    await play_out(players, table, "diced_cheese")
    page = await people.come(PHONE)
    await page.add_init_script(f"localStorage['cheeseboard.token'] ??= JSON.stringify('{players[1].token}')")
    await page.goto(people.home)
    await page.get_by_role("button", name="Settings").click()
    account = page.get_by_role("region", name="Your account")
    async with page.expect_download() as saving:
        await account.get_by_role("button", name="Download everything").click()
    kept = json.loads((await (await saving.value).path()).read_text(encoding="utf-8"))
    assert (kept["user"]["name"], kept["games"]) == ("Player 1", [table])
    await account.get_by_role("button", name="Delete my account").click()
    await account.get_by_role("button", name="Really delete").click()
    await expect(account.get_by_role("status")).to_have_text("You are a new guest.")
    await open_replay(page, f"{people.home}/r/{table}")
    await expect(page.locator(".others")).to_contain_text("Former player")
    await expect(page.locator(".others")).not_to_contain_text("Player 1")


async def test_a_file_is_shown_and_checked_and_a_changed_one_is_refused(people: People, service: Service) -> None:
    table = await finished(service, "diced_cheese")
    page = await people.come(LAPTOP)
    log = play("cheesedog", b"long", 10)  # more than fits into one message
    text = "".join(line + "\n" for line in lines("filed1", log.entries))
    await open_replay(page, f"{people.home}/r/{table}")
    drop = """(text) => {
      const files = new DataTransfer();
      files.items.add(new File([text], "game.jsonl"));
      dispatchEvent(new DragEvent("drop", { dataTransfer: files }));
    }"""
    await page.evaluate(drop, text)
    await expect(page.get_by_role("heading", name="Cheesedog replay file")).to_be_visible()
    await page.get_by_label("Viewpoint").select_option("open")
    await page.wait_for_selector(".replay[data-view='open']")
    await loaded(page)
    await page.keyboard.press("End")
    await expect(result(page)).to_be_visible()
    await page.get_by_role("button", name="About this game").click()
    await expect(
        page.get_by_text("It was sent to the server to be played back, and was not kept there.")
    ).to_be_visible()
    await page.get_by_role("button", name="Check this deal").click()
    await expect(page.locator(".findings li")).to_have_count(4)
    await expect(page.locator(".findings li").last).to_contain_text("1 shuffle and 1 other draw in 1 entry")
    assert await page.locator(".findings .fault").count() == 0
    await page.keyboard.press("Escape")
    await page.evaluate(drop, text.replace("Zo\u00eb 1", "Eve"))
    await expect(page.get_by_text("one of them was changed")).to_be_visible()


async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer a request to a foreign site with a page that has an empty frame."""
    await reader.readuntil(b"\r\n\r\n")
    writer.write(SITE)
    await writer.drain()
    writer.close()


async def test_a_replay_is_shown_in_a_frame_of_a_site_that_the_operator_allows(
    people: People, service: Service, sites: list[socket.socket]
) -> None:
    table = await finished(service, "diced_cheese")
    for site, allowed in zip(sites, (True, False), strict=True):
        server = await asyncio.start_server(answer, sock=site.dup())
        page = await people.come(LAPTOP)
        await page.goto(f"http://127.0.0.1:{site.getsockname()[1]}/")
        for path, shown in ((f"/r/{table}?embed", allowed), (f"/r/{table}", False), ("/", False)):
            async with page.expect_event("framenavigated"):
                await page.evaluate("(url) => { document.querySelector('iframe').src = url }", people.home + path)
            frame = page.frames[1]
            if not shown:
                assert frame.url.startswith("chrome-error:"), (path, frame.url)
                continue
            await frame.wait_for_selector(".replay")
            await frame.evaluate(EFFECTS)
            assert await frame.get_by_role("button", name="To the lobby").count() == 0
            await frame.locator(".replay").click()
            first = await frame.locator(".replay").get_attribute("data-entry")
            await page.keyboard.press("ArrowRight")
            await expect(frame.locator(".replay")).not_to_have_attribute("data-entry", str(first))
            assert frame.url.endswith("?embed")
        server.close()
    people.errors = [one for one in people.errors if "frame-ancestors" not in one]
