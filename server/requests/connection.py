"""One websocket: its conversation, its limits, and the tables that it watches."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import msgspec

from games import GAMES
from games.core import option_choices
from protocol.codec import ProtocolError
from protocol.messages import (
    VERSION,
    Back,
    Bot,
    Bots,
    Chat,
    ClientMessage,
    Close,
    Create,
    Decline,
    GameInfo,
    Hello,
    Invite,
    Leave,
    Lobby,
    Message,
    Move,
    Ok,
    Open,
    Ping,
    Plays,
    Practice,
    Rematch,
    Rename,
    Revoke,
    Say,
    Sit,
    Start,
    Token,
    Tokens,
    Welcome,
)
from protocol.session import Session
from server.door import Door
from server.edge import Edge
from server.frames import PING, binary_frame, framed
from server.hub import Hub
from server.inner import Inner
from server.limits import (
    BURST,
    CHATS,
    LIMITS,
    MOST_BLOCKED,
    MOST_UNANSWERED,
    MOST_UNREAD,
    PER_SECOND,
    SLOW_S,
    TABLES,
    Bucket,
)
from server.log import table_key
from server.people import People, Person, clean_name
from server.room import Command, Room, look
from server.seating import Seating, sitting
from server.sockets import write_one
from server.store import StoreLost
from server.table import SPEEDS, Decision, Table

log = logging.getLogger("cheeseboard.connection")

SCOPES: dict[type, str] = {
    **dict.fromkeys((Sit, Move, Back, Leave, Decline, Practice), "play"),
    **dict.fromkeys((Create, Rematch, Start, Bot, Invite), "create"),
    Say: "talk",
}

CATALOGUE = tuple(
    GameInfo(
        name=game.name,
        title=game.title,
        blurb=game.blurb,
        seats=(game.seats.start, game.seats.stop - 1),
        options=option_choices(game),
    )
    for game in GAMES.values()
)


@dataclass(frozen=True)
class Desks:
    """Those who answer requests that are more than a word to one table."""

    seating: Seating
    door: Door


class Connection:
    """What a websocket says is dealt with at once; only what needs the store first becomes a task.

    What is written in one turn of the event loop waits in `_out` and goes out together, straight to the socket. `ready`
    is whether updates may be written: it is open, and takes what is written.
    """

    __slots__ = (
        "_blocked",
        "_chats",
        "_looked_after_with",
        "_out",
        "_patience",
        "_pinged",
        "_queued",
        "_requests",
        "_session",
        "_tasks",
        "_token",
        "desks",
        "edge",
        "file",
        "hub",
        "patches",
        "people",
        "plays",
        "ready",
        "tables",
        "unanswered",
        "user",
    )

    def __init__(self, hub: Hub, people: People, desks: Desks, edge: Edge) -> None:
        self.hub = hub
        self.people = people
        self.desks = desks
        self.edge = edge
        self._out: bytes | list[bytes] | None = None
        self._queued = True  # something may wait in the transport
        self.ready = True
        self.user = Person("", "")
        self._token = ""
        self.patches = False
        self.tables: dict[str, Room] = {}
        self._session = Session()
        self._requests = Bucket(BURST, PER_SECOND)
        self._chats = Bucket(CHATS, CHATS / 10)
        self._blocked = 0
        self._patience: asyncio.TimerHandle | None = None
        self._pinged = False
        self.unanswered = 0
        self.plays: Plays | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self.file = edge.take_over(self)
        hub.connections.add(self)
        self._looked_after_with = hub.pulse.add(self)
        hub.metrics.connections.set(len(hub.connections))

    # Out.

    def send(self, message: Message) -> None:
        """Say something to this connection alone; this is never left out, so whoever does not read is cut."""
        if self.ready:
            self.write(framed(message))
        elif self._takes_more():
            self.wait(framed(message))

    def _takes_more(self) -> bool:
        """Whether a connection that is slow, or closed, can be told something all the same."""
        if self not in self.hub.connections:
            return False
        if self.edge.transport.get_write_buffer_size() > MOST_UNREAD:
            self._cut_slow()
            return False
        self.flush()
        return True

    def write(self, frame: bytes) -> None:
        """Write a frame; a connection that does not keep up gets everything anew later instead."""
        if self.ready:
            out = self._out
            if out is None:
                self._out = frame
                unsent = self.hub.unsent
                if not unsent:
                    self.hub.flush_soon()
                unsent.append(self)
            elif isinstance(out, bytes):
                self._out = [out, frame]
            else:
                out.append(frame)

    def flush(self) -> None:
        """Write what waits."""
        piece = self.take()
        if piece is not None:
            sent = write_one(self.file, piece)
            if sent != len(piece):
                self.wait(piece[sent:])

    def take(self) -> bytes | None:
        """What waits, in one piece for the socket; if that cannot be written to now, the transport has it."""
        out, self._out = self._out, None
        if out is None:
            return None
        piece = out if isinstance(out, bytes) else b"".join(out)
        if (not self._queued or self.clear) and self.file >= 0:  # clear is asked only where it may have changed
            return piece
        self.wait(piece)
        return None

    @property
    def clear(self) -> bool:
        """Whether nothing waits in the transport: then the socket itself may be written to."""
        if self._queued and not self.edge.transport.get_write_buffer_size():
            self._queued = False
        return not self._queued

    def wait(self, data: bytes) -> None:
        """Let this wait in the transport until the socket takes it."""
        self.waits()
        self.edge.transport.write(data)

    def waits(self) -> None:
        """Something waits, or soon will: nothing is written past it."""
        if not self._queued:
            self._queued = True
            for room in self.tables.values():
                room.viewers.hold(self)

    def slow(self) -> None:
        """It does not take what is written: it gets no updates until it has."""
        self.ready = False
        self._patience = asyncio.get_running_loop().call_later(SLOW_S, self._cut_slow)

    def drained(self) -> None:
        """It has taken what waited: what it missed is made good by what is so now."""
        self.ready = True
        if self._patience is not None:
            self._patience.cancel()
        self.hub.lobby.refresh(self)
        for room in self.tables.values():
            room.refresh(self)

    def look_after(self) -> None:
        """Ask whether it is still there if nothing came since the last look, and give it up if it was asked then."""
        if self.edge.heard:
            self.edge.heard = self._pinged = False
        elif self._pinged:
            self.cut(1011, "nothing was heard, not even the answer to a ping", "silent")
        else:
            self._pinged = True
            self.write(PING)

    def _cut_slow(self) -> None:
        self.cut(4003, "too slow to keep up: come back for a fresh view", "slow")

    def cut(self, code: int, reason: str, why: str) -> None:
        """Close it from our side."""
        self.hub.metrics.cut.labels(why).inc()
        self.flush()
        self.edge.cut(code, reason)

    def closed(self) -> None:
        """It is gone: nothing holds it any more."""
        self.ready = False
        self.file = -1
        self._out = None
        self.hub.connections.discard(self)
        self._looked_after_with.discard(self)
        self.hub.metrics.connections.set(len(self.hub.connections))
        if self._patience is not None:
            self._patience.cancel()
        self.hub.lobby.leave(self)
        for room in self.tables.values():
            room.leave(self)
        self.tables.clear()
        if self.user.bot and self.user.id in self.hub.bots:
            self.hub.unplug(self)
            if self.plays is not None and self.user.id not in self.hub.bots:
                self.desks.door.offline(self.user.id)

    # In.

    def receive(self, data: bytes | str) -> None:
        """A frame came. Whatever is in it gets exactly one answer."""
        if isinstance(data, str):
            self.cut(1003, "frames are binary msgpack", "text")
            return
        try:
            message = self._session.receive(data)
        except ProtocolError as fault:
            self.refuse(None, fault)
            if self._session.hopeless:
                self.cut(4002, "too many frames that cannot be read", "faults")
            return
        try:
            if isinstance(message, Move) and "play" in self.user.scopes:
                self._move(message)
            elif self._allowed(message):
                self._check_scope(message)
                self._handle(message)
        except ProtocolError as fault:
            self.refuse(message.id, fault)

    def _check_scope(self, message: ClientMessage) -> None:
        """A token may be for less than everything."""
        scope = SCOPES.get(type(message))
        if scope is not None and scope not in self.user.scopes:
            raise ProtocolError("not_allowed", f"this token is not made to {scope}")

    def _allowed(self, message: ClientMessage) -> bool:
        wait = self._requests.take(5 if isinstance(message, Create | Rematch) else 1)
        if not wait and isinstance(message, Say):
            wait = self._chats.take(1)
        if wait:
            self._too_much(message.id, wait)
        return not wait

    def _too_much(self, id: int, wait: int) -> None:  # noqa: A002
        """Refuse a request that came too fast; whoever goes on regardless is cut."""
        self._blocked += 1
        fault = ProtocolError("rate_limited", f"too many requests: wait {wait} ms", retry_after_ms=wait)
        self.refuse(id, fault)
        if self._blocked > MOST_BLOCKED:
            self.cut(4008, "far too many requests", "flood")

    def refuse(self, id: int | None, fault: ProtocolError) -> None:  # noqa: A002
        """Say no, and why."""
        self.hub.metrics.errors.labels(fault.code).inc()
        self.send(fault.answer(id))

    def _handle(self, message: ClientMessage) -> None:
        match message:
            case Hello():
                self._later(message.id, self._hello(message))
            case Ping():
                self.send(Ok(id=message.id))
            case Lobby():
                self.hub.lobby.watch(self, message.on)
                self.send(Ok(id=message.id))
            case Open() if message.table is not None:
                self._open(message, message.table)
            case Open():
                self._later(message.id, self._open_code(message))
            case Close():
                self._shut(message)
            case Create():
                self._later(message.id, self.desks.seating.create(self, message))
            case Rematch():
                self.desks.seating.rematch(self, message)
            case Start():
                self.desks.seating.start(self, message)
            case Say():
                self._say(message)
            case Rename():
                self._later(message.id, self._rename(message))
            case Token() | Tokens() | Revoke() | Bots() | Invite() | Practice():
                self._later(message.id, self._at_the_door(message))
            case Decline():
                self.desks.door.decline(self, message)
            case Sit() | Leave() | Back() | Bot():
                self.command(message.id, message.table, self._judge(message))

    def _at_the_door(self, message: Token | Tokens | Revoke | Bots | Invite | Practice) -> Coroutine[Any, Any, None]:
        door = self.desks.door
        match message:
            case Token():
                return door.token(self, message)
            case Tokens():
                return door.tokens(self, message)
            case Revoke():
                return door.revoke(self, message)
            case Bots():
                return door.bots(self, message)
            case Invite():
                return door.invite(self, message)
            case Practice():
                return door.practice(self, message)

    def _judge(self, message: Sit | Leave | Back | Bot) -> Callable[[Table, int], Decision]:
        me = self.user
        match message:
            case Sit():
                return sitting(me, message.seat)
            case Leave():
                return lambda table, at: table.leave(me.id, at)
            case Back():
                return lambda table, at: table.back(me.id, at)
            case Bot():
                return lambda table, at: table.bot(me.id, message.seat, message.level, at, self.hub.bots)

    def command(self, id: int, table: str, judge: Callable[[Table, int], Decision | None]) -> None:  # noqa: A002
        """Have a table judge it, and answer what comes of it."""
        room = self.tables.get(table) or self.hub.room(table)
        room.submit(
            Command(
                judge,
                lambda n, again: self.send(Ok(id=id, table=table, n=n, again=again)),
                lambda fault: self.refuse(id, fault),
                self.hub.now(),
            )
        )

    def _later(self, id: int | None, work: Coroutine[Any, Any, None]) -> None:  # noqa: A002
        """Do what needs the store first; without an id nobody waits for it."""

        async def attempt() -> None:
            try:
                await work
            except ProtocolError as fault:
                refuse(fault)
            except StoreLost:
                refuse(ProtocolError("unavailable", "the store is away; send this again", retry_after_ms=500))
            except Exception:
                log.exception("a request failed")
                refuse(ProtocolError("internal", "this went wrong on our side"))

        def refuse(fault: ProtocolError) -> None:
            if id is not None:
                self.refuse(id, fault)

        task = asyncio.get_running_loop().create_task(attempt())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # Who am I?

    async def _hello(self, message: Hello) -> None:
        if self.user.id:
            raise ProtocolError("hello_again", "hello is said once")
        self.user = Person("-", "")  # a second hello that comes meanwhile is refused
        token = None
        try:
            if message.token is not None:
                person = await self.people.find(message.token)
            else:
                person, token = await self.people.guest(message.name)
            tables = await self.people.tables(person.id)
        except BaseException:
            self.user = Person("", "")
            raise
        if self not in self.hub.connections:
            return  # it went away meanwhile
        self.user = person
        self._token = message.token or token or ""
        self.patches = message.patches
        self._session.welcome()
        if person.bot:
            self.hub.plug(self)
            self.plays = message.plays
            self.say_online()
        self.send(
            Welcome(
                id=message.id,
                v=VERSION,
                user=person.public(),
                games=CATALOGUE,
                speeds=SPEEDS,
                limits=LIMITS,
                tables=tables,
                now=self.hub.now(),
                token=token,
            )
        )

    async def _rename(self, message: Rename) -> None:
        name = clean_name(message.name)
        if self.user.bot:
            raise ProtocolError("bad_name", "a bot keeps the name of its token", field="name")
        self.user = msgspec.structs.replace(self.user, name=name)
        await self.keep()
        self.send(Ok(id=message.id))

    async def keep(self) -> None:
        """Have somebody who is more than a passing guest remembered."""
        await self.people.keep(self.user, self._token)

    def check_token(self) -> None:
        """See that the token was not taken back while that could not be heard."""
        self._later(None, self._check_token())

    async def _check_token(self) -> None:
        try:
            await self.people.find(self._token)
        except ProtocolError:
            self._revoked()

    def _revoked(self) -> None:
        self.cut(4004, "the token was taken back", "revoked")

    def say_online(self) -> None:
        """Say that this bot takes invitations, if it does."""
        if self.plays is not None:
            self.desks.door.online(self, self.plays)

    def told(self, word: bytes) -> None:
        """Something came for this bot: a seat, an invitation, or the end of its token."""
        what = msgspec.msgpack.decode(word)
        if what["type"] == "revoked":
            self._revoked()
        else:
            self.write(binary_frame(word))

    # Tables.

    def _open(self, message: Open, table: str) -> None:
        known = table in self.tables
        if len(self.tables) >= TABLES[self.user.bot] and not known:
            raise ProtocolError("too_many_feeds", f"a connection watches at most {TABLES[self.user.bot]} tables")
        room = self.tables[table] = self.hub.room(table)
        room.listen()

        def read(n: int, again: bool) -> None:
            self.send(Ok(id=message.id, table=table, n=n))
            if table not in self.tables:  # it was closed meanwhile, or the whole connection
                room.leave(self)
                return
            self.say_online()  # with a table less to take
            room.join(self, message.last)
            self._later(None, self._who_and_what(room))

        def failed(fault: ProtocolError) -> None:
            self.refuse(message.id, fault)
            if not known:
                self.tables.pop(table, None)
                room.leave(self)

        room.submit(Command(look, read, failed, self.hub.now(), knows=message.last or 0))

    async def _who_and_what(self, room: Room) -> None:
        """Who else is here, and what has been said lately."""
        if not room.reports:
            await self.hub.presence.load(room)
            room.show_info()
        for word in await self.hub.store.call("LRANGE", table_key(room.id, "chat"), 0, -1):
            chat = msgspec.msgpack.decode(word, type=Chat)
            watching = room.table is not None and room.table.seat_of(self.user.id) is None
            if chat.seat is not None or watching:
                self.send(chat)

    async def _open_code(self, message: Open) -> None:
        if message.code is None:
            raise ProtocolError("missing_field", "a table or a code is needed", field="table")
        code = message.code.lower().replace("-", "").replace(" ", "")
        table = await self.hub.store.call("GET", f"code:{code}")
        if table is None:
            raise ProtocolError("no_table", "there is no table with this code", field="code")
        self._open(message, table.decode())

    def _shut(self, message: Close) -> None:
        room = self.tables.pop(message.table, None)
        if room is not None:
            room.leave(self)
            self.say_online()
        self.send(Ok(id=message.id, table=message.table))

    def failed(self, id: int) -> Callable[[ProtocolError], None]:  # noqa: A002
        """Refuses the request of this id."""
        return lambda fault: self.refuse(id, fault)

    def _move(self, message: Move) -> None:
        wait = self._requests.debt()
        if wait or self.unanswered >= MOST_UNANSWERED:
            self._too_much(message.id, wait or 100)
            return
        self.unanswered += 1
        room = self.tables.get(message.table) or self.hub.room(message.table)
        user = self.user.id
        room.submit(Moving(self, room, message, user, self.hub.now(), (user, message.key), message.ask, perf_counter()))

    def owe(self) -> None:
        """Count a request that cost something and changed nothing."""
        self._requests.owe(1)

    def _say(self, message: Say) -> None:
        room = self.tables.get(message.table)
        if room is None or room.table is None:
            raise ProtocolError("not_open_here", "open the table before you talk at it", field="table")
        text = " ".join(message.text.split())
        if not text:
            raise ProtocolError("bad_field", "there is nothing to read in this", field="text")
        seat = room.table.seat_of(self.user.id)
        chat = Chat(table=room.id, name=self.user.name, text=text, at=self.hub.now(), seat=seat)
        self.hub.say(room, chat)
        self.send(Ok(id=message.id))


class Moving(Inner, frozen=True):
    """A move on its way through a room."""

    connection: Connection
    room: Room
    message: Move
    user: str
    at: int
    key: tuple[str, str] | None
    knows: int
    began: float

    def judge(self, table: Table, at: int) -> Decision:
        return table.move(self.user, self.message, at)

    def done(self, n: int, again: bool) -> None:
        connection = self.connection
        connection.unanswered -= 1
        if again or self.room.viewers.was_aside:
            connection.owe()
        connection.send(Ok(id=self.message.id, n=n, again=again))
        connection.hub.metrics.took(perf_counter() - self.began)

    def failed(self, fault: ProtocolError) -> None:
        connection = self.connection
        connection.unanswered -= 1
        connection.owe()
        fault.more.update(self._teach())
        connection.refuse(self.message.id, fault)

    def _teach(self) -> dict[str, Any]:
        """What helps the author of a move that was refused: what came, and how much time is left."""
        more: dict[str, Any] = {"sent": _short(self.message.move)}
        table = self.room.table
        seat = None if table is None else table.seat_of(self.user)
        due = None if table is None or seat is None else table.due(seat)
        if due is not None:
            more["left_ms"] = max(0, due - self.connection.hub.now())
        return more


def _short(raw: msgspec.Raw) -> str:
    """What was sent, in at most 200 characters."""
    try:
        text = repr(msgspec.msgpack.decode(raw))
    except (msgspec.DecodeError, RecursionError, ValueError):
        text = bytes(raw).hex()
    return text if len(text) <= 200 else text[:197] + "..."
