"""What an acknowledged move survives, as the operator has chosen (DURABILITY)."""

from __future__ import annotations

from typing import get_args

from protocol import messages

Durability = messages.Durability
DURABILITIES: tuple[Durability, ...] = get_args(Durability)

NEEDED = {b"appendonly": b"yes", b"appendfsync": b"always"}  # what `disk` needs of a store


def syncs_always(config: list[bytes]) -> bool:
    """Whether a server writes every command to its disk before it answers, from its CONFIG GET append*."""
    return NEEDED.items() <= dict(zip(config[::2], config[1::2], strict=True)).items()
