"""Where the parser stopped in a clause, and what stands there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum, auto

import attrs
from lark import Token, UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from rulebook.parse.grammar.continuations import sentence_row
from rulebook.parse.parser import LAYOUT
from rulebook.source.lines import Chunk, code_of
from rulebook.source.spans import Span

CLAUSES_COME = frozenset(("KIND", "OPTION", "DEFINE"))
VERBS_COME = frozenset(("_CHOOSE", "_DO", "_WIN"))


class Place(Enum):
    """The sort of place where the parser stopped."""

    CLAUSE = auto()
    VERB = auto()
    WORD = auto()
    SIGN = auto()


@attrs.frozen
class Failure:
    """Where the parser stopped: the text there, and what it could have gone on with."""

    file: str
    chunk: Chunk
    token: Token
    accepts: frozenset[str]
    is_character: bool
    colon_governs: bool
    """Whether a `:` here would end the line above others."""

    @property
    def text(self) -> str:
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
    def sentence(self) -> Iterator[tuple[int, str]]:
        """The rows of the sentence up to here, each with its code, the last first."""
        first = sentence_row(self.chunk.lines, self.row)
        for row in range(min(self.row, len(self.chunk.lines) - 1), first - 1, -1):
            yield row, code_of(self.chunk.lines[row])

    @property
    def first_words(self) -> list[str]:
        """The first two words of the sentence, which may have begun further up."""
        return [code for _, code in self.sentence][-1].split()[:2]

    @property
    def before(self) -> str:
        """What stands on the line before the place."""
        assert self.token.column is not None
        return self.code[: self.token.column - 1]

    @property
    def after(self) -> str:
        """What stands on the line after the text where the parser stopped."""
        return self.code[self.span.end_column - 1 :]

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

    @property
    def place(self) -> Place:
        """The sort of place: what can be said there depends on it."""
        is_first = not self.row and self.before.split() in ([], ["the"])
        if is_first and self.accepts >= CLAUSES_COME:
            return Place.CLAUSE
        if self.is_character:
            return Place.SIGN
        return Place.VERB if self.accepts >= VERBS_COME else Place.WORD

    def on_line(self, start: int, end: int, row: int | None = None) -> Span:
        """Return a span on the line, or on that of a row, by columns."""
        number = self.chunk.line + (self.row if row is None else row)
        return Span(self.file, number, start, number, end)

    def at_row(self, row: int) -> Span:
        """Return the span of what another line of the clause says."""
        return row_span(self.file, self.chunk, row)


def without_texts(code: str) -> str:
    """Return code with blanks in the place of what stands in quotes."""
    return re.sub(r'"[^"]*"', lambda match: " " * len(match[0]), code)


def row_span(file: str, chunk: Chunk, row: int) -> Span:
    """Return the span of what a line of a clause says."""
    line = chunk.lines[row]
    code = code_of(line)
    start = len(line) - len(line.lstrip()) + 1
    number = chunk.line + row
    return Span(file, number, start, number, max(len(code), start) + 1)


def failure_of_first_word(file: str, chunk: Chunk) -> Failure:
    """Return the failure at the first word of a clause, which begins none."""
    line = chunk.lines[0]
    word = chunk.first_word or line[0]
    token = Token("NAME", word, 0, 1, line.find(word) + 1)
    return Failure(file, chunk, token, CLAUSES_COME, False, False)


def failure_of(file: str, chunk: Chunk, problem: UnexpectedInput) -> Failure:
    """Return where a clause could not be read on."""
    parser = problem.interactive_parser
    accepts = frozenset(parser.accepts())  # type: ignore[no-untyped-call]
    if accepts == {"COLON", "LPAR"}:  # a name: what is missing is seldom a bracket
        accepts = frozenset({"COLON"})
    governs = False
    if "COLON" in accepts:
        parser = parser.copy()  # type: ignore[no-untyped-call]
        parser.feed_token(Token("COLON", ":"))
        governs = "_NL" in parser.accepts()
    is_character = isinstance(problem, UnexpectedCharacters)
    if isinstance(problem, UnexpectedCharacters):
        token = Token("", problem.char, 0, problem.line, problem.column)
    else:
        assert isinstance(problem, UnexpectedToken)
        token = problem.token
    return Failure(file, chunk, token, accepts, is_character, governs)
