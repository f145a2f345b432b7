"""The configurations of proxies in deploy/, with the real nginx and Caddy where they are installed."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import shutil
import zlib
from collections.abc import AsyncIterator
from http.client import HTTPConnection
from pathlib import Path

import pytest

from server.tables.finished.replay import lines
from server.web.http_protocol import MAX_BODY
from tests.client import Client
from tests.random_games import play
from tests.server.conftest import Running, Start
from tests.service import ROOT
from tests.stores import free_ports

SOURCE = "127.0.66.1"  # not exempt from limits
START_S = 20
NGINX = """
{user}
daemon off;
pid nginx.pid;
error_log nginx.log;
events {{ worker_connections 256; }}
http {{
    access_log off;
    client_body_temp_path body;
    proxy_temp_path proxy;
    fastcgi_temp_path fastcgi;
    uwsgi_temp_path uwsgi;
    scgi_temp_path scgi;
    {site}
}}
"""


def nginx(folder: Path, upstream: str, port: int) -> tuple[list[str], dict[str, str]]:
    """The command of nginx with our configuration, on this port and without TLS."""
    site = (ROOT / "deploy" / "nginx.conf").read_text(encoding="utf-8").replace("127.0.0.1:8000", upstream)
    site = re.sub(r"^server \{\n    listen 80;.*?^\}\n", "", site, flags=re.MULTILINE | re.DOTALL)
    site = re.sub(r"^ *(listen \[::\]|ssl_).*\n", "", site, flags=re.MULTILINE)
    site, changed = re.subn(r"listen 443 ssl http2;", f"listen 127.0.0.1:{port};", site)
    assert changed == 1
    (folder / "nginx.conf").write_text(NGINX.format(site=site, user="" if os.getuid() else "user root;"))
    program = shutil.which("nginx", path="/usr/bin:/usr/sbin") or ""
    return [program, "-p", str(folder), "-c", str(folder / "nginx.conf")], {}


def caddy(folder: Path, upstream: str, port: int) -> tuple[list[str], dict[str, str]]:
    """The same of Caddy."""
    (folder / "Caddyfile").write_text(
        "{\n\tadmin off\n" + (ROOT / "deploy" / "Caddyfile").read_text().split("{\n", 1)[1]
    )
    program = shutil.which("caddy", path="/usr/bin:/usr/local/bin") or ""
    environment = {"PUBLIC_HOST": f"http://127.0.0.1:{port}", "UPSTREAM": upstream, "HOME": str(folder)}
    return [program, "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")], environment


@contextlib.asynccontextmanager
async def in_front_of(node: Running, proxy: str, folder: Path) -> AsyncIterator[int]:
    """A proxy in front of this node; the port that it listens on."""
    (port,) = free_ports(1)
    command, environment = (nginx if proxy == "nginx" else caddy)(folder, node.http.removeprefix("http://"), port)
    if not command[0]:
        pytest.skip(f"{proxy} is not installed")
    with (folder / "output").open("wb") as output:
        process = await asyncio.create_subprocess_exec(*command, env=environment, stdout=output, stderr=output)
    try:
        async with asyncio.timeout(START_S):
            while (await asyncio.to_thread(ask, port, "GET", "/healthz"))[0] != 200:
                assert process.returncode is None, (folder / "output").read_text()
                await asyncio.sleep(0.05)
        yield port
    finally:
        process.terminate()
        await process.wait()


def ask(port: int, method: str, path: str, body: bytes | None = None) -> tuple[int, bytes]:
    """The status and the body of an answer; 0 if there is none."""
    connection = HTTPConnection("127.0.0.1", port, timeout=30, source_address=(SOURCE, 0))
    try:
        connection.request(method, path, body)
        answer = connection.getresponse()
        return answer.status, answer.read()
    except OSError:
        return 0, b""
    finally:
        connection.close()


@pytest.mark.parametrize("proxy", ["nginx", "caddy"])
async def test_everything_that_the_service_offers_comes_through_a_proxy(
    start: Start, tmp_path: Path, proxy: str
) -> None:
    node = await start(trusted_proxies="127.0.0.1")
    async with in_front_of(node, proxy, tmp_path) as port:
        forged = {"X-Forwarded-For": "203.0.113.9"}
        client = Client(await Client.connect(f"ws://127.0.0.1:{port}/ws", SOURCE, additional_headers=forged))
        assert (await client.request("hello", v=1, name="Ada"))["type"] == "welcome"
        assert [one.client_address.address for one in node.node.connections] == [SOURCE]
        assert (await client.request("ping"))["type"] == "ok"
        await client.close()
        log = play("diced_cheese", b"long", 4)
        file = zlib.compress("".join(line + "\n" for line in lines(log.table.id, log.entries)).encode())
        asked = (
            ("GET", "/", None, (200,)),
            ("GET", "/metrics", None, (404,)),
            ("POST", "/replays/view", file, (200,)),
            ("POST", "/replays/view", b"x" * MAX_BODY, (422,)),
            ("POST", "/replays/view", b"x" * (MAX_BODY + 1), (413, 502)),  # Caddy 2.6 reports it as a fault behind it
        )
        for method, path, body, statuses in asked:
            answer = await asyncio.to_thread(ask, port, method, path, body)
            assert answer[0] in statuses, (method, path, answer[1][:200])
