"""What went wrong where the grammar could not go on, in words for people.

`explain` asks a table of usual mistakes, in order; the first that knows the case
answers. When none does, the message says what could have stood there instead.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

from lark import UnexpectedInput

from rulebook.parse.errors import foreign_words, suggestions, token_names
from rulebook.parse.errors.failure import Failure, failure_of, row_span, without_texts
from rulebook.parse.errors.patterns import SLIPS
from rulebook.parse.parser import BadDedent
from rulebook.source.diagnostics import Diagnostic
from rulebook.source.lines import Chunk, is_blank
from rulebook.source.spans import Span
from rulebook.source.spelling import either, nearest

CLAUSE_WORDS = (
    *(
        "kind",
        "cards",
        "columns",
        "spaces",
        "hexes",
        "corners",
        "links",
        "option",
        "costs",
    ),
    *("cost", "limit", "payments", "dice", "piece", "each", "game", "define"),
    *("expect", "action", "to", "setup", "turn", "points", "hint", "award", "rule"),
    *("card", "scenario", "invariant", "words", "citations", "replace", "remove"),
    *("in", "end", "skip", "section", "headings", "as"),
    *("look", "style", "colours", "colour", "drawing"),
)
"""The words that begin a clause."""

HEADER_WORDS = ("rulebook", "board", "theme")
"""The words that begin a header."""

COMPANION = re.compile(r"(scenarios|look|words[ \t]+\w+)[ \t]+of[ \t]")
"""What the header of a file beside a game begins with."""

SHORT_HEADER = "extends"
"""The word of a header of one line, which needs no version above it."""

LINE_MAX = 4_000
"""Longest line that is parsed, in code points."""

_HEAD_WORDS = token_names.words("over players seats source turns rounds team")
_INNER_WORDS = _HEAD_WORDS + token_names.words(
    "needs pays step if otherwise let set increase decrease move discard place "
    "shuffle roll chance forget carry stop require repeat at you your most only on "
    "when whenever phase given then add before after extends"
)
_ROUND = re.compile(r"(the\s+)?(before|after)\s+(the\s+)?each\b")
_OTHER_BLANK = re.compile(r"( *)([^\S ])")


def is_header(chunk: Chunk) -> bool:
    """Return whether a clause is the header of a file, a short one left out."""
    companion = COMPANION.match(chunk.lines[0]) is not None
    return companion or chunk.first_word in HEADER_WORDS


def line_span(file: str, chunk: Chunk) -> Span:
    """Return the span of what a clause's first line says."""
    return row_span(file, chunk, 0)


def could_be_body(chunk: Chunk) -> bool:
    """Return whether a line in column 1 may only have lost its indentation."""
    if _ROUND.match(chunk.lines[0]):
        return False
    known = chunk.first_word in (*CLAUSE_WORDS, "rules") or is_header(chunk)
    return not known


def is_bodiless(chunk: Chunk, found: Diagnostic) -> bool:
    """Return whether a mistake is that a clause's lines stand in column 1."""
    last = chunk.line + len(chunk.lines) - 1
    unindented = found.code == "RB012" and chunk.first_word in _INNER_WORDS
    return unindented or (found.code == "RB009" and found.span.line == last)


# ---------------------------------------------------------------- before parsing


def before_parsing(file: str, chunk: Chunk, *, is_header: bool) -> Diagnostic | None:
    """Return what can be said of a clause without parsing it."""
    for row, line in enumerate(chunk.lines):
        other = _OTHER_BLANK.match(line)
        if other is not None and not is_blank(line):
            number, column = chunk.line + row, len(other[1]) + 1
            tab = other[2] == "\t"
            name = "tab" if tab else unicodedata.name(other[2], "control").lower()
            return Diagnostic(
                "RB007" if tab else "RB013",
                f"a {name} stands in the indentation of this line",
                Span(file, number, column, number, column + 1),
                help="indent with blanks, two for each level",
            )
        if len(line) > LINE_MAX:
            return Diagnostic(
                "RB027",
                f"this line has {len(line):,} characters, and {LINE_MAX:,} are allowed",
                row_span(file, chunk, row),
                help="write several clauses, or a table",
            )
    place = line_span(file, chunk)
    if chunk.lines[0].startswith(" "):
        return Diagnostic(
            "RB010",
            "this line is indented, and no clause stands above it",
            place,
            help="a clause begins in the first column",
        )
    word = chunk.first_word
    if is_header or word in CLAUSE_WORDS or _ROUND.match(chunk.lines[0]):
        return None
    if word == "rules":
        message = "the version of the language stands on the first line only"
        return Diagnostic("RB024", message, place, help="delete this line")
    return _unknown_clause(file, chunk, word)


def _unknown_clause(file: str, chunk: Chunk, word: str) -> Diagnostic:
    line = chunk.lines[0]
    start = line.find(word) + 1 if word else 1
    place = Span(file, chunk.line, start, chunk.line, start + max(1, len(word)))
    shown = word or line[0]
    help = "a clause begins with a word such as `kind`, `action` or `define`"
    near = nearest(word, CLAUSE_WORDS)
    if shown in foreign_words.CLAUSES:
        help = foreign_words.CLAUSES[shown]
    elif word in _HEAD_WORDS:
        help = f"`{word}` belongs to the head: write it below `rulebook`, indented"
    elif word in _INNER_WORDS:
        help = "indent this line to put it below its clause"
    elif near is not None:
        help = f"did you mean `{near}`?"
    return Diagnostic("RB012", f"no clause begins with `{shown}`", place, help)


def late_header(file: str, chunk: Chunk) -> Diagnostic:
    """Return the diagnostic for a header that is not the first clause."""
    companion = COMPANION.match(chunk.lines[0])
    said = companion[0].rstrip() if companion else chunk.first_word
    return Diagnostic(
        "RB023",
        f"`{said}` is a header, and a header is the first clause of a file",
        line_span(file, chunk),
        help="put it below the line `rules language 1`; a header's own lines, such as "
        "`board NAME`, are indented below it",
    )


# ---------------------------------------------------------------- without a token


def bad_dedent(file: str, chunk: Chunk, problem: BadDedent) -> Diagnostic:
    """Return the diagnostic for a line whose indentation fits no line above."""
    row = problem.line - 1
    widths = {len(line) - len(line.lstrip(" ")) for line in chunk.lines[1:row]}
    wanted = sorted(width for width in widths if width <= problem.width + 2)
    return Diagnostic(
        "RB008",
        f"this line is indented by {problem.width}, and no line above it is",
        row_span(file, chunk, row),
        help="indent it by " + either([str(width) for width in wanted]),
    )


def too_deep(span: Span) -> Diagnostic:
    """Return the diagnostic for a clause that nothing could walk through."""
    return Diagnostic(
        "RB019",
        "this is nested too deeply",
        span,
        help="give a part of it a name, with `define`, `let` or `to`",
    )


# ---------------------------------------------------------------- usual mistakes


def explain(file: str, chunk: Chunk, problem: UnexpectedInput) -> Diagnostic:
    """Return the diagnostic for the place where the parser could not go on."""
    failure = failure_of(file, chunk, problem)
    for usual in _USUAL:
        found = usual(failure)
        if found is not None:
            return found
    return _unexpected(failure)


_QUOTES = "“”„«»‘‚‹›'"


def _quote_not_closed(at: Failure) -> Diagnostic | None:
    if at.is_character and at.found == '"':
        place = at.on_line(at.span.column, len(at.code) + 1)
        help = 'put `"` at its end; a text stands on one line'
        return Diagnostic("RB014", "this text has no closing quote", place, help)
    return None


def _other_quotes(at: Failure) -> Diagnostic | None:
    if at.token[:1] not in tuple(_QUOTES) or at.token.type == "_S":
        return None
    rest = at.code[at.span.column :]
    ends = [place for place, char in enumerate(rest, 1) if char in f'{_QUOTES}"']
    end = at.span.column + (ends[-1] if ends else 0) + 1
    message = f"`{at.token[0]}` is no quote here"
    help = 'write `"` before and after a text'
    return Diagnostic("RB013", message, at.on_line(at.span.column, end), help)


def _meaningless(at: Failure) -> Diagnostic | None:
    if not at.is_character:
        return None
    char = str(at.token)
    name = unicodedata.name(char, "").lower()
    help = foreign_words.cure_of_sign(char)
    if unicodedata.category(char) == "Pd" and "TO" in at.accepts:
        help = foreign_words.SIGNS["…"]
    if char == "_" or unicodedata.combining(char):
        help = "a name begins with a letter and has letters, digits and `_`"
    if char == "/" and at.after[:1] in ("/", "*"):
        help = foreign_words.CLAUSES["/"]
    said = f"`{char}`" if char.isprintable() and not char.isspace() else "this"
    message = f"{said} ({name or f'U+{ord(char):04X}'}) means nothing here"
    return Diagnostic("RB013", message, at.span, help)


def _hyphen(at: Failure) -> Diagnostic | None:
    column = at.span.column - 1
    for found in re.finditer(r"[^\W\d_]\w*(?:-\w+)+", at.code):
        if found.start() <= column < found.end() and at.token[:1] in ("-", found[0][0]):
            place = at.on_line(found.start() + 1, found.end() + 1)
            return Diagnostic(
                "RB015",
                f"`{found[0]}` has a hyphen, and a name has none",
                place,
                help=f"write `{found[0].replace('-', '_')}`; "
                "minus has blanks around it",
            )
    return None


def _lines_missing(at: Failure) -> Diagnostic | None:
    if "_INDENT" not in at.accepts:
        return None
    row = min(at.row, len(at.chunk.lines) - 1)
    if not at.ends_line:
        row = max(0, row - 1)
        while row > 0 and is_blank(at.chunk.lines[row]):
            row -= 1
    return Diagnostic(
        "RB009",
        "this line needs lines below it",
        at.at_row(row),
        help="put them on the lines below, indented by two more blanks",
    )


def _too_far(at: Failure) -> Diagnostic | None:
    if at.token.type != "_INDENT":
        return None
    assert at.token.end_line is not None
    row = at.token.end_line - 1
    return Diagnostic(
        "RB010",
        "this line is indented further than the line above, which has none below it",
        at.at_row(row),
        help="indent it as the line above; a sentence that governs the lines below it "
        "ends in `:`, one that goes on does so with a word such as `and` or `where`",
        related=((at.at_row(at.row), "the line above"),),
    )


def _colon_missing(at: Failure) -> Diagnostic | None:
    if not (at.token.type == "_NL" and at.colon_governs):
        return None
    return Diagnostic(
        "RB017",
        "expected `:` at the end of this line",
        at.span,
        help="a sentence that governs others ends in `:`",
    )


def _colon_too_much(at: Failure) -> Diagnostic | None:
    if not (at.token.type == "COLON" and "_NL" in at.accepts):
        return None
    return Diagnostic(
        "RB011",
        "expected the end of the line but found `:`",
        at.span,
        help="a heading has no `:`; a sentence that governs others has one",
    )


def _reason_missing(at: Failure) -> Diagnostic | None:
    words = at.first_words
    if not (at.token.type in ("_NL", "LSQB") and "STRING" in at.accepts):
        return None
    if not {"needs", "limit"} & set(words):
        return None
    return Diagnostic(
        "RB018",
        f"this `{'limit' if 'limit' in words else 'needs'}` has no reason",
        at.span,
        help='end it with what a player is told: "the space is taken"',
    )


def _bracket_open(at: Failure) -> Diagnostic | None:
    closing = {"RPAR": ")", "RSQB": "]"}
    wanted = [closing[name] for name in sorted(at.accepts & closing.keys())]
    if not wanted or not at.ends_line:
        return None
    found = _opened(at)
    if found is None:
        return None
    row, column, char = found
    where = "on its line" if row == at.row else "in its sentence"
    return Diagnostic(
        "RB021",
        f"`{char}` is not closed {where}",
        at.on_line(column, column + 1, row),
        help=f"put `{wanted[0]}` where it ends",
    )


def _opened(at: Failure) -> tuple[int, int, str] | None:
    """Return the row and column of the last bracket that is open, and the bracket."""
    closed = 0
    for row, code in at.sentence:
        bare = without_texts(code)
        for column in range(len(bare), 0, -1):
            char = bare[column - 1]
            if char in ")]":
                closed += 1
            elif char in "([" and closed:
                closed -= 1
            elif char in "([":
                return row, column, char
    return None


_VERBS_COME = {"_CHOOSE", "_DO", "_WIN"}


def _no_such_sentence(at: Failure) -> Diagnostic | None:
    """The first word is none that a sentence begins with, and nobody's name."""
    begun = re.match(r"\s*(?:the\s+)*(\w+)", at.before)
    if begun is None or not at.accepts >= _VERBS_COME:
        return None
    first = begun[1]
    place = at.on_line(begun.start(1) + 1, begun.end(1) + 1)
    if first == "otherwise":
        message = "this `otherwise` has no `if` above it"
        help = "it stands under the `if` that it belongs to, indented alike"
        return Diagnostic("RB011", message, place, help)
    cure, near = (
        foreign_words.BEGINNINGS.get(first),
        nearest(first, token_names.SENTENCE_WORDS),
    )
    if cure is None and near is not None and near != first:
        cure = f"did you mean `{near}`?"
    if cure is None or (not at.ends_line and nearest(at.token, token_names.VERBS)):
        return None
    return Diagnostic("RB011", f"no sentence begins with `{first}`", place, cure)


def _no_verb(at: Failure) -> Diagnostic | None:
    if not at.accepts >= _VERBS_COME:
        return None
    verb = None if at.ends_line else nearest(at.token, token_names.VERBS)
    found = "the end of the line" if at.ends_line else f"`{at.token}`"
    help = suggestions.of_a_verb(at) if verb is None else f"did you mean `{verb}`?"
    message = f"expected a verb such as `chooses` or `may do` but found {found}"
    return Diagnostic("RB011", message, at.span, help)


def _two_sentences(at: Failure) -> Diagnostic | None:
    """What stands before an `and` is nobody who wins together with somebody else."""
    found = re.match(r"\s*\w+\s+(and)\b", at.before + at.found)
    if found is None or not {"_WIN", "AND"} <= at.accepts:
        return None
    return Diagnostic(
        "RB011",
        "expected a verb such as `chooses` or `may do` but found `and`",
        at.on_line(found.start(1) + 1, found.end(1) + 1),
        foreign_words.BEGINNINGS["and"],
    )


def _unexpected(at: Failure) -> Diagnostic:
    expected = token_names.expected(at.accepts)
    if at.ends_line:
        message = f"expected {expected} before the end of the line"
        return Diagnostic("RB011", message, at.span, suggestions.at_the_end(at))
    found = at.code[at.span.column - 1 : at.span.end_column - 1] or str(at.token)
    message = f"expected {expected} but found `{found}`"
    return Diagnostic("RB011", message, at.span, suggestions.cure(at))


_USUAL: tuple[Callable[[Failure], Diagnostic | None], ...] = (
    _quote_not_closed,
    _other_quotes,
    _meaningless,
    _lines_missing,
    _too_far,
    *SLIPS,
    _hyphen,
    _bracket_open,
    _reason_missing,
    _colon_missing,
    _no_such_sentence,
    _colon_too_much,
    _no_verb,
    _two_sentences,
)
