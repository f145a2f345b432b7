"""Situations during a game: asks, answers, refusals, repetitions and delays."""

from __future__ import annotations

import asyncio
import time

from bots.conform.connection import Failed
from bots.conform.refusing import refuse_all
from bots.conform.server import KitServer
from bots.conform.situation import SITUATIONS, Play, Situation, situation
from games import GAMES
from protocol.messages import Move

MAX_DECISIONS = 5_000


def whole_game(game: str) -> Play:
    """Play a game to its end."""

    async def play(server: KitServer) -> None:
        await server.welcome_bot()
        await server.seat_bot()
        for _ in range(MAX_DECISIONS):
            for update in server.table.play_others():
                await server.send_update(update)
            if server.table.status == "ended":
                break
            await server.accept_move(await server.receive_move())
        await server.connection.send(server.table.info())
        if any(isinstance(said, Move) for said in await server.collect(0.3)):
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
    """Whether two messages are the same move under the same key."""
    return one.key == other.key and one.ask == other.ask and bytes(one.move) == bytes(other.move)


async def no_other_move(server: KitServer, first: Move, seconds: float) -> None:
    """Fail if the bot sends any other move in this time."""
    for said in await server.collect(seconds):
        if isinstance(said, Move) and not same(said, first):
            raise Failed(f"a second move came for ask {said.ask}, under the key {said.key!r} after {first.key!r}")


@situation("answers once when the same update comes twice", "P22, P29")
async def duplicate_update(server: KitServer) -> None:
    await server.play_first_decision()
    update = await server.play_until_asked()
    await server.send_update(update)
    first = await server.receive_move()
    await server.send_update(update)
    await no_other_move(server, first, 0.5)
    await server.accept_move(first)
    await server.play_decision()


@situation("answers once when a whole view with the same ask comes", "P24, P29")
async def fresh_view(server: KitServer) -> None:
    await server.play_first_decision()
    await server.play_until_asked()
    first = await server.receive_move()
    await server.send_update(server.table.fresh_view())
    await no_other_move(server, first, 0.5)
    await server.accept_move(first)
    await server.play_decision()


@situation("answers once when an entry of another seat comes and the ask stays", "P29")
async def ask_stays(server: KitServer) -> None:
    await server.play_first_decision()
    update = await server.play_until_asked()
    await server.send_update({**update, "n": update["n"], "events": []})
    first = await server.receive_move()
    await server.send_update(server.table.add_entry("house"))
    await no_other_move(server, first, 0.5)
    await server.accept_move(first)
    await server.play_decision()


@situation("answers with the number of the ask, which may be lower than that of the entry", "P24, P29, P31")
async def earlier_ask(server: KitServer) -> None:
    await server.play_first_decision()
    await server.play_until_asked_unsent()
    server.table.add_entry("house")
    await server.send_update(server.table.fresh_view())
    await server.accept_move(await server.receive_move())
    await server.play_decision()


@situation("answers the newer ask when it replaces one that it was answering", "P22, P33")
async def ask_replaced(server: KitServer) -> None:
    await server.play_first_decision()
    await server.play_until_asked()
    await server.send_update(server.table.time_out())
    await server.play_decision()
    await server.play_decision()


@situation("waits for the update when its move is stale, and answers the new ask", "P33")
async def stale_then_update(server: KitServer) -> None:
    await server.play_first_decision()
    await server.play_until_asked()
    late = await server.receive_move()
    update = server.table.time_out()
    await server.send_error(late, "stale_ask", "this ask has been answered", field="ask", ask=server.table.n)
    await asyncio.sleep(0.2)
    await server.send_update(update)
    await server.play_decision()


@situation("goes on when the update comes before the error stale_ask", "P33")
async def update_then_stale(server: KitServer) -> None:
    await server.play_first_decision()
    await server.play_until_asked()
    late = await server.receive_move()
    await server.send_update(server.table.time_out())
    await server.send_error(late, "not_asked", "nothing is asked of your seat now", field="ask")
    await server.play_decision()


@situation("answers no ask that a newer one has replaced, and each ask once", "P22, P33")
async def old_ask(server: KitServer) -> None:
    await server.play_first_decision()
    await server.play_until_asked()
    late = await server.receive_move()
    await server.send_update(server.table.time_out())
    await server.send_error(late, "stale_ask", "your time had run out", field="ask")
    for _ in range(3):
        await server.play_decision()
    current = server.table.ask.n if server.table.ask else None
    old = [said.ask for said in await server.collect(0.3) if isinstance(said, Move) and said.ask != current]
    if old:
        raise Failed(f"P33: a move answers ask {old[0]}, which is not current any more")


@situation("sends no more requests than welcome.limits allows", "P17")
async def limits(server: KitServer) -> None:
    await server.play_first_decision()
    for _ in range(3):
        await server.play_until_asked()
        move = await server.receive_move()
        await server.collect(0.5)
        await server.accept_move(move)


@situation("sends no further move when its move is stale, until the next ask", "P33")
async def stale_without_update(server: KitServer) -> None:
    await server.play_first_decision()
    await server.play_until_asked()
    late = await server.receive_move()
    update = server.table.time_out()
    await server.send_error(late, "stale_ask", "this ask has been answered", field="ask", ask=server.table.n)
    guesses = [said for said in await server.collect(0.7) if isinstance(said, Move)]
    if guesses:
        raise Failed(f"{len(guesses)} moves came before the update that asks")
    await server.send_update(update)
    await server.play_decision()


@situation("does not repeat a move that is refused as illegal, and answers the next ask", "P31, Error codes")
async def illegal(server: KitServer) -> None:
    await server.play_first_decision()
    await server.play_until_asked()
    first = await server.receive_move()
    refused = {"field": "move", "rule": "XYZ-1", "sent": "what you sent", "left_ms": 9_000}
    await server.send_error(first, "illegal_move", "this move breaks a rule", **refused)
    tries = await refuse_all(server, 0.7, (Move,), "illegal_move", "this move breaks a rule", **refused)
    if tries > 20:
        raise Failed(f"it sent {tries} more moves in 0.7 s, although each was refused")
    await server.send_update(server.table.time_out())
    await server.play_decision()


def later(code: str, pause_ms: int) -> Play:
    """The move has to be sent again after a pause."""

    async def play(server: KitServer) -> None:
        await server.play_first_decision()
        await server.play_until_asked()
        first = await server.receive_move()
        began = time.monotonic()
        await server.send_error(first, code, f"wait {pause_ms} ms", retry_after_ms=pause_ms)
        second = await server.receive_move()
        waited_ms = (time.monotonic() - began) * 1000
        if waited_ms < pause_ms * 0.9:
            raise Failed(f"it was told to wait {pause_ms} ms, and sent the move again after {waited_ms:.0f} ms")
        if not same(first, second):
            raise Failed("the bot did not send the same move under the same key after the pause")
        await server.accept_move(second)
        await server.play_decision()

    return play


SITUATIONS.extend(
    Situation(
        f"later-{code.replace('_', '-')}",
        f"sends the same move again after {code} and the requested pause",
        "P32, P33",
        True,
        later(code, pause_ms),
    )
    for code, pause_ms in (("too_soon", 300), ("busy", 200), ("rate_limited", 400), ("unavailable", 200))
)


@situation("pauses again when the first pause was too short", "P33")
async def later_twice(server: KitServer) -> None:
    await server.play_first_decision()
    await server.play_until_asked()
    first = await server.receive_move()
    for _ in range(3):
        await server.send_error(first, "too_soon", "wait 150 ms", retry_after_ms=150)
        first = await server.receive_move()
    await server.accept_move(first)
    await server.play_decision()


@situation("goes on when the move that it repeats has already been made", "P16, P32")
async def done_after_all(server: KitServer) -> None:
    await server.play_first_decision()
    await server.play_until_asked()
    first = await server.receive_move()
    update = server.apply_move(first)
    n = server.table.n
    await server.send_error(
        first, "unavailable", "we could not save this just now: please try again", retry_after_ms=100
    )
    second = await server.receive(Move)
    if not same(first, second):
        raise Failed("the bot did not send the same move under the same key after the pause")
    await server.send_ok(second, n=n, again=True)
    await server.send_update(update)
    await server.play_decision()


def unsure(code: str, title: str, see: str) -> Situation:
    """An error without a pause: the bot sends the same move again, a few times."""

    async def play(server: KitServer) -> None:
        await server.play_first_decision()
        await server.play_until_asked()
        first = await server.receive_move()
        await server.send_error(first, code, "something failed in the server")
        second = await server.receive_move()
        if not same(first, second):
            raise Failed("the bot did not send the same move under the same key")
        await server.accept_move(second)
        await server.play_decision()

    return Situation(f"move-{code}", title, see, False, play)


SITUATIONS.append(unsure("internal", "sends the same move again after an internal error", "P16, Error codes"))
SITUATIONS.append(unsure("gremlins", "treats an unknown error code like internal", "P41"))


@situation("gives up on a permanent error after a few tries, and answers the next ask", "P41, bots.md Errors")
async def endless_error(server: KitServer) -> None:
    await server.play_first_decision()
    await server.play_until_asked()
    tries = await refuse_all(server, 1.0, (Move,), "gremlins", "again")
    if tries > 30:
        raise Failed(f"it sent the move {tries} times in a second")
    await server.send_update(server.table.time_out())
    await server.play_decision()


@situation("accepts ok after the update", "P31")
async def ok_after_update(server: KitServer) -> None:
    await server.play_first_decision()
    await server.play_until_asked()
    move = await server.receive_move()
    update = server.apply_move(move)
    n = server.table.n
    await server.send_update(update)
    await asyncio.sleep(0.2)
    await server.send_ok(move, n=n)
    await server.play_decision()


@situation("accepts ok long before the update", "P31")
async def ok_before_update(server: KitServer) -> None:
    await server.play_first_decision()
    await server.play_until_asked()
    move = await server.receive_move()
    update = server.apply_move(move)
    await server.send_ok(move, n=server.table.n)
    await no_other_move(server, move, 0.5)
    await server.send_update(update)
    await server.play_decision()


@situation("waits for a server that is slow to answer a move", "P15, P32")
async def slow_answer(server: KitServer) -> None:
    await server.play_first_decision()
    await server.play_until_asked()
    move = await server.receive_move()
    await no_other_move(server, move, 2.5)
    await server.accept_move(move)
    await server.play_decision()


@situation("drops an ask that the clock has answered", "P20, P35")
async def run_out(server: KitServer) -> None:
    await server.play_first_decision()
    await server.play_until_asked()
    late = await server.receive_move()
    update = server.table.time_out()
    await server.send_update(update)
    await server.send_error(
        late, "stale_ask" if server.table.ask else "not_asked", "your time had run out", field="ask"
    )
    await server.play_decision()


@situation("answers in time when one second is left", "P35", required=False)
async def second_left(server: KitServer) -> None:
    await server.play_first_decision()
    server.table.left_ms = 1000
    await server.play_until_asked()
    began = time.monotonic()
    move = await server.receive_move()
    took_ms = (time.monotonic() - began) * 1000
    if took_ms > 1000:
        raise Failed(f"one second was left, but the move came after {took_ms:.0f} ms")
    await server.accept_move(move)
    await server.play_decision()


@situation("handles an ask whose time has run out when it arrives", "P35")
async def no_time_left(server: KitServer) -> None:
    await server.play_first_decision()
    server.table.left_ms = 0
    await server.play_until_asked()
    server.table.left_ms = 20_000
    await server.send_update(server.table.time_out())
    await server.play_decision()


@situation("plays when an ask has no left_ms", "P35")
async def no_limit(server: KitServer) -> None:
    await server.play_first_decision()
    server.table.left_ms = None
    await server.play_decision()
    await server.play_decision()


@situation("accepts a whole view with a lower entry number as the present state", "P25")
async def number_goes_down(server: KitServer) -> None:
    await server.play_first_decision()
    update = await server.play_until_asked_unsent()
    server.table.n += 3
    await server.send_update({**update, "n": update["n"] + 3, "ask": {**update["ask"], "n": update["n"] + 3}})
    server.table.n = update["n"] + 1
    await server.send_update(server.table.lower_number())
    await server.accept_move(await server.receive_move())
    await server.play_decision()
