"""What a seat cannot know changes nothing for it: it is drawn anew at every step.

Quick: some steps of one game of each, played at random; every step inside simultaneous
blocks. `--deep`: every step of ten games of each, played by bots that err.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import workbench
from interpreter import Game
from rulebook import Rulebook
from tests.support.knowing import questions, same_to, steps
from workbench.bots import below, own_numbers
from workbench.localization.localizer import Wording
from workbench.web.shown.choices import choices

GAMES = ("germany", "base", "classic", "cardgame", "examples/tiny/dare.rules")
EVERY = 29
ROOT = Path(__file__).parents[2]
FILES = (
    *("germany", "base", "classic", "cardgame"),
    *(str(path.relative_to(ROOT)) for path in sorted(ROOT.glob("examples/*/*.rules"))),
)
"""Every shipped game and every example, the latter by their paths from the root."""
FULL, SHORT, APART = 20, 1, 3
"""Games of each file with `--deep` and without it, and decisions between two looks."""
DECISIONS = 60


def some(book: Rulebook, seed: int, *, deep: bool) -> Iterator[tuple[int, Game]]:
    """A game with its steps; every step while answers are hidden."""
    every = 1 if deep else 3 if book.name == "dare" else EVERY
    for number, game in enumerate(
        steps(book, seed, decisions=100_000 if deep else 700, sensible=deep)
    ):
        if number % every == 0 or "split" in game.position:
            yield number, game


@pytest.mark.parametrize("name", GAMES)
def test_a_seat_is_shown_nothing_that_it_cannot_know(name: str, deep: bool) -> None:
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


def all_shown(game: Game, seat: str) -> dict[str, Any]:
    """Everything that a seat is given of a game as it stands, by what it is."""
    words = Wording.of(game.book)
    return {
        "view": game.view(seat),
        "observation": game.observation(seat),
        "legal actions": game.legal_actions(seat),
        "sample": game.sample(seat, 7).position,
        "choices": choices(game, seat, words) if game.to_act == seat else None,
    }


@pytest.mark.parametrize("name", FILES)
def test_all_that_a_seat_is_given_is_a_function_of_what_it_knows(
    name: str, deep: bool, record_property: Callable[[str, object], None]
) -> None:
    """Whatever is hidden from a seat is drawn anew: all stays equal, in every game."""
    book = workbench.load(str(ROOT / name) if "/" in name else name)
    games, seats, looks = FULL if deep else SHORT, 0, 0
    for seed in range(1, games + 1):
        most = 100_000 if deep else DECISIONS
        for number, game in enumerate(steps(book, seed, decisions=most, sensible=deep)):
            if number % APART and not deep:
                continue
            looks += 1
            for seat in game.seats:
                seats += 1
                world = game.sample(seat, number)
                assert all_shown(world, seat) == all_shown(game, seat), (number, seat)

    assert looks >= games
    record_property("games, steps, seats", (games, looks, seats))


@pytest.mark.parametrize("name", GAMES)
def test_a_permitted_undo_has_shown_nothing_hidden(name: str, deep: bool) -> None:
    """With all hidden values and later chance redrawn, the action shows the same."""
    book, permitted, refused = workbench.load(name), 0, 0
    for seed in range(1, 11 if deep else 2):
        numbers = own_numbers(seed, 0, "undone")
        for number, game in some(book, seed + 20, deep=deep):
            if game.to_act is None:
                break
            legal = game.legal_actions()
            done = legal[below(len(legal), numbers)]
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


@pytest.mark.parametrize("seed", [3, 8])
def test_other_answers_in_a_block_make_the_same_log(seed: int) -> None:
    """Two games side by side from where a block begins: other hands, other answers."""
    book, compared = workbench.load("classic"), 0
    world: dict[str, Game] = {}
    numbers = own_numbers(seed, 0, "answers")
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
                other.apply(text or legal[below(len(legal), numbers)])
                since = game.steps - other.steps
                same_to(seat, game, other)
                assert other.log(seat) == game.log(seat)[since:]
                compared += other.events != game.events[since:]
        before = game.copy()

    assert compared
