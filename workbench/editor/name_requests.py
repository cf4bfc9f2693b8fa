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
from workbench.errors import Refused


def _here(
    telling: ProtocolConverter, path: Path, params: Any
) -> tuple[NameTable, Use] | None:
    return telling.tables.at(path, *telling.place(path, params.position))


def definition(
    telling: ProtocolConverter, path: Path, params: Any
) -> list[lsp.Location]:
    """Return the places where a name's meaning is declared."""
    spans = telling.tables.declarations(path, *telling.place(path, params.position))
    return [telling.location(span) for span in spans]


def references(
    telling: ProtocolConverter, path: Path, params: lsp.ReferenceParams
) -> list[lsp.Location]:
    """Return all uses of a thing in the files of the workspace."""
    place = telling.place(path, params.position)
    return [
        telling.location(use.span)
        for use in telling.tables.all_uses(path, *place)
        if params.context.include_declaration or use.whole is None
    ]


def highlights(
    telling: ProtocolConverter, path: Path, params: Any
) -> list[lsp.DocumentHighlight]:
    """Return all uses of a name's meaning in the same file."""
    here = _here(telling, path, params)
    if here is None:
        return []
    table, use = here
    name = table.name_of(path)
    return [
        lsp.DocumentHighlight(telling.range(other.span))
        for other in table.uses.of(use.thing)
        if other.span.file == name
    ]


def hover_at(telling: ProtocolConverter, path: Path, params: Any) -> lsp.Hover | None:
    """Return the hover text of the name at the cursor, or None."""
    here = _here(telling, path, params)
    if here is None:
        return None
    table, use = here
    said = hover.hover_text(telling.space, table, use, telling.words)
    content = lsp.MarkupContent(lsp.MarkupKind.Markdown, said)
    return lsp.Hover(content, telling.range(use.span))


def prepare_rename(telling: ProtocolConverter, path: Path, params: Any) -> lsp.Range:
    """Return the range of the name at the cursor, or raise an error if it is fixed."""
    renaming = Renaming(telling.space, telling.tables)
    try:
        use = renaming.name_at(path, *telling.place(path, params.position))
    except Refused as error:
        raise JsonRpcInvalidParams(str(error)) from error
    return telling.range(use.span)


def rename(
    telling: ProtocolConverter, path: Path, params: lsp.RenameParams
) -> lsp.WorkspaceEdit:
    """Return the edit that renames a name in all files, or raise an error."""
    renaming = Renaming(telling.space, telling.tables)
    place = telling.place(path, params.position)
    try:
        renamed = renaming.rename(path, *place, params.new_name)
    except Refused as error:
        raise JsonRpcInvalidParams(str(error)) from error
    return telling.edit(renamed.texts)
