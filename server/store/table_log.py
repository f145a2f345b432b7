"""A table's log: append-if-next and read, over one stream per table.

A move is a plain append under its own number, which the store refuses if the number is taken. That cannot leave a gap:
a node appends only to a log whose last entry it has read or written since the store was last away. Every other entry is
appended by a server-side function that refuses unless it is the very next one, and in the same step tells the other
nodes and sets the table's deadline. Keys of one table, its shard's deadlines included, share a hash tag, because a
function touches one tag only.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import hiredis

from server.entries import Entry, read_entry
from server.store import Answer, Store

SHARDS = 16

FUNCTIONS = """#!lua name=cheeseboard
-- KEYS log, deadlines, channel; ARGV table, number, entry, deadline in ms. Answers as XADD does, or the log's length.
local function commit(keys, args)
  local length = redis.call('XLEN', keys[1])
  if length ~= tonumber(args[2]) - 1 then return length end
  redis.call('ZADD', keys[2], args[4], args[1])
  redis.call('SPUBLISH', keys[3], args[2] .. ' ' .. args[3])
  return redis.call('XADD', keys[1], args[2] .. '-0', 'e', args[3])
end

-- KEYS log, deadlines; ARGV number of the last entry, table, deadline in ms
local function put_off(keys, args)
  if redis.call('XLEN', keys[1]) == tonumber(args[1]) then redis.call('ZADD', keys[2], args[3], args[2]) end
end

-- KEYS last beat, outages; ARGV now in ms, gap in ms that counts as an outage
local function beat(keys, args)
  local last = tonumber(redis.call('GET', keys[1]) or args[1])
  if tonumber(args[1]) - last > tonumber(args[2]) then
    redis.call('RPUSH', keys[2], last .. ' ' .. args[1])
    redis.call('LTRIM', keys[2], -200, -1)
  end
  redis.call('SET', keys[1], math.max(last, tonumber(args[1])))
  return redis.call('LRANGE', keys[2], 0, -1)
end

-- KEYS deadlines; ARGV now in ms, how many, how long the asker has before another node is told of them
local function due(keys, args)
  local tables = redis.call('ZRANGE', keys[1], '-inf', args[1], 'BYSCORE', 'LIMIT', 0, args[2])
  for _, name in ipairs(tables) do redis.call('ZADD', keys[1], args[1] + args[3], name) end
  return tables
end

-- KEYS pool; ARGV the table that was found there, the table to put there instead. Answers the table that is there now.
local function pool(keys, args)
  local there = redis.call('GET', keys[1])
  if there and there ~= args[1] then return there end
  redis.call('SET', keys[1], args[2], 'EX', 3600)
  return args[2]
end

redis.register_function('commit', commit)
redis.register_function('pool', pool)
redis.register_function('put_off', put_off)
redis.register_function('due', due)
redis.register_function('beat', beat)
"""


def shard(table: str) -> int:
    """The shard of a table: its keys and its deadline live together."""
    return zlib.crc32(table.encode()) % SHARDS


def log_key(table: str) -> str:
    """The stream that is the table."""
    return f"{{{shard(table)}}}:table:{table}:log"


def channel(table: str) -> str:
    """The sharded channel on which the table's entries are told."""
    return f"{{{shard(table)}}}:table:{table}"


def table_key(table: str, what: str) -> str:
    """A key beside the table's log."""
    return f"{{{shard(table)}}}:table:{table}:{what}"


def deadlines_key(of: int) -> str:
    """The sorted set of the deadlines of a shard's tables."""
    return f"{{{of}}}:deadlines"


@lru_cache(10_000)
def _move(table: str) -> bytes:
    """How the append of a move begins, the same for every move of a table."""
    return b"*6\r\n" + b"".join(_word(word) for word in (b"XADD", log_key(table).encode(), b"NOMKSTREAM"))


def _word(text: bytes) -> bytes:
    """A word of a command as the store reads it."""
    return b"$%d\r\n%b\r\n" % (len(text), text)


def refused(answer: Answer) -> bool:
    """Whether an append was not answered with its number because the log is not as it was thought to be."""
    taken = isinstance(answer, hiredis.ReplyError) and "XADD" in str(answer)
    return taken or answer is None or isinstance(answer, int)


class Log:
    """Reads and appends entries; holds nothing."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def prepare(self) -> None:
        """Load the functions; the same text again changes nothing."""
        await self._store.call("FUNCTION", "LOAD", "REPLACE", FUNCTIONS)

    def append(self, table: str, number: int, entry: bytes, due: int, then: Callable[[Answer], None]) -> None:
        """Append an entry if it is the next one, and set the deadline; `then` gets bytes if it is in the log."""
        keys = log_key(table), deadlines_key(shard(table)), channel(table)
        self._store.send(then, "FCALL", "commit", 3, *keys, table, number, entry, due)

    def append_move(
        self, table: str, number: int, entry: bytes, due: int | None, then: Callable[[Answer], None]
    ) -> None:
        """The same for a move, after an entry that is known to be in the log; `due` if no earlier deadline stands.

        Other nodes are told of it afterwards.
        """
        if due is not None:  # it stands though the move may be refused: then somebody looks at the table too early
            self._store.send(_ignore, "ZADD", deadlines_key(shard(table)), "LT", due, table)
        n = b"%d-0" % number
        form = b"%b$%d\r\n%b\r\n$1\r\ne\r\n$%d\r\n%b\r\n"
        self._store.post(then, form % (_move(table), len(n), n, len(entry), entry))

    def put_off(self, table: str, number: int, deadline: int) -> None:
        """Set the deadline of a table whose last entry this is; a later entry has set its own."""
        keys = log_key(table), deadlines_key(shard(table))
        self._store.send(_ignore, "FCALL", "put_off", 2, *keys, number, table, deadline)

    def read(self, table: str, after: int, then: Callable[[Answer], None]) -> None:
        """The entries after this number, in order and as `read_entries` takes them."""
        self._store.send(then, "XRANGE", log_key(table), f"{after + 1}-0", "+")


def read_entries(answer: list[Any]) -> list[tuple[int, Entry]]:
    """Numbered entries from the store's answer."""
    return [(int(number.partition(b"-")[0]), read_entry(fields[1])) for number, fields in answer]


def _ignore(answer: Answer) -> None:
    """The table is looked at again soon."""
