"""Situations with unexpected messages: unknown fields and values, unusual frames, other tables, stand-ins."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec

from bots.conform import long_msgpack
from bots.conform.connection import Failed
from bots.conform.playing import no_other_move
from bots.conform.server import KitServer
from bots.conform.situation import situation
from protocol.messages import Move


@situation("ignores messages of a type that it does not know", "P11")
async def unknown_message(server: KitServer) -> None:
    await server.play_first_decision()
    unknown: list[dict[str, Any]] = [
        {"type": "confetti", "table": server.table.id, "n": 3},
        {"type": "weather", "id": 1, "table": None, "ask": {"n": 1, "offers": []}},
    ]
    for message in unknown:
        await server.connection.send(message, unusual=True)
    await server.play_two_decisions()


@situation("ignores fields that it does not know, in updates and in asks", "P11")
async def unknown_fields(server: KitServer) -> None:
    await server.play_first_decision()
    update = await server.play_until_asked_unsent()
    ask = {**update["ask"], "mood": "tense", "hints": [{"move": "none", "fill": {"x": {"least": 1}}}]}
    await server.send_update({**update, "ask": ask, "weather": {"rain": True}, "moves": [1]}, unusual=True)
    await server.accept_move(await server.receive_move())
    await server.play_decision()


@situation("accepts unknown values of kind, level, by and events", "P41")
async def unknown_values(server: KitServer) -> None:
    await server.play_first_decision()
    info = server.table.info()
    info["seats"][0] = {"kind": "ghost", "name": "Boo", "level": "grandmaster", "aura": 3}
    await server.connection.send({**info, "tournament": {"round": 2}}, unusual=True)
    update = await server.play_until_asked_unsent()
    await server.send_update({**update, "by": "referee", "events": [{"type": "sneezed", "loud": True}]}, unusual=True)
    await server.accept_move(await server.receive_move())
    await server.play_decision()


@situation("ignores an error that answers none of its requests", "P12")
async def stray_error(server: KitServer) -> None:
    await server.play_first_decision()
    await server.connection.send({"type": "error", "id": None, "code": "malformed", "message": "one map, please"})
    await server.play_two_decisions()


@situation("ignores chat", "P36")
async def chat(server: KitServer) -> None:
    await server.play_first_decision()
    for text in ("well played", "<b>🧀</b> \u202e olleh", '{"type": "update"}'):
        said = {"type": "chat", "table": server.table.id, "name": "Zoë 🧀", "text": text, "at": 1_767_225_600_000}
        await server.connection.send({**said, "seat": 0})
    await server.play_two_decisions()


@situation("accepts messages larger than a million bytes", "P8")
async def large(server: KitServer) -> None:
    await server.play_first_decision()
    update = await server.play_until_asked_unsent()
    await server.send_update({**update, "padding": "cheese " * 200_000}, unusual=True)
    await server.accept_move(await server.receive_move())
    await server.play_decision()


@situation("reads numbers, strings and maps in the longest forms of msgpack", "P9")
async def long_forms(server: KitServer) -> None:
    await server.play_first_decision()
    server.connection.encode = long_msgpack.encode
    await server.play_decision()
    await server.play_decision()


@situation("reads a message in several websocket fragments", "P8")
async def fragments(server: KitServer) -> None:
    await server.play_first_decision()
    update = await server.play_until_asked_unsent()
    server.rules.note_update(update)
    data = msgspec.msgpack.encode(update)
    await server.connection.socket.send([data[:1], data[1 : len(data) // 2], data[len(data) // 2 :]])
    await server.accept_move(await server.receive_move())
    await server.play_decision()


@situation("answers the pings of the websocket", "P40")
async def ping(server: KitServer) -> None:
    await server.play_first_decision()
    try:
        await asyncio.wait_for(await server.connection.socket.ping(), server.patience_s)
    except TimeoutError:
        raise Failed("the bot sent no pong") from None
    await server.play_decision()


@situation("plays its seat while a stand-in has it", "P20")
async def stand_in(server: KitServer) -> None:
    await server.play_first_decision()
    server.table.stand_in = "Comte"
    await server.connection.send(server.table.info())
    await server.play_until_asked()
    move = await server.receive_move()
    server.table.stand_in = None
    await server.accept_move(move)
    await server.connection.send(server.table.info())
    await server.play_two_decisions()


@situation("accepts seated messages about a seat that it has", "P38")
async def seated_twice(server: KitServer) -> None:
    await server.play_first_decision()
    seated = {"type": "seated", "table": server.table.id, "seat": server.table.bot_seat, "game": server.table.game.name}
    for _ in range(2):
        await server.connection.send(seated)
    await server.play_until_asked()
    first = await server.receive_move()
    await server.connection.send(seated)
    await no_other_move(server, first, 0.5)
    await server.accept_move(first)
    await server.play_two_decisions()


@situation("plays on when an update of a table comes that it has not opened", "P21", required=False)
async def strange_table(server: KitServer) -> None:
    await server.play_first_decision()
    update = await server.play_until_asked_unsent()
    strange = {**update, "table": "strange1", "ask": {**update["ask"], "n": update["n"] + 40}}
    await server.connection.send(strange)
    await server.send_update(update)
    while True:
        move = await server.receive(Move)
        if move.table == server.table.id:
            break
        await server.send_error(move, "not_seated", "you have no seat at this table")
    await server.accept_move(move)
    await server.play_decision()


@situation("makes no more moves when the table is closed before the end", "P35, table")
async def closed(server: KitServer) -> None:
    await server.play_first_decision()
    await server.play_until_asked_unsent()
    await server.connection.send({**server.table.info(), "status": "closed"})
    if any(isinstance(said, Move) for said in await server.collect(0.7)):
        raise Failed("it made a move at a closed table")
