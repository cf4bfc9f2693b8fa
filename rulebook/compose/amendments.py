"""Amendments: `replace`, `remove` and edits of clauses in other files."""

from __future__ import annotations

import attrs

from rulebook import syntax as s
from rulebook.addresses import EACH_SORT, LOOK, Address
from rulebook.compose.clause_ids import (
    address_of,
    addressed_parts,
    amended_address,
    field_address,
)
from rulebook.compose.edit_paths import edit_words, edited_paths
from rulebook.compose.edits import AmendmentError, amendment_error, apply_edit
from rulebook.compose.look_hints import hint_subject, hints_of, look_addresses
from rulebook.compose.merged import MergedRules, declare, name_span
from rulebook.compose.removals import removed_names
from rulebook.source.spans import Cite, Span
from rulebook.source.spelling import nearest

_LISTED_MAX = 12
"""Maximum number of names that a message lists if no name is similar."""


def unknown_clause_error(
    merged: MergedRules, key: Address, span: Span
) -> AmendmentError:
    """Return the error for an amendment that names an unknown clause."""
    sort, name = key.sort, key.without_sort
    names = sorted({clause_id.short for clause_id in merged.clauses}, key=str)
    same = sorted(
        known.without_sort
        for known in names
        if known.sort == sort and known.without_sort
    )
    exact = [known for known in names if known.without_sort == name]
    near = nearest(name, same) or nearest(
        name, sorted(known.without_sort for known in names)
    )
    help: str | None = None
    if exact:
        help = f"there is `{exact[0].description}`"
    elif near is not None:
        help = f"did you mean `{near}`?"
    elif 0 < len(same) <= _LISTED_MAX:
        help = f"there are {', '.join(f'`{sort} {namesake}`' for namesake in same)}"
    return amendment_error(
        "RB163", span, f"there is no clause `{key.description}`", help
    )


def replace_clause(merged: MergedRules, clause: s.Clause) -> None:
    """Replace the clause that has the same address, or raise `AmendmentError`."""
    key = address_of(clause)
    if key not in merged.clauses and isinstance(clause, s.DefineClause):
        key = _define_key(merged, key)
    merged.change_log.record_change(key, name_span(clause))
    if key not in merged.clauses:
        raise unknown_clause_error(merged, key, name_span(clause))
    old = merged.clauses[key]
    if isinstance(clause, s.OptionClause) and isinstance(old, s.OptionClause):
        clause = _inherit_range(clause, old)
    if isinstance(clause, s.DefineClause) and isinstance(old, s.DefineClause):
        clause = _inherit_type(clause, old)
    merged.clauses[key] = clause
    _record_replaced(merged, key, old)


def replace_turn(merged: MergedRules, turn: s.TurnClause) -> None:
    """Replace all phases of the turn with the phases of *turn*.

    A `round` has no `skip`, so it also removes the `skip` of the game below.
    """
    phases = {address_of(phase): phase for phase in addressed_parts(turn)}
    merged.change_log.record_change(Address("turn"), turn.span)
    clauses: dict[Address, s.Clause] = {}
    for key, clause in merged.clauses.items():
        if isinstance(clause, s.Phase):
            merged.change_log.record_change(key, turn.span)
            clauses |= phases
            first = next(iter(phases))
            _record_replaced(merged, key if key in phases else first, clause)
        elif (
            isinstance(clause, s.SkipClause)
            and turn.phases[0].each_round
            and clause.span.file != turn.span.file
        ):
            merged.change_log.record_change(key, turn.span)
        else:
            clauses[key] = clause
    if not any(key in clauses for key in phases):
        raise unknown_clause_error(merged, next(iter(phases)), turn.span)
    merged.clauses = clauses


def _define_key(merged: MergedRules, key: Address) -> Address:
    """Return the address of the only definition with this name, or else *key*."""
    same = [clause_id for clause_id in merged.clauses if clause_id.short == key.short]
    return same[0] if len(same) == 1 else key


def _inherit_range(new: s.OptionClause, old: s.OptionClause) -> s.OptionClause:
    """Return the new option, with the old range and help if it has none."""
    range_ = new.range
    yes_no = all(isinstance(value, s.YesNo) for value, _ in new.default)
    if range_ is None and not yes_no:
        range_ = old.range
    return attrs.evolve(new, range=range_, help=new.help or old.help)


def _inherit_type(new: s.DefineClause, old: s.DefineClause) -> s.DefineClause:
    """Return the new definition, with the old type if it has none."""
    match new.signature, old.signature:
        case (
            s.PropertySignature() | s.ValueSignature() as mine,
            s.PropertySignature() | s.ValueSignature() as theirs,
        ) if mine.type is None:
            return attrs.evolve(new, signature=attrs.evolve(mine, type=theirs.type))
    return new


def _record_replaced(merged: MergedRules, key: Address, old: s.Clause) -> None:
    merged.replaced_clauses[key] = (*merged.replaced_clauses.get(key, ()), old)


def remove_clause(merged: MergedRules, clause: s.Remove) -> None:
    """Remove the named clause, or all hints about the look of a named thing."""
    if clause.sort == LOOK:
        _remove_look(merged, clause)
        return
    key = _full_address(merged, amended_address(clause.sort, clause.name))
    merged.change_log.record_change(key, clause.name.span)
    if key not in merged.clauses:
        raise unknown_clause_error(merged, key, clause.name.span)
    merged.removed_names |= removed_names(clause, merged.clauses.pop(key))


def _remove_look(merged: MergedRules, clause: s.Remove) -> None:
    """Remove all hints about the look of one thing."""
    keys = look_addresses(merged.clauses, clause.name.text)
    if not keys:
        raise unknown_look_error(merged, clause.name)
    for key in keys:
        merged.change_log.record_change(key, clause.name.span)
        del merged.clauses[key]


def unknown_look_error(merged: MergedRules, name: s.Name) -> AmendmentError:
    """Return the error for removing the look of a thing that has no hints."""
    things = [hint_subject(hint).text for hint in hints_of(merged.clauses)]
    near = nearest(name.text, sorted(set(things)))
    help = f"did you mean `{near}`?" if near else None
    message = f"no hint describes the look of `{name.text}`"
    return amendment_error("RB163", name.span, message, help)


def _full_address(merged: MergedRules, key: Address) -> Address:
    """Return the full address for a short one, if exactly one clause matches it."""
    same = [clause_id for clause_id in merged.clauses if clause_id.short == key]
    return same[0] if len(same) == 1 else key


def apply_amendment(merged: MergedRules, clause: s.Within) -> None:
    """Apply the edits of one amendment; a rejected edit does not stop the others."""
    for edit in clause.edits:
        try:
            if edit.part is s.EditPart.PHASE:
                _add_phase(merged, edit)
            elif edit.part is s.EditPart.FIELD:
                _edit_field(merged, clause, edit)
            else:
                _edit_clause(merged, clause, edit)
        except AmendmentError as error:
            merged.diagnostics.append(error.diagnostic)


def _edit_clause(merged: MergedRules, clause: s.Within, edit: s.Edit) -> None:
    span = clause.name.span if clause.name else clause.span
    key = _full_address(merged, amended_address(clause.sort, clause.name))
    paths = edited_paths(merged.clauses.get(key), edit)
    merged.change_log.record_change(key, edit.span, paths, edit_words(edit))
    if key not in merged.clauses:
        raise unknown_clause_error(merged, key, span)
    old = merged.clauses[key]
    edit = _inherit_cites(edit, clause.cites)
    merged.clauses[key] = apply_edit(old, edit)
    _record_replaced(merged, key, old)
    merged.removed_names |= removed_names(edit)


def _inherit_cites(edit: s.Edit, cites: tuple[Cite, ...]) -> s.Edit:
    """Return the edit, with the amendment's citations if its content has none."""
    content = edit.content
    if isinstance(content, s.Clause) and not content.cites:
        return attrs.evolve(edit, content=attrs.evolve(content, cites=cites))
    return edit


def _edit_field(merged: MergedRules, clause: s.Within, edit: s.Edit) -> None:
    assert edit.name is not None
    owner = clause.name if clause.sort == EACH_SORT else None
    key = field_address(owner, edit.name)
    if edit.verb is s.EditVerb.ADD:
        assert isinstance(edit.content, s.FieldLine)
        new = s.FieldsClause(owner=owner, fields=(edit.content,), span=edit.span)
        declare(merged, new)
        return
    merged.change_log.record_change(key, edit.span)
    if key not in merged.clauses:
        raise unknown_clause_error(merged, key, edit.name.span)
    old = merged.clauses[key]
    _record_replaced(merged, key, old)
    if edit.verb is s.EditVerb.REMOVE:
        del merged.clauses[key]
        merged.removed_names |= removed_names(edit)
    else:
        assert isinstance(old, s.FieldsClause) and isinstance(edit.content, s.FieldLine)
        merged.clauses[key] = attrs.evolve(old, fields=(edit.content,))


def _add_phase(merged: MergedRules, edit: s.Edit) -> None:
    assert edit.anchor is not None and isinstance(edit.content, s.Phase)
    anchor = amended_address("phase", edit.anchor)
    position = f"{edit.where} {edit.anchor.text}"
    turn = Address("turn")
    merged.change_log.record_change(
        turn, edit.span, [("phase", position)], edit_words(edit)
    )
    merged.change_log.record_change(
        anchor, edit.span, [("beside", position)], edit_words(edit)
    )
    if anchor not in merged.clauses:
        raise unknown_clause_error(merged, anchor, edit.anchor.span)
    beside_phase = merged.clauses[anchor]
    assert isinstance(beside_phase, s.Phase)
    added = attrs.evolve(edit.content, each_round=beside_phase.each_round)
    key = address_of(added)
    if key in merged.clauses:
        declare(merged, added)
    items: list[tuple[Address, s.Clause]] = []
    for name, clause in merged.clauses.items():
        pair = [(name, clause)]
        if name == anchor:
            new = [(key, added)]
            pair = [*new, *pair] if edit.where is s.Side.BEFORE else [*pair, *new]
        items.extend(pair)
    merged.clauses = dict(items)
