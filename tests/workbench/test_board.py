"""Pictures: their contents, hidden information, and stable output."""

import json
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from math import hypot
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

import rulebook
import variants
import workbench
from interpreter import Game
from rulebook import Rulebook
from tests.support.colours import apart
from workbench.bots import generator, random_below
from workbench.cli import main
from workbench.presentation.picture import scene_of, svg
from workbench.presentation.picture.force_layout import layout_points
from workbench.presentation.picture.hints import Hints
from workbench.presentation.picture.text.board_lines import board_lines

SVG = "{http://www.w3.org/2000/svg}"
EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*/*.rules"))
ROOT = Path(__file__).parents[1]
ROWS = ROOT / "support" / "rows.rules"
BOOKS = [*variants.names(), *map(str, EXAMPLES)]


load = cache(workbench.load)


def played(book: Rulebook, steps: int, seed: int = 3) -> Game:
    """Return a game after some random decisions."""
    game = Game.start(book, seed=seed)
    numbers = generator(seed, "everybody")
    for _ in range(steps):
        legal = game.legal_actions()
        if not legal:
            break
        game.apply(legal[random_below(len(legal), numbers)])
    return game


def parsed(picture: str) -> ET.Element:
    return ET.fromstring(picture)  # noqa: S314  (our own text)


def titles(picture: str) -> list[str]:
    return [title.text or "" for title in parsed(picture).iter(f"{SVG}title")]


@pytest.mark.parametrize("variant", BOOKS, ids=lambda name: Path(name).stem)
def test_every_game_is_drawn_with_a_title_for_each_space(variant: str) -> None:
    scene = scene_of(played(load(variant), 60))

    picture = svg(scene)

    told = titles(picture)
    assert all(
        any(title.startswith(space.title) for title in told) for space in scene.spaces
    )
    assert svg(scene) == picture


@pytest.mark.parametrize("variant", BOOKS, ids=lambda name: Path(name).stem)
def test_a_picture_shows_only_what_its_reader_may_know(variant: str) -> None:
    game = played(load(variant), 80)
    for seat in game.seats:
        another = game.sample(seat, 11)

        assert svg(scene_of(another, seat)) == svg(scene_of(game, seat))


def test_a_spectator_sees_less_than_the_owner_of_a_hand() -> None:
    game = played(load("germany"), 0)
    holder = next(
        s for s in game.seats if any(game.view(s)["player"][s]["hand"].values())
    )

    assert svg(scene_of(game, holder)) != svg(scene_of(game))


def texts(picture: str) -> list[str]:
    return [text.text or "" for text in parsed(picture).iter(f"{SVG}text")]


def test_titles_use_the_requested_language() -> None:
    game = played(load("germany"), 0)

    assert any("Mark Brandenburg" in title for title in titles(svg(scene_of(game))))
    german = titles(svg(scene_of(game, language="de")))
    assert "Wald, 12" not in german
    assert any(
        "Brandenburger Tor" in words
        for words in texts(svg(scene_of(game, language="de")))
    )


def test_picture_has_no_external_resources_and_a_white_background() -> None:
    root = parsed(svg(scene_of(played(load("classic"), 40))))

    ground = next(root.iter(f"{SVG}rect"))
    assert ground.get("fill") == "#ffffff"
    assert not [
        node for node in root.iter() if node.tag in {f"{SVG}image", f"{SVG}style"}
    ]
    assert not [key for node in root.iter() for key in node.attrib if "href" in key]


def test_pips_count_the_dice_combinations() -> None:
    hints = Hints.for_book(load("classic"))

    ways = hints.pips("number")

    assert (ways[2], ways[6], ways[7], sum(ways.values())) == (1, 5, 6, 36)


def pairs(book: Rulebook) -> Iterator[tuple[str, str]]:
    hints = Hints.for_book(book)
    groups = [list(book.seats)]
    kinds = (domain for domain in book.model.domains.values() if domain.sort == "kind")
    groups += [[m for m in kind.members if hints.colour(m)] for kind in kinds]
    for group in groups:
        yield from combinations(group, 2)


@pytest.mark.parametrize("variant", BOOKS, ids=lambda name: Path(name).stem)
def test_colours_are_distinct_for_colour_blind_people(variant: str) -> None:
    book = load(variant)
    hints = Hints.for_book(book)

    def colour(name: str) -> str:
        return (
            hints.seat_colour(name) if name in book.seats else hints.colour(name) or ""
        )

    close = [
        (first, second, sight, round(distance, 1))
        for first, second in pairs(book)
        for sight, distance in apart(colour(first), colour(second)).items()
        if distance < 10
    ]

    assert close == []


def test_force_layout_is_deterministic() -> None:
    ring = [(n, (n + 1) % 8) for n in range(8)]

    points = layout_points(8, ring)

    assert points == layout_points(8, ring)
    gaps = [
        ((ax - bx) ** 2 + (ay - by) ** 2) ** 0.5
        for (ax, ay), (bx, by) in combinations(points, 2)
    ]
    assert min(gaps) > 0.3


def test_a_long_title_stays_within_a_narrow_picture() -> None:
    text = Path("examples/games/hearts.rules").read_text(encoding="utf-8")
    long = "Hearts as they were played at our table on winter evenings"
    book = rulebook.loads(text.replace('"Hearts"', f'"{long}"'))

    drawn = parsed(svg(scene_of(Game.start(book))))

    title = next(label for label in drawn.iter(f"{SVG}text") if label.text == long)
    assert 0.6 * len(long) * float(title.get("font-size", "")) < float(
        drawn.get("width", "")
    )


def test_linked_spaces_are_placed_by_their_columns() -> None:
    book = load(str(EXAMPLES[0].parents[1] / "games" / "nine_men.rules"))

    plane = scene_of(Game.start(book)).plane

    assert plane is not None
    spots = {name: plane.places[name].centre for name in ("a1", "a7", "d2")}
    assert spots == {"a1": (1, -1), "a7": (1, -7), "d2": (4, -2)}


def test_the_command_draws_a_step_of_a_record(
    tiny_path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record, out = tmp_path / "game.jsonl", tmp_path / "board.svg"
    main(["play", str(tiny_path), "--seat", "all=random", "--record", str(record)])
    capsys.readouterr()

    status = main(
        ["board", "--record", str(record), "--at", "3", "--out", str(out), "--json"]
    )

    assert status == 0
    assert json.loads(capsys.readouterr().out)["step"] == 3
    assert parsed(out.read_text(encoding="utf-8")).tag == f"{SVG}svg"


@pytest.mark.parametrize(
    "arguments",
    [["--out", "x.svg"], ["classic", "--at", "3", "--out", "x.svg"], ["classic"]],
)
def test_wrong_usage_of_the_command(arguments: list[str]) -> None:
    assert main(["board", *arguments]) == 2


def test_rows_hint_places_the_boards_of_players() -> None:
    game = Game.start(load(str(ROWS)), seed=1)

    scene = scene_of(game)

    places = {space.name: space.place.centre for space in scene.spaces}
    assert places["left_stall_4_above"] == (8, 0)
    assert places["left_house_4"] == (8, 1)
    assert places["left_lane_4"] == (9, 1)
    assert places["right_stall_5_below"] == (10, 6)
    assert "left_house_8" not in places  # no space is close to it


def test_pieces_on_a_players_board_belong_to_the_player() -> None:
    scene = scene_of(Game.start(load(str(ROWS)), seed=1))

    standing = {
        space.name: [piece.owner for piece in space.pieces]
        for space in scene.spaces
        if space.pieces
    }

    assert standing["left_house_4"] == ["left"]
    assert standing["right_lane_4"] == ["right"]


def signs(options: dict[str, bool]) -> dict[str, int]:
    """Return the number of signs of each label around the island, and its fields."""
    game = Game.start(load("base"), players=3, seed=2, options=options)
    scene = scene_of(game)
    words = [word for word in texts(svg(scene)) if ":1" in word]
    fields = sum(space.sort == "face" for space in scene.spaces)
    return {"fields": fields, **{word: words.count(word) for word in set(words)}}


def test_only_the_island_in_play_is_drawn() -> None:
    assert signs({}) == {"fields": 20, "2:1": 5, "3:1": 5}
    assert signs({"large_island": True}) == {"fields": 30, "2:1": 6, "3:1": 5}


def test_signs_and_links_are_next_to_drawn_fields() -> None:
    scene = scene_of(Game.start(load("base"), players=3, seed=2))
    assert scene.plane is not None
    fields = [space.place for space in scene.spaces if space.place.outline]
    corners = {point for field in fields for point in map(rounded, field.outline)}

    for space in scene.spaces:
        for end in space.place.ends or ():
            assert rounded(scene.plane.places[end].centre) in corners
        if space.sort == "space":
            away = [hypot(*minus(space.place.centre, f.centre)) for f in fields]
            assert min(away) > 1


def rounded(point: tuple[float, float]) -> tuple[float, float]:
    return (round(point[0], 3) + 0.0, round(point[1], 3) + 0.0)


def minus(left: tuple[float, float], right: tuple[float, float]) -> tuple[float, float]:
    return (left[0] - right[0], left[1] - right[1])


def test_links_are_drawn_on_the_board_of_each_player() -> None:
    book = rulebook.load(ROOT / "interpreter" / "gardens.rules")
    game = played(book, 30)

    scene = scene_of(game)

    links = [space for space in scene.spaces if space.sort == "link"]
    assert len(links) == 3 * 12
    fenced = [space.name for space in links if space.pieces]
    assert fenced
    for space in links:
        assert space.place.ends is not None
        assert {end.split("_")[0] for end in space.place.ends} == {
            space.name.split("_")[0]
        }
        assert {piece.owner for piece in space.pieces} <= {space.name.split("_")[0]}


def test_a_long_row_of_spaces_winds_upwards() -> None:
    """Two rows of twelve, the second from east to west, with a label at each space."""
    plane = scene_of(
        Game.start(workbench.load("examples/games/backgammon.rules"), seed=1)
    ).plane
    assert plane is not None
    at = {n: plane.places[f"spot_{n}"].centre for n in (1, 12, 13, 24)}

    assert at[1][0] == at[24][0] < at[12][0] == at[13][0]
    assert at[1][1] == at[12][1] > at[13][1] == at[24][1]
    assert [text for _, text in plane.labels] == [str(n) for n in range(1, 25)]


def test_the_terminal_shows_every_row_of_an_empty_board() -> None:
    book = rulebook.load(ROOT / "interpreter" / "gardens.rules")

    lines = [
        line.plain
        for line in board_lines(scene_of(Game.start(book, players=2, seed=1)), 80)
    ]

    assert [line.split() for line in lines if "·" in line] == [["·"] * 3] * 6
