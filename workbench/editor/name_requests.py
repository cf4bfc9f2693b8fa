"""Handlers of requests about names: declarations, references, hover, rename."""

from pathlib import Path
from typing import Any

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcInvalidParams

from rulebook import Use
from workbench.editor import hover
from workbench.editor.navigation import NameTable
from workbench.editor.protocol import ProtocolConverter
from workbench.editor.rename import Renaming
from workbench.errors import RequestError


def _name_at_cursor(
    converter: ProtocolConverter, path: Path, params: Any
) -> tuple[NameTable, Use] | None:
    return converter.tables.use_at(path, *converter.place(path, params.position))


def definition(
    converter: ProtocolConverter, path: Path, params: Any
) -> list[lsp.Location]:
    """Return the locations where the name at the cursor is declared."""
    spans = converter.tables.declarations(path, *converter.place(path, params.position))
    return [converter.location(span) for span in spans]


def references(
    converter: ProtocolConverter, path: Path, params: lsp.ReferenceParams
) -> list[lsp.Location]:
    """Return the locations of all uses of the name at the cursor, in all files."""
    place = converter.place(path, params.position)
    return [
        converter.location(use.span)
        for use in converter.tables.all_uses(path, *place)
        if params.context.include_declaration or use.whole is None
    ]


def highlights(
    converter: ProtocolConverter, path: Path, params: Any
) -> list[lsp.DocumentHighlight]:
    """Return all uses of the name at the cursor in the same file."""
    here = _name_at_cursor(converter, path, params)
    if here is None:
        return []
    table, use = here
    name = table.name_of(path)
    return [
        lsp.DocumentHighlight(converter.range(other.span))
        for other in table.uses.of(use.thing)
        if other.span.file == name
    ]


def hover_at(converter: ProtocolConverter, path: Path, params: Any) -> lsp.Hover | None:
    """Return the hover text of the name or keyword at the cursor, or None."""
    here = _name_at_cursor(converter, path, params)
    if here is None:
        return _keyword_at(converter, path, params.position)
    table, use = here
    text = hover.hover_text(converter.space, table, use, converter.localizer)
    content = lsp.MarkupContent(lsp.MarkupKind.Markdown, text)
    return lsp.Hover(content, converter.range(use.span))


def _keyword_at(
    converter: ProtocolConverter, path: Path, position: lsp.Position
) -> lsp.Hover | None:
    """Return the hover text of the keyword at the cursor, or None."""
    text = converter.text(path)
    line = text.lines[min(position.line, len(text.lines) - 1)]
    keyword = hover.keyword_at(line, text.units.offset(line, position.character))
    if keyword is None:
        return None
    first, last, explanation = keyword
    ends = (text.units.width(line[:place]) for place in (first, last))
    here = lsp.Range(*(lsp.Position(position.line, end) for end in ends))
    return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, explanation), here)


def prepare_rename(converter: ProtocolConverter, path: Path, params: Any) -> lsp.Range:
    """Return the range of the name at the cursor; raise an error if not renamable."""
    renaming = Renaming(converter.space, converter.tables)
    try:
        use = renaming.name_at(path, *converter.place(path, params.position))
    except RequestError as error:
        raise JsonRpcInvalidParams(str(error)) from error
    return converter.range(use.span)


def rename(
    converter: ProtocolConverter, path: Path, params: lsp.RenameParams
) -> lsp.WorkspaceEdit:
    """Return the edit that renames a name in all files; raise an error if invalid."""
    renaming = Renaming(converter.space, converter.tables)
    place = converter.place(path, params.position)
    try:
        renamed = renaming.rename(path, *place, params.new_name)
    except RequestError as error:
        raise JsonRpcInvalidParams(str(error)) from error
    return converter.edit(renamed.texts)
