"""Tree search in the interpreter: results, limits and rejected arguments. Failures seen
after breaking: rewards of the other seat; a playout that continues without a legal
action; widening without a limit or by index alone; no comparison of legal actions; an
ignored limit.
"""

from __future__ import annotations

import attrs
import pytest

import rulebook as rb
from interpreter import Budget, Game, UsageError, parse_budget
from interpreter.algorithms.tree import Tried, best_action, log_2
from interpreter.core.chance import Stream
from interpreter.game import state_of
from interpreter.knowledge.sample_tree_search import (
    PLAYED_OUT,
    VALUED,
    TreeSearchRun,
    search_parameters,
)
from interpreter.knowledge.samples import draw_sample
from interpreter.knowledge.turn_search import TurnSearch
from interpreter.search import Found, search
from rulebook import Rulebook
from tests.native.test_nothing_legal import NOTHING_LEGAL
from workbench import load

MENU = """rules language 1
rulebook menu "Many ways to do little, and one to win"
  players 2 to 2
game has
  left: 0 to 300, starts at 300, seen by all
turn
  phase pick
    you do name_it, win_it
action name_it(1 to 300 which)
  needs it: which <= left "it is gone"
  decrease left by 1
action win_it
  you win
"""


@pytest.fixture(scope="module")
def four() -> Rulebook:
    return load("examples/tiny/connect_four.rules")


def reference(game: Game, budget: Budget, key: int = 1) -> Found:
    return search(game, budget, key=key, engine="reference")


def after(book: Rulebook, *texts: str) -> Game:
    game = Game.start(book, players=2, seed=1)
    for text in texts:
        game.apply(text)
    return game


def text_of(game: Game, answer: Found) -> str:
    texts = {action.index: str(action.text) for action in game.legal_actions()}
    return texts[answer.index]


@pytest.mark.parametrize(
    ("name", "budget"),
    [
        ("mcts", Budget(playouts=1_000)),
        ("mcts(200)", Budget(playouts=200)),
        ("mcts( 2_000 playouts )", Budget(playouts=2_000)),
        ("mcts(1 playout)", Budget(playouts=1)),
        ("mcts(50000 decisions)", Budget(decisions=50_000)),
        ("mcts(0.5 s)", Budget(seconds=0.5)),
        ("mcts(2s)", Budget(seconds=2)),
        ("mcts(1.25 seconds)", Budget(seconds=1.25)),
        ("random", None),
        ("mctsy(20)", None),
        ("my.py:mcts", None),
    ],
)
def test_parses_a_budget_in_a_bot_name(name: str, budget: Budget | None) -> None:
    assert parse_budget(name) == budget


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("mcts(0)", "`mcts(0)`: the playouts of a search must be more than 0"),
        ("mcts(0.0 s)", "the seconds of a search must be more than 0"),
        ("mcts(0.5)", "the playouts of a search must be a whole number, not 0.5"),
        ("mcts(1.5 decisions)", "the decisions of a search must be a whole number"),
        (
            "mcts(2 days)",
            "a budget is given in playouts, decisions, seconds, not in `days`",
        ),
        ("mcts(many)", "has no valid budget"),
        ("mcts()", "has no valid budget"),
        ("mcts(-1)", "has no valid budget"),
        ("mcts(200", "`mcts(200` must end with one closing parenthesis"),
        ("mcts(200) ?", "must end with one closing parenthesis"),
        ("mcts(1000000001)", "the playouts of a search must be at most 1000000000"),
        ("mcts(86401 s)", "the seconds of a search must be at most 86400"),
    ],
)
def test_rejects_an_invalid_budget(name: str, said: str) -> None:
    with pytest.raises(UsageError) as refused:
        parse_budget(name)

    assert said in refused.value.message


@pytest.mark.parametrize(
    ("bounds", "said"),
    [
        ({}, "a search needs at least one limit: playouts, decisions, seconds"),
        ({"playouts": True}, "not True"),
        ({"playouts": "200"}, "not '200'"),
        (
            {"playouts": 200, "decisions": 0},
            "the decisions of a search must be more than 0",
        ),
        (
            {"seconds": float("nan")},
            "the seconds of a search must be more than 0, not nan",
        ),
        ({"seconds": float("inf")}, "must be at most 86400, not inf"),
    ],
)
def test_rejects_invalid_limits(bounds: dict[str, float], said: str) -> None:
    with pytest.raises(UsageError) as refused:
        Budget(**bounds)  # type: ignore[arg-type]

    assert said in refused.value.message


def test_wins_at_once_and_prevents_the_opponents_win(four: Rulebook) -> None:
    wins = after(four, "drop(1)", "drop(2)", "drop(1)", "drop(2)", "drop(1)", "drop(2)")
    must = after(four, "drop(1)", "drop(2)", "drop(1)", "drop(2)", "drop(1)")

    assert text_of(wins, reference(wins, Budget(playouts=60))) == "drop(1)"
    assert text_of(must, reference(must, Budget(playouts=150))) == "drop(1)"


def test_equal_keys_give_equal_searches_and_other_keys_differ(
    four: Rulebook,
) -> None:
    game = after(four, "drop(4)")
    budget = Budget(playouts=40)

    assert reference(game, budget) == reference(game, budget)
    assert reference(game, budget) != reference(game, budget, key=2)


def test_ends_at_the_first_limit_reached(four: Rulebook) -> None:
    game = after(four)
    few = reference(game, Budget(playouts=30))
    decisions = reference(game, Budget(playouts=30, decisions=200))
    quick = reference(game, Budget(playouts=1_000_000, seconds=0.01))

    assert few.playouts == 30
    assert sum(tried.visits for tried in few.tried) == 30
    assert 1 < decisions.playouts < 30
    assert 200 <= decisions.decisions < 200 + 42
    assert 1 <= quick.playouts < 10_000
    assert reference(game, Budget(seconds=1e-9)).playouts == 1


def test_a_single_legal_action_needs_no_search(tiny: Rulebook) -> None:
    game = Game.start(tiny, players=2, seed=5)
    while len(game.legal_indices()) > 1:
        game.advance(game.legal_indices()[0])
    (only,) = game.legal_indices()

    assert reference(game, Budget(playouts=30)) == Found(only, (), 0, 0)


def test_reports_that_no_seat_can_act(four: Rulebook) -> None:
    stuck = Game.start(rb.loads(NOTHING_LEGAL), seed=1)
    stuck.apply("grow")
    answer = reference(stuck, Budget(playouts=30))
    stuck.apply("grow")
    over = after(four, *["drop(1)", "drop(2)"] * 3, "drop(1)")

    assert answer.playouts == 30
    for game, said in ((stuck, "has no legal action"), (over, "no seat must decide")):
        with pytest.raises(UsageError) as refused:
            reference(game, Budget(playouts=30))
        assert said in refused.value.message


def test_rejects_unknown_engines(four: Rulebook) -> None:
    with pytest.raises(UsageError, match="engine must be auto, native, reference"):
        search(after(four), Budget(playouts=1), engine="quick")


def test_a_longer_search_tries_more_actions() -> None:
    game = Game.start(rb.loads(MENU), seed=1)
    little, much = (reference(game, Budget(playouts=n)) for n in (25, 200))

    assert text_of(game, much) == "win_it"
    assert len(little.tried) == 1 + int(4 * 24**0.5)
    assert len(little.tried) < len(much.tried) <= 1 + 4 * 200**0.5


def test_a_full_tree_continues_without_new_nodes() -> None:
    game = Game.start(rb.loads(MENU), seed=1)
    searching = TreeSearchRun(state_of(game), Budget(playouts=50), 1)
    searching.room = 3

    assert searching.run_playouts(50)
    assert searching.progress()[0] == 50
    assert len(searching.root_actions()) <= 3
    assert len(searching.nodes) <= 3


def test_playouts_are_cut_off_if_hints_value_positions() -> None:
    game = Game.start(load("germany"), players=3, seed=1)
    searching = TreeSearchRun(state_of(game), Budget(playouts=5), 1)
    far = TreeSearchRun(state_of(game), Budget(playouts=5), 1)
    far.parameters = attrs.evolve(far.parameters, turns=60)

    assert searching.run_playouts(5)
    assert far.run_playouts(5)
    assert searching.progress()[1] < far.progress()[1]
    assert any(0 < x.total < x.visits for x in searching.root_actions())


def test_playouts_continue_if_turns_are_short() -> None:
    game = Game.start(load("examples/games/hearts.rules"), seed=1)
    while game.turn < 3 or len(game.legal_indices()) < 2:
        game.advance(game.legal_indices()[0])
    searching = TreeSearchRun(state_of(game), Budget(playouts=5), 1)

    assert searching.run_playouts(5)
    assert searching.progress()[1] == 5 * searching.parameters.min_decisions


def test_chooses_the_most_visited_action_then_the_better_result() -> None:
    tried = [Tried(1, 3.0, 5, 9), Tried(2, 4.0, 6, 9), Tried(3, 5.0, 6, 9)]

    assert best_action(tried, PLAYED_OUT).index == 3
    assert best_action(tried[:2], PLAYED_OUT).index == 2


def test_replaces_greedys_choice_only_by_a_clearly_better_action() -> None:
    way = attrs.evolve(VALUED, required_margin=0.3)
    greedy, often, seldom = Tried(1, 50.0, 100), Tried(2, 56.0, 100), Tried(3, 5.0, 9)

    assert best_action([seldom, greedy], way).index == 1
    assert best_action([often, greedy], way).index == 2
    assert best_action([Tried(2, 53.0, 100), greedy], way).index == 1
    assert (
        best_action(
            [Tried(2, 50.0, 100), greedy], attrs.evolve(way, required_margin=0)
        ).index
        == 1
    )
    assert best_action([greedy, often], way).index == 2


def test_with_hints_the_search_starts_with_greedys_choice() -> None:
    game = Game.start(load("classic"), players=2, seed=3)
    searching = TreeSearchRun(state_of(game), Budget(playouts=40), 1)

    assert searching.run_playouts(40)
    assert search_parameters(searching.plan).turns == 2 * VALUED.turns
    order = [tried.index for tried in reversed(searching.root_actions())]
    assert order == searching.ranked[: len(order)]
    assert 1 < len(order) < len(searching.ranked)
    thought = greedy_values(searching)
    assert thought == sorted(thought, reverse=True)


def greedy_values(searching: TreeSearchRun) -> list[int]:
    """Return greedy's value of each action, in the order of the search."""
    seeds = Stream(searching.key, "search")
    keys = [seeds.next_word() for _ in range(3)]
    game, seat = searching.game, searching.seat
    worlds = [draw_sample(game, seat, key) for key in keys]
    thinking = TurnSearch(searching.legal, worlds.__getitem__, keys[0])
    values = dict(zip(searching.legal, thinking.values(), strict=True))
    return [values[index] for index in searching.ranked]


def test_root_actions_are_tried_in_the_same_samples() -> None:
    game = Game.start(load("classic"), players=2, seed=3)
    searching = TreeSearchRun(state_of(game), Budget(playouts=1), 1)
    seeds = [searching.paired_seed((Tried(1, visits=n), True)) for n in (0, 1, 0)]

    assert seeds[0] == seeds[2] != seeds[1]


def test_a_logarithm_needs_no_library() -> None:
    assert [log_2(n) for n in (1, 2, 3, 4, 6, 1024)] == [0, 1, 1.5, 2, 2.5, 10]
