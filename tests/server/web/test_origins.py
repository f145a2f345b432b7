"""Pages of other origins, and requests for other hosts, are refused with 403; programs without Origin are served."""

from __future__ import annotations

import logging

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from server.web.origins import AllowedOrigins, BadOrigin
from tests.client import Client
from tests.server.conftest import Running, Start
from tests.server.web.test_pages import ask

SAME = (
    ("play.example.org", "https://play.example.org"),
    ("play.example.org", "http://play.example.org"),
    ("play.example.org:443", "https://play.example.org"),
    ("Play.Example.org", "https://play.example.org:443"),
    ("127.0.0.1:8000", "http://127.0.0.1:8000"),
    ("[::1]:8000", "http://[::1]:8000"),
)
OTHER = (
    ("play.example.org", "https://evil.example"),
    ("play.example.org", "https://play.example.org.evil.example"),
    ("play.example.org", "https://play.example.org:8443"),
    ("play.example.org:8000", "http://play.example.org"),
    ("play.example.org", "null"),
    ("play.example.org", ""),
    ("play.example.org", "file://play.example.org"),
    ("play.example.org", "https://play.example.org@evil.example"),
    ("play.example.org", "https://["),
    ("play.example.org", "https://play.example.org:x"),
    ("", "https://play.example.org"),
    ("[", "https://play.example.org"),
)


@pytest.mark.parametrize(("host", "origin"), SAME)
def test_pages_of_the_same_host_are_allowed(host: str, origin: str) -> None:
    assert AllowedOrigins().refusal(host, origin) is None


@pytest.mark.parametrize(("host", "origin"), OTHER)
def test_pages_of_other_origins_are_refused(host: str, origin: str) -> None:
    assert AllowedOrigins().refusal(host, origin) == "pages of this origin may not use this service"


def test_no_origin_is_allowed_for_every_host() -> None:
    for host in ("play.example.org", "other.example", "", "["):
        assert AllowedOrigins().refusal(host, None) is None


def test_listed_origins_replace_that_of_the_host() -> None:
    allowed = AllowedOrigins(origins=["https://one.example", "http://two.example:8080"])
    assert allowed.refusal("back.example", "https://one.example") is None
    assert allowed.refusal("back.example", "https://one.example:443") is None
    assert allowed.refusal("back.example", "http://two.example:8080") is None
    assert allowed.refusal("back.example", "http://one.example")
    assert allowed.refusal("back.example", "https://back.example")
    assert AllowedOrigins(origins=["*"]).refusal("back.example", "https://evil.example") is None


def test_only_listed_hosts_and_this_machine_are_answered() -> None:
    allowed = AllowedOrigins.from_environment({"ALLOWED_HOSTS": "play.example.org, ::2", "HOST": "10.0.0.7"})
    for host in ("play.example.org", "PLAY.example.org:8443", "[::2]:80", "10.0.0.7:8000", "localhost:8000", "[::1]"):
        assert allowed.refusal(host, None) is None, host
    for host in ("evil.example", "play.example.org.evil.example", "", "[", "play.example.org:x"):
        assert allowed.refusal(host, None) == "this service is not known by this host name", host


@pytest.mark.parametrize(
    "environment",
    [
        {"ALLOWED_HOSTS": "https://play.example.org"},
        {"ALLOWED_HOSTS": "play.example.org:8000"},
        {"ALLOWED_HOSTS": "play.example.org/x"},
        {"ALLOWED_ORIGINS": "play.example.org"},
        {"ALLOWED_ORIGINS": "https://play.example.org/"},
        {"ALLOWED_ORIGINS": "ftp://play.example.org"},
    ],
)
def test_settings_that_cannot_be_meant_are_refused(environment: dict[str, str]) -> None:
    with pytest.raises(BadOrigin, match=next(iter(environment))):
        AllowedOrigins.from_environment(environment)


async def test_a_websocket_of_another_page_is_refused_and_that_is_logged_once(
    node: Running, caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(2):
        with pytest.raises(InvalidStatus, match="403"):
            await connect(node.url, origin="https://evil.example")  # type: ignore[arg-type]
    assert [record.levelno for record in caplog.records] == [logging.WARNING]
    assert "https://evil.example" in caplog.text
    async with connect(node.url, origin=node.http):  # type: ignore[arg-type]
        pass
    assert (await (await Client.join(node.url)).request("ping"))["type"] == "ok"


async def test_other_hosts_are_refused(start: Start) -> None:
    node = await start(allowed=AllowedOrigins(hosts=["play.example.org"]))
    for path in ("/", "/healthz"):
        assert (await ask(node, path, Host="evil.example"))[0] == 403
        assert (await ask(node, path, Host="play.example.org"))[0] == 200
        assert (await ask(node, path))[0] == 200  # 127.0.0.1
    with pytest.raises(InvalidStatus, match="403"):
        await connect("ws://evil.example/ws", host="127.0.0.1", port=node.listening.getsockname()[1])
