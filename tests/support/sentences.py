"""The sentences of the texts: their clauses, their scenarios and what proves them.

`variants/GAME/SOURCES.md` lists the sentences by heading and number. A row names a
scenario only if breaking one of its clauses makes the scenario fail:
`tests/variants/GAME_proofs.json` names the mutant that does, for each row.
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
from tests.support.secrets import CHECKS
from workbench.testing.rule_tests.mutation import noticed, remade

DOCUMENTS = Path(__file__).parents[2] / "docs"
PROOFS = Path(__file__).parents[1] / "variants"
NONE = "none: "


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

    @property
    def proofs(self) -> Path:
        """The mutants that prove its rows."""
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
    """A row: a sentence of a text, its clauses, and its scenario or why it has none."""

    language: str
    heading: str
    number: int
    says: str
    clauses: tuple[str, ...]
    scenario: str

    @property
    def key(self) -> str:
        """What it is called by."""
        return f"{self.language}, {self.heading}, {self.number}"


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
    """The rows of a game."""
    return tuple(rows(text))


def named(address: str) -> str:
    """What the tables call a clause: its name, without its sort and parameters."""
    return address.partition("(")[0].split(".")[-1]


def scenario_of(said: str, titles: Iterable[str]) -> str | None:
    """The title in what a row says of its scenario: all of it, or its end.

    A remark may stand before it, with a colon between; a title may have colons too.
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
    """Looks for mutants that break what a row says."""

    book: Rulebook

    @cached_property
    def scenarios(self) -> dict[str, Scenario]:
        """The scenarios by title."""
        return {scenario.title: scenario for scenario in self.book.model.scenarios}

    def addresses(self, row: Sentence) -> list[str]:
        """The addresses of the clauses of a row, in the order of the row."""
        every = ["header", *self.book.clauses]
        return [
            address
            for name in row.clauses
            for address in every
            if named(address) == name and not address.startswith("hint.")
        ]

    def known(self, addresses: Iterable[str]) -> dict[str, Mutant]:
        """The mutants of some clauses by name."""
        return {
            mutant.name: mutant
            for address in dict.fromkeys(addresses)
            for mutant in mutants(self.book, address)
        }

    def shown(self, row: Sentence) -> str | None:
        """The title of the scenario of a row, or its test."""
        if row.scenario in CHECKS:
            return row.scenario
        return scenario_of(row.scenario, self.scenarios)

    def proven(self, rows: Sequence[tuple[Sentence, str]]) -> set[str]:
        """The keys of the rows that the mutants named with them prove.

        Each mutant is made once, for all rows that it proves.
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
        """The scenarios and tests among some that notice a mutant."""
        asked = {title for title in shown if title is not None}
        scenarios = [
            scenario for title, scenario in self.scenarios.items() if title in asked
        ]
        noticing = {
            scenario.title for scenario in noticed(self.book, mutant, scenarios)
        }
        checks = sorted(asked & CHECKS.keys())
        changed = remade(self.book, mutant)[0] if checks else None
        if changed is not None:
            noticing |= {check for check in checks if not CHECKS[check](book=changed)}
        return noticing

    def proving(self, row: Sentence) -> Iterator[Mutant]:
        """The mutants that prove a row."""
        for mutant in self.known(self.addresses(row)).values():
            if self.wrong(mutant, [self.shown(row)]):
                yield mutant


def proofs(text: Text) -> dict[str, str | None]:
    """The names of the mutants by row; None for rows that nothing proves."""
    names: dict[str, str | None] = json.loads(text.proofs.read_text(encoding="utf-8"))
    return names


def proven_anew(text: Text, book: Rulebook, *, all_anew: bool) -> dict[str, str | None]:
    """The proofs of today's rows: what still proves them is kept, unless all are anew.

    A row without one gets the mutant that was found first.
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
    """Proofs as they are written, a line for each row."""
    return json.dumps(names, ensure_ascii=False, indent=1) + "\n"


# ---------------------------------------------------------------- the document


def document(text: Text, book: Rulebook) -> str:
    """The sentences with the lines of their clauses and scenarios."""
    lines = [
        f"# Every sentence of the rules of {text.game}",
        "",
        "Made by `tests/variants/test_sentences.py` from the list in",
        f"`variants/{text.game}/SOURCES.md` and the rule files; do not edit. The last",
        "column is a change of a clause that makes the scenario fail.",
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
    """The name of a mutant, marked as code that may have bars in it."""
    return "" if name is None else f"`{name}`".replace("|", "\\|")


def clause_places(book: Rulebook) -> dict[str, str]:
    """Where the clauses of a name stand, and the scenarios of a title."""
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
