"""A house bot for any game, built on the contract of games/core.py alone.

It searches by Monte Carlo tree search with imagined states: each iteration imagines a state that fits the bot's view
(`imagine`), follows the most promising moves of every seat down the tree (`offers`, `play`), and continues with random
moves to the end, where every seat gets a score by its place (`outcome`). A rookie searches briefly, a master
longer. The number of simulated moves is fixed, not the time, so a seed chooses the same move on every machine.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from bots.budget import Budget
from bots.offers import Choose, Move, Offer, View
from games import GAMES
from games import offers as rules
from games.chance import Chance
from games.core import AnyGame, Outcome, Seat, fold, read_move
from games.offers import Choice, Range, Subset, count_fillings, fill, fillings
from protocol.messages import Level

SIMULATED_MOVES = {"rookie": 2_000, "master": 20_000}  # for one decision
MAX_ITERATIONS = {"rookie": 250, "master": 2_500}
MAX_COMPARED = 24  # moves of a seat in one iteration: of more legal ones, some are chosen at random
MAX_LISTED = 1_000  # fillings of an offer: of more, some are drawn at random
MAX_PLAYOUT = 400  # moves: an iteration that takes longer counts as a tie of all seats
EXPLORATION = 0.7  # weight of rarely made moves against moves with a good score


def generic_bot(game: str, level: Level, budget: Budget | None = None) -> Choose:
    """The `choose` of this level for a game that has no bot of its own."""
    if budget is None:
        budget = Budget(MAX_ITERATIONS[level])

    def choose(view: View, offers: list[Offer], chance: random.Random) -> Move:
        only = only_move(offers)
        if only is not None:
            return only
        root = _search(GAMES[game], level, budget, view, chance.randbytes(16))
        return max(root.children.values(), key=Node.value).move

    return choose


def only_move(offers: list[Offer]) -> Move | None:
    """The only legal move, or None if there is something to choose."""
    read = [_read_offer(raw) for raw in offers]
    return next(fillings(read[0])) if sum(map(count_fillings, read)) == 1 else None


def _read_offer(raw: Offer) -> rules.Offer:
    """An offer as the rules have it, from the map that comes over the wire."""
    return rules.Offer(raw["move"], {name: _read_blank(blank) for name, blank in raw["fill"].items()})


def _read_blank(raw: Any) -> Any:
    if not isinstance(raw, dict):
        return raw
    if "of" not in raw:
        return Range(raw["least"], raw["most"])
    of = tuple(raw["of"])
    return Choice(of) if "least" not in raw else Subset(of, raw["least"], raw["most"])


class Node:
    """A move in the search tree: how often it was possible, how often it was made, and its seat's scores after it."""

    __slots__ = ("children", "made", "move", "possible", "score")

    def __init__(self, move: Move) -> None:
        self.move = move
        self.possible = 0
        self.made = 0
        self.score = 0.0
        self.children: dict[tuple[Seat, bytes], Node] = {}

    def promise(self) -> float:
        """The upper confidence bound of the mean score; infinite for a move that was never made."""
        if not self.made:
            return math.inf
        return self.score / self.made + EXPLORATION * math.sqrt(math.log(self.possible) / self.made)

    def value(self) -> float:
        """The mean score, with one more tie: a move that was made rarely is not trusted much."""
        return (self.score + 0.5) / (self.made + 1)


def judge_any(game: str, view: View, budget: Budget, chance: random.Random) -> list[tuple[Move, float]]:
    """The moves with their values, the best first."""
    root = _search(GAMES[game], "master", budget, view, chance.randbytes(16))
    nodes = sorted(root.children.values(), key=Node.value, reverse=True)
    return [(node.move, node.value()) for node in nodes]


def _search(game: AnyGame, level: Level, budget: Budget, view: View, seed: bytes) -> Node:
    """The root of the tree after a search."""
    me: Seat = view["me"]
    known = msgspec.convert(view, game.views)
    root = Node({})
    simulated = 0
    meter = budget.start()
    while meter.take_deal() or not root.children:
        number = meter.deals
        state = game.imagine(known, me, Chance(seed, 2 * number))
        simulated += _iterate(game, root, state, me, Chance(seed, 2 * number + 1))
        enough = budget.cpu_s is None and simulated >= SIMULATED_MOVES[level]
        if enough and all(node.made for node in root.children.values()):
            break
    return root


def _iterate(game: AnyGame, root: Node, state: Any, seat: Seat, chance: Chance) -> int:
    """Play one game: in the tree by promise, below it at random. Returns the number of moves."""
    path: list[tuple[Seat, Node]] = []
    node: Node | None = root
    outcome: Outcome | None = None
    length = 0
    while outcome is None and length < MAX_PLAYOUT:
        if node is None:
            move = fill(chance.pick(game.offers(state, seat)), chance)
        else:
            child = _most_promising(node, seat, _some_moves(game.offers(state, seat), chance), chance)
            path.append((seat, child))
            node = child if child.made else None  # a new node is a leaf
            move = child.move
        state = fold(game, game.play(state, seat, read_move(game, move), chance), state)
        length += 1
        outcome = game.outcome(state)
        if outcome is None:
            seat = chance.pick(game.to_act(state))
    for mover, node in path:
        node.made += 1
        node.score += 0.5 if outcome is None else _score(outcome, mover)
    return length


def _most_promising(node: Node, seat: Seat, moves: Iterable[Move], chance: Chance) -> Node:
    found = []
    for move in moves:
        key = seat, msgspec.json.encode(move)
        child = node.children.get(key)
        if child is None:
            child = node.children[key] = Node(move)
        child.possible += 1
        found.append(child)
    best = max(map(Node.promise, found))
    return chance.pick([child for child in found if child.promise() == best])


def _some_moves(offers: Iterable[rules.Offer], chance: Chance) -> Iterator[Move]:
    """Fillings of the offers in turn, so that none is crowded out by another with more fillings."""
    by_offer = [_some_fillings(offer, chance) for offer in offers]
    in_turn = (move for moves in itertools.zip_longest(*by_offer) for move in moves if move is not None)
    return itertools.islice(in_turn, MAX_COMPARED)


def _some_fillings(offer: rules.Offer, chance: Chance) -> list[Move]:
    """The fillings of an offer; if there are many, the first, the last and some random ones between."""
    count = count_fillings(offer)
    if count > MAX_LISTED:
        return [fill(offer, chance) for _ in range(MAX_COMPARED)]
    listed = list(fillings(offer))
    if count <= MAX_COMPARED:
        return listed
    return [listed[0], listed[-1], *chance.shuffled(listed[1:-1])]


def _score(outcome: Outcome, seat: Seat) -> float:
    """The share of the other seats that this one has beaten; a tie counts half."""
    own = outcome.places[seat]
    others = [place for other, place in enumerate(outcome.places) if other != seat]
    return sum((place > own) + 0.5 * (place == own) for place in others) / max(1, len(others))
