"""What only a view can show: who sees a field."""

from collections.abc import Callable
from functools import partial

from interpreter import Game
from rulebook import Rulebook

HIDDEN = {"count"}


def only_its_owner(*fields: str, book: Rulebook) -> bool:
    """Whether its seat sees fields, and others only how many cards they have."""
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
"""Tests of a book that a row may name in the place of a scenario."""
