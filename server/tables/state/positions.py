"""How a game starts: by its set-up, or from a position of a finished game.

docs/replay.md describes how such a position is written down and verified.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec

from games.chance import Chance, salted_seed
from games.core import AnyGame
from server.tables.state.entries import Started
from server.tables.state.table import EntryWithEvents, Table, codec

encode: Final = msgspec.msgpack.Encoder().encode


def start(table: Table, now: int) -> EntryWithEvents:
    """The entry that starts the game of a full table."""
    salts = tuple([chair.salt for chair in table.chairs])
    chance = Chance(salted_seed(table.opened.seed, salts), table.n + 1)
    salts = salts if any(salts) else ()
    source = table.opened.source
    if source is not None:
        position = dealt_anew(table.game, codec(table.opened.game).state.decode(source.position), source.seat, chance)
        return EntryWithEvents(table.n + 1, Started(now, msgspec.Raw(encode(())), salts, msgspec.Raw(encode(position))))
    options = msgspec.convert(table.opened.options, table.game.options)
    events = table.game.setup(len(table.chairs), options, chance)
    return EntryWithEvents(table.n + 1, Started(now, msgspec.Raw(encode(events)), salts), events)


def dealt_anew(game: AnyGame, position: Any, seat: int | None, chance: Chance) -> Any:
    """The position with everything dealt anew that this seat does not know; as it is if `seat` is None."""
    return position if seat is None else game.imagine(game.view(position, seat), seat, chance)
