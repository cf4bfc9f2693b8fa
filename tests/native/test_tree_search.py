"""Searches in C equal those of the interpreter: tried actions, visits and results.
Failures seen after breaking: one random number less; other widening; observations of
other seats ignored; another logarithm; another order of greedy; another sample for each
root action; other actions of a name in a playout; no preference for ending a turn; the
best immediate action not tried first; useless offers not left out; a sample in which
chance is given.
"""

from __future__ import annotations

from random import Random

import pytest

import rulebook as rb
from interpreter import Budget, Game, UsageError
from interpreter.c_engine import NoNativeEngine
from interpreter.search import Found, compiled_search, search
from tests.interpreter.test_stacks import looked_at
from tests.interpreter.test_tree_search import MENU
from tests.native.compilers import NEEDS_C
from tests.native.test_nothing_legal import NOTHING_LEGAL
from tests.native.test_same_games import GAMES
from workbench import load

SOME = (
    "examples/games/hearts.rules",
    "examples/games/sealed_bids.rules",
    "examples/tiny/connect_four.rules",
    "examples/tiny/dare.rules",
    "examples/tiny/breakthrough.rules",
    "tests/support/tiny.rules",
    "classic",
)
"""Games with hidden cards, simultaneous blocks, chance, offers, no hints, or several
seats.
"""

pytestmark = [NEEDS_C, pytest.mark.usefixtures("own_cache")]


def same(game: Game, budget: Budget, key: int) -> Found:
    answer = both(game, budget, key)
    assert isinstance(answer, Found)
    return answer


def both(game: Game, budget: Budget, key: int) -> Found | str:
    mine, theirs = (said(game, budget, key, x) for x in ("native", "reference"))
    assert mine == theirs
    return mine


def said(game: Game, budget: Budget, key: int, engine: str) -> Found | str:
    """Return the result of a search, or the error in a deliberately faulty file."""
    try:
        return search(game, budget, key=key, engine=engine)
    except rb.RulesError as error:
        return str(error)


def compared(game: Game, decisions: int, budget: Budget) -> int:
    """Compare searches at several decisions of a game; return their number."""
    number = done = 0
    while game.to_act and done < decisions:
        legal = game.legal_indices()
        if not legal:
            break
        index = legal[number * 7 % len(legal)]
        number += 1
        if len(legal) > 1 and number % 2:
            answer = both(game, budget, number)
            if isinstance(answer, str):
                break
            index = answer.index
            done += 1
        game.advance(index)
    return done


@pytest.mark.parametrize("name", SOME)
def test_both_engines_give_the_same_results(name: str) -> None:
    book = load(name)

    assert compared(Game.start(book, players=book.players[1], seed=2), 5, SMALL)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_neither_engine_knows_an_order_that_another_seat_has_seen(seed: int) -> None:
    """There is more luck than ruin in the stack, but ruin is on top."""
    game = looked_at(seed)
    assert game.position["game"]["pile"]["known"][0]["card"] == "ruin"

    answer = same(game, Budget(playouts=40, decisions=2_000), seed)

    names = {action.index: action.text for action in game.legal_actions()}
    assert names[answer.index] == "guess(luck)"


def test_neither_engine_tries_an_offer_that_greedy_rejects() -> None:
    game = Game.start(load("classic"), players=2, seed=2)
    numbers = Random(1)
    while game.turn < 12 or not offers_in(game):
        game.advance(numbers.choice(game.legal_indices()))

    answer = same(game, SMALL, 1)
    (only,) = answer.tried
    assert answer.playouts == only.visits == 1
    names = {action.index: action.name for action in game.legal_actions()}
    assert names[only.index] == "end_turn"
    assert len(names) > 1


def offers_in(game: Game) -> bool:
    """Return whether an offer and the end of the turn are legal."""
    names = {action.name for action in game.legal_actions()}
    return {"offer_trade", "end_turn"} <= names


SMALL = Budget(playouts=25, decisions=1_500)


@pytest.mark.parametrize("name", GAMES)
def test_both_engines_give_the_same_results_in_every_file(
    name: str, deep: bool
) -> None:
    if not deep:
        pytest.skip("one engine for each file takes minutes")
    book = load(name)
    for players in range(book.players[0], book.players[1] + 1):
        try:
            compared(Game.start(book, players=players, seed=3), 12, SMALL)
        except UsageError as error:
            assert error.message.endswith(": a named seat that is not in play")  # noqa: PT017


@pytest.mark.parametrize("text", [MENU, NOTHING_LEGAL])
def test_wide_menus_and_dead_ends_are_the_same(text: str) -> None:
    book = rb.loads(text)

    assert compared(Game.start(book, seed=1), 2, Budget(playouts=120))


def test_searches_simulate_chance_that_is_given() -> None:
    game = Game.start(load("examples/tiny/dare.rules"), seed=1, chance="given")
    with pytest.raises(UsageError, match="no seat must decide"):
        search(game, SMALL)
    while game.to_act == "chance":
        game.apply(game.legal_actions()[0])

    assert same(game, SMALL, 1).playouts == 25


def test_a_game_in_c_is_searched_like_any_other() -> None:
    book = load("examples/tiny/connect_four.rules")
    mine, theirs = (Game.start(book, seed=1, engine=x) for x in ("native", "reference"))

    assert search(mine, SMALL) == search(theirs, SMALL)


def test_a_time_limit_ends_a_search_in_c() -> None:
    game = Game.start(load("examples/tiny/connect_four.rules"), seed=1)
    answer = search(game, Budget(playouts=10**8, seconds=0.02), engine="native")

    assert 1 <= answer.playouts < 10**6


def test_the_interpreter_searches_rules_that_c_cannot(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        compiled_search, "engine_for", lambda *_, **__: NoNativeEngine("no compiler")
    )
    game = Game.start(rb.loads(MENU.replace("300", "299")), seed=1)

    assert search(game, SMALL).playouts == 25
    with pytest.raises(
        UsageError, match="the native engine cannot search this game: no compiler"
    ):
        search(game, SMALL, engine="native")
