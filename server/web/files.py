"""What a node sends of files: their content, compressed if the client allows it, and the documents of a fixed list."""

from __future__ import annotations

import gzip
import hashlib
import re
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from games import GAMES

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
VECTORS = ROOT / "protocol" / "vectors"
DOCUMENTS = ("bots", "other-languages", "protocol", "views", "arena", "replay", *(f"rules/{game}" for game in GAMES))
KINDS = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".html": "text/html; charset=utf-8",
    ".md": "text/markdown; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".webmanifest": "application/manifest+json",
}
REVALIDATED = "no-cache"  # browsers keep it, and ask each time whether it has changed
GZIP = re.compile(r"\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))", re.IGNORECASE)  # in Accept-Encoding
IMMUTABLE = "public, max-age=31536000, immutable"  # for addresses that name a version


class Content:
    """The bytes of one file, compressed once. `policy` is the content policy of a page."""

    def __init__(self, body: bytes, suffix: str, cached: str = REVALIDATED, policy: str | None = None) -> None:
        packed = gzip.compress(body, 9, mtime=0)
        self.body = body
        self._packed = packed if len(packed) < len(body) else None
        self._kind = KINDS[suffix]
        digest = hashlib.sha256(body).hexdigest()[:32]
        self._headers = {"ETag": f'W/"{digest}"', "Cache-Control": cached, "Vary": "Accept-Encoding"}
        if policy is not None:
            self._headers["Content-Security-Policy"] = policy
            self._headers["Vary"] = "Accept-Encoding, Accept-Language, Cookie"  # the page has several languages

    def response(self, request: Request) -> Response:
        """The content, or 304 if the client already has it."""
        if self._headers["ETag"] in request.headers.get("If-None-Match", ""):
            return Response(status_code=304, headers=self._headers)
        if self._packed is not None and GZIP.search(request.headers.get("Accept-Encoding", "")):
            headers = {**self._headers, "Content-Encoding": "gzip"}
            return Response(self._packed, media_type=self._kind, headers=headers)
        return Response(self.body, media_type=self._kind, headers=self._headers)


class ServedFile:
    """One file, kept in memory and read again when it has changed."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._changed_ns = 0
        self._content: Content | None = None

    def response(self, request: Request) -> Response:
        """The file, or 304 if the client already has it."""
        changed_ns = self._path.stat().st_mtime_ns
        if self._content is None or changed_ns != self._changed_ns:
            self._content = Content(self._path.read_bytes(), self._path.suffix)
            self._changed_ns = changed_ns
        return self._content.response(request)


def documents() -> dict[str, ServedFile]:
    """The documents for authors of bots and the rules of the games, by their name."""
    return {name: ServedFile(DOCS / f"{name}.md") for name in DOCUMENTS}


def vectors() -> dict[str, ServedFile]:
    """The test vectors of the protocol, by the name of their file."""
    return {name: ServedFile(VECTORS / f"{name}.json") for name in ("client", "server", "bad")}
