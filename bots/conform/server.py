"""A simulated server for one bot and one situation.

It listens, starts the bot, and answers as docs/protocol.md says whatever the situation does not answer itself.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from hashlib import sha256
from typing import Any

import msgspec
from websockets.asyncio.server import ServerConnection, serve
from websockets.http11 import Request, Response

from bots.conform.candidate import Candidate
from bots.conform.connection import BotConnection, Failed, NoMessage, type_name
from bots.conform.move_rules import MoveRules
from bots.conform.table import LIMITS, NOW, SPEEDS_MS, KitTable, catalogue
from games.refusals import IllegalMove
from protocol.messages import (
    MAX_FRAME_BYTES,
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
MAX_STALE_MOVES = 20  # in a row, after which the bot has failed


class NotApplicable(Exception):  # noqa: N818
    """The situation does not concern this bot."""


class KitServer:
    """The server of one situation."""

    def __init__(self, candidate: Candidate, game: str, name: str, patience_s: float) -> None:
        self.candidate = candidate
        self.patience_s = patience_s
        self.table = KitTable(game, sha256(name.encode()).hexdigest()[:10], CODE)  # the same id deals the same cards
        self.hello: Hello | None = None
        self.handshakes_to_refuse = 0
        self.attempts = 0
        self.welcome: dict[str, Any] = {}
        self.entry_by_key: dict[str, int] = {}
        self.patching = False
        self.rules = MoveRules(self.table.id)
        self.moves: list[tuple[float, Move]] = []
        self.opened_with: list[int | None] = []
        self.declined: set[str] = set()  # tables
        self._connections: asyncio.Queue[BotConnection] = asyncio.Queue()
        self._connection: BotConnection | None = None
        self._pending_moves: list[Move] = []
        self._view: dict[str, Any] = {}
        self._shown = 0
        self.feed = False
        self.may_restart = False  # the kit closed the connection, so a bot that ends now is restarted

    async def play(self, situation: Callable[[KitServer], Any]) -> None:
        """Listen, start the bot, and run a situation."""
        port = self.candidate.port
        hook = self._handshake
        async with serve(
            self._arrived,
            "127.0.0.1",
            port,
            process_request=hook,
            max_size=MAX_FRAME_BYTES,
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
        if self.handshakes_to_refuse > 0:
            self.handshakes_to_refuse -= 1
            return socket.respond(503, "going away\n")
        return None

    async def _arrived(self, socket: ServerConnection) -> None:
        connection = BotConnection(socket)
        self._connections.put_nowait(connection)
        await connection.read()

    # Connections.

    @property
    def connection(self) -> BotConnection:
        """The bot's connection."""
        assert self._connection
        return self._connection

    async def wait_for_hello(self) -> Hello:
        """Wait for a connection and its hello."""
        waiting = asyncio.ensure_future(self.next_connection())
        try:
            await self.candidate.wait(waiting, self.patience_s, again=self.may_restart)
        except (TimeoutError, EOFError) as fault:
            raise Failed(f"P8: the bot did not connect: {fault}") from None
        finally:
            waiting.cancel()
        self._connection, self.may_restart, self.feed = waiting.result(), False, False
        hello = await self.next_message()
        assert isinstance(hello, Hello)  # the session accepts nothing else
        if hello.token != self.candidate.token:
            raise Failed(f"P18: hello has another token than the given one: {hello.token!r}")
        self.hello = hello
        return hello

    async def send_welcome(self, **more: Any) -> None:
        """Answer hello with welcome."""
        assert self.hello
        tables = [self.table.id] if self.table.seated and self.table.status in ("open", "running") else []
        self.welcome = {
            "type": "welcome",
            "id": self.hello.id,
            "v": 1,
            "user": {"id": "b00conform", "name": "Candidate", "bot": True, "owner": "conform"},
            "games": catalogue(),
            "speeds": SPEEDS_MS,
            "limits": LIMITS,
            "tables": tables,
            "now": NOW,
        }
        self.connection.session.welcome()
        await self.connection.send({**self.welcome, **more}, unusual=bool(more))
        if self.hello.plays is not None and not self.table.seated:
            await self.invite()

    async def invite(self) -> None:
        """Invite the bot to its table."""
        assert self.hello
        assert self.hello.plays
        if self.hello.plays.games is not None and self.table.game.name not in self.hello.plays.games:
            raise NotApplicable(f"the bot does not play {self.table.game.name}")
        await self.connection.send(
            {
                "type": "invited",
                "table": self.table.id,
                "seat": self.table.bot_seat,
                "game": self.table.game.name,
                "by": "Ada",
            }
        )

    async def welcome_bot(self) -> None:
        """Wait for the bot's hello and welcome it."""
        await self.wait_for_hello()
        await self.send_welcome()

    def drop_connection(self, how: int | None = None) -> asyncio.Task[None]:
        """Close the connection with this code, or abort it as if a cable were cut."""
        self.may_restart = True
        if how is None:
            self.connection.socket.transport.abort()
            return asyncio.ensure_future(asyncio.sleep(0))
        return asyncio.ensure_future(self.connection.socket.close(how, "conform"))

    async def next_connection(self) -> BotConnection:
        """The next connection of the bot that nobody has waited for."""
        return await self._connections.get()

    # Messages from the bot.

    async def next_message(self, within_s: float | None = None) -> ClientMessage:
        """The next message of the bot; raises Failed if it is invalid, NoMessage if none comes."""
        waiting = asyncio.ensure_future(self.connection.received.get())
        try:
            await self.candidate.wait(waiting, within_s or self.patience_s, again=False)
        except (TimeoutError, EOFError) as fault:
            raise NoMessage(str(fault)) from None
        finally:
            waiting.cancel()
        came = waiting.result()
        if came is None:
            raise NoMessage(f"the bot closed the connection{await self.candidate.exit_code()}")
        if isinstance(came, Failed):
            raise came
        at, message = came
        if isinstance(message, Decline):
            self.declined.add(message.table)
        if isinstance(message, Move):
            self.moves.append((at, message))
            self.rules.check(message)
        return message

    async def receive(self, *wanted: type) -> Any:
        """The next message of a wanted type. Other messages are answered as usual; moves are kept for later."""
        mine = [move for move in self._pending_moves if Move in wanted and move.table == self.table.id]
        if mine:
            self._pending_moves.remove(mine[0])
            return mine[0]
        while True:
            try:
                message = await self.next_message()
            except NoMessage as silent:
                raise NoMessage(f"{silent}: expected {' or '.join(map(type_name, wanted))}") from None
            if isinstance(message, Move) and (Move not in wanted or message.table != self.table.id):
                self._pending_moves.append(message)  # it is received later, or for its own table
            elif type(message) in wanted:
                return message
            else:
                await self.answer(message)

    async def collect(self, seconds: float) -> list[ClientMessage]:
        """All messages of this time. They are answered as usual, except moves. The bot may also leave."""
        heard: list[ClientMessage] = [*self._pending_moves]
        self._pending_moves = []
        async for message in self.during(seconds):
            heard.append(message)
            if not isinstance(message, Move):
                await self.answer(message)
        return heard

    async def during(self, seconds: float) -> AsyncIterator[ClientMessage]:
        """The messages of this time, as they come. The bot may also leave."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            try:
                message = await self.next_message(left)
            except NoMessage:
                await asyncio.sleep(max(0.0, end - time.monotonic()))
                return
            yield message

    # Answers.

    async def send_ok(self, message: ClientMessage, **more: Any) -> None:
        """Answer a request with ok."""
        await self.connection.send({"type": "ok", "id": message.id, **more})

    async def send_error(
        self, message: ClientMessage, code: str, text: str = "refused by the conformance kit", **more: Any
    ) -> None:
        """Answer a request with an error."""
        await self.connection.send({"type": "error", "id": message.id, "code": code, "message": text, **more})

    async def answer(self, message: ClientMessage) -> None:
        """Answer a request as the real server would."""
        match message:
            case Open():
                await self.open_table(message)
            case Sit(table=self.table.id):
                await self.sit_bot(message)
            case Close(table=table):
                self.feed = self.feed and table != self.table.id
                await self.send_ok(message, table=table)
            case Create() | Practice() | Rematch() | Start() | Invite():
                await self.send_error(message, "not_allowed", "there is one table here: the one with the code")
            case Lobby(on=True):
                await self.send_ok(message)
                await self.connection.send({"type": "tables", "whole": True})
            case Sit() | Decline():
                await self.send_error(message, "no_table", "there is no such table", field="table")
            case _:
                await self.send_ok(message)

    async def open_table(self, message: Open) -> None:
        """Start the feed of the table."""
        table = self.table
        code = (message.code or "").lower().replace("-", "").replace(" ", "")
        if message.table != table.id and code != table.code:
            await self.send_error(message, "no_table", "there is no such table", field="table")
            return
        self.feed = True
        self.opened_with.append(message.last)
        await self.send_ok(message, table=table.id, n=table.n)
        await self.connection.send(table.info())
        for update in table.since(message.last):
            await self.send_update(update)

    async def sit_bot(self, message: Sit) -> None:
        """Give the bot its seat."""
        again = self.table.seated
        if not again:
            self.table.sit()
        await self.send_ok(message, table=self.table.id, n=self.table.n, **({"again": True} if again else {}))

    # Playing.

    async def seat_bot(self) -> None:
        """Wait until the bot has a seat and the table's feed, and start the game."""
        while not (self.table.seated and self.feed):
            message = await self.receive(Open, Sit)
            await self.answer(message)
        if self.table.status == "open":
            begun = self.table.start_game()
            await self.connection.send(self.table.info())
            await self.send_update(begun)

    async def send_update(self, update: dict[str, Any], *, unusual: bool = False) -> dict[str, Any]:
        """Send an update, as a patch if the bot gets patches, and note its asks."""
        self.rules.note_update(update)
        said, view = update, update.get("view")
        if self.patching and view is not None and self._shown == update["n"] - 1:
            said = {key: value for key, value in update.items() if key not in ("view", "at")}
            said["patch"] = {"set": {name: view[name] for name in view if view[name] != self._view.get(name)}}
        if view is not None:
            self._view, self._shown = view, update["n"]
        await self.connection.send(said, unusual=unusual)
        return update

    async def play_until_asked(self) -> dict[str, Any]:
        """Play the other seats until the bot is asked, sending each update; returns the last one."""
        update = self.table.fresh_view()
        for update in self.table.play_others():
            await self.send_update(update)
        if self.table.ask is None:
            raise NotApplicable("the game was over before the bot was asked often enough")
        return update

    async def play_until_asked_unsent(self) -> dict[str, Any]:
        """Like play_until_asked, but the update with the ask is returned without being sent."""
        while self.table.ask is not None:
            await self.accept_move(await self.receive_move())
        update = self.table.fresh_view()
        for update in self.table.play_others():
            if self.table.ask is None:
                await self.send_update(update)
        if self.table.ask is None:
            raise NotApplicable("the game was over before the bot was asked often enough")
        return update

    async def receive_move(self) -> Move:
        """The bot's move for the current ask. Moves for older asks are refused as stale."""
        for _ in range(MAX_STALE_MOVES):
            move: Move = await self.receive(Move)
            ask, asides = self.table.ask, self.table.asides
            if move.key in self.entry_by_key:
                await self.send_ok(move, n=self.entry_by_key[move.key], again=True)
                continue
            if ask is not None and move.ask == ask.n:
                return move
            if asides is not None and move.ask == asides.n:
                await self.accept_move(move)
            elif ask is None:
                await self.send_error(move, "not_asked", "nothing is asked of your seat now", field="ask")
            else:
                text = f"this answers ask {move.ask}, and ask {ask.n} is current"
                await self.send_error(move, "stale_ask", text, field="ask", ask=ask.n)
        raise Failed(f"P33: {MAX_STALE_MOVES} moves answered an ask that was not current")

    def apply_move(self, move: Move) -> dict[str, Any]:
        """Make the move at the table; returns its update. Raises Failed if the move is illegal."""
        value = msgspec.msgpack.decode(move.move)
        try:
            update = self.table.play(value)
            self.entry_by_key[move.key] = self.table.n
            return update
        except (IllegalMove, msgspec.ValidationError) as no:
            raise Failed(f"P30: the move {value} fills no offer of ask {move.ask}: {no}") from None

    async def accept_move(self, move: Move) -> None:
        """Make the move, acknowledge it, and send its update."""
        update = self.apply_move(move)
        await self.send_ok(move, n=self.table.n)
        await self.send_update(update)
        if self.table.status == "ended":
            await self.connection.send(self.table.info())

    async def play_decision(self) -> Move:
        """Play until the bot is asked, and accept its move."""
        await self.play_until_asked()
        move = await self.receive_move()
        await self.accept_move(move)
        return move

    async def play_two_decisions(self) -> None:
        """Play two decisions. The bot may send the first before our last message reaches it, but not the second."""
        await self.play_decision()
        await self.play_decision()

    async def play_first_decision(self) -> None:
        """Welcome and seat the bot, start the game, and play its first decision."""
        await self.welcome_bot()
        await self.seat_bot()
        await self.play_decision()
