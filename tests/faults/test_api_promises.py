"""Promises of the API: pickling, actions by index, and checks of rulebook arguments."""

import copy
import gc
import pickle
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any

import pytest

import rulebook
from interpreter import (
    Action,
    Game,
    IllegalAction,
    PositionError,
    RecordError,
    UsageError,
)
from rulebook import Rulebook
from tests.support.processes import run_process
from workbench import load
from workbench.analysis.simulation.settings import Settings

HERE = Path(__file__).parent


def continued_at_random(game: Game, events: int, seed: int = 1) -> Game:
    """Return a game continued at random."""
    numbers = Random(seed)
    for _ in range(events):
        if game.over:
            break
        game.apply(numbers.choice(game.legal_actions()))
    return game


def pickled_copy(thing: Any) -> Any:
    """Return a pickled and unpickled object."""
    return pickle.loads(pickle.dumps(thing))  # noqa: S301


def same(game: Game, other: Game) -> None:
    """Assert that two games are equal and continue in the same way."""
    assert other == game
    assert other.key == game.key
    assert other.record == game.record
    assert other.events == game.events
    assert [other.log(seat) for seat in game.seats] == [game.log(s) for s in game.seats]
    assert other.given_board == game.given_board
    assert other.legal_actions() == game.legal_actions()
    assert (
        continued_at_random(other, 9, 5).record
        == continued_at_random(game.copy(), 9, 5).record
    )


# ---------------------------------------------------------------- pickles


@pytest.mark.parametrize("variant", ["germany", "cardgame"])
def test_a_game_survives_pickling(variant: str) -> None:
    game = Game.start(load(variant), seed=3)
    for _ in range(6):
        same(game, pickled_copy(game))
        continued_at_random(game, 25)


def test_games_with_any_start_survive_pickling(tiny: Rulebook) -> None:
    game = continued_at_random(Settings(seed=4, bot_seed=9).start_bot_game(tiny, 2), 8)
    seat = game.seats[0]
    games = {
        "notes": game,
        "given": continued_at_random(Game.start(tiny, chance="given"), 7),
        "given and seeded": continued_at_random(
            Game.start(tiny, seed=8, chance="given"), 3
        ),
        "position": continued_at_random(Game.from_position(tiny, game.position), 4),
        "sample": continued_at_random(game.sample(seat, 5), 4),
        "replayed": Game.replay(game.record, tiny),
        "options": continued_at_random(
            Game.start(tiny, players=2, options={"goal": 5}), 4
        ),
        "over": continued_at_random(Game.start(tiny, players=2, seed=1), 10_000),
    }
    assert games["over"].outcome is not None

    for first in games.values():
        same(first, pickled_copy(first))
    assert pickled_copy(game).notes == {"bot_seed": 9, "game": 2}
    assert (
        pickled_copy(games["sample"]).initial_position
        == games["sample"].initial_position
        is not None
    )


def test_a_given_board_survives_pickling() -> None:
    book = load("classic")
    board = Game.start(book, seed=2).position["board"]
    game = continued_at_random(Game.start(book, seed=1, board=board), 20)

    same(game, pickled_copy(game))
    assert game.given_board is not None


def test_an_unpickled_game_is_independent(tiny: Rulebook) -> None:
    game = Game.start(tiny, seed=1)
    before = game.record
    for twin in (pickled_copy(game), copy.copy(game), copy.deepcopy(game)):
        assert twin == game
        assert twin.book is game.book
        continued_at_random(twin, 5)
        assert game.record == before


def test_a_rulebook_is_pickled_once_and_recognised(tiny: Rulebook) -> None:
    other = rulebook.loads(next(iter(tiny.files.values())), "other.rules")

    assert pickled_copy(tiny) is tiny
    assert pickled_copy(other) is other
    assert pickled_copy([tiny, other]) == [tiny, other]
    packed = pickle.dumps(other)
    files = other.files
    del other
    gc.collect()
    again = pickle.loads(packed)  # noqa: S301
    assert again.files == files
    assert (again.digest, again.options) == (tiny.digest, tiny.options)


def test_rules_of_maximum_depth_can_be_pickled() -> None:
    depth = 95
    text = (HERE.parent / "support" / "tiny.rules").read_text(encoding="utf-8")
    short = "increase your score by 1\n"
    assert short in text
    deep = "increase your score by 1" + " + 0" * depth + "\n"
    while True:
        try:
            book = rulebook.loads(text.replace(short, deep), "deep.rules")
        except rulebook.RulesError:
            deep = deep.replace(" + 0", "", 5)
            assert " + 0" * 20 in deep
        else:
            break

    packed = pickle.dumps(book)
    del book
    gc.collect()
    assert Game.start(pickle.loads(packed), seed=1).to_act is not None  # noqa: S301


def test_a_new_process_can_continue_a_pickled_game(
    tiny: Rulebook, tmp_path: Path
) -> None:
    game = continued_at_random(Game.start(tiny, seed=2), 6)
    there, back = tmp_path / "there", tmp_path / "back"
    there.write_bytes(pickle.dumps(game))
    script = (
        "import pickle, sys, pathlib\n"
        "game = pickle.loads(pathlib.Path(sys.argv[1]).read_bytes())\n"
        "game.apply(game.legal_actions()[0])\n"
        "pathlib.Path(sys.argv[2]).write_bytes(pickle.dumps(game))\n"
        "print(game.record, end='')\n"
    )
    done = run_process(
        [sys.executable, "-c", script, str(there), str(back)],
        encoding="utf-8",
        check=True,
    )
    game.apply(game.legal_actions()[0])

    assert done.stdout == game.record
    same(game, pickle.loads(back.read_bytes()))  # noqa: S301


def refused(game: Game) -> None:
    """Apply an illegal action in another process."""
    game.apply("nothing_of_the_kind")


def test_games_and_errors_cross_processes(tiny: Rulebook) -> None:
    games = [Game.start(tiny, seed=seed) for seed in range(3)]
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        returned = list(pool.map(continued_at_random, games, [4] * 3))
        error = pool.submit(refused, games[0]).exception()

    assert returned == [continued_at_random(game, 4) for game in games]
    assert isinstance(error, IllegalAction)
    assert error.explanation.action == "nothing_of_the_kind"


def test_all_results_and_errors_of_the_api_can_be_pickled(tiny: Rulebook) -> None:
    game = Game.start(tiny, seed=1)
    over = continued_at_random(Game.start(tiny, players=2, seed=1), 10_000)
    given = Game.start(tiny, chance="given")
    things = [
        game.legal_actions(),
        given.legal_actions(),
        over.outcome,
        game.why("cash_in(white)"),
        game.outlook(game.legal_actions()[0]),
    ]
    for thing in things:
        assert pickled_copy(thing) == thing
    assert pickled_copy(game.why("cash_in(white)")).sentence
    with pytest.raises(rulebook.RulesError) as caught:
        rulebook.loads("rules language 1\nrulebook a\n")
    errors: list[Exception] = [
        IllegalAction(game.why("cash_in(white)")),
        PositionError("turn", "expected a number"),
        RecordError("no", step=3, clause="a", expected={"a": 1}, got=None),
        UsageError("no", seat="x"),
        caught.value,
    ]
    for error in errors:
        back = pickled_copy(error)
        assert type(back) is type(error)
        assert str(back) == str(error)
        assert back.to_json() == error.to_json()  # type: ignore[attr-defined]


# ---------------------------------------------------------------- an index


def test_an_index_stands_for_its_action(tiny: Rulebook) -> None:
    game = Game.start(tiny, seed=1)
    for _ in range(12):
        action = game.legal_actions()[-1]
        twin = game.copy()
        assert twin.apply(action.index) == game.apply(action)
        assert twin == game


class Whole(int):
    """Integer of another type."""


def test_accepts_indices_of_other_integer_types(tiny: Rulebook) -> None:
    game = Game.start(tiny, seed=1)
    twin = game.copy()

    game.apply(Whole(game.legal_actions()[0].index))
    assert game == after_first_action(twin)


def after_first_action(game: Game) -> Game:
    """Return a game after its first legal action."""
    game.apply(game.legal_actions()[0])
    return game


def test_an_illegal_index_is_explained(tiny: Rulebook) -> None:
    game = Game.start(tiny, seed=1)
    before = game.copy()
    legal = {action.index for action in game.legal_actions()}
    for index in set(range(8)) - legal:
        with pytest.raises(IllegalAction) as caught:
            game.apply(index)
        explanation = caught.value.explanation
        assert explanation == game.why(index)
        assert explanation == game.why(explanation.action)
        assert not explanation.legal
        assert explanation.reason
    assert game == before


@pytest.mark.parametrize("index", [-1, 10**6, 2**70])
def test_an_index_out_of_range_is_reported_with_the_range(
    tiny: Rulebook, index: int
) -> None:
    game = Game.start(tiny, seed=1)

    with pytest.raises(IllegalAction, match=rf"index {index}; indices are 0 to \d+"):
        game.apply(index)
    assert not game.why(index).legal


@pytest.mark.parametrize("wrong", [True, False, 1.0, None, [1]])
def test_rejects_values_that_are_not_indices(tiny: Rulebook, wrong: object) -> None:
    game = Game.start(tiny, seed=1)

    with pytest.raises(IllegalAction, match="there is no action"):
        game.apply(wrong)


def test_rejects_an_index_if_no_seat_decides(tiny: Rulebook) -> None:
    over = continued_at_random(Game.start(tiny, players=2, seed=1), 10_000)
    given = Game.start(tiny, chance="given")

    with pytest.raises(IllegalAction, match="the game is over"):
        over.apply(1)
    with pytest.raises(IllegalAction, match="not an outcome"):
        given.apply(1)


def test_rejects_an_action_of_another_seat(tiny: Rulebook) -> None:
    game = Game.start(tiny, seed=1)
    action = game.legal_actions()[0]
    other = next(seat for seat in game.seats if seat != game.to_act)
    foreign = Action(other, action.name, action.arguments, action.text, action.index)

    with pytest.raises(IllegalAction, match=f"not {other}"):
        game.apply(foreign)


# ---------------------------------------------------------------- a rulebook


@pytest.mark.parametrize("wrong", ["germany", Path("germany.rules"), None, {"a": 1}])
def test_rejects_other_values_than_rulebooks_with_a_hint(
    tiny: Rulebook, wrong: Any
) -> None:
    game = Game.start(tiny, seed=1)
    calls: list[Callable[[], Game]] = [
        lambda: Game.start(wrong),
        lambda: Game.from_position(wrong, game.position),
        lambda: Game.replay(game.record, wrong),
    ]
    for call in calls:
        with pytest.raises(UsageError, match=r"workbench\.load") as caught:
            call()
        assert "rulebook.load" in caught.value.message
        if isinstance(wrong, str):
            assert "germany" in caught.value.message


def test_rejects_a_record_that_is_not_a_string(tiny: Rulebook) -> None:
    with pytest.raises(UsageError, match="a record must be a string"):
        Game.replay(["{}"], tiny)  # type: ignore[arg-type]
