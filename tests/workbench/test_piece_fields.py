"""Fields that move with a piece: visibility, and display.

`convoys.rules` has scenarios and invariants about how the fields move.
"""

import re
from pathlib import Path

import pytest

import rulebook
from interpreter import Game
from interpreter.measure.counting.sites import BRANCH, sites_of
from rulebook.tooling import mutants
from workbench.editor.navigation import NameTables
from workbench.editor.rename import Renaming
from workbench.editor.workspace import Workspace
from workbench.presentation.localization.localizer import Localizer
from workbench.presentation.narration.view_text import table_lines
from workbench.presentation.picture import scene_of
from workbench.presentation.picture.svg import svg

CONVOYS = Path(__file__).parents[1] / "interpreter" / "convoys.rules"


@pytest.fixture
def game() -> Game:
    """Return a game in which each seat has launched one ship."""
    game = Game.start(rulebook.load(CONVOYS), seed=1)
    for seat_action in ("launch(berth_1_1, silk)", "launch(berth_2_1, salt)"):
        game.apply(seat_action)
    return game


def test_only_the_owner_of_the_piece_sees_a_hidden_field(game: Game) -> None:
    cargo = {
        seat: game.view(seat)["player"]["red"]["ship_cargo"]["berth_1_1"]
        for seat in ("red", "blue")
    }
    assert cargo == {"red": "silk", "blue": None}


def test_samples_give_hidden_fields_only_to_pieces(game: Game) -> None:
    guesses = {
        game.sample("blue", seed).position["player"]["red"]["ship_cargo"]["berth_1_1"]
        for seed in range(20)
    }
    assert guesses == {"silk", "salt"}


@pytest.mark.parametrize(
    ("seat", "shown"), [("red", "cargo silk, hits 1"), ("blue", "hits 1")]
)
def test_people_see_the_fields_with_the_piece(
    game: Game, seat: str, shown: str
) -> None:
    words = Localizer.for_book(game.book)
    lines = [line for line in table_lines(game.view(seat), (), words) if "red" in line]
    picture = svg(scene_of(game, seat))

    assert [line.strip() for line in lines] == [f"red: ship: berth 1 1 ({shown})"]
    assert f"red ship ({shown})</title>" in picture
    assert not scene_of(game, seat).seats[0].holdings


@pytest.mark.parametrize("seat", ["red", "blue"])
def test_attributes_of_pieces_contain_no_fields(game: Game, seat: str) -> None:
    """Scripts know the kind, owner and number, which all players see."""
    pieces = re.findall(r"<g (data-[^>]*)>", svg(scene_of(game, seat)))
    assert pieces == [
        f'data-piece="ship {owner}" data-count="1"' for owner in ("red", "blue")
    ]


def test_mutants_change_the_field_and_the_owner_of_the_piece(game: Game) -> None:
    text = CONVOYS.read_text().replace("cargo at berth to", "hold at berth to")
    text = text.replace(
        "each crate has", "  hold: good or none, seen by all\n\neach crate has"
    )
    book = rulebook.loads(text, "convoys")
    changed = {
        (mutant.description, " ".join(mutant.after))
        for mutant in mutants(book)
        if "at berth" in " ".join(mutant.after) and mutant.address.startswith("action")
    }
    assert ("whose", "needs more: ship's hits at berth < 3") in {
        (kind, line.partition(' "')[0]) for kind, line in changed
    }
    assert any("your ship's cargo at berth to good" in line for _, line in changed)


def test_implied_branches_are_not_covered_parts(game: Game) -> None:
    """The guard of a change and the count of removed pieces are implied."""
    branches = [s for s in sites_of(game.book).in_order if s.sort == BRANCH]
    lines = CONVOYS.read_text().splitlines()

    assert branches
    assert all(lines[s.span.line - 1].strip().startswith("if ") for s in branches)


@pytest.mark.parametrize(
    ("word", "line"),
    [("hits", "  hits:  0 to 3, starts at 1"), ("ship", "each ship has")],
)
def test_a_field_and_its_piece_are_renamed_wherever_they_are_used(
    tmp_path: Path, word: str, line: str
) -> None:
    path = tmp_path / "convoys.rules"
    path.write_text(text := CONVOYS.read_text())
    space = Workspace((tmp_path,))
    assert space.check_and_store(path) == {}
    row = text.split("\n").index(line)
    column = line.index(word)

    renaming = Renaming(space, NameTables(space))
    new = renaming.rename(path, row + 1, column + 1, "renamed").texts[path]

    without_texts = re.sub('"[^"]*"', "", new)
    assert not re.search(rf"\b{word}\b", without_texts)
    rulebook.loads(new, "convoys")
