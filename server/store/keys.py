"""Every key and channel of the store, by what it holds. docs/operations.md lists them for operators.

The keys of one table and the deadlines of its shard share a hash tag, because a function touches one tag only.
"""

from __future__ import annotations

import re
import zlib

SHARDS = 256  # no more primaries of a cluster than this can have tables
OLD_SHARDS = 16  # among which the tables of the first releases are spread
OLD_ID_LENGTH = 12  # of their ids; the ids of new tables are longer
TABLE_ID = re.compile("[a-z0-9]{4,24}")  # what may be the id of a table, for texts that come from outside

LOBBY = "lobby:listings"  # hash: public table -> Listing; also the channel of its changes
ADDRESS_SECRET = "address:secret"  # makes origins of network addresses (server/requests/limits/client_addresses.py)
ONLINE_BOTS = "bots:online"  # hash: bot -> what it plays, as its node last reported it
HOUSE_TOKENS = "house:tokens"  # set: the token keys of the house bots
SANCTIONS = "sanctions"  # hash: bans and mutes by the operator; also the channel of their changes
REPORTS = "reports"  # stream: what users reported to the operator
ANALYSIS_SHARES = "analysis:shares"  # hash: address -> its jobs in the queue
DAY_SECRET = "day:secret"  # what turns users into pseudonyms in the files of days
DAY_INDEX = "day:index"  # hash: day -> what is in its file of public games
ADVICE_QUEUE = "advice:queue"  # list: questions to the adviser (server/tables/rooms/advice.py)
ANALYSIS_QUEUE = "analysis:queue"  # list: jobs of the analyst (server/tables/finished/analyses.py)
USERS = "users"  # channel: what all nodes must know about users at once
ROLLBACKS = "rollbacks"  # channel: nodes that have noticed that the store lost commands
LAST_HEARTBEAT = "{beat}:last"  # the last heartbeat of any node, in ms since 1970
WRITE_COUNTERS = "{beat}:writes"  # hash: node -> how many guarded batches it has written to a single server
OUTAGES = "{beat}:outages"  # list: "begin end" of times without a heartbeat of any node
NODE_HEARTBEATS = "{beat}:nodes"  # hash: node -> its last heartbeat, in ms since 1970
NODE_FAULTS = "{beat}:faults"  # list: "begin end node" of times without a heartbeat of one node


def shard(table: str) -> int:
    """The shard of a table."""
    return zlib.crc32(table.encode()) % (SHARDS if len(table) > OLD_ID_LENGTH else OLD_SHARDS)


def advice_answer(question: str) -> str:
    """The adviser's answer to a question."""
    return f"advice:{question}"


def table_channel(table: str) -> str:
    """The sharded channel of the table's new entries, its chat and its presence reports."""
    return f"{{{shard(table)}}}:table:{table}"


def table_log(table: str) -> str:
    """The stream that holds the table's entries; table_log.py says how their ids are made."""
    return f"{table_channel(table)}:log"


def table_chat(table: str) -> str:
    """The list of the table's last chat messages."""
    return f"{table_channel(table)}:chat"


def table_presence(table: str) -> str:
    """The hash of what each node reported of who is at the table."""
    return f"{table_channel(table)}:here"


def deadlines(of_shard: int) -> str:
    """The sorted set of the next deadlines of a shard's tables."""
    return f"{{{of_shard}}}:deadlines"


def write_counters(of_shard: int) -> str:
    """The hash of how many guarded batches each node has written to the primary of a cluster that serves this shard."""
    return f"{{{of_shard}}}:writes"


def archive(table: str) -> str:
    """A finished game, compressed (server/tables/finished/packed_replay.py)."""
    return f"archive:{table}"


def played_on(table: str) -> str:
    """The list of results of games that played on from a finished one."""
    return f"archive:{table}:played_on"


def day_games(day: str) -> str:
    """The set of public games that ended on this day."""
    return f"day:{day}:games"


def day_file(day: str) -> str:
    """The compressed file of the public games of this day."""
    return f"day:{day}:file"


def growing_day_file(day: str, maker: str) -> str:
    """The file of a day that is being made, in the slot of the complete one, which it becomes."""
    return f"{{{day_file(day)}}}:{maker}"


def remarks(table: str) -> str:
    """The hash of remarks at a finished game, by entry and user."""
    return f"archive:{table}:remarks"


def analyses(table: str) -> str:
    """The hash of the analyses of a finished game, by their name."""
    return f"archive:{table}:analyses"


def invitation_code(code: str) -> str:
    """The table of an invitation code."""
    return f"code:{code}"


def practice_pool(game: str, seats: int) -> str:
    """The practice table that waits for bots."""
    return f"practice:{game}:{seats}"


def user_channel(user: str) -> str:
    """The sharded channel of messages to a bot: seats, invitations, the end of its token."""
    return f"user:{user}"


def user_tables(user: str) -> str:
    """The set of unfinished tables where this user has a seat."""
    return f"user:{user}:tables"


def user_games(user: str) -> str:
    """The sorted set of finished games in which this user had a seat, by the time of their end."""
    return f"user:{user}:games"


def user_hosted(user: str) -> str:
    """The set of unfinished tables that this user has opened without taking a seat; in the slot of `user_tables`."""
    return f"{{user:{user}:tables}}:hosted"


def user_rate(user: str, limit: str) -> str:
    """How much a user has taken of a limit (functions of limits.lua); in the slot of `user_tables`."""
    return f"{{user:{user}:tables}}:rate:{limit}"


def address_tables(origin: str) -> str:
    """The set of unfinished tables that were opened from a network address."""
    return f"{{address:{origin}}}:tables"


def address_seats(origin: str) -> str:
    """The set of seats that users of a network address have taken, as "user table"."""
    return f"{{address:{origin}}}:seats"


def looked_through(places: str) -> str:
    """Exists for a while after the set `places` was looked through for stale members."""
    return f"{places}:looked"


def address_rate(origin: str, limit: str) -> str:
    """How much the users of a network address have taken of a limit."""
    return f"{{address:{origin}}}:rate:{limit}"


def claims(places: str) -> str:
    """The sorted set of claims to become a member of the set `places`; in its slot."""
    return f"{places}:claims" if "{" in places else f"{{{places}}}:claims"


def user_bots(user: str) -> str:
    """The set of bots that this user has made."""
    return f"user:{user}:bots"


def user_token(user: str) -> str:
    """The only valid token key of a guest who has replaced or deleted their token."""
    return f"user:{user}:token"


def user_origin(user: str) -> str:
    """The hashed network address from which a user last came."""
    return f"user:{user}:origin"


def user_blocks(user: str) -> str:
    """The hash of users whom this user blocks, with the names that they had."""
    return f"user:{user}:blocks"


def bot(user: str) -> str:
    """The name, owner, token key and scopes of a bot."""
    return f"bot:{user}"


def bot_invitations(user: str) -> str:
    """The sorted set of claims of a bot's invitations to become members of `user_tables`; in its slot."""
    return f"{{user:{user}:tables}}:invited"


def bot_last_used(user: str) -> str:
    """When a bot last said hello, in ms since 1970."""
    return f"bot:{user}:used"


def bot_record(user: str) -> str:
    """The hash of a bot's games played and won."""
    return f"record:{user}"


def account(token_hash: str) -> str:
    """The account that a token, known by its SHA-256, belongs to."""
    return f"token:{token_hash}"
