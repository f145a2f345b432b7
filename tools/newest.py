"""Tries the newest releases of all dependencies: `python -m tools.newest` runs the tests with them.

It copies the project to build/newest and installs there, for Python and for the client, the newest release of every
package without regard to the pins. The pins, .venv and node_modules of the project stay as they are. Then it prints
which versions differ from the pins, and runs the tests in the copy; arguments are passed on to pytest.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "newest"
PROJECT = BUILD / "project"
PYTHON = BUILD / "venv" / "bin" / "python"


def run(*command: str | Path, folder: Path = PROJECT) -> str:
    """Run a command and return what it prints. If it fails, show that and exit."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def copy_project() -> None:
    """Copy the files that git tracks, or would track, into a new repository."""
    shutil.rmtree(BUILD, ignore_errors=True)
    PROJECT.mkdir(parents=True)
    names = run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", folder=ROOT)
    for name in filter(None, names.split("\0")):
        if (ROOT / name).is_file():
            (PROJECT / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, PROJECT / name)
    run("git", "init", "--quiet")  # a test asks git for the files of the project


def install_python() -> dict[str, str]:
    """Install the newest releases of what pyproject.toml names, and return the installed versions."""
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"].values()
    wanted = [*project["dependencies"], *(name for extra in extras for name in extra)]
    run(sys.executable, "-m", "venv", BUILD / "venv")
    pip = (PYTHON, "-m", "pip", "--disable-pip-version-check")
    run(*pip, "install", "--quiet", "--upgrade", "--upgrade-strategy", "eager", *wanted)
    installed: list[dict[str, str]] = json.loads(run(*pip, "list", "--format=json"))
    return {normal(one["name"]): one["version"] for one in installed}


def install_client() -> dict[str, str]:
    """Install the newest releases of what package.json names, and return the installed versions."""
    client = PROJECT / "web-client"
    package: dict[str, Any] = json.loads((client / "package.json").read_text(encoding="utf-8"))
    for kind, save in (("dependencies", "--save-prod"), ("devDependencies", "--save-dev")):
        run(
            "npm",
            "install",
            "--no-audit",
            "--no-fund",
            save,
            *(f"{name}@latest" for name in package[kind]),
            folder=client,
        )
    return locked(client / "package-lock.json")


def normal(name: str) -> str:
    """The name of a Python package as pins spell it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def pinned() -> dict[str, str]:
    """The versions of Python packages that the project pins."""
    files = (ROOT / "requirements.txt", ROOT / "requirements-dev.txt")
    pins = (re.findall(r"^([\w.-]+)==(\S+)", path.read_text(encoding="utf-8"), re.MULTILINE) for path in files)
    return {normal(name): version for found in pins for name, version in found}


def locked(path: Path) -> dict[str, str]:
    """The versions of the client's packages in a lock file."""
    packages: dict[str, dict[str, str]] = json.loads(path.read_text(encoding="utf-8"))["packages"]
    return {name.removeprefix("node_modules/"): one["version"] for name, one in packages.items() if name}


def differences(pins: dict[str, str], installed: dict[str, str]) -> list[str]:
    """A line for each package whose version is not the pinned one."""
    names = sorted(name for name in pins.keys() | installed.keys() if pins.get(name) != installed.get(name))
    return [f"{name}: {pins.get(name, 'not pinned')} -> {installed.get(name, 'not installed')}" for name in names]


def main(arguments: list[str]) -> int:
    """Install everything, print the differences, run the tests, and return the exit code of pytest."""
    copy_project()
    python, client = install_python(), install_client()
    python.pop("pip", None)  # comes with every environment
    found = differences(pinned(), python) + differences(locked(ROOT / "web-client" / "package-lock.json"), client)
    print(f"{len(python) + len(client)} packages are installed; {len(found)} differ from the pins:", flush=True)  # noqa: T201
    print("\n".join(f"  {line}" for line in found) or "  none", flush=True)  # noqa: T201
    return subprocess.run([PYTHON, "-m", "pytest", *arguments], cwd=PROJECT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
