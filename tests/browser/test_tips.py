"""Every text of recorded games is true of the situation in which the page shows it: prompts, tips, offers and the log.

`CLAIMS` has, for each game, what a text says (a pattern) and what must then hold (a function of the situation, written
from the rulebook). A prompt, tip or offer that no claim matches fails the test, so that nobody adds one without saying
when it is true. `TOLD` has the same for sentences of the log, with the views before and after the event.
"""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec
import pytest
from playwright.async_api import Browser

from bots.offers import Choose, fill
from bots.players import player
from games.chesterfield.deck import POINTS
from tests.browser.recorded import HOME, NAMES, record, serve_files

View = dict[str, Any]


class Now(NamedTuple):
    """A situation: what the asked seat sees, the names of the offered moves, the offers, and what the pattern found."""

    view: View
    moves: set[str]
    offers: list[dict[str, Any]]
    found: re.Match[str]

    @property
    def mine(self) -> int:
        return int(self.view["me"])

    def of(self, field: str) -> Any:
        """What belongs to the asked seat in a list of all seats."""
        return self.view[field][self.mine]

    def offer(self, move: str) -> dict[str, Any]:
        """How the first offer of this move is filled."""
        return next(one["fill"] for one in self.offers if one["move"] == move)


Claim = tuple[str, Callable[[Now], bool]]

RANKS = "23456789TJQKA"
SEEDS = ("one", "two", "three")


def hoarder(thrift: float) -> Choose:
    """Keeps its cards, so that it must pay for them or throw them away; how often it bids as little as it can."""
    spending = {"cash_in", "lay_down", "melt", "merge", "stand_in"}

    def choose(_view: View, offers: list[dict[str, Any]], chance: random.Random) -> dict[str, Any]:
        offer = chance.choice([one for one in offers if one["move"] not in spending])
        move = fill(offer, chance)
        if move["type"] == "bid" and chance.random() < thrift:
            move["amount"] = offer["fill"]["amount"]["least"]
        return move

    return choose


CASES: dict[str, tuple[tuple[int, dict[str, Any]], ...]] = {
    "cheesedog": ((3, {}), (6, {})),
    "chesterfield": ((2, {}), (4, {}), (8, {}), (2, {"choose": hoarder(0.7)}), (3, {"choose": hoarder(0.9)})),
    "do_my_bidding": ((3, {}), (4, {}), (5, {})),
    "diced_cheese": ((3, {}), (3, {"variant": "speed"}), (3, {"variant": "towers"})),
    "cheesonomics": (
        (2, {}),
        (3, {}),
        (2, {"variant": "sharp"}),
        (3, {"variant": "sharp"}),
        (3, {"variant": "sharp", "choose": player("cheesonomics", "random")}),
    ),
}
# The texts of each situation (of the prompt, of all tips that hold, and of the offers), and the sentences of the log.
TEXTS = """async ([game, asks, log, players]) => {
  const { words } = await import(new URL(`games/${game}.js`, document.querySelector("script[type=module]").src));
  const { modules } = await import(document.querySelector("script[type=module]").src);
  const names = (seat) => (seat === 0 ? "You" : players[seat]);
  const { offerText, tipsNow } = modules["words.js"];
  const texts = asks.map(({ offers, view }) => [
    words.prompt(offers, view, names),
    ...[words.briefPrompt?.(offers, view) ?? []].flat(),
    ...tipsNow(words, offers, view, names).map((tip) => tip.text),
    ...offers.map((offer) => offerText(offer, words, names, view)),
    ...(view.card && words.gain ? [words.gain(view)] : []),
  ]);
  return [texts, modules["log.js"].logLines(log, words, () => names).map(({ key, text }) => [key, text])];
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


def fitting(now: Now) -> set[int]:
    return {rank(card) for card in now.view["hand"] if fits(now.view, rank(card))}


def patron(now: Now) -> int:
    return int(now.view["agents"].index(now.mine))


def phase(*names: str) -> Callable[[Now], bool]:
    return lambda now: phase_of(now.view) in names


def phase_of(view: View) -> str:
    return str(view["phase"] if isinstance(view["phase"], str) else view["phase"]["type"])


def dice(now: Now, where: str) -> int:
    own = now.view["dice"][0 if now.view["variant"] == "classic" else now.mine]
    return sum(die["where"] == where for die in own)


def holds(now: Now, card: str) -> int:
    return int(now.view["hand"].count(card))


def dollars(now: Now, group: int = 1) -> int:
    return int(now.found[group].lstrip("$"))


def of_kind(wedges: list[str], kind: str) -> int:
    """How many wedges the words name: "cows", "red wedges"."""
    word = kind.split()[0]
    return sum(
        word in (wedge.split("-")[0], wedge.split("-")[0] + "s", wedge.split("-")[1].strip("*")) for wedge in wedges
    )


CHEESEDOG: tuple[Claim, ...] = (
    (r"[Pp]ick up the pile of (\d+)", lambda n: not fitting(n) and len(n.view["pile"]) == dollars(n)),
    (r"None of your cards fits|nothing you have fits", lambda n: not fitting(n) and len(n.view["hand"]) > 0),
    (r"hidden card|face-down card", lambda n: not n.view["hand"] and not n.of("ups") and any(n.of("downs"))),
    (r"anything fits|pile is empty|start a new pile", lambda n: not n.view["pile"]),
    (r"^(After an|.* fell|Your turn: ).*8 or lower", lambda n: bool(n.view["low"])),
    (r"lit cards fit", lambda n: bool(n.view["pile"]) and bool(fitting(n))),
    (r"Only a 2 fits", lambda n: fitting(n) == {2}),
    (r"Your 10", lambda n: 10 in fitting(n) and bool(n.view["pile"])),
    (
        r"Four of one rank",
        lambda n: (
            top_run(n.view) + sum(rank(c) == rank(n.view["pile"][-1]) for c in n.view["hand"]) >= 4 > top_run(n.view)
            and rank(n.view["pile"][-1]) in fitting(n)
        ),
    ),
    (r"as high as the top of the pile or higher", lambda n: bool(n.view["pile"]) and not n.view["low"]),
    (r"^Play (?!one to)|^Play one to", lambda n: "play" in n.moves),
    (r"it clears the pile and you play again", lambda n: 10 in fitting(n)),
)
CHESTERFIELD: tuple[Claim, ...] = (
    (r"Bid to be Auctioneer|Bid what that is worth", lambda n: phase("auctioneer_auction")(n) and "bid" in n.moves),
    (r"Bid to be Auctioneer: you see all four|^Bid to see and price all four", lambda n: len(n.view["block"]) == 4),
    (r"^Too little money", lambda n: "bid" not in n.moves and len(n.view["hand"]) > 0),
    (r"[Pp]lay a card|Cards also have actions", lambda n: "play_action" in n.moves and len(n.view["hand"]) > 0),
    (r"[Cc]ash (in|them in)", lambda n: "cash_in" in n.moves and len(n.view["hand"]) > 0),
    (r"^Bid for the (\w+)", lambda n: "bid" in n.moves and n.view["card"] == n.found[1]),
    (r"^Bid.*,.* or drop", lambda n: phase("cheese_auction")(n) and n.moves >= {"bid", "drop"}),
    (r"^Bid(?: for the \w+)?, or drop", lambda n: not n.moves & {"play_action", "cash_in"}),
    (r"Bid more than the others|last one in pays", lambda n: "bid" in n.moves and phase("cheese_auction")(n)),
    (r"^Bid (\$\d+) or more, up to the \$\d+ that", lambda n: (n.view["auction"]["bid"] or 0) <= dollars(n)),
    (r"up to the (\$\d+) that you have", lambda n: n.of("banks") == dollars(n)),
    (r"^Drop out", lambda n: "drop" in n.moves and not n.view["auction"]["dropped"][n.mine]),
    (r"Choose a card and|You alone see the block|Put a card of the block", lambda n: n.view["auctioneer"] == n.mine),
    (r"You alone see the block", lambda n: all(n.view["block"])),
    (r"secret bid|in secret", lambda n: "bid_secretly" in n.moves or "play_action" in n.moves),
    (r"^After an Emmental|^(Your|Make your) one secret bid", lambda n: "Emmental" in n.view["actions"]),
    (r"^You owe", lambda n: n.view["owed"] > n.of("banks")),
    (r"^You owe (\$\d+)", lambda n: n.view["owed"] == dollars(n)),
    (r"you have (\$\d+):", lambda n: n.of("banks") == dollars(n)),
    (r"^Feta:", lambda n: "Feta" in n.view["actions"]),
    (r"^Roquefort:", lambda n: "Roquefort" in n.view["actions"]),
    (r"^Bleu:", lambda n: "Bleu" in n.view["actions"]),
    (r"^Give up the card", phase("paying")),
    (r"^You hold (\d+) cards", lambda n: len(n.view["hand"]) == dollars(n) and "keep" in n.moves),
    (r"cards: pay \$4", lambda n: n.of("banks") >= 4 * (len(n.view["hand"]) - 4)),
    (r"more than you can pay for", lambda n: n.of("banks") < 4 * (len(n.view["hand"]) - 4)),
    (r"throw away at least (\d+)", lambda n: n.offer("keep")["discard"]["least"] == dollars(n)),
    (r"throw away (\d+)", lambda n: n.offer("keep")["discard"]["least"] == len(n.view["hand"]) - 4),
    (r"Each card above four", lambda n: len(n.view["hand"]) > 4 and "keep" in n.moves),
    (r"^Throw away", lambda n: "keep" in n.moves),
    (r"too little money to keep", lambda n: n.of("banks") < 4),
    (r"and pay \$4 for each other one", lambda n: n.of("banks") >= 4),
    (r"Last chance|unless they join", lambda n: phase("merging")(n) and bool(n.moves & {"merge", "stand_in", "melt"})),
    (r"Nothing of yours fits", lambda n: phase("merging")(n) and n.moves == {"finish"}),
    (r"^Lay down sets", lambda n: "lay_down" in n.moves),
    (r"^Lay down (\d+)", lambda n: len(n.view["hand"]) >= dollars(n)),
    (r"and a Cheddar that stands in", lambda n: holds(n, "Cheddar") > 0),
    (r"[Mm]elt a Gruyere|[Aa] Gruyere across", lambda n: holds(n, "Gruyere") > 0 and bool(n.of("sets"))),
    (r"^Add (\w+) from your hand", lambda n: holds(n, n.found[1]) > 0),
    (r"^Add a Cheddar", lambda n: phase("merging")(n) and any(not one["cheddar"] for one in n.of("sets"))),
    (r"no set to lay|none to lay now", lambda n: phase("laying_down")(n) and n.moves == {"finish"}),
    (r"^Done", lambda n: "finish" in n.moves),
    (r"A Cheddar may stand in", lambda n: holds(n, "Cheddar") > 0 and len(set(n.view["hand"])) > 1),
    (r"^You hold (\d): one more", lambda n: holds(n, n.view["card"]) == dollars(n)),
    (r"^You hold none", lambda n: not holds(n, n.view["card"]) and not holds(n, "Cheddar")),
    (r"(?:one more is|set:|set for)(?: \+?)(\d) points$", lambda n: POINTS[n.view["card"]] == dollars(n)),
    (r"^In the end it can join your set", lambda n: n.view["card"] in {one["cheese"] for one in n.of("sets")}),
    (r"^With your Cheddar", lambda n: holds(n, "Cheddar") > 0 and not holds(n, n.view["card"])),
    (r"^Melted over a set", lambda n: n.view["card"] == "Gruyere" and bool(n.of("sets"))),
    (r"^It can stand in", lambda n: n.view["card"] == "Cheddar"),
    (r"^Two cards of one cheese", lambda n: len(set(n.view["hand"])) < len(n.view["hand"])),
)
DO_MY_BIDDING: tuple[Claim, ...] = (
    (r"Open the bidding|^You open", lambda n: n.view["auction"]["bid"] is None and n.view["token"] == n.mine),
    (r"Bid for yourself|last round", lambda n: n.view["round"] == n.view["rounds"] and patron(n) == n.mine),
    (r"Open the bidding for yourself", lambda n: patron(n) == n.mine),
    (r"Bid for (?!yourself)(\w+)", lambda n: NAMES[patron(n)] == n.found[1]),
    (r"You bid with (\w+)'s money", lambda n: NAMES[patron(n)] == n.found[1] and n.view["round"] < n.view["rounds"]),
    (r"costs (\w+) too much", lambda n: NAMES[patron(n)] == n.found[1]),
    (r"^(\w+) bids for you", lambda n: n.of("agents") == n.view["auction"]["bidder"] == NAMES.index(n.found[1])),
    (r"bids for you.* pay (\$\d+)", lambda n: n.view["auction"]["bid"] == dollars(n)),
    (r"of \w+'s money", lambda n: patron(n) != n.mine),
    (r"^Bid \$\d+ to (\$\d+) from", lambda n: n.view["purses"][patron(n)] >= dollars(n)),
    (r"from your own purse", lambda n: patron(n) == n.mine),
    (r"^Drop out: you bid no more", lambda n: "drop" in n.moves),
)
DICED: tuple[Claim, ...] = (
    (
        r"^(A|\d) (?:die|dice) fell",
        lambda n: phase("fetch")(n) and str(dice(n, "fallen")).replace("1", "A") == n.found[1],
    ),
    (r"^Fetch what fell", lambda n: dice(n, "fallen") > 0),
    (r"Seven dice are in the wheel", lambda n: dice(n, "wheel") == 7 and n.view["variant"] != "towers"),
    (r"quesos? again", lambda n: dice(n, "queso") > 0),
    (r"Everybody rolls at once", lambda n: n.view["variant"] == "speed"),
    (r"[Oo]nly towers stay", lambda n: n.view["variant"] == "towers"),
    (r"all luck|^Your turn", lambda n: n.view["variant"] == "classic" and n.view["turn"] == n.mine),
    (r"[Rr]oll (\d) dice", lambda n: dice(n, "available") == dollars(n)),
    (r"[Rr]oll the die", lambda n: dice(n, "available") == 1),
)
ECO: tuple[Claim, ...] = (
    (r"^Your turn", lambda n: phase("turn")(n) and n.view["turn"] == n.mine),
    (r"^(?:Your|Perhaps your last) turn: .*churn", lambda n: "churn" in n.moves),
    (r"^(?:Your|Perhaps your last) turn: .*sell", lambda n: "sell" in n.moves),
    (r"^Perhaps your last turn", lambda n: phase("turn")(n) and n.view["pile"] <= 5 and n.view["turn"] == n.mine),
    (r"pile is empty|^Sell nothing more", lambda n: n.view["pile"] == 0 and phase("last_sale")(n)),
    (r"(?:asks for|churns) ([a-z ]+)[:.]", lambda n: "give" in n.moves and of_kind(n.view["hand"], n.found[1]) > 0),
    (r"asks for|churns|a wedge that matches", lambda n: phase("gifts")(n) and n.view["turn"] != n.mine),
    (r"from a hand that you see|shows you the whole hand, and", phase("picking")),
    (r"^Take a wedge from (\w+)'s hand", lambda n: NAMES.index(n.found[1]) in n.view["phase"]["showing"]),
    (r"Give a wedge back|You owe a wedge to each", phase("giving_back")),
    (r"Give a wedge back \((\d) to go", lambda n: len(n.view["phase"]["owed"]) == dollars(n)),
    (r"Flip a market|you flip a market", phase("flipping")),
    (r"of your own in place|^Put .* into the market", lambda n: n.view["sharp"] and phase("replacing")(n)),
    (r"from the discard", lambda n: n.view["sharp"] and phase("taking")(n)),
    (r"^Take a market wedge$", phase("taking", "exchanging")),
    (r"sold a (market symbol|wedge with a market)|^Make no swap", lambda n: n.view["sharp"] and phase("swapping")(n)),
    (r"^Put one of your market wedges on|^Look at somebody's", phase("swapping")),
    (r"market wedges to take|Choose which of your|that you gave|and take one of theirs", phase("exchanging")),
    (r"discarded market wedges", lambda n: n.view["phase"].get("other") is None),
    (r"^Sell up to three", lambda n: "sell" in n.moves and bool(n.of("wheels"))),
    (r"^Sell ([a-z ]+): up to (\d)", lambda n: of_kind(n.of("wheels"), n.found[1]) >= dollars(n, 2)),
    (r"You hold (\d) ([a-z ]+): produce", lambda n: of_kind(n.view["hand"], n.found[2]) == dollars(n)),
    (r"You hold (\d).*draw back to five", lambda n: n.view["pile"] >= dollars(n)),
    (r"You hold (\d).*what is left in the pile", lambda n: n.view["pile"] < dollars(n)),
    (r"^Produce: ", lambda n: "produce" in n.moves),
    (r"Choose a space of the tray|^Churn: ", lambda n: "churn" in n.moves and len(set(n.view["tray"]) - {None}) < 10),
)
CLAIMS = {
    "cheesedog": CHEESEDOG,
    "chesterfield": CHESTERFIELD,
    "do_my_bidding": DO_MY_BIDDING,
    "diced_cheese": DICED,
    "cheesonomics": ECO,
}


class Told(NamedTuple):
    """A sentence of the log: its event, what the viewer saw before and after the entry, and what the pattern found."""

    event: dict[str, Any]
    before: View
    after: View
    entry: list[dict[str, Any]]  # all events of the entry
    found: re.Match[str]


def reversals(told: Told) -> int:
    """How often this entry turns the direction of play, if it is told once and the direction is what the view says."""
    count = sum(one["type"] == "reversed" for one in told.entry)
    told_first = next(one for one in told.entry if one["type"] == "reversed") is told.event
    agree = told.after["direction"] == told.before["direction"] * (-1) ** count
    return count if told_first and agree else -1


def towers(roll: dict[str, Any]) -> int:
    """How many towers a roll shows."""
    return sum(one["face"] == "tower" for one in roll["throws"])


TOLD: dict[str, tuple[tuple[str, Callable[[Told], bool]], ...]] = {
    "cheesedog": (
        (r"^Play now goes the other way", lambda t: reversals(t) % 2 == 1),
        (r"^Two 9s turn it twice", lambda t: reversals(t) == 2),
        (
            r"must be 8 or lower",  # until the demand is answered in the same entry, or the game ends with it
            lambda t: bool(t.after["low"]) or bool({"ended", "turned_over"} & {one["type"] for one in t.entry}),
        ),
    ),
    "chesterfield": (
        (r"too little money to go on", lambda t: t.after["hands"][t.event["seat"]] == 0),
        (r"^Nobody bid enough", lambda t: t.after["discard"].count(t.event["card"]) > 0),
        (r"did not pay", lambda t: t.event["type"] == "defaulted"),
        (
            r"With it came (\d) Bleu",
            lambda t: t.after["bleus"][t.event["seat"]] - t.before["bleus"][t.event["seat"]] == int(t.found[1]),
        ),
        (r"one last round", lambda t: t.event["card"] == "Pecorino"),
        (r"^Everybody holds four", lambda t: not any(t.event["dollars"]) and not any(t.event["discards"])),
    ),
    "do_my_bidding": (
        (r"too little money to go on", lambda t: t.before["round"] == t.before["rounds"]),
        (r"^Sold for \$\d+: \w+ won it\.", lambda t: t.event["sale"]["agent"] == t.event["sale"]["patron"]),
        (r"everybody bids for themselves", lambda t: t.event["round"] == t.after["rounds"]),
        (r"put the money of their envelope", lambda t: not any(t.after["envelopes"])),
    ),
    "diced_cheese": (
        (r"^Who starts\?", lambda t: towers(t.event) > 0),
        (
            r"(\d+) rolls? had no tower",  # in these games no two seats had towers at once
            lambda t: int(t.found[1]) == sum(e["type"] == "rolled_to_start" and not towers(e) for e in t.entry),
        ),
        (r"can no longer catch up", lambda t: t.before["variant"] == "towers"),
        (r"wheel and started over", lambda t: t.before["variant"] == "speed"),
    ),
    "cheesonomics": (
        (r"showed \w+ (?:your|their) hands\.", lambda t: len(t.event["showing"]) > 1),
        (r"showed \w+ (?:your|their) hand\.", lambda t: len(t.event["showing"]) == 1),
        (r"showed \w+ your hand", lambda t: 0 in t.event["showing"]),
        (r"showed \w+ their hand", lambda t: 0 not in t.event["showing"]),
        (
            r"collected the gifts",  # somebody gave one: not everybody showed a hand
            lambda t: all(len(e["showing"]) < len(t.after["hands"]) - 1 for e in t.entry if e["type"] == "churned"),
        ),
        (r"The pile is empty", lambda t: t.after["pile"] == 0),
        (r"^You churned|^\w+ churned", lambda t: t.event["type"] == "churned"),
    ),
}


def falsehoods(game: str, text: str, view: View, offers: list[dict[str, Any]]) -> list[str]:
    """What this text claims that is not so; also that it claims nothing."""
    made = [(found, holds) for pattern, holds in CLAIMS[game] if (found := re.search(pattern, text))]
    if not made:
        return [f"no claim covers: {text}"]
    moves = {offer["move"] for offer in offers}
    return [f"{text} [{found.re.pattern}]" for found, holds in made if not holds(Now(view, moves, offers, found))]


def false_lines(game: str, lines: list[list[str]], updates: list[dict[str, Any]]) -> list[str]:
    """The sentences of a log that are not so. The key of a line is the number of its entry and of its event in it."""
    wrong = []
    for key, text in lines:
        n, at = map(int, key.split("-"))
        entry = updates[n - 1]
        before = updates[max(0, n - 2)]["view"]
        for pattern, holds in TOLD[game]:
            found = re.search(pattern, text)
            if found and not holds(Told(entry["events"][at], before, entry["view"], entry["events"], found)):
                wrong.append(f"{n}: {text} [{pattern}]")
    return wrong


def unchecked(game: str, said: set[str], told: set[str]) -> set[str]:
    """The claims that none of these texts makes: nobody would notice if they were wrong."""
    pairs = [(said, pattern) for pattern, _ in CLAIMS[game]] + [(told, pattern) for pattern, _ in TOLD[game]]
    return {pattern for texts, pattern in pairs if not any(re.search(pattern, text) for text in texts)}


@pytest.mark.parametrize("game", CASES)
async def test_every_text_of_recorded_games_is_true(browser: Browser, game: str) -> None:
    page = await browser.new_page()
    await serve_files(page)
    await page.goto(f"{HOME}/")
    found: set[str] = set()
    said: set[str] = set()
    told: set[str] = set()
    for seed, (seats, options) in itertools.product(SEEDS, CASES[game]):
        updates: list[dict[str, Any]] = msgspec.to_builtins(record(game, seats, f"tips {seed}", **options).updates)
        asked = [update for update in updates if update.get("ask")]
        situations = [{"offers": update["ask"]["offers"], "view": update["view"]} for update in asked]
        log = [{field: update.get(field) for field in ("n", "events", "seat", "by")} for update in updates]
        texts, lines = await page.evaluate(TEXTS, [game, situations, log, NAMES])
        for now, shown in zip(situations, texts, strict=True):
            found.update(false for text in shown for false in falsehoods(game, text, now["view"], now["offers"]))
            said.update(shown)
        found.update(false_lines(game, lines, updates))
        told.update(text for _, text in lines)
    assert found == set()
    assert unchecked(game, said, told) == set()
    assert not [text for text in said if re.search(r"\bclick", text, re.IGNORECASE)]


ABOUT = """async ([game, view]) => {
  const { reference } = await import(new URL(`games/${game}.js`, document.querySelector("script[type=module]").src));
  const { modules } = await import(document.querySelector("script[type=module]").src);
  const place = document.createElement("div");
  modules["html.js"].render(reference(view), place);
  return [...place.querySelectorAll("[data-about]")].map((piece) => piece.dataset.about);
}"""


async def about(browser: Browser, game: str, **options: Any) -> list[str]:
    """What each piece in the reference of a game says about itself."""
    page = await browser.new_page()
    await serve_files(page)
    await page.goto(f"{HOME}/")
    view = msgspec.to_builtins(record(game, 3, "about", **options).updates[0].view)
    texts: list[str] = await page.evaluate(ABOUT, [game, view])
    return texts


async def test_a_card_without_an_action_names_none(browser: Browser) -> None:
    texts = await about(browser, "chesterfield")
    assert [text.split(":")[0] for text in texts if "Action:" not in text] == ["Camembert"]


async def test_what_a_die_says_about_itself_is_true_in_each_variant(browser: Browser) -> None:
    assert len([text for text in await about(browser, "diced_cheese") if "wheel" in text]) == 2
    speed = await about(browser, "diced_cheese", variant="speed")
    assert not [text for text in speed if "next player" in text or "turn" in text]
    towers = await about(browser, "diced_cheese", variant="towers")
    assert len(towers) == 4
    assert not [text for text in towers if "wheel" in text or "round" in text]


@pytest.mark.parametrize(
    "text",
    [
        "You hold 3 cows: produce them. Then you draw back to five.",
        "You hold 2 cows: produce them.",
        "Your turn: churn, produce or sell.",
        "The moon is full.",
    ],
)
def test_a_false_text_is_found(text: str) -> None:
    view = {"me": 0, "turn": 0, "phase": {"type": "turn"}, "pile": 2, "hand": ["cow-red", "cow-blue", "cow-green*"]}
    offers = [{"move": "produce", "fill": {}}, {"move": "churn", "fill": {}}]
    assert falsehoods("cheesonomics", text, view, offers)
