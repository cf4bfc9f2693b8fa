"""`rulebook simulate` with one variant, or several, which `compare` handles.

Verified by manual mutations: the games of each variant, the bots, the suggested
command, the error messages.
"""

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from tests.support.commands import Output, errors_of, output_of
from tests.workbench.test_schemas import valid
from workbench.cli import main

DARE = str(Path(__file__).parents[2] / "examples" / "tiny" / "dare.rules")


@pytest.fixture
def both(tmp_path: Path) -> list[str]:
    """Return a tiny game, and a variant whose dice have fewer sides."""
    text = Path(DARE).read_text(encoding="utf-8").partition("\nscenario")[0]
    path = tmp_path / "a changed one.rules"
    path.write_text(text.replace("1 to 3", "1 to 2") + "\n", encoding="utf-8")
    return [DARE, str(path)]


def run_json(capsys: Output, *words: str) -> tuple[dict[str, Any], str]:
    """Return the document of a command, and its standard error."""
    capsys.readouterr()
    assert main([*words, "--json"]) == 0
    printed = capsys.readouterr()
    return json.loads(printed.out), printed.err


def test_several_variants_are_compared_with_a_deprecation_note(
    both: list[str], capsys: Output
) -> None:
    words = ["--games", "12", "--seed", "5", "--max-turns", "30"]
    told, said = run_json(capsys, "simulate", *both, *words)

    assert said.startswith("note: simulate with several variants is deprecated; use `")
    typed = shlex.split(said.partition("`")[2].partition("`")[0])
    assert typed[:4] == ["rulebook", "compare", *both]
    assert typed[-1] == "--json"
    assert run_json(capsys, *typed[1:-1])[0] == told
    valid("compare", told)
    assert (told["pairs"], told["seed"]) == (12, 5)
    assert set(told["bots"].values()) == {"random"}


def test_variant_is_the_same_as_itself(capsys: Output, tiny_path: Path) -> None:
    variants = [str(tiny_path), f"{tiny_path.parent}/./{tiny_path.name}"]

    said = output_of(capsys, "simulate", *variants, "--games", "4")
    assert said.startswith("tiny against tiny: 4 pairs, seeds 1 to 4\n")
    assert "no difference is certain" in said


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--out", "x.jsonl"], "can only be used with a single variant"),
        (["--records", "games"], "can only be used with a single variant"),
        (["--cluster", "tcp://127.0.0.1:1"], "can only be used with a single variant"),
        (["--games", "1"], "--games must be at least 2, not 1"),
        ([], "use --players N"),
        (["--players", "3"], "the seats are not the same: red, blue, white / "),
    ],
)
def test_rejects_an_impossible_comparison(
    capsys: Output, tiny_path: Path, arguments: list[str], said: str
) -> None:
    few = ["--games", "2", *arguments]
    assert said in errors_of(capsys, "simulate", "classic", str(tiny_path), *few)
    assert not Path("x.jsonl").exists()


def test_reports_actions_per_game_of_a_single_variant(
    capsys: Output, tiny_path: Path
) -> None:
    assert main(["simulate", str(tiny_path), "--games", "3"]) == 0

    printed = capsys.readouterr()
    assert "  per game    cash_in " in printed.out
    assert "deprecated" not in printed.err
