"""What tests need to know of Cheesonomics: its pieces, its twins, what each rule forbids, and tables made by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from games import cheesonomics
from games.chance import Chance
from games.cheesonomics.events import (
    Event,
    Produced,
    Sold,
)
from games.cheesonomics.moves import (
    Churn,
    Decline,
    Exchange,
    Flip,
    Give,
    GiveBack,
    Move,
    Produce,
    Replace,
    Sell,
    SwapDiscard,
    SwapSeat,
    Take,
    TakeShown,
)
from games.cheesonomics.phases import (
    Exchanging,
    Flipping,
    Gifts,
    GivingBack,
    LastSale,
    Over,
    Picking,
    Replacing,
    Swapping,
    Taking,
    Turn,
)
from games.cheesonomics.pieces import ANIMALS, COLOURS, KNIVES
from games.cheesonomics.table import Options, State
from games.cheesonomics.visibility import View
from games.core import Seat, collect, fold, judge, read_move
from games.kit import replace
from games.offers import fill
from games.refusals import IllegalMove

GAME = collect(cheesonomics)

MARKET_WEDGES = (
    *("red/orange", "red/yellow+", "red/green", "red/blue", "red+/orange"),
    *("orange/yellow", "orange/green+", "orange/blue", "red/orange", "orange+/yellow"),
    *("yellow/green", "yellow/blue+", "red/yellow", "orange/yellow", "yellow+/green"),
    *("green/blue", "red+/green", "orange/green", "yellow/green", "green+/blue"),
    *("red/blue", "orange+/blue", "yellow/blue", "green/blue", "red/blue+"),
)


def either(side: str, other: str) -> str:
    """Return the two sides of a market wedge in a fixed order."""
    return "|".join(sorted((side, other)))


def pieces(state: State) -> Counter[str]:
    """Count every cheese wedge, market wedge and knife, wherever it is."""
    cheese = (*state.hands, state.pile, state.out, *state.wheels, *state.sold)
    found = Counter(wedge for group in cheese for wedge in group)
    laid = list(zip(state.market, state.downs, strict=True))
    laid += [state.replaced] if state.replaced else []
    loose = [wedge for group in (*state.supplies, state.discard, state.spare) for wedge in group]
    loose += [state.offered] if state.offered else []
    found.update(either(*sides) for sides in laid)
    found.update(either(*wedge.split("/")) for wedge in loose)
    found.update(f"{knife} knife" for knife in state.knives)
    return found


def twin(state: State, viewer: Seat | None, chance: Chance) -> State:
    """Return the table with other wedges wherever the viewer may not look."""
    return _twin_market(_twin_cheese(state, viewer, chance), viewer, chance)


def _twin_cheese(state: State, viewer: Seat | None, chance: Chance) -> State:
    """Exchange the cheese that the viewer may not see (ECO-4, ECO-6, ECO-10, ECO-14): the hands of others, unless they
    are shown to this churner, the pile, the wedges out of the game, and before the end the fulfilment piles of others,
    whose sizes are hidden too."""
    phase, n = state.phase, len(state.hands)
    churner = viewer is not None and viewer == state.turn
    open_hands = {viewer} | (set(phase.showing) if isinstance(phase, Picking) and churner else set())
    zones: dict[Any, list[str]] = {"pile": list(state.pile), "out": list(state.out)}
    zones |= {("hand", seat): list(state.hands[seat]) for seat in range(n) if seat not in open_hands}
    if not isinstance(phase, Over):
        zones |= {("sold", seat): list(state.sold[seat]) for seat in range(n) if seat != viewer}
        _resize(zones, [("sold", seat) for seat in range(n) if seat != viewer and state.curds[seat]], chance)

    def possible(zone: Any) -> bool:
        if not isinstance(phase, Gifts | Picking) or zone[0] != "hand":
            return True
        if zone[1] == state.turn:  # who gave the churner a wedge knows that it is there
            own = None if viewer is None or isinstance(phase, Gifts) else state.gifts[viewer]
            return own is None or own in zones[zone]
        matches = any(phase.trait in wedge.rstrip("*").split("-") for wedge in zones[zone])
        if zone[1] in phase.showing:
            return not matches
        return matches or isinstance(phase, Picking)

    _jumble(zones, possible, chance)
    hands = tuple(tuple(sorted(zones.get(("hand", seat), state.hands[seat]))) for seat in range(n))
    sold = tuple(tuple(sorted(zones.get(("sold", seat), state.sold[seat]))) for seat in range(n))
    changed = replace(state, hands=hands, sold=sold, pile=tuple(zones["pile"]), out=tuple(zones["out"]))
    return replace(changed, gifts=_twin_gifts(changed, viewer, chance))


def _resize(zones: dict[Any, list[str]], keys: list[Any], chance: Chance) -> None:
    mixed = chance.shuffled([wedge for key in keys for wedge in zones[key]])
    for key in keys:
        zones[key] = []
    for wedge in mixed:
        zones[chance.pick(keys)].append(wedge)


def _jumble(zones: dict[Any, list[str]], possible: Any, chance: Chance) -> None:
    """Swap wedges between places that the viewer cannot see, so that everything public stays true."""
    places = [(zone, index) for zone, wedges in zones.items() for index in range(len(wedges))]
    for _ in range(2 * len(places)):
        (zone, i), (other, j) = chance.pick(places), chance.pick(places)
        zones[zone][i], zones[other][j] = zones[other][j], zones[zone][i]
        if not (possible(zone) and possible(other)):
            zones[zone][i], zones[other][j] = zones[other][j], zones[zone][i]


def _twin_gifts(state: State, viewer: Seat | None, chance: Chance) -> tuple[str | None, ...]:
    """Change gifts that the viewer may not know: its giver knows a gift, and the churner once all are in."""
    phase = state.phase
    if viewer == state.turn and not isinstance(phase, Gifts):
        return state.gifts
    gifts = list(state.gifts)
    for giver, gift in enumerate(gifts):
        if gift is not None and giver != viewer:
            trait = phase.trait if isinstance(phase, Gifts) else ""
            holder = giver if isinstance(phase, Gifts) else state.turn
            gifts[giver] = chance.pick([wedge for wedge in state.hands[holder] if trait in wedge])
    return tuple(gifts)


def _twin_market(state: State, viewer: Seat | None, chance: Chance) -> State:
    """Exchange the market wedges that the viewer may not see (ECO-5, ECO-21, ECO-23 to ECO-25): all down sides, the
    supplies of others, the discard, and the wedges out of the game."""
    laid = list(zip(state.market, state.downs, strict=True)) + ([state.replaced] if state.replaced else [])
    zones: dict[Any, list[str]] = {("laid", index): ["/".join(sides)] for index, sides in enumerate(laid)}
    zones |= {("supply", seat): list(supply) for seat, supply in enumerate(state.supplies)}
    zones |= {"discard": list(state.discard), "spare": list(state.spare)}
    zones["offered"] = [state.offered] if state.offered else []
    known = _market_zones_seen(state, viewer)
    hidden = {zone: wedges for zone, wedges in zones.items() if zone not in known}

    def possible(zone: Any) -> bool:
        return zone[0] != "laid" or laid[zone[1]][0] in hidden[zone][0].split("/")

    _jumble(hidden, possible, chance)
    sides = []
    for index, (up, _) in enumerate(laid):
        both = hidden["laid", index][0].split("/")
        both.remove(up)
        sides.append((up, both[0]))
    return replace(
        state,
        downs=tuple(down for _, down in sides[: len(state.market)]),
        replaced=sides[-1] if state.replaced else None,
        supplies=tuple(_spelt(zones["supply", seat]) for seat in range(len(state.supplies))),
        discard=_spelt(zones["discard"]),
        spare=_spelt(zones["spare"]),
        offered=_spelt(zones["offered"])[0] if state.offered else None,
    )


def _market_zones_seen(state: State, viewer: Seat | None) -> set[Any]:
    """Return what the viewer sees: its own supply, where it takes a wedge from, and what it gives in a swap."""
    known: set[Any] = {("supply", viewer)}
    if viewer is not None and viewer == state.turn:
        known.add("offered")
        if isinstance(state.phase, Taking) or state.phase == Exchanging(None):
            known.add("discard")
        if isinstance(state.phase, Exchanging):
            known.add(("supply", state.phase.other))
    return known


def _spelt(wedges: list[str]) -> tuple[str, ...]:
    spelling = {either(*wedge.split("/")): wedge for wedge in MARKET_WEDGES}
    return tuple(sorted(spelling[either(*wedge.split("/"))] for wedge in wedges))


def only_in_event(event: Event, viewer: Seat | None) -> str | None:
    """Return the trait by which wedges are laid or sold. It is public, although no view has it."""
    return event.trait if isinstance(event, Produced | Sold) else None


def table(seats: int = 2, **given: Any) -> State:
    """Return a mild table: seat 0 acts, the market shows each colour three times, the next colour is under each."""
    plain: dict[str, Any] = {
        "sharp": False,
        "start": 0,
        "knives": KNIVES[:seats],
        "tray": (None,) * seats,
        "hands": (("cow-red", "cow-red", "goat-blue", "sheep-green", "yak-red"),) * seats,
        "pile": ("yak-blue",) * 20,
        "out": (),
        "wheels": ((),) * seats,
        "sold": ((),) * seats,
        "curds": (0,) * seats,
        "market": COLOURS * 3,
        "downs": (*COLOURS[1:], COLOURS[0]) * 3,
        "supplies": ((),) * seats,
        "discard": (),
        "spare": (),
        "turn": 0,
        "phase": Turn(),
        "gifts": (None,) * seats,
    }
    return State(**{**plain, **given})


def sharp_table(seats: int = 2, **given: Any) -> State:
    """Return a sharp table with supplies, and three cows to sell: red with a symbol, yellow, green."""
    wheels = (("cow-green", "cow-red*", "cow-yellow"), *((),) * (seats - 1))
    supplies = (("green/blue", "red/blue+", "yellow/green"), *(("red/orange", "yellow/blue"),) * (seats - 1))
    return table(seats, **{"sharp": True, "wheels": wheels, "supplies": supplies, **given})


def do(state: State, seat: Seat, move: Move) -> tuple[tuple[Event, ...], State]:
    events = judge(GAME, state, seat, move, Chance(b"cheesonomics", 0))
    return events, fold(GAME, events, state)


def after(state: State, *moves: tuple[Seat, Move]) -> State:
    for seat, move in moves:
        _, state = do(state, seat, move)
    return state


def _traits(wedge: str) -> tuple[str, ...]:
    return tuple(wedge.rstrip("*").split("-"))


def _shown_colours(state: State) -> list[str]:
    return [side.rstrip("+") for side in state.market]


def _forbidden_by_eco_7(state: State, seat: Seat, move: Move) -> bool:
    if not isinstance(state.phase, Turn) or seat != state.turn:
        return False
    too_often = state.churns >= 3 * len(state.hands)
    return (isinstance(move, Churn) and too_often) or not isinstance(move, Churn | Produce | Sell)


def _forbidden_by_eco_8(state: State, seat: Seat, move: Move) -> bool:
    match state.phase, move:
        case Turn(), Churn(trait):
            return seat == state.turn and trait not in COLOURS + ANIMALS
        case Gifts(trait, choosing), _:
            if seat not in choosing or not isinstance(move, Give):
                return True
            return move.wedge not in state.hands[seat] or trait not in _traits(move.wedge)
        case Picking(_, showing), _ if seat == state.turn:
            if not isinstance(move, TakeShown) or move.seat not in showing:
                return True
            return move.wedge not in state.hands[move.seat]
    return False


def _forbidden_by_eco_9(state: State, seat: Seat, move: Move) -> bool:
    match state.phase:
        case GivingBack(_, owed) if seat == state.turn:
            return not isinstance(move, GiveBack) or move.seat not in owed or move.wedge not in state.hands[seat]
    return False


def _forbidden_by_eco_11(state: State, seat: Seat, move: Move) -> bool:
    others = [space for owner, space in enumerate(state.tray) if owner != seat and space is not None]
    in_turn = isinstance(state.phase, Turn) and seat == state.turn
    return in_turn and isinstance(move, Churn) and move.trait in others


def _forbidden_by_eco_12(state: State, seat: Seat, move: Move) -> bool:
    in_turn = isinstance(state.phase, Turn) and seat == state.turn
    return in_turn and isinstance(move, Produce) and not any(move.trait in _traits(w) for w in state.hands[seat])


def _forbidden_by_eco_13(state: State, seat: Seat, move: Move) -> bool:
    if not isinstance(state.phase, Turn | LastSale) or seat != state.turn or not isinstance(move, Sell):
        return False
    if not 1 <= len(move.wedges) <= 3 or Counter(move.wedges) - Counter(state.wheels[seat]):
        return True
    return any(move.trait not in _traits(w) or _traits(w)[1] not in _shown_colours(state) for w in move.wedges)


def _shows_a_sold_colour(state: State, place: int, colours: tuple[str, ...]) -> bool:
    return 0 <= place < 15 and _shown_colours(state)[place] in colours


def _forbidden_by_eco_15(state: State, seat: Seat, move: Move) -> bool:
    match state.phase:
        case Flipping(colours) if seat == state.turn:
            return not isinstance(move, Flip) or not _shows_a_sold_colour(state, move.place, colours)
    return False


def _forbidden_by_eco_16(state: State, seat: Seat, move: Move) -> bool:
    if isinstance(state.phase, LastSale):
        return seat == state.turn and not isinstance(move, Sell | Decline)
    return isinstance(state.phase, Over)


def _forbidden_by_eco_22(state: State, seat: Seat, move: Move) -> bool:
    match state.phase:
        case Replacing(colours) if seat == state.turn:
            if not isinstance(move, Replace) or move.wedge not in state.supplies[seat]:
                return True
            return move.up not in move.wedge.split("/") or not _shows_a_sold_colour(state, move.place, colours)
    return False


def _forbidden_by_eco_23(state: State, seat: Seat, move: Move) -> bool:
    in_turn = isinstance(state.phase, Taking) and seat == state.turn
    return in_turn and (not isinstance(move, Take) or move.wedge not in state.discard)


def _forbidden_by_eco_25(state: State, seat: Seat, move: Move) -> bool:
    if seat != state.turn:
        return False
    match state.phase, move:
        case Swapping(), SwapDiscard(wedge):
            return not state.discard or wedge not in state.supplies[seat]
        case Swapping(), SwapSeat(other):
            return other == seat or not 0 <= other < len(state.hands)
        case Swapping(), _:
            return not isinstance(move, Decline)
        case Exchanging(None), Take(wedge):
            return wedge not in state.discard
        case Exchanging(int(other)), Exchange(give, taken):
            return give not in state.supplies[seat] or taken not in state.supplies[other]
        case Exchanging(), _:
            return True
    return False


FORBIDS: dict[str, Callable[[State, Seat, Move], bool]] = {
    "ECO-6": lambda state, seat, move: not isinstance(state.phase, Gifts | Over) and seat != state.turn,
    "ECO-7": _forbidden_by_eco_7,
    "ECO-8": _forbidden_by_eco_8,
    "ECO-9": _forbidden_by_eco_9,
    "ECO-11": _forbidden_by_eco_11,
    "ECO-12": _forbidden_by_eco_12,
    "ECO-13": _forbidden_by_eco_13,
    "ECO-15": _forbidden_by_eco_15,
    "ECO-16": _forbidden_by_eco_16,
    "ECO-22": _forbidden_by_eco_22,
    "ECO-23": _forbidden_by_eco_23,
    "ECO-25": _forbidden_by_eco_25,
}


def refused(state: State, seat: Seat, move: Move) -> IllegalMove:
    with pytest.raises(IllegalMove) as caught:
        judge(GAME, state, seat, move, Chance(b"cheesonomics", 0))
    assert FORBIDS[caught.value.rule](state, seat, move), caught.value
    return caught.value


def offered(state: State, seat: Seat, move: str) -> list[dict[str, Any]]:
    """Return the blanks of the seat's offers of this move."""
    return [one.fill for one in GAME.offers(state, seat) if one.move == move]


def new_table(seats: int, variant: str = "mild", seed: str = "new") -> State:
    return fold(GAME, deal(seats, variant, seed))


def deal(seats: int, variant: str = "mild", seed: str = "new") -> tuple[Event, ...]:
    options = Options("sharp" if variant == "sharp" else "mild")
    return GAME.setup(seats, options, Chance(seed.encode(), 0))


def random_game(seats: int, variant: str, seed: str) -> Iterator[State]:
    state = new_table(seats, variant, seed)
    entry = 0
    while True:
        yield state
        if GAME.outcome(state):
            return
        entry += 1
        chance = Chance(seed.encode(), entry)
        seat = chance.pick(GAME.to_act(state))
        move = read_move(GAME, fill(chance.pick(GAME.offers(state, seat)), chance))
        state = fold(GAME, judge(GAME, state, seat, move, chance), state)


def view(state: State, seat: Seat | None) -> View:
    return GAME.view(state, seat)


def seen(events: tuple[Event, ...], seat: Seat | None) -> tuple[Event, ...]:
    return tuple(event for event in (GAME.show(event, seat) for event in events) if event is not None)
