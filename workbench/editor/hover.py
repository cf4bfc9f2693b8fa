"""Hover texts: meaning, declaration and citations of names; meaning of keywords."""

import re
from collections.abc import Iterator

from rulebook import Rulebook, Span, Use
from rulebook.model import CallDefine, ColumnValue, Local
from rulebook.tooling import REFERENCE, Sort, Thing, find, keyword_help
from workbench.editor.navigation import NameTable
from workbench.editor.workspace import Workspace, path_of
from workbench.presentation.localization.localizer import Localizer

LINES_MAX = 8
"""Maximum number of lines quoted from a declaration."""

FIRST_WORD = re.compile(
    r"(?P<indent>\s*)(?:(?P<verb>add|in|replace|remove)\s+)?(?P<word>[a-z]+)\b"
)
"""Pattern for the word that starts a line, after the verb of an amendment."""

MODEL_TABLES = {
    Sort.FIELD: ("fields", True),
    Sort.OPTION: ("options", False),
    Sort.DEFINE: ("defines", False),
}
"""By sort: the model attribute with its entries, and whether keys contain an owner."""


def hover_text(
    workspace: Workspace, table: NameTable, use: Use, localizer: Localizer
) -> str:
    """Return the hover text of a name, as Markdown."""
    thing, book = use.thing, workspace.books.get(table.root)
    declared = table.uses.declared(thing)
    sort = localizer.phrase(f"editor_{thing.sort.name.lower()}")
    owner = f" ({thing.owner})" if _is_mentioned(thing) else ""
    lines = [f"**{sort}** `{thing.name}`{owner}"]
    if declared:
        lines.append(
            f"```rules\n{declaration_excerpt(workspace, declared[-1].whole)}\n```"
        )
    lines += _checked_details(book, table, thing, localizer)
    for other in reversed(declared[:-1]):
        if other.whole is not None and other.whole.file != declared[-1].span.file:
            where = f"{path_of(other.span.file).name}:{other.span.line}"
            lines.append(localizer.phrase("editor_before", where=where))
    lines += _costs(workspace, table, thing, localizer)
    return "\n\n".join(lines)


def keyword_at(line: str, column: int) -> tuple[int, int, str] | None:
    """Return the first and last column of a keyword, and its hover text as Markdown.

    Return None if there is no keyword that starts the line at this column, from 0.
    """
    match = FIRST_WORD.match(line)
    if match is None:
        return None
    for group in ("verb", "word"):
        if match.start(group) <= column <= match.end(group):
            help = keyword_help(match[group], starts_clause=not match["indent"])
            if help is None:
                return None
            text = f"**`{match[group]}`** {help.text}\n\n`{REFERENCE}/{help.page}`"
            return match.start(group), match.end(group), text
    return None


def declaration_excerpt(workspace: Workspace, declaration: Span | None) -> str:
    """Return the first lines of a declaration, without the indent of the first one."""
    if declaration is None:
        return ""
    lines = workspace.text(path_of(declaration.file)).splitlines()
    end = min(declaration.end_line, declaration.line - 1 + LINES_MAX)
    excerpt = lines[declaration.line - 1 : end]
    margin = len(excerpt[0]) - len(excerpt[0].lstrip()) if excerpt else 0
    return "\n".join(line[margin:].rstrip() for line in excerpt)


def _is_mentioned(thing: Thing) -> bool:
    return bool(thing.owner) and thing.sort is not Sort.LOCAL


def _checked_details(
    book: Rulebook | None, table: NameTable, thing: Thing, localizer: Localizer
) -> Iterator[str]:
    """Yield the type and citations of a thing, if the rules were checked."""
    if book is None:
        return
    kind = type_of(book, thing) or _type_at_use(book, table, thing)
    if kind is not None:
        yield localizer.phrase("editor_type", type=kind)
    for address, clause in book.clauses.items():
        if _is_address_of(address, thing):
            for cite in clause.cites:
                source = book.sources.get(cite.source, cite.source)
                yield localizer.phrase(
                    "editor_cites", heading=cite.heading, source=source
                )
            return


def type_of(book: Rulebook, thing: Thing) -> str | None:
    """Return the type of a thing as rule text, or None."""
    if thing.sort not in MODEL_TABLES:
        return None
    table, owned = MODEL_TABLES[thing.sort]
    entries = getattr(book.model, table)
    if thing.sort is Sort.DEFINE:
        key = next((it for it in entries if _is_definition_key(it, thing)), "")
    else:
        key = f"{thing.owner}.{thing.name}" if owned else thing.name
        key = key if key in entries else thing.name
    return str(entries[key].type) if key in entries else None


def _is_definition_key(key: str, thing: Thing) -> bool:
    """Return whether a key `NAME(KIND,…)` belongs to a definition.

    Definitions with one name differ by the kind of their first parameter.
    """
    name, _, shape = key.partition("(")
    first = shape.rstrip(")").partition(",")[0]
    return name == thing.name and thing.owner in ("", first)


def _type_at_use(book: Rulebook, table: NameTable, thing: Thing) -> str | None:
    """Return the type of a variable or column where it is used, or None."""
    if thing.sort is Sort.LOCAL:
        places = {use.span for use in table.uses.of(thing)}
        values = find(book.model, (Local, CallDefine))
        uses = (it for it in values if it.span in places)
        return next((str(it.type) for it in uses if _refers_to(it, thing)), None)
    if thing.sort is Sort.COLUMN:
        wanted = thing.owner, thing.name
        values = find(book.model, ColumnValue)
        of = (it for it in values if (it.domain, it.column) == wanted)
        return next((str(it.type) for it in of), None)
    return None


def _refers_to(value: Local | CallDefine, thing: Thing) -> bool:
    """Return whether a value is a named value, or a variable with the thing's name."""
    return isinstance(value, CallDefine) or value.name == thing.name


def _is_address_of(address: str, thing: Thing) -> bool:
    """Return whether a clause address is the address of a thing."""
    sort = thing.owner if thing.sort is Sort.FIELD else thing.sort.value
    if thing.sort is Sort.DEFINE:
        return _is_definition_key(address.removeprefix("define."), thing)
    bare = address.partition("(")[0]
    if thing.sort is Sort.KIND:
        return bare.partition(".")[2] == thing.name and bare.partition(".")[0] in (
            *("kind", "cards", "spaces", "hexes", "corners", "links"),
        )
    return bare == f"{sort}.{thing.name}"


def _costs(
    workspace: Workspace, table: NameTable, thing: Thing, localizer: Localizer
) -> Iterator[str]:
    """Yield the hover text for the cost that has a thing's name, if there is one."""
    if thing.sort is Sort.COST:
        return
    cost = table.uses.declared(Thing(Sort.COST, "", thing.name))
    if cost and cost[-1].whole is not None:
        line = declaration_excerpt(workspace, cost[-1].whole).partition("[")[0].strip()
        yield localizer.phrase(
            "editor_costs", cost=line.partition(":")[2].strip() or line
        )
