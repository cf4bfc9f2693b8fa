"""At every step of random games, a sample agrees with its seat's knowledge and can be
continued. This is tested for every shipped game and example: the quick form at some
steps, `--deep` at every step, sometimes to the end.
"""

from pathlib import Path

import pytest

import variants
import workbench
from interpreter import Game
from tests.support.knowing import agrees, steps
from workbench.bots import bot_random, decide, greedy

EXAMPLES = sorted(Path("examples").glob("*/*.rules"))
GAMES = [*variants.names(), *map(str, EXAMPLES)]


@pytest.mark.parametrize("name", GAMES)
def test_samples_agree_with_the_game_and_can_be_played(name: str, deep: bool) -> None:
    book = workbench.load(name)
    for seed in range(1, 4 if deep else 2):
        for number, game in enumerate(
            steps(book, seed, decisions=100_000 if deep else 400)
        ):
            if not deep and number % 53 and "split" not in game.position:
                continue
            seat = game.seats[number % game.players]
            agrees(game, seat, number, most=3_000 if deep and number % 83 == 0 else 10)
            for other in game.seats if deep else ():
                assert game.sample(other, number).view(other) == game.view(other)


@pytest.mark.parametrize("name", GAMES)
def test_greedy_can_continue(name: str, deep: bool) -> None:
    game, numbers = Game.start(workbench.load(name), seed=5), bot_random(5, 0, "all")
    for _ in range(100_000 if deep else 20):
        if game.to_act is None:
            break
        game.apply(decide(greedy, game, game.to_act, numbers))

    assert game.over or not deep
