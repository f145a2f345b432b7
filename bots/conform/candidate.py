"""The bot under test: a command that is started for each situation, or a bot that its author starts."""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
import signal
import tempfile
from typing import Any

MAX_OUTPUT_BYTES = 64 * 1024  # of the bot's output in the report; the middle of a longer one is left out


class Candidate:
    """Starts the command with address, token and code, and reports how it ended.

    `{url}`, `{token}` and `{code}` in the command are replaced; the environment has them as CHEESEBOARD_URL,
    CHEESEBOARD_TOKEN and CHEESEBOARD_CODE.
    """

    def __init__(self, command: list[str], token: str = "", port: int = 0) -> None:
        self.command = command
        self.token = token or secrets.token_urlsafe(24)
        self.port = port
        self.starts = 0
        self.output = ""  # what the bot wrote to stdout and stderr, once it was stopped
        self._values: dict[str, str] = {}
        self._process: asyncio.subprocess.Process | None = None
        self._output = tempfile.TemporaryFile()  # noqa: SIM115

    async def start(self, port: int, code: str) -> None:
        """Start the bot against the server on this port."""
        self._values = {"url": f"ws://127.0.0.1:{port}/ws", "token": self.token, "code": code}
        await self._start()

    async def _start(self) -> None:
        if not self.command:
            return
        self.starts += 1
        words = [self._filled(word) for word in self.command]
        environment = {f"CHEESEBOARD_{name.upper()}": value for name, value in self._values.items()}
        self._process = await asyncio.create_subprocess_exec(
            *words,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=self._output,
            stderr=self._output,
            env={**os.environ, **environment},
            start_new_session=True,
        )

    def _filled(self, word: str) -> str:
        for name, value in self._values.items():
            word = word.replace("{" + name + "}", value)
        return word

    async def wait(self, wanted: asyncio.Future[Any], within_s: float, *, again: bool) -> None:
        """Wait for a result of the bot. If `again`, a bot that ends meanwhile is restarted, as often as necessary."""
        try:
            async with asyncio.timeout(within_s):
                while not wanted.done():
                    await self._wait_once(wanted, again)
        except TimeoutError:
            raise TimeoutError(f"no message came within {within_s:g} s") from None

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
                await asyncio.wait_for(asyncio.shield(wanted), 0.2)  # its last message may still be on its way
            if not wanted.done():
                raise EOFError(f"the bot ended{await self.exit_code()}")
            return
        await asyncio.sleep(0.1)
        await self._start()

    async def exit_code(self) -> str:
        """The exit code of a bot that has ended, for the report."""
        if self._process is None:
            return ""
        with contextlib.suppress(TimeoutError):
            return f" (exit code {await asyncio.wait_for(self._process.wait(), 1)})"
        return ""

    def _written(self) -> str:
        self._output.seek(0)
        data = self._output.read(MAX_OUTPUT_BYTES + 1)
        if len(data) > MAX_OUTPUT_BYTES:
            self._output.seek(-MAX_OUTPUT_BYTES // 2, os.SEEK_END)
            data = data[: MAX_OUTPUT_BYTES // 2] + b"\n...\n" + self._output.read()
        return data.decode(errors="replace").strip()

    @property
    def running(self) -> bool:
        """Whether the bot is running; a bot that its author starts always counts as running."""
        return self._process is None or self._process.returncode is None

    async def stop(self) -> None:
        """Kill the bot and its children."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            await self._process.wait()
        self.output = self._written()
        self._output.close()
