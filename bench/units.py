"""What one of everything costs: a move, an update, an idle connection, a table in the store.

`make bench-units` measures a service of one node under people who take their time, on the embedded store. docs/scale.md
calculates from these figures how much larger numbers need.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import redis
import uvloop

from bench.load import PLAYED, SEATS, SEED, THINK_S, ThinkTime, cpu_s, join_all, rss_kb
from bench.peers.run import machine, raise_file_limit
from bench.players import Party, Player, Tally
from server.store import keys
from tests.service import Service

WATCHERS = 4  # at each table, in the second half of the measurement
SETTLE_S = 3.0


@dataclass
class Sample:
    """Everything that is counted, at one moment."""

    at: float
    node_s: float
    store_s: float
    sent: float  # bytes that the node has written to sockets, from the counters of the players
    decisions: int
    updates: int
    commands: Counter[str]
    info: dict[str, Any]


class Units:
    """A running service, its store, and those who play there."""

    def __init__(self, service: Service, tables: int, think_s: float) -> None:
        self._service = service
        (self._node,) = service.children("server.app")
        (self._store_process,) = service.children("valkey-server")
        self._store = redis.Redis(unix_socket_path=str(service.data / "store.sock"), decode_responses=True)
        self._port = int(service.http.rpartition(":")[2])
        self._tally, self._think = CountingTally(), ThinkTime(think_s)
        chance = random.Random(SEED)
        self._chance = chance
        self._groups = [[self._player(chance) for _ in range(SEATS)] for _ in range(tables)]
        self._parties = [
            Party(PLAYED[number % len(PLAYED)], players, self._tally) for number, players in enumerate(self._groups)
        ]
        self._quiet: list[Player] = []  # those who do not play
        self._idle_count = 4 * tables

    def _player(self, chance: random.Random) -> Player:
        return CountingPlayer(self._think.draw, self._tally, chance)

    def sample(self) -> Sample:
        """Read all counters."""
        commands = Counter[str]()
        for name, stats in self._store.info("commandstats").items():
            commands[name.removeprefix("cmdstat_")] = stats["calls"]
        return Sample(
            time.monotonic(),
            cpu_s(self._node),
            cpu_s(self._store_process),
            self._tally.bytes,
            self._tally.decisions,
            self._tally.updates,
            commands,
            {**self._store.info("stats"), **self._store.info("memory"), **self._store.info("persistence")},
        )

    async def window(self, seconds: float) -> tuple[Sample, Sample]:
        """Let everybody play for a while, and return the counters before and after."""
        before = await asyncio.to_thread(self.sample)
        await asyncio.sleep(seconds)
        return before, await asyncio.to_thread(self.sample)

    async def measure(self, seconds: float) -> list[str]:
        """Measure, and return the lines of the table of results."""
        empty, idle = rss_kb(self._node), await self._idle(seconds)
        await join_all(self._parties, self._port)
        playing = [asyncio.create_task(party.play_forever()) for party in self._parties]
        await asyncio.sleep(SETTLE_S)
        alone = await self.window(seconds)
        await self._watch()
        await asyncio.sleep(SETTLE_S)
        watched = await self.window(seconds)
        for task in playing:
            task.cancel()
        connections = len(self._parties) * (SEATS + WATCHERS)
        kb = (rss_kb(self._node) - empty) / (connections + self._idle_count)
        return list(self._lines(idle, alone, watched, kb))

    async def _idle(self, seconds: float) -> float:
        """Open connections that do nothing, and return the CPU time that one of them takes in a second."""
        before = await self.window(seconds / 2)
        self._quiet = [self._player(self._chance) for _ in range(self._idle_count)]
        for player in self._quiet:
            await player.join("127.0.0.1", self._port)
        await asyncio.sleep(SETTLE_S)
        after = await self.window(max(seconds, 25))  # a silent client is pinged every 20 seconds
        rates = [(end.node_s - begin.node_s) / (end.at - begin.at) for begin, end in (before, after)]
        return (rates[1] - rates[0]) / self._idle_count

    async def _watch(self) -> None:
        """Let watchers come to each table; they stay there when it is over."""
        for players in self._groups:
            for _ in range(WATCHERS):
                watcher, table = self._player(self._chance), players[0].table
                await watcher.join("127.0.0.1", self._port, table)
                await watcher.play_at(table)
                self._quiet.append(watcher)

    def _lines(
        self, idle: float, alone: tuple[Sample, Sample], watched: tuple[Sample, Sample], kb: float
    ) -> Iterator[str]:
        begin, end = alone
        moves, updates = end.decisions - begin.decisions, end.updates - begin.updates
        commands = end.commands - begin.commands
        node, store = (end.node_s - begin.node_s) / moves, (end.store_s - begin.store_s) / moves
        own = self._update_cost(alone, watched)
        rate, busy = moves / (end.at - begin.at), 100 * (end.node_s - begin.node_s) / (end.at - begin.at)
        yield f"| moves in a second, and CPU of the node | {rate:,.0f}, {busy:.0f} % |"
        yield f"| CPU of a node for a move, with its {updates / moves:.1f} updates | {1e6 * node:.0f} µs |"
        yield f"| CPU of a node for one more update, to a watcher | {1e6 * own:.0f} µs |"
        yield f"| CPU of a node for an idle connection, in a second | {1e6 * idle:.2f} µs |"
        yield f"| memory of a node for a connection | {kb:.1f} KB |"
        yield f"| bytes to clients for a move | {(end.sent - begin.sent) / moves:,.0f} |"
        yield f"| CPU of the store for a move | {1e6 * store:.0f} µs |"
        frequent = ", ".join(f"{name} {count / moves:.2f}" for name, count in commands.most_common(6))
        yield f"| commands of the store for a move | {sum(commands.values()) / moves:.1f} ({frequent}) |"
        for name, text in (("total_net_input_bytes", "to the store"), ("total_net_output_bytes", "from the store")):
            yield f"| bytes {text} for a move | {(end.info[name] - begin.info[name]) / moves:,.0f} |"
        grown = end.info["aof_current_size"] - begin.info["aof_current_size"]
        yield f"| bytes on the store's disk for a move | {grown / moves:,.0f} |"
        yield from self._memory()

    def _update_cost(self, alone: tuple[Sample, Sample], watched: tuple[Sample, Sample]) -> float:
        """What the additional updates to watchers cost, each: the cost of moves without them is subtracted."""
        costs = [
            (
                (end.node_s - begin.node_s) / (end.decisions - begin.decisions),
                (end.updates - begin.updates) / (end.decisions - begin.decisions),
            )
            for begin, end in (alone, watched)
        ]
        return (costs[1][0] - costs[0][0]) / (costs[1][1] - costs[0][1])

    def _memory(self) -> Iterator[str]:
        """What the keys of tables, replays and accounts take in the store, by their kind."""
        sizes: dict[str, list[int]] = {}
        for key in self._store.scan_iter(count=1000):
            kind = next((one for one in ("archive:", ":log", "token:") if one in key), "")
            if kind:
                sizes.setdefault(kind, []).append(int(self._store.memory_usage(key, samples=0) or 0))
        names = {"archive:": "the replay of a finished game", ":log": "the log of a table", "token:": "a guest"}
        listed = int(self._store.hlen(keys.LOBBY)) or 1
        lobby = int(self._store.memory_usage(keys.LOBBY, samples=0) or 0)
        yield f"| memory of the store for a table in the lobby | {lobby / listed:,.0f} bytes |"
        for kind, found in sorted(sizes.items()):
            mean, most = sum(found) / len(found), max(found)
            yield f"| memory of the store for {names[kind]} | {mean:,.0f} bytes, at most {most:,} ({len(found)}) |"


class CountingTally(Tally):
    """Counts updates and bytes too."""

    def __init__(self) -> None:
        super().__init__()
        self.updates = 0
        self.bytes = 0


class CountingPlayer(Player):
    """Counts what it receives."""

    def _on_message(self, payload: bytes) -> None:
        tally = self._tally
        assert isinstance(tally, CountingTally)
        tally.bytes += len(payload) + (2 if len(payload) < 126 else 4)
        tally.updates += b"\xa6update" in payload[:20]
        super()._on_message(payload)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--think", type=float, default=THINK_S, help="the median think time in seconds")
    parser.add_argument("--seconds", type=float, default=30.0, help="the length of each measurement")
    chosen = parser.parse_args()
    raise_file_limit()
    with tempfile.TemporaryDirectory(prefix="units-") as folder:
        service = Service(Path(folder), NODES=1, BOTS=0, LIMIT_EXEMPT="127.0.0.1")
        try:
            lines = uvloop.run(Units(service, chosen.tables, chosen.think).measure(chosen.seconds))
        finally:
            service.stop()
    print(f"`python -m bench.units {' '.join(sys.argv[1:])}`, {machine()} at the end".replace(" `", "`"))
    print(f"\n{chosen.tables} tables of {SEATS} players, {chosen.think} s for a decision (median).\n\n| | |\n|---|---|")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
