"""Recorded games: a whole game of house bots as the frames that one viewer would get, shown to a page without a server.

The page is the real client. Its files come from the disk and its websocket is answered by `Show`, so that a test
decides when each entry arrives and a whole game takes seconds.
"""

from __future__ import annotations

import random
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from playwright.async_api import Page, Route, WebSocketRoute

from bots.offers import Choose, finished
from bots.players import player
from games import GAMES
from games.chance import Chance
from games.core import AnyGame, fold, judge, option_choices, read_move
from protocol.codec import encode, read_client
from protocol.messages import (
    Ask,
    Error,
    GameInfo,
    Move,
    Ok,
    PastEntry,
    Result,
    SeatInfo,
    SeatView,
    Table,
    Update,
    User,
    WatchRule,
    Welcome,
)
from server.web.client import Client
from server.web.files import KINDS
from tests.browser.people import EFFECTS
from tests.client import eventually
from tests.playout import MOST_ENTRIES

HOME = "http://recorded.test"
TABLE = "recorded0"
NAMES = ("Petra", "Wensleydale", "Brie", "Edam", "Gouda", "Limburger", "Manchego", "Ricotta", "Camembert", "Stilton")
LEFT_MS = 45_000


class Recording(NamedTuple):
    """A game as one viewer sees it: the table before its end and after it, and an update for each entry.

    `final` is the state of the game at its end.
    """

    running: Table
    ended: Table
    updates: tuple[Update, ...]
    final: Any


def record(
    name: str,
    seats: int,
    seed: str,
    you: int | None = 0,
    all_hands: bool = False,
    choose: Choose | None = None,
    **options: Any,
) -> Recording:
    """Play a game to its end and record what the viewer in seat `you` gets; a watcher if that is None.

    With `all_hands` the watcher also sees what every seat sees, ten entries late. `choose` chooses for all
    seats; without it they are rookies.
    """
    game, hands = GAMES[name], seats if all_hands else 0
    choose, chance = choose or player(name, "rookie"), random.Random(seed)
    events = game.setup(seats, game.options(**options), Chance(seed.encode(), 0))
    state = fold(game, events)
    updates = [update_of(game, state, events, None, 1, you, hands)]
    for n in range(2, MOST_ENTRIES):
        outcome = game.outcome(state)
        if outcome is not None:
            break
        seat = chance.choice(game.to_act(state))
        view, offers = (msgspec.to_builtins(one) for one in (game.view(state, seat), game.offers(state, seat)))
        move = read_move(game, finished(choose(view, offers, chance))[0])
        events = judge(game, state, seat, move, Chance(seed.encode(), n))
        state = fold(game, events, state)
        updates.append(update_of(game, state, events, seat, n, you, hands))
    assert outcome is not None
    running = _table(game, seats, you, options)
    if all_hands:
        running = msgspec.structs.replace(running, watching=WatchRule(see="all", late=10))
    result = Result(places=outcome.places, rule=outcome.rule, points=outcome.points)
    return Recording(running, msgspec.structs.replace(running, status="ended", result=result), tuple(updates), state)


def _table(game: AnyGame, seats: int, you: int | None, options: dict[str, Any]) -> Table:
    bots = [SeatInfo(kind="bot", user=f"bot{at}", name=NAMES[at], level="rookie", here=True) for at in range(seats)]
    if you is not None:
        bots[you] = SeatInfo(kind="person", user="me", name=NAMES[0], here=True)
    chosen = {name: options.get(name, values[0]) for name, values in option_choices(game).items()}
    return Table(
        table=TABLE,
        code="brie",
        game=game.name,
        options=chosen,
        speed="normal",
        public=False,
        status="running",
        host="me",
        seats=tuple(bots),
        commitment="0" * 64,
        you=you,
    )


def update_of(
    game: AnyGame, state: Any, events: Any, seat: int | None, n: int, you: int | None, hands: int = 0
) -> Update:
    """What the viewer in seat `you` gets of an entry."""
    shown = tuple(one for event in events if (one := game.show(event, you)) is not None)
    acting = game.to_act(state) if game.outcome(state) is None else ()
    asked = you is not None and you in acting
    asides = game.asides(state, you) if you is not None else ()
    return Update(
        table=TABLE,
        n=n,
        seat=seat,
        by="house" if seat is None else "seat",
        events=shown,
        view=game.view(state, you),
        views=tuple(SeatView(view=game.view(state, one)) for one in range(hands)),
        ask=Ask(n=n, offers=game.offers(state, you or 0), left_ms=LEFT_MS) if asked else None,
        asides=Ask(n=n, offers=asides) if asides else None,
        acting=tuple((one, LEFT_MS) for one in acting),
    )


class Show:
    """A page that shows a recording. `step` sends the next entry and waits until the page shows it."""

    def __init__(self, page: Page, recording: Recording, language: str = "en") -> None:
        self.page = page
        self._language = language
        self._recording = recording
        self._socket: WebSocketRoute | None = None
        self.shown = 0
        self.moves: list[dict[str, Any]] = []  # that the page has sent
        self.refusal: Error | None = None  # the answer to each move; without one it is accepted

    async def open(self) -> None:
        """Open the table and show its first entry."""
        await serve_files(self.page, self._language)
        await self.page.route_web_socket("**/ws*", self._connected)
        await self.page.goto(f"{HOME}/t/{TABLE}")
        await self._arrived()
        await self.page.evaluate(EFFECTS)

    async def reload(self) -> None:
        """Load the page again and wait until it shows the same entry."""
        self._socket = None  # what is sent before the page has connected again would be lost
        await self.page.reload()
        await self._arrived()
        await self.page.evaluate(EFFECTS)

    async def step(self, entries: int = 1) -> None:
        """Show the next entries, or as many as there are."""
        updates = self._recording.updates
        for update in updates[self.shown : self.shown + entries]:
            self.send(update)
            self.shown += 1
        if self.shown == len(updates):
            self.send(self._recording.ended)
        await self._arrived()

    async def sent(self) -> list[dict[str, Any]]:
        """Wait until the page has sent a move. Return all that it has sent; it may show that before it arrives here."""
        await eventually(lambda: self.moves)
        return self.moves

    async def go_to(self, at: int) -> None:
        """Show the entry at this index, without those between."""
        self.shown = at
        await self.step()

    async def _arrived(self) -> None:
        entry = self._recording.updates[max(0, self.shown - 1)].n
        await self.page.wait_for_selector(f'.page.table[data-entry="{entry}"]')

    def _connected(self, socket: WebSocketRoute) -> None:
        self._socket = socket
        socket.on_message(self._answer)

    def _answer(self, frame: str | bytes) -> None:
        assert isinstance(frame, bytes)
        message = read_client(frame)
        kind = type(message).__name__
        if kind == "Hello":
            self.send(_welcome())
        elif kind == "Open":
            self.send(self._recording.running)
            self.send(self._recording.updates[max(0, self.shown - 1)])
            self.shown = max(1, self.shown)
            self.send(Ok(id=message.id, table=TABLE))
        elif kind == "History":
            past = (PastEntry(n=one.n, seat=one.seat, by=one.by, events=one.events) for one in self._past())
            self.send(Ok(id=message.id, table=TABLE, n=self.shown, first=1, entries=tuple(past)))
        else:
            if isinstance(message, Move):
                self.moves.append(msgspec.msgpack.decode(message.move))
            refused = self.refusal if isinstance(message, Move) else None
            self.send(msgspec.structs.replace(refused, id=message.id) if refused else Ok(id=message.id, n=self.shown))

    def _past(self) -> tuple[Update, ...]:
        return self._recording.updates[: self.shown]

    def send(self, message: Any) -> None:
        """Send a message of the server to the page."""
        assert self._socket is not None
        self._socket.send(encode(message))


def _welcome() -> Welcome:
    games = tuple(
        GameInfo(name, game.title, game.blurb, (game.seats[0], game.seats[-1]), option_choices(game))
        for name, game in GAMES.items()
    )
    me = User(id="me", name=NAMES[0])
    return Welcome(
        id=0, v=1, user=me, games=games, speeds={"normal": 45_000}, limits={}, tables=(TABLE,), now=0, token="t"
    )


CLIENT = Client()


async def serve_files(page: Page, language: str = "en") -> None:
    """Let the page load the client's files from the disk."""
    await page.route(f"{HOME}/**", partial(_file, language))


async def _file(language: str, route: Route) -> None:
    """Answer with a file of the client as a node serves it; with its page for every other address."""
    version = CLIENT.current(language)
    name = route.request.url.removeprefix(f"{HOME}/static/{version.name}/").partition("?")[0]
    content = version.files.get(name)
    suffix = Path(name).suffix if content else ".html"
    await route.fulfill(body=(content or version.page).body, content_type=KINDS[suffix])
