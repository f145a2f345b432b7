"""The lesson of Chesterfield."""

from __future__ import annotations

from games.chesterfield.events import (
    ActionPlayed,
    AuctioneerFound,
    BlockDealt,
    Ended,
    Finished,
    Laid,
    Melted,
    Merged,
    Presented,
    SecretsRevealed,
    SilenceFell,
    Sold,
    StoodIn,
    UpkeepBegan,
    UpkeepRevealed,
)
from games.chesterfield.moves import (
    BidSecretly,
    Finish,
    Keep,
    LayDown,
    Melt,
    Merge,
    PlayAction,
    Present,
    StandIn,
)
from games.chesterfield.phases import AuctioneerAuction, CheeseAuction, Merging
from games.chesterfield.table import Set, State, scores, set_points
from games.kit import Auction, Bid, Drop, open_auction
from games.lessons.script import Chapter, Lesson, Step

RESERVED = ("Pecorino", "Bleu", "Feta", "Gruyere")

AUCTIONEER = Chapter(
    title="The Auctioneer",
    state=State(
        first=0,
        reserved=RESERVED,
        hands=(
            ("Feta", "Feta", "Cheddar", "Gruyere"),
            ("Pecorino", "Emmental", "Cheddar", "Roquefort"),
            ("Cheddar", "Gruyere", "Pecorino", "Bleu"),
        ),
        block=("Camembert", "Emmental", "Bleu", "Feta"),
        deck=("Roquefort", "Camembert", "Cheddar", "Gruyere", "Emmental", "Feta", "Pecorino", "Cheddar"),
        banks=(20, 20, 20),
        sets=((), (), ()),
        bleus=(0, 0, 0),
        phase=AuctioneerAuction(open_auction(0, 3)),
    ),
    steps=(
        Step(
            say="You buy cheese to collect sets of one kind, and most points win. But first: who will be Auctioneer? "
            "The Auctioneer alone sees the four cards of this block, and decides which is sold next and at what price "
            "it starts. So you can sell what you want when the others are short of money.",
            task="Bid $2.",
            do=Bid(2),
            hint="Another bid is possible. Bid $2 here.",
            others=((1, Bid(3)), (2, Drop())),
            then="Colby bid $3, and Brie dropped out.",
        ),
        Step(
            say="The last one in pays, and the money goes to charity.",
            task="Bid $4.",
            do=Bid(4),
            hint="Bid $4 here.",
            others=((1, Drop()),),
            then="You are the Auctioneer, and you see the block: there is a Feta in it, and you hold two.",
            brings=(AuctioneerFound,),
        ),
        Step(
            say="You choose a card and its starting price. The price is not yet a bid; it only keeps others from "
            "getting the card for less.",
            task="Choose the Feta, set the starting price to $3, and sell it.",
            do=Present("Feta", 3),
            hint="Choose the Feta and set the starting price to $3.",
            then="The Auctioneer bids first.",
            brings=(Presented,),
        ),
        Step(
            task="Bid $3 for the Feta.",
            do=Bid(3),
            hint="Bid $3 here.",
            others=((1, Bid(4)), (2, Drop())),
            then="Colby wants it too, for $4.",
        ),
        Step(
            say="A third Feta is worth 4 points to you.",
            task="Bid $5.",
            do=Bid(5),
            hint="Bid $5 here.",
            others=((1, Drop()), (1, Finish()), (2, Finish())),
            then="Sold: the Feta is yours for $5. After each sale everybody may lay down sets.",
            brings=(Sold,),
        ),
        Step(
            say="Two cards of one cheese are a set and score the number in its seal; each further card scores it "
            "again. A Cheddar may stand in for one card.",
            task="Pick your three Fetas and the Cheddar, and lay down the set of four: 4 × 3 = 12 points.",
            do=LayDown("Feta", 3, True),
            hint="Pick all three Fetas and the Cheddar too: together they are worth 12.",
            then="A set of four for 12 points.",
            holds=lambda state: scores(state)[0] == 12,
            brings=(Laid,),
        ),
        Step(
            say="A Gruyere melts over a set of yours for 2 points more.",
            task="Pick the Gruyere, then melt it over the Fetas.",
            do=Melt(0),
            hint="Pick the Gruyere and melt it over your set.",
            then="14 points lie before you. As Auctioneer you now choose the next card of the block.",
            brings=(Melted, Finished),
            holds=lambda state: scores(state)[0] == 14 and state.auctioneer == 0,
        ),
    ),
)

ACTIONS = Chapter(
    title="Actions and upkeep",
    state=State(
        first=1,
        reserved=RESERVED,
        hands=(
            ("Roquefort", "Emmental", "Pecorino", "Gruyere", "Bleu", "Feta"),
            ("Cheddar", "Pecorino", "Feta", "Roquefort"),
            ("Cheddar", "Gruyere", "Emmental"),
        ),
        block=(),
        deck=("Roquefort", "Camembert", "Cheddar", "Gruyere"),
        banks=(20, 18, 15),
        sets=((Set("Camembert", 2),), (), ()),
        bleus=(0, 0, 0),
        auctioneer=2,
        phase=CheeseAuction("Camembert", 2, Auction(0, (5, 6, None), (False, False, True), 6, 1)),
    ),
    steps=(
        Step(
            say="Cards also have actions, which count for one auction. You would like this Camembert, and Colby has "
            "bid $6. With a Roquefort, whoever wins pays $5 more.",
            task="Make it expensive: play your Roquefort.",
            do=PlayAction("Roquefort"),
            hint="Pick the Roquefort in your hand and play it.",
            then="The Roquefort lies beside the card. It is still your turn.",
            brings=(ActionPlayed,),
        ),
        Step(
            say="An Emmental ends the open bidding: everybody still in makes one secret bid, and the highest wins.",
            task="Now play your Emmental.",
            do=PlayAction("Emmental"),
            hint="Pick the Emmental in your hand and play it.",
            then="Silence: only you and Colby are still in.",
            brings=(SilenceFell,),
        ),
        Step(
            say="Colby knows about the Roquefort and will be careful. If you win with $8, you owe 8 + 5 = $13.",
            task="Make a secret bid of $8.",
            do=BidSecretly(8),
            hint="Make your secret bid $8 here.",
            others=((1, BidSecretly(7)), (1, Finish()), (2, Finish())),
            then="You bid $8 and Colby $7: you paid $13 and got the Camembert.",
            brings=(SecretsRevealed, Sold),
            holds=lambda state: state.banks[0] == 20 - 13,
        ),
        Step(
            say="You have no second Camembert in your hand, and the set that lies before you gets no more cards until "
            "the end.",
            task="You are done: keep your cards.",
            do=Finish(),
            hint="Keep your cards for now: say that you are done.",
            then="That was the last card of the block. Now comes upkeep.",
            brings=(Finished, UpkeepBegan),
        ),
        Step(
            say="You hold five cards, one too many: pay $4 for it, or throw one away. Your Bleu is worth least.",
            task="Pick the Bleu and throw it away.",
            do=Keep(("Bleu",)),
            hint="Pick the Bleu and throw it away here.",
            then="Whoever holds fewer than four gets $4 for each card that is missing: so Brie got $4. A new block is"
            " dealt.",
            brings=(UpkeepRevealed, BlockDealt),
            holds=lambda state: state.banks == (7, 18, 19),
        ),
        Step(
            say="The other actions: Feta makes everybody pay their own bid, not only the winner. Pecorino starts a "
            "last round, ending with whoever played it. A Bleu costs the winner 3 points. Short of money? Cash in "
            "cards for the dollars printed on them."
        ),
    ),
)

MERGE = Chapter(
    title="The final merge",
    state=State(
        first=0,
        reserved=RESERVED,
        hands=(("Emmental", "Cheddar"), ("Gruyere",), ("Roquefort",)),
        block=(),
        deck=(),
        banks=(6, 11, 0),
        sets=((Set("Emmental", 2), Set("Feta", 2)), (Set("Camembert", 3),), (Set("Pecorino", 3, gruyere=True),)),
        bleus=(0, 0, 1),
        auctioneer=1,
        phase=Merging((False, False, False)),
    ),
    steps=(
        Step(
            say="After the last block, money and cards in hand are worth nothing. But cards may still join your sets.",
            task="Add your Emmental to the Emmental set: 4 points.",
            do=Merge(0, 1),
            hint="Pick the Emmental and add it to its set.",
            then="8 points lie in that set now.",
            holds=lambda state: set_points(state.sets[0][0]) == 8,
            brings=(Merged,),
        ),
        Step(
            say="A Cheddar may stand in once in each set.",
            task="Add the Cheddar to your Feta set: 4 points.",
            do=StandIn(1),
            hint="Pick the Cheddar and add it to the Feta set here.",
            others=((1, Melt(0)), (2, Finish())),
            then="16 points for you, and 12 for Colby with a Gruyere. Brie's Bleu cost 3 points. You have won!",
            brings=(StoodIn, Melted, Ended),
            holds=lambda state: scores(state) == (16, 12, 5),
        ),
    ),
)

LESSON = Lesson((AUCTIONEER, ACTIONS, MERGE))
