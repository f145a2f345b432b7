"""By how much one address can make the store grow in an hour, calculated from what an attack has left in it.

An attack lasts for seconds, and most of what it stores is limited by the hour. So the figure is

    bytes of all keys that the attack has left / stored things * how many of them one address may store in an hour

The first hour counts, in which a limit gives its number at once and the same number again until the hour is over. Keys
that expire within the hour count as if they did not.

Games that house bots play on when the attack is over count as the largest of 25 random games. After an hour remain

    a replay of each game, and its part of the file of its day + logs of ended and closed games, as many as the limit
    of their bytes allows + logs of unfinished games
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import redis

from games import GAMES
from server.requests.limits.limits import BY_NAME
from server.tables.finished.archive import BYTES_LIMIT
from server.tables.finished.packed_replay import pack_game
from server.tables.finished.replay import stored_game
from server.tables.state.entries import encode_entry
from tests.random_games import Log, play

HOUR_S = 3600
SEATS = BY_NAME["seats"].number  # of one person, at each of which a new name is an entry
SEEDS = tuple(bytes((number,)) * 32 for number in range(5))  # of the games of which the largest is taken
SCRATCH = "attack:size"  # a key that exists for a moment


@dataclass(frozen=True)
class Storing:
    """What an attack stores: the requests that do it, and the limits by address of which the lowest bounds them."""

    requests: tuple[str, ...]
    limits: tuple[str, ...]
    whole_games: bool = False  # whether house bots play a whole game at each table
    everything: bool = False  # whether the store is filled in all ways at once

    def most(self, nodes: int) -> float:
        """How many requests one address may make in its first hour."""
        return min(first_hour(name, nodes) for name in self.limits)


GUESTS = Storing(("guest",), ("address_guests_per_hour",))
TOKENS = Storing(("token",), ("address_tokens_per_hour",))
TABLES = Storing(("create",), ("address_tables_per_minute", "address_tables_per_hour"))
GAMES_OF_BOTS = Storing(("create",), TABLES.limits, whole_games=True)
SHOWS = Storing(("create",), ("address_bot_games_per_10_minutes",), whole_games=True)
PLAYED_ON = Storing(("play_on",), TABLES.limits, whole_games=True)
ASIDES = Storing(("move",), ("address_asides_per_minute", "address_asides_per_hour"))
SEAT_CHANGES = Storing(("sit", "leave", "back"), ("address_seat_changes_per_minute", "address_seat_changes_per_hour"))
CHAT = Storing(("say",), ("address_chats_per_10_s", "address_chats_per_hour"))
NAMES = Storing(("rename",), ("address_account_changes_per_minute", "address_account_changes_per_hour"))


EVERYTHING = Storing(("create",), TABLES.limits, everything=True)

DAY_FILE = 14_000  # of a game of 939 entries in the file of its day, which is kept besides its replay
HOST_CHANGE = 400  # bytes of the entries of one change, two if somebody is sent away from a running game
RENAMED = 210
INVITATION = 420
ADVISED = 90
ANALYSIS = 5_000  # of a whole game of 939 entries, packed

# What else one address can store, and the bytes of one: the largest that the attacks have left, rounded up.
BYTES_OF = (
    (GUESTS, 600),
    (TOKENS, 1_500),
    (ASIDES, 560),
    (SEAT_CHANGES, 480),
    (CHAT, 1_050),
    (Storing((), ("address_remarks_per_hour",)), 700),
    (Storing((), ("address_reports_per_hour",)), 26_000),  # with 20 lines of chat
    (Storing((), ("address_note_bytes_per_hour",)), 2),  # in the log, and in the replay
    (Storing((), ("address_host_changes_per_hour",)), HOST_CHANGE),
    (Storing((), ("address_account_changes_per_minute", "address_account_changes_per_hour")), SEATS * RENAMED),
    (Storing((), ("address_invitations_per_10_minutes",)), INVITATION),
    (Storing((), ("address_advice_per_minute",)), ADVISED),
    (Storing((), ("address_analyses_per_hour",)), ANALYSIS),
)


class GameSize(NamedTuple):
    """How many bytes of the store a game takes."""

    log: int
    replay: int


def first_hour(name: str, nodes: int) -> float:
    """How much of a limit one address can take in the first hour, from all nodes."""
    limit = BY_NAME[name]
    assert limit.window_s
    return limit.number * (1 + HOUR_S / limit.window_s) * (1 if limit.shared else nodes)


def bytes_per_hour(storing: Storing, grown: int, done: int, game: GameSize, nodes: int) -> float:
    """How much the store grows in an hour, if `done` requests have made it grow by so many bytes."""
    if storing.everything:
        return everything_per_hour(game, nodes)
    if not done:
        return float(max(0, grown))
    most = storing.most(nodes)
    if not storing.whole_games:
        return max(0, grown) / done * most
    return games_per_hour(most, game, nodes)


def games_per_hour(most: float, game: GameSize, nodes: int) -> float:
    """How much so many games of the largest size make the store grow in an hour."""
    kept_logs = first_hour(BYTES_LIMIT, nodes) + BY_NAME["address_tables_held"].number * game.log
    return most * (game.replay + DAY_FILE) + min(most * game.log, kept_logs)


def everything_per_hour(game: GameSize, nodes: int) -> float:
    """How much the store grows in an hour if one address fills it in all ways at once, each up to its limit."""
    others = sum(storing.most(nodes) * size for storing, size in BYTES_OF)
    return games_per_hour(GAMES_OF_BOTS.most(nodes), game, nodes) + others


def bytes_of_keys(store: redis.Redis, besides: Iterable[str]) -> int:
    """The bytes of all keys but these."""
    left_out = {key.encode() for key in besides}
    sizes: Any = store.pipeline(transaction=False)  # MEMORY USAGE of each key
    for key in store.scan_iter(count=1000):
        if key not in left_out:
            sizes.memory_usage(key, samples=0)
    return sum(size or 0 for size in sizes.execute())


@cache
def largest_game() -> Log:
    """The largest of some random games of every kind, with all seats taken."""
    games = [play(name, seed, GAMES[name].seats.stop - 1) for name in GAMES for seed in SEEDS]
    return max(games, key=lambda log: sum(len(encode_entry(entry)) for _, entry in log.entries))


def game_size(store: redis.Redis) -> GameSize:
    """How many bytes that game takes."""
    log = largest_game()
    for n, entry in log.entries:
        store.xadd(SCRATCH, {"e": encode_entry(entry)}, id=f"{n}-{2**31}")
    size: Any = store.memory_usage(SCRATCH, samples=0)
    store.delete(SCRATCH)
    game = stored_game(log.table, [(n, encode_entry(entry)) for n, entry in log.entries])
    store.set(SCRATCH, b"".join(pack_game(game)))
    replay: Any = store.memory_usage(SCRATCH)
    store.delete(SCRATCH)
    return GameSize(size, replay)
