"""docs/protocol.md documents every message, field, error code and close code of the source, and no others."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any, get_args

import pytest

from protocol.messages import MAX_FRAME_BYTES, ClientMessage, ServerMessage
from protocol.session import MAX_FAULTS, PHASES
from server.requests.limits.limits import LIMITS
from server.tables.state.decisions import MAX_SIDE_ENTRIES
from tests.protocol.make_vectors import DOCUMENT, ROOT

SOURCES = sorted([*(ROOT / "protocol").glob("*.py"), *(ROOT / "server").rglob("*.py")])
TEXT = DOCUMENT.read_text(encoding="utf-8")
LIBRARY = {"1002", "1009", "1011"}  # sent by the websocket library, not by our source
STATUSES = {"not_open", "not_running", "not_ended"}  # must_be: not_{status}
WINDOWS = {None: "at once", 1: "1 s", 10: "10 s", 60: "1 minute", 600: "10 minutes", 3600: "1 hour"}
COMPUTED = {"missing_field", "surplus_field", "unknown_type"}  # a variable in the codec


def section(title: str) -> str:
    found = re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", TEXT, re.DOTALL | re.MULTILINE)
    assert found, title
    return found.group(1)


def calls(path: Path) -> list[ast.Call]:
    return [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)]


def name_of(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def error_codes() -> set[str]:
    """Collect the codes that the source passes to ProtocolError. Computed codes are listed in COMPUTED and STATUSES."""
    codes = set(PHASES.values()) | COMPUTED
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


def test_the_documented_error_codes_are_those_of_the_source() -> None:
    assert set(re.findall(r"^\| `([a-z_]+)` \|", section("Error codes"), re.MULTILINE)) == error_codes()


def test_the_documented_close_codes_are_those_of_the_source() -> None:
    assert set(re.findall(r"^\| (\d{4}) \|", section("Close codes"), re.MULTILINE)) == close_codes() | LIBRARY


def test_the_statuses_that_the_source_requires_are_documented() -> None:
    required = set()
    for path in SOURCES:
        for call in calls(path):
            if name_of(call) == "require_status" and isinstance(call.args[1], ast.Constant):
                required.add(f"not_{call.args[1].value!s}")
    assert required == STATUSES


def test_rules_are_numbered_without_gaps_and_every_citation_exists() -> None:
    numbers = [int(number) for number in re.findall(r"\*\*P(\d+)\*\*", TEXT)]
    assert numbers == list(range(1, len(numbers) + 1))
    for path in [*SOURCES, *(ROOT / "tests" / "protocol").glob("*.py")]:
        cited = {int(number) for number in re.findall(r"\bP(\d+)\b", path.read_text())}
        assert cited <= set(numbers), path


@pytest.mark.parametrize("message", get_args(ClientMessage) + get_args(ServerMessage), ids=lambda one: one.__name__)
def test_every_message_and_field_is_documented(message: Any) -> None:
    assert re.search(rf"[`#] ?{message.__struct_config__.tag}\b|, {message.__struct_config__.tag}\b", TEXT)
    for name in message.__struct_fields__:
        assert re.search(rf"[`{{, ]{name}\b", TEXT), name


def test_p8_and_p13_name_the_limits_of_the_source() -> None:
    assert f"{MAX_FRAME_BYTES:,} bytes" in TEXT
    assert f"After {MAX_FAULTS} frames" in TEXT


def test_p17_the_documented_limits_are_those_of_the_source() -> None:
    rows = re.findall(r"^\| `(\w+)` \| ([\d,]+) \| (\w+) \| ([\w ]+) \| (.+) \|$", section("Limits"), re.MULTILINE)
    documented = [(name, int(number.replace(",", "")), *rest) for name, number, *rest in rows]
    assert documented == [(one.name, one.number, one.subject, WINDOWS[one.window_s], one.counts) for one in LIMITS]
    assert f"After {MAX_SIDE_ENTRIES:,} entries" in section("Limits")
