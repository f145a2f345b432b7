"""The metrics of a node: what they count, and that the operator finds each of them explained."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest
import redis
from prometheus_client import CollectorRegistry, generate_latest

from server.metrics import Metrics
from server.process.metrics_server import SupervisorMetrics
from server.store.fault_counts import FAULTS
from tests.client import eventually
from tests.server.conftest import Running
from tests.server.tables.test_faults import blitz_table, settled
from tests.server.tables.test_lost_entries import lose_last, move_once
from tests.server.tables.test_tables import asked, people, table_of

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
DASHBOARD = (ROOT / "deploy" / "grafana-dashboard.json").read_text(encoding="utf-8")


def samples(registry: CollectorRegistry) -> dict[str, float]:
    """The value of each metric with its labels."""
    lines = generate_latest(registry).decode().splitlines()
    return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines if line[0] != "#")}


def names(registry: CollectorRegistry) -> set[str]:
    """The names under which Prometheus stores the metrics of a registry."""
    found = set()
    for metric in registry.collect():
        suffixes = {"counter": ("_total",), "histogram": ("_bucket", "_sum", "_count")}.get(metric.type, ("",))
        found |= {metric.name + suffix for suffix in suffixes}
    return found


ALL = names(Metrics().registry) | names(SupervisorMetrics().registry)


@pytest.fixture(autouse=True)
def no_faults() -> None:
    FAULTS.clear()


async def test_a_lost_connection_to_the_store_is_counted(node: Running, store_url: str) -> None:
    with redis.Redis.from_url(store_url) as store:
        store.client_kill_filter(_type="normal", skipme=True)
    await eventually(lambda: FAULTS["lost"])
    node.node.metrics.add_store_faults(FAULTS)
    assert samples(node.node.metrics.registry)['cheeseboard_store_faults_total{what="lost"}'] >= 1
    assert not FAULTS


async def test_a_rollback_of_the_store_is_counted(node: Running, store_url: str) -> None:
    clients = await people(node)
    table = await table_of(clients)
    lose_last(store_url, table, 1)
    mover = next(client for client in clients if asked(client, table))
    await move_once(mover, table, random.Random(1))
    assert FAULTS["rollback"] == 1
    node.node.metrics.add_store_faults(FAULTS)
    assert samples(node.node.metrics.registry)['cheeseboard_store_faults_total{what="rollback"}'] == 1


async def test_moves_by_the_clock_and_time_given_back_are_counted(node: Running) -> None:
    node.stop_clock()
    await blitz_table(node)
    node.ahead_ms += 5_000  # without a heartbeat
    await node.node.due_tables.check_all()
    await settled(node)
    await node.later(11_000)
    node.node.metrics.publish()
    found = samples(node.node.metrics.registry)
    assert 4.5 < found["cheeseboard_given_back_seconds_total"] < 6
    assert found['cheeseboard_moves_total{by="clock",game="cheesedog"}'] == 1


@pytest.mark.parametrize("name", sorted(name for name in ALL if not name.endswith(("_bucket", "_sum", "_count"))))
def test_every_metric_is_explained_to_the_operator(name: str) -> None:
    assert f"`{name}`" in DOCUMENT


def test_the_dashboard_shows_metrics_that_exist_and_leaves_none_out() -> None:
    queries = " ".join(target["expr"] for panel in json.loads(DASHBOARD)["panels"] for target in panel["targets"])
    shown = set(re.findall(r"cheeseboard_\w+", queries))
    assert shown <= ALL
    assert {name for name in ALL if not name.endswith(("_sum", "_count"))} <= shown
