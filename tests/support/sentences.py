"""Sentences of the source texts: their clauses, scenarios and proofs.

`variants/GAME/SOURCES.md` lists the sentences by heading and number. A row names a
scenario only if breaking one of its clauses makes the scenario fail.
`tests/variants/GAME_proofs.json` names that mutant for each row.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, cached_property
from pathlib import Path

import attrs

import variants
from rulebook import Rulebook
from rulebook.model import Scenario
from rulebook.tooling import Mutant, mutants
from workbench.testing.rule_tests.mutation import noticing_scenarios

DOCUMENTS = Path(__file__).parents[2] / "docs"
PROOFS = Path(__file__).parents[1] / "variants"
NONE = "none: "


@attrs.frozen(eq=False)
class Text:
    """Source texts of a game: the titles in its SOURCES.md by source, and exceptions.

    `not_played` are headings that no choice of a player can show, such as lists of
    components. `never_alone` are requirements that no game can violate alone. Of
    `rulings`, only the headings present are listed.
    """

    game: str
    titles: dict[str, str]
    least: int
    not_played: frozenset[str] = frozenset()
    never_alone: frozenset[tuple[str, str]] = frozenset()
    rulings: dict[str, str] = attrs.field(factory=dict)

    @property
    def document(self) -> Path:
        """Document that is generated from the list."""
        return DOCUMENTS / f"{self.game}-sentences.md"

    @property
    def breaks(self) -> Path:
        """File with the breaks of the rows."""
        return variants.path(self.game).parent / "sentence_breaks.rules-test"

    @property
    def proofs(self) -> Path:
        """File with the mutants that prove the rows."""
        return PROOFS / f"{self.game}_proofs.json"


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
    """Row: a sentence of a text, its clauses, and its scenario or why it has none."""

    language: str
    heading: str
    number: int
    says: str
    clauses: tuple[str, ...]
    scenario: str

    @property
    def key(self) -> str:
        """Key of the row."""
        return f"{self.language}, {self.heading}, {self.number}"


def rows(text: Text) -> Iterator[Sentence]:
    """Yield the rows of the tables."""
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
    """Return the rows of a game, cached."""
    return tuple(rows(text))


def named(address: str) -> str:
    """Return the name of a clause in the tables, without its sort and parameters."""
    return address.partition("(")[0].split(".")[-1]


def scenario_of(said: str, titles: Iterable[str]) -> str | None:
    """Return the title in a row's scenario column: all of it, or its end.

    A remark with a colon may precede it, and titles may contain colons too.
    """
    known = set(titles)
    while said not in known:
        _, colon, said = said.partition(": ")
        if not colon:
            return None
    return said


# ---------------------------------------------------------------- proofs


@attrs.define
class Prover:
    """Search for mutants that break what a row says."""

    book: Rulebook

    @cached_property
    def scenarios(self) -> dict[str, Scenario]:
        """Scenarios by title."""
        return {scenario.title: scenario for scenario in self.book.model.scenarios}

    def addresses(self, row: Sentence) -> list[str]:
        """Return the addresses of the clauses of a row, in the order of the row."""
        every = ["header", *self.book.clauses]
        return [
            address
            for name in row.clauses
            for address in every
            if named(address) == name and not address.startswith("hint.")
        ]

    def known(self, addresses: Iterable[str]) -> dict[str, Mutant]:
        """Return the mutants of some clauses by name."""
        return {
            mutant.name: mutant
            for address in dict.fromkeys(addresses)
            for mutant in mutants(self.book, address)
        }

    def shown(self, row: Sentence) -> str | None:
        """Return the title of the scenario of a row."""
        return scenario_of(row.scenario, self.scenarios)

    def proven(self, rows: Sequence[tuple[Sentence, str]]) -> set[str]:
        """Return the keys of the rows that are proven by the mutants given with them.

        Each mutant is made once for all its rows.
        """
        asked: dict[str, list[Sentence]] = {}
        for row, name in rows:
            asked.setdefault(name, []).append(row)
        addresses = (address for row, _ in rows for address in self.addresses(row))
        known = self.known(addresses)
        return {
            row.key
            for name, rows_named in asked.items()
            if name in known
            for wrong in [self.wrong(known[name], map(self.shown, rows_named))]
            for row in rows_named
            if self.shown(row) in wrong and known[name].address in self.addresses(row)
        }

    def wrong(self, mutant: Mutant, shown: Iterable[str | None]) -> set[str]:
        """Return those of the given scenarios that notice a mutant."""
        asked = {title for title in shown if title is not None}
        scenarios = [
            scenario for title, scenario in self.scenarios.items() if title in asked
        ]
        return {
            scenario.title
            for scenario in noticing_scenarios(self.book, mutant, scenarios)
        }

    def proving(self, row: Sentence) -> Iterator[Mutant]:
        """Yield the mutants that prove a row."""
        for mutant in self.known(self.addresses(row)).values():
            if self.wrong(mutant, [self.shown(row)]):
                yield mutant


def proofs(text: Text) -> dict[str, str | None]:
    """Return the names of the mutants by row; None for unproven rows."""
    names: dict[str, str | None] = json.loads(text.proofs.read_text(encoding="utf-8"))
    return names


def proven_anew(text: Text, book: Rulebook, *, all_anew: bool) -> dict[str, str | None]:
    """Return the proofs of the current rows.

    Valid old proofs are kept unless `all_anew`. Other rows get the first mutant found.
    """
    prover = Prover(book)
    listed = [row for row in sentences(text) if not row.scenario.startswith(NONE)]
    old = {} if all_anew or not text.proofs.exists() else proofs(text)
    named = [(row, name) for row in listed if (name := old.get(row.key))]
    kept = prover.proven(named)
    names: dict[str, str | None] = {}
    for row in listed:
        if row.key in kept:
            names[row.key] = old[row.key]
        else:
            first = next(prover.proving(row), None)
            names[row.key] = None if first is None else first.name
    return names


def as_text(names: dict[str, str | None]) -> str:
    """Return proofs as JSON, one line per row."""
    return json.dumps(names, ensure_ascii=False, indent=1) + "\n"


# ---------------------------------------------------------------- the document


def document(text: Text, book: Rulebook) -> str:
    """Return the sentences with the lines of their clauses and scenarios."""
    lines = [
        f"# Sentences of the rules of {text.game}",
        "",
        "Each row shows the clauses that implement a sentence of the source text, and",
        "the scenario that tests them. The last column is a change of a clause that",
        "makes the scenario fail.",
        "",
        "`tests/variants/test_sentences.py` generates this page from",
        f"`variants/{text.game}/SOURCES.md` and the rule files; do not edit it.",
    ]
    places, proven = clause_places(book), proofs(text)
    titles = [scenario.title for scenario in book.model.scenarios]
    heading = ("", "")
    for row in sentences(text):
        if (row.language, row.heading) != heading:
            heading = (row.language, row.heading)
            title = f"## {row.heading} ({row.language})"
            lines += ["", title, "", "| | says | clause | scenario | broken by |"]
            lines.append("| --- | --- | --- | --- | --- |")
        clauses = "; ".join(places[name] for name in row.clauses) or "none"
        scenario, broken = row.scenario, in_a_cell(proven.get(row.key))
        title_shown = scenario_of(scenario, titles)
        if title_shown is not None:
            scenario = f"{scenario} ({places[title_shown]})"
        lines.append(
            f"| {row.number} | {row.says} | {clauses} | {scenario} | {broken} |"
        )
    return "\n".join(lines) + "\n"


def in_a_cell(name: str | None) -> str:
    """Return the name of a mutant as code in a table cell, with bars escaped."""
    return "" if name is None else f"`{name}`".replace("|", "\\|")


def clause_places(book: Rulebook) -> dict[str, str]:
    """Return the places of clauses by name, and of scenarios by title."""
    places: dict[str, str] = {"header": "`header`"}
    for address, clause in book.clauses.items():
        if address.startswith("hint."):
            continue
        name = named(address)
        place = f"{Path(clause.span.file).name}:{clause.span.line}"
        text = f"`{address}` {place}"
        places[name] = f"{places[name]}, {text}" if name in places else text
    for scenario in book.model.scenarios:
        place = f"{Path(scenario.span.file).name}:{scenario.span.line}"
        places[scenario.title] = place
    return places
