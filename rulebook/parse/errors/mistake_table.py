"""Reader of the table of mistakes: examples, each with its message or help.

The table is in `mistakes.table`; the top of that file describes its format. A row
applies to text that resembles its example: see `example_matching`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property, lru_cache
from pathlib import Path

import attrs

from rulebook.source.source_text import Chunk

TABLE = Path(__file__).with_name("mistakes.table")

_GUTTER = 2
_MESSAGE = re.compile(r"(?P<code>RB\d{3}): (?P<message>.+)")
_WORD = re.compile(r"    (?P<word>\S+)(?:\s{2,}(?P<said>\S.*))?")
_EXACT_POSITION = "only there"
_HELP = "help: "
_WORD_PLACEHOLDER = "{}"


class BadTable(ValueError):
    """Raised for an unreadable row, or a row about words that its example lacks."""


@attrs.frozen(slots=False, eq=False)
class MistakeRow:
    """Line with a mistake, and the message or help for it.

    `marks` has a sign under each word that makes the mistake: `^` for the words that
    the message points at, `~` for the others. `correct_lines` are correct lines with
    the same start. `word` replaces `template`, which is the block's marked word.
    """

    lines_above: tuple[str, ...]
    line: str
    marks: str
    help: str
    correct_lines: tuple[str, ...] = ()
    exact_position: bool = False
    code: str = ""
    message: str = ""
    in_clause: str = ""
    word: str = ""
    template: str = ""

    @property
    def chunk(self) -> Chunk:
        """Clause that contains the mistake."""
        return self.with_line(self.line)

    def with_line(self, line: str) -> Chunk:
        """Return the clause with the wrong line replaced by another."""
        return Chunk(1, (*self.lines_above, line))

    @cached_property
    def required_words(self) -> frozenset[str]:
        """Words that a line must contain to match the row's example."""
        return frozenset(
            text
            for text, start, end in split_words(self.line)
            if self.marks[start:end].strip() and not is_placeholder(text)
        )


_PIECE = re.compile(
    r"""(?P<piece>"[^"]*"|['’]s(?!\w)|[^\W\d]\w*(?:-\w+)*|\w+|[<>!]=|\S)"""
)


def split_words(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield the words and signs of a text with their start and end columns, from 0."""
    for piece in _PIECE.finditer(text):
        yield piece[0], piece.start(), piece.end()


def is_placeholder(text: str) -> bool:
    """Return whether a word of an example is a placeholder for any similar word."""
    name = len(text) > 1 and text.isidentifier() and text.isupper()
    return name or text.isdigit() or text[:1] == '"'


@lru_cache(maxsize=1)
def mistake_rows() -> tuple[MistakeRow, ...]:
    """Return the rows of the table, which is read when the first mistake occurs."""
    return parse_table(TABLE.read_text(encoding="utf-8"))


def foreign_clause_words() -> tuple[str, ...]:
    """Return words from the table that start a clause in other rule languages."""
    return tuple(row.word for row in mistake_rows() if row.code == "RB012")


def parse_table(text: str) -> tuple[MistakeRow, ...]:
    """Return the rows in the text of a table.

    Raises: BadTable: if a block has no example, or contains something unreadable.
    """
    blocks = (
        [line for line in block.split("\n") if line and not line.startswith("#")]
        for block in text.split("\n\n")
    )
    return tuple(row for block in blocks if block for row in _block(block))


def _block(lines: list[str]) -> Iterator[MistakeRow]:
    """Yield the rows of a block: one for each of its examples and words."""
    above: list[str] = []
    in_clause, help = "", _WORD_PLACEHOLDER
    examples: list[MistakeRow] = []
    words: list[tuple[str, str]] = []
    for line in lines:
        sign, rest = line[:_GUTTER].strip(), line[_GUTTER:]
        message_match, word = _MESSAGE.fullmatch(line), _WORD.fullmatch(line)
        if sign == "-":
            examples.append(MistakeRow(tuple(above), rest, "", "", in_clause=in_clause))
        elif not sign and rest and not rest.strip("^~ "):
            if examples:
                examples[-1] = attrs.evolve(examples[-1], marks=rest)
            else:
                in_clause = above[0].split()[0]
        elif not examples and not sign:
            above.append(rest)
        elif not examples:
            raise BadTable(f"this line comes before any example: {line}")
        elif sign == "+":
            right = (*examples[-1].correct_lines, rest)
            examples[-1] = attrs.evolve(examples[-1], correct_lines=right)
        elif line == _EXACT_POSITION:
            examples[-1] = attrs.evolve(examples[-1], exact_position=True)
        elif message_match is not None:
            code, message = message_match["code"], message_match["message"]
            examples[-1] = attrs.evolve(examples[-1], code=code, message=message)
        elif line.startswith(_HELP):
            help = line.removeprefix(_HELP)
        elif word is not None:
            words.append((word["word"], word["said"] or ""))
        else:
            raise BadTable(f"a line of the table has an unknown form: {line}")
    for row in examples:
        marks = row.marks.ljust(len(row.line) + 1)
        row = attrs.evolve(row, help=help, marks=marks)  # noqa: PLW2901
        yield from (_with_word(row, *pair) for pair in words) if words else (row,)


def _with_word(row: MistakeRow, word: str, insertion: str) -> MistakeRow:
    """Return a row for another marked word; *insertion* completes its texts."""
    start, end = row.marks.index("^"), row.marks.rindex("^") + 1
    return attrs.evolve(
        row,
        line=row.line[:start] + word + row.line[end:],
        marks=row.marks[:start] + "^" * len(word) + row.marks[end:],
        message=row.message.replace(_WORD_PLACEHOLDER, insertion),
        help=row.help.replace(_WORD_PLACEHOLDER, insertion),
        word=word,
        template=row.line[start:end],
    )
