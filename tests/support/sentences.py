"""Sentences of the source texts: their clauses and scenarios.

`variants/GAME/SOURCES.md` lists the sentences by heading and number. A row names a
scenario only if breaking the sentence makes the scenario fail
(`tests/support/sentence_breaks.py`).
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import attrs

import variants

DOCUMENTS = Path(__file__).parents[2] / "docs"
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
