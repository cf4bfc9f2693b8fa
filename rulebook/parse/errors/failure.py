"""Position where the parser stopped in a clause, with the text around it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum, auto

import attrs
from lark import Token, UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from rulebook.parse.grammar.continuations import sentence_start
from rulebook.parse.parser import LAYOUT_TOKENS
from rulebook.source.source_text import Chunk, strip_comment
from rulebook.source.spans import Span

CLAUSE_START_TOKENS = frozenset(("KIND", "OPTION", "DEFINE"))
VERB_TOKENS = frozenset(("_CHOOSE", "_DO", "_WIN"))


class StopPlace(Enum):
    """Kind of position where the parser can stop."""

    CLAUSE = auto()
    VERB = auto()
    WORD = auto()
    SIGN = auto()


@attrs.frozen
class Failure:
    """Position where the parser stopped: the text, and the tokens expected there."""

    file: str
    chunk: Chunk
    token: Token
    accepts: frozenset[str]
    is_character: bool
    colon_starts_block: bool
    """True if a `:` here would end a line that has indented lines below it."""

    @property
    def text(self) -> str:
        """Text of the token where the parser stopped."""
        return str(self.token)

    @property
    def row(self) -> int:
        """Index of the line inside the clause, from 0."""
        assert self.token.line is not None
        return self.token.line - 1

    @property
    def line(self) -> str:
        """Complete text of the line where the parser stopped."""
        return self.chunk.lines[min(self.row, len(self.chunk.lines) - 1)]

    @property
    def code(self) -> str:
        """Text of the line where the parser stopped, without its comment."""
        return strip_comment(self.line)

    @property
    def sentence(self) -> Iterator[tuple[int, str]]:
        """Row and code of each line of the sentence up to this row, last line first."""
        first = sentence_start(self.chunk.lines, self.row)
        for row in range(min(self.row, len(self.chunk.lines) - 1), first - 1, -1):
            yield row, strip_comment(self.chunk.lines[row])

    @property
    def first_words(self) -> list[str]:
        """First two words of the sentence, which may begin on an earlier line."""
        return [code for _, code in self.sentence][-1].split()[:2]

    @property
    def before(self) -> str:
        """Text on the line before the token where the parser stopped."""
        assert self.token.column is not None
        return self.code[: self.token.column - 1]

    @property
    def after(self) -> str:
        """Text on the line after the token where the parser stopped."""
        return self.code[self.span.end_column - 1 :]

    @property
    def ends_line(self) -> bool:
        """True if the parser stopped at the end of a line."""
        return self.token.type in LAYOUT_TOKENS or self.token.type == "$END"

    @property
    def span(self) -> Span:
        """Smallest span that contains the mistake."""
        if self.ends_line:
            end = len(self.code) + 1
            return self.span_on_line(end, end + 1)
        assert self.token.column is not None
        return self.span_on_line(
            self.token.column, self.token.column + max(1, len(self.token))
        )

    @property
    def place(self) -> StopPlace:
        """Kind of the position, which determines which explanations apply."""
        is_first = not self.row and self.before.split() in ([], ["the"])
        if is_first and self.accepts >= CLAUSE_START_TOKENS:
            return StopPlace.CLAUSE
        if self.is_character:
            return StopPlace.SIGN
        return StopPlace.VERB if self.accepts >= VERB_TOKENS else StopPlace.WORD

    def span_on_line(self, start: int, end: int, row: int | None = None) -> Span:
        """Return the span between two columns of a row, by default of this row."""
        number = self.chunk.line + (self.row if row is None else row)
        return Span(self.file, number, start, number, end)

    def row_text_span(self, row: int) -> Span:
        """Return the span of the text on another row of the clause."""
        return row_span(self.file, self.chunk, row)


def blank_quotes(code: str) -> str:
    """Return code with the content of quoted texts replaced by spaces."""
    return re.sub(r'"[^"]*"', lambda match: " " * len(match[0]), code)


def row_span(file: str, chunk: Chunk, row: int) -> Span:
    """Return the span of the text on one row of a clause."""
    line = chunk.lines[row]
    code = strip_comment(line)
    start = len(line) - len(line.lstrip()) + 1
    number = chunk.line + row
    return Span(file, number, start, number, max(len(code), start) + 1)


def failure_of_first_word(file: str, chunk: Chunk) -> Failure:
    """Return the failure for a clause whose first word starts no clause."""
    line = chunk.lines[0]
    word = chunk.first_word or line[0]
    token = Token("NAME", word, 0, 1, line.find(word) + 1)
    return Failure(file, chunk, token, CLAUSE_START_TOKENS, False, False)


def failure_of(file: str, chunk: Chunk, problem: UnexpectedInput) -> Failure:
    """Return the failure for a parse error in a clause."""
    parser = problem.interactive_parser
    accepts = frozenset(parser.accepts())  # type: ignore[no-untyped-call]
    if accepts == {"COLON", "LPAR"}:  # a bracket is seldom what is missing
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
