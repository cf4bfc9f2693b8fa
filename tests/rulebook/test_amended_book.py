"""A book is amended by a text, as by a file above it, and is not changed itself."""

from pathlib import Path

import pytest

from rulebook import Rulebook, load
from rulebook.tooling import amended_book

POND = Path(__file__).parents[1] / "support" / "mutants.rules"
HEAD = 'rules language 1\nrulebook amended "Amended"\n'
DEARER = "replace cost hop: 3 white, 1 black\n"


@pytest.fixture(scope="module")
def pond() -> Rulebook:
    return load(POND)


def test_an_amendment_changes_the_copy_alone(pond: Rulebook) -> None:
    before, clauses = pond.digest, dict(pond.merged.clauses)
    amended, diagnostics = amended_book(pond, HEAD + DEARER, "dearer")
    other, _ = amended_book(pond, HEAD + "remove limit once\n", "without")

    assert amended is not None and other is not None
    assert diagnostics == ()
    assert amended.digest != before == pond.digest == load(POND).digest
    assert "once" in amended.model.limits and "once" not in other.model.limits
    assert "once" in pond.model.limits
    assert pond.merged.clauses == clauses


def test_amendments_may_follow_each_other(pond: Rulebook) -> None:
    once, _ = amended_book(pond, f"{HEAD}replace option goal (1 to 9): 4\n", "first")
    assert once is not None
    twice, _ = amended_book(once, HEAD + DEARER, "second")

    assert twice is not None
    assert [twice.clauses[name].span.file for name in ("option.goal", "cost.hop")] == [
        "first",
        "second",
    ]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("replace cost hop: 3 white,\n", "RB011"),
        ("remove limit never\n", "RB163"),
        ("replace cost hop: 3 sparrow\n", "RB101"),
    ],
)
def test_mistakes_are_reported_at_their_place(
    pond: Rulebook, text: str, code: str
) -> None:
    amended, diagnostics = amended_book(pond, HEAD + text, "wrong")

    assert amended is None
    assert [(each.code, each.span.file) for each in diagnostics] == [(code, "wrong")]


def test_only_the_given_tests_remain(pond: Rulebook) -> None:
    kept = {'scenario "there are three seats"'}
    amended, _ = amended_book(pond, HEAD + DEARER, "dearer", kept)

    assert amended is not None
    assert [each.title for each in amended.model.scenarios] == ["there are three seats"]


def test_citations_of_the_text_concern_the_copy_alone(pond: Rulebook) -> None:
    before = list(pond.merged.citations)
    cited = 'rules language 1\nrulebook amended "Amended"\n  source own "Own"\n'
    cited += 'citations\n  hop [own "Jumping"]\n'
    amended, diagnostics = amended_book(pond, cited, "cited")
    _, wrong = amended_book(pond, cited.replace("  hop", "  hup"), "cited")

    assert amended is not None, diagnostics
    assert [each.heading for each in amended.clauses["action.hop"].cites] == ["Jumping"]
    assert pond.merged.citations == before
    assert [each.code for each in wrong] == ["RB163"]


def test_the_text_is_among_the_files_of_the_book(pond: Rulebook) -> None:
    """Messages about the amended rules quote it."""
    amended, _ = amended_book(pond, HEAD + DEARER, "dearer")

    assert amended is not None
    span = amended.clauses["cost.hop"].span
    assert amended.text_at(span).endswith("3 white, 1 black")
    assert "dearer" not in pond.files
