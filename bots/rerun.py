"""Ask a bot about one decision of a recorded game, with the exact view and offers of that moment."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from bots.arena_table import view_and_offers
from bots.entrants import UnknownBot, make_entrant
from bots.json_lines import choose_for, load
from bots.offers import Move, Offer, View, finished
from bots.players import player
from bots.recorded import NoReplay, read_rows, steps
from bots.turn import ChooseWithTurn, Turn, taking_turn
from games.chance import Chance
from games.core import AnyGame, judge, read_move
from games.refusals import IllegalMove
from protocol.messages import LEVELS


class BadRerun(Exception):  # noqa: N818
    """The file is not a replay, or has no such decision."""


@dataclass(frozen=True)
class Decision:
    """What a seat was asked before an entry, and that entry."""

    game: AnyGame
    state: Any
    seat: int
    view: View
    offers: list[Offer]
    seed: bytes
    entry: dict[str, Any]
    turn: Turn


def decision(text: Iterable[str], until: int, seat: int | None) -> Decision:
    """The decision that entry `until` answers, or that `seat` had at the same moment; raises BadRerun."""
    try:
        rows, game = read_rows(text)
    except NoReplay as fault:
        raise BadRerun(str(fault)) from None
    entry = next((row for row in rows if row.get("n") == until and row["type"] == "moved"), None)
    if entry is None:
        moves = [row["n"] for row in rows if row["type"] == "moved"]
        raise BadRerun(f"entry {until} is not a move; the moves are entries {moves[0]} to {moves[-1]}")
    state: Any = None
    seat = entry["seat"] if seat is None else seat
    seen: list[dict[str, Any]] = []
    for step in steps(rows, game):
        if step.row["n"] >= until:
            break
        if step.row.get("seat") == seat:
            seen.clear()
        shown = (game.show(event, seat) for event in step.events)
        seen += [msgspec.to_builtins(event) for event in shown if event is not None]
        state = step.after
    if seat not in game.to_act(state):
        acting = ", ".join(map(str, game.to_act(state)))
        raise BadRerun(f"seat {seat} had nothing to decide before entry {until}; it was up to seat {acting}")
    view, offers = view_and_offers(game, state, seat)
    head = rows[0]
    turn = Turn(game.name, head["table"], seat, head["options"], until - 1, seen, complete="source" not in head)
    return Decision(game, state, seat, view, offers, bytes.fromhex(head["seed"]), entry, turn)


def chooser(spec: str, game: str, timeout_s: float) -> ChooseWithTurn:
    """The bot that this names. A Python file runs in this process, so that a debugger can stop in it."""
    if spec in LEVELS:
        return taking_turn(player(game, spec))
    if spec.endswith(".py"):
        if not Path(spec).is_file():
            raise UnknownBot(f"there is no file {spec}")
        return taking_turn(choose_for(game, load(Path(spec))))
    entrant = make_entrant(spec, game, timeout_s)

    def choose(view: View, offers: list[Offer], chance: random.Random, turn: Turn) -> Move:
        try:
            return entrant.decide(view, offers, chance, lambda: turn)
        finally:
            entrant.close()

    return choose


def answer(at: Decision, choose: ChooseWithTurn, seed: int) -> dict[str, Any]:
    """The bot's move, why it is illegal if it is, and the recorded move."""
    move, note = finished(choose(at.view, at.offers, random.Random(seed), at.turn))
    illegal = None
    try:
        judge(at.game, at.state, at.seat, read_move(at.game, move), Chance(at.seed, at.entry["n"]))
    except (IllegalMove, msgspec.ValidationError) as no:
        illegal = str(no)
    recorded = {"seat": at.entry["seat"], "by": at.entry["by"], "move": at.entry["move"], "note": at.entry.get("note")}
    return {
        "game": at.game.name,
        "entry": at.entry["n"],
        "seat": at.seat,
        "view": at.view,
        "offers": at.offers,
        "move": move,
        "note": note,
        "illegal": illegal,
        "recorded": recorded,
    }


def as_text(found: dict[str, Any]) -> str:
    """The answer as text."""
    lines = [f"{found['game']}, before entry {found['entry']}: seat {found['seat']} sees", ""]
    lines += [f"  {name}: {_json(value)}" for name, value in found["view"].items()]
    lines += ["", "and is offered", ""]
    lines += [f"  {offer['move']} {_json(offer['fill'])}" for offer in found["offers"]]
    recorded = found["recorded"]
    lines += ["", f"recorded: seat {recorded['seat']} ({recorded['by']}): {_json(recorded['move'])}"]
    if recorded["note"]:
        lines.append(f"  its note: {recorded['note']}")
    lines.append(f"bot: {_json(found['move'])}")
    if found["note"]:
        lines.append(f"  its note: {found['note']}")
    if found["illegal"]:
        lines.append(f"That is refused: {found['illegal']}")
    return "\n".join(lines) + "\n"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
