"""The direction of imports between the packages and inside server/, and what games may not use, read from the source.

Imports inside functions and under TYPE_CHECKING count like all others.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
OURS = {"games", "protocol", "server", "bots", "tests", "bench", "tools"}
MAY_IMPORT = {
    "games": {"games"},
    "protocol": {"protocol"},
    "server": {"server", "games", "protocol"},
    "bots": {"bots", "games", "protocol"},
}
# A folder of server/ may import from itself and from the folders listed for it, which are all below it.
BELOW = {
    "process": {"web", "requests", "tables", "delivery", "store"},
    "web": {"requests", "tables", "delivery", "store"},
    "requests": {"tables", "delivery", "store"},
    "tables": {"delivery", "store"},
    "delivery": set(),
    "store": set(),
}
# Inside requests/ and tables/, a folder may import from itself and from those listed for it; the modules beside the
# folders may import from all of them.
BELOW_INSIDE = {
    "requests/limits": set(),
    "tables/finished": {"rooms", "state"},
    "tables/rooms": {"state"},
    "tables/state": set(),
}
EVERYWHERE = {"server.metrics"}  # modules that import nothing of server/ and that every folder may import
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


def server_modules() -> dict[str, str]:
    """The source of every module of server/, by its dotted name."""
    found = {}
    for path in sorted((ROOT / "server").rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        found[name] = path.read_text(encoding="utf-8")
    return found


def server_imports(modules: dict[str, str]) -> dict[str, set[str]]:
    """The modules of server/ that each of them imports, `from package import module` included."""
    imports: dict[str, set[str]] = {name: set() for name in modules}
    for name, source in modules.items():
        for node in ast.walk(ast.parse(source)):
            for module in imported(node):
                names = [f"{module}.{alias.name}" for alias in node.names] if isinstance(node, ast.ImportFrom) else []
                found = [one for one in names if one in modules] or [module]
                imports[name] |= {one for one in found if one in modules and one != name}
    return imports


def wrong_arrows(modules: dict[str, str]) -> list[str]:
    """The imports that do not go down."""
    wrong = []
    for name, imports in server_imports(modules).items():
        folder, inner = place(name)
        for module in sorted(imports):
            target, inner_target = place(module)
            if name == "server.app" or module in EVERYWHERE:
                continue
            allowed = target in BELOW.get(folder, set()) | {folder} and name not in EVERYWHERE
            if allowed and inner and target == folder:
                allowed = inner_target in BELOW_INSIDE[f"{folder}/{inner}"] | {inner}
            if not allowed:
                wrong.append(f"{name} imports {module}")
    return wrong


def place(module: str) -> tuple[str, str]:
    """The folder of server/ in which a module lies, and the folder inside that one; "" for none."""
    folders = [*module.split(".")[1:-1], "", ""]
    return folders[0], folders[1]


def import_cycles(modules: dict[str, str]) -> list[str]:
    """A cycle of imports as text, if there is one."""
    imports = server_imports(modules)
    done: set[str] = set()

    def walk(name: str, path: tuple[str, ...]) -> list[str]:
        if name in path:
            return [" > ".join((*path[path.index(name) :], name))]
        if name in done:
            return []
        for module in sorted(imports[name]):
            if cycle := walk(module, (*path, name)):
                return cycle
        done.add(name)
        return []

    return next((cycle for name in sorted(imports) if (cycle := walk(name, ()))), [])


def test_imports_inside_the_server_go_down() -> None:
    assert wrong_arrows(server_modules()) == []


def test_no_modules_of_the_server_import_each_other() -> None:
    assert import_cycles(server_modules()) == []


def test_every_folder_of_the_server_has_its_place() -> None:
    folders = {path.parent.name for path in (ROOT / "server").glob("*/__init__.py")}
    assert folders == set(BELOW)
    inside = {str(path.parent.relative_to(ROOT / "server")) for path in (ROOT / "server").glob("*/*/__init__.py")}
    assert inside == set(BELOW_INSIDE)
    assert not list((ROOT / "server").glob("*/*/*/*.py"))
    assert {path.name for path in (ROOT / "server").glob("*.py")} == {"__init__.py", "app.py", "metrics.py"}


@pytest.mark.parametrize(
    ("module", "planted", "arrow"),
    [
        (
            "server.store.keys",
            "from server.tables.rooms import room",
            "server.store.keys imports server.tables.rooms.room",
        ),
        ("server.tables.rooms.room", "import server.web.http", "server.tables.rooms.room imports server.web.http"),
        ("server.delivery.frames", "from server.store import keys", "server.delivery.frames imports server.store.keys"),
        (
            "server.tables.state.table",
            "def f():\n    import server.app",
            "server.tables.state.table imports server.app",
        ),
        ("server.tables.state.faults", "import server.tables.rooms.sync", "faults imports server.tables.rooms.sync"),
        ("server.tables.state.faults", "import server.tables.background", "faults imports server.tables.background"),
        (
            "server.tables.rooms.room",
            "import server.tables.finished.archive",
            "room imports server.tables.finished.archive",
        ),
        ("server.requests.limits.limiter", "from server.requests import handlers", "imports server.requests.handlers"),
        ("server.metrics", "from server.store import keys", "server.metrics imports server.store.keys"),
        (
            "server.tables.rooms.viewers",
            "import typing\nif typing.TYPE_CHECKING:\n    from server.requests.connection import Connection",
            "server.tables.rooms.viewers imports server.requests.connection",
        ),
    ],
)
def test_a_planted_upward_import_is_found(module: str, planted: str, arrow: str) -> None:
    modules = server_modules()
    modules[module] += f"\n{planted}\n"
    assert [wrong.endswith(arrow) for wrong in wrong_arrows(modules)] == [True]


def test_a_planted_type_only_cycle_is_found() -> None:
    modules = server_modules()
    modules["server.tables.rooms.viewers"] += (
        "\nfrom typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from server.tables.rooms.room import Room\n"
    )
    assert wrong_arrows(modules) == []
    assert import_cycles(modules) == [
        "server.tables.rooms.room > server.tables.rooms.viewers > server.tables.rooms.room"
    ]


def test_no_module_is_longer_than_400_lines() -> None:
    modules = [path for package in OURS - {"tests"} for path in (ROOT / package).rglob("*.py")]
    own = [path for path in modules if not {".venv", ".rules", "node_modules"} & set(path.parts)]
    assert len(own) > 200
    client = [*(ROOT / "web-client").glob("*.js"), *(ROOT / "web-client" / "games").glob("*.js")]
    assert len(client) > 80
    own += client
    lengths = {str(path.relative_to(ROOT)): len(path.read_text(encoding="utf-8").splitlines()) for path in own}
    assert {name: length for name, length in lengths.items() if length > 400} == {}
