"""For Python tests: made-up games of any rule file, with Hypothesis.

`games` is a strategy of games that were played legally; `GameMachine` plays and tests
the invariants of the file after every event. What they draw are places in the list of
what is possible, and seeds of stretches played at random. A game that breaks an
invariant is shrunk here, by leaving events out, which takes seconds where Hypothesis
takes minutes. The only room that imports Hypothesis, which `rulebook-lang[test]` brings
along.
"""

from collections.abc import Mapping
from functools import partial
from random import Random
from typing import Any, ClassVar

import hypothesis.strategies as st
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

from interpreter import Game, check_invariant
from rulebook import Rulebook
from workbench.rule_tests.shrinking import shortest
from workbench.rule_tests.suite import is_broken
from workbench.simulation.generation import at_random, begun, variations
from workbench.simulation.settings import Settings

__all__ = ["GameMachine", "InvariantBroken", "games", "machine_for"]

EVENTS = 200
STRETCH = 50
PLACES = 2**16
CHANCE = "chance"


class InvariantBroken(AssertionError):
    """An invariant does not hold; the message ends with the record of the game."""

    def __init__(self, title: str, message: str, record: str) -> None:
        events = record.count("\n") - 1
        super().__init__(
            f"the invariant “{title}” is broken after {events} events\n{message}\n"
            f"record, to be read by `rulebook replay`:\n{record}"
        )
        self.title = title
        self.record = record
        self.events = events


def starts(book: Rulebook, base: Settings) -> st.SearchStrategy[Settings]:
    """The settings to begin with: as the rules are, or one option otherwise."""
    every = list(variations(book, base))
    plain = [variation for variation in every if variation.options == base.options]
    return st.sampled_from(plain) | st.sampled_from(every)


def act(game: Game, place: int) -> None:
    """Let happen what stands at a place (counted round) of what is possible."""
    legal = game.legal_actions()
    assert legal, f"{game.to_act} must decide and has nothing to choose"
    game.apply(legal[place % len(legal)])


@st.composite
def games(
    draw: st.DrawFn,
    book: Rulebook,
    *,
    players: int | None = None,
    options: Mapping[str, Any] | None = None,
    events: int = EVENTS,
    chance: str = "given",
) -> Game:
    """Games that were played legally for up to so many events, of any settings.

    With `chance="drawn"` a seed is drawn, else every outcome of chance.
    """
    base = Settings(players=players, options=dict(options or {}))
    chosen = draw(starts(book, base))
    seed = draw(st.integers(0, 2**32 - 1)) if chance == "drawn" else None
    game = chosen.start(book, seed=seed, chance=chance)
    for _ in range(draw(st.integers(0, events))):
        if game.to_act is None:
            break
        act(game, draw(st.integers(0, len(game.legal_actions()) - 1)))
    return game


class GameMachine(RuleBasedStateMachine):
    """Plays games of a rule file and tests its invariants after every event.

    Made for a book by `machine_for`.
    """

    book: ClassVar[Rulebook]
    base: ClassVar[Settings] = Settings()
    chosen: Settings = Settings()
    game: Game | None = None

    @initialize(data=st.data())
    def start(self, data: st.DataObject) -> None:
        """Start a game."""
        self.chosen = data.draw(starts(self.book, self.base), label="settings")
        self.game = self.begin()

    def begin(self) -> Game:
        """The game as it begins."""
        return begun(self.book, self.chosen)

    @precondition(lambda self: self.game is not None and self.game.to_act == CHANCE)
    @rule(place=st.integers(0, PLACES))
    def happen(self, place: int) -> None:
        """An outcome of the chance event that is due."""
        assert self.game is not None
        act(self.game, place)

    @precondition(
        lambda self: self.game is not None and self.game.to_act not in {None, CHANCE}
    )
    @rule(place=st.integers(0, PLACES))
    def decide(self, place: int) -> None:
        """A legal action."""
        assert self.game is not None
        act(self.game, place)

    @precondition(lambda self: self.game is not None and self.game.to_act is not None)
    @rule(seed=st.integers(0, 2**32 - 1))
    def go_on(self, seed: int) -> None:
        """A stretch played at random, with the odds of chance."""
        assert self.game is not None
        numbers = Random(seed)
        for _ in range(STRETCH):
            if self.game.to_act is not None:
                self.game.apply(at_random(self.game, numbers))
                self.holds()

    @precondition(lambda self: self.game is not None and self.game.to_act is None)
    @rule()
    def rest(self) -> None:
        """Nothing: the game is over."""

    @invariant()
    def holds(self) -> None:
        """Every invariant of the file."""
        for assertion in self.book.model.invariants:
            if self.game is not None and is_broken(self.game, assertion):
                wrong = partial(is_broken, invariant=assertion)
                short = shortest(self.begin, self.game.events, wrong)
                verdict = check_invariant(short, assertion)
                message = f"{verdict.message} ({verdict.file}:{verdict.line})"
                raise InvariantBroken(assertion.title, message, short.record)


def machine_for(
    book: Rulebook,
    *,
    players: int | None = None,
    options: Mapping[str, Any] | None = None,
    events: int = EVENTS,
    **more: Any,
) -> type[GameMachine]:
    """The machine of a book; `more` are settings of Hypothesis.

    Its `TestCase` is a `unittest.TestCase`; `run_state_machine_as_test` runs it too.
    """
    chosen = Settings(players=players, options=dict(options or {}))
    machine = type(
        f"GameMachine_{book.name}", (GameMachine,), {"book": book, "base": chosen}
    )
    usual = {
        "deadline": None,
        "stateful_step_count": events,
        "suppress_health_check": list(HealthCheck),
        "print_blob": False,
        "phases": (Phase.explicit, Phase.reuse, Phase.generate),
    }
    chosen_settings = settings(**{**usual, **more})
    machine.TestCase.settings = chosen_settings  # type: ignore[attr-defined]
    return machine
