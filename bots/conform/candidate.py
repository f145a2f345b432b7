"""The bot that is looked at: a command that is started for each situation, or somebody who connects by himself."""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
import signal
import tempfile
from typing import Any

LAST_LINES = 4


class Candidate:
    """Starts the command with the address, the token and the code, and says what became of it.

    `{url}`, `{token}` and `{code}` in the command are replaced; the environment has them as CHEESEBOARD_URL,
    CHEESEBOARD_TOKEN and CHEESEBOARD_CODE.
    """

    def __init__(self, command: list[str], token: str = "", port: int = 0) -> None:
        self.command = command
        self.token = token or secrets.token_urlsafe(24)
        self.port = port
        self.starts = 0
        self._given: dict[str, str] = {}
        self._process: asyncio.subprocess.Process | None = None
        self._output = tempfile.TemporaryFile()  # noqa: SIM115

    async def start(self, port: int, code: str) -> None:
        """Start it against the server on this port."""
        self._given = {"url": f"ws://127.0.0.1:{port}/ws", "token": self.token, "code": code}
        await self._start()

    async def _start(self) -> None:
        if not self.command:
            return
        self.starts += 1
        words = [self._filled(word) for word in self.command]
        given = {f"CHEESEBOARD_{name.upper()}": value for name, value in self._given.items()}
        self._process = await asyncio.create_subprocess_exec(
            *words,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=self._output,
            stderr=self._output,
            env={**os.environ, **given},
            start_new_session=True,
        )

    def _filled(self, word: str) -> str:
        for name, value in self._given.items():
            word = word.replace("{" + name + "}", value)
        return word

    async def wait(self, wanted: asyncio.Future[Any], within_s: float, *, again: bool) -> None:
        """Wait for something of the bot; if `again`, a bot that has ended is started again as often as it takes."""
        try:
            async with asyncio.timeout(within_s):
                while not wanted.done():
                    await self._wait_once(wanted, again)
        except TimeoutError:
            raise TimeoutError(f"nothing came within {within_s:g} s") from None

    async def _wait_once(self, wanted: asyncio.Future[Any], again: bool) -> None:
        if self._process is None:
            await asyncio.wait({wanted})
            return
        ending = asyncio.ensure_future(self._process.wait())
        try:
            await asyncio.wait({wanted, ending}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            ending.cancel()
        if wanted.done() or self._process.returncode is None:
            return
        if not again:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(asyncio.shield(wanted), 0.2)  # what it said last may still be on its way
            if not wanted.done():
                raise EOFError(f"the bot ended{await self.last_words()}")
            return
        await asyncio.sleep(0.1)
        await self._start()

    async def last_words(self) -> str:
        """How it ended and what it wrote last, for the report."""
        ended = ""
        if self._process is not None:
            with contextlib.suppress(TimeoutError):
                code = await asyncio.wait_for(self._process.wait(), 1)
                ended = f" (exit code {code})"
        self._output.seek(0)
        lines = self._output.read()[-4000:].decode(errors="replace").strip().splitlines()[-LAST_LINES:]
        return ended + (":\n" + "\n".join(f"      | {line}" for line in lines) if lines else "")

    @property
    def running(self) -> bool:
        """Whether the bot lives, as far as is known."""
        return self._process is None or self._process.returncode is None

    async def stop(self) -> None:
        """End it and whatever it started."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            await self._process.wait()
        self._output.close()
