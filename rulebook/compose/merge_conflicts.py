"""Detection of merge conflicts: changes whose result depends on the order of files.

A file depends on the files it extends, on its boards, and on the game that it is
`over`. Two files are side by side if neither depends on the other. Changes by such
files are rejected if the result of merging depends on their order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import attrs

from rulebook import syntax as s
from rulebook.addresses import Address
from rulebook.compose.clause_ids import (
    TABLED,
    address_of,
    addressed_parts,
    amended_address,
    field_address,
)
from rulebook.compose.edit_paths import Part
from rulebook.compose.edits import amendment_error
from rulebook.source.spans import Span

FilesBelow = tuple[frozenset[int], ...]
"""For each file, the indices of the earlier files that it names."""

WHOLE: Part = ()

UNNAMED_CLAUSES = (
    *(s.WordsClause, s.CitationsClause, s.ColumnsClause),
    *(s.ExpectClause, s.ExpectNamesClause, s.ExpectProcedureClause),
)
"""Classes of clauses that declare no name."""


@attrs.frozen
class ClauseChange:
    """Change that one file makes to part of a clause, described for messages."""

    part: Part
    description: str
    file: int
    span: Span

    def overlaps(self, other: ClauseChange) -> bool:
        """Return whether the changes concern the same part, or one inside the other."""
        length = min(len(self.part), len(other.part))
        return self.part[:length] == other.part[:length]


@attrs.define
class ChangeLog:
    """Log of the changes and declarations so far, to detect merge conflicts."""

    files: tuple[s.File, ...]
    files_below: FilesBelow
    current_file: int = 0
    changes: dict[Address, list[ClauseChange]] = attrs.Factory(dict)
    declarations: dict[Address, int] = attrs.Factory(dict)

    @property
    def file_names(self) -> frozenset[str]:
        """Names that the headers of all files declare."""
        return frozenset(name_of(file) for file in self.files)

    def dependencies_of(self, file_index: int) -> frozenset[int]:
        """Return the indices of all files on which a file depends."""
        return dependencies_of(self.files_below, file_index)

    @property
    def amended_files(self) -> frozenset[int]:
        """Indices of the files that house rules amend in this merge."""
        return frozenset(
            rest
            for number, file in enumerate(self.files)
            if file.header is not None and file.header.over
            for rest in self.dependencies_of(number)
        )

    def is_side_by_side(self, file_index: int) -> bool:
        """Return whether the current file and an earlier one are side by side."""
        return (
            file_index != self.current_file
            and file_index not in self.dependencies_of(self.current_file)
        )

    def record_change(
        self,
        key: Address,
        span: Span,
        parts: Iterable[Part] = (WHOLE,),
        description: str = "",
    ) -> None:
        """Record a change by the current file; raise `AmendmentError` on a conflict."""
        clause = f"`{key.description}`"
        description = f"`{description}` in {clause}" if description else clause
        earlier = self.changes.setdefault(key.short, [])
        new = [
            ClauseChange(part, description, self.current_file, span) for part in parts
        ]
        for mine in new:
            for other in earlier:
                if self.is_side_by_side(other.file) and mine.overlaps(other):
                    raise self._conflict_error(mine.description, span, other)
        earlier.extend(new)

    def record_declaration(self, key: Address, span: Span, old: Span | None) -> None:
        """Record a declaration; raise `AmendmentError` if it conflicts with *old*."""
        before = self.declarations.get(key)
        if old is not None and before is not None and self.is_side_by_side(before):
            description = f"`{key.description}`"
            raise self._conflict_error(
                description, span, ClauseChange(WHOLE, description, before, old)
            )
        if old is None:
            self.declarations[key] = self.current_file

    def _conflict_error(
        self, description: str, span: Span, other: ClauseChange
    ) -> Exception:
        mine = name_of(self.files[self.current_file])
        theirs = name_of(self.files[other.file])
        conflict = f"`{mine}` and `{theirs}` both change {description}"
        if description != other.description:
            conflict = f"`{mine}` changes {description}, and "
            conflict += f"`{theirs}` changes {other.description}"
        return amendment_error(
            "RB167",
            span,
            f"{conflict}, and neither extends the other",
            "leave out one of the two files, or let one extend the other with "
            "`extends`",
            ((other.span, f"`{theirs}` changes {other.description} here"),),
        )


def name_of(file: s.File) -> str:
    """Return the name of a file, or "" without a header."""
    return "" if file.header is None else file.header.name.text


def dependencies_of(files_below: FilesBelow, file_index: int) -> frozenset[int]:
    """Return the indices of files on which a file depends, directly or indirectly."""
    reached: set[int] = set()
    waiting = list(files_below[file_index]) if file_index < len(files_below) else []
    while waiting:
        lower = waiting.pop()
        if lower not in reached:
            reached.add(lower)
            waiting.extend(files_below[lower])
    return frozenset(reached)


# ---------------------------------------------------------------- order of files


def merge_order(files: tuple[s.File, ...], files_below: FilesBelow) -> tuple[int, ...]:
    """Return the indices of files in the order in which they are merged.

    If the last file has clauses of its own, its author chose the order. Otherwise it
    only lists files, and the game comes first. A file over the game comes after those
    that it depends on or whose clauses it changes. Remaining ties are decided by name,
    so the order in the list does not matter.
    """
    top = len(files) - 1
    if files[top].clauses or not files_below or not files_below[top]:
        return tuple(range(len(files)))
    bottom = min(files_below[top])
    game = {bottom, *dependencies_of(files_below, bottom)}
    others = [file_number for file_number in range(top) if file_number not in game]
    before = {number: set(files_below[number]) for number in range(len(files))}
    for user, used in _change_dependencies(files, others):
        if user not in dependencies_of(files_below, used):
            before[user].add(used)
    others.sort(
        key=lambda file_number: (
            name_of(files[file_number]),
            files[file_number].span.file,
        )
    )
    placed: dict[int, None] = {}
    for number in (bottom, *others, top):
        _place_file(number, before, placed, frozenset())
    return tuple(placed)


def _place_file(
    file_index: int,
    predecessors: dict[int, set[int]],
    placed: dict[int, None],
    in_progress: frozenset[int],
) -> None:
    for other in sorted(predecessors[file_index] - placed.keys() - in_progress):
        _place_file(other, predecessors, placed, in_progress | {file_index})
    placed[file_index] = None


def _change_dependencies(
    files: tuple[s.File, ...], side_by_side: list[int]
) -> Iterator[tuple[int, int]]:
    """Yield the indices of an amending file and the file with the amended clause."""
    homes: dict[Address, int] = {}
    for number in side_by_side:
        for clause in files[number].clauses:
            if not isinstance(clause, s.Amendment):
                for part in _declared_clauses(clause):
                    homes[address_of(part).short] = number
    for number in side_by_side:
        for key in _amended_addresses(files[number]):
            if homes.get(key, number) != number:
                yield number, homes[key]


def _declared_clauses(clause: s.Declaration) -> Iterator[s.Clause]:
    if not isinstance(clause, UNNAMED_CLAUSES):
        yield from addressed_parts(clause)


def _amended_addresses(file: s.File) -> Iterator[Address]:
    """Yield the short addresses of the clauses that a file amends."""
    for clause in file.clauses:
        match clause:
            case s.Replace(clause=new):
                yield from (address_of(edit).short for edit in _declared_clauses(new))
            case s.Remove(sort=sort, name=name):
                yield amended_address(sort, name)
            case s.ColumnsClause(name=name):
                yield from (amended_address(sort, name) for sort in TABLED)
            case s.Within(sort=sort, name=name, edits=edits):
                yield amended_address(sort, name)
                fields = (edit.name for edit in edits if edit.part is s.EditPart.FIELD)
                yield from (field_address(name, field) for field in fields if field)
