"""Why a move is refused."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from games.offers import Offer, is_offered, offer


class IllegalMove(Exception):  # noqa: N818
    """A move is refused: the rule that forbids it, and the reason in one sentence for the player."""

    def __init__(self, rule: str, why: str) -> None:
        super().__init__(f"{rule}: {why}")
        self.rule = rule
        self.why = why


class Tried:
    """A move that a seat tried although it is not offered.

    `offers` and `asides` get it when a reason is needed. They state their reasons where they decide what to offer. The
    first reason that applies to the move is kept in `refusal`.
    """

    __slots__ = ("move", "refusal")

    def __init__(self, move: msgspec.Struct) -> None:
        self.move = move
        self.refusal: IllegalMove | None = None

    def refuse(self, rule: str, why: str, *kinds: type[msgspec.Struct]) -> None:
        """Refuse the tried move if it is of one of these kinds; without kinds, refuse any."""
        if self.refusal is None and (not kinds or isinstance(self.move, kinds)):
            self.refusal = IllegalMove(rule, why)

    def only(self, offers: Iterable[Offer], rule: str, why: str) -> None:
        """Refuse the tried move unless one of these offers is of its kind."""
        if not any(one.move == self.move.__struct_config__.tag for one in offers):
            self.refuse(rule, why)

    def needs(self, kind: type[msgspec.Struct], rule: str, why: str, **fields: object) -> None:
        """Refuse a tried move of this kind if its fields do not fit these blanks."""
        self.among(kind, (offer(kind, **fields),), rule, why)

    def among(self, kind: type[msgspec.Struct], offers: Iterable[Offer], rule: str, why: str) -> None:
        """Refuse a tried move of this kind unless it fills one of these offers, which may leave fields out."""
        if isinstance(self.move, kind) and not is_offered(offers, self.move):
            self.refuse(rule, why)
