"""What was decided about a table besides its game: who may come, who may chat, and what watchers see."""

from __future__ import annotations

from typing import Final

from protocol.messages import PUBLIC_VIEW, ChatRule, WatchRule
from server.tables.state.chairs import Chair
from server.tables.state.local_struct import LocalStruct, replace


class TableRules(LocalStruct, frozen=True):
    """The rules of a table.

    `dismissed` has the users who were sent away and the names of their seats. `changes` counts the host's entries.
    `watching` is in force, and the users in `agreed` have agreed to it. The host has `proposed` another rule, to which
    the users in `agreeing` have agreed so far.
    """

    locked: bool = False
    chat: ChatRule = "everybody"
    dismissed: tuple[tuple[str, str | None], ...] = ()
    changes: int = 0
    watching: WatchRule = PUBLIC_VIEW
    agreed: tuple[str, ...] = ()
    proposed: WatchRule | None = None
    agreeing: tuple[str, ...] = ()

    def with_proposal(self, watching: WatchRule, host: str) -> TableRules:
        """The rules after the host has proposed what watchers shall see."""
        if watching == self.watching:  # nothing is to change: the proposal before is withdrawn
            return replace(self, proposed=None, agreeing=())
        return replace(self, proposed=watching, agreeing=(host,))

    def with_answer(self, user: str, agree: bool) -> TableRules:
        """The rules after a user has agreed to the proposal or has refused it; without one, to the rule in force."""
        if not agree:
            if self.proposed is None:
                return replace(self, agreed=tuple(one for one in self.agreed if one != user))
            return replace(self, proposed=None, agreeing=())
        if self.proposed is None:
            return replace(self, agreed=(*self.agreed, user))
        return replace(self, agreeing=(*self.agreeing, user))

    def settled(self, chairs: tuple[Chair, ...]) -> TableRules:
        """The rules with the proposal in force, if every person who has a seat has agreed to it."""
        if self.proposed is None or any(asked not in self.agreeing for asked in _people(chairs)):
            return self
        return replace(self, watching=self.proposed, agreed=self.agreeing, proposed=None, agreeing=())

    def shown_seat(self, chairs: tuple[Chair, ...]) -> int | None:
        """The seat whose view watchers see. Its owner has agreed; house bots always agree."""
        seat = self.watching.seat
        if self.watching.see != "seat" or seat is None or seat >= len(chairs):
            return None
        owner = chairs[seat]
        return seat if owner.level or (not owner.held and owner.user in self.agreed) else None


NO_RULES: Final = TableRules()


def _people(chairs: tuple[Chair, ...]) -> list[str]:
    return [chair.user for chair in chairs if chair.user and not (chair.bot or chair.held)]


def first_rules(watching: WatchRule | None, host: str) -> TableRules:
    """The rules of a new table, for which the host has chosen what watchers see."""
    return NO_RULES if watching is None else replace(NO_RULES, watching=watching, agreed=(host,))
