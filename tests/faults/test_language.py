"""Rules that the language cannot express: the actual behaviour is documented. The
author of each file in `language/` expected another behaviour. The file is rejected at
the line without effect, or its scenarios have the documented results, and failing
scenarios explain why.
"""

from pathlib import Path

import pytest

import rulebook
from interpreter import Game, run_scenario
from workbench.bots import BOTS, decide, generator

HERE = Path(__file__).parent / "language"

REFUSED = {
    "bug_place": [
        ("RB142", "room for this `peg`: a space holds only one"),
        ("RB142", "no `rod` here to take"),
    ],
    "bug_win": [("RB149", "only the first of these players wins")],
    "offboard": [("RB142", "`spot(spot's column + 1, spot's row)` may be none")],
    "replace": [("RB142", "room for this `worker`: a space holds only one")],
    "room": [("RB142", "room for this `worker`: a space holds only one")],
    "starts": [
        ("RB149", "this has no effect: the first turn"),
        ("RB149", "this has no effect: the first turn"),
    ],
    "ties": [("RB149", "only the first of these players wins")],
    "two_pieces": [("RB142", "room for this `worker`: a space holds only one")],
}

# : Messages of failing scenarios, by file and scenario; all other scenarios pass.
SAYS = {
    ("bug_gather", "clay first"): "and too few are left from clay on",
    ("repro_stop", "by hand"): "blue must still decide: pass",
}

PLAYED = sorted({path.stem for path in HERE.glob("*.rules")} - set(REFUSED))


@pytest.mark.parametrize("name", REFUSED)
def test_rejects_a_line_without_effect(name: str) -> None:
    with pytest.raises(rulebook.RulesError) as error:
        rulebook.load(HERE / f"{name}.rules")

    diagnostics = error.value.diagnostics
    for diagnostic, (code, message) in zip(diagnostics, REFUSED[name], strict=True):
        assert diagnostic.code == code
        assert message in diagnostic.message


@pytest.mark.parametrize("name", PLAYED)
def test_scenarios_have_the_documented_results(name: str) -> None:
    book = rulebook.load(HERE / f"{name}.rules")
    expected = {title: says for (file, title), says in SAYS.items() if file == name}
    messages = {}
    for scenario in book.model.scenarios:
        verdict = run_scenario(book, scenario)
        assert verdict.status in ("passed", "failed"), verdict.message
        if verdict.status == "failed":
            messages[scenario.title] = verdict.message or ""

    assert sorted(messages) == sorted(expected)
    for title, says in expected.items():
        assert says in messages[title]


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
