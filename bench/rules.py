"""How many decisions a second one core makes by each game's rules alone: no network, no store, no server.

A decision is what a bot's move costs the rules: who may act, what is offered to that seat, an offer filled by chance,
the move judged by the offers, its events and the next state. Where the rules are compiled (`make compiled`), they are
measured that way too. `--peers` measures RLCard's UNO, in its own loop and move by move, and OpenSpiel's Crazy Eights
beside them, where they are installed.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from hashlib import sha256

from games import GAMES, core
from games.chance import Chance
from games.core import AnyGame, fill, fold, judge, read_move
from server.compiled import BUILD, PLACES

Play = Callable[[int], int]

COMPILED = "" if str(core.__file__).endswith(".py") else ", compiled"
MOST = 100_000  # decisions of one game before it is given up: every game ends


def play_out(game: AnyGame, seats: int, number: int) -> int:
    """One random game, from the deal to the end; how many decisions it took."""
    seed = sha256(f"bench {game.name} {number}".encode()).digest()
    luck = Chance(seed, 0)
    state = fold(game, game.setup(seats, game.options(), Chance(seed, 1)))
    for decisions in range(MOST):
        if game.outcome(state) is not None:
            return decisions
        seat = luck.pick(game.to_act(state))
        offers = game.offers(state, seat)
        move = read_move(game, fill(luck.pick(offers), luck))
        state = fold(game, judge(game, state, seat, move, Chance(seed, decisions + 2), offers), state)
    raise AssertionError(f"{game.name} did not end")


def per_second(play: Play, seconds: float) -> tuple[float, int, int]:
    """Decisions per second of CPU, how many there were, and in how many games."""
    play(0)
    decisions = games = 0
    began = time.process_time()
    while time.process_time() - began < seconds:
        games += 1
        decisions += play(games)
    return decisions / (time.process_time() - began), decisions, games


def rlcard_uno() -> Play:
    """Games of RLCard's UNO between its own random agents, in its own loop."""
    import rlcard
    from rlcard.agents import RandomAgent

    environment = rlcard.make("uno", config={"seed": 1})
    environment.set_agents([RandomAgent(environment.num_actions) for _ in range(environment.num_players)])

    def play(number: int) -> int:
        before: int = environment.timestep
        environment.run(is_training=False)
        return int(environment.timestep - before)

    return play


def rlcard_moves() -> Play:
    """Games of RLCard's UNO move by move, with a plain choice of the legal actions and none of its agents."""
    import rlcard

    environment, luck = rlcard.make("uno", config={"seed": 1}), random.Random(1)

    def play(number: int) -> int:
        before: int = environment.timestep
        state, _ = environment.reset()
        while not environment.is_over():
            state, _ = environment.step(luck.choice(list(state["legal_actions"])))
        return int(environment.timestep - before)

    return play


def open_spiel_eights() -> Play:
    """Random games of OpenSpiel's Crazy Eights with four players."""
    import pyspiel

    game, luck = pyspiel.load_game("crazy_eights(players=4)"), random.Random(1)

    def play(number: int) -> int:
        state = game.new_initial_state()
        decisions = 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(luck.choices(outcomes, weights)[0])
            else:
                state.apply_action(luck.choice(state.legal_actions()))
                decisions += 1
        return decisions

    return play


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=3.0, help="of CPU for each game")
    parser.add_argument("--peers", action="store_true")
    parser.add_argument("--rows", action="store_true", help="of these rules and nothing else")
    chosen = parser.parse_args()
    rows: list[tuple[str, Play]] = []
    for game in GAMES.values():
        seats = min(4, game.seats.stop - 1)
        rows.append((f"{game.title}, {seats} seats{COMPILED}", partial(play_out, game, seats)))
    if chosen.peers:
        rows.append(("RLCard, UNO, its own loop and random agents", rlcard_uno()))
        rows.append(("RLCard, UNO, move by move with a plain choice", rlcard_moves()))
        rows.append(("OpenSpiel, Crazy Eights (C++)", open_spiel_eights()))
    if not chosen.rows:
        print("| rules | decisions per second and core | per game |\n|---|---|---|", flush=True)
    for title, play in rows:
        rate, decisions, games = per_second(play, chosen.seconds)
        print(f"| {title} | {rate:,.0f} | {decisions / games:,.0f} |", flush=True)
    if not chosen.rows and BUILD.exists():
        again = [sys.executable, "-m", "bench.rules", "--rows", "--seconds", str(chosen.seconds)]
        subprocess.run(again, env=os.environ | PLACES, check=True)


if __name__ == "__main__":
    main()
