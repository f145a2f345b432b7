"""docs/views.md names every field, move, event and map of every game as it is, and shows real views."""

from __future__ import annotations

import itertools
import json
import re
from typing import Any, get_args

import msgspec
import pytest
from msgspec import inspect

from games import GAMES
from games.core import AnyGame
from tests.playout import Case, steps
from tests.service import ROOT

PAGE = (ROOT / "docs" / "views.md").read_text(encoding="utf-8")
SEED = "views"
SEATS = 3
SHOWN = {
    "chesterfield": 30,
    "do_my_bidding": 12,
    "diced_cheese": 4,
    "cheesedog": 12,
    "cheesonomics": 60,
}  # moves before
PLAIN: dict[Any, str] = {
    inspect.IntType: "int",
    inspect.StrType: "text",
    inspect.BoolType: "bool",
    inspect.NoneType: "nil",
}


def section(game: AnyGame) -> str:
    found = re.search(rf"^## {game.title} .*?\n(.*?)(?=^## |\Z)", PAGE, re.DOTALL | re.MULTILINE)
    assert found, game.title
    return found.group(1)


def part(game: AnyGame, title: str) -> str:
    found = re.search(rf"^### {title}\n(.*?)(?=^### |\Z)", section(game), re.DOTALL | re.MULTILINE)
    assert found, title
    return found.group(1)


def name_of(kind: Any) -> str:
    """What the page calls a class: its `type` on the wire if it has one."""
    return str(kind.__struct_config__.tag or re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower())


def written(kind: Any) -> str:
    """How the page writes a type."""
    if isinstance(kind, inspect.UnionType):
        if len(kind.types) > 2:
            return "map"
        return " or ".join(
            written(one) for one in sorted(kind.types, key=lambda one: isinstance(one, inspect.NoneType))
        )
    if isinstance(kind, inspect.VarTupleType):
        return f"[{written(kind.item_type)}]"
    if isinstance(kind, inspect.LiteralType):
        return "text"
    return name_of(kind.cls) if isinstance(kind, inspect.StructType) else PLAIN[type(kind)]


def fields(kind: Any) -> dict[str, str]:
    """The fields of a class with their types."""
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    return {field.name: written(field.type) for field in info.fields}


def signature(kind: Any) -> str:
    inside = ", ".join(f"{name}: {written}" for name, written in fields(kind).items())
    return f"{name_of(kind)} {{{inside}}}"


def inner(kind: Any) -> set[Any]:
    """The classes of the maps within a type, at any depth."""
    match kind:
        case inspect.UnionType(types):
            return set().union(*map(inner, types))
        case inspect.VarTupleType(item):
            return inner(item)
        case inspect.StructType(cls):
            return {cls}.union(*(inner(field.type) for field in kind.fields))
        case _:
            return set()


def maps(game: AnyGame) -> set[Any]:
    """The maps that stand within views and events."""
    outer = {game.views, *get_args(game.events)}
    return set().union(*(inner(inspect.type_info(kind)) for kind in outer)) - outer


def listed(text: str) -> list[str]:
    return re.findall(r"^- `([^`]+)`: .", text, re.MULTILINE)


def example(game: AnyGame) -> str:
    """A view and its offers from a game by chance, as the page shows them: a field on each line."""
    case = Case(game, SEATS, game.options())
    step = next(itertools.islice(steps(case, SEED, absences=False), SHOWN[game.name], None))
    view = msgspec.to_builtins(game.view(step.state, step.seat))
    offers = msgspec.to_builtins(game.offers(step.state, step.seat))
    lines = [f"  {json.dumps(name)}: {json.dumps(value)}" for name, value in view.items()]
    return '{"view": {\n' + ",\n".join(lines) + '\n}, "offers": ' + json.dumps(offers) + "}"


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_the_table_has_every_field_of_the_view_with_its_type(game: AnyGame) -> None:
    rows = re.findall(r"^\| `(\w+)` \| ([^|]+) \| [^|]+ \|$", part(game, "The view"), re.MULTILINE)
    assert dict(rows) == fields(game.views)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_move_event_and_map_is_listed_as_it_is_and_no_other(game: AnyGame) -> None:
    assert sorted(listed(part(game, "Moves"))) == sorted(map(signature, get_args(game.moves)))
    assert sorted(listed(part(game, "Events"))) == sorted(map(signature, get_args(game.events)))
    assert sorted(listed(part(game, "Maps"))) == sorted(map(signature, maps(game)))


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_the_example_is_a_view_of_a_seeded_game(game: AnyGame) -> None:
    (shown,) = re.findall(r"```json\n(.*?)\n```", part(game, "A view and its offers"), re.DOTALL)
    assert shown == example(game)
    assert isinstance(msgspec.convert(json.loads(shown)["view"], game.views), game.views)


def test_every_game_has_its_section_and_no_other_game_has() -> None:
    assert re.findall(r"^## .*\(`(\w+)`\)$", PAGE, re.MULTILINE) == list(GAMES)
