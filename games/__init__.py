"""The catalogue: every game that can be played, by name."""

from games import cheesedog, cheesonomics, chesterfield, diced_cheese, do_my_bidding
from games.core import AnyGame

GAMES: dict[str, AnyGame] = {
    module.GAME.name: module.GAME for module in (chesterfield, do_my_bidding, diced_cheese, cheesedog, cheesonomics)
}
