"""Requests that spoil the game for others: codes, the lobby, chat, invitations."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import math
import random
from collections.abc import Awaitable, Callable
from dataclasses import replace
from time import monotonic

from bench.attack import filling
from bench.attack.filling import limit
from bench.attack.wire import (
    Gone,
    Message,
    Target,
    Wire,
    as_guests,
    connections_of_one_user,
    done,
    joined,
    polite,
)

ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"  # of the codes, as every client sees it
PRIVATE_TABLES = 10_000  # the number of codes that could be hit
YEAR_S = 365 * 24 * 3600
HONEST_TABLES = 8
FAMILY = 8  # people at one address on an ordinary evening
ATTACKERS = 4
ASKED_S, MAX_GAMES = 1.0, 8  # how long the first turn is waited for, and in how many games
MAX_ADVICE_S = 8.0  # until somebody else has an answer of the master; so long a question waits at most
MAX_LISTED_BYTES = 200 * 1024  # bytes a second that one small, repeated request may cause on one connection
SEED = 1


async def codes(on: Target) -> None:
    """Guests who guess the codes of private tables."""
    host = await joined(on, 1)
    private = await done(host, "create", game="cheesedog", seats=4, public=False)
    length = len(private["code"].replace("-", ""))
    chance = random.Random(SEED)
    middle = on.began + on.seconds / 2
    missed = 0

    async def guess(wire: Wire) -> None:
        nonlocal missed
        while not on.over:
            answer = await polite(wire, "open", code="".join(chance.choices(ALPHABET, k=length)))
            if answer.get("code") == "no_table" and monotonic() > middle:
                missed += 1

    await as_guests(on, guess)
    host.abort()
    rate = max(missed / (on.seconds / 2), limit(host, "address_codes_missed_per_hour", 60) / 3600)
    on.tally.figures["guesses/s"] = rate
    years = len(ALPHABET) ** length / PRIVATE_TABLES / rate / YEAR_S
    on.tally.figures["letters"] = length
    on.tally.figures["years to a hit"] = years
    if years < 1:
        on.tally.broken.append("a code is found within a year")


async def everything(on: Target) -> None:
    """All ways to fill the store at once, from one address: bots, games, asides, changes of seats and chat."""
    at_own_tables, many = (filling.asides, filling.sit_and_leave, chat), (filling.bots, filling.masters)
    share = replace(on, connections=max(1, on.connections // 5))

    async def later(way: Callable[[Target], Awaitable[None]]) -> None:
        await asyncio.sleep(on.seconds / 5)  # these use up the guests and the tables that the others need too
        await way(share)

    await asyncio.gather(*(way(share) for way in at_own_tables), *map(later, many))
    stored = ("token", "create", "move", "sit", "say")
    on.tally.expect("ways that stored nothing", sum(not on.tally.done[kind] for kind in stored), 0)


async def takeover(on: Target) -> None:
    """Four guests, each from an address of their own, who open as many public tables as they can."""
    hosts = [await joined(on, number, name=f"Honest {number}") for number in range(1, HONEST_TABLES + 1)]
    honest = [await _honest_table(host) for host in hosts[: HONEST_TABLES // 2]]
    attackers = [on.other(200 + number) for number in range(ATTACKERS)]
    opening = asyncio.gather(*(_open_tables(at, on.connections // ATTACKERS) for at in attackers))
    await asyncio.sleep(on.seconds * 0.6)
    honest += [await _honest_table(host) for host in hosts[HONEST_TABLES // 2 :]]
    await asyncio.sleep(0.5)  # changes of the lobby are gathered for a while
    newcomer = await joined(on, 100)
    listed: list[str] = []
    newcomer.on_message = lambda message: listed.extend(_listed(message))
    await newcomer.request("lobby", on=True)
    await asyncio.sleep(0.1)
    on.tally.figures["listed"] = len(listed)
    places = [listed.index(table) + 1 if table in listed else math.inf for table in honest]
    on.tally.expect("place of the last honest table", max(places), HONEST_TABLES + ATTACKERS)
    await opening
    for wire in (*hosts, newcomer):
        wire.abort()


async def _open_tables(at: Target, connections: int) -> None:
    """One guest who opens public tables on so many connections at once."""
    first = await Wire.join(at)
    if first is None:
        return
    others = (Wire.join(at, token=first.welcome["token"]) for _ in range(connections - 1))
    wires = [first, *(wire for wire in await asyncio.gather(*others) if wire is not None)]

    async def create(wire: Wire) -> None:
        try:
            while not at.over:
                made = await polite(wire, "create", game="cheesedog", seats=4, seat=None)
                if made["type"] == "error":
                    made = await polite(wire, "create", game="cheesedog", seats=4)
                if made["type"] == "ok":
                    await polite(wire, "open", table=made["table"])
        except Gone:
            pass

    await asyncio.gather(*map(create, wires))


async def _honest_table(host: Wire) -> str:
    table: str = (await done(host, "create", game="cheesedog", seats=4))["table"]
    await host.request("open", table=table)
    return table


def _listed(message: Message) -> list[str]:
    if message["type"] != "tables" or not message.get("whole"):
        return []
    return [table["table"] for table in message.get("tables", []) if table["status"] == "open"]


async def lobby_feeds(on: Target) -> None:
    """Guests who start the feed of the lobby again and again; the lobby is as full as they can make it."""
    owners = [wire for number in range(1, 21) if (wire := await Wire.join(on.other(number)))]
    for owner in owners:
        for _ in range(10):
            await polite(owner, "create", game="cheesedog", seats=6, seat=None)
    before, began = on.tally.bytes_received, monotonic()

    async def follow(wire: Wire) -> None:
        while not on.over:
            await polite(wire, "lobby", on=True)

    await as_guests(on, follow)
    rate = (on.tally.bytes_received - before) / max(0.1, monotonic() - began)
    on.tally.expect("bytes/s per connection", rate / on.connections, MAX_LISTED_BYTES)
    for owner in owners:
        owner.abort()


async def chat(on: Target) -> None:
    """One person who talks over all connections at the same time, as fast as each may."""
    host = await joined(on, 1)
    table = await _honest_table(host)
    heard = 0

    def listen(message: Message) -> None:
        nonlocal heard
        heard += message["type"] == "chat"

    host.on_message = listen
    wires = await connections_of_one_user(on)
    if wires:
        await wires[0].request("sit", table=table)
    began = monotonic()

    async def talk(wire: Wire) -> None:
        try:
            await polite(wire, "open", table=table)
            while not on.over:
                await polite(wire, "say", table=table, text="x" * 300)
        except Gone:
            pass

    await asyncio.gather(*map(talk, wires))
    per_10_s = limit(host, "chats_per_10_s", 5)
    on.tally.expect("lines heard", heard, per_10_s * (1 + math.ceil((monotonic() - began) / 10)))
    host.abort()


async def chat_of_many(on: Target) -> None:
    """Guests, each new, who talk at one table at the same time."""
    host = await joined(on, 1)
    table = await _honest_table(host)
    watcher = await joined(on, 2)
    await watcher.request("open", table=table)
    heard = 0

    def listen(message: Message) -> None:
        nonlocal heard
        heard += message["type"] == "chat"

    watcher.on_message = listen

    async def talk(wire: Wire) -> None:
        await polite(wire, "open", table=table)
        while not on.over:
            await polite(wire, "say", table=table, text="x" * 300)

    began = monotonic()
    await as_guests(on, talk)
    of_a_family = FAMILY * limit(host, "chats_per_10_s", 5)
    on.tally.expect("lines heard", heard, of_a_family * (1 + math.ceil((monotonic() - began) / 10)))
    host.abort()
    watcher.abort()


async def invitations(on: Target) -> None:
    """A host who invites a bot that plays one game at a time to seat after seat, frees the seats and does it again."""
    owner = await joined(on, 1)
    token = (await done(owner, "token", name="Honest bot"))["token"]
    bot = await joined(on, 2, token=token, plays={"games": ["cheesedog"], "tables": 1})
    user = bot.welcome["user"]["id"]
    invited = 0

    def listen(message: Message) -> None:
        nonlocal invited
        invited += message["type"] == "invited"

    bot.on_message = listen
    wires = await connections_of_one_user(on)
    if not wires:
        return
    made = [await polite(wires[0], "create", game="cheesedog", seats=6) for _ in range(10)]
    open_tables = [answer["table"] for answer in made if answer["type"] == "ok"]
    held = [await polite(wires[0], "invite", table=table, seat=1, bot=user) for table in open_tables]
    on.tally.expect("seats held for a bot of one table", sum(answer["type"] == "ok" for answer in held), 1)

    for table in open_tables:
        await polite(wires[0], "bot", table=table, seat=1, level=None)

    async def invite(wire: Wire, table: str) -> None:
        try:
            while not on.over:
                await polite(wire, "invite", table=table, seat=1, bot=user)
                await polite(wire, "bot", table=table, seat=1, level=None)
        except Gone:
            pass

    before = invited
    await asyncio.gather(*map(invite, wires, itertools.cycle(open_tables)))
    on.tally.expect("further invitations of one bot", invited - before, 10 + on.seconds)
    owner.abort()
    bot.abort()


async def played_games(on: Target) -> None:
    """A bot that says it plays games whose names are free text."""
    owner = await Wire.join(on)
    if owner is None:
        return
    token = (await polite(owner, "token", name="Loud")).get("token")
    text = ["BUY CHEESE AT EXAMPLE.COM", "<b>bold</b>", "cheesedog", *(["x" * 40] * 37)]
    await Wire.join(on, token=token, plays={"games": text, "tables": 1000})
    await asyncio.sleep(0.2)
    listed = (await polite(owner, "bots")).get("bots", [])
    catalogue = {game["name"] for game in owner.welcome["games"]}
    unknown = sum(game not in catalogue for bot in listed for game in bot["games"])
    on.tally.expect("listed games that do not exist", unknown, 0)


async def advice(on: Target) -> None:
    """Guests who ask the master again and again what to do, while somebody else asks now and then."""
    waits: list[float] = []

    async def ask(wire: Wire) -> None:
        table, asked = await _asked_by_game(wire)
        while not on.over:
            await polite(wire, "advise", table=table, ask=asked)

    async def ask_honestly() -> None:
        somebody = await joined(on, 1)
        table, asked = await _asked_by_game(somebody)
        began = monotonic()
        while not on.over:
            if (await somebody.request("advise", table=table, ask=asked))["type"] == "advice":
                waits.append(monotonic() - began)
                await asyncio.sleep(1)
                began = monotonic()
            await asyncio.sleep(0.2)
        somebody.abort()

    await asyncio.gather(as_guests(on, ask), ask_honestly())
    on.tally.expect("seconds until somebody else has advice", max(waits, default=math.inf), MAX_ADVICE_S)


async def _asked_by_game(wire: Wire) -> tuple[str, int]:
    """A game against house bots in which it is this player's turn at once: the table and the number of the ask."""
    asked: dict[str, int] = {}
    answered = asyncio.Event()

    def listen(message: Message) -> None:
        if message["type"] == "update" and message.get("ask"):
            asked[message["table"]] = message["ask"]["n"]
            answered.set()

    wire.on_message = listen
    for _ in range(MAX_GAMES):
        made = await done(wire, "create", game="diced_cheese", seats=3, bots="rookie", speed="untimed")
        await done(wire, "open", table=made["table"])
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(ASKED_S):
                await answered.wait()
        if asked:
            return asked.popitem()
    raise Gone("no game against house bots asked anything")
