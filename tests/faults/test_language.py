"""Rules that cannot be said yet: what happens instead is documented and never a lie.

Each file in `language/` was written by somebody who expected something else. It is
refused at the line that would do nothing, or its scenarios come out as the pages say,
and those that do not hold say what stands against them.
"""

from pathlib import Path

import pytest

import rulebook
from interpreter import Game, run_scenario
from workbench.bots import BOTS, decide, generator

HERE = Path(__file__).parent / "language"

REFUSED = {
    "bug_win": ["only the first of these players wins"],
    "ties": ["only the first of these players wins"],
    "starts": ["nobody starts here", "nobody starts here"],
}

#: By file and scenario what the failing one says; all others hold.
SAYS = {
    ("bug_each", "all three are lowest"): "p2's score = 3",
    ("bug_gather", "clay first"): "from clay on there are not enough left",
    ("bug_place", "placing on an enemy"): "owner of the peg on one = p1",
    ("bug_place", "twice"): "p1's pegs_left = 3",
    ("replace", "blue stays"): "owner of the worker on grove = red",
    ("repro_stop", "by hand"): "blue is still to decide: pass",
    ("room", "a"): "= 1",
    ("room", "b"): "= 1",
    ("two_pieces", "two on one"): "red's workers_left = 1",
    ("two_pieces", "two on one, counted"): "= 1",
}

PLAYED = sorted({path.stem for path in HERE.glob("*.rules")} - set(REFUSED))


@pytest.mark.parametrize("name", REFUSED)
def test_what_would_do_nothing_is_refused_where_it_stands(name: str) -> None:
    with pytest.raises(rulebook.RulesError) as error:
        rulebook.load(HERE / f"{name}.rules")

    found = error.value.diagnostics
    assert [one.code for one in found] == ["RB149"] * len(REFUSED[name])
    for one, message in zip(found, REFUSED[name], strict=True):
        assert message in one.message


@pytest.mark.parametrize("name", PLAYED)
def test_scenarios_come_out_as_the_pages_say(name: str) -> None:
    book = rulebook.load(HERE / f"{name}.rules")
    expected = {title: says for (file, title), says in SAYS.items() if file == name}
    found = {}
    for one in book.model.scenarios:
        verdict = run_scenario(book, one)
        assert verdict.status in ("passed", "failed"), verdict.message
        if verdict.status == "failed":
            found[one.title] = verdict.message or ""

    assert sorted(found) == sorted(expected)
    for title, says in expected.items():
        assert says in found[title]


@pytest.mark.parametrize("name", PLAYED)
def test_games_are_played_and_replayed(name: str) -> None:
    book = rulebook.load(HERE / f"{name}.rules")
    for seed in range(3):
        game = Game.start(book, seed=seed)
        numbers = {seat: generator(seed, seat) for seat in game.seats}
        for _ in range(100):
            if game.to_act is None:
                break
            game.apply(decide(BOTS["random"], game, game.to_act, numbers[game.to_act]))
        assert Game.replay(game.record, book) == game
