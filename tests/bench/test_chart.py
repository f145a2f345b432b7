"""The charts of the benchmarks."""

from __future__ import annotations

from xml.etree import ElementTree

from bench.chart import panel, sheet, ticks_up_to


def test_ticks_are_round_numbers_from_zero_to_at_least_the_maximum() -> None:
    assert ticks_up_to(0.26) == [0, 0.1, 0.2, 0.30000000000000004]
    assert ticks_up_to(79.8) == [0, 20, 40, 60, 80]


def test_a_sheet_is_well_formed_and_shows_every_value() -> None:
    one = panel("A move & more", "tables", "ms", [(10, 0.25), (100, 0.5), (4950, 0.75)])
    alone = panel("One size only", "tables", "ms", [(1000, 0.0)])
    texts = [text.text for text in ElementTree.fromstring(sheet([one, alone])).iter() if text.text]
    assert {"A move & more", "0.25", "0.5", "0.75", "10,000", "One size only"} <= set(texts)
