"""What `rulebook economy` says of a whole game is what turns that are drawn come to."""

import pytest

import workbench
from benchmarks.economy import agreeing, compared
from workbench.economy import examine
from workbench.simulation.settings import Settings

pytest.importorskip("scipy")

FEWEST = 0.93


def test_income_of_spaces_agrees_with_drawn_turns(deep: bool) -> None:
    spaces, turns = (None, 3_000) if deep else (4, 120)

    rows = compared("germany+endless_bank", turns, spaces)

    assert len(rows) == (28 if deep else 4)
    assert agreeing(rows) >= FEWEST * len(rows)


def test_a_game_with_dealt_set_ups(deep: bool) -> None:
    """The figures of another program, for the mock of the report."""
    if not deep:
        pytest.skip("only in the long form")
    economy = examine(workbench.load("germany"), Settings(players=3), 12)

    assert economy.fed is not None
    labels = [it.setup.label for it in economy.fed.begun]
    assert labels == [f"position_{letter}" for letter in "ABCD"]
    first = economy.fed.begun[0]
    assert first.setup.pieces["town_hall"] == (
        "Düsseldorf",
        "Frankfurt_Oder",
        "Hamburg",
    )
    assert all(sum(it.income.values()) * 36 == 25 for it in economy.fed.begun)
    told = {it.price.action: f"{it.full:.1f} {it.without:.1f}" for it in first.waits}
    assert told == {
        "build_road": "7.1 9.3",
        "build_town_hall": "10.7 14.1",
        "build_landmark": "11.8 25.0",
        "buy_development_card": "9.9 16.6",
    }
    (pawn,) = economy.fed.blocked
    assert 0 < pawn.evenly < pawn.most < 0.2
