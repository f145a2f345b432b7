"""A decision of a recorded game again: the exact view and offers, and what a bot would do there."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from bots.arena import asked
from bots.entrants import BadEntrant, entrant
from bots.line import load
from bots.players import LEVELS, player
from bots.sdk import Choose, Move, Offer, View
from games import GAMES
from games.chance import Chance
from games.core import AnyGame, IllegalMove, judge, read_move

FORMAT = "cheeseboard-replay"


class BadRerun(Exception):  # noqa: N818
    """The file or the decision is not there, and why."""


@dataclass(frozen=True)
class Decision:
    """What a seat was asked just before an entry, and what that entry was."""

    game: AnyGame
    state: Any
    seat: int
    view: View
    offers: list[Offer]
    seed: bytes
    entry: dict[str, Any]


def decision(text: Iterable[str], until: int, seat: int | None) -> Decision:
    """The decision that entry `until` answered; another seat than its own if that had something to decide too."""
    try:
        rows = [json.loads(line) for line in text if line.strip()]
    except ValueError:
        raise BadRerun("this is not a replay file") from None
    if not rows or not isinstance(rows[0], dict) or rows[0].get("format") != FORMAT or rows[0].get("game") not in GAMES:
        raise BadRerun("this is not a replay file")
    head, game = rows[0], GAMES[rows[0]["game"]]
    entry = next((row for row in rows if row.get("n") == until and row["type"] == "moved"), None)
    if entry is None:
        moves = [row["n"] for row in rows if row["type"] == "moved"]
        raise BadRerun(f"entry {until} is no move; the moves are entries {moves[0]} to {moves[-1]}")
    state: Any = None
    for row in rows:
        if row["type"] in ("started", "moved") and row["n"] < until:
            for event in row["events"]:
                state = game.apply(state, msgspec.convert(event, game.events))
    seat = entry["seat"] if seat is None else seat
    if seat not in game.to_act(state):
        acting = ", ".join(map(str, game.to_act(state)))
        raise BadRerun(f"seat {seat} had nothing to decide before entry {until}; it was up to seat {acting}")
    view, offers = asked(game, state, seat)
    return Decision(game, state, seat, view, offers, bytes.fromhex(head["seed"]), entry)


def chooser(spec: str, game: str, timeout_s: float) -> Choose:
    """The bot, a Python file in this very process, so that a debugger stops in it."""
    if spec in LEVELS:
        return player(game, spec)
    if spec.endswith(".py"):
        if not Path(spec).is_file():
            raise BadEntrant(f"there is no file {spec}")
        return load(Path(spec))
    behind = entrant(spec, game, timeout_s)

    def choose(view: View, offers: list[Offer], chance: random.Random) -> Move:
        try:
            return behind.decide(game, view, offers, chance)
        finally:
            behind.close()

    return choose


def answer(at: Decision, choose: Choose, seed: int) -> dict[str, Any]:
    """What the bot would do, whether that is legal, and what was done."""
    move = choose(at.view, at.offers, random.Random(seed))
    assert isinstance(move, dict)
    illegal = None
    try:
        judge(at.game, at.state, at.seat, read_move(at.game, move), Chance(at.seed, at.entry["n"]))
    except (IllegalMove, msgspec.ValidationError) as no:
        illegal = str(no)
    was = {"seat": at.entry["seat"], "by": at.entry["by"], "move": at.entry["move"], "note": at.entry.get("note")}
    return {
        "game": at.game.name,
        "entry": at.entry["n"],
        "seat": at.seat,
        "view": at.view,
        "offers": at.offers,
        "move": move,
        "illegal": illegal,
        "recorded": was,
    }


def as_text(found: dict[str, Any]) -> str:
    """The answer for people."""
    lines = [f"{found['game']}, before entry {found['entry']}: seat {found['seat']} sees", ""]
    lines += [f"  {name}: {_json(value)}" for name, value in found["view"].items()]
    lines += ["", "and is offered", ""]
    lines += [f"  {offer['move']} {_json(offer['fill'])}" for offer in found["offers"]]
    was = found["recorded"]
    lines += ["", f"recorded: seat {was['seat']} ({was['by']}): {_json(was['move'])}"]
    if was["note"]:
        lines.append(f"  its note: {was['note']}")
    lines.append(f"bot: {_json(found['move'])}")
    if found["illegal"]:
        lines.append(f"That is refused: {found['illegal']}")
    return "\n".join(lines) + "\n"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
