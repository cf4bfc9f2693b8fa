"""From text to syntax tree: `parse` never raises for what a user wrote.

The text is cut into clauses, each is parsed alone and turned into frozen nodes at
once. So a clause that is broken gives one diagnostic and hides none of the others;
nothing after this package sees a Lark tree.
"""

from __future__ import annotations

import re
from typing import cast

import attrs
from lark import UnexpectedInput

from rulebook import syntax
from rulebook.parse import (
    arithmetic,
    cells,
    clauses,
    components,
    expectations,
    expressions,
    flow,
    looks,
    moves,
    sections,
    sets,
    statements,
)
from rulebook.parse.errors import explain, table, unparsed
from rulebook.parse.errors.clause_words import SHORT_HEADER, is_header
from rulebook.parse.parser import BadDedent, parse_chunk
from rulebook.parse.tree import Builder, TooDeep
from rulebook.source.diagnostics import Diagnostic, in_order
from rulebook.source.lines import Chunk, cut, decode, normalise
from rulebook.source.spans import Span

__all__ = ["ERRORS_MAX", "LANGUAGE_VERSION", "Parsed", "decode", "parse"]

LANGUAGE_VERSION = 1
"""The newest version of the language that this parser reads."""

ERRORS_MAX = 100
"""Most clauses with errors before the rest of a file is left unread."""

_RULES = {
    **arithmetic.RULES.table,
    **expressions.RULES.table,
    **sets.RULES.table,
    **statements.RULES.table,
    **moves.RULES.table,
    **cells.RULES.table,
    **components.RULES.table,
    **clauses.RULES.table,
    **expectations.RULES.table,
    **flow.RULES.table,
    **sections.RULES.table,
    **looks.RULES.table,
}
_LANGUAGE_LINE = re.compile(r"rules[ \t]+language[ \t]+(\d{1,9})[ \t]*(#.*)?")


@attrs.frozen
class Parsed:
    """What parsing gives: the diagnostics in order, and the tree.

    The tree lacks every clause that has an error. It is None when the file could not
    be read at all, or is of another version of the language.
    """

    file: syntax.File | None
    diagnostics: tuple[Diagnostic, ...]


def parse(text: str, file_name: str) -> Parsed:
    """Return the tree of a rule file and everything that is wrong with its text."""
    normal = normalise(text, file_name)
    if isinstance(normal, Diagnostic):
        return Parsed(None, (normal,))
    chunks = list(cut(normal))
    problem = _language_problem(chunks, file_name)
    if problem is not None and problem.code == "RB005":
        return Parsed(None, (problem,))
    reading = _Reading(file_name)
    if problem is not None:
        reading.diagnostics.append(problem)
    if problem is not None and chunks and unparsed.could_be_body(chunks[0]):
        del chunks[0]
    elif chunks and chunks[0].first_word == "rules":
        chunks[:1] = chunks[0].below
    reading.read(chunks)
    header, parsed = reading.header, tuple(reading.clauses)
    end = normal.count("\n") + 1
    file = syntax.File(
        LANGUAGE_VERSION, header, parsed, span=Span(file_name, 1, 1, end, 1)
    )
    return Parsed(file, in_order(reading.diagnostics))


def _language_problem(chunks: list[Chunk], file_name: str) -> Diagnostic | None:
    """Return what is wrong with the first line, None if it is as it must be."""
    help = f"write `rules language {LANGUAGE_VERSION}` on the first line"
    if not chunks:
        message = "this file is empty"
        return Diagnostic("RB004", message, Span(file_name, 1, 1, 1, 1), help)
    chunk = chunks[0]
    if chunk.first_word == SHORT_HEADER:
        return None
    line = chunk.lines[0]
    place = Span(file_name, chunk.line, 1, chunk.line, len(line.rstrip()) + 1)
    match = _LANGUAGE_LINE.fullmatch(line)
    if match is None:
        if chunk.first_word in ("in", "replace", "remove", *table.clause_words()):
            help += ", or `extends NAME` to change the rules of a game"
        message = "a rule file begins with the version of its language"
        return Diagnostic("RB004", message, place, help)
    version = int(match[1])
    if version > LANGUAGE_VERSION:
        return Diagnostic(
            "RB005",
            f"this file is of language {version}, and this program reads "
            f"language {LANGUAGE_VERSION}",
            place,
            help=f"use a version of this program that reads language {version}",
        )
    if version < 1:
        return Diagnostic("RB004", f"there is no language {version}", place, help)
    return None


class _Reading:
    """The clauses read so far, and what was wrong with the others."""

    def __init__(self, file_name: str) -> None:
        self.file_name = file_name
        self.header: syntax.Header | None = None
        self.clauses: list[syntax.Declaration | syntax.Amendment] = []
        self.diagnostics: list[Diagnostic] = []

    def read(self, chunks: list[Chunk]) -> None:
        """Read the clauses in order, until there are too many errors."""
        bodiless = False
        for index, chunk in enumerate(chunks):
            if len(self.diagnostics) >= ERRORS_MAX:
                place = unparsed.line_span(self.file_name, chunk)
                message = f"more than {ERRORS_MAX} errors: the rest was not read"
                self.diagnostics.append(Diagnostic("RB006", message, place))
                return
            if bodiless and unparsed.could_be_body(chunk):
                continue
            before = len(self.diagnostics)
            self._read_chunk(chunk, index)
            diagnostics = self.diagnostics[before:]
            bodiless = any(
                unparsed.is_bodiless(chunk, diagnostic) for diagnostic in diagnostics
            )

    def _read_chunk(self, chunk: Chunk, index: int) -> None:
        is_short = index == 0 and chunk.first_word == SHORT_HEADER
        heads = is_short or is_header(chunk)
        if heads and (index > 0 or self.header is not None):
            self.diagnostics.append(unparsed.late_header(self.file_name, chunk))
            return
        problem = unparsed.before_parsing(self.file_name, chunk, is_header=heads)
        if problem is not None:
            self.diagnostics.append(problem)
            return
        built = self._build(chunk, "header" if heads else "clause")
        if built is None:
            return
        if isinstance(built, syntax.Header):
            self.header = built
        elif isinstance(built, tuple):
            self.clauses.extend(built)
        else:
            self.clauses.append(cast("syntax.Declaration", built))

    def _build(self, chunk: Chunk, start: str) -> object:
        """Return the node of a clause, or the nodes; None if it has an error."""
        builder = Builder(_RULES, self.file_name, chunk.line - 1)
        try:
            built = builder.build(parse_chunk(chunk.text, start))
        except UnexpectedInput as problem:
            diagnostic = explain.explain(self.file_name, chunk, problem)
            self.diagnostics.append(diagnostic)
            return None
        except BadDedent as problem:
            diagnostic = unparsed.bad_dedent(self.file_name, chunk, problem)
            self.diagnostics.append(diagnostic)
            return None
        except TooDeep as problem:
            self.diagnostics.append(unparsed.too_deep(problem.span))
            return None
        except RecursionError:
            place = unparsed.line_span(self.file_name, chunk)
            self.diagnostics.append(unparsed.too_deep(place))
            return None
        self.diagnostics.extend(builder.diagnostics)
        return None if builder.diagnostics else built
