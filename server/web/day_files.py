"""The routes of /data/: the public games of each day as one file, and the list of files."""

from __future__ import annotations

import msgspec
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from server.requests.client_addresses import ClientAddresses
from server.tables.day_files import DayFiles
from server.tables.service_clock import ServiceClock
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
        name = request.path_params["name"]
        known = any(one.name == name for one in await self._files.index(self._clock.now()))
        content = await self._files.find(name) if known else None
        if content is None:
            return PlainTextResponse("There is no such file. /data/ lists those that there are.\n", 404)
        kind = "application/zstd" if name.endswith(".zst") else "application/gzip"  # files of older servers
        return Response(content, media_type=kind, headers={"Cache-Control": "public, max-age=86400"})
