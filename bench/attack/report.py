"""The bounds that every attack has to stay within, and the table of what was measured."""

from __future__ import annotations

from collections import Counter

from bench.attack.run import Outcome

MAX_PING_MS = 50.0  # p99 of a bystander's ping, beyond the quiet figure
MAX_ACK_MS = 100.0  # p99 of the acknowledgement of a move
MAX_NODE_MB = 50.0  # growth of a node
MAX_KEPT_MB = 25.0  # what of that a node may keep afterwards
MAX_KEPT_AGAIN_MB = 5.0  # what repetitions of an attack may add to that: noise
MAX_STORE_MB_PER_HOUR = 20.0  # growth of the store, from one address

COLUMNS = (  # those of the table in docs/security.md
    "attack, connections",
    "sent",
    "ping p99 ms, quiet",
    "under attack",
    "longest",
    "ack p99 ms",
    "lag p99 ms",
    "node MB grown",
    "kept",
    "kept again",
    "store MB/h",
    "answers",
    "closed",
    "figures",
    "bounds",
)


def broken_bounds(outcome: Outcome) -> list[str]:
    """The bounds that did not hold."""
    if outcome.error:
        return [outcome.error]
    broken = []
    if not outcome.under.ping_ms(99) <= outcome.quiet.ping_ms(99) + MAX_PING_MS:
        broken.append("bystander")
    if not outcome.under.move_ms(99) <= MAX_ACK_MS:
        broken.append("game")
    if outcome.node_grown_mb > MAX_NODE_MB:
        broken.append("node memory")
    if outcome.node_kept_mb > MAX_KEPT_MB:
        broken.append("node memory kept")
    if sum(outcome.kept_again_mb) > MAX_KEPT_AGAIN_MB:
        broken.append("node memory adds up")
    if outcome.store_mb_per_hour > MAX_STORE_MB_PER_HOUR:
        broken.append("store")
    if outcome.players_lost:
        broken.append(f"{outcome.players_lost} players lost")
    return broken + outcome.sent.broken


def cells(outcome: Outcome) -> tuple[str, ...]:
    """One row of the table."""
    sent = outcome.sent
    broken = broken_bounds(outcome)
    return (
        f"`{outcome.attack.name}`, {outcome.connections}",
        f"{count(sent.frames)} frames, {sent.bytes_sent / 2**20:,.1f} MB",
        milliseconds(outcome.quiet.ping_ms(99)),
        milliseconds(outcome.under.ping_ms(99)),
        milliseconds(outcome.under.ping_ms(100)),
        milliseconds(outcome.under.move_ms(99)),
        f"\u2264 {milliseconds(outcome.lag_ms)}",
        f"{outcome.node_grown_mb:+.0f}",
        f"{outcome.node_kept_mb:+.0f}",
        ", ".join(f"{mb:+.0f}" for mb in outcome.kept_again_mb) or "-",
        f"{outcome.store_mb_per_hour:,.1f}",
        listed(sent.answers),
        listed(sent.closed),
        ", ".join(f"{name} {value:,.6g}" for name, value in sent.figures.items()) or "-",
        "held" if not broken else "BROKEN: " + "; ".join(broken),
    )


def count(number: int) -> str:
    """A number of frames, shortened."""
    return f"{number / 1000:,.0f}k" if number >= 10_000 else f"{number:,}"


def milliseconds(value: float) -> str:
    """A time in milliseconds."""
    return f"{value:,.1f}" if value < 100 else f"{value:,.0f}"


def listed(counted: Counter[str]) -> str:
    """Codes and how often each came, the most frequent first."""
    return ", ".join(f"{code} {count(times)}" for code, times in counted.most_common() if times) or "-"


def heading() -> str:
    """The head of the table."""
    return "| " + " | ".join(COLUMNS) + " |\n" + "|---" * len(COLUMNS) + "|"


def row(outcome: Outcome) -> str:
    """The row of an attack in the table."""
    return "| " + " | ".join(cells(outcome)) + " |"
