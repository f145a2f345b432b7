"""Nibble, rule by rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from games import nibble
from games.chance import Chance
from games.core import Outcome, Seat, collect, fold, judge
from games.nibble import Bite, Bitten, Ended, State
from games.offers import Range, offer
from games.refusals import IllegalMove

GAME = collect(nibble)
CHANCE = Chance(b"nibble", 0)


def pieces(state: State) -> Counter[str]:
    """Every square, left or eaten."""
    return Counter(squares=sum(state.rows) + sum(state.eaten))


def twin(state: State, viewer: Seat | None, chance: Chance) -> State:
    """Nothing is hidden (NIB-2), so there is nothing to change."""
    return state


def _is_there(state: State, move: Bite) -> bool:
    return 0 <= move.row < 4 and 0 <= move.column < state.rows[move.row]


FORBIDS: dict[str, Callable[[State, Seat, Bite], bool]] = {
    "NIB-2": lambda state, seat, move: state.result is None and seat != state.turn,
    "NIB-3": lambda state, seat, move: state.result is None and seat == state.turn and not _is_there(state, move),
    "NIB-4": lambda state, seat, move: seat == state.turn and move == Bite(0, 0) and sum(state.rows) > 1,
    "NIB-5": lambda state, seat, move: state.result is not None,
}


def left(*rows: int) -> State:
    """A slab with this many squares in its rows; it is seat 0's turn."""
    return State(rows, (24 - sum(rows), 0), 0)


def after(state: State, move: Bite) -> State:
    return fold(GAME, judge(GAME, state, state.turn, move, CHANCE), state)


def test_nib_1_the_cheese_has_four_rows_of_six_squares() -> None:
    state = fold(GAME, GAME.setup(2, GAME.options(), CHANCE))
    assert state.rows == (6, 6, 6, 6)
    assert state.eaten == (0, 0)


def test_nib_2_the_first_seat_is_drawn_and_the_seats_take_turns() -> None:
    drawn = [fold(GAME, GAME.setup(2, GAME.options(), Chance(b"lot", number))).turn for number in range(40)]
    assert set(drawn) == {0, 1}
    state = after(left(6, 6, 6, 6), Bite(3, 3))
    assert GAME.to_act(state) == (1,)
    with pytest.raises(IllegalMove, match="NIB-2"):
        judge(GAME, state, 0, Bite(3, 2), CHANCE)
    assert GAME.to_act(after(state, Bite(3, 2))) == (0,)


def test_nib_2_everybody_sees_everything() -> None:
    state = left(6, 4, 4, 1)
    for viewer in (0, 1, None):
        assert GAME.imagine(GAME.view(state, viewer), 0, CHANCE) == state


def test_nib_3_a_bite_takes_all_that_is_below_and_to_the_right() -> None:
    assert GAME.play(left(6, 6, 4, 4), 0, Bite(1, 3), CHANCE) == (Bitten(0, 1, 3, 5),)
    state = after(left(6, 6, 4, 4), Bite(1, 3))
    assert (state.rows, state.eaten) == ((6, 3, 3, 3), (9, 0))


def test_nib_3_every_square_that_is_left_may_be_bitten_and_no_other() -> None:
    state = left(3, 2, 0, 0)
    assert GAME.offers(state, 0) == (
        offer(Bite, row=0, column=Range(1, 2)),
        offer(Bite, row=1, column=Range(0, 1)),
    )
    for gone in (Bite(0, 3), Bite(1, 2), Bite(2, 0), Bite(4, 0), Bite(-1, 0), Bite(1, -1)):
        with pytest.raises(IllegalMove, match="NIB-3"):
            judge(GAME, state, 0, gone, CHANCE)


def test_nib_4_the_mouldy_square_is_bitten_last() -> None:
    with pytest.raises(IllegalMove, match="NIB-4"):
        judge(GAME, left(2, 0, 0, 0), 0, Bite(0, 0), CHANCE)
    assert GAME.offers(left(1, 0, 0, 0), 0) == (offer(Bite, row=0, column=Range(0, 0)),)


def test_nib_5_whoever_bites_the_mouldy_square_loses() -> None:
    events = judge(GAME, left(1, 0, 0, 0), 0, Bite(0, 0), CHANCE)
    assert events == (Bitten(0, 0, 0, 1), Ended(Outcome((2, 1), "NIB-5")))
    over = fold(GAME, events, left(1, 0, 0, 0))
    assert (GAME.to_act(over), over.rows, over.eaten) == ((), (0, 0, 0, 0), (24, 0))
    with pytest.raises(IllegalMove, match="NIB-5: the game is over"):
        judge(GAME, over, 1, Bite(0, 0), CHANCE)


def test_a_seat_that_lets_its_time_run_out_bites_one_square() -> None:
    for state, move in ((left(6, 6, 6, 6), Bite(3, 5)), (left(6, 2, 0, 0), Bite(1, 1)), (left(1, 0, 0, 0), Bite(0, 0))):
        assert GAME.absent(state, 0) == move
        assert sum(after(state, move).rows) == sum(state.rows) - 1
