"""The generic bot plays every game of the catalogue from the contract alone, and better than at random."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from bots import generic, players, search_pool
from bots.arena import Contest, run
from bots.arena_report import Report, make_report
from bots.arena_table import view_and_offers
from bots.budget import Budget
from bots.generic import generic_bot, only_move
from bots.players import OWN_BOTS
from games import GAMES
from games.chance import Chance
from games.core import Outcome, collect, fold
from games.offers import Offer, Range, Subset
from tests.playout import table_size
from tests.service import ROOT
from tests.sixth_game import nibble


@pytest.fixture
def no_own_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the generic bot play every game."""
    for game in list(OWN_BOTS):
        monkeypatch.delitem(OWN_BOTS, game)


def play(game: str, bots: tuple[str, ...], deals: int) -> Report:
    contest = Contest(game, bots, deals, 1)
    return make_report(contest, run(contest, 1, lambda done: None), 1.0, 1)


@pytest.mark.parametrize("game", GAMES)
def test_the_generic_bot_plays_every_game_legally(
    game: str, no_own_bots: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(generic.MAX_ITERATIONS, "rookie", 2)
    bots = ("rookie", *("random",) * (table_size(GAMES[game]) - 1))
    found = play(game, bots, 1)
    assert [(line.faults, line.example) for line in found.lines] == [({}, None)] * 2
    assert all(line.decisions > 0 for line in found.lines)


def test_the_generic_rookie_beats_random_moves(no_own_bots: None) -> None:
    rookie, _ = play("do_my_bidding", ("rookie", "random", "random"), 6).lines
    assert rookie.first.low is not None
    assert rookie.first.low > 1 / 3


def test_a_master_searches_longer_than_a_rookie() -> None:
    assert generic.MAX_ITERATIONS["rookie"] < generic.MAX_ITERATIONS["master"]
    assert generic.SIMULATED_MOVES["rookie"] < generic.SIMULATED_MOVES["master"]


def question(game: str) -> tuple[Any, Any]:
    """What the first seat to act is asked at the start of a game."""
    rules = GAMES[game]
    state = fold(rules, rules.setup(table_size(rules), rules.options(), Chance(b"generic", 0)))
    return view_and_offers(rules, state, rules.to_act(state)[0])


@pytest.mark.parametrize("level", ["rookie", "master"])
def test_the_same_seed_chooses_the_same_move(level: Any) -> None:
    view, offers = question("do_my_bidding")
    chosen = [generic_bot("do_my_bidding", level)(view, offers, random.Random(7)) for _ in range(2)]
    assert chosen[0] == chosen[1]


def test_playouts_that_do_not_end_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that never ends is still answered: every playout stops at its limit and counts as a tie."""
    monkeypatch.setattr(generic, "MAX_PLAYOUT", 5)
    view, offers = question("cheesonomics")
    move = generic_bot("cheesonomics", "rookie")(view, offers, random.Random(7))
    assert isinstance(move, dict)
    assert move["type"] in {offer["move"] for offer in offers}


def test_every_offer_takes_part_and_a_long_range_with_both_ends() -> None:
    bid = Offer("bid", {"amount": Range(1, 500)})
    keep = Offer("keep", {"cards": Subset(tuple(range(30)), 0, 30)})  # 2 ** 30 fillings
    moves = list(generic._some_moves((bid, keep, Offer("drop", {})), Chance(b"seed", 0)))
    assert len(moves) == generic.MAX_COMPARED
    assert [move["type"] for move in moves[:7]] == ["bid", "keep", "drop", "bid", "keep", "bid", "keep"]
    assert (moves[0]["amount"], moves[3]["amount"]) == (1, 500)


@pytest.mark.parametrize(("rows", "row", "column"), [((3, 1, 0, 0), 0, 2), ((4, 1, 1, 0), 0, 3), ((3, 1, 1, 1), 3, 0)])
def test_the_search_looks_ahead(rows: tuple[int, ...], row: int, column: int) -> None:
    """In Nibble only the bite that leaves two equal arms wins, because the other seat's replies are answered alike."""
    game = collect(nibble)
    view = msgspec.to_builtins(game.view(nibble.State(rows, (0, 0), 0), 0))
    for seed in (b"one", b"two", b"three"):
        root = generic._search(game, "rookie", Budget(generic.MAX_ITERATIONS["rookie"]), view, seed)
        best = max(root.children.values(), key=generic.Node.value)
        assert best.move == {"type": "bite", "row": row, "column": column}


def test_the_only_legal_move_needs_no_search() -> None:
    literal = {"move": "drop", "fill": {}}
    assert only_move([literal]) == {"type": "drop"}
    assert only_move([literal, {"move": "pass", "fill": {}}]) is None
    assert only_move([{"move": "bid", "fill": {"amount": {"least": 3, "most": 3}}}]) == {"type": "bid", "amount": 3}
    assert only_move([{"move": "bid", "fill": {"amount": {"least": 3, "most": 4}}}]) is None
    assert only_move([{"move": "take", "fill": {"card": {"of": ["7h"]}}}]) == {"type": "take", "card": "7h"}
    assert only_move([{"move": "keep", "fill": {"cards": {"of": ["7h", "8h"], "least": 1, "most": 1}}}]) is None
    every = only_move([{"move": "keep", "fill": {"cards": {"of": ["7h", "8h"], "least": 2, "most": 2}}}])
    assert every == {"type": "keep", "cards": ("7h", "8h")}


@pytest.mark.parametrize(
    ("places", "score"), [((1, 2, 3), 1.0), ((2, 1, 3), 0.5), ((3, 1, 2), 0.0), ((1, 1, 3), 0.75), ((1, 1, 1), 0.5)]
)
def test_the_score_is_the_share_of_seats_beaten(places: tuple[int, ...], score: float) -> None:
    assert generic._score(Outcome(places, "X-1"), 0) == score


def test_the_document_says_how_much_the_bots_search() -> None:
    page = (ROOT / "docs" / "arena.md").read_text(encoding="utf-8")
    for sentence in (
        f"{players.DEALS.deals} imagined deals",
        f"{search_pool.THINK_S} s of CPU time",
        f"up to {generic.MAX_ITERATIONS['rookie']:,} imagined states",
        f"the same over up to {generic.MAX_ITERATIONS['master']:,}",
        f"more than {search_pool.MAX_QUEUED} decisions",
    ):
        assert sentence in page
