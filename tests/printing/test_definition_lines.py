"""Printed lines of definitions say exactly what the engines compute."""

import re
from collections.abc import Iterator, Sequence
from itertools import product

import pytest

import rulebook
from interpreter.expressions.definitions import lowered_function
from interpreter.kernel.evaluator import Evaluator
from interpreter.planning import plan_for
from rulebook import Rulebook
from tests.printing.pages import printed
from workbench.presentation.printing.pages import lines_of
from workbench.presentation.printing.sentences.text_runs import unstyled

NAMES = "abcdef"
HEAD = """
rules language 1
rulebook lines "Lines"
  players 2
  turns 5
kind good (goods): wood, clay
action go
  needs met: {use}  "no"
  stop
turn
  phase work
    you may do go
define it({given}): {type}
"""


def definition(lines: Sequence[str], type: str = "yes/no") -> Rulebook:
    """Return a game with a definition `it` of numbers called `a` to `f`."""
    given = ", ".join(f"0 to 1 {name}" for name in NAMES)
    call = f"it({', '.join('1' * len(NAMES))})"
    use = {
        "yes/no": call,
        "bag of good": f"{call} is empty",
        "set of good": f"wood is in {call}",
    }.get(type, f"{call} is {call}")
    head = HEAD.format(use=use, given=given, type=type)
    return rulebook.loads(
        head + "".join(f"  {line}\n" for line in lines), "lines.rules"
    )


def texts(rules: Rulebook, language: str = "en") -> list[str]:
    for _, _, part in printed(rules, language).numbered_sections():
        if part.place.startswith("define.it"):
            return [unstyled(line.text) for line in lines_of(part)]
    raise AssertionError("`it` is not printed")


# -------------------------------------------------------------------- conditions

SHAPES = ("{0} > 0", "{0} > 0 if {1} > 0", "yes if {0} > 0", "no if {0} > 0")
LAST_SHAPES = (*SHAPES, "otherwise yes", "otherwise no", "otherwise {0} > 0")


def mixtures() -> Iterator[tuple[str, ...]]:
    """Yield the lines of definitions with one to three lines."""
    for number in (1, 2, 3):
        for shapes in product(*[SHAPES] * (number - 1), LAST_SHAPES):
            if number > 1 or not shapes[0].startswith("otherwise"):
                yield tuple([s.format(*NAMES[2 * at :]) for at, s in enumerate(shapes)])


WORDS = {
    "en": {
        "atom": r"(\w) is more than 0",
        "and": " and ",
        "case": r"(?:If|Otherwise, if) (.*), (?:this|it) is true exactly if (.*)\.",
        "if": r"(?:This|Otherwise it) is true if (.*)\.",
        "not if": r"(?:This|Otherwise it) is not true if (.*)\.",
        "yes": r"This is always true\.|Otherwise it is true\.",
        "no": r"This is never true\.|Otherwise it is not true\.",
        "otherwise": "Otherwise",
    },
    "de": {
        "atom": r"(\w) ist mehr als 0",
        "and": " und ",
        "case": (
            r"(?:Wenn|Sonst, wenn) gilt: (.*?),(?: dann)? trifft (?:das|es) genau dann"
            r" zu, wenn gilt: (.*)\."
        ),
        "if": r"(?:Das trifft|Sonst trifft es) zu, wenn gilt: (.*)\.",
        "not if": r"(?:Das trifft|Sonst trifft es) nicht zu, wenn gilt: (.*)\.",
        "yes": r"Das trifft immer zu\.|Sonst trifft es zu\.",
        "no": r"Das trifft nie zu\.|Sonst trifft es nicht zu\.",
        "otherwise": "Sonst",
    },
}


def meaning(lines: Sequence[str], language: str, values: dict[str, int]) -> bool:
    """Return what a reader understands from printed lines.

    Lines without “Otherwise” apply together; they may not contradict each other.
    """
    words = WORDS[language]

    def holds(text: str) -> bool:
        atoms = [re.fullmatch(words["atom"], x) for x in text.split(words["and"])]
        return all(x is not None and values[x[1]] > 0 for x in atoms)

    verdicts: set[bool] = set()
    for line in lines:
        if line.startswith(words["otherwise"]) and verdicts:
            break
        if match := re.fullmatch(words["case"], line):
            if holds(match[1]):
                verdicts.add(holds(match[2]))
        elif match := re.fullmatch(words["if"], line):
            verdicts |= {True} if holds(match[1]) else set()
        elif match := re.fullmatch(words["not if"], line):
            verdicts |= {False} if holds(match[1]) else set()
        else:
            is_yes = re.fullmatch(words["yes"], line) is not None
            assert is_yes or re.fullmatch(words["no"], line), line
            verdicts.add(is_yes)
    assert len(verdicts) < 2, lines
    return verdicts == {True}


def test_lines_of_a_condition_say_what_the_engine_computes() -> None:
    for lines in mixtures():
        rules = definition(lines)
        (define,) = (x for x in rules.model.defines.values() if x.sentence == "it")
        function = lowered_function(plan_for(rules, 2, {}).facts, define)
        read = {language: texts(rules, language) for language in WORDS}
        used = [name for name in NAMES if f"{name} >" in " ".join(lines)]
        for numbers in product((0, 1), repeat=len(used)):
            values = dict(zip(used, numbers, strict=True))
            given = [values.get(name, 0) for name in NAMES]
            bound = dict(zip(function.slots, given, strict=True))
            result = bool(Evaluator(bound=bound).result(function))
            for language, own in read.items():
                assert meaning(own, language, values) is result, (lines, own, values)


def test_line_with_a_condition_hides_the_alternatives_below_it() -> None:
    rules = definition(["a > 0 if b > 0", "c > 0", "d > 0"])

    assert texts(rules) == [
        "If b is more than 0, this is true exactly if a is more than 0.",
        "Otherwise it is true if c is more than 0.",
        "Otherwise it is true if d is more than 0.",
    ]


def test_alternatives_above_the_last_line_are_not_chained() -> None:
    assert texts(definition(["a > 0", "b > 0 or c > 0 if d > 0"])) == [
        "This is true if a is more than 0.",
        "This is true if d is more than 0 and (b is more than 0 or c is more than 0).",
    ]


# -------------------------------------------------------------------- values


@pytest.mark.parametrize(
    ("language", "lines"),
    [
        (
            "en",
            [
                "The first line that applies counts.",
                "3, if a is more than 0.",
                "5, if b is more than 0.",
                "Otherwise 0.",
            ],
        ),
        (
            "de",
            [
                "Es gilt die erste Zeile, die zutrifft.",
                "3, wenn gilt: a ist mehr als 0.",
                "5, wenn gilt: b ist mehr als 0.",
                "Sonst 0.",
            ],
        ),
    ],
)
def test_first_of_several_numbers_counts(language: str, lines: list[str]) -> None:
    rules = definition(["3 if a > 0", "5 if b > 0"], "0 to 5")

    assert texts(rules, language) == lines


def test_exclusive_lines_need_no_order() -> None:
    rules = definition(["odd: 3 if a + b = 1", "even: 5 if a + b = 2"], "0 to 5")

    assert texts(rules) == [
        "3, if (a + b) is 1.",
        "5, if (a + b) is 2.",
        "Otherwise 0.",
    ]


@pytest.mark.parametrize(
    ("type", "line", "rest"),
    [
        (
            "player or none",
            "(the first player in players) if a > 0",
            "Otherwise nobody.",
        ),
        ("good or none", "wood if a > 0", "Otherwise nothing."),
        ("bag of good", "(bag over good of 1) if a > 0", "Otherwise nothing."),
        (
            "set of good",
            "(every good where good is wood) if a > 0",
            "Otherwise nothing.",
        ),
    ],
)
def test_value_without_an_applicable_line_is_printed(
    type: str, line: str, rest: str
) -> None:
    assert texts(definition([line], type))[-1] == rest
