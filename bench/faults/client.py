"""A careful client: it reconnects, resumes its table, sends unanswered moves again, and records everything."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgspec

from bench.faults.history import Acknowledged, Lost, Message, Opened, Received, Sent, TableHistory
from bench.players import Socket
from bots.connection import BAD_MOVE, RETRY_LATER
from bots.offers import fill

CONNECT_TIMEOUT_S = 3.0
ANSWER_TIMEOUT_S = 5.0  # then the connection counts as dead and is replaced
RECONNECT_PAUSE_S = 0.05
MAX_RECONNECT_PAUSE_S = 0.4
RETRY_S = 0.2  # before a request is sent again for which the server names no time
MAX_RETRY_S = 1.0
UNDECIDED = RETRY_LATER | {"internal"}  # after these the move may have been done (P16), or is to be sent again
ASIDE_CHANCE = 0.05

log = logging.getLogger("faults")

decode = msgspec.msgpack.Decoder().decode


class Gone(Exception):  # noqa: N818
    """The connection was lost before the answer."""


@dataclass
class Address:
    """Where the service is reached. Behind a balancer the port differs from those of the nodes."""

    host: str
    port: int


class CarefulClient:
    """A guest who follows one table at a time: as a player if it has a seat there, else as a watcher."""

    def __init__(
        self, address: Address, name: str, chance: random.Random, patches: bool, progress: Callable[[], None]
    ) -> None:
        self.name = name
        self.is_routed = True  # it names its table when it connects, and so comes to the node where the others are
        self.think_s = 0.0  # the longest time to think about a move
        self.user = ""
        self.lost = 0
        self.history: TableHistory | None = None
        self.info: Message = {}  # the last `table` message
        self.changed = asyncio.Event()  # set whenever something came
        self._address = address
        self._chance = chance
        self._patches = patches
        self._progress = progress
        self._token: str | None = None
        self._socket: Socket | None = None
        self._gone = asyncio.Event()
        self._ready = asyncio.Event()
        self._welcomed = False  # on the present connection
        self._ids = itertools.count(1)
        self._answers: dict[int, asyncio.Future[Message]] = {}
        self._moves: dict[int, Sent] = {}  # moves without an answer on this connection, by the id of the request
        self._pending: dict[str, Sent] = {}  # moves whose outcome is not known, by their key
        self.last: int | None = None
        self._decided = -1  # the ask that was answered
        self._missed = False  # an entry that did not come
        self._task: asyncio.Task[None] | None = None
        self._reopening: asyncio.Task[None] | None = None

    def __str__(self) -> str:
        status, refused = self.info.get("status"), list(self.history.refused.values()) if self.history else []
        connected = "connected" if self._ready.is_set() else "not connected"
        waiting = f"{len(self._pending)} moves pending, {len(self._moves)} on their way, {len(self._answers)} requests"
        seen = f"last {self.last}, decided {self._decided}"
        return f"{self.name} {connected}, {status}, {seen}, {waiting}, refused {refused}"

    # The connection.

    def start(self) -> None:
        """Connect, and stay connected."""
        self._task = asyncio.create_task(self._stay_connected())

    async def stop(self) -> None:
        """Close the connection for good."""
        self.history = None  # so nothing more is recorded, and timers that are still set do nothing
        for task in (self._task, self._reopening):
            if task:
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
        if self._socket:
            self._socket.close()

    def drop(self) -> None:
        """Drop the present connection; another one takes its place."""
        if self._socket:
            self._socket.close()

    async def _stay_connected(self) -> None:
        pause_s = RECONNECT_PAUSE_S
        while True:
            try:
                await self._connect()
                pause_s = RECONNECT_PAUSE_S
                await self._gone.wait()
            except (OSError, TimeoutError, Gone) as fault:
                log.debug("%s cannot connect: %r", self.name, fault)
                await asyncio.sleep(pause_s)
                pause_s = min(MAX_RECONNECT_PAUSE_S, pause_s * 2)
            finally:
                self._ready.clear()
                if self._socket:
                    self._socket.close()

    async def _connect(self) -> None:
        """Connect, send hello and resume the table; raise if any of it fails."""
        self._gone, self._socket, self._welcomed = asyncio.Event(), None, False
        self._moves.clear()
        where = f"/ws?table={self.history.table}" if self.history and self.is_routed else "/ws"
        gone = self._gone
        async with asyncio.timeout(CONNECT_TIMEOUT_S):
            _, self._socket = await asyncio.get_running_loop().create_connection(
                lambda: Socket(self._address.host, where, self._on_message, lambda: self._on_lost(gone)),
                self._address.host,
                self._address.port,
            )
            await self._socket.opened
        token = {"token": self._token} if self._token else {"name": self.name}
        welcome = await self._ask("hello", v=1, patches=self._patches, **token)
        if welcome["type"] == "error":
            if welcome["code"] == "bad_token":  # the store has lost this guest
                self._token = None
            raise Gone(welcome["code"])
        self._token = self._token or welcome["token"]
        self.user = welcome["user"]["id"]
        self._welcomed = True
        if self.history:
            await self._open()
        self._ready.set()
        log.debug("%s is connected, after entry %s", self.name, self.last)
        self._open_again()  # if a move was refused as illegal meanwhile

    def _on_lost(self, gone: asyncio.Event) -> None:
        gone.set()
        if gone is not self._gone:
            return
        self.lost += 1
        log.debug("%s has lost its connection, %d moves on their way", self.name, len(self._moves))
        self._moves.clear()
        if self.history:
            self.history.feeds.setdefault(self.user, []).append(Lost())
        for answer in self._answers.values():
            if not answer.done():
                answer.set_exception(Gone("the connection was lost"))
        self._answers.clear()

    async def _ask(self, type: str, **fields: Any) -> Message:  # noqa: A002
        """Send a request on the present connection and wait for its answer; raise Gone if there is none."""
        if self._gone.is_set() or self._socket is None:
            raise Gone("there is no connection")
        number = next(self._ids)
        self._answers[number] = asyncio.get_running_loop().create_future()
        self._socket.send({"type": type, "id": number, **fields})
        try:
            async with asyncio.timeout(ANSWER_TIMEOUT_S):
                return await self._answers[number]
        except TimeoutError:
            self._socket.close()
            raise Gone(f"no answer to {type}") from None
        finally:
            self._answers.pop(number, None)

    async def request(self, type: str, **fields: Any) -> Message:  # noqa: A002
        """Send a request, on as many connections as it takes, until it is done or refused for good."""
        while True:
            await self._ready.wait()
            try:
                answer = await self._ask(type, **fields)
            except Gone:
                await asyncio.sleep(RECONNECT_PAUSE_S)
                continue
            if answer["type"] != "error" or answer["code"] not in UNDECIDED:
                if answer["type"] == "ok":
                    self._progress()
                return answer
            log.debug("%s: %s is refused: %s", self.name, type, answer["code"])
            await asyncio.sleep(_pause_s(answer))

    # The table.

    async def follow(self, history: TableHistory) -> None:
        """Follow this table from now on, and no other."""
        previous, self.history = self.history, None
        if previous:
            await self.request("close", table=previous.table)
        self.history, self.info = history, {}
        self.last, self._decided = None, -1
        self._pending.clear()
        while True:
            await self._ready.wait()
            try:
                await self._open()
                return
            except Gone:
                await asyncio.sleep(RECONNECT_PAUSE_S)

    async def _open(self) -> None:
        """Open the table with the last entry that this client has, and send unanswered moves again."""
        history = self.history
        assert history
        self._decided = -1
        while True:
            history.feeds.setdefault(self.user, []).append(Opened(self.last))
            resume = {} if self.last is None else {"last": self.last}
            answer = await self._ask("open", table=history.table, **resume)
            if answer["type"] == "ok":
                break
            if answer["code"] not in UNDECIDED:
                self._table_is_gone()
                break
            log.debug("%s: open is refused: %s", self.name, answer["code"])
            await asyncio.sleep(_pause_s(answer))
        self._progress()
        for sent in tuple(self._pending.values()):
            self._send_move(sent)

    def _table_is_gone(self) -> None:
        """Remember that the store has lost the table."""
        self.info = {"status": "gone"}
        self.changed.set()

    def _on_message(self, payload: bytes) -> None:
        message = decode(payload)
        kind = message["type"]
        if kind in ("update", "table"):
            history = self.history
            if history and message["table"] == history.table:
                history.feeds.setdefault(self.user, []).append(Received(message))
                if kind == "update":
                    self._on_update(message)
                else:
                    self.info = message
                self.changed.set()
        elif kind in ("ok", "error", "welcome"):
            number = message.get("id")
            if number in self._moves:
                self._on_move_answer(self._moves.pop(number), message)
            elif number in self._answers:
                if not self._answers[number].done():
                    self._answers[number].set_result(message)
            elif self.history and kind != "welcome":
                self.history.strays.append(message)

    def _on_update(self, update: Message) -> None:
        whole = is_whole(update)
        if whole or self.last is None or update["n"] == self.last + 1:
            self.last = update["n"]
            self._missed = False
        elif not self._missed:  # a whole view may be on its way (P27)
            self._missed = True
            self._later(RETRY_S, self._open_again)
        if whole:
            self._decided = -1  # entries may be lost, and the numbers of asks come again
        ask = update.get("ask")
        if ask and ask["n"] != self._decided:
            self._decided = ask["n"]
            again = [sent for sent in self._pending.values() if sent.ask == ask["n"] and not sent.aside]
            for sent in again:
                self._send_move(sent)
            if not again:
                self._later(self._chance.random() * self.think_s, self._decide, ask)
        asides = update.get("asides")
        if asides and self._chance.random() < ASIDE_CHANCE and not any(one.aside for one in self._pending.values()):
            self._decide(asides, aside=True)

    def _later(self, seconds: float, call: Callable[..., None], *args: Any) -> None:
        asyncio.get_running_loop().call_later(seconds, call, *args)

    def _decide(self, ask: Message, aside: bool = False) -> None:
        """Choose a move at random, with a new key, and send it."""
        history = self.history
        if history is None or (not aside and ask["n"] != self._decided):
            return
        for sent in [one for one in self._pending.values() if one.aside == aside]:
            if sent.ask == ask["n"]:
                return  # a whole view came while this client was thinking
            del self._pending[sent.key]  # a later ask shows that it was done or is void
        move = fill(self._chance.choice(ask["offers"]), self._chance)
        sent = Sent(self.user, f"{self._chance.getrandbits(64):016x}", ask["n"], move, aside)
        history.sent[self.user, sent.key] = sent
        self._pending[sent.key] = sent
        self._send_move(sent)

    def _send_move(self, sent: Sent) -> None:
        if self.history is None or self._gone.is_set() or not self._welcomed or sent.key not in self._pending:
            return  # a pending move is sent when the table is open again
        assert self._socket
        if any(other.key == sent.key for other in self._moves.values()):
            return  # it is on its way
        number = next(self._ids)
        self._moves[number] = sent
        fields = {"table": self.history.table, "ask": sent.ask, "key": sent.key, "move": sent.move}
        self._socket.send({"type": "move", "id": number, **fields})
        self._later(ANSWER_TIMEOUT_S, self._give_up, number)

    def _give_up(self, number: int) -> None:
        """Replace a connection on which a move got no answer."""
        if number in self._moves and self._socket:
            log.debug("%s: no answer to move %s", self.name, self._moves[number].key)
            self._socket.close()

    def _on_move_answer(self, sent: Sent, answer: Message) -> None:
        log.debug("%s: move %s: %s", self.name, sent.key, answer.get("code") or answer.get("n"))
        history = self.history
        if history is None or (sent.user, sent.key) not in history.sent:  # of the table before
            return
        if answer["type"] == "ok":
            self._pending.pop(sent.key, None)
            history.acknowledged.append(Acknowledged(sent.user, sent.key, answer["n"], answer.get("again", False)))
            self._progress()
        elif answer["code"] in UNDECIDED:
            self._later(_pause_s(answer), self._send_move, sent)
        else:
            self._pending.pop(sent.key, None)
            history.refused[sent.user, sent.key] = answer["code"]
            if answer["code"] == "no_table":
                self._table_is_gone()
            if answer["code"] in BAD_MOVE:  # the store has lost the ask that was shown
                self._missed, self._decided = True, -1
                self._open_again()

    def _open_again(self) -> None:
        """Open the table anew, if what came does not follow from what was there."""
        if self._missed and self.history and self._ready.is_set():
            self.last = None
            self._reopening = asyncio.create_task(self._reopen())

    async def _reopen(self) -> None:
        with contextlib.suppress(Gone):
            await self._open()


def _pause_s(answer: Message) -> float:
    """How long to wait before a request is sent again; less than the server asks for if that is long."""
    wanted_ms: float = answer.get("retry_after_ms", RETRY_S * 1000)
    return min(MAX_RETRY_S, wanted_ms / 1000)


def is_whole(update: Message) -> bool:
    """Whether an update stands for all entries up to its number (P24)."""
    return update.get("by") == "house" and not any(name in update for name in ("at", "patch", "events"))
