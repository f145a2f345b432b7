"""Measure the service and its peers on one workload, on the same cores, and print a table of medians.

Each measurement starts a fresh server (and store), pins the server to the first core and the client and the store to
the second, and stops what it started. A second node runs on the second core, or shares the first core with the first
node (`one_core`), so that both together are as busy as one node alone. Run it with `make bench-peers`;
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

from bench.peers.processes import CLIENT_CORE, HERE, SERVER_CORE, free_port, running, store
from server.process.child import end_with_parent
from tools import compile as compiled

ROOT = HERE.parent.parent
PROGRAMS = {"node": HERE / "node_modules/.bin/node", "python": HERE / ".venv/bin/python", "ours": Path(sys.executable)}
SCENARIOS = ("check", "latency", "throughput", "fanout", "idle")  # unless the target lists others
QUICK = {
    "latency": {"moves": 300, "warm": 50},
    "throughput": {"secs": 2, "warm": 1},
    "fanout": {"spectators": 200, "moves": 10},
    "idle": {"tables": 50},
}

TURNS, WARM_UP_TURNS = 30, 10  # of each server in the scenario `turns`
TIMEOUT_S = 120  # for one scenario, which takes a quarter of that

Figures = dict[str, Any]
Runs = dict[str, dict[str, list[Figures]]]  # by target and scenario

US, BESIDE = "Cheeseboard", "Cheeseboard, other checkout"
TWO, SPREAD = "Cheeseboard, 2 nodes on one core", "Cheeseboard, 2 nodes on one core, tables spread"
DISK, REPLICA = "Cheeseboard, durability disk", "Cheeseboard, durability replica"

# Ratios to print: the title, the scenario, its figure, and the two targets to compare.
RATIOS = (
    ("CPU per move, store included, in short turns", "turns", "cpu_s_per_1000", US, "Colyseus"),
    ("CPU per move, store included, one server after the other", "throughput", "cpu_s_per_1000", US, "Colyseus"),
    ("deliveries to spectators per CPU second", "fanout", "deliveries_per_server_cpu_s", US, "Colyseus"),
    ("p50 of one table", "latency", "p50_ms", US, "boardgame.io"),
    ("p99 of one table", "latency", "p99_ms", US, "boardgame.io"),
    ("p99 of one table", "latency", "p99_ms", US, "Colyseus"),
    ("KB per connection", "idle", "kb_per_connection", US, "boardgame.io"),
    ("moves per CPU second of the busier of two nodes, in short turns", "turns", "moves_per_cpu_s", TWO, US),
    ("the same, with the seats of each table spread over both nodes", "turns", "moves_per_cpu_s", SPREAD, US),
    ("CPU per move at durability disk, in short turns", "turns", "cpu_s_per_1000", DISK, US),
    (
        "the same at durability replica, the primary included",
        "turns",
        "cpu_s_per_1000",
        REPLICA,
        US,
    ),
    ("CPU per move, store included, in short turns", "turns", "cpu_s_per_1000", US, BESIDE),
    ("deliveries to spectators per CPU second", "fanout", "deliveries_per_server_cpu_s", US, BESIDE),
    ("p99 of one table", "latency", "p99_ms", US, BESIDE),
    ("KB per connection", "idle", "kb_per_connection", US, BESIDE),
)


@dataclass(frozen=True)
class Serving:
    """A running service: its port, the process ids of its nodes and of its store (0 without one), and its folder."""

    port: int
    nodes: list[int]
    store: int
    folder: Path


def raise_file_limit() -> int:
    """Raise the limit of open files to the maximum, also for child processes, and return it."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return hard


def machine() -> str:
    """Describe the machine and the date, for the heading of the figures."""
    return (
        f"{date.today()}, {platform.machine()} with {os.cpu_count()} cores, Python {platform.python_version()}, "
        f"load average {os.getloadavg()[0]:.1f}"
    )


@contextlib.contextmanager
def serving(target: dict[str, Any], log: IO[str]) -> Iterator[Serving]:
    """Run a fresh server of this target, with its store if it has one, until the end of the block."""
    port, store_port = free_port(), free_port()
    with contextlib.ExitStack() as stack:
        folder = Path(tempfile.mkdtemp(prefix="bench-"))
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        env = {"PORT": str(port), "STORE_PORT": str(store_port), **target.get("env", {})}
        env |= {
            "HOST": "127.0.0.1",
            "LIMIT_EXEMPT": "127.0.0.1",  # all clients of a benchmark come from one address
            "REDIS_URL": f"unix://{folder}/store.sock",
            "PROMETHEUS_MULTIPROC_DIR": str(folder),
        }
        durability = env.get("DURABILITY", "process")
        root = HERE
        if target["cmd"][0] == "ours":
            root = Path(target.get("checkout", ROOT))
            build = root / compiled.BUILD.relative_to(ROOT)
            if not target.get("plain") and not build.exists():
                raise RuntimeError(f"the compiled build {build} is missing: run `make compiled` there")
            places = [root] if target.get("plain") else [build, root]
            env |= {"PYTHONSAFEPATH": "1", "PYTHONPATH": os.pathsep.join(map(str, places))}
        store_pid = stack.enter_context(store(store_port, folder, log, durability)) if target.get("store") else 0
        name, *rest = target["cmd"]
        nodes = []
        count = target.get("nodes", 1)
        for number in range(count):
            core = SERVER_CORE if target.get("one_core") else (SERVER_CORE, CLIENT_CORE)[number % 2]
            own = {**env, "CHEESEBOARD_HANDOVER": f"{folder}:{number}:{count}"}
            nodes.append(stack.enter_context(running([str(PROGRAMS[name]), *rest], core, port, own, log, root)))
        time.sleep(0.5)
        yield Serving(port, nodes, store_pid, folder)


def load_command(served: Serving, target: dict[str, Any], scenario: str) -> list[str]:
    """Return the command of a client that loads this service."""
    words = ["taskset", "-c", CLIENT_CORE, str(PROGRAMS["node"]), "load.mjs", target["adapter"], scenario]
    return [*words, str(served.port), ",".join(map(str, served.nodes)), str(served.store)]


def measure(
    target: dict[str, Any], scenario: str, options: dict[str, int], log: IO[str], timeout_s: float = TIMEOUT_S
) -> Figures:
    """Run one scenario against a fresh server. If it fails, the result has only `error`."""
    try:
        with serving(target, log) as served:
            done = subprocess.run(
                [*load_command(served, target, scenario), *(f"{key}={value}" for key, value in options.items())],
                cwd=HERE,
                env={**os.environ, **target.get("client", {})},
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                timeout=timeout_s,
                preexec_fn=end_with_parent,
            )
        figures: Figures = json.loads(done.stdout.strip().splitlines()[-1])
    except subprocess.TimeoutExpired:
        return {"error": f"not done after {timeout_s:.0f} s"}
    except (OSError, RuntimeError) as fault:
        return {"error": str(fault)}
    except (IndexError, ValueError):
        return {"error": f"the client ended with {done.returncode}: {done.stdout[-300:]}"}
    return figures


@contextlib.contextmanager
def client(target: dict[str, Any], log: IO[str]) -> Iterator[subprocess.Popen[str]]:
    """Run a fresh server of this target and a load client that waits for a line on its input before each turn."""
    with (
        serving(target, log) as served,
        subprocess.Popen(
            load_command(served, target, "turns"),
            cwd=HERE,
            env={**os.environ, **target.get("client", {})},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            preexec_fn=end_with_parent,
        ) as process,
    ):
        timeout = threading.Timer(TIMEOUT_S, process.kill)
        timeout.start()
        try:
            yield process
        finally:
            timeout.cancel()
            process.kill()


def turns(targets: dict[str, dict[str, Any]], log: IO[str]) -> dict[str, Figures]:
    """Measure the cost of a move with all servers running, one of them loaded at a time, for a third of a second.

    The machine's speed changes from second to second by more than the servers differ. Short turns expose all servers to
    the same changes.
    """
    spent = {name: {"moves": 0.0, "store": 0.0} for name in targets}
    nodes = {name: [0.0] * target.get("nodes", 1) for name, target in targets.items()}
    with contextlib.ExitStack() as stack:
        clients = {name: stack.enter_context(client(target, log)) for name, target in targets.items()}
        try:
            for one in clients.values():
                _read_line(one)  # its tables are open
            for number, name in itertools.product(range(WARM_UP_TURNS + TURNS), clients):
                print(file=clients[name].stdin, flush=True)  # starts its turn
                found = _read_line(clients[name])
                if number >= WARM_UP_TURNS:
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


def _read_line(one: subprocess.Popen[str]) -> Figures:
    """Read the next line of a client."""
    assert one.stdout
    found: Figures = json.loads(one.stdout.readline())
    return found


def median(runs: list[Figures]) -> Figures:
    """Return the median of each figure over the runs that succeeded."""
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
    """Format the figures as a Markdown table."""
    rows = ["| | " + " | ".join(title for title, *_ in COLUMNS) + " |", "|---|" + "---|" * len(COLUMNS)]
    for name, figures in results.items():
        cells = []
        for _, scenario, key, digits in COLUMNS:
            value = figures.get(scenario, {}).get(key)
            cells.append("-" if value is None else f"{value:,.{digits}f}")
        rows.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(rows)


def failures(results: dict[str, dict[str, Figures]]) -> list[str]:
    """List the scenarios that failed."""
    return [
        f"{name}, {scenario}: {of['error'].splitlines()[0]}"
        for name, found in results.items()
        for scenario, of in found.items()
        if "error" in of
    ]


def ratios(runs: Runs) -> list[str]:
    """Compute our figures relative to a peer's, round by round: a slow minute of the machine affects both of a pair."""
    lines = []
    for title, scenario, key, us, peer in RATIOS:
        ours, theirs = (runs.get(name, {}).get(scenario, []) for name in (us, peer))
        pairs = [
            mine[key] / other[key] for mine, other in zip(ours, theirs, strict=False) if key in mine and key in other
        ]
        if pairs:
            each = ", ".join(f"{pair:.2f}" for pair in pairs)
            lines.append(f"- {title}: {statistics.median(pairs):.2f} of {peer} (by round: {each})")
    return lines


def run(targets: dict[str, dict[str, Any]], chosen: argparse.Namespace) -> Runs:
    """Run all scenarios of all targets. Targets take turns at each scenario, so that a slow minute affects all of them.

    A target that fails `check` is not measured. The results so far are saved after every scenario.
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
                if number == len(runs[name].get("turns", ())):  # at the first target of a round
                    together = {of: target for of, target in targets.items() if "turns" in target.get("scenarios", ())}
                    for of, figures in turns(together, log).items():
                        runs[of].setdefault("turns", []).append(figures)
                        print(f"{time.monotonic() - began:.0f} s:", number + 1, of, "turns", figures, file=sys.stderr)
                continue
            options = {**(QUICK.get(scenario, {}) if chosen.quick else {}), **extra}
            figures = measure(targets[name], scenario, options, log)
            if scenario == "check" and not figures.get("ok"):
                figures = {"error": "the check failed", **figures}
            elapsed = f"{time.monotonic() - began:.0f} s:"
            print(elapsed, number + 1, name, scenario, json.dumps(figures), file=sys.stderr, flush=True)
            runs[name].setdefault(scenario, []).append(figures)
            found = {"when": str(date.today()), "load": os.getloadavg(), "runs": runs}
            (HERE / "results" / "latest.json").write_text(json.dumps(found, indent=1))
    return runs


def main() -> None:
    """Measure the targets and scenarios of the command line, and print the table."""
    targets: dict[str, dict[str, Any]] = json.loads((HERE / "targets.json").read_text())
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="only targets whose names contain one of these (comma-separated)")
    parser.add_argument("--exactly", default="", help="only targets with one of these names (separated by semicolons)")
    parser.add_argument("--scenarios", default=",".join((*SCENARIOS, "turns")))
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--quick", action="store_true", help="only try whether it works; the figures mean little")
    parser.add_argument("--options", default="", help="options of the scenarios, such as tables=200,secs=4")
    parser.add_argument("--beside", default="", help="a compiled checkout of another commit, to be measured too")
    parser.add_argument("--plain", action="store_true", help="measure our service not compiled")
    chosen = parser.parse_args()
    raise_file_limit()
    if chosen.plain:
        targets = {name: {**target, "plain": True} for name, target in targets.items()}
    if chosen.beside:
        targets[BESIDE] = {**targets[US], "checkout": chosen.beside}
    (HERE / "results").mkdir(exist_ok=True)
    parts = chosen.only.lower().split(",")
    names = chosen.exactly.split(";") if chosen.exactly else targets
    runs = run({name: targets[name] for name in names if any(part in name.lower() for part in parts)}, chosen)
    results = {name: {of: median(all_) for of, all_ in found.items()} for name, found in runs.items()}
    command = f"python -m bench.peers.run {' '.join(sys.argv[1:])}".strip()
    print(f"\n`{command}`, {machine()} at the end; medians of {chosen.runs}\n\n{table(results)}\n")
    print("\n".join([*ratios(runs), "", *failures(results)]))
    if not any("error" not in of for found in results.values() for of in found.values()):
        sys.exit("every scenario failed")


if __name__ == "__main__":
    main()
