"""How many CPUs this process may use: a container or a systemd unit may have fewer than the machine."""

from __future__ import annotations

import math
import os
from pathlib import Path

ROOT = Path("/")


def available_cpus(root: Path = ROOT) -> int:
    """The CPUs of the process's affinity, or fewer if a control group (version 1 or 2) limits them; at least 1."""
    cpus = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    limits = [limit for group in _groups(root) if (limit := _limit(group)) is not None]
    return max(1, min(cpus, math.ceil(min(limits, default=float(cpus)))))


def _groups(root: Path) -> list[Path]:
    """The folders of the control groups of this process and of those that contain them."""
    folders = []
    for line in _read(root / "proc/self/cgroup").splitlines():
        _, controllers, path = line.split(":", 2)
        if controllers == "":
            tree = root / "sys/fs/cgroup"
        elif "cpu" in controllers.split(","):
            tree = root / "sys/fs/cgroup/cpu"
        else:
            continue
        group = tree / path.lstrip("/")
        folders += [group, *(parent for parent in group.parents if parent.is_relative_to(tree))]
    return folders


def _limit(group: Path) -> float | None:
    """The CPUs that a control group may use, or None if it has no limit of its own."""
    quota, _, period = _read(group / "cpu.max").strip().partition(" ")  # version 2
    if not quota:
        quota, period = (_read(group / f"cpu.cfs_{name}_us").strip() for name in ("quota", "period"))  # version 1
    if not quota.isdecimal() or not period.isdecimal() or int(period) == 0:
        return None
    return int(quota) / int(period)


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii")
    except (OSError, UnicodeDecodeError):
        return ""
