"""Completion and signature help while a rule file is typed.

The text before the cursor determines which sorts of names fit. The names come from the
last version of each file that could be parsed.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Any

import attrs
from lsprotocol import types as lsp

from rulebook import Address, Rulebook
from rulebook.tooling import (
    AMENDED,
    EDITED,
    Sort,
    Thing,
    all_keywords,
    amendable_sorts,
    clause_words,
    header_words,
    inner_words,
)
from workbench.editor.hover import declaration_excerpt, type_of
from workbench.editor.navigation import NameTable
from workbench.editor.outline import SYMBOL_KINDS
from workbench.editor.protocol import ProtocolConverter

CODE_PATTERN = re.compile(r'(?:[^"#]|"[^"]*")*')
"""Pattern for text whose end is outside comments and quoted texts."""

AMENDING = re.compile(r"(in|replace|remove)\s+\w*")
AMENDED_NAME = re.compile(r"(in|replace|remove)\s+(\w+)\s+\w*")
EDITING = re.compile(r"\s+(?:add|replace|remove)\s+\w*")
EDITED_NAME = re.compile(r"\s+(?:replace|remove|before|after)\s+(\w+)\s+\w*")
EDIT_PARTS = ("needs", "pays", "row", "line", "step", "action", "field", "phase")
WITHIN = re.compile(r"in\s+(\w+)(?:\s+(\w+))?")
BECAUSE = re.compile(r"may not\s+(\w+).*because\s+\w*")
PAYS = re.compile(r"\s*pays\s+\w*")
PART = re.compile(r"(?:(\w+)['’]s|\b(your))\s+\w*")
OPTION_OF = re.compile(r"\s*(?:extends|over)\s+(?:\w+,\s*)*\w*")
COMPARED = re.compile(r"(\w+)\s*(?:=|!=)\s*\w*")
WORD = re.compile(r"[^\W\d]\w*")
TEXT = re.compile(r'"[^"]*"')
CALLED = re.compile(r"\w+$")

PARTS = frozenset((Sort.COLUMN, Sort.FIELD, Sort.DEFINE, Sort.PIECE, Sort.KIND))
VALUES = frozenset(
    (
        *(Sort.FIELD, Sort.OPTION, Sort.DEFINE, Sort.MEMBER, Sort.KIND, Sort.PIECE),
        *(Sort.AWARD, Sort.DICE, Sort.PROCEDURE, Sort.ACTION),
    )
)


@attrs.frozen
class CompletionItem:
    """Completion: a keyword, or the name of a thing; preferred items sort first."""

    name: str
    thing: Thing | None
    is_preferred: bool = False


@attrs.frozen
class CursorContext:
    """Text at the cursor: its line up to there, and the first line of its clause."""

    file: str
    line_prefix: str
    clause_head: str


def fixed_choices(
    table: NameTable, book: Rulebook | None, context: CursorContext
) -> Iterable[CompletionItem] | None:
    """Return the completions if the text before the cursor limits them, else None."""
    things = sorted(table.uses.things, key=lambda it: (it.name, it.sort, it.owner))
    before = context.line_prefix
    if CODE_PATTERN.fullmatch(before) is None:
        return ()
    if WORD.fullmatch(before or "a"):
        return _keyword_items((*clause_words(), *header_words()))
    if match := AMENDING.fullmatch(before):
        return _keyword_items(amendable_sorts(match[1]))
    if match := AMENDED_NAME.fullmatch(before):
        return _amendable_items(things, book, match[2], context)
    if within := WITHIN.match(context.clause_head):
        if EDITING.fullmatch(before):
            labels = (
                _things_of_sorts(things, {Sort.LINE}) if within[1] == "points" else ()
            )
            return (*labels, *_keyword_items(EDIT_PARTS))
        if match := EDITED_NAME.fullmatch(before):
            return _items_of_owner(
                things, EDITED.get(match[1], ()), within[2] or within[1]
            )
    if match := _match_at_end(BECAUSE, before):
        return _items_of_owner(things, {Sort.NEED}, match[1])
    if _match_at_end(PAYS, before):
        return _things_of_sorts(things, {Sort.COST, Sort.MEMBER})
    if _match_at_end(OPTION_OF, before):
        return _things_of_sorts(things, {Sort.FILE})
    if match := _match_at_end(PART, before):
        owner = "player" if match[2] else match[1]
        owned = [it for it in things if it.sort in PARTS and it.owner in ("", owner)]
        known = any(it.owner == owner for it in owned)
        return _things_of_sorts(owned if known else things, PARTS, preferred=owner)
    return None


def value_choices(
    table: NameTable, book: Rulebook | None, context: CursorContext
) -> Iterator[CompletionItem]:
    """Yield the values and keywords that may follow inside a clause."""
    things = sorted(table.uses.things, key=lambda it: (it.name, it.sort, it.owner))
    yield from _things_of_sorts(
        things, VALUES, preferred=_compared_kind(table, book, context.line_prefix)
    )
    yield from _keyword_items(inner_words())


def _keyword_items(words: Iterable[str]) -> Iterator[CompletionItem]:
    return (CompletionItem(word, None) for word in words)


def _amendable_items(
    things: list[Thing], book: Rulebook | None, sort: str, context: CursorContext
) -> Iterable[CompletionItem]:
    """Return items for the amendable clauses of a sort, or for all if unchecked."""
    if sort == "each":
        owners = {it.owner for it in things if it.sort is Sort.FIELD} - {"game"}
        return _keyword_items(sorted(owners))
    if book is None:
        return _things_of_sorts(things, AMENDED.get(sort, ()))
    below = (
        Address.parse(address)
        for address, clause in book.clauses.items()
        if clause.span.file != context.file
    )
    known = [it for it in below if it.sort == sort and not it.path]
    names = dict.fromkeys(f'"{it.name}"' if it.is_test else it.name for it in known)
    by_name = {it.name: it for it in things if it.sort in AMENDED.get(sort, ())}
    return (CompletionItem(name, by_name.get(name)) for name in sorted(names))


def _items_of_owner(
    things: list[Thing], sorts: Collection[Sort], owner: str
) -> Iterable[CompletionItem]:
    """Return items for things of the sorts: of *owner* or, if it has none, of any."""
    fitting = [it for it in things if it.sort in sorts]
    return _things_of_sorts(
        [it for it in fitting if it.owner == owner] or fitting, sorts
    )


def _match_at_end(pattern: re.Pattern[str], before: str) -> re.Match[str] | None:
    """Return the longest match of a pattern that ends at the cursor, or None."""
    starts = (match.start() for match in re.finditer(r"(?<!\w)(?=\w|\s|['’])", before))
    matches = (pattern.fullmatch(before, start) for start in starts)
    return next((match for match in matches if match), None)


def _things_of_sorts(
    things: Iterable[Thing], sorts: Iterable[Sort], *, preferred: str | None = None
) -> Iterator[CompletionItem]:
    for thing in things:
        if thing.sort in sorts and WORD.fullmatch(thing.name):
            yield CompletionItem(
                thing.name, thing, preferred is not None and thing.owner == preferred
            )


def _compared_kind(table: NameTable, book: Rulebook | None, before: str) -> str | None:
    """Return the kind of the value before a comparison operator, or None if unknown."""
    match = _match_at_end(COMPARED, before)
    if match is None or book is None:
        return None
    for thing in table.uses.things:
        if thing.name == match[1]:
            kind = type_of(book, thing)
            if kind is not None:
                return kind.partition(" ")[0]
    kinds = (it for it in table.uses.things if it.sort is Sort.KIND)
    return next((it.name for it in kinds if it.name == match[1]), None)


# ---------------------------------------------------------------- requests


def completion(
    converter: ProtocolConverter, path: Path, params: lsp.CompletionParams
) -> lsp.CompletionList:
    """Return the completions at the cursor."""
    table = converter.tables.table_of(converter.space.roots(path)[0])
    book = converter.space.books.get(table.root)
    line, before = _line_before_cursor(converter, path, params.position)
    lines = converter.text(path).lines
    context = CursorContext(
        table.name_of(path), before, lines[_clause_head(lines, line)]
    )
    narrow = fixed_choices(table, book, context)
    trigger = params.context and params.context.trigger_character
    wide = () if narrow is not None or trigger else value_choices(table, book, context)
    typed = _typed_range(converter, line, before)
    items = {
        (it.name, it.thing and it.thing.sort): _item(converter, it)
        for it in (*(narrow or ()), *wide)
    }
    if wide:
        known = {name for name, _ in items}
        for name in _words_above(lines, line) - known:
            items.setdefault(
                (name, None), lsp.CompletionItem(name, sort_text=f"2{name}")
            )
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


def _clause_head(lines: list[str], line: int) -> int:
    """Return the index of the first line of the clause that contains a line."""
    while line > 0 and (not lines[line] or lines[line][0].isspace()):
        line -= 1
    return line


def _words_above(lines: list[str], line: int) -> set[str]:
    """Return the words in a clause above one of its lines, except keywords."""
    words: set[str] = set()
    for number in range(_clause_head(lines, line), line):
        words.update(WORD.findall(re.sub(r'"[^"]*"?|#.*', "", lines[number])))
    return words - set(all_keywords())


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
