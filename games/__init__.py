"""The catalogue: every game that can be played, by name."""

from games import cheesedog, cheesonomics
from games.core import AnyGame

GAMES: dict[str, AnyGame] = {game.name: game for game in (cheesedog.GAME, cheesonomics.GAME)}
