"""The routes of analyses: asking for one, and looking how far it is."""

from __future__ import annotations

from typing import get_args

import msgspec
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from server.requests.limits.client_addresses import ClientAddresses
from server.store.keys import TABLE_ID
from server.tables.finished.analyses import Analyses, Analysis, Kind, QueueFull, Share
from server.tables.finished.archive import Archive
from server.tables.rooms.service_clock import ServiceClock
from server.web.refusals import above_rate, host_of
from server.web.replays import NO_GAME

QUEUED = "address_analyses_queued"
ASK_RATE = "address_analyses_per_hour"
LOOK_RATE = "address_analysis_looks_per_minute"
TOO_MANY = "Too many analyses were asked for from your network address"


class AnalysisRoutes:
    """Answers requests for analyses of finished games."""

    def __init__(
        self, archive: Archive, analyses: Analyses, client_addresses: ClientAddresses, clock: ServiceClock
    ) -> None:
        self._archive = archive
        self._analyses = analyses
        self._client_addresses = client_addresses
        self._clock = clock

    def routes(self) -> list[BaseRoute]:
        """The routes, for Starlette."""
        path = "/r/{table}/analysis/{kind}"
        return [
            Route(path, self.look, methods=["GET"]),
            Route(path, self.ask, methods=["POST"]),
        ]

    async def look(self, request: Request) -> Response:
        """How far an analysis is, or its result."""
        refusal = above_rate(self._client_addresses, LOOK_RATE, request, TOO_MANY)
        if refusal is not None:
            return refusal
        asked = _asked(request)
        found = None if asked is None else await self._analyses.find(*asked)
        return _answer(found or Analysis("none", 0))

    async def ask(self, request: Request) -> Response:
        """Ask for an analysis."""
        refusal = above_rate(self._client_addresses, ASK_RATE, request, TOO_MANY)
        if refusal is not None:
            return refusal
        asked = _asked(request)
        text = None if asked is None else await self._archive.find(asked[0])
        if asked is None or text is None:
            return PlainTextResponse(NO_GAME, 404)
        try:
            share = Share(*self._client_addresses.share(QUEUED, host_of(request)))
            return _answer(await self._analyses.ask(*asked, text, self._clock.now(), share))
        except QueueFull as full:
            return PlainTextResponse(f"{str(full).capitalize()}.\n", 503, {"Retry-After": "60"})


def _asked(request: Request) -> tuple[str, Kind, int] | None:
    """The game, the kind of analysis and the entry that the address names; None if they cannot be."""
    table, kind, n = request.path_params["table"], request.path_params["kind"], request.query_params.get("n", "0")
    if not TABLE_ID.fullmatch(table) or not (n.isdecimal() and n.isascii() and len(n) < 8):
        return None
    for one in get_args(Kind):
        if kind == one:
            return table, one, 0 if one == "whole" else int(n)
    return None


def _answer(analysis: Analysis) -> Response:
    headers = {"Cache-Control": "no-store"}
    return Response(msgspec.json.encode(analysis), media_type="application/json", headers=headers)
