"""Situations in which the connection is lost, at different points and in different ways."""

from __future__ import annotations

import asyncio
import time

from bots.conform.connection import Failed
from bots.conform.playing import same
from bots.conform.server import KitServer, NotApplicable
from bots.conform.situation import SITUATIONS, Play, Situation, situation
from bots.conform.table import KitTable
from protocol.messages import Move, Open, Sit

RECONNECTING = "P15, P27, P39, bots.md Reconnecting"


async def reconnect_and_play(server: KitServer) -> None:
    """The bot reconnects, or is restarted, and plays."""
    await server.welcome_bot()
    await server.seat_bot()
    await server.play_decision()
    await server.play_decision()


async def before_welcome(server: KitServer) -> None:
    await server.wait_for_hello()
    await server.drop_connection()


async def after_welcome(server: KitServer) -> None:
    await server.welcome_bot()
    await server.drop_connection()


async def while_opening(server: KitServer) -> None:
    await server.welcome_bot()
    await server.receive(Open)
    await server.drop_connection()


async def while_sitting(server: KitServer) -> None:
    await server.welcome_bot()
    await server.receive(Sit)
    server.table.sit()
    await server.drop_connection()


async def before_the_start(server: KitServer) -> None:
    await server.welcome_bot()
    while not (server.table.seated and server.feed):
        await server.answer(await server.receive(Open, Sit))
    await server.drop_connection()


async def while_others_play(server: KitServer) -> None:
    await server.play_first_decision()
    await server.drop_connection()
    for _ in server.table.play_others():
        pass


async def when_asked(server: KitServer) -> None:
    await server.play_first_decision()
    await server.play_until_asked()
    await server.drop_connection()


async def move_lost(server: KitServer) -> None:
    await server.play_first_decision()
    await server.play_until_asked()
    await server.receive_move()
    await server.drop_connection()


async def answer_lost(server: KitServer) -> None:
    await server.play_first_decision()
    await server.play_until_asked()
    server.apply_move(await server.receive_move())
    await server.drop_connection()


async def update_lost(server: KitServer) -> None:
    await server.play_first_decision()
    await server.play_until_asked()
    move = await server.receive_move()
    server.apply_move(move)
    await server.send_ok(move, n=server.table.n)
    await server.drop_connection()


async def thrice(server: KitServer) -> None:
    await server.play_first_decision()
    await server.play_until_asked()
    for _ in range(3):
        await server.drop_connection()
        await server.welcome_bot()
    await server.drop_connection()


def closed_with(code: int) -> Play:
    """The server closes the connection with this code."""

    async def play(server: KitServer) -> None:
        await server.play_first_decision()
        await server.drop_connection(code)

    return play


POINTS: dict[str, tuple[str, Play]] = {
    "before-welcome": ("before welcome", before_welcome),
    "after-welcome": ("right after welcome", after_welcome),
    "while-opening": ("while it waits for its table to open", while_opening),
    "while-sitting": ("when it has got its seat but not the answer", while_sitting),
    "before-the-start": ("before the game starts", before_the_start),
    "while-others-play": ("while others play, who play on", while_others_play),
    "when-asked": ("just as it is asked", when_asked),
    "move-lost": ("when its move has not arrived", move_lost),
    "answer-lost": ("when its move was made but the answer is lost", answer_lost),
    "update-lost": ("when its move was acknowledged but the update is lost", update_lost),
    "thrice": ("three times in a row", thrice),
    "1011": ("with code 1011", closed_with(1011)),
    "4003": ("with code 4003, because it was too slow", closed_with(4003)),
    "4999": ("with a code that it does not know", closed_with(4999)),
}


def returning(lose: Play) -> Play:
    """Lose the connection, reconnect and play on."""

    async def play(server: KitServer) -> None:
        await lose(server)
        await reconnect_and_play(server)

    return play


SITUATIONS.extend(
    Situation(f"lost-{name}", f"reconnects when the connection is lost {when}", RECONNECTING, True, returning(lose))
    for name, (when, lose) in POINTS.items()
)


@situation("reconnects after bye, but not before the time that bye says", "P39")
async def bye(server: KitServer) -> None:
    await server.play_first_decision()
    await server.connection.send({"type": "bye", "reason": "restarting", "retry_ms": 1000})
    began = time.monotonic()
    await server.drop_connection(1012)
    await server.wait_for_hello()
    waited_ms = (time.monotonic() - began) * 1000
    if waited_ms < 900 and server.candidate.starts < 2:
        raise Failed(f"bye told it to wait 1000 ms, but it reconnected after {waited_ms:.0f} ms")
    await server.send_welcome()
    await server.seat_bot()
    await server.play_decision()


@situation("reconnects with pauses while the server is down, and plays when it is back", "P39, Close codes")
async def away(server: KitServer) -> None:
    await server.play_first_decision()
    server.handshakes_to_refuse = 1_000_000
    before = server.attempts
    await server.drop_connection()
    await asyncio.sleep(1.5)
    tries = server.attempts - before
    server.handshakes_to_refuse = 0
    if tries > 30:
        raise Failed(f"it tried {tries} times in 1.5 s; pause between attempts, and longer each time")
    await reconnect_and_play(server)


@situation("sends no moves when its game has ended before it reconnects", "P27, table")
async def over_meanwhile(server: KitServer) -> None:
    await server.play_first_decision()
    await server.drop_connection()
    while server.table.status == "running":
        server.table.play_another_seat() if server.table.ask is None else server.table.time_out()
    await server.welcome_bot()
    said = await server.collect(1)
    if any(isinstance(one, Move) for one in said):
        raise Failed("it made a move in a game that has ended")
    if len(said) > 20:
        raise Failed(f"it sent {len(said)} requests in a second for a game that has ended")


def needs_memory(server: KitServer) -> None:
    """Skip the rest for a bot that was restarted: it has no memory of the connection before."""
    if server.candidate.starts > 1:
        raise NotApplicable("it was restarted, so it has nothing to remember")


@situation("resumes with the number of the last entry that it has", "P3, P27", required=False)
async def resumes(server: KitServer) -> None:
    await server.play_first_decision()
    await server.play_decision()
    await server.drop_connection()
    n = server.table.n
    for _ in server.table.play_others():
        pass
    await server.welcome_bot()
    await server.seat_bot()
    needs_memory(server)
    if server.opened_with[-1] != n:
        raise Failed(f"it opened the table with last {server.opened_with[-1]}, but had seen entry {n}")
    await server.play_decision()


@situation("sends a lost move again under the same key", "P2, P32", required=False)
async def same_key(server: KitServer) -> None:
    await server.play_first_decision()
    await server.play_until_asked()
    first = await server.receive_move()
    await server.drop_connection()
    await server.welcome_bot()
    await server.seat_bot()
    second = await server.receive_move()
    needs_memory(server)
    if not same(first, second):
        raise Failed(f"the same ask was answered under the key {second.key!r} after {first.key!r}")
    await server.accept_move(second)
    await server.play_decision()


@situation("applies patches if it has asked for them, and opens the table again if one does not fit", "P28")
async def patches(server: KitServer) -> None:
    await server.play_first_decision()
    assert server.hello
    if not server.hello.patches:
        raise NotApplicable("its hello does not ask for patches, so it gets whole views")
    server.patching = True
    await server.play_decision()
    await server.play_decision()
    update = await server.play_until_asked_unsent()
    lost = {key: value for key, value in update.items() if key not in ("view", "at")}
    await server.send_update({**lost, "n": update["n"] + 5, "patch": {"set": {}}})
    again = await server.receive(Open)
    await server.open_table(again)
    await server.accept_move(await server.receive_move())


@situation("plays at two tables at once, if it says that it does", "P26, P43")
async def two_tables(server: KitServer) -> None:
    await server.play_first_decision()
    assert server.hello
    if server.hello.plays is None or server.hello.plays.tables < 2:
        raise NotApplicable("its hello does not say that it plays at more than one table")
    first, server.table = server.table, KitTable(server.table.game.name, "second" + server.table.id, "second")
    await server.invite()
    server.feed = False
    await server.seat_bot()
    second = server.table
    for table in (first, second, first, second):
        server.table = table
        await server.play_decision()
