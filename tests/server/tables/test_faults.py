"""P5: no player's clock runs while the service is at fault: a node hangs or is dead, or the store does not answer."""

from __future__ import annotations

import random

import pytest

from server.store import keys
from server.store.heartbeats import FAULT_MS, GONE_MS
from server.store.table_log import numbered
from server.tables.due_tables import EVERY_S, RECHECK_MS
from server.tables.rooms.node_heartbeat import REPORTED_MS
from server.tables.state.deadlines import OPEN_CHECK_MS, SPEED_MS, seat_deadlines
from server.tables.state.entries import Entry, Moved, Resumed, decode_entries
from server.tables.state.faults import union_ms
from tests.client import Client, eventually, fill
from tests.server.conftest import Running, Start
from tests.server.tables.test_tables import asked, people, table_of

BLITZ = SPEED_MS["blitz"] or 0
BEAT_MS = round(EVERY_S * 1000)


@pytest.fixture
def start(start: Start) -> Start:
    """Starts nodes whose clocks stand still until the test moves them."""

    async def begin() -> Running:
        node = await start()
        node.stop_clock()
        return node

    return begin


async def alone(node: Running, ms: int) -> None:
    """Let this much time pass in which only this node sends heartbeats, and check all deadlines."""
    node.ahead_ms += ms
    now, store = node.node.clock.now(), node.node.store
    await store.call("SET", keys.LAST_HEARTBEAT, now)
    await store.call("HSET", keys.NODE_HEARTBEATS, node.node.clock.node, now)
    await node.node.due_tables.check_all()
    await settled(node)


async def settled(node: Running) -> None:
    """Wait until everything that a check of the deadlines leads to has happened."""
    await node.node.store.call("PING")
    await eventually(lambda: not any(room.working for room in node.node.rooms) and not node.node.due_tables.tasks)


async def entries(node: Running, table: str) -> list[Entry]:
    """The entries of a table's log."""
    answer = await node.node.store.call("XRANGE", keys.table_log(table), "-", "+")
    return [entry for _, entry in decode_entries(numbered(answer))]


async def clock_moves(node: Running, table: str) -> int:
    return sum(isinstance(entry, Moved) and entry.by == "clock" for entry in await entries(node, table))


async def blitz_table(node: Running) -> tuple[list[Client], str, Client]:
    """A blitz table whose players are at this node, which has reported them; and the player who is asked."""
    clients = await people(node)
    table = await table_of(clients, speed="blitz")
    node.node.presence.report(node.node.rooms.get(table))
    await node.node.store.call("PING")
    return clients, table, next(client for client in clients if asked(client, table))


async def test_p5_a_hung_node_takes_no_time_from_its_players(start: Start) -> None:
    hung, other = await start(), await start()
    _, table, _ = await blitz_table(hung)
    for _ in range(3):
        await alone(other, BLITZ - 1_000)
    assert await clock_moves(other, table) == 0
    given = [entry.ms for entry in await entries(other, table) if isinstance(entry, Resumed)]
    assert sum(given) >= 2 * (BLITZ - 1_000)


async def test_p5_the_players_of_a_node_that_is_gone_for_good_are_absent_after_a_while(start: Start) -> None:
    hung, other = await start(), await start()
    _, table, _ = await blitz_table(hung)
    await alone(other, GONE_MS - 1_000)
    assert await clock_moves(other, table) == 0
    await alone(other, 2 * BLITZ)
    await alone(other, BLITZ)
    assert await clock_moves(other, table) >= 1


async def test_p5_a_hung_node_stops_the_clock_of_its_own_players_only(start: Start) -> None:
    hung, other = await start(), await start()
    clients = [await other.join(name) for name in "ABC"]
    table = await table_of(clients, speed="blitz")
    watcher = await hung.join("W")
    await watcher.request("open", table=table)
    hung.node.presence.report(hung.node.rooms.get(table))
    await alone(other, BLITZ + 50)
    assert await clock_moves(other, table) == 1


async def test_p5_a_player_who_comes_to_another_node_gets_the_time_of_the_dead_one_back(start: Start) -> None:
    dead, other = await start(), await start()
    _, table, mover = await blitz_table(dead)
    await alone(other, BLITZ - 2_000)
    back = await other.join(token=mover.token)
    await back.request("open", table=table)
    first = await back.next("update", 0)
    assert first["ask"]["left_ms"] <= 2_000
    given = await back.next("update", back.received.index(first) + 1)
    assert (given["by"], given["ask"]["left_ms"] > BLITZ - 2_000) == ("house", True)


async def test_p5_a_node_that_hung_and_came_back_gives_its_players_the_time_back(start: Start) -> None:
    hung, other = await start(), await start()
    _, table, mover = await blitz_table(hung)
    ask = asked(mover, table)
    assert ask
    await alone(other, BLITZ - 3_000)
    hung.ahead_ms += BLITZ + 1_000
    await hung.node.due_tables.check_all()
    await settled(hung)
    assert await clock_moves(hung, table) == 0
    done = await mover.request(
        "move", table=table, ask=ask["n"], key="k", move=fill(ask["offers"][0], random.Random(1))
    )
    assert done["type"] == "ok"


@pytest.mark.parametrize("stall_ms", [800, 2_200])
async def test_p5_short_stalls_of_the_store_are_given_back(node: Running, stall_ms: int) -> None:
    """A heartbeat that is not answered for a while is followed by the next one half a second later."""
    _, table, _ = await blitz_table(node)
    stalls = BLITZ // stall_ms + 1
    for _ in range(stalls):
        node.ahead_ms += stall_ms + BEAT_MS
        await node.node.due_tables.check_all()
        await settled(node)
    assert await clock_moves(node, table) == 0
    given = sum(entry.ms for entry in await entries(node, table) if isinstance(entry, Resumed))
    assert given >= BLITZ - 2_500
    await node.later(BLITZ + 50)
    await settled(node)
    assert await clock_moves(node, table) == 1


@pytest.mark.parametrize("elsewhere", [False, True])
async def test_p5_stalls_that_no_heartbeat_misses_are_given_back(start: Start, elsewhere: bool) -> None:
    here, other = await start(), await start()
    _, table, _ = await blitz_table(here)
    stalls, stall_ms = 10, 400
    for _ in range(stalls):
        here.ahead_ms += stall_ms + 50
        here.node.heartbeat.stalled(stall_ms / 1000)
    await here.later(0)
    node = other if elsewhere else here
    await node.later(BLITZ + stalls * stall_ms - 1_000 - node.ahead_ms)
    await settled(node)
    assert await clock_moves(node, table) == 0
    assert sum(entry.ms for entry in await entries(node, table) if isinstance(entry, Resumed)) == stalls * stall_ms
    await node.later(2_000)
    await settled(node)
    assert await clock_moves(node, table) == 1


@pytest.mark.parametrize("elsewhere", [False, True])
async def test_p5_many_short_stalls_are_given_back_together(start: Start, elsewhere: bool) -> None:
    here, other = await start(), await start()
    _, table, _ = await blitz_table(here)
    for _ in range(20):
        here.ahead_ms += 200
        for _ in range(3):  # three servers that stalled at the same time took the time once
            here.node.heartbeat.stalled(0.1)
    await here.later(0)
    node = other if elsewhere else here
    await node.later(BLITZ + 1_500 - node.ahead_ms)
    await settled(node)
    assert await clock_moves(node, table) == 0
    given = sum(entry.ms for entry in await entries(node, table) if isinstance(entry, Resumed))
    assert 2_000 - REPORTED_MS < given <= 2_000
    await node.later(2_000)
    await settled(node)
    assert await clock_moves(node, table) == 1


async def test_p5_after_a_stall_other_nodes_have_a_moment_to_report_theirs(start: Start) -> None:
    here, other = await start(), await start()
    _, table, _ = await blitz_table(here)
    await other.later(BLITZ - 300)
    other.ahead_ms += 700
    other.node.heartbeat.stalled(0.8)
    await other.node.store.call("HSET", keys.NODE_HEARTBEATS, here.node.clock.node, other.node.clock.now())
    await other.node.due_tables.check_all()
    await settled(other)
    assert await clock_moves(other, table) == 0
    here.ahead_ms = other.ahead_ms
    here.node.heartbeat.stalled(3.0)
    await here.later(0)
    await other.later(FAULT_MS + 50)
    await settled(other)
    assert await clock_moves(other, table) == 0
    await other.later(4_000)
    await settled(other)
    assert await clock_moves(other, table) == 1


async def test_p5_time_runs_out_only_when_the_player_s_node_is_known_to_have_lived_until_then(start: Start) -> None:
    here, other = await start(), await start()
    _, table, _ = await blitz_table(here)
    store, beat_ms = other.node.store, FAULT_MS - 100
    await other.later(BLITZ - beat_ms)
    beat = other.node.clock.now()
    other.ahead_ms += beat_ms + 50  # the deadline has passed, and the last heartbeat of the player's node was before it
    await other.node.due_tables.check_all()
    await settled(other)
    assert await clock_moves(other, table) == 0
    await store.call("HSET", keys.NODE_HEARTBEATS, here.node.clock.node, beat + beat_ms + 60)
    other.ahead_ms += RECHECK_MS
    await other.node.due_tables.check_all()
    await settled(other)
    assert await clock_moves(other, table) == 1


async def test_p5_a_fault_that_nobody_waited_for_changes_no_table(start: Start) -> None:
    """Time is given back where it matters: a table whose player moves in time has no entry about a short fault."""
    node = await start()
    _, table, mover = await blitz_table(node)
    node.ahead_ms += FAULT_MS + 100
    await node.node.due_tables.check_all()
    ask = asked(mover, table)
    assert ask
    move = fill(ask["offers"][0], random.Random(1))
    assert (await mover.request("move", table=table, ask=ask["n"], key="k", move=move))["type"] == "ok"
    assert not any(isinstance(entry, Resumed) for entry in await entries(node, table))
    room = node.node.rooms.get(table).table
    assert room
    assert seat_deadlines(room)


async def test_p5_a_report_after_a_short_stall_writes_no_entry(start: Start) -> None:
    node = await start()
    _, table, _ = await blitz_table(node)
    node.ahead_ms += FAULT_MS + 100
    await node.node.due_tables.check_all()
    room = node.node.rooms.get(table)
    n = len(await entries(node, table))
    reads = room.presence_reports.read_at
    node.node.presence.report_soon(room)
    await eventually(lambda: room.presence_reports.read_at > reads)
    await settled(node)
    assert len(await entries(node, table)) == n


async def test_a_node_that_stops_on_purpose_is_at_no_fault(start: Start) -> None:
    leaving, other = await start(), await start()
    await leaving.stop()
    await other.later(0)
    await alone(other, 5_000)
    assert other.node.clock.heartbeats.faults == ()
    assert not other.node.clock.was_at_fault(0, other.node.clock.now())


async def test_a_waiting_table_whose_host_is_there_stays_open_after_the_store_was_away(start: Start) -> None:
    here, other = await start(), await start()
    host = await here.join("Hilda")
    table = (await host.request("create", game="cheesedog", seats=4))["table"]
    await host.request("open", table=table)
    here.node.presence.report(here.node.rooms.get(table))
    await here.node.store.call("PING")
    other.ahead_ms += OPEN_CHECK_MS + 1_000  # nobody has reported, because the store was away
    await other.node.due_tables.check_all()
    await settled(other)
    room = other.node.rooms.get(table).table
    assert room
    assert room.status == "open"
    await other.later(OPEN_CHECK_MS + 1_000)
    await settled(other)
    room = other.node.rooms.get(table).table
    assert room
    assert room.status == "closed"


@pytest.mark.parametrize(
    ("intervals", "since", "ms"),
    [
        ([], 0, 0),
        ([(10, 20)], 0, 10),
        ([(10, 20)], 15, 5),
        ([(10, 20)], 20, 0),
        ([(10, 20), (15, 30), (12, 14)], 0, 20),
        ([(40, 50), (10, 20)], 45, 5),
    ],
)
def test_time_in_several_faults_counts_once(intervals: list[tuple[int, int]], since: int, ms: int) -> None:
    assert union_ms(intervals, since) == ms
