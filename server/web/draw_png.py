"""Turns SVG on standard input into PNG on standard output: `python -m server.web.draw_png`.

A process of its own, because the renderer would keep the event loop of a node from live games for a tenth of a second.
"""

from __future__ import annotations

import os
import resource
import sys

import resvg_py

MAX_CPU_S = 5


def main() -> None:
    """Draw one picture, after everything else that wants a CPU."""
    os.nice(10)
    resource.setrlimit(resource.RLIMIT_CPU, (MAX_CPU_S, MAX_CPU_S))
    sys.stdout.buffer.write(resvg_py.svg_to_bytes(svg_string=sys.stdin.buffer.read().decode()))


if __name__ == "__main__":
    main()
