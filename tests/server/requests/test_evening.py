"""An ordinary evening: a family of eight behind one address plays for two and a half hours and meets no limit."""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections import Counter
from collections.abc import AsyncIterator
from typing import Any

import msgpack
import pytest

from server.requests.limits.limits import Limits
from server.tables.finished.analyses import Analyses, Analysis
from server.tables.rooms.advice import AdviceQueue
from tests.client import Client, eventually, fill
from tests.server.conftest import Running, Start
from tests.server.web.test_replays import get, post

HOME = "127.0.66.8"  # the address of the family
SEED = 20261117
MINUTES = 150
PICTURES = ("cat", "fox")
TEST_S = 300  # far more than the test takes

# The test does in seconds what takes the family hours, so only the limits of one second are out of proportion.
FASTER = {"requests_per_second": 1_000, "burst": 3_000, "address_requests_per_second": 10_000}


class Person:
    """A member of the family with one page open. Nothing is refused except mistyped codes."""

    def __init__(self, name: str, evening: Evening) -> None:
        self.name = name
        self.token: str | None = None
        self.client: Client | None = None
        self._evening = evening

    async def connect(self, node: Running) -> None:
        """Open the page, or open it again after a lost connection."""
        if self.client is not None:
            await self.client.close()
        known = {} if self.token is None else {"token": self.token}
        self.client = await node.join(self.name, source=HOME, **known)
        if self.token is None:
            await self._learn()
        self.token = self.client.token
        self._evening.done["hello"] += 1
        await self.ask("lobby", on=True)
        for table in self.client.welcome["tables"]:
            await self.ask("open", table=table)

    async def _learn(self) -> None:
        """Play a lesson, which comes with the page, and choose a picture."""
        assert self.client
        await self._evening.load("/learn/diced_cheese")
        await self.ask("rename", name=self.name, avatar=self._evening.chance.choice(PICTURES))

    async def ask(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Send a request and count it."""
        assert self.client
        answer = await self.client.request(kind, **fields)
        self._evening.done[kind] += 1
        if answer["type"] == "error":
            self._evening.missed_codes += 1
            assert answer["code"] == "no_table", f"{kind} was refused: {answer}, seed {SEED}"
        return answer

    async def ended(self, table: str) -> None:
        """Wait until bots have finished a game."""
        await self.here.until(lambda message: message.get("status") == "ended" and message["table"] == table, 0, TEST_S)

    @property
    def here(self) -> Client:
        assert self.client
        return self.client


class Evening:
    """The family, the nodes that it plays on, and what was done."""

    def __init__(self, nodes: list[Running]) -> None:
        self.nodes = nodes
        self.chance = random.Random(SEED)
        self.family = [Person(f"Member {number}", self) for number in range(8)]
        self.done: Counter[str] = Counter()
        self.missed_codes = 0
        self.last_game = ""

    @property
    def minutes(self) -> float:
        """How long the evening has lasted."""
        return self.nodes[0].ahead_ms / 60_000

    async def pass_time(self, minutes: float) -> None:
        """Let time pass at all nodes."""
        for node in self.nodes:
            await node.later(int(minutes * 60_000))
        await eventually(lambda: not any(one.node.due_tables.tasks for one in self.nodes))

    async def play_together(self, people: list[Person]) -> None:
        """One opens a private table and reads out its code; the others join, and they play, talk and play again."""
        host, *others = people
        made = await host.ask("create", game="diced_cheese", seats=len(people), public=False)
        table = made["table"]
        await host.ask("open", table=table)
        await host.ask("change", table=table, options={"mishaps": False})
        await host.ask("configure", table=table, late=False, watching={"see": "all", "late": 10})
        for one in others:
            await self.load(f"/t/{table}")  # the messenger shows a card of the table before they open the page
            if self.chance.random() < 0.3:
                await one.ask("open", code=self.mistyped(made["code"]))
            found = await one.ask("open", code=made["code"])
            await one.ask("sit", table=found["table"])
        for _ in range(self.chance.randint(1, 3)):
            await self.play(people, table)
            await self.look_back(people, table)
            again = await asyncio.gather(*(one.ask("rematch", table=table) for one in people))
            table = again[0]["table"]
            for one in people:
                await one.ask("open", table=table)
        await asyncio.gather(*(one.ask("leave", table=table) for one in people))

    async def play(self, people: list[Person], table: str) -> None:
        """Play one game to its end. Somebody goes to the kitchen in between, and all talk."""
        for one in people:
            await one.here.until(lambda message: message.get("table") == table and message.get("view"))
            for text in ("hello", "\N{CHEESE WEDGE}", "your turn!", "\N{FIRE}", "I had that one")[
                : self.chance.randint(0, 5)
            ]:
                await one.ask("say", table=table, text=text)
        moves = 0
        while movers := [one for one in people if one.here.updates(table)[-1].get("ask")]:
            mover, moves = self.chance.choice(movers), moves + 1
            if moves == 10:
                await mover.ask("leave", table=table)
                back = await mover.ask("back", table=table)
                for one in people:
                    await one.here.entry(table, back["n"])
                continue  # the stand-in may have moved
            ask = mover.here.updates(table)[-1]["ask"]
            move = fill(self.chance.choice(ask["offers"]), self.chance)
            made = await mover.ask("move", table=table, ask=ask["n"], key=f"{self.chance.random()}", move=move)
            for one in people:
                await one.here.entry(table, made["n"])
        for one in people:
            await one.here.next("table", 0, table=table, status="ended")
        self.done["games"] += 1
        await self.pass_time(3)

    async def look_back(self, people: list[Person], table: str) -> None:
        """All open the replay and look at it from another seat; one asks for an analysis, and one leaves a remark."""
        await asyncio.gather(*(self.replay(seat, table) for seat in range(len(people))))
        await self.load(f"/r/{table}/analysis/decision?n=12", post)
        started = next(update["n"] for update in people[0].here.updates(table) if update.get("view"))
        await people[-1].ask("remark", table=table, n=started, text="That was a good deal!")
        self.done["replays"] += len(people)

    async def replay(self, seat: int, table: str) -> None:
        """What the page of a replay asks for."""
        await self.load(f"/r/{table}")
        for path in ("updates", "remarks", "played_on", f"updates?view={seat}"):
            await self.load(f"/r/{table}/{path}")
        self.last_game = table

    async def wait_for_analysis(self, table: str) -> None:
        """All eight have the analysis of one game open, which the page looks at every 1.5 s for a minute."""
        await asyncio.gather(*(self.replay(number % 2, table) for number in range(8)))
        await self.load(f"/r/{table}/analysis/whole", post)
        for _ in range(40 * 8):
            await self.load(f"/r/{table}/analysis/whole")

    async def load(self, path: str, how: Any = get) -> None:
        """Load something over HTTP."""
        status, answer, _ = await how(self.chance.choice(self.nodes), path, HOME)
        assert status == 200, f"{path}: {status} {answer[:200]!r}, seed {SEED}"
        self.done["load"] += 1

    async def play_alone(self, one: Person) -> None:
        """Somebody plays against bots, and gives up: the bots finish the game."""
        made = await one.ask("create", game="diced_cheese", seats=3, bots="rookie")
        await one.ask("open", table=made["table"])
        await one.here.until(lambda message: message.get("table") == made["table"] and message.get("view"))
        asked = one.here.updates(made["table"])[-1].get("ask") or {}
        for _ in range(2 * bool(asked)):
            assert (await one.here.request("advise", table=made["table"], ask=asked["n"]))["type"] == "advice"
            self.done["advise"] += 1
        await one.ask("leave", table=made["table"])
        await one.ended(made["table"])
        await one.ask("close", table=made["table"])

    async def open_in_public(self, one: Person, others: list[Person]) -> None:
        """Somebody opens a public table, adds and removes bots, waits with another one, and gives up."""
        made = await one.ask("create", game="cheesedog", seats=4)
        await one.ask("open", table=made["table"])
        for level in ("rookie", "master", None):
            await one.ask("bot", table=made["table"], seat=3, level=level)
        if others:
            await others[0].ask("sit", table=made["table"])
            await others[0].ask("leave", table=made["table"])
        await one.ask("leave", table=made["table"])

    async def show_game(self, one: Person) -> None:
        """The page of somebody in the lobby starts a game of bots, because nothing is to be seen."""
        made = await one.ask("create", game="diced_cheese", seats=4, seat=None, bots="rookie")
        await one.ask("open", table=made["table"])
        await one.ended(made["table"])
        await one.ask("close", table=made["table"])

    def mistyped(self, code: str) -> str:
        """A code with one wrong letter."""
        at = self.chance.randrange(len(code))
        return code[:at] + ("a" if code[at] != "a" else "b") + code[at + 1 :]


@contextlib.asynccontextmanager
async def house_bots(node: Running) -> AsyncIterator[None]:
    """House bots that play at random, a master who advises at random, and an analyst who finds nothing."""

    async def play(token: str) -> None:
        chance, client, read = random.Random(SEED), await node.join(token=token), 0
        while True:
            await client.until(lambda message: True, read, TEST_S)  # a bot may have nothing to do for long
            message, read = client.received[read], read + 1
            if message["type"] == "seated":
                await client.send("open", table=message["table"])
            elif message["type"] == "update" and (ask := message.get("ask")):
                move, key = fill(chance.choice(ask["offers"]), chance), f"{message['table']}-{ask['n']}"
                await client.send("move", table=message["table"], ask=ask["n"], key=key, move=move)

    async def advise() -> None:
        chance, queue = random.Random(SEED), AdviceQueue(node.node.store)
        while True:
            job = await queue.next_job()
            if job is None:
                await asyncio.sleep(0.02)
                continue
            offers = msgpack.unpackb(job.question)["offers"]
            await queue.answer(job, msgpack.packb(fill(chance.choice(offers), chance)))

    async def analyse() -> None:
        analyses = Analyses(node.node.store)
        while True:
            job = await analyses.next_job()
            if job is not None:
                await analyses.report(job, Analysis("done", job.n))
            await asyncio.sleep(0.02)

    tokens = await node.node.accounts.new_house_tokens()
    tasks = [asyncio.create_task(work) for work in (advise(), analyse(), *map(play, tokens.values()))]
    await eventually(lambda: len(node.node.bots.users) == len(tokens))
    yield
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


@pytest.mark.timeout(TEST_S)
async def test_a_family_of_eight_plays_for_an_evening_without_a_refusal(start: Start) -> None:
    nodes = [await start(limits=Limits(FASTER)), await start(limits=Limits(FASTER))]
    evening = Evening(nodes)
    chance = evening.chance
    async with house_bots(nodes[0]):
        for number, one in enumerate(evening.family):
            await one.connect(nodes[number % 2])
        round_number = 0
        while evening.minutes < MINUTES:
            round_number += 1
            await evening.pass_time(1)
            free = chance.sample(evening.family, 8)
            await asyncio.gather(*(evening.play_alone(free.pop()) for _ in range(3)))
            await evening.open_in_public(free.pop(), free)
            await evening.show_game(free.pop())
            await free.pop().connect(chance.choice(nodes))  # a telephone was asleep
            await evening.play_together([free.pop(), free.pop()])
            if round_number % 4 == 0:
                await evening.play_together(evening.family[:4])
            if round_number % 9 == 0:  # the router was switched off and on
                await asyncio.gather(*(one.connect(chance.choice(nodes)) for one in evening.family))
            if round_number % 5 == 0:  # another device, a private window
                visitor = Person(f"Visitor {round_number}", evening)
                await visitor.connect(nodes[0])
                await evening.play_together([visitor, evening.family[-1]])
        await evening.wait_for_analysis(evening.last_game)
        maker = evening.family[0]
        for name in ("Robot", "Robot II"):
            await maker.ask("token", name=name)
    assert evening.missed_codes > 5
    least = {"games": 35, "create": 75, "rematch": 80, "hello": 25, "say": 120, "sit": 30}
    least |= {"replays": 80, "remark": 30, "advise": 5, "rename": 10, "configure": 20, "load": 900}
    assert {kind: count for kind, count in least.items() if evening.done[kind] < count} == {}
