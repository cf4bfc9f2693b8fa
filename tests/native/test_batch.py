"""A batch of games plays the same games as stepping each game alone."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import attrs
import pytest

from interpreter import Game, UsageError
from interpreter.c_engine import HIDDEN, Batch, Step
from interpreter.game import state_of
from interpreter.native.engine import Engine, NativeGame, engine_for
from interpreter.plan.plan import Plan
from interpreter.planning import plan_for
from interpreter.state.state import State
from rulebook import Rulebook, RulesError
from tests.native.compilers import NEEDS_C
from tests.support.seen import seen
from workbench import load

np = pytest.importorskip("numpy")

ROOT = Path(__file__).parents[2]
GAMES = (
    *("classic", "germany", "base", "cardgame"),
    *(f"examples/tiny/{name}.rules" for name in ("hex", "reversi", "dare")),
    *(
        f"examples/games/{name}.rules"
        for name in ("hearts", "sealed_bids", "ships", "two_against_two", "moonlight")
    ),
    *("tests/interpreter/workers.rules", "tests/interpreter/meadow.rules"),
)
SECRET = ("examples/games/hearts.rules", "examples/games/sealed_bids.rules")
NUMBER, STEPS = 4, 150

pytestmark = [NEEDS_C, pytest.mark.usefixtures("own_cache")]


def random_indices(step: Step, numbers: Random) -> Any:
    """Return a random legal index for each game."""
    picks = [int(numbers.random() * int(count)) for count in step.counts]
    return step.indices[range(len(picks)), picks]


def native(batch: Batch, seed: int) -> NativeGame:
    """Return the game of a seed, stepped alone."""
    made = engine_for(plan_for(batch.book, batch.players, {}))
    assert isinstance(made, Engine)
    return made.start(seed)


def agrees(batch: Batch, plan: Plan, alone: list[NativeGame]) -> None:
    step = batch.now
    for i, game in enumerate(alone):
        legal = step.indices[i, : step.counts[i]].tolist()
        assert legal == game.legal_indices() == np.flatnonzero(step.legal[i]).tolist()
        assert step.seats[i] == game.seat
        known = seen(plan, game.state(), game.seat)
        told = dict(zip(batch.observed(), step.observations[i].tolist(), strict=True))
        assert told == {name: known[name] for name in told}
        assert {known[name] for name in known if name not in told} <= {HIDDEN}


@pytest.mark.parametrize("name", GAMES)
def test_a_batch_plays_the_same_games_as_single_steps(name: str) -> None:
    book = load(name)
    batch, numbers = Batch(book, NUMBER, seed=7), Random(name)
    plan = plan_for(book, batch.players, {})
    assert len(set(batch.observed())) == len(batch.observed())
    alone = [native(batch, 7 + i) for i in range(NUMBER)]
    seeds, failed = [7 + i for i in range(NUMBER)], 0
    for number in range(STEPS):
        if number % 5 == 0:
            agrees(batch, plan, alone)
        indices = random_indices(batch.now, numbers)
        step = batch.step(indices)
        for i, game in enumerate(alone):
            assert step.played[i] == seeds[i]
            assert bool(step.failed[i]) == fails(game, int(indices[i]))
            failed += bool(step.failed[i])
            assert bool(step.terminated[i] or step.truncated[i]) == (
                game.is_over and not step.failed[i]
            )
            if step.terminated[i]:
                assert step.rewards[i].tolist() == shares(plan, game.state())
            else:
                assert not step.rewards[i].any()
            if game.is_over or step.failed[i]:
                seeds[i] += NUMBER
                alone[i] = native(batch, seeds[i])
    agrees(batch, plan, alone)


def fails(game: NativeGame, index: int) -> bool:
    """Apply an action; return whether C cannot perform it."""
    try:
        game.apply(index)
    except RulesError:
        return True
    return game.interpreter_state is not None


def shares(plan: Plan, state: State) -> list[float]:
    """Return each seat's share of the win, according to `Game.outcome`."""
    outcome = Game(plan, state).outcome
    assert outcome is not None
    seats = plan.values.names["player"]
    winners = [seat for seat in seats if outcome.ranks and outcome.ranks[seat] == 1]
    among = winners or list(seats)
    return [1 / len(among) if seat in among else 0.0 for seat in seats]


@pytest.mark.parametrize("name", ["classic", "cardgame", *SECRET])
def test_observations_contain_no_hidden_information(name: str) -> None:
    batch, numbers = Batch(load(name), 1, seed=3), Random(3)
    plan, changed = plan_for(batch.book, batch.players, {}), 0
    for number in range(STEPS):
        if number % 10 == 0:
            game = batch.game(0)
            assert game.to_act is not None
            here = told(batch, plan, game)
            assert here == batch.now.observations[0].tolist()
            for seed in range(3):
                other = game.sample(game.to_act, seed)
                changed += other != game
                assert told(batch, plan, other) == here
        batch.step(random_indices(batch.now, numbers))
    assert changed


def told(batch: Batch, plan: Plan, game: Game) -> list[int]:
    """Return the observation of the seat to act."""
    assert game.to_act is not None
    known = seen(plan, state_of(game), game.seat_number(game.to_act))
    return [known[name] for name in batch.observed()]


def test_arrays_of_a_step_are_read_only() -> None:
    """Otherwise a caller's mistake would stay in the arrays for all later steps."""
    batch = Batch(load("classic"), 2, seed=1)
    for step in (batch.now, batch.step(batch.now.indices[:, 0])):
        for name, array in attrs.asdict(step, recurse=False).items():
            if isinstance(array, np.ndarray):
                with pytest.raises(ValueError, match="read-only"):
                    array[...] = 1
                assert not array.flags.writeable, name


def test_results_do_not_depend_on_threads() -> None:
    book = load("germany")
    rows: list[list[Any]] = []
    for threads in (1, 2, 3):
        numbers = Random(1)
        with Batch(book, 7, seed=1, threads=threads, decisions=40) as batch:
            rows.append([])
            for _ in range(100):
                step = batch.step(random_indices(batch.now, numbers))
                rows[-1].append(
                    [
                        array.copy().tolist()
                        for array in (step.legal, step.observations, step.truncated)
                    ]
                )
    assert rows[0] == rows[1] == rows[2]


def test_an_illegal_index_is_rejected_and_changes_nothing() -> None:
    batch, numbers = Batch(load("classic"), 5, seed=2, threads=2), Random(1)
    for _ in range(20):
        batch.step(random_indices(batch.now, numbers))
    before, indices = everything(batch), random_indices(batch.now, numbers)
    illegal = next(i for i in range(batch.actions) if not batch.now.legal[3, i])
    for wrong in (illegal, -1, batch.actions, 1 << 40):
        given = indices.astype("int64")
        given[3] = wrong
        with pytest.raises(UsageError, match=f"{wrong} is not legal in game 3 for"):
            batch.step(given)
        assert everything(batch) == before
    batch.step(indices)
    assert everything(batch) != before


def everything(batch: Batch) -> list[Any]:
    """Return all results of a batch, and the states of its games."""
    arrays = [
        array.tolist()
        for array in attrs.asdict(batch.now).values()
        if array is not None
    ]
    states = [state_of(batch.game(i)).s for i in range(batch.number)]
    return [arrays, states]


@pytest.mark.parametrize("wrong", [[0], [[0, 0]], [0.0, 0.0], ["a", "b"], [True, True]])
def test_rejects_malformed_index_arrays(wrong: Any) -> None:
    batch = Batch(load("examples/tiny/reversi.rules"), 2)
    with pytest.raises(UsageError, match="a step takes 2 whole numbers"):
        batch.step(wrong)


@pytest.mark.parametrize("threads", [1, 2])
def test_rejects_steps_of_a_closed_batch(threads: int) -> None:
    with Batch(load("examples/tiny/reversi.rules"), 2, threads=threads) as batch:
        played = batch.step(random_indices(batch.now, Random(1))).lengths.tolist()
    with pytest.raises(UsageError, match="this batch is closed"):
        batch.step(random_indices(batch.now, Random(1)))
    batch.close()
    assert batch.now.lengths.tolist() == played == [1, 1]


def test_games_are_truncated_by_decisions_and_by_turns() -> None:
    book, numbers = load("classic"), Random(1)
    batch = Batch(book, 2, seed=1, decisions=10)
    for number in range(1, 31):
        step = batch.step(random_indices(batch.now, numbers))
        assert step.truncated.tolist() == [number % 10 == 0] * 2
        assert step.lengths.tolist() == [(number - 1) % 10 + 1] * 2
        assert step.played.tolist() == [1 + (number - 1) // 10 * 2 + i for i in (0, 1)]
        assert not step.terminated.any()
        assert not step.rewards.any()
    turns = Batch(book, 1, seed=1, turns=3)
    ended = [
        bool(turns.step(random_indices(turns.now, numbers)).truncated)
        for _ in range(200)
    ]
    assert any(ended)
    assert turns.now.observations[0, turns.observed().index("turn")] <= 3


def test_a_failed_game_ends_and_is_marked(tmp_path: Path) -> None:
    book, numbers, failed = load("tests/interpreter/workers.rules"), Random(1), []
    batch = Batch(book, 8, seed=1)
    for _ in range(400):
        step = batch.step(random_indices(batch.now, numbers))
        assert not (step.failed & (step.terminated | step.truncated)).any()
        failed += step.played[step.failed].tolist()
        assert (step.counts > 0).all()
    assert failed


def test_without_masks_legal_is_none() -> None:
    batch = Batch(load("examples/tiny/reversi.rules"), 2, masks=False)
    assert batch.now.legal is None
    assert batch.step(random_indices(batch.now, Random(1))).counts.all()


@pytest.mark.parametrize(
    ("given", "told_of"),
    [
        ({"number": 0}, "number must be a whole number of at least 1, not 0"),
        ({"number": 1, "threads": 0}, "threads must be a whole number of at least 1"),
        (
            {"number": 1, "decisions": -1},
            "decisions must be a whole number of at least 0",
        ),
        ({"number": 1, "turns": 0}, "turns must be a whole number of at least 1"),
        ({"number": 1, "seed": "a"}, "a seed must be a whole number"),
        ({"number": 1, "players": 9}, "needs 2 players, not 9|needs 2 to 3 players"),
    ],
)
def test_rejects_impossible_settings(given: dict[str, Any], told_of: str) -> None:
    book: Rulebook = load("examples/tiny/reversi.rules")
    with pytest.raises(UsageError, match=told_of):
        Batch(book, **given)


def test_without_an_engine_the_error_gives_the_reason(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("interpreter.native.c_layout.PLAYERS_MAX", 1)
    with pytest.raises(
        UsageError, match="cannot be compiled to C: more than 1 players"
    ):
        Batch(load("examples/tiny/reversi.rules"), 1)
