"""Promises about whole games, at every step. `--deep` plays twenty games, else one.

Most of the twenty go without offers between players, which quadruple a game's length.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import workbench
from interpreter import Game, IllegalAction
from interpreter.game import state_of
from rulebook import Rulebook
from tests.support.processes import run_process
from workbench.bots import generator, random_below

VARIANT = "germany"
OFFERS = 2
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def book() -> Rulebook:
    return workbench.load(VARIANT)


def played(game: Game, seed: int) -> Iterator[Game]:
    """Yield the game at every step of random play, including the end."""
    numbers = generator(seed, "everybody")
    while game.to_act is not None:
        yield game
        legal = game.legal_actions()
        game.apply(legal[random_below(len(legal), numbers)])
    yield game


def begun(book: Rulebook, seed: int) -> Game:
    """Start a game for 3 or 4 players; the first two of a deep run have offers."""
    options = {"offers_per_turn": 0} if seed > OFFERS else {}
    return Game.start(book, players=3 + seed % 2, seed=seed, options=options)


def seeds(*, deep: bool) -> range:
    return range(1, 21) if deep else range(OFFERS + 1, OFFERS + 2)


def events(record: str) -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in record.splitlines()]
    return [line for line in lines[1:] if "end" not in line]


def test_a_new_process_continues_a_position_with_the_same_record(
    book: Rulebook, deep: bool
) -> None:
    for seed in seeds(deep=deep):
        game = begun(book, seed)
        steps: list[str] = []
        for step in played(game, seed):
            position = step.position
            assert Game.from_position(book, position, seed=seed) == step
            steps.append(json.dumps([position, len(events(step.record))]))
        every = 1 if deep else max(1, len(steps) // 5)
        feed = json.dumps({"variant": VARIANT, "seed": seed, "record": game.record})
        done = run_process(
            [sys.executable, "-m", "tests.support.go_on"],
            cwd=ROOT,
            input="\n".join([feed, *steps[::every]]),
        )

        assert done.stderr == ""
        assert done.stdout.split() == ["same"] * len(steps[::every])


def test_given_chance_outcomes_give_the_same_record(book: Rulebook, deep: bool) -> None:
    for seed in seeds(deep=deep):
        game = begun(book, seed)
        for _ in played(game, seed):
            pass
        again = Game.start(
            book, players=game.players, seed=seed, options=game.options, chance="given"
        )
        for event in events(game.record):
            if "chance" in event:
                assert again.to_act == "chance"
                again.apply(event)
            else:
                assert again.to_act == event["seat"]
                again.apply(event["action"])

        assert events(again.record) == events(game.record)
        assert again.outcome == game.outcome


def test_the_legal_actions_are_exactly_those_that_apply(
    book: Rulebook, deep: bool
) -> None:
    for seed in seeds(deep=deep):
        game = begun(book, seed)
        for number, step in enumerate(played(game, seed)):
            if step.to_act is None or (not deep and number % 25):
                continue
            listed = {action.index for action in step.legal_actions()}

            assert listed == taken(step)


def taken(game: Game) -> set[int]:
    """Return the indices of all actions that a copy accepts; a rejection must change
    nothing.
    """
    assert game.to_act is not None
    space = state_of(game).plan.actions
    seat = game.seats.index(game.to_act)
    indices = set()
    trial = game.copy()
    for index in range(space.size):
        try:
            trial.apply(space.action(seat, index))
        except IllegalAction:
            continue
        indices.add(index)
        trial = game.copy()
    assert trial == game
    return indices
