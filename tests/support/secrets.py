"""Tests of visibility, which only a view can prove."""

from collections.abc import Callable
from functools import partial

from interpreter import Game
from rulebook import Rulebook

HIDDEN = {"count"}


def only_its_owner(*fields: str, book: Rulebook) -> bool:
    """Return whether only the owner sees fields; others see the number of cards."""
    game = Game.start(book, seed=1)
    return all(
        (set(game.view(seat)["player"][owner][field]) != HIDDEN) is (seat == owner)
        for owner in game.seats
        for seat in (*game.seats, None)
        for field in fields
    )


CHECKS: dict[str, Callable[..., bool]] = {
    "test: a hand is seen by its owner only": partial(only_its_owner, "hand"),
    "test: development cards are seen by their owner only": partial(
        only_its_owner, "developments", "fresh"
    ),
}
"""Tests of a book that a row may name in place of a scenario."""
