"""Enforces the limits of users, addresses and the node. Limits of a connection are its own (connection.py).

Limits that each node counts by itself are checked at once. Shared limits take one round trip to the store. A request
that one limit refuses takes nothing from the others: a user who sends too much does not use up the share of others
at the same address.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable
from typing import NamedTuple

from protocol.codec import ProtocolError
from server.requests.limits.client_addresses import ClientAddress
from server.requests.limits.limits import BY_NAME, Limit, Limits
from server.requests.limits.node_rates import NodeRates
from server.requests.limits.stale_places import StalePlaces
from server.store import keys
from server.store.answers import StoreLost
from server.store.quotas import CLAIMED, FULL, Admission, Place, Quotas, Rate, admission
from server.tables.rooms.service_clock import ServiceClock

CLAIMED_RETRY_MS = 200  # wait of a request that overlaps with another one for the same place


class PlaceNeeded(NamedTuple):
    """A place that a request needs, and the refusal if there is none left."""

    place: Place
    refusal: ProtocolError


class Requester(NamedTuple):
    """Who sends a request: a user, whose id is empty before hello, at an address."""

    user: str
    client_address: ClientAddress


class _Share(NamedTuple):
    """The rates that a request spends and the place that it needs, of one user or of one address."""

    names: list[str]
    rates: list[Rate]
    needed: PlaceNeeded | None


class Claims:
    """The places that a request has claimed."""

    def __init__(self, quotas: Quotas, places: list[Place]) -> None:
        self._quotas = quotas
        self._places = places

    def release(self) -> None:
        """Release the claims, because the places were taken for good or are not needed."""
        for place in self._places:
            self._quotas.release(place)


class Limiter:
    """Checks requests against the limits, and refuses with `rate_limited` or what the place's refusal says."""

    def __init__(
        self, limits: Limits, rates: NodeRates, quotas: Quotas, stale_places: StalePlaces, clock: ServiceClock
    ) -> None:
        self.limits = limits
        self.stale_places = stale_places
        self._rates = rates
        self._quotas = quotas
        self._clock = clock

    # Limits of this node.

    def check(self, requester: Requester, *names: str) -> None:
        """Take one of each of these rates, which are not shared."""
        if requester.client_address.exempt:
            return
        now = self._clock.now()
        for name in names:
            wait = self._rates.spend(name, _subject(name, requester), now)
            if wait:
                raise too_many(name, wait)

    def request_wait_ms(self, client_address: ClientAddress, cost: int) -> int:
        """Count a request of this address; returns the ms to wait if there are too many."""
        if client_address.exempt:
            return 0
        return self._rates.spend("address_requests_per_second", client_address.address, self._clock.now(), cost)

    def keeps_note(self, client_address: ClientAddress, note: str) -> bool:
        """Count the note of a move; returns False if there are too many bytes of notes."""
        if client_address.exempt:
            return True
        name, size = "address_note_bytes_per_hour", len(note.encode())
        return not self._rates.spend(name, client_address.address, self._clock.now(), size)

    # Shared limits.

    async def take(
        self,
        requester: Requester,
        names: Iterable[str] = (),
        of_user: PlaceNeeded | None = None,
        of_address: PlaceNeeded | None = None,
    ) -> Claims:
        """Take one of each of these rates, and claim the places, all or nothing."""
        now, on_node = self._clock.now(), []
        user, address = _Share([], [], of_user), _Share([], [], of_address)
        for name in () if requester.client_address.exempt else names:
            limit = BY_NAME[name]
            if limit.subject == "node":
                on_node.append(name)
                continue
            share = address if limit.subject == "address" else user
            share.names.append(name)
            share.rates.append(self._shared_rate(requester, limit))
        shares = [share for share in (user, address) if share.rates or share.needed]
        while True:
            admissions = await self._admit(now, shares)
            refusal = next(filter(None, map(_refusal, shares, admissions)), None) or self._refuse_on_node(now, on_node)
            if refusal is None:
                return _claims(self._quotas, shares, admissions)
            for share, admitted in zip(shares, admissions, strict=True):
                if admitted.status == 0:
                    self._quotas.give_back(now, share.rates)
            _claims(self._quotas, shares, admissions).release()
            if not await self._drop_stale(shares, admissions):
                raise refusal

    async def _drop_stale(self, shares: list[_Share], admissions: list[Admission]) -> bool:
        """Whether places could be freed in the sets that are full. A set is looked through once in a while only."""
        full = [share.needed for share, admitted in zip(shares, admissions, strict=True) if admitted.status == FULL]
        dropped = [await self.stale_places.drop(needed.place) for needed in full if needed]
        return any(dropped)

    async def _admit(self, now: int, shares: list[_Share]) -> list[Admission]:
        asked = [self._quotas.admit(now, share.rates, share.needed and share.needed.place) for share in shares]
        answers = await asyncio.gather(*asked)
        try:
            return [admission(answer) for answer in answers]
        except StoreLost:  # the store may have claimed the places all the same
            for share in shares:
                if share.needed:
                    self._quotas.release(share.needed.place)
            raise

    def _refuse_on_node(self, now: int, names: list[str]) -> ProtocolError | None:
        for name in names:
            wait = self._rates.spend(name, "", now)
            if wait:
                return too_many(name, wait)
        return None

    def give_back(self, requester: Requester, *names: str) -> None:
        """Give back one of each of these shared rates: the request was not of the kind that they limit."""
        if requester.client_address.exempt:
            return
        for name in names:
            self._quotas.give_back(self._clock.now(), [self._shared_rate(requester, BY_NAME[name])])

    def _shared_rate(self, requester: Requester, limit: Limit) -> Rate:
        """The rate of a shared limit, of the user or of the address."""
        key = keys.user_rate(requester.user, limit.name)
        if limit.subject == "address":
            key = keys.address_rate(requester.client_address.origin, limit.name)
        return Rate(key, self.limits[limit.name], (limit.window_s or 0) * 1000)


def _refusal(share: _Share, admitted: Admission) -> ProtocolError | None:
    if admitted.status > 0:
        return too_many(share.names[admitted.which - 1], admitted.status)
    if admitted.status == FULL and share.needed:
        return share.needed.refusal
    if admitted.status == CLAIMED:
        text = "the same request is under way on another connection"
        return ProtocolError("busy", text, retry_after_ms=CLAIMED_RETRY_MS)
    return None


def _claims(quotas: Quotas, shares: list[_Share], admissions: list[Admission]) -> Claims:
    pairs = zip(shares, admissions, strict=True)
    return Claims(quotas, [share.needed.place for share, admitted in pairs if share.needed and admitted.has_claim])


def _subject(name: str, requester: Requester) -> str:
    """The user or the address whose share of a limit the request uses; empty for a limit of the node."""
    match BY_NAME[name].subject:
        case "user":
            return requester.user
        case "address":
            return requester.client_address.address
        case _:
            return ""


def too_many(name: str, wait_ms: int) -> ProtocolError:
    """The refusal of a request that is above a rate."""
    limit = BY_NAME[name]
    where = {"address": " from your network address", "node": " at this time"}.get(limit.subject, "")
    text = f"too many {_first_words(limit.counts)}{where}: try again in {_duration(wait_ms)}"
    return ProtocolError("rate_limited", text, retry_after_ms=wait_ms)


def _first_words(counts: str) -> str:
    return re.split(r"[;(]", counts)[0].strip()


def _duration(ms: int) -> str:
    if ms < 1000:
        return f"{ms} ms"
    return f"{-(-ms // 1000)} s" if ms < 120_000 else f"{-(-ms // 60_000)} minutes"
