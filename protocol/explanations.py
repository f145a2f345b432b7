"""What is wrong with a frame, in the words of docs/protocol.md instead of those of the decoder."""

from __future__ import annotations

import re
from typing import get_args, get_type_hints

import msgpack

from protocol.messages import LEVELS, SCOPES, SPEEDS, ChatRule, WatchRule

MAX_QUOTED = 60  # characters that an error quotes of what the client sent, and of the name of a field

_TYPES = {
    "int": "a whole number",
    "float": "a float",
    "str": "text",
    "bool": "true or false",
    "null": "nil",
    "None": "nil",
    "array": "a list",
    "object": "a map",
    "bytes": "binary data",
    "ext": "an extension type",
    "datetime": "a timestamp",
}
_UNITS = {"str": "character", "array": "item"}

_VALUES: dict[str, tuple[str, ...]] = {
    "speed": SPEEDS,
    "bots": LEVELS,
    "level": LEVELS,
    "scopes": SCOPES,
    "chat": get_args(ChatRule),
    "see": get_args(get_type_hints(WatchRule)["see"]),
}

OTHER_VALUES = "the values that are allowed here"  # of a field that is not in _VALUES

_WRONG_TYPE = re.compile(r"Expected `([^`]*)`, got `([^`]*)`")
_OUT_OF_RANGE = re.compile(r"Expected `(\w+)` ([<>]=) (-?\d+)")
_WRONG_LENGTH = re.compile(r"Expected `(\w+)` of length ([<>]=) (\d+)")
_WRONG_VALUE = re.compile(r"Invalid (?:enum )?value (.*)", re.DOTALL)
_NAMED = re.compile(r"`([^`]*)`")


def explained(text: str, path: str) -> str:
    """Translate the text of msgspec's ValidationError about the field with this path."""
    field = path.rpartition(".")[2].partition("[")[0]
    if text.startswith("Object missing required field"):
        return "this field is required"
    if text.startswith("Object contains unknown field"):
        return f"there is no field {quoted(_first(_NAMED, text))} here"
    if found := _WRONG_TYPE.fullmatch(text):
        return f"expected {_types(found[1])}, got {_types(found[2])}"
    if found := _OUT_OF_RANGE.fullmatch(text):
        return f"expected {_types(found[1])} of {_bound(found[2])} {found[3]}"
    if found := _WRONG_LENGTH.fullmatch(text):
        unit = _UNITS.get(found[1], "item") + ("" if found[3] == "1" else "s")
        return f"expected {_types(found[1])} with {_bound(found[2])} {found[3]} {unit}"
    if found := _WRONG_VALUE.fullmatch(text):
        if field == "type":
            return f"there is no message or move of the type {clipped(found[1])}"
        allowed = ", ".join(_VALUES.get(field, ())) or OTHER_VALUES
        return f"{clipped(found[1])} is not one of {allowed}"
    if field == "salt":
        return "expected 8 to 32 bytes in hex, in lower case"
    if "matching regex" in text:
        return "this has characters that are not allowed here"
    return "this value is not allowed here"


def unreadable(fault: Exception) -> str:
    """Say why bytes could not be read as msgpack."""
    text = str(fault)
    if isinstance(fault, UnicodeDecodeError):
        return "text must be UTF-8"
    if isinstance(fault, RecursionError | msgpack.StackError):
        return "there are too many levels of maps and lists"
    if "map key" in text:
        return "the keys of a map are text"
    if "truncated" in text or "incomplete" in text or "exceeds max" in text:
        return "the data ends too early"
    if "trailing" in text or "extra data" in text:
        return "there are more bytes after the end"
    return "these bytes are not msgpack"


def quoted(text: str) -> str:
    """Text that the client sent, as an error may quote it: in quotation marks, and short."""
    return clipped(repr(text))


def clipped(text: str) -> str:
    """The text, cut if it is too long to be quoted."""
    return text if len(text) <= MAX_QUOTED else text[: MAX_QUOTED - 1] + "…"


def _types(names: str) -> str:
    return " or ".join(_TYPES.get(name, "another type") for name in names.split(" | "))


def _bound(sign: str) -> str:
    return "at least" if sign == ">=" else "at most"


def _first(pattern: re.Pattern[str], text: str) -> str:
    found = pattern.search(text)
    return found[1] if found else ""
