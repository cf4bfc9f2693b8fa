"""Text of a rule file for rewrites: places, masked strings and comments, statements."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TypeVar

import attrs

from rulebook import syntax as s
from rulebook.parse import parse
from rulebook.source.spans import Span
from rulebook.traversal import find

_STRING_OR_COMMENT = re.compile(r'"[^"\n]*"?|#[^\n]*')

_Node = TypeVar("_Node", bound=s.Node)

MASK = "\0"
"""Character that replaces each character of strings and comments in `masked`."""


@attrs.frozen(slots=False)
class RuleText:
    """Normalised text of a rule file, of which rewrites make changed copies."""

    text: str
    file_name: str

    @cached_property
    def masked(self) -> str:
        """The text, in which `MASK` replaces all strings and comments."""
        return _STRING_OR_COMMENT.sub(lambda match: MASK * len(match[0]), self.text)

    @cached_property
    def tree(self) -> s.File | None:
        """Syntax tree of the clauses that can be parsed, or None."""
        return parse(self.text, self.file_name).file

    def offset(self, line: int, column: int) -> int:
        """Return the index of the character at a line and column, counted from 1."""
        lines = self.text.split("\n")
        return sum(len(above) + 1 for above in lines[: line - 1]) + column - 1

    def start(self, span: Span) -> int:
        """Return the index of the first character of a span."""
        return self.offset(span.line, span.column)

    def end(self, span: Span) -> int:
        """Return the index after the last character of a span."""
        return self.offset(span.end_line, span.end_column)

    def line_bounds(self, line: int) -> tuple[int, int]:
        """Return the indices of the start of a line and of its line end."""
        begins = self.offset(line, 1)
        ends = self.text.find("\n", begins)
        return begins, len(self.text) if ends < 0 else ends

    def replaced(self, begins: int, ends: int, new: str) -> str:
        """Return the text with the characters from *begins* to *ends* replaced."""
        return self.text[:begins] + new + self.text[ends:]

    def inserted(self, at: int, new: str) -> str:
        """Return the text with new characters before the one at index *at*."""
        return self.replaced(at, at, new)

    def replaced_words(self, pattern: str, new: str, line: int | None = None) -> str:
        """Return the text with each match of a pattern replaced, in a line or in all.

        Strings and comments do not match.
        """
        begins, ends = (0, len(self.text)) if line is None else self.line_bounds(line)
        changed = self.text
        for match in reversed(list(re.finditer(pattern, self.masked[begins:ends]))):
            at, to = begins + match.start(), begins + match.end()
            changed = changed[:at] + match.expand(new) + changed[to:]
        return changed

    def nodes_around(self, span: Span, kind: type[_Node]) -> list[_Node]:
        """Return the nodes of a class that contain a span, the innermost first."""
        begins, ends = (span.line, span.column), (span.end_line, span.end_column)
        around = [
            node
            for node in find(self.tree, kind)
            if (node.span.line, node.span.column) <= begins
            and ends <= (node.span.end_line, node.span.end_column)
        ]
        return around[::-1]
