"""The rules compiled: `python -m bench.compiled` writes games/ to build/compiled, translated to C by mypyc.

mypyc cannot make msgspec's Structs: it loses the keywords of their classes and the details of their types. In our
modules values come before functions, so a module that has Structs is cut after its last class: the upper part
stays Python, in a module of its own, and the rest is compiled. Needs a C compiler; nothing else needs this.
"""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
BUILD = ROOT / "build" / "compiled"

SETUP = """
import sys
from mypyc.build import mypycify
from setuptools import setup
setup(name="games", packages=[], ext_modules=mypycify(sys.argv.pop().split(), opt_level="3"))
"""


def write() -> list[str]:
    """Write the modules, and say which of them are to be compiled: those that have functions."""
    shutil.rmtree(BUILD, ignore_errors=True)
    found = []
    for path in sorted((ROOT / "games").rglob("*.py")):
        name = path.relative_to(ROOT)
        (BUILD / name).parent.mkdir(parents=True, exist_ok=True)
        source = path.read_text()
        tree = ast.parse(source)
        if any(isinstance(node, ast.FunctionDef | ast.ClassDef) and not _is_value(node) for node in tree.body):
            if any(map(_is_value, tree.body)):
                values = name.with_name(f"{name.stem}_values.py")
                upper, source = _cut(source, tree, ".".join(values.with_suffix("").parts))
                (BUILD / values).write_text(upper)
            source += f"\n__doc__ = {ast.get_docstring(tree)!r}\n"  # mypyc forgets it
            found.append(str(name))
        (BUILD / name).write_text(source)
    return found


def _is_value(node: ast.stmt) -> bool:
    """Whether this is the class of a Struct, as the linters have us write them."""
    return isinstance(node, ast.ClassDef) and any(word.arg == "frozen" for word in node.keywords)


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


def environment() -> dict[str, str]:
    """For a Python that is to find the compiled rules before the others."""
    return os.environ | {"PYTHONSAFEPATH": "1", "PYTHONPATH": f"{BUILD}{os.pathsep}{ROOT}"}


def main() -> None:
    """Compile."""
    files = write()
    (BUILD / "setup.py").write_text(SETUP)
    build = [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace", " ".join(files)]
    done = subprocess.run(build, cwd=BUILD, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode:
        sys.exit(done.stdout)
    print(f"The compiled rules are in {BUILD.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
