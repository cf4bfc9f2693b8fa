"""Exercises of a game: may a seat do something in this position?

The questions are those that the scenarios of the rule files answer. The engine gives
the reason for each answer, with the passage of the rules.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import attrs

from interpreter import LegalityQuestion, legality_expectations, legality_question
from rulebook import Rulebook
from rulebook.model import Expect, Scenario
from workbench.presentation.localization.localizer import Localizer
from workbench.presentation.localization.refusals import own_passage
from workbench.presentation.narration.view_text import view_lines
from workbench.web.views.board_view import board_view
from workbench.web.views.cards.costs import cost_rows
from workbench.web.views.cards.hand import hand_data
from workbench.web.views.cards.tableaus import tableaus
from workbench.web.views.choices import argument_texts, refusal_data
from workbench.web.views.click_targets import click_target
from workbench.web.views.symbols import localizer_of, seat_symbols

MAX_QUESTIONS = 64
"""Maximum number of positions in memory."""


@attrs.frozen
class Exercise:
    """Expectation of a scenario."""

    scenario: Scenario
    expected: Expect


@lru_cache(maxsize=16)
def exercises_of(book: Rulebook) -> Sequence[Exercise]:
    """Return the exercises of a game in the order of its scenarios.

    Each scenario clause gives at most one legal and one illegal action; the latter only
    with the requirement that it does not meet.
    """
    exercises: dict[tuple[str, bool], Exercise] = {}
    for scenario in book.model.scenarios:
        for expected in legality_expectations(scenario):
            if expected.legal or expected.because is not None:
                key = (scenario.clause, expected.legal)
                exercises.setdefault(key, Exercise(scenario, expected))
    return tuple(exercises.values())


@lru_cache(maxsize=MAX_QUESTIONS)
def question_of(book: Rulebook, number: int) -> LegalityQuestion | None:
    """Return the position and the question of an exercise, counted from 0."""
    exercise = exercises_of(book)[number]
    return legality_question(book, exercise.scenario, exercise.expected)


@attrs.frozen
class ExerciseView:
    """Exercise as the seat in question sees it, in one language."""

    book: Rulebook
    number: int
    language: str

    @property
    def words(self) -> Localizer:
        """Localizer of the game."""
        return localizer_of(self.book, self.language)

    def content(self, *, answered: bool) -> dict[str, Any] | None:
        """Return the page of the exercise as plain data; None if it cannot be played.

        With `answered`, it contains the answer and the reason.
        """
        question, words = question_of(self.book, self.number), self.words
        if question is None:
            return None
        game, seat = question.game.copy(), question.seat  # pages use several threads
        view, board = game.view(seat), board_view(game, seat, self.language)
        content = {
            "seat": words.title(seat),
            "sign": seat_symbols(self.book, game.seats, self.language)[seat],
            "action": words.action(question.action),
            "board": board,
            "places": [
                click_target(board.positions[name], board.unit)
                for name in argument_texts(question.action)
                if name in board.positions
            ],
            "tableaus": tableaus(
                game, seat, view, words, has_board=bool(board.positions)
            ),
            "costs": list(cost_rows(game, seat, view, words)),
            "hand": hand_data(game, seat, view, words),
            "holdings": [line.strip() for line in view_lines(view, game.seats, words)],
        }
        if answered:
            content["legal"] = question.legal
            content["why"] = refusal_data(game.why(question.action, seat), words)
            content["passage"] = self.passage()
        return content

    def passage(self) -> tuple[str, str] | None:
        """Return the heading and the source that the scenario cites, or None.

        A source in the reader's language is preferred.
        """
        cites = exercises_of(self.book)[self.number].scenario.cites
        if not cites:
            return None
        first = cites[0]
        source = self.book.sources.get(first.source, first.source)
        return own_passage(cites, self.words) or (first.heading, source)
