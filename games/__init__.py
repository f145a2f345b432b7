"""The catalogue: every game that can be played, by name."""

from games import cheesedog, cheesonomics, chesterfield, diced_cheese, do_my_bidding
from games.core import AnyGame, collect

GAMES: dict[str, AnyGame] = {
    each.name: each
    for each in (
        collect(chesterfield),
        collect(do_my_bidding),
        collect(diced_cheese),
        collect(cheesedog),
        collect(cheesonomics),
    )
}
