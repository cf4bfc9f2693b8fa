"""PettingZoo environments: PettingZoo's own tests, and unchanged games.

Verified by manual mutations: a mask for a seat that is not to act, rewards after a
truncated game, a seed that does not advance, a game that is not repeated.
"""

from __future__ import annotations

import sys
import warnings
from functools import partial
from random import Random
from typing import Any

import pytest

from interpreter import Game, IllegalAction, UsageError
from interpreter.c_engine import NoNativeEngine
from rulebook import Rulebook
from tests.native.compilers import NEEDS_C
from tests.support.processes import run_process
from tests.workbench.learning import files
from workbench import load
from workbench.learning import environment

np = pytest.importorskip("numpy")
pettingzoo = pytest.importorskip("pettingzoo")

NAUGHTS = "examples/tiny/noughts_and_crosses.rules"
SAID = (
    "Observation is not a NumPy array",  # an observation is a dictionary with a mask
    "Observation space for each agent probably should be",
    "We recommend agents to be named in the format",  # agents are named like seats
    "Environment has not defined a render",
)
"""Intended deviations from the advice of PettingZoo's environment test."""


@pytest.fixture(scope="module")
def naughts() -> Rulebook:
    return load(NAUGHTS)


def test_the_tests_of_pettingzoo_pass(deep: bool) -> None:
    from pettingzoo.test import api_test, seed_test

    for name in files.of(deep=deep):
        book = load(name)
        for players in sorted(set(book.players)) if deep else book.players[1:]:
            with warnings.catch_warnings(record=True) as said:
                warnings.simplefilter("always")
                made = environment(book, players=players, decisions=30)
                api_test(made, num_cycles=100 if deep else 20)
                cycles = 50 if deep else 4
                seed_test(partial(environment, book, players=players), cycles)
            assert all(str(each.message).startswith(SAID) for each in said)


def play(env: Any, numbers: Random) -> list[Any]:
    """Play a random game; return everything reported."""
    told = []
    for agent in env.agent_iter():
        seen, reward, ended, cut_off, info = env.last()
        rows = {key: value.tolist() for key, value in seen.items()}
        told.append((agent, rows, reward, ended, cut_off, info))
        legal = np.flatnonzero(seen["action_mask"]).tolist()
        env.step(None if ended or cut_off else numbers.choice(legal))
    return told


@NEEDS_C
@pytest.mark.parametrize("name", [NAUGHTS, *files.FEW[1:]])
def test_both_engines_give_the_same_games(name: str) -> None:
    told, kinds = [], set()
    for engine in ("native", "reference"):
        env = environment(load(name), seed=3, decisions=40, engine=engine)
        env.reset()
        kinds.add(env.engine)
        told.append(play(env, Random(1)))
    assert kinds == {"native", "reference"}
    assert told[0] == told[1]


def test_rewards_are_shares_of_the_win(naughts: Rulebook) -> None:
    env, numbers, seen = environment(naughts), Random(1), set()
    for _ in range(30):
        env.reset()
        *_, one_before, last = play(env, numbers)
        outcome = env.game.outcome
        rewards = {one_before[0]: one_before[2], last[0]: last[2]}
        among = outcome.winners or env.game.seats
        assert rewards == {
            seat: 1 / len(among) if seat in among else 0 for seat in env.game.seats
        }
        assert one_before[3]
        assert last[3]
        assert not one_before[4]
        seen.add(tuple(sorted(rewards.values())))
    assert seen == {(0, 1), (0.5, 0.5)}


def test_last_observation_is_of_the_finished_game(naughts: Rulebook) -> None:
    for engine in ("auto", "reference"):
        env = environment(naughts, engine=engine)
        env.reset(seed=5)
        told = play(env, Random(4))
        last = told[-1][1]
        marks = [
            number
            for name, number in zip(env.observed(), last["observation"], strict=True)
            if name.startswith("mark.")
        ]
        assert marks
        assert sum(number >= 0 for number in marks) == len(told) - 2
        assert not any(last["action_mask"])


def test_game_is_truncated_by_decisions_and_turns(naughts: Rulebook) -> None:
    limits: tuple[dict[str, Any], ...] = ({"decisions": 3}, {"turns": 3})
    for limit in limits:
        env = environment(naughts, **limit)
        env.reset()
        told = play(env, Random(1))
        assert len(told) == 3 + 2
        for _, _, reward, ended, cut_off, info in told[-2:]:
            assert (reward, ended, cut_off, info) == (0, False, True, {})


def test_only_the_acting_agent_has_legal_actions(naughts: Rulebook) -> None:
    env = environment(naughts)
    env.reset()
    may = {agent: int(env.observe(agent)["action_mask"].sum()) for agent in env.agents}
    assert may.pop(env.agent_selection) == 9
    assert set(may.values()) == {0}


def test_seeds_advance_and_reproduce_a_game() -> None:
    env = environment(load("examples/tiny/dare.rules"), seed=7)
    games = []
    for seed in (None, None, 7, None):
        env.reset(seed=seed)
        games.append(play(env, Random(1)))
    assert games[0] == games[2]
    assert games[1] == games[3]
    assert games[0] != games[1]


@pytest.mark.parametrize("engine", ["auto", "reference"])
def test_illegal_action_is_rejected_and_changes_nothing(
    naughts: Rulebook, engine: str
) -> None:
    env = environment(naughts, engine=engine)
    env.reset()
    env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[0]))
    before = env.game.position
    illegal = int(np.flatnonzero(env.last()[0]["action_mask"] == 0)[1])
    with pytest.raises(IllegalAction):
        env.step(illegal)
    for wrong in (-1, 10_000, None, 1.5, True):
        with pytest.raises(UsageError, match="an action is an index from 0 to"):
            env.step(wrong)
    assert env.game.position == before
    assert env.agent_selection == env.game.to_act


@pytest.mark.parametrize("engine", ["auto", "reference"])
def test_failing_game_is_truncated_with_an_error(engine: str) -> None:
    book = load("tests/interpreter/workers.rules")
    env, numbers, failed = environment(book, seed=1, engine=engine), Random(1), False
    for _ in range(40):
        env.reset()
        _, _, reward, ended, cut_off, info = play(env, numbers)[-1]
        if info:
            assert (reward, ended, cut_off) == (0, False, True)
            assert info["failed"]
            assert isinstance(env.game, Game)
            failed = True
            break
    assert failed


def test_without_a_compiler_the_interpreter_plays(
    monkeypatch: pytest.MonkeyPatch, naughts: Rulebook
) -> None:
    monkeypatch.setattr(
        "interpreter.play.courses.native.engine_for",
        lambda _: NoNativeEngine("no compiler"),
    )
    env = environment(load(NAUGHTS))
    env.reset()
    assert env.engine == "reference"
    assert play(env, Random(1))
    with pytest.raises(UsageError, match="no native engine for"):
        environment(load(NAUGHTS), engine="native")


@pytest.mark.parametrize(
    "given", [{"players": 9}, {"options": {"no_such": 1}}, {"seed": "a"}]
)
def test_rejects_impossible_settings(naughts: Rulebook, given: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        environment(naughts, **given)


def test_other_modules_do_not_import_the_libraries() -> None:
    code = (
        "import sys, workbench.learning, workbench.cli\n"
        "print({'numpy', 'gymnasium', 'pettingzoo', 'pyspiel'} & set(sys.modules))"
    )
    said = run_process([sys.executable, "-c", code], check=True)
    assert said.stdout == "set()\n"
