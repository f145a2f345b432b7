"""Compiles the service: `python -m tools.compile` writes games/, protocol/, server/ and bots/ to build/compiled.

mypyc translates to C the rules of the games and the modules in `HOT`: those through which a move passes, and the
searches of masters. All other files are copied. Python takes a compiled module before the source that lies beside it.

mypyc cannot compile msgspec's Structs: it drops the keywords of a class and the types of its fields. So they stay
Python code:

- A module of a game that defines Structs is split after its last class. The upper part becomes a module of its own,
  `<name>_values.py`; the lower part, with the functions, imports it and is compiled.
- The modules in `HOT` define no Structs, except for subclasses of `LocalStruct`: these are never encoded, so they
  become plain classes and are compiled.

The C that mypyc generates includes `tools/lookups.h`, which makes lookups of names, fields and classes faster.

This needs a C compiler and mypy. `make run` and the Docker image use the result, and the benchmarks measure it.
"""

from __future__ import annotations

import ast
import fcntl
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "compiled"
STAGE = BUILD.with_name("compiling")  # renamed to BUILD once complete, because a service may be running from BUILD
ENVIRONMENT = {"PYTHONSAFEPATH": "1", "PYTHONPATH": f"{BUILD}{os.pathsep}{ROOT}"}  # for a Python that uses the build
PACKAGES = ("games", "protocol", "server", "bots")
LINKS = ("docs", "web-client")  # folders that the server reads, beside its own package
VALUES = ("moves", "events", "phases")  # modules of a game's package that define only Structs

# The modules through which a move passes, besides the games, and those that a master's search runs in. A module belongs
# here if it runs for every move or every imagined deal, defines no Struct but LocalStructs, and no class of it inherits
# from a library.
HOT = (
    "bots/cheesedog_simulation.py",
    "bots/cheesonomics_simulation.py",
    "bots/chesterfield_model.py",
    "bots/chesterfield_simulation.py",
    "bots/do_my_bidding_model.py",
    "bots/do_my_bidding_table.py",
    "bots/search.py",
    "protocol/codec.py",
    "protocol/duplicates.py",
    "protocol/session.py",
    "server/metrics.py",
    "server/delivery/batch_write.py",
    "server/delivery/broadcast.py",
    "server/delivery/frames.py",
    "server/delivery/outbox.py",
    "server/requests/connection.py",
    "server/requests/handlers.py",
    "server/requests/limits/connection_rate.py",
    "server/store/announcer.py",
    "server/store/answers.py",
    "server/store/cluster_store.py",
    "server/store/keys.py",
    "server/store/pubsub.py",
    "server/store/redis_connection.py",
    "server/store/rollback_guard.py",
    "server/store/single_store.py",
    "server/store/store.py",
    "server/store/table_channel.py",
    "server/store/table_log.py",
    "server/tables/state/asks.py",
    "server/tables/rooms/bookkeeping.py",
    "server/tables/state/chairs.py",
    "server/tables/rooms/commands.py",
    "server/tables/state/deadlines.py",
    "server/tables/state/decisions.py",
    "server/tables/state/delay.py",
    "server/tables/state/fold_log.py",
    "server/tables/state/positions.py",
    "server/tables/rooms/room.py",
    "server/tables/rooms/room_deadline.py",
    "server/tables/rooms/rooms.py",
    "server/tables/rooms/service_clock.py",
    "server/tables/rooms/sync.py",
    "server/tables/state/table.py",
    "server/tables/state/table_info.py",
    "server/tables/state/table_rules.py",
    "server/tables/state/updates.py",
    "server/tables/rooms/viewers.py",
    "server/tables/rooms/viewpoint.py",
    "server/web/turns.py",
    "server/web/websocket.py",
)
LOCAL_STRUCT = "server/tables/state/local_struct.py"  # defines the class LocalStruct and its `replace`

LOOKUPS = "tools/lookups.h"  # is included in the generated C, after its own declarations

SETUP = r"""
import re
import sys
from pathlib import Path
from mypyc.build import mypycify
from setuptools import setup
modules = mypycify(sys.argv.pop().split(), opt_level="3")
for path in Path("build").glob("__native_*.c"):
    declared = r'(#include "__native_internal_.*\n)'
    code, found = re.subn(declared, r'\1#include "../lookups.h"\n', path.read_text(), count=1)
    if not found:
        sys.exit(f"{path} does not include the declarations of mypyc")
    path.write_text(code)
setup(name="compiled", packages=[], ext_modules=modules)
"""

LOCAL_STRUCT_SOURCE = '''"""The base of values that never leave a node: here a plain class."""

from typing import Any, TypeVar

T = TypeVar("T")


class LocalStruct:
    pass


def replace(one: T, /, **new: Any) -> T:
    kind: Any = type(one)
    copy: T = kind(**{name: getattr(one, name) for name in kind.FIELDS} | new)
    return copy
'''


class CannotCompile(Exception):  # noqa: N818
    """Says in one line which source cannot be compiled, and why."""


def write_sources() -> list[str]:
    """Write everything to STAGE, and return the files that mypyc has to compile."""
    missing = [name for name in (*HOT, LOCAL_STRUCT) if not (ROOT / name).is_file()]
    if missing:
        raise CannotCompile(f"tools/compile.py lists files that do not exist: {', '.join(missing)}")
    shutil.rmtree(STAGE, ignore_errors=True)
    compiled = []
    for path in sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*")):
        name = path.relative_to(ROOT)
        if path.is_dir() or "__pycache__" in name.parts:
            continue
        (STAGE / name).parent.mkdir(parents=True, exist_ok=True)
        if name.suffix != ".py":
            shutil.copy(path, STAGE / name)
            continue
        source = path.read_text(encoding="utf-8")
        if name.parts[0] == "games" and _has_functions(source):
            source = _split_off_structs(_with_direct_imports(_with_public_fields(source)), name)
            compiled.append(str(name))
        elif str(name) in HOT:
            source = _with_plain_classes(source, str(name))
            compiled.append(str(name))
        elif str(name) == LOCAL_STRUCT:
            source = LOCAL_STRUCT_SOURCE
        (STAGE / name).write_text(source, encoding="utf-8")
    for link in LINKS:
        (STAGE / link).symlink_to(ROOT / link)
    return compiled


def _has_functions(source: str) -> bool:
    nodes = ast.parse(source).body
    return any(isinstance(node, ast.FunctionDef | ast.ClassDef) and not _is_struct(node) for node in nodes)


def _is_struct(node: ast.stmt) -> bool:
    """Whether this defines a Struct: our Structs have `frozen` among the keywords of the class."""
    return isinstance(node, ast.ClassDef) and any(keyword.arg == "frozen" for keyword in node.keywords)


# Games.


def _with_public_fields(source: str) -> str:
    """Write `**copied(state, PUBLIC)` out as one argument for each field: without a dict, and with checked types."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.Assign) and _defined(node) == ["PUBLIC"]:
            for value in ("state", "view"):
                fields = ", ".join(f"{name}={value}.{name}" for name in ast.literal_eval(node.value))
                source = source.replace(f"**copied({value}, PUBLIC)", fields)
    return source


def _with_direct_imports(source: str) -> str:
    """Import `Sold` of `events.Sold` by name: mypyc would look it up in the module `events` at each use."""
    tree = ast.parse(source)
    modules: dict[str, str] = {}
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("games."):
            modules |= {alias.name: f"{node.module}.{alias.name}" for alias in node.names if alias.name in VALUES}
    lines = source.splitlines()
    used = set()
    right_to_left = sorted(ast.walk(tree), key=lambda node: -getattr(node, "col_offset", 0))
    for found in right_to_left:  # so that the columns of what is still to be replaced stay right
        match found:
            case ast.Attribute(ast.Name(module), name) if module in modules:
                used.add((module, name))
                line = lines[found.lineno - 1]
                lines[found.lineno - 1] = f"{line[: found.col_offset]}{module}_{name}{line[found.end_col_offset :]}"
    end = _end_of_imports(tree)
    imports = [f"from {modules[module]} import {name} as {module}_{name}" for module, name in sorted(used)]
    return "\n".join([*lines[:end], *imports, *lines[end:], ""])


def _split_off_structs(source: str, name: Path) -> str:
    """Write the part of a module down to its last class to a module of its own. Return the rest, which imports it."""
    tree = ast.parse(source)
    if any(map(_is_struct, tree.body)):
        lines = source.splitlines(keepends=True)
        end, last = _end_of_imports(tree), max(_last_line(node) for node in tree.body if isinstance(node, ast.ClassDef))
        values = name.with_name(f"{name.stem}_values.py")
        (STAGE / values).write_text("".join(lines[:last]), encoding="utf-8")
        names = [defined for node in tree.body if end < node.lineno <= last for defined in _defined(node)]
        module = ".".join(values.with_suffix("").parts)
        imports = f"from {module} import {', '.join(f'{defined} as {defined}' for defined in names)}\n"
        source = "".join([*lines[:end], imports, *lines[last:]])
    return source + f"\n__doc__ = {ast.get_docstring(tree)!r}\n"  # which mypyc drops


def _defined(node: ast.stmt) -> list[str]:
    """The names that a statement of a module defines."""
    match node:
        case ast.ClassDef(name) | ast.FunctionDef(name) | ast.AnnAssign(ast.Name(name)):
            return [name]
        case ast.Assign(targets):
            return [target.id for target in targets if isinstance(target, ast.Name)]
        case _:
            return []


def _end_of_imports(tree: ast.Module) -> int:
    return max(_last_line(node) for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom))


def _last_line(node: ast.stmt) -> int:
    return node.end_lineno or 0


# The protocol and the server.


def _with_plain_classes(source: str, name: str) -> str:
    """Turn the LocalStructs of a module into classes whose constructors take the fields in order."""
    lines = source.splitlines()
    for node in ast.parse(source).body:
        match node:
            case ast.ClassDef(class_name, bases=[ast.Name("LocalStruct")], body=body):
                fields = [statement for statement in body if isinstance(statement, ast.AnnAssign)]
                if not fields or any(field.lineno != field.end_lineno for field in fields):
                    raise CannotCompile(f"{name}: {class_name} needs fields, each on one line")
                names = [ast.unparse(field.target) for field in fields]
                lines[node.lineno - 1] = f"class {class_name}:"
                for field in fields:
                    lines[field.lineno - 1] = ""
                lines[fields[0].lineno - 1] = "\n".join(
                    [
                        f"    FIELDS: ClassVar[tuple[str, ...]] = {tuple(names)}",
                        f"    def __init__(self, {', '.join(map(ast.unparse, fields))}) -> None:",
                        *(f"        self.{field} = {field}" for field in names),
                    ]
                )
            case ast.ClassDef(class_name) if _is_struct(node):
                raise CannotCompile(f"{name}: {class_name} is a Struct; move it to a module that is not in HOT")
            case ast.ImportFrom("__future__"):
                lines[node.lineno - 1] += "\nfrom typing import ClassVar"
    return "\n".join(lines) + "\n"


def _replace_build() -> None:
    """Put the new build in the place of the old one. Without BUILD, Python takes the sources in ROOT."""
    old = BUILD.with_name("old")
    shutil.rmtree(old, ignore_errors=True)
    if BUILD.exists():
        BUILD.rename(old)
    STAGE.rename(BUILD)
    shutil.rmtree(old, ignore_errors=True)


def main() -> None:
    """Write the sources, compile them, and say where they are. Only one process does so at a time."""
    STAGE.parent.mkdir(exist_ok=True)
    with STAGE.with_name("compile.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            sys.exit("another process is compiling the service")
        _compile()


def _compile() -> None:
    try:
        files = write_sources()
    except CannotCompile as fault:
        sys.exit(str(fault))
    (STAGE / "setup.py").write_text(SETUP)
    shutil.copy(ROOT / LOOKUPS, STAGE)
    command = [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace", " ".join(files)]
    done = subprocess.run(command, cwd=STAGE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode:
        sys.exit(f"{done.stdout}\nmypyc or the C compiler ended with {done.returncode}")
    _replace_build()
    print(f"{len(files)} modules are compiled in {BUILD.relative_to(ROOT)}")  # noqa: T201


if __name__ == "__main__":
    main()
