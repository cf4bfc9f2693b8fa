"""Whole games by bots that choose at random, played in C with no step of Python."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from typing import Any

import attrs

import rulebook as rb
from interpreter.arguments import check_book, check_seed, players_of
from interpreter.game import Game
from interpreter.native.engine import Engine, NotNative, engine
from interpreter.planning import plan_for
from interpreter.tables.action_index import PASS_NAME


@attrs.frozen
class Playout:
    """A game that was played: how it stands, its decisions, its actions by name.

    What led there is not kept: the game has no events.
    """

    game: Game
    decisions: int
    actions: dict[str, int]


class Playouts:
    """The native engine of a number of players and options."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def play(
        self, seed: int, keys: Sequence[int], most: int, turns: int | None = None
    ) -> Playout | None:
        """Play a game to its end, or up to so many decisions or turns.

        It is the game in which the bots `random` draw by numbers of these keys, one
        for each seat. None: it cannot be played here, and the interpreter says why.
        """
        check_seed(seed)
        space, native = self._engine.plan.actions, self._engine.start(seed, turns)
        if native.left is not None:
            return None
        times = (ctypes.c_int32 * space.size)()
        decisions = native.play(keys, most, times)
        if decisions < 0:
            return None
        game = Game(self._engine.plan, native.state())
        return Playout(game, decisions, dict(self._counted(list(times))))

    def _counted(self, times: Sequence[int]) -> Iterator[tuple[str, int]]:
        """How often each action was done, those that were."""
        if times[0]:
            yield PASS_NAME, times[0]
        for action in self._engine.plan.actions.listed:
            count = sum(times[action.base : action.base + action.size])
            if count:
                yield action.action.name, count


def playouts(
    book: rb.Rulebook,
    *,
    players: int | None = None,
    options: dict[str, Any] | None = None,
) -> Playouts | NotNative:
    """Return what plays whole games of these rules in C, or why nothing does."""
    check_book(book)
    made = engine(plan_for(book, players_of(book, players), options or {}))
    return made if isinstance(made, NotNative) else Playouts(made)
