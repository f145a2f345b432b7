"""Draws the PNG icons of the installed page from `web-client/icon.svg` with Chromium.

python -m tools.icons

The icons are maskable: systems cut them to a circle or another shape, so the drawing is in the middle 80 % and its
ground fills the whole square.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

from playwright.async_api import async_playwright

from tests.browser.conftest import FLAGS, chromium

CLIENT = Path(__file__).resolve().parents[1] / "web-client"
SIZES = (192, 512)
GROUND = "#6B4527"


async def main() -> None:
    """Write `icon-192.png` and `icon-512.png`."""
    drawing = (CLIENT / "icon.svg").read_text(encoding="utf-8")
    style = f"body {{ margin: 0; background: {GROUND} }} svg {{ display: block; width: 80vw; margin: 10vw }}"
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        for size in SIZES:
            page = await browser.new_page(viewport={"width": size, "height": size})
            await page.set_content(f"<style>{style}</style>{drawing}")
            await page.screenshot(path=CLIENT / f"icon-{size}.png")
        await browser.close()


if __name__ == "__main__":
    asyncio.run(main())
