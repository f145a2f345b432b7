"""A disk whose syncs take long, and that remembers what was synced: a small library that is loaded into the store.

The library is compiled at run time, so a C compiler has to be there.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

SYNCED_FOLDER = "synced"  # for each file of the store, named by its inode: how many bytes of it are on the disk

SOURCE = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static void record(ino_t inode, off_t size) {
    char name[64], text[32];
    snprintf(name, sizeof name, "synced/%llu", (unsigned long long)inode);
    int length = snprintf(text, sizeof text, "%020lld\n", (long long)size);
    int file = open(name, O_WRONLY | O_CREAT, 0600);
    if (file >= 0) {
        if (pwrite(file, text, length, 0) != length) abort();
        close(file);
    }
}

static int sync_slowly(int fd, const char *name) {
    int (*sync)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
    struct stat before;
    int known = fstat(fd, &before) == 0;
    long ms = atol(getenv("SYNC_DELAY_MS"));
    struct timespec pause = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&pause, NULL);
    int result = sync(fd);
    if (result == 0 && known) record(before.st_ino, before.st_size);
    return result;
}

int fdatasync(int fd) { return sync_slowly(fd, "fdatasync"); }
int fsync(int fd) { return sync_slowly(fd, "fsync"); }
"""


class SlowDisk:
    """The library, compiled into this folder, with a delay for each sync."""

    def __init__(self, folder: Path, store_folder: Path, delay_ms: int) -> None:
        source, library = folder / "slow_disk.c", folder / "slow_disk.so"
        source.write_text(SOURCE)
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", str(library), str(source), "-ldl"], check=True)
        (store_folder / SYNCED_FOLDER).mkdir(parents=True, exist_ok=True)
        self.environment = {"LD_PRELOAD": str(library), "SYNC_DELAY_MS": str(delay_ms)}


def has_compiler() -> bool:
    """Whether there is a C compiler."""
    return shutil.which("cc") is not None
