"""Completion and signature help while a rule file is typed, by the protocol."""

import re
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp

from rulebook.tooling import Sort
from workbench.editor.completion_items import (
    CompletionItem,
    clause_before,
    completion_items,
)
from workbench.editor.hover import declaration_excerpt
from workbench.editor.outline import SYMBOL_KINDS
from workbench.editor.protocol import ProtocolConverter

CODE_PATTERN = re.compile(r'(?:[^"#]|"[^"]*")*')
"""Pattern for text whose end is outside comments and quoted texts."""

CALLED = re.compile(r"\w+$")
TEXT = re.compile(r'"[^"]*"')
WORD = re.compile(r"[^\W\d]\w*")


# ---------------------------------------------------------------- requests


def completion(
    converter: ProtocolConverter, path: Path, params: lsp.CompletionParams
) -> lsp.CompletionList:
    """Return the completions at the cursor."""
    table = converter.tables.table_of(converter.space.roots(path)[0])
    book = converter.space.books.get(table.root)
    line, before = _line_before_cursor(converter, path, params.position)
    lines = converter.text(path).lines
    clause = clause_before(lines[:line], before)
    asked = not (params.context and params.context.trigger_character)
    choices = completion_items(
        table.uses.things, book, table.name_of(path), clause, with_values=asked
    )
    typed = _typed_range(converter, line, before)
    items = {
        (it.name, it.thing and it.thing.sort): _item(converter, it) for it in choices
    }
    for item in items.values():
        item.text_edit = lsp.TextEdit(typed, item.label)
    return lsp.CompletionList(is_incomplete=False, items=list(items.values()))


def _line_before_cursor(
    converter: ProtocolConverter, path: Path, position: lsp.Position
) -> tuple[int, str]:
    """Return the line number, from 0, and the text on the line before the cursor."""
    text = converter.text(path)
    line = min(position.line, len(text.lines) - 1)
    written = text.lines[line]
    return line, written[: text.units.offset(written, position.character)]


def _typed_range(converter: ProtocolConverter, line: int, before: str) -> lsp.Range:
    """Return the range of the partial word at the cursor, which completions replace."""
    places = CALLED.sub("", before), before
    return lsp.Range(*(lsp.Position(line, converter.units.width(it)) for it in places))


def _item(converter: ProtocolConverter, choice: CompletionItem) -> lsp.CompletionItem:
    thing = choice.thing
    if thing is None and choice.is_name:
        kind = lsp.CompletionItemKind.Variable
        order = 0 if choice.is_preferred else 1
        return lsp.CompletionItem(
            choice.name, kind=kind, sort_text=f"{order}{choice.name}"
        )
    if thing is None:
        kind = lsp.CompletionItemKind.Keyword
        return lsp.CompletionItem(choice.name, kind=kind, sort_text=f"3{choice.name}")
    sort = converter.localizer.phrase(f"editor_{thing.sort.name.lower()}")
    owner = f" ({thing.owner})" if thing.owner else ""
    return lsp.CompletionItem(
        choice.name,
        kind=_KINDS.get(SYMBOL_KINDS.get(thing.sort, lsp.SymbolKind.Object)),
        detail=f"{sort}{owner}",
        sort_text=f"{0 if choice.is_preferred else 1}{choice.name}",
    )


_KINDS = {
    lsp.SymbolKind.Module: lsp.CompletionItemKind.Module,
    lsp.SymbolKind.Class: lsp.CompletionItemKind.Class,
    lsp.SymbolKind.EnumMember: lsp.CompletionItemKind.EnumMember,
    lsp.SymbolKind.Property: lsp.CompletionItemKind.Property,
    lsp.SymbolKind.Constant: lsp.CompletionItemKind.Constant,
    lsp.SymbolKind.Field: lsp.CompletionItemKind.Field,
    lsp.SymbolKind.Function: lsp.CompletionItemKind.Function,
    lsp.SymbolKind.Method: lsp.CompletionItemKind.Method,
    lsp.SymbolKind.Event: lsp.CompletionItemKind.Event,
}


def signature_help(
    converter: ProtocolConverter, path: Path, params: Any
) -> lsp.SignatureHelp | None:
    """Return the signatures and current argument of the call at the cursor, or None."""
    _, before = _line_before_cursor(converter, path, params.position)
    call = _open_call(before)
    if call is None:
        return None
    name, argument = call
    table = converter.tables.table_of(converter.space.roots(path)[0])
    signatures = []
    for thing in table.uses.things:
        declared = table.uses.declared(thing)
        if thing.name != name or not declared or thing.sort is Sort.LOCAL:
            continue
        label = declaration_excerpt(converter.space, declared[-1].whole).partition(
            "\n"
        )[0]
        inside = re.search(rf"\b{re.escape(thing.name)}\(([^()]*)\)", label)
        if inside is not None:
            names = [part.strip() for part in inside[1].split(",")]
            given = [lsp.ParameterInformation(name) for name in names]
            signatures.append(lsp.SignatureInformation(label, parameters=given))
    if not signatures:
        return None
    return lsp.SignatureHelp(signatures, 0, argument)


def _open_call(before: str) -> tuple[str, int] | None:
    """Return the name of the unclosed call and its argument's index, or None."""
    if CODE_PATTERN.fullmatch(before) is None:
        return None
    code = TEXT.sub("", before)
    depth = argument = 0
    for at in reversed(range(len(code))):
        match code[at]:
            case ")":
                depth += 1
            case "(" if depth:
                depth -= 1
            case "(":
                called = CALLED.search(code[:at])
                if called is not None:
                    return called[0], argument
                argument = 0
            case "," if not depth:
                argument += 1
    return None
