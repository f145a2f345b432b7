"""Situations from the connection to the first question: hello, welcome, invitations, sitting down."""

from __future__ import annotations

import asyncio

from bots.conform.link import Failed
from bots.conform.situation import situation
from bots.conform.stage import NotForThis, Stage
from protocol.messages import Decline, Hello, Open, Sit

MOST_HELLOS = 12  # in a second and a half, from a bot that is not wanted


async def few_attempts(stage: Stage) -> None:
    """See that the bot does not come back again and again, as fast as it can."""
    before = stage.attempts
    await asyncio.sleep(1.5)
    tries = stage.attempts - before
    if tries > MOST_HELLOS:
        raise Failed(f"it connected {tries} times in 1.5 s; pause between attempts, and longer each time")


@situation("says hello first, with version and token, and plays", "P14, P18")
async def hello(stage: Stage) -> None:
    said = await stage.arrive()
    if said.v != 1:
        raise Failed(f"hello has v {said.v}, and this is version 1")
    await stage.admit()
    await stage.seat()
    await stage.round()


@situation("says nothing more until welcome has come, however long it takes", "P14")
async def slow_welcome(stage: Stage) -> None:
    await stage.arrive()
    await asyncio.sleep(1)
    if not stage.link.came.empty():
        await stage.next()
        raise Failed("something was said before welcome had come")
    await stage.admit()
    await stage.seat()
    await stage.round()


@situation("ignores fields of welcome that it does not know", "P11, P41")
async def welcome_with_more(stage: Stage) -> None:
    await stage.arrive()
    user = {"id": "b00conform", "name": "Candidate", "bot": True, "owner": "conform", "badge": ["gold", 1]}
    await stage.admit(user=user, motd="mind the gap", region={"name": "eu", "n": 3})
    await stage.seat()
    await stage.round()


@situation("does not mind games, options, speeds and limits that it does not know", "P41")
async def welcome_with_new_games(stage: Stage) -> None:
    await stage.arrive()
    new = {"name": "curling", "title": "Curling", "blurb": "Slide.", "seats": [2, 8], "options": {"ice": ["wet", 3]}}
    speeds = {"relaxed": 120_000, "normal": 45_000, "blitz": 10_000, "untimed": None, "glacial": 86_400_000}
    await stage.admit(games=[new], speeds=speeds, limits={"frame_bytes": 16384, "sneezes_per_hour": 4})
    await stage.seat()
    await stage.round()


@situation("says hello again when the server asks it to wait", "P16, bots.md Errors", required=False)
async def hello_later(stage: Stage) -> None:
    said = await stage.arrive()
    await stage.refuse(said, "unavailable", "the store is away; send this again", retry_after_ms=200)
    again = await stage.next()
    if not isinstance(again, Hello):
        raise Failed(f"expected hello again, got {type(again).__name__.lower()}")
    stage.hello = again
    await stage.admit()
    await stage.seat()
    await stage.round()


@situation("gives up, or tries again slowly, when its token is not known", "bots.md Tokens")
async def bad_token(stage: Stage) -> None:
    await stage.refuse(await stage.arrive(), "bad_token", "this token is not known", field="token")
    await few_attempts(stage)


@situation("gives up, or tries again slowly, when the server speaks another version", "P41")
async def bad_version(stage: Stage) -> None:
    await stage.refuse(await stage.arrive(), "bad_version", "this server speaks version 2, not 1", field="v")
    await few_attempts(stage)


@situation("does not come back at once when its token was taken back", "P42")
async def revoked(stage: Stage) -> None:
    await stage.begin()
    await stage.drop(4004)
    await few_attempts(stage)


@situation("tries again when a node that goes away refuses the handshake", "Close codes", required=False)
async def handshake_refused(stage: Stage) -> None:
    stage.refusals = 2
    stage.let_go = True  # a bot that ends because of it may be started again
    await stage.come()
    await stage.seat()
    await stage.round()


@situation("waits while the server takes long to open the table and to seat it", "P15")
async def slow_seating(stage: Stage) -> None:
    await stage.come()
    sat = False
    while not (sat and stage.feed):
        asked = await stage.hear(Open, Sit)
        await asyncio.sleep(0.6)
        await stage.reply(asked)
        sat = sat or isinstance(asked, Sit)
    await stage.seat()
    await stage.round()


@situation("opens again when opening is refused for a while", "P17, bots.md Errors")
async def open_later(stage: Stage) -> None:
    await stage.come()
    asked = await stage.hear(Open)
    await stage.refuse(asked, "rate_limited", "too many requests: wait 150 ms", retry_after_ms=150)
    await stage.seat()
    await stage.round()


@situation("sits down again when sitting is refused for a while", "P16, bots.md Errors")
async def sit_later(stage: Stage) -> None:
    await stage.come()
    asked = await stage.hear(Sit)
    await stage.refuse(asked, "busy", "too much is asked of this table at once", retry_after_ms=150)
    await stage.seat()
    await stage.round()


@situation("makes no fuss about a table that is no more", "Error codes")
async def no_table(stage: Stage) -> None:
    await stage.come()
    asked = await stage.hear(Open, Sit)
    await stage.refuse(asked, "no_table", "there is no such table", field="table")
    said = await stage.for_a_while(1)
    if len(said) > 20:
        raise Failed(f"it sent {len(said)} requests in a second after the table was said to be no more")


@situation("makes no fuss about a table that is full", "Error codes")
async def table_full(stage: Stage) -> None:
    await stage.come()
    asked = await stage.hear(Sit)
    await stage.refuse(asked, "table_full", "every seat is taken: you can watch")
    said = await stage.for_a_while(1)
    if len(said) > 20:
        raise Failed(f"it sent {len(said)} requests in a second after the table was said to be full")


@situation("accepts or declines an invitation", "P44")
async def invited(stage: Stage) -> None:
    await stage.arrive()
    assert stage.hello
    if stage.hello.plays is None:
        raise NotForThis("its hello has no plays, so it is not invited")
    await stage.admit()
    answer = await stage.hear(Sit, Decline)
    if answer.table != stage.board.table:
        raise Failed(f"it answers for table {answer.table}, and was invited to {stage.board.table}")
    if isinstance(answer, Decline):
        await stage.ok(answer, table=answer.table)
        return
    await stage.reply(answer)
    await stage.seat()
    await stage.round()


@situation("says nothing wrong when it is invited twice to the same seat", "P44")
async def invited_twice(stage: Stage) -> None:
    await stage.arrive()
    assert stage.hello
    if stage.hello.plays is None:
        raise NotForThis("its hello has no plays, so it is not invited")
    await stage.admit()
    await stage.invite()
    await stage.seat()
    await stage.round()
    if any(isinstance(said, Decline) for said in await stage.for_a_while(0.3)):
        raise Failed("it declined the seat that it has")


@situation("declines when it plays at as many tables as it said", "P43, P44", required=False)
async def invited_while_full(stage: Stage) -> None:
    await stage.begin()
    assert stage.hello
    plays = stage.hello.plays
    if plays is None:
        raise NotForThis("its hello has no plays, so it is not invited")
    game = stage.board.game.name
    for number in range(plays.tables):  # one more than it takes, with the table where it sits
        await stage.link.say({"type": "invited", "table": f"other{number}", "seat": 0, "game": game, "by": "Eve"})
    while True:
        answer = await stage.hear(Sit, Decline)
        if isinstance(answer, Decline):
            await stage.ok(answer, table=answer.table)
            break
        await stage.refuse(answer, "no_table", "there is no such table", field="table")
    await stage.round()
