"""Options that may be none, offers without a limit, the spirals of base, awards."""

import json
from itertools import pairwise
from pathlib import Path

import pytest

import rulebook
from interpreter import Game, UsageError
from rulebook.parse import parse
from rulebook.write import write
from tests.support.commands import Output, document_of, output_of
from workbench import load
from workbench.analysis.simulation.setting_variations import other_values
from workbench.analysis.simulation.settings import Settings
from workbench.analysis.simulation.simulation import (
    GameLimits,
    GameTask,
    bots_by_seat,
    play_game,
)
from workbench.cli import main

HERE = Path(__file__).parent / "board_rules"
CLIMB = HERE / "climb.rules"

# ---------------------------------------------------------------- a number or none


def test_none_is_null_in_records_and_positions_and_is_restored() -> None:
    book = rulebook.load(CLIMB)
    game = Game.start(book, seed=1)
    for _ in range(12):
        game.apply("climb")

    head = json.loads(game.record.splitlines()[0])
    assert head["options"] == {"top": None}
    assert game.position["options"] == {"top": None}
    assert Game.replay(game.record, book) == game
    assert Game.from_position(book, game.position) == game


def test_a_number_instead_of_none_sets_a_limit() -> None:
    game = Game.start(rulebook.load(CLIMB), seed=1, options={"top": 2})
    game.apply("climb")
    game.apply("climb")

    assert game.options == {"top": 2}
    assert not game.why("climb").legal


def test_rejects_none_for_an_option_that_needs_a_value() -> None:
    with pytest.raises(UsageError, match="points_to_win must be 10 to 15, not none"):
        Game.start(load("base"), options={"points_to_win": None})
    with pytest.raises(UsageError, match="top must be 1 to 9 or none, not 10"):
        Game.start(rulebook.load(CLIMB), options={"top": 10})


def test_none_can_be_given_on_the_command_line(capsys: Output, tmp_path: Path) -> None:
    assert Settings.parse(None, 1, ["top=none"], None).options == {"top": None}
    assert "top (1 to 9 or none): none" in output_of(capsys, "options", str(CLIMB))
    (row,) = document_of(capsys, "options", str(CLIMB))
    assert (row["range"], row["none"], row["default"]) == ([1, 9], True, None)
    command = ["simulate", str(CLIMB), "--games", "1", "--max-decisions", "50"]
    assert main([*command, "--option", "top=none", "--records", str(tmp_path)]) == 0


def test_none_is_among_the_other_values_of_an_option() -> None:
    option = rulebook.load(CLIMB).options["top"]

    assert other_values(option, None) == (1, 9)
    assert other_values(option, 1) == (9, None)


def test_a_range_with_none_survives_a_round_trip() -> None:
    text = CLIMB.read_text(encoding="utf-8")
    file = parse(text, "climb.rules").file
    assert file is not None

    assert "option top (1 to 9 or none): none" in write(file)
    assert parse(write(file), "climb.rules").file == file


# ---------------------------------------------------------------- offers

UNBOUNDED = {"offers_per_turn": None, "longest_offer": None}


@pytest.mark.parametrize(
    ("variant", "bot", "gifts"),
    [
        ("germany", "random", True),
        ("base", "random", False),
        ("germany", "greedy", False),
    ],
)
def test_bot_games_end_without_a_limit_on_offers(
    variant: str, bot: str, *, gifts: bool
) -> None:
    book = load(variant)
    options = {**UNBOUNDED, "gifts": gifts, "like_for_like": gifts}
    settings = Settings(players=3, options=options)
    task = GameTask(bots_by_seat([bot], book.seats[:3]), settings, GameLimits())

    assert play_game(book, task, 1).finished


# ---------------------------------------------------------------- spirals

TIPS = {
    False: ["H22", "H41", "H62", "H64", "H46", "H24"],
    True: ["H11", "H41", "H71", "H73", "H46", "H13"],
}


def walk(tip: str, *, large: bool) -> list[str]:
    """Return the land in the order in which a spiral places its tokens; deserts get
    none.
    """
    book = load("base")
    game = Game.start(book, seed=3, options={"large_island": large})
    hexes = book.model.domains["hex"]
    rings = hexes.columns["large_ring" if large else "small_ring"].values
    place = dict(zip(hexes.members, hexes.columns["place"].values, strict=True))
    ring = dict(zip(hexes.members, rings, strict=True))
    order = sorted(
        (name for name in hexes.members if ring[name] >= 0),
        key=lambda name: (ring[name], place[name] < place[tip], place[name]),
    )
    game.apply(f"begin_spiral({tip})")
    dealt = [game.position["board"][name]["number"] for name in order]
    tokens = book.model.domains["large_token" if large else "number_token"]
    assert [token for token in dealt if token is not None] == list(
        tokens.columns["number"].values
    )
    return order


def jumps(order: list[str]) -> list[tuple[str, str]]:
    """Return the steps of a walk between tiles that are not neighbours."""
    model = load("base").model
    assert model.board is not None
    place = dict(
        zip(model.domains["hex"].members, model.board.face_places, strict=True)
    )
    sides = {(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)}
    return [
        (tile, following)
        for tile, following in pairwise(order)
        if (place[tile][0] - place[following][0], place[tile][1] - place[following][1])
        not in sides
    ]


@pytest.mark.parametrize("tip", TIPS[True])
def test_each_next_tile_of_the_large_island_is_a_neighbour(tip: str) -> None:
    assert jumps(walk(tip, large=True)) == []


@pytest.mark.parametrize("tip", TIPS[False])
def test_one_step_on_the_small_island_is_a_jump_except_from_the_west(
    tip: str,
) -> None:
    expected = [] if tip == "H41" else [("H32", "H41")]

    assert jumps(walk(tip, large=False)) == expected


def test_the_tips_are_all_corners_of_the_islands() -> None:
    for large, tips in TIPS.items():
        game = Game.start(load("base"), seed=3, options={"large_island": large})
        assert {action.arguments[0] for action in game.legal_actions()} == set(tips)
