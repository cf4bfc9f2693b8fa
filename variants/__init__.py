"""Where the shipped rule files are. Data only: nothing here reads a rule."""

from pathlib import Path

__all__ = ["DIGESTS", "house_rules", "names", "path"]

_HOME = Path(__file__).parent
_FILES = {file.stem: file for file in sorted(_HOME.glob("*/*.rules"))}
DIGESTS = _HOME / "digests.json"


def names() -> tuple[str, ...]:
    """The names of the shipped games, sorted."""
    games = (name for name, file in _FILES.items() if name == file.parent.name)
    return tuple(sorted(name for name in games if name != "common"))


def house_rules() -> tuple[str, ...]:
    """The names of the shipped house rules, sorted: without their boards, and without
    the files that come with them."""
    house = (name for name, file in _FILES.items() if file.parent.name == "house")
    return tuple(sorted(n for n in house if not n.endswith("_board") and "." not in n))


def path(name: str) -> Path:
    """The path of a shipped rule file: a game, a house rule, a board or a library.
    Raises `KeyError` when no file NAME.rules is shipped."""
    return _FILES[name]
