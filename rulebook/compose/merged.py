"""Merged clauses by address, and the declaration of new clauses."""

from __future__ import annotations

from collections.abc import Iterable

import attrs

from rulebook import syntax as s
from rulebook.addresses import Address
from rulebook.compose.clause_ids import address_of
from rulebook.compose.edits import AmendmentError, amendment_error
from rulebook.compose.merge_conflicts import ChangeLog
from rulebook.source.diagnostics import Diagnostic
from rulebook.source.spans import Span


@attrs.define
class MergedRules:
    """Result of merging files: clauses by address, what was replaced, and diagnostics.

    `open_addresses` are those of defaults and theme clauses, which may be overridden.
    """

    header: s.Header
    change_log: ChangeLog
    clauses: dict[Address, s.Clause] = attrs.Factory(dict)
    expectations: list[s.Expectation] = attrs.Factory(list)
    open_addresses: set[Address] = attrs.Factory(set)
    words: list[s.WordsClause] = attrs.Factory(list)
    citations: list[s.CiteLine] = attrs.Factory(list)
    replaced_clauses: dict[Address, tuple[s.Clause, ...]] = attrs.Factory(dict)
    removed_names: dict[str, s.Name] = attrs.Factory(dict)
    diagnostics: list[Diagnostic] = attrs.Factory(list)


def declare(merged: MergedRules, clause: s.Clause) -> None:
    """Add a clause or replace its default; raise `AmendmentError` for a duplicate."""
    key, place = address_of(clause), name_span(clause)
    if key in merged.open_addresses:
        merged.open_addresses.remove(key)
        merged.change_log.record_change(key, place)
        merged.change_log.declarations[key] = merged.change_log.current_file
        merged.clauses[key] = clause
        return
    old = name_span(merged.clauses[key]) if key in merged.clauses else None
    merged.change_log.record_declaration(key, place, old)
    if old is not None:
        raise _duplicate_error(key, clause, old)
    merged.clauses[key] = clause


def require_distinct(clauses: Iterable[s.Clause]) -> None:
    """Raise `AmendmentError` if two of the clauses have the same address."""
    seen: dict[Address, s.Clause] = {}
    for clause in clauses:
        first = seen.setdefault(address_of(clause), clause)
        if first is not clause:
            raise _duplicate_error(address_of(clause), clause, name_span(first))


def _duplicate_error(key: Address, clause: s.Clause, old: Span) -> AmendmentError:
    place = name_span(clause)
    return amendment_error(
        "RB102",
        place,
        f"{_clause_name(key, clause)} is declared twice",
        _duplicate_help(key, clause, same_file=old.file == place.file),
        ((old, "first declared here"),),
    )


def _clause_name(key: Address, clause: s.Clause) -> str:
    """Return a clause's name for messages: its sort and its name."""
    sort, name = key.sort, key.without_sort
    if isinstance(clause, s.FieldsClause):
        sort = "field"
    return f"{sort} `{name}`" if name else f"`{sort}`"


def _duplicate_help(key: Address, clause: s.Clause, *, same_file: bool) -> str:
    if same_file:
        return "give one of them another name, or delete it"
    if isinstance(clause, s.Phase):
        return f"write `in phase {clause.name.text}` to change it, or `replace turn`"
    if not isinstance(clause, s.FieldsClause):
        return "write `replace` before it to replace the other one"
    owner = f"each {clause.owner.text}" if clause.owner else "game"
    name = clause.fields[0].name.text
    return f"write `in {owner}`, and below it `replace field {name}: …`"


def name_span(clause: s.Clause) -> Span:
    """Return the span of a clause's name, or of the whole clause if it has none."""
    name = getattr(clause, "name", None)
    if isinstance(clause, s.FieldsClause):
        name = clause.fields[0].name
    if isinstance(clause, s.DefineClause):
        name = clause.signature.name
    return name.span if isinstance(name, s.Name) else clause.span
