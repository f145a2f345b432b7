"""The lesson of Cheesonomics."""

from __future__ import annotations

from games.cheesonomics.events import (
    Churned,
    Collected,
    Drew,
    Flipped,
    GaveBack,
    Produced,
    Protected,
    Replaced,
    Sold,
    SwapNamed,
    Swapped,
    Took,
    TookShown,
)
from games.cheesonomics.moves import (
    Churn,
    Exchange,
    Flip,
    Give,
    GiveBack,
    Produce,
    Replace,
    Sell,
    SwapSeat,
    Take,
    TakeShown,
)
from games.cheesonomics.phases import Turn
from games.cheesonomics.pieces import prices, tidy
from games.cheesonomics.table import State
from games.lessons.script import Chapter, Lesson, Step

# The sides of the market wedges that lie in the three wheels: up, down
LAID = (
    ("red+", "orange"), ("orange", "yellow"), ("yellow", "green"), ("green", "blue"), ("blue", "orange+"),
    ("orange", "green+"), ("red", "blue"), ("yellow", "blue+"), ("green", "orange"), ("blue", "yellow"),
    ("yellow+", "green"), ("orange", "blue"), ("green", "yellow"), ("blue", "green"), ("orange", "yellow"),
)  # fmt: skip
LEFT = (
    "red/blue+",
    "red/green",
    "red/orange",
    "green+/blue",
    "orange+/yellow",
    "red+/green",
    "red/yellow",
    "red/yellow+",
)


def _state(hands: tuple[tuple[str, ...], ...], wheels: tuple[str, ...], sharp: bool = False) -> State:
    """A position of three seats at the start of the learner's turn."""
    return State(
        sharp=sharp,
        start=2,
        knives=("Edam", "feta", "cheddar"),
        tray=(None, None, None),
        hands=tuple(map(tidy, hands)),
        pile=("reindeer-green", "cow-orange", "sheep-blue", "goat-yellow", "yak-orange", "yak-yellow") * 4,
        out=("yak-blue",) * 40,
        wheels=(tidy(wheels), ("yak-green",), ()),
        sold=((), (), ()),
        curds=(0, 3, 2),
        market=tuple(up for up, _ in LAID),
        downs=tuple(down for _, down in LAID),
        supplies=(tidy(LEFT[:3]), tidy(LEFT[3:6]), ("red/orange", "red/yellow", "yellow/green"))
        if sharp
        else ((), (), ()),
        discard=tidy(LEFT[6:]) if sharp else (),
        spare=() if sharp else LEFT,
        turn=0,
        phase=Turn(),
        gifts=(None, None, None),
    )


MILD = Chapter(
    title="Churn, produce, sell",
    options={"variant": "mild"},
    state=_state(
        hands=(
            ("cow-red", "yak-red", "sheep-yellow", "goat-green", "cow-blue"),
            ("cow-red*", "sheep-green", "yak-orange", "sheep-orange", "goat-blue"),
            ("goat-red", "goat-yellow", "sheep-blue", "yak-green", "reindeer-blue"),
        ),
        wheels=(),
    ),
    steps=(
        Step(
            say="You sell cheese for curds, and most curds win. On a turn you churn, produce or sell. Churning gets "
            "you wedges of one kind: name a colour or an animal; everybody gives you one, or shows you their hand.",
            task="Choose the cow on the tray, and churn cows.",
            do=Churn("cow"),
            hint="Choose the cow on the tray, then “Churn cows”.",
            others=((1, Give("cow-red*")),),
            then="Colby gave you a red cow. Brie has no cow and must show you the whole hand.",
            brings=(Churned, Collected),
        ),
        Step(
            say="You may take any wedge from Brie's hand. You hold two red ones and got a third.",
            task="Take the red goat.",
            do=TakeShown(2, "goat-red"),
            hint="Choose Brie's red goat, then “Take”.",
            then="Nobody has fewer wedges after a churn: now you give one back to each.",
            brings=(TookShown,),
        ),
        Step(
            task="Give Colby your yellow sheep.",
            do=GiveBack(1, "sheep-yellow"),
            hint="Choose your yellow sheep, then “Give the yellow sheep to Colby”.",
            then="One to go.",
            brings=(GaveBack,),
        ),
        Step(
            task="And give Brie your green goat.",
            do=GiveBack(2, "goat-green"),
            hint="Give Brie the green goat.",
            others=((1, Produce("sheep")), (2, Produce("blue"))),
            then="Until this turn your knife lay on the cow, so nobody else could churn cows. Colby and Brie produced.",
            brings=(GaveBack, Protected, Produced, Produced),
        ),
        Step(
            say="You hold four red wedges. Producing lays all you have of one colour or animal into your wheels, "
            "where nobody can take them.",
            task="Choose a red wedge in your hand, and produce the red ones.",
            do=Produce("red"),
            hint="Choose a red wedge in your hand, then “Produce 4 red wedges”.",
            others=((1, Produce("yak")), (2, Produce("goat"))),
            then="Four wedges are safe, and you drew four new ones.",
            brings=(Produced, Drew),
            holds=lambda state: len(state.wheels[0]) == 4 and prices(state.market)["red"] == 3,
        ),
        Step(
            say="Sell up to three wedges of one colour or animal. Each brings the price of its colour: one curd for "
            "each market wedge that shows it, two with a ribbon. Red is worth 3.",
            task="Sell both cows and the goat, and keep the yak.",
            do=Sell("red", ("cow-red", "cow-red*", "goat-red")),
            hint="Pick the two red cows and the red goat in your wheels, then sell them.",
            then="Nine curds for three wedges.",
            holds=lambda state: state.curds[0] == 9,
            brings=(Sold,),
        ),
        Step(
            say="After a sale you flip a market wedge of a colour that you sold, and its other side is a surprise. "
            "You still have a red yak, so keep the ribbon.",
            task="Flip the red wedge without a ribbon, in the second wheel.",
            do=Flip(6),
            hint="Choose the red wedge without a ribbon, in the second wheel, then “Flip”.",
            then="It is blue now: red fell from 3 to 2, and blue rose.",
            holds=lambda state: (prices(state.market)["red"], prices(state.market)["blue"]) == (2, 4),
            brings=(Flipped,),
        ),
        Step(
            say="The game ends when the pile is empty; whoever had one turn less may sell once more. Then each wedge "
            "that is left in the wheels brings 1 curd, and whoever sold the most of an animal gets a curd for each of "
            "them. Most curds win."
        ),
    ),
)

SHARP = Chapter(
    title="Sharp: market wedges of your own",
    options={"variant": "sharp"},
    state=_state(
        hands=(
            ("cow-red", "yak-blue", "sheep-yellow", "goat-green", "cow-blue"),
            ("cow-orange", "sheep-green", "yak-orange", "sheep-orange", "goat-blue"),
            ("goat-red", "goat-yellow", "sheep-blue", "yak-green", "reindeer-blue"),
        ),
        wheels=("goat-blue*", "cow-blue", "sheep-blue", "yak-red"),
        sharp=True,
    ),
    steps=(
        Step(
            say="In the sharp version you have market wedges of your own, which only you see. After a sale you put "
            "one into the market. Blue is worth 3.",
            task="Sell your blue goat, cow and sheep.",
            do=Sell("blue", ("goat-blue*", "cow-blue", "sheep-blue")),
            hint="Pick the three blue wedges in your wheels, then sell them.",
            then="Nine curds. Now you change the market, in two steps.",
            holds=lambda state: state.curds[0] == 9,
            brings=(Sold,),
        ),
        Step(
            say="First you replace a blue market wedge by one of yours. You still have a red yak, so you want red to "
            "rise.",
            task="Choose the red side of your red / green wedge, then the blue wedge of the first wheel.",
            do=Replace(4, "red/green", "red"),
            hint="Choose the red side of red / green, then the blue wedge of the first wheel, then “Replace”.",
            then="Red rose from 3 to 4, and blue fell.",
            holds=lambda state: (prices(state.market)["red"], prices(state.market)["blue"]) == (4, 2),
            brings=(Replaced,),
        ),
        Step(
            say="Then you flip a wedge of a colour that you sold, as in the mild game.",
            task="Flip the blue one in the second wheel.",
            do=Flip(9),
            hint="Choose the blue wedge of the second wheel, then “Flip”.",
            then="Blue is down to 1.",
            holds=lambda state: prices(state.market)["blue"] == 1,
            brings=(Flipped,),
        ),
        Step(
            say="You take a new market wedge from the discard, for the one that you used.",
            task="Take red / yellow with the ribbon.",
            do=Take("red/yellow+"),
            hint="Choose the red / yellow wedge with the ribbon, then “Take”.",
            then="You have three market wedges again.",
            brings=(Took,),
        ),
        Step(
            say="Your goat had a small mountain: a market symbol. If you sell one of those, you may swap a market "
            "wedge. You look at the other player's market wedges first.",
            task="Swap with Colby.",
            do=SwapSeat(1),
            hint="Choose Colby, then “Swap with Colby”.",
            then="These are Colby's market wedges. Now you must swap.",
            brings=(SwapNamed,),
        ),
        Step(
            say="A red ribbon is just what your yak needs.",
            task="Give your red / orange wedge, and take red / green with the ribbon.",
            do=Exchange("red/orange", "red+/green"),
            hint="Choose red / orange among your market wedges, then red / green with the ribbon on the counter, then "
            "“Swap”.",
            then="Swapped. What you hold now is your secret; the others only know with whom you swapped.",
            brings=(Swapped,),
        ),
    ),
)

LESSON = Lesson((MILD, SHARP))
