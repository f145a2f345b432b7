"""The reports of all nodes about who is at one table."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

FRESH_MS = 30_000  # an older report does not count: its node has died


class Report(msgspec.Struct, frozen=True, array_like=True):
    """The viewers of a table on one node at one time: the number of users who watch, and the seats that are there.

    `named` are the names of those users who want to be named.
    """

    node: str
    at: int
    watchers: int
    seats: tuple[int, ...]
    named: tuple[str, ...] = ()


read_report = msgspec.msgpack.Decoder(Report).decode


class PresenceReports:
    """The last report of each node about one table; `read_at` is when those of all nodes were last read."""

    def __init__(self) -> None:
        self._reports: dict[str, Report] = {}
        self.read_at = 0

    def __bool__(self) -> bool:
        return bool(self._reports)

    def add(self, report: Report) -> bool:
        """Record a report; returns whether more than one node has reported."""
        self._reports[report.node] = report
        return len(self._reports) > 1

    def read(self, reports: Iterable[Report], now: int) -> None:
        """Record the reports of all nodes."""
        self.read_at = now
        for report in reports:
            self._reports[report.node] = report

    def fresh(self, now: int) -> list[Report]:
        """The reports of nodes that are alive."""
        return [report for report in self._reports.values() if now - report.at < FRESH_MS]

    def nodes_of(self, seat: int) -> dict[str, int]:
        """The nodes at which this seat's player was when they last reported, and when that was."""
        return {node: report.at for node, report in self._reports.items() if seat in report.seats}

    def seats(self, now: int) -> set[int]:
        """The seats whose players are at the table."""
        return {seat for report in self.fresh(now) for seat in report.seats}

    def named(self, now: int) -> tuple[str, ...]:
        """The names of spectators who want to be named."""
        return tuple([name for report in self.fresh(now) for name in report.named])

    def watchers(self, now: int) -> int:
        """The number of users who watch; one who is on two nodes counts on both."""
        return sum(report.watchers for report in self.fresh(now))
