"""docs/views.md names every field, move, event and map of the games that it describes, and shows real views."""

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
from tests.playout import Case, Step, steps, table_size
from tests.service import ROOT

PAGE = (ROOT / "docs" / "views.md").read_text(encoding="utf-8")
SEED = "views"
MOVES_BEFORE_EXAMPLE = {  # for each game that the page describes, in the order of its sections
    "chesterfield": 30,
    "do_my_bidding": 12,
    "diced_cheese": 4,
    "cheesedog": 12,
    "cheesonomics": 60,
}
every_described_game = pytest.mark.parametrize(
    "game", [GAMES[name] for name in MOVES_BEFORE_EXAMPLE], ids=MOVES_BEFORE_EXAMPLE
)
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
    """Return the name of a class on the page: its `type` on the wire if it has one."""
    return str(kind.__struct_config__.tag or re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower())


def written(kind: Any) -> str:
    """Return a type as the page writes it."""
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
    """Return the fields of a class with their types."""
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    return {field.name: written(field.type) for field in info.fields}


def signature(kind: Any) -> str:
    inside = ", ".join(f"{name}: {written}" for name, written in fields(kind).items())
    return f"{name_of(kind)} {{{inside}}}"


def inner(kind: Any) -> set[Any]:
    """Yield the classes of the maps within a type, at any depth."""
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
    """Return the classes of maps within views and events."""
    outer = {game.views, *get_args(game.events)}
    return set().union(*(inner(inspect.type_info(kind)) for kind in outer)) - outer


def listed(text: str) -> list[str]:
    return re.findall(r"^- `([^`]+)`: .", text, re.MULTILINE)


def example(game: AnyGame) -> str:
    """Return a view and offers from a random game as the page shows them: one field on each line."""
    case = Case(game, table_size(game), game.options())
    step = next(itertools.islice(steps(case, SEED, absences=False), MOVES_BEFORE_EXAMPLE[game.name], None))
    view = msgspec.to_builtins(game.view(step.state, step.seat))
    offers = msgspec.to_builtins(game.offers(step.state, step.seat))
    lines = [f"  {json.dumps(name)}: {json.dumps(value)}" for name, value in view.items()]
    return '{"view": {\n' + ",\n".join(lines) + '\n}, "offers": ' + json.dumps(offers) + "}"


@every_described_game
def test_the_table_has_every_field_of_the_view_with_its_type(game: AnyGame) -> None:
    rows = re.findall(r"^\| `(\w+)` \| ([^|]+) \| [^|]+ \|$", part(game, "The view"), re.MULTILINE)
    assert dict(rows) == fields(game.views)


@every_described_game
def test_every_move_event_and_map_is_listed_as_it_is_and_no_other(game: AnyGame) -> None:
    assert sorted(listed(part(game, "Moves"))) == sorted(map(signature, get_args(game.moves)))
    assert sorted(listed(part(game, "Events"))) == sorted(map(signature, get_args(game.events)))
    assert sorted(listed(part(game, "Maps"))) == sorted(map(signature, maps(game)))


@every_described_game
def test_the_example_is_a_view_of_a_seeded_game(game: AnyGame) -> None:
    (shown,) = re.findall(r"```json\n(.*?)\n```", part(game, "A view and its offers"), re.DOTALL)
    assert shown == example(game)
    assert isinstance(msgspec.convert(json.loads(shown)["view"], game.views), game.views)


def test_the_page_has_a_section_for_each_game_listed_here_and_no_other() -> None:
    assert re.findall(r"^## .*\(`(\w+)`\)$", PAGE, re.MULTILINE) == list(MOVES_BEFORE_EXAMPLE)


def played(name: str, seed: str = SEED, **options: Any) -> list[Step]:
    """A random game."""
    game = GAMES[name]
    return list(steps(Case(game, table_size(game), msgspec.convert(options, game.options)), seed, absences=False))


def public(name: str, game: list[Step]) -> list[Any]:
    """The public views of a game, before its first move and after each one."""
    return [GAMES[name].view(state, None) for state in (game[0].state, *(step.after for step in game))]


def test_chesterfield_has_an_auctioneer_only_between_its_auction_and_upkeep() -> None:
    assert "nil while it is being found, and from upkeep on: at `upkeep`, `merging` and `over`" in PAGE
    without = {"auctioneer_auction", "upkeep", "merging", "over"}
    games = [played("chesterfield", f"{SEED} {number}") for number in range(10)]
    seen = [view for game in games for view in public("chesterfield", game)]
    assert {view.phase for view in seen} > without
    assert [view.phase for view in seen if (view.auctioneer is None) != (view.phase in without)] == []


@pytest.mark.parametrize("variant", ["classic", "speed", "towers"])
def test_diced_cheese_counts_rounds_won_except_in_towers_of_eight(variant: str) -> None:
    assert "how many rounds it won; always 0 in Towers of Eight, where one round is the game" in PAGE
    seen = public("diced_cheese", played("diced_cheese", variant=variant))
    rounds = [sum(view.wins) for view in seen]
    assert all(after - before in (0, 1) for before, after in itertools.pairwise(rounds))
    last = seen[-1]
    assert last.result is not None
    most = max(last.wins)
    assert most == (0 if variant == "towers" else 3)
    if variant != "towers":
        assert [place == 1 for place in last.result.places] == [wins == most for wins in last.wins]


def test_cheesedog_counts_the_turns_that_are_over_but_not_the_one_that_ends_the_game() -> None:
    assert "how many turns are over; at 1,500 the game ends (DOG-18). The turn that ends the game under DOG-17" in PAGE
    game, over = played("cheesedog"), 0
    assert game[0].state.turns == 0
    for step in game:  # one move may lead to several turns, because a last face-down card turns over by itself
        over += sum(name_of(type(event)) == "turn_came" for event in step.events)
        assert step.after.turns == over
    last = [name_of(type(event)) for event in game[-1].events]
    assert game[-1].after.result.rule == "DOG-17"
    assert "turn_came" not in last[last.index("escaped") :]
