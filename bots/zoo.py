"""Every game as a PettingZoo environment, with the same rules: an optional extra, `cheeseboard[zoo]`.

    from bots.zoo import env
    table = env("cheesedog", seats=4)

An observation is the seat's view as it comes over the wire (msgpack, padded with zeros) and an action mask. An action
is the index of a legal move; `infos[agent]["moves"]` lists them. If there are more legal moves than actions, the
offers contribute to the list in turn. The reward comes at the end: 1 for the first place, -1 for the last, linear
between.
"""

from __future__ import annotations

import itertools
import secrets
from typing import Any, ClassVar

import msgspec
import numpy
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from games import GAMES
from games.chance import Chance
from games.core import fold, judge, read_move
from games.offers import fillings

ACTIONS = 256
VIEW_BYTES = 8192
Observation = dict[str, Any]


def env(game: str = "cheesedog", seats: int = 4, render_mode: str | None = None, **options: Any) -> Any:
    """The environment in PettingZoo's own wrapper, which checks the order of calls."""
    return wrappers.OrderEnforcingWrapper(Table(game, seats, render_mode, **options))


class Table(AECEnv[str, Observation, int]):  # type: ignore[misc]  # it has no types
    """One table after another. Seats that may act at the same time act in the order of their numbers."""

    metadata: ClassVar[dict[str, Any]] = {
        "name": "cheeseboard_v1",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def __init__(self, game: str, seats: int, render_mode: str | None = None, **options: Any) -> None:
        super().__init__()
        self.game = GAMES[game]
        if seats not in self.game.seats:
            raise ValueError(f"{self.game.title} has {self.game.seats.start} to {self.game.seats.stop - 1} seats")
        self.options = msgspec.convert(options, self.game.options)
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(seats)]
        self._state: Any = None
        self._seed = b""
        self._entry = 0
        self._moves: list[dict[str, Any]] = []
        self._observations = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0, 255, (VIEW_BYTES,), numpy.uint8),
                    "action_mask": spaces.Box(0, 1, (ACTIONS,), numpy.int8),
                }
            )
            for agent in self.possible_agents
        }
        self._actions = {agent: spaces.Discrete(ACTIONS) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Any:
        return self._observations[agent]

    def action_space(self, agent: str) -> Any:
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new table; the same seed gives the same deals and rolls."""
        self._seed = secrets.token_bytes(32) if seed is None else f"zoo {seed}".encode()
        self._entry = 0
        self.agents = self.possible_agents[:]
        self._state = fold(self.game, self.game.setup(len(self.agents), self.options, Chance(self._seed, 0)))
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._start_turn()

    def _start_turn(self) -> None:
        """Find the next agent and its legal moves."""
        seat = self.game.to_act(self._state)[0]
        self.agent_selection = self.possible_agents[seat]
        ways = [fillings(offer) for offer in self.game.offers(self._state, seat)]
        in_turn = itertools.chain.from_iterable(itertools.zip_longest(*ways))
        self._moves = list(itertools.islice((move for move in in_turn if move is not None), ACTIONS))
        self.infos[self.agent_selection] = {"moves": self._moves}

    def observe(self, agent: str) -> Observation:
        seat = self.possible_agents.index(agent)
        packed = msgspec.msgpack.encode(self.game.view(self._state, seat))
        if len(packed) > VIEW_BYTES:
            raise ValueError(f"a view of {len(packed)} bytes does not fit into {VIEW_BYTES}")
        view = numpy.zeros(VIEW_BYTES, numpy.uint8)
        view[: len(packed)] = numpy.frombuffer(packed, numpy.uint8)
        mask = numpy.zeros(ACTIONS, numpy.int8)
        if agent == self.agent_selection and not self.terminations.get(agent, True):
            mask[: len(self._moves)] = 1
        return {"observation": view, "action_mask": mask}

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None or not 0 <= action < len(self._moves):
            raise ValueError(f"action {action} is not one of the {len(self._moves)} legal moves: use the mask")
        seat = self.possible_agents.index(agent)
        self._cumulative_rewards[agent] = 0.0
        self._entry += 1
        move = read_move(self.game, self._moves[action])
        events = judge(self.game, self._state, seat, move, Chance(self._seed, self._entry))
        self._state = fold(self.game, events, self._state)
        self._clear_rewards()
        outcome = self.game.outcome(self._state)
        if outcome is None:
            self._start_turn()
        else:
            seats = len(self.possible_agents)
            for other, place in zip(self.possible_agents, outcome.places, strict=True):
                self.rewards[other] = 1 - 2 * (place - 1) / (seats - 1)
                self.terminations[other] = True
                self.infos[other] = {"place": place}
            self._accumulate_rewards()
            self._deads_step_first()
            return
        self._accumulate_rewards()

    def render(self) -> str | None:
        """The public view as text."""
        return str(self.game.view(self._state, None)) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Do nothing: no resources are held."""
