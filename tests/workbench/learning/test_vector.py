"""What a seat sees as numbers: as a batch in C has them, and nothing that is hidden.

Broken by hand, each seen to fail: pieces of the wrong owner, a top card that nobody
has seen told, who is not asked told of the clause, what only its owner sees shown.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from interpreter import Game
from interpreter.compiled import HIDDEN, Batch
from rulebook import Rulebook
from tests.native.compilers import NEEDS_C
from tests.workbench.learning import files
from workbench import load
from workbench.learning.stepped import has_hidden_points
from workbench.learning.vector import Vector

np = pytest.importorskip("numpy")

BESIDE = ("examples/games/old_town.rules", "examples/games/moonlight.rules")
"""Points of what is hidden, and roles that only their owner sees."""


@pytest.fixture(scope="module", autouse=True)
def at_the_root() -> Iterator[None]:
    """The folder that rules are named from."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(files.ROOT)
        yield


@NEEDS_C
def test_it_is_what_a_batch_shows(deep: bool) -> None:
    for name in dict.fromkeys((*files.of(deep=deep), *BESIDE)):
        book = load(name)
        for players in sorted(set(book.players)) if deep else book.players[1:]:
            agrees(Batch(book, 2, players=players, seed=3), 240 if deep else 40)


def agrees(batch: Batch, steps: int) -> None:
    vector, numbers = Vector(batch.game(0)), Random(1)
    assert vector.names == batch.observed()
    assert len(set(vector.names)) == len(vector.names)
    open_points = not has_hidden_points(batch.book)
    same = [open_points or not name.startswith("points.") for name in vector.names]
    for number in range(steps):
        if number % 5 == 0:
            game = batch.game(0)
            row = vector.row(game, str(game.to_act))
            shown = batch.now.observations[0].tolist()
            pairs = zip(vector.names, row, shown, same, strict=True)
            assert not [(name, a, b) for name, a, b, alike in pairs if alike and a != b]
        picks = [int(numbers.random() * int(count)) for count in batch.now.counts]
        batch.step(batch.now.indices[range(len(picks)), picks])


@pytest.mark.parametrize("name", ["classic", *files.FEW])
def test_each_seat_sees_what_it_knows_and_no_more(name: str) -> None:
    book, numbers, changed = load(name), Random(1), 0
    game = Game.start(book, seed=2)
    vector = Vector(game)
    for number in range(30):
        if game.over:
            break
        if number % 8 == 1:
            for seat in game.seats:
                other = game.sample(seat, number)
                changed += other != game
                assert vector.row(other, seat) == vector.row(game, seat)
        legal = game.legal_indices()
        game.advance(legal[int(numbers.random() * len(legal))])
    assert changed or "/tiny/" in name


@NEEDS_C
@pytest.mark.parametrize("name", files.FEW)
def test_it_is_the_same_by_either_engine(name: str) -> None:
    book, numbers = load(name), Random(2)
    games = [Game.start(book, seed=4, engine=e) for e in ("native", "reference")]
    vector = Vector(games[0])
    assert vector.names == Vector(games[1]).names
    for _ in range(6):
        rows = [[vector.row(game, seat) for seat in game.seats] for game in games]
        assert rows[0] == rows[1]
        if games[0].over:
            break
        legal = games[0].legal_indices()
        for game, index in zip(games, [numbers.choice(legal)] * 2, strict=True):
            game.advance(index)


def test_only_who_must_decide_is_told_what_is_asked(tiny: Rulebook) -> None:
    game = Game.start(tiny, seed=1)
    vector = Vector(game)
    place = vector.names.index("asks")
    asked = {seat: vector.row(game, seat)[place] for seat in game.seats}
    assert asked.pop(str(game.to_act)) >= 0
    assert asked
    assert set(asked.values()) == {HIDDEN}
