"""Names and chat texts: what is removed, which names look alike, and which are reserved."""

from __future__ import annotations

import pytest

from protocol.codec import ProtocolError
from server.tables.state import house_bots, names

OVERRIDE, ISOLATE, FILLER, BRAILLE_BLANK = "\u202e", "\u2066", "\u3164", "\u2800"


@pytest.mark.parametrize(
    ("sent", "shown"),
    [
        ("  Ada \t\n Lovelace ", "Ada Lovelace"),
        ("Ａｄａ", "Ada"),  # NFKC
        ("𝓐𝓭𝓪", "Ada"),
        (f"{OVERRIDE}evil{ISOLATE}", "evil"),
        ("A\x00d\x1ba\u200b\u00ad\ufeff", "Ada"),
        (f"A{FILLER}{BRAILLE_BLANK}B", "A B"),
        ("a" + "\u0301" * 20 + "b", "á\u0301\u0301b"),
        ("\u0301\u0302x", "x"),
        ("A\u200dda", "Ada"),
        ("👩\u200d🚀", "👩\u200d🚀"),
        ("\u200d👩\u200d\u200d🚀\u200d", "👩\u200d🚀"),
        ("Zoë 🧀", "Zoë 🧀"),
        ("Nguyễn", "Nguyễn"),
        ("สมชาย ก็ดี", "สมชาย ก็ดี"),
        ("נועה", "נועה"),
        ("\U0001fae8", "\U0001fae8"),  # an emoji of Unicode 15, which Python 3.11 does not know
    ],
)
def test_what_cannot_be_seen_is_removed_from_a_name(sent: str, shown: str) -> None:
    assert names.clean_name(sent) == shown


@pytest.mark.parametrize(
    "sent", ["", " ", FILLER, BRAILLE_BLANK * 3, "\u200b", OVERRIDE, "\u0301", "\ufe0f", "...", "x" * 25, "\ud800"]
)
def test_a_name_that_cannot_be_read_is_refused(sent: str) -> None:
    with pytest.raises(ProtocolError) as refused:
        names.clean_name(sent)
    assert refused.value.code == "bad_name"


@pytest.mark.parametrize(
    "name",
    [
        *house_bots.NAMES,
        *("G0uda", "Gоudа", "GOUDA", "g.o.u.d.a", "Góuda", "Gouda 2", "Gouda bot", "🅶🅾🆄🅳🅰", "ɢouda", "Gouda 🧀"),
        *("Brle", "8rie", "Edarn", "5tilton", "vvensleydale"),
        *("house", "House", "h0use", "hоusе", "The House", "house bot", "Operator", "0perator", "Host", "Ηοst"),
        *("Moderatоr Ann", "Cheeseboard Support", "Ann (Adm1n)", "the real 0perator Joe"),
        *("System", "5y$t3m", "$ystem 3", "cheeseboard", "Cheeseboard Operator", "CHEESEB0ARD", "You", "Nobody"),
    ],
)
def test_names_of_the_house_and_what_looks_like_them_are_reserved(name: str) -> None:
    assert names.is_reserved(names.clean_name(name))
    with pytest.raises(ProtocolError, match="reserved"):
        names.allowed_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "Ada",
        "Mellow Gouda",
        "House of Cards",
        "Hostel",
        "Brian",
        "Zoë 🧀",
        "The Bot",
        "Gnawbot",
        "Колби",
        "Edamame",
        "Yours",
    ],
)
def test_other_names_are_allowed(name: str) -> None:
    assert names.allowed_name(name) == name


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Ada", "Ada"),
        ("Ada", "ADA"),
        ("Ada", "Аdа"),  # Cyrillic
        ("Ada", "Ada\u200d."),
        ("Ada", "A d a"),
        ("Zoe", "Zoë"),
        ("Ilona", "llona"),
        ("Ilona", "ilona"),
        ("mike", "rnike"),
        ("НАТА", "ната"),
        ("Bob", "B0b"),
        ("🧀", "🧀\ufe0f"),
    ],
)
def test_names_that_look_alike(name: str, other: str) -> None:
    assert names.alike(name, other)
    assert names.alike(other, name)


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Ada", "Ida"),
        ("Ada", "Ada 2"),
        ("🧀", "🐭"),
        ("🧀 1", "🐭 1"),
        ("🇩🇪", "🇫🇷"),
        ("Player 1", "Player 2"),
        ("A4", "AA"),
    ],
)
def test_names_that_do_not_look_alike(name: str, other: str) -> None:
    assert not names.alike(name, other)


def test_names_at_one_table_are_told_apart_by_a_number() -> None:
    assert names.told_apart("Ada", ["Bob"]) == "Ada"
    assert names.told_apart("Ada", ["Bob", "аda"]) == "Ada 2"
    assert names.told_apart("Ada", ["Ada", "ada 2"]) == "Ada 3"
    assert names.told_apart("x" * 24, ["x" * 24]) == "x" * 22 + " 2"


@pytest.mark.parametrize(
    ("sent", "shown"),
    [
        (" well \n played ", "well played"),
        (f"{OVERRIDE}live si siht", "live si siht"),
        ("q" + "\u0301\u0302\u0303\u0304" * 50, "q\u0301\u0302"),
        ("½ ™ ❤️", "½ ™ ❤️"),  # a chat text keeps its characters
        (f"x{FILLER * 200}y", "x y"),
    ],
)
def test_what_cannot_be_seen_is_removed_from_a_chat_text(sent: str, shown: str) -> None:
    assert names.clean_chat(sent) == shown


@pytest.mark.parametrize("sent", ["\u200b", FILLER, f"{OVERRIDE}{ISOLATE}", "\u0301\u0301"])
def test_a_chat_text_without_anything_to_read_is_refused(sent: str) -> None:
    with pytest.raises(ProtocolError) as refused:
        names.clean_chat(sent)
    assert (refused.value.code, refused.value.field) == ("bad_field", "text")
