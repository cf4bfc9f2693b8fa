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
    "RB001": "not a UTF-8 text",
    "RB002": "file too large",
    "RB003": "forbidden character",
    "RB004": "language line missing",
    "RB005": "language too new",
    "RB006": "too many errors",
    # lines and indentation
    "RB007": "tab in the indentation",
    "RB008": "indentation fits no line above",
    "RB009": "lines below are missing",
    "RB010": "line indented too far",
    # words
    "RB011": "unexpected word",
    "RB012": "unknown clause",
    "RB013": "meaningless character",
    "RB014": "text without closing quote",
    "RB015": "hyphen in a name",
    "RB016": "counting phrase without brackets",
    "RB017": "missing colon",
    "RB018": "missing reason",
    "RB019": "nested too deeply",
    "RB020": "number too large",
    "RB021": "bracket not closed",
    # mistakes that the grammar cannot express
    "RB022": "row does not fit its table",
    "RB023": "header out of place",
    "RB024": "said twice",
    "RB025": "not a sentence",
    "RB026": "link with more than two ends",
    "RB027": "line too long",
    # names, types and meaning
    "RB101": "unknown name",
    "RB102": "declared twice",
    "RB103": "empty or unclear range",
    "RB104": "too few seats",
    "RB105": "wrong table cell",
    "RB106": "no such link",
    "RB107": "word of the language",
    "RB110": "wrong type",
    "RB111": "cards of an unknown kind",
    "RB112": "nobody acts here",
    "RB113": "ambiguous name",
    "RB114": "nothing is owned by this",
    "RB115": "pieces on several kinds of space",
    "RB116": "wrong number of arguments",
    "RB117": "values that cannot be compared",
    "RB120": "not a set of these things",
    "RB121": "nothing to count",
    "RB122": "piece never stands there",
    "RB123": "said in another way",
    "RB124": "does not have things",
    "RB125": "whose piece is unclear",
    "RB130": "statement out of place",
    "RB131": "cannot be given a value",
    "RB132": "may be none",
    "RB133": "cards that cannot move so",
    "RB134": "not cards that can be dealt",
    "RB135": "action and procedure confused",
    "RB136": "only players act",
    "RB140": "no way of paying",
    "RB141": "award without a measure",
    "RB142": "effect that may fail",
    "RB143": "type not said",
    "RB144": "expected definition missing",
    "RB145": "out of range",
    "RB146": "field without an owner",
    "RB147": "not a game",
    "RB148": "hint that says nothing",
    "RB149": "never takes effect",
    "RB150": "reads a secret",
    "RB151": "calls itself",
    "RB152": "too large",
    "RB153": "called too deep",
    "RB154": "number without bounds",
    "RB156": "goes on without end",
    "RB157": "nothing says who wins",
    "RB160": "nothing there to amend",
    "RB161": "cannot be amended so",
    "RB162": "there already",
    "RB163": "no such clause to amend",
    "RB164": "file not found",
    "RB165": "files rest on each other",
    "RB166": "file without a header",
    "RB167": "changed side by side",
    "RB168": "laid over another game",
    "RB169": "file beside the game not found",
    "RB170": "file of another one",
    "RB171": "clause in the wrong file",
    "RB172": "no such heading",
    "RB174": "may be divided by 0",
    "RB175": "may be none",
}
"""Title of every code. RB001 to RB049 are about reading; a code never changes its
meaning."""


_ONE_WORD = re.compile(r"did you mean `(\w+)`\?|write `(yes|no|none|you|\d+)`")


@attrs.frozen
class Diagnostic:
    """One mistake at its span; `related` are other spans, each with a note.

    `name` is the unknown name, if that is the mistake.
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
        """Title of the code."""
        return CODES[self.code]

    @property
    def edit(self) -> str | None:
        """Replacement for the text of the span, if one exact change fixes the mistake.

        If the help line proposes exactly one word, it replaces the word of the span.
        """
        match = _ONE_WORD.fullmatch(self.help or "")
        return match[1] or match[2] if match and self._is_of_one_word else None

    @property
    def _is_of_one_word(self) -> bool:
        span = self.span
        return span.line == span.end_line and span.column < span.end_column

    @property
    def sort_key(self) -> tuple[str, int, int, str]:
        """Sort key of diagnostics: file, line, column and code."""
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


def in_order(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Return the diagnostics sorted by place, without duplicates."""
    unique = dict.fromkeys(diagnostics)
    return tuple(sorted(unique, key=lambda diagnostic: diagnostic.sort_key))


def has_errors(diagnostics: Iterable[Diagnostic]) -> bool:
    """Return whether any of them is an error and not a warning."""
    return any(diagnostic.severity == "error" for diagnostic in diagnostics)


class RulesError(Exception):
    """Raised for a rule file with mistakes; `diagnostics` are all of them, in order.

    `texts` are the files that were read, by name, for quoting them; None if they are
    not known.
    """

    def __init__(
        self,
        diagnostics: Iterable[Diagnostic],
        texts: Mapping[str, str] | None = None,
    ) -> None:
        self.diagnostics = in_order(diagnostics)
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
