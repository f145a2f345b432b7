"""Requests for what is finished or listed: replays, pages, past entries and bots. Many of the clients never read."""

from __future__ import annotations

import asyncio
import itertools
import random
import re
import zlib
from time import monotonic
from typing import Any

import redis

from bench.attack.wire import (
    Gone,
    Target,
    Wire,
    as_guests,
    connections_of_one_user,
    done,
    joined,
    keep_attacking,
    polite,
    request_frame,
)
from server.requests.viewed_files import MAX_LINES
from server.store import keys
from server.tables.finished.replay import lines
from server.tables.state.deadlines import seat_deadlines
from server.tables.state.decisions import MAX_SIDE_ENTRIES, Sitter, come_back, leave, sit
from server.tables.state.faults import NoFaults
from server.tables.state.time_decisions import overdue
from tests.random_games import BEGAN, SEED, Log, file_of_rows, play, rows_of
from tests.service import Service

REPLAYS = ("longreplay1", "longreplay2", "longreplay3")  # the ids of finished games with the longest logs
MOST_MOVES = 900  # of a game in which the clock makes all moves
MAX_FILE_S = 15.0  # until the file of somebody else is played back
SEATS = 10
BOTS = 40  # that one address may make in an hour
HISTORIES = 12  # requests for past entries that a connection may send at once
NEWCOMERS = 3
READ_BYTES = 8192  # of what a newcomer with a slow connection reads at once,
READ_S = 0.04  # and the pause after it
LOAD_S = 20.0  # in which the page has to come


def add_long_replays(service: Service) -> None:
    """Put finished games into the store in which two players left and came back for as long as they may."""
    with redis.Redis(unix_socket_path=str(service.data / "store.sock")) as store:
        for name in REPLAYS:
            store.set(keys.archive(name), long_replay(name, MAX_SIDE_ENTRIES))


def long_replay(name: str, entries: int) -> bytes:
    """The packed file of a game in which two players left and came back until it had so many entries."""
    log = Log("cheesedog", SEED, SEATS)
    for seat in range(SEATS):
        log.commit(sit(log.table, Sitter(f"u{seat}", f"Player {seat}"), seat, BEGAN))
    for n in itertools.count():
        table, user = log.table, f"u{n % 2}"
        if table.n >= entries:
            break
        log.commit((come_back if table.chairs[n % 2].stand_in else leave)(table, user, table.at))
    while log.table.status == "running":
        log.commit(overdue(log.table, max(due or 0 for due in seat_deadlines(log.table).values()) + 1, NoFaults()))
    return zlib.compress("".join(line + "\n" for line in lines(name, log.entries)).encode())


async def _ask_and_do_not_read(on: Target, path: str) -> Wire | None:
    """Send an HTTP request, and read no more than the beginning of the answer."""
    wire = await Wire.connect(on)
    if wire is None or wire.transport is None:
        return None
    wire.write(f"GET {path} HTTP/1.1\r\nHost: {on.host}:{on.port}\r\n\r\n".encode(), 1)
    await asyncio.wait((wire.handshake, wire.lost), timeout=1, return_when=asyncio.FIRST_COMPLETED)
    if wire.transport is not None:
        wire.transport.pause_reading()
    return wire


async def replays(on: Target) -> None:
    """The longest replays there can be, from all viewpoints, uncompressed and unread."""
    views = ("open", "public", *map(str, range(SEATS)))
    paths = [f"/r/{table}/updates?view={view}" for table in REPLAYS for view in views]
    paths += [path for table in REPLAYS for path in (f"/r/{table}/draws", f"/replays/{table}.jsonl", f"/r/{table}")]
    turn = itertools.cycle(paths)

    async def once() -> None:
        wire = await _ask_and_do_not_read(on, next(turn))
        if wire is not None:
            await asyncio.wait((wire.lost,), timeout=min(2.0, max(0.0, on.end - asyncio.get_running_loop().time())))
            wire.abort()

    await keep_attacking(on, once)


async def play_on(on: Target) -> None:
    """Guests who play on from the last entries of the longest replays."""

    async def ask(wire: Wire) -> None:
        for table in itertools.cycle(REPLAYS):
            if on.over:
                return
            await polite(wire, "play_on", table=table, n=MAX_SIDE_ENTRIES, seat=0, bots="rookie")

    await as_guests(on, ask)


async def files(on: Target) -> None:
    """The longest replay files, some cut off, some with a million seats or endless lists, while others send theirs."""
    long = long_replay("longfile", MAX_LINES - MOST_MOVES)
    posts = itertools.cycle((_post_of(on, long), _post_of(on, long)[:-1], *(_post_of(on, one) for one in _bombs())))
    waits: list[float] = []

    async def once() -> None:
        wire = await Wire.connect(on)
        if wire is None:
            return
        wire.write(next(posts), 1)
        await asyncio.wait((wire.handshake, wire.lost), timeout=on.seconds, return_when=asyncio.FIRST_COMPLETED)
        wire.abort()

    async def send_honestly() -> None:
        game = play("diced_cheese", SEED, 3)
        own = zlib.compress("".join(line + "\n" for line in lines("ownfile", game.entries)).encode())
        began = monotonic()
        while not on.over:
            if await _played_back(on.other(1), own):
                waits.append(monotonic() - began)
                await asyncio.sleep(3)
                began = monotonic()
            await asyncio.sleep(0.5)

    await asyncio.gather(keep_attacking(on, once), send_honestly())
    on.tally.expect("seconds until the file of somebody else is played back", max(waits), MAX_FILE_S)


def _bombs() -> list[bytes]:
    """Small files of which one would take much memory when it is read, and the other when it is played back."""
    rows, (first, *_) = rows_of("diced_cheese"), rows_of("diced_cheese")
    choice = {"game": first["game"], "options": first["options"], "seats": 1_000_000, "speed": first["speed"]}
    away = [
        {"type": "dismissed", "at": first["at"], "user": f"u{number:032x}", "name": "x"}
        for number in range(MAX_LINES - 200)
    ]
    texts = file_of_rows([{**rows[0], "opened": choice}, *rows[1:]]), file_of_rows([*rows[:-1], *away, rows[-1]])
    return [zlib.compress(text.encode()) for text in texts]


def _post_of(on: Target, body: bytes) -> bytes:
    head = f"POST /replays/view HTTP/1.1\r\nHost: {on.host}:{on.port}\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


async def _played_back(on: Target, packed: bytes) -> bool:
    """Whether a file is played back; False if the service is busy."""
    wire = await Wire.connect(on)
    if wire is None:
        return False
    before = on.tally.closed["HTTP 200"]
    wire.write(_post_of(on, packed))
    await asyncio.wait((wire.handshake, wire.lost), timeout=MAX_FILE_S, return_when=asyncio.FIRST_COMPLETED)
    wire.abort()
    return on.tally.closed["HTTP 200"] > before


async def analyses(on: Target) -> None:
    """Analyses of the longest replays, asked for and looked at again and again."""
    kinds = ("whole", *(f"decision?n={n}" for n in range(1, 40)))
    paths = itertools.cycle(f"/r/{table}/analysis/{kind}" for kind in kinds for table in REPLAYS)

    async def once() -> None:
        wire = await Wire.connect(on)
        if wire is None:
            return
        path, host = next(paths), f"{on.host}:{on.port}"
        wire.write(f"POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: 0\r\n\r\n".encode(), 1)
        wire.write(f"GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode(), 1)
        await asyncio.wait((wire.handshake, wire.lost), timeout=2, return_when=asyncio.FIRST_COMPLETED)
        wire.abort()

    await keep_attacking(on, once)


async def previews(on: Target) -> None:
    """Pages of tables, which name their host: tables that exist and others that do not."""
    host = await joined(on, 1)
    known = [(await done(host, "create", game="cheesedog", seats=4))["table"] for _ in range(5)]
    chance = random.Random(1)

    async def once() -> None:
        wire = await Wire.connect(on)
        if wire is None:
            return
        for table in (chance.choice(known), *("".join(chance.choices("abcdefgh", k=13)) for _ in range(4))):
            wire.write(f"GET /t/{table} HTTP/1.1\r\nHost: {on.host}:{on.port}\r\n\r\n".encode(), 1)
        await asyncio.wait((wire.handshake, wire.lost), timeout=2, return_when=asyncio.FIRST_COMPLETED)
        wire.abort()

    await keep_attacking(on, once)
    host.abort()


async def unread_pages(on: Target) -> None:
    """The largest file of the page, unread, while newcomers with slow connections load it from other addresses."""
    path, chance = await _largest_file(on), random.Random(1)
    loading = [asyncio.create_task(_load_slowly(on.other(number), path)) for number in range(1, NEWCOMERS + 1)]

    async def once() -> None:
        await asyncio.sleep(chance.random())
        wire = await _ask_and_do_not_read(on, path)
        if wire is not None:
            await asyncio.wait((wire.lost,), timeout=max(0.0, on.end - asyncio.get_running_loop().time()))
            wire.abort()

    await keep_attacking(on, once)
    loaded = await asyncio.gather(*loading)
    on.tally.expect("newcomers whose page broke off", sum(not whole for whole in loaded), 0)


async def _largest_file(on: Target) -> str:
    page = (await _load(on.other(1), "/")).decode()
    found = re.search(r'"(/static/[0-9a-f]+/app\.js)"', page)
    if found is None:
        raise Gone("the page does not come")
    return found[1]


async def _load(on: Target, path: str, pause_s: float = 0.0) -> bytes:
    """Load a file over HTTP; empty if it breaks off."""
    reader, writer = await asyncio.open_connection(on.host, on.port, local_addr=(on.source, 0), limit=READ_BYTES)
    body = b""
    try:
        writer.write(f"GET {path} HTTP/1.1\r\nHost: {on.host}:{on.port}\r\nConnection: close\r\n\r\n".encode())
        head = await reader.readuntil(b"\r\n\r\n")
        size = re.search(rb"content-length: (\d+)", head.lower())
        while piece := await reader.read(READ_BYTES):
            body += piece
            await asyncio.sleep(pause_s)
    except (OSError, asyncio.IncompleteReadError):
        return b""
    finally:
        writer.close()
    return body if size is not None and len(body) == int(size[1]) else b""


async def _load_slowly(on: Target, path: str) -> bool:
    """Whether a newcomer gets the file over and over until the attack ends."""
    while not on.over:
        async with asyncio.timeout(LOAD_S):
            if not await _load(on, path, READ_S):
                return False
    return True


async def histories(on: Target) -> None:
    """Clients that ask for the past of a game, as often as they may, and never read."""
    wires = await connections_of_one_user(on)
    if not wires:
        return
    made = await polite(wires[0], "create", game="cheesedog", seats=6, bots="random", speed="blitz", seat=None)
    table = made.get("table", "")
    await asyncio.gather(*(wire.request("open", table=table) for wire in wires), return_exceptions=True)
    await asyncio.sleep(on.seconds / 4)  # the house bots make the log longer
    asks = b"".join(request_frame("history", number, table=table) for number in range(1000, 1000 + HISTORIES))
    for wire in wires[len(wires) // 10 + 1 :]:  # the others are counted
        if wire.transport is not None:
            wire.transport.pause_reading()
    while not on.over:
        for wire in wires:
            wire.write(asks, HISTORIES)
        await asyncio.sleep(0.6)
    for wire in wires:
        wire.abort()


async def bot_lists(on: Target) -> None:
    """One person with as many bots as one address may have, who lists them over all connections."""
    owners = [wire for wire in [await Wire.join(on) for _ in range(2)] if wire is not None]
    made = [polite(owner, "token", name="x" * 24) for owner in owners for _ in range(BOTS // 2)]
    tokens = [answer.get("token") for answer in await asyncio.gather(*made)]
    plays: dict[str, Any] = {"tables": 1000}
    online = await asyncio.gather(*(Wire.join(on, token=token, plays=plays) for token in tokens if token))
    wires = [wire for wire in online if wire is not None]

    async def ask(wire: Wire, kind: str) -> None:
        try:
            while not on.over:
                await polite(wire, kind)
        except Gone:
            pass

    await asyncio.gather(*map(ask, [*owners, *wires], itertools.cycle(("bots", "tokens"))))
    on.tally.figures["bots online"] = len(wires)


async def host_changes(on: Target) -> None:
    """A host who changes rules, options and seats of ten tables again and again, over all connections."""
    wires = await connections_of_one_user(on)
    if not wires:
        return
    made = [await polite(wires[0], "create", game="cheesedog", seats=6) for _ in range(10)]
    tables = [answer["table"] for answer in made if answer["type"] == "ok"]
    last: dict[str, int] = {}

    async def change(wire: Wire, table: str, number: int) -> None:
        requests: Any = itertools.cycle(
            (
                ("configure", {"locked": bool(number % 2)}),
                ("change", {"seats": 6 + number % 4}),
                ("swap", {"seat": number % 6, "other": (number + 1) % 6}),
                ("dismiss", {"user": f"u{number}"}),
            )
        )
        try:
            while not on.over:
                kind, fields = next(requests)
                answer = await polite(wire, kind, table=table, **fields)
                last[table] = max(last.get(table, 0), answer.get("n") or 0)
        except Gone:
            pass

    await asyncio.gather(*map(change, wires, itertools.cycle(tables), itertools.count()))
    on.tally.expect("entries of the longest log", max(last.values(), default=0), 110)
