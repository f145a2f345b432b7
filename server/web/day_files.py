"""The routes of /data/: the public games of each day as one file, and the list of files."""

from __future__ import annotations

import msgspec
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from server.requests.limits.client_addresses import ClientAddresses
from server.tables.finished.day_files import DayFiles
from server.tables.rooms.service_clock import ServiceClock
from server.web.refusals import above_rate

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
        return [Route("/data/", self.index), Route("/data/{name}", self.file)]

    async def index(self, request: Request) -> Response:
        """The list of files, the newest first."""
        refusal = above_rate(self._client_addresses, RATE, request, TOO_MANY)
        if refusal is not None:
            return refusal
        return Response(msgspec.json.encode(await self._files.index(self._clock.now())), media_type="application/json")

    async def file(self, request: Request) -> Response:
        """One file."""
        refusal = above_rate(self._client_addresses, RATE, request, TOO_MANY)
        if refusal is not None:
            return refusal
        file = await self._files.find(request.path_params["name"], self._clock.now())
        if file is None:
            return PlainTextResponse("There is no such file. /data/ lists those that there are.\n", 404)
        kind = "application/zstd" if file.name.endswith(".zst") else "application/gzip"  # files of older servers
        headers = {"Cache-Control": "public, max-age=86400", "Content-Length": str(file.bytes)}
        if request.method == "HEAD":
            return Response(media_type=kind, headers=headers)
        return StreamingResponse(self._files.pieces(file), media_type=kind, headers=headers)
