"""One attack on a fresh service: a quiet period, the attack from a process of its own, and a period after it."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import tempfile
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from time import monotonic

import uvloop

from bench.attack.catalogue import Attack, find
from bench.attack.store_growth import bytes_per_hour
from bench.attack.wire import Gone, Tally, Target
from bench.attack.witnesses import MB, NODES, LagGauge, MemoryGauge, Waits, Witnesses
from tests.service import Service
from tests.stores import free_ports

WARM_UP_S = 0.5
QUIET_S = 1.5
SETTLE_S = 8.0  # after an attack, for the memory of the nodes to return
RETURNED_MB = 5.0  # growth of a node that need not be waited for
OVERTIME_S = 40.0  # after its end, until an attack is stopped
AS_OPERATORS_HAVE_IT = {"BOT_PAUSE_MS": 900, "BOT_THINK_MS": 400}  # not the shorter times of most tests
NICENESS = 10  # of the attacker: on the internet it would not compete for the processors of the service


@dataclass
class Outcome:
    """The figures of one attack."""

    attack: Attack
    connections: int
    seconds: float
    sent: Tally = field(default_factory=Tally)
    quiet: Waits = field(default_factory=Waits)
    under: Waits = field(default_factory=Waits)
    node_grown_mb: float = 0.0
    node_kept_mb: float = 0.0
    kept_again_mb: list[float] = field(default_factory=list)  # after each repetition, beyond what was there before it
    lag_ms: float = 0.0
    store_mb_per_hour: float = 0.0
    players_lost: int = 0
    error: str = ""


def attack_service(attack: Attack, connections: int, seconds: float, quiet_s: float = QUIET_S) -> Outcome:
    """Start a service, attack it, and stop it."""
    with tempfile.TemporaryDirectory(prefix="attack-") as folder:
        log = Path(folder) / "service.log"
        (port,) = free_ports(1)
        chosen = {"NODES": NODES, "LIMIT_EXEMPT": "", "METRICS_PORT": port, **AS_OPERATORS_HAVE_IT}
        service = Service(Path(folder), (), log, **chosen)
        try:
            first = uvloop.run(measure(service, attack, connections, seconds, quiet_s, LagGauge(port)))
            for _ in range(attack.times - 1):
                again = uvloop.run(measure(service, attack, connections, seconds, quiet_s, LagGauge(port)))
                first.kept_again_mb.append(again.node_kept_mb)
            return first
        finally:
            service.stop()


async def measure(
    service: Service, attack: Attack, connections: int, seconds: float, quiet_s: float, lag: LagGauge
) -> Outcome:
    """Attack a running service and measure its honest clients and its memory."""
    outcome = Outcome(attack, connections, seconds)
    witnesses, memory = Witnesses(service), MemoryGauge(service)
    try:
        await witnesses.join()
        await asyncio.sleep(WARM_UP_S)
        witnesses.collect()
        await asyncio.sleep(quiet_s)
        outcome.quiet = await witnesses.collect_late()
        attack.prepare(service)
        before, store_before = memory.nodes_now_mb(), await memory.store_now(witnesses.tables)
        memory.start()
        await lag.start()
        process = AttackProcess((attack.name,), service, connections, seconds)
        attacking = asyncio.create_task(process.result_async())
        outcome.sent = await attacking
        outcome.under = await witnesses.collect_late()
        outcome.lag_ms = await lag.p99_ms()
        grown = await memory.store_now(witnesses.tables) - store_before
        done = sum(outcome.sent.done[kind] for kind in attack.storing.requests)
        per_hour = bytes_per_hour(attack.storing, grown, done, await memory.game_now(), NODES)
        outcome.store_mb_per_hour = per_hour / MB
        outcome.node_kept_mb = await memory.settled_mb(before, RETURNED_MB, SETTLE_S)
        outcome.node_grown_mb = max(high - low for high, low in zip(memory.highest_mb, before, strict=True))
        outcome.players_lost = witnesses.lost
    except (OSError, RuntimeError, TimeoutError) as fault:
        outcome.error = f"{type(fault).__name__}: {fault}"
    finally:
        witnesses.close()
        memory.close()
    return outcome


class AttackProcess:
    """Attacks that run at the same time in a process of their own. It is killed if they do not end."""

    def __init__(self, names: tuple[str, ...], service: Service, connections: int, seconds: float) -> None:
        self._names = names
        self._until = monotonic() + seconds + OVERTIME_S
        port = int(service.url.rpartition(":")[2].partition("/")[0])
        spawn = multiprocessing.get_context("spawn")
        self._answer, theirs = spawn.Pipe(duplex=False)
        self._process = spawn.Process(target=_attack, args=(theirs, names, port, connections, seconds), daemon=True)
        self._process.start()
        theirs.close()

    def result(self) -> Tally:
        """Wait for the end, and return what was sent and what came back."""
        try:
            if not self._answer.poll(max(0.0, self._until - monotonic())):
                raise RuntimeError(f"the attack {self._names} did not end")
            tally: Tally = self._answer.recv()
            return tally
        except EOFError:
            raise RuntimeError(f"the attack {self._names} broke off") from None
        finally:
            self.stop()

    async def result_async(self) -> Tally:
        """Like `result`, beside everything else."""
        return await asyncio.to_thread(self.result)

    def stop(self) -> None:
        """End the process, if it has not ended."""
        self._process.kill()
        self._process.join()
        self._answer.close()


def _attack(answer: Connection, names: tuple[str, ...], port: int, connections: int, seconds: float) -> None:
    os.nice(NICENESS)
    tally = Tally()

    async def run() -> None:
        attacks = [find(name) for name in names]
        targets = [Target("127.0.0.1", port, attack.source, connections, seconds, tally) for attack in attacks]
        try:
            await asyncio.gather(*(attack.run(target) for attack, target in zip(attacks, targets, strict=True)))
        except Gone as fault:
            tally.broken.append(str(fault) or "an honest client was not served")

    uvloop.run(run())
    answer.send(tally)
