"""Blocks: whose chat a user does not want to see, and who may neither join their tables nor invite their bots."""

from __future__ import annotations

from typing import Any

import msgspec

from protocol.codec import ProtocolError
from protocol.messages import Block, BlockedUser, Blocks, Invite, Ok, Rematch, Sit, Unblock
from server.requests.accounts import GUEST_S, BotRecord
from server.requests.connected_users import BlocksChanged, ConnectedUsers
from server.requests.connection import Connection
from server.requests.handlers import Handler, HandlerGroup
from server.requests.limits.limits import Limits
from server.store import keys
from server.store.answers import StoreLost, is_away
from server.store.store import Store
from server.tables.background import BackgroundTasks
from server.tables.rooms.commands import awaitable, only_read
from server.tables.rooms.rooms import Rooms
from server.tables.rooms.service_clock import ServiceClock
from server.tables.state import names


class BlockList:
    """The users whom each user blocks, in the store. A list expires like the guest that it belongs to."""

    def __init__(self, store: Store, users: ConnectedUsers, limits: Limits) -> None:
        self._store = store
        self._users = users
        self._most = limits["blocked"]
        self._tasks = BackgroundTasks()

    async def load(self, user: str) -> frozenset[str]:
        """The blocks of a user who says hello. This also prolongs them, so they last as long as the account."""
        self._store.send_logged("keeping blocks", "EXPIRE", keys.user_blocks(user), GUEST_S)
        return await self._blocked(user)

    def reload(self) -> None:
        """Load the blocks of all connected users again, because changes may have been missed."""
        self._tasks.spawn("loading blocks again", self._reload())

    async def _reload(self) -> None:
        for user in self._users.users:
            blocked = await self._blocked(user)
            for connection in self._users.of(user):
                connection.viewer.blocked = blocked

    async def _blocked(self, user: str) -> frozenset[str]:
        return frozenset(other.decode() for other in await self._store.call("HKEYS", keys.user_blocks(user)))

    async def add(self, user: str, other: str, name: str) -> None:
        """Block another user."""
        key = keys.user_blocks(user)
        adding, sizing = self._store.request("HSET", key, other, name), self._store.request("HLEN", key)
        added, size = await adding, await sizing
        if is_away(added) or is_away(size):
            raise StoreLost("the block could not be stored")
        if size > self._most:
            if added:
                await self._store.call("HDEL", key, other)
            raise ProtocolError("too_many_blocked", f"you can block {self._most} users at most: unblock one first")
        await self._store.call("EXPIRE", key, GUEST_S)
        await self._publish(user)

    async def remove(self, user: str, other: str) -> None:
        """Unblock another user."""
        await self._store.call("HDEL", keys.user_blocks(user), other)
        await self._publish(user)

    async def _publish(self, user: str) -> None:
        self._users.publish(BlocksChanged(user, await self._blocked(user)))

    async def list(self, user: str) -> tuple[BlockedUser, ...]:
        """The users whom a user blocks."""
        answer = await self._store.call("HGETALL", keys.user_blocks(user))
        pairs = zip(answer[::2], answer[1::2], strict=True)
        return tuple(BlockedUser(user=other.decode(), name=name.decode() or None) for other, name in pairs)

    async def has(self, user: str, other: str) -> bool:
        """Whether the first user blocks the second."""
        return bool(await self._store.call("HEXISTS", keys.user_blocks(user), other))


class BlockRequests:
    """Answers block, unblock and blocks, and refuses sit, rematch and invite to users who are blocked."""

    def __init__(
        self, store: Store, blocks: BlockList, rooms: Rooms, clock: ServiceClock, *guarded: HandlerGroup
    ) -> None:
        self._store = store
        self._blocks = blocks
        self._rooms = rooms
        self._clock = clock
        self._guarded: dict[type, Handler] = {}
        for group in guarded:
            self._guarded.update(group.handlers())

    def handlers(self) -> dict[type, Any]:
        """The requests that are answered here."""
        return {
            Block: self.block,
            Unblock: self.unblock,
            Blocks: self.blocks,
            Sit: self.sit,
            Rematch: self.rematch,
            Invite: self.invite,
        }

    async def block(self, connection: Connection, message: Block) -> None:
        """Block a user."""
        if message.user == connection.account.id:
            raise ProtocolError("bad_field", "nobody can block themselves", field="user")
        name = "" if message.name is None else names.clean_text(message.name)
        await self._blocks.add(connection.account.id, message.user, name)
        connection.send(Ok(id=message.id))

    async def unblock(self, connection: Connection, message: Unblock) -> None:
        """Unblock a user."""
        await self._blocks.remove(connection.account.id, message.user)
        connection.send(Ok(id=message.id))

    async def blocks(self, connection: Connection, message: Blocks) -> None:
        """List whom a user blocks."""
        connection.send(Ok(id=message.id, blocked=await self._blocks.list(connection.account.id)))

    # Requests that a block refuses.

    async def sit(self, connection: Connection, message: Sit) -> None:
        """Sit down, unless the host blocks this user."""
        await self._require_welcome(connection, message.table)
        await self._pass_on(connection, message)

    async def rematch(self, connection: Connection, message: Rematch) -> None:
        """Open or join a rematch, unless its host blocks this user."""
        old = connection.feeds.get(message.table)
        if old is not None and old.table is not None and old.table.rematch is not None:
            await self._require_welcome(connection, old.table.rematch)
        await self._pass_on(connection, message)

    async def invite(self, connection: Connection, message: Invite) -> None:
        """Invite a bot, unless the bot or its owner blocks this user."""
        user, kept = connection.account.id, await self._store.call("GET", keys.bot(message.bot))
        owner = "" if kept is None else msgspec.msgpack.decode(kept, type=BotRecord).owner
        if await self._blocks.has(message.bot, user) or await self._blocks.has(owner, user):
            raise ProtocolError("bot_away", "this bot does not accept your invitations", field="bot")
        await self._pass_on(connection, message)

    async def _require_welcome(self, connection: Connection, table: str) -> None:
        room = connection.feeds.get(table) or self._rooms.get(table)
        command, up_to_date = awaitable(only_read, self._clock.now())
        room.submit(command)
        await up_to_date  # if it could not be read, the request itself is refused
        user, found = connection.account.id, room.table
        if found is not None and found.host != user and await self._blocks.has(found.host, user):
            raise ProtocolError("blocked", "the host of this table does not want to play with you", field="table")

    async def _pass_on(self, connection: Connection, message: Sit | Rematch | Invite) -> None:
        work = self._guarded[type(message)](connection, message)
        if work is not None:
            await work
