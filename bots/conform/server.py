"""A server for one bot and one situation: it listens, starts the bot, and says what a real server would say.

What a situation does not do itself is answered here as docs/protocol.md has it.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from hashlib import sha256
from typing import Any

import msgspec
from websockets.asyncio.server import ServerConnection, serve
from websockets.http11 import Request, Response

from bots.conform.board import LIMITS, NOW, SPEEDS, Board, catalogue
from bots.conform.candidate import Candidate
from bots.conform.link import Failed, Link
from games.core import IllegalMove
from protocol.messages import (
    MOST_BYTES,
    ClientMessage,
    Close,
    Create,
    Decline,
    Hello,
    Invite,
    Lobby,
    Move,
    Open,
    Practice,
    Rematch,
    Sit,
    Start,
)

CODE = "c0nf0rm"
MOST_STRAYS = 20  # moves that answer no question, one after another


class NotForThis(Exception):  # noqa: N818
    """The situation has nothing to ask of a bot like this."""


class Stage:
    """The server of one situation."""

    def __init__(self, candidate: Candidate, game: str, name: str, patience_s: float) -> None:
        self.candidate = candidate
        self.patience_s = patience_s
        self.board = Board(game, sha256(name.encode()).hexdigest()[:10], CODE)  # the same cards every time
        self.hello: Hello | None = None
        self.refusals = 0  # handshakes that are refused before one is let in
        self.attempts = 0
        self.welcome: dict[str, Any] = {}
        self.keys: dict[tuple[str, str], int] = {}
        self.done: dict[str, int] = {}
        self.patching = False
        self.asked: set[int] = set()
        self.moves: list[tuple[float, Move]] = []
        self.opened_with: list[int | None] = []
        self._links: asyncio.Queue[Link] = asyncio.Queue()
        self._link: Link | None = None
        self._kept: list[Move] = []
        self._view: dict[str, Any] = {}
        self._shown = 0
        self.feed = False
        self.let_go = False  # the situation ended the connection itself, so a bot that ends may be started again

    async def play(self, situation: Callable[[Stage], Any]) -> None:
        """Listen, start the bot, and go through a situation."""
        port = self.candidate.port
        hook = self._handshake
        async with serve(
            self._arrived,
            "127.0.0.1",
            port,
            process_request=hook,
            max_size=MOST_BYTES,
            compression=None,
            ping_interval=None,
            close_timeout=0.5,
        ) as server:
            await self.candidate.start(next(iter(server.sockets)).getsockname()[1], CODE)
            try:
                await situation(self)
            finally:
                await self.candidate.stop()
                server.close(close_connections=True)

    def _handshake(self, socket: ServerConnection, request: Request) -> Response | None:
        self.attempts += 1
        if request.path.partition("?")[0] != "/ws":
            return socket.respond(404, "the websocket is at /ws (P8)\n")
        if self.refusals > 0:
            self.refusals -= 1
            return socket.respond(503, "going away\n")
        return None

    async def _arrived(self, socket: ServerConnection) -> None:
        link = Link(socket)
        self._links.put_nowait(link)
        await link.read()

    # Connections.

    @property
    def link(self) -> Link:
        """The bot's connection."""
        assert self._link
        return self._link

    async def arrive(self) -> Hello:
        """Wait for a connection and its hello."""
        waiting = asyncio.ensure_future(self._links.get())
        try:
            await self.candidate.wait(waiting, self.patience_s, again=self.let_go)
        except (TimeoutError, EOFError) as fault:
            raise Failed(f"P8: no connection came: {fault}") from None
        finally:
            waiting.cancel()
        self._link, self.let_go, self.feed = waiting.result(), False, False
        hello = await self.next()
        assert isinstance(hello, Hello)  # the session lets nothing else through
        if hello.token != self.candidate.token:
            raise Failed(f"P18: hello has another token than the one given: {hello.token!r}")
        self.hello = hello
        return hello

    async def admit(self, **more: Any) -> None:
        """Answer hello with welcome."""
        assert self.hello
        tables = [self.board.table] if self.board.seated and self.board.status == "running" else []
        self.welcome = {
            "type": "welcome",
            "id": self.hello.id,
            "v": 1,
            "user": {"id": "b00conform", "name": "Candidate", "bot": True, "owner": "conform"},
            "games": catalogue(),
            "speeds": SPEEDS,
            "limits": LIMITS,
            "tables": tables,
            "now": NOW,
        }
        self.link.session.welcome()
        await self.link.say({**self.welcome, **more}, odd=bool(more))
        if self.hello.plays is not None and not self.board.seated:
            await self.invite()

    async def invite(self) -> None:
        """A host asks the bot to come."""
        assert self.hello
        assert self.hello.plays
        if self.board.game.name not in self.hello.plays.games:
            raise NotForThis(f"the bot does not play {self.board.game.name}")
        await self.link.say(
            {
                "type": "invited",
                "table": self.board.table,
                "seat": self.board.mine,
                "game": self.board.game.name,
                "by": "Ada",
            }
        )

    async def come(self) -> None:
        """The bot connects and is welcome."""
        await self.arrive()
        await self.admit()

    def drop(self, how: int | None = None) -> asyncio.Task[None]:
        """End the connection: with this close code, or as when a cable is cut."""
        self.let_go = True
        if how is None:
            self.link.socket.transport.abort()
            return asyncio.ensure_future(asyncio.sleep(0))
        return asyncio.ensure_future(self.link.socket.close(how, "conform"))

    # What the bot says.

    async def next(self, within_s: float | None = None) -> ClientMessage:
        """The next message of the bot; Failed if it goes or says what no server understands."""
        waiting = asyncio.ensure_future(self.link.came.get())
        try:
            await self.candidate.wait(waiting, within_s or self.patience_s, again=False)
        except (TimeoutError, EOFError) as fault:
            raise Failed(str(fault)) from None
        finally:
            waiting.cancel()
        came = waiting.result()
        if came is None:
            raise Failed(f"the bot closed the connection{await self.candidate.last_words()}")
        if isinstance(came, Failed):
            raise came
        at, message = came
        if isinstance(message, Move):
            self._look_at(at, message)
        return message

    def _look_at(self, at: float, move: Move) -> None:
        """What every move has to keep to, whatever comes of it."""
        self.moves.append((at, move))
        if move.table == self.board.table and move.ask not in self.asked:
            raise Failed(f"P31: a move answers ask {move.ask}, which was never asked; asked were {sorted(self.asked)}")
        before = self.keys.setdefault((move.table, move.key), move.ask)
        if before != move.ask:
            raise Failed(f"P32: the key {move.key!r} was used for ask {before} and again for ask {move.ask}")

    async def hear(self, *wanted: type) -> Any:
        """The next message of a wanted type; everything else is answered as usual, and moves are kept."""
        mine = [move for move in self._kept if Move in wanted and move.table == self.board.table]
        if mine:
            self._kept.remove(mine[0])
            return mine[0]
        while True:
            message = await self.next()
            if isinstance(message, Move) and (Move not in wanted or message.table != self.board.table):
                self._kept.append(message)  # its time, or its table's, is yet to come
            elif type(message) in wanted:
                return message
            else:
                await self.reply(message)

    async def for_a_while(self, seconds: float) -> list[ClientMessage]:
        """All that the bot says in this time, answered as usual but for moves; it may also go."""
        heard: list[ClientMessage] = [*self._kept]
        end = time.monotonic() + seconds
        self._kept = []
        while (left := end - time.monotonic()) > 0:
            try:
                message = await self.next(left)
            except Failed as fault:
                if str(fault).startswith("P"):
                    raise
                await asyncio.sleep(max(0.0, end - time.monotonic()))
                break
            heard.append(message)
            if not isinstance(message, Move):
                await self.reply(message)
        return heard

    # What is answered to it.

    async def ok(self, message: ClientMessage, **more: Any) -> None:
        """Yes."""
        await self.link.say({"type": "ok", "id": message.id, **more})

    async def refuse(self, message: ClientMessage, code: str, text: str = "conform says no", **more: Any) -> None:
        """No."""
        await self.link.say({"type": "error", "id": message.id, "code": code, "message": text, **more})

    async def reply(self, message: ClientMessage) -> None:
        """Answer as a server would."""
        match message:
            case Open():
                await self.open(message)
            case Sit(table=self.board.table):
                await self.sit(message)
            case Close(table=table):
                self.feed = self.feed and table != self.board.table
                await self.ok(message, table=table)
            case Create() | Practice() | Rematch() | Start() | Invite():
                await self.refuse(message, "not_allowed", "there is one table here: the one with the code")
            case Lobby(on=True):
                await self.ok(message)
                await self.link.say({"type": "tables", "whole": True})
            case Sit() | Decline():
                await self.refuse(message, "no_table", "there is no such table", field="table")
            case _:
                await self.ok(message)

    async def open(self, message: Open) -> None:
        """Start the feed."""
        board = self.board
        code = (message.code or "").lower().replace("-", "").replace(" ", "")
        if message.table != board.table and code != board.code:
            await self.refuse(message, "no_table", "there is no such table", field="table")
            return
        self.feed = True
        self.opened_with.append(message.last)
        await self.ok(message, table=board.table, n=board.n)
        await self.link.say(board.info())
        for update in board.since(message.last):
            await self.show(update)

    async def sit(self, message: Sit) -> None:
        """Give the bot its seat."""
        again = self.board.seated
        if not again:
            self.board.sit()
        await self.ok(message, table=self.board.table, n=self.board.n, **({"again": True} if again else {}))

    # The course of a game.

    async def seat(self) -> None:
        """Wait until the bot sits and has the table open, and start the game."""
        while not (self.board.seated and self.feed):
            message = await self.hear(Open, Sit)
            await self.reply(message)
        if self.board.status == "open":
            begun = self.board.begin()
            await self.link.say(self.board.info())
            await self.show(begun)

    async def show(self, update: dict[str, Any], *, odd: bool = False) -> dict[str, Any]:
        """Send an update and remember what it asks."""
        for asked in ("ask", "asides"):
            if asked in update:
                self.asked.add(update[asked]["n"])
        said, view = update, update.get("view")
        if self.patching and view is not None and self._shown == update["n"] - 1:
            said = {key: value for key, value in update.items() if key not in ("view", "at")}
            said["patch"] = {"set": {name: view[name] for name in view if view[name] != self._view.get(name)}}
        if view is not None:
            self._view, self._shown = view, update["n"]
        await self.link.say(said, odd=odd)
        return update

    async def ask(self) -> dict[str, Any]:
        """Let the others play until the bot is asked; the last update, which is sent like the others."""
        update = self.board.whole()
        for update in self.board.others():
            await self.show(update)
        if self.board.ask is None:
            raise NotForThis("the game was over before the bot was asked often enough")
        return update

    async def unsaid_ask(self) -> dict[str, Any]:
        """The same, but the update that asks is not sent: it is for the situation to say."""
        while self.board.ask is not None:
            await self.accept(await self.move())
        update = self.board.whole()
        for update in self.board.others():
            if self.board.ask is None:
                await self.show(update)
        if self.board.ask is None:
            raise NotForThis("the game was over before the bot was asked often enough")
        return update

    async def move(self) -> Move:
        """The bot's answer to what it is asked now; answers to older asks are refused as stale."""
        for _ in range(MOST_STRAYS):
            move: Move = await self.hear(Move)
            ask, asides = self.board.ask, self.board.asides
            if move.key in self.done:
                await self.ok(move, n=self.done[move.key], again=True)
                continue
            if ask is not None and move.ask == ask.n:
                return move
            if asides is not None and move.ask == asides.n:
                await self.accept(move)
            elif ask is None:
                await self.refuse(move, "not_asked", "nothing is asked of your seat now", field="ask")
            else:
                text = f"this answers ask {move.ask}, and ask {ask.n} is current"
                await self.refuse(move, "stale_ask", text, field="ask", ask=ask.n)
        raise Failed(f"P33: {MOST_STRAYS} moves answered an ask that was not current")

    def judged(self, move: Move) -> dict[str, Any]:
        """The update that the move makes; Failed if it fills no offer."""
        value = msgspec.msgpack.decode(move.move)
        try:
            update = self.board.play(value)
            self.done[move.key] = self.board.n
            return update
        except (IllegalMove, msgspec.ValidationError) as no:
            raise Failed(f"P30: the move {value} fills no offer of ask {move.ask}: {no}") from None

    async def accept(self, move: Move) -> None:
        """The move is made."""
        update = self.judged(move)
        await self.ok(move, n=self.board.n)
        await self.show(update)
        if self.board.status == "ended":
            await self.link.say(self.board.info())

    async def round(self) -> Move:
        """One decision as it usually goes."""
        await self.ask()
        move = await self.move()
        await self.accept(move)
        return move

    async def go_on(self) -> None:
        """Two decisions: the first may answer what was asked before the last thing said, the second comes after it."""
        await self.round()
        await self.round()

    async def begin(self) -> None:
        """From the start to the first decision, which goes as usual."""
        await self.come()
        await self.seat()
        await self.round()
