"""Navigation from names to their declarations and uses, in all files of a workspace."""

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

import attrs

from rulebook import Span, Use, Uses, uses_in
from rulebook.tooling import Sort, Thing
from workbench.editor.folders import own_files
from workbench.editor.workspace import Workspace, path_of
from workbench.files.library.companions import is_companion

FilesByRoot = dict[Path, set[Path]]
"""Files that form each root (file to check), by root."""

FILES_MAX = 500
"""Maximum number of files of a workspace that are parsed for names."""


@attrs.frozen
class NameTable:
    """Names in all files of a root, and the name of each file by its path."""

    root: Path
    files: dict[Path, str]
    uses: Uses

    def use_at(self, path: Path, line: int, column: int) -> Use | None:
        """Return the use of a name at a position, or None."""
        return self.uses.at(self.name_of(path), line, column)

    def name_of(self, path: Path) -> str:
        """Return the name that spans use for a file; it is short for shipped files."""
        return self.files.get(path, str(path))


@attrs.define
class NameTables:
    """Name tables of all roots, recomputed after a text changes."""

    space: Workspace
    _cache: dict[Path, tuple[dict[str, str], bool, NameTable]] = attrs.Factory(dict)

    def table_of(self, root: Path) -> NameTable:
        """Return the name table of a root."""
        texts, book = self.space.texts(root), self.space.books.get(root)
        sure = book is not None and book.files == texts
        known = self._cache.get(root)
        if known is None or known[:2] != (texts, sure):
            table = NameTable(
                root,
                {path_of(name): name for name in texts},
                uses_in(texts, book, self.space.file_cache),
            )
            known = self._cache[root] = texts, sure, table
        return known[2]

    def for_copy(self, workspace: Workspace) -> "NameTables":
        """Return the name tables for a copy of the workspace, with a shared cache."""
        return NameTables(workspace, self._cache)

    def forget(self, path: Path) -> None:
        """Discard the name table of a closed file outside the workspace folders."""
        if not any(path.is_relative_to(folder) for folder in self.space.folders):
            self._cache.pop(path, None)

    def roots_of(self, path: Path, files_by_root: FilesByRoot) -> list[Path]:
        """Return all roots of the workspace that include a file, its own root first."""
        own = self.space.roots(path)
        others = (root for root, files in files_by_root.items() if path in files)
        return [*own, *(root for root in others if root not in own)]

    def read_roots(self) -> FilesByRoot:
        """Return the files that form each root of the workspace."""
        return {root: self.space.files_read_for(root) for root in all_roots(self.space)}

    def use_at(
        self, path: Path, line: int, column: int
    ) -> tuple[NameTable, Use] | None:
        """Return the use of a name at a position, with a table that has it, or None."""
        for root in self.space.roots(path):
            table = self.table_of(root)
            use = table.use_at(path, line, column)
            if use is not None:
                return table, use
        return None

    def declarations(self, path: Path, line: int, column: int) -> list[Span]:
        """Return the spans where the name at a position is declared or amended."""
        here = self.use_at(path, line, column)
        if here is None:
            return []
        table, use = here
        if use.thing.sort is Sort.FILE:
            return [
                _start_of_file(file) for file in table.files if _has_name(file, use)
            ]
        wholes = {other.whole: other for other in table.uses.declared(use.thing)[::-1]}
        declared = [other.span for other in wholes.values()]
        return declared or list(dict.fromkeys(self._other_declarations(path, use)))

    def _other_declarations(self, path: Path, use: Use) -> list[Span]:
        tables = map(self.table_of, self.roots_of(path, self.read_roots())[1:])
        return [it.span for table in tables for it in table.uses.declared(use.thing)]

    def all_uses(self, path: Path, line: int, column: int) -> list[Use]:
        """Return all uses of the name at a position in the workspace, each once.

        Roots share files. A name found in a shared file is also looked up in all other
        roots that include the file.
        """
        start = self.use_at(path, line, column)
        if start is None:
            return []
        waiting = [path]
        places: dict[tuple[Path, int, int], Use] = {}
        seen: set[tuple[Path, Thing]] = set()
        _add_uses(places, [start[1]])
        done: set[Path] = set()
        read = self.read_roots()
        while waiting:
            file = waiting.pop()
            done.add(file)
            for root in self.roots_of(file, read):
                table = self.table_of(root)
                for thing in _things_at(table, file, list(places.values())):
                    if (root, thing) in seen:
                        continue
                    seen.add((root, thing))
                    _add_uses(places, table.uses.of(thing))
            files = {place[0] for place in places}
            waiting += sorted(files - done - set(waiting))
        return [places[key] for key in sorted(places)]


def all_roots(workspace: Workspace) -> list[Path]:
    """Return the games and house rules of a workspace, including open files.

    Companions are left out, because they are parts of games.
    """
    files = all_files(workspace)[:FILES_MAX]
    return [path for path in files if not is_companion(workspace.text(path))]


def all_files(workspace: Workspace) -> list[Path]:
    """Return the rule files of a workspace, open ones first."""
    inside = (path for folder in workspace.folders for path in own_files(folder))
    return list(dict.fromkeys((*workspace.file_cache.open, *inside)))


def _add_uses(places: dict[tuple[Path, int, int], Use], uses: Iterable[Use]) -> None:
    for use in uses:
        span = use.span
        places.setdefault((path_of(span.file), span.line, span.column), use)


def _things_at(table: NameTable, file: Path, uses: Iterable[Use]) -> Iterator[Thing]:
    """Yield the things in *table* to which the given uses in a file refer."""
    at = partial(table.uses.at, table.name_of(file))
    for use in uses:
        if path_of(use.span.file) == file:
            other = at(use.span.line, use.span.column)
            if other is not None and other.span.column == use.span.column:
                yield other.thing


def _start_of_file(path: Path) -> Span:
    return Span(str(path), 1, 1, 1, 1)


def _has_name(path: Path, use: Use) -> bool:
    return path.name.partition(".")[0] == use.text and path.name.count(".") == 1
