"""Conversion of positions and diagnostics to the language server protocol."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Self

import attrs
from lsprotocol import types as lsp
from pygls import uris

from rulebook import Diagnostic, Span
from workbench.editor.navigation import NameTables
from workbench.editor.text import LINE_END, Position, Text, Units
from workbench.editor.workspace import Workspace, path_of
from workbench.presentation.localization.localizer import Localizer

SOURCE = "rulebook"
RAW_TEXT_CODES = ("RB003",)
"""Codes of diagnostics whose spans refer to the text before NFC normalization."""

SEVERITIES = {
    "error": lsp.DiagnosticSeverity.Error,
    "warning": lsp.DiagnosticSeverity.Warning,
}


@attrs.frozen
class LensResult:
    """Result of a scenario, with the texts of the files when it ran."""

    texts: dict[str, str]
    message: str


@attrs.define
class ProtocolConverter:
    """Converter to protocol values, with the column units and URIs of one editor."""

    space: Workspace
    units: Units = Units.UTF16
    uris: dict[Path, str] = attrs.Factory(dict)
    localizer: Localizer = attrs.Factory(lambda: Localizer.for_book(None))
    published_diagnostics: Callable[[Path], Iterable[Diagnostic]] = lambda path: ()
    """Function that returns the last published diagnostics of a file."""
    results: dict[tuple[Path, str], LensResult] = attrs.Factory(dict)
    """Last results of scenarios, by file and title."""
    tables: NameTables = attrs.field(init=False)
    _texts: dict[Path, Text] = attrs.Factory(dict)

    def __attrs_post_init__(self) -> None:
        self.tables = NameTables(self.space)

    def snapshot(self) -> Self:
        """Return a copy with the current texts, for a worker thread."""
        copy = attrs.evolve(self, space=self.space.snapshot())
        copy.tables = self.tables.for_copy(copy.space)
        return copy

    def forget(self, path: Path) -> None:
        """Discard the cached text of a closed file; its URI is remembered."""
        self._texts.pop(path, None)
        self.tables.forget(path)

    def text(self, path: Path) -> Text:
        """Return the text of a file in the editor, cached while it is unchanged."""
        raw, known = self.space.text(path), self._texts.get(path)
        if known is None or known.text != raw or known.units is not self.units:
            known = self._texts[path] = Text(raw, self.units)
        return known

    def uri(self, path: Path) -> str:
        """Return the URI that the editor uses for a file."""
        return self.uris.get(path) or uris.from_fs_path(str(path)) or str(path)

    def place(self, path: Path, position: lsp.Position) -> tuple[int, int]:
        """Convert a position in the editor to a line and column in the rules."""
        return self.text(path).place((position.line, position.character))

    def range(self, span: Span, *, raw: bool = False) -> lsp.Range:
        """Return a span as a range in the editor's units."""
        text = self.text(path_of(span.file))
        return lsp.Range(
            _position(text.position(span.line, span.column, raw=raw)),
            _position(text.position(span.end_line, span.end_column, raw=raw)),
        )

    def location(self, span: Span) -> lsp.Location:
        """Return a span as a location: URI and range."""
        return lsp.Location(self.uri(path_of(span.file)), self.range(span))

    def edit(self, texts: Mapping[Path, str]) -> lsp.WorkspaceEdit:
        """Return the smallest edit that changes files to new texts."""
        changes = {
            self.uri(path): [self.smallest_edit(path, text)]
            for path, text in texts.items()
        }
        return lsp.WorkspaceEdit(changes=changes)

    def smallest_edit(self, path: Path, new: str) -> lsp.TextEdit:
        """Return the edit of one file that changes only the lines that differ."""
        old = self.text(path)
        lines, others = old.lines, Text(new, self.units).lines
        first = min(_common_prefix(lines, others), len(lines) - 1, len(others) - 1)
        last = _common_prefix(lines[first:][::-1], others[first:][::-1])
        end = len(lines) - last
        begins = [0, *(match.end() for match in LINE_END.finditer(new)), len(new)]
        replacement = new[begins[first] : begins[len(others) - last]]
        begin = (first, 0) if first < len(lines) else old.end
        stop = (end, 0) if last else old.end
        return lsp.TextEdit(lsp.Range(_position(begin), _position(stop)), replacement)

    def diagnostic(self, diagnostic: Diagnostic) -> lsp.Diagnostic:
        """Return a diagnostic for the protocol, with its help and related places."""
        help = f"\n{diagnostic.help}" if diagnostic.help else ""
        raw = diagnostic.code in RAW_TEXT_CODES
        return lsp.Diagnostic(
            range=self.range(diagnostic.span, raw=raw),
            message=f"{diagnostic.message}{help}",
            severity=SEVERITIES[diagnostic.severity],
            code=diagnostic.code,
            source=SOURCE,
            related_information=[
                lsp.DiagnosticRelatedInformation(self.location(span), message)
                for span, message in diagnostic.related
                if span.file
            ],
        )

    def diagnostics(self, diagnostics: Iterable[Diagnostic]) -> list[lsp.Diagnostic]:
        """Return several diagnostics for the protocol."""
        return list(map(self.diagnostic, diagnostics))


def _common_prefix(left: Sequence[str], right: Sequence[str]) -> int:
    """Return the number of equal items at the start of two sequences."""
    pairs = zip(left, right, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _position(position: Position) -> lsp.Position:
    return lsp.Position(*position)
