"""Random frames that know the service: its tables, users, codes and offers. And which answer each frame must get."""

from __future__ import annotations

import contextlib
import struct
from random import Random
from typing import Any

import msgpack

from bots.conform import long_msgpack
from bots.offers import fill
from protocol.codec import ProtocolError, read_client
from protocol.messages import MAX_FRAME_BYTES
from tests.protocol.fuzz import MAX_BYTES, ODD_VALUES, sources, with_changed_bytes, with_odd_fields

MAX_KNOWN = 64  # tables, users and codes that are used again; older ones are forgotten
VECTOR_IDS = {"table": "k7w2mzq4hd", "code": "m3k9pw", "bot": "b5f4e3d2c1b0"}
DEEP = b"\x91" * 100  # levels of nesting that the server may refuse to read (P9)
LAST_ID = 2**53 - 77  # in no frame that is made here, except by a chance of nearly nothing

Message = dict[Any, Any]


class Known:
    """What a client of a running service has learnt, and may name in its next requests."""

    def __init__(self) -> None:
        self.values: dict[str, list[str]] = {name: [] for name in VECTOR_IDS}
        self.asks: list[tuple[str, Message]] = []  # table and ask or asides of the current visit

    def learn(self, message: Message) -> None:
        """Remember the ids and the offers of a message from the server."""
        if message["type"] == "ok":
            for name, key in (("table", "table"), ("code", "code"), ("bot", "user")):
                if message.get(key):
                    values = self.values[name]
                    values.append(message[key])
                    del values[:-MAX_KNOWN]
        elif message["type"] == "update":
            self.asks += [(message["table"], message[key]) for key in ("ask", "asides") if message.get(key)]
            del self.asks[:-8]


class FrameMaker:
    """Makes frames from a source of chance: changed messages, moves that answer an ask, changed bytes, and noise."""

    def __init__(self, chance: Random) -> None:
        self._chance = chance
        self._frames, self._messages = sources()

    def make(self, known: Known) -> bytes:
        """One frame."""
        chance, kind = self._chance, self._chance.random()
        if kind < 0.05:
            return chance.randbytes(chance.randrange(60))
        if kind < 0.3 and known.asks:
            return self._packed(self._move(known))
        if kind < 0.8:
            return self._packed(self._with_known_ids(chance.choice(self._messages), known))
        if kind < 0.81:
            return self._large(known)
        frame = chance.choice(self._frames)
        if known.values["table"]:
            frame = frame.replace(VECTOR_IDS["table"].encode(), chance.choice(known.values["table"]).encode())
        for _ in range(chance.randint(1, 3)):
            frame = with_changed_bytes(frame, chance, self._frames)
        return frame[:MAX_BYTES]

    def _with_known_ids(self, message: Message, known: Known) -> Message:
        changed = dict(message)
        for name, values in known.values.items():
            if name in changed and values and self._chance.random() < 0.9:
                changed[name] = self._chance.choice(values)
        return changed

    def _move(self, known: Known) -> Message:
        """A move that answers a real ask, in three of four cases with something wrong inside."""
        chance = self._chance
        table, ask = chance.choice(known.asks)
        move: Message = dict(fill(chance.choice(ask["offers"]), chance))
        for _ in range(chance.randrange(4)):
            key = chance.choice([*move, "type", "colour"])
            move[key] = chance.choice(ODD_VALUES)
        number = chance.randrange(2**20)
        return {"type": "move", "id": number, "table": table, "ask": ask["n"], "key": f"k{number}", "move": move}

    def _packed(self, message: Message) -> bytes:
        """Encode a message, changed or as it is, with its fields in any order and in the shortest or longest form."""
        chance, kind = self._chance, self._chance.random()
        if kind < 0.5:
            return with_odd_fields(message, chance)
        pairs = list(message.items())
        chance.shuffle(pairs)
        if kind < 0.6:
            with contextlib.suppress(TypeError, struct.error):  # it has something that no message has
                return long_msgpack.encode(dict(pairs))
        if kind < 0.7:  # a field twice
            body = b"".join(msgpack.packb(key) + msgpack.packb(value) for key, value in [*pairs, chance.choice(pairs)])
            return b"\xde" + struct.pack(">H", len(pairs) + 1) + body
        if kind < 0.85:  # a change deep inside
            return bytes(msgpack.packb(_changed_inside(dict(pairs), chance)))
        return bytes(msgpack.packb(dict(pairs)))

    def _large(self, known: Known) -> bytes:
        """A message with a field, or many, as large as a frame can hold."""
        chance = self._chance
        message = self._with_known_ids(chance.choice(self._messages), known)
        size = chance.randrange(100, 14_000)
        match chance.randrange(5):
            case 0:
                message[chance.choice([*message])] = "x" * size
            case 1:
                message[chance.choice([*message])] = [1] * size
            case 2:
                message.update({f"f{number}": 1 for number in range(size // 8)})
            case 3:
                message[chance.choice([*message])] = {f"k{number}": None for number in range(size // 8)}
            case _:
                body: bytes = msgpack.packb(message)
                if body[0] & 0xF0 == 0x80 and body[0] < 0x8F:
                    levels = size // 40 if size < 7_000 else size  # in between, it depends on the stack of the caller
                    return bytes((body[0] + 1,)) + body[1:] + b"\xa4deep" + b"\x91" * levels + b"\xc0"
        packed: bytes = msgpack.packb(message)
        return packed if len(packed) <= MAX_FRAME_BYTES else packed[:MAX_FRAME_BYTES]


def _changed_inside(value: Any, chance: Random) -> Any:
    """The value with one of its leaves, or a branch, replaced."""
    if isinstance(value, dict) and value and chance.random() < 0.8:
        key = chance.choice(list(value))
        return {**value, key: _changed_inside(value[key], chance)}
    if isinstance(value, list) and value and chance.random() < 0.8:
        at = chance.randrange(len(value))
        return [*value[:at], _changed_inside(value[at], chance), *value[at + 1 :]]
    return chance.choice(ODD_VALUES)


class Surprise(Exception):  # noqa: N818
    """The service did something with a frame that the protocol does not allow."""


def expected_id(frame: bytes) -> int | None:
    """The id that the answer to this frame must have: by an independent decoder where it is sure, else by ours."""
    sure = independent_id(frame)
    if sure is not UNSURE:
        number: int | None = sure
        return number
    try:
        return read_client(frame).id
    except ProtocolError as fault:
        return fault.id


def independent_id(frame: bytes) -> Any:
    """The id as a decoder reads it that shares no code with ours: a number, None, or UNSURE if decoders may differ."""
    try:
        pairs = msgpack.unpackb(frame, strict_map_key=False, object_pairs_hook=_Pairs)
    except Exception:  # broken, or only parts of it can be read
        return UNSURE
    return UNSURE if DEEP in frame else _id_of(pairs)


UNSURE: Any = object()


class _Pairs(list[tuple[Any, Any]]):
    """A decoded map with its keys as they came; a decoded list is a plain list."""


def _id_of(pairs: Any) -> Any:
    if not isinstance(pairs, _Pairs):
        return None
    keys = [key for key, _ in pairs]
    if not all(type(key) is str for key in keys):
        return None
    if len(set(keys)) < len(keys):
        return UNSURE  # P9: a map has each key once
    number = dict(pairs).get("id")
    return number if type(number) is int and 0 <= number < 2**53 else None
