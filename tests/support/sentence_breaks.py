"""Breaks: for each sentence of the source texts, an amendment that contradicts it.

`variants/GAME/sentence_breaks.rules-test` has the breaks of a game. Each break ends at
a line `---` and begins with the sentences that it breaks:

    ### breaks en, Building roads, 2
    ### breaks de, Straße bauen, 2
    # Roads need not be connected.
    in action build_road
      remove needs connected

The scenarios of these rows of the table (`tests/support/sentences.py`) must then fail.
A row without a break says why:

    ### no break for en, Game end, 3: the scenario would have to last for ever
"""

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache

import attrs

from rulebook import Rulebook, has_errors, render_all
from rulebook.tooling import amended_book
from tests.support.sentences import NONE, TEXTS, Sentence, Text, scenario_of, sentences
from workbench import load
from workbench.testing.rule_tests.suite import run_scenario_test

BREAKS = re.compile(r"^### breaks (?P<key>.+)$")
NO_BREAK = re.compile(r"^### no break for (?P<key>.+?, \d+): (?P<reason>.+)$")

HEAD = 'rules language 1\nrulebook broken "A break"\n'


@attrs.frozen
class Break:
    """Amendment that contradicts sentences, at a line of the file with the breaks."""

    line: int
    keys: tuple[str, ...]
    amendment: str

    @property
    def says(self) -> str:
        """Rule after the break in words, from the comments of the amendment."""
        lines = self.amendment.splitlines()
        return " ".join(line[1:].strip() for line in lines if line.startswith("#"))


@cache
def breaks(text: Text) -> tuple[Break, ...]:
    """Return the breaks of a game, cached; they end at lines `---`.

    Raise `ValueError` for an unknown heading, or a break without rows or amendment.
    """
    listed: list[Break] = []
    keys: list[str] = []
    lines: list[str] = []
    first = 1
    written = text.breaks.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate([*written, "---"], start=1):
        if line == "---":
            if bool(keys) != bool(lines):
                raise ValueError(f"{text.breaks}:{first}: rows or an amendment lack")
            if keys:
                listed.append(Break(first, tuple(keys), "\n".join(lines) + "\n"))
            keys, lines, first = [], [], number + 1
        elif heading := BREAKS.match(line):
            keys.append(heading["key"])
        elif line.startswith("###") and not NO_BREAK.match(line):
            raise ValueError(f"{text.breaks}:{number}: unknown heading {line}")
        elif not line.startswith("###"):
            lines.append(line)
    return tuple(listed)


@cache
def reasons(text: Text) -> dict[str, str]:
    """Return why rows have no break, by row, cached."""
    written = text.breaks.read_text(encoding="utf-8").splitlines()
    headings = [match for line in written if (match := NO_BREAK.match(line))]
    return {match["key"]: match["reason"] for match in headings}


def provable(text: Text) -> dict[str, Sentence]:
    """Return the rows that name a scenario, by key."""
    return {
        row.key: row for row in sentences(text) if not row.scenario.startswith(NONE)
    }


# ---------------------------------------------------------------- gate


def unproven(text: Text, only: Sequence[Break]) -> list[str]:
    """Return a line for each of the breaks and rows whose scenario does not notice."""
    cores = os.cpu_count() or 1
    shares = [(text.game, [*only[share::cores]]) for share in range(cores)]
    with ProcessPoolExecutor(cores) as pool:
        return sorted(
            line for lines in pool.map(tried_breaks, shares) for line in lines
        )


def tried_breaks(share: tuple[str, Sequence[Break]]) -> list[str]:
    """Return what is wrong with some breaks of a game; no line for a good break."""
    game, tried = share
    (text,) = (text for text in TEXTS if text.game == game)
    book = load(game)
    return [line for each in tried for line in faults(text, book, each)]


def faults(text: Text, book: Rulebook, tried: Break) -> Iterator[str]:
    """Yield what is wrong with a break: unknown rows, errors, scenarios that pass."""
    rows, place = provable(text), f"{text.breaks.name}:{tried.line}"
    titles = {scenario.title: scenario.clause for scenario in book.model.scenarios}
    asked: dict[str, list[str]] = {}
    for key in tried.keys:
        title = scenario_of(rows[key].scenario, titles) if key in rows else None
        if title is None:
            yield f"{place}: {key}: there is no such row with a scenario"
        else:
            asked.setdefault(title, []).append(key)
    clauses = {f'scenario "{titles[title]}"' for title in asked}
    amendment = f"{HEAD}{tried.amendment}"
    broken, diagnostics = amended_book(book, amendment, place, clauses)
    if broken is None:
        errors = [each for each in diagnostics if each.severity == "error"]
        texts = {**book.files, place: amendment}
        yield f"{place}: {render_all(errors, texts)}"
        return
    assert not has_errors(diagnostics)
    for scenario in broken.model.scenarios:
        for key in asked.get(scenario.title, ()):
            if not run_scenario_test(broken, scenario).is_failed:
                yield f"{place}: {key}: “{scenario.title}” does not notice"


def unbroken(text: Text) -> list[str]:
    """Return the rows with a scenario that have neither a break nor a reason."""
    known = {*reasons(text), *(key for each in breaks(text) for key in each.keys)}
    return sorted(provable(text).keys() - known)


def doubled(keys: Iterable[str]) -> set[str]:
    """Return the keys that occur more than once."""
    return {key for key, times in Counter(keys).items() if times > 1}
