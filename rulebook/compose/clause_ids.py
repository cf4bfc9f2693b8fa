"""Addresses of clauses, and of the clauses that amendments name."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from rulebook import syntax as s
from rulebook.addresses import DEFINE, TEST_SORTS, Address

#: First word of an address, by class of clause.
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
    s.MeasureClause: "measure",
    s.Phase: "phase",
}


#: Sorts of clauses that may have a table.
TABLED = ("kind", "cards", "spaces", "hexes", "corners", "links")


def addressed_parts(clause: s.Declaration) -> Iterator[s.Clause]:
    """Yield a clause and each of its parts that has its own address."""
    match clause:
        case s.TurnClause(phases=phases, cites=cites):
            for phase in phases:
                yield attrs.evolve(phase, cites=phase.cites or cites)
        case s.FieldsClause(fields=fields, cites=cites):
            for field in fields:
                cited = attrs.evolve(field, cites=field.cites or cites)
                yield attrs.evolve(clause, fields=(cited,), span=field.span)
        case _:
            yield clause


def address_of(clause: s.Clause) -> Address:
    """Return the address of a clause."""
    match clause:
        case s.DiceClause(names=names):
            return Address("dice", names[0].text)
        case s.FieldsClause(owner=owner, fields=fields):
            return field_address(owner, fields[0].name)
        case s.DefineClause(signature=signature):
            return Address(
                DEFINE, signature.name.text, parameter_kinds=parameter_kinds(signature)
            )
        case s.SetupClause():
            return Address("setup")
        case s.EndClause():
            return Address("end")
        case s.RoundClause(when=when):
            return Address(f"{when} each round")
        case s.SkipClause():
            return Address("skip")
        case s.PointsClause():
            return Address("points")
        case s.HintValueClause():
            return Address("hint", "value")
        case s.HintClause(word=word, name=name):
            return Address("hint", word.text, (name.text,))
        case s.PaymentsClause():
            return Address("payments")
        case s.ScenarioClause(title=title):
            return Address("scenario", title)
        case s.InvariantClause(title=title):
            return Address("invariant", title)
    own: s.Name = clause.name  # type: ignore[attr-defined]
    return Address(SORTS[type(clause)], own.text)


def field_address(owner: s.Name | None, name: s.Name) -> Address:
    """Return the address of a field of an owner, or of the game if *owner* is None."""
    return Address(owner.text if owner else "game", name.text)


def amended_address(sort: str, name: s.Name | None) -> Address:
    """Return the address of the clause that an amendment names."""
    if name is None:
        return Address(sort)
    return (
        Address(sort, name.text)
        if sort in TEST_SORTS
        else Address.of_clause(sort, name.text)
    )


def parameter_kinds(signature: s.Signature) -> str:
    """Return the kinds of a signature's parameters, separated by commas."""
    if isinstance(signature, s.ValueSignature):
        parameters: tuple[s.ParameterPhrase, ...] = signature.parameters
    elif isinstance(signature, s.PropertySignature):
        parameters = (signature.subject, *signature.parameters)
    else:
        parameters = (signature.subject,)
        if signature.object is not None:
            parameters = (signature.subject, signature.object)
    return ",".join(parameter.kind_word for parameter in parameters)
