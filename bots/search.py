"""The search of all masters: information-set Monte Carlo tree search with paired deals at the root.

A game gives the search a Model: the options of the decision at hand (moves, or groups of moves such as "bid up to
$8"), and imagined tables that fit what the seat has seen. Each imagined deal is played once for every option that is
still in the race, with the same chance, so that luck cancels out. An option that is clearly behind the best one
leaves the race, and the search ends when one is left or the budget is used up.

Below the root the seat's own later decisions form a tree. Its nodes are shared by all deals, because the seat cannot
tell them apart, and are chosen by an upper confidence bound among the options that the deal allows. Other seats follow
the model's policy. Where the tree ends, the model plays on to its cut-off and judges the position.
"""

from __future__ import annotations

import math
import random
from collections.abc import Hashable, Sequence
from typing import Protocol

from bots.budget import Budget

STEP = 6  # deals between two looks at who is behind
BEHIND = 2.0  # standard errors behind the best option that end an option's race
EVEN = 0.002  # of the value: options whose difference is surely smaller than this are equally good
GROWN = 3  # visits of a node before the tree grows below it
EXPLORATION = 0.35  # weight of rarely chosen options against options with a good value

Option = Hashable


class Position(Protocol):
    """One imagined table. It changes as it is played."""

    def copy(self) -> Position:
        """The same position, to be played apart from this one."""

    def options(self) -> Sequence[Option]:
        """What the seat can do at its next decision, the policy's choice first; empty if the game is over."""

    def advance(self, option: Option, chance: random.Random) -> Hashable:
        """Do this, and let the others play until the seat decides again or the game ends.

        Returns what came of it: options of the decision at hand with the same result are played on once in a deal.
        """

    def value(self, chance: random.Random) -> float:
        """Play on by the policy to the cut-off, and judge: 0 is the worst for the seat, 1 the best."""


class Model(Protocol):
    """A decision of one seat, as the search sees it."""

    def options(self) -> Sequence[Option]:
        """What is compared, the policy's choice first."""

    def deal(self, chance: random.Random) -> tuple[Position, float]:
        """An imagined table and its weight: how well it explains what the others have done."""


class Node:
    """A choice in the tree: how often it was possible, how often it was made, and the sum of the values after it."""

    __slots__ = ("children", "made", "possible", "total")

    def __init__(self) -> None:
        self.possible = 0
        self.made = 0
        self.total = 0.0
        self.children: dict[Option, Node] = {}


class Runner:
    """An option of the decision at hand, with its weighted values."""

    def __init__(self, option: Option) -> None:
        self.option = option
        self.node = Node()
        self.values: list[float] = []
        self.mean = 0.0


def search(model: Model, budget: Budget, chance: random.Random) -> list[tuple[Option, float]]:
    """The options with their values, the best first. Values of options that left the race early are rough."""
    runners = [Runner(option) for option in model.options()]
    racing, weights = list(runners), list[float]()
    meter, playing = budget.start(), random.Random()
    while len(racing) > 1 and meter.take_deal():
        dealt, weight = model.deal(chance)
        weights.append(weight)
        seed = chance.getrandbits(32)
        known: dict[Hashable, float] = {}
        for runner in racing:
            playing.seed(seed)
            position = dealt.copy()
            result = position.advance(runner.option, playing)
            if result not in known:
                known[result] = _descend(runner.node, position, budget.depth, playing)
            runner.values.append(known[result])
        if len(weights) % STEP == 0:
            racing = _still_racing(racing, weights)
    for runner in runners:
        runner.mean = _mean(runner.values, weights)
    first = {id(runner): place for place, runner in enumerate(runners)}
    alive = {id(runner) for runner in racing}
    runners.sort(key=lambda one: (id(one) not in alive, -one.mean, first[id(one)]))
    return [(runner.option, runner.mean) for runner in runners]


def _mean(values: Sequence[float], weights: Sequence[float]) -> float:
    total = sum(weights[: len(values)])
    return sum(map(float.__mul__, values, weights)) / total if total else 0.5


def _still_racing(racing: list[Runner], weights: Sequence[float]) -> list[Runner]:
    """The runners that may still be the best; one of them if all are equally good."""
    for runner in racing:
        runner.mean = _mean(runner.values, weights)
    best = max(racing, key=lambda one: one.mean)
    kept, open_race = [best], False
    for runner in racing:
        if runner is best:
            continue
        behind = best.mean - runner.mean
        error = _error(best, runner, behind, weights)
        if behind <= BEHIND * error:
            kept.append(runner)
            open_race = open_race or behind + BEHIND * error > EVEN
    return kept if open_race else [best]


def _error(best: Runner, other: Runner, behind: float, weights: Sequence[float]) -> float:
    """The standard error of the mean difference, as if one more deal had gone the other way."""
    total = sum(weights)
    if not total:
        return 1.0
    squares = sum(
        weight * (mine - yours - behind) ** 2
        for weight, mine, yours in zip(weights, best.values, other.values, strict=True)
    )
    effective = total * total / sum(weight * weight for weight in weights)
    return math.sqrt((squares / total + 0.01 / effective) / effective)


def _descend(node: Node, position: Position, depth: int, chance: random.Random) -> float:
    """Play one deal from below the root to its value, and remember the value on the way."""
    path = [node]
    while len(path) < depth and path[-1].made >= GROWN:
        options = position.options()
        if not options:
            break
        child, option = _most_promising(path[-1], options)
        position.advance(option, chance)
        path.append(child)
    value = position.value(chance)
    for node in path:
        node.made += 1
        node.total += value
    return value


def _most_promising(node: Node, options: Sequence[Option]) -> tuple[Node, Option]:
    best, found = -1.0, None
    fresh: tuple[Node, Option] | None = None  # the policy's first choice among options that were never made
    for option in options:
        child = node.children.get(option)
        if child is None:
            child = node.children[option] = Node()
        child.possible += 1
        if not child.made:
            fresh = fresh or (child, option)
            continue
        promise = child.total / child.made + EXPLORATION * math.sqrt(math.log(child.possible) / child.made)
        if promise > best:
            best, found = promise, (child, option)
    chosen = fresh or found
    assert chosen
    return chosen
