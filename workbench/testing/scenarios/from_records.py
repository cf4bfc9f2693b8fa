"""The scenario of a record: what goes wrong at a step, else what the step does."""

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
    if not is_dealing(game):
        for invariant in broken(game, invariants):
            return of_invariant(begin, events, invariant, whole=whole)
    mistake = failing(game)
    if mistake is not None:
        return of_failure(begin, events, mistake, whole=whole)
    return of_step(begin, events, whole=whole)


def scenario_of(game: Game, *invariants: Invariant) -> str | None:
    """The scenario of a game that goes wrong as it stands, if lines can say it.

    It breaks one of the invariants, or has a choice that fails.
    """
    made = safely(game, invariants)
    return (
        made.text
        if made is not None and made.shown is not ScenarioEffects.STEP
        else None
    )


def step_of(game: Game) -> str | None:
    """The scenario of the last step of a game, whatever it shows."""
    made = safely(game, ())
    return None if made is None else made.text


def safely(game: Game, invariants: Sequence[Invariant]) -> Made | None:
    """The scenario of a game as it stands; a bug of ours hides nothing that is told."""
    try:
        return of_events(*from_beginning(game), invariants=invariants)
    except Exception:  # noqa: BLE001  (what is reported must not be hidden by it)
        return None
