"""The page's own check of a deal, run in Node: it believes nothing but the seed and the salts."""

from __future__ import annotations

import copy
import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from games import GAMES
from games.chance import Chance, Draw, salted_seed
from server.tables.finished.replay import lines, plain, play_again
from server.tables.state.decisions import Sitter, decide, sit
from server.tables.state.entries import Changed, Swapped
from tests.playout import cases
from tests.random_games import BEGAN, SEED, Log, play, step
from tests.server.conftest import NOT_COMPILED
from tests.server.tables.test_positions import branch, moment

# The games whose deals the page draws by its own code (docs/replay.md). Of another one it says that it cannot check it.
DRAWN = ("chesterfield", "do_my_bidding", "diced_cheese", "cheesedog", "cheesonomics")
CLIENT = Path(__file__).resolve().parents[1] / "web-client"
Rows = list[dict[str, Any]]
Draws = dict[int, list[Any]]
Case = tuple[str, Rows, Draws, list[Any]]

# A browser as far as the modules need one. A case is what to check, the rows, what the server says of draws, and salts.
CHECK = """
import { readFileSync } from "node:fs";
const kept = new Map();
globalThis.localStorage = { getItem: (key) => kept.get(key) ?? null, setItem: (key, text) => kept.set(key, text) };
globalThis.matchMedia = () => ({ matches: false, addEventListener() {} });
globalThis.document = { documentElement: { dataset: {}, lang: "en" } };
const checks = { ...(await import("%(client)s/replay_draws.js")), ...(await import("%(client)s/replay_salts.js")) };
const found = [];
for (const [what, rows, draws, salts] of JSON.parse(readFileSync(0, "utf8"))) {
  localStorage.setItem("cheeseboard.salts", JSON.stringify(salts));
  found.push([await checks[what](rows, draws)].flat().map(({ ok }) => ok));
}
console.log(JSON.stringify(found));
"""


def check(given: list[Case]) -> list[list[bool | None]]:
    """What the page finds in these cases."""
    node = shutil.which("node")
    assert node, "the tests need Node"
    run = [node, "--input-type=module", "-e", CHECK % {"client": CLIENT}]
    done = subprocess.run(run, input=msgspec.json.encode(given).decode(), capture_output=True, text=True, check=True)
    found: list[list[bool | None]] = json.loads(done.stdout)
    return found


def rows_of(log: Log) -> Rows:
    return [json.loads(line) for line in lines(log.table.id, log.entries)]


def draws_of(rows: Rows) -> Draws:
    text = [json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in rows]
    return {entry.n: entry.draws for entry in play_again(text) if entry.draws}


def games_of(game: str, count: int) -> list[Rows]:
    """Random games with every number of seats and all options."""
    made = []
    for number, case in enumerate(Random(game).sample(cases(GAMES[game]) * count, count)):
        made.append(rows_of(play(game, f"deal {number}".encode(), case.seats, msgspec.to_builtins(case.options))))
    return made


class Scripted(Chance):
    """Gives what a list says, in order."""

    def __init__(self, gave: list[Any]) -> None:
        super().__init__(b"", 0)
        self._gave = gave

    def below(self, n: int) -> int:
        return int(self._gave.pop(0)) % n

    def shuffled(self, items: Any) -> Any:
        return self._gave.pop(0)


def make(rows: Rows, n: int, draws: list[Draw]) -> list[Any]:
    """What these draws give in an entry."""
    started = next(row for row in rows if row["type"] == "started")
    chance = Chance(salted_seed(bytes.fromhex(rows[0]["seed"]), started.get("salts", ())), n)
    return [getattr(chance, kind)(of) for kind, of in draws]


def permuted(rows: Rows, n: int, draws: list[Draw]) -> tuple[list[Draw], list[Any]] | None:
    """Another order of the decks before they are shuffled."""
    asked = [(kind, swapped(of) if kind == "shuffled" else of) for kind, of in draws]
    return None if asked == draws else (asked, make(rows, n, asked))


def swapped(items: Any) -> tuple[Any, ...]:
    """The items with the first one and another one exchanged."""
    other = next(place for place in range(1, len(items)) if items[place] != items[0])
    return (items[other], *items[1:other], items[0], *items[other + 1 :])


def inserted(rows: Rows, n: int, draws: list[Draw]) -> tuple[list[Draw], list[Any]]:
    """One more draw before the others."""
    asked: list[Draw] = [("below", 7), *draws]
    return asked, make(rows, n, asked)[1:]


def removed(rows: Rows, n: int, draws: list[Draw]) -> tuple[list[Draw], list[Any]]:
    """The first draw was not made: somebody chose."""
    kind, of = draws[0]
    return draws[1:], [of - 1 if kind == "below" else of, *make(rows, n, draws[1:])]


def reordered(rows: Rows, n: int, draws: list[Draw]) -> tuple[list[Draw], list[Any]] | None:
    """The second draw was made before the first."""
    if len(draws) < 2:
        return None
    asked = [draws[1], draws[0], *draws[2:]]
    second, first, *rest = make(rows, n, asked)
    return asked, [first, second, *rest]


Forge = Callable[[Rows, int, list[Draw]], tuple[list[Draw], list[Any]] | None]


def forged(rows: Rows, forge: Forge, chance: Random) -> tuple[Rows, Draws] | None:
    """The rows with another deal or another throw, and draws that lead to it."""
    rows, draws = copy.deepcopy(rows), draws_of(rows)
    game = GAMES[rows[0]["game"]]
    target = chance.choice(list(draws))
    told = forge(rows, target, draws[target])
    if told is None:
        return None
    state: Any = None
    for row in rows:
        if row.get("n") == target:
            scripted = Scripted(told[1])
            if row["type"] == "started":
                made = game.setup(rows[0]["seats"], msgspec.convert(rows[0]["options"], game.options), scripted)
            else:
                made = game.play(state, row["seat"], msgspec.convert(row["move"], game.moves), scripted)
            assert plain(made) != row["events"]
            row["events"] = plain(made)
            break
        for event in row.get("events", ()):
            state = game.apply(state, msgspec.convert(event, game.events))
    return rows, {**draws, target: told[0]}


@pytest.mark.parametrize("game", DRAWN)
def test_every_deal_is_drawn_again_from_seats_options_and_seed(game: str) -> None:
    found = check([("checkDraws", rows, {}, []) for rows in games_of(game, 6)])
    assert found == [[True]] * 6


def test_the_page_does_not_judge_the_deal_of_a_game_that_it_does_not_know() -> None:
    rows = games_of("cheesedog", 1)[0]
    assert check([("checkDraws", [{**rows[0], "game": "snap"}, *rows[1:]], {}, [])]) == [[None]]


@NOT_COMPILED  # a compiled game takes no Chance of a test
@pytest.mark.parametrize("forge", [permuted, inserted, removed, reordered])
@pytest.mark.parametrize("game", DRAWN)
def test_a_deal_is_refused_that_fits_forged_draws(game: str, forge: Forge) -> None:
    given: list[Case] = []
    for number, rows in enumerate(games_of(game, 3)):
        told = forged(rows, forge, Random(number))
        if told is not None:
            given.append(("checkDraws", *told, []))
    assert given or (game, forge) == ("diced_cheese", permuted)  # which shuffles hardly ever
    assert check(given) == [[False]] * len(given)


def test_an_entry_has_the_chance_of_its_own_number() -> None:
    rows = rows_of(play("cheesedog"))
    started = next(row for row in rows if row["type"] == "started")
    started["n"] += 1_000  # of many numbers somebody chose the one with the best deal
    chance = Chance(salted_seed(SEED, started["salts"]), started["n"])
    started["events"] = plain(GAMES["cheesedog"].setup(rows[0]["seats"], GAMES["cheesedog"].options(), chance))
    again = [*rows[:5], {**started, "n": 6}, *rows[5:]]
    assert check([("checkDraws", rows, {}, []), ("checkDraws", again, {}, [])]) == [[False], [False]]


@pytest.mark.parametrize("game", DRAWN)
@pytest.mark.parametrize("anew", [False, True])
def test_a_game_that_plays_on_is_not_said_to_come_from_its_seed(game: str, anew: bool) -> None:
    source = play(game)
    rows = rows_of(branch(source, moment(source).n, 0 if anew else None))
    changed = copy.deepcopy(rows)
    position = next(row for row in changed if row["type"] == "started")["position"]
    position.update({name: [*value, value[0]] for name, value in position.items() if isinstance(value, list) and value})
    known = not anew or game == "diced_cheese"  # in which nothing is hidden
    found, other, draws = check(
        [("checkSource", rows, {}, []), ("checkSource", changed, {}, []), ("checkDraws", rows, {}, [])]
    )
    assert found == [None, True if known else None]
    assert other == [None, False if known else None]
    assert draws == ([True] if game == "diced_cheese" else [])


def test_a_game_with_a_set_up_has_no_source_and_no_position() -> None:
    rows = rows_of(play("cheesedog"))
    forged = copy.deepcopy(rows)
    next(row for row in forged if row["type"] == "started")["position"] = rows[-1]["state"]
    assert check([("checkSource", rows, {}, []), ("checkSource", forged, {}, [])]) == [[], [False]]


def reseated() -> Rows:
    """A game whose host changed the number of seats and swapped two of them."""
    log = Log("cheesedog", SEED, 5)
    for seat, name in ((4, "Ada"), (1, "Bo"), (3, "Cy")):
        log.commit(sit(log.table, Sitter(f"u{seat}", name, salt=f"{seat:016x}"), seat, BEGAN))
    log.commit(decide(log.table, Changed(BEGAN, "diced_cheese", {"variant": "classic", "mishaps": True}, 4, "normal")))
    log.commit(decide(log.table, Swapped(BEGAN, 0, 2)))
    free = next(seat for seat, chair in enumerate(log.table.chairs) if chair.user is None)
    log.commit(sit(log.table, Sitter("u9", "Di"), free, BEGAN))
    chance = Random(1)
    while log.table.status == "running":
        log.commit(step(log.table, chance))
    return rows_of(log)


def test_salts_are_those_with_which_the_seats_were_taken() -> None:
    for rows in (rows_of(play("cheesedog")), reseated()):
        started = next(row for row in rows if row["type"] == "started")
        assert len({salt for salt in started["salts"] if salt}) > 1
        other = copy.deepcopy(rows)
        other[1]["salt"] = "11" * 16
        dropped = [{name: value for name, value in row.items() if name != "salts"} for row in rows]
        turned = [{**row, "salts": row["salts"][::-1]} if row["type"] == "started" else row for row in rows]
        given: list[Case] = [("checkSalts", one, {}, []) for one in (rows, other, dropped, turned)]
        assert check(given) == [[True], [False], [False], [False]]


def test_a_salt_of_this_browser_that_is_missing_is_noticed() -> None:
    rows = rows_of(play("cheesedog"))
    table, started = rows[0]["table"], next(row["n"] for row in rows if row["type"] == "started")
    kept: list[list[Any]] = [
        [],
        [[table, rows[1]["salt"], 2]],
        [[table, "ab" * 16, 2]],  # it took a seat with this one
        [["another", "ab" * 16, 2]],
        [[table, "ab" * 16, None]],  # the seat was taken before
        [[table, "ab" * 16, started + 1]],  # somebody came late
        ["ab" * 16],  # as older pages kept it
    ]
    found = check([("checkSalts", rows, {}, salts) for salts in kept])
    assert found == [[True], [True], [False], [True], [True], [True], [True]]
