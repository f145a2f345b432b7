"""The arena: the same seed plays the same games, and every bot plays every seat of every deal."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from bots.__main__ import main
from bots.arena import Contest, bots_by_seat, play_deal, run
from bots.arena_report import as_dict, make_report
from bots.entrants import Entrant, LocalBot
from bots.players import player
from bots.sdk import Move, Offer, Turn, View

ROOT = Path(__file__).resolve().parents[2]


class Witness:
    """Plays like a rookie and records the first hand that it had in each seat."""

    def __init__(self, game: str) -> None:
        self._house = LocalBot(player(game, "rookie"))
        self.hands: dict[int, list[str]] = {}
        self.asked = 0

    def decide(self, view: View, offers: list[Offer], chance: random.Random, turn: Callable[[], Turn]) -> Move:
        self.asked += 1
        self.hands.setdefault(view["me"], view["hand"])
        return self._house.decide(view, offers, chance, turn)

    def close(self) -> None:
        """Nothing to release."""


class Idler:
    """Buys nothing and lays down nothing."""

    def decide(self, view: View, offers: list[Offer], chance: random.Random, turn: Callable[[], Turn]) -> Move:
        kinds = {offer["move"]: offer["fill"] for offer in offers}
        for move in ("drop", "finish", "default"):
            if move in kinds:
                return {"type": move}
        if "present" in kinds:
            return {"type": "present", "card": kinds["present"]["card"]["of"][0], "price": 0}
        if "bid_secretly" in kinds:
            return {"type": "bid_secretly", "amount": kinds["bid_secretly"]["amount"]["least"]}
        discard = kinds["keep"]["discard"]
        return {"type": "keep", "discard": discard["of"][: discard["least"]]}

    def close(self) -> None:
        """Nothing to release."""


def test_rotations_give_every_bot_every_seat() -> None:
    assert [bots_by_seat(3, rotation) for rotation in range(3)] == [(0, 1, 2), (1, 2, 0), (2, 0, 1)]


def test_a_deal_has_the_same_hands_in_every_rotation() -> None:
    contest = Contest("chesterfield", ("a", "b", "c"), 1, 5)
    witnesses = [Witness("chesterfield") for _ in range(3)]
    played = play_deal(contest, 0, list[Entrant](witnesses))
    assert [one.rotation for one in played] == [0, 1, 2]
    assert sorted(witnesses[0].hands) == [0, 1, 2]
    assert witnesses[0].hands == witnesses[1].hands == witnesses[2].hands
    assert len({tuple(hand) for hand in witnesses[0].hands.values()}) == 3
    decisions = [sum(one.tallies[bot].decisions for one in played) for bot in range(3)]
    assert decisions == [witness.asked for witness in witnesses]
    assert sum(decisions) == sum(one.entries for one in played)


def test_another_deal_is_another_game() -> None:
    contest = Contest("cheesedog", ("rookie",) * 3, 2, 5)
    played = run(contest, 1, lambda done: None)
    assert played[0].entries != played[3].entries or played[0].places != played[3].places


def test_results_are_in_the_order_of_the_bots_not_of_the_seats() -> None:
    contest = Contest("chesterfield", ("idler", "rookie", "rookie"), 1, 2)
    rookies: list[Entrant] = [LocalBot(player("chesterfield", "rookie")) for _ in range(2)]
    for one in play_deal(contest, 0, [Idler(), *rookies]):
        assert one.points
        assert one.points[0] <= 0 < min(one.points[1:])
        assert one.places[0] == 3


def test_the_same_seed_gives_the_same_report_with_any_number_of_processes() -> None:
    contest = Contest("do_my_bidding", ("rookie", "random", "rookie"), 4, 11)
    progress: list[int] = []
    alone = as_dict(make_report(contest, run(contest, 1, progress.append), 1.0, 1))
    shared = as_dict(make_report(contest, run(contest, 2, lambda done: None), 1.0, 2))
    again = as_dict(make_report(contest, run(contest, 1, lambda done: None), 1.0, 1))
    for found in (alone, shared, again):
        del found["speed"]
    assert alone == shared == again
    assert progress == [3, 6, 9, 12]


def test_another_seed_plays_other_games() -> None:
    found = [
        [one.points for one in run(Contest("do_my_bidding", ("rookie",) * 3, 1, seed), 1, lambda done: None)]
        for seed in (1, 2)
    ]
    assert found[0] != found[1]


def test_the_command_rounds_up_to_whole_deals_and_writes_a_plot(tmp_path: Path) -> None:
    plot = tmp_path / "plot.svg"
    command = [sys.executable, "-m", "server.process.cli", "arena", "cheesonomics", "--option", "variant=sharp"]
    command += ["--seats", "rookie,random", "--games", "3", "--seed", "1", "--json", "--plot", str(plot)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=120)
    found = json.loads(done.stdout)
    assert (found["games"], found["deals"], found["even"]) == (4, 2, 0.5)
    assert [line["bot"] for line in found["lines"]] == ["rookie", "random"]
    assert plot.read_text().startswith("<svg")
    assert done.stderr == ""  # the progress bar appears on a terminal only


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["cheesedog", "--seats", "rookie,rookie"], "3 to 10 seats, and --seats names 2"),
        (["cheesedog", "--seats", "rookie,random,master", "--round-robin", "--table", "2"], "and --table names 2"),
        (["cheesedog", "--seats", "rookie,rookie,wizard"], "'wizard' is neither"),
        (["cheesedog", "--seats", "rookie,rookie,no/such.py"], "no file no/such.py"),
        (["cheesonomics", "--seats", "rookie,rookie", "--option", "variant=hot"], "variant=mild|sharp"),
        (["cheesonomics", "--seats", "rookie,rookie", "--games", "0"], "at least 1"),
        (["cheesonomics", "--seats", "rookie,rookie", "--plot", "no/such/x.svg"], "No such file or directory"),
    ],
)
def test_the_command_names_the_wrong_argument(arguments: list[str], complaint: str) -> None:
    with pytest.raises(SystemExit) as exited:
        main(["arena", *arguments])
    assert complaint in str(exited.value)
