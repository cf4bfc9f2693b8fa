"""Recorded games of an independent engine agree with ours, step by step."""

from itertools import islice
from pathlib import Path

import pytest

import rulebook
import variants
from tests.oracle.adapter import DiffersError, Replay, corpus
from workbench import load

HERE = Path(__file__).parent

#: Deviations of the other engine from the printed rules, as amendments by their row.
DEVIATIONS = {
    1: """replace define path is in_reach for player
  held: some corner in path's ends where corner is held by player
  touched: some corner in path's ends where corner is touched by player
""",
    4: """replace to produce
  let owed be a tally of player and resource
  each hex where hex's number = total and hex has no robber:
    each player: increase owed(player, hex's terrain's yields) by player's harvest(hex)
  each resource:
    if (sum over player of owed(player, resource)) <= number of resource in bank:
      each player: move up to owed(player, resource) resource from bank to player's hand
""",
}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_recorded_games_agree(players: int, deep: bool) -> None:
    book = load("classic")
    games = corpus(HERE / f"p{players}.jsonl.xz")
    for recorded in islice(games, None if deep else 2):
        assert Replay(book, recorded).run() == len(recorded["steps"])


@pytest.mark.parametrize("row", DEVIATIONS)
def test_a_deviation_is_found(row: int) -> None:
    def resolve(name: str) -> str:
        return variants.path(name).read_text(encoding="utf-8")

    head = 'rules language 1\nrulebook deviating "Deviating"\n  extends classic\n\n'
    book = rulebook.loads(head + DEVIATIONS[row], resolve=resolve)
    found = []
    for players in (4, 3, 2):
        for recorded in corpus(HERE / f"p{players}.jsonl.xz"):
            try:
                Replay(book, recorded).run()
            except DiffersError as error:
                found.append(str(error))
                break
    assert found
    assert "step" in found[0]
