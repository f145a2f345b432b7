"""The pages that a node serves: the documents of a fixed list, as text and to read, and no other file."""

from __future__ import annotations

import asyncio
import subprocess
from pathlib import Path

import pytest

from tests.server.conftest import Running

DOCS = Path(__file__).resolve().parents[2] / "docs"


async def fetch(url: str) -> tuple[str, str]:
    """The status and the text of an answer; the path is sent as it is written."""
    command = ["curl", "-s", "--path-as-is", "-w", "%{http_code}", url]
    done = await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True, check=True)
    return done.stdout[-3:], done.stdout[:-3]


@pytest.mark.parametrize("name", ["bots", "protocol", "arena", "replay", "rules/cheesedog", "rules/diced_cheese"])
async def test_the_documents_for_bot_authors_are_served(node: Running, name: str) -> None:
    assert await fetch(f"{node.http}/docs/{name}.md") == ("200", (DOCS / f"{name}.md").read_text())
    status, page = await fetch(f"{node.http}/docs/{name}")
    assert (status, page.startswith("<!doctype html>")) == ("200", True)


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
    status, _ = await fetch(f"{node.http}/docs/{path}")
    assert status == "404"
