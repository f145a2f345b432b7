"""The operator's commands about users: `cheeseboard reports`, `ban`, `unban`, `mute`, `unmute` and `sanctions`."""

from __future__ import annotations

import argparse
import logging
import re
from typing import Any

from protocol.codec import ProtocolError
from server.requests.limits.client_addresses import network_address
from server.requests.reports import Reports, StoredReport
from server.requests.sanctions import USER, Kind, Sanction, SanctionList
from server.store.store import Store
from server.tables.rooms.service_clock import utc_text, wall_clock_ms
from server.tables.state import house_bots

log = logging.getLogger("cheeseboard.operator")

HOUR_MS = 3600_000
MAX_HOURS = 24 * 365 * 10
SUBJECT = "a user id or a hashed address, as reports show them, or a network address"


def add_parsers(commands: Any) -> None:
    """Add the commands to the subparsers of the command line."""
    reports = commands.add_parser("reports", help="show what users reported about others")
    reports.add_argument("--clear", action="store_true", help="then forget all of them")
    for name, does in (("ban", "disconnect a user and refuse them"), ("mute", "refuse the chat of a user")):
        parser = commands.add_parser(name, help=does)
        parser.add_argument("subject", metavar="USER|ADDRESS", help=SUBJECT)
        parser.add_argument("--hours", type=_hours, help="for how long; for good if missing")
        lift = commands.add_parser(f"un{name}", help=f"lift a {name}")
        lift.add_argument("subject", metavar="USER|ADDRESS", help=SUBJECT)
    commands.add_parser("sanctions", help="list the bans and mutes that hold")


def _hours(text: str) -> float:
    hours = float(text)
    if not 0 < hours <= MAX_HOURS:
        raise argparse.ArgumentTypeError(f"more than 0 and at most {MAX_HOURS}")
    return hours


async def run(chosen: argparse.Namespace, store: Store) -> None:
    """Carry out the command that was chosen."""
    sanctions = SanctionList(store)
    match chosen.command:
        case "reports":
            await _reports(Reports(store), chosen.clear)
        case "sanctions":
            for one in await sanctions.all(wall_clock_ms()):
                print(f"{one.kind}  {one.subject}  since {utc_text(one.at)}  {one.end}", flush=True)  # noqa: T201
        case "ban" | "mute":
            await _sanction(sanctions, chosen.command, _subject(chosen.subject), chosen.hours)
        case _:
            await _lift(sanctions, "ban" if chosen.command == "unban" else "mute", _subject(chosen.subject))


async def _sanction(sanctions: SanctionList, kind: Kind, subject: str, hours: float | None) -> None:
    now = wall_clock_ms()
    until = None if hours is None else now + int(hours * HOUR_MS)
    for one in await sanctions.add(Sanction(kind, subject, now, until)):
        log.warning("the operator set a %s", kind, extra={"subject": one, "until": until})


async def _lift(sanctions: SanctionList, kind: Kind, subject: str) -> None:
    if not await sanctions.lift(kind, subject):
        raise ProtocolError("bad_field", f"there is no {kind} of {subject}: see `cheeseboard sanctions`")
    log.warning("the operator lifted a %s", kind, extra={"subject": subject})


def _subject(text: str) -> str:
    """The user id or the normalised address."""
    subject = network_address(text) or text
    if subject in house_bots.USERS or (subject is text and not USER.fullmatch(text)):
        raise ProtocolError("bad_field", f"{text!r} is neither the id of a user nor a network address")
    return subject


async def _reports(reports: Reports, clear: bool) -> None:
    for report in await reports.all():
        print(_as_text(report), flush=True)  # noqa: T201
    if clear:
        await reports.clear()
        log.warning("the operator forgot all reports")


def _as_text(report: StoredReport) -> str:
    """A report for a terminal. Users wrote parts of it, so control characters are removed from all lines."""
    lines = [
        f"{utc_text(report.at)}  {report.about} ({report.about_name}) was reported by {report.by} ({report.by_name})",
        f"  at table {report.table} ({report.game}): {report.text or 'no reason given'}",
        *([f"  address of {report.about}, for `cheeseboard ban`: {report.origin}"] if report.origin else []),
        *(f"    {utc_text(line.at)}  {line.user or '?'} ({line.name}): {line.text}" for line in report.lines),
    ]
    return "\n".join(re.sub(r"[\x00-\x1f\x7f-\x9f]", "", line) for line in lines)
