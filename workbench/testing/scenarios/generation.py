"""Generator of the shortest scenario for a step, a broken invariant or a failure."""

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
    Sign,
    canonical,
    checked,
)
from workbench.testing.scenarios.given_lines import fields, given_lines, options
from workbench.testing.scenarios.reduction import Trials, fewest
from workbench.testing.scenarios.then_lines import changed
from workbench.testing.scenarios.timelines import Start, Tale, replay
from workbench.testing.scenarios.words import Event, RecordNames, happened

TRIALS = 400
"""Maximum number of trials in which some lines are left out."""
LONG = 150
"""Maximum number of lines of a scenario for shrinking to be attempted."""


class ScenarioEffects(StrEnum):
    """What a scenario shows: a step, a broken invariant, or a failure."""

    STEP = "step"
    INVARIANT = "invariant"
    FAILURE = "failure"


@attrs.frozen
class ScenarioGoal:
    """Goal of a scenario: what it must show, its title, and the lines under `then`."""

    shown: ScenarioEffects
    title: str
    then: tuple[str, ...] = ()


@attrs.frozen
class ScenarioTrial:
    """Candidate scenario with its verdict; `same` if it reaches the game's position."""

    checked: CheckedDraft
    verdict: Verdict
    same: bool

    @property
    def lines(self) -> Sequence[int]:
        """Line numbers of the scenario's lines."""
        return self.checked.numbers


@attrs.frozen
class Made:
    """Scenario generated from a game, with its verdict.

    `same` is true if it leads to the position of the game, which a shortened scenario
    need not do.
    """

    text: str
    title: str
    shown: ScenarioEffects
    step: int
    verdict: Verdict
    same: bool

    def to_json(self) -> dict[str, Any]:
        """Return the scenario as plain data."""
        return {
            "scenario": self.text,
            "title": self.title,
            "shows": str(self.shown),
            "step": self.step,
            "status": str(self.verdict.status),
            "same": self.same,
        }


def of_step(
    begin: Game, events: Sequence[Event], *, whole: bool = False
) -> Made | None:
    """Return the scenario of a game's last event, with the changes that it made."""
    tale, names = replay(begin, events), RecordNames.of(begin.book)
    then = changed(tale.before.position, tale.game, names)
    what = happened(events[-1], names) if events else "the game begins"
    title = f"step {len(events)}: {what}"
    return made(
        tale, ScenarioGoal(ScenarioEffects.STEP, title, tuple(then)), whole=whole
    )


def of_invariant(
    begin: Game,
    events: Sequence[Event],
    invariant: m.Invariant,
    *,
    whole: bool = False,
) -> Made | None:
    """Return the scenario of a game whose last event breaks an invariant."""
    title = f"step {len(events)} breaks: {invariant.title}"
    wanted = ScenarioGoal(
        ScenarioEffects.INVARIANT, title, body_of(begin.book, invariant)
    )
    return made(replay(begin, events), wanted, whole=whole)


def of_failure(
    begin: Game, events: Sequence[Event], event: Event, *, whole: bool = False
) -> Made | None:
    """Return the scenario of a game in which *event* fails or is illegal."""
    what = happened(event, RecordNames.of(begin.book))
    wanted = ScenarioGoal(
        ScenarioEffects.FAILURE, f"step {len(events) + 1} fails: {what}"
    )
    return made(replay(begin, events, event), wanted, whole=whole)


def made(tale: Tale, wanted: ScenarioGoal, *, whole: bool = False) -> Made | None:
    """Return the scenario of a replayed game, shortened unless *whole* is true."""
    showing: list[ScenarioTrial] = []
    for start in tale.starts:
        trial = tried(tale, start, wanted)
        if trial is not None:
            showing.append(trial)
            if trial.same or (wanted.shown is ScenarioEffects.FAILURE and not whole):
                break
    if not showing:
        return None
    if whole:
        best = next((trial for trial in showing if trial.same), showing[0])
        return finished(tale, wanted, best, best.checked.without(()))
    drafts = [(trial, shortened(trial)) for trial in near(showing)]
    return finished(tale, wanted, *min(drafts, key=lambda pair: pair[1].size))


def near(showing: Sequence[ScenarioTrial]) -> Sequence[ScenarioTrial]:
    """Return the trials to shorten: those with the latest and the earliest start."""
    ends = dict.fromkeys((0, len(showing) - 1))
    few = [showing[end] for end in ends if len(showing[end].lines) < LONG]
    return few or showing[:1]


def tried(tale: Tale, start: Start, wanted: ScenarioGoal) -> ScenarioTrial | None:
    """Return the trial with a certain start, or None if it does not show the goal.

    If it must break an invariant, the invariant must be true before.
    """
    draft = drafted(tale, start, wanted)
    shown: ScenarioTrial | None = None
    for _ in range(2):
        for trial in checked(tale.game.book, [draft] if draft is not None else []):
            verdict, game = trial.play()
            same = game is not None and alike(game, tale.game)
            if is_shown(trial, verdict, wanted.shown) and (same or shown is None):
                shown = ScenarioTrial(trial, verdict, same)
            draft = adjusted(trial, start)
        if shown is not None and (
            shown.same or wanted.shown is ScenarioEffects.FAILURE
        ):
            return shown
    return shown


def adjusted(trial: CheckedDraft, start: Start) -> Draft | None:
    """Return a draft with numbers corrected for changes at the start of the phase.

    Return None if no number needs a correction.
    """
    draft = trial.draft
    _, laid = trial.play(trial.numbers[len(draft.given) :])
    if laid is None or start.game is None:
        return None
    book, wished = trial.book, start.game.position
    new = {
        f"set {path} to ": 2 * wish - made
        for _, path, made, wish in fields(
            book, laid.position, wished, RecordNames.of(book)
        )
        if type(made) is int and type(wish) is int and made != wish
    }
    kept = [line for line in draft.given if not line.startswith(tuple(new))]
    lines = [f"{begins}{number}" for begins, number in new.items()]
    return attrs.evolve(draft, given=(*lines, *kept)) if new else None


def drafted(tale: Tale, start: Start, wanted: ScenarioGoal) -> Draft | None:
    """Return the draft with a certain start, or None if lines cannot express it."""
    names = RecordNames.of(tale.game.book)
    when = [happened(event, names) for event in tale.events[start.steps :]]
    if None in when:
        return None
    if start.game is None:
        given = list(options(tale.game.book, tale.game.position))
    else:
        given = given_lines(start.game)
    lines = tuple(line for line in when if line is not None)
    title = spare_title(tale.game.book, wanted.title)
    holding = wanted.then if wanted.shown is ScenarioEffects.INVARIANT else ()
    size = len(tale.game.seats)
    return Draft(title, size, tuple(given), lines, wanted.then, holding)


def is_shown(trial: CheckedDraft, verdict: Verdict, shown: ScenarioEffects) -> bool:
    """Return whether a scenario with this verdict shows what it must show."""
    numbers = trial.numbers
    match shown:
        case ScenarioEffects.STEP:
            return verdict.status is VerdictStatus.PASSED
        case ScenarioEffects.INVARIANT:
            tests = numbers[len(numbers) - len(trial.draft.then) :]
            failed = verdict.status is VerdictStatus.FAILED
            return failed and verdict.line in tests
        case ScenarioEffects.FAILURE:
            wrong = verdict.status is not VerdictStatus.PASSED
            return wrong and (verdict.file != FILE or verdict.line == numbers[-1])
    return False


def shortened(trial: ScenarioTrial) -> Draft:
    """Return the draft with as few lines as possible that has the same verdict."""
    form, sign = trial.checked, Sign.of(trial.verdict)
    draft, numbers = form.draft, form.numbers
    given = numbers[: len(draft.given)]
    when = numbers[
        len(draft.given) + len(draft.holding) : len(numbers) - len(draft.then)
    ]
    fixed = {
        number
        for number, line in zip(given, draft.given, strict=True)
        if " is to move in " in line or sets_option(form.book, line)
    }
    free = [number for number in (*given, *when[:-1]) if number not in fixed]

    def shows(kept: Sequence[int]) -> bool:
        return Sign.of(form.play({*free} - {*kept})[0]) == sign

    return form.without({*free} - {*fewest(free, shows, Trials(TRIALS))})


def sets_option(book: Rulebook, line: str) -> bool:
    """Return whether a line sets an option; such lines are never left out."""
    words = line.split()
    return words[0] == "set" and words[1] in book.options


def finished(
    tale: Tale, wanted: ScenarioGoal, trial: ScenarioTrial, draft: Draft
) -> Made:
    """Return the final scenario, with lines combined if that keeps the verdict."""
    book, step, wished = tale.game.book, len(tale.events), trial.verdict
    verdict, same, form = wished, trial.same, draft
    for form in (draft.joined(), draft):
        for again in checked(book, [form]):
            verdict, game = again.play()
            same = game is not None and alike(game, tale.game)
        if (verdict.status, verdict.message) == (wished.status, wished.message):
            break
    text = canonical(book, form.written())
    return Made(text, draft.title, wanted.shown, step, verdict, same)


def alike(game: Game, other: Game) -> bool:
    """Return whether two games have the same position, whoever knows cards."""
    same: bool = bare(game.position) == bare(other.position)
    return same


def bare(position: Any) -> Any:
    """Return a position without random state and without which seats know cards."""
    if isinstance(position, Mapping) and position.keys() == {"card", "known_to"}:
        return position["card"]
    if isinstance(position, Mapping):
        hidden = {"chance", "seen"}
        return {key: bare(part) for key, part in position.items() if key not in hidden}
    if isinstance(position, list):
        return [bare(part) for part in position]
    return position


def body_of(book: Rulebook, invariant: m.Invariant) -> tuple[str, ...]:
    """Return the lines below an invariant's title, as in its file."""
    node = book.clauses[f'invariant "{invariant.title}"'].node
    lines = book.files[node.span.file].splitlines()
    first: int = node.body[0].span.line  # type: ignore[attr-defined]
    return tuple(dedent("\n".join(lines[first - 1 : node.span.end_line])).splitlines())


def spare_title(book: Rulebook, title: str) -> str:
    """Return the title, with a suffix if a scenario of the book has it already."""
    bare_title = title.replace('"', "”")
    taken = {scenario.clause for scenario in book.model.scenarios}
    number, spare = 1, bare_title
    while spare in taken:
        number += 1
        spare = f"{bare_title} ({number})"
    return spare
