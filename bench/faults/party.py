"""Clients who play one game together, table after table, and one who watches them."""

from __future__ import annotations

import asyncio
import contextlib
import random
import time

from bench.faults.client import Address, CarefulClient
from bench.faults.history import TableHistory

SEATS = {"chesterfield": 2, "do_my_bidding": 3, "diced_cheese": 3, "cheesedog": 3, "cheesonomics": 2}
OVER = ("ended", "closed")
LOOK_AGAIN_S = 0.3  # at the seats of a table that has not started


class Party:
    """The players of one game and a watcher. Only the watcher gets whole views instead of patches."""

    def __init__(self, address: Address, game: str, seed: str) -> None:
        self.game = game
        self.histories: list[TableHistory] = []
        self.done_at: list[float] = []  # when a request of theirs was done (`monotonic`)
        self.think_s = 0.05
        self.stopping = False
        self.players = [
            CarefulClient(address, f"{game} {seat}", random.Random(f"{seed}-{game}-{seat}"), True, self._progress)
            for seat in range(SEATS[game])
        ]
        self.watcher = CarefulClient(address, f"{game} w", random.Random(f"{seed}-{game}-w"), False, self._progress)
        self.watcher.is_routed = self.players[-1].is_routed = False  # a table is then seen on several nodes
        self._task: asyncio.Task[None] | None = None

    @property
    def clients(self) -> list[CarefulClient]:
        """All clients, the watcher last."""
        return [*self.players, self.watcher]

    def __str__(self) -> str:
        states = "; ".join(str(client) for client in self.clients)
        return f"{self.game}, table {self.histories[-1].table if self.histories else None}: {states}"

    def _progress(self) -> None:
        self.done_at.append(time.monotonic())

    def start(self) -> None:
        """Connect everybody and begin to play."""
        for client in self.clients:
            client.start()
        self._task = asyncio.create_task(self._play())

    async def finish(self, within_s: float) -> bool:
        """Play the present table to its end, without thinking. Return whether that was done in time."""
        self.stopping = True
        self.set_think(0.0)
        assert self._task
        done, _ = await asyncio.wait((self._task,), timeout=within_s)
        if done:
            self._task.result()
        return bool(done)

    async def stop(self) -> None:
        """Close all connections."""
        if self._task:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
        for client in self.clients:
            await client.stop()

    def set_think(self, seconds: float) -> None:
        """Let all players think for up to this long about each move."""
        self.think_s = seconds
        for client in self.clients:
            client.think_s = seconds

    async def _play(self) -> None:
        while not self.stopping or not self.histories:
            history = await self._create()
            self.set_think(0.0 if self.stopping else self.think_s)
            await asyncio.gather(*(client.follow(history) for client in self.clients))
            while not self._is_over():
                await self._seat_all(history)  # also again, if the store has lost the start of the game
                await self._changed()
            history.left_ms = time.time_ns() // 1_000_000

    def _is_over(self) -> bool:
        """Whether everybody was told that the table is over, or a player that it is gone."""
        told = [client.info.get("status") for client in self.clients]
        return "gone" in told or all(status in OVER for status in told)

    async def _create(self) -> TableHistory:
        host = self.players[0]
        while True:
            answer = await host.request("create", game=self.game, seats=len(self.players))
            if answer["type"] == "ok":
                break
            await asyncio.sleep(LOOK_AGAIN_S)
        history = TableHistory(answer["table"], self.game)
        self.histories.append(history)
        return history

    async def _seat_all(self, history: TableHistory) -> None:
        """Let everybody sit down, again if the store has lost it, until the game has started."""
        for seat, player in enumerate(self.players):
            history.seats[player.user] = seat
        while (info := self.players[0].info).get("status", "open") == "open":
            for seat, player in enumerate(self.players):
                if info and info["seats"][seat].get("user") != player.user:
                    await player.request("sit", table=history.table, seat=seat)
            await self._changed()

    async def _changed(self) -> None:
        """Wait until something came, or for a while."""
        waits = [asyncio.create_task(client.changed.wait()) for client in self.clients]
        try:
            await asyncio.wait(waits, timeout=LOOK_AGAIN_S, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()
        for client in self.clients:
            client.changed.clear()
