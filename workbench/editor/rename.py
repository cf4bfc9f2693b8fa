"""Rename refactoring in all files, provided that the rules keep their meaning.

The change is first made on a copy. It is rejected if it would add an error to valid
rules, or if a name would change its meaning. The new name must have the old meaning at
exactly the old places.
"""

import re
from collections.abc import Iterable
from pathlib import Path

import attrs

from rulebook import Desk, Span, Use, has_errors
from rulebook.tooling import Sort, all_keywords
from workbench.editor.folders import is_own_file
from workbench.editor.navigation import FILES_MAX, NameTables, all_files
from workbench.editor.workspace import Workspace, path_of, shipped_path
from workbench.errors import RequestError
from workbench.files.library.loading import ENDING

NAME = re.compile(r"[^\W\d_]\w*")
RESERVED_NAMES = frozenset(
    {"player", "players", "you", "none", "empty", "points", "visible_points", "owner"}
    | {"copies", "holder", "winner", "winners", "active_player", "round", "stock"}
    | {"card", "cards", "neighbours", "pass", "game", "nothing", "cost", "lies"}
)
"""Predefined names of the language, which cannot be chosen or renamed."""

FIXED = {
    Sort.FILE: "rename a file in the file explorer",
    Sort.SOURCE: "sources cannot be renamed: citations contain them as text",
}
Place = tuple[Path, int, int]


@attrs.frozen
class RenameResult:
    """Result of a renaming: the renamed places, and the new texts of files."""

    old: str
    new: str
    places: tuple[Span, ...]
    texts: dict[Path, str]


@attrs.define
class Renaming:
    """Rename refactoring for the files of a workspace."""

    space: Workspace
    tables: NameTables

    def name_at(self, path: Path, line: int, column: int) -> Use:
        """Return the use of a renamable name at a place.

        Raise `RequestError` if there is none.
        """
        here = self.tables.use_at(path, line, column)
        if here is None or here[1].text in RESERVED_NAMES:
            raise RequestError("there is no renamable name here")
        use = here[1]
        if use.thing.sort in FIXED:
            raise RequestError(FIXED[use.thing.sort])
        if not self.tables.declarations(path, line, column):
            raise RequestError(f"`{use.text}` is not declared")
        return use

    def rename(self, path: Path, line: int, column: int, new: str) -> RenameResult:
        """Return the result of renaming the name at a place in all files.

        Raise `RequestError` if that is impossible or would change the meaning of rules.
        """
        self._check_changed_rules(path)
        use = self.name_at(path, line, column)
        if NAME.fullmatch(new) is None:
            raise RequestError(
                f"`{new}` is not a valid name: use letters, digits and `_`"
            )
        if new in RESERVED_NAMES or new in all_keywords():
            raise RequestError(f"`{new}` is a keyword")
        places = [
            other.span
            for other in self.tables.all_uses(path, line, column)
            if other.text == use.text
        ]
        self._reject_foreign_files({path_of(span.file) for span in places})
        texts = self._texts(places, use.text, new)
        renamed = RenameResult(use.text, new, tuple(places), texts)
        self._check_meaning(renamed, (path, line, column))
        return renamed

    def _check_changed_rules(self, path: Path) -> None:
        """Check the rules that include a file, unless they are unchanged since a check.

        Only checked rules show which of several things with one name is meant.
        """
        for root in self.tables.roots_of(path, self.tables.read_roots()):
            book = self.space.books.get(root)
            if book is None or book.files != self.space.texts(root):
                self.space.check_and_store(root)

    def _reject_foreign_files(self, paths: Iterable[Path]) -> None:
        """Raise `RequestError` for files outside the workspace, or for too many files.

        An open file outside all folders may be changed, unless it is shipped.
        """
        if len(all_files(self.space)) > FILES_MAX:
            raise RequestError(
                f"the workspace has more than {FILES_MAX} rule files; open fewer "
                "folders"
            )
        for path in paths:
            shipped = shipped_path(path.name.removesuffix(ENDING)) == path
            own = path in self.space.file_cache.open and not shipped
            if not own and not is_own_file(path, self.space.folders):
                raise RequestError(
                    f"{path.name} uses the name but is in no open folder"
                )

    def _texts(self, places: list[Span], old: str, new: str) -> dict[Path, str]:
        """Return the new texts of all files in which a name is replaced."""
        by_file: dict[Path, list[Span]] = {}
        for span in places:
            by_file.setdefault(path_of(span.file), []).append(span)
        texts = {}
        for path, spans in by_file.items():
            texts[path] = rename_in_text(self.space.text(path), spans, old, new)
        return texts

    def _check_meaning(self, result: RenameResult, place: Place) -> None:
        """Raise `RequestError` if the renaming changes the meaning of the rules."""
        desk = Desk(
            {**self.space.file_cache.open, **result.texts}, self.space.file_cache.keeper
        )
        copy = Workspace(self.space.folders, desk)
        path, line, column = place
        column = _column_after(result, path, line, column)
        references_after = {
            (path_of(use.span.file), use.span.line, use.span.column)
            for use in NameTables(copy).all_uses(path, line, column)
            if use.text == result.new
        }
        expected = {
            (file, it.line, _column_after(result, file, it.line, it.column))
            for it in result.places
            for file in (path_of(it.file),)
        }
        if references_after != expected:
            raise RequestError(f"`{result.new}` already names something else")
        touched = set(result.texts)
        for root, files in self.tables.read_roots().items():
            if not touched & files:
                continue
            after = [
                it for several in copy.check_and_store(root).values() for it in several
            ]
            if has_errors(after):
                before = self.space.check_and_store(root).values()
                if not has_errors(it for several in before for it in several):
                    raise RequestError(
                        f"renaming would break {root.name}: {after[0].message}"
                    )


def rename_in_text(text: str, places: list[Span], old: str, new: str) -> str:
    """Return a text with a name replaced at the given places."""
    lines = re.split("(\r\n|\n|\r)", text)
    mark = text.startswith("\ufeff")
    for span in sorted(places, key=lambda it: (it.line, -it.column)):
        at = 2 * (span.line - 1)
        line = lines[at]
        first = span.column - 1 + (mark and span.line == 1)
        lines[at] = line[:first] + new + line[first + len(old) :]
    return "".join(lines)


def _column_after(result: RenameResult, path: Path, line: int, column: int) -> int:
    """Return the column of a place after names before it on the line are renamed."""
    before = sum(
        path_of(span.file) == path and span.line == line and span.column < column
        for span in result.places
    )
    return column + before * (len(result.new) - len(result.old))
