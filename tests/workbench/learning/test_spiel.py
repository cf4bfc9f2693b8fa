"""OpenSpiel games: OpenSpiel's own tests, and unchanged games.

Verified by manual mutations: a share of the win as the return, an unpickled state
without its log, common knowledge in an information state, an information state that
forgets.
"""

from __future__ import annotations

import importlib.util
import pickle
import unittest
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import pytest

from interpreter import UsageError
from tests.workbench.learning import files
from workbench import load
from workbench.learning import spiel_game

pyspiel = pytest.importorskip("pyspiel")

FOUR = "examples/tiny/connect_four.rules"
DARE = "examples/tiny/dare.rules"
BIDS = "examples/games/sealed_bids.rules"
KUHN = "tests/workbench/learning/kuhn.rules"


def test_random_games_pass_the_checks_of_openspiel(deep: bool) -> None:
    for name in files.of(deep=deep):
        book = load(name)
        for players in sorted(set(book.players)) if deep else book.players[1:]:
            game = spiel_game(book, players=players, decisions=200 if deep else 20)
            pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


def api() -> Any:
    """Return the module with OpenSpiel's tests of all its games."""
    (folder,) = import_module("open_spiel").__path__
    path = Path(folder) / "integration_tests" / "api_test.py"
    spec = importlib.util.spec_from_file_location("openspiel_api_test", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_the_tests_of_its_own_games_pass(
    deep: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    its, result = api(), unittest.TestResult()
    sampled = its.sample_some_states.sample_some_states

    def few(game: Any, max_states: int) -> Any:
        return sampled(game, max_states=min(max_states, 8))

    monkeypatch.setattr(its.sample_some_states, "sample_some_states", few)
    for name in files.of(deep=deep) if deep else (FOUR, BIDS):
        game = spiel_game(load(name), decisions=30)
        cases = type(
            "Cases",
            (its.EnforceAPIOnPartialTreeBase,),
            {"game": game, "game_name": name},
        )
        unittest.defaultTestLoader.loadTestsFromTestCase(cases).run(result)
    assert result.testsRun >= 10
    assert not result.failures
    assert not result.errors


def test_game_agrees_with_the_one_in_openspiel() -> None:
    ours, theirs, numbers = spiel_game(load(FOUR)), None, Random(1)
    theirs = pyspiel.load_game("connect_four")
    ends = set()
    for _ in range(8):
        state, other = ours.new_initial_state(), theirs.new_initial_state()
        while not other.is_terminal():
            assert not state.is_terminal()
            assert state.current_player() == other.current_player()
            legal = other.legal_actions()
            assert state.legal_actions() == [column + 1 for column in legal]
            chosen = numbers.choice(legal)
            state.apply_action(chosen + 1)
            other.apply_action(chosen)
        assert state.is_terminal()
        assert state.returns() == other.returns()
        ends.add(tuple(state.returns()))
    assert len(ends) > 1


def test_chance_is_a_node_with_its_outcomes() -> None:
    state = spiel_game(load(DARE)).new_initial_state()
    events, numbers = 0, Random(3)
    while not state.is_terminal() and events < 5:
        if not state.is_chance_node():
            state.apply_action(numbers.choice(state.legal_actions()))
            continue
        events += 1
        outcomes = state.chance_outcomes()
        assert sum(share for _, share in outcomes) == pytest.approx(1)
        assert [number for number, _ in outcomes] == list(range(len(outcomes)))
        assert all(share > 0 for _, share in outcomes)
        texts = {state.action_to_string(number) for number, _ in outcomes}
        assert len(texts) == len(outcomes)
        state.apply_action(numbers.choice(outcomes)[0])
    assert events


def test_simultaneous_answers_are_hidden() -> None:
    state, numbers = spiel_game(load(BIDS)).new_initial_state(), Random(1)
    hidden = 0
    for _ in range(60):
        if state.is_terminal():
            break
        if state.is_chance_node():
            state.apply_action(numbers.choice(state.chance_outcomes())[0])
            continue
        who, legal = state.current_player(), state.legal_actions()
        after = [state.child(action) for action in (legal[0], legal[-1])]
        nodes = [each for each in after if each.is_player_node()]
        if len(nodes) == 2 and len({each.current_player() for each in nodes}) == 1:
            other = nodes[0].current_player()
            known = {each.information_state_string(other) for each in nodes}
            seen = {tuple(each.observation_tensor(other)) for each in nodes}
            mine = {each.information_state_string(who) for each in nodes}
            if len(known) == 1 and len(legal) > 1:
                assert len(seen) == 1
                assert len(mine) == 2
                hidden += 1
        state.apply_action(numbers.choice(legal))
    assert hidden


def test_a_known_tree_has_its_known_information_sets() -> None:
    ours, theirs = spiel_game(load(KUHN)), pyspiel.load_game("kuhn_poker")
    known: set[tuple[int, str, str]] = set()
    nodes = {"chance": 0, "player": 0, "end": 0}

    def walk(state: Any, other: Any) -> None:
        assert state.current_player() == other.current_player()
        if other.is_terminal():
            nodes["end"] += 1
            assert [got > 0 for got in state.returns()] == [
                got > 0 for got in other.returns()
            ]
            return
        nodes["chance" if other.is_chance_node() else "player"] += 1
        if other.is_player_node():
            who = other.current_player()
            strings = [each.information_state_string(who) for each in (state, other)]
            known.add((who, *strings))
        for pair in zip(state.legal_actions(), other.legal_actions(), strict=True):
            walk(state.child(pair[0]), other.child(pair[1]))

    walk(ours.new_initial_state(), theirs.new_initial_state())
    assert nodes == {"chance": 4, "player": 24, "end": 30}
    assert len(known) == len({each[:2] for each in known}) == 12
    assert len({each[::2] for each in known}) == 12


def test_information_state_remembers_what_was_seen() -> None:
    game, after = spiel_game(load(BIDS), players=3), []
    for bid in (
        1,
        2,
    ):  # the higher bid of another seat buys the ware, and bids are revealed
        state, bids = game.new_initial_state(), [bid, 5]
        while bids or state.is_chance_node() or "offer" in text_of_first(state):
            legal = {state.action_to_string(n): n for n in state.legal_actions()}
            wanted = f"offer({bids[-1]})" if bids else ""
            if wanted in legal:
                bids.pop()
            state.apply_action(legal.get(wanted, state.legal_actions()[0]))
        after.append(state)
    for seat in range(3):
        assert len({each.observation_string(seat) for each in after}) == 1
        assert len({each.information_state_string(seat) for each in after}) == 2


def text_of_first(state: Any) -> str:
    """Return the first possible action as text."""
    return str(state.action_to_string(state.legal_actions()[0]))


def test_states_and_games_can_be_pickled() -> None:
    game, numbers = spiel_game(load("examples/games/hearts.rules")), Random(2)
    state = game.new_initial_state()
    for _ in range(60):
        if state.is_chance_node():
            state.apply_action(numbers.choice(state.chance_outcomes())[0])
        else:
            state.apply_action(numbers.choice(state.legal_actions()))
    assert str(pickle.loads(pickle.dumps(game))) == str(game)  # noqa: S301
    again = pickle.loads(pickle.dumps(state))  # noqa: S301
    assert str(again) == str(state)
    assert again.history() == state.history()
    for seat in range(game.num_players()):
        known = [each.information_state_string(seat) for each in (state, again)]
        assert known[0] == known[1]


def test_games_are_loaded_by_name_with_players_and_options() -> None:
    import workbench.learning.openspiel  # noqa: F401  (it registers them)

    game = pyspiel.load_game(f"rulebook(rules={BIDS},players=3,options=coins:9)")
    assert game.num_players() == 3
    assert game.book.name == "sealed_bids"
    assert game.start_state.options["coins"] == 9
    assert pyspiel.load_game(str(game)).start_state == game.start_state
    ours = spiel_game(load(BIDS), players=3, options={"coins": 9})
    assert ours.start_state.position == game.start_state.position
    assert pyspiel.load_game(str(ours)).start_state == ours.start_state


def test_truncated_game_has_no_winner() -> None:
    state = spiel_game(load(FOUR), decisions=3).new_initial_state()
    for number in range(3):
        assert not state.is_terminal()
        state.apply_action(number + 1)
    assert state.is_terminal()
    assert state.returns() == [0, 0]


def test_unsupported_rules_are_rejected_with_a_reason(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("workbench.learning.openspiel.MAX_OUTCOMES", 2)
    with pytest.raises(UsageError, match="a chance event with up to 3 outcomes"):
        spiel_game(load(DARE))
    with pytest.raises(UsageError, match="needs 2 players"):
        spiel_game(load(FOUR), players=7)
    with pytest.raises(UsageError, match="no_such"):
        spiel_game(load(FOUR), options={"no_such": 1})
