"""Diagnostics that need only the lines and first words of a clause, not its tree."""

from __future__ import annotations

import re
import unicodedata

from rulebook.parse.errors import example_matching
from rulebook.parse.errors.clause_words import COMPANION_START, has_known_start
from rulebook.parse.errors.failure import failure_of_first_word, row_span
from rulebook.parse.grammar import keywords
from rulebook.parse.parser import BadDedent
from rulebook.source.diagnostics import Diagnostic
from rulebook.source.source_text import Chunk, is_blank
from rulebook.source.spans import Span
from rulebook.source.spelling import join_with_or, nearest

LINE_MAX = 4_000
"""Maximum length of a line that is parsed, in code points."""

_OTHER_BLANK = re.compile(r"( *)([^\S ])")


def line_span(file: str, chunk: Chunk) -> Span:
    """Return the span of the text on a clause's first line."""
    return row_span(file, chunk, 0)


def could_be_body(chunk: Chunk) -> bool:
    """Return whether a clause may be an unindented line of the clause above."""
    return not has_known_start(chunk) and chunk.first_word != "rules"


def lacks_indented_body(chunk: Chunk, diagnostic: Diagnostic) -> bool:
    """Return whether the mistake is that the lines below a clause are not indented."""
    last = chunk.line + len(chunk.lines) - 1
    unindented = (
        diagnostic.code == "RB012" and chunk.first_word in keywords.line_words()
    )
    return unindented or (diagnostic.code == "RB009" and diagnostic.span.line == last)


# ---------------------------------------------------------------- before parsing


def error_before_parsing(
    file: str, chunk: Chunk, *, is_header: bool
) -> Diagnostic | None:
    """Return the diagnostic of a mistake that is found without parsing, or None."""
    for row, line in enumerate(chunk.lines):
        other = _OTHER_BLANK.match(line)
        if other is not None and not is_blank(line):
            number, column = chunk.line + row, len(other[1]) + 1
            tab = other[2] == "\t"
            name = "tab" if tab else unicodedata.name(other[2], "control").lower()
            return Diagnostic(
                "RB007" if tab else "RB013",
                f"the indentation of this line contains a {name}",
                Span(file, number, column, number, column + 1),
                help="indent with spaces, two for each level",
            )
        if len(line) > LINE_MAX:
            return Diagnostic(
                "RB027",
                f"this line has {len(line):,} characters, but the limit is "
                f"{LINE_MAX:,}",
                row_span(file, chunk, row),
                help="split it into several clauses, or use a table",
            )
    place = line_span(file, chunk)
    if chunk.lines[0].startswith(" "):
        return Diagnostic(
            "RB010",
            "this line is indented, but there is no clause above it",
            place,
            help="a clause begins in the first column",
        )
    word = chunk.first_word
    if is_header or has_known_start(chunk):
        return None
    if word == "rules":
        message = "the language version can only be on the first line"
        return Diagnostic("RB024", message, place, help="delete this line")
    return _unknown_clause(file, chunk, word)


def _unknown_clause(file: str, chunk: Chunk, word: str) -> Diagnostic:
    at = failure_of_first_word(file, chunk)
    known = example_matching.best_message(at)
    if known is not None:
        return known
    help = "start the clause with a word such as `kind`, `action` or `define`"
    near = nearest(word, keywords.clause_words())
    if word in keywords.header_line_words():
        help = f"`{word}` belongs to the header: write it below `rulebook`, indented"
    elif word in keywords.line_words():
        help = "indent this line to put it below its clause"
    elif near is not None:
        help = f"did you mean `{near}`?"
    return Diagnostic("RB012", f"no clause begins with `{at.text}`", at.span, help)


def late_header_error(file: str, chunk: Chunk) -> Diagnostic:
    """Return the diagnostic for a header that is not the first clause."""
    companion = COMPANION_START.match(chunk.lines[0])
    words = companion[0].rstrip() if companion else chunk.first_word
    return Diagnostic(
        "RB023",
        f"`{words}` is a header, which must be the first clause of a file",
        line_span(file, chunk),
        help="put it below the line `rules language 1`; a header's own lines, such as "
        "`board NAME`, are indented below it",
    )


# ---------------------------------------------------------------- no error token


def bad_dedent_error(file: str, chunk: Chunk, problem: BadDedent) -> Diagnostic:
    """Return the diagnostic for a line whose indentation matches no line above."""
    row = problem.line - 1
    widths = {len(line) - len(line.lstrip(" ")) for line in chunk.lines[1:row]}
    wanted = sorted(width for width in widths if width <= problem.width + 2)
    return Diagnostic(
        "RB008",
        f"this line is indented by {problem.width}, unlike any line above it",
        row_span(file, chunk, row),
        help="indent it by " + join_with_or([str(width) for width in wanted]),
    )


def too_deep_error(span: Span) -> Diagnostic:
    """Return the diagnostic for a clause that is nested too deeply."""
    return Diagnostic(
        "RB019",
        "this is nested too deeply",
        span,
        help="move a part of it to a `define`, `let` or `to`",
    )
