"""Recorded games of an independent engine agree with ours, step by step."""

from itertools import islice
from pathlib import Path

import pytest

from rulebook import Rulebook
from tests.oracle.adapter import DiffersError, Replay, corpus
from workbench import load

HERE = Path(__file__).parent

#: Deviations of simpler versions of the other engine (`deviation_N.rules` over the
#: game), by row: a recorded game (players, seed) that reveals each, and the message.
TELLS = {
    1: (3, 1010, "step 95 ", "legal differ"),
    2: (3, 1010, "step 650 ", "seat differ"),
    3: (2, 2025, "step 1019 ", "winner differ"),
    4: (4, 5, "step 1390 ", "hands and bank differ"),
}


@pytest.fixture(scope="module")
def book() -> Rulebook:
    return load("classic")


@pytest.mark.parametrize("players", [2, 3, 4])
def test_recorded_games_agree(book: Rulebook, players: int, deep: bool) -> None:
    games = corpus(HERE / f"p{players}.jsonl.xz")
    for recorded in islice(games, None if deep else 2):
        assert Replay(book, recorded).run() == len(recorded["steps"])


@pytest.mark.parametrize("row", TELLS)
def test_detects_a_deviation(book: Rulebook, row: int) -> None:
    players, seed, place, what = TELLS[row]
    games = corpus(HERE / f"p{players}.jsonl.xz")
    recorded = next(game for game in games if game["seed"] == seed)

    assert Replay(book, recorded).run() == len(recorded["steps"])
    with pytest.raises(DiffersError) as caught:
        Replay(load(str(HERE / f"deviation_{row}.rules")), recorded).run()
    assert what in str(caught.value)
    assert place in str(caught.value)
