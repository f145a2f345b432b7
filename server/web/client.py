"""The web client as a node serves it: the page, and few files whose addresses name their version.

The version is a hash over the whole client. All files of a page come from `/static/VERSION/`, so a page never mixes old
files with new ones, and browsers may keep them for ever.
"""

from __future__ import annotations

import base64
import hashlib
import json
import logging
import re
from functools import lru_cache
from pathlib import Path
from time import monotonic
from typing import Any

import msgspec

from games import GAMES
from games.lessons import LESSONS
from games.lessons.script import show_lesson
from server.requests.catalogue import CATALOGUE
from server.web.files import DOCUMENTS, IMMUTABLE, ROOT, Content
from server.web.languages import LANGUAGES, translations
from server.web.linker import Linker, LinkError, link_style, parse

log = logging.getLogger("cheeseboard.client")

CLIENT = ROOT / "web-client"
LIBRARIES = {
    "@msgpack/msgpack": "node_modules/@msgpack/msgpack/dist.umd/msgpack.min.js",
    "@preact/signals": "node_modules/@preact/signals/dist/signals.mjs",
    "@preact/signals-core": "node_modules/@preact/signals-core/dist/signals-core.mjs",
    "htm": "node_modules/htm/dist/htm.module.js",
    "preact": "node_modules/preact/dist/preact.mjs",
    "preact/hooks": "node_modules/preact/hooks/dist/hooks.mjs",
    "qr": "node_modules/qr/index.js",
}
ICONS = ("icon.svg", "turn.svg", "icon-192.png", "icon-512.png")
MAX_VERSIONS = 3  # of each language, kept in memory: pages of the version before load some files later
SOURCES = (".js", ".css", ".svg", ".png", ".html", ".webmanifest")
CHECK_S = 1  # how often the files are checked for changes
INLINE_SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)


class Version:
    """One state of the client: its page, its files by name, its service worker and its manifest."""

    def __init__(self, page: str, files: dict[str, bytes], worker: str = "", manifest: str = "") -> None:
        digest = hashlib.sha256(f"{page}{worker}{manifest}".encode())
        for name, body in sorted(files.items()):
            digest.update(f"{name} {len(body)} ".encode() + body)
        self.name = digest.hexdigest()[:16]
        folder = f"/static/{self.name}/"
        page = page.replace("/static/VERSION/", folder)
        self.policy = content_policy(page)
        self.page = Content(page.encode(), ".html", policy=self.policy)
        self.files = {name: Content(body, Path(name).suffix, IMMUTABLE) for name, body in files.items()}
        self.files["index.html"] = Content(page.encode(), ".html", IMMUTABLE, self.policy)  # for the service worker
        cached = {
            "version": self.name,
            "files": [f"{folder}{name}" for name in self.files],
            "documents": [f"/docs/{name}.md" for name in DOCUMENTS if name.startswith("rules/")],
        }
        worker = worker.replace("CLIENT;", f"{json.dumps(cached)};", 1)
        self.worker = Content(worker.encode(), ".js", policy=self.policy)
        self.manifest = Content(manifest.replace("/static/VERSION/", folder).encode(), ".webmanifest")

    def preloads(self, game: str) -> str:
        """The end of a page's head that starts to load a game's files before the page knows which game it shows."""
        kinds = ((f"games/{game}.js", 'rel="modulepreload"'), (f"games/{game}.css", 'rel="preload" as="style"'))
        links = (f'<link {kind} href="/static/{self.name}/{name}">' for name, kind in kinds if name in self.files)
        return "".join((*links, "</head>"))


class Client:
    """The current version of the client and those before it. A change of a file makes a new version."""

    def __init__(self) -> None:
        self._current = dict.fromkeys(LANGUAGES, EMPTY)
        self._versions: dict[str, Version] = {}  # at most MAX_VERSIONS of each language, the oldest first
        self._check_at = 0.0

    def current(self, language: str = LANGUAGES[0]) -> Version:
        """The version that pages in this language are to use now."""
        if monotonic() >= self._check_at:
            self._check_at = monotonic() + CHECK_S
            self._update()
        return self._current[language]

    def file(self, version: str, name: str) -> Content | None:
        """A file of this version; None if there is none, or if the version is not known here."""
        self.current()
        known = self._versions.get(version)
        return known.files.get(name) if known else None

    def _update(self) -> None:
        try:
            changes = _changes()
            current = {language: _read(changes, language) for language in LANGUAGES}
        except (OSError, LinkError) as fault:
            log.warning("the page cannot be updated (are the client's packages installed?): %s", fault)
            return
        finally:
            parse.cache_clear()  # its memory is not needed until a file changes
        self._current = current
        self._versions.update((version.name, version) for version in current.values())
        while len(self._versions) > MAX_VERSIONS * len(LANGUAGES):
            del self._versions[next(iter(self._versions))]


def _changes() -> tuple[tuple[str, int], ...]:
    """All source files of the client, with the times of their last changes."""
    folders = (CLIENT, CLIENT / "games", *(CLIENT / "messages" / language for language in LANGUAGES))
    own = (path for folder in folders for path in folder.iterdir())
    sources = (path for path in own if path.suffix in SOURCES)
    return tuple(sorted((str(path), path.stat().st_mtime_ns) for path in sources))


@lru_cache(maxsize=len(LANGUAGES))
def _read(changes: tuple[tuple[str, int], ...], language: str) -> Version:
    """The client in a language as it is in the files now."""

    def read(name: str) -> str:
        path = name.replace("messages/en/", f"messages/{language}/")  # modules import the English texts
        return (CLIENT / path).read_text(encoding="utf-8")

    games = [f"games/{game}.js" for game in GAMES if (CLIENT / f"games/{game}.js").is_file()]
    linked = Linker(read, LIBRARIES).link("app.js", games)
    styles = ["style.css", *(f"{name.removesuffix('.js')}.css" for name in linked)]
    linked.update((name, link_style(name, read)) for name in styles if (CLIENT / name).is_file())
    files = {name: (CLIENT / name).read_bytes() for name in ICONS}
    files.update((name, text.encode()) for name, text in linked.items())
    files.update((f"lessons/{name}.json", body) for name, body in _lessons(language).items())
    catalogue = msgspec.json.encode(CATALOGUE).decode().replace("<", "\\u003c")
    of_games = " ".join(name for name in linked if name.startswith("games/"))
    page = read("index.html").replace("CATALOGUE", catalogue).replace("LESSONS", " ".join(LESSONS))
    page = page.replace("GAME_FILES", of_games).replace('lang="en"', f'lang="{language}"', 1)
    manifest = read("manifest.webmanifest")
    for english, text in translations(CLIENT / "messages", language, "index").items():
        page, manifest = page.replace(english, text), manifest.replace(english, text)
    return Version(page, files, read("sw.js"), manifest)


@lru_cache(maxsize=1)
def _shown_lessons() -> dict[str, Any]:
    """The lessons as the page plays them, by game. They follow from the rules, so they change only with the server."""
    return {name: msgspec.to_builtins(show_lesson(GAMES[name], lesson)) for name, lesson in LESSONS.items()}


def _lessons(language: str) -> dict[str, bytes]:
    """The lessons in a language, by game."""
    texts = translations(CLIENT / "messages", language, "lessons")

    def translated(value: Any) -> Any:
        match value:
            case dict():
                return {name: translated(item) for name, item in value.items()}
            case list() | tuple():
                return [translated(item) for item in value]
            case str():
                return texts.get(value, value)
            case _:
                return value

    return {name: msgspec.json.encode(translated(lesson)) for name, lesson in _shown_lessons().items()}


def content_policy(page: str) -> str:
    """A policy that allows scripts only from our own files; the inline script of the page is allowed by its hash."""
    hashes = (base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in INLINE_SCRIPT.findall(page))
    scripts = " ".join(("'self'", *(f"'sha256-{digest}'" for digest in hashes)))
    return (
        f"default-src 'self'; script-src {scripts}; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "frame-ancestors 'none'; base-uri 'none'; form-action 'none'; object-src 'none'"
    )


EMPTY = Version("<!doctype html><title>Cheeseboard</title><p>The page is not installed. The log says why.", {})
