"""Mutations of the log, of acknowledgements and of the replay."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from bench.faults.history import Acknowledged, Received, TableHistory
from bench.faults.mutations import Mutate, mutation
from server.store.table_log import chain_after, chained, entry_id
from server.tables.state.entries import Entry, Moved, decode_entry, encode_entry

encode = msgspec.msgpack.Encoder().encode


def _moves(history: TableHistory) -> list[int]:
    """The numbers of the moves of clients in the log."""
    decoded = [decode_entry(entry) for _, entry in history.log]
    return [n for n, one in enumerate(decoded, 1) if isinstance(one, Moved) and (one.user, one.key) in history.sent]


def _move_at(history: TableHistory, n: int) -> Moved:
    entry = decode_entry(history.log[n - 1][1])
    assert isinstance(entry, Moved)
    return entry


def _rewrite(history: TableHistory, entries: list[bytes]) -> None:
    """Write the log anew, with ids that form a chain."""
    history.log = chained(1, entries, 0)
    history.reads = []


def _replace_entry(history: TableHistory, n: int, entry: Entry) -> bool:
    """Put another entry in the place of entry n, with a chain that shows nothing."""
    entries = [one for _, one in history.log]
    entries[n - 1] = encode_entry(entry)
    _rewrite(history, entries)
    return True


def _change_move(**fields: Any) -> Mutate:
    """Change fields of a move in the log."""

    def mutate(history: TableHistory) -> bool:
        n = _moves(history)[3]
        return _replace_entry(history, n, msgspec.structs.replace(_move_at(history, n), **fields))

    return mutate


# The log.


@mutation("a table without acknowledged moves is gone")
def table_gone(history: TableHistory) -> bool:
    history.log, history.reads, history.acknowledged, history.replay = [], [], [], None
    return True


@mutation("the last entries of the log are lost")
def last_entries_log_lost(history: TableHistory) -> bool:
    del history.log[-3:]
    return True


@mutation("an entry in the middle of the log is missing")
def entry_middle_log_missing(history: TableHistory) -> bool:
    del history.log[_moves(history)[4] - 1]
    return True


@mutation("an entry is missing and the later ones have moved up")
def entry_missing_and_later_ones_moved_up(history: TableHistory) -> bool:
    entries = [entry for _, entry in history.log]
    del entries[_moves(history)[4] - 1]
    _rewrite(history, entries)
    return True


@mutation("an entry does not follow from the one before")
def entry_does_not_follow_from_one_before(history: TableHistory) -> bool:
    n = _moves(history)[4]
    history.log[n - 1] = (entry_id(n, 12345), history.log[n - 1][1])
    return True


@mutation("two entries have exchanged their places")
def two_entries_exchanged_their_places(history: TableHistory) -> bool:
    entries, n = [entry for _, entry in history.log], _moves(history)[4]
    entries[n - 1], entries[n] = entries[n], entries[n - 1]
    _rewrite(history, entries)
    return True


@mutation("a key is in the log twice")
def key_log_twice(history: TableHistory) -> bool:
    n = _moves(history)[2]
    history.log.append((entry_id(len(history.log) + 1, chain_after(history.log[-1])), history.log[n - 1][1]))
    return True


@mutation("an entry is unreadable")
def entry_unreadable(history: TableHistory) -> bool:
    entries, n = [entry for _, entry in history.log], _moves(history)[4]
    entries[n - 1] = entries[n - 1][:-4]
    _rewrite(history, entries)
    return True


@mutation("an entry that was read earlier is another one now")
def entry_read_earlier_another_one_now(history: TableHistory) -> bool:
    history.reads.append([*history.log[:5], (history.log[5][0], history.log[5][1] + b"\x00")])
    return True


@mutation("a move in the log was altered")
def move_log_altered(history: TableHistory) -> bool:
    for n in _moves(history):
        entry = _move_at(history, n)
        move = msgspec.msgpack.decode(entry.move)
        name = next((name for name, value in move.items() if type(value) is int), None)
        if name:
            move[name] += 1
            return _replace_entry(history, n, msgspec.structs.replace(entry, move=msgspec.Raw(encode(move))))
    return False


@mutation("an event in the log was altered")
def event_log_altered(history: TableHistory) -> bool:
    for n in _moves(history):
        entry = _move_at(history, n)
        events = msgspec.msgpack.decode(entry.events)
        for event in events:
            name = next((name for name, value in event.items() if type(value) is int and name != "seat"), None)
            if name:
                event[name] += 1
                return _replace_entry(history, n, msgspec.structs.replace(entry, events=msgspec.Raw(encode(events))))
    return False


mutation("a move in the log has another key")(_change_move(key="another"))
mutation("a move in the log has another user")(_change_move(user="u000000000000"))
mutation("a move in the log is said to be by the clock")(_change_move(by="clock"))
mutation("a move in the log has another time")(_change_move(at=1))


@mutation("a move in the log has another seat")
def move_log_another_seat(history: TableHistory) -> bool:
    n = _moves(history)[3]
    entry = _move_at(history, n)
    return _replace_entry(history, n, msgspec.structs.replace(entry, seat=(entry.seat + 1) % len(history.seats)))


@mutation("the game does not end")
def game_does_not_end(history: TableHistory) -> bool:
    end = len(history.log) - 1
    del history.log[end:]
    history.acknowledged = [ack for ack in history.acknowledged if ack.n <= end]
    for user, feed in history.feeds.items():
        kept = [one for one in feed if not isinstance(one, Received) or one.message.get("n", 0) <= end]
        history.feeds[user] = [
            one for one in kept if not isinstance(one, Received) or one.message.get("status") != "ended"
        ]
    return True


# Acknowledgements.


@mutation("an acknowledged key is not in the log")
def acknowledged_key_not_log(history: TableHistory) -> bool:
    first = history.acknowledged[0]
    history.acknowledged.append(Acknowledged(first.user, "ffff", first.n))
    return True


@mutation("two acknowledgements have exchanged their numbers")
def two_acknowledgements_exchanged_their_num(history: TableHistory) -> bool:
    one, other = history.acknowledged[2], history.acknowledged[5]
    one.n, other.n = other.n, one.n
    return one.n != other.n


@mutation("an acknowledgement has the next number")
def acknowledgement_next_number(history: TableHistory) -> bool:
    history.acknowledged[3].n += 1
    return True


@mutation("a key is acknowledged again at another number")
def key_acknowledged_again_at_another_number(history: TableHistory) -> bool:
    ack = history.acknowledged[3]
    history.acknowledged.append(Acknowledged(ack.user, ack.key, ack.n + 2, again=True))
    return True


@mutation("moves of a user are acknowledged in another order")
def moves_user_acknowledged_another_order(history: TableHistory) -> bool:
    asides = {key for key, sent in history.sent.items() if sent.aside}  # these may come in between
    decisions = [ack for ack in history.acknowledged if not ack.again and (ack.user, ack.key) not in asides]
    own = [ack for ack in decisions if ack.user == decisions[0].user]
    if len(own) < 2:
        return False
    one, other = history.acknowledged.index(own[0]), history.acknowledged.index(own[1])
    history.acknowledged[one], history.acknowledged[other] = own[1], own[0]
    return True


@mutation("a refused move is in the log")
def refused_move_log(history: TableHistory) -> bool:
    ack = history.acknowledged.pop(3)
    history.refused[ack.user, ack.key] = "stale_ask"
    return True


@mutation("a move is in the log that nobody sent")
def move_log_nobody_sent(history: TableHistory) -> bool:
    ack = history.acknowledged.pop(3)
    del history.sent[ack.user, ack.key]
    return True


@mutation("a request is answered twice")
def request_answered_twice(history: TableHistory) -> bool:
    history.strays.append({"type": "ok", "id": 7, "n": 9})
    return True


# The replay.


@mutation("there is no replay")
def there_no_replay(history: TableHistory) -> bool:
    history.replay = None
    return True


@mutation("a byte of the replay was altered")
def byte_replay_altered(history: TableHistory) -> bool:
    assert history.replay
    place = history.replay.index('"seed":"') + 9
    other = "0" if history.replay[place] != "0" else "1"
    history.replay = history.replay[:place] + other + history.replay[place + 1 :]
    return True


@mutation("a line of the replay is missing")
def line_replay_missing(history: TableHistory) -> bool:
    assert history.replay
    lines = history.replay.splitlines(keepends=True)
    history.replay = "".join(lines[:7] + lines[8:])
    return True


@mutation("the final state in the replay is another one")
def final_state_replay_another_one(history: TableHistory) -> bool:
    assert history.replay
    *lines, last = history.replay.splitlines()
    result = json.loads(last)
    result["state"]["type"] = "other"
    history.replay = "\n".join([*lines, json.dumps(result, separators=(",", ":"))]) + "\n"
    return True
