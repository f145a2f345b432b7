"""The HTTP routes of a node: the websocket, the client's files, the documents, replays and health."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Sequence
from typing import Protocol

from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from games.lessons import LESSONS
from server.requests.limits.client_addresses import network_address
from server.store.store import Store
from server.web.client import Client
from server.web.connections import Connections
from server.web.files import DOCUMENTS, Content, documents, vectors
from server.web.handshake import EXTENSION
from server.web.invitations import Invitations
from server.web.languages import language_of
from server.web.origins import AllowedOrigins, OriginCheck
from server.web.previews import Preview, with_preview
from server.web.refusals import host_of, too_many
from server.web.replays import ReplayRoutes

log = logging.getLogger("cheeseboard.http")

CODE = re.compile("[a-zA-Z0-9]{10}")  # an invitation code

SAFE_HEADERS = (
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
)


class RouteGroup(Protocol):
    """A class that answers requests for several addresses."""

    def routes(self) -> list[BaseRoute]:
        """The routes, for Starlette."""


class Routes:
    """Answers HTTP requests, and accepts websockets."""

    def __init__(
        self,
        connections: Connections,
        invitations: Invitations,
        replays: ReplayRoutes,
        others: Sequence[RouteGroup],
        store: Store,
    ) -> None:
        self._connections = connections
        self._invitations = invitations
        self._replays = replays
        self._others = others
        self._store = store
        self._client = Client()
        self._client.current()  # reads and compresses all files now, so that nobody waits for that later
        self._documents = documents()
        self._vectors = vectors()

    def routes(self) -> list[BaseRoute]:
        """All routes, for Starlette."""
        return [
            WebSocketRoute("/ws", self.websocket),
            Route("/healthz", self.health),
            *(route for group in (self._replays, *self._others) for route in group.routes()),
            Route("/docs", self.first_document),
            Route("/docs/vectors/{name}.json", self.vectors),
            Route("/docs/{name:path}.md", self.document),
            *(Route(f"/docs/{name}", self.page) for name in DOCUMENTS),
            Route("/", self.page),
            Route("/t/{table}", self.table_page),
            Route("/bots", self.page),
            Route("/tv", self.page),
            *(Route(f"/learn/{game}", self.page) for game in LESSONS),
            Route("/r/{table}", self.replay_page),
            Route("/r/{table}/{n:int}", self.replay_page),
            Route("/sw.js", self.worker),
            Route("/manifest.webmanifest", self.manifest),
            Route("/static/{version}/{name:path}", self.file),
            Route("/{code}", self.code_page),
            Route("/{path:path}", self.missing),
        ]

    async def websocket(self, websocket: WebSocket) -> None:
        """Accept the websocket of a browser or a bot."""
        handshake = websocket.scope["extensions"].get(EXTENSION)
        if handshake is None or self._connections.draining:
            await websocket.close(1012)
            return
        client_address = self._connections.admit(host_of(websocket))
        if isinstance(client_address, int):
            refusal = too_many("Too many connections come from your network address", client_address)
            await websocket.send_denial_response(refusal)
            return
        try:
            await websocket.accept()
        except BaseException:
            self._connections.dismiss(client_address)
            raise
        connection = self._connections.open(handshake.finish(), client_address)
        connection.address = network_address(host_of(websocket))

    async def health(self, request: Request) -> Response:
        """Whether the node can serve; the reason why not is in the log."""
        if self._connections.draining:
            return JSONResponse({"ready": False}, 503)
        try:
            async with asyncio.timeout(1):
                await self._store.ping()
        except Exception as fault:
            log.info("not ready: the store does not answer: %s", fault)
            return JSONResponse({"ready": False}, 503)
        return JSONResponse({"ready": True})

    async def document(self, request: Request) -> Response:
        """A document for bot authors or the rules of a game, as Markdown."""
        document = self._documents.get(request.path_params["name"])
        return document.response(request) if document else PlainTextResponse("There is no such document.\n", 404)

    async def first_document(self, request: Request) -> Response:
        """The document for bot authors that leads to the others."""
        return RedirectResponse("/docs/bots")

    async def vectors(self, request: Request) -> Response:
        """A file of test vectors."""
        file = self._vectors.get(request.path_params["name"])
        return file.response(request) if file else PlainTextResponse("There is no such file of vectors.\n", 404)

    async def page(self, request: Request) -> Response:
        """The client: one page for all addresses."""
        return self._page(request, None)

    async def table_page(self, request: Request) -> Response:
        """The client, with a preview of the invitation to the table that the address names."""
        preview = await self._invitations.preview(request.path_params["table"], host_of(request))
        return self._page(request, preview)

    async def code_page(self, request: Request) -> Response:
        """The client, which finds the table of an invitation code; any other word is no page of ours."""
        if CODE.fullmatch(request.path_params["code"]):
            return self._page(request, None)
        return await self.missing(request)

    async def replay_page(self, request: Request) -> Response:
        """The client, with a preview of the finished game that the address names."""
        policy = self._replays.policy(request, self._client.current(language_of(request)).policy)
        return self._page(request, await self._replays.preview(request), policy)

    def _page(self, request: Request, preview: Preview | None, policy: str | None = None) -> Response:
        version = self._client.current(language_of(request))
        page = version.page
        if preview is not None:
            text = with_preview(page.body.decode(), preview).replace("</head>", version.preloads(preview.game), 1)
            page = Content(text.encode(), ".html", policy=policy or version.policy)
        return page.response(request)

    async def worker(self, request: Request) -> Response:
        """The service worker of the current version."""
        return self._client.current(language_of(request)).worker.response(request)

    async def manifest(self, request: Request) -> Response:
        """What systems need to know to install the page."""
        return self._client.current(language_of(request)).manifest.response(request)

    async def file(self, request: Request) -> Response:
        """A file of one version of the client."""
        file = self._client.file(request.path_params["version"], request.path_params["name"])
        if file is None:
            return PlainTextResponse("There is no such file.\n", 404, {"Cache-Control": "no-store"})
        return file.response(request)

    async def missing(self, request: Request) -> Response:
        """Any other address: a page of ours for people, a line of text for programs."""
        if "text/html" not in request.headers.get("Accept", ""):
            return PlainTextResponse("There is no such page.\n", 404)
        response = self._page(request, None)
        response.status_code = 404
        return response


def middleware(allowed: AllowedOrigins) -> list[Middleware]:
    """The middleware of the application."""
    return [Middleware(SafeHeaders), Middleware(OriginCheck, allowed=allowed)]


class SafeHeaders:
    """Adds security headers to every response. The page has a content policy of its own; all else may load nothing."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers: list[tuple[bytes, bytes]] = message["headers"]
                known = {name.lower() for name, _ in headers}
                message["headers"] = [*headers, *(one for one in SAFE_HEADERS if one[0] not in known)]
            await send(message)

        await self._app(scope, receive, with_headers)
