"""Edits inside a clause: one function for each part that an amendment can touch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs

from rulebook import syntax as s
from rulebook.diagnostics import Diagnostic
from rulebook.source import Span
from rulebook.spelling import nearest


class Refused(Exception):
    """An edit that does not fit the clause."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


def refused(
    code: str,
    span: Span,
    message: str,
    help: str | None = None,
    related: tuple[tuple[Span, str], ...] = (),
) -> Refused:
    """Return an error to raise."""
    return Refused(
        Diagnostic(code=code, message=message, span=span, help=help, related=related)
    )


def missing(edit: s.Edit, what: str, names: list[str]) -> Refused:
    """Return the error for a part that the clause does not have."""
    assert edit.name is not None
    near = nearest(edit.name.text, names)
    help = f"did you mean `{near}`?" if near else None
    if near is None and names:
        help = f"there are {', '.join(f'`{name}`' for name in names)}"
    return refused(
        "RB160", edit.name.span, f"there is no {what} `{edit.name.text}` here", help
    )


def apply_edit(clause: s.Clause, edit: s.Edit) -> s.Clause:
    """Return the clause with one edit made."""
    change = EDITS.get(edit.part)
    if change is None:
        raise refused("RB161", edit.span, "this cannot be amended here")
    return change(clause, edit)


# ---------------------------------------------------------------- lists of lines


def with_lines(clause: s.Clause, lines: tuple[Any, ...]) -> s.Clause:
    """The clause with other lines; the caller knows that it has lines."""
    changed: s.Clause = attrs.evolve(clause, lines=lines)  # type: ignore[call-arg]
    return changed


def _edit_list(
    items: tuple[Any, ...], edit: s.Edit, what: str, label: Callable[[Any], str]
) -> tuple[Any, ...]:
    """Add, replace or remove one item of a list, found by its label."""
    names = [label(item) for item in items]
    if edit.verb in ("add", "add_first"):
        if edit.name is not None and edit.name.text in names:
            raise refused(
                "RB162",
                edit.name.span,
                f"there is already a {what} `{edit.name.text}`",
                "write `replace` to change it",
                ((items[names.index(edit.name.text)].span, "here"),),
            )
        if edit.verb == "add":
            return (*items, edit.content)
        return (edit.content, *items)
    assert edit.name is not None
    if edit.name.text not in names:
        raise missing(edit, what, [name for name in names if name])
    place = names.index(edit.name.text)
    new = (edit.content,) if edit.verb == "replace" else ()
    return (*items[:place], *new, *items[place + 1 :])


def _needs(clause: s.Clause, edit: s.Edit) -> s.Clause:
    lines = _lines_of(clause, edit)
    needs = tuple(one for one in lines if isinstance(one, s.Needs))
    if edit.name is None:
        merged = (edit.content, *lines)
        return with_lines(clause, merged)
    if edit.verb == "add":
        new = _edit_list(needs, edit, "requirement", lambda one: one.label.text)
        place = max(
            [i + 1 for i, one in enumerate(lines) if isinstance(one, s.Needs)],
            default=sum(isinstance(one, s.Pays) for one in lines),
        )
        merged = (*lines[:place], new[-1], *lines[place:])
        return with_lines(clause, merged)
    names = [one.label.text for one in needs]
    if edit.name.text not in names:
        raise missing(edit, "requirement", names)
    found = needs[names.index(edit.name.text)]
    kept = (edit.content,) if edit.verb == "replace" else ()
    place = lines.index(found)
    merged = (*lines[:place], *kept, *lines[place + 1 :])
    return with_lines(clause, merged)


def _lines_of(clause: s.Clause, edit: s.Edit) -> tuple[Any, ...]:
    if not isinstance(clause, s.ActionClause | s.CardTextClause):
        raise refused("RB161", edit.span, "only an action has requirements and a price")
    return clause.lines


def _pays(clause: s.Clause, edit: s.Edit) -> s.Clause:
    lines = _lines_of(clause, edit)
    places = [i for i, one in enumerate(lines) if isinstance(one, s.Pays)]
    if edit.verb == "add" and places:
        raise refused(
            "RB162",
            edit.span,
            "this action has a price already",
            "write `replace pays`, with the whole price",
            ((lines[places[0]].span, "here"),),
        )
    if edit.verb == "add":
        merged = (edit.content, *lines)
    elif not places:
        raise refused("RB160", edit.span, "this action costs nothing so far")
    else:
        kept = (edit.content,) if edit.verb == "replace" else ()
        merged = (*lines[: places[0]], *kept, *lines[places[0] + 1 :])
    return with_lines(clause, merged)


def _row(clause: s.Clause, edit: s.Edit) -> s.Clause:
    table = getattr(clause, "table", None)
    row = edit.content
    if table is None:
        help = "what stands on one line is replaced as a whole, with `replace`"
        listed = isinstance(clause, s.KindClause)
        raise refused(
            *("RB161", edit.span, "this clause has no table"),
            help if listed else None,
        )
    if isinstance(row, s.Row) and len(row.cells) != len(table.columns):
        raise refused(
            "RB022",
            row.span,
            f"the row has {len(row.cells)} cells, but the table {len(table.columns)}",
            related=((table.columns[0].span, "the columns are these"),),
        )

    def label(one: s.Row) -> str:
        value = one.cells[0].value
        return value.text if isinstance(value, s.Name) else ""

    rows = _edit_list(table.rows, edit, "row", label)
    new = attrs.evolve(table, rows=rows)
    return attrs.evolve(clause, table=new)  # type: ignore[call-arg]


def _line(clause: s.Clause, edit: s.Edit) -> s.Clause:
    if not isinstance(clause, s.DefineClause):
        help = "write `add LABEL: VALUE`, without the word `line`"
        points = isinstance(clause, s.PointsClause)
        raise refused(
            *("RB161", edit.span, "only a definition has lines"),
            help if points else None,
        )

    def label(one: s.DefineLine) -> str:
        return one.label.text if one.label else ""

    lines = _edit_list(clause.lines, edit, "line", label)
    return attrs.evolve(clause, lines=lines)


def _points(clause: s.Clause, edit: s.Edit) -> s.Clause:
    if not isinstance(clause, s.PointsClause | s.HintValueClause):
        raise refused("RB161", edit.span, "only `points` has such lines")
    lines = _edit_list(clause.lines, edit, "line", lambda one: one.label.text)
    return attrs.evolve(clause, lines=lines)


def _award(clause: s.Clause, edit: s.Edit) -> s.Clause:
    if not isinstance(clause, s.AwardClause) or edit.name is None:
        raise refused("RB161", edit.span, "only an award has such lines")
    part = edit.name.text
    old = getattr(clause, part)
    content: Any = edit.content
    if part == "tie":
        clause = attrs.evolve(clause, tie_span=edit.span)
    if edit.verb == "add" and part in ("gained", "lost"):
        return _with_part(clause, part, (*old, *content))
    return _with_part(clause, part, content)


def _with_part(clause: s.AwardClause, part: str, value: Any) -> s.AwardClause:
    changes: dict[str, Any] = {part: value}
    return attrs.evolve(clause, **changes)


# ---------------------------------------------------------------- steps and menus


def _step(clause: s.Clause, edit: s.Edit) -> s.Clause:
    assert edit.name is not None
    names: list[str] = []

    def change(body: tuple[Any, ...]) -> tuple[Any, ...]:
        found: list[Any] = []
        for one in body:
            if isinstance(one, s.Step):
                names.append(one.name.text)
                if one.name == edit.name:
                    found.extend(_edited_step(one, edit))
                    continue
            found.append(_inside(one, change))
        return tuple(found)

    new = _inside(clause, change)
    if edit.name.text not in names:
        raise missing(edit, "step", names)
    assert isinstance(new, s.Clause)
    return new


def _edited_step(step: s.Step, edit: s.Edit) -> list[Any]:
    body: Any = edit.content
    match edit.verb:
        case "replace":
            return [attrs.evolve(step, body=body, span=edit.span)]
        case "before":
            return [*body, step]
        case "after":
            return [step, *body]
    return []


BLOCKS = ("body", "otherwise", "lines", "gained", "lost")


def _inside(node: Any, change: Callable[[tuple[Any, ...]], tuple[Any, ...]]) -> Any:
    """Return a node with every block directly in it changed."""
    if not attrs.has(type(node)):
        return node
    changes: dict[str, Any] = {}
    for name in BLOCKS:
        old = getattr(node, name, None)
        if isinstance(old, tuple) and old:
            new = change(old)
            if new != old:
                changes[name] = new
    return attrs.evolve(node, **changes) if changes else node


def _menu(clause: s.Clause, edit: s.Edit) -> s.Clause:
    assert edit.name is not None
    menus: list[s.Menu] = []

    def change(body: tuple[Any, ...]) -> tuple[Any, ...]:
        found: list[Any] = []
        for one in body:
            if isinstance(one, s.Menu):
                menus.append(one)
                if len(menus) == 1:
                    calls = _edit_list(
                        one.calls, edit, "choice", lambda call: call.name.text
                    )
                    found.append(attrs.evolve(one, calls=calls))
                    continue
            found.append(_inside(one, change))
        return tuple(found)

    new = _inside(clause, change)
    if not menus:
        raise refused("RB161", edit.span, "there is no menu in this clause")
    assert isinstance(new, s.Clause)
    return new


EDITS: dict[str, Callable[[s.Clause, s.Edit], s.Clause]] = {
    "needs": _needs,
    "pays": _pays,
    "row": _row,
    "line": _line,
    "points": _points,
    "award": _award,
    "step": _step,
    "action": _menu,
}
