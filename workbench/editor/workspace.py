"""What an editor has open, and what is to be said of it.

No protocol here: texts go in by their paths, and what is wrong comes out, file by file.
It is what `rulebook check` says of the files if they were saved now.
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
from workbench.files.library.companions import games_naming, is_part
from workbench.files.library.loading import ENDING, THEME, THEMES, shipped_text

OBJECTS_BETWEEN = 100_000
"""After how many new objects the collector looks for rings: rules are many objects."""

Mistakes = dict[Path, tuple[Diagnostic, ...]]
"""What is wrong, by the file in which it is."""


def quiet_collector() -> None:
    """Let the collector leave alone what stays, and look seldom at the rest."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(OBJECTS_BETWEEN, 20, 20)


@attrs.define
class Sources:
    """Finds shipped files, as `check` does; one that is open wins over the file."""

    desk: Desk

    def __call__(self, name: str) -> str | None:
        """The text of `NAME.rules`."""
        path = shipped_path(name)
        return (
            self.desk.open.get(path) if path in self.desk.open else shipped_text(name)
        )

    @property
    def known(self) -> tuple[str, ...]:
        """The names that people mean."""
        return shipped_text.known

    @property
    def themes(self) -> tuple[str, ...]:
        """The themes that a game may name."""
        return shipped_text.themes


def shipped_path(name: str) -> Path | None:
    """Where a shipped file lies."""
    if name.endswith(THEME):
        return THEMES / f"{name}{ENDING}"
    try:
        return variants.path(name)
    except KeyError:
        return None


@attrs.frozen
class CheckedRoot:
    """What came of a root: its book if it has one, what is wrong, None without it."""

    book: Rulebook | None
    diagnostics: tuple[Diagnostic, ...] | None


@attrs.define
class Workspace:
    """Folders of rules, the texts that are open, and the books made of them last."""

    folders: tuple[Path, ...] = ()
    desk: Desk = attrs.Factory(Desk)
    books: dict[Path, Rulebook] = attrs.Factory(dict)
    """The last book of each file that was one, while a text is half written too."""
    reads: dict[Path, set[Path]] = attrs.Factory(dict)
    """The files that each root was made of when its texts were looked at last."""

    @property
    def sources(self) -> Sources:
        """What finds the files that no folder has."""
        return Sources(self.desk)

    def write(self, path: Path, text: str) -> None:
        """Take the text of a file from the editor from now on."""
        self.desk.open[path] = text

    def close(self, path: Path) -> None:
        """Take the text of a file from the disk again."""
        self.desk.open.pop(path, None)

    def text(self, path: Path) -> str:
        """The text of a file, open or not; empty where there is none."""
        if path in self.desk.open:
            return self.desk.open[path]
        try:
            return self.desk.read(path).decode("utf-8", "replace")
        except OSError:
            return ""

    def roots(self, path: Path) -> tuple[Path, ...]:
        """The files that are checked for a file: the games of which it is a part.

        The game that it is called after is the first of them.
        """
        if not is_part(self.text(path)):
            return (path,)
        naming = games_naming(path, self.beside(path), self.text)
        games = [game for game in naming if path in self.read_by(game)]
        own = path.name.partition(".")[0]
        return tuple(sorted(games, key=lambda game: game.stem != own)) or (path,)

    def beside(self, path: Path) -> list[Path]:
        """The rule files in the folder of a file, open ones and others."""
        opened = {other for other in self.desk.open if other.parent == path.parent}
        return sorted(opened.union(path.parent.glob(f"*{ENDING}")))

    def texts(self, path: Path) -> dict[str, str]:
        """The texts that a root is made of, by what they are called in spans."""
        texts: dict[str, str] = {}
        with suppress(OSError):
            quick_check(path, self.sources, self.desk, texts)
        return texts

    def read_by(self, path: Path) -> set[Path]:
        """The files that are read with a file."""
        return set(map(path_of, self.texts(path)))

    def early_mistakes(self, path: Path) -> Mistakes | None:
        """What is wrong with the texts that a root is made of, and note which.

        None where nothing is: then it may be wrong in what it means.
        """
        texts: dict[str, str] = {}
        mistakes: tuple[Diagnostic, ...] = ()
        with suppress(OSError):
            mistakes = quick_check(path, self.sources, self.desk, texts)
        wrong = by_file(mistakes)
        self.reads[path] = {path, *map(path_of, texts), *wrong}
        return wrong if has_errors(mistakes) else None

    def mistakes(self, path: Path) -> Mistakes:
        """All that is wrong with a root, in it and in what it is made of."""
        return self.take(path, self.check(path))

    def check(self, path: Path) -> CheckedRoot:
        """What a root comes to; nothing is noted of it."""
        try:
            return CheckedRoot(*examine(path, self.sources, desk=self.desk))
        except OSError:
            return CheckedRoot(None, None)

    def take(self, path: Path, checked: CheckedRoot) -> Mistakes:
        """Note what a root came to. What is wrong with it."""
        if checked.diagnostics is None:
            self.books.pop(path, None)
        elif checked.book is not None:
            self.books[path] = checked.book
        return by_file(checked.diagnostics or ())

    def still(self) -> Self:
        """The same as it is now, which nobody writes to, for who works beside it."""
        desk = Desk(dict(self.desk.open), self.desk.keeper)
        books, reads = dict(self.books), dict(self.reads)
        return attrs.evolve(self, desk=desk, books=books, reads=reads)

    def keep(self, roots: Collection[Path]) -> None:
        """Forget what is known of other roots."""
        for known in (self.books, self.reads):
            for path in known.keys() - roots:
                del known[path]


def by_file(several: Iterable[Diagnostic]) -> Mistakes:
    """Diagnostics by the file that they are in."""
    sorted_out: dict[Path, list[Diagnostic]] = {}
    for diagnostic in several:
        sorted_out.setdefault(path_of(diagnostic.span.file), []).append(diagnostic)
    return {path: tuple(those) for path, those in sorted_out.items()}


@lru_cache(maxsize=1024)
def path_of(file: str) -> Path:
    """The path of a file by its name in spans: a shipped one is called by its own."""
    path = Path(file)
    if path.is_absolute():
        return path
    return shipped_path(file.removesuffix(ENDING)) or path
