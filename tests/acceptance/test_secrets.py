"""Hidden information does not affect what a seat sees; it is redrawn at every step. The
quick form tests some steps of one random game of each, and every step inside
simultaneous blocks. `--deep` tests every step of ten games of each with imperfect bots,
and what a seat receives in 20 games of every file on both engines.
"""

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

import workbench
from interpreter import Game
from interpreter.game import course_of, state_of
from rulebook import Rulebook
from tests.support.knowing import questions, same_to, steps
from tests.support.redrawn import can_differ, redrawn
from workbench.bots import Bot, bot_random, decide, greedy, random_below
from workbench.bots.registry import bot_of
from workbench.presentation.localization.localizer import Localizer
from workbench.presentation.narration.event_log import EventLog
from workbench.web.views.cards.previews import cards_after
from workbench.web.views.choices import choices

GAMES = ("germany", "base", "classic", "cardgame", "examples/tiny/dare.rules")
DRAWN_UNSEEN = ("germany", "classic")
"""Games in which cards are drawn that others do not see."""
EVERY = 29
ROOT = Path(__file__).parents[2]
FILES = (
    *("germany", "base", "classic", "cardgame"),
    *(str(path.relative_to(ROOT)) for path in sorted(ROOT.glob("examples/*/*.rules"))),
    *("tests/interpreter/posts.rules", "tests/interpreter/ranks.rules"),
    "tests/interpreter/bare_ranks.rules",
)
"""Every shipped game and every example, the latter by their paths from the root, and
three with face-down cards and hidden values."""
IN_C = ("examples/tiny/dare.rules", "tests/interpreter/posts.rules")
"""Files that the C engine plays without `--deep`, with a test at every step."""
FULL, SHORT, APART, THINKING = 20, 1, 12, 24
"""Games of each file with and without `--deep`; decisions between two tests; decisions
between two tests of bots.
"""
DECISIONS, ENOUGH = 50, 8
"""Decisions in a short game; number of redrawable views after which a difference is
required.
"""


def some(book: Rulebook, seed: int, *, deep: bool) -> Iterator[tuple[int, Game]]:
    """Yield a game at some steps, and at every step while answers are hidden."""
    every = 1 if deep else 3 if book.name == "dare" else EVERY
    for number, game in enumerate(
        steps(book, seed, decisions=100_000 if deep else 700, sensible=deep)
    ):
        if number % every == 0 or "split" in game.position:
            yield number, game


@pytest.mark.parametrize("name", GAMES)
def test_a_seat_sees_nothing_that_it_cannot_know(name: str, deep: bool) -> None:
    book, hidden = workbench.load(name), 0
    for seed in range(1, 11 if deep else 2):
        for number, game in some(book, seed, deep=deep):
            asked = questions(game, number)
            for place, seat in enumerate(game.seats):
                world = game.sample(seat, number)
                hidden += world.position != game.position

                same_to(seat, game, world, shown=number % game.players == place)
                for text in asked:
                    assert world.why(text, seat) == game.why(text, seat)

    assert hidden


def all_shown(
    game: Game,
    seat: str,
    number: int,
    *,
    past: Game,
    bots: Iterable[Bot],
    asked: Iterable[str],
) -> dict[str, Any]:
    """Return everything that a seat receives of a game, by name. The events come from
    `past`, because a redrawn game has none. The reasons for the actions `asked` and the
    choices of `bots` are included. Samples are compared as games, which is faster than
    as positions.
    """
    shown = {
        "view": game.view(seat),
        "observation": game.observation(seat),
        "legal actions": game.legal_actions(seat),
        "sample": game.sample(seat, 7),
        "why": [game.why(text, seat) for text in asked],
        "log": (game if game is past else with_past_of(past, game)).log(seat),
    }
    if game.to_act == seat:
        shown["choices"] = choices(game, seat, Localizer.for_book(game.book))
        shown["bot's input"] = given(game, seat)
        shown["bots"] = [
            decide(bot, game, seat, bot_random(number, 0, seat)) for bot in bots
        ]
    return shown


def with_past_of(past: Game, world: Game) -> Game:
    """Return a copy of a redrawn game with the events of another."""
    told = world.copy()
    told.set_history(course_of(past).events, None, None)
    return told


def given(game: Game, seat: str) -> list[Any]:
    """Return everything that a bot receives."""
    noted: list[Any] = []

    def noting(view: Any, legal: Any, sample: Any, _: Any) -> Any:
        noted.extend((view, tuple(legal), sample(3)))
        return legal[0]

    decide(noting, game, seat, bot_random(0, 0, seat))
    return noted


def worlds(
    game: Game, seat: str, number: int, numbers: Random, view: Any, *, both: bool
) -> Iterator[tuple[Game, int]]:
    """Yield games that a seat cannot distinguish from its own, with the number of
    changes. One is a sample of the project, the other is dealt from the position and
    the view. Without `both`, they alternate.
    """
    other = redrawn(game, seat, numbers, view) if both or number % 2 else None
    if other is not None:
        yield other
    if both or other is None:
        world = game.sample(seat, number)
        yield world, differences(game, world)


def differences(here: Game, there: Game) -> int:
    """Count the cells of two games that differ."""
    pairs = zip(state_of(here).s, state_of(there).s, strict=True)
    return sum(mine != other for mine, other in pairs)


@pytest.mark.parametrize("engine", ["reference", "native"])
@pytest.mark.parametrize("name", FILES)
def test_everything_a_seat_receives_depends_only_on_its_knowledge(
    name: str,
    engine: str,
    deep: bool,
    record_property: Callable[[str, object], None],
) -> None:
    """Hidden information is redrawn in two ways, and everything the seat receives stays
    equal. Failures seen after breaking: a view and an observation of the real position;
    forms tried in the real game; a sample that keeps a hidden hand; bots with samples
    of another seat's game.
    """
    if engine == "native" and not deep and name not in IN_C:
        pytest.skip("an engine for each file takes minutes")
    book = workbench.load(str(ROOT / name) if "/" in name else name)
    games, counts = FULL if deep else SHORT, Counter[str]()
    every = 1 if deep or name in IN_C else APART
    for seed in range(1, games + 1):
        counts += compared(book, engine, seed, every=every, deep=deep)

    assert counts["steps"] >= games
    assert counts["changes"] or counts["open"] < ENOUGH
    record_property("counts", dict(counts))
    sys.stdout.write(f"{name} ({engine}): {dict(counts)}\n")


def compared(
    book: Rulebook, engine: str, seed: int, *, every: int, deep: bool
) -> Counter[str]:
    """Play a game; assert that redrawn games show each seat the same. Count them."""
    most, numbers, counts = 100_000 if deep else DECISIONS, Random(seed), Counter[str]()
    thinking = (greedy, bot_of("mcts(4)")) if deep else (greedy,)
    played = steps(book, seed, decisions=most, sensible=deep, engine=engine)
    for number, game in enumerate(played):
        if number % every:
            continue
        counts["steps"] += 1
        shown = partial(
            all_shown,
            number=number,
            past=game,
            bots=() if number % THINKING else thinking,
            asked=questions(game, number)[:1],
        )
        position = game.position
        for seat in game.seats:
            counts["seats"] += 1
            mine = shown(game, seat)
            view = mine["view"]
            counts["open"] += can_differ(game, seat, position, view)
            for world, changed in worlds(
                game, seat, number, numbers, view, both=not deep
            ):
                counts["worlds"] += 1
                counts["changes"] += changed
                other = shown(world, seat)
                for what, value in mine.items():
                    assert other[what] == value, (seed, number, seat, what)
    return counts + Counter(games=1)


@pytest.mark.parametrize("name", GAMES)
def test_an_allowed_undo_has_revealed_nothing(name: str, deep: bool) -> None:
    """With all hidden values and later chance redrawn, the action shows the same."""
    book, permitted, refused = workbench.load(name), 0, 0
    for seed in range(1, 11 if deep else 2):
        numbers = bot_random(seed, 0, "undone")
        for number, game in some(book, seed + 20, deep=deep):
            if game.to_act is None:
                break
            legal = game.legal_actions()
            done = legal[random_below(len(legal), numbers)]
            if game.teaches(done):
                refused += 1
                continue
            permitted += 1
            after = game.copy()
            after.apply(done)
            for place, seat in enumerate(game.seats):
                world = game.sample(seat, number)
                if done not in world.legal_actions():
                    assert seat != done.seat
                    continue
                since = world.steps
                world.apply(done)
                same_to(seat, after, world, shown=number % game.players == place)
                assert world.log(seat)[since:] == after.log(seat)[game.steps :]

    assert refused
    assert permitted or book.name == "dare"


def lines(game: Game, reader: str | None) -> list[tuple[str, list[str]]]:
    """Return the sentences about the events of a game, with their effects."""
    log = EventLog(Localizer.for_book(game.book), reader)
    log.update(game)
    return [(each.text, [what.text for what in each.effects]) for each in log.entries]


@pytest.mark.parametrize("name", GAMES)
def test_sentences_about_an_action_depend_only_on_what_the_reader_knows(
    name: str, deep: bool
) -> None:
    """In two samples of a game, an action has the same sentences for every reader who
    knows the same before and after it, also if its hidden outcomes differ. Its preview
    is the same too.
    """
    book, differs = workbench.load(name), 0
    words = Localizer.for_book(book)
    for seed in range(1, 11 if deep else 2):
        numbers = bot_random(seed, 0, "sentences")
        played = steps(book, seed + 40, decisions=700, sensible=deep)
        for number, game in enumerate(played):
            if game.to_act is None:
                break
            legal = game.legal_actions()
            done = legal[random_below(len(legal), numbers)]
            if number % EVERY and not has_hidden_outcome(game, done):
                continue
            for reader in (*game.seats, None):
                seat = reader or game.seats[0]
                worlds = [game.sample(seat, 2 * number + each) for each in range(2)]
                if any(done not in world.legal_actions() for world in worlds):
                    continue
                if reader == game.to_act:
                    after = [cards_after(w, seat, done.text, words) for w in worlds]
                    assert after[0] == after[1], done
                for world in worlds:
                    world.apply(done)
                first, second = ((w.view(reader), w.log(reader)) for w in worlds)
                if first == second:
                    told = [lines(world, reader) for world in worlds]
                    assert told[0] == told[1], (done, reader)
                    differs += worlds[0].events != worlds[1].events

    assert differs or book.name not in DRAWN_UNSEEN


def has_hidden_outcome(game: Game, action: Any) -> bool:
    """Return whether an action has outcomes that not everybody sees."""
    if not game.teaches(action):
        return False
    after = game.copy()
    after.apply(action)
    return any(
        "chance" in event and event["outcome"] is None
        for event in after.log(None)[game.steps :]
    )


@pytest.mark.parametrize("seed", [3, 8])
def test_other_answers_in_a_block_give_the_same_log(seed: int) -> None:
    """Two games from the start of a block differ in hands and answers."""
    book, compared = workbench.load("classic"), 0
    world: dict[str, Game] = {}
    numbers = bot_random(seed, 0, "answers")
    before: Game | None = None
    for game in steps(book, seed):
        inside = "split" in game.position
        if inside and before is not None and "split" not in before.position:
            world = {seat: game.sample(seat, 1) for seat in game.seats}
        elif inside and before is not None:
            done = game.events[-1]
            for seat, other in world.items():
                legal = other.legal_actions()
                text = done["action"] if done["seat"] == seat else None
                other.apply(text or legal[random_below(len(legal), numbers)])
                since = game.steps - other.steps
                same_to(seat, game, other)
                assert other.log(seat) == game.log(seat)[since:]
                compared += other.events != game.events[since:]
        before = game.copy()

    assert compared
