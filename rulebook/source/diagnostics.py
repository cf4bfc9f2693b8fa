"""Diagnostics: mistakes in a rule file, as values.

A diagnostic has a code that is never reused, the smallest span that contains the
mistake, a sentence, and a help line. It also has related spans, such as the declaration
of a conflicting thing. `render` turns it into text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Literal

import attrs

from rulebook.source.spans import Span

Severity = Literal["error", "warning"]

CODES: dict[str, str] = {
    # reading the file
    "RB001": "Not UTF-8 text",
    "RB002": "File too large",
    "RB003": "Forbidden character",
    "RB004": "Missing language line",
    "RB005": "Unsupported language version",
    "RB006": "Too many errors",
    # lines and indentation
    "RB007": "Tab in indentation",
    "RB008": "Inconsistent indentation",
    "RB009": "Missing indented block",
    "RB010": "Unexpected indentation",
    # words
    "RB011": "Unexpected word",
    "RB012": "Unknown clause",
    "RB013": "Unexpected character",
    "RB014": "Missing closing quote",
    "RB015": "Hyphen in a name",
    "RB016": "Missing brackets",
    "RB017": "Missing colon",
    "RB018": "Missing reason",
    "RB019": "Nesting too deep",
    "RB020": "Number too large",
    "RB021": "Unclosed bracket",
    # mistakes that the grammar cannot express
    "RB022": "Wrong number of cells",
    "RB023": "Misplaced header",
    "RB024": "Duplicate property",
    "RB025": "Not a statement",
    "RB026": "Link with more than two ends",
    "RB027": "Line too long",
    # names, types and meaning
    "RB101": "Unknown name",
    "RB102": "Duplicate declaration",
    "RB103": "Invalid range",
    "RB104": "Too few seats",
    "RB105": "Invalid table cell",
    "RB106": "Unknown link",
    "RB107": "Reserved name",
    "RB110": "Wrong type",
    "RB111": "Unknown card kind",
    "RB112": "No acting player",
    "RB113": "Ambiguous name",
    "RB114": "Value without attributes",
    "RB115": "Pieces on several kinds of space",
    "RB116": "Wrong arguments",
    "RB117": "Values cannot be compared",
    "RB120": "Not a set",
    "RB121": "Value cannot be counted",
    "RB122": "Piece not allowed on this space",
    "RB123": "Wrong form of a definition",
    "RB124": "Invalid use of `has`",
    "RB125": "Unclear owner",
    "RB130": "Statement not allowed here",
    "RB131": "Value cannot be changed",
    "RB132": "Value may be none",
    "RB133": "Invalid move of cards",
    "RB134": "Not a kind of card",
    "RB135": "Action and procedure mixed up",
    "RB136": "Players expected",
    "RB140": "Missing payments clause",
    "RB141": "Award without `most`",
    "RB142": "Statement may fail",
    "RB143": "Missing type",
    "RB144": "Missing or mismatched definition",
    "RB145": "Number out of range",
    "RB146": "Field without an owner",
    "RB147": "Missing turn",
    "RB148": "Invalid hint",
    "RB149": "Statement without effect",
    "RB150": "Use of hidden information",
    "RB151": "Recursive definition",
    "RB152": "Game too large",
    "RB153": "Calls too deep",
    "RB154": "Unbounded number",
    "RB156": "Endless loop of rules",
    "RB157": "Missing end clause",
    "RB158": "Possibly slow rules",
    "RB160": "Unknown part to amend",
    "RB161": "Invalid amendment",
    "RB162": "Label already used",
    "RB163": "Unknown clause to amend",
    "RB164": "File not found",
    "RB165": "Circular `extends`",
    "RB166": "Missing header",
    "RB167": "Conflicting amendments",
    "RB168": "House rule for another game",
    "RB169": "Companion file not found",
    "RB170": "Companion file without its game",
    "RB171": "Clause not allowed in this file",
    "RB172": "Unknown heading",
    "RB174": "Possible division by zero",
    "RB175": "Option may be none",
    "RB176": "Incomplete table of values",
    "RB177": "Wrong gap in a question or report",
    "RB178": "Missing question or report",
}
"""Title of each code; RB001 to RB049 are syntax errors. Codes are never reused."""


_ONE_WORD = re.compile(r"did you mean `(\w+)`\?|write `(yes|no|none|you|\d+)`")
_GUARD = re.compile(r"write `if ([^`]+):` above it")


@attrs.frozen
class Diagnostic:
    """One mistake at its span; `related` are other spans, each with a note.

    `name` is the unknown name, if the mistake is an unknown name.
    """

    code: str
    message: str
    span: Span
    help: str | None = None
    related: tuple[tuple[Span, str], ...] = ()
    severity: Severity = "error"
    name: str | None = None

    def __attrs_post_init__(self) -> None:
        assert self.code in CODES, f"{self.code} is not in the catalogue"

    @property
    def title(self) -> str:
        """Title of the diagnostic's code."""
        return CODES[self.code]

    @property
    def edit(self) -> str | None:
        """Replacement for the text of the span, if one exact change fixes the mistake.

        It is the word that the help line suggests, if that is exactly one.
        """
        match = _ONE_WORD.fullmatch(self.help or "")
        return match[1] or match[2] if match and self._is_about_one_word else None

    @property
    def guard(self) -> str | None:
        """Condition under which a statement cannot fail, if the help line states it."""
        match = _GUARD.match(self.help or "")
        return match and match[1]

    @property
    def _is_about_one_word(self) -> bool:
        span = self.span
        return span.line == span.end_line and span.column < span.end_column

    @property
    def sort_key(self) -> tuple[str, int, int, str]:
        """Sort key: file, line, column and code."""
        return (self.span.file, self.span.line, self.span.column, self.code)

    def to_json(self) -> dict[str, str | int | None]:
        """Return the diagnostic as the plain data of `rulebook check --json`."""
        return {
            "code": self.code,
            "severity": self.severity,
            "message": self.message,
            "file": self.span.file,
            "line": self.span.line,
            "column": self.span.column,
            "end_line": self.span.end_line,
            "end_column": self.span.end_column,
            "help": self.help,
            "edit": self.edit,
        }


def sort_diagnostics(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Return the diagnostics sorted by place, without duplicates."""
    unique = dict.fromkeys(diagnostics)
    return tuple(sorted(unique, key=lambda diagnostic: diagnostic.sort_key))


def has_errors(diagnostics: Iterable[Diagnostic]) -> bool:
    """Return whether any of the diagnostics is an error, not just a warning."""
    return any(diagnostic.severity == "error" for diagnostic in diagnostics)


class RulesError(Exception):
    """Raised for a rule file with mistakes; `diagnostics` are all of them, in order.

    `texts` are the files that were read, by name, to quote them in messages; None if
    unknown.
    """

    def __init__(
        self,
        diagnostics: Iterable[Diagnostic],
        texts: Mapping[str, str] | None = None,
    ) -> None:
        self.diagnostics = sort_diagnostics(diagnostics)
        self.texts = texts
        super().__init__("\n".join(map(_one_line, self.diagnostics)))

    def __reduce__(self) -> tuple[type[RulesError], tuple[Any, ...]]:
        return type(self), (self.diagnostics, self.texts)

    def to_json(self) -> list[dict[str, str | int | None]]:
        """Return the diagnostics as plain data, in order."""
        return [diagnostic.to_json() for diagnostic in self.diagnostics]


def _one_line(diagnostic: Diagnostic) -> str:
    place = f"{diagnostic.span.file}:{diagnostic.span.line}:{diagnostic.span.column}"
    return f"{place}: {diagnostic.severity} {diagnostic.code}: {diagnostic.message}"
