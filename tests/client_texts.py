"""Reads the modules of the page: the texts in them that people would see, and which messages they use."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

CLIENT = Path(__file__).parents[1] / "web-client"
MODULES = sorted(path for folder in (CLIENT, CLIENT / "games") for path in folder.glob("*.js") if path.name != "sw.js")
CALL = re.compile(r"\bt(?:\.rich)?\(")
AREA = re.compile(r'^import \{ texts \} from "\.{1,2}/messages/en/(\w+)\.js";', re.MULTILINE)
NAMED = re.compile(r'"(\w+)"')  # keys in the first argument of a call
COMPARED = re.compile(r'[=!]== "\w+"')
SHOWN = ("alt", "aria-label", "label", "placeholder", "sure", "text", "title", "heading", "anySpeed")  # attributes
LETTERS = re.compile(r"[A-Za-zÄÖÜäöüß]{2}")
CLASSES = ("class=${", "class=")
LABEL = re.compile(r"\b(?:label|title|note|brief): $")  # in an object that a renderer gives to the page
# Several words, or one that begins or ends a sentence.
WORDS = re.compile(r"[A-Za-z]{2,} +[a-zA-Z]|^[A-Z][a-z]+[a-z.…!?]*$|[a-z][.…!?]$")
BEFORE_REGEX = "(,=:[!&|?{};\n"


class Literal(NamedTuple):
    """A string of a module, or a text between the tags of a template, with the line on which it begins."""

    line: int
    kind: str  # "string", "template" or "html"
    text: str
    before: str  # the code before it, on the same line


def literals(source: str) -> list[Literal]:
    """All strings and texts of a module."""
    found: list[Literal] = []
    _code(source, 0, found, None)
    return found


def _code(source: str, at: int, found: list[Literal], end: str | None) -> int:
    """Read code up to the brace that ends it; return the place after it."""
    depth = 0
    while at < len(source):
        char = source[at]
        if end and char == "}" and not depth:
            return at + 1
        depth += (char == "{") - (char == "}")
        if source.startswith("//", at):
            at = source.find("\n", at)
        elif source.startswith("/*", at):
            at = source.find("*/", at) + 2
        elif char == "/" and source[:at].rstrip(" ")[-1:] in BEFORE_REGEX:
            at = re.compile(r"/(?:\\.|\[(?:\\.|[^\]])*\]|[^/\n])+/\w*").match(source, at).end()  # type: ignore[union-attr]
        elif char in "\"'":
            stop = re.compile(rf"{char}(?:\\.|[^{char}\n])*{char}").match(source, at).end()  # type: ignore[union-attr]
            found.append(_literal(source, at, "string", source[at + 1 : stop - 1]))
            at = stop
        elif char == "`":
            at = _template(source, at, found)
        else:
            at += 1
    return at


def _literal(source: str, at: int, kind: str, text: str) -> Literal:
    start = source.rfind("\n", 0, at) + 1
    return Literal(source.count("\n", 0, at) + 1, kind, text, source[start:at])


def _template(source: str, at: int, found: list[Literal]) -> int:
    """Read a template with its expressions; return the place after it."""
    start, is_html = at, source[:at].endswith("html")
    text, at = "", at + 1
    while source[at] != "`":
        if source.startswith("${", at):
            at = _code(source, at + 2, found, "}")
            text += "\0"
        else:
            step = 2 if source[at] == "\\" else 1
            text += source[at : at + step]
            at += step
    if is_html:
        found += [_literal(source, start, "html", part) for part in _shown(text)]
    else:
        found.append(_literal(source, start, "template", text))
    return at + 1


def _shown(template: str) -> Iterator[str]:
    """The texts of a template that people see: those between tags, and those of certain attributes."""
    for tag in re.findall(r"<[^>]*>", template):
        for name, text in re.findall(r'([\w-]+)="([^"]*)"', tag):
            if name in SHOWN:
                yield text
    yield from re.split(r"<[^>]*>", template)


def is_shown(literal: Literal) -> bool:
    """Whether people would see this text: a sentence, or words that are not code."""
    text = literal.text.replace("\0", " ")
    if not LETTERS.search(text) or (literal.kind != "html" and literal.before.endswith(CLASSES)):
        return False
    if literal.kind == "string" and LABEL.search(literal.before):
        return True
    return literal.kind == "html" or bool(
        re.search(r"[A-Za-z]{2,} +[a-zA-Z]|^[A-Z][a-z]+[a-z.…!?]*$|[a-z][.…!?]$", text)
    )


def areas(path: Path) -> list[str]:
    """The areas of messages that a module uses with `t`."""
    source = path.read_text(encoding="utf-8")
    return [area for area in AREA.findall(source) if CALL.search(source) and "translator(texts)" in source]


def arguments(source: str, at: int) -> list[str]:
    """The arguments of a call, from the place after its opening parenthesis."""
    found, start, depth = [], at, 0
    quote = ""
    while depth >= 0:
        char = source[at]
        if quote:
            quote = "" if char == quote else quote
        elif char in '"`':
            quote = char
        elif char in "([{":
            depth += 1
        elif char in ")]}":
            depth -= 1
        elif char == "," and not depth:
            found.append(source[start:at])
            start = at + 1
        at += 1
    return [*found, source[start : at - 1]]


def used_keys(path: Path) -> set[str]:
    """The keys that a module uses; `stem_*` for keys that are put together."""
    source = path.read_text(encoding="utf-8")
    found: set[str] = set()
    for call in CALL.finditer(source):
        first = COMPARED.sub("", arguments(source, call.end())[0])
        found.update(NAMED.findall(first))
        found.update(f"{stem}*" for stem in re.findall(r"`(\w+)\$\{", first))
    named = re.search(r"^const NOTES = (\{.*?\});", source, re.MULTILINE)
    return found | set(NAMED.findall(named[1]) if named else ())


def calls(path: Path) -> Iterator[tuple[list[str], set[str]]]:
    """The calls whose values are written out: the keys that each may use, and the names of its values."""
    source = path.read_text(encoding="utf-8")
    for call in CALL.finditer(source):
        given = arguments(source, call.end())
        keys = NAMED.findall(COMPARED.sub("", given[0]))
        values = given[1].strip() if len(given) > 1 else "{}"
        if keys and values.startswith("{") and "..." not in values:
            fields = arguments(values, 1)
            yield keys, {field.partition(":")[0].strip() for field in fields if field.strip()}


def values_of(message: str) -> tuple[set[str], set[str]]:
    """The names of the values that a message shows, and of those by which it chooses."""
    shown: set[str] = set()
    chosen: set[str] = set()

    def read(at: int) -> int:
        while at < len(message) and message[at] != "}":
            if message[at] != "{":
                at += 1
                continue
            found = re.compile(r"\{(\w+)(?:, (plural|select),)?").match(message, at)
            assert found, message
            start = at = found.end()
            (chosen if found[2] else shown).add(found[1])
            while message[at] != "}":
                case = re.compile(r"\s*=?\w+\s*\{").match(message, at)
                assert case, message
                at = read(case.end()) + 1
            if found[2] == "plural" and "#" in message[start:at]:
                shown.add(found[1])
            at += 1
        return at

    assert read(0) == len(message), message
    return shown, chosen
