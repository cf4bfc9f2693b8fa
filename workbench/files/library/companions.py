"""Which games a file is a part of: a board, a look, words or scenarios, a theme.

A part is no game by itself, and is checked with those that read it.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from rulebook import Diagnostic, RulesError
from workbench.files.library.files import read_rules
from workbench.files.library.loading import ENDING, examine

BEGINS = re.compile(r"(?:\s|#.*\n|rules[ \t]+language[ \t].*\n)*([a-z]+)\b")
Found = tuple[Diagnostic, ...]
PARTS = {"board", "look", "scenarios", "theme", "words"}


def found_with(path: Path, texts: dict[str, str]) -> dict[Path, Found]:
    """What is found in the games beside a file that read it, where it is a part.

    Nothing where it is none, or no game reads it. Into `texts` goes what was read.
    """
    by_game = {}
    with suppress(RulesError, OSError):
        if is_part(read_rules(path)):
            files = sorted(path.parent.glob(f"*{ENDING}"))
            for game in games_naming(path, files, _text):
                read: dict[str, str] = {}
                diagnostics = examine(str(game), read)[1]
                if any(Path(name).name == path.name for name in read):
                    by_game[game] = diagnostics
                    texts |= read
    return by_game


def is_part(text: str) -> bool:
    """Whether a text begins as that of a part."""
    begins = BEGINS.match(text.removeprefix("\ufeff").replace("\r\n", "\n"))
    return begins is not None and begins[1] in PARTS


def games_naming(
    part: Path, files: Iterable[Path], text_of: Callable[[Path], str]
) -> Iterator[Path]:
    """Those of the files beside a part that are none, and say its name."""
    name = part.name.removesuffix(ENDING)
    said = {name, name.partition(".")[0]}
    for file in files:
        text = text_of(file)
        if not is_part(text) and any(word in text for word in said):
            yield file


def _text(path: Path) -> str:
    """The text of a file, empty where it cannot be read."""
    with suppress(RulesError, OSError):
        return read_rules(path)
    return ""
