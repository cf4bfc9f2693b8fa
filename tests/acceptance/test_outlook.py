"""Outlooks: points and hinted value after an action, as samples give them to bots."""

from pathlib import Path

import pytest

import workbench
from interpreter import Action, Game
from tests.support.knowing import steps
from workbench.bots import generator, random_below

SAMPLES = 4


def states(variant: str, seed: int, every: int) -> list[Game]:
    """Return the game at intervals of random play."""
    game = Game.start(workbench.load(variant), seed=seed)
    numbers = generator(seed, "everybody")
    games: list[Game] = []
    for step in range(2_000):
        legal = game.legal_actions()
        if not legal:
            break
        if step % every == 0:
            games.append(game.copy())
        game.apply(legal[random_below(len(legal), numbers)])
    return games


def after(world: Game, action: Action) -> tuple[int, int]:
    """Return the points and hinted value after an action, found by applying it."""
    there = world.copy()
    there.apply(action.text)
    return there.points(action.seat), there.worth(action.seat)


def test_an_outlook_inside_a_simultaneous_block_agrees_with_play() -> None:
    """No outlook fails, for any answering or thinking seat."""
    folder = Path(__file__).parents[1] / "faults" / "knowledge"
    inside = 0
    for path in sorted(folder.glob("*.rules")):
        for number, game in enumerate(steps(workbench.load(str(path)), 2)):
            if "split" not in game.position:
                continue
            inside += 1
            for seat in game.seats:
                world = game.sample(seat, number)
                for action in world.legal_actions():
                    outlook = world.outlook(action)
                    assert not outlook.certain
                    assert (outlook.points, outlook.worth) == after(world, action)

    assert inside


@pytest.mark.parametrize("variant", ["germany", "classic"])
def test_outlooks_agree_with_play_and_certain_ones_with_every_sample(
    variant: str, deep: bool
) -> None:
    certain = {True: 0, False: 0}
    for game in states(variant, seed=3, every=7 if deep else 61):
        assert game.to_act is not None
        worlds = [game.sample(game.to_act, seed) for seed in range(SAMPLES)]
        for action in game.legal_actions():
            first, *others = [world.outlook(action) for world in worlds]
            certain[first.certain] += 1

            assert (first.points, first.worth) == after(worlds[0], action)
            if first.certain:
                assert others == [first] * len(others)

    assert min(certain.values()) > 0
