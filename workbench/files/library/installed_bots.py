"""Bots from installed packages: the entry points of the group `rulebook.bots`.

    [project.entry-points."rulebook.bots"]
    builder = "my_bots.builders:Builder"

Bots are found by name and imported only when a command names or lists them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from workbench.defaults import BOTS, HUMAN

if TYPE_CHECKING:  # slow to import and rarely needed
    from importlib.metadata import EntryPoint

GROUP = "rulebook.bots"


def find_entry_points(name: str) -> Sequence[EntryPoint]:
    """Return the entry points with the given name.

    There are several if installed packages conflict.
    """
    return [point for point in _unique_entry_points() if point.name == name]


def bot_names() -> list[str]:
    """Return the names of all usable bots from installed packages, sorted."""
    taken = {*BOTS, HUMAN}
    return sorted({point.name for point in _unique_entry_points()} - taken)


def all_entry_points() -> list[EntryPoint]:
    """Return all bot entry points, sorted by name and package."""
    return sorted(
        _unique_entry_points(), key=lambda point: (point.name, distribution_of(point))
    )


def distribution_of(point: EntryPoint) -> str:
    """Return the name and version of the distribution that provides a bot."""
    if point.dist is None:
        return "an unknown distribution"
    return f"{point.dist.name} {point.dist.version}"


def _unique_entry_points() -> list[EntryPoint]:
    """Return the bot entry points without duplicates."""
    from importlib.metadata import entry_points

    entries = entry_points(group=GROUP)
    return list(
        {
            (entry.name, entry.value, distribution_of(entry)): entry
            for entry in entries
        }.values()
    )
