"""Each sentence of the source texts has a break that its scenario notices.

    python -m tests.variants.test_sentence_breaks [GAME …] [--only TEXT] [--missing]

tries the breaks of the games, or those with a row whose key contains TEXT, and prints
what is wrong with them; with `--missing`, it prints the rows without a break.
"""

import argparse
import sys
from pathlib import Path

import pytest

from tests.support.sentence_breaks import (
    Break,
    breaks,
    doubled,
    faults,
    provable,
    reasons,
    unbroken,
    unproven,
)
from tests.support.sentences import TEXTS, Text
from workbench import load

PARAMETERS = [pytest.param(text, id=text.game) for text in TEXTS]


@pytest.mark.parametrize("text", PARAMETERS)
def test_every_row_with_a_scenario_has_a_break_or_a_reason(text: Text) -> None:
    listed = [key for each in breaks(text) for key in each.keys]

    assert unbroken(text) == []
    assert doubled([*listed, *reasons(text)]) == set()
    assert {*listed, *reasons(text)} <= provable(text).keys()


@pytest.mark.parametrize("text", PARAMETERS)
def test_every_break_says_what_it_breaks(text: Text) -> None:
    assert [each.line for each in breaks(text) if not each.says] == []


@pytest.mark.parametrize("text", PARAMETERS)
def test_the_scenario_of_a_row_notices_its_break(text: Text, *, deep: bool) -> None:
    """The short form tries one break in twenty, `--deep` tries all."""
    tried = breaks(text) if deep else breaks(text)[::20]

    assert unproven(text, tried) == []


GERMANY = TEXTS[0]
COSTS = "en, Building a town hall, 2"


@pytest.mark.parametrize(
    ("key", "amendment", "wrong"),
    [
        (COSTS, "replace cost town_hall: 1 ore\n", None),
        (COSTS, "replace cost road: 1 lumber, 2 brick\n", "does not notice"),
        (COSTS, "replace cost town_hall: 1 orb\n", "RB1"),
        ("en, Building a town hall, 99", "remove limit x\n", "no such row"),
    ],
)
def test_a_bad_break_is_reported(key: str, amendment: str, wrong: str | None) -> None:
    said = [*faults(GERMANY, load("germany"), Break(1, (key,), amendment))]

    assert all(wrong is not None and wrong in line for line in said[:1])
    assert bool(said) == (wrong is not None)


@pytest.mark.parametrize(
    "written",
    ["### break en, A, 1\n# a\nx\n", "# a\nx\n", "### breaks en, A, 1\n"],
)
def test_a_malformed_file_is_an_error(
    written: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "breaks.rules-test"
    file.write_text(written, encoding="utf-8")
    monkeypatch.setattr(Text, "breaks", file)

    with pytest.raises(ValueError, match=r"breaks\.rules-test:1: "):
        breaks.__wrapped__(GERMANY)


def main() -> int:
    """Print what is wrong with breaks; return 1 if there is anything."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", metavar="GAME", nargs="*")
    parser.add_argument("--only", default="", metavar="TEXT")
    parser.add_argument("--missing", action="store_true")
    given = parser.parse_args()
    wrong = []
    for text in TEXTS:
        if given.games and text.game not in given.games:
            continue
        if given.missing:
            rows = provable(text)
            wrong += [f"{key}: {rows[key].says}" for key in unbroken(text)]
            continue
        tried = [
            each for each in breaks(text) if any(given.only in key for key in each.keys)
        ]
        wrong += unproven(text, tried)
        sys.stdout.write(f"{text.game}: {len(tried)} breaks tried\n")
    sys.stdout.write("\n".join(wrong) + "\n" if wrong else "nothing is wrong\n")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
