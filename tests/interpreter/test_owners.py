"""Pieces that belong to the members of a kind: positions, messages, pictures, words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from interpreter import Game, PositionError, run_scenario
from rulebook import Rulebook, RulesError, load, loads
from tests.support.commands import Output, output_of
from tests.support.side_by_side import Setting, play
from workbench.presentation.localization.localizer import Localizer
from workbench.presentation.narration.table_changes import lost_pieces
from workbench.presentation.narration.view_text import table_lines
from workbench.presentation.picture.hints import Hints, distinct_letters
from workbench.presentation.picture.scene import scene_of
from workbench.presentation.picture.svg import svg
from workbench.presentation.picture.text.board_lines import board_lines

STATIONS = Path(__file__).parent / "stations.rules"
TOWN = "town_1_1"


@pytest.fixture(scope="module")
def book() -> Rulebook:
    return load(STATIONS)


def with_pieces(book: Rulebook, **pieces: Any) -> Game:
    """Return a game with these pieces on the board."""
    game = Game.start(book, players=2)
    position = game.position
    position["pieces"] |= pieces
    return Game.from_position(book, position)


def test_the_owner_of_a_piece_is_a_kind_or_none(book: Rulebook) -> None:
    owners = {name: piece.owner for name, piece in book.model.pieces.items()}

    assert owners["station"] == owners["crate"] == "company"
    assert owners["guard"] == "player"
    assert owners["bandit"] is None


@pytest.mark.parametrize("number", range(4))
def test_its_scenarios_pass(book: Rulebook, number: int) -> None:
    assert len(book.model.scenarios) == 4
    verdict = run_scenario(book, book.model.scenarios[number])
    assert verdict.status == "passed", verdict.message


def test_positions_name_the_owner(book: Rulebook) -> None:
    pieces = {
        "station": {TOWN: "acme", "town_2_2": "coil"},
        "cart": {TOWN: {"acme": 2, "bolt": 1}},
        "train": {},
        "guard": {TOWN: "blue"},
        "bandit": {TOWN: True},
    }
    written = with_pieces(book, **pieces).position["pieces"]

    assert {name: written[name] for name in pieces} == pieces


@pytest.mark.parametrize(
    ("pieces", "message"),
    [
        ({"station": {TOWN: "red"}}, "red"),
        ({"station": {TOWN: True}}, "True"),
        ({"cart": {TOWN: 2}}, "expected {company: count}"),
        ({"cart": {TOWN: {"red": 1}}}, "red"),
        ({"cart": {TOWN: {"acme": 3}}}, "has room for only 2"),
        ({"train": {TOWN: "acme", "town_2_1": "acme"}}, "the game has only 1"),
        ({"crate": {TOWN: {"bolt": 5}}}, "the game has only 4"),
    ],
)
def test_rejects_a_position_with_impossible_owners(
    book: Rulebook, pieces: dict[str, Any], message: str
) -> None:
    with pytest.raises(PositionError, match=message):
        with_pieces(book, **pieces)


def test_fields_of_pieces_are_stored_with_the_owner(book: Rulebook) -> None:
    position = with_pieces(book, station={TOWN: "coil"}).position
    position["company"]["coil"]["station_level"][TOWN] = 2
    written = Game.from_position(book, position).position

    assert written["company"]["coil"]["station_level"][TOWN] == 2
    assert "station_level" not in written["player"]["red"]


def test_each_owner_has_a_supply(book: Rulebook) -> None:
    game = with_pieces(book, station={TOWN: "acme"}, cart={TOWN: {"coil": 2}})
    supplies = {(it.name, it.owner): (it.count, it.most) for it in game.supplies}

    assert supplies["station", "acme"] == (1, 2)
    assert supplies["station", "coil"] == (0, 2)
    assert supplies["cart", "coil"] == (2, 3)
    assert ("station", "red") not in supplies


def test_observations_count_the_pieces_of_each_owner(book: Rulebook) -> None:
    names = Game.start(book, players=2).observed()

    assert f"crate.{TOWN}.coil" in names
    assert f"station.{TOWN}" in names
    assert f"crate.{TOWN}.red" not in names


def test_why_names_the_owner_of_the_piece(book: Rulebook) -> None:
    game = with_pieces(book, station={TOWN: "acme"})

    legal = game.why("take_over(bolt, town_1_1)")
    illegal = game.why("haul(bolt, town_1_1, town_2_1)")
    assert legal.legal and not illegal.legal
    assert "cart" in str(illegal)


def test_both_engines_play_the_same_game(book: Rulebook) -> None:
    for players in (2, 3):
        assert play(Setting(book, players, 3, {"trains": 2}), 200) > 20


# ---------------------------------------------------------------- shown


def test_pieces_have_the_colour_and_letter_of_their_owner(book: Rulebook) -> None:
    scene = scene_of(with_pieces(book, station={TOWN: "acme", "town_2_1": "coil"}))
    colours = scene.colours

    assert colours["acme"] == "#b8860b" and colours["bolt"] == "#123456"
    assert len({*colours.values()}) == len(colours)
    assert len({*scene.letters.values()}) == len(scene.letters) == 5
    drawn = svg(scene)
    assert colours["acme"] in drawn and colours["coil"] in drawn
    assert "acme station" in drawn
    lines = "\n".join(map(str, board_lines(scene, 80)))
    assert scene.letters["acme"] in lines and scene.letters["coil"] in lines


def test_seats_keep_their_letters_and_colours(book: Rulebook) -> None:
    hints = Hints.for_book(book)
    scene = scene_of(Game.start(book, players=3))

    assert [seat.letter for seat in scene.seats] == ["R", "B", "G"]
    assert scene.colours["red"] == hints.seat_colour("red")


def test_more_owners_than_letters_have_their_initials() -> None:
    names = [f"n{number}" for number in range(40)]

    assert distinct_letters(iter(names))["n39"] == "N"


def test_a_view_in_words_names_the_owner(book: Rulebook) -> None:
    game = with_pieces(book, station={TOWN: "acme"}, cart={TOWN: {"bolt": 2}})
    german = Localizer.for_book(book, "de")
    lines = list(table_lines(game.view(None), (), german))

    assert any("Akme: Bahnhof" in line for line in lines)


def test_changes_name_the_owner_that_lost_a_piece(book: Rulebook) -> None:
    before = with_pieces(book, station={TOWN: "acme"}, guard={TOWN: "red"})
    after = with_pieces(book, station={}, guard={})
    views = before.view(None), after.view(None)
    english = Localizer.for_book(book)

    assert list(lost_pieces(*views, english, None)) == [
        "acme has 1 station fewer on the board"
    ]
    assert list(lost_pieces(*views, english, "red")) == [
        "red has 1 guard fewer on the board"
    ]
    assert list(lost_pieces(*views, english, "blue")) == []


@pytest.mark.parametrize(
    ("language", "number", "room", "other"),
    [
        (
            "en",
            "2 for each company",
            "at most 2 of each company on a space",
            "a station on the town that is not the company's",
        ),
        (
            "de",
            "2 je Gesellschaft",
            "höchstens 2 je Gesellschaft an einem Ort",
            "Bahnhof, nicht von Gesellschaft",
        ),
    ],
)
def test_printed_rules_name_the_kind(
    language: str, number: str, room: str, other: str, capsys: Output
) -> None:
    printed = output_of(capsys, "print", str(STATIONS), "--language", language)

    assert number in printed
    assert room in printed
    assert other in printed


# ---------------------------------------------------------------- failures

ONE_TOO_MANY = """rules language 1
rulebook fails "Places more than there are"
  players 2 to 2
kind firm (firms): acme, bolt
spaces town (towns) by column 1 to 3, row 1 to 2
option crowd: no "set-up places one shop too many"
piece shop (shops): 2 for each firm, stands on town
setup
  each town where town's row = 1 and (crowd or town's column < 3):
    place bolt's shop on town
turn
  phase day
    you do done
action done
  stop
"""


def test_the_failure_names_the_owner_without_supply() -> None:
    book = loads(ONE_TOO_MANY)
    with pytest.raises(RulesError) as error:
        Game.start(book, players=2, options={"crowd": True})

    (diagnostic,) = error.value.diagnostics
    assert diagnostic.message == "bolt has no shop left to place"
    assert "firm's shops_left > 0" in (diagnostic.help or "")


MANY_OWNERS = """rules language 1
rulebook many "More owners than a byte counts"
  players 2 to 2
  turns 20
spaces plot (plots) by column 1 to 20, row 1 to 10
piece post (posts): 1 for each plot, stands on plot
action fence(plot, plot other)
  needs last: plot's row = 10 and other's column = 20  "only the last plots"
  place plot's post on other in place of what stands there
turn
  phase day
    you do fence
points of player
  late: sum over plot where plot's row = 10 of number of plot's posts
end
  the players with the most points win
"""


def test_both_engines_count_many_owners() -> None:
    assert play(Setting(loads(MANY_OWNERS), 2, 3, {}), 60) == 20
