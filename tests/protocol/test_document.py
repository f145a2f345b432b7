"""docs/protocol.md says all that the source does, and nothing that it does not."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any, get_args

import pytest

from protocol.messages import MOST_BYTES, ClientMessage, ServerMessage
from protocol.session import MOST_FAULTS, PHASES
from tests.protocol.make_vectors import DOCUMENT, ROOT

SOURCES = sorted([*(ROOT / "protocol").glob("*.py"), *(ROOT / "server").glob("*.py")])
TEXT = DOCUMENT.read_text(encoding="utf-8")
LIBRARY = {"1002", "1009", "1011"}  # closed so by the websocket library, not by a line of ours
STATUSES = {"not_open", "not_running", "not_ended"}  # must_be: not_{status}
CHOSEN = {"missing_field", "surplus_field", "unknown_type"}  # a variable in the codec


def section(title: str) -> str:
    found = re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", TEXT, re.DOTALL | re.MULTILINE)
    assert found, title
    return found.group(1)


def calls(path: Path) -> list[ast.Call]:
    return [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)]


def name_of(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def error_codes() -> set[str]:
    """The codes that the source gives to ProtocolError, those that it computes aside."""
    codes = set(PHASES.values()) | CHOSEN
    for path in SOURCES:
        for call in calls(path):
            if name_of(call) == "ProtocolError" and call.args:
                code = call.args[0]
                if isinstance(code, ast.Constant):
                    codes.add(str(code.value))
                elif isinstance(code, ast.JoinedStr):
                    codes |= STATUSES
    return codes


def close_codes() -> set[str]:
    codes = set()
    for path in SOURCES:
        for call in calls(path):
            if name_of(call) in ("cut", "close") and call.args and isinstance(call.args[0], ast.Constant):
                codes.add(str(call.args[0].value))
    return codes


def test_every_error_code_is_documented_and_the_reverse() -> None:
    assert set(re.findall(r"^\| `([a-z_]+)` \|", section("Error codes"), re.MULTILINE)) == error_codes()


def test_every_close_code_is_documented_and_the_reverse() -> None:
    assert set(re.findall(r"^\| (\d{4}) \|", section("Close codes"), re.MULTILINE)) == close_codes() | LIBRARY


def test_statuses_that_are_asked_for_are_the_documented_ones() -> None:
    asked = set()
    for path in SOURCES:
        for call in calls(path):
            if name_of(call) == "must_be" and isinstance(call.args[0], ast.Constant):
                asked.add(f"not_{call.args[0].value!s}")
    assert asked == STATUSES


def test_rules_are_numbered_without_gaps_and_every_citation_exists() -> None:
    numbers = [int(number) for number in re.findall(r"\*\*P(\d+)\*\*", TEXT)]
    assert numbers == list(range(1, len(numbers) + 1))
    for path in [*SOURCES, *(ROOT / "tests" / "protocol").glob("*.py")]:
        cited = {int(number) for number in re.findall(r"\bP(\d+)\b", path.read_text())}
        assert cited <= set(numbers), path


@pytest.mark.parametrize("message", get_args(ClientMessage) + get_args(ServerMessage), ids=lambda one: one.__name__)
def test_every_message_and_field_is_named(message: Any) -> None:
    assert re.search(rf"[`#] ?{message.__struct_config__.tag}\b|, {message.__struct_config__.tag}\b", TEXT)
    for name in message.__struct_fields__:
        assert re.search(rf"[`{{, ]{name}\b", TEXT), name


def test_p8_and_p13_name_the_limits_of_the_source() -> None:
    assert f"{MOST_BYTES:,} bytes" in TEXT
    assert f"After {MOST_FAULTS} frames" in TEXT
