"""Every requirement of a game has a scenario in which only it fails. Requirements,
options and scenarios come from the checked book.
"""

from functools import cache

import pytest

from interpreter.rule_tests.scenarios import ActionCall, ScenarioRun
from rulebook import Rulebook
from rulebook.model import Does, Expect, SetOption
from tests.support.sentences import TEXTS, Text
from workbench import load

GAMES = [text for text in TEXTS if text.game in ("germany", "cardgame")]


class Watched(ScenarioRun):
    """Scenario that records which requirements fail when an action is illegal."""

    def __init__(self, book: Rulebook, scenario: object) -> None:
        super().__init__(book, scenario)  # type: ignore[arg-type]
        self.refused: list[tuple[str, frozenset[str]]] = []
        self.legal: set[str] = set()

    def apply_action(self, node: Does) -> None:
        super().apply_action(node)
        self.legal.add(node.action)

    def check_legality(self, node: Expect) -> None:
        super().check_legality(node)
        if node.legal:
            self.legal.add(node.action)
            if node.price is not None:  # with one card less, the action is illegal
                self.refused.append((node.action, frozenset({"pays"})))
        elif node.because is not None:
            self.refused.append((node.action, self.failing(node)))

    def failing(self, node: Expect) -> frozenset[str]:
        """Return the labels of all requirements that are not met."""
        call, s = ActionCall(self, node), self.state.s
        frame = self.plan.units[call.planned_action.unit].frame(
            self.seat(node.player), False
        )
        for parameter, value in zip(
            call.planned_action.action.parameters, call.values, strict=True
        ):
            frame[parameter.slot + 2] = value
        return frozenset(
            need.label for need, test in call.planned_action.tests if not test(s, frame)
        )


@cache
def watched(game: str) -> tuple[Watched, ...]:
    """Return the scenarios of a game after running them."""
    book = load(game)
    stages = []
    for scenario in book.model.scenarios:
        stage = Watched(book, scenario)
        stage.play()
        stages.append(stage)
    return tuple(stages)


@pytest.fixture(scope="module", params=GAMES, ids=lambda text: text.game)
def text(request: pytest.FixtureRequest) -> Text:
    parameter: Text = request.param
    return parameter


@pytest.fixture(scope="module")
def book(text: Text) -> Rulebook:
    return load(text.game)


def test_every_requirement_fails_alone_in_a_scenario(
    text: Text, book: Rulebook
) -> None:
    alone = {
        (action, *failing)
        for stage in watched(text.game)
        for action, failing in stage.refused
        if len(failing) == 1
    }
    wanted = {
        (action.name, need.label)
        for action in book.model.actions.values()
        for need in action.requirements
    }

    assert sorted(wanted - alone - text.never_alone) == []
    assert wanted >= text.never_alone


def test_every_action_is_legal_in_a_scenario(text: Text, book: Rulebook) -> None:
    legal = set().union(*(stage.legal for stage in watched(text.game)))

    assert sorted(book.model.actions.keys() - legal) == []


def test_every_option_is_set_in_a_scenario(book: Rulebook) -> None:
    set_to = {
        node.option
        for scenario in book.model.scenarios
        for _, statements in scenario.steps
        for node in statements
        if isinstance(node, SetOption)
    }

    assert sorted(book.options.keys() - set_to) == []
