"""How full the store's memory is, so that new tables are refused before running games are.

A store that has reached its `maxmemory` refuses every write. So when most of it is used, nodes open no new tables, and
the rest serves the games that have begun. A store without `maxmemory` is never full.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable

from server.store.store import Store

log = logging.getLogger("cheeseboard.store")

CHECK_S = 2
MAX_USED = 0.85  # the part of `maxmemory` above which no table is opened
LOG_CHECKS = 30  # while memory is scarce, one of so many checks logs it

FIELD = re.compile(rb"^(used_memory|maxmemory):(\d+)\r?$", re.MULTILINE)


class StoreMemory:
    """Asks the store how much memory it uses; `used` is the part of what it may use, as of the last check.

    In a cluster the fullest primary counts, because each new table may belong to it.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._scarce_checks = 0
        self.used = 0.0

    @property
    def is_scarce(self) -> bool:
        """Whether nothing new may be begun."""
        return self.used > MAX_USED

    async def check(self) -> None:
        """Ask the store now; if it does not answer, the last answer stays."""
        asked = (connection.request("INFO", "memory") for connection in self._store.connections())
        found = [_part_used(answer) for answer in await asyncio.gather(*asked) if isinstance(answer, bytes)]
        if not found:
            return
        self.used = max(found)
        if not self.is_scarce:
            self._scarce_checks = 0
            return
        if self._scarce_checks % LOG_CHECKS == 0:
            log.error("the store uses %.0f %% of its memory: no new tables are opened", 100 * self.used)
        self._scarce_checks += 1

    async def run(self, report: Callable[[float], object]) -> None:
        """Check again and again, for ever; `report` gets the part of the memory that is used."""
        while True:
            await self.check()
            report(self.used)
            await asyncio.sleep(CHECK_S)


def _part_used(info: bytes) -> float:
    """The part of its memory that a server uses, from its INFO."""
    numbers = {name: int(number) for name, number in FIELD.findall(info)}
    limit = numbers.get(b"maxmemory", 0)
    return numbers.get(b"used_memory", 0) / limit if limit else 0.0
