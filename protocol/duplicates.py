"""Finds a key that occurs twice in one map of a frame (P9); the decoder itself would accept that."""

from __future__ import annotations

from typing import Any, Final

import msgpack
import msgspec

from protocol.messages import Move

FIXMAP: Final = 0x80  # the first byte of a map with up to 15 keys; its low half is their number
MAX_LEVELS: Final = 100  # of maps and lists (P9)
MOVE_FIELDS: Final = FIXMAP + 6  # type and the required fields of a move

_decode_fields: Final = msgspec.msgpack.Decoder(dict[str, msgspec.Raw]).decode


def duplicate_key(frame: bytes) -> str | None:
    """Return the path of a key that the frame has twice, or None.

    Raises ValueError for data that cannot be read and for keys that are not text, and RecursionError for more than
    MAX_LEVELS. No key is hashed before it is known to be text: thousands of numbers and lists that have one hash would
    take long to put into a map.
    """
    path: list[str] = []
    if not _find(msgpack.unpackb(frame, object_pairs_hook=tuple), path, MAX_LEVELS + 1):
        return None
    return "".join(reversed(path)).removeprefix(".")


def is_plain_move(frame: bytes, message: Move) -> bool:
    """Whether the counts of keys show that none occurs twice, and no map of the move has more than 15 keys."""
    if frame[0] != MOVE_FIELDS + (message.note is not None):
        return False
    move = bytes(message.move)
    try:
        return move[0] == FIXMAP + 1 or move[0] == FIXMAP + len(_decode_fields(move))
    except (msgspec.DecodeError, ValueError, RecursionError):
        return True  # it is not a map with text keys, and is refused when the game reads it


def _find(value: Any, path: list[str], levels: int) -> bool:
    """Search a value, which has at most so many levels, itself included. Each map is a tuple of its keys and values.

    If a key occurs twice, append the parts of its path, the last one first.
    """
    if not levels:
        raise RecursionError
    if type(value) is tuple:  # an extension is a subclass of tuple
        seen: set[Any] = set()
        for key, inside in value:
            if key in seen or _find(inside, path, levels - 1):
                path.append(f".{key}")
                return True
            seen.add(key)
    elif isinstance(value, list):
        for number, inside in enumerate(value):
            if _find(inside, path, levels - 1):
                path.append(f"[{number}]")
                return True
    return False
