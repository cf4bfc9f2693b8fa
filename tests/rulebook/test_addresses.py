"""Addresses of clauses: written, parsed, and in words."""

import pytest

from rulebook.addresses import Address, sort_of
from rulebook.tooling import phase_of, phase_unit

WRITTEN = {
    "action.build": Address("action", "build"),
    "define.reach(player,space)": Address(
        "define", "reach", parameter_kinds="player,space"
    ),
    "define.total()": Address("define", "total", parameter_kinds=""),
    "setup": Address("setup"),
    "before each round": Address("before each round"),
    "hint.colour.crow": Address("hint", "colour", ("crow",)),
    "award.largest.gained": Address("award", "largest", ("gained",)),
    'scenario "Two pay. (Nobody else.)"': Address(
        "scenario", "Two pay. (Nobody else.)"
    ),
}


@pytest.mark.parametrize("text", WRITTEN)
def test_an_address_survives_a_round_trip(text: str) -> None:
    assert Address.parse(text) == WRITTEN[text]
    assert str(WRITTEN[text]) == text


@pytest.mark.parametrize(
    ("text", "short", "called", "spoken", "last"),
    [
        ("action.build", "action.build", "build", "action build", "build"),
        ("define.a(player)", "define.a", "a", "define a", "a"),
        ("setup", "setup", "", "setup", "setup"),
        ("hint.a.b", "hint.a.b", "a.b", "hint a b", "b"),
        ('scenario "A. B"', 'scenario "A. B"', "A. B", 'scenario "A. B"', "A. B"),
    ],
)
def test_texts_of_an_address(
    text: str, short: str, called: str, spoken: str, last: str
) -> None:
    address = Address.parse(text)

    assert str(address.short) == short
    assert (address.without_sort, address.description, address.last_word) == (
        called,
        spoken,
        last,
    )


def test_only_scenarios_and_invariants_are_tests() -> None:
    assert Address.parse('invariant "x"').is_test
    assert not Address.parse("rule.scenario").is_test


def test_a_phase_is_a_procedure_of_its_name() -> None:
    assert phase_of(phase_unit("main")) == "main"
    assert phase_of("turning") is None
    assert sort_of("end_of_day") == "end_of_day"
