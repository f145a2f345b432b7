"""The web application of a node: everything is wired here, once, by constructor."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import hashlib
import logging
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from games import GAMES
from protocol.messages import Bye
from server.archive import Archive
from server.clock import Clock
from server.connection import Connection, Desks
from server.door import Door
from server.edge import EXTENSION
from server.feed import Feed
from server.handover import Handover
from server.hub import Hub
from server.metrics import Metrics
from server.people import People
from server.seating import Seating
from server.store import Store

log = logging.getLogger("cheeseboard.app")

ROOT = Path(__file__).resolve().parent.parent
CLIENT = ROOT / "web-client"
DOCS = ROOT / "docs"
DOCUMENTS = ("bots", "protocol", "views", "arena", "replay", *(f"rules/{game}" for game in GAMES))  # that are served
HELLO_S = 10  # how long a connection has to say hello


class Node:
    """One process of the service."""

    def __init__(self, redis_url: str, name: str, handover: Handover | None = None) -> None:
        self.handover = handover or Handover(None, 0, 1)
        self.store = Store(redis_url)
        self.feed = Feed(redis_url)
        self.metrics = Metrics()
        self.hub = Hub(self.store, self.feed, name, self.metrics, self.handover.is_home)
        self.people = People(self.store)
        self.desks = Desks(Seating(self.hub), Door(self.hub))
        self.archive = Archive(self.hub)
        self.clock = Clock(self.hub, self.archive)
        self.draining = False
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Connect to the store and begin to keep time."""
        await self.store.start()
        await self.feed.start()
        await self.hub.log.prepare()
        self.store.on_back = self._reload
        self.store.on_lost = self.hub.doubt
        await self.hub.lobby.start()
        await self.clock.beat(self.hub.now())
        loops = (self.clock.run(), self.hub.presence.run(), self.hub.pulse.run())
        self._tasks = [asyncio.create_task(loop) for loop in loops]
        log.info("the node serves")

    def _reload(self) -> None:
        """The store is back, perhaps a new one: it needs the functions, and what is shown here is read anew."""

        async def prepare() -> None:
            with contextlib.suppress(Exception):
                await self.hub.log.prepare()
            for room in list(self.hub.rooms.values()):
                if room.viewers:
                    room.catch_up()
            self.hub.lobby.ask()

        self._tasks.append(asyncio.create_task(prepare()))

    async def stop(self) -> None:
        """Let go of everything."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.hub.presence.stop()
        await self.feed.close()
        await self.store.close()

    async def drain(self) -> None:
        """Finish what was begun, and send everybody elsewhere."""
        self.draining = True
        log.info("the node drains", extra={"connections": len(self.hub.connections)})
        await self.hub.settle()
        for connection in tuple(self.hub.connections):
            connection.send(Bye(reason="restarting", retry_ms=100))
            connection.cut(1012, "restarting", "drain")
        for _ in range(100):
            if not self.hub.connections:
                break
            await asyncio.sleep(0.02)

    # Routes.

    async def ws(self, websocket: WebSocket) -> None:
        """The one websocket, for browsers and bots alike."""
        edge = websocket.scope["extensions"].get(EXTENSION)
        if edge is None or self.draining:
            await websocket.close(1012)
            return
        await websocket.accept()
        connection = Connection(self.hub, self.people, self.desks, edge)
        asyncio.get_running_loop().call_later(HELLO_S, self._expect_hello, connection)

    def _expect_hello(self, connection: Connection) -> None:
        if not connection.user.id and connection in self.hub.connections:
            connection.cut(4001, "no hello came", "hello")

    async def healthz(self, request: Request) -> Response:
        """Ready or not, and why."""
        if self.draining:
            return JSONResponse({"ready": False, "why": "draining"}, 503)
        try:
            async with asyncio.timeout(1):
                await self.store.call("PING")
        except Exception:
            return JSONResponse({"ready": False, "why": "the store does not answer"}, 503)
        return JSONResponse({"ready": True, "node": self.hub.node})

    async def metrics_page(self, request: Request) -> Response:
        """Figures for Prometheus."""
        return Response(self.metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")

    async def replay(self, request: Request) -> Response:
        """The replay file of a finished game."""
        table = request.path_params["table"]
        text = await self.archive.find(table) if re.fullmatch("[a-z0-9]{4,24}", table) else None
        if text is None:
            return PlainTextResponse("There is no finished game with this id.\n", 404)
        name = f"cheeseboard-{table}.jsonl"
        return PlainTextResponse(
            text, media_type="application/jsonl", headers={"Content-Disposition": f'attachment; filename="{name}"'}
        )

    async def document(self, request: Request) -> Response:
        """A document for bot authors or the rules page of a game, as it is written."""
        name = request.path_params["name"]
        if name not in DOCUMENTS:
            return PlainTextResponse("There is no such document.\n", 404)
        return FileResponse(DOCS / f"{name}.md", media_type="text/markdown; charset=utf-8")

    async def page(self, request: Request) -> Response:
        """The client: one page, whatever table it is about."""
        return FileResponse(CLIENT / "index.html", headers={"Cache-Control": "no-cache"})

    def app(self) -> ASGIApp:
        """The application, with its routes."""

        @contextlib.asynccontextmanager
        async def lifespan(app: Starlette) -> AsyncIterator[None]:
            await self.start()
            yield
            await self.stop()

        return Starlette(
            lifespan=lifespan,
            middleware=[Middleware(SafeHeaders, policy=content_policy())],
            routes=[
                WebSocketRoute("/ws", self.ws),
                Route("/healthz", self.healthz),
                Route("/metrics", self.metrics_page),
                Route("/replays/{table}.jsonl", self.replay),
                Route("/docs/{name:path}.md", self.document),
                *(Route(f"/docs/{name}", self.page) for name in DOCUMENTS),
                Route("/", self.page),
                Route("/t/{table}", self.page),
                Route("/bots", self.page),
                Mount("/", StaticFiles(directory=CLIENT)),
            ],
        )


def content_policy() -> str:
    """No script but our own files; the import map, which has to stand in the page, is allowed by its hash."""
    page = (CLIENT / "index.html").read_text()
    maps = re.findall(r'<script type="importmap">(.*?)</script>', page, re.DOTALL)
    hashes = (base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in maps)
    scripts = " ".join(("'self'", *(f"'sha256-{digest}'" for digest in hashes)))
    return (
        f"default-src 'self'; script-src {scripts}; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "frame-ancestors 'none'; base-uri 'none'; form-action 'none'; object-src 'none'"
    )


class SafeHeaders:
    """Puts the headers that keep a browser safe on every answer."""

    def __init__(self, app: ASGIApp, policy: str) -> None:
        self._app = app
        self._headers = [
            (b"content-security-policy", policy.encode()),
            (b"x-content-type-options", b"nosniff"),
            (b"referrer-policy", b"no-referrer"),
        ]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers: list[Any] = list(message["headers"])
                if scope["path"].startswith(("/lib/", "/src/")) or scope["path"].endswith((".js", ".css")):
                    headers.append((b"cache-control", b"no-cache"))
                message["headers"] = [*headers, *self._headers]
            await send(message)

        await self._app(scope, receive, with_headers)
