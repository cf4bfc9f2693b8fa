"""Threads can each play a copy of one game; every public member returns the same as in
one thread.
"""

from __future__ import annotations

import pickle
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from interpreter import Game
from interpreter.algorithms.budget import Budget
from interpreter.c_engine import Batch
from interpreter.search import search
from rulebook import Rulebook
from tests.native.compilers import NEEDS_C
from workbench import load
from workbench.learning import environment

ROOT = Path(__file__).parents[2]
THREADS, ROUNDS = 8, 12

Ask = Callable[[Game], Any]


def after(change: Callable[[Game], Any]) -> Ask:
    """Return a function that changes a copy of a game and returns the result."""

    def asked(game: Game) -> Any:
        copy = game.copy()
        change(copy)
        return copy.record, copy.key

    return asked


def first(game: Game) -> Any:
    """Return the text of the first legal action."""
    return game.legal_actions()[0].text


ASKS: dict[str, Ask] = {
    "actions": lambda game: game.actions,
    "advance": after(lambda game: game.advance(game.legal_indices()[0])),
    "apply": after(lambda game: game.apply(first(game))),
    "initial_position": lambda game: game.initial_position,
    "restart_record": after(lambda game: game.restart_record()),
    "book": lambda game: game.book.digest,
    "branches": lambda game: [branch.key for branch in game.branches()],
    "copy": lambda game: game.copy().key,
    "engine": lambda game: game.engine,
    "events": lambda game: game.events,
    "from_position": lambda game: Game.from_position(game.book, game.position).key,
    "gathering": lambda game: repr(game.gathering),
    "limit_turns": after(lambda game: game.limit_turns(3)),
    "given_board": lambda game: game.given_board,
    "goes_on_by": after(lambda game: game.goes_on_by("reference")),
    "key": lambda game: game.key,
    "from_any_position": lambda game: (
        Game.from_any_position(game.book, game.position).key
    ),
    "leaves": lambda game: game.leaves(1),
    "legal_actions": lambda game: [action.text for action in game.legal_actions()],
    "legal_indices": lambda game: game.legal_indices(),
    "log": lambda game: [game.log(seat) for seat in game.seats],
    "notes": lambda game: game.notes,
    "observation": lambda game: [game.observation(seat) for seat in game.seats],
    "observed": lambda game: game.observed(),
    "options": lambda game: game.options,
    "outcome": lambda game: game.outcome,
    "outlook": lambda game: repr(game.outlook(game.legal_actions()[0])),
    "over": lambda game: game.over,
    "packed": lambda game: game.packed,
    "packs_like": lambda game: game.packs_like(game.copy()),
    "players": lambda game: game.players,
    "points": lambda game: [game.points(seat) for seat in game.seats],
    "point_sources": lambda game: [game.point_sources(seat) for seat in game.seats],
    "position": lambda game: game.position,
    "checked": lambda game: game.checked().key,
    "record": lambda game: game.record,
    "replay": lambda game: Game.replay(game.record, game.book, game.engine).key,
    "sample": lambda game: [game.sample(seat, 3).key for seat in game.seats],
    "seat_number": lambda game: [game.seat_number(seat) for seat in game.seats],
    "seats": lambda game: game.seats,
    "seed": lambda game: game.seed,
    "start": lambda game: Game.start(game.book, seed=5, engine=game.engine).key,
    "steps": lambda game: game.steps,
    "supplies": lambda game: game.supplies,
    "teaches": lambda game: game.teaches(first(game)),
    "to_act": lambda game: game.to_act,
    "turn": lambda game: game.turn,
    "turn_limit": lambda game: game.turn_limit,
    "unpacked": lambda game: game.unpacked(game.packed).key,
    "view": lambda game: [game.view(seat) for seat in (*game.seats, None)],
    "why": lambda game: str(game.why(first(game))),
    "value": lambda game: [values_of_definitions(game.value, game)],
    "visible_value": lambda game: [
        values_of_definitions(partial(game.visible_value, seat), game)
        for seat in (*game.seats, None)
    ],
    "visible_point_sources": lambda game: [
        game.visible_point_sources(seat) for seat in (*game.seats, None)
    ],
    "worth": lambda game: [game.worth(seat) for seat in game.seats],
    "pickle": lambda game: pickle.loads(pickle.dumps(game)).key,  # noqa: S301  (ours)
    "search": lambda game: search(game, Budget(playouts=8), key=1, engine=game.engine),
}
"""Calls that use each public member, and `tree_search`. `set_history` is missing
because pickles use it.
"""


@pytest.fixture(autouse=True)
def _impatient() -> Iterator[None]:
    """Switch threads as often as possible."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def together(asks: list[Callable[[], Any]]) -> list[Any]:
    """Return the results of calls, each made in a separate thread."""
    answers: list[Any] = [None] * len(asks)
    ready = threading.Barrier(len(asks))

    def run(number: int) -> None:
        ready.wait()
        try:
            answers[number] = asks[number]()
        except BaseException as error:  # noqa: BLE001  (shown by the assertion)
            answers[number] = error

    threads = [threading.Thread(target=run, args=(n,)) for n in range(len(asks))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


def book_of(name: str) -> Rulebook:
    return load(str(ROOT / "examples" / f"{name}.rules"))


def values_of_definitions(ask: Callable[..., Any], game: Game) -> list[Any]:
    """Return the values of the definitions that only depend on a player."""
    defines = game.book.model.defines.values()
    names = [
        define.name
        for define in defines
        if [parameter.name for parameter in define.parameters] == ["player"]
    ]
    return [ask(name, seat) for name in names for seat in game.seats]


def test_every_public_member_is_tested() -> None:
    public = {name for name in dir(Game) if not name.startswith("_")}

    assert public - {"set_history"} == ASKS.keys() - {"pickle", "search"}


@pytest.mark.parametrize("engine", ["reference", pytest.param("native", marks=NEEDS_C)])
@pytest.mark.parametrize("name", ["games/hearts", "tiny/dare"])
def test_copies_of_a_game_give_the_same_results_in_threads(
    name: str, engine: str
) -> None:
    game = Game.start(book_of(name), seed=1, engine=engine)
    rounds = ROUNDS if engine == "native" else 2
    for _ in range(3):
        game.advance(game.legal_indices()[0])
        expected = {member: ask(game.copy()) for member, ask in ASKS.items()}
        copies = [game.copy() for _ in range(THREADS)]

        wrong = together(
            [partial(differences, copy, expected, rounds) for copy in copies]
        )

        assert wrong == [{}] * THREADS


def differences(game: Game, expected: dict[str, Any], rounds: int) -> dict[str, Any]:
    """Return the results of a game that differ from the expected results."""
    answers = (
        (member, ask(game)) for _ in range(rounds) for member, ask in ASKS.items()
    )
    return {member: got for member, got in answers if got != expected[member]}


@NEEDS_C
def test_batches_give_the_same_results_in_threads() -> None:
    pytest.importorskip("numpy")
    book = book_of("games/hearts")

    def played() -> Any:
        rows: list[Any] = []
        with Batch(book, 3, seed=1) as batch:
            step = batch.now
            for _ in range(60):
                step = batch.step(step.indices[:, 0])
                rows.append((step.observations.tolist(), step.counts.tolist()))
            rows.append(batch.game(1).record)
        return rows

    expected = played()

    assert together([played] * THREADS) == [expected] * THREADS


@NEEDS_C
def test_environments_give_the_same_results_in_threads() -> None:
    pytest.importorskip("pettingzoo")
    book = book_of("games/hearts")

    def played() -> Any:
        rows = []
        made = environment(book, seed=1, engine="native")
        made.reset()
        for _ in range(60):
            agent = made.agent_selection
            seen = made.observe(agent)
            mask = seen["action_mask"].tolist()
            rows.append((agent, seen["observation"].tolist(), mask))
            made.step(mask.index(1))
        return rows

    expected = played()

    assert together([played] * THREADS) == [expected] * THREADS
