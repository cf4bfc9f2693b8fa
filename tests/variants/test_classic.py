"""Set-up of `classic`: the dealt board and the first settlements."""

from collections import Counter
from typing import Any

import pytest

from interpreter import Game
from rulebook import Rulebook
from workbench import load

SEEDS = range(1, 11)
TERRAINS = {"forest": 4, "pasture": 4, "fields": 4, "hills": 3, "mountains": 3}
LETTERS = [5, 2, 6, 3, 8, 10, 9, 12, 11, 4, 8, 10, 9, 4, 5, 6, 3, 11]


@pytest.fixture(scope="module")
def book() -> Rulebook:
    return load("classic")


def dealt(book: Rulebook, seed: int, **options: Any) -> tuple[Game, dict[str, Any]]:
    game = Game.start(book, seed=seed, options=options)
    return game, game.position["board"]


def hexes(board: dict[str, Any]) -> dict[str, Any]:
    return {name: values for name, values in board.items() if name.startswith("H")}


def touching(book: Rulebook, board: dict[str, Any], numbers: set[int]) -> bool:
    """Return whether two hexes with some of the numbers are adjacent."""
    described = book.model.board
    assert described is not None
    places = dict(zip(hexes(board), described.face_places, strict=True))
    marked = {
        places[name] for name, has in hexes(board).items() if has["number"] in numbers
    }
    return any((q + dq, r + dr) in marked for q, r in marked for dq, dr in STEPS)


STEPS = ((1, 0), (0, 1), (1, -1))
RED = {6, 8}
LAYOUTS = [
    {},
    {"numbers_in_spiral": False},
    {"numbers_in_spiral": False, "red_numbers_apart": True},
]


@pytest.mark.parametrize("options", LAYOUTS)
def test_the_dealt_board_has_the_right_contents(
    book: Rulebook, options: dict[str, bool]
) -> None:
    for seed in SEEDS:
        game, board = dealt(book, seed, **options)
        terrains = Counter(has["terrain"] for has in hexes(board).values())
        numbers = [has["number"] for has in hexes(board).values()]
        (desert,) = [n for n, has in hexes(board).items() if has["terrain"] == "desert"]
        signs = Counter(
            has["harbour_sign"] for name, has in board.items() if "harbour" in name
        )
        assert terrains == {**TERRAINS, "desert": 1}
        assert sorted(filter(None, numbers)) == sorted(LETTERS)
        assert board[desert]["number"] is None
        assert game.position["pieces"]["robber"] == {desert: True}
        assert signs["any_goods"] == 4
        assert len(signs) == 6
        assert sum(signs.values()) == 9


def test_the_letters_follow_the_spiral_and_skip_the_desert(book: Rulebook) -> None:
    for seed in SEEDS:
        _, board = dealt(book, seed)
        assert [n for has in hexes(board).values() if (n := has["number"])] == LETTERS


def test_shuffled_numbers_may_touch_unless_they_are_kept_apart(book: Rulebook) -> None:
    shuffled = {"numbers_in_spiral": False}
    apart = {**shuffled, "red_numbers_apart": True}

    free = [touching(book, dealt(book, seed, **shuffled)[1], RED) for seed in SEEDS]
    kept = [touching(book, dealt(book, seed, **apart)[1], RED) for seed in SEEDS]

    assert any(free)
    assert not any(kept)


def test_layouts_depend_on_the_seed(book: Rulebook) -> None:
    boards = [dealt(book, seed)[1] for seed in SEEDS]

    for part in ("terrain", "harbour_sign"):
        kinds = {tuple(has.get(part) for has in board.values()) for board in boards}
        assert len(kinds) == len(boards)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_settlements_are_founded_clockwise_and_back(
    book: Rulebook, players: int
) -> None:
    game = Game.start(book, players=players, seed=3)
    founders = []
    while game.turn == 0:
        action = game.legal_actions()[0]
        founders.append((action.name, game.to_act))
        game.apply(action)
    begins = game.seats.index(founders[0][1] or "")
    order = [*game.seats[begins:], *game.seats[:begins]]

    assert [who for name, who in founders if name == "found_settlement"] == order
    last = [who for name, who in founders if name == "found_last_settlement"]
    assert last == order[::-1]
    assert [name for name, _ in founders[1::2]] == ["found_road"] * 2 * players
    assert game.to_act == order[0]


def test_only_the_last_settlement_yields_cards(book: Rulebook) -> None:
    board = {"H19": {"terrain": "fields"}, "H13": {"terrain": "hills"}}
    board["H18"] = {"terrain": "desert"}
    game = Game.start(book, players=2, seed=1, board=board)
    first, other = game.to_act, next(s for s in game.seats if s != game.to_act)
    for action in ("found_settlement(C1)", "found_road(C1, C1-C4)"):
        game.apply(action)
    for action in ("found_settlement(C31)", "found_road(C31, C25-C31)"):
        game.apply(action)
    assert not any(game.position["player"][first]["hand"].values())
    assert not any(game.position["player"][other]["hand"].values())
    game.apply("found_last_settlement(C19)")

    hand = +Counter(game.position["player"][other]["hand"])
    assert hand == {"grain": 1, "brick": 1}
