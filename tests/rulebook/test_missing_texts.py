"""Missing texts are warnings, and listed by `rulebook coverage`."""

from __future__ import annotations

import pytest

from rulebook import examine_text
from rulebook.syntax import TextSort
from rulebook.tooling import Moments, moments_without_text

RULES = """rules language 1
rulebook thieves "Thieves"
  players 3
  seats red, blue, green
  turns 30

kind good: salt, silk

each player has
  pack: bag of good, seen by owner, starts with 3 of each

action rob(player victim, good wanted)
  step loot: move a random card from victim's pack to your pack

action trip(good bought, good sold)
  move up to 1 sold from your pack to your pack

turn
  phase night
    step act: you do rob, trip(salt)
  phase day
    you gather 1 to 2 good in your pack as offered

points of player
  none: 0

words en
  rob = "rob {victim}"

words de
  rob = "{victim} ausrauben"

questions en
  night      = "What do you do?"
  rob.victim = "Whom do you rob?"
  rob.wanted = "What do you want?"

questions de
  night      = "Was tust du?"
  rob        = "Wen beraubst du?"

reports en
  rob  = "{you} stole {loot} ({wanted}) from {victim}.", "{you} robbed {victim}."
  trip = "{you} sold {sold}."

reports de
  rob  = "{you} hat {victim} beraubt ({wanted})."
  loot = "Beute: {loot}", "Beute"
  trip = "{you} hat {sold} verkauft."
"""


def warnings(text: str) -> list[tuple[int, str]]:
    book, diagnostics = examine_text(text)
    assert book is not None
    assert {each.severity for each in diagnostics} <= {"warning"}
    return [(each.span.line, each.message) for each in diagnostics]


def line_of(text: str, line: str) -> int:
    return text[: text.index(line)].count("\n") + 1


def test_questions_of_an_action_and_of_its_parameter_are_equal() -> None:
    """A parameter that every offer gives need not be named either."""
    assert warnings(RULES) == []


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (
            'questions en\n  offered = "Which?"\n',
            "`de` has titles, but lacks questions that `en` has: `offered`",
        ),
        (
            'reports de\n  offered = "{you}: {offered}"\n',
            "`en` has titles, but lacks reports that `de` has: `offered`",
        ),
    ],
)
def test_a_language_with_titles_lacks_texts_of_another(
    texts: str, message: str
) -> None:
    place = "words de" if "`de` has titles" in message else "words en"

    assert warnings(RULES + texts) == [(line_of(RULES, place), message)]


def test_a_report_that_omits_a_parameter_is_a_warning() -> None:
    text = RULES.replace(" ({wanted})", "")
    message = (
        "this report of `rob` does not name `wanted`, so actions that differ only in it"
        " read alike"
    )

    assert [each for _, each in warnings(text)] == [message, message]
    silent = text.replace('rob  = "{you} hat {victim} beraubt."', 'rob  = ""')
    assert [each for _, each in warnings(silent)] == [message]


def test_moments_without_texts_are_listed() -> None:
    book, _ = examine_text(RULES)
    assert book is not None

    def missing(sort: TextSort, language: str) -> list[str]:
        texts = book.questions if sort is TextSort.QUESTIONS else book.reports
        return moments_without_text(Moments(book.model), sort, texts.get(language, {}))

    assert missing(TextSort.QUESTIONS, "en") == ["offered", "trip.sold"]
    assert missing(TextSort.QUESTIONS, "de") == ["offered", "trip.sold"]
    assert missing(TextSort.REPORTS, "en") == ["offered"]
    assert missing(TextSort.REPORTS, "de") == ["offered"]
    assert missing(TextSort.REPORTS, "fr") == ["rob", "trip", "offered", "loot"]
    assert missing(TextSort.QUESTIONS, "fr") == [
        "night",
        "offered",
        "rob.victim",
        "rob.wanted",
        "trip.sold",
    ]
