"""Rematches: who sits where at the next table, and the score of an evening of several games."""

from __future__ import annotations

from collections.abc import Collection

from protocol.codec import ProtocolError
from server.tables.state.chairs import Chair, reseated
from server.tables.state.decisions import AlreadyDone, Decision, Sitter, decide, require_status
from server.tables.state.entries import Evening, Held, Opened, Rematched, Sat, Score
from server.tables.state.table import Table

MAX_SCORES = 16  # users in the score of an evening; those with the fewest wins are left out


def same_seats(before: Table, opened: Opened, sitter: Sitter, without: Collection[str] = ()) -> list[Sat | Held]:
    """The seats of a rematch that the sitter asks for: the sitter and the house bots sit, other seats are held.

    Nothing is held for the users in `without`, whom the user blocks.
    """
    free = Chair()
    chairs = tuple(free if chair.user in without else chair for chair in before.chairs)
    chairs = reseated(chairs, opened.seats, opened.game == before.opened.game)
    require_room(chairs, opened.seats)
    held: list[Sat | Held] = []
    sat: list[Sat | Held] = []
    for seat, chair in enumerate(chairs):
        if chair.user is None or chair.name is None:
            continue
        if chair.level or chair.user == sitter.user:
            salt = sitter.salt if chair.user == sitter.user else None
            who = chair.user, chair.name, chair.bot, chair.level, chair.owner
            sat.append(Sat(opened.at, seat, *who, salt, chair.avatar))
        else:
            held.append(Held(opened.at, seat, chair.user, chair.name, chair.bot, chair.owner, sitter.name))
    return held + sat


def next_host(before: Table, sender: str, here: Collection[int], without: Collection[str] = ()) -> str:
    """The host of a rematch that `sender` asks for: the host of the game before, if they are still here on their seat.

    Otherwise it is the sender, and also if the sender blocks that host.
    """
    seat = before.owned_seat(before.host)
    return before.host if seat in here and before.host not in without else sender


def require_room(chairs: tuple[Chair, ...], seats: int) -> None:
    """Refuse a number of seats that is too small for the people at a table."""
    if len(chairs) > seats:
        raise ProtocolError("bad_field", f"{len(chairs)} people have a seat here, and {seats} is fewer", field="seats")


def record_rematch(table: Table, rematch: str, game: str, now: int) -> Decision:
    """Record at which table the same seats play again, and which game."""
    require_status(table, "ended")
    if table.rematch is not None:
        raise AlreadyDone(table.n)
    return decide(table, Rematched(now, rematch, None if game == table.opened.game else game))


def evening(table: Table) -> Evening | None:
    """The score of the games that this table continues, with its own game once that has ended; None before the first.

    Everybody who is first wins, also if several share the place.
    """
    before = table.opened.evening
    if table.outcome is None:
        return before
    scores = {score.user: score for score in before.scores} if before else {}
    for chair, place in zip(table.chairs, table.outcome.places, strict=True):
        if chair.user is not None:
            wins = scores[chair.user].wins if chair.user in scores else 0
            scores[chair.user] = Score(chair.user, chair.name or "", wins + (place == 1))
    most = sorted(scores.values(), key=lambda score: -score.wins)[:MAX_SCORES]
    return Evening((before.rounds if before else 0) + 1, tuple(most))
