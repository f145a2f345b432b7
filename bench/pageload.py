"""What a page load costs: requests, bytes and time to the first offer, of the lobby and of a running table.

python -m bench.pageload

Each load has an empty cache. Bytes are those of the wire: answers with their headers, and the websocket's frames. The
first offer is the moment at which something can be done: a game can be begun, a card can be played.
"""

from __future__ import annotations

import asyncio
import platform
import statistics
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from playwright.async_api import Browser, Page, async_playwright

from tests.browser.conftest import FLAGS, chromium
from tests.service import Service

LOADS = 7
MOST_BYTES = 300 * 1024
MOST_MS = 1500
FIRST_OFFER = "(offer) => document.querySelector(offer)?.checkVisibility() && performance.now()"
LOBBY, TABLE = ".play .do.big:enabled", ".page.table > .me .can"


class Load(NamedTuple):
    """One page load."""

    requests: int
    bytes: int
    ms: float


async def load(page: Page, url: str, offer: str) -> Load:
    """Load a page with an empty cache and wait for its first offer."""
    session = await page.context.new_cdp_session(page)
    await session.send("Network.enable")
    await session.send("Network.setCacheDisabled", {"cacheDisabled": True})
    requests = size = 0

    def on_request(event: dict[str, Any]) -> None:
        nonlocal requests
        requests += 1

    def on_finished(event: dict[str, Any]) -> None:
        nonlocal size
        size += int(event["encodedDataLength"])

    def on_frame(event: dict[str, Any]) -> None:
        nonlocal size
        size += len(event["response"]["payloadData"]) * 3 // 4  # binary frames are told in base64

    session.on("Network.requestWillBeSent", on_request)
    session.on("Network.loadingFinished", on_finished)
    session.on("Network.webSocketFrameReceived", on_frame)
    await page.goto(url)
    ready = await page.wait_for_function(FIRST_OFFER, arg=offer)
    ms = float(await ready.json_value())
    await page.wait_for_load_state("networkidle")
    await session.detach()
    return Load(requests, size, ms)


async def measure(browser: Browser, home: str) -> dict[str, list[Load]]:
    """Loads of the lobby and of a table at which one is asked for a move."""
    context = await browser.new_context(viewport={"width": 1366, "height": 768})
    page = await context.new_page()
    lobby = [await load(page, home, LOBBY) for _ in range(LOADS)]
    await page.click(".game-card.of-cheesedog")
    await page.click(LOBBY)
    await page.wait_for_selector(TABLE)
    url = page.url
    return {"lobby": lobby, "running table": [await load(page, url, TABLE) for _ in range(LOADS)]}


async def main() -> int:
    """Print the figures; 1 if one of them is above its limit."""
    with tempfile.TemporaryDirectory() as data:
        service = Service(Path(data))
        try:
            async with async_playwright() as playwright:
                browser = await playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
                found = await measure(browser, service.http)
                await browser.close()
        finally:
            service.stop()
    print(f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC, {platform.platform()}, python -m bench.pageload")
    print(f"median of {LOADS} loads with an empty cache; limits {MOST_BYTES // 1024} KB, {MOST_MS} ms")
    over = False
    for page, loads in found.items():
        requests, size, ms = (statistics.median(values) for values in zip(*loads, strict=True))
        worst = max(one.ms for one in loads)
        print(
            f"{page:14} {requests:3.0f} requests  {size / 1024:6.1f} KB  first offer {ms:5.0f} ms (worst {worst:.0f})"
        )
        over = over or size > MOST_BYTES or ms > MOST_MS
    return int(over)


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
