"""Players who send their moves again while the store is away."""

from __future__ import annotations

import asyncio
import random

from tests.client import Client, eventually, fill
from tests.server.tables.test_tables import asked, one_move

FAILOVER_S = 60  # a failover takes two seconds, and much longer on a busy machine


async def play_one(clients: list[Client], table: str, chance: random.Random) -> int:
    """One move, after everybody has heard of the last one."""
    await eventually(lambda: any(asked(client, table) for client in clients))
    return await one_move(clients, table, chance)


async def insist(client: Client, request: str, **fields: object) -> dict[str, object]:
    """The answer to a request that is sent again while the store is away."""
    async with asyncio.timeout(FAILOVER_S):
        while True:
            answer = await client.request(request, **fields)
            if answer.get("code") not in ("unavailable", "busy"):
                return answer
            await asyncio.sleep(0.05)


async def insist_on_moves(clients: list[Client], table: str, chance: random.Random, moves: int) -> list[int]:
    """Play so many moves, each sent again while the store is away; returns their numbers."""
    numbers = []
    for _ in range(moves):
        await eventually(lambda: any(asked(client, table) for client in clients))
        mover = next(client for client in clients if asked(client, table))
        ask = mover.updates(table)[-1]["ask"]
        move = fill(chance.choice(ask["offers"]), chance)
        done = await insist(mover, "move", table=table, ask=ask["n"], key=f"{chance.random()}", move=move)
        assert done["type"] == "ok", done
        numbers.append(int(str(done["n"])))
        for client in clients:
            await client.entry(table, numbers[-1])
    return numbers
