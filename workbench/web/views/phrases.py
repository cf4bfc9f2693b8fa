"""Phrases of the pages by section and key, with English as fallback.

`workbench/web/words/` contains the phrases, one file per language. Titles and reasons
of a game come from its rule files (`workbench.presentation.localization`).
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import attrs

from workbench.defaults import LANGUAGE
from workbench.presentation.localization.languages import fill_gaps

WORDS = files("workbench.web") / "words"


@cache
def phrases(language: str) -> Mapping[str, str]:
    """Return all phrases of a language by `section.key`, in English if missing."""
    path = WORDS / f"{language}.toml"
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    own = {
        f"{section}.{key}": phrase
        for section, table in tomllib.loads(text).items()
        for key, phrase in table.items()
    }
    return own if language == LANGUAGE else {**phrases(LANGUAGE), **own}


@cache
def languages() -> tuple[str, ...]:
    """Return the codes of the pages' languages, English first."""
    names = sorted(path.name[:-5] for path in WORDS.iterdir() if path.name[-5:] == TOML)
    return tuple(sorted(names, key=lambda name: name != LANGUAGE))


TOML = ".toml"


@attrs.frozen
class Phrases:
    """Phrases of one language; call it with a key and values for the gaps."""

    language: str = LANGUAGE

    def __call__(self, key: str, **gaps: Any) -> str:
        """Return a phrase with its gaps filled."""
        texts = {name: str(gap) for name, gap in gaps.items()}
        return fill_gaps(phrases(self.language)[key], texts)

    def section(self, name: str) -> dict[str, str]:
        """Return the phrases of a section by key, for use in JavaScript."""
        return {
            key.removeprefix(f"{name}."): phrase
            for key, phrase in phrases(self.language).items()
            if key.startswith(f"{name}.")
        }
