"""Going through all situations, and saying what came of it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass

from bots.conform import meeting, playing, returning, surprises
from bots.conform.candidate import Candidate
from bots.conform.link import Failed
from bots.conform.situation import SITUATIONS, Situation
from bots.conform.stage import NotForThis, Stage

HOMES = (meeting, playing, surprises, returning)  # to import them is to list what is in them
ALL = tuple(SITUATIONS)


@dataclass(frozen=True)
class Finding:
    """What came of one situation: passed, failed, or not for a bot like this."""

    name: str
    title: str
    see: str
    required: bool
    result: str
    why: str = ""


def chosen(games: list[str], only: Iterable[str] = ()) -> list[Situation]:
    """The situations for a bot that plays these games, or only those that are named."""
    named = set(only)
    unknown = named - {one.name for one in ALL}
    if unknown:
        raise ValueError(f"there is no situation {', '.join(sorted(unknown))}: see --list")
    return [one for one in ALL if (one.game is None or one.game in games) and (not named or one.name in named)]


async def go_through(one: Situation, candidate: Candidate, game: str, patience_s: float) -> Finding:
    """One situation with a bot of its own."""
    result, why = "passed", ""
    try:
        await Stage(candidate, one.game or game, one.name, patience_s).play(one.play)
    except NotForThis as no:
        result, why = "not for this bot", str(no)
    except Failed as fault:
        result, why = "failed", str(fault)
    return Finding(one.name, one.title, one.see, one.required, result, why)


async def go_through_all(
    situations: list[Situation],
    command: list[str],
    game: str,
    patience_s: float,
    jobs: int = 1,
    port: int = 0,
    token: str = "",
) -> list[Finding]:
    """All of them, several at a time if the kit starts the bot itself."""
    places = asyncio.Semaphore(jobs if command else 1)

    async def attempt(one: Situation) -> Finding:
        async with places:
            return await go_through(one, Candidate(command, token, port), game, patience_s)

    return list(await asyncio.gather(*map(attempt, situations)))


def as_text(findings: list[Finding]) -> str:
    """The report for people."""
    words = {"passed": "ok", "not for this bot": "--", "failed": "FAILED"}
    lines = []
    for one in findings:
        word = "could be better" if one.result == "failed" and not one.required else words[one.result]
        lines.append(f"{word:>15}  {one.name}: {one.title}")
        if one.result == "failed":
            lines.append(f"{'':>15}  {one.why}")
            lines.append(f"{'':>15}  see docs/protocol.md: {one.see}".replace("protocol.md: bots.md", "bots.md:"))
        elif one.why:
            lines.append(f"{'':>15}  {one.why}")
    count = {result: sum(one.result == result for one in findings) for result in words}
    required = sum(one.result == "failed" and one.required for one in findings)
    lines.append(
        f"\n{len(findings)} situation{'s' * (len(findings) != 1)}: {count['passed']} passed, {required} failed, "
        f"{count['failed'] - required} could be better, {count['not for this bot']} not for this bot"
    )
    return "\n".join(lines) + "\n"


def as_json(findings: list[Finding]) -> str:
    """The report for machines."""
    return json.dumps([asdict(one) for one in findings], indent=1) + "\n"


def failed(findings: list[Finding], strict: bool = False) -> bool:
    """Whether a required situation has failed; if strict, any."""
    return any(one.result == "failed" and (one.required or strict) for one in findings)
