"""Values that definitions name (`let`): computed once, counted, printed, explained."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulebook as rb
from interpreter import Game
from interpreter.lowering.program_parts import DefinitionPart, parts_of
from interpreter.planning import plan_for
from rulebook.tooling import mutants
from tests.printing.pages import printed
from workbench.presentation.printing.formats.markdown import markdown
from workbench.testing.rule_tests.rule_coverage import measure_coverage

TEXT = (Path(__file__).parent / "named_values.rules").read_text(encoding="utf-8")
NAMES = ("most", "leaders", "stock", "behind", "far", "ahead")


@pytest.fixture(scope="module")
def book() -> rb.Rulebook:
    return rb.loads(TEXT, "named_values.rules")


def bound(book: rb.Rulebook, definition: str) -> list[int]:
    """Return the numbers of values that each line of a definition binds before it."""
    plan = plan_for(book, 3, {})
    parts = parts_of(plan, plan.optimiser)
    lines = next(
        part.lines
        for part in parts
        if isinstance(part, DefinitionPart) and part.title.endswith(f" {definition}")
    )
    return [len(line.named) for line in lines]


def test_each_value_is_bound_once_before_the_first_line_that_uses_it(
    book: rb.Rulebook,
) -> None:
    assert bound(book, "strength(player)") == [4, 2, 0]
    assert bound(book, "flock(player)") == [1, 1]


def test_values_that_call_definitions_are_bound(book: rb.Rulebook) -> None:
    assert bound(book, "ready(player,player)") == [1]


def test_short_values_are_inlined(book: rb.Rulebook) -> None:
    start, rest = TEXT.split("  let margin be player's strength - other's strength")
    text = start + "  let margin be player's sheep - other's sheep" + rest
    assert bound(rb.loads(text, "short.rules"), "ready(player,player)") == [0]


def test_house_rules_change_lines_that_use_names(book: rb.Rulebook) -> None:
    house = """extends named_values

in define strength
  replace line: crowned: 30 if ahead and behind = 0
  add line: lone: most if far is none
"""
    texts = {"named_values": TEXT}
    changed = rb.loads(house, "house.rules", texts.get)
    lines = changed.model.defines["strength(player)"].lines
    assert [line.label for line in lines] == ["crowned", "close", "", "lone"]
    assert changed.digest != book.digest


def test_coverage_counts_the_values(book: rb.Rulebook) -> None:
    parts = measure_coverage(book, ()).parts
    reached = {
        part.text.partition(" be ")[0].removeprefix("let ")
        for part in parts
        if part.text.startswith("let ") and part.reach_count
    }
    assert reached >= {*NAMES, "half_of_each"}


def test_mutants_change_values_but_keep_names(book: rb.Rulebook) -> None:
    changes = [each.change for each in mutants(book) if "strength" in each.address]
    assert any("let most be highest" in change for change in changes)
    assert not [x for x in changes if x.startswith(("dropped: let", "order: let"))]


@pytest.mark.parametrize(
    ("language", "lines"),
    [
        (
            "en",
            [
                "- Let *most* be the highest",
                "- *Most* + *behind*, if *far* is somebody",
                "- 20, if *ahead* applies and *far* is nobody.",
            ],
        ),
        ("de", ["- *Most* steht für", "- Sonst *behind* + 1."]),
    ],
)
def test_printed_rules_show_names_in_the_section_of_their_definition(
    book: rb.Rulebook, language: str, lines: list[str]
) -> None:
    text = markdown(printed(book, language))
    assert [line for line in lines if line not in text] == []
    assert text.count("\n### 5.") == 4


def test_why_shows_the_values_behind_names(book: rb.Rulebook) -> None:
    why = Game.start(book, players=2, seed=1).why("brag")
    assert [(line["definition"], line["text"]) for line in why.lines] == [
        ("player's strength", "behind + 1"),
    ]
    assert why.lines[0]["values"] == {"behind": 0}
