"""The direction of imports, and what the games may not know of, read from the source."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
OURS = {"games", "protocol", "server", "bots", "tests", "bench"}
MAY_IMPORT = {
    "games": {"games"},
    "protocol": {"protocol"},
    "server": {"server", "games", "protocol"},
    "bots": {"bots", "games", "protocol"},
}
NOT_IN_GAMES = {
    "asyncio",
    "datetime",
    "io",
    "logging",
    "multiprocessing",
    "os",
    "pathlib",
    "random",
    "secrets",
    "socket",
    "subprocess",
    "sys",
    "threading",
    "time",
}
NOT_CALLED_IN_GAMES = {"open", "print", "input", "__import__", "exec", "eval"}


def complaints(package: str, source: str) -> list[str]:
    """What this source of this package should not do."""
    found: list[str] = []
    for node in ast.walk(ast.parse(source)):
        for module in imported(node):
            top = module.split(".")[0]
            if top in OURS and top not in MAY_IMPORT[package]:
                found.append(f"line {_line(node)}: {package} imports {module}")
            elif package == "games" and top in NOT_IN_GAMES:
                found.append(f"line {_line(node)}: a game imports {module}")
        if isinstance(node, ast.ImportFrom) and node.level:
            found.append(f"line {node.lineno}: imports are absolute")
        if package == "games":
            found += impurities(node)
    return found


def imported(node: ast.AST) -> list[str]:
    """The modules that the statement imports, an `import_module("...")` included."""
    match node:
        case ast.Import():
            return [alias.name for alias in node.names]
        case ast.ImportFrom(module=str(module), level=0):
            return [module]
        case ast.Call(func=ast.Attribute(attr="import_module"), args=[ast.Constant(value=str(module)), *_]):
            return [module]
    return []


def impurities(node: ast.AST) -> list[str]:
    """What a game does that is not a pure function's business."""
    match node:
        case ast.AsyncFunctionDef() | ast.AsyncFor() | ast.AsyncWith() | ast.Await():
            return [f"line {_line(node)}: a game is never async"]
        case ast.Global():
            return [f"line {node.lineno}: a game has no global"]
        case ast.Call(func=ast.Name(id=name)) if name in NOT_CALLED_IN_GAMES:
            return [f"line {node.lineno}: a game calls {name}"]
    return []


def _line(node: ast.AST) -> int:
    return getattr(node, "lineno", 0)


SOURCES = [(package, path) for package in MAY_IMPORT for path in sorted((ROOT / package).rglob("*.py"))]


@pytest.mark.parametrize(("package", "path"), SOURCES, ids=lambda part: str(part).removeprefix(f"{ROOT}/"))
def test_imports_go_one_way(package: str, path: Path) -> None:
    assert complaints(package, path.read_text(encoding="utf-8")) == []


def test_every_package_is_looked_at() -> None:
    assert {package for package, _ in SOURCES} == set(MAY_IMPORT)


@pytest.mark.parametrize(
    ("package", "source", "complaint"),
    [
        ("games", "import server.app", "games imports server.app"),
        ("games", "from protocol.messages import Hello", "games imports protocol.messages"),
        ("protocol", "from games.core import Value", "protocol imports games.core"),
        ("server", "from bots import sdk", "server imports bots"),
        ("server", "import tests.playout", "server imports tests.playout"),
        ("bots", "def f():\n    import server", "bots imports server"),
        ("bots", "import importlib\nimportlib.import_module('server.app')", "bots imports server.app"),
        ("games", "if True:\n    import time", "a game imports time"),
        ("games", "from os.path import join", "a game imports os.path"),
        ("games", "from random import shuffle", "a game imports random"),
        ("games", "async def f(): pass", "a game is never async"),
        ("games", "def f():\n    global x\n    x = 1", "a game has no global"),
        ("games", "open('x')", "a game calls open"),
        ("games", "from . import core", "imports are absolute"),
    ],
)
def test_a_wrong_arrow_is_found(package: str, source: str, complaint: str) -> None:
    assert any(found.endswith(complaint) for found in complaints(package, source))


@pytest.mark.parametrize(
    ("package", "source"),
    [
        ("games", "from games.core import Value\nimport msgspec"),
        ("protocol", "import msgspec\nfrom protocol.codec import encode"),
        ("server", "import asyncio, time\nfrom games import GAMES\nfrom protocol import messages"),
        ("bots", "from games.chance import Chance\nimport websockets"),
    ],
)
def test_right_arrows_are_left_alone(package: str, source: str) -> None:
    assert complaints(package, source) == []
