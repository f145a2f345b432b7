"""Build the packages for authors of bots into build/sdk: a wheel for Python, an npm package, and a jar.

python -m tools.sdk [--only python,javascript,java] [--out FOLDER]

The wheel has the SDK, the conformance kit, the arena and the games, from the same sources as the service, and needs
nothing of the server.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
OUT = ROOT / "build" / "sdk"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
VERSION = PROJECT["project"]["version"]
PACKAGES = [name for name in PROJECT["tool"]["setuptools"]["packages"] if not name.startswith("server")]

PYPROJECT = f"""\
[build-system]
requires = ["setuptools"]
build-backend = "setuptools.build_meta"

[project]
name = "cheeseboard-bots"
version = "{VERSION}"
description = "Write, test and compare bots for Cheeseboard."
requires-python = ">=3.11"
dependencies = ["msgpack", "msgspec", "websockets"]

[project.optional-dependencies]
arena = ["openskill"]
zoo = ["numpy", "pettingzoo"]

[project.scripts]
cheeseboard = "bots.__main__:main"

[tool.setuptools]
packages = {PACKAGES}

[tool.setuptools.package-data]
{chr(10).join(f'"{name}" = ["py.typed"]' for name in ("bots", "games", "protocol"))}
"""


class CannotBuild(Exception):  # noqa: N818
    """A tool is missing, or has failed."""


def python(out: Path) -> None:
    """Build the wheel."""
    with tempfile.TemporaryDirectory() as folder:
        stage = Path(folder)
        for name in PACKAGES:
            source, target = ROOT / name.replace(".", "/"), stage / name.replace(".", "/")
            target.mkdir(parents=True, exist_ok=True)
            for path in source.glob("*.py"):
                shutil.copy(path, target)
        for name in ("bots", "games", "protocol"):
            (stage / name / "py.typed").touch()
        (stage / "pyproject.toml").write_text(PYPROJECT, encoding="utf-8")
        pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check"]
        _run([*pip, "--no-deps", "--no-build-isolation", "--wheel-dir", str(out), str(stage)])
    (out / "templates" / "bot.py").write_text(_template(), encoding="utf-8")


def _template() -> str:
    """The bot of docs/bots.md."""
    text = (ROOT / "docs" / "bots.md").read_text(encoding="utf-8")
    (found,) = re.findall(r"<!-- example sdk -->\n```python\n(.*?)```\n", text, re.DOTALL)
    return str(found)


def javascript(out: Path) -> None:
    """Build the npm package, which is its sources."""
    folder = ROOT / "bots" / "sdk-js"
    _run(["npm", "pack", "--silent", "--pack-destination", str(out), str(folder)])
    shutil.copy(folder / "template.mjs", out / "templates" / "bot.mjs")


def java(out: Path) -> None:
    """Build the jar, and one with the sources."""
    folder = ROOT / "bots" / "sdk-java"
    sources = sorted(str(path) for path in (folder / "src").rglob("*.java"))
    with tempfile.TemporaryDirectory() as classes:
        _run(["javac", "-Xlint:all", "-Werror", "--release", "17", "-d", classes, *sources])
        _jar(out / f"cheeseboard-bot-{VERSION}.jar", classes)
    _jar(out / f"cheeseboard-bot-{VERSION}-sources.jar", str(folder / "src"))
    shutil.copy(folder / "MyBot.java", out / "templates")


def _jar(path: Path, folder: str) -> None:
    _run(["jar", "--create", "--file", str(path), "-C", folder, "."])


def _run(command: list[str]) -> None:
    if shutil.which(command[0]) is None:
        raise CannotBuild(f"{command[0]} is not installed")
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise CannotBuild(f"{command[0]} failed:\n{done.stdout}{done.stderr}")


BUILDERS = {"python": python, "javascript": javascript, "java": java}


def main(arguments: list[str]) -> None:
    """Build the packages that the arguments name."""
    parser = argparse.ArgumentParser(description="Build the packages for authors of bots.")
    parser.add_argument(
        "--only", default=",".join(BUILDERS), help="languages, separated by commas; default %(default)s"
    )
    parser.add_argument("--out", type=Path, default=OUT)
    chosen = parser.parse_args(arguments)
    (chosen.out / "templates").mkdir(parents=True, exist_ok=True)
    for name in chosen.only.split(","):
        try:
            BUILDERS[name](chosen.out)
        except CannotBuild as fault:
            sys.exit(f"{name}: {fault}")
    sys.stdout.write("".join(f"{path}\n" for path in sorted(chosen.out.rglob("*")) if path.is_file()))


if __name__ == "__main__":
    main(sys.argv[1:])
