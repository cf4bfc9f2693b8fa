"""Where the shipped rule files are. Data only: nothing here reads a rule."""

from importlib.resources import files
from pathlib import Path

__all__ = ["DIGESTS", "house_rules", "names", "path"]

_HOME = Path(str(files(__name__)))
_FILES = {one.stem: one for one in sorted(_HOME.glob("*/*.rules"))}
DIGESTS = _HOME / "digests.json"


def names() -> tuple[str, ...]:
    """The names of the shipped games, sorted."""
    games = (name for name, one in _FILES.items() if name == one.parent.name)
    return tuple(sorted(name for name in games if name != "common"))


def house_rules() -> tuple[str, ...]:
    """The names of the shipped house rules, sorted; their boards are not among them."""
    house = (name for name, one in _FILES.items() if one.parent.name == "house")
    return tuple(sorted(name for name in house if not name.endswith("_board")))


def path(name: str) -> Path:
    """The path of a shipped rule file: a game, a house rule, a board or a library.
    Raises `KeyError` when no file NAME.rules is shipped."""
    return _FILES[name]
