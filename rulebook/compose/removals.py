"""Errors for uses of removed names, reported at the amendment that removed them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rulebook import syntax as s
from rulebook.source.diagnostics import Diagnostic

_DECLARING_PARTS = (s.EditPart.ROW, s.EditPart.FIELD, s.EditPart.PHASE)
"""Parts of clauses that declare names which other clauses can use."""

_UNREFERENCED_SORTS = frozenset(("scenario", "invariant", "hint", "look", "measure"))
"""Sorts of clauses to which no other clause refers."""

_SHOWN_MAX = 5


def removed_names(
    amendment: s.Remove | s.Edit, clause: s.Clause | None = None
) -> dict[str, s.Name]:
    """Return the names that an amendment removes, each with its node there.

    `clause` is the removed clause, if the amendment removes a whole clause.
    """
    name = amendment.name
    unreferenced = (
        isinstance(amendment, s.Remove) and amendment.sort in _UNREFERENCED_SORTS
    )
    keeps_names = isinstance(amendment, s.Edit) and (
        amendment.verb is not s.EditVerb.REMOVE
        or amendment.part not in _DECLARING_PARTS
    )
    if name is None or unreferenced or keeps_names:
        return {}
    plural = getattr(clause, "plural", None)
    texts = [name.text] if plural is None else [name.text, plural.text]
    return dict.fromkeys(texts, name)


def move_to_removals(
    removed: Mapping[str, s.Name], diagnostics: Iterable[Diagnostic]
) -> list[Diagnostic]:
    """Return the diagnostics, with those about a removed name moved to its removal."""
    uses: dict[s.Name, list[Diagnostic]] = {}
    others = []
    for diagnostic in diagnostics:
        place = None if diagnostic.name is None else removed.get(diagnostic.name)
        if place is not None and diagnostic.span.file != place.span.file:
            uses.setdefault(place, []).append(diagnostic)
        else:
            others.append(diagnostic)
    return others + [_removal_diagnostic(*name_uses) for name_uses in uses.items()]


def _removal_diagnostic(name: s.Name, uses: list[Diagnostic]) -> Diagnostic:
    places = tuple((use.span, "it is used here") for use in uses[:_SHOWN_MAX])
    return Diagnostic(
        "RB101",
        f"`{name.text}` is removed here, but remaining rules use it",
        name.span,
        "also change or remove the rules that use it",
        places,
        name=name.text,
    )
