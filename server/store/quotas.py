"""Limits on which all nodes agree: rates, and sets with a greatest number of members (limits.lua).

A place in a set is claimed first, so that concurrent requests on all nodes never take more places than there are. When
the request is done, its member is added to the set and the claim is released. A claim whose node has died lapses.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import NamedTuple

from server.store import keys
from server.store.answers import Answer, StoreLost
from server.store.store import Store

log = logging.getLogger("cheeseboard.store")

KEPT_S = 90 * 24 * 3600  # a set of unfinished tables expires after so long without a new one
CLAIM_MS = 5_000  # lifetime of an unreleased claim: longer than two commands at their deadline of 2 s
NEW_TABLE_CLAIM_MS = 15_000  # the same for a table that is being opened: no other request waits for that claim
RELEASE_MS = 500  # between two attempts to release a claim

FULL = -1  # the set has no place left
CLAIMED = -2  # another request has claimed a place for the same member


class Rate(NamedTuple):
    """A rate of one user or address: `number` in each window, all of which may come at once."""

    key: str
    number: int
    window_ms: int


class Place(NamedTuple):
    """A place for `member` in the set with this key, which has at most `most` members.

    `claims` is the key of the claims to the set, if it is not keys.claims(key); both are in the slot of the set.
    `claim_ms` is the lifetime of an unreleased claim. Requests for the same member are refused for that time.
    `user` is who has a seat at the tables of the set, if it is a set of seats of one user.
    """

    key: str
    member: str
    most: int
    claims: str | None = None
    claim_ms: int = CLAIM_MS
    user: str = ""

    @property
    def claims_key(self) -> str:
        """The key of the claims to become a member."""
        return self.claims or keys.claims(self.key)


class Admission(NamedTuple):
    """The answer to a request: `status` is 0, FULL, CLAIMED, or the ms to wait for rate number `which`."""

    status: int
    which: int

    @property
    def has_claim(self) -> bool:
        """Whether a place was claimed, which must be released."""
        return self.status == 0 and self.which == 1


class Quotas:
    """Takes from rates and claims places in the store; keeps no state."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def admit(self, now: int, rates: Sequence[Rate], place: Place | None = None) -> asyncio.Future[Answer]:
        """Take one of each rate and claim the place, all or nothing; the answer is for `admission`.

        All keys belong to one user or to one address, so that they are in one slot of a cluster.
        """
        sets = () if place is None else (place.key, place.claims_key)
        wanted = ("", 0, 0) if place is None else (place.member, place.most, place.claim_ms)
        return self._store.request(*_admit(now, 1, rates, sets, wanted))

    def take(self, now: int, rate: Rate, amount: int) -> asyncio.Future[Answer]:
        """Take this amount of a rate, or nothing; the answer is for `admission`."""
        return self._store.request(*_admit(now, amount, (rate,), (), ("", 0, 0)))

    def give_back(self, now: int, rates: Sequence[Rate]) -> None:
        """Give back what was taken of these rates by a request that was then refused for another reason."""
        if rates:
            self._store.send_logged("giving back a rate", *_admit(now, -1, rates, (), ("", 0, 0)))

    def add(self, key: str, member: str, kept_s: int = KEPT_S) -> None:
        """Take a place for good; the set expires after `kept_s` without another call."""
        self._store.send_until_done("taking a place", "SADD", key, member)
        self._store.send_until_done("taking a place", "EXPIRE", key, kept_s)

    def remove(self, key: str, member: str) -> None:
        """Give a place back."""
        self._store.send_until_done("giving a place back", "SREM", key, member)

    def release(self, place: Place, tries: int = CLAIM_MS // RELEASE_MS) -> None:
        """Release a claim, because the place was taken for good or is not needed.

        While the store is away this is tried again until the claim lapses: the same request is refused as long as it is
        there.
        """

        def released(answer: Answer) -> None:
            if isinstance(answer, Exception) and tries > 1:
                asyncio.get_running_loop().call_later(RELEASE_MS / 1000, self.release, place, tries - 1)

        self._store.send(released, "ZREM", place.claims_key, place.member)


def _admit(
    now: int, amount: int, rates: Sequence[Rate], sets: tuple[str, ...], wanted: tuple[str | int, ...]
) -> list[str | int]:
    """The command for `admit` of limits.lua."""
    numbers = [part for rate in rates for part in (rate.number, rate.window_ms)]
    used = [*sets, *(rate.key for rate in rates)]
    return ["FCALL", "admit", len(used), *used, now, amount, *wanted, *numbers]


def admission(answer: Answer) -> Admission:
    """The store's answer to `Quotas.admit`. Raises StoreLost if it could not be carried out."""
    if isinstance(answer, Exception):
        log.warning("limits could not be checked: %s", answer)
        raise StoreLost(str(answer)) from answer
    return Admission(int(answer[0]), int(answer[1]))
