"""Everything a bot author needs: write `choose(view, offers, chance)` and call `run`.

    from bots.sdk import fill, run

    def choose(view, offers, chance):
        return fill(chance.choice(offers), chance)

    run(choose, "ws://127.0.0.1:8000/ws", token="...")

The bot is asked whenever a seat of its may act. It reconnects and resumes by itself, sends a move again with
the same key until it is answered, and never has to remember anything: view and offers are whole each time.
"""

from __future__ import annotations

import asyncio
import inspect
import logging
import random
import secrets
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

import msgpack
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

log = logging.getLogger("cheeseboard.bot")

View = dict[str, Any]
Offer = dict[str, Any]
Move = dict[str, Any]
Choose = Callable[[View, list[Offer], random.Random], Move | Awaitable[Move]]
Info = dict[str, Any]

LATER = {"unavailable", "busy", "rate_limited", "too_soon", "internal"}  # errors after which the same is sent again
MOST_PAUSE_S = 2.0


def fill(offer: Offer, chance: random.Random) -> Move:
    """A filling of the offer by chance: a legal move."""
    move: Move = {"type": offer["move"]}
    for name, blank in offer["fill"].items():
        if not isinstance(blank, dict):
            move[name] = blank
        elif "of" not in blank:
            move[name] = chance.randint(blank["least"], blank["most"])
        elif "least" not in blank:
            move[name] = chance.choice(blank["of"])
        else:
            move[name] = chance.sample(blank["of"], chance.randint(blank["least"], blank["most"]))
    return move


class Refused(Exception):  # noqa: N818
    """The server said no to a request."""

    def __init__(self, error: dict[str, Any]) -> None:
        super().__init__(f"{error['code']}: {error['message']}")
        self.error = error


class Seat:
    """A table that the bot plays at."""

    def __init__(self, table: str) -> None:
        self.table = table
        self.last: int | None = None
        self.info: Info = {}
        self.answering = 0  # the ask that a move is being made for


class Bot:
    """One connection for one token, any number of tables.

    `choose_for` is given what is known of a table and its seats, and answers the `choose` for it.
    """

    def __init__(
        self, url: str, token: str | None, choose_for: Callable[[Info], Choose], name: str | None = None
    ) -> None:
        self.url = url
        self.token = token
        self.name = name
        self.user: dict[str, Any] = {}
        self.seats: dict[str, Seat] = {}
        self.chance = random.Random()
        self.pause: Callable[[Info], float] | None = None
        self.welcomed = asyncio.Event()
        self.ended: asyncio.Queue[Info] = asyncio.Queue()
        self._choose_for = choose_for
        self._chooses: dict[str, Choose] = {}
        self._socket: ClientConnection | None = None
        self._answers: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._number = 0
        self._nonce = secrets.token_hex(4)
        self._tasks: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Play for ever; come back by itself whenever the connection is lost."""
        pause_s = 0.05
        while True:
            try:
                async with connect(self.url, max_size=None, compression=None) as socket:
                    pause_s = 0.05
                    await self._talk(socket)
            except (OSError, ConnectionClosed, InvalidHandshake, TimeoutError) as fault:
                log.info("the connection is away: %s", fault)
            finally:
                self._gone()
            await asyncio.sleep(pause_s * (0.5 + self.chance.random()))
            pause_s = min(MOST_PAUSE_S, pause_s * 2)

    async def request(self, type: str, **fields: Any) -> dict[str, Any]:  # noqa: A002
        """Ask the server for something; its answer, or Refused."""
        if self._socket is None:
            raise ConnectionError("not connected")
        self._number += 1
        number = self._number
        future = self._answers[number] = asyncio.get_running_loop().create_future()
        try:
            await self._socket.send(msgpack.packb({"type": type, "id": number, **fields}))
            answer: dict[str, Any] = await future
        finally:
            self._answers.pop(number, None)
        if answer["type"] == "error":
            raise Refused(answer)
        return answer

    async def play_at(self, table: str) -> None:
        """Watch a table and answer whenever this bot's seat is asked."""
        seat = self.seats.setdefault(table, Seat(table))
        try:
            await self.request("open", table=table, **({} if seat.last is None else {"last": seat.last}))
        except Refused as no:
            if no.error["code"] == "no_table":
                self.seats.pop(table, None)
            else:
                raise

    async def _talk(self, socket: ClientConnection) -> None:
        self._socket = socket
        hello: dict[str, Any] = {}
        if self.token:
            hello["token"] = self.token
        if self.name and not self.token:
            hello["name"] = self.name
        self._later(self._begin(hello))
        async for frame in socket:
            if isinstance(frame, bytes):
                self._heard(msgpack.unpackb(frame))

    async def _begin(self, hello: dict[str, Any]) -> None:
        """Say hello, then take up every table again."""
        try:
            welcome = await self.request("hello", v=1, **hello)
        except Refused as no:
            log.error("the server does not want this bot: %s", no)
            raise
        self.user = welcome["user"]
        self.token = welcome.get("token", self.token)
        self.welcomed.set()
        for table in {*self.seats, *welcome["tables"]}:
            await self.play_at(table)

    def _gone(self) -> None:
        self._socket = None
        self.welcomed.clear()
        for future in self._answers.values():
            if not future.done():
                future.set_exception(ConnectionError("the connection was lost"))
        self._answers.clear()
        for seat in self.seats.values():
            seat.answering = 0

    def _later(self, work: Any) -> None:
        async def attempt() -> None:
            try:
                await work
            except (ConnectionError, ConnectionClosed):
                log.debug("the connection went away meanwhile")
            except Refused as no:
                log.warning("refused: %s", no.error)
            except Exception:
                log.exception("the bot stumbled")

        task = asyncio.get_running_loop().create_task(attempt())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _heard(self, message: dict[str, Any]) -> None:
        match message["type"]:
            case "ok" | "error" | "welcome":
                future = self._answers.get(message["id"])
                if future and not future.done():
                    future.set_result(message)
            case "seated":
                self._later(self.play_at(message["table"]))
            case "table":
                self._on_table(message)
            case "update":
                self._on_update(message)

    def _on_table(self, info: Info) -> None:
        seat = self.seats.get(info["table"])
        if seat is None:
            return
        seat.info = info
        if info["status"] in ("ended", "closed"):
            del self.seats[info["table"]]
            self._chooses.pop(info["table"], None)
            self.ended.put_nowait(info)
            self._later(self.request("close", table=info["table"]))

    def _on_update(self, update: dict[str, Any]) -> None:
        seat = self.seats.get(update["table"])
        if seat is None:
            return
        seat.last = update["n"]
        ask = update.get("ask")
        if ask is not None and ask["n"] != seat.answering:
            seat.answering = ask["n"]
            self._later(self._answer(seat, ask, update["view"]))

    async def _answer(self, seat: Seat, ask: dict[str, Any], view: View) -> None:
        choose = self._chooses.get(seat.table)
        if choose is None:
            choose = self._chooses[seat.table] = self._choose_for(seat.info)
        if self.pause is not None:
            await asyncio.sleep(self.pause(seat.info))
        try:
            chosen = choose(view, ask["offers"], self.chance)
            move = await chosen if inspect.isawaitable(chosen) else chosen
        except Exception:
            log.exception("choose failed; a move is made by chance")
            move = fill(self.chance.choice(ask["offers"]), self.chance)
        if not await self._send(seat, ask["n"], move):
            await self._send(seat, ask["n"], fill(self.chance.choice(ask["offers"]), self.chance))

    async def _send(self, seat: Seat, ask: int, move: Move) -> bool:
        """Send a move until it is answered; False if it is not legal."""
        key = f"{self._nonce}-{ask}"
        while seat.answering == ask:
            try:
                await self.request("move", table=seat.table, ask=ask, key=key, move=move)
                return True
            except Refused as no:
                if no.error["code"] in LATER:
                    await asyncio.sleep(no.error.get("retry_after_ms", 500) / 1000)
                elif no.error["code"] in (
                    "illegal_move",
                    "bad_field",
                    "missing_field",
                    "surplus_field",
                    "unknown_type",
                ):
                    log.warning("the move %s was refused: %s", move, no.error)
                    return False
                else:
                    return True
        return True


def run(choose: Choose, url: str, token: str | None = None, join: str | None = None, game: str | None = None) -> None:
    """Play for ever with this `choose`.

    With `join` the bot first sits down at the table of that code; with `game` it opens a table of its own against
    house bots. Otherwise it waits to be given seats.
    """
    try:
        asyncio.run(_run(choose, url, token, join, game))
    except KeyboardInterrupt:
        log.info("stopped")


async def _run(choose: Choose, url: str, token: str | None, join: str | None, game: str | None) -> None:
    bot = Bot(url, token, lambda info: choose, name="A new bot")
    playing = asyncio.create_task(bot.run())
    await bot.welcomed.wait()
    if join:
        table = (await bot.request("open", code=join))["table"]
        bot.seats[table] = Seat(table)
        await bot.request("sit", table=table)
        await bot.play_at(table)
    elif game:
        made = await bot.request("create", game=game, seats=4, bots="rookie", speed="normal")
        await bot.play_at(made["table"])
    await playing


async def run_all(bots: Iterable[Bot]) -> None:
    """Play with several tokens in one process, for ever."""
    await asyncio.gather(*(bot.run() for bot in bots))
