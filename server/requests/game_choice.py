"""Which game a table plays, with which options, on how many seats and at which speed: what is asked for, checked."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec.structs import replace

from games import GAMES
from games.core import AnyGame, option_choices
from protocol.codec import ProtocolError, bad_value
from protocol.explanations import OTHER_VALUES, quoted
from protocol.messages import Change, Rematch
from server.requests.catalogue import require_game
from server.tables.state.entries import Opened


def require_seats(name: str, seats: int) -> AnyGame:
    """The game with this name, which must have so many seats."""
    require_game(name, "game")
    game = GAMES[name]
    if seats not in game.seats:
        text = f"{game.title} has {game.seats.start} to {game.seats.stop - 1} seats"
        raise ProtocolError("bad_field", text, field="seats")
    return game


def all_options(game: AnyGame, chosen: dict[str, Any]) -> dict[str, Any]:
    """The chosen options of a game, and the defaults of the others."""
    try:
        options: dict[str, Any] = msgspec.to_builtins(msgspec.convert(chosen, game.options))
    except msgspec.ValidationError as fault:
        raise _with_choices(game, bad_value(fault, "options")) from None
    return options


def _with_choices(game: AnyGame, wrong: ProtocolError) -> ProtocolError:
    """The error for a wrong option, with the options or values that the game has."""
    name, choices = (wrong.field or "").removeprefix("options."), option_choices(game)
    if wrong.code == "surplus_field":
        wrong.message = f"there is no option {quoted(name)}: {game.title} has {', '.join(choices) or 'none'}"
    elif name in choices:
        wrong.message = wrong.message.replace(OTHER_VALUES, ", ".join(map(str, choices[name])))
    return wrong


def changed(before: Opened, change: Change | Rematch) -> Opened:
    """The table with another game, options, number of seats or speed; what is missing stays, as far as the game allows.

    Another game has its default options, and as many seats as before or the nearest number that it allows.
    """
    name = before.game if change.game is None else change.game
    seats = change.seats
    if seats is None:
        allowed = GAMES[name].seats if name in GAMES else range(before.seats, before.seats + 1)
        seats = max(allowed.start, min(before.seats, allowed.stop - 1))
    game = require_seats(name, seats)
    options = change.options
    if options is None:
        options = before.options if name == before.game else {}
    speed = before.speed if change.speed is None else change.speed
    return replace(before, game=name, options=all_options(game, options), seats=seats, speed=speed)
