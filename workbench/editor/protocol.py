"""What is known of rules in the words of the protocol of language servers."""

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
from workbench.presentation.localization.localizer import Wording

SOURCE = "rulebook"
PLAIN = ("RB003",)
"""What is found before the text becomes NFC; its places are of the text as it is."""

SEVERITIES = {
    "error": lsp.DiagnosticSeverity.Error,
    "warning": lsp.DiagnosticSeverity.Warning,
}


@attrs.frozen
class Ran:
    """How a scenario went, and with which texts."""

    texts: dict[str, str]
    said: str


@attrs.define
class Telling:
    """Places and mistakes for one editor: it has its own units, and its own URIs."""

    space: Workspace
    units: Units = Units.UTF16
    uris: dict[Path, str] = attrs.Factory(dict)
    words: Wording = attrs.Factory(lambda: Wording.of(None))
    known: Callable[[Path], Iterable[Diagnostic]] = lambda path: ()
    """What is wrong in a file as it was said last."""
    results: dict[tuple[Path, str], Ran] = attrs.Factory(dict)
    """How scenarios went that were run, by file and title."""
    tables: NameTables = attrs.field(init=False)
    _texts: dict[Path, Text] = attrs.Factory(dict)

    def __attrs_post_init__(self) -> None:
        self.tables = NameTables(self.space)

    def still(self) -> Self:
        """The same of the texts as they are now, for who works beside the server."""
        still = attrs.evolve(self, space=self.space.still())
        still.tables = self.tables.on(still.space)
        return still

    def forget(self, path: Path) -> None:
        """Forget what is kept of a file that was closed; what it is called stays."""
        self._texts.pop(path, None)
        self.tables.forget(path)

    def text(self, path: Path) -> Text:
        """A file as the editor has it; what is cut of it is kept while it is so."""
        raw, known = self.space.text(path), self._texts.get(path)
        if known is None or known.text != raw or known.units is not self.units:
            known = self._texts[path] = Text(raw, self.units)
        return known

    def uri(self, path: Path) -> str:
        """How the editor calls a file."""
        return self.uris.get(path) or uris.from_fs_path(str(path)) or str(path)

    def place(self, path: Path, position: lsp.Position) -> tuple[int, int]:
        """The line and column of the rules at a position of the editor."""
        return self.text(path).place((position.line, position.character))

    def range(self, span: Span, *, plain: bool = False) -> lsp.Range:
        """A span in the editor's numbers."""
        text = self.text(path_of(span.file))
        return lsp.Range(
            _position(text.position(span.line, span.column, plain=plain)),
            _position(text.position(span.end_line, span.end_column, plain=plain)),
        )

    def location(self, span: Span) -> lsp.Location:
        """A span with its file."""
        return lsp.Location(self.uri(path_of(span.file)), self.range(span))

    def edit(self, texts: Mapping[Path, str]) -> lsp.WorkspaceEdit:
        """The change of files to other texts, as little of each as that takes."""
        changes = {
            self.uri(path): [self.least(path, text)] for path, text in texts.items()
        }
        return lsp.WorkspaceEdit(changes=changes)

    def least(self, path: Path, new: str) -> lsp.TextEdit:
        """The one change of a file, of the lines between those that are the same."""
        old = self.text(path)
        lines, others = old.lines, Text(new, self.units).lines
        first = min(_alike(lines, others), len(lines) - 1, len(others) - 1)
        last = _alike(lines[first:][::-1], others[first:][::-1])
        end = len(lines) - last
        begins = [0, *(match.end() for match in LINE_END.finditer(new)), len(new)]
        said = new[begins[first] : begins[len(others) - last]]
        begin = (first, 0) if first < len(lines) else old.end
        stop = (end, 0) if last else old.end
        return lsp.TextEdit(lsp.Range(_position(begin), _position(stop)), said)

    def diagnostic(self, diagnostic: Diagnostic) -> lsp.Diagnostic:
        """A mistake, with its cure below it and the places that it is about."""
        help = f"\n{diagnostic.help}" if diagnostic.help else ""
        plain = diagnostic.code in PLAIN
        return lsp.Diagnostic(
            range=self.range(diagnostic.span, plain=plain),
            message=f"{diagnostic.message}{help}",
            severity=SEVERITIES[diagnostic.severity],
            code=diagnostic.code,
            source=SOURCE,
            related_information=[
                lsp.DiagnosticRelatedInformation(self.location(span), said)
                for span, said in diagnostic.related
                if span.file
            ],
        )

    def diagnostics(self, several: Iterable[Diagnostic]) -> list[lsp.Diagnostic]:
        """Mistakes of a file."""
        return list(map(self.diagnostic, several))


def _alike(left: Sequence[str], right: Sequence[str]) -> int:
    """How many lines two texts begin with that are the same."""
    pairs = zip(left, right, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _position(position: Position) -> lsp.Position:
    return lsp.Position(*position)
