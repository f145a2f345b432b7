"""Every limit: its number, whom it concerns and its window. docs/protocol.md lists them, and `welcome` has the numbers.

The operator changes the number of a limit with the environment variable LIMIT_ and its name in capitals.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple

from protocol.messages import MAX_FRAME_BYTES

Subject = Literal["connection", "user", "address", "node"]
Network = ipaddress.IPv4Network | ipaddress.IPv6Network

PREFIX = "LIMIT_"
EXEMPT = "LIMIT_EXEMPT"  # networks whose connections have no limits with a window, and none by address or node
MAX_NUMBER = 10**9


class BadLimit(ValueError):  # noqa: N818
    """A limit that the operator has set to something other than a number, or a name that no limit has."""


class Limit(NamedTuple):
    """One limit. With a window it is a rate: `number` in each window, all of which may come at once.

    Without a window it is the most that may exist at one time. `counts` says what is counted. Limits that are `shared`
    are counted in the store, for all nodes together; all others are counted by each node.
    """

    name: str
    number: int
    subject: Subject
    window_s: int | None
    counts: str
    shared: bool = False


SEATS = "changes of seats (sit, leave, back, bot, start, decline, consent)"
SEATS_TAKEN = "seats at unfinished tables, of people and bots, besides those that come with creating a table"
REQUESTS = "requests; create, play_on, rematch, history and view_file count as five"
KEPT = "downloads of what is kept of a person (kept)"
HOST = "changes of tables by their host (dismiss, readmit, configure, appoint, change, swap, close_table)"
ADVICE = "questions to the master (P65)"
REMARKS = "remarks at moments of finished games"
ACCOUNT = "changes of an account (rename, sit with a new name, block, unblock, rotate, forget)"
BOT_LISTS = "lists of bots (bots, tokens)"
REPLAYS = "replays that are being made or sent over HTTP"
REPLAYS_AND_DAYS = "replays and files of /data/ that are being made or sent over HTTP"
LOGS = "bytes of finished games whose tables stay for an hour; the tables of further ones stay for a minute"
NOTES = "bytes of notes of moves; further ones are not kept"
FILES = "replays that are being read for requests (play_on, remark, view_file, POST /replays/view)"

LIMITS = (
    Limit("frame_bytes", MAX_FRAME_BYTES, "connection", None, "bytes of a message (P8)"),
    Limit("requests_per_second", 20, "connection", 1, REQUESTS),
    Limit("burst", 60, "connection", None, "requests that may come at once"),
    Limit("feeds", 64, "connection", None, "tables that a person has open"),
    Limit("feeds_bot", 1000, "connection", None, "tables that a bot has open"),
    Limit("chats_per_10_s", 5, "user", 10, "chat messages", True),
    Limit("seats", 20, "user", None, "unfinished tables at which a person has a seat", True),
    Limit("seats_bot", 400, "user", None, "unfinished tables at which a bot has a seat", True),
    Limit("tables_held", 20, "user", None, "unfinished tables created without taking a seat", True),
    Limit("tables_per_minute", 10, "user", 60, "tables created", True),
    Limit("tables_per_hour", 60, "user", 3600, "tables created", True),
    Limit("bots", 20, "user", None, "bots of a person", True),
    Limit("invitations_per_10_minutes", 20, "user", 600, "invitations of bots", True),
    Limit("blocked", 100, "user", None, "users whom a user blocks", True),
    Limit("reports_per_hour", 5, "user", 3600, "reports to the operator", True),
    Limit("codes_missed_per_hour", 20, "user", 3600, "codes that belong to no table", True),
    Limit("seat_changes_per_minute", 30, "user", 60, SEATS),
    Limit("host_changes_per_minute", 30, "user", 60, HOST),
    Limit("account_changes_per_minute", 20, "user", 60, ACCOUNT),
    Limit("asides_per_minute", 20, "user", 60, "asides (P34)"),
    Limit("advice_per_minute", 10, "user", 60, ADVICE),
    Limit("lobbies_per_minute", 30, "user", 60, "starts of the lobby's feed"),
    Limit("bot_lists_per_minute", 60, "user", 60, BOT_LISTS),
    Limit("address_connections", 200, "address", None, "open connections"),
    Limit("address_connections_per_minute", 240, "address", 60, "new connections"),
    Limit("address_hellos_per_minute", 240, "address", 60, "hellos"),
    Limit("address_requests_per_second", 300, "address", 1, REQUESTS),
    Limit("address_guests_per_hour", 60, "address", 3600, "new guests", True),
    Limit("address_tables_held", 20, "address", None, "unfinished tables", True),
    Limit("address_seats", 300, "address", None, SEATS_TAKEN, True),
    Limit("address_tables_per_minute", 30, "address", 60, "tables created", True),
    Limit("address_tables_per_hour", 100, "address", 3600, "tables created", True),
    Limit("address_bot_games_per_10_minutes", 5, "address", 600, "games of house bots only", True),
    Limit("address_chats_per_10_s", 40, "address", 10, "chat messages", True),
    Limit("address_chats_per_hour", 1000, "address", 3600, "chat messages", True),
    Limit("address_tokens_per_hour", 40, "address", 3600, "tokens made for bots", True),
    Limit("address_invitations_per_10_minutes", 60, "address", 600, "invitations of bots", True),
    Limit("address_codes_missed_per_hour", 60, "address", 3600, "codes that belong to no table", True),
    Limit("address_reports_per_hour", 10, "address", 3600, "reports to the operator", True),
    Limit("address_seat_changes_per_minute", 120, "address", 60, SEATS),
    Limit("address_seat_changes_per_hour", 800, "address", 3600, SEATS),
    Limit("address_host_changes_per_hour", 400, "address", 3600, HOST),
    Limit("address_account_changes_per_minute", 100, "address", 60, ACCOUNT),
    Limit("address_account_changes_per_hour", 80, "address", 3600, ACCOUNT),
    Limit("address_asides_per_minute", 100, "address", 60, "asides (P34)"),
    Limit("address_asides_per_hour", 500, "address", 3600, "asides (P34)"),
    Limit("address_advice_per_minute", 30, "address", 60, ADVICE),
    Limit("address_advice_at_once", 3, "address", None, "questions to the master that wait for an answer"),
    Limit("address_lobbies_per_minute", 150, "address", 60, "starts of the lobby's feed"),
    Limit("address_bot_lists_per_minute", 300, "address", 60, BOT_LISTS),
    Limit("address_replays_per_minute", 120, "address", 60, "replays opened or downloaded over HTTP"),
    Limit("address_replays_at_once", 10, "address", None, REPLAYS_AND_DAYS),
    Limit("address_previews_per_minute", 120, "address", 60, "pages of tables with a preview card"),
    Limit("address_analyses_per_hour", 60, "address", 3600, "analyses of finished games asked for over HTTP"),
    Limit("address_analyses_queued", 5, "address", None, "analyses that wait for their turn", True),
    Limit("address_analysis_looks_per_minute", 600, "address", 60, "looks at an analysis over HTTP"),
    Limit("address_day_files_per_hour", 120, "address", 3600, "files of /data/"),
    Limit("address_log_bytes_per_hour", 300_000, "address", 3600, LOGS, True),
    Limit("address_note_bytes_per_hour", 50_000, "address", 3600, NOTES),
    Limit("kept_per_hour", 10, "user", 3600, KEPT),
    Limit("address_kept_per_hour", 40, "address", 3600, KEPT),
    Limit("remarks_per_hour", 60, "user", 3600, REMARKS, True),
    Limit("address_remarks_per_hour", 240, "address", 3600, REMARKS, True),
    Limit("address_files_per_minute", 20, "address", 60, "replay files to view (view_file, POST /replays/view)"),
    Limit("address_files_at_once", 3, "address", None, FILES),
    Limit("node_connections", 10_000, "node", None, "open connections"),
    Limit("node_guests_per_minute", 600, "node", 60, "new guests"),
    Limit("node_tables_per_minute", 300, "node", 60, "tables created"),
    Limit("node_bot_games_per_10_minutes", 20, "node", 600, "games of house bots only"),
    Limit("node_files_at_once", 16, "node", None, FILES),
    Limit("node_advice_at_once", 8, "node", None, "questions to the master that wait for an answer"),
    Limit("node_replays_at_once", 64, "node", None, REPLAYS),
)
BY_NAME = {limit.name: limit for limit in LIMITS}
FIXED = {"frame_bytes"}  # part of the protocol, not of the operator's choice

MAX_UNANSWERED = 32  # moves of one connection that wait for an answer
MAX_REFUSED = 200  # requests refused for their rate before the connection is closed


class Limits:
    """The numbers that are in force, and the networks that are exempt."""

    def __init__(self, changed: Mapping[str, int] | None = None, exempt: Iterable[Network] = ()) -> None:
        self.numbers = {limit.name: limit.number for limit in LIMITS}
        for name, number in (changed or {}).items():
            if name not in self.numbers or name in FIXED:
                raise BadLimit(f"there is no limit {name!r} to set: {', '.join(sorted(set(self.numbers) - FIXED))}")
            if number < 1 and BY_NAME[name].subject == "connection":
                raise BadLimit(f"the limit {name} has to be 1 or more")
            self.numbers[name] = number
        self._exempt = tuple(exempt)

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> Limits:
        """Read LIMIT_EXEMPT, a comma-separated list of networks, and the limits that the operator has changed."""
        changed = {}
        for variable, text in environment.items():
            if variable.startswith(PREFIX) and variable != EXEMPT:
                if not text.isdecimal() or int(text) > MAX_NUMBER:
                    raise BadLimit(f"{variable} is {text!r}, but has to be a whole number from 0 to {MAX_NUMBER}")
                changed[variable.removeprefix(PREFIX).lower()] = int(text)
        return cls(changed, networks(EXEMPT, environment.get(EXEMPT, "")))

    def __getitem__(self, name: str) -> int:
        return self.numbers[name]

    def is_exempt(self, address: str) -> bool:
        """Whether connections from this network address are exempt."""
        if not self._exempt:
            return False
        try:
            parsed = ipaddress.ip_address(address)
        except ValueError:
            return False
        return any(parsed in network for network in self._exempt)


def networks(variable: str, text: str) -> tuple[Network, ...]:
    """The networks in a comma-separated list, such as `127.0.0.1, 10.0.0.0/8`."""
    words = [word.strip() for word in text.split(",") if word.strip()]
    try:
        return tuple(ipaddress.ip_network(word) for word in words)
    except ValueError as fault:
        raise BadLimit(f"{variable} has to be a list of networks such as 10.0.0.0/8: {fault}") from None
