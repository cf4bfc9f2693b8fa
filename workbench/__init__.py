"""Command-line tools, servers and analysis based on the language and interpreter."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the command checks the package `rulebook` before importing it
    from rulebook import Rulebook

__all__ = ["load"]


def load(variant: str) -> Rulebook:
    """Load a variant: a shipped name, a path, or several joined with `+`.

    Raise `rulebook.RulesError` with every diagnostic if the rules have errors. Raise
    `workbench.errors.RequestError` if there is no such file.
    """
    from workbench.files.library.loading import load as load_variant

    return load_variant(variant)
