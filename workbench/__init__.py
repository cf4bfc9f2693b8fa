"""People's tools over the language and the playing."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the command looks where `rulebook` comes from before it imports it
    from rulebook import Rulebook

__all__ = ["load"]


def load(variant: str) -> Rulebook:
    """The book of a variant: a shipped name, a path, or several joined with `+`.

    Raises `rulebook.RulesError` with every diagnostic, and `workbench.errors.Refused`
    when there is no such file.
    """
    from workbench.files.library.loading import load as load_variant

    return load_variant(variant)
