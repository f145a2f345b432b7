"""Situations from the connection to the first ask: hello, welcome, invitations, sitting down."""

from __future__ import annotations

import asyncio

from bots.conform.connection import Failed
from bots.conform.refusing import refuse_all, refuse_for_a_while, refuse_hellos
from bots.conform.server import KitServer, NotApplicable
from bots.conform.situation import situation
from bots.conform.table import SPEEDS_MS
from protocol.messages import Decline, Open, Sit

MAX_HELLOS = 12  # in 1.5 s, from a bot that is refused


async def few_attempts(server: KitServer, code: str, text: str, field: str) -> None:
    """Refuse each hello of the bot with this error; fail if it tries again and again without pauses."""
    before = server.attempts
    hellos = await refuse_hellos(server, 1.5, code, text, field=field)
    tries = server.attempts - before
    for count, what in ((tries, "connected"), (hellos, "sent hello")):
        if count > MAX_HELLOS:
            raise Failed(f"it {what} {count} times in 1.5 s; pause between attempts, and longer each time")


@situation("sends hello first, with version and token, and plays", "P14, P18")
async def hello(server: KitServer) -> None:
    said = await server.wait_for_hello()
    if said.v != 1:
        raise Failed(f"hello has v {said.v}, but this is version 1")
    await server.send_welcome()
    await server.seat_bot()
    await server.play_decision()


@situation("sends nothing more before welcome, however long that takes", "P14")
async def slow_welcome(server: KitServer) -> None:
    await server.wait_for_hello()
    await asyncio.sleep(1)
    if not server.connection.received.empty():
        await server.next_message()
        raise Failed("the bot sent something before welcome")
    await server.send_welcome()
    await server.seat_bot()
    await server.play_decision()


@situation("ignores fields of welcome that it does not know", "P11, P41")
async def welcome_with_more(server: KitServer) -> None:
    await server.wait_for_hello()
    user = {"id": "b00conform", "name": "Candidate", "bot": True, "owner": "conform", "badge": ["gold", 1]}
    await server.send_welcome(user=user, motd="mind the gap", region={"name": "eu", "n": 3})
    await server.seat_bot()
    await server.play_decision()


@situation("accepts games, options, speeds and limits that it does not know", "P41")
async def welcome_with_new_games(server: KitServer) -> None:
    await server.wait_for_hello()
    new = {"name": "curling", "title": "Curling", "blurb": "Slide.", "seats": [2, 8], "options": {"ice": ["wet", 3]}}
    speeds = {**SPEEDS_MS, "glacial": 86_400_000}
    await server.send_welcome(games=[new], speeds=speeds, limits={"frame_bytes": 16384, "sneezes_per_hour": 4})
    await server.seat_bot()
    await server.play_decision()


@situation("sends hello again when the server asks it to wait", "P16, bots.md Errors", required=False)
async def hello_later(server: KitServer) -> None:
    said = await server.wait_for_hello()
    again = await refuse_for_a_while(
        server, said, "unavailable", "we could not save this just now: please try again", 300
    )
    server.hello = again
    await server.send_welcome()
    await server.seat_bot()
    await server.play_decision()


@situation("gives up, or tries again slowly, when its token is not known", "bots.md Tokens")
async def bad_token(server: KitServer) -> None:
    error = ("bad_token", "this token is not known")
    await server.send_error(await server.wait_for_hello(), *error, field="token")
    await few_attempts(server, *error, "token")


@situation("gives up, or tries again slowly, when the server speaks another version", "P41")
async def bad_version(server: KitServer) -> None:
    error = ("bad_version", "this server speaks version 2, not 1")
    await server.send_error(await server.wait_for_hello(), *error, field="v")
    await few_attempts(server, *error, "v")


@situation("does not reconnect at once when its token was revoked", "P42")
async def revoked(server: KitServer) -> None:
    await server.play_first_decision()
    await server.drop_connection(4004)
    await few_attempts(server, "bad_token", "this token is not known", "token")


@situation("tries again when a stopping node refuses the handshake", "Close codes", required=False)
async def handshake_refused(server: KitServer) -> None:
    server.handshakes_to_refuse = 2
    server.may_restart = True  # a bot that ends because of it is restarted
    await server.welcome_bot()
    await server.seat_bot()
    await server.play_decision()


@situation("waits for a server that is slow to open the table and to seat it", "P15")
async def slow_seating(server: KitServer) -> None:
    await server.welcome_bot()
    sat = False
    while not (sat and server.feed):
        asked = await server.receive(Open, Sit)
        await asyncio.sleep(0.6)
        await server.answer(asked)
        sat = sat or isinstance(asked, Sit)
    await server.seat_bot()
    await server.play_decision()


@situation("opens the table again when opening is refused for a while", "P17, bots.md Errors")
async def open_later(server: KitServer) -> None:
    await server.welcome_bot()
    asked = await server.receive(Open)
    again = await refuse_for_a_while(server, asked, "rate_limited", "too many requests: wait 300 ms", 300)
    await server.answer(again)
    await server.seat_bot()
    await server.play_decision()


@situation("sits down again when sitting is refused for a while", "P16, bots.md Errors")
async def sit_later(server: KitServer) -> None:
    await server.welcome_bot()
    asked = await server.receive(Sit)
    again = await refuse_for_a_while(server, asked, "busy", "too much is asked of this table at once", 300)
    await server.answer(again)
    await server.seat_bot()
    await server.play_decision()


@situation("sends few requests when its table no longer exists", "Error codes")
async def no_table(server: KitServer) -> None:
    await server.welcome_bot()
    asked = await server.receive(Open, Sit)
    await server.send_error(asked, "no_table", "there is no such table", field="table")
    tries = await refuse_all(server, 1, (Open, Sit), "no_table", "there is no such table", field="table")
    if tries > 10:
        raise Failed(f"it sent {tries} requests within a second after the error no_table")


@situation("sends few requests when its table is full", "Error codes")
async def table_full(server: KitServer) -> None:
    await server.welcome_bot()
    asked = await server.receive(Sit)
    await server.send_error(asked, "table_full", "every seat is taken: you can watch")
    tries = await refuse_all(server, 1, (Sit,), "table_full", "every seat is taken: you can watch")
    if tries > 10:
        raise Failed(f"it sent {tries} requests within a second after the error table_full")


@situation("accepts or declines an invitation", "P44")
async def invited(server: KitServer) -> None:
    await server.wait_for_hello()
    assert server.hello
    if server.hello.plays is None:
        raise NotApplicable("its hello has no plays, so it is not invited")
    await server.send_welcome()
    answer = await server.receive(Sit, Decline)
    if answer.table != server.table.id:
        raise Failed(f"it answers for table {answer.table}, but was invited to {server.table.id}")
    if isinstance(answer, Decline):
        await server.send_ok(answer, table=answer.table)
        return
    await server.answer(answer)
    await server.seat_bot()
    await server.play_decision()


@situation("keeps its seat when it is invited to it twice", "P44")
async def invited_twice(server: KitServer) -> None:
    await server.wait_for_hello()
    assert server.hello
    if server.hello.plays is None:
        raise NotApplicable("its hello has no plays, so it is not invited")
    await server.send_welcome()
    await server.invite()
    await server.seat_bot()
    await server.play_decision()
    await server.collect(0.3)
    if server.table.id in server.declined:
        raise Failed("it declined the seat that it has")


@situation("declines when it already plays at as many tables as its hello says", "P43, P44", required=False)
async def invited_while_full(server: KitServer) -> None:
    await server.play_first_decision()
    assert server.hello
    plays = server.hello.plays
    if plays is None:
        raise NotApplicable("its hello has no plays, so it is not invited")
    game = server.table.game.name
    for number in range(plays.tables):  # with its present table one more than it takes
        await server.connection.send(
            {"type": "invited", "table": f"other{number}", "seat": 0, "game": game, "by": "Eve"}
        )
    for _ in range(plays.tables):
        answer = await server.receive(Sit, Decline)
        if isinstance(answer, Decline):
            await server.send_ok(answer, table=answer.table)
            await server.play_decision()
            return
        await server.send_error(answer, "no_table", "there is no such table", field="table")
    raise Failed(f"its hello says {plays.tables} for plays.tables, but it sat down at one table more; expected decline")
