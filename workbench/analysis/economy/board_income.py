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
    """Board of a variant with its first seed, and the income of its spaces.

    `income` is the number of cards of each kind in `turns` turns, by piece and space.
    It is empty if it cannot be computed.
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
            asker = IncomeProbe.from_baseline(Baseline.of_game(book, settings))
            bare = asker.baseline.with_holdings(
                asker.seat, {}, removed_pieces=asker.moving_pieces
            )
            return cls(
                scene_of(bare), varies, turns_to_show(asker), asker.income_by_space
            )
        except (TooManyOutcomes, RulesError, PositionError, RequestError):
            return cls(first, varies, 1, {})

    @cached_property
    def names(self) -> frozenset[str]:
        """Names of the spaces on the board."""
        return frozenset(space.name for space in self.scene.spaces)


def _space_traits(scene: Scene) -> list[tuple[object, ...]]:
    """Return the properties of each space of a board, without pieces."""
    return [(space.name, space.traits) for space in scene.spaces]
