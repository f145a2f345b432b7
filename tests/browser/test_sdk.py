"""The JavaScript SDK runs in a browser: the package as it is, without a build step."""

from __future__ import annotations

import asyncio
from pathlib import Path
from urllib.parse import urlsplit

from playwright.async_api import Browser, Route

from tests.client import Client
from tests.service import Service

GAME_S = 120  # far more than a game takes
ROOT = Path(__file__).resolve().parents[2]
FOLDERS = {
    "sdk": ROOT / "bots" / "sdk-js",
    "msgpack": ROOT / "web-client" / "node_modules" / "@msgpack" / "msgpack" / "dist.esm",
}
PAGE = """<!doctype html><script type="importmap">
{"imports": {"cheeseboard-bot": "/packages/sdk/index.js", "@msgpack/msgpack": "/packages/msgpack/index.mjs"}}
</script>"""
BOT = """async ([url, token, join]) => {
  const { fill, pick, run } = await import("cheeseboard-bot");
  let decisions = 0;
  const choose = (turn) => { decisions += 1; return fill(pick(turn.offers)); };
  const finished = await run(choose, url, token, { join });
  return [decisions, finished.map((table) => table.status)];
}"""


async def serve(route: Route) -> None:
    """Answer with a file of the SDK or of its one dependency, or with a page that says where they are."""
    name = urlsplit(route.request.url).path.removeprefix("/packages/")
    package, _, file = name.partition("/")
    if file:
        await route.fulfill(path=FOLDERS[package] / file, content_type="text/javascript")
    else:
        await route.fulfill(body=PAGE, content_type="text/html")


async def test_the_javascript_package_plays_a_game_in_a_browser(service: Service, browser: Browser) -> None:
    ada = await Client.join(service.url, "Ada")
    token = (await ada.request("token", name="Gnawbot"))["token"]
    made = await ada.request("create", game="cheesedog", seats=3, seat=None)
    await ada.request("open", table=made["table"])
    # The answers of `serve` come from no address, so the page needs leave to reach the service at 127.0.0.1.
    page = await browser.new_page(permissions=["local-network-access"])
    await page.route("**/packages/**", serve)
    await page.goto(f"{service.http}/packages/")
    playing = asyncio.create_task(page.evaluate(BOT, [f"{service.http}/", token, made["code"]]))
    await ada.until(lambda m: m["type"] == "table" and any(seat.get("name") == "Gnawbot" for seat in m["seats"]))
    await ada.request("start", table=made["table"])
    async with asyncio.timeout(GAME_S):
        decisions, finished = await playing
    assert decisions > 0
    assert finished == ["ended"]
    await page.close()
    await ada.close()
