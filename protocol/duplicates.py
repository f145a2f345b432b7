"""Finds a key that occurs twice in one map of a frame (P9); the decoder itself would accept that."""

from __future__ import annotations

from typing import Any, Final

import msgpack
import msgspec

from protocol.messages import Move

FIXMAP: Final = 0x80  # the first byte of a map with up to 15 keys; its low half is their number
MOVE_FIELDS: Final = FIXMAP + 6  # type and the required fields of a move

_decode_fields: Final = msgspec.msgpack.Decoder(dict[str, msgspec.Raw]).decode


def duplicate_key(frame: bytes, message: msgspec.Struct) -> str | None:
    """Return the path of a key that the frame of this message has twice, or None.

    A move, which is by far the most frequent message, is checked by the number of its keys.
    """
    if isinstance(message, Move) and _is_plain_move(frame, message):
        return None
    try:
        return _find(msgpack.unpackb(frame, object_pairs_hook=tuple), "")
    except (ValueError, RecursionError):  # keys that are not text, or too many levels, which are refused later
        return None


def _is_plain_move(frame: bytes, message: Move) -> bool:
    """Whether the counts of keys show that none occurs twice, and no map of the move has more than 15 keys."""
    if frame[0] != MOVE_FIELDS + (message.note is not None):
        return False
    move = bytes(message.move)
    try:
        return move[0] == FIXMAP + 1 or move[0] == FIXMAP + len(_decode_fields(move))
    except (msgspec.DecodeError, ValueError, RecursionError):
        return True  # it is not a map with text keys, and is refused when the game reads it


def _find(value: Any, at: str) -> str | None:
    """Search a value in which each map is a tuple of its keys and values."""
    if type(value) is tuple:  # an extension is a subclass of tuple
        seen: set[Any] = set()
        for key, inside in value:
            path = f"{at}.{key}" if at else str(key)
            if key in seen:
                return path
            seen.add(key)
            found = _find(inside, path)
            if found is not None:
                return found
    elif isinstance(value, list):
        for number, inside in enumerate(value):
            found = _find(inside, f"{at}[{number}]")
            if found is not None:
                return found
    return None
