"""Opening tables: the limits, the invitation code, and the first entries, for every request that opens one."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from games import GAMES
from protocol.codec import ProtocolError
from protocol.messages import PUBLIC_VIEW, Create, Rematch
from server.requests.accounts import Account
from server.requests.connected_bots import ConnectedBots
from server.requests.connection import Connection
from server.requests.game_choice import all_options, changed, require_seats
from server.requests.limits.free_memory import require_memory
from server.requests.limits.limiter import Claims, Limiter, PlaceNeeded
from server.requests.limits.stale_places import EVERY_S
from server.requests.table_commands import Done, Failed
from server.store import keys
from server.store.answers import StoreLost
from server.store.memory import StoreMemory
from server.store.quotas import CLAIM_MS, NEW_TABLE_CLAIM_MS, Place, Quotas
from server.store.store import Store
from server.tables.rooms.room import Room
from server.tables.rooms.rooms import ALPHABET, Rooms
from server.tables.rooms.service_clock import ServiceClock
from server.tables.state.entries import Entry, Opened, Sat
from server.tables.state.house_bots import choose
from server.tables.state.rematches import evening
from server.tables.state.table import Table
from server.tables.state.watch_decisions import checked_rule

CODE_LENGTH = 10
CODE_S = 7 * 24 * 3600  # how long an invitation code is valid; it ends earlier with its table
MAX_CODE_TRIES = 5  # for one table; more would mean that nearly every code is taken

RATES = (
    "tables_per_minute",
    "tables_per_hour",
    "address_tables_per_minute",
    "address_tables_per_hour",
    "node_tables_per_minute",
)
BOT_GAME_RATES = ("address_bot_games_per_10_minutes", "node_bot_games_per_10_minutes")


class Reserved(NamedTuple):
    """What a table needs before it can be opened: its id, its code, and the places that it takes."""

    table: str
    code: str
    claims: Claims
    held: tuple[Place, ...]  # the places that the table takes until it is over, besides the seat of its host


class TableOpener:
    """Reserves what a new table needs, and opens it."""

    def __init__(self, store: Store, memory: StoreMemory, rooms: Rooms, limiter: Limiter, clock: ServiceClock) -> None:
        self._store = store
        self._memory = memory
        self._rooms = rooms
        self._limiter = limiter
        self._clock = clock
        self._quotas = Quotas(store)

    async def reserve(self, connection: Connection, seated: bool, bots_only: bool = False) -> Reserved:
        """Check the limits for a new table of this client, and find a free code for it."""
        require_memory(self._memory)
        table, code = self._rooms.new_id(), new_code()
        setting = self._set_code(code, table)
        of_user = self._of_user(connection, table, seated)
        of_address = self._address_needed(connection, table)
        held = tuple(needed.place for needed in (None if seated else of_user, of_address) if needed)
        names = RATES + (BOT_GAME_RATES if bots_only else ())
        try:
            claims = await self._limiter.take(connection.requester, names, of_user, of_address)
        except (ProtocolError, StoreLost):
            if await setting is not None:  # it is set, or nobody knows
                self._forget_code(code)
            raise
        for _ in range(MAX_CODE_TRIES):
            answer = await setting
            if isinstance(answer, Exception):
                claims.release()
                self._forget_code(code)
                raise StoreLost(f"an invitation code could not be stored: {answer}")
            if answer == b"OK":
                return Reserved(table, code, claims, held)
            code = new_code()
            setting = self._set_code(code, table)
        claims.release()
        raise ProtocolError("busy", "no invitation code is free: try again", retry_after_ms=1000)

    def open(self, reserved: Reserved, first: Opened, others: Sequence[Entry], done: Done, failed: Failed) -> Room:
        """Append the first entries of a reserved table together."""
        entries = (msgspec.structs.replace(first, code=reserved.code), *others)

        def opened(n: int, entry: Entry | None, again: bool) -> None:
            for place in reserved.held:
                self._quotas.add(place.key, place.member)
            reserved.claims.release()
            done(n, entry, again)

        def not_opened(fault: ProtocolError) -> None:
            self.give_up(reserved)
            failed(fault)

        return self._rooms.open(reserved.table, entries, opened, not_opened)

    def give_up(self, reserved: Reserved) -> None:
        """Release what was reserved for a table that was not opened."""
        reserved.claims.release()
        self._forget_code(reserved.code)

    def _of_user(self, connection: Connection, table: str, seated: bool) -> PlaceNeeded:
        if seated:
            return seat_needed(connection, self._limiter, table, NEW_TABLE_CLAIM_MS)
        most = self._limiter.limits["tables_held"]
        text = f"you can have {most} tables without a seat at most: wait until one is over"
        place = Place(keys.user_hosted(connection.account.id), table, most, claim_ms=NEW_TABLE_CLAIM_MS)
        return PlaceNeeded(place, ProtocolError("too_many_tables", text))

    def _address_needed(self, connection: Connection, table: str) -> PlaceNeeded | None:
        if connection.client_address.exempt:
            return None
        most = self._limiter.limits["address_tables_held"]
        text = f"no more than {most} tables at once come from one network address: finish one first"
        key = keys.address_tables(connection.client_address.origin)
        place = Place(key, table, most, claim_ms=NEW_TABLE_CLAIM_MS)
        return PlaceNeeded(place, ProtocolError("too_many_tables", text))

    def _set_code(self, code: str, table: str) -> asyncio.Future[object]:
        """Store the code if it is free; the answer is None if it is not."""
        return self._store.request("SET", keys.invitation_code(code), table, "NX", "EX", CODE_S)

    def _forget_code(self, code: str) -> None:
        self._store.send_until_done("forgetting an invitation code", "DEL", keys.invitation_code(code))

    # Entry 1, still without its code.

    def entry(self, connection: Connection, message: Create) -> Opened:
        """Entry 1 of the table that is asked for."""
        game = require_seats(message.game, message.seats)
        return Opened(
            at=self._clock.now(),
            game=game.name,
            options=all_options(game, message.options),
            seats=message.seats,
            speed=message.speed,
            public=message.public,
            host=connection.account.id,
            code="",
            seed=new_seed(),
            origin=connection.client_address.origin,
            rules=game.version,
            late=not message.public if message.late is None else message.late,
            watching=None if message.watching is None else checked_rule(message.watching, message.seats),
        )

    def entry_again(self, connection: Connection, before: Table, message: Rematch, host: str) -> Opened:
        """Entry 1 of a rematch of this table with this host."""
        rule = before.rules.watching
        own = {
            "host": host,
            "origin": connection.client_address.origin,
            "evening": evening(before),
            "watching": None if rule == PUBLIC_VIEW else rule,
        }
        opened = changed(before.opened, message)
        new = {"at": self._clock.now(), "code": "", "seed": new_seed(), "rules": GAMES[opened.game].version}
        return msgspec.structs.replace(opened, **new, source=None, **own)


def seat_needed(connection: Connection, limiter: Limiter, table: str, claim_ms: int = CLAIM_MS) -> PlaceNeeded:
    """The place among a user's tables that a seat at this table takes."""
    account = connection.account
    most = limiter.limits["seats_bot" if account.bot else "seats"]
    text = f"you can sit at {most} tables at most: finish one first"
    place = Place(keys.user_tables(account.id), table, most, claim_ms=claim_ms, user=account.id)
    return PlaceNeeded(place, ProtocolError("too_many_tables", text))


def address_seat_needed(connection: Connection, limiter: Limiter, table: str) -> PlaceNeeded | None:
    """The place among the seats of an address that a seat at somebody's table takes."""
    if connection.client_address.exempt:
        return None
    most = limiter.limits["address_seats"]
    text = f"the users of your network address can have {most} seats at most: finish a game first"
    key = keys.address_seats(connection.client_address.origin)
    place = Place(key, f"{connection.account.id} {table}", most)
    return PlaceNeeded(place, ProtocolError("too_many_tables", text, retry_after_ms=EVERY_S * 1000))


def house_bots(
    table: str, opened: Opened, taken: dict[int | None, str], level: str, connected: ConnectedBots
) -> list[Entry]:
    """The entries of house bots on all seats of a new table but those in `taken`, which names their users."""
    users = set(taken.values())
    bots: list[Entry] = []
    for seat in range(opened.seats):
        if seat not in taken:
            user, name = choose(table, users, connected.users)
            bots.append(Sat(opened.at, seat, user, name, True, level))
            users.add(user)
    return bots


def sat(account: Account, seat: int, now: int, salt: str | None = None) -> Sat:
    """The entry of an account that sits down."""
    return Sat(now, seat, account.id, account.name, account.bot, None, account.owner, salt, account.avatar)


def new_seed() -> bytes:
    """The secret from which all chance of a table derives."""
    return secrets.token_bytes(32)


def new_code() -> str:
    """A new invitation code."""
    return "".join(secrets.choice(ALPHABET) for _ in range(CODE_LENGTH))
