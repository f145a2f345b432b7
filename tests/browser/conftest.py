"""A real service and a real Chromium."""

from __future__ import annotations

import os
import shutil
from collections.abc import AsyncIterator, Generator, Iterator
from pathlib import Path

import pytest
from playwright.async_api import Browser, async_playwright

from tests.browser.people import PLAIN, People
from tests.service import Service

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    f"--host-resolver-rules=MAP {PLAIN} 127.0.0.1",
]


def chromium() -> str | None:
    """The browser to use: CHROMIUM, the system's own, or else the one that comes with playwright."""
    names = ("chromium", "chromium-browser", "google-chrome")
    return os.environ.get("CHROMIUM") or next((path for name in names if (path := shutil.which(name))), None)


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """The whole service, with bots that do not pretend to think."""
    running = Service(tmp_path_factory.mktemp("data"))
    yield running
    running.stop()


@pytest.fixture
async def browser() -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        launched = await playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        yield launched
        await launched.close()


@pytest.fixture
def shots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where screenshots go: SHOTS, or a folder that is thrown away."""
    folder = Path(os.environ.get("SHOTS") or tmp_path_factory.mktemp("shots"))
    folder.mkdir(parents=True, exist_ok=True)
    return folder


FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Let the fixtures of a test know that it failed."""
    report = yield
    if report.when == "call":
        item.stash[FAILED] = report.failed
    return report


@pytest.fixture
async def people(request: pytest.FixtureRequest, browser: Browser, service: Service) -> AsyncIterator[People]:
    """People who come in; whatever went wrong in their pages fails the test, which then prints what they see."""
    came = People(browser, service.http)
    yield came
    if request.node.stash.get(FAILED, True):
        await came.tell()
    await came.go_home()
    assert came.faults == []
