"""Rule files for the tests of learning environments."""

from __future__ import annotations

from pathlib import Path

import variants

ROOT = Path(__file__).parents[3]
EXAMPLES = tuple(
    str(path.relative_to(ROOT)) for path in sorted((ROOT / "examples").rglob("*.rules"))
)
"""Paths of all examples, each of which is a game."""

FEW = tuple(
    f"examples/{name}.rules"
    for name in ("tiny/connect_four", "tiny/dare", "games/hearts", "games/sealed_bids")
)


def of(*, deep: bool) -> tuple[str, ...]:
    """Return the files to test: all of them if *deep*, otherwise a few."""
    return (*variants.names(), *EXAMPLES) if deep else FEW
