"""Limits how many replays are read and folded for requests at one time: each is in memory as a whole."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from protocol.codec import ProtocolError
from server.requests.client_addresses import ClientAddress
from server.requests.limits import Limits

BUSY_MS = 1_000  # when a request may be sent again that came while too many replays were read


class ReplayWork:
    """Counts the replays that are being read for requests, by address and for the node."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._under_way: Counter[str] = Counter()  # by address

    @contextmanager
    def counted(self, client_address: ClientAddress) -> Iterator[None]:
        """Count one replay while the body runs. Refuses with `busy` if it is one too many."""
        if client_address.exempt:
            yield
            return
        address = client_address.address
        if self._under_way[address] >= self._limits["address_files_at_once"]:
            raise _busy("for your network address")
        if self._under_way.total() >= self._limits["node_files_at_once"]:
            raise _busy("at this time")
        self._under_way[address] += 1
        try:
            yield
        finally:
            self._under_way -= Counter((address,))


def _busy(which: str) -> ProtocolError:
    return ProtocolError("busy", f"too many replays are being read {which}: try again", retry_after_ms=BUSY_MS)
