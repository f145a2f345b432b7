"""Mutations of what viewers were shown: updates, events, views, asks and `table` messages."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from typing import Any, TypeGuard

import msgspec

from bench.faults.client import is_whole
from bench.faults.history import Lost, Message, Opened, Received, TableHistory
from bench.faults.mutations import Mutate, mutation
from server.tables.state.entries import decode_entry
from server.tables.state.table import folded, with_events
from server.tables.state.updates import visible_events


def _updates(
    history: TableHistory, suits: Callable[[Message], object], player: bool | None = None
) -> list[tuple[list[Any], int, Message]]:
    """The updates that suit, each with its feed and its place there; of players or watchers only, if that is given."""
    return [
        (feed, index, item.message)
        for user, feed in history.feeds.items()
        if player is None or player == (user in history.seats)
        for index, item in enumerate(feed)
        if _is_update(item) and suits(item.message)
    ]


def _is_update(item: Any) -> TypeGuard[Received]:
    return isinstance(item, Received) and item.message["type"] == "update"


def _middle(found: list[Any]) -> Any:
    return found[len(found) // 2] if found else None


def _alter(
    suits: Callable[[Message], object], change: Callable[[Message], object], player: bool | None = None
) -> Mutate:
    """Change one update."""

    def mutate(history: TableHistory) -> bool:
        found = _middle(_updates(history, suits, player))
        if found is None:
            return False
        change(found[2])
        return True

    return mutate


def _entry_update(update: Message) -> bool:
    return not is_whole(update) and update["n"] > 6


# Streams.


def _change_feed(
    change: Callable[[list[Any], int], object], suits: Callable[[Message], object] = _entry_update
) -> Mutate:
    """Change the items of a feed at an update in its middle."""

    def mutate(history: TableHistory) -> bool:
        found = _middle(_updates(history, suits))
        if found is None:
            return False
        change(found[0], found[1])
        return True

    return mutate


def _consecutive(history: TableHistory) -> tuple[list[Any], int, int] | None:
    """A feed, and the places of two updates of entries that follow each other there. A whole view would make up for a
    mistake before it, and a `table` may come before or after an update."""
    pairs = itertools.pairwise(_updates(history, bool))
    found = [(this, after) for this, after in pairs if this[0] is after[0] and this[2]["n"] + 1 == after[2]["n"]]
    pair = _middle([both for both in found if all(_entry_update(one[2]) for one in both)])
    return pair and (pair[0][0], pair[0][1], pair[1][1])


@mutation("an update is missing")
def update_missing(history: TableHistory) -> bool:
    found = _consecutive(history)
    if found:
        del found[0][found[1]]
    return bool(found)


@mutation("two updates come in the wrong order")
def updates_in_wrong_order(history: TableHistory) -> bool:
    found = _consecutive(history)
    if found:
        feed, this, after = found
        feed[this], feed[after] = feed[after], feed[this]
    return bool(found)


mutation("an update comes twice")(_change_feed(lambda feed, index: feed.insert(index, feed[index])))


@mutation("the last update before a lost connection is missing")
def last_update_before_loss_missing(history: TableHistory) -> bool:
    for feed, index, update in _updates(history, bool):
        later = [item for item in feed[index + 1 :] if isinstance(item, Opened) or _is_update(item)]
        if later and isinstance(later[0], Opened) and later[0].last == update["n"]:
            del feed[index]
            return True
    feed, index, update = _middle(_updates(history, _entry_update))
    feed[index : index + 1] = [Lost(), Opened(update["n"])]
    return True


@mutation("the last update is missing")
def last_update_missing(history: TableHistory) -> bool:
    feed, index, _ = max(_updates(history, bool, True), key=lambda found: found[2]["n"])
    del feed[index]
    return True


@mutation("an entry is left out when a client resumes")
def entry_left_out_when_client_resumes(history: TableHistory) -> bool:
    feed, index, message = _middle(_updates(history, _entry_update))
    last = message["n"] - 2
    feed[index - 1 : index] = [Lost(), Opened(last)]
    return bool(last)


mutation("an update has the number of the next entry")(
    _alter(_entry_update, lambda update: update.update(n=update["n"] + 1))
)
mutation("an update is said to be by another")(_alter(_entry_update, lambda update: update.update(by="stand_in")))
mutation("an update names another seat")(
    _alter(lambda update: "seat" in update, lambda update: update.update(seat=update["seat"] + 1))
)
mutation("an update has another time")(_alter(lambda update: "at" in update, lambda update: update.update(at=5)))


@mutation("a feed begins without a whole view")
def feed_begins_without_whole_view(history: TableHistory) -> bool:
    patches = _updates(history, lambda update: "patch" in update)
    found = _middle([(feed, index) for feed, index, _ in patches if not _whole_follows(feed, index)])
    if found is None:
        return False
    feed, index = found
    feed[index:index] = [Lost(), Opened(None)]
    return True


def _whole_follows(feed: list[Any], index: int) -> bool:
    """Whether the next update after this place is a whole view: then one that comes before it is right (P27)."""
    return next((is_whole(item.message) for item in feed[index + 1 :] if _is_update(item)), False)


@mutation("a whole view is that of an earlier entry")
def whole_view_earlier_entry(history: TableHistory) -> bool:
    found = [(feed, place, one) for feed, place, one in _updates(history, lambda one: "view" in one, False)]
    views = [one["view"] for _, _, one in found]
    for before, (_, _, update) in zip(views, found[1:], strict=False):
        if before != update["view"]:
            update["view"] = before
            return True
    return False


# Events and views.


def _first_event(update: Message) -> Message:
    event: Message = update["events"][0]
    return event


def _has_number(update: Message) -> bool:
    return bool(update.get("events")) and any(type(value) is int for value in _first_event(update).values())


def _alter_number(update: Message) -> None:
    event = _first_event(update)
    name = next(name for name, value in event.items() if type(value) is int)
    event[name] += 1


mutation("an event is missing")(_alter(lambda update: update.get("events"), lambda update: update["events"].pop()))
mutation("an event was altered")(_alter(_has_number, _alter_number))
mutation("an event is shown that did not happen")(
    _alter(
        _entry_update, lambda update: update.update(events=[*update.get("events", []), {"type": "passed", "seat": 0}])
    )
)


@mutation("a viewer sees an event as another seat may see it")
def viewer_sees_event_as_another_seat_may_se(history: TableHistory) -> bool:
    entries = [decode_entry(entry) for _, entry in history.log]
    table = folded(history.table, list(enumerate(entries, 1)))
    for user, seat in [*history.seats.items()]:
        for item in history.feeds[user]:
            if isinstance(item, Received) and item.message.get("events"):
                step = with_events(table, item.message["n"], entries[item.message["n"] - 1])
                theirs = msgspec.to_builtins(visible_events(table, step, (seat + 1) % len(history.seats)))
                shown = json.loads(msgspec.json.encode(theirs))
                if shown != item.message["events"]:
                    item.message["events"] = shown
                    return True
    return False


@mutation("a viewer sees the view of another seat")
def viewer_sees_view_another_seat(history: TableHistory) -> bool:
    found = [one for _, _, one in _updates(history, lambda one: "view" in one, True)]
    for update, other in itertools.combinations(found, 2):
        if update["n"] == other["n"] and update["view"] != other["view"]:
            update["view"] = other["view"]
            return True
    return False


def _set_part(update: Message) -> Message:
    part: Message = update["patch"]["set"]
    return part


def _is_patch(part: str) -> Callable[[Message], object]:
    return lambda update: part in update.get("patch", {})


mutation("a view has a field too many")(
    _alter(lambda update: "view" in update, lambda update: update["view"].update(secret=1))
)
mutation("a view lacks a field")(_alter(lambda update: "view" in update, lambda update: update["view"].popitem()))
mutation("a patch is empty")(_alter(_is_patch("set"), lambda update: update.update(patch={})))
mutation("a patch lacks a field")(_alter(_is_patch("set"), lambda update: _set_part(update).popitem()))
mutation("a patch sets a field that did not change")(
    _alter(_is_patch("set"), lambda update: _set_part(update).update(type="other"))
)
mutation("a patch appends an item too few")(
    _alter(_is_patch("add"), lambda update: next(iter(update["patch"]["add"].values())).pop())
)


# Asks.


def _asked(update: Message) -> object:
    return update.get("ask") and update["ask"]["offers"]


mutation("an ask is missing")(_alter(_asked, lambda update: update.pop("ask")))
mutation("an ask has another number")(_alter(_asked, lambda update: update["ask"].update(n=update["ask"]["n"] - 1)))
mutation("an offer is missing")(_alter(_asked, lambda update: update["ask"]["offers"].pop()))
mutation("an offer too many")(
    _alter(_asked, lambda update: update["ask"]["offers"].append({"move": "cheat", "fill": {}}))
)
mutation("a watcher is asked")(
    _alter(
        lambda update: "view" in update,
        lambda update: update.update(ask={"n": update["n"], "offers": [{"move": "pass", "fill": {}}]}),
        player=False,
    )
)
mutation("`acting` lacks a seat")(
    _alter(lambda update: update.get("acting") and not is_whole(update), lambda update: update["acting"].pop())
)
mutation("an aside is missing")(_alter(lambda update: "asides" in update, lambda update: update.pop("asides")))


# `table`.


def _change_info(change: Callable[[Message], object], status: str) -> Mutate:
    """Change a `table` message of a player, of a table with this status."""

    def mutate(history: TableHistory) -> bool:
        for user in history.seats:
            for item in history.feeds[user]:
                if isinstance(item, Received) and item.message.get("status") == status:
                    change(item.message)
                    return True
        return False

    return mutate


mutation("the commitment changes")(_change_info(lambda info: info.update(commitment="0" * 64), "running"))
mutation("the seed is shown before the end")(_change_info(lambda info: info.update(seed="0" * 64), "running"))
mutation("the seed at the end is another one")(_change_info(lambda info: info.update(seed="0" * 64), "ended"))
mutation("the result is another one")(
    _change_info(lambda info: info["result"].update(places=[9] * len(info["seats"])), "ended")
)
mutation("a player is told another seat")(_change_info(lambda info: info.update(you=info["you"] + 1), "running"))
mutation("a seat is shown as free")(
    _change_info(lambda info: info["seats"].__setitem__(0, {"kind": "free"}), "running")
)


@mutation("the end is not told")
def end_not_told(history: TableHistory) -> bool:
    feed = history.feeds[next(iter(history.seats))]
    feed[:] = [one for one in feed if not isinstance(one, Received) or one.message.get("status") != "ended"]
    return True
