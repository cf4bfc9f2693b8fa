"""What went wrong where the grammar could not go on, in words for people.

`explain` asks a table of usual mistakes, in order; the first that knows the case
answers. When none does, the message says what could have stood there instead.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

import attrs
from lark import Token, UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from rulebook.diagnostics import Diagnostic
from rulebook.parse import wording
from rulebook.parse.machine import LAYOUT, BadDedent
from rulebook.parse.text import Chunk, is_blank
from rulebook.source import Span
from rulebook.spelling import nearest

CLAUSE_WORDS = (
    *("kind", "cards", "spaces", "hexes", "corners", "links", "option", "costs"),
    *("cost", "limit", "payments", "dice", "piece", "each", "game", "define"),
    *("expect", "action", "to", "setup", "turn", "points", "hint", "award", "rule"),
    *("card", "scenario", "invariant", "words", "citations", "replace", "remove"),
    "in",
)
"""The words that begin a clause."""

HEADER_WORDS = ("rulebook", "board")
"""The words that begin a header."""

SHORT_HEADER = "extends"
"""The word of a header of one line, which needs no version above it."""

LINE_MAX = 4_000
"""Longest line that is parsed, in code points."""

_INNER_WORDS = wording.words(
    "needs pays step if otherwise let set increase decrease move discard place "
    "shuffle roll chance forget carry stop require repeat at you your most only on "
    "when whenever phase given then add before after extends players seats source "
    "turns"
)
_TABBED = re.compile(r"( *)\t")
_CODE = re.compile(r'(?:[^"#]|"[^"]*"?)*')


@attrs.frozen
class _Failure:
    """Where the parser stopped: the text there, and what it could have gone on with."""

    file: str
    chunk: Chunk
    token: Token
    accepts: frozenset[str]
    is_character: bool

    @property
    def found(self) -> str:
        """The text of the token."""
        return str(self.token)

    @property
    def row(self) -> int:
        """The line inside the clause, from 0."""
        assert self.token.line is not None
        return self.token.line - 1

    @property
    def line(self) -> str:
        """The whole line."""
        return self.chunk.lines[min(self.row, len(self.chunk.lines) - 1)]

    @property
    def code(self) -> str:
        """The line without its comment."""
        return code_of(self.line)

    @property
    def before(self) -> str:
        """What stands on the line before the place."""
        assert self.token.column is not None
        return self.code[: self.token.column - 1]

    @property
    def ends_line(self) -> bool:
        """Whether the parser stopped at the end of a line."""
        return self.token.type in LAYOUT or self.token.type == "$END"

    @property
    def span(self) -> Span:
        """The smallest place of the mistake."""
        if self.ends_line:
            end = len(self.code) + 1
            return self.on_line(end, end + 1)
        assert self.token.column is not None
        return self.on_line(
            self.token.column, self.token.column + max(1, len(self.token))
        )

    def on_line(self, start: int, end: int) -> Span:
        """Return a span on the line, by columns."""
        number = self.chunk.line + self.row
        return Span(self.file, number, start, number, end)

    def at_row(self, row: int) -> Span:
        """Return the span of what another line of the clause says."""
        return _row_span(self.file, self.chunk, row)


def code_of(line: str) -> str:
    """Return a line without its comment and the blanks at its end."""
    found = _CODE.match(line)
    assert found is not None
    return found[0].rstrip()


def _row_span(file: str, chunk: Chunk, row: int) -> Span:
    line = chunk.lines[row]
    code = code_of(line)
    start = len(line) - len(line.lstrip()) + 1
    number = chunk.line + row
    return Span(file, number, start, number, max(len(code), start) + 1)


def line_span(file: str, chunk: Chunk) -> Span:
    """Return the span of what a clause's first line says."""
    return _row_span(file, chunk, 0)


def could_be_body(chunk: Chunk) -> bool:
    """Return whether a line in column 1 may only have lost its indentation."""
    return chunk.first_word not in (*CLAUSE_WORDS, *HEADER_WORDS, "rules")


def is_bodiless(chunk: Chunk, found: Diagnostic) -> bool:
    """Return whether a mistake is that a clause's lines stand in column 1."""
    last = chunk.line + len(chunk.lines) - 1
    unindented = found.code == "RB012" and chunk.first_word in _INNER_WORDS
    return unindented or (found.code == "RB009" and found.span.line == last)


# ---------------------------------------------------------------- before parsing


def before_parsing(file: str, chunk: Chunk, *, is_header: bool) -> Diagnostic | None:
    """Return what can be said of a clause without parsing it."""
    for row, line in enumerate(chunk.lines):
        tab = _TABBED.match(line)
        if tab is not None and not is_blank(line):
            number, column = chunk.line + row, len(tab[1]) + 1
            return Diagnostic(
                "RB007",
                "a tab stands in the indentation of this line",
                Span(file, number, column, number, column + 1),
                help="indent with blanks, two for each level",
            )
        if len(line) > LINE_MAX:
            return Diagnostic(
                "RB027",
                f"this line has {len(line):,} characters, and {LINE_MAX:,} are allowed",
                _row_span(file, chunk, row),
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
    if is_header or word in CLAUSE_WORDS:
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
    if word in _INNER_WORDS:
        help = "indent this line to put it below its clause"
    elif near is not None:
        help = f"did you mean `{near}`?"
    return Diagnostic("RB012", f"no clause begins with `{shown}`", place, help)


def late_header(file: str, chunk: Chunk) -> Diagnostic:
    """Return the diagnostic for a header that is not the first clause."""
    return Diagnostic(
        "RB023",
        f"`{chunk.first_word}` is a header, and a header is the first clause of a file",
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
        _row_span(file, chunk, row),
        help="indent it by " + wording.one_of([str(width) for width in wanted]),
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
    failure = _failure(file, chunk, problem)
    for usual in _USUAL:
        found = usual(failure)
        if found is not None:
            return found
    return _unexpected(failure)


def _failure(file: str, chunk: Chunk, problem: UnexpectedInput) -> _Failure:
    accepts = frozenset(
        problem.interactive_parser.accepts()  # type: ignore[no-untyped-call]
    )
    if isinstance(problem, UnexpectedCharacters):
        token = Token("", problem.char, 0, problem.line, problem.column)
        return _Failure(file, chunk, token, accepts, is_character=True)
    assert isinstance(problem, UnexpectedToken)
    return _Failure(file, chunk, problem.token, accepts, is_character=False)


def _quote_not_closed(at: _Failure) -> Diagnostic | None:
    if at.is_character and at.found == '"':
        place = at.on_line(at.span.column, len(at.code) + 1)
        help = 'put `"` at its end; a text stands on one line'
        return Diagnostic("RB014", "this text has no closing quote", place, help)
    if at.token.startswith(("“", "”", "„", "«", "»")):
        message = f"`{at.token}` is no quote here"
        return Diagnostic(
            "RB013", message, at.span, 'write `"` before and after a text'
        )
    return None


def _meaningless(at: _Failure) -> Diagnostic | None:
    if not at.is_character:
        return None
    char = str(at.token)
    name = unicodedata.name(char, "").lower()
    help = wording.CURES.get(char)
    if char == "_" or unicodedata.combining(char):
        help = "a name begins with a letter and has letters, digits and `_`"
    said = f"`{char}`" if char.isprintable() and not char.isspace() else "this"
    message = f"{said} ({name or f'U+{ord(char):04X}'}) means nothing here"
    return Diagnostic("RB013", message, at.span, help)


def _hyphen(at: _Failure) -> Diagnostic | None:
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


def _lines_missing(at: _Failure) -> Diagnostic | None:
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


def _too_far(at: _Failure) -> Diagnostic | None:
    if at.token.type != "_INDENT":
        return None
    assert at.token.end_line is not None
    row = at.token.end_line - 1
    return Diagnostic(
        "RB010",
        "this line is indented further than the line above, which has none below it",
        at.at_row(row),
        help="indent it as the line above; a sentence that governs the lines below it "
        "ends in `:`",
        related=((at.at_row(at.row), "the line above"),),
    )


def _colon_missing(at: _Failure) -> Diagnostic | None:
    if not (at.token.type == "_NL" and "COLON" in at.accepts):
        return None
    return Diagnostic(
        "RB017",
        "expected `:` at the end of this line",
        at.span,
        help="a sentence that governs others ends in `:`",
    )


def _colon_too_much(at: _Failure) -> Diagnostic | None:
    if not (at.token.type == "COLON" and "_NL" in at.accepts and not at.row):
        return None
    return Diagnostic(
        "RB011",
        "expected the end of the line but found `:`",
        at.span,
        help="a heading has no `:`; a sentence that governs others has one",
    )


def _reason_missing(at: _Failure) -> Diagnostic | None:
    words = at.code.split()
    if not (at.token.type in ("_NL", "LSQB") and "STRING" in at.accepts):
        return None
    if not {"needs", "limit"} & set(words[:2]):
        return None
    return Diagnostic(
        "RB018",
        f"this `{'limit' if 'limit' in words[:2] else 'needs'}` has no reason",
        at.span,
        help='end it with what a player is told: "the space is taken"',
    )


_PHRASE = re.compile(
    r"\b(some|no|every|number\s+of|sum\s+over|bag\s+over|longest\s+trail\s+of"
    r"|reach\s+from"
    r"|sum|longest|reach)\b"
)


def _phrase_without_brackets(at: _Failure) -> Diagnostic | None:
    if at.ends_line or at.is_character:
        return None
    phrases = list(_PHRASE.finditer(re.sub(r'"[^"]*"', _blanked, at.before)))
    if not phrases:
        return None
    last = phrases[-1]
    begun = at.before[last.end() :].replace("the ", "").strip() == ""
    counted = at.found == "where" and last[0].split()[0] in ("number", "sum")
    if not (begun or counted) or "NAME" in at.accepts:
        return None
    start, end = last.start() + 1, at.span.end_column
    return Diagnostic(
        "RB016",
        f"a phrase that begins with `{_whole_phrase(last[0])}` stands in brackets here",
        at.on_line(start, end),
        help="put the counting phrase in brackets: "
        "`(number of NAME where CONDITION) + 1`, `(some NAME where CONDITION)`",
    )


def _blanked(found: re.Match[str]) -> str:
    return " " * len(found[0])


def _whole_phrase(word: str) -> str:
    longer = {
        "sum": "sum over",
        "longest": "longest trail of",
        "reach": "reach from",
    }
    return longer.get(word, " ".join(word.split()))


def _bracket_open(at: _Failure) -> Diagnostic | None:
    closing = {"RPAR": ")", "RSQB": "]"}
    wanted = [closing[name] for name in sorted(at.accepts & closing.keys())]
    if not wanted or not at.ends_line:
        return None
    opened: list[int] = []
    bare = re.sub(r'"[^"]*"', _blanked, at.code)
    for column, char in enumerate(bare, 1):
        if char in "([":
            opened.append(column)
        elif char in ")]" and opened:
            opened.pop()
    if not opened:
        return None
    column = opened[-1]
    return Diagnostic(
        "RB021",
        f"`{bare[column - 1]}` is not closed on its line",
        at.on_line(column, column + 1),
        help=f"put `{wanted[0]}` where it ends",
    )


def _no_verb(at: _Failure) -> Diagnostic | None:
    if not {"_CHOOSE", "_DO", "_WIN"} <= at.accepts:
        return None
    begun = re.match(r"\s*(?:the\s+)*(\w+)", at.before)
    first = begun[1] if begun else ""
    cure, near = wording.CURES.get(first), nearest(first, wording.SENTENCE_WORDS)
    verb = None if at.ends_line else nearest(at.token, wording.VERBS)
    if begun and (cure or near) and verb is None:
        place = at.on_line(begun.start(1) + 1, begun.end(1) + 1)
        message = f"no sentence begins with `{first}`"
        return Diagnostic("RB011", message, place, cure or f"did you mean `{near}`?")
    found = "the end of the line" if at.ends_line else f"`{at.token}`"
    return Diagnostic(
        "RB011",
        f"expected a verb such as `chooses` or `may do` but found {found}",
        at.span,
        None if verb is None else f"did you mean `{verb}`?",
    )


def _unexpected(at: _Failure) -> Diagnostic:
    expected = wording.expected(at.accepts)
    if at.ends_line:
        message = f"expected {expected} before the end of the line"
        return Diagnostic("RB011", message, at.span)
    found = at.code[at.span.column - 1 : at.span.end_column - 1] or str(at.token)
    message = f"expected {expected} but found `{found}`"
    help = wording.CURES.get(found)
    near = nearest(found, wording.keywords(at.accepts))
    if help is None and near is not None and near != found:
        help = f"did you mean `{near}`?"
    return Diagnostic("RB011", message, at.span, help or _word_before(at))


def _word_before(at: _Failure) -> str | None:
    """Return the help when the word before the place looks like a keyword misspelt."""
    words = re.findall(r"\w+", at.before)
    every = wording.every_keyword()
    if not words or len(words[-1]) < 3 or words[-1] in every:
        return None
    near = nearest(words[-1], every)
    return None if near is None else f"did you mean `{near}` and not `{words[-1]}`?"


_USUAL: tuple[Callable[[_Failure], Diagnostic | None], ...] = (
    _quote_not_closed,
    _meaningless,
    _lines_missing,
    _too_far,
    _phrase_without_brackets,
    _hyphen,
    _bracket_open,
    _reason_missing,
    _colon_missing,
    _colon_too_much,
    _no_verb,
)
