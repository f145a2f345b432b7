"""Analyses over HTTP, with the real analyst: only of finished games, one at a time, bounded, and kept."""

from __future__ import annotations

import asyncio
import json
import zlib
from functools import partial
from typing import Any

import pytest

from server.process import analyst
from server.process.analyst import Analyst
from server.store import keys
from server.tables.finished import analyses
from server.tables.finished.analyses import Analyses
from server.tables.rooms.service_clock import wall_clock_ms
from tests.server.conftest import Running, Start
from tests.server.tables.test_tables import table_of
from tests.server.web.test_replays import finished, get, post


async def status(node: Running, path: str) -> dict[str, Any]:
    code, body, _ = await get(node, path)
    assert code == 200
    answer: dict[str, Any] = json.loads(body)
    return answer


async def test_a_finished_game_is_analysed_once_and_the_result_is_kept(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANALYST_MOVES", "1")
    node = await start()
    table, _, _ = await finished(node, "diced_cheese")
    paths = [f"/r/{table}/analysis/{kind}" for kind in ("whole", "decision?n=8", "playouts?n=8", "decision?n=1")]
    for path in paths:
        assert (await status(node, path))["state"] == "none"
        for _ in range(2):
            assert (await post(node, path))[0] == 200
        assert (await status(node, path))["state"] == "queued"
    working = Analyst(Analyses(node.node.store))
    assert await node.node.store.call("LLEN", keys.ANALYSIS_QUEUE) == len(paths)
    for path in paths:
        job = await Analyses(node.node.store).next_job()
        assert job
        await working.do(job)
        assert (await status(node, path))["state"] == ("failed" if "n=1" in path else "done")
    whole = (await status(node, paths[0]))["result"]
    assert whole["games"] == 1
    assert [one["n"] for one in whole["decisions"]] == sorted(one["n"] for one in whole["decisions"])
    assert (await status(node, paths[2]))["result"]["games"] == 100
    assert json.loads((await post(node, paths[0]))[1])["state"] == "done"
    assert await node.node.store.call("LLEN", keys.ANALYSIS_QUEUE) == 0
    assert await node.node.store.call("TTL", keys.analyses(table)) > 0
    kept = await node.node.store.call("HGET", keys.analyses(table), "whole")
    unpacked = zlib.decompress(kept)
    assert len(kept) < len(unpacked) / 2
    await node.node.store.call("HSET", keys.analyses(table), "whole", unpacked)  # as earlier releases kept it
    assert (await status(node, paths[0]))["result"] == whole


async def test_nothing_is_analysed_before_the_end_and_the_queue_is_bounded(
    node: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    players = [await node.join(f"Player {seat}") for seat in range(3)]
    running = await table_of(players)
    table, _, _ = await finished(node, "diced_cheese")
    for path in (f"/r/{running}/analysis/whole", "/r/nosuch/analysis/whole", f"/r/{table}/analysis/other"):
        assert (await post(node, path))[0] == 404
    monkeypatch.setattr(analyses, "MAX_QUEUED", 2)
    codes = [(await post(node, f"/r/{table}/analysis/playouts?n={n}"))[0] for n in (5, 6, 7)]
    assert codes == [200, 200, 503]
    assert (await post(node, f"/r/{table}/analysis/playouts?n={'9' * 30}"))[0] == 404


async def test_one_address_does_not_fill_the_queue(node: Running) -> None:
    table, _, _ = await finished(node, "diced_cheese")
    path = f"/r/{table}/analysis/playouts?n="
    assert [(await post(node, f"{path}{n}", "127.0.9.9"))[0] for n in range(5, 11)] == [200] * 5 + [503]
    assert (await post(node, f"{path}10", "127.0.9.8"))[0] == 200
    assert await Analyses(node.node.store).next_job()
    assert (await post(node, f"{path}11", "127.0.9.9"))[0] == 200
    assert (await post(node, f"{path}12", Origin="https://evil.example"))[0] == 403


async def test_an_analysis_that_hangs_or_dies_is_given_up_and_may_be_asked_for_again(
    node: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, _, _ = await finished(node, "diced_cheese")
    path = f"/r/{table}/analysis/whole"
    for command, max_s in ((("sleep", "1000"), 0.1), (("true",), 60.0)):
        await post(node, path)
        monkeypatch.setattr(analyst, "COMMAND", command)
        monkeypatch.setattr(analyst, "MAX_JOB_S", max_s)
        job = await Analyses(node.node.store).next_job()
        assert job
        async with asyncio.timeout(60):
            await Analyst(Analyses(node.node.store)).do(job)
        assert (await status(node, path))["state"] == "failed"
        later = node.node.clock.now() + 3_600_000
        monkeypatch.setattr(node.node.clock, "now", partial(int, later))


async def test_a_job_that_is_in_the_queue_twice_is_done_once(node: Running) -> None:
    table, _, _ = await finished(node, "diced_cheese")
    found = Analyses(node.node.store)
    for n in (5, 6, 7):
        for _ in range(2):
            await found.ask(table, "playouts", n, "", wall_clock_ms())
            await node.node.store.call("HDEL", keys.analyses(table), f"playouts {n}")  # so it is asked for again
    first = await found.next_job()
    assert first
    await found.report(first, analyses.Analysis("done", wall_clock_ms()))
    second = await found.next_job()
    assert second
    assert (first.n, second.n) == (5, 6)
    await found.report(second, analyses.Analysis("running", wall_clock_ms()))
    third = await found.next_job()
    assert third
    await found.report(third, analyses.Analysis("running", wall_clock_ms() - analyses.SILENT_MS - 1))  # it was lost
    assert third.n == 7
    again = await found.next_job()
    assert again
    assert again.n == 7
    assert await found.next_job() is None


async def test_a_job_that_says_nothing_for_long_is_still_under_way(
    node: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, _, _ = await finished(node, "diced_cheese")
    found = Analyses(node.node.store)
    await found.ask(table, "playouts", 8, "", 0)
    job = await found.next_job()
    assert job
    monkeypatch.setattr(analyst, "COMMAND", ("sleep", "1000"))
    monkeypatch.setattr(analyst, "HEARTBEAT_S", 0.05)
    working = asyncio.ensure_future(Analyst(found).do(job))
    reported: set[int] = set()
    async with asyncio.timeout(60):
        while len(reported) < 3:
            known = await found.find(table, "playouts", 8)
            if known and known.state == "running":
                reported.add(known.at)
    working.cancel()
    with pytest.raises(asyncio.CancelledError):
        await working
