"""Sentence templates for all parts of the rules, by language.

Each language has a file in `workbench/presentation/printing/words/`. Missing templates
are English.
"""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from workbench.defaults import LANGUAGE

WORDS = Path(__file__).parents[1] / "words"

SENTENCES, PHRASES, POLISH = "sentences", "phrases", "polish"
PREPOSITIONS, VERBS = "prepositions", "verbs"


@cache
def templates(language: str, section: str) -> Mapping[str, str]:
    """Return the templates of a section, by key; missing templates are English.

    Corrections and verbs belong to one language and are never English elsewhere.
    """
    path = WORDS / f"{language}.toml"
    own: Mapping[str, str] = {}
    if path.is_file():
        own = tomllib.loads(path.read_text(encoding="utf-8")).get(section, {})
    is_own = section in {POLISH, VERBS} and path.is_file()
    if language == LANGUAGE or is_own:
        return own
    return {**templates(LANGUAGE, section), **own}


@cache
def corrections(language: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return the corrections applied to filled sentences: patterns and replacements."""
    rows = templates(language, POLISH)
    return tuple((re.compile(pattern), new) for pattern, new in rows.items())
