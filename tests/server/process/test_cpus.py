"""The number of nodes that starts by itself respects the limits of a container."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from server.process.cpus import available_cpus

OWN = len(os.sched_getaffinity(0))


def write(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text + "\n")
    return root


@pytest.fixture
def many_cpus(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: set(range(16)))


V2 = {"proc/self/cgroup": "0::/system.slice/cheese.service"}
V1 = {"proc/self/cgroup": "5:cpu,cpuacct:/docker/abc\n4:memory:/docker/abc"}


def quota(group: str, us: str) -> dict[str, str]:
    """The files of a control group of version 1."""
    folder = f"sys/fs/cgroup/cpu/{group}cpu.cfs_"
    return {f"{folder}quota_us": us, f"{folder}period_us": "10000"}


@pytest.mark.parametrize(
    ("files", "cpus"),
    [
        ({}, 16),
        ({**V2, "sys/fs/cgroup/system.slice/cheese.service/cpu.max": "200000 100000"}, 2),
        ({**V2, "sys/fs/cgroup/system.slice/cheese.service/cpu.max": "150000 100000"}, 2),
        ({**V2, "sys/fs/cgroup/system.slice/cheese.service/cpu.max": "10000 100000"}, 1),
        ({**V2, "sys/fs/cgroup/system.slice/cheese.service/cpu.max": "max 100000"}, 16),
        ({**V2, "sys/fs/cgroup/system.slice/cpu.max": "300000 100000"}, 3),
        ({"proc/self/cgroup": "0::/", "sys/fs/cgroup/cpu.max": "400000 100000"}, 4),
        (V1 | quota("docker/abc/", "50000"), 5),
        (V1 | quota("", "60000"), 6),
        (V1 | quota("", "-1"), 16),
    ],
)
@pytest.mark.usefixtures("many_cpus")
def test_the_limit_of_a_control_group_counts(tmp_path: Path, files: dict[str, str], cpus: int) -> None:
    assert available_cpus(write(tmp_path, files)) == cpus


def test_no_limit_leaves_the_affinity_of_the_process(tmp_path: Path) -> None:
    assert available_cpus(tmp_path) == OWN
