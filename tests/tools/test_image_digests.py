"""The images are pinned in `.env`. A program named docker answers instead of the real one, which needs a registry."""

from __future__ import annotations

import hashlib
import re
import shutil
from pathlib import Path

import pytest

from tools import image_digests

ANSWER = """#!/bin/sh
printf 'sha256:%s\\n' "$(printf %s "$6" | sha256sum | cut -c1-64)"
"""


def project(folder: Path, docker: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of what names the images, and a docker on the path that does what the script says."""
    for name in ("Dockerfile", "compose.yaml"):
        shutil.copy(image_digests.ROOT / name, folder)
    (folder / "docker").write_text(docker)
    (folder / "docker").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    return folder


def test_every_image_is_pinned_and_other_lines_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = project(tmp_path, ANSWER, monkeypatch)
    (root / ".env").write_text("STORE_PASSWORD=secret\nNODE_IMAGE=old\n")
    for _ in range(2):  # the second time changes nothing
        image_digests.main(root)
        assert (root / ".env").stat().st_mode & 0o777 == 0o600
        first, *pins = (root / ".env").read_text().splitlines()
        assert first == "STORE_PASSWORD=secret"
        assert {pin.partition("=")[0] for pin in pins} == {"NODE_IMAGE", "PYTHON_IMAGE", "VALKEY_IMAGE", "CADDY_IMAGE"}
        for pin in pins:
            image, _, digest = pin.partition("=")[2].partition("@sha256:")
            assert digest == hashlib.sha256(image.encode()).hexdigest()


def test_nothing_is_written_without_all_digests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for docker in ("#!/bin/sh\necho no route >&2; exit 1\n", "#!/bin/sh\necho latest\n"):
        root = project(tmp_path, docker, monkeypatch)
        with pytest.raises(SystemExit, match="digest of"):
            image_digests.main(root)
        assert not (root / ".env").exists()


def test_compose_gives_the_pins_of_the_dockerfile_to_the_build() -> None:
    names = image_digests.IN_DOCKERFILE.findall((image_digests.ROOT / "Dockerfile").read_text(encoding="utf-8"))
    compose = (image_digests.ROOT / "compose.yaml").read_text(encoding="utf-8")
    assert len(names) == 2
    for name, image in names:
        assert re.search(rf"{name}: \$\{{{name}:-{re.escape(image)}\}}", compose)


def test_no_image_is_named_without_a_variable_that_pins_it() -> None:
    dockerfile = (image_digests.ROOT / "Dockerfile").read_text(encoding="utf-8")
    assert "syntax=" not in dockerfile  # it names an image too, which builds the others
    stages = re.findall(r"^FROM .* AS (\w+)$", dockerfile, re.MULTILINE)
    sources = re.findall(r"^FROM (\S+)|--from=(\S+)", dockerfile, re.MULTILINE)
    for source in filter(None, (name for pair in sources for name in pair)):
        assert source in stages or re.fullmatch(r"\$\{\w+_IMAGE\}", source), source
    compose = (image_digests.ROOT / "compose.yaml").read_text(encoding="utf-8")
    assert all(
        image_digests.IN_COMPOSE.fullmatch(image) for image in re.findall(r"^ +image: (\S+)$", compose, re.MULTILINE)
    )
