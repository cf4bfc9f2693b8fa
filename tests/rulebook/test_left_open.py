"""Expectations of a library: they must be defined, unless the library has a default."""

from pathlib import Path

import pytest

from rulebook import Rulebook, RulesError, loads

CAMPS = Path(__file__).parents[2] / "docs" / "diagnostics" / "camps.rules"

LIBRARY = """rules language 1
rulebook library "What is left open"
  extends camps

EXPECTED

in action pitch
  at the end: greet(fare)
"""

FARE, GREET = "expect define fare: 0 to 9", "expect to greet(0 to 9 much)"
HIGHER = "to greet(0 to 9 much)\n  set height to much"
SAID = "define fare: 0 to 9 = 4"


def laid(expected: str, *above: str) -> Rulebook:
    """Return a game over the library, with each text as a separate file over it."""
    files = {"camps": CAMPS.read_text()}
    files["library"] = LIBRARY.replace("EXPECTED", expected)
    names = [f"house{number}" for number in range(len(above))]
    files |= {
        name: f"extends library\n\n{text}\n"
        for name, text in zip(names, above, strict=True)
    }
    top = "library" if not names else names[0]
    if len(names) > 1:
        top = "both"
        files[top] = f'rules language 1\nrulebook {top} "Both"\n'
        files[top] += f"  extends {', '.join(names)}\n"
    return loads(files[top], top, files.get)


def mistakes(expected: str, *above: str) -> list[tuple[str, str]]:
    with pytest.raises(RulesError) as caught:
        laid(expected, *above)
    return [
        (diagnostic.code, diagnostic.message) for diagnostic in caught.value.diagnostics
    ]


PLAIN = laid(f"{FARE}\n{GREET}", f"{SAID}\n\n{HIGHER}")


@pytest.mark.parametrize(
    ("expected", "said"),
    [
        (f'{FARE} = 4 "what it costs"\n{GREET}\n  set height to much', SAID),
        (f"{FARE}\n  dear: 4 if height > 2\n  otherwise 1\n\n{HIGHER}", ""),
    ],
)
def test_a_default_applies_if_no_file_defines_the_clause(
    expected: str, said: str
) -> None:
    said = said or f"{FARE[7:]}\n  dear: 4 if height > 2\n  otherwise 1"
    book = laid(expected)

    assert book.digest == laid(f"{FARE}\n{GREET}", f"{said}\n\n{HIGHER}").digest
    assert book.clauses["define.fare()"].span.file == "library"


@pytest.mark.parametrize("word", ["", "replace "])
def test_a_definition_replaces_the_default(word: str) -> None:
    expected = f"{FARE} = 1\n{GREET}, otherwise nothing"
    said = f"{word}{SAID}\n\n{word}{HIGHER}"

    assert laid(expected, said).digest == PLAIN.digest
    assert laid(expected).digest != PLAIN.digest
    assert laid(expected, SAID, HIGHER).digest == PLAIN.digest


def test_a_default_can_be_amended() -> None:
    expected = f"{FARE} = 1\n{GREET}, otherwise nothing"
    book = laid(expected, "in to greet\n  at the beginning: set height to much")

    assert book.digest == laid(expected, f"{HIGHER}\n  stop").digest


def test_rejects_two_definitions_side_by_side() -> None:
    other = HIGHER.replace("much\n  set height to much", "much\n  set height to 2")
    expected = f"{FARE} = 1\n{GREET}, otherwise nothing"

    for order in ((HIGHER, other), (other, HIGHER)):
        told = mistakes(expected, *order)
        assert [code for code, _ in told] == ["RB167"]
        assert "`to greet`" in told[0][1]


def test_an_expectation_without_a_default_must_be_defined() -> None:
    told = mistakes(f'{FARE} "what it costs"\n{GREET} "who comes"')

    assert told == [
        ("RB144", "this rulebook must define `fare` (what it costs)"),
        ("RB144", "this rulebook must contain `to greet(0 to 9 much)` (who comes)"),
    ]


@pytest.mark.parametrize(
    "said",
    ["to greet\n  stop", "to greet(player)\n  stop", "to greet(0 to 5 n)\n  stop"],
)
def test_a_procedure_must_have_the_expected_parameters(said: str) -> None:
    assert ("RB144", "`greet` does not have the expected parameters") in mistakes(
        f"{FARE} = 1\n{GREET}", said
    )


SORTS = {
    "kind": ("weather", "kind weather: sun, rain"),
    "cards": ("boon", "cards boon\n  boon | copies\n  joy  | 1"),
    "spaces": ("yard", "spaces yard\n  yard\n  left"),
    "option": ("pace", 'option pace: yes "how fast"'),
    "cost": ("raft", "costs\n  raft: 1 salt"),
    "piece": ("cart", "piece cart: 1 in all, stands on spot"),
    "action": ("rest_a_while", "action rest_a_while\n  stop"),
    "phase": ("night", "in turn\n  add phase night after day\n    stop"),
    "dice": ("second", "dice first, second: 1 to 6"),
}


@pytest.mark.parametrize("sort", SORTS)
def test_an_expected_name_must_be_declared(sort: str) -> None:
    name, said = SORTS[sort]
    start = f"{FARE} = 1\n{GREET}, otherwise nothing\nexpect {sort} "

    assert mistakes(f'{start}{name} "why"') == [
        ("RB144", f"this rulebook must have {sort} `{name}` (why)")
    ]
    assert laid(f"{start}{name}", said)


@pytest.mark.parametrize("name", ["field", "spot", "lane"])
def test_expected_spaces_may_have_any_shape(name: str) -> None:
    start = f"{FARE} = 1\n{GREET}, otherwise nothing\nexpect spaces {name}"

    assert laid(start).digest == laid(start.rpartition("\n")[0]).digest


def test_a_missing_definition_is_reported_once() -> None:
    """A library that is checked alone reports only what it lacks."""
    used = "each player has\n  boons: bag of boon, seen by owner"
    expected = f"{FARE} = 1\n{GREET}, otherwise nothing\nexpect cards boon\n{used}"

    assert {code for code, _ in mistakes(expected)} == {"RB144"}


def test_rejects_lines_below_otherwise_nothing() -> None:
    told = mistakes(f"{FARE} = 1\n{GREET}, otherwise nothing\n  stop")

    assert told[0] == ("RB018", "`otherwise nothing` cannot have lines below it")


def test_an_expectation_has_no_name_to_replace() -> None:
    assert mistakes(f"{FARE} = 1\n{GREET}\n  stop", f"replace {FARE}")[0][0] == "RB161"


def test_a_house_rule_beside_another_may_leave_something_open() -> None:
    other = "in points\n  add much: player's glory"
    mine = "expect define extra: 0 to 9 = 3"
    expected = f"{FARE} = 1\n{GREET}, otherwise nothing"

    assert laid(expected, mine, other).digest == laid(expected, other, mine).digest


def test_a_faulty_definition_is_not_reported_as_missing() -> None:
    expected = f"expect define spot is dear\n{FARE} = 1\n{GREET}, otherwise nothing"
    told = mistakes(expected, "define spto is dear\n  height = 0")

    assert [code for code, _ in told] == ["RB101"]
