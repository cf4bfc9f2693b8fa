"""A `Game` gives the same results on both engines. Both games are played in parallel;
at intervals, the game in C is replaced by a copy, a pickle, a position or a replayed
record.
"""

from __future__ import annotations

import ctypes
import json
import pickle
import sys
import threading
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest

import rulebook as rb
from interpreter import Game, IllegalAction, UsageError
from interpreter.c_engine import NoNativeEngine
from interpreter.game import course_of
from interpreter.native.c_layout import structure_type
from interpreter.play.courses.native import NativeCourse
from rulebook import Limits, RulesError
from tests.native.compilers import NEEDS_C
from tests.native.test_same_games import GAMES, ROOT, SCORE, small
from workbench import load

STEPS = 24
SEED = 3

pytestmark = [NEEDS_C, pytest.mark.usefixtures("own_cache")]


def started(book: rb.Rulebook, seed: int, **more: Any) -> tuple[Game, Game]:
    """Return a game in C, and the same game in the interpreter."""
    native = Game.start(book, seed=seed, engine="native", **more)
    assert native.engine == "native"
    return native, Game.start(book, seed=seed, engine="reference", **more)


def in_c(game: Game) -> bool:
    """Return whether C performs the next step, if it has room for the current state."""
    course = course_in_c(game)
    return bool(course.address) or game.over or course.return_to_c()


def course_in_c(game: Game) -> NativeCourse:
    """Return the course of a game on the native engine."""
    course = course_of(game)
    assert isinstance(course, NativeCourse)
    return course


def text(document: Any) -> str:
    return json.dumps(document)


def same(native: Game, other: Game, *, wholly: bool) -> None:
    """Assert that all public members of two games agree."""
    assert native.to_act == other.to_act
    assert (native.over, native.turn, native.outcome) == (
        other.over,
        other.turn,
        other.outcome,
    )
    assert native.legal_actions() == other.legal_actions()
    if native.to_act not in {None, "chance"}:
        assert native.legal_indices() == other.legal_indices()
    assert native == other
    assert hash(native) == hash(other)
    if not wholly:
        return
    assert text(native.position) == text(other.position)
    assert native.key == other.key
    assert native.record == other.record
    assert native.leaves(1) == len(other.legal_actions())
    assert (native.steps, native.events) == (other.steps, other.events)
    for seat in (None, *native.seats):
        assert text(native.view(seat)) == text(other.view(seat))
        assert text(native.log(seat)) == text(other.log(seat))
    for seat in native.seats:
        assert native.points(seat) == other.points(seat)
        assert native.worth(seat) == other.worth(seat)
    if native.to_act is not None and native.seed is not None:
        seat = native.seats[native.steps % native.players]
        mine, theirs = native.sample(seat, 5), other.sample(seat, 5)
        assert text(mine.position) == text(theirs.position)
        assert mine.engine == "native"
        continue_both(mine, theirs, Random(1), 2)


def continue_both(native: Game, other: Game, numbers: Random, most: int) -> None:
    """Continue two games with the same actions."""
    for _ in range(most):
        if native.to_act is None:
            return
        assert in_c(native)
        choice = numbers.choice(other.legal_actions())
        mine = told(native.apply, choice)
        assert mine == told(other.apply, choice)
        assert native == other
        if isinstance(mine, str):
            return


def told(act: Callable[[Any], Any], choice: Any) -> Any:
    """Return the result of a call, or the text of a mistake in the rules."""
    try:
        return act(choice)
    except RulesError as error:
        return f"{error}, {sorted(error.texts or ())}"


def by_position(game: Game) -> Game:
    chance = "given" if game.seed is None else "drawn"
    return Game.from_position(
        game.book, game.position, seed=game.seed, chance=chance, engine=game.engine
    )


WAYS: tuple[Callable[[Game], Game], ...] = (
    lambda game: game.copy(),
    lambda game: pickle.loads(pickle.dumps(game)),  # noqa: S301
    by_position,
    lambda game: Game.replay(game.record, game.book, engine=game.engine),
)
"""Ways to replace a game while it is played."""


def played(native: Game, other: Game, seed: int, most: int) -> int:
    """Play a game in both engines and compare them; return the number of steps."""
    numbers = Random(seed)
    for step in range(most):
        same(native, other, wholly=step % 3 == 0)
        if native.to_act is None:
            return step
        assert in_c(native)
        if step % 5 == 4:
            way = WAYS[step // 5 % len(WAYS)]
            native, other = way(native), way(other)
            assert native.engine == "native"
            same(native, other, wholly=step % 2 == 0)
        number = numbers.randrange(len(other.legal_actions()))
        here, there = native.legal_actions()[number], other.legal_actions()[number]
        match step % 3, native.to_act:
            case (_, "chance") | (0, _):
                mine = told(native.apply, here)
                theirs = told(other.apply, there)
            case 1, _:
                mine = told(native.apply, str(here))
                theirs = told(other.apply, {"action": str(there)})
            case _:
                mine = told(native.advance, here.index)
                theirs = told(other.advance, there.index)
        assert mine == theirs
        if isinstance(mine, str):
            most = step
            break
    same(native, other, wholly=True)
    return most


@pytest.mark.parametrize("chance", ["drawn", "given"])
@pytest.mark.parametrize("name", GAMES)
def test_both_engines_play_the_same_game(name: str, chance: str, deep: bool) -> None:
    book = load(name)
    for seed in range(SEED, SEED + (8 if deep else 1)):
        native, other = started(book, seed, chance=chance)
        over_at_once = other.over
        steps = played(native, other, seed, 20 * STEPS if deep else STEPS)
        assert over_at_once or steps > 0


def test_games_pass_through_blocks_and_negotiations() -> None:
    """The games above are replaced inside blocks and negotiations, and C continues from
    there.
    """
    book, middles, depths = load("germany"), 0, set()
    for seed in (1, 2):
        native, other = started(book, seed, players=4)
        numbers = Random(seed)
        while native.turn < 60 and not native.over:
            state = course_in_c(native).state
            depths.add(len(state.frames))
            if state.split is not None and state.answered:
                middles += 1
                native, other = by_position(native), by_position(other)
                assert in_c(native)
                assert text(native.position) == text(other.position)
            index = numbers.choice(other.legal_indices())
            assert native.advance(index) == other.advance(index)
        assert native == other
    assert middles > 5
    assert max(depths) > 3


# ---------------------------------------------------------------- which engine


def test_a_single_game_runs_in_the_interpreter_by_default() -> None:
    book = load(str(ROOT / "examples/tiny/hex.rules"))
    for engine in ("auto", "reference"):
        assert Game.start(book, engine=engine).engine == "reference"
    assert Game.start(book).engine == "reference"
    with pytest.raises(UsageError, match="engine must be auto, native or reference"):
        Game.start(book, engine="C")


def test_a_missing_engine_is_reported_with_a_fix() -> None:
    book = small(f"{SCORE}\n  white has the next turn")
    position = Game.start(book, players=1).position
    record = Game.start(book, players=1).record
    begins: tuple[Callable[[], Game], ...] = (
        lambda: Game.start(book, players=1, engine="native"),
        lambda: Game.from_position(book, position, engine="native"),
        lambda: Game.replay(record, book, engine="native"),
    )
    for begin in begins:
        with pytest.raises(UsageError, match=r'use engine="reference"') as error:
            begin()
        said = "there is no native engine for small: a named seat that is not in play; "
        assert str(error.value).startswith(said)
        assert error.value.details["reason"] == "a named seat that is not in play"


def test_a_pickled_game_continues_without_an_engine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    native, other = started(small(SCORE), 1)
    packed = pickle.dumps(native)
    reason = NoNativeEngine("no compiler")
    monkeypatch.setattr("interpreter.play.courses.native.engine_for", lambda _: reason)
    game = pickle.loads(packed)  # noqa: S301
    assert game.engine == "reference"
    assert game == other
    assert game.record == other.record


def test_plays_on_a_given_board() -> None:
    book = load("classic")
    board = Game.start(book, seed=9).position["board"]
    native, other = started(book, 4, board=board)
    assert native.position["board"] == board
    assert played(native, other, 4, STEPS) == STEPS
    assert course_in_c(native).native_engine.plan.players == book.players[1]


def test_stops_at_the_limit_of_turns() -> None:
    native, other = started(load(str(ROOT / "examples/tiny/hex.rules")), 1, turns=3)
    assert played(native, other, 1, 100) == 3
    assert native.over
    assert native.outcome is None


# ---------------------------------------------------------------- what is legal


def test_rejects_illegal_actions() -> None:
    native, other = started(load("germany"), 2)
    before = native.key, native.record
    legal = native.legal_indices()
    wrong = [index for index in range(10_000) if index not in legal]
    seat = next(seat for seat in native.seats if seat != native.to_act)
    theirs = other.legal_actions()[0]
    strange = [
        *wrong[:20],
        wrong[-1],
        -1,
        2**31,
        2**32 + legal[0],
        True,
        "fly",
        None,
        type(theirs)(seat, theirs.name, theirs.arguments, theirs.text, theirs.index),
    ]
    for action in strange:
        refused = []
        for game in (native, other):
            with pytest.raises(IllegalAction) as error:
                game.apply(action)
            refused.append(error.value.to_json())
        assert refused[0] == refused[1], action
        with pytest.raises(IllegalAction):
            native.advance(action)
    assert (native.key, native.record) == before
    assert in_c(native)
    played(native, other, 2, STEPS)


def test_a_finished_game_accepts_no_action() -> None:
    for book in (small(SCORE), load(str(ROOT / "examples/tiny/hex.rules"))):
        native, other = started(book, 1)
        index = -1
        while other.to_act is not None:
            index = other.legal_indices()[0]
            assert native.advance(index) == other.advance(index)
        assert native.legal_actions() == () == other.legal_actions()
        for game in (native, other):
            with pytest.raises(IllegalAction):
                game.advance(index)
            assert game.over
        same(native, other, wholly=True)


def test_copies_are_independent() -> None:
    native, other = started(load("germany"), 5)
    numbers = Random(5)
    played(native, other, 5, 10)
    kept = [(native.copy(), native.key, native.record) for _ in range(3)]
    for copy, key, record in kept:
        continue_both(copy, copy.copy(), numbers, 12)
        assert (native.key, native.record) == (key, record)
        assert copy.key != key
    continue_both(native, other, numbers, 12)
    assert native.record == other.record


def test_the_audience_of_a_choice_is_also_reported_later() -> None:
    """In the second game, the engine already knows the step of the choice."""
    book = load("cardgame")
    for seed in (1, 2):
        native, other = started(book, seed)
        space = course_in_c(native).native_engine.plan.actions
        secret = {
            action.name for action in space.listed if action.observers is not None
        }
        numbers = Random(seed)
        done: set[str] = set()
        while not secret & done:
            legal = other.legal_actions()
            hidden = [action for action in legal if action.name in secret]
            choice = numbers.choice(hidden or legal)
            done.add(choice.name)
            assert native.advance(choice.index) == other.advance(choice.index)
        for viewer in (None, *native.seats):
            assert native.log(viewer) == other.log(viewer)
        logs = {text(native.log(seat)) for seat in native.seats}
        assert len(logs) == native.players


# ---------------------------------------------------------------- no room in C


def test_a_mistake_in_the_rules_changes_nothing_and_the_game_continues() -> None:
    book, mistakes = load("tests/interpreter/workers.rules"), 0
    for seed in range(20):
        native, other = started(book, seed)
        numbers = Random(seed)
        while native.to_act is not None and mistakes < 30:
            index = numbers.choice(other.legal_indices())
            before = native.key, native.record
            by_index = "advance" if seed % 2 else "apply"
            mine = told(getattr(native, by_index), index)
            assert mine == told(getattr(other, by_index), index)
            if isinstance(mine, str):
                mistakes += 1
                assert (native.key, native.record) == before
                if len(other.legal_indices()) == 1:
                    break
        same(native, other, wholly=True)
    assert mistakes


def test_the_budget_is_exceeded_at_the_same_place() -> None:
    ends = set()
    for statements in (20, 30, 34, 38, 42, 50, 60):
        limits = Limits(statements=statements)
        book = rb.load(ROOT / "examples/tiny/reversi.rules", limits=limits)
        native, other = started(book, 1)
        numbers, mine = Random(1), None
        while not isinstance(mine, str) and native.to_act is not None:
            index = numbers.choice(other.legal_indices())
            mine = told(native.advance, index)
            assert mine == told(other.advance, index)
        same(native, other, wholly=True)
        ends.add(native.steps)
    assert len(ends) > 1


def test_the_interpreter_performs_a_step_without_room_and_the_game_returns_to_c(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    native, other = started(load("germany"), 6)
    course = course_in_c(native)
    step, steps, away = course.step, 0, 0

    def narrow(address: int, index: int, log: Any) -> int:
        nonlocal steps
        steps += bool(address)
        done = step(address, index, log)
        return -1 if address and steps % 4 == 3 and done > 0 else done

    numbers = Random(6)
    for number in range(60):
        index = numbers.choice(other.legal_indices())
        course.step = narrow
        mine = native.apply(index) if number % 2 else native.advance(index)
        theirs = other.apply(index) if number % 2 else other.advance(index)
        course.step = step
        assert mine == theirs
        away += not course.address
        if number % 7 == 0:
            same(native, other, wholly=True)
    assert 3 < away < 60
    assert course.patience > 3
    assert native.record == other.record


def test_reports_more_chance_events_than_the_log_can_hold(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("interpreter.native.engine.SHORT_LOG_SIZE", 2)
    monkeypatch.setattr("interpreter.native.engine.EVENTS_MAX", 3)
    roll = "\n  ".join(["roll die"] * 5)
    book = small(f"{roll}\n  {SCORE}", parts="dice die: 1 to 6", setup="roll die")
    native, other = started(book, 8)
    while native.to_act is not None:
        index = native.legal_indices()[0]
        assert native.apply(index) == other.apply(index)
    assert native.steps == 1 + 18 * 6
    same(native, other, wholly=True)


def test_a_position_with_more_than_a_game_has_is_left_to_the_interpreter() -> None:
    book = load("classic")
    position = Game.start(book, seed=1).position
    seat = book.seats[0]
    hand = next(
        name
        for name, value in position["player"][seat].items()
        if isinstance(value, dict)
        and all(isinstance(count, int) for count in value.values())
    )
    card = next(iter(position["player"][seat][hand]))
    position["player"][seat][hand][card] = 900
    native = Game.from_any_position(book, position, engine="native")
    other = Game.from_any_position(book, position)
    assert not in_c(native)
    for _ in range(5):
        index = other.legal_indices()[0]
        assert native.advance(index) == other.advance(index)
    assert not in_c(native)
    assert native == other


# ---------------------------------------------------------------- threads


@pytest.fixture
def switch_threads_often() -> Iterator[None]:
    """Switch threads as often as possible."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


@pytest.mark.usefixtures("switch_threads_often")
def test_games_run_in_several_threads() -> None:
    book = load("germany")
    games = [Game.start(book, engine="native") for _ in range(2)]
    logs = {course_in_c(game).log_address for game in (*games, games[0].copy())}
    assert len(logs) == 3
    records: dict[int, str] = {}

    def whole(seed: int) -> None:
        game, numbers = Game.start(book, seed=seed, engine="native"), Random(seed)
        events: list[Any] = list(game.events)
        for _ in range(500):
            events += game.apply(numbers.choice(game.legal_actions()))
        assert events == list(game.events)
        records[seed] = game.record

    threads = [threading.Thread(target=whole, args=(seed,)) for seed in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for seed in range(6):
        at_once = records.pop(seed)
        whole(seed)
        assert at_once == records[seed]


ROLLS = """
rules language 1
rulebook rolls "Everybody rolls and decides at the same time"
  players 2 to 3
  seats red, blue, white

dice die: 1 to 6

each player has
  score: 0 to 99, seen by all

action keep
  increase your score by up to 1

action refuse
  increase your score by up to 2

turn
  phase play
    at the same time each player:
      roll die
      player does keep, refuse
"""


@pytest.mark.parametrize("way", WAYS)
def test_chance_in_a_simultaneous_block_keeps_its_observers(
    way: Callable[[Game], Game],
) -> None:
    native, other = started(rb.loads(ROLLS), SEED)
    for _ in range(9):
        choice = other.legal_actions()[0]
        assert in_c(native)
        native.apply(choice)
        other.apply(choice)
        native, other = way(native), way(other)
        same(native, other, wholly=True)


def test_a_structure_has_no_other_fields() -> None:
    event = structure_type("Event", told=ctypes.c_uint64)()
    event.told = 3

    with pytest.raises(AttributeError):
        event.observers = 3
