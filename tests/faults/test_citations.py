"""Citations of prices, pieces and replaced clauses, and their languages."""

from pathlib import Path

import pytest

import rulebook
from interpreter import Explanation, Game
from rulebook.parse import parse
from rulebook.write import write
from workbench import load
from workbench.presentation.localization.localizer import Localizer
from workbench.presentation.localization.refusals import citation
from workbench.presentation.narration.view_text import explanation_lines

MILL = Path(__file__).parent / "citations" / "mill.rules"


def resolve(name: str) -> str | None:
    return MILL.read_text(encoding="utf-8") if name == "mill" else None


def mill(amendment: str = "") -> rulebook.Rulebook:
    return rulebook.loads(f"extends mill\n{amendment}", resolve=resolve)


def why(
    book: rulebook.Rulebook, action: str, grain: int = 0, **stones: str
) -> Explanation:
    position = Game.start(book, seed=1).position
    position["game"]["store"]["grain"] -= grain
    position["player"]["near"]["sack"]["grain"] = grain
    position["pieces"]["stone"] = stones
    return Game.from_position(book, position).why(action, "near")


def cited(explanation: Explanation) -> tuple[str, str] | None:
    if explanation.citation is None:
        return None
    return explanation.citation["source"], explanation.citation["section"]


def test_a_price_has_the_citation_of_its_cost() -> None:
    explanation = why(mill(), "lay(C1)")

    assert explanation.requirement == "pays"
    assert cited(explanation) == ("printed", "The stone")
    assert cited(why(mill(), "bake")) == ("printed", "Prices")


def test_a_price_in_an_action_has_the_citation_of_the_action() -> None:
    assert cited(why(mill(), "grind")) == ("printed", "Grinding")


@pytest.mark.parametrize(
    ("amendment", "expected"),
    [
        ("replace cost stone: 3 grain", None),
        (
            'replace cost stone: 3 grain [printed "Errata"]',
            ("printed", "Errata"),
        ),
        ("in action lay\n  replace pays 3 grain", None),
        (
            'in action lay\n  replace pays 3 grain [printed "Notes"]',
            ("printed", "Notes"),
        ),
    ],
)
def test_a_replaced_price_cites_its_own_text_or_none(
    amendment: str, expected: tuple[str, str] | None
) -> None:
    explanation = why(mill(amendment), "lay(C1)")

    assert explanation.requirement == "pays"
    assert cited(explanation) == expected


NEVER = 'replace needs free: spot has no stone and round > 99 "never"'


@pytest.mark.parametrize(
    ("amendment", "expected"),
    [
        (
            f"in action lay\n  {NEVER}",
            None,
        ),
        (
            f'in action lay [printed "Notes"]\n  {NEVER}',
            ("printed", "Notes"),
        ),
        ('in action lay\n  add needs dry: round > 99 "never"', None),
    ],
)
def test_an_added_requirement_does_not_cite_the_text_of_the_action(
    amendment: str, expected: tuple[str, str] | None
) -> None:
    explanation = why(mill(amendment), "lay(C1)", grain=2)

    assert explanation.requirement in {"free", "dry"}
    assert cited(explanation) == expected


def test_a_replaced_option_does_not_inherit_a_citation() -> None:
    assert mill().options["most"].cites
    assert mill("replace option most: 7").options["most"].cites == ()
    (own,) = mill('replace option most: 7 [gedruckt "Ende"]').options["most"].cites
    assert own.source == "gedruckt"


def test_a_lack_of_pieces_has_the_citation_of_the_piece() -> None:
    explanation = why(mill(), "lay(C1)", grain=2, C2="near", C3="near")

    assert explanation.requirement == "stock"
    assert cited(explanation) == ("printed", "What is in the box")


def test_a_passage_has_the_language_of_its_source() -> None:
    book = mill()
    explanation = why(book, "lay(C1)")

    assert citation(explanation, Localizer.for_book(book, "en")) == (
        "The stone",
        "The mill, rules of play",
    )
    assert citation(explanation, Localizer.for_book(book, "de")) == (
        "Der Stein",
        "Die Mühle, Spielregeln",
    )
    assert citation(why(book, "grind"), Localizer.for_book(book, "de")) == (
        "Grinding",
        "The mill, rules of play",
    )


def test_a_road_of_germany_cites_the_rules_of_germany() -> None:
    book = load("germany")
    for name, action in book.model.actions.items():
        for need in action.requirements:
            if need.sort in {"needs", "pays"}:
                assert need.cites[0].source in {"en", "de"}, (name, need.label)
    (pays,) = (
        requirement
        for requirement in book.model.actions["build_road"].requirements
        if requirement.sort == "pays"
    )
    assert [(cite.source, cite.heading) for cite in pays.cites[:2]] == [
        ("en", "Building roads"),
        ("de", "Straße bauen"),
    ]


def test_a_citations_block_precedes_the_librarys_citations() -> None:
    book = mill('citations\n  lay [gedruckt "Neu"]')

    assert [cite.heading for cite in book.model.actions["lay"].cites] == [
        "Neu",
        "Building",
        "Bauen",
    ]


def test_a_source_is_written_with_its_language() -> None:
    file = parse(MILL.read_text(encoding="utf-8"), "mill.rules").file
    assert file is not None
    assert 'source gedruckt "Die Mühle, Spielregeln" in de' in write(file)
    assert mill().languages == {"printed": "en", "gedruckt": "de"}


AS_IN = """headings gedruckt
    "Bauen"

section "Bauen"

as in mill
  lay  "one stone on a free corner"  [gedruckt "Bauen"]

action lay_again(spot)
  needs as lay
  stop

in phase day
  add action lay_again
"""


@pytest.mark.parametrize("action", ["lay(C1)", "lay_again(C1)"])
def test_shows_citations_that_a_game_gives_for_a_library(action: str) -> None:
    """This includes a requirement taken from there."""
    book = mill(AS_IN)
    explanation = why(book, action, grain=2, C1="near")

    assert explanation.citation == {
        "source": "gedruckt",
        "section": "Bauen",
        "says": "one stone on a free corner",
    }
    lines = list(explanation_lines(explanation, Localizer.for_book(book, "en")))
    assert any(line.endswith(": one stone on a free corner") for line in lines)


def test_an_inactive_seat_is_told_who_must_decide_and_in_which_clause() -> None:
    book = mill()
    game = Game.start(book, seed=1)
    explanation = game.why("grind", "far")

    assert explanation.reason == "it is near's turn, not far's"
    assert explanation.clause == "turn.day"
    assert explanation.line == book.clauses["phase.day"].span.line
