"""The examples of docs/bots.md, read from the page."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

from tests.service import ROOT

DOCUMENT = (ROOT / "docs" / "bots.md").read_text(encoding="utf-8")
FILES = {"sdk": "sdk.py", "raw": "raw.py", "javascript": "bot.mjs"}
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}


def example(name: str) -> str:
    """The source of an example."""
    (text,) = re.findall(rf"<!-- example {name} -->\n```\w+\n(.*?)```\n", DOCUMENT, re.DOTALL)
    return str(text)


def write(name: str, folder: Path) -> list[str]:
    """Save an example to a file; returns the command that runs it."""
    path = folder / FILES[name]
    path.write_text(example(name), encoding="utf-8")
    if path.suffix == ".py":
        return [sys.executable, str(path)]
    modules = folder / "node_modules"
    if not modules.exists():
        modules.symlink_to(ROOT / "web-client" / "node_modules")
    return ["node", str(path)]
