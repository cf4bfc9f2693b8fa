"""Printed pages of shipped games and examples, each created once."""

from functools import cache
from pathlib import Path

import variants
from rulebook import Rulebook
from workbench.files.library.loading import load
from workbench.presentation.localization.localizer import Localizer
from workbench.presentation.printing.errata import errata_page
from workbench.presentation.printing.pages import PrintedPage
from workbench.presentation.printing.rules import rules_page

ROOT = Path(__file__).parents[2]
SHOWN = sorted(
    str(path.relative_to(ROOT)) for path in (ROOT / "examples").glob("*/*.rules")
)
GAMES = (*variants.names(), *SHOWN)
QUICK = (*variants.names(), *(path for path in SHOWN if "/games/" not in path))


@cache
def book(variant: str) -> Rulebook:
    path = ROOT / variant
    return load(str(path) if path.is_file() else variant)


@cache
def page(variant: str, language: str = "en") -> PrintedPage:
    return printed(book(variant), language)


def printed(rules: Rulebook, language: str = "en") -> PrintedPage:
    return rules_page(rules, Localizer.for_book(rules, language))


def sheet(new: Rulebook, old: Rulebook, language: str = "en") -> PrintedPage:
    return errata_page(
        new, old, Localizer.for_book(new, language), new.title or new.name
    )
