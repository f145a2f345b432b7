"""A node of the service with the benchmark's game in the catalogue."""

from __future__ import annotations

from bench import pile
from games import GAMES
from games.core import collect

GAMES["pile"] = collect(pile)  # before the server reads the catalogue

if __name__ == "__main__":
    from server.app import main

    main()
