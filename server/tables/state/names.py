"""Names and chat texts as people see them: what is removed from a text, which names look alike, and which are reserved.

Two names look alike if they have a skeleton in common. A skeleton replaces each character by the one that it can be
mistaken for, as the data of Unicode's Technical Standard 39 say; case, accents, blanks and punctuation do not count.
The data are those of the package confusable-homoglyphs. This module reads the file itself, because the functions of
the package do not compare two texts, and importing it would keep ten megabytes in memory.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Collection, Iterable
from functools import lru_cache
from importlib import resources

from protocol.codec import ProtocolError
from server.tables.state import house_bots

MAX_NAME = 24  # characters
MAX_CHAT = 300
MAX_MARKS = 2  # combining marks on one character: as many as living scripts need

BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0\U0001d159")  # look like a blank, and count as one
IGNORED = frozenset(  # take no space, but are letters, marks or symbols for Unicode
    [chr(code) for code in (0x034F, 0x17B4, 0x17B5, 0x180F, 0x16FE4, 0xFFFC)]
    + [chr(code) for block in ((0x180B, 0x180E), (0xFE00, 0xFE0E), (0xE0100, 0xE01F0)) for code in range(*block)]
)
JOINERS = "\u200c\u200d"  # needed inside emoji and in Persian, so they are kept between two characters outside ASCII
_USELESS_JOINER = re.compile(f"(?<![^\\x00-\\x7f\\s])[{JOINERS}]|[{JOINERS}](?![^\\x00-\\x7f\\s{JOINERS}])")
EMOJI = range(0x1F000, 0x1FB00)  # also those that are newer than this Python's table of characters

# Names that speak for the service or the page. "You" and "Nobody" are words of the page's log. Those of OFFICES are
# reserved beside other words too: "Moderator Ann".
OFFICES = ("operator", "cheeseboard", "admin", "administrator", "moderator")
ROLES = (*OFFICES, "house", "host", "system", "server", "clock", "everybody", "nobody", "you")
FILLERS = ("a", "bot", "bots", "mr", "official", "real", "the", "this")  # "The House" and "Gouda bot" are reserved too
LOOKALIKE_SIGNS = str.maketrans("34578@$€!", "eastbaseI")  # only for reserved names: "5y$t3m"


def clean_text(text: str) -> str:
    """The text without what cannot be seen or disturbs other text: controls, direction overrides, stacked marks."""
    kept: list[str] = []
    marks = 0
    for char in text:
        category = unicodedata.category(char)
        if char.isspace() or char in BLANK:
            kept.append(" ")
        elif char in IGNORED or (category[0] == "C" and char not in JOINERS and ord(char) not in EMOJI):
            continue
        elif category in ("Mn", "Me"):
            marks += 1
            if marks <= MAX_MARKS and kept and kept[-1] != " ":
                kept.append(char)
            continue
        else:
            kept.append(char)
        marks = 0
    return " ".join(_USELESS_JOINER.sub("", "".join(kept)).split())


def clean_chat(text: str) -> str:
    """The chat text as it is shown; ProtocolError if nothing is left to read."""
    shown = clean_text(unicodedata.normalize("NFC", text))[:MAX_CHAT]
    if not shown:
        raise ProtocolError("bad_field", "there is nothing to read in this", field="text")
    return shown


def clean_name(name: str) -> str:
    """The name as it is shown; ProtocolError if it is too long, or has no letter, digit or symbol."""
    shown = clean_text(unicodedata.normalize("NFKC", name))
    if not 1 <= len(shown) <= MAX_NAME or not any(map(_can_be_seen, shown)):
        raise ProtocolError("bad_name", f"a name has 1 to {MAX_NAME} visible characters", field="name")
    return shown


def _can_be_seen(char: str) -> bool:
    """Whether a character alone makes a name: a letter, a digit, a symbol."""
    return unicodedata.category(char)[0] in "LNS" or ord(char) in EMOJI


def allowed_name(name: str) -> str:
    """The name as it is shown; ProtocolError if it cannot be shown, or looks like one that is reserved."""
    shown = clean_name(name)
    if is_reserved(shown):
        raise ProtocolError("bad_name", "this name is reserved for the house: choose another one", field="name")
    return shown


# Names that look alike.


_OTHER_LATIN_NAME = re.compile(
    "(?:LATIN LETTER SMALL CAPITAL|NEGATIVE (?:SQUARED|CIRCLED) LATIN CAPITAL LETTER|REGIONAL INDICATOR SYMBOL LETTER)"
    " ([A-Z])"
)


def _other_latin_letters() -> dict[int, str]:
    """Letters in boxes and small capitals, which the data do not compare with the letters themselves."""
    blocks = (range(0x250, 0x2B0), range(0x1D00, 0x1D80), range(0xA720, 0xA800), range(0x1F150, 0x1F200))
    replaced = {}
    for code in (code for block in blocks for code in block):
        found = _OTHER_LATIN_NAME.fullmatch(unicodedata.name(chr(code), ""))
        if found:
            replaced[code] = found.group(1).lower()
    return replaced


OTHER_LATIN = _other_latin_letters()


def _look_alikes() -> dict[int, str]:
    """For each character that can be mistaken for another one: that one, or the letters that it can be mistaken for.

    The file lists each pair in both directions. Of two characters that have only each other, the lower one replaces the
    higher one. A character with several partners replaces all of them.
    """
    packed = resources.files("confusable_homoglyphs").joinpath("confusables.json").read_text(encoding="utf-8")
    partners: dict[str, list[str]] = {}
    for key, found in json.loads(packed).items():
        partners.setdefault(key.strip("\u200e"), []).extend(one["c"].strip("\u200e") for one in found)
    replaced = dict(OTHER_LATIN)
    for char, others in partners.items():
        if len(char) == len(others) == 1:
            other = others[0]
            if len(other) > 1 or len(partners[other]) > 1 or other < char:
                replaced.setdefault(ord(char), other)
    return replaced


LOOK_ALIKES = _look_alikes()


@lru_cache(4096)
def skeletons(name: str) -> frozenset[str]:
    """What a name is compared by: how it looks, and how it is written in lower case."""
    seen = unicodedata.normalize("NFD", name).translate(LOOK_ALIKES).casefold().translate(LOOK_ALIKES)
    seen = unicodedata.normalize("NFKD", seen).replace("i", "l").replace("vv", "w")
    written = unicodedata.normalize("NFKD", name).casefold()
    return frozenset((_letters(seen), _letters(written)))


def _letters(text: str) -> str:
    return "".join(filter(_can_be_seen, text))


def alike(name: str, other: str) -> bool:
    """Whether people could mistake one name for the other."""
    return not skeletons(name).isdisjoint(skeletons(other))


def told_apart(name: str, others: Iterable[str]) -> str:
    """The name, with a number if it looks like one of the others: "Ada 2"."""
    names = tuple(others)
    shown, number = name, 1
    while any(alike(shown, other) for other in names):
        number += 1
        suffix = f" {number}"
        shown = name[: MAX_NAME - len(suffix)].rstrip() + suffix
    return shown


# Reserved names.


@lru_cache(4096)
def is_reserved(name: str) -> bool:
    """Whether a name has an office, or looks like a house bot or a role, alone or with a number or an article."""
    latin = name.translate(OTHER_LATIN)
    without_number = re.sub(r"[\s\d_]+$", "", latin)
    without_signs = re.sub(r"^[\d\W_]+|[\d\W_]+$", "", latin)
    texts = (latin, without_number, without_signs)
    for text in (*texts, *(text.translate(LOOKALIKE_SIGNS) for text in texts)):
        if _is_reserved_word(text):
            return True
        words = [word for word in re.split(r"[\W_]+", text) if word and not word.isdigit()]
        names = [word for word in words if skeletons(word).isdisjoint(_FILLERS)]
        if names and (all(map(_is_reserved_word, names)) or any(map(_is_office, names))):
            return True
    return False


def _is_reserved_word(word: str) -> bool:
    return not skeletons(word).isdisjoint(_RESERVED)


def _is_office(word: str) -> bool:
    return not skeletons(word).isdisjoint(_OFFICES)


def _skeletons_of(names: Collection[str]) -> frozenset[str]:
    return frozenset(one for name in names for one in skeletons(name))


_RESERVED = _skeletons_of((*house_bots.NAMES, *ROLES))
_OFFICES = _skeletons_of(OFFICES)
_FILLERS = _skeletons_of(FILLERS)
