"""Positions of Chesterfield with three seats. Cards that lie nowhere are in the discard."""

from __future__ import annotations

from games.chesterfield import phases
from games.chesterfield.deck import BLOCK, DECK, RESERVED
from games.chesterfield.table import Set, State
from games.kit import Auction
from tests.bots.positions.position import Position

NOT_DONE = (False, True, True)
CHEESES = ("Pecorino", "Feta", "Roquefort", "Emmental", "Camembert", "Bleu")


def table(
    phase: phases.Phase,
    hand: str,
    *,
    sets: tuple[Set, ...] = (),
    banks: tuple[int, int, int] = (15, 15, 15),
    on_table: tuple[str, ...] = (),
    blocks: int = 0,
) -> State:
    """Seat 0 has this hand and these sets, the others three cards each; so many blocks are still to come."""
    left = list(DECK)
    mine = tuple(hand.split())
    laid = [one.cheese for one in sets for _ in range(one.cards)]
    for card in (*mine, *laid, *on_table):
        left.remove(card)
    mixed = [left[number * 5 % len(left)] for number in range(len(left))] if len(left) % 5 else left[::2] + left[1::2]
    deck = BLOCK * blocks
    start = 6 + RESERVED
    return State(
        first=0,
        reserved=tuple(mixed[6:start]),
        hands=(mine, tuple(mixed[:3]), tuple(mixed[3:6])),
        block=(),
        deck=tuple(mixed[start : start + deck]),
        banks=banks,
        sets=(sets, (), ()),
        bleus=(0, 0, 0),
        phase=phase,
        auctioneer=1,
        discard=tuple(mixed[start + deck :]),
    )


def selling(card: str, bid: int | None, bidder: int | None, dropped: tuple[bool, ...], *actions: str) -> phases.Phase:
    """The last card of a block is on sale, and it is seat 0's turn."""
    bids = tuple(bid if seat == bidder else None for seat in range(3))
    return phases.CheeseAuction(card, 0, Auction(0, bids, dropped, bid, bidder), actions)


def positions() -> list[Position]:
    return [
        *sets_to_lay(),
        *sets_to_merge(),
        *hands_too_large(),
        *last_cards(),
        *not_worth_it(),
        *own_bleus(),
        *emmentals(),
    ]


def sets_to_lay() -> list[Position]:
    found = []
    for cheese in CHEESES:
        state = table(phases.LayingDown(NOT_DONE), f"{cheese} {cheese} Gruyere", blocks=1)
        lay = [{"type": "lay_down", "cheese": cheese, "cards": 2}]
        found.append(Position(f"lay down two {cheese}", "chesterfield", state, best=lay, beginner=True))
    melt = table(phases.LayingDown(NOT_DONE), "Gruyere", sets=(Set("Feta", 2),), blocks=1)
    found.append(Position("melt a Gruyere", "chesterfield", melt, best=[{"type": "melt"}], beginner=True))
    return found


def sets_to_merge() -> list[Position]:
    found = []
    for cheese in ("Feta", "Camembert", "Roquefort"):
        state = table(phases.Merging(NOT_DONE), cheese, sets=(Set(cheese, 2, gruyere=True),))
        found.append(Position(f"merge {cheese}", "chesterfield", state, best=[{"type": "merge"}], beginner=True))
    state = table(phases.Merging(NOT_DONE), "Cheddar", sets=(Set("Camembert", 2, gruyere=True), Set("Feta", 2)))
    best = [{"type": "stand_in", "onto": 0}]
    found.append(Position("a Cheddar for the dearer set", "chesterfield", state, best=best, beginner=True))
    state = table(phases.Merging(NOT_DONE), "Gruyere", sets=(Set("Feta", 2),))
    found.append(Position("melt at the end", "chesterfield", state, best=[{"type": "melt"}], beginner=True))
    return found


def hands_too_large() -> list[Position]:
    found = []
    choices = (None, None, None)
    for keep, cheap in (("Camembert", "Bleu"), ("Emmental", "Bleu"), ("Feta", "Pecorino")):
        hand = f"{keep} Cheddar Roquefort {cheap} {cheap if cheap == 'Pecorino' else 'Pecorino'}"
        state = table(phases.Upkeep(choices), hand, sets=(Set(keep, 2),), banks=(0, 15, 15))
        bad = [{"discard": [keep]}, {"discard": ["Cheddar"]}]
        found.append(Position(f"keep what merges: {keep}", "chesterfield", state, bad=bad, beginner=True))
    auction = Auction(0, (6, None, None), (False, True, True), 6, 0)
    phase = phases.Paying("Feta", 0, auction, ("Roquefort",), 11)
    state = table(phase, "Camembert Bleu Feta", sets=(Set("Camembert", 2),), banks=(10, 5, 5), on_table=("Feta",))
    best = [{"type": "cash_in", "cards": ["Bleu"]}]
    found.append(Position("pay a dollar with a Bleu", "chesterfield", state, best=best, beginner=True))
    return found


def last_cards() -> list[Position]:
    """The last card of the game: money is worth nothing after it."""
    found = []
    for cheese, bid in (("Camembert", 3), ("Emmental", 5), ("Roquefort", 2), ("Feta", 6)):
        phase = selling(cheese, bid, 1, (False, False, True))
        state = table(phase, f"{cheese} Bleu", banks=(15, 8, 9), on_table=(cheese,))
        found.append(
            Position(
                f"spend the last money on the pair of {cheese}",
                "chesterfield",
                state,
                bad=[{"type": "drop"}, {"type": "play_action"}],
                beginner=cheese == "Camembert",
            )
        )
    for cheese in ("Camembert", "Feta"):
        phase = selling(cheese, None, None, (False, True, True))
        state = table(phase, cheese, on_table=(cheese,), blocks=2)
        best = [{"type": "bid", "amount": 0}]
        found.append(Position(f"a free {cheese}", "chesterfield", state, bad=[{"type": "drop"}], beginner=True))
        if cheese == "Camembert":
            found.append(Position("nothing for a free Camembert", "chesterfield", state, best=best))
    return found


def not_worth_it() -> list[Position]:
    """Two Bleus cost the winner six points."""
    found = []
    for hand, card in (("Pecorino", "Pecorino"), ("Feta", "Feta"), ("Camembert", "Pecorino"), ("Emmental", "Emmental")):
        phase = selling(card, 1, 1, (False, False, True), "Bleu", "Bleu")
        state = table(phase, hand, on_table=(card, "Bleu", "Bleu"))
        name = f"leave two Bleus and a {card} to the other, with a {hand}"
        found.append(Position(name, "chesterfield", state, bad=[{"type": "bid"}], beginner=True))
    return found


def own_bleus() -> list[Position]:
    """Who plays a Bleu does not win that lot."""
    found = []
    for card, bid in (("Pecorino", 1), ("Feta", 2)):
        phase = selling(card, bid, 1, (False, False, True), "Bleu")
        state = table(phase, "Camembert Roquefort", on_table=(card, "Bleu"), blocks=1)
        name = f"after a Bleu, leave the {card} for ${bid} to the other"
        found.append(Position(name, "chesterfield", state, bad=[{"type": "bid"}], beginner=True))
    for card in ("Camembert", "Emmental"):
        phase = selling(card, None, None, (False, True, True))
        state = table(phase, f"{card} Bleu", on_table=(card,), blocks=1)
        bad = [{"type": "play_action", "card": "Bleu"}]
        name = f"no Bleu for a {card} that nobody else can win"
        found.append(Position(name, "chesterfield", state, bad=bad, beginner=True))
    return found


def emmentals() -> list[Position]:
    """An Emmental that makes the pair is not cashed in for it, and one that decides the auction is used."""
    phase = selling("Emmental", 6, 1, (False, False, True))
    state = table(phase, "Emmental Bleu", banks=(6, 7, 9), on_table=("Emmental",))
    bad = [{"type": "cash_in", "cards": ["Emmental"]}, {"type": "cash_in", "cards": ["Emmental", "Bleu"]}]
    bad.append({"type": "play_action", "card": "Emmental"})
    found = [Position("keep the Emmental of the pair", "chesterfield", state, bad=bad, beginner=True)]
    for bank, rival in ((5, 8), (6, 9), (4, 7)):
        phase = selling("Camembert", bank, 1, (False, False, True))
        state = table(phase, "Camembert Emmental", banks=(bank, rival, 9), on_table=("Camembert",))
        best = [{"type": "cash_in", "cards": ["Emmental"]}]
        name = f"cash in an Emmental for the pair of Camembert, with ${bank} against ${rival}"
        found.append(Position(name, "chesterfield", state, best=best))
    return found
