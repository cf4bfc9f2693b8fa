"""Hypothesis state machine that plays a rule file and checks its invariants.

A game that breaks an invariant is shrunk here, by leaving out events. This takes
seconds, while Hypothesis would take minutes.
"""

from collections.abc import Mapping
from random import Random
from typing import Any, ClassVar

import hypothesis.strategies as st
from hypothesis import Phase, settings
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

from interpreter import Game, check_invariant
from rulebook import Rulebook
from workbench.analysis.simulation.setting_variations import (
    random_choice,
    start_with_given_chance,
)
from workbench.analysis.simulation.settings import Settings
from workbench.testing.rule_tests.suite import is_broken, shrink_invariant
from workbench.testing.scenarios.from_records import failure_scenario
from workbench.testing.strategies.game_strategy import EVENTS, apply_choice
from workbench.testing.strategies.starts import SEEDS, starts

EVENTS_PER_STRETCH = 50
MAX_CHOICE_NUMBER = 2**16
CHANCE = "chance"


class InvariantBroken(AssertionError):
    """Raised if an invariant is false; its message ends with the game's record.

    If possible, a `scenario` that shows the failure precedes the record.
    """

    def __init__(
        self, title: str, message: str, record: str, scenario: str | None = None
    ) -> None:
        events = record.count("\n") - 1
        scenario_text = "" if scenario is None else f"as a scenario:\n{scenario}"
        super().__init__(
            f"the invariant “{title}” is broken after {events} events\n{message}\n"
            f"{scenario_text}record, to be read by `rulebook replay`:\n{record}"
        )
        self.title = title
        self.scenario = scenario
        self.record = record
        self.events = events


class GameMachine(RuleBasedStateMachine):
    """State machine that plays games of a rule file and checks its invariants.

    Create it for a book with `machine_for`.
    """

    book: ClassVar[Rulebook]
    settings_strategy: ClassVar[st.SearchStrategy[Settings]]
    fixed_settings: ClassVar[Settings] = Settings()
    drawn_settings: Settings = Settings()
    game: Game | None = None

    @initialize(data=st.data())
    def start(self, data: st.DataObject) -> None:
        """Start a game with drawn settings."""
        self.drawn_settings = data.draw(self.settings_strategy, label="settings")
        self.game = self.begin()

    def begin(self) -> Game:
        """Return a new game with the drawn settings."""
        return start_with_given_chance(self.book, self.drawn_settings)

    @precondition(lambda self: self.game is not None and self.game.to_act == CHANCE)
    @rule(number=st.integers(0, MAX_CHOICE_NUMBER))
    def apply_outcome(self, number: int) -> None:
        """Apply the chance outcome at index *number*, modulo the number of outcomes."""
        assert self.game is not None
        apply_choice(self.game, number)

    @precondition(
        lambda self: self.game is not None and self.game.to_act not in {None, CHANCE}
    )
    @rule(number=st.integers(0, MAX_CHOICE_NUMBER))
    def decide(self, number: int) -> None:
        """Apply the legal action at index *number*, modulo the number of actions."""
        assert self.game is not None
        apply_choice(self.game, number)

    @precondition(lambda self: self.game is not None and self.game.to_act is not None)
    @rule(seed=SEEDS)
    def play_randomly(self, seed: int) -> None:
        """Play several random events, with chance outcomes drawn by their odds."""
        assert self.game is not None
        rng = Random(seed)
        for _ in range(EVENTS_PER_STRETCH):
            if self.game.to_act is not None:
                self.game.apply(random_choice(self.game, rng))
                self.check_rule_invariants()

    @precondition(lambda self: self.game is not None and self.game.to_act is None)
    @rule()
    def do_nothing(self) -> None:
        """Do nothing, because the game is over."""

    @invariant()
    def check_rule_invariants(self) -> None:
        """Check every invariant of the rule file."""
        for assertion in self.book.model.invariants:
            if self.game is not None and is_broken(self.game, assertion):
                short, _ = shrink_invariant(
                    self.game, assertion, self.drawn_settings, self.fixed_settings
                )
                verdict = check_invariant(short, assertion)
                message = f"{verdict.message} ({verdict.file}:{verdict.line})"
                scenario = failure_scenario(short, assertion)
                raise InvariantBroken(assertion.title, message, short.record, scenario)


def machine_for(
    book: Rulebook,
    *,
    players: int | None = None,
    options: Mapping[str, Any] | None = None,
    events: int = EVENTS,
    **hypothesis_settings: Any,
) -> type[GameMachine]:
    """Return the state machine of a book; `hypothesis_settings` are settings of
    Hypothesis.

    Its `TestCase` is a `unittest.TestCase`; `run_state_machine_as_test` also runs it.
    All health checks of Hypothesis are on, whatever its profile sets. A false invariant
    raises `InvariantBroken`. Raise `UsageError` for unknown settings.
    """
    attributes = {
        "book": book,
        "settings_strategy": starts(book, players=players, options=options, board=True),
        "fixed_settings": Settings(players=players, options=dict(options or {})),
    }
    machine = type(f"GameMachine_{book.name}", (GameMachine,), attributes)
    default_settings = {
        "deadline": None,
        "stateful_step_count": events,
        "print_blob": False,
        "suppress_health_check": (),
        "phases": (Phase.explicit, Phase.reuse, Phase.generate),
    }
    chosen_settings = settings(**{**default_settings, **hypothesis_settings})
    machine.TestCase.settings = chosen_settings  # type: ignore[attr-defined]
    return machine
