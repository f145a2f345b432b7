"""What tools/lookups.h must not change: lookups of names, fields and classes by compiled code.

These tests call functions of games/ that are compiled. `make test` runs them with both builds.
"""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from games import offers
from games.kit import Bid, Drop
from games.offers import Range, is_offered, offer
from games.refusals import Tried

MANY = 100  # more classes than a place in the code remembers


def test_a_name_of_a_module_may_change_at_any_time(monkeypatch: pytest.MonkeyPatch) -> None:
    bids = (offer(Bid, amount=Range(1, 5)),)
    assert [is_offered(bids, Bid(amount)) for amount in (5, 6)] == [True, False]
    with monkeypatch.context() as patch:
        patch.setattr(offers, "Range", None)  # so a Range is a literal, which no number is equal to
        assert not is_offered(bids, Bid(5))
    assert is_offered(bids, Bid(5))


def offers_of_many_classes() -> list[Any]:
    """Structs with the fields of an Offer, in each class at another place behind others. Number n offers to bid n."""
    made = []
    for number in range(MANY):
        fields = [f"other{place}" for place in range(number % 7)] + ["move", "fill"][:: 1 if number % 2 else -1]
        values = dict.fromkeys(fields, "drop") | {"move": "bid", "fill": {"amount": number}}
        made.append(msgspec.defstruct(f"Offer{number}", fields)(**values))
    return made


def test_a_field_is_found_in_each_class_and_again_in_each() -> None:
    several = offers_of_many_classes()
    for number in (*range(MANY), *range(MANY)[::-1], *range(MANY)):
        assert is_offered(several[number : number + 1], Bid(number))
        assert not is_offered(several[number : number + 1], Bid(number + 1))
    assert is_offered(several, Bid(MANY - 1))


def test_a_field_that_has_no_slot_or_no_value_is_not_mistaken() -> None:
    class Lazy:
        """Offers another bid at each look."""

        move = "bid"
        looks = 0

        @property
        def fill(self) -> dict[str, int]:
            self.looks += 1
            return {"amount": self.looks}

    lazy: Any = Lazy()
    for _ in range(2):
        assert is_offered((offer(Bid, amount=3),), Bid(3))
        lazy.looks = 0
        assert [is_offered((lazy,), Bid(3)) for _ in range(4)] == [False, False, True, False]
    partial: Any = Half()
    with pytest.raises(AttributeError, match="fill"):
        is_offered((partial,), Bid(3))
    partial.fill = {"amount": 3}
    assert is_offered((partial,), Bid(3))
    del partial.fill
    with pytest.raises(AttributeError, match="fill"):
        is_offered((partial,), Bid(3))


class Half:
    """Has a slot for each field of an Offer, of which one is empty at first."""

    __slots__ = ("fill", "move")

    def __init__(self) -> None:
        self.move = "bid"


class Base(msgspec.Struct, frozen=True):
    """A class of moves that another one inherits from."""


class Special(Base, frozen=True):
    """Is a Base, too."""


def refused(move: Any, kind: Any) -> bool:
    """Whether a refusal of moves of this kind is one of this move."""
    tried = Tried(move)
    tried.among(kind, (), "X-1", "nothing of this kind is offered")
    return tried.refusal is not None


@pytest.mark.parametrize(
    ("move", "kind", "is_one"),
    [
        (Special(), Special, True),
        (Special(), Base, True),
        (Base(), Special, False),
        (Base(), Bid | Base, True),
        (Special(), Bid | Base, True),
        (Drop(), Bid | Base, False),
        (Drop(), Drop | None, True),
        (Drop(), int | None, False),
        (Drop(), (Bid, Drop), True),
        (Drop(), (Bid, Base), False),
        (None, Base, False),
        (3, Base, False),
        (3, Bid | Base, False),
    ],
)
def test_an_object_is_an_instance_of_its_class_and_its_bases(move: Any, kind: Any, is_one: bool) -> None:
    for _ in range(3):
        assert refused(move, kind) == is_one
        assert not refused(Base(), Bid | Drop)


def test_a_class_that_says_itself_what_its_instances_are_is_asked() -> None:
    class Odd(type):
        def __instancecheck__(cls, one: Any) -> bool:
            return bool(one.amount % 2)

    class OddBid(metaclass=Odd):
        """Whatever has an odd amount."""

    class Number(metaclass=Odd):
        """Has an amount, and the metaclass of OddBid."""

        __struct_config__ = Bid.__struct_config__

        def __init__(self, amount: int) -> None:
            self.amount = amount

    for made in (Bid, Number):
        for kind in (OddBid, OddBid | Base):
            assert [refused(made(amount), kind) for amount in (1, 2, 3)] == [True, False, True]
    assert not refused(Bid(1), Base)
    with pytest.raises(TypeError, match="arg 2 must be a type"):
        refused(Bid(1), 3)
