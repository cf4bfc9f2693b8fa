"""Edits inside a clause, with a function for each part that amendments can edit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, assert_never, cast

import attrs

from rulebook import syntax as s
from rulebook.source.diagnostics import Diagnostic
from rulebook.source.spans import Span
from rulebook.source.spelling import nearest
from rulebook.traversal import find, rewrite


class AmendmentError(Exception):
    """Error with one diagnostic, raised for an amendment that cannot be applied."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


def amendment_error(
    code: str,
    span: Span,
    message: str,
    help: str | None = None,
    related: tuple[tuple[Span, str], ...] = (),
) -> AmendmentError:
    """Return an `AmendmentError` for the caller to raise."""
    return AmendmentError(
        Diagnostic(code=code, message=message, span=span, help=help, related=related)
    )


def missing_part_error(edit: s.Edit, noun: str, names: list[str]) -> AmendmentError:
    """Return the error for an edit of a part that the clause lacks."""
    assert edit.name is not None
    near = nearest(edit.name.text, names)
    help = f"did you mean `{near}`?" if near else None
    if near is None and names:
        help = f"there are {', '.join(f'`{name}`' for name in names)}"
    return amendment_error(
        "RB160", edit.name.span, f"there is no {noun} `{edit.name.text}` here", help
    )


def apply_edit(clause: s.Clause, edit: s.Edit) -> s.Clause:
    """Return the clause with one edit applied, or raise `AmendmentError`."""
    return _edit_function(edit.part)(clause, edit)


# ---------------------------------------------------------------- lists of lines


def with_lines(clause: s.Clause, lines: tuple[Any, ...]) -> s.Clause:
    """Return a clause with its lines replaced; its class must have a field `lines`."""
    changed: s.Clause = attrs.evolve(clause, lines=lines)  # type: ignore[call-arg]
    return changed


def _edit_list(
    items: tuple[Any, ...], edit: s.Edit, noun: str, label: Callable[[Any], str]
) -> tuple[Any, ...]:
    """Return the items after adding one, or changing the one labelled `edit.name`."""
    names = [label(item) for item in items]
    if edit.verb in (s.EditVerb.ADD, s.EditVerb.ADD_FIRST):
        if edit.name is not None and edit.name.text in names:
            raise amendment_error(
                "RB162",
                edit.name.span,
                f"there is already a {noun} `{edit.name.text}`",
                "write `replace` to change it",
                ((items[names.index(edit.name.text)].span, "here"),),
            )
        if edit.verb is s.EditVerb.ADD:
            return (*items, edit.content)
        return (edit.content, *items)
    assert edit.name is not None
    if edit.name.text not in names:
        raise missing_part_error(edit, noun, [name for name in names if name])
    place = names.index(edit.name.text)
    new = (edit.content,) if edit.verb is s.EditVerb.REPLACE else ()
    return (*items[:place], *new, *items[place + 1 :])


def _edit_needs(clause: s.Clause, edit: s.Edit) -> s.Clause:
    lines = _lines_of(clause, edit)
    needs = tuple(line for line in lines if isinstance(line, s.Needs))
    if edit.name is None:
        merged = (edit.content, *lines)
        return with_lines(clause, merged)
    if edit.verb is s.EditVerb.ADD:
        new = _edit_list(needs, edit, "requirement", lambda need: need.label.text)
        place = max(
            [i + 1 for i, line in enumerate(lines) if isinstance(line, s.Needs)],
            default=sum(isinstance(line, s.Pays) for line in lines),
        )
        merged = (*lines[:place], new[-1], *lines[place:])
        return with_lines(clause, merged)
    names = [need.label.text for need in needs]
    if edit.name.text not in names:
        raise missing_part_error(edit, "requirement", names)
    edited = needs[names.index(edit.name.text)]
    kept = (edit.content,) if edit.verb is s.EditVerb.REPLACE else ()
    place = lines.index(edited)
    merged = (*lines[:place], *kept, *lines[place + 1 :])
    return with_lines(clause, merged)


def _lines_of(clause: s.Clause, edit: s.Edit) -> tuple[Any, ...]:
    if not isinstance(clause, s.ActionClause | s.CardTextClause):
        raise amendment_error(
            "RB161", edit.span, "only an action has requirements and a price"
        )
    return clause.lines


def _edit_pays(clause: s.Clause, edit: s.Edit) -> s.Clause:
    lines = _lines_of(clause, edit)
    places = [i for i, line in enumerate(lines) if isinstance(line, s.Pays)]
    if edit.verb is s.EditVerb.ADD and places:
        raise amendment_error(
            "RB162",
            edit.span,
            "this action has a price already",
            "write `replace pays`, with the whole price",
            ((lines[places[0]].span, "here"),),
        )
    if edit.verb is s.EditVerb.ADD:
        merged = (edit.content, *lines)
    elif not places:
        raise amendment_error("RB160", edit.span, "this action has no price")
    else:
        kept = (edit.content,) if edit.verb is s.EditVerb.REPLACE else ()
        merged = (*lines[: places[0]], *kept, *lines[places[0] + 1 :])
    return with_lines(clause, merged)


def _edit_row(clause: s.Clause, edit: s.Edit) -> s.Clause:
    if isinstance(clause, s.DefineClause):
        raise _value_table_error(edit)
    table = getattr(clause, "table", None)
    row = edit.content
    if table is None and isinstance(clause, s.KindClause):
        return _edit_member(clause, edit)
    if table is None:
        raise amendment_error("RB161", edit.span, "this clause has no table")
    if isinstance(row, s.Row) and len(row.cells) + len(table.defaults) == len(
        table.columns
    ):
        row = attrs.evolve(row, cells=(*row.cells, *table.defaults))
        edit = attrs.evolve(edit, content=row)
    if isinstance(row, s.Row) and len(row.cells) != len(table.columns):
        raise amendment_error(
            "RB022",
            row.span,
            f"the row has {len(row.cells)} cells, but the table has "
            f"{len(table.columns)} columns",
            related=((table.columns[0].span, "the columns are declared here"),),
        )

    def label(line: s.Row) -> str:
        value = line.cells[0].value
        return value.text if isinstance(value, s.Name) else ""

    rows = _edit_list(table.rows, edit, "row", label)
    new = attrs.evolve(table, rows=rows)
    return attrs.evolve(clause, table=new)  # type: ignore[call-arg]


def _edit_member(clause: s.KindClause, edit: s.Edit) -> s.Clause:
    """Return a kind written on one line, with a member added, replaced or removed."""
    row = edit.content
    if isinstance(row, s.Row):
        if edit.name is None or len(row.cells) != 1:
            message = "this kind has only names, no columns"
            raise amendment_error("RB022", row.span, message, "write one name")
        edit = attrs.evolve(edit, content=edit.name)
    members = _edit_list(clause.members, edit, "row", lambda member: member.text)
    return attrs.evolve(clause, members=members)


def _value_table_error(edit: s.Edit) -> Exception:
    return amendment_error(
        "RB161",
        edit.span,
        "a definition's table cannot be changed row by row",
        "write the whole definition again: `replace define …`",
    )


def _edit_line(clause: s.Clause, edit: s.Edit) -> s.Clause:
    if not isinstance(clause, s.DefineClause):
        name = "LABEL" if edit.name is None else edit.name.text
        form = "`remove {}`" if edit.verb is s.EditVerb.REMOVE else "`add {}: VALUE`"
        points = isinstance(clause, s.PointsClause | s.HintValueClause)
        raise amendment_error(
            *("RB161", edit.span, "only a definition has lines"),
            f"write {form.format(name)}, without the word `line`" if points else None,
        )

    if clause.table is not None:
        raise _value_table_error(edit)

    def label(line: s.DefinitionLine) -> str:
        return line.label.text if line.label else ""

    lines = _edit_list(clause.lines, edit, "line", label)
    return attrs.evolve(clause, lines=lines)


def _edit_points(clause: s.Clause, edit: s.Edit) -> s.Clause:
    if not isinstance(clause, s.PointsClause | s.HintValueClause):
        assert edit.name is not None
        raise amendment_error(
            *("RB161", edit.span, "only `points` has such lines"),
            _label_help(clause, edit.name.text),
        )
    lines = _edit_list(clause.lines, edit, "line", lambda line: line.label.text)
    return attrs.evolve(clause, lines=lines)


_LABELLED: tuple[tuple[type[s.Node], str, str], ...] = (
    (s.Needs, "label", "needs"),
    (s.StepStatement, "name", "step"),
    (s.ActionOffer, "name", "action"),
    (s.DefinitionLine, "label", "line"),
)
"""Classes of labelled parts: the attribute with the label, and the word before it."""


def _label_help(clause: s.Clause, label: str) -> str | None:
    """Return help on how to write an edit of the part with this label."""
    for sort, attribute, word in _LABELLED:
        for part in find(clause, sort):
            name = getattr(part, attribute)
            if name is not None and name.text == label:
                return f"write the word `{word}` before `{label}`"
    return None


def _edit_award(clause: s.Clause, edit: s.Edit) -> s.Clause:
    if not isinstance(clause, s.AwardClause) or edit.name is None:
        raise amendment_error("RB161", edit.span, "only an award has such lines")
    part = s.AwardLine(edit.name.text)
    old = getattr(clause, part)
    content: Any = edit.content
    if part is s.AwardLine.TIE:
        clause = attrs.evolve(clause, tie_span=edit.span)
    if edit.verb is s.EditVerb.ADD and part in (s.AwardLine.GAINED, s.AwardLine.LOST):
        return _with_part(clause, part, (*old, *content))
    return _with_part(clause, part, content)


def _with_part(clause: s.AwardClause, part: str, value: Any) -> s.AwardClause:
    changes: dict[str, Any] = {part: value}
    return attrs.evolve(clause, **changes)


# ---------------------------------------------------------------- steps and menus


def _edit_step(clause: s.Clause, edit: s.Edit) -> s.Clause:
    assert edit.name is not None
    names = [step.name.text for step in find(clause, s.StepStatement)]
    if edit.name.text not in names:
        raise missing_part_error(edit, "step", names)

    def change(node: Any) -> Any:
        edited = isinstance(node, s.StepStatement) and node.name == edit.name
        return _apply_step_edit(node, edit) if edited else node

    new: s.Clause = rewrite(clause, change)
    return new


def _apply_step_edit(step: s.StepStatement, edit: s.Edit) -> tuple[Any, ...]:
    body: Any = edit.content
    match edit.verb:
        case s.EditVerb.REPLACE:
            return (attrs.evolve(step, body=body, span=edit.span),)
        case s.EditVerb.BEFORE:
            return (*body, step)
        case s.EditVerb.AFTER:
            return (step, *body)
    return ()


Offer = s.Menu | s.Do | s.MayDo
"""Statement that offers actions to a seat."""


def _edit_menu(clause: s.Clause, edit: s.Edit) -> s.Clause:
    assert edit.name is not None
    chosen = _offering_statement(clause, edit)

    def change(node: Any) -> Any:
        if node is not chosen:
            return node
        return attrs.evolve(node, calls=_edit_offers(node.calls, edit))

    new: s.Clause = rewrite(clause, change)
    return new


def _offering_statement(clause: s.Clause, edit: s.Edit) -> Offer:
    """Return the menu or choice of actions that an edit changes."""
    where: Any = clause
    if edit.anchor is not None:
        steps = {step.name.text: step for step in find(clause, s.StepStatement)}
        if edit.anchor.text not in steps:
            raise missing_part_error(
                attrs.evolve(edit, name=edit.anchor), "step", list(steps)
            )
        where = steps[edit.anchor.text].body
    menus = list(find(where, s.Menu))
    offers: list[Offer] = [*menus, *find(where, s.Do), *find(where, s.MayDo)]
    if not offers:
        raise amendment_error("RB161", edit.span, "there is no choice of actions here")
    if not menus and len(offers) > 1:
        raise amendment_error(
            "RB161",
            edit.span,
            "there are several choices of actions here",
            "name the step that contains it: `in step NAME`",
            tuple((offer.span, "one of them") for offer in offers),
        )
    return offers[0]


def _edit_offers(
    calls: tuple[s.ActionOffer, ...], edit: s.Edit
) -> tuple[s.ActionOffer, ...]:
    """Return the offered actions of a choice after an edit."""
    assert edit.name is not None
    names = [call.name.text for call in calls]
    if edit.verb is not s.EditVerb.REPLACE:
        edited = _edit_list(calls, edit, "choice", lambda call: call.name.text)
        if not edited:
            raise amendment_error(
                "RB161", edit.span, "this would leave no action to choose"
            )
        return edited
    if edit.name.text not in names:
        raise missing_part_error(edit, "choice", names)
    place = names.index(edit.name.text)
    new = cast("tuple[s.ActionOffer, ...]", edit.content)
    return (*calls[:place], *new, *calls[place + 1 :])


# ---------------------------------------------------------------- start and end


def _add_at_beginning(clause: s.Clause, edit: s.Edit) -> s.Clause:
    lines, content = _statements_of(clause, edit)
    head = (s.Needs, s.NeedsAs, s.Pays)
    place = max(
        (number for number, line in enumerate(lines, 1) if isinstance(line, head)),
        default=0,
    )
    return _with_statements(clause, (*lines[:place], *content, *lines[place:]))


def _add_at_end(clause: s.Clause, edit: s.Edit) -> s.Clause:
    """Add statements where the clause ends: after its last line and at each `stop`."""
    lines, content = _statements_of(clause, edit)

    def change(node: Any) -> Any:
        return (*content, node) if isinstance(node, s.StopStatement) else node

    stops = bool(lines) and isinstance(lines[-1], s.StopStatement)
    after = () if stops else content
    return _with_statements(clause, (*rewrite(lines, change), *after))


def _statements_of(
    clause: s.Clause, edit: s.Edit
) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """Return the statements of a clause, and the statements that an edit adds."""
    content = cast("tuple[s.Stmt, ...]", edit.content)
    match clause:
        case s.ActionClause(lines=lines) | s.CardTextClause(lines=lines):
            return lines, content
        case (
            s.ProcedureClause(body=body)
            | s.SetupClause(body=body)
            | s.EndClause(body=body)
            | s.RoundClause(body=body)
            | s.Phase(body=body)
            | s.RuleClause(body=body)
        ):
            return body, content
    message = "only a clause with statements has a beginning and an end"
    raise amendment_error("RB161", edit.span, message)


def _with_statements(clause: s.Clause, lines: tuple[Any, ...]) -> s.Clause:
    name = "lines" if isinstance(clause, s.ActionClause | s.CardTextClause) else "body"
    changes: dict[str, Any] = {name: lines}
    return attrs.evolve(clause, **changes)


def _edit_players(clause: s.Clause, edit: s.Edit) -> s.Clause:
    assert isinstance(edit.content, s.BinderPhrase)
    if not isinstance(clause, s.Phase) or clause.players is None:
        raise amendment_error(
            "RB161", edit.span, "only a phase of `each` player can have other players"
        )
    old, new = (each.name or each.kind for each in (clause.players, edit.content))
    if new.text != old.text:
        raise amendment_error(
            "RB161",
            new.span,
            f"the statements of this phase call the player `{old.text}`",
            f"write `{old.text}` here too, or replace the whole phase",
        )
    return attrs.evolve(clause, players=edit.content)


def _reject_part(clause: s.Clause, edit: s.Edit) -> s.Clause:
    """Raise `AmendmentError` for a part that cannot be edited inside this clause."""
    raise amendment_error(
        "RB161", edit.span, "this part cannot be amended inside a clause"
    )


def _edit_function(part: s.EditPart) -> Callable[[s.Clause, s.Edit], s.Clause]:
    """Return the function that applies an edit to a part."""
    match part:
        case s.EditPart.BEGINNING:
            return _add_at_beginning
        case s.EditPart.END:
            return _add_at_end
        case s.EditPart.NEEDS:
            return _edit_needs
        case s.EditPart.PAYS:
            return _edit_pays
        case s.EditPart.ROW:
            return _edit_row
        case s.EditPart.LINE:
            return _edit_line
        case s.EditPart.POINTS:
            return _edit_points
        case s.EditPart.AWARD:
            return _edit_award
        case s.EditPart.STEP:
            return _edit_step
        case s.EditPart.ACTION:
            return _edit_menu
        case s.EditPart.PLAYERS:
            return _edit_players
        case s.EditPart.FIELD | s.EditPart.PHASE:
            return _reject_part
    assert_never(part)
