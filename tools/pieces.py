"""Draws the pieces of the games for preview cards: `web-client/pieces/GAME.json`, from the client's own components.

python -m tools.pieces

A piece is plain SVG: what style sheets say about it is written into its attributes, because the server draws preview
cards without a browser.
"""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from playwright.async_api import Page, Route, async_playwright

from server.web.client import CLIENT, LIBRARIES
from server.web.files import KINDS
from server.web.linker import link_style
from tests.browser.conftest import FLAGS, chromium

HOME = "http://pieces.test"
SCRIPT = Path(__file__).with_suffix(".js")
PIECES = CLIENT / "pieces"


async def _file(route: Route) -> None:
    """Answer with a source file of the client."""
    path = CLIENT / route.request.url.removeprefix(f"{HOME}/")
    await route.fulfill(body=path.read_bytes(), content_type=KINDS[".js" if path.suffix == ".mjs" else path.suffix])


def _read(name: str) -> str:
    return (CLIENT / name).read_text(encoding="utf-8")


async def draw(page: Page) -> dict[str, str]:
    """The content of the file of each game."""
    styles = ["style.css", *(f"games/{path.name}" for path in sorted((CLIENT / "games").glob("*.css")))]
    libraries = json.dumps({"imports": {name: f"/{path}" for name, path in LIBRARIES.items()}})
    sheets = "".join(f"<style>{link_style(name, _read)}</style>" for name in styles)
    body = f'<!doctype html><script type="importmap">{libraries}</script>{sheets}<body>'
    await page.route(f"{HOME}/**", _file)
    await page.route(f"{HOME}/", lambda route: route.fulfill(body=body, content_type="text/html"))
    await page.goto(f"{HOME}/")
    await page.add_script_tag(content=SCRIPT.read_text(encoding="utf-8"), type="module")
    await page.wait_for_function("globalThis.drawableGames")
    games = await page.evaluate("drawableGames")
    drawn = {game: await page.evaluate("drawPieces", game) for game in games}
    return {game: json.dumps(pieces, ensure_ascii=False, indent=0) + "\n" for game, pieces in drawn.items()}


async def main() -> None:
    """Write the files."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        for game, content in (await draw(await browser.new_page())).items():
            (PIECES / f"{game}.json").write_text(content, encoding="utf-8")
        await browser.close()


if __name__ == "__main__":
    asyncio.run(main())
