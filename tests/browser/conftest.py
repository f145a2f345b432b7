"""Fixtures of the browser tests: a real service and a real Chromium, both shared by all tests of a worker."""

from __future__ import annotations

import os
import shutil
from collections.abc import AsyncIterator, Generator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, async_playwright

from tests.browser.people import PLAIN, People
from tests.client import Client
from tests.service import Service

FOLDER = Path(__file__).parent
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
    """Return the path of the browser: CHROMIUM or the system's own. None means the one that comes with playwright.

    Chromium without windows (headless-shell) takes a quarter less CPU for the same tests than `chromium --headless`.
    """
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
    return os.environ.get("CHROMIUM") or next((path for name in names if (path := shutil.which(name))), None)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the browser tests of a worker on one event loop, to which its browser belongs."""
    for item in items:
        if item.path.is_relative_to(FOLDER) and pytest_asyncio.is_async_test(item):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest_asyncio.fixture(loop_scope="session", autouse=True)
async def no_connections_left() -> AsyncIterator[None]:
    """Close the connections that a test has opened, on its event loop."""
    yield
    for client in tuple(Client.alive):
        await client.close()


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """The whole service, with house bots that do not pause. A test finds the tables that others have left."""
    running = Service(tmp_path_factory.mktemp("data"), ANALYST_MOVES=1000)
    yield running
    running.stop()


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def launched() -> AsyncIterator[Browser]:
    """The browser process of this worker."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        yield browser
        await browser.close()


@pytest_asyncio.fixture(loop_scope="session")
async def browser(launched: Browser) -> AsyncIterator[Browser]:
    """The browser, in which a test leaves no page open."""
    yield launched
    for context in launched.contexts:
        await context.close()


@pytest.fixture
def shots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder for screenshots: SHOTS, or a temporary one."""
    folder = Path(os.environ.get("SHOTS") or tmp_path_factory.mktemp("shots"))
    folder.mkdir(parents=True, exist_ok=True)
    return folder


FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Store whether the test failed, for its fixtures."""
    report = yield
    if report.when == "call":
        item.stash[FAILED] = report.failed
    return report


@pytest_asyncio.fixture(loop_scope="session")
async def people(request: pytest.FixtureRequest, browser: Browser, service: Service) -> AsyncIterator[People]:
    """People with browser pages. An error in a page fails the test; a test that fails prints the text of all pages."""
    people = People(browser, service.http)
    yield people
    if request.node.stash.get(FAILED, True):
        await people.print_pages()
    await people.close()
    assert people.errors == []
