"""The web server of a node, from its start on."""

from __future__ import annotations

import asyncio

import pytest

from server.app import Node
from server.process.uvicorn_server import listener, server_for


async def test_a_node_takes_no_connections_before_it_has_started(store_url: str) -> None:
    """A connection that waits for it would have gone to another node."""
    node, connected, may_go_on = Node(store_url, "node-1"), asyncio.Event(), asyncio.Event()
    start = node.start

    async def start_slowly() -> None:
        await start()
        connected.set()
        await may_go_on.wait()

    node.start = start_slowly  # type: ignore[method-assign]
    server = server_for(node)
    server.config.load()
    server.lifespan = server.config.lifespan_class(server.config)
    with listener("127.0.0.1", 0) as listening:
        port = listening.getsockname()[1]
        starting = asyncio.create_task(server.startup([listening]))
        await connected.wait()
        try:
            with pytest.raises(ConnectionRefusedError):
                await asyncio.open_connection("127.0.0.1", port)
        finally:
            may_go_on.set()
            await starting
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.close()
        await server.shutdown([listening])
