"""A child process of the supervisor, restarted when it dies or hangs."""

from __future__ import annotations

import contextlib
import ctypes
import logging
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from prometheus_client.multiprocess import mark_process_dead

log = logging.getLogger("cheeseboard.supervisor")

ROOT = Path(__file__).resolve().parents[2]
PRIVATE_UMASK = 0o077  # what a process of ours writes is for its own user only
QUICK_S = 1.0  # a child that dies sooner than this is restarted after a growing pause
MAX_PAUSE_S = 5.0
HUNG_S = 2.5  # a child that has sent heartbeats and then none for so long hangs
STARTING_S = 60.0  # the time until the first heartbeat
TRACEBACK_S = 0.05  # for a hung child to write down where it hangs


def end_with_parent() -> None:
    """Make the kernel stop this child process when the supervisor dies; only Linux can do that."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG


class HeartbeatPipe:
    """The heartbeats of one child process, which it writes into a pipe: one byte in each."""

    def __init__(self) -> None:
        self._reading, self.writing = os.pipe()
        os.set_blocking(self._reading, False)
        self._heard_at = time.monotonic()
        self._checked_at = self._heard_at
        self._waited_s = 0.0  # for a CPU, until the last heartbeat
        self._limit_s = STARTING_S

    def silent_s(self, pid: int) -> float:
        """For how long the child has been silent, if that is too long; otherwise 0.

        Time in which it was ready to run and got no CPU does not count: killing it would not help a busy machine.
        Nor does a time in which the supervisor itself was stopped, perhaps with the whole machine.
        """
        now = time.monotonic()
        if now - self._checked_at > HUNG_S / 2:
            self._heard_at += now - self._checked_at
        self._checked_at = now
        with contextlib.suppress(BlockingIOError):
            if os.read(self._reading, 4096):
                self._heard_at, self._limit_s, self._waited_s = now, HUNG_S, waited_for_cpu_s(pid)
        silent_s = now - self._heard_at
        if silent_s <= self._limit_s or silent_s - (waited_for_cpu_s(pid) - self._waited_s) <= self._limit_s:
            return 0.0
        return silent_s

    def close(self) -> None:
        """Stop listening."""
        os.close(self._reading)


def waited_for_cpu_s(pid: int) -> float:
    """How long the main thread of a process has waited for a CPU since it began; 0 where the kernel does not say."""
    try:
        return int(Path(f"/proc/{pid}/schedstat").read_text(encoding="ascii").split()[1]) / 1e9
    except (OSError, IndexError, ValueError):
        return 0.0


class Child:
    """A process that the supervisor restarts when it has died.

    With `has_heartbeat` the process sends heartbeats to the file descriptor in CHEESEBOARD_HEARTBEAT_FD, and is killed
    when it stops doing so: the kernel then closes its connections and takes it out of the port. `on_restart` is called
    with the reason.
    """

    def __init__(
        self, name: str, command: list[str], environment: dict[str, str], secret: str = "", has_heartbeat: bool = False
    ) -> None:
        self.name = name
        self.on_restart: Callable[[str], None] = lambda why: None
        self._command = command
        self._environment = environment
        self._secret = secret
        self._has_heartbeat = has_heartbeat
        self._pipe: HeartbeatPipe | None = None
        self._hung = False
        self._began = 0.0
        self._pause_s = 0.0
        self._not_before = 0.0
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the process; it reads the secret from its standard input, where no other user can see it."""
        self._began = time.monotonic()
        self._hung = False
        if self._pipe is not None:
            self._pipe.close()
        pipe = self._pipe = HeartbeatPipe() if self._has_heartbeat else None
        heartbeat_fd = {} if pipe is None else {"CHEESEBOARD_HEARTBEAT_FD": str(pipe.writing)}
        try:
            self.process = subprocess.Popen(
                self._command,
                env={**self._environment, **heartbeat_fd},
                cwd=ROOT,
                stdin=subprocess.PIPE,
                start_new_session=True,
                umask=PRIVATE_UMASK,
                preexec_fn=end_with_parent,
                pass_fds=() if pipe is None else (pipe.writing,),
            )
        finally:
            if pipe is not None:
                os.close(pipe.writing)
        assert self.process.stdin
        try:
            self.process.stdin.write(self._secret.encode())
            self.process.stdin.close()
        except BrokenPipeError:
            pass

    def check(self) -> None:
        """Kill the process if it hangs; restart it if it has died, after a pause that grows while it dies quickly."""
        if self.process is None:
            return
        if self.process.poll() is None:
            self._check_heartbeat(self.process)
            return
        now = time.monotonic()
        if self._not_before == 0.0:
            lived = now - self._began
            self._pause_s = min(MAX_PAUSE_S, max(0.1, self._pause_s * 2)) if lived < QUICK_S else 0.0
            self._not_before = now + self._pause_s
            log.warning("%s ended with %s", self.name, self.process.returncode)
            self.on_restart("hung" if self._hung else "died")
            folder = self._environment["PROMETHEUS_MULTIPROC_DIR"]
            mark_process_dead(self.process.pid, folder)  # type: ignore[no-untyped-call]  # its gauges end
        if now >= self._not_before:
            try:
                self.start()
            except OSError as fault:
                log.error("%s could not be restarted, will be retried: %s", self.name, fault)
                self._not_before = now + MAX_PAUSE_S
            else:
                self._not_before = 0.0

    def _check_heartbeat(self, process: subprocess.Popen[bytes]) -> None:
        silent_s = 0.0 if self._pipe is None else self._pipe.silent_s(process.pid)
        if silent_s:
            log.error("%s hangs: its event loop has not turned for %.1f s. It is killed", self.name, silent_s)
            self._hung = True
            process.send_signal(signal.SIGUSR1)  # it writes down where it hangs, unless it is stopped
            time.sleep(TRACEBACK_S)
            process.kill()
            process.wait()

    def stop(self, patience_s: float) -> None:
        """Ask the process to stop, and kill it if it has not stopped after `patience_s`."""
        if self.process is None or self.process.poll() is not None:
            return
        self.process.terminate()
        try:
            self.process.wait(patience_s)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
