"""What a page load costs on a slow network: time until the page is usable, requests and bytes.

python -m bench.pageload [--rounds N] [--fast]

Chromium emulates slow 3G: 400 ms for each request, 50 kB/s. The first visit has an empty cache; the second is a new tab
of the same browser. No service worker helps, because Chromium would not slow its requests. Usable is the moment when
the user can act: start a game in the lobby, play a card at a table, step through a replay. The replay is the first one
of its game that this browser opens after another one, at 50 kB/s without the delay of each request. Cold is the first
time that anybody opens it, so that the server has to play it back; warm is the same replay for another browser.
Bytes are those on the network: responses with their headers, and websocket frames. --fast does not slow the network.
"""

from __future__ import annotations

import argparse
import asyncio
import platform
import statistics
import sys
import tempfile
import urllib.request
import zlib
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import redis
from playwright.async_api import Browser, BrowserContext, Page, async_playwright

from server.store import keys
from server.tables.finished.replay import lines
from tests.browser.conftest import FLAGS, chromium
from tests.random_games import play
from tests.service import Service

ROUNDS = 5
SLOW_3G = {"offline": False, "latency": 400, "downloadThroughput": 50_000, "uploadThroughput": 50_000}
MAX_FIRST_MS = 3500
MAX_SECOND_MS = 1500
MAX_REPLAY_MS = 1000
WARM_UPS = 8  # each on a connection of its own, which one of the nodes accepts
USABLE = "(control) => document.querySelector(control)?.checkVisibility() && performance.now()"
REPLAY = ".replay .replay-controls"
SHORT, LONG = ("classic", b"short", 2), ("speed", b"long 107", 8)  # variant, seed and seats
LOBBY, TABLE = ".play .do.big:enabled", ".page.table > .me .can"
WINDOW: Any = {"width": 1366, "height": 768}


class Load(NamedTuple):
    """One page load."""

    ms: float
    requests: int
    bytes: int


class Traffic:
    """Counts what a page requests and receives until it is usable."""

    def __init__(self) -> None:
        self.requests = 0
        self.bytes = 0

    def on_request(self, event: Mapping[str, Any]) -> None:
        """Count a request; those that the cache answers are subtracted later."""
        self.requests += not event["request"]["url"].startswith("data:")

    def on_memory(self, event: Mapping[str, Any]) -> None:
        """Subtract a request that was answered from memory."""
        self.requests -= 1

    def on_response(self, event: Mapping[str, Any]) -> None:
        """Subtract a request that the cache on disk has answered."""
        self.requests -= bool(event["response"].get("fromDiskCache"))

    def on_finished(self, event: Mapping[str, Any]) -> None:
        """Add the size of a response."""
        self.bytes += int(event["encodedDataLength"])

    def on_frame(self, event: Mapping[str, Any]) -> None:
        """Add the size of a frame; the browser reports binary frames in base64."""
        self.bytes += len(event["response"]["payloadData"]) * 3 // 4


async def load(context: BrowserContext, url: str, control: str, network: Mapping[str, Any] | None) -> Load:
    """Load an address in a new tab and wait until it is usable."""
    page = await context.new_page()
    session = await context.new_cdp_session(page)
    await session.send("Network.enable")
    if network is not None:
        await session.send("Network.emulateNetworkConditions", dict(network))
    traffic = Traffic()
    session.on("Network.requestWillBeSent", traffic.on_request)
    session.on("Network.requestServedFromCache", traffic.on_memory)
    session.on("Network.responseReceived", traffic.on_response)
    session.on("Network.loadingFinished", traffic.on_finished)
    session.on("Network.webSocketFrameReceived", traffic.on_frame)
    await page.goto(url, wait_until="commit")
    ready = await page.wait_for_function(USABLE, arg=control, timeout=60_000)
    found = Load(float(await ready.json_value()), traffic.requests, traffic.bytes)
    await page.wait_for_load_state("networkidle")
    await page.close()
    return found


async def sit_down(page: Page, home: str) -> str:
    """Start a game with bots; return the address of the table when it is this user's turn."""
    await page.goto(home)
    await page.click(".game-card.of-cheesedog")
    await page.click(LOBBY)
    await page.wait_for_selector(TABLE)
    return page.url


async def measure(browser: Browser, home: str, network: Mapping[str, Any] | None) -> dict[str, list[Load]]:
    """Visit the lobby and a table twice, each with the empty cache of a new browser context."""
    player = await browser.new_context(viewport=WINDOW)
    page = await player.new_page()
    table = await sit_down(page, home)
    state = await player.storage_state()  # the token of the player
    await player.close()
    found: dict[str, list[Load]] = {}
    for name, url, control in (("lobby", home, LOBBY), ("table", table, TABLE)):
        context = await browser.new_context(viewport=WINDOW, storage_state=state, service_workers="block")
        for visit in ("first", "second"):
            found[f"{name}, {visit} visit"] = [await load(context, url, control, network)]
        await context.close()
    return found


def keep_replays(service: Service, count: int) -> int:
    """Put a short game of Diced Cheese and so many copies of a long one into the archive; the long one's entries."""
    with redis.Redis(unix_socket_path=str(service.data / "store.sock")) as store:
        for tables, (variant, seed, seats) in (
            (["short1"], SHORT),
            ([f"long{number}" for number in range(count)], LONG),
        ):
            log = play("diced_cheese", seed, seats, {"variant": variant, "mishaps": True})
            for table in tables:
                text = "".join(f"{line}\n" for line in lines(table, log.entries))
                store.set(keys.archive(table), zlib.compress(text.encode()))
    return len(log.entries)


def warm_up(address: str) -> None:
    """Ask for a playback over so many connections that every node has made it."""
    for _ in range(WARM_UPS):
        with urllib.request.urlopen(address, timeout=60) as answer:
            answer.read()


async def measure_replay(browser: Browser, home: str, number: int, network: Mapping[str, Any] | None) -> Load:
    """Open a copy of the long game in a new browser context that has opened the short one."""
    context = await browser.new_context(viewport=WINDOW, service_workers="block")
    await load(context, f"{home}/r/short1", REPLAY, None)
    found = await load(context, f"{home}/r/long{number}", REPLAY, network and {**network, "latency": 0})
    await context.close()
    return found


async def rounds(count: int, network: Mapping[str, Any] | None) -> dict[str, list[Load]]:
    """Measure this often."""
    found: dict[str, list[Load]] = {}
    with tempfile.TemporaryDirectory() as data:
        service = Service(Path(data))
        try:
            entries = keep_replays(service, count)
            async with async_playwright() as playwright:
                browser = await playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
                for number in range(count):
                    for name, loads in (await measure(browser, service.http, network)).items():
                        found.setdefault(name, []).extend(loads)
                    for visit in ("cold", "warm"):
                        if visit == "warm":
                            await asyncio.to_thread(warm_up, f"{service.http}/r/long{number}/updates")
                        opened = await measure_replay(browser, service.http, number, network)
                        found.setdefault(f"replay, {entries} entries, {visit}", []).append(opened)
                await browser.close()
        finally:
            service.stop()
    return found


async def main() -> int:
    """Print the figures. Return 1 if one of them is above its limit."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--fast", action="store_true", help="do not slow the network")
    given = parser.parse_args()
    found = await rounds(given.rounds, None if given.fast else SLOW_3G)
    print(f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC, {platform.platform()}, python -m bench.pageload")
    limits = f"{MAX_FIRST_MS} ms for a first visit, {MAX_SECOND_MS} ms for a second, {MAX_REPLAY_MS} ms for a replay"
    print(f"medians of {given.rounds}; limits {limits}")
    over = False
    for name, loads in found.items():
        ms, requests, size = (statistics.median(values) for values in zip(*loads, strict=True))
        worst = max(one.ms for one in loads)
        cost = f"{requests:3.0f} requests  {size / 1000:6.1f} kB"
        print(f"{name:27} usable after {ms:5.0f} ms (worst {worst:.0f})  {cost}")
        limit = MAX_REPLAY_MS if "replay" in name else MAX_FIRST_MS if "first" in name else MAX_SECOND_MS
        over = over or ms > limit
    return int(over)


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
