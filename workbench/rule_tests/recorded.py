"""The scenario of a record: what goes wrong at a step, else what the step does."""

from collections.abc import Sequence

from interpreter import Game
from workbench.rule_tests.suite import is_broken
from workbench.scenarios.making import Made, of_failure, of_invariant, of_step
from workbench.scenarios.tales import choices, failing
from workbench.scenarios.words import Event


def of_events(
    begin: Game, events: Sequence[Event], wrong: Event | None, *, whole: bool = False
) -> Made | None:
    """The scenario of the last step of a game, None where lines cannot say it.

    It is of the event that does not agree with the rules, of an invariant that is
    broken, of a choice that fails, or of what the last event has changed.
    """
    if wrong is not None:
        return of_failure(begin, events, wrong, whole=whole)
    game = begin.copy()
    for event in events:
        for choice in choices(game, event):
            game.apply(choice)
    for invariant in game.book.model.invariants:
        if is_broken(game, invariant):
            return of_invariant(begin, events, invariant, whole=whole)
    mistake = failing(game)
    if mistake is not None:
        return of_failure(begin, events, mistake, whole=whole)
    return of_step(begin, events, whole=whole)
