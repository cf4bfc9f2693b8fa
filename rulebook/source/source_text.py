"""Decoder for files, and splitter of texts into clauses.

After `normalise` a text has line feeds as its only line ends and is in Unicode's form
NFC; columns count its code points. A clause starts in column 1 and ends before the next
line that starts in column 1.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping

import attrs

from rulebook.source.diagnostics import Diagnostic
from rulebook.source.files import BYTES_MAX
from rulebook.source.spans import Span

_BYTE_ORDER_MARK = "\ufeff"
_FORBIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # control characters
    "\u2028\u2029\ufeff"  # other line ends, byte order marks
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # direction marks
    "\ud800-\udfff]"  # surrogates
)
_CODE = re.compile(r'(?:[^"#]|"[^"]*"?)*')
_NAMES = {
    "\x00": "a zero byte",
    "\ufeff": "a byte order mark inside the text",
    "\x0c": "a form feed",
    "\x1b": "an escape character",
}


def decode(data: bytes, file_name: str) -> str | Diagnostic:
    """Return the text of a file's bytes, or a diagnostic."""
    if len(data) > BYTES_MAX:
        return _too_large_error(file_name)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as problem:
        before = data[: problem.start].decode("utf-8")
        line = before.count("\n") + 1
        column = len(before) - (before.rfind("\n") + 1) + 1
        return Diagnostic(
            "RB001",
            f"the byte 0x{data[problem.start]:02X} here is not UTF-8",
            Span(file_name, line, column, line, column + 1),
            help="save the file with the encoding UTF-8",
        )


def normalise(text: str, file_name: str) -> str | Diagnostic:
    """Return the normalised text, or a diagnostic for a forbidden character."""
    if len(text) > BYTES_MAX:
        return _too_large_error(file_name)
    text = text.removeprefix(_BYTE_ORDER_MARK)
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    match = _FORBIDDEN.search(text)
    if match is not None:
        return _forbidden_character_error(text, match.start(), file_name)
    return unicodedata.normalize("NFC", text)


def _too_large_error(file_name: str) -> Diagnostic:
    return Diagnostic(
        "RB002",
        f"this file is larger than {BYTES_MAX:,} bytes",
        Span(file_name, 1, 1, 1, 1),
        help="split it into several files, or check that it is a rule file",
    )


def _forbidden_character_error(text: str, position: int, file_name: str) -> Diagnostic:
    line = text.count("\n", 0, position) + 1
    column = position - (text.rfind("\n", 0, position) + 1) + 1
    char = text[position]
    name = _NAMES.get(char) or unicodedata.name(char, "a control character").lower()
    return Diagnostic(
        "RB003",
        f"a rule file may not contain {name} (U+{ord(char):04X})",
        Span(file_name, line, column, line, column + 1),
        help="delete it; is this a text file?",
    )


@attrs.frozen
class Chunk:
    """Lines of one clause; `line` is the number of the first line."""

    line: int
    lines: tuple[str, ...]

    @property
    def text(self) -> str:
        """Lines as one text, each with its line end."""
        return "".join(f"{line}\n" for line in self.lines)

    @property
    def first_word(self) -> str:
        """First word of the clause, except `the`, or "" if there is none."""
        words = re.findall(r"\w+", self.lines[0])
        while words and words[0] == "the":
            del words[0]
        starts = re.match(r"(the\s+)*\w", self.lines[0])
        return words[0] if words and starts else ""

    @property
    def rest(self) -> list[Chunk]:
        """Lines after the first, as a list with one chunk, or [] if there are none."""
        for index, line in enumerate(self.lines[1:], 1):
            if not is_blank(line):
                return [Chunk(self.line + index, self.lines[index:])]
        return []


def is_blank(line: str) -> bool:
    """Return whether a line is empty apart from spaces or a comment."""
    bare = line.lstrip(" \t")
    return not bare or bare.startswith("#")


def strip_comment(line: str) -> str:
    """Return a line without its comment and trailing spaces."""
    match = _CODE.match(line)
    assert match is not None
    return match[0].rstrip()


def text_at(texts: Mapping[str, str], span: Span) -> str:
    """Return the text of a span, on one line; "" if its file is not in *texts*."""
    lines = texts.get(span.file, "").splitlines()
    if not 0 < span.line <= span.end_line <= len(lines):
        return ""
    part = lines[span.line - 1 : span.end_line]
    part = [*map(strip_comment, part[:-1]), part[-1][: span.end_column - 1]]
    part[0] = part[0][span.column - 1 :]
    return " ".join(filter(None, (piece.strip() for piece in part)))


def split_clauses(text: str) -> Iterator[Chunk]:
    """Yield the clauses in order; lines before the first clause form a chunk too."""
    lines = text.split("\n")
    begins = 0
    held: list[str] = []
    for number, line in enumerate(lines, 1):
        if is_blank(line):
            if held:
                held.append(line)
        elif held and line[0].isspace():
            held.append(line)
        else:
            if held:
                yield _chunk(begins, held)
            begins, held = number, [line]
    if held:
        yield _chunk(begins, held)


def _chunk(line: int, lines: list[str]) -> Chunk:
    end = len(lines)
    while is_blank(lines[end - 1]):
        end -= 1
    return Chunk(line, tuple(lines[:end]))
