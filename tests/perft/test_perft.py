"""Counts of the tiny games' trees: as published, by formula, and by a second program.

The quick form stops early; `--deep` goes to the depths at the end of each row.
"""

import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import workbench
from interpreter import Chance, Game
from tests.perft import mills, second
from workbench.analysis.simulation.leaf_counts import count_leaves, count_turn_leaves

EXAMPLES = Path(__file__).parents[2] / "examples"
TINY, GAMES = EXAMPLES / "tiny", EXAMPLES / "games"

# : Leaves by depth, and the number of depths that the quick form counts.
PUBLISHED = {
    # 255,168 games (Bottomley and Schaeffer, named in math.stackexchange.com/q/469371),
    # of which 1,440, 5,328, 47,952 and 72,576 are won at ply 5 to 8, and 81,792 won and
    # 46,080 drawn at the last: each depth is (the one before less its wins) times the
    # squares left.
    "noughts_and_crosses": (
        (9, 72, 504, 3_024, 15_120, 54_720, 148_176, 200_448, 127_872),
        4,
    ),
    # 7 to the d: no game is won before ply 7, and a column is full at ply 7 only after
    # 6 discs in it, which takes 7 from 7 to the 7.
    "connect_four": ((7, 49, 343, 2_401, 16_807, 117_649, 823_536), 4),
    # aartbik.blogspot.com/2009/02/perft-for-reversi.html
    "reversi": ((4, 12, 56, 244, 1_396, 8_200, 55_092), 4),
}

#: By whole turns, a piece with all that it jumps over: "Perft for all recognized
#: draughts variants", damforum.nl/bb3/viewtopic.php?t=2822.
DRAUGHTS = (7, 49, 302, 1_469, 7_361, 36_768, 179_740, 845_931)


def begun(name: str, folder: Path = TINY, **options: Any) -> Game:
    book = workbench.load(str(folder / f"{name}.rules"))
    return Game.start(book, options=options, chance="given")


def counts(game: Game, depth: int) -> list[int]:
    return [count_leaves(game, each) for each in range(1, depth + 1)]


@pytest.mark.parametrize("name", PUBLISHED)
def test_counts_agree_with_published_ones(name: str, deep: bool) -> None:
    expected, quick = PUBLISHED[name]
    depth = len(expected) if deep else quick

    assert counts(begun(name), depth) == list(expected[:depth])


def test_draughts_counts_by_whole_turns(deep: bool) -> None:
    expected = DRAUGHTS[: 8 if deep else 5]
    game = begun("draughts", GAMES)
    depths = range(1, len(expected) + 1)

    assert tuple(count_turn_leaves(game, depth) for depth in depths) == expected


@pytest.mark.parametrize("name", mills.POSITIONS)
def test_nine_mens_morris_agrees_with_an_independent_program(name: str) -> None:
    given = mills.POSITIONS[name]
    game = morris(*given)

    for each in range(1, 4):
        assert count_turn_leaves(game, each) == second.count(
            mills.mills_of(*given), mills.mill_successors, each
        )


def morris(white: str, black: str, in_hand: tuple[int, int]) -> Game:
    """Return a position of nine men's morris with white to play."""
    book = workbench.load(str(GAMES / "nine_men.rules"))
    seats = ("white", "black")
    at = "put" if in_hand[0] else "go"
    places = dict.fromkeys(white.split(), "white")
    places |= dict.fromkeys(black.split(), "black")
    position = {
        **Game.start(book, chance="given").position,
        "player": {s: {"in_hand": n} for s, n in zip(seats, in_hand, strict=True)},
        "pieces": {"man": places},
        "pending": [
            {
                "clause": "game",
                "at": "the end of the turn",
                "you": "white",
                "values": {},
            },
            {"clause": "turn.play", "at": at, "you": "white", "values": {}},
        ],
    }
    return Game.from_position(book, position, chance="given")


@pytest.mark.parametrize(("size", "depth"), [(2, 2), (3, 4), (4, 3), (11, 2)])
def test_hex_counts_before_a_win_is_possible(size: int, depth: int) -> None:
    cells = size * size

    assert depth <= 2 * size - 2
    assert counts(begun("hex", size=size), depth) == [
        math.perm(cells, each) for each in range(1, depth + 1)
    ]


@pytest.mark.parametrize(("size", "quick", "whole"), [(1, 2, 2), (2, 5, 5), (3, 6, 9)])
def test_hex_agrees_with_brute_force(
    size: int, quick: int, whole: int, deep: bool
) -> None:
    depth = whole if deep else quick
    expected = [
        second.count(second.empty_hex_board(size), second.hex_successors, each)
        for each in range(1, depth + 1)
    ]

    assert counts(begun("hex", size=size), depth) == expected


def test_breakthrough_agrees_with_an_independent_program(deep: bool) -> None:
    depth = 4 if deep else 3
    expected = [
        second.count(second.initial_pawns(), second.pawn_successors, each)
        for each in range(1, depth + 1)
    ]

    assert counts(begun("breakthrough"), depth) == expected


def test_dare_agrees_with_exact_probabilities() -> None:
    chances = ends(begun("dare"))
    first, other, nobody = second.dare_chances()

    assert chances == {"left": first, "right": other, None: nobody}
    assert sum(chances.values()) == 1


def ends(game: Game, weight: Fraction = Fraction(1)) -> dict[str | None, Fraction]:
    """Return the chance of each end when every decision is drawn uniformly."""
    if game.outcome is not None:
        return {game.outcome.winner: weight}
    chances: dict[str | None, Fraction] = {}
    plies = game.legal_actions()
    for ply in plies:
        after = game.copy()
        after.apply(ply)
        share = ply.probability if isinstance(ply, Chance) else Fraction(1, len(plies))
        for winner, chance in ends(after, weight * share).items():
            chances[winner] = chances.get(winner, Fraction(0)) + chance
    return chances
