"""What the pages say: phrases by section and key, English where a language lacks one.

The titles and reasons of a game come from its rule files
(`workbench.presentation.localization`), the words of the pages around them from
`workbench/web/words/`, by language.
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import attrs

from workbench.defaults import LANGUAGE
from workbench.presentation.localization.languages import filled

WORDS = files("workbench.web") / "words"


@cache
def phrases(language: str) -> Mapping[str, str]:
    """All phrases of a language as `section.key`; what it lacks is English."""
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
    """The languages that the pages speak, English first."""
    names = sorted(path.name[:-5] for path in WORDS.iterdir() if path.name[-5:] == TOML)
    return tuple(sorted(names, key=lambda name: name != LANGUAGE))


TOML = ".toml"


@attrs.frozen
class Phrases:
    """The phrases of one language; called with a key and what fills its gaps."""

    language: str = LANGUAGE

    def __call__(self, key: str, **gaps: Any) -> str:
        """A phrase, its gaps filled with texts."""
        texts = {name: str(gap) for name, gap in gaps.items()}
        return filled(phrases(self.language)[key], texts)

    def section(self, name: str) -> dict[str, str]:
        """The phrases of a section by key, for the script of a page."""
        return {
            key.removeprefix(f"{name}."): phrase
            for key, phrase in phrases(self.language).items()
            if key.startswith(f"{name}.")
        }
