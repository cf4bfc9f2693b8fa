"""Files open in an editor, and their diagnostics, independent of the protocol.

The workspace receives texts by path and returns diagnostics by file. The diagnostics
equal those of `rulebook check` for saved files.
"""

import gc
from collections.abc import Collection, Iterable
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Self

import attrs

import variants
from rulebook import Desk, Diagnostic, Rulebook, examine, has_errors, quick_check
from workbench.files.library.companions import games_mentioning, is_companion
from workbench.files.library.loading import ENDING, THEME, THEMES, shipped_text

OBJECTS_PER_COLLECTION = 100_000
"""Number of new objects that triggers a run of the garbage collector."""

FileDiagnostics = dict[Path, tuple[Diagnostic, ...]]
"""Diagnostics by path of the file to which they refer."""


def tune_garbage_collector() -> None:
    """Make the garbage collector ignore existing objects and run less often."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(OBJECTS_PER_COLLECTION, 20, 20)


@attrs.define
class SourceFinder:
    """Finder of shipped files; texts open in the editor take precedence."""

    file_cache: Desk

    def __call__(self, name: str) -> str | None:
        """Return the text of `NAME.rules`, or None if it is not shipped."""
        path = shipped_path(name)
        return (
            self.file_cache.open.get(path)
            if path in self.file_cache.open
            else shipped_text(name)
        )

    @property
    def known_names(self) -> tuple[str, ...]:
        """Names of shipped files, for suggestions."""
        return shipped_text.known_names

    @property
    def themes(self) -> tuple[str, ...]:
        """Names of the themes that a game may use."""
        return shipped_text.themes


def shipped_path(name: str) -> Path | None:
    """Return the path of a shipped file, or None."""
    if name.endswith(THEME):
        return THEMES / f"{name}{ENDING}"
    try:
        return variants.path(name)
    except KeyError:
        return None


@attrs.frozen
class CheckedRoot:
    """Result of checking a root: the book, if valid, and the diagnostics.

    Both are None if the root cannot be read.
    """

    book: Rulebook | None
    diagnostics: tuple[Diagnostic, ...] | None


@attrs.define
class Workspace:
    """Folders with rule files, open texts, and the last valid book of each root."""

    folders: tuple[Path, ...] = ()
    file_cache: Desk = attrs.Factory(Desk)
    books: dict[Path, Rulebook] = attrs.Factory(dict)
    """Last valid book of each root, kept while a text is incomplete."""
    files_by_root: dict[Path, set[Path]] = attrs.Factory(dict)
    """Files that formed each root at the last syntax check."""

    @property
    def sources(self) -> SourceFinder:
        """Finder of files outside the folders of the workspace."""
        return SourceFinder(self.file_cache)

    def set_text(self, path: Path, text: str) -> None:
        """Set the current text of a file open in the editor."""
        self.file_cache.open[path] = text

    def close(self, path: Path) -> None:
        """Close a file, so that its text on disk is used again."""
        self.file_cache.open.pop(path, None)

    def text(self, path: Path) -> str:
        """Return the current text of a file; "" if it does not exist."""
        if path in self.file_cache.open:
            return self.file_cache.open[path]
        try:
            return self.file_cache.read(path).decode("utf-8", "replace")
        except OSError:
            return ""

    def roots(self, path: Path) -> tuple[Path, ...]:
        """Return the files to check when a file changes: the games that include it.

        The game with the same name comes first.
        """
        if not is_companion(self.text(path)):
            return (path,)
        naming = games_mentioning(path, self.sibling_files(path), self.text)
        games = [game for game in naming if path in self.files_read_for(game)]
        own = path.name.partition(".")[0]
        return tuple(sorted(games, key=lambda game: game.stem != own)) or (path,)

    def sibling_files(self, path: Path) -> list[Path]:
        """Return the rule files in the same folder as a file, including open ones."""
        opened = {
            other for other in self.file_cache.open if other.parent == path.parent
        }
        return sorted(opened.union(path.parent.glob(f"*{ENDING}")))

    def texts(self, path: Path) -> dict[str, str]:
        """Return the texts of the files that form a root, by their names in spans."""
        texts: dict[str, str] = {}
        with suppress(OSError):
            quick_check(path, self.sources, self.file_cache, texts)
        return texts

    def files_read_for(self, path: Path) -> set[Path]:
        """Return the files that are read when a file is checked."""
        return set(map(path_of, self.texts(path)))

    def syntax_errors(self, path: Path) -> FileDiagnostics | None:
        """Return the syntax errors of a root, and store the files that form it.

        Return None if there are none, so that a full check is needed.
        """
        texts: dict[str, str] = {}
        mistakes: tuple[Diagnostic, ...] = ()
        with suppress(OSError):
            mistakes = quick_check(path, self.sources, self.file_cache, texts)
        wrong = group_by_file(mistakes)
        self.files_by_root[path] = {path, *map(path_of, texts), *wrong}
        return wrong if has_errors(mistakes) else None

    def check_and_store(self, path: Path) -> FileDiagnostics:
        """Check a root and store the result; return its diagnostics by file."""
        return self.store(path, self.check(path))

    def check(self, path: Path) -> CheckedRoot:
        """Check a root; return the result without storing it."""
        try:
            return CheckedRoot(*examine(path, self.sources, desk=self.file_cache))
        except OSError:
            return CheckedRoot(None, None)

    def store(self, path: Path, result: CheckedRoot) -> FileDiagnostics:
        """Store the result of checking a root; return its diagnostics by file."""
        if result.diagnostics is None:
            self.books.pop(path, None)
        elif result.book is not None:
            self.books[path] = result.book
        return group_by_file(result.diagnostics or ())

    def snapshot(self) -> Self:
        """Return a copy of the current state, for a worker thread."""
        desk = Desk(dict(self.file_cache.open), self.file_cache.keeper)
        books, files = dict(self.books), dict(self.files_by_root)
        return attrs.evolve(self, file_cache=desk, books=books, files_by_root=files)

    def keep_only(self, roots: Collection[Path]) -> None:
        """Discard the data of all roots except the given ones."""
        for known in (self.books, self.files_by_root):
            for path in known.keys() - roots:
                del known[path]


def group_by_file(diagnostics: Iterable[Diagnostic]) -> FileDiagnostics:
    """Return diagnostics grouped by file."""
    by_file: dict[Path, list[Diagnostic]] = {}
    for diagnostic in diagnostics:
        by_file.setdefault(path_of(diagnostic.span.file), []).append(diagnostic)
    return {path: tuple(group) for path, group in by_file.items()}


@lru_cache(maxsize=1024)
def path_of(file: str) -> Path:
    """Return the path of a file named in a span, where shipped names are short."""
    path = Path(file)
    if path.is_absolute():
        return path
    return shipped_path(file.removesuffix(ENDING)) or path
