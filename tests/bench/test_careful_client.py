"""The clients of `make faults` go on after every answer: if a table stands still, the service is at fault."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import msgspec
from websockets.asyncio.server import ServerConnection, serve

from bench.faults.client import Address, CarefulClient
from bench.faults.history import TableHistory

WAIT_S = 15
ASK = {"n": 5, "offers": [{"move": "take", "fill": {}}]}
VIEW = {"type": "update", "table": "t", "n": 5, "by": "house", "view": {}, "ask": ASK}

encode, decode = msgspec.msgpack.encode, msgspec.msgpack.decode


class Script:
    """A server whose second connection refuses the move in the same write in which it answers `open`."""

    def __init__(self) -> None:
        self.connections = 0
        self.keys: list[str] = []
        self.moved_again = asyncio.Event()

    async def serve(self, socket: ServerConnection) -> None:
        """Answer one client."""
        self.connections += 1
        hello = await self._expect(socket, "hello")
        await socket.send(encode({"type": "welcome", "id": hello["id"], "token": "t", "user": {"id": "u"}}))
        if self.connections == 1:
            await self._play(socket)
            return
        opened = await self._expect(socket, "open")
        await socket.send(encode(VIEW))
        move = await self._expect(socket, "move")
        refusal = {"type": "error", "id": move["id"], "code": "illegal_move", "text": "it is"}
        for answer in ({"type": "ok", "id": opened["id"]}, refusal):
            socket.protocol.send_binary(encode(answer))
        socket.transport.write(b"".join(socket.protocol.data_to_send()))
        await self._play(socket)
        self.moved_again.set()
        await socket.wait_closed()

    async def _play(self, socket: ServerConnection) -> None:
        """Show the table as often as it is opened, until a move comes."""
        while (message := await self._expect(socket, "open", "move"))["type"] == "open":
            await socket.send(encode({"type": "ok", "id": message["id"]}))
            await socket.send(encode(VIEW))

    async def _expect(self, socket: ServerConnection, *kinds: str) -> dict[str, Any]:
        message: dict[str, Any] = decode(await socket.recv(decode=False))
        assert message["type"] in kinds
        if message["type"] == "move":
            self.keys.append(message["key"])
        return message


async def test_a_client_moves_again_if_its_move_is_refused_while_it_opens_the_table() -> None:
    script = Script()
    async with serve(script.serve, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        client = CarefulClient(Address("127.0.0.1", port), "A", random.Random(1), True, lambda: None)
        client.start()
        try:
            async with asyncio.timeout(WAIT_S):
                while not client.user:  # it follows a table once it is welcome
                    await asyncio.sleep(0.01)
                await client.follow(TableHistory("t", "game"))
                await script.moved_again.wait()
        finally:
            await client.stop()
    assert script.keys[0] == script.keys[1] != script.keys[2]
