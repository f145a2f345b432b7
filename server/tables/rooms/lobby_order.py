"""In which order the lobby lists tables, so that nobody can push the tables of others out of sight."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import msgspec

from protocol.messages import LobbyTable

OF_HOST = 1  # tables of one host that come before further ones of the same host
OF_ADDRESS = 4  # the same for the network address from which they were opened
EMPTY_OF_ADDRESS = 1  # the same for tables at which nobody is


class Listing(msgspec.Struct, frozen=True, array_like=True):
    """A table as the nodes list it: the time of its last entry, its host and their origin, and what clients see."""

    at: int
    host: str
    origin: str
    table: LobbyTable


def in_fair_order(listings: Iterable[Listing]) -> list[LobbyTable]:
    """The tables in the order in which a newcomer should see them.

    Tables with people come first, then open ones before running ones, then the last active ones. But the list is made
    in rounds: a host or a network address has only a few tables in each, and its further ones in the next rounds.
    """
    of_host: Counter[str] = Counter()
    of_origin: Counter[str] = Counter()
    ranked: list[tuple[int, int, LobbyTable]] = []
    for listing in sorted(listings, key=_by_interest):
        empty = not _has_people(listing.table)
        turn = of_host[listing.host] // OF_HOST
        if listing.origin:
            turn = max(turn, of_origin[listing.origin] // (EMPTY_OF_ADDRESS if empty else OF_ADDRESS))
        of_host[listing.host] += 1
        of_origin[listing.origin] += 1
        ranked.append((turn, len(ranked), listing.table))
    ranked.sort(key=lambda one: one[:2])
    return [table for _, _, table in ranked]


def _by_interest(listing: Listing) -> tuple[bool, bool, int]:
    table = listing.table
    return not _has_people(table), table.status != "open", -listing.at


def _has_people(table: LobbyTable) -> bool:
    """Whether a person has a seat and is at the table, or watches it."""
    return table.watchers > 0 or any(seat.kind == "person" and seat.here for seat in table.seats)
