"""Scenario of a recorded game: the failure at its last step, or what the step does."""

from collections.abc import Sequence

from interpreter import Game, broken
from rulebook.model import Invariant
from workbench.analysis.simulation.generation import is_dealing
from workbench.files.records.replay import from_beginning
from workbench.testing.scenarios.generation import (
    Made,
    ScenarioEffects,
    of_failure,
    of_invariant,
    of_step,
)
from workbench.testing.scenarios.timelines import choices, failing
from workbench.testing.scenarios.words import Event


def of_events(
    begin: Game,
    events: Sequence[Event],
    wrong: Event | None = None,
    *,
    invariants: Sequence[Invariant],
    whole: bool = False,
) -> Made | None:
    """Return the scenario of a game's last step, or None if lines cannot express it.

    It shows the event *wrong*, which does not fit the rules, a broken invariant, a
    failing choice, or else the changes that the last event made.
    """
    if wrong is not None:
        return of_failure(begin, events, wrong, whole=whole)
    game = begin.copy()
    for event in events:
        for choice in choices(game, event):
            game.apply(choice)
    if not is_dealing(game):
        for invariant in broken(game, invariants):
            return of_invariant(begin, events, invariant, whole=whole)
    mistake = failing(game)
    if mistake is not None:
        return of_failure(begin, events, mistake, whole=whole)
    return of_step(begin, events, whole=whole)


def scenario_of(game: Game, *invariants: Invariant) -> str | None:
    """Return the scenario of a failing game, or None if lines cannot express it.

    In the scenario, an invariant is broken or a choice fails.
    """
    made = safely(game, invariants)
    return (
        made.text
        if made is not None and made.shown is not ScenarioEffects.STEP
        else None
    )


def step_of(game: Game) -> str | None:
    """Return the scenario of a game's last step, or None if lines cannot express it."""
    made = safely(game, ())
    return None if made is None else made.text


def safely(game: Game, invariants: Sequence[Invariant]) -> Made | None:
    """Return the scenario of a game, or None after an internal error."""
    try:
        return of_events(*from_beginning(game), invariants=invariants)
    except Exception:  # noqa: BLE001  (what is reported must not be hidden by it)
        return None
