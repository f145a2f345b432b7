"""What a seat remembers beyond its view: cards that it saw go into other hands, and what the others' moves tell.

A memory is fed with the events that the seat saw, as maps. It is plain data, so it can be sent to a worker.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol

from games.cheesedog.values import RANK
from games.cheesonomics.pieces import ANIMAL, ANIMALS

Event = dict[str, Any]
PASSED = 0.4  # how likely a seat that did not play its lowest cards is to have held a lower rank


class Memory(Protocol):
    """The memory of one seat in one game."""

    def see(self, event: Event) -> None:
        """Remember what this event tells."""


class CheesedogMemory:
    """Cards that were seen to go into each hand, and how likely each rank is among the other cards of the hand."""

    def __init__(self) -> None:
        self.known: list[list[str]] = []
        self.odds: list[list[float]] = []
        self._pile: list[str] = []
        self._low = False

    def see(self, event: Event) -> None:
        match event["type"]:
            case "dealt":
                self.known = [[] for _ in event["hands"]]
                self.odds = [[1.0] * 15 for _ in event["hands"]]
            case "played":
                self._play(event["seat"], event["cards"])
            case "turned_over":
                self._pile.append(event["card"])
                self._low = RANK[event["card"]] == 8
            case "picked_up":
                self._pick_up(event["seat"], event["cards"])
            case "took_up":
                self.known[event["seat"]] += event["cards"]
            case "cleared":
                self._pile, self._low = [], False

    def _legal(self) -> range:
        """The ranks that may be played now, without the 2 and the 10."""
        if not self._pile:
            return range(3, 15)
        return range(3, 9) if self._low else range(RANK[self._pile[-1]], 15)

    def _play(self, seat: int, cards: list[str]) -> None:
        rank = RANK[cards[0]]
        for lower in self._legal():
            if lower < rank and lower != 10 and rank not in (2, 10):
                self.odds[seat][lower] *= PASSED
        for card in cards:
            if card in self.known[seat]:
                self.known[seat].remove(card)
        self._pile += cards
        self._low = rank == 8

    def _pick_up(self, seat: int, cards: list[str]) -> None:
        """DOG-5: a seat that picks up had nothing to play, unless a card that it turned over did not fit."""
        if len(cards) == len(self._pile) and self._pile:
            for rank in self._legal():
                if rank != 10 or (not self._low and RANK[self._pile[-1]] <= 10):
                    self.odds[seat][rank] = 0.0
            self.odds[seat][2] = 0.0
        self.known[seat] += cards
        self._pile, self._low = [], False


class ChesterfieldMemory:
    """The cards that each seat has bought and still holds, and whether seats have had a chance to lay down sets."""

    def __init__(self) -> None:
        self.known: list[list[str]] = []
        self.laid = False

    def see(self, event: Event) -> None:
        match event["type"]:
            case "dealt":
                self.known = [[] for _ in event["hands"]]
            case "sold":
                self.known[event["seat"]].append(event["card"])
            case "cashed_in":
                self._lose(event["seat"], event["cards"])
            case "action_played":
                self._lose(event["seat"], [event["card"]])
            case "laid":
                self._lose(event["seat"], [event["cheese"]] * event["cards"] + ["Cheddar"] * event["cheddar"])
            case "melted":
                self._lose(event["seat"], ["Gruyere"])
            case "finished":
                self.laid = True
            case "upkeep_revealed":
                for seat, cards in enumerate(event["discards"]):
                    self._lose(seat, cards)

    def _lose(self, seat: int, cards: list[str]) -> None:
        for card in cards:
            if card in self.known[seat]:
                self.known[seat].remove(card)


class CheesonomicsMemory:
    """What each seat has sold of each animal, and the wedges that this seat knows in other hands."""

    def __init__(self) -> None:
        self.sold: list[list[int]] = []
        self.known: list[list[str]] = []

    def see(self, event: Event) -> None:
        match event["type"]:
            case "dealt":
                self.sold = [[0] * len(ANIMALS) for _ in event["hands"]]
                self.known = [[] for _ in event["hands"]]
            case "sold":
                for wedge in event["wedges"]:
                    self.sold[event["seat"]][ANIMALS.index(ANIMAL[wedge])] += 1
            case "churned":
                for seat in (event["seat"], *event["matching"], *event["showing"]):
                    self.known[seat] = []  # what they give is not seen
            case "collected":
                self.known = [list(hand or known) for hand, known in zip(event["shown"], self.known, strict=True)]
            case "took_shown" if event["wedge"] in self.known[event["giver"]]:
                self.known[event["giver"]].remove(event["wedge"])
            case "gave_back" if event["wedge"] is not None:
                self.known[event["receiver"]].append(event["wedge"])
            case "produced":
                for wedge in event["wedges"]:
                    if wedge in self.known[event["seat"]]:
                        self.known[event["seat"]].remove(wedge)


MEMORIES: dict[str, type[CheesedogMemory] | type[ChesterfieldMemory] | type[CheesonomicsMemory]] = {
    "chesterfield": ChesterfieldMemory,
    "cheesedog": CheesedogMemory,
    "cheesonomics": CheesonomicsMemory,
}


def recall(game: str, events: Iterable[Event]) -> Memory | None:
    """The memory of a seat that has seen all these events; None if masters of the game need none."""
    if game not in MEMORIES:
        return None
    memory = MEMORIES[game]()
    for event in events:
        memory.see(event)
    return memory
