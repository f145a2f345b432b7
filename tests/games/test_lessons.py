"""Every game has a lesson, and the rules allow what each lesson asks for."""

from __future__ import annotations

import msgspec
import pytest

from games import GAMES
from games.cheesedog.values import Escaped, Play
from games.lessons import LESSONS
from games.lessons.cheesedog import PLAYING
from games.lessons.script import Chapter, Lesson, LessonError, Step, show_lesson

READ_WORDS_PER_MINUTE = 200
MOVE_S = 3  # to find and press what is asked for


def test_the_five_games_have_lessons() -> None:
    ours = {"cheesedog", "cheesonomics", "chesterfield", "diced_cheese", "do_my_bidding"}
    assert ours <= LESSONS.keys() <= GAMES.keys()


@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_plays_through_the_rules_and_takes_less_than_four_minutes(name: str) -> None:
    chapters = show_lesson(GAMES[name], LESSONS[name])
    frames = [frame for chapter in chapters for frame in chapter.frames]
    words = sum(len(f"{frame.happened} {frame.say} {frame.task}".split()) for frame in frames)
    moves = sum(frame.want is not None for frame in frames)
    assert moves >= 5
    assert words / READ_WORDS_PER_MINUTE * 60 + moves * MOVE_S < 240
    for frame in frames:
        msgspec.convert(msgspec.to_builtins(frame.view), GAMES[name].views)
        assert frame.say or frame.task or frame.happened or frame.auto
        assert bool(frame.task) == (frame.want is not None)


def test_a_lesson_whose_move_the_rules_refuse_is_an_error() -> None:
    with pytest.raises(LessonError, match="DOG-4"):
        show(Step(task="Play a three.", do=Play(3, 1)))


def test_a_lesson_that_tells_what_does_not_happen_is_an_error() -> None:
    with pytest.raises(LessonError, match="Escaped is not among"):
        show(Step(task="Escape.", do=Play(5, 2), brings=(Escaped,)))
    with pytest.raises(LessonError, match="does not hold"):
        show(Step(task="Lose a card.", do=Play(5, 2), holds=lambda state: len(state.hands[0]) == 5))


def show(step: Step) -> None:
    """Play a lesson of this one step from the first position of Cheesedog's lesson."""
    show_lesson(GAMES["cheesedog"], Lesson((Chapter(title="a test", state=PLAYING.state, steps=(step,)),)))
