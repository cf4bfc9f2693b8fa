"""Requests about a whole file: outline, folding, formatting, semantic tokens."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import attrs
from lsprotocol import types as lsp

from rulebook import RulesError, Span, Use, format_text
from rulebook.tooling import Sort
from workbench.editor.navigation import all_roots
from workbench.editor.protocol import ProtocolConverter
from workbench.editor.text import Text
from workbench.editor.workspace import path_of

SYMBOLS_MAX = 300
"""Maximum number of symbols listed for a workspace."""

SYMBOL_KINDS = {
    Sort.FILE: lsp.SymbolKind.Module,
    Sort.KIND: lsp.SymbolKind.Class,
    Sort.MEMBER: lsp.SymbolKind.EnumMember,
    Sort.COLUMN: lsp.SymbolKind.Property,
    Sort.OPTION: lsp.SymbolKind.Constant,
    Sort.COST: lsp.SymbolKind.Constant,
    Sort.FIELD: lsp.SymbolKind.Field,
    Sort.DEFINE: lsp.SymbolKind.Function,
    Sort.ACTION: lsp.SymbolKind.Method,
    Sort.PROCEDURE: lsp.SymbolKind.Method,
    Sort.PHASE: lsp.SymbolKind.Event,
    Sort.STEP: lsp.SymbolKind.Event,
    Sort.NEED: lsp.SymbolKind.Boolean,
}
"""Symbol kind in the protocol for each sort of thing; others are objects."""

TOKEN_TYPES = {
    Sort.FILE: "namespace",
    Sort.KIND: "class",
    Sort.PIECE: "class",
    Sort.MEMBER: "enumMember",
    Sort.COLUMN: "property",
    Sort.FIELD: "property",
    Sort.OPTION: "parameter",
    Sort.COST: "property",
    Sort.DEFINE: "function",
    Sort.ACTION: "method",
    Sort.PROCEDURE: "method",
    Sort.PHASE: "event",
    Sort.STEP: "event",
    Sort.LOCAL: "variable",
}
"""Semantic token type for each sort of name; others are `type`."""

OTHER = "type"
TYPES = tuple(dict.fromkeys((*TOKEN_TYPES.values(), OTHER)))
MODIFIERS = ("declaration",)
LEGEND = lsp.SemanticTokensLegend(list(TYPES), list(MODIFIERS))


@attrs.frozen
class OutlineEntry:
    """Declaration in an outline, with the declarations inside it."""

    use: Use
    full_span: Span
    children: list["OutlineEntry"] = attrs.Factory(list)


def declarations(converter: ProtocolConverter, path: Path) -> list[Use]:
    """Return the declarations in a file, except variables, in line order."""
    for root in converter.space.roots(path):
        table = converter.tables.table_of(root)
        uses = table.uses.in_file(table.name_of(path))
        return [it for it in uses if it.whole and it.thing.sort is not Sort.LOCAL]
    return []


def nest_declarations(uses: Iterable[Use]) -> list[OutlineEntry]:
    """Return declarations as a tree, nested by the lines that they span."""
    top: list[OutlineEntry] = []
    enclosing: list[OutlineEntry] = []
    for use in uses:
        assert use.whole is not None
        begin, end = _start_of(use.span), _end_of(use.span)
        whole = use.whole
        if _start_of(whole) > begin or _end_of(whole) < end:
            whole = use.span
        entry = OutlineEntry(use, whole)
        while enclosing and _end_of(enclosing[-1].full_span) < _end_of(whole):
            enclosing.pop()
        same = [it for it in enclosing if it.full_span == whole]
        wider = [it for it in enclosing if it not in same]
        (wider[-1].children if wider else top).append(entry)
        enclosing = [*wider, entry]
    return top


def _start_of(span: Span) -> tuple[int, int]:
    return span.line, span.column


def _end_of(span: Span) -> tuple[int, int]:
    return span.end_line, span.end_column


def symbols(
    converter: ProtocolConverter, path: Path, params: Any
) -> list[lsp.DocumentSymbol]:
    """Return the outline of a file."""
    return [
        _symbol(converter, it)
        for it in nest_declarations(declarations(converter, path))
    ]


def _symbol(converter: ProtocolConverter, entry: OutlineEntry) -> lsp.DocumentSymbol:
    thing = entry.use.thing
    return lsp.DocumentSymbol(
        name=entry.use.text,
        kind=SYMBOL_KINDS.get(thing.sort, lsp.SymbolKind.Object),
        range=converter.range(entry.full_span),
        selection_range=converter.range(entry.use.span),
        detail=converter.localizer.phrase(f"editor_{thing.sort.name.lower()}"),
        children=[_symbol(converter, it) for it in entry.children],
    )


def workspace_symbols(
    converter: ProtocolConverter, path: Path | None, params: lsp.WorkspaceSymbolParams
) -> list[lsp.WorkspaceSymbol]:
    """Return the declarations whose name contains the query's letters in order."""
    listed: dict[tuple[str, int, int], lsp.WorkspaceSymbol] = {}
    for root in all_roots(converter.space):
        for use in converter.tables.table_of(root).uses.all:
            if use.whole is None or use.thing.sort is Sort.LOCAL:
                continue
            key = str(path_of(use.span.file)), use.span.line, use.span.column
            if key in listed or not _matches_query(use.text, params.query):
                continue
            listed[key] = lsp.WorkspaceSymbol(
                location=converter.location(use.span),
                name=use.text,
                kind=SYMBOL_KINDS.get(use.thing.sort, lsp.SymbolKind.Object),
                container_name=use.thing.owner or None,
            )
            if len(listed) == SYMBOLS_MAX:
                return list(listed.values())
    return list(listed.values())


def _matches_query(name: str, query: str) -> bool:
    letters = iter(name.casefold())
    return all(letter in letters for letter in query.casefold())


# ---------------------------------------------------------------- folding, formatting


def foldable_lines(text: Text) -> Iterator[tuple[int, int]]:
    """Yield the first and last line, from 0, of each foldable block or comment."""
    open_blocks: list[tuple[int, int]] = []
    last = -1
    comment_start: int | None = None
    for number, line in enumerate([*text.lines, "end"]):
        bare = line.strip()
        if bare.startswith("#") and not line[:1].isspace():
            comment_start = number if comment_start is None else comment_start
        elif comment_start is not None:
            if number - 1 > comment_start:
                yield comment_start, number - 1
            comment_start = None
        if not bare or bare.startswith("#"):
            continue
        depth = len(line) - len(line.lstrip())
        while open_blocks and open_blocks[-1][0] >= depth:
            _, begin = open_blocks.pop()
            if last > begin:
                yield begin, last
        open_blocks.append((depth, number))
        last = number


def folding_ranges(
    converter: ProtocolConverter, path: Path, params: Any
) -> list[lsp.FoldingRange]:
    """Return the foldable ranges of a file."""
    return [
        lsp.FoldingRange(begin, end)
        for begin, end in sorted(foldable_lines(converter.text(path)))
    ]


def format_edits(
    converter: ProtocolConverter, path: Path, params: Any
) -> list[lsp.TextEdit]:
    """Return the edit that formats a file; no edit if the file has errors."""
    text = converter.text(path).text
    try:
        new = format_text(text, str(path))
    except RulesError:
        return []
    if "\r\n" in text:
        new = new.replace("\n", "\r\n")
    return [] if new == text else [converter.smallest_edit(path, new)]


# ---------------------------------------------------------------- colours


def semantic_tokens(
    converter: ProtocolConverter, path: Path, params: Any
) -> lsp.SemanticTokens:
    """Return the semantic tokens of a file, each relative to the previous token."""
    data: list[int] = []
    line, column = 0, 0
    for root in converter.space.roots(path)[:1]:
        table = converter.tables.table_of(root)
        for use in table.uses.in_file(table.name_of(path)):
            place = converter.range(use.span)
            if place.start.line != place.end.line or place.start == place.end:
                continue
            begin = place.start
            step = begin.character - (column if begin.line == line else 0)
            kind = TYPES.index(TOKEN_TYPES.get(use.thing.sort, OTHER))
            length = place.end.character - begin.character
            data += (begin.line - line, step, length, kind, int(use.whole is not None))
            line, column = begin.line, begin.character
    return lsp.SemanticTokens(data)
