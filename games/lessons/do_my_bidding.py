"""The lesson of Do My Bidding."""

from __future__ import annotations

from games.do_my_bidding.values import ARTS, Art, Ended, Lot, RoundEnded, Sale, Sold, State, Suggest, Suggested
from games.kit import Bid, Drop, Dropped, open_auction
from games.lessons.script import Chapter, Lesson, Step


def _art(artist: str, colour: str) -> Art:
    return next(art for art in ARTS if art.artist == artist and art.colour == colour)


MONET, KAHLO, HOKUSAI = _art("Monet", "orange"), _art("Kahlo", "violet"), _art("Hokusai", "pink")
LOTS = (
    Lot((_art("Hokusai", "red"), _art("Kahlo", "pink"))),
    Lot((_art("Monet", "green"), _art("Cassatt", "yellow"))),
    Lot((_art("O'Keeffe", "red"),)),
    Lot((_art("Hokusai", "green"),)),
    Lot((_art("Cassatt", "violet"),)),
)
DECK = tuple(art for art in ARTS if art.value > 1 and all(art not in lot.arts for lot in LOTS))

AGENTS = Chapter(
    title="Agents and patrons",
    state=State(
        purses=(15, 15, 15),
        collections=((MONET,), (KAHLO,), (HOKUSAI,)),
        box=tuple(art for art in ARTS if art.value == 1 and art not in (MONET, KAHLO, HOKUSAI)),
        deck=DECK,
        token=0,
        envelopes=(0, 0, 0),
        scores=(0, 0, 0),
        advice=(None, None, None),
        round=1,
        agents=(1, 2, 0),
        lots=LOTS,
        lot=0,
        auction=open_auction(0, 3),
    ),
    steps=(
        Step(
            say="Paintings bring points, and most points win. But you do not bid for yourself. Brie is your patron: "
            "you bid with the money in Brie's purse, and Brie gets the paintings. This lot has two. Their values are "
            "2 and 2, and they match Brie's Hokusai: 5 points.",
            task="Open with $2.",
            do=Bid(2),
            hint="Another bid is possible. Open with $2 here.",
            others=((1, Bid(3)), (2, Drop())),
            then="Colby is your own agent and bid $3 of your money. Brie, who bids for Colby, dropped out.",
        ),
        Step(
            say="Do you want this lot for Brie? You earn a dollar for each point of your patron.",
            task="Bid $4.",
            do=Bid(4),
            hint="Bid $4 of Brie's money here.",
            others=((1, Drop()),),
            then="Sold! Brie paid $4 and scored 5. Your envelope got $5 from the bank. At the end of the round it is "
            "emptied into your own purse, with which your agent bids.",
            brings=(Dropped, Sold),
            holds=lambda state: state.scores[2] == 5 and state.envelopes[0] == 5 and state.purses[2] == 11,
        ),
        Step(
            say="The next lot has a Monet, and you own one: 3 + 3 + 1 for the match makes 7 points for you. Colby "
            "opens, with your money.",
            task="Tell Colby what it is worth to you: press “Advise” and say “Up to $7”.",
            do=Suggest(7),
            hint="Set the amount to $7 and say “Up to $7”.",
            others=((1, Bid(6)), (2, Drop())),
            then="Everybody heard your advice. Colby need not follow it, but bid $6 for you.",
            brings=(Suggested,),
        ),
        Step(
            say="Now it is your turn, with Brie's money. If you drop out, Colby wins the lot for you.",
            task="Drop out.",
            do=Drop(),
            hint="That would take the lot away from you. Drop here.",
            then="You paid $6 and scored 7, and Colby earned $7. Good for both of you.",
            brings=(Dropped, Sold),
            holds=lambda state: state.scores[0] == 7 and state.envelopes[1] == 7 and state.purses[0] == 9,
        ),
        Step(
            say="A painting matches others by the same artist or of the same colour. The frames show the colour, the "
            "motifs the artist; small numbers show what would match. After each round the agents change."
        ),
    ),
)

_FIRST = (_art("Monet", "blue"), _art("Monet", "violet"))
LAST_LOTS = (
    Lot((_art("O'Keeffe", "violet"), _art("Vermeer", "green")), Sale(1, 1, 6, 4, 1)),
    Lot((_art("Van Gogh", "violet"), _art("Vermeer", "blue")), Sale(2, 2, 5, 6, 0)),
    Lot((_art("Kahlo", "orange"),), Sale(1, 1, 5, 4, 2)),
    Lot((_art("O'Keeffe", "orange"),), Sale(0, 0, 3, 5, 1)),
    Lot((_art("Monet", "red"),)),
)

LAST_ROUND = Chapter(
    title="The last round",
    state=State(
        purses=(12, 9, 7),
        collections=(
            (MONET, *_FIRST, *LAST_LOTS[3].arts),
            (KAHLO, *LAST_LOTS[0].arts, *LAST_LOTS[2].arts),
            (HOKUSAI, *LAST_LOTS[1].arts),
        ),
        box=(),
        deck=(),
        token=0,
        envelopes=(0, 0, 0),
        scores=(24, 27, 30),
        advice=(None, None, None),
        round=5,
        agents=(0, 1, 2),
        lots=LAST_LOTS,
        lot=4,
        auction=open_auction(0, 3),
    ),
    steps=(
        Step(
            say="In the last round everybody bids for themselves, with their own money. Money that is left is worth "
            "nothing. This is the last lot: a Monet of value 7, and you own three. It brings you 10 points, and "
            "nobody else has more than $9.",
            task="Bid $10.",
            do=Bid(10),
            hint="Somebody could still bid more than that. Bid $10.",
            then="Nobody could bid more. In the last round the envelopes get nothing, and most points win.",
            brings=(Sold, RoundEnded, Ended),
            holds=lambda state: state.scores[0] == 34 and state.result.places[0] == 1,
        ),
    ),
)

LESSON = Lesson((AGENTS, LAST_ROUND))
