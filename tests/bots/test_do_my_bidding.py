"""The house bots of Do My Bidding know what a lot is worth (bots/do_my_bidding.py)."""

from __future__ import annotations

import json
import random

import msgspec
import pytest

from bots.do_my_bidding import rookie
from bots.do_my_bidding_model import MATCHES, Imagined
from bots.do_my_bidding_table import picture, read
from bots.sdk import View
from games import GAMES
from games.chance import Chance
from games.core import fold
from games.do_my_bidding import count_matches, setup, view
from games.do_my_bidding.values import ARTS, DECK, Art, Options

SEED = 15


def table_seen() -> View:
    """What seat 0 sees at the start of a table with four seats."""
    state = fold(GAMES["do_my_bidding"], setup(4, Options(), Chance(str(SEED).encode(), 0)))
    seen: View = json.loads(msgspec.json.encode(view(state, 0)))
    return seen


def test_dmb_15_the_bots_value_a_lot_as_the_rules_do() -> None:
    print(f"seed {SEED}")
    chance = random.Random(SEED)
    seen = table_seen()
    doubled = 0
    for _ in range(2000):
        arts = chance.sample(ARTS, 14)
        owned, lots = tuple(arts[:12]), ((arts[12],), (arts[12], arts[13]))
        seen["collections"][1] = msgspec.to_builtins(owned)
        table = read(seen)
        for lot in lots:
            worth = sum(art.value for art in lot) + count_matches(owned, lot)
            assert table.worth(1, [_picture(art) for art in lot]) == worth, (owned, lot)
        doubled += count_matches(owned, lots[1]) < sum(count_matches(owned, (art,)) for art in lots[1])
    assert doubled > 100, "in some lots an old painting matches both new ones"


def test_dmb_15_a_simulated_sale_counts_for_the_next_one() -> None:
    seen = table_seen()
    seen["collections"][1] = msgspec.to_builtins((ARTS[8],))  # Cassatt, red
    table = read(seen)
    table.sell([_picture(ARTS[0])], 2, 1, 0, last=False)  # Monet, pink
    assert table.worth(1, [_picture(ARTS[21]), _picture(ARTS[3])]) == 5  # Kahlo, pink and Monet, yellow


def test_a_simulation_expects_as_many_matches_as_there_are() -> None:
    print(f"seed {SEED}")
    chance = random.Random(SEED)
    seen = table_seen()
    for owned in (1, 4, 8):
        found = 0
        for _ in range(500):
            arts = chance.sample(ARTS, owned + 1)
            seen["collections"][1] = msgspec.to_builtins(arts[:owned])
            found += read(seen).worth(1, [_picture(arts[owned])]) - arts[owned].value
        assert found / 500 == pytest.approx(MATCHES * owned, rel=0.15)


def test_all_options_of_a_deal_meet_the_same_limits() -> None:
    """The others' limits in later sales do not depend on what happens before them."""
    chance = random.Random(SEED)
    deck = [_picture(art) for art in DECK]
    table, lots = read(table_seen()), [[one] for one in deck[:3]]
    luck = [[chance.random() for _ in range(4)] for _ in range(30)]
    dealt = Imagined(table, lots, deck[3:], luck, 0, 0, None)
    left = []
    for option in (0.0, 2.2):
        played = dealt.copy()
        for _ in lots:
            played.advance(option, chance)
        left.append(played.luck)
    assert left == [luck[3:], luck[3:]]


def test_a_rookie_drops_out_when_its_patron_advises_it() -> None:
    seen = table_seen()
    seen["advice"][seen["patrons"][seen["me"]]] = {"up_to": None}
    offers = [{"move": "bid", "fill": {"amount": {"least": 1, "most": 7}}}, {"move": "drop", "fill": {}}]
    moves = [rookie(seen, offers, random.Random(seed))["type"] for seed in range(50)]
    assert moves.count("drop") > 25


def _picture(art: Art) -> tuple[int, int, int]:
    return picture(msgspec.to_builtins(art))
