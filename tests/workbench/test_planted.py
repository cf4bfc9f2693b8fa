"""Changes planted in games: `compare` finds each of them in twelve pairs.

They are the changes whose clauses `impact` names (`test_impact.py`). Each test was
verified to fail with an amendment that changes nothing.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.native.compilers import CC
from tests.support.commands import Output, document_of
from tests.workbench.test_impact import HEAD, PLANTED

pytest.importorskip("numpy")

Rows = dict[str, dict[str, Any]]
PAIRS = 12
GERMANY = ("--max-turns", "24", "--engine", "reference")
CLASSIC = ("--engine", "native")
ORCHARD = Path(__file__).parent / "economy" / "orchard.rules"
SEEN = {
    "a road costs one card more": ("actions.build_road", -1),
    "the pawn may stay": ("branching_at.move_robber", 1),
    "the first player has an extra card": ("dealt.ore", 1),
    "an award is worth 3": ("award_points.longest_road", 1),
}
"""Measure that shows each change, and its direction; the last three change by one."""


def comparisons(capsys: Output, *words: str) -> list[Rows]:
    """Return the differences of each variant from the first one, by measure."""
    told = document_of(capsys, "compare", *words)
    return [
        {
            ".".join(filter(None, (row["measure"], row["of"]))): row
            for row in comparison["measures"]
        }
        for comparison in told["comparisons"]
    ]


@pytest.fixture(scope="module")
def compared(
    tmp_path_factory: pytest.TempPathFactory,
) -> Callable[[str, Output], dict[str, Rows]]:
    """Return a function that compares a game with all planted changes, by change."""
    there: dict[str, dict[str, Rows]] = {}

    def of(game: str, capsys: Output) -> dict[str, Rows]:
        if game not in there:
            folder = tmp_path_factory.mktemp("planted")
            names = [name for name in PLANTED if PLANTED[name][0][0] == game]
            variants = [game]
            for number, name in enumerate(names):
                path = folder / f"planted_{number}.rules"
                path.write_text(HEAD.format(game=game) + PLANTED[name][1])
                variants.append(f"{game}+{path}")
            words = ["--games", str(PAIRS * len(variants)), "--bots", "random"]
            words += GERMANY if game == "germany" else CLASSIC
            every = comparisons(capsys, *variants, *words)
            there[game] = dict(zip(names, every, strict=True))
        return there[game]

    return of


@pytest.mark.parametrize("name", SEEN)
def test_a_planted_change_is_found(
    name: str,
    compared: Callable[[str, Output], dict[str, Rows]],
    capsys: Output,
    *,
    deep: bool,
) -> None:
    game = PLANTED[name][0][0]
    if game == "classic" and not (deep and CC):
        pytest.skip("whole games, in C: with --deep")
    measure, way = SEEN[name]
    row = compared(game, capsys)[name][measure]

    assert (row["verdict"], row["pairs"]) == ("certain", PAIRS)
    assert way * row["low"] > 0
    assert way * row["high"] > 0
    if measure != "actions.build_road":
        assert row["low"] == row["high"] == way


def test_more_valuable_award_is_found(tmp_path: Path, capsys: Output) -> None:
    text = ORCHARD.read_text(encoding="utf-8").partition("\nscenario")[0] + "\n"
    line = "  huts: number of player's huts\n"
    assert text.count(line) == text.count("points >= 4") == 1
    text = text.replace("points >= 4", "points >= 9")
    text = text.replace("player's huts\n  at least 4", "player's huts\n  at least 3")
    variants = []
    for worth in (2, 3):
        path = tmp_path / f"worth_{worth}.rules"
        award = f"  settler: {worth} if settler's holder = player\n"
        path.write_text(text.replace(line, line + award), encoding="utf-8")
        variants.append(str(path))
    words = ("--games", "24", "--bots", "random", "--engine", "reference")
    (rows,) = comparisons(capsys, *variants, *words, "--max-turns", "60")

    row = rows["award_points.settler"]
    assert (row["verdict"], row["low"], row["high"]) == ("certain", 1, 1)
    assert row["pairs"] == 12
    assert rows["award_points.fencer"]["verdict"] == "same"


def test_every_planted_change_has_a_measure() -> None:
    assert set(SEEN) == set(PLANTED)
