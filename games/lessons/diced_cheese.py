"""The lesson of Diced Cheese."""

from __future__ import annotations

from collections import Counter

from games.diced_cheese.dice import FRESH, Dice, Die, Face, Where
from games.diced_cheese.events import Fetched, Finished, Read, RoundWon, TurnPassed
from games.diced_cheese.moves import Fetch, Roll
from games.diced_cheese.table import LastRoll, State
from games.lessons.script import LEARNER, Chapter, Lesson, Step

SPOTS = ((140, 820), (420, 170), (650, 760), (880, 330), (240, 300), (520, 560), (720, 120), (930, 640))


def _set(*dice: tuple[Face | None, Where]) -> Dice:
    return tuple(Die(face, (n * 97) % 360, *SPOTS[n], where) for n, (face, where) in enumerate(dice))


GOAT: tuple[Face, Where] = ("goat", "wheel")
TOWER: tuple[Face, Where] = ("tower", "standing")
NONE = (None, None, None)


def _faces(state: State) -> dict[str | None, int]:
    return dict(Counter(die.face for die in state.dice[0]))


def _available(state: State) -> int:
    return sum(die.where == "available" for die in state.dice[0])


WHEEL = Chapter(
    title="Fill the wheel",
    options={"variant": "classic", "mishaps": True},
    state=State(
        variant="classic",
        mishaps=False,
        wins=(1, 1, 2),
        dice=(FRESH,),
        rolls=(0, 0, 0),
        needed=NONE,
        last=(None,),
        phase="roll",
        round=5,
        turn=0,
    ),
    steps=(
        Step(
            say="The eight dice are wedges of cheese, and all players fill one wheel. Whoever puts in the eighth die "
            "wins the round.",
            task="It is your turn: roll.",
            do=Roll(),
            then="The goats went into the wheel and stay there. The quesos are rolled again. The tower keeps your "
            "turn alive, and the no-goudas are out for now.",
            brings=(Read,),
            holds=lambda state: _faces(state) == {"goat": 3, "queso": 2, "no_gouda": 2, "tower": 1},
            seed="roll 7",
        ),
        Step(
            task="Roll the two quesos again.",
            do=Roll(),
            then="No queso is left, but the tower still stands: so you roll everything that is not in the wheel.",
            brings=(Read,),
            holds=lambda state: _available(state) == 4 and state.turn == LEARNER,
            seed="again 5",
        ),
        Step(
            task="Roll the four dice that are left.",
            do=Roll(),
            others=((1, Roll()),),
            then="Only a no-gouda was left, so your turn failed. The last die points at the player who goes on: at "
            "Colby. Colby failed too, and the die points at you!",
            brings=(Read, TurnPassed, Read, TurnPassed),
            holds=lambda state: _available(state) == 1 and state.turn == LEARNER,
            seed="point 346",
        ),
        Step(
            say="Seven dice are in the wheel, and it is your turn. A goat would win the round.",
            task="Roll!",
            do=Roll(),
            then="A goat! The wheel is full and the round is yours. Three rounds win the game.",
            brings=(RoundWon,),
            holds=lambda state: state.wins[LEARNER] == 2,
            seed="win 3",
        ),
    ),
)

MISHAPS = Chapter(
    title="Towers and mishaps",
    options={"variant": "classic", "mishaps": True},
    state=State(
        variant="classic",
        mishaps=True,
        wins=(2, 1, 2),
        dice=(_set(GOAT, GOAT, TOWER, TOWER, TOWER, TOWER, ("no_gouda", "thrown"), (None, "fallen")),),
        rolls=(3, 0, 0),
        needed=NONE,
        last=(LastRoll(0, (6, 7)),),
        phase="fetch",
        round=6,
        turn=0,
    ),
    steps=(
        Step(
            say="Sometimes a die falls off the table. In a game you have five seconds to fetch it, or your roll does "
            "not count; here you have all the time you want.",
            task="Fetch it.",
            do=Fetch(),
            then="A fifth tower! Five towers win the round at once, however full the wheel is. That was your third "
            "round: you have won.",
            brings=(Fetched, RoundWon),
            holds=lambda state: state.result.places[LEARNER] == 1,
            seed="fetch 1",
        ),
    ),
)

TOWERS = Chapter(
    title="The variants",
    options={"variant": "towers", "mishaps": True},
    state=State(
        variant="towers",
        mishaps=False,
        wins=(0, 0, 0),
        dice=(
            _set(*(TOWER,) * 6, ("goat", "available"), ("queso", "available")),
            _set(*(TOWER,) * 5, ("goat", "available"), ("queso", "available"), ("queso", "available")),
            _set(*(TOWER,) * 7, ("no_gouda", "available")),
        ),
        rolls=(14, 15, 15),
        needed=NONE,
        last=(LastRoll(0, (6, 7)), LastRoll(1, (5, 6, 7)), LastRoll(2, (7,))),
        phase="race",
        round=1,
        racing=(0, 1, 2),
    ),
    steps=(
        Step(
            say="In Towers of Eight everybody has dice of their own, and only towers stay. The fewest rolls for eight "
            "towers win. You have rolled 14 times and need two more towers.",
            task="Roll.",
            do=Roll(),
            then="Both stand: eight towers with 15 rolls. Colby and Brie have rolled 15 times too and cannot do "
            "better.",
            brings=(Finished,),
            holds=lambda state: state.result.places == (1, 2, 2),
            seed="towers 25",
        ),
        Step(
            say="In Speed Cheese everybody rolls at once for a wheel of their own. Only no-goudas outside the wheel? "
            "Then you start over. The first full wheel, or five towers, wins the round."
        ),
    ),
)

LESSON = Lesson((WHEEL, MISHAPS, TOWERS))
