"""Cheesedog: get rid of all your cards; the last one holding any is the Cheesedog. 3-10 seats.

The deal
DOG-1   Two packs of 52 shuffled together: 104 cards, no jokers. Suits do not matter.
DOG-2   Each seat has four cards face down that nobody knows, four face up for all to see, and a hand
        that only it sees: the rest, dealt one by one from the dealer's left.
DOG-3   The dealer is drawn by lot [R]; the seat to its left starts, clockwise. Hand sizes, pile and
        discard are public.

Playing
DOG-4   A turn plays one or more cards of one rank, equal to or higher than the top of the pile; anything
        on an empty pile. Aces are high. The cards held longest leave first.
DOG-5   With no legal play the seat picks up the pile and its turn is over; the next seat starts a new
        pile. With a legal play it may not pick up [R].
DOG-6   A 2 goes on anything, also under an 8; anything may follow it.
DOG-7   Each 7 skips a seat, counted round the seats still in, the player too if it comes to that [R].
DOG-8   After an 8 the next seat plays 8 or lower instead [R]. Picking up ends the demand.
DOG-9   Each 9 turns the direction round.
DOG-10  A 10 that may be played clears the pile to the discard.
DOG-11  Four or more of one rank in a row on top of the pile clear it, whoever played them.
DOG-12  Whoever clears starts the new pile at once; if it has no cards left, the next seat does [R].
DOG-13  A play that clears has no other effect; effects of earlier plays stand.

Later on
DOG-14  A seat whose hand is empty takes up its face-up cards at once; they are its secret from then on.
DOG-15  With those gone too, a turn turns over a face-down card, chosen blindly. It is played if it may be;
        else the seat picks up the pile and it [R]. The last face-down card turns over by itself.
DOG-16  A seat without cards has escaped; its last play still has its effects on the others [R].
DOG-17  The last seat with cards is the Cheesedog. The order of escape is the placing [R].
DOG-18  After 1,500 turns the game ends [R]: escaped seats first, then by fewest cards, ties in order from
        the dealer's left; the last of them is the Cheesedog.
"""

from __future__ import annotations

from typing import assert_never

import msgspec

from games.chance import Chance
from games.core import Game, IllegalMove, Offer, One, Outcome, Range, Seat, Value, offer
from games.kit import Story, put, replace, without

Card = str  # rank and suit: "7h", "Td"
Cards = tuple[Card, ...]

PACK: Cards = tuple(rank + suit for suit in "cdhs" for rank in "23456789TJQKA")
DECK: Cards = PACK + PACK  # DOG-1
RANK = {card: "23456789TJQKA".index(card[0]) + 2 for card in PACK}
NAMES = {11: "jack", 12: "queen", 13: "king", 14: "ace"}
ROW = 4  # cards in each face-down and face-up row
MOST_TURNS = 1500  # DOG-18 [R]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Cheesedog has no options."""


class State(Value, frozen=True):
    """The whole table. A face-down card that is gone leaves None in its place."""

    dealer: Seat
    hands: tuple[Cards, ...]
    ups: tuple[Cards, ...]
    downs: tuple[tuple[Card | None, ...], ...]
    turn: Seat
    direction: int = 1
    pile: Cards = ()
    discard: Cards = ()
    low: bool = False  # DOG-8: the seat to act must play 8 or lower
    turns: int = 0
    escaped: tuple[Seat, ...] = ()
    result: Outcome | None = None


class Play(Value, frozen=True):
    """Play `count` cards of a rank, 2 to 14 (11 jack, 12 queen, 13 king, 14 ace)."""

    rank: int
    count: int


class PickUp(Value, frozen=True):
    """Pick up the pile."""


class TurnOver(Value, frozen=True):
    """Turn over the face-down card at this place, 0 to 3."""

    place: int


Move = Play | PickUp | TurnOver

# Every play that can be offered: up to so many of a rank that has eight cards.
PLAYS = {(rank, most): offer(Play, rank=rank, count=Range(1, most)) for rank in range(2, 15) for most in range(1, 9)}


class Dealt(Value, frozen=True):
    """The deal. A card that the viewer may not see is None."""

    dealer: Seat
    hands: tuple[tuple[Card | None, ...], ...]
    ups: tuple[Cards, ...]
    downs: tuple[tuple[Card | None, ...], ...]


class Played(Value, frozen=True):
    """Cards went from a hand to the pile."""

    seat: Seat
    cards: Cards


class TurnedOver(Value, frozen=True):
    """A face-down card was turned over on to the pile, whether it may stay there or not."""

    seat: Seat
    place: int
    card: Card


class PickedUp(Value, frozen=True):
    """The whole pile went into a hand."""

    seat: Seat
    cards: Cards


class Cleared(Value, frozen=True):
    """The pile went to the discard, by this rule."""

    seat: Seat
    rule: str


class Demanded(Value, frozen=True):
    """The next seat must play 8 or lower."""


class Reversed(Value, frozen=True):
    """Play goes round the other way."""


class Skipped(Value, frozen=True):
    """This seat was passed over."""

    seat: Seat


class TookUp(Value, frozen=True):
    """A seat took up its face-up cards as its hand."""

    seat: Seat
    cards: Cards


class Escaped(Value, frozen=True):
    """A seat has no cards left."""

    seat: Seat


class TurnCame(Value, frozen=True):
    """One turn is over and it is this seat's turn."""

    seat: Seat


class Ended(Value, frozen=True):
    """The game is over."""

    result: Outcome


Event = (
    Dealt
    | Played
    | TurnedOver
    | PickedUp
    | Cleared
    | Demanded
    | Reversed
    | Skipped
    | TookUp
    | Escaped
    | TurnCame
    | Ended
)


class View(Value, frozen=True):
    """What a seat may know; `me` and `hand` are None for a spectator."""

    me: Seat | None
    hand: Cards | None
    hands: tuple[int, ...]
    ups: tuple[Cards, ...]
    downs: tuple[tuple[bool, ...], ...]
    pile: Cards
    discard: Cards
    dealer: Seat
    turn: Seat | None
    direction: int
    low: bool
    turns: int
    escaped: tuple[Seat, ...]
    result: Outcome | None


def setup(seats: int, options: Options, chance: Chance) -> tuple[Event, ...]:
    dealer = chance.below(seats)
    deck = chance.shuffled(DECK)
    downs = tuple(deck[seat * ROW : (seat + 1) * ROW] for seat in range(seats))
    ups = tuple(deck[(seats + seat) * ROW : (seats + seat + 1) * ROW] for seat in range(seats))
    rest = deck[2 * seats * ROW :]
    hands = tuple(rest[(seat - dealer - 1) % seats :: seats] for seat in range(seats))
    return (Dealt(dealer, hands, ups, downs),)


def to_act(state: State) -> tuple[Seat, ...]:
    return () if state.result else (state.turn,)


def offers(state: State, seat: Seat) -> tuple[Offer, ...]:
    if state.result or seat != state.turn:
        return ()
    hand = state.hands[seat]
    if not hand:
        places = tuple(place for place, card in enumerate(state.downs[seat]) if card)
        return (offer(TurnOver, place=One(places)),)
    ranks = [RANK[card] for card in hand]
    least, most = _bounds(state)
    plays = [PLAYS[rank, ranks.count(rank)] for rank in sorted(set(ranks)) if least <= rank <= most or rank == 2]
    return tuple(plays) or (offer(PickUp),)


def _bounds(state: State) -> tuple[int, int]:
    """The lowest and the highest rank that may be played; a 2 always may (DOG-6)."""
    if not state.pile:
        return 2, 14
    return (2, 8) if state.low else (RANK[state.pile[-1]], 14)  # DOG-8, DOG-4


def refuse(state: State, seat: Seat, move: Move) -> IllegalMove:
    if state.result:
        return IllegalMove(state.result.rule, "the game is over")
    if seat != state.turn:
        return IllegalMove("DOG-3", f"it is seat {state.turn}'s turn")
    match move:
        case Play():
            return _refuse_play(state, seat, move)
        case PickUp():
            if state.hands[seat]:
                return IllegalMove("DOG-5", "you have a card that may be played, so you may not pick up")
            return IllegalMove("DOG-15", "turn over one of your face-down cards")
        case TurnOver():
            if state.hands[seat]:
                return IllegalMove("DOG-15", "you turn over face-down cards only when your hand is empty")
            return IllegalMove("DOG-15", f"there is no face-down card at place {move.place}")
        case _:
            assert_never(move)


def _refuse_play(state: State, seat: Seat, move: Play) -> IllegalMove:
    held = sum(RANK[card] == move.rank for card in state.hands[seat])
    name = NAMES.get(move.rank, str(move.rank))
    if not state.hands[seat]:
        return IllegalMove("DOG-15", "your hand is empty: turn over a face-down card")
    if not 1 <= move.count <= held:
        return IllegalMove("DOG-4", f"you hold {held} of rank {name}, so you cannot play {move.count}")
    if state.low:
        return IllegalMove("DOG-8", f"after an 8 you play 8 or lower, and {name} is higher")
    top = RANK[state.pile[-1]]
    return IllegalMove("DOG-4", f"rank {name} is lower than the {NAMES.get(top, str(top))} on the pile")


def play(state: State, seat: Seat, move: Move, chance: Chance) -> tuple[Event, ...]:
    story = Story(apply, state)
    match move:
        case Play():
            cards = [card for card in state.hands[seat] if RANK[card] == move.rank]
            story.add(Played(seat, tuple(cards[: move.count])))
            _after_play(story, seat, move.count)
        case PickUp():
            story.add(PickedUp(seat, state.pile))
            _pass_turn(story, seat, 0)
        case TurnOver():
            _turn_over(story, seat, move.place)
        case _:
            assert_never(move)
    return story.told()


def _turn_over(story: Story[State, Event], seat: Seat, place: int) -> None:
    """DOG-15: the card goes on the pile, and stays there or comes back with it."""
    before = story.state
    card = before.downs[seat][place]
    assert card
    story.add(TurnedOver(seat, place, card))
    least, most = _bounds(before)
    if least <= RANK[card] <= most or RANK[card] == 2:
        _after_play(story, seat, 1)
    else:
        story.add(PickedUp(seat, story.state.pile))
        _pass_turn(story, seat, 0)


def _after_play(story: Story[State, Event], seat: Seat, count: int) -> None:
    """What follows from `count` cards that this seat has just put on the pile."""
    rank = RANK[story.state.pile[-1]]
    rule = _clearing_rule(story.state.pile)
    skips = 0
    if rule:  # DOG-13: no other effect
        story.add(Cleared(seat, rule))
    elif rank == 7:
        skips = count
    elif rank == 8:
        story.add(Demanded())
    elif rank == 9:
        for _ in range(count):
            story.add(Reversed())
    if not story.state.hands[seat] and story.state.ups[seat]:  # DOG-14
        story.add(TookUp(seat, story.state.ups[seat]))
    if _cards(story.state, seat) == 0:
        story.add(Escaped(seat))
    if len(story.state.escaped) == len(story.state.hands) - 1:
        story.add(Ended(_placing(story.state, "DOG-17")))
    elif rule and seat not in story.state.escaped:
        _give_turn(story, seat)  # DOG-12
    else:
        _pass_turn(story, seat, skips)


def _clearing_rule(pile: Cards) -> str | None:
    rank = RANK[pile[-1]]
    if rank == 10:
        return "DOG-10"
    if len(pile) >= 4 and all(RANK[card] == rank for card in pile[-4:]):
        return "DOG-11"
    return None


def _pass_turn(story: Story[State, Event], seat: Seat, skips: int) -> None:
    """The turn goes round from this seat, over as many seats still in as are skipped."""
    state = story.state
    n = len(state.hands)
    while skips:
        seat = _next_in(state, seat, n)
        story.add(Skipped(seat))
        skips -= 1
    _give_turn(story, _next_in(state, seat, n))


def _next_in(state: State, seat: Seat, n: int) -> Seat:
    """The next seat still in; the same one if there is no other."""
    for step in range(1, n + 1):
        other = (seat + step * state.direction) % n
        if other not in state.escaped:
            return other
    raise AssertionError("some seat is in")


def _give_turn(story: Story[State, Event], seat: Seat) -> None:
    story.add(TurnCame(seat))
    state = story.state
    if state.turns == MOST_TURNS:
        story.add(Ended(_placing(state, "DOG-18")))
    elif not state.hands[seat] and sum(card is not None for card in state.downs[seat]) == 1:
        place = next(place for place, card in enumerate(state.downs[seat]) if card)
        _turn_over(story, seat, place)  # DOG-15, by itself


def _placing(state: State, rule: str) -> Outcome:
    """DOG-17 and DOG-18: by escape, then by fewest cards, then from the dealer's left."""
    n = len(state.hands)
    rest = [(state.dealer + 1 + step) % n for step in range(n)]
    rest = sorted((seat for seat in rest if seat not in state.escaped), key=lambda seat: _cards(state, seat))
    order = (*state.escaped, *rest)
    return Outcome(tuple(order.index(seat) + 1 for seat in range(n)), rule)


def _cards(state: State, seat: Seat) -> int:
    return len(state.hands[seat]) + len(state.ups[seat]) + sum(card is not None for card in state.downs[seat])


def apply(state: State | None, event: Event) -> State:
    if state is None:
        assert isinstance(event, Dealt)
        hands, downs = event.hands, event.downs
        return State(event.dealer, hands, event.ups, downs, (event.dealer + 1) % len(hands))  # type: ignore[arg-type]
    match event:
        case TurnCame(seat):
            return replace(state, turn=seat, turns=state.turns + 1)
        case Played(seat, cards):
            left = without(state.hands[seat], cards)
            return replace(state, hands=put(state.hands, seat, left), pile=state.pile + cards, low=False)
        case PickedUp(seat, cards):
            return replace(state, hands=put(state.hands, seat, state.hands[seat] + cards), pile=(), low=False)
        case TurnedOver(seat, place, card):
            row = put(state.downs[seat], place, None)
            return replace(state, downs=put(state.downs, seat, row), pile=(*state.pile, card), low=False)
        case Cleared():
            return replace(state, pile=(), discard=state.discard + state.pile)
        case Demanded():
            return replace(state, low=True)
        case Reversed():
            return replace(state, direction=-state.direction)
        case Skipped():
            return state
        case TookUp(seat, cards):
            return replace(state, hands=put(state.hands, seat, cards), ups=put(state.ups, seat, ()))
        case Escaped(seat):
            return replace(state, escaped=(*state.escaped, seat))
        case Ended(result):
            return replace(state, result=result)
        case Dealt():
            raise ValueError("a game is dealt once")
        case _:
            assert_never(event)


def view(state: State, seat: Seat | None) -> View:
    return View(
        me=seat,
        hand=None if seat is None else state.hands[seat],
        hands=tuple(len(hand) for hand in state.hands),
        ups=state.ups,
        downs=tuple(tuple(card is not None for card in row) for row in state.downs),
        pile=state.pile,
        discard=state.discard,
        dealer=state.dealer,
        turn=None if state.result else state.turn,
        direction=state.direction,
        low=state.low,
        turns=state.turns,
        escaped=state.escaped,
        result=state.result,
    )


def show(event: Event, seat: Seat | None) -> Event | None:
    match event:
        case TurnCame() | Played() | PickedUp() | TurnedOver() | Cleared() | Demanded() | Reversed() | Skipped():
            return event
        case TookUp() | Escaped() | Ended():
            return event
        case Dealt():
            hands = tuple(hand if owner == seat else (None,) * len(hand) for owner, hand in enumerate(event.hands))
            return Dealt(event.dealer, hands, event.ups, ((None,) * ROW,) * len(hands))
        case _:
            assert_never(event)


def absent(state: State, seat: Seat) -> Move:
    """The lowest single card, or what else there is to do."""
    first = offers(state, seat)[0]
    if first.move == "play":
        return Play(first.fill["rank"], 1)
    return TurnOver(first.fill["place"].of[0]) if first.move == "turn_over" else PickUp()


def outcome(state: State) -> Outcome | None:
    return state.result


def imagine(view: View, seat: Seat, chance: Chance) -> State:
    assert view.hand is not None
    seen = view.hand + view.pile + view.discard + tuple(card for row in view.ups for card in row)
    unseen = iter(chance.shuffled(without(DECK, seen)))
    hands = tuple(
        view.hand if owner == seat else tuple(next(unseen) for _ in range(size))
        for owner, size in enumerate(view.hands)
    )
    downs = tuple(tuple(next(unseen) if there else None for there in row) for row in view.downs)
    return State(
        dealer=view.dealer,
        hands=hands,
        ups=view.ups,
        downs=downs,
        turn=seat if view.turn is None else view.turn,
        direction=view.direction,
        pile=view.pile,
        discard=view.discard,
        low=view.low,
        turns=view.turns,
        escaped=view.escaped,
        result=view.result,
    )


GAME = Game(
    name="cheesedog",
    title="Cheesedog",
    blurb="Shed your cards before anybody else is left holding theirs.",
    prefix="DOG",
    seats=range(3, 11),
    options=Options,
    state=State,
    moves=Move,
    events=Event,
    views=View,
    setup=setup,
    to_act=to_act,
    offers=offers,
    play=play,
    refuse=refuse,
    apply=apply,
    view=view,
    show=show,
    absent=absent,
    outcome=outcome,
    imagine=imagine,
)
