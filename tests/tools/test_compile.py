"""The compiled build: its list of modules is right, and what is tested is what was meant to be tested.

`make compiled` runs the tests with CHEESEBOARD_COMPILED=1 and a path that leads to build/compiled first.
"""

from __future__ import annotations

import ast
import fcntl
import importlib
import os
import re
from pathlib import Path

import pytest

from tests.client import Client
from tests.service import Service
from tools import compile as tool

COMPILED = os.environ.get("CHEESEBOARD_COMPILED") == "1"
RULES = ("games/core.py", "games/kit.py", "games/cheesonomics/market.py")


@pytest.mark.parametrize("path", [*tool.HOT, *RULES])
def test_a_module_is_compiled_if_the_compiled_build_is_tested(path: str) -> None:
    module = importlib.import_module(path.removesuffix(".py").replace("/", "."))
    assert module.__file__
    assert Path(module.__file__).suffix == (".so" if COMPILED else ".py")
    assert Path(module.__file__).is_relative_to(tool.BUILD) == COMPILED


def runs_compiled(process: int) -> bool:
    """Whether a process has loaded the library of our build in which the code of all compiled modules is."""
    maps = Path(f"/proc/{process}/maps").read_text()
    return re.search(rf"{re.escape(str(tool.BUILD))}/\w+__mypyc\.\S+\.so$", maps, re.MULTILINE) is not None


async def test_the_processes_of_a_service_run_the_build_that_is_tested(tmp_path: Path) -> None:
    service = Service(tmp_path, NODES=1, BOTS=1)
    try:
        watcher = await Client.join(service.url, "Watcher")
        made = await watcher.request("create", game="cheesedog", seats=3, seat=None, bots="random")
        await watcher.request("open", table=made["table"])
        await watcher.entry(made["table"], 10)  # by now every process has loaded what it uses
        processes = [service.process.pid, *service.children("server.app"), *service.children("bots.house")]
        assert len(processes) == 3
        assert [runs_compiled(process) for process in processes] == [COMPILED] * 3
    finally:
        service.stop()


def test_every_listed_file_exists() -> None:
    for name in (*tool.HOT, tool.LOCAL_STRUCT):
        assert (tool.ROOT / name).is_file(), name
    assert len(set(tool.HOT)) == len(tool.HOT)


def heirs(name: str, source: str) -> list[str]:
    """The classes of a module that is not compiled whose base is imported from a compiled one."""
    tree, compiled = ast.parse(source), set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and f"{(node.module or '').replace('.', '/')}.py" in tool.HOT:
            compiled |= {alias.asname or alias.name for alias in node.names}
    classes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    return [f"{name}: {one.name}" for one in classes if compiled & {ast.unparse(base) for base in one.bases}]


def test_no_class_outside_of_the_compiled_modules_inherits_from_one_inside() -> None:
    """A compiled class refuses that when an object is made."""
    paths = [path for package in tool.PACKAGES for path in (tool.ROOT / package).rglob("*.py")]
    others = [path for path in paths if str(path.relative_to(tool.ROOT)) not in tool.HOT]
    assert [heir for path in others for heir in heirs(path.name, path.read_text(encoding="utf-8"))] == []
    planted = "from server.store.store import Store\nclass Third(Store): pass"
    assert heirs("third.py", planted) == ["third.py: Third"]


def test_every_file_with_a_local_struct_is_listed() -> None:
    """The base of a LocalStruct is a plain class in the compiled build, so all of them have to be turned into such."""
    found = [
        str(path.relative_to(tool.ROOT))
        for path in sorted((tool.ROOT / "server").rglob("*.py"))
        if re.search(r"^class \w+\(LocalStruct\b", path.read_text(), re.MULTILINE)
    ]
    assert "server/tables/state/table.py" in found
    assert set(found) <= set(tool.HOT)


def test_a_listed_file_that_does_not_exist_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(tool, "STAGE", tmp_path / "build")
    monkeypatch.setattr(tool, "HOT", (*tool.HOT, "server/tables/hub.py"))
    with pytest.raises(SystemExit, match=r"lists files that do not exist: server/tables/hub\.py$"):
        tool.main()
    assert not tool.STAGE.exists()


def test_only_one_process_compiles_at_a_time(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(tool, "STAGE", tmp_path / "build")
    with (tmp_path / "compile.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(SystemExit, match="another process is compiling"):
            tool.main()
    assert not tool.STAGE.exists()


def test_every_file_is_in_the_build_and_every_python_file_can_be_read(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(tool, "STAGE", tmp_path / "build")
    compiled = tool.write_sources()
    assert set(compiled) >= {*tool.HOT, *RULES}
    for package in tool.PACKAGES:
        for path in (tool.ROOT / package).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                written = tool.STAGE / path.relative_to(tool.ROOT)
                if path.suffix == ".py":
                    ast.parse(written.read_text(encoding="utf-8"))
                else:
                    assert written.read_bytes() == path.read_bytes()
    assert (tool.STAGE / "server" / "store" / "functions.lua").is_file()


def test_every_module_with_local_structs_is_compiled() -> None:
    """In the build LocalStruct is a plain class, from which a module that is only copied cannot inherit."""
    using = {
        str(path.relative_to(tool.ROOT))
        for path in (tool.ROOT / "server").rglob("*.py")
        if "(LocalStruct, frozen=True)" in path.read_text(encoding="utf-8")
    }
    assert using <= set(tool.HOT)


LOCAL = """
class Seen(LocalStruct, frozen=True):
    \"\"\"What was seen.\"\"\"

    n: int
    by: str | None = None

    def later(self) -> int:
        return self.n + 1
"""


def test_a_local_struct_becomes_a_class_with_the_same_constructor() -> None:
    names: dict[str, object] = {}
    source = tool._with_plain_classes(f"from __future__ import annotations\n{LOCAL}", "seen.py")
    exec(source, names)
    kind = names["Seen"]
    assert isinstance(kind, type)
    one = kind(3)
    assert (one.n, one.by, one.later(), kind.FIELDS) == (3, None, 4, ("n", "by"))  # type: ignore[attr-defined]
    assert kind(n=1, by="u").by == "u"


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        ("class Seen(Struct, frozen=True):\n    n: int\n", "seen.py: Seen is a Struct"),
        ("class Seen(LocalStruct, frozen=True):\n    pass\n", "seen.py: Seen needs fields"),
        ("class Seen(LocalStruct, frozen=True):\n    n: tuple[\n        int\n    ]\n", "each on one line"),
    ],
)
def test_a_class_that_cannot_be_compiled_is_named(source: str, fault: str) -> None:
    with pytest.raises(tool.CannotCompile, match=re.escape(fault)):
        tool._with_plain_classes(source, "seen.py")
