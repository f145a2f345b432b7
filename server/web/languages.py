"""The languages of the page: which of them a browser gets, and their message files."""

from __future__ import annotations

import json
from pathlib import Path

from starlette.requests import Request

LANGUAGES = ("en", "de")  # the first one is the language of the sources
COOKIE = "language"  # set by the page when somebody chooses a language there
HEAD, TAIL = "export const texts = ", ";\n"


def language_of(request: Request) -> str:
    """The language that was chosen on the page; else the first one of the browser's that the page has."""
    chosen = request.cookies.get(COOKIE)
    if chosen in LANGUAGES:
        return chosen
    for wish in request.headers.get("Accept-Language", "").split(","):  # browsers send the best one first
        language = wish.partition(";")[0].strip().partition("-")[0].lower()
        if language in LANGUAGES:
            return language
    return LANGUAGES[0]


def translations(folder: Path, language: str, name: str) -> dict[str, str]:
    """The translations of texts that are in the Python sources or in index.html, by the English text."""
    return {} if language == LANGUAGES[0] else read_messages(folder / language / f"{name}.js")


def read_messages(path: Path) -> dict[str, str]:
    """The messages of a file, by their keys. The file is a module that exports one JSON object."""
    text = path.read_text(encoding="utf-8")
    if not (text.startswith(HEAD) and text.endswith(TAIL)):
        raise ValueError(f"{path} is not of the form {HEAD}{{...}};")
    found: dict[str, str] = json.loads(text.removeprefix(HEAD).removesuffix(TAIL))
    return found
