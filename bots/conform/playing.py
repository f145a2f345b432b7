"""Situations during a game: what is asked, answered, refused, repeated and late."""

from __future__ import annotations

import asyncio
import time

from bots.conform.link import Failed
from bots.conform.situation import SITUATIONS, Play, Situation, situation
from bots.conform.stage import Stage
from games import GAMES
from protocol.messages import Move

MOST_ROUNDS = 5_000


def whole_game(game: str) -> Play:
    """A game to its end."""

    async def play(stage: Stage) -> None:
        await stage.come()
        await stage.seat()
        for _ in range(MOST_ROUNDS):
            for update in stage.board.others():
                await stage.show(update)
            if stage.board.status == "ended":
                break
            await stage.accept(await stage.move())
        if stage.moves and stage.moves[-1][1].ask not in stage.asked:
            raise Failed("its last move answered nothing that was asked")
        await stage.link.say(stage.board.info())
        if any(isinstance(said, Move) for said in await stage.for_a_while(0.3)):
            raise Failed("it made a move after the end of the game")

    return play


SITUATIONS.extend(
    Situation(
        f"whole-game-{name.replace('_', '-')}",
        f"plays a whole game of {game.title}",
        "P29, P30, P31",
        True,
        whole_game(name),
        name,
    )
    for name, game in GAMES.items()
)


def same(one: Move, other: Move) -> bool:
    """Whether two moves are the same one, sent twice."""
    return one.key == other.key and one.ask == other.ask and bytes(one.move) == bytes(other.move)


async def one_decision(stage: Stage, first: Move, seconds: float) -> None:
    """See that for a while nothing but the same move is sent, if anything."""
    for said in await stage.for_a_while(seconds):
        if isinstance(said, Move) and not same(said, first):
            raise Failed(f"a second move came for ask {said.ask}, under the key {said.key!r} after {first.key!r}")


@situation("answers once though the same update comes twice", "P22, P29")
async def duplicate_update(stage: Stage) -> None:
    await stage.begin()
    update = await stage.ask()
    await stage.show(update)
    first = await stage.move()
    await stage.show(update)
    await one_decision(stage, first, 0.5)
    await stage.accept(first)
    await stage.round()


@situation("answers once though a fresh view with the same ask comes", "P24, P29")
async def fresh_view(stage: Stage) -> None:
    await stage.begin()
    await stage.ask()
    first = await stage.move()
    await stage.show(stage.board.whole())
    await one_decision(stage, first, 0.5)
    await stage.accept(first)
    await stage.round()


@situation("answers once though an entry of the others comes meanwhile and the ask stays", "P29")
async def ask_stays(stage: Stage) -> None:
    await stage.begin()
    update = await stage.ask()
    await stage.show({**update, "n": update["n"], "events": []})
    first = await stage.move()
    await stage.show(stage.board.note("house"))
    await one_decision(stage, first, 0.5)
    await stage.accept(first)
    await stage.round()


@situation("takes up the newer ask when it has replaced one that it was answering", "P22, P33")
async def ask_replaced(stage: Stage) -> None:
    await stage.begin()
    await stage.ask()
    await stage.show(stage.board.run_out())
    await stage.round()
    await stage.round()


@situation("waits for the update when its move is stale, and answers what is asked then", "P33")
async def stale_then_update(stage: Stage) -> None:
    await stage.begin()
    await stage.ask()
    late = await stage.move()
    update = stage.board.run_out()
    await stage.refuse(late, "stale_ask", "too late", field="ask", ask=stage.board.n)
    await asyncio.sleep(0.2)
    await stage.show(update)
    await stage.round()


@situation("goes on when the update came before its move was called stale", "P33")
async def update_then_stale(stage: Stage) -> None:
    await stage.begin()
    await stage.ask()
    late = await stage.move()
    await stage.show(stage.board.run_out())
    await stage.refuse(late, "not_asked", "nothing is asked of your seat now", field="ask")
    await stage.round()


@situation("does not guess when its move is stale: no further move until it is asked", "P33")
async def stale_without_update(stage: Stage) -> None:
    await stage.begin()
    await stage.ask()
    late = await stage.move()
    update = stage.board.run_out()
    await stage.refuse(late, "stale_ask", "too late", field="ask", ask=stage.board.n)
    guesses = [said for said in await stage.for_a_while(0.7) if isinstance(said, Move)]
    if guesses:
        raise Failed(f"{len(guesses)} moves came before the update that asks")
    await stage.show(update)
    await stage.round()


@situation("does not insist on a move that is refused as illegal, and answers the next ask", "P31, Error codes")
async def illegal(stage: Stage) -> None:
    await stage.begin()
    await stage.ask()
    first = await stage.move()
    refused = {"field": "move", "rule": "XYZ-1", "sent": "what you sent", "left_ms": 9_000}
    await stage.refuse(first, "illegal_move", "a rule that you have overlooked", **refused)
    tries = 0
    end = time.monotonic() + 0.7
    while time.monotonic() < end:
        for said in await stage.for_a_while(0.1):
            if isinstance(said, Move):
                tries += 1
                await stage.refuse(said, "illegal_move", "a rule that you have overlooked", **refused)
    if tries > 20:
        raise Failed(f"it sent {tries} more moves in 0.7 s, though each was refused")
    await stage.show(stage.board.run_out())
    await stage.round()


def later(code: str, pause_ms: int) -> Play:
    """The move is to be sent again after a pause."""

    async def play(stage: Stage) -> None:
        await stage.begin()
        await stage.ask()
        first = await stage.move()
        began = time.monotonic()
        await stage.refuse(first, code, f"wait {pause_ms} ms", retry_after_ms=pause_ms)
        second = await stage.move()
        waited_ms = (time.monotonic() - began) * 1000
        if waited_ms < pause_ms * 0.9:
            raise Failed(f"it was told to wait {pause_ms} ms, and sent the move again after {waited_ms:.0f} ms")
        if not same(first, second):
            raise Failed("what came after the pause was not the same move under the same key")
        await stage.accept(second)
        await stage.round()

    return play


SITUATIONS.extend(
    Situation(
        f"later-{code.replace('_', '-')}",
        f"sends the same move again after {code}, when its pause is over",
        "P32, P33",
        True,
        later(code, pause_ms),
    )
    for code, pause_ms in (("too_soon", 300), ("busy", 200), ("rate_limited", 400), ("unavailable", 200))
)


@situation("pauses again when the pause is not enough", "P33")
async def later_twice(stage: Stage) -> None:
    await stage.begin()
    await stage.ask()
    first = await stage.move()
    for _ in range(3):
        await stage.refuse(first, "too_soon", "wait 150 ms", retry_after_ms=150)
        first = await stage.move()
    await stage.accept(first)
    await stage.round()


@situation("goes on when the move that it sends again had been made already", "P16, P32")
async def done_after_all(stage: Stage) -> None:
    await stage.begin()
    await stage.ask()
    first = await stage.move()
    update = stage.judged(first)
    n = stage.board.n
    await stage.refuse(first, "unavailable", "the store is away; send this again", retry_after_ms=100)
    second = await stage.hear(Move)
    if not same(first, second):
        raise Failed("what came after the pause was not the same move under the same key")
    await stage.ok(second, n=n, again=True)
    await stage.show(update)
    await stage.round()


def unsure(code: str, title: str, see: str) -> Situation:
    """An error without a time to wait for: the same again, a few times."""

    async def play(stage: Stage) -> None:
        await stage.begin()
        await stage.ask()
        first = await stage.move()
        await stage.refuse(first, code, "this went wrong on our side")
        second = await stage.move()
        if not same(first, second):
            raise Failed("what came then was not the same move under the same key")
        await stage.accept(second)
        await stage.round()

    return Situation(f"move-{code}", title, see, False, play)


SITUATIONS.append(unsure("internal", "sends the same move again after a fault of the server", "P16, Error codes"))
SITUATIONS.append(unsure("gremlins", "treats an error code that it does not know like internal", "P41"))


@situation("survives an error that never ends: at most a few tries, then the next ask", "P41, bots.md Errors")
async def endless_error(stage: Stage) -> None:
    await stage.begin()
    await stage.ask()
    end, tries = time.monotonic() + 1.0, 0
    while time.monotonic() < end:
        for said in await stage.for_a_while(0.1):
            if isinstance(said, Move):
                tries += 1
                await stage.refuse(said, "gremlins", "again")
    if tries > 30:
        raise Failed(f"it sent the move {tries} times in a second")
    await stage.show(stage.board.run_out())
    await stage.round()


@situation("copes with ok that comes after the update", "P31")
async def ok_after_update(stage: Stage) -> None:
    await stage.begin()
    await stage.ask()
    move = await stage.move()
    update = stage.judged(move)
    n = stage.board.n
    await stage.show(update)
    await asyncio.sleep(0.2)
    await stage.ok(move, n=n)
    await stage.round()


@situation("copes with ok that comes long before the update", "P31")
async def ok_before_update(stage: Stage) -> None:
    await stage.begin()
    await stage.ask()
    move = await stage.move()
    update = stage.judged(move)
    await stage.ok(move, n=stage.board.n)
    await one_decision(stage, move, 0.5)
    await stage.show(update)
    await stage.round()


@situation("is patient with a server that takes long to answer a move", "P15, P32")
async def slow_answer(stage: Stage) -> None:
    await stage.begin()
    await stage.ask()
    move = await stage.move()
    await one_decision(stage, move, 2.5)
    await stage.accept(move)
    await stage.round()


@situation("lets go of an ask that the clock has answered", "P20, P35")
async def run_out(stage: Stage) -> None:
    await stage.begin()
    await stage.ask()
    late = await stage.move()
    update = stage.board.run_out()
    await stage.show(update)
    await stage.refuse(late, "stale_ask" if stage.board.ask else "not_asked", "your time was over", field="ask")
    await stage.round()


@situation("answers in time when a second is left", "P35", required=False)
async def second_left(stage: Stage) -> None:
    await stage.begin()
    stage.board.left_ms = 1000
    await stage.ask()
    began = time.monotonic()
    move = await stage.move()
    took_ms = (time.monotonic() - began) * 1000
    if took_ms > 1000:
        raise Failed(f"a second was left, and the move came after {took_ms:.0f} ms")
    await stage.accept(move)
    await stage.round()


@situation("copes with an ask whose last millisecond is over when it reads it", "P35")
async def no_time_left(stage: Stage) -> None:
    await stage.begin()
    stage.board.left_ms = 0
    await stage.ask()
    stage.board.left_ms = 20_000
    await stage.show(stage.board.run_out())
    await stage.round()


@situation("plays without a limit when an ask has no left_ms", "P35")
async def no_limit(stage: Stage) -> None:
    await stage.begin()
    stage.board.left_ms = None
    await stage.round()
    await stage.round()


@situation("takes a fresh view with a lower number as what is so now", "P25")
async def number_goes_down(stage: Stage) -> None:
    await stage.begin()
    update = await stage.unsaid_ask()
    stage.board.n += 3
    await stage.show({**update, "n": update["n"] + 3, "ask": {**update["ask"], "n": update["n"] + 3}})
    stage.board.n = update["n"] + 1
    await stage.show(stage.board.go_back())
    await stage.accept(await stage.move())
    await stage.round()
