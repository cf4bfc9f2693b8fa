"""A game told again from its beginning: where a scenario of a step may begin."""

from collections import deque
from collections.abc import Iterator, Sequence

import attrs

from interpreter import Action, Chance, Game
from rulebook import RulesError
from workbench.analysis.simulation.generation import CHANCE
from workbench.testing.scenarios.given_lines import phase_at
from workbench.testing.scenarios.words import Event

CHOICES = 500
"""How many of the choices that a game has are tried, to see whether one fails."""
BEGINNINGS = 6
"""How many phases before a step a scenario may begin with."""


@attrs.frozen
class Start:
    """A moment at which a scenario may begin: the game, None before set-up."""

    steps: int
    game: Game | None


@attrs.frozen
class Tale:
    """A game up to a step, and the moments at which its scenario may begin."""

    game: Game
    before: Game
    events: Sequence[Event]
    starts: Sequence[Start]


def replay(
    begin: Game, events: Sequence[Event], following: Event | None = None
) -> Tale:
    """A game played again by its events; what is told of is the last, or `following`.

    The latest moments come first: where somebody is to move in a phase and nothing else
    has begun, and where the phases before began; then the beginning.
    """
    game, before = begin.copy(), begin
    moments = Moments()
    for number, event in enumerate(events):
        moments.see(number, game)
        if number == len(events) - 1:
            before = game.copy()
        for choice in choices(game, event):
            game.apply(choice)
    if following is not None:
        moments.see(len(events), game)
        events = (*events, following)
    setup = [Start(0, None)] if begins_with_setup(begin) else []
    return Tale(game, before, events, [*moments.starts(), *setup])


class Moments:
    """The moments of a game at which a scenario may begin."""

    def __init__(self) -> None:
        self.firsts: deque[Start] = deque(maxlen=BEGINNINGS)
        self.latest: Start | None = None
        self.phase: object = None

    def see(self, number: int, game: Game) -> None:
        """Look at a game after so many events."""
        position = game.position
        phase = phase_at(position)
        here = (position["turn"], position["active"], phase)
        if phase is not None:
            self.latest = Start(number, game.copy())
            if here != self.phase:
                self.firsts.append(self.latest)
        self.phase = here

    def starts(self) -> Iterator[Start]:
        """The moments, the latest first."""
        if self.latest is not None:
            yield self.latest
        yield from (each for each in reversed(self.firsts) if each is not self.latest)


def begins_with_setup(begin: Game) -> bool:
    """Whether a game begins with set-up, and with nothing that is not drawn there."""
    size, options = len(begin.seats), begin.options
    started = Game.start(begin.book, players=size, options=options, chance="given")
    return started.position == begin.position


def choices(game: Game, wish: Event) -> Iterator[Action | Chance]:
    """What is done for a wish: before a decision, chance that is due comes first."""
    while "action" in wish and game.to_act == CHANCE:
        yield game.legal_actions()[0]
    legal = game.legal_actions()
    if "action" in wish:
        yield from [choice for choice in legal if choice.text == wish["action"]]
    elif game.to_act == CHANCE and legal[0].name == wish["chance"]:
        alike = [choice for choice in legal if choice.to_json() == wish]
        yield (alike or legal)[0]


def failing(game: Game) -> Event | None:
    """A choice in a game as it stands that ends with a mistake of the rules."""
    legal = [] if game.to_act is None else game.legal_actions()
    for choice in legal[:CHOICES]:
        try:
            game.copy().apply(choice)
        except RulesError:
            return event_of(game, choice)
    return None


def event_of(game: Game, choice: Action | Chance) -> Event:
    """A choice as the event of a record."""
    if isinstance(choice, Chance):
        return choice.to_json()
    return {"seat": game.to_act, "action": choice.text}
