"""The texts of the page are in the message files, every language has all of them, and none is left over."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Collection

import pytest

from games import GAMES
from games.cheesonomics.pieces import KNIVES
from games.chesterfield.deck import KINDS
from games.do_my_bidding.values import ARTISTS
from server.web.languages import LANGUAGES, read_messages
from tests import server_texts
from tests.client_texts import CLIENT, MODULES, areas, calls, is_shown, literals, used_keys, values_of

MESSAGES = CLIENT / "messages"
SOURCE, *OTHERS = LANGUAGES
AREAS = sorted(path.stem for path in (MESSAGES / SOURCE).glob("*.js") if path.stem != "server")
FROM_PYTHON = {"server", "lessons", "index"}  # translations by the English text, which is in the Python sources
MAX_LINES = 400
ENGLISH_ONLY = {CLIENT / "games" / f"{game}.js" for game in server_texts.UNTRANSLATED}

# Strings that look like texts, but that nobody reads: names that the protocol, the browser or the games use.
NOT_SHOWN = {
    "Bleu", "Camembert", "Cheddar", "Feta", "Gruyere", "Pecorino", "Roquefort", "Van Gogh",
    "End", "Enter", "Escape", "Files", "Home", "Esc",
    "Cheeseboard", "English", "Deutsch", "cheeseboard.", "chesterfield done", "can do", ".side .chat input", "table",
    "the host closed it", "everybody left", "nobody is here", "nobody moved for a day", "its log is damaged",
    "it is lost",    "it was begun with rules that this service does not have", "its style sheet could not be loaded",
    'there is no message "\0"', "no service worker: \0", "using the generic renderer for \0: \0",
    "python mybot.py \0/ws \0 CODE", "language=\0; path=/; max-age=31536000; samesite=lax",
}  # fmt: skip

PIECES = {*KNIVES, *KINDS, *ARTISTS}  # as replay files name them


def texts(language: str, area: str) -> dict[str, str]:
    return read_messages(MESSAGES / language / f"{area}.js")


def test_no_module_of_the_page_has_a_text_that_people_see() -> None:
    found = [
        f"{path.name}:{literal.line}: {literal.text!r}"
        for path in MODULES
        if path not in ENGLISH_ONLY
        for literal in literals(path.read_text(encoding="utf-8"))
        if is_shown(literal) and literal.text.strip() not in NOT_SHOWN | PIECES
    ]
    assert found == [], "put these texts into web-client/messages/, in every language"


# A list that the code puts together has the separators of one language: messages.js knows those of each.
JOINED = re.compile(r"""\.join\((["'`])[^"'`]*[ ,;·/][^"'`]*\1\)|[,;:·] \$\{t(?:\.rich)?\(""")
# The helpers themselves; the lines of a paragraph, the numbers of a score and the sides of a wedge, which are no texts.
JOINS = {"messages.js": 2, "markdown.js": 1, "evening.js": 1, "replay_deals.js": 1}


def joins(source: str) -> list[str]:
    """Where this module puts texts together."""
    return [line.strip() for line in source.splitlines() if JOINED.search(line)]


def test_no_module_of_the_page_puts_texts_together() -> None:
    found = {path.name: joins(path.read_text(encoding="utf-8")) for path in MODULES}
    wrong = {name: lines for name, lines in found.items() if len(lines) != JOINS.get(name, 0)}
    assert wrong == {}, "use listed, inRow, sentences or facts of messages.js, or one whole message"


@pytest.mark.parametrize(
    "source", ['names.join(", ")', "texts.join('; ')", 'all.join(" ")', 'html`${amount}, ${t("points")}`']
)
def test_the_search_for_texts_that_are_put_together_finds_them(source: str) -> None:
    assert joins(source) == [source]


def test_every_field_of_a_move_has_a_name_on_the_page() -> None:
    games = [game for name, game in GAMES.items() if name not in server_texts.UNTRANSLATED]
    kinds = [kind for game in games for kind in game.moves_by_tag.values()]
    fields = {f"field_{field}" for kind in kinds for field in kind.__struct_fields__}
    assert fields - set(texts(SOURCE, "table")) == set()


@pytest.mark.parametrize(
    "source",
    [
        'const a = "Pick up the pile";',
        "const a = `Seat ${number} is free`;",
        'return html`<button aria-label="Close"></button>`;',
        "return html`<p>Wait ${seconds} s</p>`;",
        'return html`<p title=${wide ? "Wide" : ""}></p>`;',
        'const badge = { label: "done" };',
    ],
)
def test_the_search_for_texts_finds_them(source: str) -> None:
    assert any(is_shown(literal) for literal in literals(source))


@pytest.mark.parametrize("area", AREAS)
def test_every_language_has_every_message_and_nothing_else(area: str) -> None:
    keys = list(texts(SOURCE, area))
    assert {language: list(texts(language, area)) for language in OTHERS} == dict.fromkeys(OTHERS, keys)


def test_no_message_has_two_texts() -> None:
    keys = {
        path: re.findall(r'^  ("[^"]+"):', path.read_text(encoding="utf-8"), re.M) for path in MESSAGES.rglob("*.js")
    }
    assert {path: found for path, found in keys.items() if len(set(found)) != len(found)} == {}


def test_every_file_of_messages_is_short() -> None:
    paths = [path for path in MESSAGES.rglob("*.js") if len(path.read_text(encoding="utf-8").splitlines()) > MAX_LINES]
    assert paths == []


@pytest.mark.parametrize("area", AREAS)
def test_every_message_is_used_and_every_used_message_exists(area: str) -> None:
    used = {key for path in MODULES if area in areas(path) for key in used_keys(path)}
    stems = tuple(key.removesuffix("*") for key in used if key.endswith("*"))
    known = set(texts(SOURCE, area))
    assert {key for key in used if not key.endswith("*")} - known == set()
    if area != "common":
        assert {key for key in known - used if not key.startswith(stems or ("\0",))} == set()


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("area", AREAS)
def test_a_message_shows_the_same_values_in_every_language(area: str, language: str) -> None:
    other = texts(language, area)
    wrong = []
    for key, text in texts(SOURCE, area).items():
        (shown, chosen), (other_shown, other_chosen) = values_of(text), values_of(other[key])
        if not (shown <= other_shown | other_chosen and other_shown <= shown | chosen):
            wrong.append(key)  # a value that is shown in one language is shown or chosen by in the other
    assert wrong == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_call_gives_the_values_that_the_message_needs(language: str) -> None:
    missing = []
    for path in MODULES:
        for area in areas(path):
            messages = texts(language, area)
            for keys, given in calls(path):
                for key in keys:
                    shown, chosen = values_of(messages[key])
                    if (shown | chosen) - given:
                        missing.append(f"{path.name}: {key} lacks {sorted((shown | chosen) - given)}")
    assert missing == []


def from_python(games: Collection[str]) -> dict[str, set[str]]:
    """The texts that each file of translations has for these games and for everything that is not of one game."""
    shared = server_texts.errors() | server_texts.pages() | server_texts.fillings()
    return {
        "server": shared | server_texts.refusals(games) | server_texts.abouts(games),
        "lessons": server_texts.lessons(games),
        "index": server_texts.head(),
    }


def test_every_text_of_the_server_has_a_translation() -> None:
    required, known = from_python(GAMES.keys() - server_texts.UNTRANSLATED), from_python(GAMES)
    for language in OTHERS:
        for name in sorted(FROM_PYTHON):
            found = set(texts(language, name))
            assert (required[name] - found, found - known[name]) == (set(), set()), f"{language}/{name}.js"


def test_a_game_that_is_not_translated_needs_no_translation_but_may_have_one() -> None:
    all_but_one = GAMES.keys() - {"cheesedog"}
    assert from_python(all_but_one)["server"] < from_python(GAMES)["server"]
    assert GAMES["cheesedog"].blurb in from_python(GAMES)["server"] - from_python(all_but_one)["server"]
    assert from_python(all_but_one)["lessons"] < from_python(GAMES)["lessons"]


def test_a_translation_has_no_hole_that_the_text_of_the_server_does_not_have() -> None:
    for language in OTHERS:
        for english, other in texts(language, "server").items():
            assert values_of(other)[0] <= values_of(english)[0], english


FORMAT = """
import { translator, listed, either, together, inside } from "%(client)s/messages.js";
import { readFileSync } from "node:fs";
const given = JSON.parse(readFileSync(0, "utf8"));
const names = [together(["Ann", "You"]), together(["You", "Ann"]), ...inside(["You"])];
const found = given.map(([text, values]) => translator({ key: text })("key", values));
console.log(JSON.stringify([...found, listed(["Ann", "Bo", "Cy"]), either(["red", "blue"]), ...names]));
"""


def formatted(given: list[tuple[str, dict[str, object]]]) -> list[str]:
    """What the page makes of these messages in English."""
    node = shutil.which("node")
    assert node, "the tests need Node"
    script = FORMAT % {"client": CLIENT}
    run = [node, "--input-type=module", "-e", script]
    done = subprocess.run(run, input=json.dumps(given), capture_output=True, text=True, check=True)
    found: list[str] = json.loads(done.stdout)
    return found


def test_messages_choose_by_number_and_by_text() -> None:
    cards = (
        "{who} {who, select, you {have} other {has}} {n, plural, =0 {nothing} one {# card} other {# cards for {who}}}."
    )
    given: list[tuple[str, dict[str, object]]] = [
        (cards, {"who": "You", "n": 1}),
        (cards, {"who": "Bo", "n": 2}),
        (cards, {"who": "Bo", "n": 0}),
        ("{a, select, x {} other { {b}}}!", {"a": "y", "b": "$5"}),
    ]
    expected = [
        "You have 1 card.",
        "Bo has 2 cards for Bo.",
        "Bo has nothing.",
        " $5!",
        "Ann, Bo and Cy",
        "red or blue",
        "Ann and you",
        "You and Ann",
        "you",
    ]
    assert formatted(given) == expected


def test_every_message_of_every_language_can_be_shown() -> None:
    all_texts = [text for language in LANGUAGES for area in AREAS for text in texts(language, area).values()]
    values: tuple[object, ...] = ("You", 1, 7)
    for value in values:
        given = [(text, dict.fromkeys(set().union(*values_of(text)), value)) for text in all_texts]
        wrong = [text for text in formatted(given)[: len(given)] if "{" in text or "}" in text or "undefined" in text]
        assert wrong == []
