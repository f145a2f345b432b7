"""A TCP proxy of our own between two parts, which can stall, delay, cut and switch over to another server."""

from __future__ import annotations

import asyncio
import contextlib
from asyncio import StreamReader, StreamWriter

CHUNK = 65536


class Proxy:
    """Passes bytes between those who connect to its port and a server, in both directions."""

    def __init__(self, target: int) -> None:
        self.target = target
        self.port = 0
        self.delay_s = 0.0
        self._open = asyncio.Event()  # the gate of the present connections
        self._open.set()
        self._server: asyncio.Server | None = None
        self._writers: set[StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Listen on a free port of loopback."""
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        """Close everything."""
        if self._server:
            self._server.close()
        self.cut()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def stall(self) -> None:
        """Pass nothing on from now on, and keep all connections open."""
        self._open.clear()

    def flow(self) -> None:
        """Pass on what has waited, and all that comes."""
        self._open.set()

    def abandon(self) -> None:
        """Pass nothing more on over the present connections, and keep them open; new ones work."""
        self._open.clear()
        self._open = asyncio.Event()
        self._open.set()

    def cut(self) -> None:
        """Reset all connections."""
        for writer in tuple(self._writers):
            writer.transport.abort()

    def switch(self, target: int) -> None:
        """Reset all connections, and connect new ones to this port."""
        self.target = target
        self.cut()

    async def _accept(self, reader: StreamReader, writer: StreamWriter) -> None:
        task = asyncio.current_task()
        assert task
        self._tasks.add(task)
        self._writers.add(writer)
        try:
            theirs, to_them = await asyncio.open_connection("127.0.0.1", self.target)
            self._writers.add(to_them)
            try:
                gate = self._open
                await asyncio.gather(self._pass(reader, to_them, gate), self._pass(theirs, writer, gate))
            finally:
                self._writers.discard(to_them)
                to_them.transport.abort()
        except (OSError, RuntimeError, asyncio.CancelledError):
            pass  # one side is gone: so is the other
        finally:
            self._writers.discard(writer)
            writer.transport.abort()
            self._tasks.discard(task)

    async def _pass(self, reader: StreamReader, writer: StreamWriter, gate: asyncio.Event) -> None:
        while data := await reader.read(CHUNK):
            if self.delay_s:
                await asyncio.sleep(self.delay_s)
            await gate.wait()
            writer.write(data)
            await writer.drain()
        with contextlib.suppress(OSError):
            writer.transport.abort()
