"""Searches for the longest trail that may be too long: a warning, a limit in play."""

from pathlib import Path

import pytest

from interpreter import Game
from rulebook import Diagnostic, Rulebook, RulesError, loads
from tests.native.compilers import NEEDS_C
from tests.support.side_by_side import Setting, play
from workbench import load
from workbench.files.library.loading import examine

HOUSE = """extends classic
replace define player's trail: 0 to 72
  longest trail of ({links})
"""
OWN_ROADS = "every path in player's roads where path has player's road"
ROADS = "every path where path has a road"


def checked(folder: Path, links: str) -> tuple[Rulebook, tuple[Diagnostic, ...]]:
    file = folder / "house.rules"
    file.write_text(HOUSE.format(links=links))
    return load(str(file)), examine(str(file))[1]


def test_warns_of_a_search_that_may_be_too_long(tmp_path: Path) -> None:
    _, (diagnostic,) = checked(tmp_path, ROADS)

    assert (diagnostic.code, diagnostic.severity) == ("RB158", "warning")
    assert diagnostic.span.line == 3
    assert "a search for the longest trail may take" in diagnostic.message
    assert "`(every path in player's roads where …)`" in (diagnostic.help or "")


def test_accepts_the_links_that_the_cure_names(tmp_path: Path) -> None:
    assert checked(tmp_path, OWN_ROADS)[1] == ()


@pytest.mark.parametrize("seed", range(3))
def test_such_a_game_is_played_alike_in_both_engines(tmp_path: Path, seed: int) -> None:
    book, _ = checked(tmp_path, ROADS)

    assert play(Setting(book, 4, seed, {}), 300) >= 300


GRID = """rules language 1
rulebook grid "Grid"
  players 2
  turns 9
spaces cell (cells) by column 1 to {size}, row 1 to {size}
links way (ways) between cell by (1, 0), (0, 1)
game has
  opened: 0 to 99, seen by all, starts at 0
define longest: 0 to 999
  longest trail of (every way where opened > 0)
action open
  set opened to 1
action look
  needs short: longest < 999   "it is too long"
  set opened to 0
turn
  phase play
    you do open, look
points of player
  own: 0
"""


@pytest.mark.parametrize("engine", ["reference", pytest.param("native", marks=NEEDS_C)])
def test_a_search_through_too_many_rings_fails_in_play(engine: str) -> None:
    game = Game.start(loads(GRID.format(size=4)), seed=1, engine=engine)
    game.apply("open")
    game.apply("look")
    game = Game.start(loads(GRID.format(size=6)), seed=1, engine=engine)
    game.apply("look")
    before = game.position

    with pytest.raises(RulesError) as caught:
        game.apply("open")

    (diagnostic,) = caught.value.diagnostics
    assert (diagnostic.code, diagnostic.span.line) == ("RB152", 10)
    assert "too many rings" in diagnostic.message
    assert game.position == before
