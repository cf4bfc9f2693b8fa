"""Variants side by side: pairs of games, and how sure a difference is."""

from math import sqrt
from pathlib import Path

import pytest

from workbench.cli import main
from workbench.simulation.comparison import Row, cells, compared
from workbench.simulation.statistics import Result

Output = pytest.CaptureFixture[str]


def result(turns: int, winner: str, **actions: int) -> Result:
    return Result(
        seed=1,
        finished=True,
        winners=(winner,),
        reason=None,
        points={"a": turns, "b": 0},
        turns=turns,
        decisions=2 * turns,
        actions=actions,
    )


def rows() -> dict[str, Row]:
    first = [result(10, "a", go=3), result(20, "b", go=5)]
    second = [result(12, "a", go=3, stay=1), result(26, "a", go=1)]
    differences = compared(first, second, ("a", "b"))
    return {
        " ".join(filter(None, (difference.measure, difference.of))): difference
        for difference in differences
    }


def test_differences_are_those_of_pairs() -> None:
    differences = rows()

    assert list(differences) == [
        *("turns", "decisions", "wins a", "wins b", "points a", "points b"),
        *("actions go", "actions stay"),
    ]
    turns = differences["turns"]
    assert (turns.first, turns.second, turns.difference) == (15, 19, 4)
    spread = sqrt(((2 - 4) ** 2 + (6 - 4) ** 2) / (2 - 1))
    assert turns.error == pytest.approx(spread / sqrt(2))
    assert (differences["wins a"].first, differences["wins a"].second) == (0.5, 1)
    assert differences["wins b"].difference == -0.5
    assert differences["actions stay"].first == 0


def test_one_pair_has_no_error() -> None:
    (turns, *_) = compared([result(1, "a")], [result(3, "a")], ("a",))

    assert (turns.difference, turns.error) == (2, None)
    assert cells(turns) == ("turns", "1.00", "3.00", "+2.00")


def test_a_game_does_not_differ_from_itself(capsys: Output, tiny_path: Path) -> None:
    variants = [str(tiny_path), f"{tiny_path.parent}/./{tiny_path.name}"]

    assert main(["simulate", *variants, "--games", "4"]) == 0

    said = capsys.readouterr().out
    assert said.startswith("tiny against tiny, 3 players, 4 games each")
    lines = [line for line in said.splitlines() if "±" in line][:-1]
    assert len(lines) > 8
    assert all(line.endswith("+0.00 ± 0.00") for line in lines)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--out", "x.jsonl"], "are for one variant"),
        ([], "say --players N"),
        (["--players", "3"], "the seats are not the same: red, blue, white / "),
    ],
)
def test_what_cannot_be_compared_is_refused(
    capsys: Output, tiny_path: Path, arguments: list[str], said: str
) -> None:
    assert (
        main(["simulate", "classic", str(tiny_path), "--games", "1", *arguments]) == 2
    )
    assert said in capsys.readouterr().err
    assert not Path("x.jsonl").exists()


def test_a_variant_alone_says_how_often_each_action_is_done(
    capsys: Output, tiny_path: Path
) -> None:
    assert main(["simulate", str(tiny_path), "--games", "3"]) == 0

    said = capsys.readouterr().out
    assert "  a game      cash_in " in said
