"""Decisions per second of each game's rules on one core, without network, store or server.

A decision is the work of the rules for one move of a bot: find who may act, build the offers, fill one at random, judge
the move, and compute its events and the next state. After `make compiled`, the compiled rules are measured as well.
`--peers` also measures RLCard's UNO, in its own loop and move by move, and OpenSpiel's Crazy Eights; both must be
installed.
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
from games.core import AnyGame, fold, judge, read_move
from games.offers import fill
from tools.compile import BUILD, ENVIRONMENT

Play = Callable[[int], int]

COMPILED = "" if str(core.__file__).endswith(".py") else ", compiled"
MAX_DECISIONS = 100_000  # in one game; every game ends before


def play_out(game: AnyGame, seats: int, number: int) -> int:
    """Play one random game to the end and return the number of decisions."""
    seed = sha256(f"bench {game.name} {number}".encode()).digest()
    luck = Chance(seed, 0)
    state = fold(game, game.setup(seats, game.options(), Chance(seed, 1)))
    for decisions in range(MAX_DECISIONS):
        if game.outcome(state) is not None:
            return decisions
        seat = luck.pick(game.to_act(state))
        offers = game.offers(state, seat)
        move = read_move(game, fill(luck.pick(offers), luck))
        state = fold(game, judge(game, state, seat, move, Chance(seed, decisions + 2), offers), state)
    raise AssertionError(f"{game.name} did not end")


def per_second(play: Play, seconds: float) -> tuple[float, int, int]:
    """Return the decisions per second of CPU, the number of decisions and the number of games."""
    play(0)
    decisions = games = 0
    began = time.process_time()
    while time.process_time() - began < seconds:
        games += 1
        decisions += play(games)
    return decisions / (time.process_time() - began), decisions, games


def rlcard_uno() -> Play:
    """Play RLCard's UNO with its own random agents, in its own loop."""
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
    """Play RLCard's UNO move by move, with a simple random choice instead of its agents."""
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
    """Play random games of OpenSpiel's Crazy Eights with four players."""
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
    parser.add_argument("--seconds", type=float, default=3.0, help="CPU seconds for each game")
    parser.add_argument("--peers", action="store_true", help="also measure RLCard and OpenSpiel")
    parser.add_argument("--rows", action="store_true", help="print only the rows of our games")
    chosen = parser.parse_args()
    rows: list[tuple[str, Play]] = []
    for game in GAMES.values():
        seats = min(4, game.seats.stop - 1)
        rows.append((f"{game.title}, {seats} seats{COMPILED}", partial(play_out, game, seats)))
    if chosen.peers:
        rows.append(("RLCard, UNO, its own loop and random agents", rlcard_uno()))
        rows.append(("RLCard, UNO, move by move with a simple random choice", rlcard_moves()))
        rows.append(("OpenSpiel, Crazy Eights (C++)", open_spiel_eights()))
    if not chosen.rows:
        print("| rules | decisions per second and core | per game |\n|---|---|---|", flush=True)
    for title, play in rows:
        rate, decisions, games = per_second(play, chosen.seconds)
        print(f"| {title} | {rate:,.0f} | {decisions / games:,.0f} |", flush=True)
    if not chosen.rows and BUILD.exists():
        again = [sys.executable, "-m", "bench.rules", "--rows", "--seconds", str(chosen.seconds)]
        subprocess.run(again, env=os.environ | ENVIRONMENT, check=True)


if __name__ == "__main__":
    main()
