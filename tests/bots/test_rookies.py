"""House rookies show the game: they use every kind of move at a sensible rate, and make no absurd bids."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import msgspec
import pytest

from bots.arena import Contest, run
from bots.arena_report import share
from bots.arena_table import view_and_offers
from bots.do_my_bidding import advise
from bots.players import OWN_BOTS, player
from bots.turn import Turn, taking_turn
from games import GAMES
from games.chance import Chance
from games.core import fold, judge, read_move
from tests.bots.positions import chesterfield

SEED = "rookies"
ALL_GAMES = 200

# Uses in a game of four rookies on average, at least and at most.
RATES: dict[str, dict[str, tuple[float, float]]] = {
    "chesterfield": {
        "bid": (50, 300),
        "drop": (40, 150),
        "finish": (10, 100),
        "present": (24, 24),
        "lay_down": (5, 25),
        "melt": (1, 10),
        "bid_secretly": (1, 10),
        "merge": (0.5, 6),
        "cash_in": (0.4, 6),
        "play Bleu": (0.5, 4),
        "play Roquefort": (0.4, 4),
        "play Emmental": (0.3, 3),
        "play Pecorino": (0.3, 3),
        "play Feta": (0.2, 3),
        "stand_in": (0.1, 2),
        "default": (0, 0.5),
        "keep": (0, 2),
    },
    "do_my_bidding": {"bid": (40, 250), "drop": (10, 60), "suggest": (2, 12)},
    "cheesedog": {"play": (50, 200), "turn_over": (4, 20), "pick_up": (3, 20)},
    "cheesonomics": {
        "produce": (10, 40),
        "sell": (8, 30),
        "churn": (3, 15),
        "give": (5, 30),
        "take_shown": (2, 20),
        "give_back": (9, 45),
        "flip": (8, 30),
    },
    "cheesonomics sharp": {
        "produce": (10, 40),
        "sell": (8, 30),
        "churn": (3, 15),
        "give": (5, 30),
        "take_shown": (2, 20),
        "give_back": (9, 45),
        "flip": (8, 30),
        "replace": (8, 30),
        "take": (8, 40),
        "swap_seat": (1, 12),
        "exchange": (1, 12),
        "swap_discard": (1, 12),
        "decline": (0.3, 12),
    },
}
MAX_REFLEX = 38  # per cent: first places of the reflex among three rookies; even is 25


def play_one(name: str, options: dict[str, Any], number: int, used: Counter[str]) -> None:
    """Play a game of four rookies to its end, and count the kinds of moves that they use, asides included."""
    game, seed = GAMES[name], f"{SEED}/{name}/{number}".encode()
    state = fold(game, game.setup(4, game.options(**options), Chance(seed, 0)))
    own = random.Random(f"{SEED}/{name}/{number}")
    choose = taking_turn(player(name, "rookie"))
    for entry in range(1, 5000):
        if game.outcome(state) is not None:
            return
        seat = own.choice(game.to_act(state))
        view, offers = view_and_offers(game, state, seat)
        asides = [msgspec.to_builtins(offer) for offer in game.asides(state, seat)]
        move = choose(view, offers, own, Turn(name, "t", seat, options, entry, [], asides=asides))
        assert isinstance(move, dict)
        kind = f"play {move['card']}" if move["type"] == "play_action" else move["type"]
        used[kind] += 1
        state = fold(game, judge(game, state, seat, read_move(game, move), Chance(seed, entry)), state)
    raise AssertionError(f"game {number} of {name} did not end")


@pytest.mark.parametrize("table", RATES)
def test_rookies_use_every_kind_of_move_at_a_sensible_rate(table: str) -> None:
    game, _, variant = table.partition(" ")
    used = Counter[str]()
    for number in range(ALL_GAMES):
        play_one(game, {"variant": variant} if variant else {}, number, used)
    means = {kind: count / ALL_GAMES for kind, count in used.items()}
    print(f"seed {SEED}: {means}")
    assert set(means) - set(RATES[table]) == set()
    wrong = {
        kind: means.get(kind, 0)
        for kind, (least, most) in RATES[table].items()
        if not least <= means.get(kind, 0) <= most
    }
    assert wrong == {}


def test_every_game_with_rookies_of_its_own_has_rates() -> None:
    assert {table.split()[0] for table in RATES} == set(OWN_BOTS)


def highest_bid(card: str, hand: str, banks: tuple[int, int, int], *actions: str, **more: Any) -> int:
    """The highest standing bid that a rookie outbids for this card; -1 if it outbids none."""
    game, highest = GAMES["chesterfield"], -1
    for bid in range(banks[0]):
        phase = chesterfield.selling(card, bid, 1, (False, False, True), *actions)
        state = chesterfield.table(phase, hand, banks=banks, on_table=(card, *actions), **more)
        view, offers = view_and_offers(game, state, 0)
        moves = [OWN_BOTS["chesterfield"].rookie(view, offers, random.Random(seed)) for seed in range(20)]
        highest = max([highest, *(move["amount"] for move in moves if move["type"] == "bid")])
    return highest


def test_a_rookie_does_not_pay_a_fortune_for_a_cheddar_under_feta() -> None:
    assert 0 < highest_bid("Cheddar", "Camembert Roquefort", (40, 40, 40), "Feta", blocks=2) < 16


def test_a_rookie_does_not_go_all_in_for_a_card_that_scores_one() -> None:
    bank = 30
    assert highest_bid("Pecorino", "Camembert Roquefort", (bank, bank, bank), blocks=1) < bank / 2
    assert highest_bid("Bleu", "Camembert Roquefort", (bank, bank, bank)) < bank / 2


def test_a_reflex_does_not_beat_rookies_by_much() -> None:
    contest = Contest("do_my_bidding", ("bench.reflex:reflex", "rookie", "rookie", "rookie"), 30, 5)
    played = run(contest, 1, lambda done: None)
    first = sum(share(one.places, 0, min(one.places)) for one in played) / len(played)
    print(f"seed 5: the reflex is first in {100 * first:.0f} %")
    assert first <= MAX_REFLEX / 100


def test_a_bot_advises_an_agent_that_still_bids_once_for_a_lot() -> None:
    game = GAMES["do_my_bidding"]
    state = fold(game, game.setup(4, game.options(), Chance(b"advice", 0)))
    seat = game.to_act(state)[0]
    view, _ = view_and_offers(game, state, seat)
    said = [advise(view, random.Random(seed), 0.8) for seed in range(200)]
    given = [move for move in said if move is not None]
    assert 0 < len(given) < 100
    for move in given:
        told = fold(game, judge(game, state, seat, read_move(game, move), Chance(b"advice", 1)), state)
        again, _ = view_and_offers(game, told, seat)
        assert all(advise(again, random.Random(seed), 0.8) is None for seed in range(50))
