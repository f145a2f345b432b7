"""The lesson of Cheesedog."""

from __future__ import annotations

from games.cheesedog.values import (
    Cleared,
    Demanded,
    Escaped,
    PickedUp,
    PickUp,
    Play,
    Reversed,
    Skipped,
    State,
    TookUp,
    TurnedOver,
    TurnOver,
)
from games.lessons.script import Chapter, Lesson, Step

DOWNS = ("4c", "9d", "Js", "3d")
UPS = (("6c", "Jd", "Kc", "Ah"), ("7d", "Qd", "Ac", "5s"), ("Th", "Jc", "9c", "Kh"))

PLAYING = Chapter(
    title="Get rid of your cards",
    state=State(
        dealer=2,
        hands=(
            ("2s", "3c", "5c", "5d", "7h", "Ts"),
            ("3h", "3s", "4d", "6d", "6h", "Jh", "Qs", "Qh"),
            ("3d", "6s", "8c", "9h", "Ks", "Kd"),
        ),
        ups=UPS,
        downs=(DOWNS, ("8d", "7s", "2c", "4h"), ("8h", "Ad", "7c", "Qc")),
        turn=0,
        pile=("4s",),
    ),
    steps=(
        Step(
            say="Get rid of all your cards; whoever still has some at the end is the Cheesedog. Play cards of one "
            "rank, as high as the top of the pile or higher. A 4 is on top.",
            task="Play both of your 5s.",
            do=Play(5, 2),
            hint="That is possible, but play both 5s now: choose a 5, then “Both”.",
            others=((1, Play(6, 1)), (2, Play(13, 1))),
            then="Two cards fewer. Colby put a 6 on your 5s, and Brie a king.",
        ),
        Step(
            say="A king is on top. Your hand goes first, and has nothing that high. But a 2 goes on anything, and "
            "anything goes on a 2.",
            task="Play your 2.",
            do=Play(2, 1),
            others=((1, Play(4, 1)), (2, Play(8, 1))),
            then="After your 2 a 4 was high enough. Then Brie played an 8.",
            brings=(Demanded,),
        ),
        Step(
            say="After an 8 you play 8 or lower. Your 7 fits, and it does more: every 7 skips a player.",
            task="Play the 7.",
            do=Play(7, 1),
            hint="That would fit too. Play the 7 to see whom it skips.",
            others=((2, Play(9, 1)), (1, Play(11, 1))),
            then="Colby was skipped. Brie's 9 turned the direction of play, so Colby came next, with a jack.",
            brings=(Skipped, Reversed),
        ),
        Step(
            say="A jack is on top. Neither your 3 nor your 10 is high enough. If nothing fits, you take the whole "
            "pile.",
            task="Pick up the pile.",
            do=PickUp(),
            others=((2, Play(3, 1)), (1, Play(3, 2))),
            then="You took 11 cards. Brie started a new pile with a 3, and Colby put two more on it.",
            brings=(PickedUp,),
            holds=lambda state: len(state.hands[0]) == 13 and len(state.pile) == 3,
        ),
        Step(
            say="Three 3s lie on top. Four of one rank in a row clear the pile, whoever played them.",
            task="Play your 3.",
            do=Play(3, 1),
            then="The pile is gone. Whoever clears it plays again at once.",
            brings=(Cleared,),
        ),
        Step(
            task="Start the new pile with your two 5s.",
            do=Play(5, 2),
            hint="Anything goes on an empty pile. Play both 5s here.",
            others=((2, Play(6, 1)), (1, Play(6, 1))),
            then="Both played a 6.",
        ),
        Step(
            say="A 10 clears the pile too, wherever it may be played. On a 6 it may.",
            task="Play your 10.",
            do=Play(10, 1),
            hint="That fits, but the 10 clears the pile and gives you another turn.",
            then="Cleared, and it is your turn again. Keep your 2s and 10s for bad moments.",
            brings=(Cleared,),
        ),
    ),
)

ESCAPING = Chapter(
    title="The last cards",
    state=State(
        dealer=2,
        hands=(("Qd",), ("6s", "Jd", "Kd", "7s", "4d"), ("8s", "Qc", "3h")),
        ups=(("6c", "6d"), (), ()),
        downs=(("5c", None, None, "As"), ("8d", "7c", None, None), (None, "Ad", None, "3c")),
        turn=0,
        pile=("9d", "Jh"),
        discard=("2c", "2d", "Tc"),
    ),
    steps=(
        Step(
            say="Your hand is nearly empty. Beside it lie your face-up cards, and cards that nobody has seen.",
            task="Play your last card in hand, the queen.",
            do=Play(12, 1),
            others=((1, Play(13, 1)), (2, PickUp())),
            then="With an empty hand you took up your face-up cards. Brie had nothing for Colby's king and took the "
            "pile.",
            brings=(TookUp, PickedUp),
        ),
        Step(
            say="The pile is empty, so anything goes.",
            task="Play both 6s.",
            do=Play(6, 2),
            hint="Play both 6s: choose a 6, then “Both”.",
            others=((1, Play(6, 1)), (2, Play(8, 1))),
            then="Colby added a 6. Brie's 8 asks for 8 or lower.",
            brings=(Demanded,),
        ),
        Step(
            say="Only hidden cards are left. Choose one blindly: if it fits, it stays on the pile; if not, you take "
            "the pile and that card.",
            task="Turn over the left one.",
            do=TurnOver(0),
            hint="Any of them could be good. Take the left one here.",
            others=((1, Play(11, 1)), (2, Play(12, 1))),
            then="A 5, low enough. Then came a jack and a queen, and your very last card turned over by itself: an "
            "ace, higher than the queen. You have escaped!",
            brings=(TurnedOver, TurnedOver, Escaped),
            holds=lambda state: state.escaped == (0,),
        ),
        Step(
            say="The others play on. Nobody wants to be the last one with cards: that is the Cheesedog. Now you know "
            "it all."
        ),
    ),
)

LESSON = Lesson((PLAYING, ESCAPING))
