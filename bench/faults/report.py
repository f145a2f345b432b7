"""The table of results."""

from __future__ import annotations

from collections.abc import Sequence

from bench.faults.rows import COUNTED, Row
from bench.faults.run import LATE_S

COLUMNS = ("fault", "repetitions", "acknowledged", *COUNTED, "pause p50 s", "p95", "max", "verdict")


def heading() -> str:
    """The head of the table."""
    return "| " + " | ".join(COLUMNS) + " |\n" + "|---" * len(COLUMNS) + "|"


def line(row: Row) -> str:
    """The line of one fault."""
    pauses = [percentile(row.pauses_s, part) for part in (50, 95, 100)]
    lost = str(row.found["lost"]) + ("" if row.promised else " (not promised)")
    cells = (
        row.fault,
        f"{row.repetitions:,}",
        f"{row.acknowledged:,}",
        lost,
        *(str(row.found[column]) for column in COUNTED[1:]),
        *(f"{pause:.2f}" for pause in pauses),
        "held" if not row.broken else "BROKEN: " + "; ".join(row.broken),
    )
    return "| " + " | ".join(cells) + " |"


def own_delays(row: Row) -> str:
    """What of the pauses is not the service's: how late the process with the clients itself was; '' if never."""
    late = [(pause, late) for pause, late in zip(row.pauses_s, row.late_s, strict=False) if late > LATE_S]
    if not late:
        return ""
    pairs = ", ".join(f"{pause:.2f} ({own:.2f})" for pause, own in sorted(late, reverse=True))
    return f"{row.fault}: pauses that include a delay of the clients' own process (in brackets): {pairs}"


def percentile(values: list[float], part: int) -> float:
    """The value below which this part of a hundred lies; 0 if there are none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, len(ordered) * part // 100)] if ordered else 0.0


def summary(rows: Sequence[Row]) -> str:
    """The totals in one sentence."""
    kills = {kind: sum(row.kills for row in rows if row.killed == kind) for kind in ("node", "store")}
    return (
        f"{sum(row.repetitions for row in rows):,} faults, among them {kills['node']:,} kills of nodes and "
        f"{kills['store']:,} of stores; {sum(row.acknowledged for row in rows):,} acknowledged moves in "
        f"{sum(row.tables for row in rows):,} tables of five games."
    )
