"""A search uses only its seat's knowledge and never reads the real game. The quick form
tests a few positions of games with hidden cards, offers and simultaneous blocks, the
small ones in C. `--deep` tests 1,000 positions of each on both engines. Failures seen
after breaking: margins, legal actions or the turn read from the real game in playouts;
a sample that keeps hidden cards.
"""

from __future__ import annotations

from typing import Any

import attrs
import pytest

import interpreter.knowledge.sample_tree_search as searched
from interpreter import Budget, Game
from interpreter.game import state_of
from interpreter.knowledge.sample_tree_search import TreeSearchRun
from interpreter.knowledge.samples import draw_sample
from interpreter.search import Found, search
from interpreter.state.state import State
from tests.native.compilers import CC
from workbench import load
from workbench.bots import bot_random, decide, random

GAMES = (
    ("cardgame", 2),
    ("germany", 3),
    ("examples/games/hearts.rules", 4),
    ("examples/games/sealed_bids.rules", 3),
)
FEW, MANY = 6, 1_000
EVERY = 5
"""Number of decisions between two positions."""

ENGINES = ("reference", *(["native"] if CC is not None else []))


@attrs.define
class Watch:
    """Record of reads of a marked state."""

    on: bool = False
    read: list[str] = attrs.field(factory=list)


WATCH = Watch()


class Marked(State):
    """State that records which attributes are read while it is watched."""

    __slots__ = ()

    def __getattribute__(self, name: str) -> Any:
        if WATCH.on:
            WATCH.read.append(name)
        return super().__getattribute__(name)


def marked(state: State) -> State:
    """Return a marked copy of a state."""
    new = Marked.__new__(Marked)
    state.copy_to(new)
    return new


def unseen_sample(state: State, seat: int, seed: int) -> State:
    """Draw a sample, which is the only code that may read the state."""
    WATCH.on = False
    sample = draw_sample(state, seat, seed)
    WATCH.on = True
    return sample


def positions(name: str, players: int, count: int) -> list[Game]:
    """Return positions of random games with a choice."""
    book, games, seed = load(name), list[Game](), 0
    while len(games) < count:
        seed += 1
        game, numbers = (
            Game.start(book, players=players, seed=seed),
            bot_random(1, seed, ""),
        )
        for number in range(300):
            if game.to_act is None or len(games) == count:
                break
            if number % EVERY == seed % EVERY and len(game.legal_indices()) > 1:
                games.append(game.copy())
            game.apply(decide(random, game, game.to_act, numbers))
    return games


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_a_search_reads_nothing_from_the_real_game(
    name: str, players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(searched, "draw_sample", unseen_sample)
    tried = []
    for game in positions(name, players, FEW):
        searching = TreeSearchRun(marked(state_of(game)), Budget(playouts=5), 1)
        WATCH.read.clear()
        WATCH.on = True
        try:
            assert searching.run_playouts(5)
        finally:
            WATCH.on = False
        assert WATCH.read == []
        # Where one action alone is worth trying one playout is enough.
        assert searching.progress()[0] == (1 if len(searching.ranked) == 1 else 5)
        tried.append(searching.progress()[0])
    assert 5 in tried


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_indistinguishable_games_give_the_same_search(
    name: str, players: int, deep: bool
) -> None:
    engines = ENGINES if deep or "/" in name else ENGINES[:1]
    differ = 0
    for number, game in enumerate(positions(name, players, MANY if deep else FEW)):
        seat = str(game.to_act)
        other = game.sample(seat, 100 + number)
        differ += any(other.view(s) != game.view(s) for s in game.seats)
        for engine in engines:
            assert sought(game, engine) == sought(other, engine)

    assert differ


def sought(game: Game, engine: str) -> Found:
    return search(game, Budget(playouts=12, decisions=600), key=7, engine=engine)
