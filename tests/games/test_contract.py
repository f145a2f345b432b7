"""What every game in the catalogue promises, for every number of seats and every combination of options.

Positions come from recorded random games. Each test looks at a sample of them that includes every kind of entry. Every
message has the seed; CHEESEBOARD_TEST_SEED sets another one.
"""

from __future__ import annotations

import importlib
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import msgpack
import msgspec
import pytest

from games import GAMES
from games.chance import Chance
from games.core import AnyGame, Seat, fold, judge, option_choices, read_move, refusal
from games.offers import Choice, Offer, Range, Subset, count_fillings, fill, fillings
from games.refusals import IllegalMove
from tests.games.arbitrary import ArbitraryMoves, just_outside, plain
from tests.playout import SEED, Case, Step, all_options, cases, steps, steps_from

CASES = [case for game in GAMES.values() for case in cases(game)]
RECORDED = 2  # games of each case whose positions are looked at
PLAYED = 5  # games for each number of seats that are played to the end; tests.playout plays thousands
MOST_OFFERS = 40
MOST_LISTED = 120
MOST_STATES_FOLLOWED = 12
MOST_AT_ONCE = 12

encode = msgspec.msgpack.Encoder().encode
every_case = pytest.mark.parametrize("case", CASES, ids=str)


class Position(NamedTuple):
    """A state of a recorded game, and a text that names it in messages."""

    state: Any
    where: str

    def chance(self, purpose: str) -> Chance:
        return Chance(f"{self.where}/{purpose}".encode(), 0)


@cache
def recorded(case: Case, number: int) -> tuple[Step, ...]:
    return tuple(steps(case, seed_of(case, number)))


def seed_of(case: Case, number: int) -> str:
    return f"{SEED}/{case}/{number}"


@cache
def positions(case: Case, count: int) -> tuple[Position, ...]:
    """Return about this number of positions, fewer if there are many options: one before each kind of entry, the ends
    of the games, and random ones."""
    count = max(6, count // len(all_options(case.game)))
    found: list[Position] = []
    for number in range(RECORDED):
        game = recorded(case, number)
        seed = seed_of(case, number)
        kinds: dict[object, list[Step]] = {}
        for step in game:
            kind = (type(step.move), step.absent, frozenset(type(event) for event in step.events))
            kinds.setdefault(kind, []).append(step)
        chance = Chance(f"{seed}/positions".encode(), 0)
        chosen = [chance.pick(of_kind) for of_kind in chance.shuffled(list(kinds.values()))]
        chosen += [chance.pick(game) for _ in range(count)]
        share = count // RECORDED - 1
        found += [Position(step.state, f"seed {seed!r} entry {step.entry}") for step in chosen[:share]]
        found.append(Position(game[-1].after, f"seed {seed!r} at the end"))
    return tuple(found)


def asked(case: Case, state: Any, seat: Seat) -> tuple[Offer, ...]:
    """Return the offers and asides of the seat."""
    return case.game.offers(state, seat) + case.game.asides(state, seat)


def tables(game: AnyGame) -> Any:
    """Return the game's own test module, which has `pieces`, `twin` and `FORBIDS`."""
    return importlib.import_module(f"tests.games.test_{game.name.replace('-', '_')}")


def rule_ids(game: AnyGame) -> set[str]:
    module = importlib.import_module(f"games.{game.name.replace('-', '_')}")
    return set(re.findall(rf"^{game.prefix}-\d+", module.__doc__ or "", re.MULTILINE))


def extremes(one: Offer) -> Iterator[dict[str, Any]]:
    """Yield the offer filled with the least of everything, and with the most."""
    for least in (True, False):
        raw: dict[str, Any] = {"type": one.move}
        for name, blank in one.fill.items():
            match blank:
                case Range():
                    raw[name] = blank.least if least else blank.most
                case Choice():
                    raw[name] = blank.of[0 if least else -1]
                case Subset():
                    raw[name] = blank.of[: blank.least] if least else blank.of[::-1][: blank.most]
                case _:
                    raw[name] = blank
        yield raw


def allowed(offers: tuple[Offer, ...], move: Any) -> bool:
    """Return whether the move fills one of the offers, computed here from what is on the wire."""
    raw = plain(move)
    for one in plain(offers):
        if one["move"] == raw["type"] and all(_fills(blank, raw[name]) for name, blank in one["fill"].items()):
            return True
    return False


def _fills(blank: Any, value: Any) -> bool:
    if not isinstance(blank, dict):
        return bool(blank == value)
    if "of" not in blank:
        return bool(blank["least"] <= value <= blank["most"])
    if "least" not in blank:
        return value in blank["of"]
    left = list(blank["of"])
    for item in value:
        if item not in left:
            return False
        left.remove(item)
    return bool(blank["least"] <= len(value) <= blank["most"])


@every_case
def test_filled_offers_are_accepted(case: Case) -> None:
    for state, where in positions(case, 24):
        chance = Chance(where.encode(), 1)
        for seat in range(case.seats):
            for one in asked(case, state, seat):
                for raw in (*extremes(one), fill(one, chance)):
                    move = read_move(case.game, raw)
                    events = judge(case.game, state, seat, move, chance)
                    assert events, f"{move} of seat {seat} left no trace: {where}"
                    fold(case.game, events, state)


@every_case
def test_anything_else_is_refused_by_a_rule(case: Case) -> None:
    ids = rule_ids(case.game)
    for position in positions(case, 20):
        state, where = position
        before = encode(state)
        for seat in range(case.seats):
            offers = asked(case, state, seat)
            arbitrary = ArbitraryMoves(case.game, state, position.chance(f"arbitrary {seat}"))
            for move in arbitrary.moves(offers, 10):
                legal = allowed(offers, move)
                no = refused(case.game, state, seat, move, position.chance("judge"))
                what = f"{move} of seat {seat}: {where}"
                if legal:
                    assert no is None, f"offered, but {no}: {what}"
                else:
                    assert no is not None, f"not offered, yet accepted: {what}"
                    assert no.rule in ids, f"{no.rule} is no rule: {what}"
                    assert no.why, f"no reason given: {what}"
        assert encode(state) == before, where


@every_case
def test_a_refusal_names_a_rule_that_forbids_the_move_and_no_rule_forbids_an_accepted_one(case: Case) -> None:
    forbids = tables(case.game).FORBIDS
    named = set()
    for position in positions(case, 60):
        for seat in range(case.seats):
            for move in tried_moves(case, position, seat):
                no = refused(case.game, position.state, seat, move, position.chance("judge"))
                what = f"{move} of seat {seat}: {position.where}"
                if no is None:
                    wrong = [rule for rule, forbid in forbids.items() if forbid(position.state, seat, move)]
                    assert not wrong, f"accepted, although {wrong} forbid it: {what}"
                else:
                    assert no.rule in forbids, f"{no.rule} forbids no move: {what}"
                    assert forbids[no.rule](position.state, seat, move), f"not forbidden by {no}: {what}"
                    named.add(no.rule)
    assert len(named) >= 2, f"too few refusals to judge by: {named}, seed {SEED!r}"


def tried_moves(case: Case, position: Position, seat: Seat) -> Iterator[Any]:
    """Yield moves for this seat, legal and illegal: at the bounds of its offers and just outside, from elsewhere in the
    game, and arbitrary ones."""
    offers = asked(case, position.state, seat)
    chance = position.chance(f"tried {seat}")
    for one in offers:
        for raw in (*extremes(one), *just_outside(one, chance)):
            yield read_move(case.game, raw)
    yield from (chance.pick(recorded(case, 0)).move for _ in range(10))
    yield from ArbitraryMoves(case.game, position.state, chance).moves(offers, 10)


def refused(game: AnyGame, state: Any, seat: Seat, move: Any, chance: Chance) -> IllegalMove | None:
    try:
        judge(game, state, seat, move, chance)
    except IllegalMove as no:
        return no
    return None


@every_case
def test_moves_of_others_are_refused_while_a_seat_waits(case: Case) -> None:
    for position in positions(case, 20):
        state, where = position
        for seat in case.game.to_act(state):
            move = read_move(case.game, fill(case.game.offers(state, seat)[0], position.chance("move")))
            for other in range(case.seats):
                if not allowed(asked(case, state, other), move):
                    no = refused(case.game, state, other, move, position.chance("judge"))
                    assert no, f"{move} of seat {other}: {where}"


@every_case
def test_somebody_may_act_until_the_end_and_only_they_have_offers(case: Case) -> None:
    for number in range(RECORDED):
        game = recorded(case, number)
        for step in game:
            _check_who_may_act(case, step.state, f"seed {seed_of(case, number)!r} entry {step.entry}")
        last = game[-1].after
        where = f"at the end, seed {seed_of(case, number)!r}"
        assert case.game.to_act(last) == (), where
        assert not any(asked(case, last, seat) for seat in range(case.seats)), where


def _check_who_may_act(case: Case, state: Any, where: str) -> None:
    acting = case.game.to_act(state)
    assert acting, f"nobody may act: {where}"
    assert len(set(acting)) == len(acting), where
    assert set(acting) <= set(range(case.seats)), where
    for seat in range(case.seats):
        offers = case.game.offers(state, seat)
        if seat not in acting:
            assert offers == (), f"seat {seat} waits and is offered something: {where}"
        else:
            assert any(count_fillings(one) > 0 and next(fillings(one)) for one in offers), (
                f"seat {seat} has no move: {where}"
            )


@every_case
def test_the_outcome_places_every_seat_by_a_rule(case: Case) -> None:
    for number in range(RECORDED):
        outcome = case.game.outcome(recorded(case, number)[-1].after)
        where = f"seed {seed_of(case, number)!r}: {outcome}"
        assert outcome is not None
        assert len(outcome.places) == case.seats, where
        assert min(outcome.places) == 1, where
        for place in outcome.places:
            assert place == 1 + sum(other < place for other in outcome.places), where
        assert outcome.rule in rule_ids(case.game), where
        assert outcome.points is None or len(outcome.points) == case.seats, where


@every_case
def test_folding_the_log_rebuilds_every_state(case: Case) -> None:
    read = msgspec.msgpack.Decoder(tuple[case.game.events, ...]).decode  # type: ignore[name-defined]
    for number in range(RECORDED):
        seed = seed_of(case, number)
        setup = case.game.setup(case.seats, case.options, Chance(seed.encode(), 0))
        state = fold(case.game, read(encode(setup)))
        for step in recorded(case, number):
            assert state == step.state, f"seed {seed!r} entry {step.entry}"
            state = fold(case.game, read(encode(step.events)), state)
        assert encode(state) == encode(recorded(case, number)[-1].after), f"seed {seed!r}"


@every_case
def test_the_state_that_comes_with_the_events_of_a_move_is_the_one_that_they_lead_to(case: Case) -> None:
    for step in recorded(case, 0):
        events = case.game.play(step.state, step.seat, step.move, Chance(seed_of(case, 0).encode(), step.entry))
        assert encode(fold(case.game, events, step.state)) == encode(fold(case.game, tuple(events), step.state))


@every_case
def test_the_same_moves_and_the_same_chance_give_the_same_events(case: Case) -> None:
    seed = seed_of(case, 0)
    state = fold(case.game, case.game.setup(case.seats, case.options, Chance(seed.encode(), 0)))
    for step in recorded(case, 0):
        move = msgspec.convert(plain(step.move), case.game.moves)
        events = case.game.play(state, step.seat, move, Chance(seed.encode(), step.entry))
        assert encode(events) == encode(step.events), f"seed {seed!r} entry {step.entry}"
        state = fold(case.game, events, state)


def survives(value: Any, kind: Any, where: str) -> None:
    """Check that the value is equal after encoding and decoding, and that another decoder reads the same."""
    wire = encode(value)
    back = msgspec.msgpack.decode(wire, type=kind)
    assert encode(back) == wire, f"{value} came back as {back}: {where}"
    if kind is not Offer:
        assert back == value, f"{value} came back as {back}: {where}"
    strange = msgpack.unpackb(wire)
    assert strange == msgspec.msgpack.decode(wire), where
    _whole_numbers(strange, where)


def _whole_numbers(value: Any, where: str) -> None:
    if isinstance(value, dict):
        assert all(isinstance(key, str) for key in value), f"a key is no string: {value}, {where}"
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            _whole_numbers(item, where)
    else:
        assert value is None or isinstance(value, (bool, int, str)), f"{value!r}: {where}"
        assert not isinstance(value, int) or abs(value) < 2**53, f"{value} is too large for a browser: {where}"


@every_case
def test_every_value_survives_the_wire(case: Case) -> None:
    game = case.game
    for state, where in positions(case, 12):
        survives(state, game.state, where)
        for viewer in (None, *range(case.seats)):
            survives(game.view(state, viewer), game.views, where)
        for seat in range(case.seats):
            for one in asked(case, state, seat):
                survives(one, Offer, where)
        for seat in game.to_act(state):
            survives(game.absent(state, seat), game.moves, where)
    for step in recorded(case, 0)[:60]:
        where = f"seed {seed_of(case, 0)!r} entry {step.entry}"
        survives(step.move, game.moves, where)
        for event in step.events:
            survives(event, game.events, where)
            for viewer in (None, *range(case.seats)):
                shown = game.show(event, viewer)
                if shown is not None:
                    survives(shown, game.events, where)


@every_case
def test_an_event_that_the_public_sees_whole_is_seen_whole_by_every_seat(case: Case) -> None:
    for step in recorded(case, 0):
        for event in step.events:
            if case.game.show(event, None) is event:
                for seat in range(case.seats):
                    assert case.game.show(event, seat) == event, f"seat {seat} does not see {event}"


@every_case
def test_a_view_names_its_seat(case: Case) -> None:
    for state, where in positions(case, 6):
        for viewer in (None, *range(case.seats)):
            assert plain(case.game.view(state, viewer))["me"] == viewer, where


@every_case
def test_pieces_are_conserved(case: Case) -> None:
    pieces = tables(case.game).pieces
    for number in range(RECORDED):
        game = recorded(case, number)
        all_pieces: Counter[str] = pieces(game[0].state)
        assert all_pieces
        for step in game:
            now = pieces(step.after)
            where = f"after {step.move} of seat {step.seat}: seed {seed_of(case, number)!r} entry {step.entry}"
            assert now == all_pieces, f"lost {all_pieces - now}, gained {now - all_pieces} {where}"


@every_case
def test_random_games_end(case: Case) -> None:
    for number in range(RECORDED, RECORDED + max(1, PLAYED // len(all_options(case.game)))):
        for _ in steps(case, seed_of(case, number)):
            pass


@every_case
def test_a_table_at_which_nobody_is_present_ends(case: Case) -> None:
    game = case.game
    seed = seed_of(case, 0)
    state = fold(game, game.setup(case.seats, case.options, Chance(seed.encode(), 0)))
    for entry in range(1, 10_000):
        if game.outcome(state) is not None:
            return
        seat = game.to_act(state)[0]
        state = fold(game, game.play(state, seat, game.absent(state, seat), Chance(seed.encode(), entry)), state)
    raise AssertionError(f"still no end, seed {seed!r}")


@every_case
def test_absent_moves_can_be_played_at_every_decision(case: Case) -> None:
    pieces = tables(case.game).pieces
    for position in positions(case, 40):
        for seat in case.game.to_act(position.state):
            move = case.game.absent(position.state, seat)
            events = case.game.play(position.state, seat, move, position.chance("absent"))
            assert events, f"seat {seat}: {position.where}"
            after = fold(case.game, events, position.state)
            assert pieces(after) == pieces(position.state), f"{move} of seat {seat}: {position.where}"


@every_case
def test_offers_are_small_and_complete(case: Case) -> None:
    kinds = msgspec.inspect.type_info(case.game.moves)
    types = kinds.types if isinstance(kinds, msgspec.inspect.UnionType) else (kinds,)
    fields = {kind.tag: {f.name for f in kind.fields} for kind in types if isinstance(kind, msgspec.inspect.StructType)}
    for number in range(RECORDED):
        for step in recorded(case, number)[:: 2 if len(recorded(case, number)) < 400 else 5]:
            for seat in range(case.seats):
                where = f"seat {seat}, seed {seed_of(case, number)!r} entry {step.entry}"
                offers = asked(case, step.state, seat)
                assert len(offers) <= MOST_OFFERS, where
                for one in offers:
                    assert set(one.fill) == fields[one.move], f"{one} lacks a field: {where}"
                    for blank in one.fill.values():
                        _check_blank(blank, f"{one}, {where}")


def _check_blank(blank: Any, where: str) -> None:
    match blank:
        case Range():
            assert blank.least <= blank.most, where
        case Choice():
            assert 1 <= len(blank.of) <= MOST_LISTED, where
        case Subset():
            assert 0 <= blank.least <= blank.most <= len(blank.of) <= MOST_LISTED, where
        case _:
            assert _no_map(plain(blank)), f"a literal has a map in it: {where}"


def _no_map(value: Any) -> bool:
    return all(_no_map(item) for item in value) if isinstance(value, list) else not isinstance(value, dict)


@every_case
def test_what_is_imagined_fits_the_view_and_can_be_played_to_an_end(case: Case) -> None:
    game = case.game
    pieces = tables(game).pieces
    for number, position in enumerate(positions(case, 12)):
        state, where = position
        for seat in range(case.seats):
            view = game.view(state, seat)
            imagined = game.imagine(view, seat, position.chance(f"imagine {seat}"))
            assert game.view(imagined, seat) == view, f"seat {seat}: {where}"
            assert asked(case, imagined, seat) == asked(case, state, seat), f"seat {seat}: {where}"
            assert game.to_act(imagined) == game.to_act(state), f"seat {seat}: {where}"
            assert pieces(imagined) == pieces(state), f"seat {seat}: {where}"
            if number % case.seats == seat and game.outcome(imagined) is None:
                *_, last = steps_from(case, imagined, f"{where}/{seat}", absences=False)
                assert pieces(last.after) == pieces(state), f"seat {seat}: {where}"


@every_case
def test_twin_tables_look_alike_to_whoever_cannot_tell_them_apart(case: Case) -> None:
    for position in positions(case, 14):
        for viewer in (None, *range(case.seats)):
            twin = tables(case.game).twin(position.state, viewer, position.chance(f"twin {viewer}"))
            pieces = tables(case.game).pieces
            assert pieces(twin) == pieces(position.state), f"the twin for {viewer} is no twin: {position.where}"
            _check_twins(case, position.state, twin, viewer, f"viewer {viewer}, {position.where}")
            _check_refusals(case, position, twin, viewer)
            _follow_twins(case, position, twin, viewer)


def _check_twins(case: Case, state: Any, twin: Any, viewer: Seat | None, where: str) -> None:
    game = case.game
    assert encode(game.view(twin, viewer)) == encode(game.view(state, viewer)), where
    assert game.to_act(twin) == game.to_act(state), where
    assert game.limit(twin) == game.limit(state), where
    assert game.outcome(twin) == game.outcome(state), where
    if viewer is not None:
        assert encode(asked(case, twin, viewer)) == encode(asked(case, state, viewer)), where


def _check_refusals(case: Case, position: Position, twin: Any, viewer: Seat | None) -> None:
    """Check that refusals do not reveal anything to the seat."""
    if viewer is None:
        return
    offers = asked(case, position.state, viewer)
    for move in ArbitraryMoves(case.game, position.state, position.chance(f"refusals {viewer}")).moves(offers, 5):
        if not allowed(offers, move):
            said = [str(refusal(case.game, state, viewer, move)) for state in (position.state, twin)]
            assert said[0] == said[1], f"{move} of seat {viewer}: {position.where}"


def _follow_twins(case: Case, position: Position, twin: Any, viewer: Seat | None) -> None:
    """Play the same moves at both tables. They must show the viewer the same until it may tell them apart."""
    game, state = case.game, position.state
    for number in range(MOST_STATES_FOLLOWED):
        chance = position.chance(f"follow {viewer} {number}")
        if game.outcome(state) is not None:
            return
        seat = chance.pick(game.to_act(state))
        offers = game.offers(state, seat)
        move = read_move(game, fill(chance.pick(offers), chance))
        if not allowed(game.offers(twin, seat), move):
            return
        here = judge(game, state, seat, move, position.chance("play"), offers)
        there = judge(game, twin, seat, move, position.chance("play"))
        state, twin = fold(game, here, state), fold(game, there, twin)
        where = f"viewer {viewer} after {move} of seat {seat}: {position.where}"
        if not _may_look_alike(case, here, there, viewer):
            return
        if encode(game.view(state, viewer)) != encode(game.view(twin, viewer)):
            return
        assert shown(game, here, viewer) == shown(game, there, viewer), where
        _check_twins(case, state, twin, viewer, where)


def _may_look_alike(case: Case, here: tuple[Any, ...], there: tuple[Any, ...], viewer: Seat | None) -> bool:
    """Return whether the events may show the viewer the same.

    A game's test module has `only_in_event(event, viewer)` if a viewer sees things in events that are in no view.
    """
    seen = getattr(tables(case.game), "only_in_event", None)
    return seen is None or [seen(event, viewer) for event in here] == [seen(event, viewer) for event in there]


def shown(game: AnyGame, events: tuple[Any, ...], viewer: Seat | None) -> bytes:
    """Return the bytes that the viewer is sent of these events."""
    return encode([seen for event in events if (seen := game.show(event, viewer)) is not None])


@every_case
def test_a_secret_decision_looks_the_same_to_others_whatever_it_is(case: Case) -> None:
    for position in positions(case, 20):
        state, where = position
        for seat in case.game.to_act(state):
            moves = [_any_move(case, state, seat, position.chance(name)) for name in ("one", "other")]
            here, there = (judge(case.game, state, seat, move, position.chance("play")) for move in moves)
            after = [fold(case.game, events, state) for events in (here, there)]
            for viewer in {None, *range(case.seats)} - {seat}:
                views = [encode(case.game.view(one, viewer)) for one in after]
                if views[0] == views[1] and _may_look_alike(case, here, there, viewer):
                    alike = shown(case.game, here, viewer) == shown(case.game, there, viewer)
                    assert alike, f"viewer {viewer} can tell {moves} of seat {seat} apart: {where}"


def _any_move(case: Case, state: Any, seat: Seat, chance: Chance) -> Any:
    return read_move(case.game, fill(chance.pick(case.game.offers(state, seat)), chance))


def decided_at_once(case: Case) -> Iterator[tuple[Position, Seat, Seat]]:
    """Yield positions with two seats that may act at once, unless the rules make it a race."""
    for number in range(RECORDED):
        seed = seed_of(case, number)
        chance = Chance(f"{seed}/at once".encode(), 0)
        found = [step for step in recorded(case, number) if len(case.game.to_act(step.state)) > 1]
        for step in chance.shuffled(found)[:MOST_AT_ONCE]:
            limit = case.game.limit(step.state)
            if limit is None or limit.pause_ms is None:
                one, other = chance.shuffled(case.game.to_act(step.state))[:2]
                yield Position(step.state, f"seed {seed!r} entry {step.entry}"), one, other


def test_three_games_have_seats_that_decide_at_once() -> None:
    """So the next two tests check something."""
    found = {case.game.name for case in CASES if case.seats == 4 and any(decided_at_once(case))}
    assert found >= {"cheesonomics", "chesterfield", "diced_cheese"}


@every_case
def test_seats_that_decide_at_once_do_not_change_what_others_may_do(case: Case) -> None:
    for position, seat, other in decided_at_once(case):
        state, where = position
        move = _any_move(case, state, seat, position.chance("move"))
        after = fold(case.game, judge(case.game, state, seat, move, position.chance("play")), state)
        if other in case.game.to_act(after):
            now = case.game.offers(after, other)
            assert now == case.game.offers(state, other), f"{move} of seat {seat} changes seat {other}'s: {where}"


@every_case
def test_the_order_of_two_decisions_made_at_once_does_not_matter(case: Case) -> None:
    for position, one, other in decided_at_once(case):
        moves = {seat: _any_move(case, position.state, seat, position.chance(f"move {seat}")) for seat in (one, other)}
        ends = []
        for order in ((one, other), (other, one)):
            state = position.state
            for seat in order:
                if allowed(case.game.offers(state, seat), moves[seat]):
                    chance = position.chance(f"play {seat}")
                    state = fold(case.game, judge(case.game, state, seat, moves[seat], chance), state)
                else:
                    state = None
                    break
            ends.append(state)
        if None not in ends:
            assert ends[0] == ends[1], f"{moves}: {position.where}"


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_what_people_read_about_a_game_is_short_and_names_every_choice(game: AnyGame) -> None:
    about = game.about
    assert about is not None
    assert 0 < about.minutes[0] <= about.minutes[1]
    assert len(" ".join(about.how).split()) <= 70  # 20 seconds of reading
    choices = option_choices(game)
    assert set(about.choices) == set(choices)
    assert all(len(about.choices[name]) == len(values) for name, values in choices.items())
