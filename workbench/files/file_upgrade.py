"""Upgrade of rule files, which are checked together with the games that use them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from rulebook import Desk, Diagnostic, RulesError, examine, quick_check
from rulebook.tooling import REWRITES, Rewrite, Upgrade, upgrade_texts
from workbench.files.library.atomic_files import read_rules
from workbench.files.library.companions import games_mentioning, is_companion
from workbench.files.library.loading import ENDING, shipped_text


def upgrade_files(
    paths: Iterable[Path], rewrites: Sequence[Rewrite] = REWRITES
) -> Upgrade:
    """Return the upgraded texts of files, without writing them.

    Raise `rulebook.RulesError` if a file is not text, or `OSError` if it cannot be
    read.
    """
    texts = {str(path): read_rules(path) for path in paths}
    return upgrade_texts(texts, partial(_examine, Desk()), rewrites)


def texts_read(texts: Mapping[str, str]) -> dict[str, str]:
    """Return the given texts, and those of the files that are read with them."""
    desk = Desk({Path(file): text for file, text in texts.items()})
    read: dict[str, str] = {}
    for game in _games(desk, texts):
        quick_check(game, shipped_text, desk, read)
    return read | {**texts}


def _examine(desk: Desk, texts: Mapping[str, str]) -> Iterator[Diagnostic]:
    """Yield the diagnostics of the games that files belong to, with these texts."""
    desk.open.update({Path(file): text for file, text in texts.items()})
    for game in _games(desk, texts):
        yield from examine(game, shipped_text, desk=desk)[1]


def _games(desk: Desk, files: Iterable[str]) -> list[Path]:
    """Return the files to check: those that no other of the files depends on.

    A companion stands for the games in its folder that use it.
    """
    roots: dict[Path, set[str]] = {}
    for path in map(Path, files):
        read = {game: _files_read(desk, game) for game in _possible_users(desk, path)}
        users = {game: names for game, names in read.items() if str(path) in names}
        roots |= users or {path: _files_read(desk, path)}
    used = {name for path, names in roots.items() for name in names - {str(path)}}
    return [path for path in roots if str(path) not in used] or list(roots)


def _possible_users(desk: Desk, path: Path) -> Iterator[Path]:
    """Yield the games that may use a file, if it is a companion."""
    if is_companion(_text(desk, path)):
        siblings = sorted(path.parent.glob(f"*{ENDING}"))
        yield from games_mentioning(path, siblings, partial(_text, desk))


def _files_read(desk: Desk, path: Path) -> set[str]:
    """Return the names of the files that the checker reads for a game."""
    texts: dict[str, str] = {}
    quick_check(path, shipped_text, desk, texts)
    return {*texts, str(path)}


def _text(desk: Desk, path: Path) -> str:
    """Return the text of a file, or "" if it cannot be read."""
    with suppress(OSError, RulesError):
        return desk.open.get(path) or read_rules(path)
    return ""
