"""The games of this server, as clients know them."""

from __future__ import annotations

import msgspec

from games import GAMES
from games.core import AnyGame, option_choices
from protocol.codec import ProtocolError
from protocol.explanations import quoted
from protocol.messages import LEVELS, AboutGame, GameInfo

_HOW_THEY_PLAY = "plays random moves", "plays sensibly", "thinks ahead"
LEVEL_TEXTS: dict[str, str] = dict(zip(LEVELS, _HOW_THEY_PLAY, strict=True))  # the levels of house bots, in words


def _about(game: AnyGame) -> AboutGame | None:
    return None if game.about is None else msgspec.convert(msgspec.to_builtins(game.about), AboutGame)


CATALOGUE = tuple(
    GameInfo(
        name=game.name,
        title=game.title,
        blurb=game.blurb,
        seats=(game.seats.start, game.seats.stop - 1),
        options=option_choices(game),
        about=_about(game),
    )
    for game in GAMES.values()
)


def require_game(name: str, field: str) -> None:
    """Raise ProtocolError if there is no such game; `field` is where the client named it."""
    if name not in GAMES:
        raise ProtocolError("no_game", f"there is no game {quoted(name)}: {', '.join(GAMES)}", field=field)
