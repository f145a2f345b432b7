"""The routes of finished games: the replay file, and the playback of one viewpoint or of all."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import re
import sys
from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import Protocol

import msgspec
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route
from starlette.types import Receive, Scope, Send

from server.requests.limits.client_addresses import ClientAddresses
from server.requests.remarks import ShownRemarks
from server.store.keys import TABLE_ID
from server.tables.finished.archive import Archive
from server.tables.finished.packed_replay import unpack_pieces, unzip_pieces
from server.tables.finished.playbacks import DRAWS, CachedPlaybacks, GrowingPlayback
from server.tables.finished.replay import BadReplay
from server.tables.finished.slices import Slices
from server.web.files import GZIP
from server.web.previews import Preview
from server.web.refusals import above_rate, host_of
from server.web.replay_preview import ReplayCards, preview_of

log = logging.getLogger("cheeseboard.replays")

ENTRY = re.compile("[0-9]{1,9}")
LAST = sys.maxsize  # as the number of an entry: the end of the game
RATE = "address_replays_per_minute"
TOO_MANY = "Too many replays were opened from your network address"
AT_ONCE = "address_replays_at_once"
NODE_AT_ONCE = "node_replays_at_once"  # further ones get 503
RETRY_S = 2  # when a request may be sent again that came while too many were answered
SOON_S = 0.15  # a playback that takes longer to make is sent while it is made
MAX_AGE_S = 24 * 3600  # how long browsers keep a playback: it never changes, but it may be deleted
CACHED = {"Cache-Control": f"public, max-age={MAX_AGE_S}, immutable", "Vary": "Accept-Encoding"}
GZIPPED = {"Content-Encoding": "gzip"}
MSGPACK = "application/msgpack"
RESULT = "result"  # in the address of a replay: it is the result that is shared
EMBED = "embed"  # in that address: the page is inside a frame of another site
NO_GAME = "There is no finished game with this id.\n"


class DecompressedResponse(Response):
    """A body that is decompressed while it is sent, no faster than the client reads: it may have tens of megabytes."""

    def __init__(self, pieces: Iterator[bytes], media_type: str, headers: dict[str, str]) -> None:
        super().__init__(None, headers=headers, media_type=media_type)
        del self.headers["Content-Length"]  # it is the length of an empty body
        self._pieces = pieces

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        client = Request(scope, receive)
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        for piece in self._pieces:
            await send({"type": "http.response.body", "body": piece, "more_body": True})
            await asyncio.sleep(0)  # sending waits only if the client is slow
            if await client.is_disconnected():
                return
        await send({"type": "http.response.body", "body": b""})


class LimitedRoutes(Protocol):
    """What counts the requests of a LimitedEndpoint."""

    def begin(self, request: Request) -> Response | None:
        """Count a request until `end`, or return its refusal."""

    def end(self, request: Request) -> None:
        """The answer to a request is sent, or nobody waits for it any more."""


class LimitedEndpoint:
    """An ASGI application that counts a request until its answer is sent, and refuses those above the limits."""

    def __init__(self, routes: LimitedRoutes, answer: Callable[[Request], Awaitable[Response]]) -> None:
        self._routes = routes
        self._answer = answer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        refusal = self._routes.begin(request)
        if refusal is not None:
            await refusal(scope, receive, send)
            return
        try:
            response = await self._answer(request)
            await response(scope, receive, send)
        finally:
            self._routes.end(request)


class ReplayRoutes:
    """Answers requests for finished games. Nothing is served of a game before its end: its log has secrets."""

    def __init__(
        self,
        archive: Archive,
        remarks: ShownRemarks,
        client_addresses: ClientAddresses,
        slices: Slices,
        embedders: Sequence[str] = (),
    ) -> None:
        self._archive = archive
        self._embedders = embedders
        self._remarks = remarks
        self._client_addresses = client_addresses
        self._playbacks = CachedPlaybacks(slices)
        self._cards = ReplayCards(slices)
        self._under_way = 0

    def routes(self) -> list[BaseRoute]:
        """The routes, for Starlette."""
        answers = {
            "/replays/{table}.jsonl": self.file,
            "/r/{table}/updates": self.playback,
            "/r/{table}/draws": self.draws,
            "/r/{table}/card.png": self.card,
        }
        small = {"/r/{table}/played_on": self.played_on, "/r/{table}/remarks": self.remarks}
        routes: list[BaseRoute] = [Route(path, answer, methods=["GET"]) for path, answer in small.items()]
        return [
            *routes,
            *(Route(path, LimitedEndpoint(self, answer), methods=["GET"]) for path, answer in answers.items()),
        ]

    def begin(self, request: Request) -> Response | None:
        """Count a request until `end`, or return its refusal."""
        refusal = self._refuse(request)
        if refusal is not None:
            return refusal
        if self._under_way >= self._client_addresses.limits[NODE_AT_ONCE]:
            return _busy(503, "The server is busy with other replays")
        if not self._client_addresses.begin(AT_ONCE, host_of(request)):
            return too_many_at_once()
        self._under_way += 1
        return None

    def end(self, request: Request) -> None:
        """The answer to a request is sent, or nobody waits for it any more."""
        self._under_way -= 1
        self._client_addresses.end(AT_ONCE, host_of(request))

    async def file(self, request: Request) -> Response:
        """The replay file of a finished game."""
        table = request.path_params["table"]
        packed = await self._archive.find_packed(table) if TABLE_ID.fullmatch(table) else None
        if packed is None:
            return PlainTextResponse(NO_GAME, 404)
        headers = {"Content-Disposition": f'attachment; filename="cheeseboard-{table}.jsonl"'}
        return DecompressedResponse(unpack_pieces(packed), "application/jsonl", headers)

    async def playback(self, request: Request) -> Response:
        """What viewers of one viewpoint received live, or those of all viewpoints."""
        view = request.query_params.get("view", "public")
        return await self._computed(request, "" if view == DRAWS else view)

    async def draws(self, request: Request) -> Response:
        """What chance was asked for in each entry, so that a browser can draw again and compare."""
        return await self._computed(request, DRAWS)

    async def played_on(self, request: Request) -> Response:
        """The results of games that played on from this one."""
        refusal = self._refuse(request)
        if refusal is not None:
            return refusal
        table = request.path_params["table"]
        found = await self._archive.played_on(table) if TABLE_ID.fullmatch(table) else []
        return Response(msgspec.json.encode(found), media_type="application/json")

    async def remarks(self, request: Request) -> Response:
        """The remarks of players at moments of this game."""
        refusal = self._refuse(request)
        if refusal is not None:
            return refusal
        table = request.path_params["table"]
        found = await self._remarks.all(table) if TABLE_ID.fullmatch(table) else []
        return Response(msgspec.json.encode(found), media_type="application/json")

    async def _computed(self, request: Request, view: str) -> Response:
        table = request.path_params["table"]
        packed = self._playbacks.find(table, view)
        if packed is None:
            text = await self._find(table)
            if text is None:
                return PlainTextResponse(NO_GAME, 404)
            try:
                growing = self._playbacks.make(table, view, text)
                if _takes_gzip(request) and not await _is_soon_complete(growing):
                    return StreamingResponse(growing.follow(), headers=GZIPPED | CACHED, media_type=MSGPACK)
                packed = await growing.packed()
            except BadReplay as fault:  # the rules have changed since the game was played
                return PlainTextResponse(f"This game cannot be played again: {fault}.\n", 409)
            if packed is None:
                return PlainTextResponse("This game has no such viewpoint.\n", 404)
        return _cacheable(request, packed)

    async def preview(self, request: Request) -> Preview | None:
        """The preview of a finished game: what was played and by whom; the result only if the address asks for it."""
        table = request.path_params["table"]
        text = None if self._refuse(request) else await self._find(table)
        if text is None:
            return None
        n = LAST if RESULT in request.query_params else request.path_params.get("n")
        return preview_of(text, f"{str(request.base_url).rstrip('/')}/r/{table}", n)

    async def card(self, request: Request) -> Response:
        """The picture of the preview: the table at entry `at`, or at the start of the game."""
        table, at = request.path_params["table"], request.query_params.get("at", "")
        text = await self._find(table)
        if text is None:
            return PlainTextResponse(NO_GAME, 404)
        try:
            body = await self._cards.find(table, text, int(at) if ENTRY.fullmatch(at) else None)
        except BadReplay as fault:
            return PlainTextResponse(f"This game cannot be played again: {fault}.\n", 409)
        except (OSError, TimeoutError) as fault:
            log.warning("a preview card was not drawn: %s", fault, extra={"table": table})
            return _busy(503, "The picture could not be drawn")
        return Response(body, media_type="image/png", headers={"Cache-Control": f"public, max-age={MAX_AGE_S}"})

    def policy(self, request: Request, policy: str) -> str:
        """The content policy of a page: with `?embed`, sites that the operator allows may show it in a frame."""
        if EMBED not in request.query_params or not self._embedders:
            return policy
        return policy.replace("frame-ancestors 'none'", f"frame-ancestors {' '.join(self._embedders)}")

    async def _find(self, table: str) -> str | None:
        return await self._archive.find(table) if TABLE_ID.fullmatch(table) else None

    def _refuse(self, request: Request) -> Response | None:
        return above_rate(self._client_addresses, RATE, request, TOO_MANY)


def too_many_at_once() -> Response:
    """The refusal of a request while many of the same address are being answered."""
    return _busy(429, "Too many replays are being sent to your network address")


def _busy(status: int, reason: str) -> Response:
    text = f"{reason}: try again in a moment.\n"
    return PlainTextResponse(text, status, {"Retry-After": str(RETRY_S)})


def _takes_gzip(request: Request) -> bool:
    return GZIP.search(request.headers.get("Accept-Encoding", "")) is not None


async def _is_soon_complete(growing: GrowingPlayback) -> bool:
    """Wait until a playback is complete, or until its beginning can be sent because the rest takes longer.

    A game that cannot be played again at all fails before it has a beginning, and gets a status that says so.
    """
    while not await growing.is_complete(SOON_S):
        if growing.pieces:
            return False
    return True


def _cacheable(request: Request, packed: bytes) -> Response:
    """The answer with this compressed content, or 304 if the browser already has it."""
    headers = CACHED | {"ETag": f'"{hashlib.sha256(packed).hexdigest()[:32]}"'}
    if headers["ETag"] in request.headers.get("If-None-Match", ""):
        return Response(status_code=304, headers=headers)
    if not _takes_gzip(request):
        return DecompressedResponse(unzip_pieces(packed), MSGPACK, headers)
    return Response(packed, media_type=MSGPACK, headers=headers | GZIPPED)
