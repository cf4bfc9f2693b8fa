"""Replay of a game, with the moments at which a scenario can start."""

from collections import deque
from collections.abc import Iterator, Sequence

import attrs

from interpreter import Action, Chance, Game
from rulebook import RulesError
from workbench.analysis.simulation.setting_variations import CHANCE
from workbench.testing.scenarios.given_lines import idle_phase
from workbench.testing.scenarios.rule_words import Event

MAX_TRIED_CHOICES = 500
"""Maximum number of choices tried in search of one that fails."""
MAX_PHASE_STARTS = 6
"""Maximum number of phase starts that are tried as the start of a scenario."""


@attrs.frozen
class ScenarioStart:
    """Moment at which a scenario can start; `game` is None for the start of set-up."""

    steps: int
    game: Game | None


@attrs.frozen
class GameTimeline:
    """Game before and after a step, and the moments at which its scenario can start."""

    game: Game
    before: Game
    events: Sequence[Event]
    starts: Sequence[ScenarioStart]


def replay_timeline(
    start: Game, events: Sequence[Event], following: Event | None = None
) -> GameTimeline:
    """Replay choices and outcomes; the step is the last event, or *following*.

    The latest moment at which a seat is to move in a phase and nothing else has started
    comes first. Phase starts and the start of the game follow, latest first.
    Announcements are left out.
    """
    events = without_announcements(events)
    game, before = start.copy(), start
    moments = StartCollector()
    for number, event in enumerate(events):
        moments.add_moment(number, game)
        if number == len(events) - 1:
            before = game.copy()
        for choice in choices_for(game, event):
            game.apply(choice)
    if following is not None:
        moments.add_moment(len(events), game)
        events = (*events, following)
    setup = [ScenarioStart(0, None)] if begins_with_setup(start) else []
    return GameTimeline(game, before, events, [*moments.starts(), *setup])


def without_announcements(events: Sequence[Event]) -> Sequence[Event]:
    """Return the choices and outcomes among events; announcements follow from them."""
    return [event for event in events if "announced" not in event]


class StartCollector:
    """Collector of the moments of a game at which a scenario can start."""

    def __init__(self) -> None:
        self.firsts: deque[ScenarioStart] = deque(maxlen=MAX_PHASE_STARTS)
        self.latest: ScenarioStart | None = None
        self.phase: object = None

    def add_moment(self, number: int, game: Game) -> None:
        """Add the moment after *number* events if a seat is to start a new action."""
        position = game.position
        phase = idle_phase(position)
        current_phase = (position["turn"], position["active"], phase)
        if phase is not None:
            self.latest = ScenarioStart(number, game.copy())
            if current_phase != self.phase:
                self.firsts.append(self.latest)
        self.phase = current_phase

    def starts(self) -> Iterator[ScenarioStart]:
        """Yield the moments, latest first."""
        if self.latest is not None:
            yield self.latest
        yield from (each for each in reversed(self.firsts) if each is not self.latest)


def begins_with_setup(start: Game) -> bool:
    """Return whether a game starts with set-up and has no given board."""
    players, options = len(start.seats), start.options
    started = Game.start(start.book, players=players, options=options, chance="given")
    return started.position == start.position


def choices_for(game: Game, event: Event) -> Iterator[Action | Chance]:
    """Yield the choices to apply for an event, including chance events before it."""
    while "action" in event and game.to_act == CHANCE:
        yield game.legal_actions()[0]
    legal = game.legal_actions()
    if "action" in event:
        yield from [choice for choice in legal if choice.text == event["action"]]
    elif game.to_act == CHANCE and legal[0].name == event.get("chance"):
        matching = [choice for choice in legal if choice.to_json() == event]
        yield (matching or legal)[0]


def find_failing_choice(game: Game) -> Event | None:
    """Return a choice whose effect fails, as an event, or None."""
    legal = [] if game.to_act is None else game.legal_actions()
    for choice in legal[:MAX_TRIED_CHOICES]:
        try:
            game.copy().apply(choice)
        except RulesError:
            return choice_event(game, choice)
    return None


def choice_event(game: Game, choice: Action | Chance) -> Event:
    """Return a choice as an event of a record."""
    if isinstance(choice, Chance):
        return choice.to_json()
    return {"seat": game.to_act, "action": choice.text}
