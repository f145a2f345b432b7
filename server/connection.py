"""One websocket: its conversation, its limits, and the tables that it watches."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Callable, Coroutine
from typing import Any

import msgspec

from games import GAMES
from games.core import option_choices
from protocol.codec import ProtocolError, bad_value
from protocol.messages import (
    MOST_BYTES,
    VERSION,
    Back,
    Bot,
    Chat,
    ClientMessage,
    Close,
    Create,
    GameInfo,
    Hello,
    Leave,
    Lobby,
    Message,
    Move,
    Ok,
    Open,
    Ping,
    Rematch,
    Rename,
    Say,
    Seated,
    Sit,
    Start,
    Welcome,
)
from protocol.session import Session
from server.edge import Edge, binary_frame
from server.entries import Held, Opened, Sat
from server.hub import ALPHABET, Hub
from server.log import table_key
from server.people import People, Person, clean_name
from server.room import Command, Room
from server.store import StoreLost
from server.table import SPEEDS, Decision, Table

log = logging.getLogger("cheeseboard.connection")
encode = msgspec.msgpack.Encoder().encode

BURST = 60  # requests that may come at once; moves that are made count nothing
PER_SECOND = 20
CHATS = 5  # in ten seconds
TABLES = {False: 64, True: 1000}  # feeds of one connection: of a person, of a bot
MOST_BLOCKED = 200  # requests refused for their rate before the connection is closed
SLOW_S = 10  # how long a slow connection has to take what is waiting for it

LIMITS = {
    "frame_bytes": MOST_BYTES,
    "requests_per_second": PER_SECOND,
    "burst": BURST,
    "chats_per_10_s": CHATS,
    "feeds": TABLES[False],
    "feeds_bot": TABLES[True],
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


class Bucket:
    """So much at once, so much a second."""

    __slots__ = ("_at", "_left", "_most", "_rate")

    def __init__(self, most: float, rate: float) -> None:
        self._most = self._left = most
        self._rate = rate
        self._at = time.monotonic()

    def take(self, amount: float) -> int:
        """0, or after how many milliseconds there is enough."""
        now = time.monotonic()
        self._left = min(self._most, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left >= amount:
            self._left -= amount
            return 0
        return max(1, int((amount - self._left) / self._rate * 1000))


class Connection:
    """What a websocket says is dealt with at once; only what needs the store first becomes a task."""

    def __init__(self, hub: Hub, people: People, edge: Edge) -> None:
        self.hub = hub
        self.people = people
        self.edge = edge
        self.user = Person("", "")
        self._token = ""
        self.patches = False
        self.tables: dict[str, Room] = {}
        self._session = Session()
        self._requests = Bucket(BURST, PER_SECOND)
        self._chats = Bucket(CHATS, CHATS / 10)
        self._blocked = 0
        self._slow = False
        self._plays = False
        self._tasks: set[asyncio.Task[None]] = set()
        edge.on_message = self.receive
        edge.on_drain = self._drained
        hub.connections.add(self)

    # Out.

    def send(self, message: Message) -> None:
        """Say something to this connection alone."""
        self.write(binary_frame(encode(message)))

    def write(self, frame: bytes) -> None:
        """Write a frame; a connection that does not keep up gets a fresh view later instead."""
        if not self._slow and not self.edge.write(frame):
            self._slow = True
            asyncio.get_running_loop().call_later(SLOW_S, self._cut_if_slow)

    def _drained(self) -> None:
        if self._slow:
            self._slow = False
            for room in self.tables.values():
                if room.table is not None:
                    room.show_whole(self)

    def _cut_if_slow(self) -> None:
        if self._slow:
            self.cut(4003, "too slow to keep up: come back for a fresh view", "slow")

    def cut(self, code: int, reason: str, why: str) -> None:
        """Close it from our side."""
        self.hub.metrics.cut.labels(why).inc()
        self.edge.cut(code, reason)

    def closed(self) -> None:
        """It is gone: nothing holds it any more."""
        self.hub.connections.discard(self)
        self.hub.lobby.leave(self)
        for room in self.tables.values():
            room.leave(self)
        self.tables.clear()
        if self._plays:
            self.hub.unplug(self)

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
        if not isinstance(message, Move) and not self._allowed(message):
            return
        try:
            self._handle(message)
        except ProtocolError as fault:
            self.refuse(message.id, fault)

    def _allowed(self, message: ClientMessage) -> bool:
        wait = self._requests.take(5 if isinstance(message, Create | Rematch) else 1)
        if not wait and isinstance(message, Say):
            wait = self._chats.take(1)
        if wait:
            self._blocked += 1
            fault = ProtocolError("rate_limited", f"too many requests: wait {wait} ms", retry_after_ms=wait)
            self.refuse(message.id, fault)
            if self._blocked > MOST_BLOCKED:
                self.cut(4008, "far too many requests", "flood")
        return not wait

    def refuse(self, id: int | None, fault: ProtocolError) -> None:  # noqa: A002
        """Say no, and why."""
        self.hub.metrics.errors.labels(fault.code).inc()
        self.send(fault.answer(id))

    def _handle(self, message: ClientMessage) -> None:
        match message:
            case Move():
                self._move(message)
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
                self._create(message)
            case Rematch():
                self._rematch(message)
            case Say():
                self._say(message)
            case Rename():
                self._later(message.id, self._rename(message))
            case Start():
                self._start(message)
            case Sit() | Leave() | Back() | Bot():
                self._command(message.id, message.table, self._judge(message))

    def _judge(self, message: Sit | Leave | Back | Bot) -> Callable[[Table, int], Decision]:
        me = self.user
        match message:
            case Sit():
                return lambda table, at: table.sit(me.id, me.name, message.seat, at, bot=me.bot, owner=me.owner)
            case Leave():
                return lambda table, at: table.leave(me.id, at)
            case Back():
                return lambda table, at: table.back(me.id, at)
            case Bot():
                return lambda table, at: table.bot(me.id, message.seat, message.level, at)

    def _command(self, id: int, table: str, judge: Callable[[Table, int], Decision | None]) -> None:  # noqa: A002
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

    def _later(self, id: int, work: Coroutine[Any, Any, None]) -> None:  # noqa: A002
        """Do what needs the store first."""

        async def attempt() -> None:
            try:
                await work
            except ProtocolError as fault:
                self.refuse(id, fault)
            except StoreLost:
                self.refuse(id, ProtocolError("unavailable", "the store is away; send this again", retry_after_ms=500))
            except Exception:
                log.exception("a request failed")
                self.refuse(id, ProtocolError("internal", "this went wrong on our side"))

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
        self.user = person
        self._token = message.token or token or ""
        self.patches = message.patches
        self._session.welcome()
        if person.bot:
            self._plays = True
            self.hub.plug(self)
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
        await self.people.keep(self.user, self._token)
        self.send(Ok(id=message.id))

    def seated(self, word: bytes) -> None:
        """Somebody has given this bot a seat."""
        self.send(Seated(**msgspec.msgpack.decode(word)))

    # Tables.

    def _open(self, message: Open, table: str) -> None:
        if len(self.tables) >= TABLES[self.user.bot] and table not in self.tables:
            raise ProtocolError("too_many_feeds", f"a connection watches at most {len(self.tables)} tables")
        room = self.hub.room(table)
        room.listen()

        def read(n: int, again: bool) -> None:
            if self not in self.hub.connections:
                room.leave(self)
                return
            self.send(Ok(id=message.id, table=table, n=n))
            self.tables[table] = room
            room.join(self, message.last)
            self._later(message.id, self._who_and_what(room))

        def failed(fault: ProtocolError) -> None:
            self.refuse(message.id, fault)
            room.leave(self)

        room.submit(Command(lambda _table, _at: None, read, failed, self.hub.now()))

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
        self.send(Ok(id=message.id, table=message.table))

    def _create(self, message: Create) -> None:
        game = GAMES.get(message.game)
        if game is None:
            raise ProtocolError("no_game", f"there is no game {message.game!r}: {', '.join(GAMES)}", field="game")
        if message.seats not in game.seats:
            text = f"{game.title} has {game.seats.start} to {game.seats.stop - 1} seats"
            raise ProtocolError("bad_field", text, field="seats")
        try:
            options = msgspec.to_builtins(msgspec.convert(message.options, game.options))
        except msgspec.ValidationError as fault:
            raise bad_value(fault, "options") from None
        if message.seat is not None and message.seat >= message.seats:
            raise ProtocolError("bad_field", f"the table has seats 0 to {message.seats - 1}", field="seat")
        now, code = self.hub.now(), "".join(secrets.choice(ALPHABET) for _ in range(6))
        speed, public = message.speed, message.public
        seed = secrets.token_bytes(32)
        opening = Opened(now, game.name, options, message.seats, speed, public, self.user.id, code, seed)
        room = self.hub.new_room(opening)
        done = self._created(message.id, room, code)
        if message.seat is not None:
            self._sit_down(room, message.seat, done if message.bots is None else None, message.id)
        if message.bots is not None:
            self._fill(room, message.id, message.bots, done)
        elif message.seat is None:
            room.submit(Command(lambda _table, _at: None, done, self._failed(message.id), now))

    def _created(self, id: int, room: Room, code: str) -> Callable[[int, bool], None]:  # noqa: A002
        return lambda n, again: self.send(Ok(id=id, table=room.id, code=code, n=n))

    def _failed(self, id: int) -> Callable[[ProtocolError], None]:  # noqa: A002
        return lambda fault: self.refuse(id, fault)

    def _sit_down(self, room: Room, seat: int, done: Callable[[int, bool], None] | None, id: int) -> None:  # noqa: A002
        me = self.user
        command = Command(
            lambda table, at: table.sit(me.id, me.name, seat, at, bot=me.bot, owner=me.owner),
            done or _nothing,
            self._failed(id) if done else _nothing,
            self.hub.now(),
        )
        room.submit(command)

    def _fill(self, room: Room, id: int, level: str, done: Callable[[int, bool], object]) -> None:  # noqa: A002
        """Seat house bots one by one; the game starts by itself when the last one sits."""

        def next_one(n: int, again: bool) -> None:
            if again or room.table is None or room.table.full:
                done(n, again)
            else:
                submit()

        def submit() -> None:
            judge = _filling(self.user.id, level)
            room.submit(Command(judge, next_one, self._failed(id), self.hub.now()))

        submit()

    def _start(self, message: Start) -> None:
        room = self.tables.get(message.table) or self.hub.room(message.table)
        done = self._started(message.id, message.table)
        self._fill(room, message.id, message.bots, done)

    def _started(self, id: int, table: str) -> Callable[[int, bool], None]:  # noqa: A002
        return lambda n, again: self.send(Ok(id=id, table=table, n=n))

    def _move(self, message: Move) -> None:
        room = self.tables.get(message.table) or self.hub.room(message.table)
        user, began = self.user.id, time.perf_counter()

        def done(n: int, again: bool) -> None:
            self.send(Ok(id=message.id, n=n, again=again))
            self.hub.metrics.commit.observe(time.perf_counter() - began)

        def failed(fault: ProtocolError) -> None:
            self._requests.take(1)
            self.refuse(message.id, fault)

        room.submit(
            Command(lambda table, at: table.move(user, message, at), done, failed, self.hub.now(), (user, message.key))
        )

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

    def _rematch(self, message: Rematch) -> None:
        """Open the next table and say so on this one; whoever is second goes where the first went."""
        old = self.tables.get(message.table)
        if old is None or old.table is None:
            raise ProtocolError("not_open_here", "open the table first", field="table")
        before = old.table
        before.must_be("ended")
        mine = before.seat_of(self.user.id)
        if mine is None:
            raise ProtocolError("not_seated", "only those who played can ask for a rematch")
        if before.rematch is not None:
            self._follow(message.id, before.rematch)
            return
        now, code = self.hub.now(), "".join(secrets.choice(ALPHABET) for _ in range(6))
        opening = msgspec.structs.replace(
            before.opened, at=now, host=self.user.id, code=code, seed=secrets.token_bytes(32)
        )
        room = self.hub.new_room(opening)
        for decision in _same_seats(before, self.user.id, now):
            room.submit(Command(_always(decision), _nothing, _nothing, now))

        def done(n: int, again: bool) -> None:
            assert old.table
            if old.table.rematch is not None:
                self._follow(message.id, old.table.rematch)

        old.submit(
            Command(lambda table, at: table.join_rematch(room.id, at), done, self._failed(message.id), self.hub.now())
        )

    def _follow(self, id: int, table: str) -> None:  # noqa: A002
        """Sit down on the seat that is held at the table of the rematch."""
        me = self.user
        room = self.hub.room(table)
        command = Command(
            lambda found, at: found.sit(me.id, me.name, None, at, bot=me.bot, owner=me.owner),
            lambda n, again: self.send(Ok(id=id, table=table, n=n, again=again)),
            self._failed(id),
            self.hub.now(),
        )
        room.submit(command)


def _filling(user: str, level: str) -> Callable[[Table, int], Decision | None]:
    return lambda table, at: table.fill(user, level, at)


def _always(decision: Decision) -> Callable[[Table, int], Decision]:
    return lambda table, at: decision


def _same_seats(before: Table, me: str, now: int) -> list[Decision]:
    """The seats of a rematch: bots and the asker sit, for the others theirs are held."""
    entries: list[Decision] = []
    for seat, chair in enumerate(before.chairs):
        if chair.user is None or chair.name is None:
            continue
        if chair.level or chair.user == me:
            sat = Sat(now, seat, chair.user, chair.name, chair.bot, chair.level, chair.owner)
            entries.append(Decision(sat))
        else:
            entries.append(Decision(Held(now, seat, chair.user, chair.name)))
    return sorted(entries, key=lambda decision: isinstance(decision.entry, Sat))


def _nothing(*_: object) -> None:
    """For commands whose answer is another command's."""
