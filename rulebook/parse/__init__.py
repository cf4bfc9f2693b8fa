"""Parser of rule files; it returns diagnostics and never raises for mistakes.

The text is split into clauses. Each clause is parsed alone and immediately turned into
frozen nodes, so a broken clause gives one diagnostic and hides no other. No code
outside this package sees a Lark tree.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import cast

from lark import UnexpectedInput

from rulebook import syntax
from rulebook.clause_cache import ClauseCache, ParsedClause, ParsedFile
from rulebook.completeness import check_complete
from rulebook.parse import (
    arithmetic_builders,
    body_builders,
    clause_builders,
    component_builders,
    expectation_builders,
    expression_builders,
    look_builders,
    move_builders,
    section_builders,
    set_builders,
    statement_builders,
    table_builders,
)
from rulebook.parse.errors import explain, line_mistakes, mistake_table
from rulebook.parse.errors.clause_words import SHORT_HEADER, is_header
from rulebook.parse.node_builder import Builder, NestingError, Rule
from rulebook.parse.parser import BadDedent, parse_chunk, tree_names
from rulebook.source.diagnostics import Diagnostic, sort_diagnostics
from rulebook.source.source_text import Chunk, decode, normalise, split_clauses
from rulebook.source.spans import Span

__all__ = [
    "ERRORS_MAX",
    "LANGUAGE_VERSION",
    "ClauseCache",
    "ParsedFile",
    "decode",
    "parse",
]

LANGUAGE_VERSION = 1
"""Newest version of the rules language that this parser supports."""

ERRORS_MAX = 100
"""Maximum number of clauses with errors; the parser then skips the rest of the file."""

BUILDERS = {
    **arithmetic_builders.RULES.table,
    **expression_builders.RULES.table,
    **set_builders.RULES.table,
    **statement_builders.RULES.table,
    **move_builders.RULES.table,
    **table_builders.RULES.table,
    **component_builders.RULES.table,
    **clause_builders.RULES.table,
    **expectation_builders.RULES.table,
    **body_builders.RULES.table,
    **section_builders.RULES.table,
    **look_builders.RULES.table,
}
_BUILT_BY_PARENTS = (
    *("args", "axes", "beside", "best", "boards", "broken_at", "calls", "cards_by"),
    *("changing_and_broken", "changing_at", "cites", "comes_with", "each_turn"),
    *("else_block", "examples", "extends", "file_sort", "guarded", "heading_row"),
    *("holder", "is_word", "long_block", "many_cases", "menu_line", "names"),
    *("names_and", "names_or", "not_shown", "one_case", "orientation", "over"),
    *("params", "path"),
    *(
        "measures",
        "period",
        "players",
        "plural",
        "ranking",
        "resets",
        "rounds",
        "seats",
    ),
    *("seen_by", "short_block", "sort", "source", "stands", "starts_at"),
    *("starts_every", "starts_of_each", "starts_with", "step_word", "suite"),
    *("team", "text_sort", "themes"),
    *("things", "titled", "turns", "way", "way_on", "with_players", "within_sort"),
)
"""Grammar rules without a builder; the builders of other rules process their trees."""

_LANGUAGE_LINE = re.compile(r"rules[ \t]+language[ \t]+(\d{1,9})[ \t]*(#.*)?")


@cache
def node_builders() -> Mapping[str, Rule]:
    """Return the node builders by production; raise an error if one is missing."""
    check_complete(
        "the table of node builders", [*BUILDERS, *_BUILT_BY_PARENTS], tree_names()
    )
    return BUILDERS


def parse(
    text: str, file_name: str, clause_cache: ClauseCache | None = None
) -> ParsedFile:
    """Return the syntax tree of a rule file, and the diagnostics of its text.

    Clauses that are in `clause_cache` are not parsed again.
    """
    if clause_cache is None:
        return _parse_file(text, file_name, ClauseCache())
    return clause_cache.get_file(
        text, file_name, lambda: _parse_file(text, file_name, clause_cache)
    )


def _parse_file(text: str, file_name: str, clause_cache: ClauseCache) -> ParsedFile:
    normal = normalise(text, file_name)
    if isinstance(normal, Diagnostic):
        return ParsedFile(None, (normal,))
    chunks = list(split_clauses(normal))
    problem = _language_problem(chunks, file_name)
    if problem is not None and problem.code == "RB005":
        return ParsedFile(None, (problem,))
    parser = _ClauseParser(file_name, clause_cache)
    if problem is not None:
        parser.diagnostics.append(problem)
    if problem is not None and chunks and line_mistakes.could_be_body(chunks[0]):
        del chunks[0]
    elif chunks and chunks[0].first_word == "rules":
        chunks[:1] = chunks[0].rest
    parser.read(chunks)
    header, parsed = parser.header, tuple(parser.clauses)
    end = normal.count("\n") + 1
    file = syntax.File(
        LANGUAGE_VERSION, header, parsed, span=Span(file_name, 1, 1, end, 1)
    )
    return ParsedFile(file, sort_diagnostics(parser.diagnostics))


def _language_problem(chunks: list[Chunk], file_name: str) -> Diagnostic | None:
    """Return the diagnostic of an invalid first line, or None if it is valid."""
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
        if chunk.first_word in (
            "in",
            "replace",
            "remove",
            *mistake_table.foreign_clause_words(),
        ):
            help += ", or `extends NAME` to change the rules of a game"
        message = "a rule file must start with its language version"
        return Diagnostic("RB004", message, place, help)
    version = int(match[1])
    if version > LANGUAGE_VERSION:
        return Diagnostic(
            "RB005",
            f"this file uses language {version}, but this program supports "
            f"language {LANGUAGE_VERSION}",
            place,
            help=f"use a version of this program that supports language {version}",
        )
    if version < 1:
        return Diagnostic("RB004", f"there is no language {version}", place, help)
    return None


class _ClauseParser:
    """Parser of the clauses of one file; collects nodes and diagnostics."""

    def __init__(self, file_name: str, clause_cache: ClauseCache) -> None:
        self.file_name = file_name
        self.clause_cache = clause_cache
        self.header: syntax.Header | None = None
        self.clauses: list[syntax.Declaration | syntax.Amendment] = []
        self.diagnostics: list[Diagnostic] = []

    def read(self, chunks: list[Chunk]) -> None:
        """Parse the clauses in order, until there are too many errors."""
        bodiless = False
        for index, chunk in enumerate(chunks):
            if len(self.diagnostics) >= ERRORS_MAX:
                place = line_mistakes.line_span(self.file_name, chunk)
                message = (
                    f"more than {ERRORS_MAX} errors: the rest of the file was not "
                    "checked"
                )
                self.diagnostics.append(Diagnostic("RB006", message, place))
                return
            if bodiless and line_mistakes.could_be_body(chunk):
                continue
            before = len(self.diagnostics)
            self._read_chunk(chunk, index)
            diagnostics = self.diagnostics[before:]
            bodiless = any(
                line_mistakes.lacks_indented_body(chunk, diagnostic)
                for diagnostic in diagnostics
            )

    def _read_chunk(self, chunk: Chunk, index: int) -> None:
        is_short = index == 0 and chunk.first_word == SHORT_HEADER
        heads = is_short or is_header(chunk)
        if heads and (index > 0 or self.header is not None):
            self.diagnostics.append(
                line_mistakes.late_header_error(self.file_name, chunk)
            )
            return
        start = "header" if heads else "clause"
        made = self.clause_cache.get_clause(
            (self.file_name, start, chunk.lines),
            chunk.line,
            lambda: _parse_clause(self.file_name, chunk, start),
        )
        self.diagnostics.extend(made.diagnostics)
        match made.node:
            case None:
                pass
            case syntax.Header() as header:
                self.header = header
            case tuple() as several:
                self.clauses.extend(several)
            case single:
                self.clauses.append(cast("syntax.Declaration", single))


def _parse_clause(file: str, chunk: Chunk, start: str) -> ParsedClause:
    """Return the result of parsing one clause: its nodes or its diagnostics."""
    heads = start == "header"
    problem = line_mistakes.error_before_parsing(file, chunk, is_header=heads)
    if problem is not None:
        return ParsedClause(chunk.line, None, (problem,))
    builder = Builder(node_builders(), file, chunk.line - 1)
    built: object = None
    try:
        built = builder.build(parse_chunk(chunk.text, start))
        problems = tuple(builder.diagnostics)
    except UnexpectedInput as error:
        problems = (explain.explain(file, chunk, error),)
    except BadDedent as error:
        problems = (line_mistakes.bad_dedent_error(file, chunk, error),)
    except NestingError as error:
        problems = (line_mistakes.too_deep_error(error.span),)
    except RecursionError:
        problems = (line_mistakes.too_deep_error(line_mistakes.line_span(file, chunk)),)
    return ParsedClause(chunk.line, None if problems else built, problems)
