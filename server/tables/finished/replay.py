"""The replay file: a finished game as JSON lines. docs/replay.md specifies the format."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256
from typing import Any, NamedTuple, Protocol, get_args

import msgspec

from games import GAMES
from games.chance import Chance, Draw, salted_seed
from games.core import AnyGame, judge
from server.tables.state.entries import Changed, Entry, Opened, encode_entry
from server.tables.state.positions import dealt_anew
from server.tables.state.table import Table, folded, opened

FORMAT = "cheeseboard-replay"
VERSION = 1
DIGEST = "sha256"  # the field of the result with the digest of all lines before it
ENTRY_TYPES = {str(kind.__struct_config__.tag) for kind in get_args(Entry)} - {"opened"}


class Hash(Protocol):
    """The part of a hash of hashlib, whose own type is private, that is used here."""

    def update(self, data: bytes, /) -> object: ...
    def hexdigest(self) -> str: ...


class BadReplay(Exception):  # noqa: N818
    """A replay file that cannot be read, or that does not verify; the text says where."""


def lines(table: str, entries: Iterable[tuple[int, Entry]]) -> Iterator[str]:
    """The log of a finished game, one JSON object a line: a head, the entries, and the result."""
    entries = tuple(entries)
    return lines_of(folded(table, entries), entries)


def lines_of(table: Table, entries: Sequence[tuple[int, Entry]]) -> Iterator[str]:
    """The lines of a table that was folded from these entries.

    Entries after the end of the game may be missing in the table: they do not change what the lines say of it.
    """
    return lines_of_stored(stored_game(table, [(n, encode_entry(entry)) for n, entry in entries]))


class StoredGame(msgspec.Struct, frozen=True, array_like=True):
    """What a replay file is made from: the entries of a finished game as they are stored, and how it ended, as JSON."""

    table: str
    outcome: bytes
    state: bytes
    log: Sequence[tuple[int, bytes]]


def stored_game(table: Table, log: Sequence[tuple[int, bytes]]) -> StoredGame:
    """The game of a table that was folded from this log."""
    return StoredGame(table.id, own_json(table.outcome), own_json(table.state), log)


def lines_of_stored(game: StoredGame) -> Iterator[str]:
    """The lines of a replay file, from entries as they are stored, which is faster than from decoded ones."""
    digest = sha256()
    for n, stored in game.log:
        if n == 1:
            yield _own_line(digest, _head(game.table, *_first_and_played(game.log)))
        else:
            yield _own_line(digest, _row_of(n, stored))
    outcome, state = msgspec.Raw(game.outcome), msgspec.Raw(game.state)
    yield own_json({"type": "result", "outcome": outcome, "state": state, DIGEST: digest.hexdigest()}).decode()


def _row_of(n: int, stored: bytes) -> dict[str, Any]:
    """An entry as a file has it: without the table of the rematch, which is for those who were at this one."""
    row = {"n": n, **decode_row(stored)}
    return {**row, "table": ""} if row["type"] == "rematched" else row


def _first_and_played(log: Sequence[tuple[int, bytes]]) -> tuple[Opened, Opened | Changed]:
    """The first entry, and the last one before the start that says what was played."""
    first = msgspec.msgpack.decode(log[0][1], type=Opened)
    played: Opened | Changed = first
    for _, stored in log[1:]:
        kind = decode_row(stored)["type"]
        if kind == "started":
            break
        if kind == "changed":
            played = msgspec.msgpack.decode(stored, type=Changed)
    return first, played


decode_row: Callable[[bytes], dict[str, Any]] = msgspec.msgpack.Decoder().decode


def _own_line(digest: Hash, row: dict[str, Any]) -> str:
    """The line of a row that this service writes, which is added to the digest of all lines before the result."""
    line = own_json(row)
    digest.update(line + b"\n")
    return line.decode()


own_json = msgspec.json.Encoder().encode  # for rows of this service it writes what `compact` does, ten times as fast


def _digested(digest: Hash, row: dict[str, Any]) -> str:
    """The line of a row, which is added to the digest of all lines before the result."""
    line = compact(row)
    digest.update(line.encode("utf-8", "surrogatepass") + b"\n")
    return line


def with_new_digest(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows of a file that were changed on purpose, with the digest that belongs to them."""
    digest = sha256()
    for row in rows[:-1]:
        _digested(digest, row)
    return [*rows[:-1], {**rows[-1], DIGEST: digest.hexdigest()}]


def _head(table: str, entry: Opened, played: Opened | Changed) -> dict[str, Any]:
    """The first line: what was played, and under `opened` what was chosen first if the host changed it."""
    rules = {} if played.rules == 1 else {"rules": played.rules}
    head = {
        "type": "table",
        "format": FORMAT,
        "version": VERSION,
        "digest": DIGEST,
        "n": 1,
        "table": table,
        **_choice(played),
        "seed": entry.seed.hex(),
        **rules,
        "at": entry.at,
    }
    if entry.source is not None:
        head["source"] = msgspec.msgpack.decode(msgspec.msgpack.encode(entry.source))
    return head if played is entry else {**head, "opened": _choice(entry)}


def _choice(entry: Opened | Changed) -> dict[str, Any]:
    return {"game": entry.game, "options": entry.options, "seats": entry.seats, "speed": entry.speed}


def compact(value: Any) -> str:
    """A line of a replay file, without its line feed. The digest is that of lines which are written so."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def read_entries(text: Iterable[str]) -> Iterator[tuple[int, Entry]]:
    """The log entries of a replay, decoded one by one. What the file leaves out of entry 1 is empty.

    Lines of a type that is not known are skipped: docs/replay.md says that they change nothing in the game.
    """
    game = ""
    for number, line in enumerate(text, 1):
        row = _row(number, line)
        game = row.get("game", "") if row.get("type") == "table" else game
        found = _numbered_entry(game, number, row)
        if found is not None:
            yield found


def _numbered_entry(game: str, number: int, row: dict[str, Any]) -> tuple[int, Entry] | None:
    """The entry of a line, with its own number; None for another line. `game` is the one that was played."""
    kind = row.get("type")
    try:
        if kind == "table":
            rules, seed = _game(row)
            first = msgspec.convert(row.get("opened", {}), dict[str, Any])
            more = {"public": False, "host": "", "code": "", "seed": seed, **first, **_source(rules, row)}
            return 1, msgspec.convert({**row, "type": "opened", **more}, Entry)
        return (row["n"], _entry(game, row)) if kind in ENTRY_TYPES else None
    except (KeyError, msgspec.ValidationError) as fault:
        raise BadReplay(f"line {number} is not an entry: {fault}") from None


def fold_until(table: str, text: Iterable[str], n: int) -> Iterator[Table]:
    """The table of a replay after each of its entries up to entry n."""
    folding: Table | None = None
    for number, entry in read_entries(text):
        if number > n:
            return
        folding = opened(table, entry) if folding is None else folding.after(entry)
        yield folding


class _LineType(msgspec.Struct):
    """The only field of a line that is needed to count it."""

    type: str = ""


_decode_type = msgspec.json.Decoder(_LineType).decode


def count_entries(text: Iterable[str]) -> int:
    """How many entries `read_entries` finds. Raises BadReplay as it does if a line is not JSON."""
    try:
        kinds = [_decode_type(line).type for line in text]
    except msgspec.DecodeError as fault:
        raise BadReplay(f"a line is not an object of JSON: {fault}") from None
    return sum(kind == "table" or kind in ENTRY_TYPES for kind in kinds)


def _entry(game: str, row: dict[str, Any]) -> Entry:
    """The entry of a line. Moves and events are encoded as the game's own values, as a log has them."""
    if row["type"] in ("started", "moved"):
        rules = GAMES[game]
        row = {**row, "events": _raw(row["events"], tuple[rules.events, ...])}  # type: ignore[name-defined]
        if "move" in row:
            row["move"] = _raw(row["move"], rules.moves)
        if "position" in row:
            row["position"] = _raw(row["position"], rules.state)
    return msgspec.convert(row, Entry)  # type: ignore[no-any-return]


def _source(rules: AnyGame, row: dict[str, Any]) -> dict[str, Any]:
    """The source of the game for entry 1, if the first line has one."""
    source = row.get("source")
    if source is None:
        return {}
    return {"source": {**source, "position": _raw(source["position"], rules.state)}}


def _raw(value: Any, kind: Any) -> msgspec.Raw:
    return msgspec.Raw(msgspec.msgpack.encode(msgspec.convert(value, kind, str_keys=True)))


def plain(value: Any) -> Any:
    """The value as it comes back from a file."""
    return json.loads(msgspec.json.encode(value))


class PlayedEntry(NamedTuple):
    """An entry that was played again: its number, and the draws of chance that it made."""

    n: int
    draws: list[Draw]


def verify(text: Iterable[str]) -> int:
    """Play a replay again from its seed and moves; the number of entries, or BadReplay at the first that differs."""
    return max((entry.n for entry in play_again(text)), default=1)


def play_again(text: Iterable[str]) -> Iterator[PlayedEntry]:
    """Play a replay again, entry by entry, and compare. Raises BadReplay at the first entry that differs."""
    written = [line.removesuffix("\n") for line in text if line.strip()]
    head = _row(1, written[0]) if written else {}
    result = _row(len(written), written[-1]) if len(written) > 1 else {}
    if head.get("format") != FORMAT or result.get("type") != "result":
        raise BadReplay("this is not a whole replay file: it begins with the table and ends with the result")
    game, seed = _game(head)
    last, state, digest = len(written) - 1, None, sha256()
    _check_line(head, 1, _digested(digest, head), written)
    before = _after_row(None, 1, head)
    for n in range(2, last + 1):
        row = _row(n, written[n - 1])  # one by one, so that a long file does not hold up live games
        draws: list[Draw] = []
        if row.get("n") != n:
            raise BadReplay(f"entry {n} is missing: entry {row.get('n')} stands in its place")
        if state is None and row.get("type") == "started":
            seed = _salted(seed, row, [chair.salt for chair in before.chairs])
        elif state is None and row.get("type") != "moved":
            before = _after_row(before, n, row)
        if row.get("type") == "started" and state is None and "source" in head:
            state = _started_again(game, head, Chance(seed, n, draws), row)
        elif row.get("type") in ("started", "moved"):
            events = _again(game, head, Chance(seed, n, draws), state, row)
            if plain(events) != row.get("events"):
                raise BadReplay(f"entry {n} differs: its events do not follow from the seed and the move")
            for event in events:
                state = game.apply(state, event)
        _check_line(head, n, _digested(digest, row), written)
        yield PlayedEntry(n, draws)
    outcome = None if state is None else game.outcome(state)
    if outcome is None:
        raise BadReplay(f"the game has not ended after entry {last}")
    if plain(state) != result.get("state"):
        raise BadReplay(f"the final state differs from the one after entry {last}")
    if plain(outcome) != result.get("outcome"):
        raise BadReplay(f"the result differs from the one after entry {last}")
    _check_line(head, len(written), compact(result), written)
    _check_digest(head, digest, result)


def _check_line(head: dict[str, Any], number: int, line: str, written: list[str]) -> None:
    """Raise BadReplay unless a file with a digest has this line byte by byte: JSON has many ways to say the same."""
    if "digest" in head and written[number - 1] != line:
        raise BadReplay(f"line {number} is not written as a file with a digest has it: compact, and without escapes")


def _check_digest(head: dict[str, Any], digest: Hash, result: dict[str, Any]) -> None:
    """Raise BadReplay unless the result has this digest. Files from before there was a digest have none."""
    if "digest" not in head and DIGEST not in result:
        return
    if head.get("digest") != DIGEST or result.get(DIGEST) != digest.hexdigest():
        raise BadReplay("the lines differ from the digest in the result: one of them was changed")


def _after_row(before: Table | None, number: int, row: dict[str, Any]) -> Table:
    """The table after another row before its start. Lines of a type that is not known change nothing."""
    try:
        found = _numbered_entry("", number, row)
        if before is None:
            assert found
            return opened("", found[1])
        return before if found is None else before.after(found[1])
    except BadReplay:
        raise
    except Exception as fault:  # whatever a file that was tampered with makes the fold do
        raise BadReplay(f"entry {number} does not follow from those before it: {fault}") from None


def _salted(seed: bytes, started: dict[str, Any], salts: list[str | None]) -> bytes:
    """The seed of the game, from the table's seed and the salts with which the seats were taken."""
    if started.get("salts", []) != (salts if any(salts) else []):
        raise BadReplay(f"entry {started.get('n')} differs: its salts are not those with which the seats were taken")
    try:
        return salted_seed(seed, salts)
    except ValueError:
        raise BadReplay(f"entry {started.get('n')} differs: its salts are not written in hex") from None


def _row(number: int, line: str) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as fault:
        raise BadReplay(f"line {number} is not JSON: {fault}") from None
    if not isinstance(row, dict):
        raise BadReplay(f"line {number} is not an object")
    return row


def _game(head: dict[str, Any]) -> tuple[AnyGame, bytes]:
    """Which game was played, and from which seed."""
    name, version = head.get("game"), head.get("version")
    if version != VERSION or not isinstance(name, str) or name not in GAMES:
        raise BadReplay(f"this is version {version} of {name}; readable is version {VERSION} of {', '.join(GAMES)}")
    rules, newest = head.get("rules", 1), GAMES[name].version
    if not isinstance(rules, int) or rules > newest:
        raise BadReplay(
            f"this was played by version {rules} of the rules of {name}; this release knows {newest} and earlier ones"
        )
    try:
        seed = bytes.fromhex(head["seed"])
    except (KeyError, TypeError, ValueError):
        raise BadReplay("entry 1 differs: its seed is not written in hex") from None
    return GAMES[name], seed


def _started_again(game: AnyGame, head: dict[str, Any], chance: Chance, row: dict[str, Any]) -> Any:
    """The position from which a game starts that plays on from another one."""
    try:
        source = head["source"]
        position = msgspec.convert(source["position"], game.state, str_keys=True)
        if game.outcome(position) is not None:
            raise BadReplay("the game was over at the position from which it plays on")
        position = dealt_anew(game, position, source.get("seat"), chance)
    except Exception as fault:  # whatever a file that was tampered with makes a game do
        raise BadReplay(f"entry {row['n']} differs: {fault!r}") from fault
    if plain(position) != row.get("position") or row.get("events") != []:
        raise BadReplay(f"entry {row['n']} differs: its position does not follow from the seed and the source")
    return position


def check_source(text: Iterable[str], source: Iterable[str]) -> None:
    """Raise BadReplay unless the game plays on from this other replay, as its first line says."""
    origin = tuple(source)
    verify(origin)
    head, other = _row(1, next(iter(text))), _row(1, origin[0])
    named = head["source"]
    if (other.get("table"), other.get("game")) != (named["table"], head["game"]):
        raise BadReplay(f"it plays on from table {named['table']}, and the source is table {other.get('table')}")
    after = next((table for table in fold_until("", origin, named["n"]) if table.n == named["n"]), None)
    if after is None or plain(after.state) != named["position"] or after.opened.options != head["options"]:
        raise BadReplay(f"its position is not that after entry {named['n']} of table {named['table']}")


def _again(game: AnyGame, head: dict[str, Any], chance: Chance, state: Any, row: dict[str, Any]) -> tuple[Any, ...]:
    """The events that follow when the entry is played again."""
    try:
        if (row["type"] == "started") != (state is None):
            raise BadReplay("a game starts once, before its moves")
        if state is None:
            return game.setup(head["seats"], msgspec.convert(head["options"], game.options), chance)
        move = msgspec.convert(row["move"], game.moves)
        if row["by"] == "clock":
            if move != game.absent(state, row["seat"]):
                raise BadReplay("this is not the move that the clock makes")
            return game.play(state, row["seat"], move, chance)
        return judge(game, state, row["seat"], move, chance)
    except KeyError as fault:
        raise BadReplay(f"entry {row['n']} differs: it has no {fault}") from None
    except Exception as fault:  # whatever a file that was tampered with makes a game do
        raise BadReplay(f"entry {row['n']} differs: {fault}") from fault
