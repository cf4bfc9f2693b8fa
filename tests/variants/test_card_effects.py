"""A scenario shows the effect of each card and fails without it. For each kind of card,
a copy of the game removes its effect: the card has no row in the tables of card values,
its text stops before acting, and other clauses except scenarios refer to a card that is
never played.
"""

import re
from collections.abc import Iterator

import pytest

import rulebook
import variants
import workbench
from workbench.testing.rule_tests.suite import run_scenario_test

TEXT = variants.path("cardgame").read_text(encoding="utf-8")
BESIDE = {
    path.stem: path.read_text(encoding="utf-8")
    for path in variants.path("cardgame").parent.glob("cardgame[._]*.rules")
    if path.stem != "cardgame"
}
"""Names of the files that belong to the game."""
CLAUSE = re.compile(r"^(?=\S)", re.MULTILINE)
FIRST = re.compile(r"^  (?!needs| )", re.MULTILINE)
ALWAYS = "number of players > 0"
EFFECTS = re.compile(r"columns of development\n  development +\| (?!moment)")
"""Tables of card values; the time of play is not an effect."""
ROW = re.compile(r"^  (\w+) +\|.*$", re.MULTILINE)
KINDS = [
    name
    for clause in CLAUSE.split(TEXT)
    if clause.startswith(("cards development", "cards event"))
    for name in ROW.findall(clause)[1:]
]
QUICK = KINDS[::9]


def without(kind: str) -> str:
    """Return the game with one card without effect."""
    spare = "spy" if kind == "alchemist" else "alchemist"
    return "".join(changed(clause, kind, spare) for clause in CLAUSE.split(TEXT))


def changed(clause: str, kind: str, spare: str) -> str:
    """Return a clause of the game without its statements about a card."""
    if clause.startswith(("scenario", "invariant", "#")):
        return clause
    if EFFECTS.match(clause):
        return re.sub(rf"^  {kind} .*\n", "", clause, flags=re.MULTILINE)
    if clause.startswith(("cards ", "columns ")):
        return clause
    if re.match(rf"card {kind}\b", clause):
        return FIRST.sub(f"  if {ALWAYS}: stop\n  ", clause, count=1)
    return re.sub(rf"\b{kind}\b", spare, clause)


def failing(kind: str) -> Iterator[str]:
    """Yield the scenarios about a card that fail without its effect."""
    book = rulebook.loads(without(kind), "cardgame", BESIDE.get)
    for scenario in book.model.scenarios:
        about = re.search(rf"\b{kind}\b", text_of(scenario.clause))
        if about and run_scenario_test(book, scenario).status != "passed":
            yield scenario.title


def text_of(title: str) -> str:
    """Return the clause of a scenario."""
    clauses = (clause for text in BESIDE.values() for clause in CLAUSE.split(text))
    (clause,) = (c for c in clauses if c.startswith(f'scenario "{title}"'))
    return clause


def test_the_list_of_kinds_is_complete() -> None:
    domains = workbench.load("cardgame").model.domains

    assert [*domains["development"].members, *domains["event"].members] == KINDS
    assert len(KINDS) == 51


@pytest.mark.parametrize("kind", KINDS)
def test_a_scenario_fails_without_the_effect_of_a_card(kind: str, deep: bool) -> None:
    if kind not in QUICK and not deep:
        pytest.skip("one card in nine, all of them with --deep")

    assert list(failing(kind)), f"no scenario shows what {kind} does"
