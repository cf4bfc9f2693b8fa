"""The tables of templates: how each part of the rules is said, by language.

They are in `workbench/presentation/printing/words/`, a file for each language. A
missing template falls back to English.
"""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from workbench.defaults import LANGUAGE

WORDS = Path(__file__).parents[1] / "words"

SENTENCES, PHRASES, POLISH = "sentences", "phrases", "polish"
PREPOSITIONS = "prepositions"


@cache
def templates(language: str, section: str) -> Mapping[str, str]:
    """The templates of a section in a language, in English where it has none."""
    path = WORDS / f"{language}.toml"
    own: Mapping[str, str] = {}
    if path.is_file():
        own = tomllib.loads(path.read_text(encoding="utf-8")).get(section, {})
    if language == LANGUAGE or (section == POLISH and path.is_file()):
        return own
    return {**templates(LANGUAGE, section), **own}


@cache
def polish(language: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    """What is put right in sentences that are filled: patterns and what they become."""
    rows = templates(language, POLISH)
    return tuple((re.compile(pattern), new) for pattern, new in rows.items())
