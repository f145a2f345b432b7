"""The route of replay files that clients have: it plays one back, and keeps nothing."""

from __future__ import annotations

from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from protocol.codec import ProtocolError
from server.requests.limits.client_addresses import ClientAddress, ClientAddresses, network_address
from server.requests.replay_reader import ReplayReader
from server.requests.viewed_files import play_file_back
from server.tables.finished.replay import BadReplay
from server.web.http_protocol import MAX_BODY
from server.web.refusals import above_rate, host_of

RATE = "address_files_per_minute"
TOO_MANY = "Too many files were sent from your network address"
RETRY_S = 2
HEADERS = {"Content-Encoding": "gzip", "Cache-Control": "no-store"}


class ReplayFileRoutes:
    """Answers the playback of a file that is sent along (docs/replay.md, "Playback")."""

    def __init__(self, reader: ReplayReader, client_addresses: ClientAddresses) -> None:
        self._reader = reader
        self._client_addresses = client_addresses

    def routes(self) -> list[BaseRoute]:
        """The routes, for Starlette."""
        return [Route("/replays/view", self.view, methods=["POST"])]

    async def view(self, request: Request) -> Response:
        """Play a file back. The body is the file in zlib's format."""
        refusal = above_rate(self._client_addresses, RATE, request, TOO_MANY)
        if refusal is not None:
            return refusal
        length = request.headers.get("Content-Length", "")
        if not length.isdecimal() or int(length) > MAX_BODY:
            return PlainTextResponse(f"A file has at most {MAX_BODY} bytes when it is packed.\n", 413)
        host = host_of(request)
        origin, _ = self._client_addresses.share(RATE, host)
        try:
            content = await request.body()  # not counted: a slow sender keeps nobody from having their file read
            with self._reader.counted(ClientAddress(network_address(host), origin)):
                packed = await play_file_back(self._reader.slices, content, request.query_params.get("view", "public"))
        except ProtocolError as busy:
            return PlainTextResponse(f"{str(busy).capitalize()}.\n", 503, {"Retry-After": str(RETRY_S)})
        except ClientDisconnect:
            return PlainTextResponse("", 400)
        except BadReplay as fault:
            return PlainTextResponse(f"This file cannot be played back: {fault}.\n", 422)
        if packed is None:
            return PlainTextResponse("This game has no such viewpoint.\n", 404)
        return Response(packed, media_type="application/msgpack", headers=HEADERS)
