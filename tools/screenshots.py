"""Takes the pictures of the games: each at its opening, at a climax and at its end, from recorded games of bots.

python -m tools.screenshots [--all] [game ...]

Every picture goes to `build/screenshots` as the browser takes it: with `--all` on phone, laptop and desktop, light and
dark, otherwise only those in `CHOSEN`. Those go to `docs/images` too, with 256 colours, and so does the animation.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from pathlib import Path
from typing import Any, Literal, NamedTuple

from playwright.async_api import Browser, Page, ViewportSize, async_playwright

from games import GAMES
from tests.browser.conftest import FLAGS, chromium
from tests.browser.people import stop_clock
from tests.browser.recorded import Recording, Show, record
from tools.pictures import animated, pixels_of, small

ROOT = Path(__file__).resolve().parents[1]
TAKEN, IMAGES = ROOT / "build" / "screenshots", ROOT / "docs" / "images"
SIZES = {"phone": (390, 844), "laptop": (1280, 720), "desktop": (1920, 1080)}
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
MOMENTS = ("opening", "climax", "end")
SEATS, SEED = 4, "picture"
# The events of a climax. That of Cheesonomics is a sale, which has no beat.
CLIMAXES = {
    "cheesedog": "turned_over",
    "chesterfield": "secrets_revealed",
    "do_my_bidding": "sold",
    "diced_cheese": "rolled",
    "cheesonomics": "sold",
}
# game, moment, size, scheme: the pictures of the README
CHOSEN = {
    *((game, "opening", "laptop", "light") for game in GAMES),
    *((game, "climax", "phone", "dark") for game in GAMES),
    ("chesterfield", "end", "laptop", "dark"),
    ("cheesonomics", "end", "laptop", "light"),
}
ANIMATED = "diced_cheese"
AT_S = {"chesterfield": 1.3, "cheesedog": 1.0}  # when a beat is half over; 0.8 s in other games
FRAME_MS = 100
MAX_FRAMES = 24


class Picture(NamedTuple):
    """One picture to take."""

    game: str
    moment: str
    size: str
    scheme: Literal["light", "dark"]

    @property
    def name(self) -> str:
        return "-".join(self) + ".png"


def told(name: str) -> None:
    """Say which picture is ready: all of them take minutes."""
    sys.stdout.write(f"{name}\n")


def tags(update: Any) -> set[str]:
    return {str(type(event).__struct_config__.tag) for event in update.events}


def climax_of(game: str, recording: Recording) -> int:
    """The entry to show: the last such event before the end, when most lies on the table."""
    found = [at for at, update in enumerate(recording.updates[:-1]) if CLIMAXES[game] in tags(update)]
    return found[len(found) * 2 // 3]


def recorded(game: str) -> Recording:
    """A game with a climax of its kind."""
    for number in range(20):
        recording = record(game, SEATS, f"{SEED} {number}")
        if any(CLIMAXES[game] in tags(update) for update in recording.updates[4:-1]):
            return recording
    raise ValueError(f"no {CLIMAXES[game]} in twenty games of {game}")


async def open_table(browser: Browser, recording: Recording, picture: Picture) -> tuple[Page, Show]:
    width, height = SIZES[picture.size]
    moving: Literal["no-preference", "reduce"] = "no-preference" if picture.moment == "climax" else "reduce"
    page = await browser.new_page(
        viewport=ViewportSize(width=width, height=height), color_scheme=picture.scheme, reduced_motion=moving
    )
    await page.add_init_script("localStorage.setItem('cheeseboard.hints', 'false')")
    show = Show(page, recording)
    await show.open()
    return page, show


async def take(browser: Browser, recording: Recording, picture: Picture) -> bytes:
    """Show the moment and take its picture."""
    page, show = await open_table(browser, recording, picture)
    if picture.moment == "opening":
        first = next(at for at, update in enumerate(recording.updates) if update.ask and at > SEATS)
        await show.go_to(first)
    elif picture.moment == "end":
        await show.go_to(len(recording.updates) - 1)
        await page.locator(".result").wait_for()
    elif picture.game == "cheesonomics":
        await show.go_to(climax_of(picture.game, recording))
    else:
        await show.go_to(climax_of(picture.game, recording) - 1)
        await page.clock.install()
        await stop_clock(page)  # so that the beat is still there, however slow this machine is
        step = asyncio.create_task(show.step())
        await page.locator(".beat").wait_for()
        await asyncio.sleep(AT_S.get(picture.game, 0.8))
        taken = await page.screenshot()
        await page.locator(".beat").click()
        await step
        await page.close()
        return taken
    await page.wait_for_timeout(300)
    taken = await page.screenshot()
    await page.close()
    return taken


async def film(browser: Browser, recording: Recording, blank: Page) -> bytes:
    """The climax of a game as an animation: a frame each tenth of a second, until the table shows what happened."""
    page, show = await open_table(browser, recording, Picture(ANIMATED, "climax", "phone", "light"))
    await page.set_viewport_size({"width": 390, "height": 640})
    await show.go_to(climax_of(ANIMATED, recording) - 1)
    frames = [await page.screenshot(scale="css")]
    step = asyncio.create_task(show.step())
    after = 0
    while len(frames) < MAX_FRAMES and after < 6:
        began = time.monotonic()
        frames.append(await page.screenshot(scale="css"))
        after += step.done()
        await asyncio.sleep(max(0, FRAME_MS / 1000 - (time.monotonic() - began)))
    await step
    return animated([await pixels_of(blank, frame) for frame in frames], FRAME_MS)


async def main(games: list[str], everything: bool) -> None:
    TAKEN.mkdir(parents=True, exist_ok=True)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        blank = await browser.new_page()
        for game in games:
            recording = recorded(game)
            for picture in (
                Picture(game, *rest) for rest in [(m, s, c) for m in MOMENTS for s in SIZES for c in SCHEMES]
            ):
                if not everything and picture not in CHOSEN:
                    continue
                taken = await take(browser, recording, picture)
                (TAKEN / picture.name).write_bytes(taken)
                if picture in CHOSEN:
                    (IMAGES / picture.name).write_bytes(small(await pixels_of(blank, taken)))
                told(picture.name)
            if game == ANIMATED:
                (IMAGES / "climax.png").write_bytes(await film(browser, recording, blank))
                told("climax.png")
        await browser.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=list(GAMES))
    parser.add_argument("--all", action="store_true")
    chosen = parser.parse_args()
    asyncio.run(main(chosen.games, chosen.all))
