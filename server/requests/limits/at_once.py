"""Limits how many requests of a kind are worked on at one time, because each takes much memory or computing time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from protocol.codec import ProtocolError
from server.requests.limits.client_addresses import ClientAddress
from server.requests.limits.limits import Limits

BUSY_MS = 1_000  # when a request may be sent again that came while there were too many


class AtOnce:
    """Counts the requests that are worked on, by address and for the node. `busy` makes the refusal of one too many."""

    def __init__(self, limits: Limits, of_address: str, of_node: str, busy: Callable[[str], ProtocolError]) -> None:
        self._most_of_address = limits[of_address]
        self._most_of_node = limits[of_node]
        self._busy = busy
        self._under_way: Counter[str] = Counter()  # by address

    @contextmanager
    def counted(self, client_address: ClientAddress) -> Iterator[None]:
        """Count one request while the body runs, or refuse it."""
        if client_address.exempt:
            yield
            return
        address = client_address.address
        if self._under_way[address] >= self._most_of_address:
            raise self._busy("for your network address")
        if self._under_way.total() >= self._most_of_node:
            raise self._busy("at this time")
        self._under_way[address] += 1
        try:
            yield
        finally:
            self._under_way -= Counter((address,))


def replays_at_once(limits: Limits) -> AtOnce:
    """Replays that are read and folded for requests: each is in memory as a whole."""

    def busy(where: str) -> ProtocolError:
        return ProtocolError("busy", f"too many replays are being read {where}: try again", retry_after_ms=BUSY_MS)

    return AtOnce(limits, "address_files_at_once", "node_files_at_once", busy)


def advice_at_once(limits: Limits) -> AtOnce:
    """Questions to the master, who answers one at a time."""

    def busy(where: str) -> ProtocolError:
        return ProtocolError("busy", f"too many ask the master {where}: try again", retry_after_ms=BUSY_MS)

    return AtOnce(limits, "address_advice_at_once", "node_advice_at_once", busy)
