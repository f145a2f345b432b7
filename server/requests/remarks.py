"""Remarks at moments of finished games."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from protocol.codec import ProtocolError
from protocol.messages import Ok, Remark
from server.requests.connection import Connection
from server.requests.limits.free_memory import require_memory
from server.requests.limits.limiter import Limiter
from server.requests.replay_reader import ReplayReader
from server.requests.sanctions import Sanctions
from server.store.memory import StoreMemory
from server.tables.finished.remarks import MAX_REMARKS, KeptRemark, Remarks
from server.tables.finished.seat_rows import with_chairs
from server.tables.rooms.service_clock import ServiceClock
from server.tables.state import names

RATES = "remarks_per_hour", "address_remarks_per_hour"


class ShownRemarks:
    """The remarks that people see: those of users whom the operator has muted or banned are left out."""

    def __init__(self, remarks: Remarks, sanctions: Sanctions) -> None:
        self._remarks = remarks
        self._sanctions = sanctions

    async def all(self, table: str) -> list[KeptRemark]:
        """The remarks at a game, in the order of its entries."""
        return await self._remarks.all(table, lambda user: not self._sanctions.is_silenced(user))


class RemarkRequests:
    """Answers remark."""

    def __init__(
        self,
        memory: StoreMemory,
        reader: ReplayReader,
        remarks: Remarks,
        sanctions: Sanctions,
        limiter: Limiter,
        clock: ServiceClock,
    ) -> None:
        self._memory = memory
        self._reader = reader
        self._remarks = remarks
        self._sanctions = sanctions
        self._limiter = limiter
        self._clock = clock

    def handlers(self) -> dict[type, Any]:
        """The requests that are answered here."""
        return {Remark: self.remark}

    async def remark(self, connection: Connection, message: Remark) -> None:
        """Keep a remark of somebody who played."""
        self._sanctions.require_not_muted(connection)
        if message.text:
            require_memory(self._memory)
        with self._reader.counted(connection.client_address):
            await self._limiter.take(connection.requester, RATES)
            text = await self._reader.find(message.table)
            seat, name = await self._player(text, connection.account.id, message.n)
        remark = KeptRemark(message.n, seat, name, names.clean_text(message.text), self._clock.now())
        if not await self._remarks.put(message.table, connection.account.id, remark):
            raise ProtocolError("log_full", f"there are at most {MAX_REMARKS} remarks at a game")
        connection.send(Ok(id=message.id, table=message.table, n=message.n))

    async def _player(self, text: str, user: str, n: int) -> tuple[int, str]:
        """The last seat of a user in the game, and its name. Refuses users who had none, and entries without a move.

        Who took a seat and left it before the start has not played.
        """
        seats: list[tuple[int, str]] = []
        moments: list[int] = []

        def look() -> Iterator[None]:
            started = False
            for row, _, chairs in with_chairs(map(msgspec.json.decode, text.split("\n")[:-1])):
                started = started or row["type"] == "started"
                if started:
                    own = [(seat, chair) for seat, chair in enumerate(chairs) if chair.user == user]
                    seats.extend((seat, chair.name or "") for seat, chair in own if not chair.held)
                if row.get("n") == n and row["type"] in ("started", "moved"):
                    moments.append(n)
                yield

        await self._reader.slices.run(look())
        if not seats:
            raise ProtocolError("not_seated", "only those who played leave remarks")
        if not moments:
            raise ProtocolError("bad_field", f"entry {n} is neither the start nor a move", field="n")
        return seats[-1]
