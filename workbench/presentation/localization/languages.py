"""Phrases of the program, by language, with English as fallback.

Each language has a file in `workbench/languages/`. Titles and reasons of a game come
from its rule file.
"""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from workbench.defaults import LANGUAGE

LANGUAGES = Path(__file__).parents[2] / "languages"
_GAP = re.compile(r"\{(\w+)\}")


@cache
def phrase_table(language: str, section: str = "phrases") -> Mapping[str, str]:
    """Return a section's phrases in a language, by key; missing ones are English."""
    path = LANGUAGES / f"{language}.toml"
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    own: dict[str, str] = tomllib.loads(text).get(section, {})
    return own if language == LANGUAGE else {**phrase_table(LANGUAGE, section), **own}


def available_languages() -> set[str]:
    """Return the codes of the program's languages."""
    return {path.stem for path in LANGUAGES.glob("*.toml")}


def fill_gaps(template: str, parts: Mapping[str, str]) -> str:
    """Fill the gaps of a template; a gap without a value stays unchanged."""
    return _GAP.sub(lambda gap: parts.get(gap[1], gap[0]), template)
