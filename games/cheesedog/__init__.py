"""Cheesedog: get rid of all your cards; the last one holding any is the Cheesedog. 3-10 seats.

The deal
DOG-1   Two packs of 52 shuffled together: 104 cards, no jokers. Suits do not matter.
DOG-2   Each seat has four cards face down that nobody sees, four face up that everybody sees, and a hand
        that only it sees. The hands are the rest of the cards, dealt one by one from the dealer's left.
DOG-3   The dealer is drawn by lot [R]; the seat to its left starts, clockwise. Hand sizes, pile and
        discard are public.

Playing
DOG-4   On a turn a seat plays one or more cards of one rank, equal to or higher than the top of the pile.
        Anything goes on an empty pile. Aces are high. The cards held longest leave the hand first.
DOG-5   With no legal play the seat picks up the pile and its turn is over; the next seat starts a new
        pile. With a legal play it may not pick up [R].
DOG-6   A 2 goes on anything, also under an 8; anything may follow it.
DOG-7   Each 7 skips a seat. Skips count round the seats still in, and may reach the player's own seat [R].
DOG-8   After an 8 the next seat plays 8 or lower, instead of equal or higher [R]. Picking up ends the demand.
DOG-9   Each 9 reverses the direction of play.
DOG-10  A 10 that may be played clears the pile to the discard.
DOG-11  Four or more of one rank in a row on top of the pile clear it, whoever played them.
DOG-12  Whoever clears the pile starts the new one at once. If it has no cards left, the next seat does [R].
DOG-13  A play that clears the pile has no other effect. Effects of earlier plays stand [R].

Later on
DOG-14  A seat whose hand is empty takes up its face-up cards at once. From then on only it sees them.
DOG-15  When those are gone too, a turn is to turn over a face-down card, chosen blindly. If it may be played,
        it is. If not, the seat picks up the pile and that card [R]. The last face-down card turns over by itself.
DOG-16  A seat without cards has escaped. Its last play still affects the others [R].
DOG-17  The last seat with cards is the Cheesedog. The order of escape is the placing [R].
DOG-18  After 1,500 turns the game ends [R]: escaped seats first, then by fewest cards, ties in order from
        the dealer's left; the last of them is the Cheesedog.
"""

from __future__ import annotations

from typing import assert_never

from games.about import About
from games.chance import Chance
from games.cheesedog.values import (
    DECK,
    MOST_TURNS,
    NAMES,
    PLAYS,
    RANK,
    ROW,
    Cards,
    Cleared,
    Dealt,
    Demanded,
    Ended,
    Escaped,
    PickedUp,
    PickUp,
    Play,
    Played,
    Reversed,
    Skipped,
    TookUp,
    TurnCame,
    TurnedOver,
    TurnOver,
)
from games.cheesedog.values import Event as Event
from games.cheesedog.values import Move as Move
from games.cheesedog.values import Options as Options
from games.cheesedog.values import State as State
from games.cheesedog.values import View as View
from games.core import Beat, Outcome, Seat
from games.kit import Story, copied, once_per_state, put, replace, without
from games.offers import Choice, Offer, offer
from games.refusals import Tried

TITLE = "Cheesedog"
BLURB = "Get rid of all your cards: the last one who still has some is the Cheesedog."
PREFIX = "DOG"
SEATS = range(3, 11)
ABOUT = About(
    minutes=(10, 20),
    weight="light",
    how=(
        "Play cards of one rank that are as high as the top of the pile, or higher. If you cannot, take the pile.",
        "2 goes on anything, 7 skips, 8 asks for 8 or lower, 9 reverses, 10 clears the pile.",
        "First your hand, then your open cards, then the hidden ones. The last one with cards is the Cheesedog.",
    ),
)


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


def offers(state: State, seat: Seat, tried: Tried | None = None) -> tuple[Offer, ...]:
    if state.result or seat != state.turn:
        if tried:
            _refuse_waiting(state, tried)
        return ()
    hand = state.hands[seat]
    if not hand:
        turn_over = (
            offer(TurnOver, place=Choice(tuple(place for place, card in enumerate(state.downs[seat]) if card))),
        )
        if tried:
            tried.among(TurnOver, turn_over, "DOG-15", "you have no face-down card at that place")
            tried.only(turn_over, "DOG-15", "your hand is empty, so turn over one of your face-down cards")
        return turn_over
    ranks = [RANK[card] for card in hand]
    least, most, rule = _bounds(state)
    plays = [PLAYS[rank, ranks.count(rank)] for rank in sorted(set(ranks)) if least <= rank <= most or rank == 2]
    if tried:
        held = [PLAYS[rank, ranks.count(rank)] for rank in set(ranks)]
        tried.among(Play, held, "DOG-4", "you do not hold that many cards of that rank")
        low = f"after an 8 you play {_named(most)} or lower"
        high = f"the pile shows {_named(least)}, so play {_named(least)} or higher, or a 2"
        tried.among(Play, plays, rule, low if state.low else high)
        tried.refuse("DOG-15", "your face-down cards wait until your hand is empty", TurnOver)
        tried.refuse("DOG-5", "you hold a card that you may play, so you may not pick up the pile", PickUp)
    return tuple(plays) or (offer(PickUp),)


def _refuse_waiting(state: State, tried: Tried) -> None:
    if state.result:
        tried.refuse(state.result.rule, "the game is over")
    else:
        tried.refuse("DOG-3", f"it is the turn of seat {state.turn + 1}")


def _bounds(state: State) -> tuple[int, int, str]:
    """Return the lowest and the highest rank that may be played, and the rule. A 2 may always be played (DOG-6)."""
    if not state.pile:
        return 2, 14, "DOG-4"
    return (2, 8, "DOG-8") if state.low else (RANK[state.pile[-1]], 14, "DOG-4")


def _named(rank: int) -> str:
    return NAMES.get(rank, f"a {rank}")


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
    return story.applied()


def _turn_over(story: Story[State, Event], seat: Seat, place: int, by_itself: bool = False) -> None:
    """DOG-15: put the card on the pile. If it may not be played there, pick up the pile with it."""
    before = story.state
    card = before.downs[seat][place]
    assert card
    story.add(TurnedOver(seat, place, card, by_itself))
    least, most, _ = _bounds(before)
    if least <= RANK[card] <= most or RANK[card] == 2:
        _after_play(story, seat, 1)
    else:
        story.add(PickedUp(seat, story.state.pile))
        _pass_turn(story, seat, 0)


def _after_play(story: Story[State, Event], seat: Seat, count: int) -> None:
    """Add what follows from the `count` cards that this seat has just put on the pile."""
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
    """Pass the turn on from this seat, over this number of seats still in."""
    state = story.state
    n = len(state.hands)
    while skips:
        seat = _next_in(state, seat, n)
        story.add(Skipped(seat))
        skips -= 1
    _give_turn(story, _next_in(state, seat, n))


def _next_in(state: State, seat: Seat, n: int) -> Seat:
    """Return the next seat still in; the same one if there is no other."""
    for step in range(1, n + 1):
        other = (seat + step * state.direction) % n
        if other not in state.escaped:
            return other
    raise AssertionError("no seat is in")


def _give_turn(story: Story[State, Event], seat: Seat) -> None:
    story.add(TurnCame(seat))
    state = story.state
    if state.turns == MOST_TURNS:
        story.add(Ended(_placing(state, "DOG-18")))
    elif not state.hands[seat] and sum(card is not None for card in state.downs[seat]) == 1:
        place = next(place for place, card in enumerate(state.downs[seat]) if card)
        _turn_over(story, seat, place, by_itself=True)  # DOG-15


def _placing(state: State, rule: str) -> Outcome:
    """DOG-17 and DOG-18: in order of escape, then of fewest cards, then from the dealer's left."""
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


PUBLIC = ("ups", "pile", "discard", "dealer", "direction", "low", "turns", "escaped", "result")


@once_per_state
def public_view(state: State) -> View:
    return View(
        me=None,
        hand=None,
        hands=tuple(len(hand) for hand in state.hands),
        downs=tuple(tuple(card is not None for card in row) for row in state.downs),
        turn=None if state.result else state.turn,
        **copied(state, PUBLIC),
    )


def view(state: State, seat: Seat | None) -> View:
    public = public_view(state)
    return public if seat is None else replace(public, me=seat, hand=state.hands[seat])


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
    """Play the lowest card that fits, or else pick up or turn over the first face-down card."""
    first = offers(state, seat)[0]
    if first.move == "play":
        return Play(first.fill["rank"], 1)
    return TurnOver(first.fill["place"].of[0]) if first.move == "turn_over" else PickUp()


def beat(state: State, events: tuple[Event, ...]) -> Beat | None:
    """Each hidden card is turned slowly."""
    turned = sum(isinstance(event, TurnedOver) for event in events)
    return Beat(200 + 1500 * turned) if turned else None


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
        hands=hands,
        downs=downs,
        turn=seat if view.turn is None else view.turn,
        **copied(view, PUBLIC),
    )
