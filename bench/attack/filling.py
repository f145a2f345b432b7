"""Requests that fill the store: guests, bots, tables, and logs that grow without a game."""

from __future__ import annotations

import asyncio
import itertools
import random
from typing import Any

from bench.attack.wire import Gone, Message, Target, Wire, as_guests, connections_of_one_user, done, joined, polite
from bots.offers import fill

MAX_BOTS = 20  # of one person (P42)
MAX_TABLES = 20  # of one person (docs/protocol.md, `too_many_tables`)
MAX_ANSWER = 16 * 1024  # bytes of the answer to one small request
MANY_SCOPES = ["play"] * 3200
HOSTS, TABLES_OF_HOST = 42, 8  # of the tables at which somebody's bots sit down: more than one address has seats
SEED = 1


def limit(wire: Wire, name: str, default: int) -> int:
    """A limit as the service states it."""
    return int(wire.welcome["limits"].get(name, default))


# Guests and bots.


async def guests(on: Target) -> None:
    """New guests, who leave at once."""

    async def nothing(wire: Wire) -> None:
        pass

    await as_guests(on, nothing, name="x" * 24)


async def bots(on: Target) -> None:
    """New guests who make as many bots as they may."""

    async def make(wire: Wire) -> None:
        for _ in range(MAX_BOTS):
            if not on.over:
                await polite(wire, "token", name="x" * 24)

    await as_guests(on, make)


async def scopes(on: Target) -> None:
    """New guests who make bots whose list of scopes names one scope thousands of times."""

    async def make(wire: Wire) -> None:
        for _ in range(MAX_BOTS):
            if not on.over:
                await polite(wire, "token", name="x", scopes=MANY_SCOPES)

    await as_guests(on, make)


async def bots_of_one(on: Target) -> None:
    """One person who makes bots over all connections at the same moment, five times each."""
    wires = await connections_of_one_user(on)
    for wire in wires:
        for _ in range(5):
            wire.send("token", name="x")
    own: list[Any] = []
    if wires:
        await asyncio.sleep(min(1.0, on.seconds / 2))
        own = (await polite(wires[0], "tokens")).get("own", [])
    on.tally.expect("bots of one person", len(own), MAX_BOTS)


async def tokens(on: Target) -> None:
    """One person who lists bots again and again."""
    wires = await connections_of_one_user(on)
    if not wires:
        return
    for name_and_scopes in ({"scopes": MANY_SCOPES}, {}):
        for _ in range(MAX_BOTS):
            if not on.over:
                await polite(wires[0], "token", name="x" * 24, **name_and_scopes)

    async def ask(wire: Wire) -> None:
        try:
            while not on.over:
                await polite(wire, "tokens")
        except Gone:
            pass

    before, listed_before = on.tally.bytes_received, on.tally.answers["ok"]
    await asyncio.gather(*map(ask, wires))
    listed = on.tally.answers["ok"] - listed_before
    on.tally.expect("bytes per answer", (on.tally.bytes_received - before) / max(1, listed), MAX_ANSWER)


# Tables.


async def tables(on: Target) -> None:
    """New guests who open a table each, and leave."""

    async def create(wire: Wire) -> None:
        await polite(wire, "create", game="cheesedog", seats=4)

    await as_guests(on, create)


async def _create_at_once(on: Target, **fields: Any) -> tuple[list[Wire], int]:
    """Open tables over all connections of one person at the same moment; the connections, and how many were opened."""
    wires = await connections_of_one_user(on)
    before = on.tally.answers["ok"]
    for wire in wires:
        for _ in range(2):
            wire.send("create", game="cheesedog", seats=4, **fields)
    await asyncio.sleep(min(2.0, on.seconds / 2))
    return wires, on.tally.answers["ok"] - before


async def tables_of_one(on: Target) -> None:
    """One person who opens tables over all connections at the same moment, and sits at them."""
    wires, opened = await _create_at_once(on)
    on.tally.expect("tables of one person", opened, MAX_TABLES)
    if wires:
        again = await Wire.join(on.other(1), token=wires[0].welcome["token"])
        if again is not None:
            on.tally.expect("seats of one person", len(again.welcome["tables"]), MAX_TABLES)


async def unseated_tables(on: Target) -> None:
    """One person who opens tables over all connections at the same moment, without sitting at them."""
    _, opened = await _create_at_once(on, seat=None)
    on.tally.expect("tables of one person", opened, MAX_TABLES)


async def masters(on: Target) -> None:
    """Guests who start game after game against the strongest house bots, and leave."""
    started = on.tally.answers["ok"]

    async def create(wire: Wire) -> None:
        while not on.over:
            await polite(wire, "create", game="cheesedog", seats=6, bots="master", speed="blitz", public=False)

    await as_guests(on, create)
    on.tally.figures["answered ok"] = on.tally.answers["ok"] - started


async def shows(on: Target) -> None:
    """Guests who start games of house bots only."""

    async def create(wire: Wire) -> None:
        while not on.over:
            await polite(wire, "create", game="cheesedog", seats=6, bots="rookie", speed="blitz", seat=None)

    await as_guests(on, create)


async def seats_of_one(on: Target) -> None:
    """One person who sits down over all connections at the same moment, at the tables of others."""
    hosts = await asyncio.gather(*(joined(on, number) for number in range(1, 31)))
    open_tables = [(await done(host, "create", game="cheesedog", seats=4))["table"] for host in hosts for _ in range(2)]
    wires = await connections_of_one_user(on)
    for wire, table in zip(itertools.cycle(wires), open_tables, strict=False):
        wire.send("sit", table=table)
    await asyncio.sleep(min(1.0, on.seconds / 2))
    if wires:
        again = await joined(on, 31, token=wires[0].welcome["token"])
        on.tally.expect("seats of one person", len(again.welcome["tables"]), MAX_TABLES)
        again.abort()
    for host in hosts:
        host.abort()


async def seats_by_bots(on: Target) -> None:
    """One guest with twenty bots, who together sit down at every open table of others."""
    hosts = await asyncio.gather(*(joined(on, number) for number in range(1, HOSTS + 1)))
    open_tables = []
    for host in hosts:
        for _ in range(TABLES_OF_HOST):
            open_tables.append((await done(host, "create", game="cheesedog", seats=4))["table"])
    owner = await Wire.join(on)
    if owner is None:
        raise Gone("the attacker could not join")
    tokens = [(await polite(owner, "token", name=f"x{number}")).get("token") for number in range(MAX_BOTS)]
    sitters = [owner, *[wire for token in tokens if token and (wire := await Wire.join(on, token=token))]]
    taken: set[str] = set()
    waiting = iter(open_tables)

    async def sit(wire: Wire) -> None:
        for table in waiting:
            while not on.over:
                answer = await polite(wire, "sit", table=table)
                if answer["type"] == "ok":
                    taken.add(table)
                if answer.get("code") != "rate_limited":
                    break

    await asyncio.gather(*map(sit, sitters))
    on.tally.expect("tables of others with a bot of one guest", len(taken), limit(owner, "address_seats", 0))
    for wire in (*hosts, *sitters):
        wire.abort()


# Logs.


async def _table_of_one(on: Target, game: str) -> tuple[list[Wire], str]:
    """A running game of one person with others who never move, open on all connections of that person."""
    wires = await connections_of_one_user(on)
    if not wires:
        return [], ""
    seats = next(one["seats"][0] for one in wires[0].welcome["games"] if one["name"] == game)
    made = await polite(wires[0], "create", game=game, seats=seats, speed="untimed", public=False)
    table = made.get("table", "")
    for _ in range(seats - 1):
        idle = await Wire.join(on)
        if idle is not None:
            await polite(idle, "sit", table=table)
            idle.abort()
    await asyncio.gather(*(wire.request("open", table=table) for wire in wires), return_exceptions=True)
    return wires, table


async def asides(on: Target) -> None:
    """One person who says something in the game's own terms, without end, over all connections."""
    wires, table = await _table_of_one(on, "do_my_bidding")
    chance = random.Random(SEED)
    now: Message = {}

    def keep(message: Message) -> None:
        if message["type"] == "update":
            now.update(n=message["n"], asides=message.get("asides"))

    async def say(wire: Wire) -> None:
        wire.on_message = keep
        number = itertools.count()
        try:
            while not on.over:
                current = now.get("asides")
                if current is None:
                    await asyncio.sleep(0.05)
                    await polite(wire, "open", table=table)
                    continue
                move = fill(chance.choice(current["offers"]), chance)
                key = f"{id(wire)}-{next(number)}"
                await polite(wire, "move", table=table, ask=current["n"], key=key, move=move, note="x" * 200)
        except Gone:
            pass

    await asyncio.gather(*map(say, wires))
    on.tally.figures["entries"] = now.get("n", 0)


async def leave_and_back(on: Target) -> None:
    """One person who leaves a running game and comes back, without end, over all connections."""
    wires, table = await _table_of_one(on, "cheesedog")
    await _alternate(on, wires, table, ("leave", "back"))


async def sit_and_leave(on: Target) -> None:
    """One person who sits down at an open table and leaves it, without end, over all connections."""
    host = await joined(on, 1)
    table = (await done(host, "create", game="cheesedog", seats=4))["table"]
    await _alternate(on, await connections_of_one_user(on), table, ("sit", "leave"))
    host.abort()


async def _alternate(on: Target, wires: list[Wire], table: str, kinds: tuple[str, str]) -> None:
    """Send two kinds of requests in turn over all connections, and note the last entry that they have made."""
    last = 0

    async def go(wire: Wire) -> None:
        nonlocal last
        try:
            while not on.over:
                for kind in kinds:
                    answer = await polite(wire, kind, table=table)
                    last = max(last, answer.get("n") or 0)
        except Gone:
            pass

    await asyncio.gather(*map(go, wires))
    on.tally.figures["entries"] = last


async def resumes(on: Target) -> None:
    """One person who makes a log long, and asks again and again for all its entries."""
    wires, table = await _table_of_one(on, "cheesedog")
    for wire in wires:  # as long as this is allowed
        wire.send("leave", table=table)
        wire.send("back", table=table)
    await asyncio.sleep(1)

    async def resume(wire: Wire) -> None:
        try:
            while not on.over:
                await polite(wire, "open", table=table, last=1)
        except Gone:
            pass

    await asyncio.gather(*map(resume, wires))


async def unknown_tables(on: Target) -> None:
    """Guests who open tables that do not exist."""
    chance = random.Random(SEED)

    async def look(wire: Wire) -> None:
        while not on.over:
            await polite(wire, "open", table="".join(chance.choices("abcdefghjkmnpqrstuvwxyz", k=10)))

    await as_guests(on, look)


async def renames(on: Target) -> None:
    """One person who changes their name again and again, over all connections."""
    wires = await connections_of_one_user(on)

    async def rename(wire: Wire) -> None:
        number = itertools.count()
        try:
            while not on.over:
                await polite(wire, "rename", name=f"Name {next(number)}")
        except Gone:
            pass

    await asyncio.gather(*map(rename, wires))
