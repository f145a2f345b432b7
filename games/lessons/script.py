"""Lessons that are played: a prepared position, what to do in it, and what that brings.

A lesson is data beside its game. `show_lesson` plays it through the rules of the game, so the page shows real views,
offers and events. A move that the rules refuse, or that does not bring the events that the text tells of, raises
LessonError.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from games.chance import Chance
from games.core import AnyGame, Seat, Value, fold, judge
from games.offers import Offer
from games.refusals import IllegalMove

LEARNER: Seat = 0
OTHERS = ("Colby", "Brie", "Edam")  # the names of the other seats


class LessonError(ValueError):
    """The rules do not allow what a lesson asks for, or it does not bring what the lesson tells."""


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One idea: what the page says, the learner's move, the moves of other seats after it, and what has happened then.

    `say` explains and `task` names the move; without `do`, the learner reads and goes on. `brings` are the events that
    must follow, in this order; others may lie between them. `holds` checks what the text says of the position then.
    `seed` decides what chance brings.
    """

    say: str = ""
    task: str = ""
    do: Value | None = None
    hint: str = ""  # said if the learner tries something else; without it, `task` is enough
    others: tuple[tuple[Seat, Value], ...] = ()
    then: str = ""
    brings: tuple[type[Value], ...] = ()
    holds: Callable[[Any], bool] | None = None
    seed: str = ""


class Chapter(msgspec.Struct, frozen=True, kw_only=True):
    """A position and the steps from there."""

    title: str
    state: Value
    steps: tuple[Step, ...]
    seats: int = 3
    options: dict[str, Any] = {}


class Lesson(msgspec.Struct, frozen=True):
    """The lesson of a game."""

    chapters: tuple[Chapter, ...]


class Frame(msgspec.Struct, frozen=True):
    """The table at one moment of a lesson, as the learner sees it, and what the page says.

    `want` is the move that leads to the next frame. Without it the learner reads and goes on, or, if `auto`, the page
    goes on by itself.
    """

    view: Any
    events: tuple[Any, ...]
    seat: Seat | None
    acting: tuple[Seat, ...]
    offers: tuple[Offer, ...]
    asides: tuple[Offer, ...]
    result: Any
    happened: str
    say: str
    task: str
    hint: str
    want: Any
    auto: bool


class ShownChapter(msgspec.Struct, frozen=True):
    """A chapter as the page plays it."""

    title: str
    names: tuple[str, ...]
    options: dict[str, Any]
    frames: tuple[Frame, ...]


def show_lesson(game: AnyGame, lesson: Lesson) -> tuple[ShownChapter, ...]:
    """Play a lesson through the rules of its game, and return everything that the page shows of it."""
    return tuple(_Play(game, chapter).shown() for chapter in lesson.chapters)


class _Play:
    """Plays one chapter."""

    def __init__(self, game: AnyGame, chapter: Chapter) -> None:
        self._game = game
        self._chapter = chapter
        self._state: Any = chapter.state
        self._frames: list[Frame] = []

    def shown(self) -> ShownChapter:
        events: tuple[Any, ...] = ()
        actor: Seat | None = None
        happened = ""
        for step in self._chapter.steps:
            self._frame(events, actor, happened=happened, step=step)
            events, actor, happened = (), None, ""
            if step.do is not None:
                events, actor = self._moves(step)
                happened = step.then
        if events or happened:
            self._frame(events, actor, happened=happened)
        names = ("You", *OTHERS)[: self._chapter.seats]
        return ShownChapter(self._chapter.title, names, self._chapter.options, tuple(self._frames))

    def _moves(self, step: Step) -> tuple[tuple[Any, ...], Seat]:
        """Make the moves of a step, with a frame between two of them. Return the last events and their seat."""
        moves = ((LEARNER, step.do), *step.others)
        brought: list[Any] = []
        events: tuple[Any, ...] = ()
        for number, (seat, move) in enumerate(moves):
            if number:
                self._frame(events, moves[number - 1][0], auto=True)
            events = self._move(step, seat, move, number)
            brought += events
        self._check(step, brought)
        return events, moves[-1][0]

    def _move(self, step: Step, seat: Seat, move: Any, number: int) -> tuple[Any, ...]:
        try:
            events = judge(self._game, self._state, seat, move, Chance(step.seed.encode(), number))
        except IllegalMove as refused:
            raise LessonError(f"{self._chapter.title}, {step.task!r}: {move} of seat {seat}: {refused}") from refused
        self._state = fold(self._game, events, self._state)
        return events

    def _check(self, step: Step, brought: list[Any]) -> None:
        kinds = iter([type(event) for event in brought])
        for wanted in step.brings:
            if wanted not in kinds:  # this takes from the iterator up to the wanted one
                told = [type(event).__name__ for event in brought]
                raise LessonError(f"{self._chapter.title}, {step.task!r}: {wanted.__name__} is not among {told}")
        if step.holds is not None and not step.holds(self._state):
            raise LessonError(f"{self._chapter.title}, {step.task!r}: what it says does not hold")

    def _frame(
        self,
        events: tuple[Any, ...],
        seat: Seat | None,
        happened: str = "",
        step: Step | None = None,
        auto: bool = False,
    ) -> None:
        game, state = self._game, self._state
        outcome = game.outcome(state)
        acting = () if outcome else game.to_act(state)
        frame = Frame(
            view=game.view(state, LEARNER),
            events=tuple(one for event in events if (one := game.show(event, LEARNER)) is not None),
            seat=seat,
            acting=acting,
            offers=game.offers(state, LEARNER) if LEARNER in acting else (),
            asides=game.asides(state, LEARNER),
            result=outcome,
            happened=happened,
            say=step.say if step else "",
            task=step.task if step else "",
            hint=step.hint if step else "",
            want=step.do if step else None,
            auto=auto,
        )
        self._frames.append(frame)
