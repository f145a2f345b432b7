"""The seats of a table and their owners."""

from __future__ import annotations

from server.tables.state.local_struct import LocalStruct


class Chair(LocalStruct, frozen=True):
    """A seat and its owner. A `held` seat is reserved for a user who has not sat down yet.

    `absences` counts the moves in a row that the clock made for the owner, `renames` how often their name changed.
    `since` is the entry with which the owner sat down. `advised` counts how often they asked the master.
    """

    user: str | None = None
    name: str | None = None
    bot: bool = False
    level: str | None = None
    owner: str | None = None
    held: bool = False
    invited_by: str = ""
    stand_in: str | None = None
    stand_in_name: str | None = None
    absences: int = 0
    renames: int = 0
    since: int = 0
    salt: str | None = None
    avatar: str = ""
    advised: int = 0


def reseated(chairs: tuple[Chair, ...], seats: int, same_game: bool) -> tuple[Chair, ...]:
    """The chairs of a table that gets another number of seats or another game. People keep their chairs.

    Surplus chairs are removed from the end: free ones first, then those of bots, then held ones. More than `seats` are
    left if more people sit there. Bots of people lose their seats if the game changes: they may not play the new one.
    """
    kept = [chair if same_game or not chair.bot or chair.level else Chair() for chair in chairs]
    for step in range(3):
        for number in reversed(range(len(kept))):
            chair = kept[number]
            if len(kept) > seats and (chair.user is None, chair.bot, chair.held)[step]:
                del kept[number]
    return tuple(kept + [Chair()] * (seats - len(kept)))
