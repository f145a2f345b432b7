"""The lessons of the games, by the name of the game. A game need not have one."""

from games.lessons import cheesedog, cheesonomics, chesterfield, diced_cheese, do_my_bidding
from games.lessons.script import Lesson

LESSONS: dict[str, Lesson] = {
    "chesterfield": chesterfield.LESSON,
    "do_my_bidding": do_my_bidding.LESSON,
    "diced_cheese": diced_cheese.LESSON,
    "cheesedog": cheesedog.LESSON,
    "cheesonomics": cheesonomics.LESSON,
}
