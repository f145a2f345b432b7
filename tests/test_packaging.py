"""What is installed and what the image is built from: every package and every file that the service reads."""

from __future__ import annotations

import fnmatch
import tomllib
from pathlib import Path

import pytest

from tests.service import ROOT

SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
FOLDERS = ("games", "protocol", "server", "bots")
FILES = [
    path.relative_to(ROOT)
    for folder in FOLDERS
    for path in sorted((ROOT / folder).rglob("*"))
    if path.is_file() and "__pycache__" not in path.parts
]
# For tests, and for authors of clients and bots.
NOT_INSTALLED = {Path("protocol/vectors"), Path("bots/sdk-js"), Path("bots/sdk-java")}
DATA = [path for path in FILES if path.suffix != ".py" and not NOT_INSTALLED & set(path.parents)]


def test_every_package_is_listed() -> None:
    packages = {".".join(path.parent.parts) for path in FILES if path.suffix == ".py"}
    assert set(SETTINGS["packages"]) == packages


@pytest.mark.parametrize("path", DATA, ids=str)
def test_every_other_file_is_listed_as_data_of_its_package(path: Path) -> None:
    patterns = SETTINGS["package-data"].get(".".join(path.parent.parts), ())
    assert any(fnmatch.fnmatch(path.name, pattern) for pattern in patterns)


def test_the_image_is_built_from_files_that_exist_and_has_every_folder() -> None:
    lines = (ROOT / "Dockerfile").read_text(encoding="utf-8").splitlines()
    copies = [line.split()[1:] for line in lines if line.startswith("COPY ")]
    copied = [source for words in copies if not words[0].startswith("--from") for source in words[:-1]]
    assert [source for source in copied if not (ROOT / source).exists()] == []
    in_image = {words[-1] for words in copies[copies.index(["requirements.txt", "./"]) :]}
    assert in_image >= {*FOLDERS, "docs", "web-client"}
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    assert not any(Path(source).parts[0] in ignored for source in copied)
