"""Income of each space, as computed from the rules, for a report's map."""

from collections.abc import Mapping
from functools import cached_property
from typing import Self

import attrs

from interpreter import PositionError
from rulebook import Rulebook, RulesError
from workbench.analysis.economy.examination import turns_to_show
from workbench.analysis.economy.probes.baseline import Baseline
from workbench.analysis.economy.probes.income_probe import Income, IncomeProbe
from workbench.analysis.economy.probes.turns import TooManyOutcomes
from workbench.analysis.simulation.settings import Settings
from workbench.errors import RequestError
from workbench.presentation.picture import Scene, scene_of


@attrs.define(eq=False, slots=False)
class BoardIncome:
    """Board that a variant has with its first seed, and the income of its spaces.

    `varies` is true if the next seed gives another board. `income` is the mean number
    of cards of each kind per turn, by piece and space, or empty if it cannot be
    computed. A map shows it for `turns` turns.
    """

    scene: Scene
    varies: bool
    turns: int
    income: Mapping[str, Mapping[str, Income]]

    @classmethod
    def for_book(cls, book: Rulebook, settings: Settings) -> Self | None:
        """Return the board and its income, or None if the game has no board."""
        first = scene_of(settings.start(book))
        if first.plane is None or not first.spaces:
            return None
        other = scene_of(settings.start(book, seed=(settings.seed or 0) + 1))
        varies = _space_traits(first) != _space_traits(other)
        try:
            probe = IncomeProbe.from_baseline(Baseline.of_game(book, settings))
            empty = probe.baseline.with_holdings(
                probe.seat, {}, removed_pieces=probe.moving_pieces
            )
            return cls(
                scene_of(empty), varies, turns_to_show(probe), probe.income_by_space
            )
        except (TooManyOutcomes, RulesError, PositionError, RequestError):
            return cls(first, varies, 1, {})

    @cached_property
    def names(self) -> frozenset[str]:
        """Names of the spaces on the board."""
        return frozenset(space.name for space in self.scene.spaces)


def _space_traits(scene: Scene) -> list[tuple[object, ...]]:
    """Return the name and attributes of each space, without its pieces."""
    return [(space.name, space.traits) for space in scene.spaces]
