"""A bot's connection: it reconnects, resumes its tables, and answers every ask with one move."""

from __future__ import annotations

import asyncio
import inspect
import logging
import random
from collections.abc import Callable, Coroutine, Iterable
from typing import Any

import msgpack
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus

from bots.offers import Info, Move, fill, parts
from bots.rate_limit import RateLimit
from bots.seats import Decision, Seat
from bots.turn import AnyChoose, taking_turn

log = logging.getLogger("cheeseboard.bot")

# Error codes by what to do about them; docs/bots.md, "Errors".
RETRY_LATER = {"unavailable", "busy", "rate_limited", "too_soon"}  # send the same again after a pause
SUPERSEDED = {"stale_ask", "not_asked"}  # drop the move: the update with the current ask is on its way
TABLE_GONE = {"no_table", "not_running", "not_seated", "not_open", "not_allowed"}  # drop the move
# The move itself is wrong: send another one.
BAD_MOVE = {"illegal_move", "bad_field", "missing_field", "surplus_field", "unknown_type", "malformed", "too_large"}
# The next hello would fail as well.
FATAL = {"bad_token", "bad_version", "bad_name", "banned", "no_game", "not_allowed"}
REVOKED = 4004  # close codes
BANNED = 4005
MAX_PAUSE_S = 2.0  # between two attempts to connect
MAX_TRIES = 5  # for a request that fails with any other code (P41)
CONNECTION_LOST = (ConnectionError, ConnectionClosed)
ANSWER_TIMEOUT_S = 30  # then the connection counts as dead and is replaced
MAX_BYTES = 16_384  # of a message, if welcome does not say (P8)


class Refused(Exception):  # noqa: N818
    """The server answered a request with an error."""

    def __init__(self, error: dict[str, Any]) -> None:
        at = " ".join(f"({word} {error[word]})" for word in ("field", "rule") if error.get(word))
        super().__init__(" ".join(part for part in (f"{error['code']}: {error['message']}", at) if part))
        self.error = error
        self.code: str = error["code"]
        self.pause_s: float = error.get("retry_after_ms", 500) / 1000


class Bot:
    """One connection for one token, any number of tables.

    `choose_for` maps the `table` message of a table to the `choose` for it. A bot with `plays`
    (`{"games": [...], "tables": n}`, without games for all of them) is listed for hosts, who can invite it; `accept`
    decides about each invitation.
    """

    def __init__(
        self, url: str, token: str, choose_for: Callable[[Info], AnyChoose], plays: dict[str, Any] | None = None
    ) -> None:
        self.url = url
        self.token = token
        self.plays = plays
        self.accept: Callable[[dict[str, Any]], bool] = lambda invited: True
        self.on_end: Callable[[Info], None] = lambda info: None
        self.on_answer: Callable[[Seat, Decision], None] = lambda seat, decision: None
        self.pause: Callable[[Seat, Decision], float] | None = None  # seconds before a decision
        self.welcome: dict[str, Any] = {}
        self.seats: dict[str, Seat] = {}
        self.chance = random.Random()
        self.decisions = 0
        self._choose_for = choose_for
        self.welcomed = asyncio.Event()
        self._socket: ClientConnection | None = None
        self._rate_limit = RateLimit({})
        self._answers: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._number = 0
        self._pause_s = 0.05
        self._loss_logged = False
        self._refused_handshakes = 0
        self._tasks: set[asyncio.Task[None]] = set()

    # The connection.

    async def run(self) -> None:
        """Connect and play for ever; reconnect whenever the connection is lost. Raises Refused for a bad token."""
        while True:
            try:
                async with connect(self.url, max_size=None, compression=None) as socket:
                    await self._converse(socket)
                if socket.close_code == REVOKED:
                    raise Refused({"code": "bad_token", "message": "the token was revoked"})
                if socket.close_code == BANNED:
                    raise Refused({"code": "banned", "message": "the operator has banned this bot"})
                self._connection_lost(f"closed with {socket.close_code} {socket.close_reason or ''}")
            except InvalidStatus as fault:
                self._handshake_refused(fault.response.status_code)
            except (OSError, ConnectionClosed, InvalidHandshake, TimeoutError) as fault:
                self._connection_lost(str(fault) or type(fault).__name__)
            finally:
                self._reset()
            await asyncio.sleep(self._pause_s * (1 + self.chance.random()))
            self._pause_s = min(MAX_PAUSE_S, self._pause_s * 2)

    async def _converse(self, socket: ClientConnection) -> None:
        frames = aiter(socket)
        async with asyncio.timeout(ANSWER_TIMEOUT_S):
            welcome = await self._say_hello(socket)
        self.welcome, self._socket = welcome, socket
        self._rate_limit = RateLimit(welcome.get("limits", {}))
        self._pause_s, self._loss_logged = 0.05, False
        self.welcomed.set()
        self._spawn(self._resume({*self.seats, *welcome.get("tables", ())}))
        try:
            async for frame in frames:
                if isinstance(frame, bytes):
                    self._on_message(msgpack.unpackb(frame))
        except ConnectionClosed:
            if socket.close_code not in (REVOKED, BANNED):
                raise

    async def _say_hello(self, socket: ClientConnection) -> dict[str, Any]:
        """Send hello until the answer is welcome."""
        hello = {"type": "hello", "id": 0, "v": 1, "token": self.token}
        if self.plays is not None:
            hello["plays"] = self.plays
        while True:
            await socket.send(msgpack.packb(hello))
            answer = msgpack.unpackb(await socket.recv())
            while answer["type"] not in ("welcome", "error"):
                answer = msgpack.unpackb(await socket.recv())
            if answer["type"] == "welcome":
                return dict(answer)
            refusal = Refused(answer)
            if refusal.code in FATAL:
                raise refusal
            log.warning("hello was refused: %s", refusal)
            await asyncio.sleep(refusal.pause_s)

    async def _resume(self, tables: Iterable[str]) -> None:
        """Open every table again, each in a task of its own."""
        for table in tables:
            self._spawn(self.play_at(table))

    def _connection_lost(self, why: str) -> None:
        if not self._loss_logged:
            log.warning("no connection to %s: %s; reconnecting", self.url, why)
        self._loss_logged = True

    def _handshake_refused(self, status: int) -> None:
        """Give up if no service is at this address: on 404, or on repeated 403, which a stopping node sends too."""
        self._refused_handshakes += 1
        if status == 404 or (status == 403 and not self.welcome and self._refused_handshakes > MAX_TRIES):
            raise Refused({"code": f"HTTP {status}", "message": f"there is no Cheeseboard at {self.url}"})
        self._connection_lost(f"HTTP {status}")

    def _reset(self) -> None:
        self._socket = None
        self.welcomed.clear()
        for seat in self.seats.values():
            seat.fresh.clear()
        for future in self._answers.values():
            if not future.done():
                future.set_exception(ConnectionError("the connection was lost"))
        self._answers.clear()

    # Requests.

    async def request(self, type: str, **fields: Any) -> dict[str, Any]:  # noqa: A002
        """Send a request once; returns its answer. Raises Refused or ConnectionError."""
        await self._rate_limit.wait(type)
        if self._socket is None:
            raise ConnectionError("not connected")
        self._number += 1
        number = self._number
        frame = self._packed({"type": type, "id": number, **fields})
        future = self._answers[number] = asyncio.get_running_loop().create_future()
        try:
            await self._socket.send(frame)
            async with asyncio.timeout(ANSWER_TIMEOUT_S):
                answer: dict[str, Any] = await future
        except TimeoutError:
            log.warning("no answer to %s within %s s: reconnecting", type, ANSWER_TIMEOUT_S)
            if self._socket is not None:
                self._socket.transport.abort()
            raise ConnectionError(f"no answer to {type}") from None
        finally:
            self._answers.pop(number, None)
        if answer["type"] == "error":
            raise Refused(answer)
        return answer

    def _packed(self, message: dict[str, Any]) -> bytes:
        """The frame of a message. Raises Refused for one that would end the connection, unread."""
        try:
            frame: bytes = msgpack.packb(message)
        except (TypeError, ValueError, OverflowError) as fault:
            raise Refused({"code": "bad_field", "message": f"this cannot be sent: {fault}"}) from None
        if len(frame) > self.welcome.get("limits", {}).get("frame_bytes", MAX_BYTES):
            raise Refused({"code": "too_large", "message": f"this has {len(frame)} bytes, too many for a message"})
        return frame

    async def insist(self, type: str, **fields: Any) -> dict[str, Any]:  # noqa: A002
        """Send a request until it succeeds, over new connections if need be. Raises Refused if a retry cannot help."""
        tries = 0
        while True:
            await self.welcomed.wait()
            try:
                return await self.request(type, **fields)
            except CONNECTION_LOST:
                await asyncio.sleep(0.01)
            except Refused as refusal:
                tries += refusal.code not in RETRY_LATER
                if refusal.code not in RETRY_LATER and (refusal.code != "internal" or tries > MAX_TRIES):
                    raise
                await asyncio.sleep(refusal.pause_s)

    async def play_at(self, table: str) -> None:
        """Open a table and answer every ask of this bot's seat."""
        seat = self.seats.get(table) or self.seats.setdefault(table, Seat(table))
        try:
            await self.insist("open", table=table, **({} if seat.last is None else {"last": seat.last}))
        except Refused as refusal:
            log.warning("table %s cannot be opened: %s", table, refusal)
            self._forget(table)

    async def _on_invited(self, invited: dict[str, Any]) -> None:
        """Take the seat that is held for this bot, or decline."""
        table, plays = invited["table"], self.plays or {"games": ()}  # without games a bot plays all of them
        if table in self.seats:
            return
        full = len(self.seats) >= plays.get("tables", 1)
        unknown = invited["game"] not in plays.get("games", (invited["game"],))
        if full or unknown or not self.accept(invited):
            log.info("declined %s's invitation to %s", invited["by"], invited["game"])
            await self.insist("decline", table=table)
            return
        self.seats[table] = Seat(table)
        try:
            await self.insist("sit", table=table)
        except Refused:
            self._forget(table)
            raise
        await self.play_at(table)

    def _forget(self, table: str) -> None:
        seat = self.seats.pop(table, None)
        if seat and seat.decision:
            seat.decision.cancel()
            seat.decision = None
            seat.fresh.set()  # wakes a send that waits for the connection, which then sees that the decision is gone

    def _spawn(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[None]:
        async def attempt() -> None:
            try:
                await work
            except CONNECTION_LOST:
                log.debug("connection lost during a request")
            except Refused as refusal:
                log.warning("refused: %s", refusal)
            except Exception:
                log.exception("unexpected error in the bot")

        task = asyncio.get_running_loop().create_task(attempt())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(lambda _: work.close())
        return task

    # Messages from the server.

    def _on_message(self, message: dict[str, Any]) -> None:
        match message["type"]:
            case "ok" | "error":
                future = self._answers.get(message["id"])
                if future and not future.done():
                    future.set_result(message)
                elif message["type"] == "error" and message["id"] is None:
                    log.warning("the server could not read a message: %s", Refused(message))
            case "seated":
                self._spawn(self.play_at(message["table"]))
            case "invited":
                self._spawn(self._on_invited(message))
            case "table":
                self._on_table(message)
            case "update":
                self._on_update(message)
            case "dismissed":
                self._forget(message["table"])
            case "bye":
                self._pause_s = max(0.05, message["retry_ms"] / 1000)

    def _on_table(self, info: Info) -> None:
        seat = self.seats.get(info["table"])
        if seat is None:
            return
        lost = (
            seat.info.get("you") is not None and info.get("you") is None
        )  # a person took the seat of a house bot (P19)
        seat.info = info
        if seat.early is not None:
            self._on_update(seat.early)
        ended = info["status"] in ("ended", "closed")
        if ended or lost:
            self._forget(info["table"])
            self._spawn(self.request("close", table=info["table"]))
        if ended:
            self.on_end(info)

    def _on_update(self, update: dict[str, Any]) -> None:
        """Start a decision for a new ask, cancel one whose ask has gone, and keep one whose ask is unchanged."""
        seat = self.seats.get(update["table"])
        if seat is None:
            return
        seat.note_update(update)
        if update.get("view") is None:
            return  # a missed entry (P27), or the game has not started
        seat.early = update if "you" not in seat.info else None
        if seat.early is not None:
            return  # the table message that says which seat this is comes next
        seat.fresh.set()
        ask, now = update.get("ask"), seat.decision
        if now and (ask is None or ask["n"] != now.ask or ask["offers"] != now.offers):
            seat.decision = None
            now.cancel()
        if ask is not None and seat.decision is None:
            seat.decision = decision = Decision(ask, update["view"], update.get("asides"), update.get("at"))
            decision.task = self._spawn(self._answer(seat, decision))

    # Decisions.

    async def _answer(self, seat: Seat, decision: Decision) -> None:
        if self.pause is not None:
            decision.pause_s = self.pause(seat, decision)
            await asyncio.sleep(decision.pause_s)
        move, note = await self._choose_move(seat, decision)
        if _is_aside(move, decision):
            await self._say_aside(seat, decision, move)
            move, note = await self._choose_move(seat, decision)
        if not await self._send_move(seat, decision, move, note):
            log.warning("making a random move instead")
            await self._send_move(seat, decision, fill(self.chance.choice(decision.offers), self.chance), None)
        self.on_answer(seat, decision)

    async def _choose_move(self, seat: Seat, decision: Decision) -> tuple[Move, str | None]:
        try:
            if seat.choose is None:
                seat.choose = taking_turn(self._choose_for(seat.info))
            chosen = seat.choose(decision.view, decision.offers, self.chance, seat.turn(decision))
            return parts(await chosen if inspect.isawaitable(chosen) else chosen)
        except Exception:
            log.exception("choose failed; making a random move")
            return fill(self.chance.choice(decision.offers), self.chance), None

    async def _say_aside(self, seat: Seat, decision: Decision, move: Move) -> None:
        """Say this once, and forget the asides: a decision says at most one thing."""
        asides, decision.asides = decision.asides, None
        assert asides
        try:
            await self.request("move", table=seat.table, ask=asides["n"], key=f"{decision.key}-aside", move=move)
        except Refused as refusal:
            log.info("the aside %s was refused: %s", move, refusal)

    async def _send_move(self, seat: Seat, decision: Decision, move: Move, note: str | None) -> bool:
        """Send a move until it is answered; False if the server refuses the move itself."""
        more = {} if note is None else {"note": note[:200]}
        decision.sending, tries = True, 0
        while seat.decision is decision:
            try:
                await self.request("move", table=seat.table, ask=decision.ask, key=decision.key, move=move, **more)
                self.decisions += 1
                return True
            except CONNECTION_LOST:
                if seat.decision is decision:
                    seat.fresh.clear()
                    await seat.fresh.wait()
            except Refused as refusal:
                if refusal.code in BAD_MOVE:
                    log.warning("the move %.200s was refused: %s", move, refusal)
                    return False
                if refusal.code in SUPERSEDED or refusal.code in TABLE_GONE:
                    log.info("too late: %s", refusal)
                    return True
                tries += refusal.code not in RETRY_LATER
                if tries > MAX_TRIES:
                    log.warning("the move %s failed %s times: %s", move, tries, refusal)
                    return True
                await asyncio.sleep(refusal.pause_s)
        return True


def _is_aside(move: Move, decision: Decision) -> bool:
    """Whether this fills an aside, and no offer."""
    asides = decision.asides["offers"] if decision.asides else ()
    kind = move.get("type")
    return kind in {one["move"] for one in asides} and kind not in {one["move"] for one in decision.offers}
