"""Companion files of games: boards, looks, words, scenarios and themes.

A companion is not a game. It is checked together with the games that use it.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from rulebook import Diagnostic, RulesError
from workbench.files.library.atomic_files import read_rules
from workbench.files.library.loading import ENDING, examine

FIRST_WORD = re.compile(r"(?:\s|#.*\n|rules[ \t]+language[ \t].*\n)*([a-z]+)\b")
Diagnostics = tuple[Diagnostic, ...]
COMPANION_WORDS = {"board", "look", "scenarios", "theme", "words"}


def companion_diagnostics(path: Path, texts: dict[str, str]) -> dict[Path, Diagnostics]:
    """Return the diagnostics of each game in the same folder that uses a companion.

    The result is empty if the file is not a companion or no game uses it. The texts
    that were read are added to `texts`.
    """
    by_game = {}
    with suppress(RulesError, OSError):
        if is_companion(read_rules(path)):
            files = sorted(path.parent.glob(f"*{ENDING}"))
            for game in games_mentioning(path, files, _text):
                read: dict[str, str] = {}
                diagnostics = examine(str(game), read)[1]
                if any(Path(name).name == path.name for name in read):
                    by_game[game] = diagnostics
                    texts |= read
    return by_game


def is_companion(text: str) -> bool:
    """Return whether a text starts like a companion file."""
    match = FIRST_WORD.match(text.removeprefix("\ufeff").replace("\r\n", "\n"))
    return match is not None and match[1] in COMPANION_WORDS


def games_mentioning(
    companion: Path, files: Iterable[Path], read_text: Callable[[Path], str]
) -> Iterator[Path]:
    """Yield the files that may use a companion: games that mention its name."""
    name = companion.name.removesuffix(ENDING)
    names = {name, name.partition(".")[0]}
    for file in files:
        text = read_text(file)
        if not is_companion(text) and any(word in text for word in names):
            yield file


def _text(path: Path) -> str:
    """Return the text of a file, or "" if it cannot be read."""
    with suppress(RulesError, OSError):
        return read_rules(path)
    return ""
