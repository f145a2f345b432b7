"""Collects from the Python sources what the server says to people: refusals, errors, lessons, what games are about."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import get_args

import msgspec

from games import GAMES
from games.cheesedog.values import NAMES
from games.cheesonomics.pieces import ANIMALS, COLOURS
from games.core import option_choices
from games.lessons import LESSONS
from games.lessons.script import show_lesson
from protocol.messages import SPEEDS
from server.requests.catalogue import LEVEL_TEXTS
from server.tables.state.table import Status

ROOT = Path(__file__).parents[1]
# A game is translated as a whole or not at all, so that one can be added in English only. It is translated if its
# renderer takes its texts from a message file.
UNTRANSLATED = {name for name in GAMES if not (ROOT / "web-client" / "messages" / "en" / f"{name}.js").is_file()}
REASONS = {"refuse": 1, "only": 2, "needs": 2, "among": 3, "IllegalMove": 1}  # calls, and which argument is the reason
# Only a program that does not follow the protocol gets these. The page shows their English text.
FOR_PROGRAMS = {"bad_field", "missing_field", "not_allowed", "hello_again", "not_open_here", "no_game", "bad_token"}


def refusals(games: Collection[str]) -> set[str]:
    """The reasons why the rules of these games, and the modules that all games share, refuse moves."""
    others = GAMES.keys() - games
    paths = [path for path in (ROOT / "games").rglob("*.py") if _top_module(path) not in others]
    return {text for path in sorted(paths) for text in _texts(path, REASONS)}


def _top_module(path: Path) -> str:
    """The module or package of `games` to which this file belongs."""
    return path.relative_to(ROOT / "games").parts[0].removesuffix(".py")


def errors() -> set[str]:
    """The messages of the errors that people can cause on the page."""
    paths = [path for folder in ("requests", "tables") for path in sorted((ROOT / "server" / folder).rglob("*.py"))]
    return {text for path in paths for text in _texts(path, {"ProtocolError": 1})}


def pages() -> set[str]:
    """What the pages of replays and analyses are answered instead of a game."""
    calls = {"PlainTextResponse": 0, "_busy": 1}
    paths = [ROOT / "server" / "web" / name for name in ("replays.py", "analyses.py", "replay_files.py")]
    found = {text.strip() for path in paths for text in _texts(path, calls)}
    above = {f"{text}: try again in {{0}} s." for path in paths for text in _texts(path, {"above_rate": 3})}
    reasons = _texts(ROOT / "server" / "tables" / "finished" / "analyses.py", {"QueueFull": 0})
    busy = _texts(ROOT / "server" / "requests" / "limits" / "at_once.py", {"ProtocolError": 1})
    full = {f"{text.capitalize()}." for text in (*reasons, *busy) if "master" not in text}
    return {*found, *above, *full, "this game could not be analysed"} - {"{0}.", ""}


def fillings() -> set[str]:
    """What can stand in the holes of other texts."""
    ranks = {NAMES.get(rank, f"a {rank}") for rank in range(2, 15)}
    return {*ranks, *COLOURS, *ANIMALS, *get_args(Status), "for good"}


def head() -> set[str]:
    """The texts of index.html and of the manifest."""
    page = (ROOT / "web-client" / "index.html").read_text(encoding="utf-8")
    manifest = json.loads((ROOT / "web-client" / "manifest.webmanifest").read_text(encoding="utf-8"))
    found = [*re.findall(r'name="description" content="([^"]*)"', page), *re.findall(r"<noscript>([^<]*)", page)]
    return {*found, manifest["description"]}


def abouts(games: Collection[str]) -> set[str]:
    """What the lobby says about these games and their options, about speeds and bots."""
    found = {*SPEEDS, *LEVEL_TEXTS, *LEVEL_TEXTS.values(), "light", "medium", "heavy"}
    for game in map(GAMES.__getitem__, games):
        found.add(game.blurb)
        found |= {name.replace("_", " ") for name in option_choices(game)}
        if game.about is not None:
            found |= {
                *game.about.how,
                *(text for pairs in game.about.choices.values() for pair in pairs for text in pair),
            }
    return found


def lessons(games: Collection[str]) -> set[str]:
    """What the lessons of these games say: titles, sentences, hints."""
    return {
        text
        for name, lesson in LESSONS.items()
        if name in games
        for text in lesson_texts(msgspec.to_builtins(show_lesson(GAMES[name], lesson)))
    }


def lesson_texts(chapters: object) -> Iterator[str]:
    """The texts of a lesson as the page gets it."""
    if isinstance(chapters, list | tuple):
        for item in chapters:
            yield from lesson_texts(item)
    elif isinstance(chapters, dict):
        for name, value in chapters.items():
            if name in ("title", "say", "task", "hint", "happened") and value:
                yield value
            elif name in ("frames",):
                yield from lesson_texts(value)


def _texts(path: Path, calls: dict[str, int]) -> Iterator[str]:
    """The texts in these arguments of these calls; a variable stands for what is assigned to it."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    constants: dict[str, list[ast.expr]] = {}
    for statement in tree.body:
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
            constants[statement.targets[0].id] = [statement.value]
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    for function in functions:
        assigned = dict(constants)
        for node in ast.walk(function):
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                assigned.setdefault(node.targets[0].id, []).append(node.value)
        for node in ast.walk(function):
            if isinstance(node, ast.Call) and (at := calls.get(_name(node.func))) is not None and len(node.args) > at:
                code = node.args[0]
                if isinstance(code, ast.Constant) and code.value in FOR_PROGRAMS:
                    continue
                yield from _templates(node.args[at], assigned)


def _name(function: ast.expr) -> str:
    return (
        function.attr if isinstance(function, ast.Attribute) else function.id if isinstance(function, ast.Name) else ""
    )


def _templates(value: ast.expr, assigned: dict[str, list[ast.expr]]) -> Iterator[str]:
    """The texts that an expression can have, with {0}, {1} ... for what differs."""
    match value:
        case ast.Constant(value=str(text)):
            yield text
        case ast.JoinedStr(values=parts):
            holes = iter(range(len(parts)))
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else f"{{{next(holes)}}}" for part in parts)
        case ast.IfExp(body=one, orelse=other):
            yield from (*_templates(one, assigned), *_templates(other, assigned))
        case ast.Name(id=name):
            for expression in assigned.get(name, []):
                yield from _templates(expression, {})
