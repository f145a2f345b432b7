"""Every tip and every prompt of recorded games is true of the situation in which the page shows it.

`CLAIMS` has, for each game, what a text says (a pattern) and what must then hold (a function of the view and the names
of the offered moves, written from the rulebook). A text that no claim matches fails the test, so that nobody adds one
without saying when it is true.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from playwright.async_api import Browser

from tests.browser.recorded import HOME, NAMES, record, serve_files

View = dict[str, Any]
Claim = tuple[str, Callable[[View, set[str]], bool]]

RANKS = "23456789TJQKA"
SEEDS = ("one", "two")
CASES: tuple[tuple[str, int, dict[str, Any]], ...] = (
    ("cheesedog", 3, {}),
    ("chesterfield", 4, {}),
    ("chesterfield", 8, {}),
    ("do_my_bidding", 4, {}),
    ("diced_cheese", 3, {}),
    ("diced_cheese", 3, {"variant": "speed"}),
    ("diced_cheese", 3, {"variant": "towers"}),
    ("cheesonomics", 3, {}),
    ("cheesonomics", 3, {"variant": "sharp"}),
)
# The texts of one situation: of all tips that hold, and of the prompt.
TEXTS = """async ([game, asks, players]) => {
  const { words } = await import(new URL(`games/${game}.js`, document.querySelector("script[type=module]").src));
  const { modules } = await import(document.querySelector("script[type=module]").src);
  const names = (seat) => (seat === 0 ? "You" : players[seat]);
  return asks.map(({ offers, view }) => [
    words.prompt(offers, view, names),
    ...modules["words.js"].tipsNow(words, offers, view, names).map((tip) => tip.text),
  ]);
}"""


def rank(card: str) -> int:
    return RANKS.index(card[0]) + 2


def top_run(view: View) -> int:
    ranks = [rank(card) for card in view["pile"]]
    return next((n for n, one in enumerate(reversed(ranks)) if one != ranks[-1]), len(ranks))


def fits(view: View, one: int) -> bool:
    if one == 2 or not view["pile"]:
        return True
    return one <= 8 if view["low"] else one >= rank(view["pile"][-1])


def fitting(view: View) -> set[int]:
    return {rank(card) for card in view["hand"] if fits(view, rank(card))}


def patron(view: View) -> int:
    return int(view["agents"].index(view["me"]))


def phase(*names: str) -> Callable[[View, set[str]], bool]:
    return lambda view, _: (view["phase"] if isinstance(view["phase"], str) else view["phase"]["type"]) in names


def dice(view: View, where: str) -> int:
    own = view["dice"][0 if view["variant"] == "classic" else view["me"]]
    return sum(die["where"] == where for die in own)


def asks(view: View, moves: set[str]) -> bool:
    return bool(moves)


CHEESEDOG: tuple[Claim, ...] = (
    (r"pick up the pile of|None of your cards fits", lambda v, _: not fitting(v) and len(v["hand"]) > 0),
    (r"hidden card", lambda v, _: not v["hand"] and not v["ups"][v["me"]] and any(v["downs"][v["me"]])),
    (r"anything fits|pile is empty|start a new pile", lambda v, _: not v["pile"]),
    (r"8 or lower", lambda v, _: v["low"]),
    (r"lit cards fit", lambda v, _: bool(v["pile"]) and bool(fitting(v))),
    (r"Only a 2 fits", lambda v, _: fitting(v) == {2}),
    (r"Your 10", lambda v, _: 10 in fitting(v) and bool(v["pile"])),
    (
        r"Four of one rank",
        lambda v, _: (
            top_run(v) + sum(rank(c) == rank(v["pile"][-1]) for c in v["hand"]) >= 4 > top_run(v)
            and rank(v["pile"][-1]) in fitting(v)
        ),
    ),
    (r"as high as the top of the pile or higher", lambda v, _: bool(v["pile"]) and not v["low"]),
)
CHESTERFIELD: tuple[Claim, ...] = (
    (r"Bid to be Auctioneer|Bid what that is worth", lambda v, m: phase("auctioneer_auction")(v, m) and "bid" in m),
    (r"Too little money", lambda v, m: "bid" not in m and len(v["hand"]) > 0),
    (r"[Pp]lay a card|Cards also have actions", lambda v, m: "play_action" in m and len(v["hand"]) > 0),
    (r"[Cc]ash (in|them in)", lambda v, m: "cash_in" in m and len(v["hand"]) > 0),
    (r"^Bid for the|Bid more than the others", lambda v, m: "bid" in m and phase("cheese_auction")(v, m)),
    (r"Choose a card and|You alone see the block", lambda v, _: v["auctioneer"] == v["me"] and all(v["block"])),
    (r"secret", lambda v, m: "Emmental" in v["actions"] and "bid_secretly" in m),
    (r"^You owe", lambda v, _: v["owed"] > v["banks"][v["me"]]),
    (r"^Feta:", lambda v, _: "Feta" in v["actions"]),
    (r"^Roquefort:", lambda v, _: "Roquefort" in v["actions"]),
    (r"^Bleu:", lambda v, _: "Bleu" in v["actions"]),
    (r"cards: pay \$4|Each card above four", lambda v, m: len(v["hand"]) > 4 and "keep" in m),
    (r"Last chance|unless they join", lambda v, m: phase("merging")(v, m) and bool(m & {"merge", "stand_in", "melt"})),
    (r"Nothing of yours fits", lambda v, m: phase("merging")(v, m) and m == {"finish"}),
    (r"^Lay down sets", lambda v, m: "lay_down" in m),
    (r"[Mm]elt a Gruyere|A Gruyere across", lambda v, m: "Gruyere" in v["hand"] and bool(v["sets"][v["me"]])),
    (r"no set to lay|You have none now", lambda v, m: phase("laying_down")(v, m) and m == {"finish"}),
    (r"A Cheddar may stand in", lambda v, _: "Cheddar" in v["hand"] and len(set(v["hand"])) > 1),
    (r"Two or more cards", lambda v, _: len(set(v["hand"])) < len(v["hand"])),
)
DO_MY_BIDDING: tuple[Claim, ...] = (
    (r"Open the bidding|^You open", lambda v, _: v["auction"]["bid"] is None and v["token"] == v["me"]),
    (r"Bid for yourself|last round", lambda v, _: v["round"] == v["rounds"] and patron(v) == v["me"]),
    (r"Open the bidding for yourself", lambda v, _: patron(v) == v["me"]),
    (r"Bid for (?!yourself)", lambda v, _: patron(v) != v["me"]),
    (r"You bid with \w+'s money|costs \w+ too much", lambda v, _: v["round"] < v["rounds"] and patron(v) != v["me"]),
    (r"bids for you", lambda v, _: v["agents"][v["me"]] == v["auction"]["bidder"] != v["me"]),
    (r"Too little money", lambda v, m: "bid" not in m),
    (r"of \w+'s money", lambda v, _: patron(v) != v["me"]),
)
DICED: tuple[Claim, ...] = (
    (r"^A die fell|^A wedge fell", lambda v, m: "fetch" in m and v["phase"] == "fetch"),
    (r"Seven wedges", lambda v, _: dice(v, "wheel") == 7),
    (r"quesos? again", lambda v, _: dice(v, "queso") > 0),
    (r"Everybody rolls at once", lambda v, _: v["variant"] == "speed"),
    (r"[Oo]nly towers stay", lambda v, _: v["variant"] == "towers"),
    (r"nothing to decide|^Your turn", lambda v, _: v["variant"] == "classic" and v["turn"] == v["me"]),
    (r"^Go: roll (the die|\d dice)", lambda v, _: v["variant"] != "classic"),
)
ECO: tuple[Claim, ...] = (
    (r"^Your turn", lambda v, m: phase("turn")(v, m) and v["turn"] == v["me"]),
    (r"pile is empty", lambda v, m: v["pile"] == 0 and phase("last_sale")(v, m)),
    (r"asks for|churns", lambda v, m: phase("gifts")(v, m) and "give" in m and v["turn"] != v["me"]),
    (r"from a hand that you see|shows you the whole hand, and", lambda v, m: phase("picking")(v, m)),
    (r"Give a wedge back|You owe every other", lambda v, m: phase("giving_back")(v, m)),
    (r"Flip a market|you flip a market", lambda v, m: phase("flipping")(v, m)),
    (r"of your own in place", lambda v, m: v["sharp"] and phase("replacing")(v, m)),
    (r"from the discard", lambda v, m: v["sharp"] and phase("taking")(v, m)),
    (r"sold a (market symbol|wedge with a market)", lambda v, m: v["sharp"] and phase("swapping")(v, m)),
    (r"market wedges to take|Choose which of your|that you gave", lambda v, m: phase("exchanging")(v, m)),
    (r"discarded market wedges", lambda v, m: v["phase"].get("other") is None),
    (r"^Sell up to three", lambda v, m: "sell" in m and bool(v["wheels"][v["me"]])),
    (r"produce them", lambda v, m: "produce" in m),
    (r"Choose a space of the tray", lambda v, m: "churn" in m and len(set(v["tray"]) - {None}) < 10),
)
CLAIMS = {
    "cheesedog": CHEESEDOG,
    "chesterfield": CHESTERFIELD,
    "do_my_bidding": DO_MY_BIDDING,
    "diced_cheese": DICED,
    "cheesonomics": ECO,
}


def falsehoods(game: str, text: str, view: View, moves: set[str]) -> list[str]:
    """What this text claims that is not so; also that it claims nothing."""
    made = [(pattern, holds) for pattern, holds in CLAIMS[game] if re.search(pattern, text)]
    if not made:
        return [f"no claim covers: {text}"]
    return [f"{text} [{pattern}]" for pattern, holds in made if not holds(view, moves)]


@pytest.mark.parametrize(("game", "seats", "options"), CASES, ids=lambda value: str(value))
async def test_every_tip_and_prompt_of_recorded_games_is_true(
    browser: Browser, game: str, seats: int, options: dict[str, Any]
) -> None:
    updates = [update for seed in SEEDS for update in record(game, seats, f"tips {seed}", **options).updates]
    asked = [msgspec.to_builtins((update.ask.offers, update.view)) for update in updates if update.ask]
    page = await browser.new_page()
    await serve_files(page)
    await page.goto(f"{HOME}/")
    situations = [{"offers": offers, "view": view} for offers, view in asked]
    texts = await page.evaluate(TEXTS, [game, situations, NAMES])
    found = {
        falsehood
        for (offers, view), said in zip(asked, texts, strict=True)
        for text in said
        for falsehood in falsehoods(game, text, view, {offer["move"] for offer in offers})
    }
    assert found == set()
    assert len({text for said in texts for text in said}) > 2
    assert not [text for said in texts for text in said if re.search(r"\bclick", text, re.IGNORECASE)]
