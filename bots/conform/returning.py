"""Situations in which the connection is lost: at each point of a conversation, in each way."""

from __future__ import annotations

import asyncio
import time

from bots.conform.board import Board
from bots.conform.link import Failed
from bots.conform.playing import same
from bots.conform.situation import SITUATIONS, Play, Situation, situation
from bots.conform.stage import NotForThis, Stage
from protocol.messages import Move, Open, Sit

BACK = "P15, P27, P39, bots.md Coming back"


async def play_on(stage: Stage) -> None:
    """The bot comes back, by itself or started again, and plays."""
    await stage.come()
    await stage.seat()
    await stage.round()
    await stage.round()


async def before_welcome(stage: Stage) -> None:
    await stage.arrive()
    await stage.drop()


async def after_welcome(stage: Stage) -> None:
    await stage.come()
    await stage.drop()


async def while_opening(stage: Stage) -> None:
    await stage.come()
    await stage.hear(Open)
    await stage.drop()


async def while_sitting(stage: Stage) -> None:
    await stage.come()
    await stage.hear(Sit)
    stage.board.sit()
    await stage.drop()


async def before_the_start(stage: Stage) -> None:
    await stage.come()
    while not (stage.board.seated and stage.feed):
        await stage.reply(await stage.hear(Open, Sit))
    await stage.drop()


async def while_others_play(stage: Stage) -> None:
    await stage.begin()
    await stage.drop()
    for _ in stage.board.others():
        pass


async def when_asked(stage: Stage) -> None:
    await stage.begin()
    await stage.ask()
    await stage.drop()


async def move_lost(stage: Stage) -> None:
    await stage.begin()
    await stage.ask()
    await stage.move()
    await stage.drop()


async def answer_lost(stage: Stage) -> None:
    await stage.begin()
    await stage.ask()
    stage.judged(await stage.move())
    await stage.drop()


async def update_lost(stage: Stage) -> None:
    await stage.begin()
    await stage.ask()
    move = await stage.move()
    stage.judged(move)
    await stage.ok(move, n=stage.board.n)
    await stage.drop()


async def thrice(stage: Stage) -> None:
    await stage.begin()
    await stage.ask()
    for _ in range(3):
        await stage.drop()
        await stage.come()
    await stage.drop()


def closed_with(code: int) -> Play:
    """The server closes the connection itself."""

    async def play(stage: Stage) -> None:
        await stage.begin()
        await stage.drop(code)

    return play


POINTS: dict[str, tuple[str, Play]] = {
    "before-welcome": ("before welcome has come", before_welcome),
    "after-welcome": ("right after welcome", after_welcome),
    "while-opening": ("while it waits for its table to open", while_opening),
    "while-sitting": ("when it sat down but was not told", while_sitting),
    "before-the-start": ("before the game starts", before_the_start),
    "while-others-play": ("while others play, who go on meanwhile", while_others_play),
    "when-asked": ("just as it is asked", when_asked),
    "move-lost": ("when its move did not arrive", move_lost),
    "answer-lost": ("when its move was made but the answer was lost", answer_lost),
    "update-lost": ("when its move was answered but not shown", update_lost),
    "thrice": ("three times in a row", thrice),
    "1011": ("with code 1011", closed_with(1011)),
    "4003": ("with code 4003, because it was too slow", closed_with(4003)),
    "4999": ("with a code that it does not know", closed_with(4999)),
}


def returning(lose: Play) -> Play:
    """Lose the connection, then play on."""

    async def play(stage: Stage) -> None:
        await lose(stage)
        await play_on(stage)

    return play


SITUATIONS.extend(
    Situation(f"lost-{name}", f"comes back when the connection is lost {when}", BACK, True, returning(lose))
    for name, (when, lose) in POINTS.items()
)


@situation("comes back after bye, and not before it was told to", "P39")
async def bye(stage: Stage) -> None:
    await stage.begin()
    await stage.link.say({"type": "bye", "reason": "restarting", "retry_ms": 300})
    began = time.monotonic()
    await stage.drop(1012)
    await stage.arrive()
    waited_ms = (time.monotonic() - began) * 1000
    if waited_ms < 250 and stage.candidate.starts < 2:
        raise Failed(f"it was told to wait 300 ms, and was back after {waited_ms:.0f} ms")
    await stage.admit()
    await stage.seat()
    await stage.round()


@situation("does not hammer a server that is away, and comes back when it is there again", "P39, Close codes")
async def away(stage: Stage) -> None:
    await stage.begin()
    stage.refusals = 1_000_000
    before = stage.attempts
    await stage.drop()
    await asyncio.sleep(1.5)
    tries = stage.attempts - before
    stage.refusals = 0
    if tries > 30:
        raise Failed(f"it tried {tries} times in 1.5 s; pause between attempts, and longer each time")
    await play_on(stage)


@situation("finds its game over when it comes back, and lets it be", "P27, table")
async def over_meanwhile(stage: Stage) -> None:
    await stage.begin()
    await stage.drop()
    while stage.board.status == "running":
        stage.board.other() if stage.board.ask is None else stage.board.run_out()
    await stage.come()
    said = await stage.for_a_while(1)
    if any(isinstance(one, Move) for one in said):
        raise Failed("it made a move in a game that is over")
    if len(said) > 20:
        raise Failed(f"it sent {len(said)} requests in a second for a game that is over")


def remembering(stage: Stage) -> None:
    """Of a bot that is started again nothing more is asked."""
    if stage.candidate.starts > 1:
        raise NotForThis("it came back by being started again, so it has nothing to remember")


@situation("resumes with the number of the last entry that it has", "P3, P27", required=False)
async def resumes(stage: Stage) -> None:
    await stage.begin()
    await stage.round()
    await stage.drop()
    n = stage.board.n
    for _ in stage.board.others():
        pass
    await stage.come()
    await stage.seat()
    remembering(stage)
    if stage.opened_with[-1] != n:
        raise Failed(f"it opened the table with last {stage.opened_with[-1]}, and had seen entry {n}")
    await stage.round()


@situation("sends a move that was lost again under the same key", "P2, P32", required=False)
async def same_key(stage: Stage) -> None:
    await stage.begin()
    await stage.ask()
    first = await stage.move()
    await stage.drop()
    await stage.come()
    await stage.seat()
    second = await stage.move()
    remembering(stage)
    if not same(first, second):
        raise Failed(f"the same ask was answered under the key {second.key!r} after {first.key!r}")
    await stage.accept(second)
    await stage.round()


@situation("understands patches if it has asked for them, and opens the table again if one does not fit", "P28")
async def patches(stage: Stage) -> None:
    await stage.begin()
    assert stage.hello
    if not stage.hello.patches:
        raise NotForThis("its hello does not ask for patches, so it gets whole views")
    stage.patching = True
    await stage.round()
    await stage.round()
    update = await stage.unsaid_ask()
    lost = {key: value for key, value in update.items() if key not in ("view", "at")}
    await stage.show({**lost, "n": update["n"] + 5, "patch": {"set": {}}})
    again = await stage.hear(Open)
    await stage.open(again)
    await stage.accept(await stage.move())


@situation("plays at two tables at once, if it says that it does", "P26, P43")
async def two_tables(stage: Stage) -> None:
    await stage.begin()
    assert stage.hello
    if stage.hello.plays is None or stage.hello.plays.tables < 2:
        raise NotForThis("its hello does not say that it plays at more than one table")
    first, stage.board = stage.board, Board(stage.board.game.name, "second" + stage.board.table, "second")
    await stage.invite()
    stage.feed = False
    await stage.seat()
    second = stage.board
    for board in (first, second, first, second):
        stage.board = board
        await stage.round()
