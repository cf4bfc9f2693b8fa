"""Scenarios of recorded games: the final failure, or the effect of the last step."""

from collections.abc import Sequence

from interpreter import Game, violated_invariants
from rulebook.model import Invariant
from workbench.analysis.simulation.setting_variations import is_dealing
from workbench.files.records.record_replay import game_and_events
from workbench.testing.scenarios.rule_words import Event
from workbench.testing.scenarios.scenario_generation import (
    GeneratedScenario,
    ShownEffect,
    scenario_of_failure,
    scenario_of_invariant,
    scenario_showing_step,
)
from workbench.testing.scenarios.timelines import (
    choices_for,
    find_failing_choice,
    without_announcements,
)


def scenario_of_events(
    start: Game,
    events: Sequence[Event],
    bad_event: Event | None = None,
    *,
    invariants: Sequence[Invariant],
    keep_all: bool = False,
) -> GeneratedScenario | None:
    """Return the scenario of a game's last step, or None if lines cannot express it.

    It shows that the rules reject the event *bad_event*, that an invariant is broken,
    that a choice fails, or else the changes made by the last event.
    """
    events = without_announcements(events)
    if bad_event is not None:
        return scenario_of_failure(start, events, bad_event, keep_all=keep_all)
    game = start.copy()
    for event in events:
        for choice in choices_for(game, event):
            game.apply(choice)
    if not is_dealing(game):
        for invariant in violated_invariants(game, invariants):
            return scenario_of_invariant(start, events, invariant, keep_all=keep_all)
    failing_event = find_failing_choice(game)
    if failing_event is not None:
        return scenario_of_failure(start, events, failing_event, keep_all=keep_all)
    return scenario_showing_step(start, events, keep_all=keep_all)


def failure_scenario(game: Game, *invariants: Invariant) -> str | None:
    """Return the text of a failing game's scenario, or None if it has none.

    The scenario shows that an invariant is broken or that a choice fails.
    """
    made = scenario_or_none(game, invariants)
    return (
        made.text if made is not None and made.effect is not ShownEffect.STEP else None
    )


def scenario_of_step(game: Game) -> str | None:
    """Return the text of the scenario of a game's last step, or None if it has none."""
    scenario = scenario_or_none(game, ())
    return None if scenario is None else scenario.text


def scenario_or_none(
    game: Game, invariants: Sequence[Invariant]
) -> GeneratedScenario | None:
    """Return the scenario of a game's last step, or None if none can be generated."""
    try:
        return scenario_of_events(*game_and_events(game), invariants=invariants)
    except Exception:  # noqa: BLE001  (must not hide the failure to report)
        return None
