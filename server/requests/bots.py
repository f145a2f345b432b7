"""The door for strangers' bots: tokens of their own, being found and invited, and a pool to practise in."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec

from games import GAMES
from protocol.codec import ProtocolError
from protocol.messages import (
    Bots,
    Create,
    Decline,
    Invite,
    Ok,
    OnlineBot,
    Plays,
    Practice,
    Record,
    Revoke,
    Token,
    Tokens,
)
from server.room import Command
from server.seating import sitting
from server.table import Decision, Table

if TYPE_CHECKING:
    from server.connection import Connection
    from server.hub import Hub

ONLINE = "bots:online"
FRESH_MS = 30_000  # what a node said of a bot counts so long
MOST_LISTED = 100


class Listed(msgspec.Struct, frozen=True, array_like=True):
    """A bot that is online, as its node tells it."""

    at: int
    name: str
    owner: str
    games: tuple[str, ...]
    free: int


class Door:
    """Answers the requests that are about bots."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub

    # Tokens.

    async def token(self, connection: Connection, asked: Token) -> None:
        """Make a bot for a person."""
        me = connection.user
        if me.bot:
            raise ProtocolError("not_allowed", "a bot has no bots of its own")
        people, now = connection.people, self._hub.now()
        person, token = await people.make_bot(me.id, me.name, asked.name, asked.scopes, now)
        await connection.keep()  # nobody else can take the token back
        connection.send(Ok(id=asked.id, token=token, user=person.id))

    async def tokens(self, connection: Connection, asked: Tokens) -> None:
        """List a person's bots."""
        connection.send(Ok(id=asked.id, own=await connection.people.bots_of(connection.user.id)))

    async def revoke(self, connection: Connection, asked: Revoke) -> None:
        """Take a token back."""
        await connection.people.revoke(connection.user.id, asked.bot)
        connection.send(Ok(id=asked.id))

    # Being found.

    def online(self, connection: Connection, plays: Plays) -> None:
        """Say that a bot takes invitations; said again every ten seconds as long as it does."""
        me = connection.user
        free = max(0, plays.tables - len(connection.tables))
        listed = Listed(self._hub.now(), me.name, me.owner or "", tuple(plays.games), free)
        self._hub.store.send(_ignore, "HSET", ONLINE, me.id, msgspec.msgpack.encode(listed))

    def offline(self, user: str) -> None:
        """It does not any more."""
        self._hub.store.send(_ignore, "HDEL", ONLINE, user)

    async def bots(self, connection: Connection, asked: Bots) -> None:
        """List the bots that could be invited."""
        found = [
            (user, listed)
            for user, listed in (await self._listed()).items()
            if listed.free and (asked.game is None or asked.game in listed.games)
        ][:MOST_LISTED]
        records = await asyncio.gather(*(self._records(user) for user, _ in found))
        bots = tuple(
            OnlineBot(
                user=user, name=listed.name, owner=listed.owner, games=listed.games, free=listed.free, records=record
            )
            for (user, listed), record in zip(found, records, strict=True)
        )
        connection.send(Ok(id=asked.id, bots=bots))

    async def _listed(self) -> dict[str, Listed]:
        answer = await self._hub.store.call("HGETALL", ONLINE)
        now = self._hub.now()
        listed = {
            user.decode(): msgspec.msgpack.decode(word, type=Listed)
            for user, word in zip(answer[::2], answer[1::2], strict=True)
        }
        return {user: one for user, one in listed.items() if now - one.at < FRESH_MS}

    async def _records(self, user: str) -> dict[str, Record]:
        answer = await self._hub.store.call("HGETALL", f"record:{user}")
        counts = {key.decode(): int(value) for key, value in zip(answer[::2], answer[1::2], strict=True)}
        return {
            game: Record(played=counts[f"{game}:played"], first=counts.get(f"{game}:first", 0))
            for game in GAMES
            if f"{game}:played" in counts
        }

    async def invite(self, connection: Connection, asked: Invite) -> None:
        """Hold a seat for a bot and ask it to come."""
        listed = (await self._listed()).get(asked.bot)
        if listed is None or not listed.free:
            raise ProtocolError("bot_away", "this bot is not online, or plays as much as it wants to", field="bot")
        name, me = listed.name, connection.user
        room = self._hub.room(asked.table)

        def held(n: int, again: bool) -> None:
            table = room.table
            if table is not None:
                word = {"type": "invited", "table": asked.table, "seat": asked.seat, "game": table.opened.game}
                packed = msgspec.msgpack.encode({**word, "by": me.name})
                self._hub.store.send(_ignore, "SPUBLISH", f"user:{asked.bot}", packed)
            connection.send(Ok(id=asked.id, table=asked.table, n=n))

        def judge(table: Table, at: int) -> Decision:
            if table.opened.game not in listed.games:
                raise ProtocolError("bad_field", f"{name} does not play this game", field="bot")
            return table.invite(me.id, asked.seat, asked.bot, name, at)

        room.submit(Command(judge, held, connection.failed(asked.id), self._hub.now()))

    def decline(self, connection: Connection, asked: Decline) -> None:
        """Let the held seat go."""
        me = connection.user.id
        connection.command(asked.id, asked.table, lambda table, at: table.decline(me, at))

    # The practice pool.

    async def practice(self, connection: Connection, asked: Practice) -> None:
        """Sit down at the table of the pool that waits for players, or open the next one."""
        if not connection.user.bot:
            raise ProtocolError("not_allowed", "the practice pool is for bots: make a token for yours")
        key = f"practice:{asked.game}:{asked.seats}"
        store, tried = self._hub.store, ""
        for _ in range(20):
            there = await store.call("GET", key)
            if there is not None and there.decode() != tried:
                tried = there.decode()
                if await self._sit(connection, tried):
                    connection.send(Ok(id=asked.id, table=tried))
                    return
            opening = Create(id=asked.id, game=asked.game, seats=asked.seats, speed="blitz", public=True)
            table = await self._new_table(connection, opening)
            chosen = (await store.call("FCALL", "pool", 1, key, tried, table)).decode()
            if chosen == table:
                connection.send(Ok(id=asked.id, table=table))
                return
            await self._leave(connection, table)
        raise ProtocolError("busy", "the pool is crowded: try again", retry_after_ms=500)

    async def _sit(self, connection: Connection, table: str) -> bool:
        """Whether the bot got a seat there."""
        sit = sitting(connection.user, None)

        def judge(found: Table, at: int) -> Decision:
            found.must_be("open")  # also for somebody who has a seat there
            return sit(found, at)

        return await self._done(table, judge)

    async def _leave(self, connection: Connection, table: str) -> None:
        me = connection.user.id
        await self._done(table, lambda found, at: found.leave(me, at))

    async def _new_table(self, connection: Connection, opening: Create) -> str:
        room, _ = connection.desks.seating.open(connection, opening)
        await self._sit(connection, room.id)
        return room.id

    async def _done(self, table: str, judge: Callable[[Table, int], Decision]) -> bool:
        """Have a table judge it and wait; whether it was done."""
        future: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

        def done(n: int, again: bool) -> None:
            if not future.done():
                future.set_result(True)

        def failed(fault: ProtocolError) -> None:
            if not future.done():
                future.set_result(False)

        self._hub.room(table).submit(Command(judge, done, failed, self._hub.now()))
        return await future


def _ignore(*_: object) -> None:
    """Said again soon."""
