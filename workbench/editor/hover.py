"""What is said of a name that is pointed at: what it is, and where it comes from."""

from collections.abc import Iterator

from rulebook import Rulebook, Sort, Span, Thing, Use
from workbench.editor.jumps import Table
from workbench.editor.workspace import Workspace, path_of
from workbench.localization.localizer import Wording

LINES_MAX = 8
"""How many lines of a declaration are quoted."""

KEYS = {
    Sort.FIELD: ("fields", True),
    Sort.OPTION: ("options", False),
    Sort.DEFINE: ("defines", False),
}
"""Where the model has a thing that has a type, and whether its owner is in its name."""


def told(space: Workspace, table: Table, use: Use, words: Wording) -> str:
    """What a name means, as Markdown."""
    thing, book = use.thing, space.books.get(table.root)
    declared = table.uses.declared(thing)
    sort = words.say(f"editor_{thing.sort.name.lower()}")
    owner = f" ({thing.owner})" if _is_said(thing) else ""
    lines = [f"**{sort}** `{thing.name}`{owner}"]
    if declared:
        lines.append(f"```rules\n{quoted(space, declared[-1].whole)}\n```")
    lines += _from_book(book, thing, words)
    for other in reversed(declared[:-1]):
        if other.whole is not None and other.whole.file != declared[-1].span.file:
            where = f"{path_of(other.span.file).name}:{other.span.line}"
            lines.append(words.say("editor_before", where=where))
    lines += _costs(space, table, thing, words)
    return "\n\n".join(lines)


def quoted(space: Workspace, whole: Span | None) -> str:
    """The first lines of what is declared."""
    if whole is None:
        return ""
    lines = space.text(path_of(whole.file)).splitlines()
    end = min(whole.end_line, whole.line - 1 + LINES_MAX)
    several = lines[whole.line - 1 : end]
    margin = len(several[0]) - len(several[0].lstrip()) if several else 0
    return "\n".join(line[margin:].rstrip() for line in several)


def _is_said(thing: Thing) -> bool:
    return bool(thing.owner) and thing.sort is not Sort.LOCAL


def _from_book(book: Rulebook | None, thing: Thing, words: Wording) -> Iterator[str]:
    """Its type, and what the clause of it cites, where the rules were checked."""
    if book is None:
        return
    kind = type_of(book, thing)
    if kind is not None:
        yield words.say("editor_type", type=kind)
    for address, clause in book.clauses.items():
        if _names(address, thing):
            for cite in clause.cites:
                source = book.sources.get(cite.source, cite.source)
                yield words.say("editor_cites", heading=cite.heading, source=source)
            return


def type_of(book: Rulebook, thing: Thing) -> str | None:
    """The type of what has one, in the words of rules."""
    if thing.sort not in KEYS:
        return None
    table, owned = KEYS[thing.sort]
    entries = getattr(book.model, table)
    key = thing.name
    if owned and f"{thing.owner}.{thing.name}" in entries:
        key = f"{thing.owner}.{thing.name}"
    match = next((name for name in entries if name.partition("(")[0] == key), None)
    return None if match is None else str(entries[match].type)


def _names(address: str, thing: Thing) -> bool:
    """Whether an address is that of a thing."""
    sort = thing.owner if thing.sort is Sort.FIELD else thing.sort.value
    bare = address.partition("(")[0]
    if thing.sort is Sort.KIND:
        return bare.partition(".")[2] == thing.name and bare.partition(".")[0] in (
            *("kind", "cards", "spaces", "hexes", "corners", "links"),
        )
    return bare == f"{sort}.{thing.name}"


def _costs(
    space: Workspace, table: Table, thing: Thing, words: Wording
) -> Iterator[str]:
    """What something costs that has a cost of its name."""
    if thing.sort is Sort.COST:
        return
    cost = table.uses.declared(Thing(Sort.COST, "", thing.name))
    if cost and cost[-1].whole is not None:
        line = quoted(space, cost[-1].whole).partition("[")[0].strip()
        yield words.say("editor_costs", cost=line.partition(":")[2].strip() or line)
