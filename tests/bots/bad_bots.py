"""Bots that nobody wants, each a process of its own: python -m tests.bots.bad KIND URL TOKEN CODE

Each says "at it" once its mischief is under way, and goes on with it until it is killed.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import random
import signal
import sys
import time
from typing import Any

import msgpack
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.sync.client import ClientConnection, connect

URL, TOKEN, CODE = sys.argv[2:5]
FORKS, CONNECTIONS = 4, 50


def at_it() -> None:
    """Say so, for the test that waits for it."""
    print("at it", flush=True)


kept = contextlib.ExitStack()  # connections are nobody's to close here


def connected() -> ClientConnection:
    """A connection."""
    return kept.enter_context(connect(URL, max_size=None, compression=None))


def join() -> ClientConnection:
    """A connection that has said hello and sits at the table."""
    link = connected()
    answer(say(link, type="hello", v=1, token=TOKEN), link)
    table = answer(say(link, type="open", code=CODE), link)["table"]
    answer(say(link, type="sit", table=table), link)
    return link


ids = itertools.count(1)


def say(link: ClientConnection, **message: Any) -> int:
    """Send a request; its id."""
    number = next(ids)
    link.send(msgpack.packb({"id": number, **message}))
    return number


def answer(number: int, link: ClientConnection) -> dict[str, Any]:
    """The answer to a request."""
    while True:
        message: dict[str, Any] = msgpack.unpackb(link.recv())
        if message.get("id") == number:
            return message


def hung() -> None:
    """Sits at a table and does nothing any more, not even read or answer pings."""
    join()
    at_it()
    os.kill(os.getpid(), signal.SIGSTOP)


def crashing() -> None:
    """Dies whenever it has a seat, and is started again."""
    for number in itertools.count():
        child = os.fork()
        if child == 0:
            join()
            os.kill(os.getpid(), signal.SIGKILL)
        os.waitpid(child, 0)
        if number == 0:
            at_it()


def garbage() -> None:
    """Sends bytes that are no messages, and messages that are no sense."""
    chance = random.Random(1)
    nonsense: list[Any] = [
        {"type": "move"},
        {"type": 7},
        [1, 2],
        {"id": -1, "type": "ping"},
        "text",
        {"type": "sit", "id": 1},
    ]
    for number in itertools.count():
        try:
            link = join()
            while True:
                link.send(chance.randbytes(chance.randint(0, 300)))
                link.send(msgpack.packb(chance.choice(nonsense)))
                if chance.random() < 0.05:
                    link.send(chance.choice(("a text message", bytes(20_000))))
        except (ConnectionClosed, InvalidHandshake, OSError):
            if number == 0:
                at_it()


def flooding() -> None:
    """Sends requests as fast as it can, is cut, and comes back for more."""
    for number in itertools.count():
        try:
            link = join()
            while True:
                for _ in range(100):
                    say(link, type="move", table="aaaaaaaaaa", ask=1, key="k", move={"type": "play"})
                    say(link, type="create", game="cheesedog", seats=3)
                    say(link, type="ping")
        except (ConnectionClosed, InvalidHandshake, OSError):
            if number == 0:
                at_it()


def forking() -> None:
    """Multiplies: many processes, each with many connections, some of them silent."""
    ready, done = os.pipe()
    for _ in range(FORKS):
        if os.fork() == 0:
            links = [connected() for _ in range(CONNECTIONS)]
            for link in links[::2]:
                say(link, type="hello", v=1, token=TOKEN)
            os.write(done, b".")
            time.sleep(600)
    for _ in range(FORKS):
        os.read(ready, 1)
    at_it()
    time.sleep(600)


if __name__ == "__main__":
    {one.__name__: one for one in (hung, crashing, garbage, flooding, forking)}[sys.argv[1]]()
