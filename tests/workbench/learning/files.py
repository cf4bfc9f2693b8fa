"""The rule files that are played by learners in these tests: a few, or all of them."""

from __future__ import annotations

from pathlib import Path

import variants

ROOT = Path(__file__).parents[3]
EXAMPLES = tuple(
    str(path.relative_to(ROOT)) for path in sorted((ROOT / "examples").rglob("*.rules"))
)
"""Each is a game of its own."""

FEW = tuple(
    f"examples/{name}.rules"
    for name in ("tiny/connect_four", "tiny/dare", "games/hearts", "games/sealed_bids")
)


def of(*, deep: bool) -> tuple[str, ...]:
    """The files of a run."""
    return (*variants.names(), *EXAMPLES) if deep else FEW
