"""A line chart as SVG, on paper of its own so that it can be read on light and dark pages."""

from __future__ import annotations

import math
from xml.sax.saxutils import escape

WIDE, HIGH = 460, 280
LEFT, RIGHT, TOP, BOTTOM = 58, 24, 62, 46
INSET = 28  # between the axis and the first and last power of ten
STYLE = """
text { fill: #2B2118; font: 12px system-ui, sans-serif; font-variant-numeric: tabular-nums }
.paper { fill: #FBF6EA } .title { font: 600 15px Rockwell, 'Roboto Slab', Georgia, serif } .quiet { fill: #6F6152 }
.grid { stroke: #DCCFB6 } .line { fill: none; stroke: #2F5D80; stroke-width: 2.5 } .dot { fill: #2F5D80 }
.value { paint-order: stroke; stroke: #FBF6EA; stroke-width: 4px; stroke-linejoin: round }
@media (prefers-color-scheme: dark) {
  text { fill: #F3E9D8 } .paper { fill: #1E1814 } .quiet { fill: #B7A993 } .grid { stroke: #453930 }
  .line { stroke: #8FBBDD } .dot { fill: #8FBBDD } .value { stroke: #1E1814 }
}
"""

Points = list[tuple[int, float]]


def steps(most: float) -> list[float]:
    """Round numbers from nought to at least `most`, three to six of them."""
    rough = most / 4
    unit = 10.0 ** math.floor(math.log10(rough))
    step = next(unit * times for times in (1, 2, 2.5, 5, 10) if unit * times >= rough)
    return [step * number for number in range(math.ceil(most / step) + 1)]


def panel(title: str, of: str, unit: str, points: Points) -> str:
    """One chart: what is measured in `unit` over the number of `of`, which grows by tens; y begins at nought."""
    low = math.floor(math.log10(points[0][0]))
    high = max(low + 1, math.ceil(math.log10(points[-1][0])))
    ticks = steps(1.2 * max(y for _, y in points) or 1)

    def across(x: float) -> float:
        return LEFT + INSET + (math.log10(x) - low) / (high - low) * (WIDE - LEFT - RIGHT - 2 * INSET)

    def down(y: float) -> float:
        return HIGH - BOTTOM - y / ticks[-1] * (HIGH - TOP - BOTTOM)

    parts = [
        f'<text x="16" y="26" class="title">{escape(title)}</text>',
        f'<text x="16" y="45" class="quiet">{escape(unit)}</text>',
        f'<text x="{WIDE - RIGHT}" y="{HIGH - 10}" class="quiet" text-anchor="end">{escape(of)}</text>',
    ]
    for y in ticks:
        parts.append(f'<path d="M{LEFT} {down(y):.1f}H{WIDE - RIGHT}" class="grid"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{down(y) + 4:.1f}" class="quiet" text-anchor="end">{y:,.4g}</text>')
    for power in range(low, high + 1):
        x = across(10**power)
        parts.append(f'<path d="M{x:.1f} {TOP}V{HIGH - BOTTOM + 4}" class="grid"/>')
        parts.append(
            f'<text x="{x:.1f}" y="{HIGH - BOTTOM + 18}" class="quiet" text-anchor="middle">{10**power:,}</text>'
        )
    line = " ".join(f"{across(x):.1f},{down(y):.1f}" for x, y in points)
    parts.append(f'<polyline points="{line}" class="line"/>')
    for x, y in points:
        parts.append(f'<circle cx="{across(x):.1f}" cy="{down(y):.1f}" r="4" class="dot"/>')
        parts.append(
            f'<text x="{across(x):.1f}" y="{down(y) - 10:.1f}" class="value" text-anchor="middle">{y:,.3g}</text>'
        )
    return "\n".join(parts)


def sheet(panels: list[str], columns: int = 2) -> str:
    """The charts side by side, in rows."""
    wide, high = WIDE * min(columns, len(panels)), HIGH * math.ceil(len(panels) / columns)
    placed = "\n".join(
        f'<g transform="translate({number % columns * WIDE} {number // columns * HIGH})">\n{one}\n</g>'
        for number, one in enumerate(panels)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{wide}" height="{high}">\n'
        f'<style>{STYLE}</style>\n<rect width="{wide}" height="{high}" rx="8" class="paper"/>\n{placed}\n</svg>\n'
    )
