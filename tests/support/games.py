"""Shipped games and their localizers, loaded once for all tests."""

from functools import cache

from rulebook import Rulebook
from workbench import load
from workbench.presentation.localization.localizer import Localizer


@cache
def germany() -> Rulebook:
    return load("germany")


@cache
def cards() -> Rulebook:
    return load("cardgame")


@cache
def localizer(language: str) -> Localizer:
    """Return the localizer of Germany for a language."""
    return Localizer.for_book(germany(), language)
