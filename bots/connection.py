"""A bot's connection: it comes back by itself, resumes its tables, and makes every decision once."""

from __future__ import annotations

import asyncio
import inspect
import logging
import random
import secrets
import time
from collections.abc import Callable, Coroutine, Iterable
from typing import Any

import msgpack
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus

from bots.choice import Choose, Info, Move, Offer, View, fill, parts

log = logging.getLogger("cheeseboard.bot")

LATER = {"unavailable", "busy", "rate_limited", "too_soon"}  # the same again after a while
WAIT = {"stale_ask", "not_asked"}  # the update with what is asked now is on its way
GONE = {"no_table", "not_running", "not_seated", "not_open", "not_allowed"}
OURS = {"illegal_move", "bad_field", "missing_field", "surplus_field", "unknown_type", "malformed"}
HOPELESS = {"bad_token", "bad_version", "bad_name"}  # hello will not go better the next time
REVOKED = 4004
MOST_PAUSE_S = 2.0
MOST_TRIES = 5  # at what fails for no reason that is known (P41)
LOST = (ConnectionError, ConnectionClosed)
PATIENCE_S = 30  # a connection on which an answer takes longer than this is given up


class Refused(Exception):  # noqa: N818
    """The server said no to a request."""

    def __init__(self, error: dict[str, Any]) -> None:
        at = " ".join(f"({word} {error[word]})" for word in ("field", "rule") if error.get(word))
        super().__init__(" ".join(part for part in (f"{error['code']}: {error['message']}", at) if part))
        self.error = error
        self.code: str = error["code"]
        self.pause_s: float = error.get("retry_after_ms", 500) / 1000


class Pace:
    """Keeps requests within the limits that welcome has told, so that none is refused for being too many."""

    def __init__(self, limits: dict[str, int]) -> None:
        self._most = max(1.0, limits.get("burst", 60) - 6.0)
        self._rate = limits.get("requests_per_second", 20) * 0.95
        self._left, self._at = self._most, time.monotonic()

    async def take(self, type: str) -> None:  # noqa: A002
        """Wait until a request of this type may be sent; moves that are made are free (P17)."""
        if type == "move":
            return
        now = time.monotonic()
        self._left = min(self._most, self._left + (now - self._at) * self._rate)
        self._at = now
        self._left -= 5 if type in ("create", "rematch") else 1
        if self._left < 0:
            await asyncio.sleep(-self._left / self._rate)


class Decision:
    """One ask and the answer to it, under one key however often it is sent."""

    def __init__(self, ask: dict[str, Any], view: View) -> None:
        self.ask: int = ask["n"]
        self.offers: list[Offer] = ask["offers"]
        self.view = view
        self.key = secrets.token_hex(8)
        self.task: asyncio.Task[None] | None = None
        self.sending = False

    def give_up(self) -> None:
        """Stop choosing; what was sent already is let be answered."""
        if self.task and not self.sending:
            self.task.cancel()


class Seat:
    """A table that the bot plays at."""

    def __init__(self, table: str) -> None:
        self.table = table
        self.last: int | None = None
        self.info: Info = {}
        self.choose: Choose | None = None
        self.decision: Decision | None = None
        self.fresh = asyncio.Event()  # what is asked is known on this connection


class Bot:
    """One connection for one token, any number of tables.

    `choose_for` is given what is known of a table and its seats, and answers the `choose` for it. With `plays`
    (`{"games": [...], "tables": n}`) the bot can be found and invited, and `accept` says to which invitations it goes.
    """

    def __init__(
        self, url: str, token: str, choose_for: Callable[[Info], Choose], plays: dict[str, Any] | None = None
    ) -> None:
        self.url = url
        self.token = token
        self.plays = plays
        self.accept: Callable[[dict[str, Any]], bool] = lambda invited: True
        self.on_end: Callable[[Info], None] = lambda info: None
        self.pause: Callable[[Info], float] | None = None
        self.welcome: dict[str, Any] = {}
        self.seats: dict[str, Seat] = {}
        self.chance = random.Random()
        self.decisions = 0
        self._choose_for = choose_for
        self.welcomed = asyncio.Event()
        self._socket: ClientConnection | None = None
        self._pace = Pace({})
        self._answers: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._number = 0
        self._pause_s = 0.05
        self._quiet = False
        self._turned_away = 0
        self._tasks: set[asyncio.Task[None]] = set()

    # The connection.

    async def run(self) -> None:
        """Play for ever, coming back whenever the connection is lost; Refused if the token is no good."""
        while True:
            try:
                async with connect(self.url, max_size=None, compression=None) as socket:
                    await self._talk(socket)
                if socket.close_code == REVOKED:
                    raise Refused({"code": "bad_token", "message": "the token was taken back"})
                self._away(f"closed with {socket.close_code} {socket.close_reason or ''}")
            except InvalidStatus as fault:
                self._not_here(fault.response.status_code)
            except (OSError, ConnectionClosed, InvalidHandshake, TimeoutError) as fault:
                self._away(str(fault) or type(fault).__name__)
            finally:
                self._gone()
            await asyncio.sleep(self._pause_s * (1 + self.chance.random()))
            self._pause_s = min(MOST_PAUSE_S, self._pause_s * 2)

    async def _talk(self, socket: ClientConnection) -> None:
        frames = aiter(socket)
        async with asyncio.timeout(PATIENCE_S):
            welcome = await self._hello(socket)
        self.welcome, self._socket = welcome, socket
        self._pace = Pace(welcome.get("limits", {}))
        self._pause_s, self._quiet = 0.05, False
        self.welcomed.set()
        self._later(self._resume({*self.seats, *welcome.get("tables", ())}))
        try:
            async for frame in frames:
                if isinstance(frame, bytes):
                    self._heard(msgpack.unpackb(frame))
        except ConnectionClosed:
            if socket.close_code != REVOKED:
                raise

    async def _hello(self, socket: ClientConnection) -> dict[str, Any]:
        """Say hello until it is answered with welcome."""
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
            no = Refused(answer)
            if no.code in HOPELESS:
                raise no
            log.warning("hello was refused: %s", no)
            await asyncio.sleep(no.pause_s)

    async def _resume(self, tables: Iterable[str]) -> None:
        """Take up every table again, each for itself."""
        for table in tables:
            self._later(self.play_at(table))

    def _away(self, why: str) -> None:
        if not self._quiet:
            log.warning("no connection to %s: %s. Trying again ...", self.url, why)
        self._quiet = True

    def _not_here(self, status: int) -> None:
        """Give an address up that has no service: 404, or only 403, which a node that goes away says too."""
        self._turned_away += 1
        if status == 404 or (status == 403 and not self.welcome and self._turned_away > MOST_TRIES):
            raise Refused({"code": f"HTTP {status}", "message": f"there is no Cheeseboard at {self.url}"})
        self._away(f"HTTP {status}")

    def _gone(self) -> None:
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
        """Ask the server for something once; its answer, or Refused, or ConnectionError."""
        await self._pace.take(type)
        if self._socket is None:
            raise ConnectionError("not connected")
        self._number += 1
        number = self._number
        future = self._answers[number] = asyncio.get_running_loop().create_future()
        try:
            await self._socket.send(msgpack.packb({"type": type, "id": number, **fields}))
            async with asyncio.timeout(PATIENCE_S):
                answer: dict[str, Any] = await future
        except TimeoutError:
            log.warning("no answer to %s in %s s: connecting anew", type, PATIENCE_S)
            if self._socket is not None:
                self._socket.transport.abort()
            raise ConnectionError(f"no answer to {type}") from None
        finally:
            self._answers.pop(number, None)
        if answer["type"] == "error":
            raise Refused(answer)
        return answer

    async def insist(self, type: str, **fields: Any) -> dict[str, Any]:  # noqa: A002
        """Ask until there is an answer, on whatever connection; Refused only for what will not go better later."""
        tries = 0
        while True:
            await self.welcomed.wait()
            try:
                return await self.request(type, **fields)
            except LOST:
                await asyncio.sleep(0.01)
            except Refused as no:
                tries += no.code not in LATER
                if no.code not in LATER and (no.code != "internal" or tries > MOST_TRIES):
                    raise
                await asyncio.sleep(no.pause_s)

    async def play_at(self, table: str) -> None:
        """Watch a table and answer whenever this bot's seat is asked."""
        seat = self.seats.get(table) or self.seats.setdefault(table, Seat(table))
        try:
            await self.insist("open", table=table, **({} if seat.last is None else {"last": seat.last}))
        except Refused as no:
            log.warning("table %s cannot be opened: %s", table, no)
            self._forget(table)

    async def _invited(self, invited: dict[str, Any]) -> None:
        """Sit down where a seat is held, or let it go."""
        table, plays = invited["table"], self.plays or {"games": ()}
        if table in self.seats:
            return
        full = len(self.seats) >= plays.get("tables", 1)
        if full or invited["game"] not in plays["games"] or not self.accept(invited):
            log.info("%s's invitation to %s is declined", invited["by"], invited["game"])
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
            seat.decision.give_up()
            seat.decision = None
            seat.fresh.set()  # whoever waits to send it sees that it is over

    def _later(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[None]:
        async def attempt() -> None:
            try:
                await work
            except LOST:
                log.debug("the connection went away meanwhile")
            except Refused as no:
                log.warning("refused: %s", no)
            except Exception:
                log.exception("the bot stumbled")

        task = asyncio.get_running_loop().create_task(attempt())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(lambda _: work.close())
        return task

    # What the server says.

    def _heard(self, message: dict[str, Any]) -> None:
        match message["type"]:
            case "ok" | "error":
                future = self._answers.get(message["id"])
                if future and not future.done():
                    future.set_result(message)
                elif message["type"] == "error" and message["id"] is None:
                    log.warning("the server could not read something: %s", Refused(message))
            case "seated":
                self._later(self.play_at(message["table"]))
            case "invited":
                self._later(self._invited(message))
            case "table":
                self._on_table(message)
            case "update":
                self._on_update(message)
            case "bye":
                self._pause_s = max(0.05, message["retry_ms"] / 1000)

    def _on_table(self, info: Info) -> None:
        seat = self.seats.get(info["table"])
        if seat is None:
            return
        seat.info = info
        if info["status"] in ("ended", "closed"):
            self._forget(info["table"])
            self._later(self.request("close", table=info["table"]))
            self.on_end(info)

    def _on_update(self, update: dict[str, Any]) -> None:
        """Only what is asked now counts: an older decision is given up, the same one is not made twice."""
        seat = self.seats.get(update["table"])
        if seat is None:
            return
        seat.last = update["n"]
        if update.get("view") is None:
            return  # an entry of the past (P27), or the game has not begun
        seat.fresh.set()
        ask, now = update.get("ask"), seat.decision
        if now and (ask is None or ask["n"] != now.ask or ask["offers"] != now.offers):
            seat.decision = None
            now.give_up()
        if ask is not None and seat.decision is None:
            seat.decision = decision = Decision(ask, update["view"])
            decision.task = self._later(self._answer(seat, decision))

    # Decisions.

    async def _answer(self, seat: Seat, decision: Decision) -> None:
        if self.pause is not None:
            await asyncio.sleep(self.pause(seat.info))
        move, note = await self._chosen(seat, decision)
        if not await self._sent(seat, decision, move, note):
            log.warning("a move is made by chance instead")
            await self._sent(seat, decision, fill(self.chance.choice(decision.offers), self.chance), None)

    async def _chosen(self, seat: Seat, decision: Decision) -> tuple[Move, str | None]:
        try:
            if seat.choose is None:
                seat.choose = self._choose_for(seat.info)
            chosen = seat.choose(decision.view, decision.offers, self.chance)
            return parts(await chosen if inspect.isawaitable(chosen) else chosen)
        except Exception:
            log.exception("choose failed, so a move is made by chance")
            return fill(self.chance.choice(decision.offers), self.chance), None

    async def _sent(self, seat: Seat, decision: Decision, move: Move, note: str | None) -> bool:
        """Send a move until it is answered; False if the server does not like the move itself."""
        more = {} if note is None else {"note": note[:200]}
        decision.sending, tries = True, 0
        while seat.decision is decision:
            try:
                await self.request("move", table=seat.table, ask=decision.ask, key=decision.key, move=move, **more)
                self.decisions += 1
                return True
            except LOST:
                if seat.decision is decision:
                    seat.fresh.clear()
                    await seat.fresh.wait()
            except Refused as no:
                if no.code in OURS:
                    log.warning("the move %s was refused: %s", move, no)
                    return False
                if no.code in WAIT or no.code in GONE:
                    log.info("too late: %s", no)
                    return True
                tries += no.code not in LATER
                if tries > MOST_TRIES:
                    log.warning("the move %s failed %s times: %s", move, tries, no)
                    return True
                await asyncio.sleep(no.pause_s)
        return True
