"""Compares what one viewer of a table was shown with the log, message by message."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import Any

import msgspec

from bench.faults.client import is_whole
from bench.faults.history import FeedItem, Lost, Message, Opened, Received
from server.tables.state.asks import Asked
from server.tables.state.entries import Entry, Moved
from server.tables.state.table import Table, with_events
from server.tables.state.updates import visible_events

encode, decode = msgspec.msgpack.Encoder().encode, msgspec.msgpack.Decoder().decode


class Expected:
    """What each viewpoint has to be shown of each entry. Results are kept: several viewers share a viewpoint."""

    def __init__(self, tables: list[Table], entries: list[Entry]) -> None:
        self.tables = tables
        self.entries = entries
        self._views: dict[tuple[int, int | None], Any] = {}

    @property
    def last(self) -> int:
        """The number of the last entry."""
        return len(self.tables)

    def table(self, n: int) -> Table:
        """The table after entry n."""
        return self.tables[n - 1]

    def view(self, n: int, seat: int | None) -> Any:
        """The view after entry n; None before the game has started."""
        if (n, seat) not in self._views:
            table = self.table(n)
            view = None if table.state is None else _plain(table.game.view(table.state, seat))
            self._views[n, seat] = view
        return self._views[n, seat]

    def events(self, n: int, seat: int | None) -> list[Any]:
        """The events of entry n as this viewpoint may see them."""
        table = self.table(n)
        shown: list[Any] = _plain(visible_events(table, with_events(table, n, self.entries[n - 1]), seat))
        return shown


def _plain(value: Any) -> Any:
    return decode(encode(value))


def check_feed(expected: Expected, seat: int | None, feed: list[FeedItem], promised: bool) -> Iterator[str]:
    """Yield what is wrong with the messages that one viewer got, in their order."""
    reader = _Reader(expected, seat)
    found = [(index, text) for index, item in enumerate(feed) for text in reader.read(item, feed, index)]
    if promised:
        yield from (text for _, text in found)
    else:  # entries that the store has lost: a later whole view replaces what was shown of them
        replaced = _last_replacement(feed)
        yield from (text for index, text in found if index >= replaced)
    yield from reader.end()


def _last_replacement(feed: list[FeedItem]) -> int:
    """The index of the last update that replaces all before it: a whole view, or the first view after an `open`."""
    last, opened = -1, False
    for index, item in enumerate(feed):
        if isinstance(item, Opened):
            opened = True
        elif _is_update(item) and isinstance(item, Received):
            if is_whole(item.message) or (opened and "view" in item.message):
                last = index
            opened = opened and "view" not in item.message
    return last


class _Reader:
    """Keeps what a client keeps: the last entry, the view and the last `table`."""

    def __init__(self, expected: Expected, seat: int | None) -> None:
        self._expected = expected
        self._seat = seat
        self._last: int | None = None
        self._view: Any = None
        self._has_view = False
        self._just_opened = False
        self._info: Message = {}

    def read(self, item: FeedItem, feed: list[FeedItem], index: int) -> Iterator[str]:
        """Yield what is wrong with the next item."""
        match item:
            case Opened(last=last):
                if last is not None and last != self._last:
                    yield f"the client resumed after entry {last}, and the last one that it was shown is {self._last}"
                self._last, self._just_opened = last, True
            case Lost():
                pass  # what came is still there
            case Received(message=message) if message["type"] == "table":
                yield from self._check_info(message)
                self._info = message
            case Received(message=message):
                yield from self._check_update(message, feed, index)

    def end(self) -> Iterator[str]:
        """Yield what is missing at the end."""
        table = self._expected.tables[-1]
        if self._last != self._expected.last:
            yield f"the last update is of entry {self._last}, and the log has {self._expected.last}"
        elif table.state is not None and not self._has_view:
            yield "the last update has no view"
        if self._info.get("status") != table.status:
            yield f"the last `table` says {self._info.get('status')}, and the table is {table.status}"

    # `table`.

    def _check_info(self, info: Message) -> Iterator[str]:
        table = self._expected.tables[-1]
        if info["commitment"] != sha256(table.opened.seed).hexdigest():
            yield "the commitment is not that of the seed"
        over = info["status"] == "ended"
        if info.get("seed") != (table.opened.seed.hex() if over else None):
            yield f"the seed is {info.get('seed')} at a table that is {info['status']}"
        result = _plain(table.outcome) if over and table.outcome else None
        if _without_nil(info.get("result")) != _without_nil(result):
            yield f"the result is {info.get('result')}, and not {result}"
        if info["status"] != "open" and info.get("you") != self._seat:
            yield f"`you` is {info.get('you')}, and not {self._seat}"
        if (info["game"], len(info["seats"])) != (table.opened.game, table.opened.seats):
            yield f"the table is another one: {info['game']} with {len(info['seats'])} seats"
        if info["status"] != "open":
            users = [one.get("user") for one in info["seats"]]
            if users != [chair.user for chair in table.chairs]:
                yield f"the seats belong to {users}"

    # `update`.

    def _check_update(self, update: Message, feed: list[FeedItem], index: int) -> Iterator[str]:
        n = update["n"]
        if not 1 <= n <= self._expected.last:
            yield f"entry {n} is not in the log"
            return
        if is_whole(update):
            self._take_view(update)
        else:
            yield from self._check_number(n, feed, index)
            yield from self._check_entry(update)
            if "patch" in update:
                yield from self._apply(update)
            else:
                self._take_view(update)
        self._last, self._just_opened = n, False
        shown = self._has_view or self._expected.table(n).state is None
        view = self._expected.view(n, self._seat)
        if self._has_view and self._view != view:
            yield f"the view after entry {n} is not that of the log: {_unlike(self._view, view)}"
        if shown and (is_whole(update) or "patch" in update or "view" in update):
            yield from self._check_asks(update)

    def _take_view(self, update: Message) -> None:
        self._view, self._has_view = update.get("view"), "view" in update

    def _check_number(self, n: int, feed: list[FeedItem], index: int) -> Iterator[str]:
        if self._last is not None and n == self._last + 1:
            return
        following = next((item.message for item in feed[index + 1 :] if _is_update(item)), None)  # type: ignore[union-attr]
        if self._just_opened and following and is_whole(following) and following["n"] >= n:
            return  # P27: an entry that was appended at that moment
        yield f"entry {n} was shown after entry {self._last}"

    def _check_entry(self, update: Message) -> Iterator[str]:
        """The facts of the entry itself."""
        n = update["n"]
        entry = self._expected.entries[n - 1]
        move = entry if isinstance(entry, Moved) else None
        shown = update.get("by", "seat"), update.get("seat")
        if shown != ((move.by, move.seat) if move else ("house", None)):
            yield f"entry {n} is by {shown}, and not by {(move.by, move.seat) if move else 'the house'}"
        if update.get("at") != (None if "patch" in update else entry.at):
            yield f"entry {n} is of {update.get('at')}, and not of {entry.at}"
        if update.get("events", []) != self._expected.events(n, self._seat):
            yield f"the events of entry {n} are {update.get('events', [])}"

    def _apply(self, update: Message) -> Iterator[str]:
        """Apply a patch as a client does (P28)."""
        if not self._has_view:
            yield f"entry {update['n']} came as a patch, and there is no view"
            return
        patch, view = update["patch"], dict(self._view)
        view.update(patch.get("set", {}))
        for name, items in patch.get("add", {}).items():
            view[name] = [*view.get(name, []), *items]
        self._view = view

    def _check_asks(self, update: Message) -> Iterator[str]:
        n, table = update["n"], self._expected.table(update["n"])
        for name, asks in (("ask", table.asks), ("asides", table.asides)):
            asked = None if self._seat is None else asks.get(self._seat)
            shown = update.get(name)
            if (shown and (shown["n"], shown["offers"])) != _ask(asked):
                yield f"`{name}` after entry {n} is {shown}"
        if [seat for seat, _ in update.get("acting", [])] != list(table.asks):
            yield f"`acting` after entry {n} is {update.get('acting')}"


def _ask(asked: Asked | None) -> tuple[int, Any] | None:
    return None if asked is None else (asked.n, _plain(asked.offers))


def _is_update(item: FeedItem) -> bool:
    return isinstance(item, Received) and item.message["type"] == "update"


def _without_nil(result: Message | None) -> Message | None:
    return None if result is None else {name: value for name, value in result.items() if value is not None}


def _unlike(shown: Any, expected: Any) -> str:
    """The names of the fields in which two views differ."""
    if not isinstance(shown, dict) or not isinstance(expected, dict):
        return f"{shown} instead of {expected}"[:200]
    names = sorted(name for name in shown.keys() | expected.keys() if shown.get(name) != expected.get(name))
    return ", ".join(names)
