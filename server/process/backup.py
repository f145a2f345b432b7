"""Copies the embedded store: `cheeseboard backup FOLDER`. docs/operations.md tells how to restore."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

import redis

from server.process.child import PRIVATE_UMASK
from server.process.embedded_valkey import EmbeddedValkey
from server.process.settings import BadSetting, Settings

FILES = "appendonlydir"  # what the store has written, in the data folder
REWRITE = "auto-aof-rewrite-percentage"
PATIENCE_S = 60.0  # for a rewrite of the files that is under way


def back_up(settings: Settings, folder: Path) -> int:
    """Copy the files of the store into this new folder; returns their size in bytes.

    The files only grow unless the store rewrites them, so rewriting is switched off meanwhile. The copy ends somewhere
    in what was written during the call. If its last command is not whole, the store drops it when it reads the copy.
    """
    if settings.redis_url:
        raise BadSetting("REDIS_URL names a store of your own: back that up by its own means")
    if folder.exists():
        raise BadSetting(f"{folder} exists already: name a new folder")
    with redis.Redis(unix_socket_path=str(EmbeddedValkey(settings.data).socket), socket_timeout=10) as store:
        try:
            before = store.config_get(REWRITE)[REWRITE]
        except redis.RedisError:
            raise BadSetting(f"no service runs with the data folder {settings.data}: copy the folder itself") from None
        store.config_set(REWRITE, 0)
        try:
            _wait_for_rewrite(store)
            return _copy(settings.data / FILES, folder / FILES)
        finally:
            store.config_set(REWRITE, before)


def _wait_for_rewrite(store: redis.Redis) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while any(store.info("persistence")[f"aof_rewrite_{state}"] for state in ("in_progress", "scheduled")):
        if time.monotonic() > deadline:
            raise BadSetting("the store rewrites its files, and has not finished within a minute: try again later")
        time.sleep(0.05)


def _copy(source: Path, target: Path) -> int:
    """Copy the files for this user only: they have the seeds of running games."""
    target.mkdir(parents=True, mode=0o777 & ~PRIVATE_UMASK)
    size = 0
    for file in sorted(source.iterdir()):
        copied = Path(shutil.copyfile(file, target / file.name))
        copied.chmod(0o666 & ~PRIVATE_UMASK)
        size += copied.stat().st_size
    target.parent.chmod(0o777 & ~PRIVATE_UMASK)
    return size
