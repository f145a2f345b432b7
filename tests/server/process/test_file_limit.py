"""A node without free file descriptors refuses newcomers in an orderly way, says so, and recovers."""

from __future__ import annotations

import asyncio
import contextlib
import json
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from websockets.exceptions import InvalidStatus

from tests.client import Client
from tests.server.web.test_http_protocol import GET, UPGRADE, Raw
from tests.service import Service

FILES = 200


@pytest.mark.slow
async def test_at_the_limit_of_files_newcomers_are_refused_and_players_go_on(tmp_path: Path) -> None:
    log = tmp_path / "log"
    limits = {"LIMIT_EXEMPT": "127.0.0.1"}
    service = Service(tmp_path / "data", ("prlimit", f"--nofile={FILES}"), log, NODES=1, BOTS=0, **limits)
    address = urlsplit(service.http)
    raws: list[Raw] = []
    try:
        player = await Client.join(service.url, "Player")
        for number in range(2 * FILES):
            raws.append(Raw(*await asyncio.open_connection(address.hostname, address.port)))
            if number < FILES // 2:
                raws[-1].send(UPGRADE % (b"", b""))
        with pytest.raises(InvalidStatus, match="503"):
            await Client.join(service.url, "Newcomer")
        for _ in range(3):
            raws.append(Raw(*await asyncio.open_connection(address.hostname, address.port)))
            raws[-1].send(GET % b"/healthz")
            assert await raws[-1].status() == 200
            assert (await player.request("ping"))["type"] == "ok"
        for raw in raws:
            raw.writer.transport.abort()
        async with asyncio.timeout(20):
            while True:
                with contextlib.suppress(InvalidStatus):
                    await Client.join(service.url, "Newcomer")
                    break
                await asyncio.sleep(0.05)
    finally:
        for raw in raws:
            raw.writer.transport.abort()
        service.stop()
    lines = [json.loads(line) for line in log.read_text().splitlines() if line.startswith("{")]
    refusals = [line["text"] for line in lines if line["name"] == "cheeseboard.admission"]
    assert 1 <= len(refusals) <= 5
    assert all("refused" in text for text in refusals)
