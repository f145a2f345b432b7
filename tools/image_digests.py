"""Pin the container images by digest: `make image-digests` writes NAME=image:tag@sha256:... for each into `.env`.

The names and tags are those of the Dockerfile and compose.yaml. Docker looks the digests up where it pulls images from.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
IN_DOCKERFILE = re.compile(r"^ARG (\w+_IMAGE)=(\S+)$", re.MULTILINE)
IN_COMPOSE = re.compile(r"\$\{(\w+_IMAGE):-([^}]+)\}")
DIGEST = re.compile(r"sha256:[0-9a-f]{64}")


def images(root: Path) -> dict[str, str]:
    """The image of each variable, with its tag."""
    found = IN_DOCKERFILE.findall((root / "Dockerfile").read_text(encoding="utf-8"))
    return dict(found + IN_COMPOSE.findall((root / "compose.yaml").read_text(encoding="utf-8")))


def digest(image: str) -> str:
    """The digest that the tag has now, for all architectures together."""
    command = ["docker", "buildx", "imagetools", "inspect", "--format", "{{.Manifest.Digest}}", image]
    try:
        answer = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except FileNotFoundError:
        sys.exit("Docker with buildx is needed to look up digests")
    except subprocess.CalledProcessError as fault:
        sys.exit(f"the digest of {image} cannot be looked up: {fault.stderr.strip()}")
    if not DIGEST.fullmatch(answer):
        sys.exit(f"Docker says that the digest of {image} is {answer!r}")
    return answer


def main(root: Path = ROOT) -> None:
    """Write the pins into .env, and keep its other lines."""
    pins = {name: f"{image}@{digest(image)}" for name, image in images(root).items()}
    path = root / ".env"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    kept = [line for line in lines if line.partition("=")[0] not in pins]
    new = root / ".env.new"  # .env also has the password of the store: it is never half written, nor read by others
    new.unlink(missing_ok=True)
    new.touch(mode=0o600)
    new.write_text("\n".join([*kept, *(f"{name}={pin}" for name, pin in pins.items())]) + "\n", encoding="utf-8")
    new.replace(path)
    sys.stdout.write("\n".join(pins.values()) + "\n")


if __name__ == "__main__":
    main()
