"""The routes of /data/: the public games of each day as one file, and the list of files."""

from __future__ import annotations

import msgspec
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from server.requests.limits.client_addresses import ClientAddresses
from server.tables.finished.day_files import DayFiles
from server.tables.rooms.service_clock import ServiceClock
from server.web.refusals import above_rate, host_of
from server.web.replays import AT_ONCE, LimitedEndpoint, too_many_at_once

RATE = "address_day_files_per_hour"
TOO_MANY = "Too many files were asked for from your network address"


class DayFileRoutes:
    """Answers requests for the files of days."""

    def __init__(self, files: DayFiles, client_addresses: ClientAddresses, clock: ServiceClock) -> None:
        self._files = files
        self._client_addresses = client_addresses
        self._clock = clock

    def routes(self) -> list[BaseRoute]:
        """The routes, for Starlette."""
        return [Route("/data/", self.index), Route("/data/{name}", LimitedEndpoint(self, self.file), methods=["GET"])]

    def begin(self, request: Request) -> Response | None:
        """Count a request for a file until `end`, or return its refusal: it may be read for long."""
        refusal = above_rate(self._client_addresses, RATE, request, TOO_MANY)
        if refusal is not None:
            return refusal
        return None if self._client_addresses.begin(AT_ONCE, host_of(request)) else too_many_at_once()

    def end(self, request: Request) -> None:
        """The file is sent, or nobody waits for it any more."""
        self._client_addresses.end(AT_ONCE, host_of(request))

    async def index(self, request: Request) -> Response:
        """The list of files, the newest first."""
        refusal = above_rate(self._client_addresses, RATE, request, TOO_MANY)
        if refusal is not None:
            return refusal
        return Response(msgspec.json.encode(await self._files.index(self._clock.now())), media_type="application/json")

    async def file(self, request: Request) -> Response:
        """One file."""
        file = await self._files.find(request.path_params["name"], self._clock.now())
        if file is None:
            return PlainTextResponse("There is no such file. /data/ lists those that there are.\n", 404)
        kind = "application/zstd" if file.name.endswith(".zst") else "application/gzip"  # files of older servers
        headers = {"Cache-Control": "public, max-age=86400", "Content-Length": str(file.bytes)}
        if request.method == "HEAD":
            return Response(media_type=kind, headers=headers)
        return StreamingResponse(self._files.pieces(file), media_type=kind, headers=headers)
