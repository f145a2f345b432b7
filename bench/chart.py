"""Draw line charts as SVG, with a background of their own so that they are readable on light and dark pages."""

from __future__ import annotations

import math
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 460, 280
LEFT, RIGHT, TOP, BOTTOM = 58, 24, 62, 46
INSET = 28  # between the axis and the first and last power of ten
STYLE = """
text { fill: #2B2118; font: 12px system-ui, sans-serif; font-variant-numeric: tabular-nums }
.paper { fill: #FBF6EA } .title { font: 600 15px Rockwell, 'Roboto Slab', Georgia, serif } .muted { fill: #6F6152 }
.grid { stroke: #DCCFB6 } .line { fill: none; stroke: #2F5D80; stroke-width: 2.5 } .dot { fill: #2F5D80 }
.value { paint-order: stroke; stroke: #FBF6EA; stroke-width: 4px; stroke-linejoin: round }
@media (prefers-color-scheme: dark) {
  text { fill: #F3E9D8 } .paper { fill: #1E1814 } .muted { fill: #B7A993 } .grid { stroke: #453930 }
  .line { stroke: #8FBBDD } .dot { fill: #8FBBDD } .value { stroke: #1E1814 }
}
"""

Points = list[tuple[int, float]]


def ticks_up_to(most: float) -> list[float]:
    """Return three to six round numbers from zero to at least `most`."""
    rough = most / 4
    unit = 10.0 ** math.floor(math.log10(rough))
    step = next(unit * times for times in (1, 2, 2.5, 5, 10) if unit * times >= rough)
    return [step * number for number in range(math.ceil(most / step) + 1)]


def panel(title: str, x_label: str, unit: str, points: Points) -> str:
    """Draw one chart: values in `unit` over a logarithmic x axis. The y axis starts at zero."""
    low = math.floor(math.log10(points[0][0]))
    high = max(low + 1, math.ceil(math.log10(points[-1][0])))
    ticks = ticks_up_to(1.2 * max(y for _, y in points) or 1)

    def x_of(x: float) -> float:
        return LEFT + INSET + (math.log10(x) - low) / (high - low) * (WIDTH - LEFT - RIGHT - 2 * INSET)

    def y_of(y: float) -> float:
        return HEIGHT - BOTTOM - y / ticks[-1] * (HEIGHT - TOP - BOTTOM)

    parts = [
        f'<text x="16" y="26" class="title">{escape(title)}</text>',
        f'<text x="16" y="45" class="muted">{escape(unit)}</text>',
        f'<text x="{WIDTH - RIGHT}" y="{HEIGHT - 10}" class="muted" text-anchor="end">{escape(x_label)}</text>',
    ]
    for y in ticks:
        parts.append(f'<path d="M{LEFT} {y_of(y):.1f}H{WIDTH - RIGHT}" class="grid"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{y_of(y) + 4:.1f}" class="muted" text-anchor="end">{y:,.4g}</text>')
    for power in range(low, high + 1):
        x = x_of(10**power)
        parts.append(f'<path d="M{x:.1f} {TOP}V{HEIGHT - BOTTOM + 4}" class="grid"/>')
        parts.append(
            f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 18}" class="muted" text-anchor="middle">{10**power:,}</text>'
        )
    line = " ".join(f"{x_of(x):.1f},{y_of(y):.1f}" for x, y in points)
    parts.append(f'<polyline points="{line}" class="line"/>')
    for x, y in points:
        parts.append(f'<circle cx="{x_of(x):.1f}" cy="{y_of(y):.1f}" r="4" class="dot"/>')
        parts.append(
            f'<text x="{x_of(x):.1f}" y="{y_of(y) - 10:.1f}" class="value" text-anchor="middle">{y:,.3g}</text>'
        )
    return "\n".join(parts)


def sheet(panels: list[str], columns: int = 2) -> str:
    """Arrange the charts in rows and columns."""
    width, height = WIDTH * min(columns, len(panels)), HEIGHT * math.ceil(len(panels) / columns)
    placed = "\n".join(
        f'<g transform="translate({number % columns * WIDTH} {number // columns * HEIGHT})">\n{one}\n</g>'
        for number, one in enumerate(panels)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">\n'
        f'<style>{STYLE}</style>\n<rect width="{width}" height="{height}" rx="8" class="paper"/>\n{placed}\n</svg>\n'
    )
