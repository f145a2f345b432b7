"""Situations with what a bot has not seen before: unknown words, large and odd frames, other tables, stand-ins."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec

from bots.conform import wide
from bots.conform.link import Failed
from bots.conform.playing import one_decision
from bots.conform.situation import situation
from bots.conform.stage import Stage
from protocol.messages import Move


@situation("ignores messages of a type that it does not know", "P11")
async def unknown_message(stage: Stage) -> None:
    await stage.begin()
    odd: list[dict[str, Any]] = [
        {"type": "confetti", "table": stage.board.table, "n": 3},
        {"type": "weather", "id": 1, "table": None, "ask": {"n": 1, "offers": []}},
    ]
    for message in odd:
        await stage.link.say(message, odd=True)
    await stage.go_on()


@situation("ignores fields that it does not know, in updates and in asks", "P11")
async def unknown_fields(stage: Stage) -> None:
    await stage.begin()
    update = await stage.unsaid_ask()
    ask = {**update["ask"], "mood": "tense", "hints": [{"move": "none", "fill": {"x": {"least": 1}}}]}
    await stage.show({**update, "ask": ask, "weather": {"rain": True}, "moves": [1]}, odd=True)
    await stage.accept(await stage.move())
    await stage.round()


@situation("does not mind kinds, levels, events and makers of moves that it does not know", "P41")
async def unknown_values(stage: Stage) -> None:
    await stage.begin()
    info = stage.board.info()
    info["seats"][0] = {"kind": "ghost", "name": "Boo", "level": "grandmaster", "aura": 3}
    await stage.link.say({**info, "tournament": {"round": 2}}, odd=True)
    update = await stage.unsaid_ask()
    await stage.show({**update, "by": "referee", "events": [{"type": "sneezed", "loud": True}]}, odd=True)
    await stage.accept(await stage.move())
    await stage.round()


@situation("does not mind an error that answers none of its requests", "P12")
async def stray_error(stage: Stage) -> None:
    await stage.begin()
    await stage.link.say({"type": "error", "id": None, "code": "malformed", "message": "one map, please"})
    await stage.go_on()


@situation("does not mind what is said at the table", "P36")
async def chat(stage: Stage) -> None:
    await stage.begin()
    for text in ("well played", "<b>🧀</b> \u202e olleh", '{"type": "update"}'):
        said = {"type": "chat", "table": stage.board.table, "name": "Zoë 🧀", "text": text, "at": 1_767_225_600_000}
        await stage.link.say({**said, "seat": 0})
    await stage.go_on()


@situation("takes messages larger than a million bytes", "P8")
async def large(stage: Stage) -> None:
    await stage.begin()
    update = await stage.unsaid_ask()
    await stage.show({**update, "padding": "cheese " * 200_000}, odd=True)
    await stage.accept(await stage.move())
    await stage.round()


@situation("reads numbers, texts and maps in their long forms", "P9")
async def long_forms(stage: Stage) -> None:
    await stage.begin()
    stage.link.encode = wide.encode
    await stage.round()
    await stage.round()


@situation("reads a message that comes in several websocket fragments", "P8")
async def fragments(stage: Stage) -> None:
    await stage.begin()
    update = await stage.unsaid_ask()
    stage.asked.add(update["ask"]["n"])
    data = msgspec.msgpack.encode(update)
    await stage.link.socket.send([data[:1], data[1 : len(data) // 2], data[len(data) // 2 :]])
    await stage.accept(await stage.move())
    await stage.round()


@situation("answers the pings of the websocket", "P40")
async def ping(stage: Stage) -> None:
    await stage.begin()
    try:
        await asyncio.wait_for(await stage.link.socket.ping(), stage.patience_s)
    except TimeoutError:
        raise Failed("no pong came") from None
    await stage.round()


@situation("plays its seat though a stand-in has it", "P20")
async def stand_in(stage: Stage) -> None:
    await stage.begin()
    stage.board.stand_in = "Comte"
    await stage.link.say(stage.board.info())
    await stage.ask()
    move = await stage.move()
    stage.board.stand_in = None
    await stage.accept(move)
    await stage.link.say(stage.board.info())
    await stage.go_on()


@situation("does not mind being told of its seat again", "P38")
async def seated_twice(stage: Stage) -> None:
    await stage.begin()
    seated = {"type": "seated", "table": stage.board.table, "seat": stage.board.mine, "game": stage.board.game.name}
    for _ in range(2):
        await stage.link.say(seated)
    await stage.ask()
    first = await stage.move()
    await stage.link.say(seated)
    await one_decision(stage, first, 0.5)
    await stage.accept(first)
    await stage.go_on()


@situation("keeps its head when an update of a table comes that it has not opened", "P21", required=False)
async def strange_table(stage: Stage) -> None:
    await stage.begin()
    update = await stage.unsaid_ask()
    strange = {**update, "table": "strange1", "ask": {**update["ask"], "n": update["n"] + 40}}
    await stage.link.say(strange)
    await stage.show(update)
    while True:
        move = await stage.hear(Move)
        if move.table == stage.board.table:
            break
        await stage.refuse(move, "not_seated", "you have no seat at this table")
    await stage.accept(move)
    await stage.round()


@situation("makes no more moves when the table is closed before the end", "P35, table")
async def closed(stage: Stage) -> None:
    await stage.begin()
    await stage.unsaid_ask()
    await stage.link.say({**stage.board.info(), "status": "closed"})
    if any(isinstance(said, Move) for said in await stage.for_a_while(0.7)):
        raise Failed("it made a move at a closed table")
