"""Generation of short scenarios for a step, a broken invariant or a failure."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from textwrap import dedent
from typing import Any

import attrs

from interpreter import Game, Verdict, VerdictStatus
from rulebook import Rulebook
from rulebook import model as m
from workbench.testing.scenarios.drafts import (
    FILE,
    CheckedDraft,
    Draft,
    VerdictSummary,
    canonical_text,
    check_drafts,
)
from workbench.testing.scenarios.given_lines import (
    field_values,
    given_lines,
    option_lines,
)
from workbench.testing.scenarios.reduction import TrialBudget, minimal_elements
from workbench.testing.scenarios.rule_words import Event, RecordNames, when_line
from workbench.testing.scenarios.then_lines import changed_lines
from workbench.testing.scenarios.timelines import (
    GameTimeline,
    ScenarioStart,
    replay_timeline,
)

MAX_TRIALS = 400
"""Maximum number of trials in which some lines are left out."""
MAX_SHRINKABLE_LINES = 150
"""Number of lines from which a scenario is too long to be shortened."""


class ShownEffect(StrEnum):
    """Kind of effect that a scenario shows: a step, a broken invariant or a failure."""

    STEP = "step"
    INVARIANT = "invariant"
    FAILURE = "failure"


@attrs.frozen
class ScenarioGoal:
    """Goal of a scenario: what it must show, its title, and the lines under `then`."""

    effect: ShownEffect
    title: str
    then: tuple[str, ...] = ()


@attrs.frozen
class ScenarioTrial:
    """Candidate scenario, its verdict, and whether it reaches the game's position."""

    draft: CheckedDraft
    verdict: Verdict
    reaches_position: bool

    @property
    def lines(self) -> Sequence[int]:
        """Line numbers of the scenario's lines."""
        return self.draft.numbers


@attrs.frozen
class GeneratedScenario:
    """Scenario generated from a game, with its verdict.

    `reaches_position` is true if it leads to the position of the game, which a
    shortened scenario need not do.
    """

    text: str
    title: str
    effect: ShownEffect
    step: int
    verdict: Verdict
    reaches_position: bool

    def to_json(self) -> dict[str, Any]:
        """Return the scenario as plain data."""
        return {
            "scenario": self.text,
            "title": self.title,
            "shows": str(self.effect),
            "step": self.step,
            "status": str(self.verdict.status),
            "same": self.reaches_position,
        }


def scenario_showing_step(
    start: Game, events: Sequence[Event], *, keep_all: bool = False
) -> GeneratedScenario | None:
    """Return a scenario of the last event and its changes, or None if impossible."""
    timeline, names = replay_timeline(start, events), RecordNames.of_book(start.book)
    then = changed_lines(timeline.before.position, timeline.game, names)
    replayed = timeline.events
    event_text = when_line(replayed[-1], names) if replayed else "the game begins"
    title = f"step {len(replayed)}: {event_text}"
    return generate_scenario(
        timeline,
        ScenarioGoal(ShownEffect.STEP, title, tuple(then)),
        keep_all_lines=keep_all,
    )


def scenario_of_invariant(
    start: Game,
    events: Sequence[Event],
    invariant: m.Invariant,
    *,
    keep_all: bool = False,
) -> GeneratedScenario | None:
    """Return a scenario whose last event breaks an invariant, or None if impossible."""
    timeline = replay_timeline(start, events)
    title = f"step {len(timeline.events)} breaks: {invariant.title}"
    goal = ScenarioGoal(
        ShownEffect.INVARIANT, title, invariant_lines(start.book, invariant)
    )
    return generate_scenario(timeline, goal, keep_all_lines=keep_all)


def scenario_of_failure(
    start: Game, events: Sequence[Event], event: Event, *, keep_all: bool = False
) -> GeneratedScenario | None:
    """Return a scenario in which *event* fails or is illegal, or None if impossible."""
    event_text = when_line(event, RecordNames.of_book(start.book))
    timeline = replay_timeline(start, events, event)
    title = f"step {len(timeline.events)} fails: {event_text}"
    goal = ScenarioGoal(ShownEffect.FAILURE, title)
    return generate_scenario(timeline, goal, keep_all_lines=keep_all)


def generate_scenario(
    timeline: GameTimeline, goal: ScenarioGoal, *, keep_all_lines: bool = False
) -> GeneratedScenario | None:
    """Return a scenario for the goal, shortened unless *keep_all_lines*, or None."""
    showing: list[ScenarioTrial] = []
    for start in timeline.starts:
        trial = try_start(timeline, start, goal)
        if trial is not None:
            showing.append(trial)
            if trial.reaches_position or (
                goal.effect is ShownEffect.FAILURE and not keep_all_lines
            ):
                break
    if not showing:
        return None
    if keep_all_lines:
        best = next((trial for trial in showing if trial.reaches_position), showing[0])
        return final_scenario(timeline, goal, best, best.draft.without(()))
    drafts = [(trial, shorten_draft(trial)) for trial in trials_to_shorten(showing)]
    return final_scenario(timeline, goal, *min(drafts, key=lambda pair: pair[1].size))


def trials_to_shorten(trials: Sequence[ScenarioTrial]) -> Sequence[ScenarioTrial]:
    """Return the trials to shorten: those with the latest and the earliest start."""
    ends = dict.fromkeys((0, len(trials) - 1))
    few = [trials[end] for end in ends if len(trials[end].lines) < MAX_SHRINKABLE_LINES]
    return few or trials[:1]


def try_start(
    timeline: GameTimeline, start: ScenarioStart, goal: ScenarioGoal
) -> ScenarioTrial | None:
    """Return the trial with a given start, or None if it does not show the goal.

    If the goal is a broken invariant, the invariant must be true at the start.
    """
    draft = draft_from(timeline, start, goal)
    showing: ScenarioTrial | None = None
    for _ in range(2):
        for trial in check_drafts(
            timeline.game.book, [draft] if draft is not None else []
        ):
            verdict, game = trial.play()
            same = game is not None and has_same_position(game, timeline.game)
            if shows_goal(trial, verdict, goal.effect) and (same or showing is None):
                showing = ScenarioTrial(trial, verdict, same)
            draft = adjusted_draft(trial, start)
        if showing is not None and (
            showing.reaches_position or goal.effect is ShownEffect.FAILURE
        ):
            return showing
    return showing


def adjusted_draft(trial: CheckedDraft, start: ScenarioStart) -> Draft | None:
    """Return a draft with numbers corrected for changes at the start of the phase.

    Return None if no number needs a correction.
    """
    draft = trial.draft
    _, reached_game = trial.play(trial.numbers[len(draft.given) :])
    if reached_game is None or start.game is None:
        return None
    book, wanted_position = trial.book, start.game.position
    corrections = {
        f"set {path} to ": 2 * wanted - reached
        for _, path, reached, wanted in field_values(
            book, reached_game.position, wanted_position, RecordNames.of_book(book)
        )
        if type(reached) is int and type(wanted) is int and reached != wanted
    }
    rest = [line for line in draft.given if not line.startswith(tuple(corrections))]
    lines = [f"{prefix}{number}" for prefix, number in corrections.items()]
    return attrs.evolve(draft, given=(*lines, *rest)) if corrections else None


def draft_from(
    timeline: GameTimeline, start: ScenarioStart, goal: ScenarioGoal
) -> Draft | None:
    """Return the draft with a given start, or None if lines cannot express it."""
    names = RecordNames.of_book(timeline.game.book)
    when = [when_line(event, names) for event in timeline.events[start.steps :]]
    if None in when:
        return None
    if start.game is None:
        given = list(option_lines(timeline.game.book, timeline.game.position))
    else:
        given = given_lines(start.game)
    lines = tuple(line for line in when if line is not None)
    title = unused_title(timeline.game.book, goal.title)
    preconditions = goal.then if goal.effect is ShownEffect.INVARIANT else ()
    players = len(timeline.game.seats)
    return Draft(title, players, tuple(given), lines, goal.then, preconditions)


def shows_goal(trial: CheckedDraft, verdict: Verdict, effect: ShownEffect) -> bool:
    """Return whether a scenario with this verdict shows the intended effect."""
    numbers = trial.numbers
    match effect:
        case ShownEffect.STEP:
            return verdict.status is VerdictStatus.PASSED
        case ShownEffect.INVARIANT:
            tests = numbers[len(numbers) - len(trial.draft.then) :]
            failed = verdict.status is VerdictStatus.FAILED
            return failed and verdict.line in tests
        case ShownEffect.FAILURE:
            has_failed = verdict.status is not VerdictStatus.PASSED
            return has_failed and (verdict.file != FILE or verdict.line == numbers[-1])
    return False


def shorten_draft(trial: ScenarioTrial) -> Draft:
    """Return the draft with as few lines as possible that has the same verdict."""
    checked, summary = trial.draft, VerdictSummary.of_verdict(trial.verdict)
    draft, numbers = checked.draft, checked.numbers
    given = numbers[: len(draft.given)]
    when = numbers[
        len(draft.given) + len(draft.preconditions) : len(numbers) - len(draft.then)
    ]
    fixed = {
        number
        for number, line in zip(given, draft.given, strict=True)
        if " is to move in " in line or sets_option(checked.book, line)
    }
    free = [number for number in (*given, *when[:-1]) if number not in fixed]

    def keeps_verdict(rest: Sequence[int]) -> bool:
        return VerdictSummary.of_verdict(checked.play({*free} - {*rest})[0]) == summary

    return checked.without(
        {*free} - {*minimal_elements(free, keeps_verdict, TrialBudget(MAX_TRIALS))}
    )


def sets_option(book: Rulebook, line: str) -> bool:
    """Return whether a line sets an option; such lines are never left out."""
    words = line.split()
    return words[0] == "set" and words[1] in book.options


def final_scenario(
    timeline: GameTimeline, goal: ScenarioGoal, trial: ScenarioTrial, draft: Draft
) -> GeneratedScenario:
    """Return the final scenario, with lines combined if that keeps the verdict."""
    book, step, wanted = timeline.game.book, len(timeline.events), trial.verdict
    verdict, same, candidate = wanted, trial.reaches_position, draft
    for candidate in (draft.with_joined_lines(), draft):
        for checked in check_drafts(book, [candidate]):
            verdict, game = checked.play()
            same = game is not None and has_same_position(game, timeline.game)
        if (verdict.status, verdict.message) == (wanted.status, wanted.message):
            break
    text = canonical_text(book, candidate.to_text())
    return GeneratedScenario(text, draft.title, goal.effect, step, verdict, same)


def has_same_position(game: Game, other: Game) -> bool:
    """Return whether two games have the same position, ignoring who knows cards."""
    same: bool = without_knowledge(game.position) == without_knowledge(other.position)
    return same


def without_knowledge(position: Any) -> Any:
    """Return a position without its random state and what seats know about cards."""
    if isinstance(position, Mapping) and position.keys() == {"card", "known_to"}:
        return position["card"]
    if isinstance(position, Mapping):
        hidden = {"chance", "seen"}
        return {
            key: without_knowledge(part)
            for key, part in position.items()
            if key not in hidden
        }
    if isinstance(position, list):
        return [without_knowledge(part) for part in position]
    return position


def invariant_lines(book: Rulebook, invariant: m.Invariant) -> tuple[str, ...]:
    """Return the lines below an invariant's title, as in its file."""
    node = book.clauses[f'invariant "{invariant.title}"'].node
    lines = book.files[node.span.file].splitlines()
    first: int = node.body[0].span.line  # type: ignore[attr-defined]
    return tuple(dedent("\n".join(lines[first - 1 : node.span.end_line])).splitlines())


def unused_title(book: Rulebook, title: str) -> str:
    """Return the title, with a suffix if a scenario of the book has it already."""
    bare_title = title.replace('"', "”")
    taken = {scenario.clause for scenario in book.model.scenarios}
    number, unused = 1, bare_title
    while unused in taken:
        number += 1
        unused = f"{bare_title} ({number})"
    return unused
