"""Preview cards (Open Graph): what messengers and search engines show of a page whose address somebody shares."""

from __future__ import annotations

import re
from html import escape

import msgspec

TITLE = re.compile(r"<title>[^<]*</title>")
DESCRIPTION = re.compile(r'<meta name="description" content="[^"]*">')


class Preview(msgspec.Struct, frozen=True):
    """The title and the description of a page, as plain text, the address of its picture, and the game on it.

    `image` and `game` are empty if it has none.
    """

    title: str
    description: str
    image: str = ""
    game: str = ""


def with_preview(page: str, preview: Preview) -> str:
    """The client's page with the title, the description and the card of this preview."""
    title, description = escape(preview.title), escape(preview.description)
    card: tuple[tuple[str, str], ...] = (("og:site_name", "Cheeseboard"), ("og:type", "website"), ("og:title", title))
    card += (("og:description", description),)
    if preview.image:
        card += (("og:image", escape(preview.image)), ("og:image:width", "1200"), ("og:image:height", "630"))
    tags = [f'<meta property="{name}" content="{text}">' for name, text in card]
    described = "\n    ".join((f'<meta name="description" content="{description}">', *tags))
    page = TITLE.sub(lambda _: f"<title>{title}</title>", page, count=1)
    return DESCRIPTION.sub(lambda _: described, page, count=1)
