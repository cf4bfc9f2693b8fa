"""Hypothesis strategies that generate the start of a game.

A start is a number of players, options and a board.
"""

from collections.abc import Mapping
from typing import Any

import attrs
import hypothesis.strategies as st

from interpreter import UsageError, options_of
from rulebook import Rulebook
from rulebook.model import Option, Truth, Whole
from workbench.analysis.simulation.boards import (
    Board,
    accepts_board,
    deals_board,
    places_by_attribute,
    with_swap,
)
from workbench.analysis.simulation.settings import Settings

SEEDS = st.integers(0, 2**32 - 1)
MAX_SWAPS = 8
"""Maximum number of times that two values of a board are swapped."""


def starts(
    book: Rulebook,
    *,
    players: int | None = None,
    options: Mapping[str, Any] | None = None,
    board: bool = False,
) -> st.SearchStrategy[Settings]:
    """Return a strategy for settings: any number of players, any option values.

    Given `players` and `options` are kept. Half of the settings change no other option.
    With `board`, half of them have a given board if the game has several. Start a game
    with `start(book, seed=…)`. A setting shrinks to the fewest players and default
    options. Raise `UsageError` for an invalid number of players, option or value.
    """
    base = fixed_settings(book, players, options)
    counts = range(book.players[0], book.players[1] + 1)
    player_counts = st.sampled_from(counts) if players is None else st.just(players)
    return draw_settings(book, base, player_counts, board and deals_board(book))


def fixed_settings(
    book: Rulebook, players: int | None, options: Mapping[str, Any] | None
) -> Settings:
    """Return settings with these values. Raise `UsageError` if one is invalid."""
    base = Settings(players=players, options=dict(options or {}))
    options_of(book, players=players, options=dict(base.options))
    return base


@st.composite
def draw_settings(
    draw: st.DrawFn,
    book: Rulebook,
    base: Settings,
    player_counts: st.SearchStrategy[int],
    board: bool,
) -> Settings:
    """Draw settings with some options changed and, if *board*, sometimes a board."""
    players = draw(player_counts)
    defaults = options_of(book, players=players, options=dict(base.options))
    other_values = {
        name: values
        for name, option in book.options.items()
        if name not in base.options
        and not (values := other_option_values(option, defaults[name])).is_empty
    }
    names = list(other_values)
    some_names = st.lists(st.sampled_from(names), unique=True) if names else st.just([])
    chosen = draw(st.just([]) | some_names)
    drawn = {name: draw(other_values[name]) for name in names if name in chosen}
    settings = attrs.evolve(base, players=players, options={**base.options, **drawn})
    if board and draw(st.booleans()):
        return attrs.evolve(settings, board=draw(draw_board(book, settings)))
    return settings


def other_option_values(option: Option, default: Any) -> st.SearchStrategy[Any]:
    """Return a strategy for option values other than *default*, the nearest first."""
    match option.type:
        case Truth():
            return st.just(not default)
        case Whole(low=low, high=high, optional=optional):
            parts: list[st.SearchStrategy[Any]] = []
            if default is None:
                return st.integers(low, high)
            if default < high:
                parts.append(st.integers(default + 1, high))
            if low < default:
                parts.append(
                    st.integers(1, default - low).map(lambda gap: default - gap)
                )
            return st.one_of(*parts, *[st.none()] * optional)
        case _:
            return st.nothing()


def boards(
    book: Rulebook,
    *,
    players: int | None = None,
    options: Mapping[str, Any] | None = None,
) -> st.SearchStrategy[Board]:
    """Return a strategy for boards as in `Game.start(board=…)`.

    A board has the form {space: {attribute: value}}. It is dealt by set-up, and then up
    to eight pairs of values of an attribute are swapped. All invariants are true when
    the first decision is due. The board is for `players` (default: the maximum) and for
    `options`. It shrinks to the deal of seed 0. Raise `UsageError` for an invalid
    number of players, option or value, or if set-up deals nothing onto the board.
    """
    base = fixed_settings(book, players, options)
    if not deals_board(book):
        raise UsageError(f"the set-up of {book.name} deals no board")
    return draw_board(book, base)


@st.composite
def draw_board(draw: st.DrawFn, book: Rulebook, settings: Settings) -> Board:
    """Draw a board that set-up deals, with some values swapped."""
    game = settings.start(book, seed=draw(SEEDS))
    board: Board = game.position["board"]
    groups = [groups for groups in places_by_attribute(board) if len(groups) > 1]
    swaps = draw(st.integers(0, MAX_SWAPS)) if groups else 0
    for _ in range(swaps):
        group = draw(st.sampled_from(groups))
        changed = with_swap(board, *(draw(st.sampled_from(group)) for _ in range(2)))
        if changed != board and accepts_board(
            book, attrs.evolve(settings, board=changed)
        ):
            board = changed
    return board
