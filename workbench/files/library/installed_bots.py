"""Bots from installed packages: the entry points of the group `rulebook.bots`.

    [project.entry-points."rulebook.bots"]
    builder = "my_bots.builders:Builder"

Bots are found by name and imported only when they are named or listed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from workbench.defaults import BOTS, HUMAN

if TYPE_CHECKING:  # slow to import and rarely needed
    from importlib.metadata import EntryPoint

GROUP = "rulebook.bots"


def brought(name: str) -> Sequence[EntryPoint]:
    """Return the entry points with a name.

    There are several if installed packages conflict.
    """
    return [point for point in _points() if point.name == name]


def names() -> list[str]:
    """Return the names of all usable bots from installed packages, sorted."""
    taken = {*BOTS, HUMAN}
    return sorted({point.name for point in _points()} - taken)


def everything() -> list[EntryPoint]:
    """Return all bot entry points, sorted by name and package."""
    return sorted(_points(), key=lambda point: (point.name, package(point)))


def package(point: EntryPoint) -> str:
    """Return the distribution of a bot, with its version."""
    if point.dist is None:
        return "an unknown distribution"
    return f"{point.dist.name} {point.dist.version}"


def _points() -> list[EntryPoint]:
    """Return the bot entry points without duplicates."""
    from importlib.metadata import entry_points

    entries = entry_points(group=GROUP)
    return list(
        {(entry.name, entry.value, package(entry)): entry for entry in entries}.values()
    )
