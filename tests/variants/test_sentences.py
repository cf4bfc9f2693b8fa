"""Every sentence of the texts has its clause and its scenario, or a reason for none.

The lists in `variants/GAME/SOURCES.md` become `docs/GAME-sentences.md`:

    python -m tests.variants.test_sentences             writes the documents
    python -m tests.variants.test_sentences --check     1 when one is out of date

`test_sentence_breaks` proves that the scenario of each row tests its sentence.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from rulebook import Rulebook
from rulebook.model import Does, Expect
from tests.support.sentence_documents import document
from tests.support.sentences import NONE, TEXTS, Text, named, scenario_of, sentences
from workbench import load


@pytest.fixture(scope="module", params=TEXTS, ids=lambda text: text.game)
def text(request: pytest.FixtureRequest) -> Text:
    parameter: Text = request.param
    return parameter


@pytest.fixture(scope="module")
def book(text: Text) -> Rulebook:
    return load(text.game)


@pytest.fixture(scope="module")
def names(book: Rulebook) -> set[str]:
    """Return the names of the clauses, without their sort and parameters."""
    return {"header", *map(named, book.clauses)}


def test_the_sentences_of_a_heading_are_numbered_without_gaps(text: Text) -> None:
    numbers: dict[tuple[str, str], list[int]] = {}
    for sentence in sentences(text):
        numbers.setdefault((sentence.language, sentence.heading), []).append(
            sentence.number
        )

    assert len(sentences(text)) >= text.least
    assert all(
        numbered == list(range(1, len(numbered) + 1)) for numbered in numbers.values()
    ), numbers


def test_every_clause_of_the_tables_exists(text: Text, names: set[str]) -> None:
    wrong = [
        f"{sentence.key}: {clause}"
        for sentence in sentences(text)
        for clause in sentence.clauses
        if clause not in names
    ]

    assert wrong == []


def test_every_sentence_has_a_scenario_or_a_reason(text: Text, book: Rulebook) -> None:
    titles = {scenario.title for scenario in book.model.scenarios}
    wrong = [
        f"{sentence.key}: {sentence.scenario}"
        for sentence in sentences(text)
        if not sentence.scenario.startswith(NONE)
        and scenario_of(sentence.scenario, titles) is None
    ]

    assert wrong == []


def test_every_heading_is_cited_by_a_clause(text: Text, book: Rulebook) -> None:
    cited = {
        (cite.source, cite.heading)
        for clause in book.clauses.values()
        for cite in clause.cites
    }

    assert {
        (sentence.language, sentence.heading) for sentence in sentences(text)
    } <= cited


def test_every_citation_names_a_heading(text: Text, book: Rulebook) -> None:
    headings = {(sentence.language, sentence.heading) for sentence in sentences(text)}
    cited = {
        (cite.source, cite.heading)
        for clause in book.clauses.values()
        for cite in clause.cites
        if cite.source in text.titles
    }

    assert sorted(cited - headings) == []


def test_every_heading_has_a_scenario(text: Text, book: Rulebook) -> None:
    shown = {
        (cite.source, cite.heading)
        for scenario in book.model.scenarios
        for cite in scenario.cites
    }
    headings = {(sentence.language, sentence.heading) for sentence in sentences(text)}
    wanted = {pair for pair in headings if pair[1] not in text.not_played}

    assert sorted(wanted - shown) == []


def expectations(book: Rulebook) -> Iterator[Expect | Does]:
    for scenario in book.model.scenarios:
        for _, statements in scenario.steps:
            for statement in statements:
                if isinstance(statement, Expect | Does):
                    yield statement


def test_every_action_is_legal_in_a_scenario(book: Rulebook) -> None:
    legal = {
        expectation.action
        for expectation in expectations(book)
        if isinstance(expectation, Does) or expectation.legal
    }

    assert sorted(book.model.actions.keys() - legal) == []


def test_every_requirement_fails_alone_in_a_scenario(
    text: Text, book: Rulebook
) -> None:
    given = [each for each in expectations(book) if isinstance(each, Expect)]
    refused = {(each.action, each.because) for each in given if not each.legal}
    priced = {(each.action, "pays") for each in given if each.price is not None}
    wanted = {
        (action.name, need.label)
        for action in book.model.actions.values()
        for need in action.requirements
    }

    assert sorted(wanted - refused - priced - text.never_alone) == []


def test_the_document_gives_the_line_of_every_scenario(
    text: Text, book: Rulebook
) -> None:
    """This includes scenarios whose titles contain a colon."""
    made = document(text, book).splitlines()
    places = {scenario.title: scenario.span for scenario in book.model.scenarios}
    shown = [line for line in made if line[:3].strip("| ").isdigit()]
    listed = sentences(text)

    assert len(shown) == len(listed)
    assert any(": " in title for title in places)
    for row, line in zip(listed, shown, strict=True):
        title = scenario_of(row.scenario, places)
        if title is not None:
            span = places[title]
            assert f"{title} ({Path(span.file).name}:{span.line})" in line


@pytest.mark.parametrize(
    ("said", "title"),
    [
        ("a: b", "a: b"),
        ("b", "b"),
        ("by chance: a: b", "a: b"),
        ("by chance: or so: b", "b"),
        ("nothing of it", None),
        ("by chance: c", None),
    ],
)
def test_a_remark_may_precede_a_title(said: str, title: str | None) -> None:
    assert scenario_of(said, ["a: b", "b"]) == title


# ---------------------------------------------------------------- the document


def test_the_document_is_up_to_date(text: Text, book: Rulebook) -> None:
    assert text.document.read_text(encoding="utf-8") == document(text, book)


def main(arguments: list[str]) -> int:
    """Write the documents, or with `--check` report whether they are up to date."""
    asked = [text for text in TEXTS if text.game in arguments] or TEXTS
    current = True
    for text in asked:
        book = load(text.game)
        made = document(text, book)
        current = current and text.document.read_text(encoding="utf-8") == made
        if "--check" not in arguments:
            text.document.write_text(made, encoding="utf-8")
    return int("--check" in arguments and not current)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
