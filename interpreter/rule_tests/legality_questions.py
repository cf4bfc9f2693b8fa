"""Questions from scenarios: may a seat do something in a position, and the answer."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

import rulebook as rb
from interpreter.game import Game
from interpreter.rule_tests.scenarios import ActionCall, ScenarioFailure, ScenarioRun
from rulebook import model as m


@attrs.frozen
class LegalityQuestion:
    """Position, a seat and its action, and whether the action is legal."""

    game: Game
    seat: str
    action: str
    legal: bool


class _QuestionReached(Exception):
    """Raised in a scenario when the question is found."""

    def __init__(self, question: LegalityQuestion) -> None:
        self.question = question


class _Run(ScenarioRun):
    """Execution of a scenario up to one expectation."""

    def __init__(
        self, book: rb.Rulebook, scenario: m.Scenario, expected: m.Expect
    ) -> None:
        super().__init__(book, scenario)
        self.expected = expected

    def check_legality(self, node: m.Expect) -> None:
        """Raise `_QuestionReached` at the expectation, and check the others."""
        super().check_legality(node)
        if node is self.expected:
            seat = self.game.seats[self.seat(node.player)]
            action = ActionCall(self, node).text
            raise _QuestionReached(
                LegalityQuestion(self.game, seat, action, node.legal)
            )


def legality_expectations(scenario: m.Scenario) -> Sequence[m.Expect]:
    """Return the expectations of a scenario that an action is legal or illegal."""
    return [
        node
        for _, statements in scenario.steps
        for node in statements
        if isinstance(node, m.Expect) and node.price is None
    ]


def legality_question(
    book: rb.Rulebook, scenario: m.Scenario, expected: m.Expect
) -> LegalityQuestion | None:
    """Return the question of an expectation, or None if its scenario fails before."""
    try:
        _Run(book, scenario, expected).play()
    except _QuestionReached as reached:
        return reached.question
    except (ScenarioFailure, rb.RulesError):
        return None
    return None
