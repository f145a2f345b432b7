"""What a host may decide, on folded tables without a network."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from protocol.codec import ProtocolError
from protocol.messages import Configure
from server.tables.state import decisions, host_decisions, rematches
from server.tables.state.decisions import AlreadyDone, Decision, tables_after
from server.tables.state.entries import Configured, Dismissed, Held, Opened, Sat, decode_entry
from server.tables.state.host_decisions import MAX_CHANGES
from server.tables.state.table import Table, folded

HOST, BOB, EVE = "u0", "u1", "u2"
OPENED = Opened(1, "cheesedog", {}, 4, "normal", True, HOST, "code", bytes(32))


@pytest.fixture
def table() -> Table:
    """An open table: the host, Bob, a seat held for Eve, and a free one."""
    return folded("t", enumerate((OPENED, Sat(1, 0, HOST, "Hilda"), Sat(1, 1, BOB, "Bob"), Held(1, 2, EVE, "Eve")), 1))


def after(table: Table, decision: Decision) -> Table:
    return tables_after(table, decision)[-1]


def wish(**rules: Any) -> Configure:
    return Configure(id=1, table="t", **rules)


def test_a_host_lets_people_take_seats_of_bots_in_the_running_game_or_not(table: Table) -> None:
    assert not table.opened.late
    decision = host_decisions.configure(table, HOST, wish(late=True), 2)
    assert [step.entry for step in decision] == [Configured(2, False, "everybody", True)]
    table = after(table, decision)
    assert table.opened.late
    with pytest.raises(AlreadyDone):
        host_decisions.configure(table, HOST, wish(late=True), 3)
    assert after(table, host_decisions.configure(table, HOST, wish(chat="seats"), 3)).opened.late
    assert not after(table, host_decisions.configure(table, HOST, wish(late=False, locked=True), 3)).opened.late


def test_an_entry_without_late_leaves_it_as_it_was(table: Table) -> None:
    old = msgspec.msgpack.encode({"type": "configured", "at": 2, "locked": True, "chat": "nobody"})
    opened = msgspec.structs.replace(OPENED, late=True)
    assert folded("t", [(1, opened), (2, decode_entry(old))]).opened.late


def test_the_host_of_a_rematch_is_the_same_if_still_here_on_a_seat(table: Table) -> None:
    assert rematches.next_host(table, BOB, {0, 1}) == HOST
    assert rematches.next_host(table, BOB, {1}) == BOB
    assert rematches.next_host(table, BOB, {0, 1}, without={HOST}) == BOB
    gone = after(table, host_decisions.appoint(table, HOST, BOB, 2))
    assert rematches.next_host(gone, HOST, {0, 1}) == BOB


def test_a_seat_that_is_held_for_who_is_sent_away_becomes_free(table: Table) -> None:
    table = after(table, host_decisions.dismiss(table, HOST, EVE, 2))
    assert table.chairs[2].user is None
    assert table.rules.dismissed == ((EVE, "Eve"),)
    assert table.keeps_away(EVE) == "dismissed"
    assert table.keeps_away(BOB) is None


def test_a_user_for_whom_a_seat_is_held_may_come_to_a_locked_table(table: Table) -> None:
    table = after(table, host_decisions.configure(table, HOST, wish(locked=True), 2))
    assert [table.keeps_away(user) for user in (HOST, BOB, EVE, "u9")] == [None, None, None, "table_locked"]
    assert table.rules.chat == "everybody"


def test_nobody_for_whom_a_seat_is_only_held_becomes_the_host(table: Table) -> None:
    with pytest.raises(ProtocolError, match="only a player who has a seat"):
        host_decisions.appoint(table, HOST, EVE, 2)
    assert after(table, host_decisions.appoint(table, HOST, BOB, 2)).host == BOB


def test_a_host_changes_a_table_only_so_often(table: Table) -> None:
    for number in range(MAX_CHANGES):
        table = after(table, host_decisions.configure(table, HOST, wish(locked=number % 2 == 0), 2))
    with pytest.raises(ProtocolError) as refused:
        host_decisions.dismiss(table, HOST, EVE, 2)
    assert refused.value.code == "too_many_changes"
    assert host_decisions.close_table(table, HOST, 2)


def test_a_rematch_can_still_be_changed_by_its_host(table: Table) -> None:
    for number in range(MAX_CHANGES):
        table = after(table, host_decisions.dismiss(table, HOST, f"u{number + 10}", 2))
    entries = host_decisions.same_rules(table, 3)
    assert len(entries) == MAX_CHANGES // 2
    assert entries[-1] == Dismissed(3, f"u{MAX_CHANGES + 9}")


def changed_to(table: Table, **fields: object) -> Table:
    return after(table, host_decisions.change(table, HOST, msgspec.structs.replace(table.opened, **fields), 2))


def test_p55_people_keep_their_seats_when_the_game_changes(table: Table) -> None:
    other = changed_to(table, game="diced_cheese", options={"variant": "classic", "mishaps": True}, seats=6)
    assert (other.opened.game, other.game.name, len(other.chairs), other.status) == (*["diced_cheese"] * 2, 6, "open")
    assert [chair.user for chair in other.chairs] == [HOST, BOB, EVE, None, None, None]
    fewer = changed_to(other, seats=3)
    assert [chair.user for chair in fewer.chairs] == [HOST, BOB, EVE]


def test_p55_free_seats_go_before_those_of_bots_and_bots_before_people(table: Table) -> None:
    bots = after(table, decisions.seat_house_bot(table, HOST, 3, "rookie", 2))
    bots = after(bots, host_decisions.swap(bots, HOST, 0, 3, 3))
    assert [chair.user for chair in bots.chairs[1:]] == [BOB, EVE, HOST]
    assert bots.chairs[0].level == "rookie"
    assert [chair.user for chair in changed_to(bots, seats=3).chairs] == [BOB, EVE, HOST]
    five = changed_to(bots, seats=5)
    assert [bool(chair.level) for chair in changed_to(five, seats=4).chairs] == [True, False, False, False]
    with pytest.raises(ProtocolError, match="2 people have a seat here, and 1 is fewer"):
        changed_to(bots, seats=1)


def test_p55_bots_of_people_lose_their_seats_when_the_game_changes(table: Table) -> None:
    table = table.after(Sat(2, 3, "b7", "Gnawbot", True, None, "Bob"))
    assert changed_to(table, speed="blitz").chairs[3].user == "b7"
    assert changed_to(table, game="chesterfield").chairs[3].user is None


def test_p55_only_the_host_changes_a_table_and_only_before_the_start(table: Table) -> None:
    with pytest.raises(ProtocolError, match="only the host"):
        host_decisions.change(table, BOB, msgspec.structs.replace(table.opened, seats=3), 2)
    with pytest.raises(ProtocolError, match="only the host"):
        host_decisions.swap(table, BOB, 0, 1, 2)
    with pytest.raises(ProtocolError, match="seats 0 to 3"):
        host_decisions.swap(table, HOST, 0, 4, 2)
    with pytest.raises(AlreadyDone):
        changed_to(table)
    running = after(table, decisions.fill_with_house_bots(table, HOST, "rookie", 2))
    running = after(running, decisions.follow_up(running, 2))
    with pytest.raises(ProtocolError, match="not open"):
        changed_to(running, speed="blitz")
