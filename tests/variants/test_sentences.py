"""Every sentence of the texts has its clause and its scenario, or a reason for none.

`variants/GAME/SOURCES.md` lists the sentences by heading and number. With the lines of
the clauses it becomes `docs/GAME-sentences.md`:

    python tests/variants/test_sentences.py            writes them
    python tests/variants/test_sentences.py --check    1 when one is out of date
"""

import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import attrs
import pytest

import variants
from rulebook import Does, Expect, Rulebook
from workbench import load

DOCUMENTS = Path(__file__).parents[2] / "docs"


@attrs.frozen(eq=False)
class Text:
    """A game's texts: a title in its SOURCES.md by source, and what is excepted.

    `not_played` are headings that no choice of a player shows, such as lists of what
    is in the box; `never_alone` are requirements that no game can miss alone. Of
    `rulings` only those headings are listed that are there.
    """

    game: str
    titles: dict[str, str]
    least: int
    not_played: frozenset[str] = frozenset()
    never_alone: frozenset[tuple[str, str]] = frozenset()
    rulings: dict[str, str] = attrs.field(factory=dict)

    @property
    def document(self) -> Path:
        """The document that is made of it."""
        return DOCUMENTS / f"{self.game}-sentences.md"


TEXTS = (
    Text(
        "germany",
        {"en": "## The English text", "de": "## Der deutsche Text"},
        least=250,
        # A player is never asked for a fourth starting town hall.
        never_alone=frozenset(
            {
                ("place_town_hall", "stock"),
                ("place_last_town_hall", "stock"),
                ("claim_award", "stock"),
            }
        ),
    ),
    Text(
        "base",
        {"text": "## The text, sentence by sentence"},
        least=95,
        # Nobody has placed all pieces at the start, and where a road of one's own ends
        # there is land.
        never_alone=frozenset(
            {
                ("found_settlement", "stock"),
                ("found_last_settlement", "stock"),
                ("found_road", "stock"),
                ("build_settlement", "ashore"),
            }
        ),
    ),
    Text(
        "cardgame",
        {"en": "## The English text"},
        least=185,
        not_played=frozenset(
            {
                "A Short Overview of the Game",
                "A few words about Region card terminology",
                "Resolving the Event Die Roll",
                "Main Play Phase",
                "Develop Your Principality",
                "Drawing Cards",
            }
        ),
        rulings={"cards": "## The rulings"},
    ),
)


@attrs.frozen
class Sentence:
    language: str
    heading: str
    number: int
    says: str
    clauses: tuple[str, ...]
    scenario: str


def rows(text: Text) -> Iterator[Sentence]:
    """The rows of the tables."""
    sources = variants.path(text.game).parent / "SOURCES.md"
    whole = sources.read_text(encoding="utf-8")
    for language, title in (text.titles | text.rulings).items():
        part = whole.partition(title)[2].partition("\n## ")[0]
        heading = ""
        for line in part.splitlines():
            if line.startswith("### "):
                heading = line[4:]
            row = [cell.strip() for cell in line.strip("|").split(" | ")]
            if row[0].isdigit():
                clauses = tuple(re.findall(r"`(\w+)`", row[2]))
                yield Sentence(language, heading, int(row[0]), row[1], clauses, row[3])


@cache
def sentences(text: Text) -> tuple[Sentence, ...]:
    return tuple(rows(text))


@pytest.fixture(scope="module", params=TEXTS, ids=lambda text: text.game)
def text(request: pytest.FixtureRequest) -> Text:
    found: Text = request.param
    return found


@pytest.fixture(scope="module")
def book(text: Text) -> Rulebook:
    return load(text.game)


@pytest.fixture(scope="module")
def names(book: Rulebook) -> set[str]:
    """The names of the clauses, without their sort and parameters."""
    return {address.partition("(")[0].split(".")[-1] for address in book.clauses}


def test_the_sentences_of_a_heading_are_numbered_without_a_gap(text: Text) -> None:
    numbers: dict[tuple[str, str], list[int]] = {}
    for one in sentences(text):
        numbers.setdefault((one.language, one.heading), []).append(one.number)

    assert len(sentences(text)) >= text.least
    assert all(found == list(range(1, len(found) + 1)) for found in numbers.values()), (
        numbers
    )


def test_every_clause_of_the_tables_exists(text: Text, names: set[str]) -> None:
    wrong = [
        f"{one.language} {one.heading} {one.number}: {clause}"
        for one in sentences(text)
        for clause in one.clauses
        if clause not in names
    ]

    assert wrong == []


def test_every_sentence_has_a_scenario_or_says_why_not(
    text: Text, book: Rulebook
) -> None:
    titles = {scenario.title for scenario in book.model.scenarios}
    wrong = [
        f"{one.language} {one.heading} {one.number}: {one.scenario}"
        for one in sentences(text)
        if not one.scenario.startswith("none: ")
        and one.scenario not in titles
        and one.scenario.rpartition(": ")[2] not in titles
    ]

    assert wrong == []


def test_every_heading_is_cited_by_a_clause(text: Text, book: Rulebook) -> None:
    cited = {
        (cite.source, cite.heading)
        for clause in book.clauses.values()
        for cite in clause.cites
    }

    assert {(one.language, one.heading) for one in sentences(text)} <= cited


def test_every_citation_names_a_heading(text: Text, book: Rulebook) -> None:
    headings = {(one.language, one.heading) for one in sentences(text)}
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
    headings = {(one.language, one.heading) for one in sentences(text)}
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
        one.action for one in expectations(book) if isinstance(one, Does) or one.legal
    }

    assert sorted(book.model.actions.keys() - legal) == []


def test_every_requirement_alone_refuses_in_a_scenario(
    text: Text, book: Rulebook
) -> None:
    refused = {
        (one.action, one.because)
        for one in expectations(book)
        if isinstance(one, Expect) and not one.legal
    }
    wanted = {
        (action.name, need.label)
        for action in book.model.actions.values()
        for need in action.requirements
    }

    assert sorted(wanted - refused - text.never_alone) == []


# ---------------------------------------------------------------- the document


def document(text: Text, book: Rulebook) -> str:
    """The sentences with the lines of their clauses and scenarios."""
    lines = [
        f"# Every sentence of the rules of {text.game}",
        "",
        "Made by `tests/variants/test_sentences.py` from the list in",
        f"`variants/{text.game}/SOURCES.md` and the rule files; do not edit.",
    ]
    places = clause_places(book)
    heading = ("", "")
    for one in sentences(text):
        if (one.language, one.heading) != heading:
            heading = (one.language, one.heading)
            title = f"## {one.heading} ({one.language})"
            lines += ["", title, "", "| | says | clause | scenario |"]
            lines.append("| --- | --- | --- | --- |")
        clauses = "; ".join(places[name] for name in one.clauses) or "none"
        title = one.scenario.rpartition(": ")[2]
        scenario = one.scenario
        if title in places:
            scenario = f"{one.scenario} ({places[title]})"
        lines.append(f"| {one.number} | {one.says} | {clauses} | {scenario} |")
    return "\n".join(lines) + "\n"


def clause_places(book: Rulebook) -> dict[str, str]:
    """Where the clauses of a name stand, and the scenarios of a title."""
    found: dict[str, str] = {}
    for address, clause in book.clauses.items():
        if address.startswith("hint."):
            continue
        name = address.partition("(")[0].split(".")[-1]
        place = f"{Path(clause.span.file).name}:{clause.span.line}"
        text = f"`{address}` {place}"
        found[name] = f"{found[name]}, {text}" if name in found else text
    for scenario in book.model.scenarios:
        place = f"{Path(scenario.span.file).name}:{scenario.span.line}"
        found[scenario.title] = place
    return found


def test_the_document_is_up_to_date(text: Text, book: Rulebook) -> None:
    assert text.document.read_text(encoding="utf-8") == document(text, book)


def main(arguments: list[str]) -> int:
    """Write the documents, or with `--check` say whether they are up to date."""
    made = {text.document: document(text, load(text.game)) for text in TEXTS}
    if "--check" in arguments:
        return int(
            any(path.read_text(encoding="utf-8") != text for path, text in made.items())
        )
    for path, text in made.items():
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
