"""Diced Cheese, rule by rule. The draws are scripted. G, Q, N and T are faces; F is a die that falls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

import pytest

from games import diced_cheese
from games.chance import Chance
from games.core import Limit, Outcome, Seat, collect, fold, judge
from games.diced_cheese.dice import FACES, Die, Where, points_at, throw
from games.diced_cheese.events import (
    CameLate,
    Ended,
    Event,
    Fell,
    Fetched,
    Finished,
    Read,
    Rolled,
    RolledToStart,
    RoundBegan,
    RoundWon,
    Stacked,
    StartedOver,
    Stopped,
    TurnPassed,
)
from games.diced_cheese.moves import Fetch, Late, Move, Roll
from games.diced_cheese.table import LastRoll, Options, State, Variant
from games.kit import replace
from games.offers import offer
from games.refusals import IllegalMove

GAME = collect(diced_cheese)

DRAWS = {"G": 0, "Q": 300, "N": 600, "T": 900}
NAMES = {"G": "goat", "Q": "queso", "N": "no_gouda", "T": "tower", "F": None}
SAFE = 999  # no fall, no stack


def pieces(state: State) -> Counter[str]:
    """Count the dice: eight in all, or eight for each seat."""
    return Counter(
        f"die {number} of set {owner}" for owner, dice in enumerate(state.dice) for number in range(len(dice))
    )


def twin(state: State, viewer: Seat | None, chance: Chance) -> State:
    """Nothing is hidden (DIC-14), so there is nothing to change."""
    return state


def scripted(draws: Iterable[int]) -> Chance:
    """Return chance that draws these numbers and then fails."""
    chance = Chance(b"", -1)
    chance._words = list(draws)[::-1]
    return chance


def thrown(faces: str, headings: Iterable[int] = ()) -> list[int]:
    """Return the draws that lead to these faces. Headings are 0 unless given."""
    turned = (*headings, *[0] * len(faces))
    draws: list[int] = []
    for face, heading in zip(faces, turned, strict=False):
        draws += [0 if face == "F" else SAFE * 1000 + DRAWS[face], heading * 1000 * 1000]
    return draws


def begun(seats: int = 3, variant: Variant = "classic", mishaps: bool = True, starter: Seat = 0) -> State:
    options = Options(variant, mishaps)
    if variant != "classic":
        return fold(GAME, GAME.setup(seats, options, Chance(b"any", 0)))
    faces = "".join("T" if seat == starter else "N" for seat in range(seats))
    return fold(GAME, GAME.setup(seats, options, scripted(thrown(faces))))


def roll(state: State, faces: str, headings: Iterable[int] = (), seat: Seat | None = None) -> tuple[Event, ...]:
    """Return the events of a roll in which the available dice show these faces."""
    seat = state.turn if seat is None else seat
    assert seat is not None
    stack = [SAFE] if state.mishaps and len(faces) > 1 else []
    script = scripted(stack + thrown(faces, headings))
    events = judge(GAME, state, seat, Roll(state.round if state.variant == "speed" else None), script)
    assert script._words == [], "other dice were available"
    return events


def rolled(state: State, *rolls: str) -> State:
    """Return the table after these rolls, each by the seat whose turn it is."""
    for faces in rolls:
        state = fold(GAME, roll(state, faces), state)
    return state


def raced(state: State, *rolls: tuple[Seat, str]) -> State:
    """Return the table of a variant after these rolls of these seats."""
    for seat, faces in rolls:
        state = fold(GAME, roll(state, faces, seat=seat), state)
    return state


def stacked(state: State, faces: str) -> tuple[Event, ...]:
    """Return the events of a roll that ends with one die on top of another."""
    assert state.turn is not None
    script = scripted([0, *thrown(faces), *[0] * (len(faces) - 1)])
    return judge(GAME, state, state.turn, Roll(), script)


def fetched(state: State, faces: str) -> tuple[Event, ...]:
    assert state.turn is not None
    return judge(GAME, state, state.turn, Fetch(), scripted(thrown(faces)))


def too_late(state: State) -> tuple[Event, ...]:
    """Return the events when the time to fetch is over."""
    assert state.turn is not None
    move = GAME.absent(state, state.turn)
    assert move == Late()
    return GAME.play(state, state.turn, move, scripted([]))


def wheres(state: State, owner: int = 0) -> Counter[str]:
    return Counter(die.where for die in state.dice[owner])


def wheel(state: State, owner: int = 0) -> int:
    return GAME.view(state, None).wheels[owner]


def refusal(state: State, seat: Seat, move: Move) -> str:
    with pytest.raises(IllegalMove) as refused:
        judge(GAME, state, seat, move, scripted([]))
    assert FORBIDS[refused.value.rule](state, seat, move), refused.value
    return refused.value.rule


def _has_turn(state: State, seat: Seat) -> bool:
    """Return whether it is this seat's turn; in a variant, whether it still rolls."""
    return seat == state.turn or seat in state.racing


def _forbidden_by_dic_12(state: State, seat: Seat, move: Move) -> bool:
    if not _has_turn(state, seat):
        return False
    fallen = any(die.where == "fallen" for dice in state.dice for die in dice)
    return isinstance(move, Late) or (isinstance(move, Fetch) and not fallen) or (isinstance(move, Roll) and fallen)


def _forbidden_by_dic_15(state: State, seat: Seat, move: Move) -> bool:
    if state.result is not None:
        return state.result.rule == "DIC-15"
    own = state.round if state.variant == "speed" else None
    return _has_turn(state, seat) and isinstance(move, Roll) and move.round != own


def _forbidden_by_dic_16(state: State, seat: Seat, move: Move) -> bool:
    if state.result is not None:
        return state.result.rule == "DIC-16"
    return state.variant == "towers" and seat not in state.racing


FORBIDS: dict[str, Callable[[State, Seat, Move], bool]] = {
    "DIC-5": lambda state, seat, move: state.variant == "classic" and state.result is None and seat != state.turn,
    "DIC-11": lambda state, seat, move: state.result is not None and state.result.rule == "DIC-11",
    "DIC-12": _forbidden_by_dic_12,
    "DIC-15": _forbidden_by_dic_15,
    "DIC-16": _forbidden_by_dic_16,
}


def test_dic_1_a_die_lands_on_a_face_with_a_heading_and_a_place() -> None:
    state = begun()
    assert len(state.dice[0]) == 8
    chance = Chance(b"dic-1", 0)
    throws = [throw(5, False, chance) for _ in range(4000)]
    assert {one.die for one in throws} == {5}
    assert {one.face for one in throws} == {"goat", "queso", "no_gouda", "tower"}
    assert {one.heading for one in throws} == set(range(360)), "seed dic-1"
    for along in ([one.x for one in throws], [one.y for one in throws]):
        assert 0 <= min(along) < 10 < 990 < max(along) <= 999, "seed dic-1"


def test_dic_1_the_faces_are_shown_with_the_dice() -> None:
    state = rolled(begun(), "TTTQQNNG")
    assert [die.face for die in state.dice[0]] == [NAMES[face] for face in "TTTQQNNG"]
    events = roll(begun(), "TGNNQNNN", range(8))
    first = events[0]
    assert isinstance(first, Rolled)
    assert [(one.die, one.heading) for one in first.throws] == list(zip(range(8), range(8), strict=True))


def test_dic_1_dice_lie_as_they_fell_until_they_are_thrown_again() -> None:
    state = rolled(begun(), "TTTQQNNG", "TT")
    assert state.round == 2
    assert wheres(state) == {"available": 8}
    assert [die.face for die in state.dice[0]] == [NAMES[face] for face in "TTTTTNNG"]
    assert GAME.view(state, None).last == (LastRoll(0, (3, 4)),)


def test_dic_2_the_faces_come_as_often_as_the_table_says() -> None:
    assert FACES == {"goat": 300, "queso": 300, "no_gouda": 300, "tower": 100}
    chance = Chance(b"dic-2", 0)
    throws = [throw(0, False, chance) for _ in range(40_000)]
    faces = Counter(one.face for one in throws)
    for face, weight in FACES.items():
        assert abs(faces[face] - 40 * weight) < 400, f"seed dic-2: {faces}"  # more than four deviations
    for eighth, count in Counter(one.heading // 45 for one in throws).items():
        assert abs(count - 5000) < 300, f"seed dic-2: eighth {eighth} {count}"


def test_dic_3_a_single_tower_starts_and_ties_roll_again() -> None:
    script = scripted(thrown("QNG") + thrown("TTG") + thrown("GQ") + thrown("TT") + thrown("NT"))
    events = GAME.setup(3, Options(), script)
    assert script._words == []
    rolls = [[one.die for one in event.throws] for event in events if isinstance(event, RolledToStart)]
    assert rolls == [[0, 1, 2], [0, 1, 2], [0, 1], [0, 1], [0, 1]]
    assert events[-1] == RoundBegan(1, 1)
    state = fold(GAME, events)
    assert GAME.to_act(state) == (1,)
    assert [one.face for one in GAME.view(state, None).start] == ["no_gouda", "tower", "goat"]


def test_dic_3_no_mishaps_in_the_rolls_for_the_start() -> None:
    events = GAME.setup(2, Options(), scripted([0, 0, 900, 0]))  # a fall, if dice fell here
    first = events[1]
    assert isinstance(first, RolledToStart)
    assert [one.face for one in first.throws] == ["goat", "tower"]


def test_dic_4_a_round_starts_with_eight_dice_and_an_empty_wheel() -> None:
    for state in (begun(), rolled(begun(), "GGGGGGGG")):
        assert wheres(state) == {"available": 8}
        assert wheel(state) == 0


def test_dic_5_the_seat_is_asked_to_roll_and_out_of_time_it_is_done_for_it() -> None:
    state = begun(starter=1)
    assert GAME.to_act(state) == (1,)
    assert GAME.offers(state, 1) == (offer(Roll, round=None),)
    assert GAME.absent(state, 1) == Roll()
    assert GAME.limit(state) is None
    assert GAME.offers(state, 0) == ()
    assert refusal(state, 0, Roll()) == "DIC-5"


def test_dic_6_goats_go_to_the_wheel_and_stay() -> None:
    state = rolled(begun(), "GGQNNNNN")
    assert wheel(state) == 2
    state = rolled(state, "N", "GNNNNN")
    assert wheel(state) == 3
    assert [die.where for die in state.dice[0]][:3] == ["wheel"] * 3
    assert state.turn == 2


def test_dic_6_eight_in_the_wheel_win_the_round() -> None:
    state = rolled(begun(), "GGGGGQQQ", "GGQ")
    events = roll(state, "G")
    assert RoundWon(0, "DIC-6") in events
    after = fold(GAME, events, state)
    assert after.wins == (1, 0, 0)
    assert after.round == 2


def test_dic_7_towers_still_standing_count() -> None:
    """Worked example: T T T Q Q N N G, then T T."""
    state = rolled(begun(), "TTTQQNNG")
    assert wheres(state) == {"standing": 3, "queso": 2, "out": 2, "wheel": 1}
    events = roll(state, "TT")
    assert events[-2:] == (RoundWon(0, "DIC-7"), RoundBegan(2, 1))


def test_dic_7_five_towers_win_also_while_quesos_show() -> None:
    assert RoundWon(0, "DIC-7") in roll(begun(), "TTTTTQQN")
    assert RoundWon(0, "DIC-7") in roll(begun(), "TTTTTTTT")
    assert RoundWon(0, "DIC-7") not in roll(begun(), "TTTTQQQQ")


def test_dic_7_four_towers_that_are_rolled_again_no_longer_stand() -> None:
    """Worked example: T T T T N N G G, then N N N N T Q."""
    state = rolled(begun(), "TTTTNNGG")
    assert wheres(state) == {"available": 6, "wheel": 2}
    events = roll(state, "NNNNTQ")
    state = fold(GAME, events, state)
    assert [event.rule for event in events if isinstance(event, Read)] == ["DIC-8"]
    assert wheres(state) == {"out": 4, "standing": 1, "queso": 1, "wheel": 2}
    assert state.turn == 0
    rolled(state, "G")


def test_dic_8_exactly_the_quesos_are_rolled_again() -> None:
    state = rolled(begun(), "TQNQGNQN")
    assert [die.where for die in state.dice[0]] == ["standing", "queso", "out", "queso", "wheel", "out", "queso", "out"]
    event = roll(state, "GNQ")[0]
    assert isinstance(event, Rolled)
    assert [one.die for one in event.throws] == [1, 3, 6]


def test_dic_9_without_quesos_a_tower_brings_back_all_but_the_wheel() -> None:
    state = begun()
    events = roll(state, "TGGGNNNN")
    state = fold(GAME, events, state)
    assert wheres(state) == {"available": 5, "wheel": 3}
    assert state.turn == 0
    event = roll(state, "NNNNN")[0]
    assert isinstance(event, Rolled)
    assert [one.die for one in event.throws] == [0, 4, 5, 6, 7]


def test_dic_10_several_no_goudas_pass_the_dice_clockwise() -> None:
    state = begun(starter=2)
    events = roll(state, "GGGGGGNN", [0, 0, 0, 0, 0, 0, 120, 120])
    assert events[-1] == TurnPassed(0, None)
    state = fold(GAME, events, state)
    assert wheres(state) == {"wheel": 6, "available": 2}
    assert GAME.to_act(state) == (0,)


@pytest.mark.parametrize(
    ("seats", "heading", "seat"),
    [(3, 240, 2), (2, 90, 1), (2, 270, 0), (2, 89, 0), (2, 269, 1), (8, 337, 7), (8, 338, 0), (3, 59, 0), (3, 60, 1)],
)
def test_dic_10_the_last_die_points_at_who_goes_on(seats: int, heading: int, seat: Seat) -> None:
    """Worked examples, and the headings beside the borders."""
    state = begun(seats, starter=1)
    events = roll(state, "GGGNGGGG", [0, 0, 0, heading])
    assert events[-1] == TurnPassed(seat, 3)
    state = fold(GAME, events, state)
    assert GAME.to_act(state) == (seat,)
    rolled(state, "G")


def test_dic_10_the_last_die_may_point_at_its_roller_who_rolls_it_again() -> None:
    state = begun(3, starter=1)
    events = roll(state, "GGGNGGGG", [0, 0, 0, 120])
    state = fold(GAME, events, state)
    assert GAME.to_act(state) == (1,)
    assert RoundWon(1, "DIC-6") in roll(state, "G")


def test_dic_10_a_die_points_by_its_own_latest_throw() -> None:
    state = begun(3)
    state = fold(GAME, roll(state, "NQGGGGGG", [240, 0]), state)
    assert roll(state, "G", [120])[-1] == TurnPassed(2, 0)


def test_dic_10_every_heading_points_at_the_nearest_seat() -> None:
    for seats in range(2, 9):
        for heading in range(360):
            off = [
                abs((heading * seats - seat * 360 + 180 * seats) % (360 * seats) - 180 * seats) for seat in range(seats)
            ]
            assert off[points_at(heading, seats)] == min(off), f"{seats} seats, heading {heading}"


def test_dic_11_the_seat_left_of_the_winner_starts_the_next_round() -> None:
    assert roll(begun(3, starter=2), "GGGGGGGG")[-1] == RoundBegan(2, 0)


def test_dic_11_three_rounds_win_and_the_others_are_placed_by_theirs() -> None:
    state = replace(begun(4, starter=2), wins=(1, 2, 2, 0))
    events = roll(state, "GGGGGGGG")
    assert events[-1] == Ended(Outcome((3, 2, 1, 4), "DIC-11", (1, 2, 3, 0)))
    state = fold(GAME, events, state)
    assert GAME.to_act(state) == ()
    assert GAME.view(state, 0).phase == "over"
    assert refusal(state, 3, Roll()) == "DIC-11"


def test_dic_12_a_fallen_die_is_fetched_before_the_roll_is_read() -> None:
    state = begun()
    events = roll(state, "GGGGGGGF")
    assert events[-1] == Fell(0, (7,))
    state = fold(GAME, events, state)
    assert wheres(state) == {"thrown": 7, "fallen": 1}
    assert wheel(state) == 0
    assert GAME.offers(state, 0) == (offer(Fetch),)
    assert GAME.limit(state) == Limit(within_ms=5000)
    assert refusal(state, 0, Roll()) == "DIC-12"
    assert RoundWon(0, "DIC-6") in fetched(state, "G")


def test_dic_12_a_fetched_die_may_fall_again() -> None:
    state = rolled(begun(), "GGTNNNFF")
    state = fold(GAME, fetched(state, "GF"), state)
    assert state.phase == "fetch"
    assert [die.where for die in state.dice[0]] == ["thrown"] * 7 + ["fallen"]
    assert GAME.limit(state) == Limit(within_ms=5000)
    events = fetched(state, "Q")
    assert isinstance(events[0], Fetched)
    state = fold(GAME, events, state)
    assert wheres(state) == {"wheel": 3, "standing": 1, "out": 3, "queso": 1}
    assert GAME.limit(state) is None
    assert state.turn == 0


def test_dic_12_too_late_after_five_towers_is_no_win() -> None:
    """Worked example: five towers and one die fallen, fetched too late."""
    state = rolled(begun(), "TTTTTNNF")
    events = too_late(state)
    assert events == (CameLate(0), TurnPassed(1, None))
    after = fold(GAME, events, state)
    assert after.wins == (0, 0, 0)
    assert wheres(after) == {"available": 8}
    assert GAME.offers(after, 1) == (offer(Roll, round=None),)
    assert GAME.limit(after) is None


def test_dic_12_too_late_no_goat_of_the_roll_counts() -> None:
    """Worked example: wheel 1, seven dice rolled, six goats and one fallen."""
    state = rolled(begun(), "GNNNNNNN")
    assert wheel(state) == 1
    state = rolled(state, "GGGGGGF")
    after = fold(GAME, too_late(state), state)
    assert wheel(after) == 1
    assert wheres(after) == {"wheel": 1, "available": 7}
    assert after.turn == 2


def test_dic_12_only_the_house_says_too_late_and_only_fallen_dice_are_fetched() -> None:
    state = begun()
    assert refusal(state, 0, Fetch()) == "DIC-12"
    fallen = rolled(state, "GGGGGGGF")
    assert refusal(fallen, 0, Late()) == "DIC-12"
    assert refusal(state, 0, Late()) == "DIC-12"


def test_dic_12_dice_fall_once_in_two_hundred_and_only_with_mishaps_on() -> None:
    falls = sum(throw(0, True, scripted([draw * 1000, 0])).face is None for draw in range(1000))
    assert falls == 5
    assert [die.face for die in rolled(begun(mishaps=False), "GGGGGGGN").dice[0]][:7] == ["goat"] * 7
    script = scripted([0, 0] * 8)  # each would have fallen
    events = judge(GAME, begun(mishaps=False), 0, Roll(), script)
    assert RoundWon(0, "DIC-6") in events


def test_dic_13_a_die_on_another_voids_the_round() -> None:
    """Worked example: eight goats but one die on top of another."""
    state = begun()
    events = stacked(state, "GGGGGGGG")
    assert [type(event) for event in events] == [Rolled, Stacked, RoundBegan]
    assert events[-1] == RoundBegan(2, 1)
    after = fold(GAME, events, state)
    assert after.wins == (0, 0, 0)
    assert wheres(after) == {"available": 8}
    assert after.turn == 1


def test_dic_13_names_two_dice_of_the_roll_and_resets_the_wheel_too() -> None:
    state = rolled(begun(), "GGQQQNNN")
    events = stacked(state, "GGQ")
    event = events[1]
    assert isinstance(event, Stacked)
    assert event.top != event.under
    assert {event.top, event.under} <= {2, 3, 4}
    assert wheres(fold(GAME, events, state)) == {"available": 8}


def test_dic_13_comes_before_a_fall() -> None:
    state = begun()
    script = scripted([0, *thrown("GGGGGGG"), 0, 0, *[0] * 7])
    events = judge(GAME, state, 0, Roll(), script)
    assert not any(isinstance(event, Fell) for event in events)
    assert isinstance(events[0], Rolled)
    assert all(one.face for one in events[0].throws), "what lies in a stack has not fallen"
    assert events[-1] == RoundBegan(2, 1)


def test_dic_13_is_drawn_once_a_roll_of_two_or_more_and_never_for_a_fetch() -> None:
    one_left = rolled(begun(), "GGGGGGGQ")
    judge(GAME, one_left, 0, Roll(), scripted(thrown("Q")))
    two_fallen = rolled(begun(), "GGGGGGFF")
    judge(GAME, two_fallen, 0, Fetch(), scripted(thrown("QQ")))
    draws = [scripted([draw, *thrown("GGNNNNNN"), *[0] * 7]) for draw in range(1000)]
    stacks = sum(isinstance(judge(GAME, begun(), 0, Roll(), script)[1], Stacked) for script in draws)
    assert stacks == 5


def test_dic_14_everybody_sees_the_same() -> None:
    state = rolled(begun(), "TTTQQNNG")
    everything = replace(GAME.view(state, None), me=0)
    assert GAME.view(state, 0) == everything
    assert replace(GAME.view(state, 2), me=0) == everything
    for event in roll(state, "GG"):
        assert GAME.show(event, None) == GAME.show(event, 1) == event


def test_dic_15_every_seat_has_its_own_dice_and_all_roll_at_once() -> None:
    state = begun(3, "speed")
    assert len(state.dice) == 3
    assert state.start == ()
    assert GAME.to_act(state) == (0, 1, 2)
    state = raced(state, (2, "GGQNNNNN"), (2, "G"), (0, "TTTQQNNG"))
    assert wheres(state, 1) == {"available": 8}
    assert wheres(state, 0) == {"standing": 3, "queso": 2, "out": 2, "wheel": 1}
    assert GAME.to_act(state) == (0, 1, 2)


def test_dic_15_only_no_gouda_starts_the_wheel_over_with_eight() -> None:
    state = begun(2, "speed")
    events = roll(state, "GGGGGGGN", [180] * 8, seat=0)
    assert events[-1] == StartedOver(0)
    state = fold(GAME, events, state)
    assert wheres(state, 0) == {"available": 8}
    assert GAME.to_act(state) == (0, 1)


def test_dic_15_a_roll_names_its_round_and_is_refused_in_another() -> None:
    state = begun(2, "speed")
    assert GAME.offers(state, 1) == (offer(Roll, round=1),)
    assert GAME.absent(state, 1) == Roll(1)
    state = raced(state, (0, "GGGGGGGG"))
    assert state.wins == (1, 0)
    assert state.round == 2
    assert refusal(state, 1, Roll(1)) == "DIC-15"
    assert refusal(state, 1, Roll()) == "DIC-15"
    assert GAME.offers(state, 1) == (offer(Roll, round=2),)
    assert refusal(begun(), 0, Roll(1)) == "DIC-15"


def test_dic_15_a_round_resets_all_dice_and_three_rounds_win() -> None:
    state = begun(3, "speed")
    state = raced(state, (1, "GGGGNNNT"), (2, "TTTTTQQQ"))
    assert state.wins == (0, 0, 1)
    assert all(wheres(state, seat) == {"available": 8} for seat in range(3))
    state = replace(state, wins=(1, 0, 2))
    events = roll(state, "GGGGGGGG", seat=2)
    assert events[-1] == Ended(Outcome((2, 3, 1), "DIC-15", (1, 0, 3)))
    state = fold(GAME, events, state)
    assert GAME.to_act(state) == ()
    assert GAME.limit(state) is None
    assert refusal(state, 0, Roll(2)) == "DIC-15"


def test_dic_15_a_seat_rolls_once_in_400_ms_and_has_no_mishaps() -> None:
    state = begun(2, "speed", mishaps=True)
    assert GAME.limit(state) == Limit(pause_ms=400)
    assert not state.mishaps
    judge(GAME, state, 0, Roll(1), scripted([0] * 16))  # neither a stack nor a fall is drawn


def test_dic_16_towers_are_set_aside_and_the_rest_is_rolled_again() -> None:
    state = raced(begun(2, "towers"), (1, "TGQNTGGG"))
    assert wheres(state, 1) == {"standing": 2, "available": 6}
    assert state.rolls == (0, 1)
    assert GAME.offers(state, 1) == (offer(Roll, round=None),)
    assert GAME.absent(state, 1) == Roll()
    assert GAME.limit(state) is None
    event = roll(state, "GGGGGT", seat=1)[0]
    assert isinstance(event, Rolled)
    assert [one.die for one in event.throws] == [1, 2, 3, 5, 6, 7]


def test_dic_16_the_fewest_rolls_win_whoever_was_first() -> None:
    state = raced(begun(2, "towers"), (0, "TTTTTTTG"), (0, "G"))
    events = roll(state, "T", seat=0)
    assert events[-1] == Finished(0, 3)
    state = fold(GAME, events, state)
    assert GAME.to_act(state) == (1,)
    assert refusal(state, 0, Roll()) == "DIC-16"
    state = raced(state, (1, "TTTTTTTG"))
    events = roll(state, "T", seat=1)
    assert events[-2:] == (Finished(1, 2), Ended(Outcome((2, 1), "DIC-16")))
    ended = fold(GAME, events, state)
    assert ended.needed == (3, 2)
    assert ended.wins == (0, 0)


def test_dic_16_ties_share_the_win() -> None:
    state = raced(begun(3, "towers"), (0, "TTTTTTTT"), (1, "TTTTTTTG"))
    assert GAME.to_act(state) == (2,)
    assert roll(state, "TTTTTTTT", seat=2)[-1] == Ended(Outcome((1, 3, 1), "DIC-16"))


def test_dic_16_a_seat_that_can_no_longer_tie_stops_by_itself() -> None:
    state = raced(
        begun(4, "towers"), (1, "GGGGGGGG"), (1, "GGGGGGGG"), (1, "GGGGGGGG"), (2, "GGGGGGGG"), (0, "TTTTTTTG")
    )
    events = roll(state, "T", seat=0)
    assert events[-2:] == (Finished(0, 2), Stopped(1))
    state = fold(GAME, events, state)
    assert GAME.to_act(state) == (2, 3)
    assert refusal(state, 1, Roll()) == "DIC-16"
    events = roll(state, "TTTTTTTG", seat=2)
    assert events[-1] == Stopped(2)
    state = raced(fold(GAME, events, state), (3, "TGGGGGGG"))
    assert GAME.to_act(state) == (3,)
    events = roll(state, "GGGGGGG", seat=3)
    assert events[-2:] == (Stopped(3), Ended(Outcome((1, 2, 2, 2), "DIC-16")))


def test_the_reading_of_a_roll_needs_only_the_dice() -> None:
    def dice(faces: str, places: str) -> tuple[Die, ...]:
        where: dict[str, Where] = {"x": "thrown", "w": "wheel", "s": "standing", "o": "out"}
        return tuple(Die(NAMES[face], 0, 0, 0, where[place]) for face, place in zip(faces, places, strict=True))  # type: ignore[arg-type]

    for faces, places, rule in (
        ("GGGGGGGG", "wwwwwwwx", "DIC-6"),
        ("TTTTTGGG", "ssssxwww", "DIC-7"),
        ("TTTTQGGG", "ssssxwww", "DIC-8"),
        ("TTTTNGGG", "ssssxwww", "DIC-9"),
        ("NNNNNGGG", "oooooxww", "DIC-10"),
    ):
        assert diced_cheese.dice.read(dice(faces, places))[1] == rule
