"""The simulation of Cheesedog follows the rules, and its players are rookies."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from bots.arena_table import view_and_offers
from bots.cheesedog import rookie
from bots.cheesedog_simulation import Decision, Simulation
from bots.offers import fill
from games import cheesedog
from games.chance import Chance
from games.cheesedog.values import MOST_TURNS, RANK, Play, State
from games.core import collect, fold, judge, read_move

GAME = collect(cheesedog)

DEALS = [(seats, deal) for seats in (3, 4, 7, 10) for deal in range(5)]


def start(seats: int, deal: int) -> State:
    state = fold(GAME, GAME.setup(seats, GAME.options(), Chance(bytes([deal]) * 32, 0)))
    assert isinstance(state, State)
    return state


def known(state: State) -> Simulation:
    """The simulation of a state, with the true cards."""
    return Simulation(
        [[sum(RANK[card] == rank for card in hand) for rank in range(15)] for hand in state.hands],
        [len(hand) for hand in state.hands],
        [[RANK[card] for card in row] for row in state.ups],
        [[RANK[card] for card in row if card] for row in state.downs],
        [RANK[card] for card in state.pile],
        state.direction,
        state.low,
        list(state.escaped),
        state.turn,
    )


def everything(table: Simulation) -> tuple[object, ...]:
    """All cards of a table, the direction, the demand and who has escaped."""
    cards = (table.hands, table.sizes, table.ups, table.downs, table.pile)
    return *cards, table.direction, table.low, table.escaped


def decisions(seats: int, deal: int) -> Iterator[tuple[State, dict[str, object], State]]:
    """A game with half rookie moves and half random moves: state, move and next state of each."""
    state, chance = start(seats, deal), random.Random(deal)
    while not state.result:
        view, offers = view_and_offers(GAME, state, state.turn)
        move = rookie(view, offers, chance) if chance.random() < 0.5 else fill(chance.choice(offers), chance)
        if move["type"] == "turn_over":
            move["place"] = offers[0]["fill"]["place"]["of"][-1]  # the simulation turns over the last one first
        before = state
        state = fold(GAME, judge(GAME, state, state.turn, read_move(GAME, move), Chance(bytes(32), 1)), state)
        yield before, move, state


@pytest.mark.parametrize(("seats", "deal"), DEALS)
def test_simulated_moves_have_the_effects_of_the_rules(seats: int, deal: int) -> None:
    for before, move, after in decisions(seats, deal):
        table = known(before)
        match move:
            case {"type": "play", "rank": int(rank), "count": int(count)}:
                turn = table.put(before.turn, rank, count)
            case {"type": "pick_up"}:
                turn = table.pick_up(before.turn)
            case _:
                turn = table.turn_over(before.turn)
        if after.turns == MOST_TURNS:
            return
        while len(table.escaped) < seats - 1 and not table.sizes[turn] and len(table.downs[turn]) == 1:
            turn = table.turn_over(turn)  # DOG-15, by itself
        assert everything(table) == everything(known(after))
        assert after.result or turn == after.turn


def test_a_seat_that_escapes_with_a_fourth_seven_skips_nobody() -> None:
    table = known(start(4, 1))
    table.hands[0], table.sizes[0], table.ups[0], table.downs[0] = [0] * 7 + [1] + [0] * 7, 1, [], []
    table.pile = [7, 7, 7]
    assert table.put(0, 7, 1) == 1
    assert table.escaped == [0]


@pytest.mark.parametrize(("seats", "deal"), DEALS)
def test_simulated_players_are_rookies(seats: int, deal: int) -> None:
    for state, _, _ in decisions(seats, deal):
        seat = state.turn
        move = read_move(GAME, rookie(*view_and_offers(GAME, state, seat), random.Random(1)))
        usual, simulated = known(state), known(state)
        if isinstance(move, Play):
            assert simulated.turn(seat) == usual.put(seat, move.rank, move.count)
        elif state.hands[seat]:
            assert simulated.turn(seat) == usual.pick_up(seat)
        assert not state.hands[seat] or everything(simulated) == everything(usual)


def test_only_hidden_cards_are_dealt() -> None:
    for state, _, _ in decisions(4, 3):
        view, true = view_and_offers(GAME, state, state.turn)[0], known(state)
        table, _ = Decision(view, ()).deal(random.Random(1))
        assert table.hands[state.turn] == true.hands[state.turn]
        assert [sum(hand) for hand in table.hands] == table.sizes == true.sizes
        assert [len(row) for row in table.downs] == [len(row) for row in true.downs]
        assert (table.ups, table.pile, table.low) == (true.ups, true.pile, true.low)
        assert cards(table) == cards(true)


def cards(table: Simulation) -> list[int]:
    """All cards in hands or face down, sorted."""
    held = [rank for hand in table.hands for rank, count in enumerate(hand) for _ in range(count)]
    return sorted(held + [rank for row in table.downs for rank in row])


def test_few_and_high_cards_are_the_safest() -> None:
    table = known(start(4, 1))
    table.ups, table.downs = [[], [], [], []], [[], [], [], [7]]
    table.hands = [[0] * 15 for _ in range(4)]
    table.hands[0][14], table.hands[1][3], table.hands[2][3], table.hands[3][3] = 1, 1, 2, 2
    table.sizes = [1, 1, 2, 2]
    ace, three, two_threes, and_one_down = (table.danger(seat) for seat in range(4))
    assert ace < three < two_threes < and_one_down
    table.escaped = [3]
    assert table.danger(3) == 0
