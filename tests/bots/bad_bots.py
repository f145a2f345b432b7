"""Misbehaving bots, each a process of its own: python -m tests.bots.bad_bots KIND URL TOKEN CODE

Each prints "misbehaving" when it has started to misbehave, and continues until it is killed.
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


def report() -> None:
    """Tell the test that waits for it."""
    print("misbehaving", flush=True)


kept = contextlib.ExitStack()  # keeps connections open: they are never closed here


def open_connection() -> ClientConnection:
    """Connect, without hello."""
    return kept.enter_context(connect(URL, max_size=None, compression=None))


def join() -> ClientConnection:
    """Connect, say hello, and sit down at the table."""
    link = open_connection()
    answer(send(link, type="hello", v=1, token=TOKEN), link)
    table = answer(send(link, type="open", code=CODE), link)["table"]
    answer(send(link, type="sit", table=table), link)
    return link


ids = itertools.count(1)


def send(link: ClientConnection, **message: Any) -> int:
    """Send a request; returns its id."""
    number = next(ids)
    link.send(msgpack.packb({"id": number, **message}))
    return number


def answer(number: int, link: ClientConnection) -> dict[str, Any]:
    """Wait for the answer to a request."""
    while True:
        message: dict[str, Any] = msgpack.unpackb(link.recv())
        if message.get("id") == number:
            return message


def hung() -> None:
    """Stops after it has sat down: it neither reads nor answers pings."""
    join()
    report()
    os.kill(os.getpid(), signal.SIGSTOP)


def crashing() -> None:
    """Dies whenever it has sat down, and is restarted."""
    for number in itertools.count():
        child = os.fork()
        if child == 0:
            join()
            os.kill(os.getpid(), signal.SIGKILL)
        os.waitpid(child, 0)
        if number == 0:
            report()


def garbage() -> None:
    """Sends bytes that are not messages, and messages that make no sense."""
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
                report()


def flooding() -> None:
    """Sends requests as fast as it can, and reconnects when it is cut off."""
    for number in itertools.count():
        try:
            link = join()
            while True:
                for _ in range(100):
                    send(link, type="move", table="aaaaaaaaaa", ask=1, key="k", move={"type": "play"})
                    send(link, type="create", game="cheesedog", seats=3)
                    send(link, type="ping")
        except (ConnectionClosed, InvalidHandshake, OSError):
            if number == 0:
                report()


def forking() -> None:
    """Forks many processes, each with many connections, half of them silent."""
    ready, done = os.pipe()
    for _ in range(FORKS):
        if os.fork() == 0:
            links = [open_connection() for _ in range(CONNECTIONS)]
            for link in links[::2]:
                send(link, type="hello", v=1, token=TOKEN)
            os.write(done, b".")
            time.sleep(600)
    for _ in range(FORKS):
        os.read(ready, 1)
    report()
    time.sleep(600)


if __name__ == "__main__":
    {one.__name__: one for one in (hung, crashing, garbage, flooding, forking)}[sys.argv[1]]()
