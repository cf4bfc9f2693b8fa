"""The printed rules contain everything in the file, in the right place."""

import re

import pytest

from rulebook import Address, loads
from rulebook import model as m
from rulebook.tooling import effects_within, find
from tests.printing.pages import GAMES, QUICK, book, page, printed
from workbench.presentation.printing.pages import (
    PageSection,
    PrintedPage,
    lines_of,
    rows_of,
    text_of,
)
from workbench.presentation.printing.sentences.text_runs import unstyled

NO_RULES = {"scenario", "invariant", "hint", "colour", "drawing", "payments", "points"}
NO_RULES |= {"measure"}
"""Sorts of clauses that are printed elsewhere, or are not rules."""
RENAMED = {
    "before each round": "before_round",
    "after each round": "after_round",
    "skip": "define.skip",
}


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest, *, deep: bool) -> str:
    variant = str(request.param)
    if variant not in QUICK and not deep:
        pytest.skip("a longer run prints all the examples")
    return variant


def wanted(game: str) -> set[str]:
    """Return the places that must be on the page of a game."""
    model = book(game).model
    needs = {
        f"action.{action.name}.{need.label}"
        for action in model.actions.values()
        for need in action.requirements
        if not action.inline
    }
    cards = {
        card
        for domain in model.domains.values()
        if domain.sort is m.DomainSort.CARDS and not domain.axes
        for card in domain.members
    }
    return {
        *needs,
        *(f"cost.{name}" for name in model.costs),
        *(f"award.{name}" for name in model.awards),
        *(f"option.{name}" for name in model.options),
        *(f"phase.{name}" for name in model.phases),
        *(f"points.{line.label}" for line in model.points.lines),
        *(f"rule.{name}" for name in model.rules),
        *(f"piece.{name}" for name in model.pieces),
        *(f"card {card}" for card in cards),
    }


@pytest.mark.parametrize("language", ["en", "de"])
def test_everything_in_the_file_is_on_the_page(game: str, language: str) -> None:
    places = page(game, language).section_numbers()
    rows = {
        f"card {place.rpartition('.')[2]}"
        for place in places
        if place.startswith(("cards.", "card."))
    }

    assert wanted(game) - places.keys() - rows == set()


def test_every_clause_has_its_place(game: str) -> None:
    rules, places = book(game), page(game).section_numbers()
    asked = {place for place in places if place.startswith("define.")}

    missing = {
        address
        for address in rules.clauses
        if Address.parse(address).sort not in NO_RULES | {"limit", "define"}
        and RENAMED.get(address, address) not in places
        and not is_shown_otherwise(address, game)
    }
    assert missing == set()
    assert asked or not rules.model.defines


def is_shown_otherwise(address: str, game: str) -> bool:
    """Return whether a clause has no separate place: a card's text without a row."""
    model = book(game).model
    parsed = Address.parse(address)
    if parsed.sort == "value" or address == "hint value":
        return True
    if parsed.sort == "dice":
        return parsed.name in model.fields
    return parsed.sort in {"look", "style", "team"}


def test_fields_that_are_not_shown_are_not_listed() -> None:
    text = """rules language 1
rulebook ladder "A ladder"
  players 2
  turns 5
game has
  height: 0 to 9
  last_height: 0 to 9, not shown
action climb
  set last_height to height
turn
  phase only
    you do climb
"""
    sections = [part for _, _, part in printed(loads(text)).numbered_sections()]

    titles = [unstyled(row.cells[0]) for part in sections for row in rows_of(part)]
    assert "Height" in titles
    assert "Last height" not in titles


def test_every_chance_event_is_listed(game: str) -> None:
    model = book(game).model
    units: list[m.Procedure | m.Action] = []
    units += [*model.procedures.values(), *model.actions.values()]
    events = {effects.event for effects in effects_within(units)} - {None}

    places = page(game).section_numbers()
    assert {f"chance.{event}" for event in events} <= places.keys()


def test_every_used_definition_is_explained(game: str) -> None:
    model = book(game).model
    units = [*model.procedures.values(), *model.rules.values(), *model.awards.values()]
    asked = {call.define for unit in units for call in find(unit, m.CallDefine)}

    places = page(game).section_numbers()
    plain = {name for name in asked if model.defines[name].action is None}
    assert {f"define.{name}" for name in plain} <= places.keys()


@pytest.mark.parametrize("language", ["en", "de"])
def test_sentences_are_complete(game: str, language: str) -> None:
    for text in texts(page(game, language)):
        assert not re.search(r"\{\w+\}|\(\)|  |::|“”|„“", text), text


def texts(page: PrintedPage) -> list[str]:
    parts = [part for _, _, part in page.numbered_sections()]
    lines = [unstyled(line.text) for part in parts for line in lines_of(part)]
    cells = [
        unstyled(cell) for part in parts for row in rows_of(part) for cell in row.cells
    ]
    return [*lines, *cells, *(unstyled(part.title) for part in parts)]


def test_chapters_are_in_learning_order() -> None:
    titles = [unstyled(part.title) for part in page("germany").parts]

    assert titles == [
        "Components",
        "Set-up",
        "A turn",
        "Actions",
        "Procedures",
        "Chance events",
        "Awards",
        "Rules that always apply",
        "Points",
        "End of the game",
        "The cards",
        "Definitions",
        "Options",
        "At a glance",
        "Index of citations",
    ]


ROAD = """Build a road
In short: one road on a path, and it continues what you have.
Choose a path.
You pay 1 lumber and 1 brick into the supply.
Only if there is no road on the path: “only one road may be built on a path”.
"""


def test_an_action_in_words() -> None:
    told = {place: text_of(part) for place, part in by_place(page("germany")).items()}

    assert told["action.build_road"].startswith(ROAD)
    assert "Place one of your roads on the path." in told["action.build_road"]
    assert "If the total is 7: Resolve seven." in told["phase.production"]


STRASSE = """Straße bauen
Wähle: Weg.
Du bezahlst 1 Holz und 1 Lehm in Vorrat.
Nur wenn gilt: Weg ist ohne Straße – „auf einem Weg liegt höchstens eine Straße“.
"""


def test_an_action_in_german() -> None:
    parts = by_place(page("germany", "de"))

    assert text_of(parts["action.build_road"]).startswith(STRASSE)


def by_place(page: PrintedPage) -> dict[str, PageSection]:
    return {part.place: part for _, _, part in page.numbered_sections() if part.place}


def test_cited_passages_are_in_the_index() -> None:
    index = page("germany").parts[-1]
    rows = [[unstyled(cell) for cell in row.cells] for row in rows_of(index)]
    building = next(row for row in rows if row[:2] == ["en", "Building roads"])
    number = page("germany").section_numbers()["action.build_road"]

    assert number in building[2].split(", ")
    assert ["de", "Straße bauen"] not in [row[:2] for row in rows]


def test_german_pages_cite_german_texts() -> None:
    rows = [
        [unstyled(cell) for cell in row.cells]
        for row in rows_of(page("germany", "de").parts[-1])
    ]

    assert "de" in {row[0] for row in rows}
    assert "Straße bauen" in {row[1] for row in rows}
