"""The addresses of clauses: what amendments, citations and words call them by."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from rulebook import syntax as s

#: The first word of an address, by the class of the clause.
SORTS: dict[type[s.Clause], str] = {
    s.KindClause: "kind",
    s.CardsClause: "cards",
    s.SpacesClause: "spaces",
    s.HexesClause: "hexes",
    s.CornersClause: "corners",
    s.LinksClause: "links",
    s.OptionClause: "option",
    s.CostClause: "cost",
    s.PieceClause: "piece",
    s.ActionClause: "action",
    s.ProcedureClause: "to",
    s.CardTextClause: "card",
    s.AwardClause: "award",
    s.RuleClause: "rule",
    s.LimitClause: "limit",
    s.ColourClause: "colour",
    s.DrawingClause: "drawing",
    s.Phase: "phase",
}


#: The sorts of clauses that may have a table.
TABLED = ("kind", "cards", "spaces", "hexes", "corners", "links")


def flatten(clause: s.Declaration) -> Iterator[s.Clause]:
    """Yield the parts of a clause that have addresses of their own."""
    match clause:
        case s.TurnClause(phases=phases, cites=cites):
            for phase in phases:
                yield attrs.evolve(phase, cites=phase.cites or cites)
        case s.FieldsClause(fields=fields, cites=cites):
            for field in fields:
                one = attrs.evolve(field, cites=field.cites or cites)
                yield attrs.evolve(clause, fields=(one,), span=field.span)
        case _:
            yield clause


def address(clause: s.Clause) -> str:
    """Return the address of a clause that `flatten` gave."""
    match clause:
        case s.DiceClause(names=names):
            return f"dice.{names[0].text}"
        case s.FieldsClause(owner=owner, fields=fields):
            return f"{owner.text if owner else 'game'}.{fields[0].name.text}"
        case s.DefineClause(signature=signature):
            return f"define.{signature.name.text}({shape(signature)})"
        case s.SetupClause():
            return "setup"
        case s.EndClause():
            return "end"
        case s.RoundClause(when=when):
            return f"{when} each round"
        case s.SkipClause():
            return "skip"
        case s.PointsClause():
            return "points"
        case s.HintValueClause():
            return "hint.value"
        case s.HintClause(word=word, name=name):
            return f"hint.{word.text}.{name.text}"
        case s.PaymentsClause():
            return "payments"
        case s.ScenarioClause(title=title):
            return f'scenario "{title}"'
        case s.InvariantClause(title=title):
            return f'invariant "{title}"'
    own: s.Name = clause.name  # type: ignore[attr-defined]
    return f"{SORTS[type(clause)]}.{own.text}"


def shape(signature: s.Signature) -> str:
    """Return the kinds of a signature's parameters, which tell overloads apart."""
    if isinstance(signature, s.ValueSignature):
        parameters: tuple[s.Parameter, ...] = signature.parameters
    elif isinstance(signature, s.PropertySignature):
        parameters = (signature.subject, *signature.parameters)
    else:
        parameters = (signature.subject,)
        if signature.object is not None:
            parameters = (signature.subject, signature.object)
    return ",".join(one.kind.text if one.kind else "number" for one in parameters)


def short(address_: str) -> str:
    """Return an address as people write it, without the kinds of a define."""
    return address_.partition("(")[0]
