"""Honest clients of a service under attack: bystanders who ping and players of a game, and the memory of its processes.

They come from other addresses than the attacker. There are as many bystanders and games at each node as at the others,
because a connection that names a table (`/ws?table=ID`) reaches the node of that table.
"""

from __future__ import annotations

import asyncio
import itertools
import math
import random
import re
import urllib.request
import zlib
from collections import Counter
from dataclasses import dataclass, field
from time import perf_counter

import redis

from bench.attack.store_growth import GameSize, bytes_of_keys, game_size
from bench.load import percentile, rss_kb
from bench.players import Ask, Party, Player, Socket, Tally, decode
from server.store.keys import archive, table_chat, table_log, table_presence
from tests.service import Service

NODES = 2
BYSTANDERS = 3  # at each node
PINGS_PER_S = 10  # of one bystander: half of what a client may send
GAME = "cheesedog"
SEATS = 4
THINK_S = 0.05
SEED = 1
PUBLISHED_S = 0.6  # after which the metrics of a node have all that was measured until now
DELAYS = re.compile(r'^cheeseboard_timer_delay_seconds_bucket{[^}]*le="([^"]+)"[^}]*} (\S+)$', re.MULTILINE)
SAMPLE_S = 0.25  # between two readings of the memory
LATE_S = 20.0  # how long a ping or a move that was sent during an attack is waited for
MB = 1024 * 1024


def id_at(node: int) -> str:
    """An id of a table whose home is this node."""
    return next(name for name in map("home{}".format, itertools.count()) if zlib.crc32(name.encode()) % NODES == node)


@dataclass
class Waits:
    """How long answers took in one period, in seconds. An answer that never came counts as infinite."""

    pings: list[float] = field(default_factory=list)
    moves: list[float] = field(default_factory=list)
    decisions: int = 0

    def ping_ms(self, percent: float) -> float:
        """A percentile of the pings, in milliseconds."""
        return 1000 * percentile(self.pings, percent)

    def move_ms(self, percent: float) -> float:
        """A percentile of the acknowledgements of moves, in milliseconds."""
        return 1000 * percentile(self.moves, percent)


class Bystander:
    """A client that sends a ping every tenth of a second, whether or not the ones before were answered."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._ids = itertools.count(2)
        self._sent: dict[int, float] = {}
        self._welcomed = asyncio.get_running_loop().create_future()
        self._sending: asyncio.Task[None] | None = None
        self.waits: list[float] = []
        self.lost = False

    async def join(self, port: int, node: int) -> None:
        """Connect, send hello, and begin to ping."""
        loop = asyncio.get_running_loop()
        _, self._socket = await loop.create_connection(
            lambda: Socket(f"127.0.0.1:{port}", f"/ws?table={id_at(node)}", self._on_message, self._on_lost),
            "127.0.0.1",
            port,
            local_addr=(self._source, 0),
        )
        await asyncio.wait_for(self._socket.opened, LATE_S)
        self._socket.send({"type": "hello", "id": 1, "v": 1, "name": "Bystander"})
        await asyncio.wait_for(self._welcomed, LATE_S)
        self._sending = asyncio.create_task(self._ping())

    async def _ping(self) -> None:
        while True:
            await asyncio.sleep(1 / PINGS_PER_S)
            number = next(self._ids)
            self._sent[number] = perf_counter()
            self._socket.send({"type": "ping", "id": number})

    def _on_message(self, payload: bytes) -> None:
        answer = decode(payload)
        if answer.id == 1 and not self._welcomed.done():
            self._welcomed.set_result(None)
        sent = self._sent.pop(answer.id or 0, None)
        if sent is not None:
            self.waits.append(perf_counter() - sent)

    def _on_lost(self) -> None:
        self.lost = True

    @property
    def waiting_since(self) -> float:
        """When the oldest ping without an answer was sent (`perf_counter`); infinite if there is none."""
        return min(self._sent.values(), default=math.inf)

    def unanswered(self, before: float) -> int:
        """How many of the pings that were sent before this time have no answer."""
        return sum(sent < before for sent in self._sent.values())

    def close(self) -> None:
        """Stop."""
        if self._sending:
            self._sending.cancel()
        self._socket.close()


class GameAtNode(Party):
    """Players of one game, table after table, all at one node."""

    def __init__(self, game: str, players: list[Player], tally: Tally) -> None:
        super().__init__(game, players, tally)
        self.tables: list[str] = []  # all that they have opened

    async def _create(self) -> str:
        table = await super()._create()
        self.tables.append(table)
        return table

    async def join_at(self, port: int, node: int) -> None:
        """Connect all players, the host first, and start the first table."""
        await self._players[0].join("127.0.0.1", port, id_at(node))
        table = await self._create()
        for player in self._players[1:]:
            await player.join("127.0.0.1", port, table)
        await self._start(table)


class Witnesses:
    """All honest clients of a service."""

    def __init__(self, service: Service) -> None:
        self._port = int(service.url.rpartition(":")[2].partition("/")[0])
        self._tally = Tally()
        chance = random.Random(SEED)
        addresses = (f"127.0.1.{number}" for number in itertools.count(1))
        self._bystanders = [Bystander(next(addresses)) for _ in range(NODES * BYSTANDERS)]
        self._players = [
            [Player(_think, self._tally, chance, next(addresses)) for _ in range(SEATS)] for _ in range(NODES)
        ]
        self._games = [GameAtNode(GAME, players, self._tally) for players in self._players]
        self._playing: list[asyncio.Task[None]] = []
        self._decisions = 0

    async def join(self) -> None:
        """Connect everybody, and play."""
        for number, bystander in enumerate(self._bystanders):
            await bystander.join(self._port, number % NODES)
        for number, game in enumerate(self._games):
            await game.join_at(self._port, number)
        self._playing = [asyncio.create_task(game.play_forever()) for game in self._games]
        self.collect()

    def collect(self) -> Waits:
        """What was measured since the last call. What is not answered yet belongs to the next call."""
        waits = Waits(decisions=self._tally.decisions - self._decisions)
        self._decisions = self._tally.decisions
        waits.moves, self._tally.ack_s = self._tally.ack_s or [], []
        for bystander in self._bystanders:
            waits.pings += bystander.waits
            bystander.waits = []
        return waits

    async def collect_late(self) -> Waits:
        """Like `collect`, but wait for the answers to everything that was sent until now. Lost ones are infinite."""
        now = perf_counter()
        players = [player for players in self._players for player in players]
        clients: list[Bystander | Player] = [*self._bystanders, *players]
        while perf_counter() < now + LATE_S and any(client.waiting_since < now for client in clients):  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        waits = self.collect()
        waits.pings += [math.inf] * sum(bystander.unanswered(now) for bystander in self._bystanders)
        waits.moves += [math.inf] * (self.lost + sum(player.waiting_since < now for player in players))
        return waits

    @property
    def lost(self) -> int:
        """How many connections of players were lost, and games that broke off."""
        return self._tally.lost + sum(task.done() for task in self._playing)

    @property
    def tables(self) -> list[str]:
        """All tables that the players have opened."""
        return [table for game in self._games for table in game.tables]

    def close(self) -> None:
        """Stop everything."""
        for task in self._playing:
            task.cancel()
        for bystander in self._bystanders:
            bystander.close()
        for game in self._games:
            game.close()


def _think(ask: Ask) -> float:
    return THINK_S


class LagGauge:
    """How late the event loops of the nodes run their timers, as their metrics say."""

    def __init__(self, port: int) -> None:
        self._url = f"http://127.0.0.1:{port}/metrics"
        self._before: Counter[float] = Counter()

    async def start(self) -> None:
        """Measure from now on."""
        self._before = await asyncio.to_thread(self._read)

    async def p99_ms(self) -> float:
        """The 99 % quantile since then: the upper end of its bucket."""
        await asyncio.sleep(PUBLISHED_S)
        counts = await asyncio.to_thread(self._read)
        counts.subtract(self._before)
        most = counts[math.inf]
        return next((end * 1000 for end in sorted(counts) if most and counts[end] >= 0.99 * most), math.nan)

    def _read(self) -> Counter[float]:
        with urllib.request.urlopen(self._url, timeout=5) as answer:
            found = DELAYS.findall(answer.read().decode())
        counts: Counter[float] = Counter()
        for end, count in found:
            counts[float(end)] += int(float(count))
        return counts


class MemoryGauge:
    """The memory of the nodes and of the store, read a few times a second."""

    def __init__(self, service: Service) -> None:
        self._nodes = service.children("server.app")
        self._store = redis.Redis(unix_socket_path=str(service.data / "store.sock"), socket_timeout=5)
        self._task: asyncio.Task[None] | None = None
        self.nodes_mb: list[float] = []
        self.highest_mb: list[float] = []

    def nodes_now_mb(self) -> list[float]:
        """The resident memory of each node."""
        return [rss_kb(pid) / 1024 for pid in self._nodes]

    async def store_now(self, besides: list[str]) -> int:
        """Bytes of all keys in the store, without those of these tables."""
        keys = [key(table) for table in besides for key in (table_log, table_chat, table_presence, archive)]

        return await asyncio.to_thread(bytes_of_keys, self._store, keys)

    async def game_now(self) -> GameSize:
        """Bytes that the largest game takes in the store."""
        return await asyncio.to_thread(game_size, self._store)

    def start(self) -> None:
        """Keep the highest memory of each node from now on."""
        self.highest_mb = self.nodes_now_mb()
        self._task = asyncio.create_task(self._watch())

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(SAMPLE_S)
            self.highest_mb = [max(pair) for pair in zip(self.highest_mb, self.nodes_now_mb(), strict=True)]

    async def settled_mb(self, before: list[float], enough: float, within_s: float) -> float:
        """Wait until no node has grown by more than `enough`, and return by how much the largest one has."""
        until = perf_counter() + within_s
        while True:
            grown = max(now - then for now, then in zip(self.nodes_now_mb(), before, strict=True))
            if grown <= enough or perf_counter() >= until:
                return grown
            await asyncio.sleep(SAMPLE_S)

    def stop(self) -> None:
        """Stop reading."""
        if self._task:
            self._task.cancel()
            self._task = None

    def close(self) -> None:
        """Disconnect from the store."""
        self.stop()
        self._store.close()
