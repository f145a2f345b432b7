"""The service compiled: `python -m server.compiled` writes games/, protocol/ and server/ to build/compiled.

The rules and what a move passes through are translated to C by mypyc; everything else there is as it was. mypyc
cannot make msgspec's Structs: it loses the keywords of their classes and the details of their types. So they stay
Python, but for those that never leave a node (`Inner`), which become plain classes. In the games values come before
functions, so a module is cut after its last class: the upper part is a module of its own, and the rest is compiled.
It needs a C compiler and mypy. The image is built so, and the benchmarks of the service measure it.
"""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "compiled"
PLACES = {"PYTHONSAFEPATH": "1", "PYTHONPATH": f"{BUILD}{os.pathsep}{ROOT}"}  # for a Python that is to use it
LINKS = ("docs", "web-client")  # that the server reads beside its own folder

# What a move passes through, besides the games: in server/, whatever is no Struct and inherits nothing from a library.
HOT = [f"protocol/{name}.py" for name in ("codec", "session")]
HOT += [f"server/{name}.py" for name in ("connection", "crowd", "feed", "frames", "hub", "limits", "log", "metrics")]
HOT += [f"server/{name}.py" for name in ("room", "showing", "sockets", "table", "viewers")]

SETUP = """
import sys
from mypyc.build import mypycify
from setuptools import setup
setup(name="compiled", packages=[], ext_modules=mypycify(sys.argv.pop().split(), opt_level="3"))
"""

INNER = '''"""Inner values are plain classes, and so is their base."""

from typing import Any, TypeVar

T = TypeVar("T")


class Inner:
    pass


def replace(one: T, /, **new: Any) -> T:
    kind: Any = type(one)
    copy: T = kind(**{name: getattr(one, name) for name in kind.FIELDS} | new)
    return copy
'''


def write() -> list[str]:
    """Write the modules, and say which of them are to be compiled."""
    shutil.rmtree(BUILD, ignore_errors=True)
    found = []
    for path in sorted(path for folder in ("games", "protocol", "server") for path in (ROOT / folder).rglob("*.py")):
        name = path.relative_to(ROOT)
        (BUILD / name).parent.mkdir(parents=True, exist_ok=True)
        source = path.read_text()
        if name.parts[0] == "games" and _has_functions(source):
            source = _compilable(source, name)
            found.append(str(name))
        elif str(name) in HOT:
            source = _plain(source)
            found.append(str(name))
        elif str(name) == "server/inner.py":
            source = INNER
        (BUILD / name).write_text(source)
    for link in LINKS:
        (BUILD / link).symlink_to(ROOT / link)
    return found


def _has_functions(source: str) -> bool:
    nodes = ast.parse(source).body
    return any(isinstance(node, ast.FunctionDef | ast.ClassDef) and not _is_value(node) for node in nodes)


def _is_value(node: ast.stmt) -> bool:
    """Whether this is the class of a Struct, as the linters have us write them."""
    return isinstance(node, ast.ClassDef) and any(word.arg == "frozen" for word in node.keywords)


def _compilable(source: str, name: Path) -> str:
    """A game's module without its values, which are written to a module of their own."""
    tree = ast.parse(source)
    if any(map(_is_value, tree.body)):
        values = name.with_name(f"{name.stem}_values.py")
        upper, source = _cut(source, tree, ".".join(values.with_suffix("").parts))
        (BUILD / values).write_text(upper)
    return source + f"\n__doc__ = {ast.get_docstring(tree)!r}\n"  # mypyc forgets it


def _cut(source: str, tree: ast.Module, values: str) -> tuple[str, str]:
    """The module down to its last class, and the rest of it, which imports from that."""
    lines = source.splitlines(keepends=True)
    last = max(node.end_lineno or 0 for node in tree.body if isinstance(node, ast.ClassDef))
    above = max(node.end_lineno or 0 for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom))
    names = [name for node in tree.body if above < node.lineno <= last for name in _names(node)]
    imported = f"from {values} import {', '.join(f'{name} as {name}' for name in names)}\n"
    return "".join(lines[:last]), "".join([*lines[:above], imported, *lines[last:]])


def _names(node: ast.stmt) -> list[str]:
    """What a statement of a module defines."""
    match node:
        case ast.ClassDef(name) | ast.FunctionDef(name) | ast.AnnAssign(ast.Name(name)):
            return [name]
        case ast.Assign(targets):
            return [target.id for target in targets if isinstance(target, ast.Name)]
        case _:
            return []


def _plain(source: str) -> str:
    """The module with its inner values as classes that take their fields in order."""
    lines = source.splitlines()
    for node in ast.parse(source).body:
        match node:
            case ast.ClassDef(name, bases=[ast.Name("Inner")], body=body):
                fields = [one for one in body if isinstance(one, ast.AnnAssign)]
                names = [ast.unparse(field.target) for field in fields]
                lines[node.lineno - 1] = f"class {name}:"
                for field in fields:
                    lines[field.lineno - 1] = ""
                lines[fields[0].lineno - 1] = "\n".join(
                    [
                        f"    FIELDS: ClassVar[tuple[str, ...]] = {tuple(names)}",
                        f"    def __init__(self, {', '.join(map(ast.unparse, fields))}) -> None:",
                        *(f"        self.{name} = {name}" for name in names),
                    ]
                )
            case ast.ImportFrom("__future__"):
                lines[node.lineno - 1] += "\nfrom typing import ClassVar"
    return "\n".join(lines) + "\n"


def main() -> None:
    """Compile."""
    files = write()
    (BUILD / "setup.py").write_text(SETUP)
    build = [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace", " ".join(files)]
    done = subprocess.run(build, cwd=BUILD, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode:
        sys.exit(done.stdout)
    print(f"What is compiled is in {BUILD.relative_to(ROOT)}")  # noqa: T201


if __name__ == "__main__":
    main()
