"""A node of the service with the benchmark's game in its catalogue."""

from __future__ import annotations

from bench import pile
from games import GAMES

GAMES[pile.GAME.name] = pile.GAME  # before the server reads the catalogue

if __name__ == "__main__":
    from server.node import main

    main()
