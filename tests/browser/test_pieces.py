"""The pieces of preview cards are those of the page."""

from __future__ import annotations

from playwright.async_api import Browser

from tools import pieces


async def test_the_pieces_of_preview_cards_are_drawn_as_on_the_page(browser: Browser) -> None:
    drawn = await pieces.draw(await browser.new_page())
    for game, content in drawn.items():
        written = (pieces.PIECES / f"{game}.json").read_text(encoding="utf-8")
        assert written == content, f"{game}: the page draws its pieces differently now, run `make pieces`"
