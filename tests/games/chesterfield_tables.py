"""What tests need to know of Chesterfield: its pieces, its twins, what each rule forbids, and tables made by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from games import chesterfield
from games.chance import Chance
from games.chesterfield import offers, outcome, setup
from games.chesterfield.deck import KINDS, Cheeses
from games.chesterfield.events import (
    Event,
    SecretsRevealed,
)
from games.chesterfield.moves import (
    BidSecretly,
    CashIn,
    Default,
    Finish,
    Keep,
    LayDown,
    Melt,
    Merge,
    Move,
    PlayAction,
    Present,
    StandIn,
)
from games.chesterfield.phases import (
    AuctioneerAuction,
    CheeseAuction,
    Choosing,
    LayingDown,
    Merging,
    Over,
    Paying,
    Phase,
    SilentAuction,
    Upkeep,
)
from games.chesterfield.table import Options, Set, State, to_act
from games.core import Seat, collect, fold, judge, read_move
from games.kit import Auction, Bid, Drop, open_auction, replace
from games.offers import fill
from games.refusals import IllegalMove

GAME = collect(chesterfield)

SEATS = range(2, 9)


def pieces(state: State) -> Counter[str]:
    """Count every card and every dollar, wherever it is. The charity has what it took, less what it gave."""
    found = Counter((*state.reserved, *state.block, *state.deck, *state.discard))
    for hand in state.hands:
        found.update(hand)
    for one in (one for own in state.sets for one in own):
        found[one.cheese] += one.cards
        found["Cheddar"] += one.cheddar
        found["Gruyere"] += one.gruyere
    found["Bleu"] += sum(state.bleus)
    if isinstance(state.phase, CheeseAuction | SilentAuction | Paying):
        found.update((state.phase.card, *state.phase.actions))
    found["dollars"] = sum(state.banks) + state.charity
    return found


def twin(state: State, viewer: Seat | None, chance: Chance) -> State:
    """Return the table with everything changed that the viewer cannot know: the hands of others, the deck, before the
    end the Reserved Cheese, the block unless it is the Auctioneer, and secret bids and upkeep choices of others."""
    over = isinstance(state.phase, Over)
    knows_block = viewer is not None and viewer == state.auctioneer
    hidden = [card for seat, hand in enumerate(state.hands) if seat != viewer for card in hand]
    hidden += state.deck
    hidden += () if over else state.reserved
    hidden += () if knows_block else state.block
    mixed = list(chance.shuffled(hidden))

    def others(cards: Cheeses) -> Cheeses:
        return tuple(mixed.pop() for _ in cards)

    hands = tuple(hand if seat == viewer else others(hand) for seat, hand in enumerate(state.hands))
    changed = replace(
        state,
        hands=hands,
        deck=others(state.deck),
        reserved=state.reserved if over else others(state.reserved),
        block=state.block if knows_block else others(state.block),
    )
    return replace(changed, phase=_twin_phase(changed, viewer, chance))


def _twin_phase(state: State, viewer: Seat | None, chance: Chance) -> Phase:
    phase = state.phase
    if isinstance(phase, SilentAuction):
        secrets = list(phase.secrets)
        for seat, secret in enumerate(secrets):
            if seat != viewer and secret is not None:
                least = phase.auction.bids[seat] or 0
                secrets[seat] = least + chance.below(state.banks[seat] - least + 1)
        return replace(phase, secrets=tuple(secrets))
    if isinstance(phase, Upkeep):
        choices = list(phase.choices)
        for seat, choice in enumerate(choices):
            if seat != viewer and choice is not None:
                over = len(state.hands[seat]) - 4
                least = next(gone for gone in range(over + 1) if 4 * (over - gone) <= state.banks[seat])
                choices[seat] = chance.shuffled(state.hands[seat])[: least + chance.below(over - least + 1)]
        return replace(phase, choices=tuple(choices))
    return phase


def only_in_event(event: Event, viewer: Seat | None) -> object:
    """Return secret bids: everybody sees them at the reveal, but no view has those that lost."""
    return event.secrets if isinstance(event, SecretsRevealed) else None


def begin(seats: int, seed: str = "begin") -> State:
    return fold(GAME, setup(seats, Options(), Chance(seed.encode(), 0)))


def table(
    phase: Phase,
    hands: tuple[Cheeses, ...],
    *,
    banks: tuple[int, ...] | None = None,
    sets: tuple[tuple[Set, ...], ...] | None = None,
    block: Cheeses = (),
    deck: Cheeses = (),
    auctioneer: Seat | None = 0,
    bleus: tuple[int, ...] | None = None,
) -> State:
    seats = len(hands)
    return State(
        first=0,
        reserved=("Bleu",) * 4,
        hands=hands,
        block=block,
        deck=deck,
        banks=banks or (20,) * seats,
        sets=sets or ((),) * seats,
        bleus=bleus or (0,) * seats,
        phase=phase,
        auctioneer=auctioneer,
    )


def selling(
    *hands: Cheeses,
    banks: tuple[int, ...] | None = None,
    price: int = 0,
    card: str = "Camembert",
    actions: Cheeses = (),
    block: Cheeses = ("Feta",),
) -> State:
    """Return a cheese auction at its start, with seat 0 as Auctioneer."""
    phase = CheeseAuction(card, price, open_auction(0, len(hands)), actions)
    return table(phase, hands, banks=banks, block=block)


def electing(*hands: Cheeses, banks: tuple[int, ...] | None = None) -> State:
    """Return an auctioneer auction at its start, with seat 0 as first player."""
    phase = AuctioneerAuction(open_auction(0, len(hands)))
    return table(phase, hands, banks=banks, block=("Feta", "Feta", "Bleu", "Cheddar"), auctioneer=None)


def laying(*hands: Cheeses, sets: tuple[tuple[Set, ...], ...] | None = None, block: Cheeses = ("Feta",)) -> State:
    return table(LayingDown((False,) * len(hands)), hands, sets=sets, block=block)


def merging(*hands: Cheeses, sets: tuple[tuple[Set, ...], ...]) -> State:
    return table(Merging((False,) * len(hands)), hands, sets=sets, auctioneer=None)


def upkeep(*hands: Cheeses, banks: tuple[int, ...] | None = None, deck: Cheeses = ("Bleu",) * 4) -> State:
    return table(Upkeep((None,) * len(hands)), hands, banks=banks, deck=deck, auctioneer=None)


def do(state: State, seat: Seat, move: Move) -> tuple[tuple[Event, ...], State]:
    events = judge(GAME, state, seat, move, Chance(b"do", 1))
    after = fold(GAME, events, state)
    assert pieces(after) == pieces(state)
    return events, after


def run(state: State, *moves: tuple[Seat, Move]) -> State:
    for seat, move in moves:
        state = do(state, seat, move)[1]
    return state


def _holds(state: State, seat: Seat, cards: Cheeses) -> bool:
    return not Counter(cards) - Counter(state.hands[seat])


def _bad_cash_in(state: State, seat: Seat, move: Move) -> bool:
    return isinstance(move, CashIn) and (not move.cards or not _holds(state, seat, move.cards))


def _bad_bid(state: State, seat: Seat, move: Move, auction: Auction, first: int) -> bool:
    """Below the first bid, not above the standing one, or above the bank."""
    if not isinstance(move, Bid):
        return False
    too_low = move.amount < first if auction.bid is None else move.amount <= auction.bid
    return too_low or move.amount > state.banks[seat]


def _forbidden_by_cca_8(state: State, seat: Seat, move: Move) -> bool:
    match state.phase:
        case AuctioneerAuction(auction) if not auction.dropped[seat]:
            in_turn = seat == auction.turn and isinstance(move, CashIn | Bid | Drop)
            return not in_turn or _bad_cash_in(state, seat, move)
    return False


def _forbidden_by_cca_9(state: State, seat: Seat, move: Move) -> bool:
    match state.phase:
        case AuctioneerAuction(auction) if seat == auction.turn:
            return _bad_bid(state, seat, move, auction, 1)
    return False


def _forbidden_by_cca_13(state: State, seat: Seat, move: Move) -> bool:
    if not isinstance(state.phase, Choosing):
        return False
    if seat != state.auctioneer or not isinstance(move, Present):
        return True
    return move.card not in state.block or not 0 <= move.price <= state.banks[seat]


def _forbidden_by_cca_14(state: State, seat: Seat, move: Move) -> bool:
    match state.phase:
        case CheeseAuction(_, price, auction):
            if seat != auction.turn or not isinstance(move, CashIn | PlayAction | Bid | Drop):
                return True
            if isinstance(move, PlayAction):
                has_action = move.card in ("Pecorino", "Feta", "Roquefort", "Emmental", "Bleu")
                return not has_action or not _holds(state, seat, (move.card,))
            return _bad_cash_in(state, seat, move) or _bad_bid(state, seat, move, auction, price)
    return False


def _forbidden_by_cca_15(state: State, seat: Seat, move: Move) -> bool:
    match state.phase:
        case CheeseAuction(auction=auction):
            return auction.dropped[seat] and isinstance(move, PlayAction)
    return False


def _forbidden_by_cca_19(state: State, seat: Seat, move: Move) -> bool:
    match state.phase:
        case Paying(auction=auction):
            pays = seat == auction.bidder and isinstance(move, CashIn | Default)
            return not pays or _bad_cash_in(state, seat, move)
    return False


def _forbidden_by_cca_23(state: State, seat: Seat, move: Move) -> bool:
    match state.phase:
        case SilentAuction(auction=auction, secrets=secrets):
            if auction.dropped[seat] or secrets[seat] is not None or not isinstance(move, BidSecretly):
                return True
            return not (auction.bids[seat] or 0) <= move.amount <= state.banks[seat]
    return False


def _forbidden_by_cca_25(state: State, seat: Seat, move: Move) -> bool:
    match state.phase:
        case LayingDown(done):
            return done[seat] or not isinstance(move, LayDown | Melt | Finish)
    return False


def _lays(state: State, seat: Seat, move: Move) -> bool:
    """Whether a seat that may lay down a set tries to."""
    return isinstance(state.phase, LayingDown) and not state.phase.done[seat] and isinstance(move, LayDown)


def _forbidden_by_cca_26(state: State, seat: Seat, move: Move) -> bool:
    if not _lays(state, seat, move):
        return False
    assert isinstance(move, LayDown)
    return move.cards > state.hands[seat].count(move.cheese) or move.cards + move.cheddar < 2


def _forbidden_by_cca_28(state: State, seat: Seat, move: Move) -> bool:
    match state.phase:
        case Upkeep(choices):
            hand = state.hands[seat]
            if len(hand) <= 4 or choices[seat] is not None or not isinstance(move, Keep):
                return True
            left = len(hand) - len(move.discard)
            return not _holds(state, seat, move.discard) or left < 4 or 4 * (left - 4) > state.banks[seat]
    return False


def _forbidden_by_cca_30(state: State, seat: Seat, move: Move) -> bool:
    match state.phase:
        case Merging(done):
            if done[seat] or not isinstance(move, Merge | StandIn | Melt | Finish):
                return True
            own = state.sets[seat]
            if isinstance(move, Merge | StandIn) and not 0 <= move.onto < len(own):
                return True
            if isinstance(move, Merge):
                return not 1 <= move.cards <= state.hands[seat].count(own[move.onto].cheese)
    return False


def _forbidden_by_cca_31(state: State, seat: Seat, move: Move) -> bool:
    none = "Cheddar" not in state.hands[seat]
    if _lays(state, seat, move):
        assert isinstance(move, LayDown)
        return move.cheddar and (none or move.cheese == "Cheddar" or move.cards < 1)
    match state.phase, move:
        case Merging(done), StandIn(onto) if not done[seat]:
            own = state.sets[seat]
            full = 0 <= onto < len(own) and (own[onto].cheddar or own[onto].cheese == "Cheddar")
            return none or full
    return False


def _forbidden_by_cca_32(state: State, seat: Seat, move: Move) -> bool:
    match state.phase, move:
        case ((LayingDown(done) | Merging(done)), Melt(onto)) if not done[seat]:
            own = state.sets[seat]
            return "Gruyere" not in state.hands[seat] or not 0 <= onto < len(own) or own[onto].gruyere
    return False


FORBIDS: dict[str, Callable[[State, Seat, Move], bool]] = {
    "CCA-2": lambda state, seat, move: _lays(state, seat, move) and getattr(move, "cheese", "") not in KINDS,
    "CCA-8": _forbidden_by_cca_8,
    "CCA-9": _forbidden_by_cca_9,
    "CCA-10": lambda state, seat, move: (
        isinstance(state.phase, AuctioneerAuction) and state.phase.auction.dropped[seat]
    ),
    "CCA-13": _forbidden_by_cca_13,
    "CCA-14": _forbidden_by_cca_14,
    "CCA-15": _forbidden_by_cca_15,
    "CCA-19": _forbidden_by_cca_19,
    "CCA-23": _forbidden_by_cca_23,
    "CCA-25": _forbidden_by_cca_25,
    "CCA-26": _forbidden_by_cca_26,
    "CCA-27": lambda state, seat, move: isinstance(state.phase, LayingDown) and isinstance(move, Merge | StandIn),
    "CCA-28": _forbidden_by_cca_28,
    "CCA-30": _forbidden_by_cca_30,
    "CCA-31": _forbidden_by_cca_31,
    "CCA-32": _forbidden_by_cca_32,
    "CCA-33": lambda state, seat, move: isinstance(state.phase, Over),
}


def refused(state: State, seat: Seat, move: Move, rule: str) -> None:
    with pytest.raises(IllegalMove) as refusal:
        do(state, seat, move)
    assert refusal.value.rule == rule, refusal.value
    assert FORBIDS[rule](state, seat, move), refusal.value


def one_offer(state: State, seat: Seat, move: str) -> dict[str, object]:
    (found,) = (one for one in offers(state, seat) if one.move == move)
    return found.fill


def moves_offered(state: State, seat: Seat) -> set[str]:
    return {one.move for one in offers(state, seat)}


def play_on(state: State, seed: str) -> list[tuple[tuple[Event, ...], State]]:
    """Play a random game from this state to its end."""
    entries = []
    number = 0
    while outcome(state) is None:
        number += 1
        chance = Chance(seed.encode(), number)
        seat = chance.pick(to_act(state))
        events, state = do(state, seat, read_move(GAME, fill(chance.pick(offers(state, seat)), chance)))
        entries.append((events, state))
    return entries


def short(*hands: Cheeses, actions: Cheeses, bank: int = 6, bid: int = 6) -> tuple[tuple[Event, ...], State]:
    """Seat 0 bids and seat 1 drops with these actions in force."""
    state = selling(*hands, banks=(bank, 20), actions=actions)
    return do(run(state, (0, Bid(bid))), 1, Drop())


def silent(
    opened: tuple[int | None, ...],
    *,
    price: int = 0,
    actions: Cheeses = (),
    dropped: tuple[Seat, ...] = (),
    auctioneer: Seat = 0,
) -> State:
    """A silent auction after these open bids; every seat holds two cards and $20."""
    seats = len(opened)
    bids = [bid for bid in opened if bid is not None]
    bid = max(bids, default=None)
    auction = replace(
        open_auction(auctioneer, seats),
        bids=opened,
        bid=bid,
        bidder=None if bid is None else opened.index(bid),
        dropped=tuple(seat in dropped for seat in range(seats)),
    )
    phase = SilentAuction("Camembert", price, auction, (*actions, "Emmental"), (None,) * seats)
    return table(phase, (("Feta", "Bleu"),) * seats, block=("Feta",), auctioneer=auctioneer)
