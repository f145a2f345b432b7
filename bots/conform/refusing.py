"""Refusing requests of the bot, and what it does then."""

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import Any

from bots.conform.connection import BotConnection, Failed
from bots.conform.server import KitServer
from protocol.messages import ClientMessage, Hello


async def refuse_for_a_while(server: KitServer, request: ClientMessage, code: str, text: str, pause_ms: int) -> Any:
    """Refuse a request for so long; returns the same request again, and raises Failed if it comes before that."""
    began = time.monotonic()  # before the error is sent: this process may have to wait for the CPU in between
    await server.send_error(request, code, text, retry_after_ms=pause_ms)
    again = await server.receive(type(request))
    waited_ms = (time.monotonic() - began) * 1000
    if waited_ms < pause_ms * 0.9:
        name = type(request).__name__.lower()
        raise Failed(f"it was told to wait {pause_ms} ms, and sent {name} again after {waited_ms:.0f} ms")
    return again


async def refuse_hellos(server: KitServer, seconds: float, code: str, text: str, **more: Any) -> int:
    """Refuse every hello that comes in this time, on whichever connection; returns how many came."""
    hellos = 0

    async def refuse(connection: BotConnection) -> None:
        nonlocal hellos
        while (came := await connection.received.get()) is not None:
            if isinstance(came, tuple) and isinstance(came[1], Hello):
                hellos += 1
                await connection.send({"type": "error", "id": came[1].id, "code": code, "message": text, **more})

    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds), asyncio.TaskGroup() as refusing:
            refusing.create_task(refuse(server.connection))
            while True:
                refusing.create_task(refuse(await server.next_connection()))
    return hellos


async def refuse_all(
    server: KitServer, seconds: float, kinds: tuple[type, ...], code: str, text: str, **more: Any
) -> int:
    """Refuse every message of these kinds that comes in this time; returns how many came."""
    tries = 0
    async for message in server.during(seconds):
        if type(message) in kinds:
            tries += 1
            await server.send_error(message, code, text, **more)
        else:
            await server.answer(message)
    return tries
