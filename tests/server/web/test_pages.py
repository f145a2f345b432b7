"""The pages that a node serves: the documents of a fixed list, as text and to read, and no other file."""

from __future__ import annotations

import asyncio
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.server.conftest import Running

DOCS = Path(__file__).resolve().parents[2] / "docs"


async def fetch(node: Running, path: str) -> tuple[int, str]:
    """The status and the text of an answer; the path is sent as it is written."""

    def ask() -> tuple[int, str]:
        line = HTTPConnection(urlsplit(node.http).netloc)
        try:
            line.request("GET", path)
            answer = line.getresponse()
            return answer.status, answer.read().decode()
        finally:
            line.close()

    return await asyncio.to_thread(ask)


@pytest.mark.parametrize("name", ["bots", "protocol", "views", "arena", "replay", "rules/cheesedog"])
async def test_the_documents_for_bot_authors_are_served(node: Running, name: str) -> None:
    assert await fetch(node, f"/docs/{name}.md") == (200, (DOCS / f"{name}.md").read_text())
    status, page = await fetch(node, f"/docs/{name}")
    assert (status, page.startswith("<!doctype html>")) == (200, True)


OTHERS = (
    "operations.md",
    "operations",
    "../README.md",
    "..%2fREADME.md",
    "rules/..%2fbots.md",
    "rules/%2e%2e/%2e%2e/README.md",
    "/etc/passwd",
    ".md",
    "rules/.md",
    "bots%00.md",
)


@pytest.mark.parametrize("path", OTHERS)
async def test_no_other_file_is_served_as_a_document(node: Running, path: str) -> None:
    status, _ = await fetch(node, f"/docs/{path}")
    assert status == 404
