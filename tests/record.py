"""Golden files: `python -m tests.record GAME...` writes them, for a person to read before committing them.

`golden/GAME.txt` is a playthrough: a random game, entry by entry, with what each seat sees.
`golden/GAME.perft.txt` counts the positions that can be reached from a few set-ups.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from games import GAMES
from games.chance import Chance
from games.core import AnyGame, Seat, fold, judge, read_move
from games.offers import Offer, count_fillings, fill, fillings
from tests.playout import Case, all_options, steps

T = TypeVar("T")

GOLDEN = Path(__file__).parent / "games" / "golden"
SEED = "golden"
MOST_ENTRIES = 900  # in all playthroughs of a game together; after that, only the end is shown
MOST_WITH_VIEWS = 90  # of these with what changes in the views
DEPTH = 3
MOST_POSITIONS = 100  # of a depth that are followed further
MOST_WAYS = 12  # of an offer that are followed
MOST_LISTED = 10_000  # ways of an offer that are listed at all; of more a few are drawn


def text(value: Any) -> str:
    """Return a value on one line: its name and its fields, without quotation marks."""
    if isinstance(value, msgspec.Struct):
        fields = (f"{name}={text(getattr(value, name))}" for name in value.__struct_fields__)
        return f"{type(value).__name__}({', '.join(fields)})"
    if isinstance(value, tuple | list):
        return f"[{' '.join(_item(item) for item in value)}]"
    if isinstance(value, frozenset):
        return f"{{{' '.join(sorted(text(item) for item in value))}}}"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{text(key)}: {text(item)}' for key, item in value.items())}}}"
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _item(value: Any) -> str:
    """Return one of several values in a row; without field names if it has no name on the wire."""
    if isinstance(value, msgspec.Struct) and value.__struct_config__.tag is None:
        return f"({' '.join(text(getattr(value, name)) for name in value.__struct_fields__)})"
    return text(value)


def differences(view: Any, other: Any) -> str:
    """Return the fields of a view that differ from another view."""
    names = [name for name in view.__struct_fields__ if name != "me" and getattr(view, name) != getattr(other, name)]
    return ", ".join(f"{name}={text(getattr(view, name))}" for name in names)


def playthroughs(game: AnyGame) -> Iterator[str]:
    """Yield the playthroughs: a small table for each combination of options, and more of the default ones."""
    options = all_options(game)
    for chosen in options:
        case = Case(game, game.seats[len(game.seats) // 3], chosen)
        share = len(options) if chosen is options[0] else 2 * len(options)
        yield from _playthrough(case, MOST_ENTRIES // share, MOST_WITH_VIEWS // share)


def _playthrough(case: Case, shown: int, with_views: int) -> Iterator[str]:
    game = case.game
    seed = f"{SEED}/{case}"
    yield f"{game.title}, {case.seats} seats, {text(case.options)}, seed {seed}"
    setup = game.setup(case.seats, case.options, Chance(seed.encode(), 0))
    state = fold(game, setup)
    yield from _events(case, setup)
    yield from _views(case, None, state)
    for step in steps(case, seed):
        if step.entry <= shown:
            yield f"{step.entry}. seat {step.seat}{' (absent)' if step.absent else ''}: {text(step.move)}"
            yield from _events(case, step.events)
        if step.entry <= with_views:
            yield from _views(case, step.state, step.after)
        state = step.after
    yield f"the end after entry {step.entry}: {text(game.outcome(state))}"
    yield from _views(case, None, state)
    yield ""


def _events(case: Case, events: tuple[Any, ...]) -> Iterator[str]:
    """Yield the events, and how viewers see them that do not see all."""
    for event in events:
        yield f"   {text(event)}"
        groups: dict[str, list[str]] = {}
        for viewer in (*range(case.seats), None):
            seen = case.game.show(event, viewer)
            if seen != event:
                groups.setdefault("nothing" if seen is None else text(seen), []).append(_name(viewer))
        for seen, viewers in groups.items():
            yield f"      {', '.join(viewers)}: {seen}"


def _views(case: Case, before: Any, after: Any) -> Iterator[str]:
    """Yield what has changed for everybody, and what else has changed for each seat."""
    game = case.game
    public = game.view(after, None)
    if before is None:
        yield f"   all see {text(public)}"
        yield from (f"   seat {seat} sees {differences(game.view(after, seat), public)}" for seat in range(case.seats))
        return
    if new := differences(public, game.view(before, None)):
        yield f"   all see {new}"
    for seat in range(case.seats):
        own, old = (
            differences(game.view(after, seat), public),
            differences(game.view(before, seat), game.view(before, None)),
        )
        if own != old:
            yield f"   seat {seat} sees {own}"


def _name(viewer: Seat | None) -> str:
    return "spectators" if viewer is None else f"seat {viewer}"


def perfts(game: AnyGame) -> Iterator[str]:
    """Yield the counts of positions: for three numbers of seats, and for the smallest one with the other options."""
    yield f"{game.title}: how many different positions so many moves lead to, from how many offers with how"
    yield f"many ways to fill them. At most {MOST_POSITIONS} positions of a depth and {MOST_WAYS} ways of an offer are"
    yield "followed: of more every n-th, the n that just brings them under; of more than"
    yield f"{MOST_LISTED} ways some by chance."
    default, *others = all_options(game)
    for seats in sorted({game.seats[0], game.seats[len(game.seats) // 2], game.seats[-1]}):
        yield from _perft(Case(game, seats, default))
    for options in others:
        yield from _perft(Case(game, game.seats[0], options))


def _perft(case: Case) -> Iterator[str]:
    game = case.game
    seed = f"{SEED}/{case}"
    layer = [fold(game, game.setup(case.seats, case.options, Chance(seed.encode(), 0)))]
    yield f"{case}, seed {seed}"
    for depth in range(1, DEPTH + 1):
        reached: dict[bytes, Any] = {}
        offered = filled = 0
        for state in _thinned(layer, MOST_POSITIONS):
            for seat in game.to_act(state):
                for one in game.offers(state, seat) + game.asides(state, seat):
                    offered += 1
                    filled += count_fillings(one)
                    for raw in _some_fillings(one, seed):
                        move = read_move(game, raw)
                        after = fold(game, judge(game, state, seat, move, Chance(seed.encode(), depth)), state)
                        reached[msgspec.msgpack.encode(after)] = after
        layer = list(reached.values())
        yield f"   depth {depth}: {len(layer)} positions, {offered} offers, {filled} ways"


def _some_fillings(one: Offer, seed: str) -> list[dict[str, Any]]:
    if count_fillings(one) > MOST_LISTED:
        return [fill(one, Chance(seed.encode(), number)) for number in range(MOST_WAYS)]
    return _thinned(list(fillings(one)), MOST_WAYS)


def _thinned(items: list[T], most: int) -> list[T]:
    return items[:: -(-len(items) // most)] if items else items


def files(game: AnyGame) -> dict[Path, str]:
    """Return the golden files of a game with their contents."""
    return {
        GOLDEN / f"{game.name}.txt": "\n".join(playthroughs(game)) + "\n",
        GOLDEN / f"{game.name}.perft.txt": "\n".join(perfts(game)) + "\n",
    }


def main(names: list[str]) -> int:
    unknown = set(names) - set(GAMES)
    if unknown or not names:
        print(f"name some of {', '.join(GAMES)}", file=sys.stderr)
        return 2
    GOLDEN.mkdir(exist_ok=True)
    for name in names:
        for path, content in files(GAMES[name]).items():
            path.write_text(content, encoding="utf-8")
            print(f"{path.relative_to(Path.cwd())}: {len(content)} characters")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
