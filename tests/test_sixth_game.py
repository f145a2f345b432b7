"""Following docs/adding-a-game.md adds a game: every test that runs over all games passes for it.

The game is Nibble, in tests/sixth_game: short, open, for two, without a bot of its own and without a section in
docs/views.md. Each test copies the project, adds the game by the steps of the document, and runs the project's tests
there in a process of their own.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

import pytest

from tests.service import ROOT

GAME = "nibble"
EXAMPLE = ROOT / "tests" / "sixth_game"
RECIPE = (ROOT / "docs" / "adding-a-game.md").read_text(encoding="utf-8")
CLIENT_PACKAGES = "web-client/node_modules"  # not in git, but needed by the page
RUN_S = 600  # far more than a run of the tests takes
pytestmark = pytest.mark.timeout(2 * RUN_S)  # a copy of the project runs its own tests

# Tests that run once for each game: over GAMES, or over CASES that are made of it.
OVER_ALL_GAMES = re.compile(r"parametrize\([^@]{0,120}\bGAMES\b(?!\[)|^CASES = \[.* in GAMES\b", re.MULTILINE)


def modules_over_all_games() -> set[str]:
    """The modules with tests that run once for each game."""
    return {
        ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for path in (ROOT / "tests").rglob("test_*.py")
        if path != Path(__file__).resolve() and OVER_ALL_GAMES.search(path.read_text(encoding="utf-8"))
    }


# Tests of the catalogue as a whole, which are not selected by the name of a game.
WHOLE_CATALOGUE = {
    "test_every_golden_file_belongs_to_a_game",
    "test_prefixes_are_the_games_own",
    "test_the_page_has_a_section_for_each_game_listed_here_and_no_other",
    "test_there_are_at_least_forty_situations_each_with_a_place_in_the_documents",
}
# Modules of which every test runs: they compare all files of the project, whichever game these belong to.
WHOLE_PROJECT = {"tests.test_imports", "tests.test_messages", "tests.test_packaging"}


class Files(NamedTuple):
    """What the recipe has somebody write, as paths from the project's folder."""

    required: list[str]
    renderer: list[str]


def recipe_files() -> Files:
    """The paths in the recipe's table of files, with the name of our game."""
    rows = re.findall(r"^\| `([^`]*<game>[^`]*)` \|", RECIPE, re.MULTILINE)
    paths = [path.replace("<game>", GAME) for path in rows]
    renderer = [path for path in paths if path.startswith("web-client/")]
    return Files([path for path in paths if path not in renderer], renderer)


def recipe_commands() -> list[list[str]]:
    """The commands that the recipe has somebody run, with the name of our game."""
    lines = re.findall(r"^ +python (-m .*<game>.*)$", RECIPE, re.MULTILINE)
    return [[sys.executable, *line.replace("<game>", GAME).split()] for line in lines]


def copy_project(folder: Path) -> None:
    """Copy the files that git knows or would add, and the client's packages. Python's are those of this process."""
    known = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(known, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    shutil.copytree(ROOT / CLIENT_PACKAGES, folder / CLIENT_PACKAGES, symlinks=True)


def write_files(folder: Path, paths: list[str]) -> None:
    """Write these files of the recipe; the example has them under the same names."""
    for path in paths:
        assert not (folder / path).exists()
        shutil.copy2(EXAMPLE / Path(path).name, folder / path)


def add_to_catalogue(folder: Path) -> None:
    """Add the recipe's line at the end of the catalogue, and the module to the import above."""
    (line,) = re.findall(r"^ +(\w+\(<game>\),)$", RECIPE, re.MULTILINE)
    catalogue = folder / "games" / "__init__.py"
    text = catalogue.read_text(encoding="utf-8")
    text = re.sub(r"^(from games import .*)$", rf"\1, {GAME}", text, count=1, flags=re.MULTILINE)
    *_, last = re.finditer(r"^( +)\w+\(\w+\),\n", text, re.MULTILINE)
    text = text[: last.end()] + last[1] + line.replace("<game>", GAME) + "\n" + text[last.end() :]
    catalogue.write_text(text, encoding="utf-8")


def run(folder: Path, command: list[str]) -> str:
    """Run a command in the copy; what it prints. Nothing of the present process's paths is passed on."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PYTEST_"))}
    done = subprocess.run(command, cwd=folder, env=clean, capture_output=True, text=True, timeout=RUN_S, check=False)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout[-6000:]}\n{done.stderr[-2000:]}"
    return done.stdout


class Passed(NamedTuple):
    """Which tests have run, all of which have passed."""

    modules: set[str]
    names: set[str]


def run_tests(folder: Path, *arguments: str) -> Passed:
    """Run tests of the copy: each has to pass, and none may be skipped."""
    report = folder / "report.xml"
    pytest_in_copy = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={report}"]
    output = run(folder, [*pytest_in_copy, *arguments])
    print(output.splitlines()[-1])
    cases = list(ElementTree.parse(report).iter("testcase"))
    assert [case.get("name") for case in cases if len(case.findall("skipped"))] == []
    modules = {name for case in cases if (name := re.sub(r"\.[A-Z]\w*$", "", case.get("classname", "")))}
    return Passed(modules, {str(case.get("name")).partition("[")[0] for case in cases})


def add_game(folder: Path) -> None:
    """Everything that the recipe requires, step by step; the renderer is not required."""
    copy_project(folder)
    write_files(folder, recipe_files().required)
    add_to_catalogue(folder)
    for command in recipe_commands():
        run(folder, command)


def test_the_example_has_exactly_the_files_of_the_recipe() -> None:
    required, renderer = recipe_files()
    assert sorted(Path(path).name for path in (*required, *renderer)) == sorted(
        path.name for path in EXAMPLE.iterdir() if path.is_file()
    )
    assert len(recipe_commands()) == 1


def test_modules_with_tests_over_all_games_are_found() -> None:
    known = {"tests.games.test_contract", "tests.bots.test_zoo", "tests.server.tables.test_twins"}
    assert modules_over_all_games() > known | {"tests.browser.test_play", "tests.browser.test_replay"}


@pytest.mark.slow
def test_every_test_over_all_games_passes_for_a_game_added_by_the_recipe(tmp_path: Path) -> None:
    add_game(tmp_path)
    whole = sorted(name.rpartition(".")[2] for name in WHOLE_PROJECT)
    selected = " or ".join([GAME, *sorted(WHOLE_CATALOGUE), *whole])
    passed = run_tests(tmp_path, "-k", selected, "--ignore=tests/browser", f"--ignore=tests/{Path(__file__).name}")
    elsewhere = {name for name in modules_over_all_games() if not name.startswith("tests.browser.")}
    assert passed.modules >= elsewhere | WHOLE_PROJECT | {"tests.games.test_nibble"}
    assert passed.names >= WHOLE_CATALOGUE


@pytest.mark.slow
def test_linter_and_type_checker_pass_for_a_game_added_by_the_recipe(tmp_path: Path) -> None:
    add_game(tmp_path)
    sources = ["games/__init__.py", *(path for path in recipe_files().required if path.endswith(".py"))]
    run(tmp_path, [sys.executable, "-m", "ruff", "check", *sources])
    run(tmp_path, [sys.executable, "-m", "ruff", "format", "--check", *sources])
    run(tmp_path, [sys.executable, "-m", "mypy", *sources])


@pytest.mark.slow
def test_the_generic_renderer_plays_a_game_without_one(tmp_path: Path) -> None:
    add_game(tmp_path)
    passed = run_tests(tmp_path, "-k", f"{GAME} and clicking", "tests/browser/test_play.py")
    assert passed.names == {"test_a_person_plays_to_the_result_by_clicking_while_another_watches"}


@pytest.mark.slow
def test_every_browser_test_passes_for_a_renderer_added_by_the_recipe(tmp_path: Path) -> None:
    add_game(tmp_path)
    write_files(tmp_path, recipe_files().renderer)
    passed = run_tests(tmp_path, "-k", GAME, "tests/browser")
    assert passed.modules == {name for name in modules_over_all_games() if name.startswith("tests.browser.")}
