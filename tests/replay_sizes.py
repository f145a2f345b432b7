"""`python -m tests.replay_sizes` prints how many bytes the replays of random games take, for docs/replay.md."""

from __future__ import annotations

import gzip

import msgspec

from games import GAMES
from server.tables.finished.playback import play_back
from server.tables.finished.replay import lines
from tests.playout import table_size
from tests.random_games import SEED, play

GAMES_OF_EACH = 20


def sizes(game: str, number: int) -> tuple[int, int, int, int, int]:
    """The entries of one game, and the compressed bytes of its views and its file."""
    log = play(game, SEED + bytes([number]), table_size(GAMES[game]))
    found = []
    for views in ([None], [0], [None, *range(log.table.opened.seats)]):
        answer = msgspec.msgpack.encode(list(play_back(log.table.id, log.entries, views)))
        found.append(len(gzip.compress(answer, 6)))
    file = "".join(line + "\n" for line in lines(log.table.id, log.entries))
    return len(log.entries), found[0], found[1], found[2], len(gzip.compress(file.encode(), 6))


def main() -> None:
    """Print one row for each game."""
    print("| game | seats | entries | public | one seat | all viewpoints | the file, compressed |")
    print("|---|---|---|---|---|---|---|")
    for game in GAMES:
        measured = sorted(sizes(game, number) for number in range(GAMES_OF_EACH))
        entries, public, seat, everything, file = measured[len(measured) // 2]
        title, seats = GAMES[game].title, table_size(GAMES[game])
        kilobytes = (f"{size / 1000:.1f} kB" for size in (public, seat, everything, file))
        print(f"| {title} | {seats} | {entries} | {' | '.join(kilobytes)} |")


if __name__ == "__main__":
    main()
