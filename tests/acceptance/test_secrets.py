"""What a seat cannot know changes nothing for it. `--deep` looks at every step."""

from collections.abc import Iterator

import pytest

import workbench
from interpreter import Game
from rulebook import Rulebook
from workbench.bots import below, generator


@pytest.fixture(scope="module")
def book() -> Rulebook:
    return workbench.load("germany")


def steps(book: Rulebook, seed: int, *, every: int) -> Iterator[Game]:
    """A game at random, now and then; and at every step while answers are hidden."""
    game = Game.start(book, players=3 + seed % 2, seed=seed)
    numbers = generator(seed, "everybody")
    for number in range(100_000):
        legal = game.legal_actions()
        if not legal:
            break
        if number % every == 0 or "split" in game.position:
            yield game
        game.apply(legal[below(len(legal), numbers)])


def questions(game: Game, seed: int) -> list[str]:
    """Texts of a few actions, legal or not."""
    space = game._plan.actions
    numbers = generator(seed, "questions")
    return [space.action(0, below(space.size, numbers)).text for _ in range(4)]


def test_a_sample_is_the_same_to_its_seat(book: Rulebook, deep: bool) -> None:
    hidden = 0
    for seed in range(1, 21 if deep else 2):
        for number, game in enumerate(steps(book, seed, every=1 if deep else 29)):
            asked = questions(game, number)
            for seat in game.seats:
                world = game.sample(seat, number)
                hidden += world.position["player"] != game.position["player"]

                assert world.to_act == game.to_act
                assert world.view(seat) == game.view(seat)
                assert world.legal_actions(seat) == game.legal_actions(seat)
                for text in asked:
                    assert world.why(text, seat) == game.why(text, seat)
    assert hidden > 20
