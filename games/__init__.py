"""The catalogue: every game that can be played, by name."""

from games import cheesedog, cheesonomics, chesterfield, diced_cheese, do_my_bidding
from games.core import AnyGame

GAMES: dict[str, AnyGame] = {
    game.name: game
    for game in (chesterfield.GAME, do_my_bidding.GAME, diced_cheese.GAME, cheesedog.GAME, cheesonomics.GAME)
}
