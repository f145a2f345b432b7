"""Runs the situations and reports the results."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass

from bots.conform import connecting, playing, reconnecting, unexpected
from bots.conform.candidate import Candidate
from bots.conform.connection import Failed
from bots.conform.server import KitServer, NotApplicable
from bots.conform.situation import SITUATIONS, Situation

LISTED = (connecting, playing, unexpected, reconnecting)  # importing these modules fills SITUATIONS
ALL = tuple(SITUATIONS)
WORDS = {"passed": "ok", "not for this bot": "--", "failed": "FAILED"}  # for the results, in the report
SLOW = "If the bot starts slowly or the machine is busy, give it more time: --jobs 1 --patience 60."


@dataclass(frozen=True)
class Finding:
    """The result of one situation: passed, failed, or not for this bot."""

    name: str
    title: str
    see: str
    required: bool
    result: str
    why: str = ""
    output: str = ""

    @property
    def fault(self) -> str:
        """The reason without what differs between situations: numbers, names and keys."""
        return re.sub(r"'[^']*'|\{.*\}|\[.*\]|\d+", "#", self.why)


def chosen(games: list[str], only: Iterable[str] = ()) -> list[Situation]:
    """The situations for a bot that plays these games, limited to those that `only` names, if any."""
    named = set(only)
    unknown = named - {one.name for one in ALL}
    if unknown:
        raise ValueError(f"there is no situation {', '.join(sorted(unknown))}: see --list")
    return [one for one in ALL if (one.game is None or one.game in games) and (not named or one.name in named)]


async def run_one(one: Situation, candidate: Candidate, game: str, patience_s: float) -> Finding:
    """Run one situation with a fresh bot."""
    result, why = "passed", ""
    try:
        await KitServer(candidate, one.game or game, one.name, patience_s).play(one.play)
    except NotApplicable as no:
        result, why = "not for this bot", str(no)
    except Failed as fault:
        result, why = "failed", str(fault)
    return Finding(one.name, one.title, one.see, one.required, result, why, candidate.output if why else "")


async def run_all(
    situations: list[Situation],
    command: list[str],
    game: str,
    patience_s: float,
    jobs: int = 1,
    port: int = 0,
    token: str = "",
    progress: Callable[[int], None] = lambda done: None,
) -> list[Finding]:
    """Run all situations, several at a time if the kit starts the bot itself."""
    places = asyncio.Semaphore(jobs if command else 1)
    done = 0

    async def attempt(one: Situation) -> Finding:
        nonlocal done
        async with places:
            finding = await run_one(one, Candidate(command, token, port), game, patience_s)
        done += 1
        progress(done)
        return finding

    return list(await asyncio.gather(*map(attempt, situations)))


def as_text(findings: list[Finding]) -> str:
    """The report as text. A fault that repeats is explained once, with the whole output of the bot."""
    lines = []
    first: dict[str, Finding] = {}
    for one in findings:
        word = "could be better" if one.result == "failed" and not one.required else WORDS[one.result]
        lines.append(f"{word:>15}  {one.name}: {one.title}")
        if one.result != "failed":
            lines += [f"{'':>15}  {one.why}"] * bool(one.why)
        elif (same := first.setdefault(one.fault, one)) is not one:
            lines.append(f"{'':>15}  the same fault as in {same.name}")
        else:
            lines.append(f"{'':>15}  {one.why}")
            lines.append(f"{'':>15}  see docs/protocol.md: {one.see}".replace("protocol.md: bots.md", "bots.md:"))
            lines += [f"{'':>15}  | {line}" for line in one.output.splitlines()]
    slow = [SLOW] * any(one.result == "failed" and "did not connect: no message" in one.why for one in findings)
    return "\n".join([*lines, "", _summary(findings, len(first)), *slow]) + "\n"


def _summary(findings: list[Finding], faults: int) -> str:
    count = {result: sum(one.result == result for one in findings) for result in WORDS}
    required = sum(one.result == "failed" and one.required for one in findings)
    different = f" ({faults} different fault{'s' * (faults != 1)})" if faults else ""
    return (
        f"{len(findings)} situation{'s' * (len(findings) != 1)}: {count['passed']} passed, {required} failed, "
        f"{count['failed'] - required} could be better, {count['not for this bot']} not for this bot{different}"
    )


def as_json(findings: list[Finding]) -> str:
    """The report as JSON."""
    return json.dumps([asdict(one) for one in findings], indent=1) + "\n"


def failed(findings: list[Finding], strict: bool = False) -> bool:
    """Whether a required situation has failed; if strict, whether any has."""
    return any(one.result == "failed" and (one.required or strict) for one in findings)
