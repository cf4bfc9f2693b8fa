"""One made-up game, played under count: what it reached, did and broke."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import attrs

from interpreter import (
    Counts,
    Game,
    Tally,
    Verdict,
    VerdictStatus,
    check_invariant,
    counted,
)
from rulebook import Rulebook, RulesError
from rulebook.model import Invariant
from workbench.analysis.simulation.settings import Settings, described
from workbench.bots.randomness import Numbers
from workbench.errors import Refused
from workbench.testing.rule_tests.failures import FAILURE, dead_end, failure
from workbench.testing.rule_tests.generated_games import MadeUp
from workbench.testing.rule_tests.shrinking import Effort, shortest
from workbench.testing.rule_tests.start_positions import is_calm
from workbench.testing.rule_tests.suite import (
    EFFORT,
    INVARIANT,
    Item,
    is_broken,
    result,
    shrunk,
)
from workbench.testing.scenarios.from_records import scenario_of

CALM_MAX = 1_000
"""Before so many events a position is kept from which others may be made."""
BY_CHANGE = "; the position was edited and may be unreachable in a real game"
Position = Mapping[str, Any]


@attrs.frozen
class PlayoutTask:
    """A game to be played. `lacking` are the goals of which it shows where it came.

    A goal is twice the number of a site, and one more: that it did not hold.
    """

    made: MadeUp
    lacking: tuple[int, ...] = ()


class Listed:
    """Games that are known beforehand, one after another."""

    def __init__(self, games: Sequence[MadeUp]) -> None:
        self.tasks = [PlayoutTask(made) for made in games]
        self.left = iter(self.tasks)

    def __len__(self) -> int:
        return len(self.tasks)

    def __iter__(self) -> Iterator[PlayoutTask]:
        return self.left

    def came(self, came: Came) -> Came:
        """Hear what a game came to."""
        return came


@attrs.frozen
class GamePoint:
    """Where a game stood after so many events, when it had just reached some goals."""

    position: Position
    steps: int
    goals: tuple[int, ...] = ()


@attrs.frozen
class GameFault:
    """What went wrong in a game: an invariant, or where there is none an effect."""

    invariant: str
    message: str


@attrs.frozen
class Came:
    """What a game came to: what it reached, how often it did each action, where it was.

    `calm` is a position in the midst of it.
    """

    made: MadeUp
    tally: Tally
    done: Mapping[str, int] = attrs.field(factory=dict)
    places: tuple[GamePoint, ...] = ()
    calm: GamePoint | None = None
    wrong: tuple[GameFault, ...] = ()


class Player:
    """Plays games of a book under count.

    Where the invariants are not `held`, games go the same, and what breaks is not seen.
    """

    def __init__(self, of: Rulebook, counts: Counts, *, held: bool = True) -> None:
        self.of, self.counts = of, counts
        self.invariants = of.model.invariants if held else ()

    def play(self, task: PlayoutTask) -> Came:
        """Play a game, and hold the invariants to it."""
        watch = Watcher(self.counts, task.lacking)
        invariants = list(self.invariants)
        wrong: list[GameFault] = []
        calm, game = None, None
        wait = int(Numbers("calm", task.made.number).random() * CALM_MAX)
        try:
            for steps, game in enumerate(task.made.play(self.of)):
                watch.look(game, steps)
                if steps >= wait and calm is None and is_calm(game):
                    calm = GamePoint(game.position, steps)
                for invariant in [i for i in invariants if is_broken(game, i)]:
                    invariants.remove(invariant)
                    wrong.append(GameFault(invariant.title, ""))
        except (RulesError, Refused) as error:
            wrong.append(GameFault("", str(error)))
        done = {} if game is None else actions_done(game)
        tally = self.counts.take()
        return Came(task.made, tally, done, tuple(watch.places), calm, tuple(wrong))


@attrs.frozen
class PlayoutFactory:
    """Makes what plays games of a book, in a process of its own."""

    book: Rulebook
    held: bool = True

    def __call__(self) -> Any:
        """What plays a game."""
        return Player(*counted(self.book), held=self.held).play


class Watcher:
    """Sees when a game reaches a goal that few have reached."""

    def __init__(self, counts: Counts, lacking: Sequence[int]) -> None:
        self.counters = (counts.held, counts.failed)
        self.lacking = list(lacking)
        self.places: list[GamePoint] = []

    def look(self, game: Game, steps: int) -> None:
        """Note where the game stands, if it has just reached something."""
        held, failed = self.counters
        came = [
            goal for goal in self.lacking if (failed if goal & 1 else held)[goal >> 1]
        ]
        if came:
            self.lacking = [goal for goal in self.lacking if goal not in came]
            if game.to_act is not None:
                self.places.append(GamePoint(game.position, steps, tuple(came)))


def actions_done(game: Game) -> dict[str, int]:
    """How often each action was done in a game, by name."""
    done: dict[str, int] = {}
    for event in game.events:
        name = str(event.get("action", "")).partition("(")[0]
        done[name] = done.get(name, 0) + 1
    done.pop("", None)
    return done


# ---------------------------------------------------------------- what went wrong


def items(
    book: Rulebook, games: Sequence[Came], base: Settings | None
) -> tuple[tuple[Item, ...], tuple[Item, ...]]:
    """What went wrong in games, each thing once, as tests say it, with a record.

    First what did so in play, then what did so only where a position was changed. All
    games are played with what `base` says. Without a base no game is played again, and
    an item has no record.
    """
    first: dict[GameFault, MadeUp] = {}
    for came in sorted(games, key=lambda came: not came.made.is_of_play):
        for wrong in came.wrong:
            first.setdefault(wrong, came.made)
    sure = [wrong for wrong, made in first.items() if made.is_of_play]
    return (
        tuple(item_of(book, first[wrong], wrong, base) for wrong in sure),
        tuple(item_of(book, first[w], w, base) for w in first if w not in sure),
    )


def item_of(
    book: Rulebook, made: MadeUp, wrong: GameFault, base: Settings | None
) -> Item:
    """What went wrong in a game, as tests say it."""
    for invariant in book.model.invariants:
        if invariant.title == wrong.invariant:
            if base is not None:
                return broken(book, made, invariant, base)
            verdict = Verdict(VerdictStatus.FAILED, f"it is violated{of(made)}")
            return result(book, INVARIANT, invariant, verdict)
    if base is not None:
        return failed(book, made, wrong.message)
    return unplayed(book, made, wrong.message)


def unplayed(book: Rulebook, made: MadeUp, message: str) -> Item:
    """Return the item of a game in which an effect failed, without its record."""
    head, said = book.merged.header.span, f"{message}\n {of(made)}"
    name = f"generated game {made.number}"
    place = (head.file, head.line, VerdictStatus.ERROR)
    return Item(FAILURE, name, name, *place, said)


def named(made: MadeUp) -> str:
    """A game by what makes it up again."""
    settings = made.settings
    seeds = f"seed {settings.seed or 0}"
    return f"generated game {made.number}, {seeds}{described(settings)}"


def broken(book: Rulebook, made: MadeUp, invariant: Invariant, base: Settings) -> Item:
    """What a game that breaks an invariant says of it, and what shows the same shorter.

    That is a record, and a scenario if lines can say it.
    """
    wrong = partial(is_broken, invariant=invariant)
    game = next(game for game in made.play(book, whole=True) if wrong(game))
    if game.began is None:
        short, simple = shrunk(game, invariant, made.settings, base)
    else:
        begin = partial(Game.laid_out, book, game.began, chance="given")
        short = shortest(begin, game.events, wrong, Effort(EFFORT))
        simple = made.settings
    item = result(book, INVARIANT, invariant, check_invariant(short, invariant))
    whose = of(made) if simple == made.settings else simpler(made, simple)
    return attrs.evolve(
        item,
        message=f"{item.message}\n  after event {short.steps}{whose}",
        record=short.record,
        scenario=scenario_of(short, invariant),
    )


def failed(book: Rulebook, made: MadeUp, message: str) -> Item:
    """What a game in which an effect fails says, with the record that leads there.

    Where no choice fails, the rules cannot say what there is to choose, or begin.
    """
    game, wrong = None, None
    try:
        for last in made.play(book, whole=True):
            game = last.copy()
    except RulesError as error:
        wrong = error
    except Refused:
        assert game is not None
        item = dead_end(game)
        return attrs.evolve(item, message=f"{item.message}{of(made)}")
    if wrong is None:  # the search of a deal is shorter by the quicker program
        return unplayed(book, made, message)
    with suppress(RulesError):
        choices = () if game is None else game.legal_actions()
        for number in range(len(choices)):
            if game is not None and fails(game, number):
                item = failure(game, number)
                return attrs.evolve(item, message=f"{item.message}\n {of(made)}")
    span, name = wrong.diagnostics[0].span, f"generated game {made.number}"
    place = (span.file, span.line, VerdictStatus.ERROR)
    record = None if game is None else game.record
    return Item(FAILURE, name, name, *place, f"{wrong}\n {of(made)}", record)


def fails(game: Game, number: int) -> bool:
    """Whether a choice cannot be done to its end."""
    try:
        game.copy().apply(game.legal_actions()[number])
    except RulesError:
        return True
    return False


def of(made: MadeUp) -> str:
    """Of which game something is said."""
    return f" in {named(made)}{doubt(made)}"


def simpler(made: MadeUp, settings: Settings) -> str:
    """With which settings it is so too, and of which game it was seen."""
    return f"{described(settings)}, as in {named(made)}{doubt(made)}"


def doubt(made: MadeUp) -> str:
    """What is to be thought of where a game's position was changed."""
    return "" if made.is_of_play else BY_CHANGE
