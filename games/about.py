"""What people want to know before they choose a game."""

from __future__ import annotations

from typing import Literal

import msgspec

Weight = Literal["light", "medium", "heavy"]  # how much there is to think about


class About(msgspec.Struct, frozen=True):
    """How long a game takes people, in minutes, how heavy it is, and how it is played, to be read in 20 seconds.

    `choices` has a title and a sentence for each value of an option, the default first, as `option_choices` lists them.
    """

    minutes: tuple[int, int]
    weight: Weight
    how: tuple[str, ...]
    choices: dict[str, tuple[tuple[str, str], ...]] = {}
