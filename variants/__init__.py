"""Where the shipped rule files are. Data only: nothing here reads a rule."""

from importlib.resources import files
from pathlib import Path

__all__ = ["names", "path"]

_HERE = Path(str(files(__name__)))
_LIBRARIES = frozenset({"common"})


def names() -> tuple[str, ...]:
    """The names of the shipped games, sorted."""
    found = _HERE.glob("*/*.rules")
    games = {one.stem for one in found if one.stem == one.parent.name}
    return tuple(sorted(games - _LIBRARIES))


def path(name: str) -> Path:
    """The path of a shipped rule file: a game, its board or a library.

    Raises `KeyError` when no file NAME.rules is shipped.
    """
    for entry in sorted(_HERE.glob("*/*.rules")):
        if entry.stem == name:
            return entry
    raise KeyError(name)
