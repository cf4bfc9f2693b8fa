"""Checks of types, parameters and signatures of definitions."""

from __future__ import annotations

from rulebook import model as m
from rulebook import syntax as s
from rulebook.check.declare.symbol_table import (
    DefineSignature,
    SignatureSort,
    SymbolTable,
    mistake,
    unknown_name_error,
)
from rulebook.model.value_types import Bag, Member, SetOf, Stack, Truth, Type

FOREIGN_TYPES = {
    **dict.fromkeys(("number", "int", "integer"), "a number needs a range: `0 to 9`"),
    **dict.fromkeys(("bool", "boolean", "condition"), "write `yes/no`"),
    **dict.fromkeys(
        ("text", "string", "str"), "a text is for people only and cannot be a value"
    ),
    **dict.fromkeys(("list", "cards"), "write `bag of` or `stack of` and the kind"),
}
"""Help on the equivalent type in rules, by type name from other languages."""


def check_type(world: SymbolTable, node: s.TypeExpr) -> Type:
    """Return the type that a declaration specifies."""
    match node:
        case s.YesNoType():
            return Truth()
        case s.RangeType():
            return world.range_type(node)
        case s.KindType(name=name) if (
            name.text in FOREIGN_TYPES and name.text not in world.words
        ):
            raise unknown_name_error("kind", name, (), help=FOREIGN_TYPES[name.text])
        case s.KindType(name=name, optional=optional):
            return Member(world.domain_named(name).name, optional=optional)
        case s.HolderType(form=form, name=name):
            domain = world.domain_named(name).name
            forms: dict[str, type[Bag | Stack | SetOf]]
            forms = {"bag": Bag, "stack": Stack, "set": SetOf}
            return forms[form](domain)


def parameter_types(
    world: SymbolTable, nodes: tuple[s.ParameterPhrase, ...]
) -> tuple[tuple[str, Type], ...]:
    """Return the names and types of parameters; raise `Mistake` for repeated names."""
    parameters: list[tuple[str, Type]] = []
    for node in nodes:
        name, type_ = node.name.text, _parameter_type(world, node)
        if any(name == other for other, _ in parameters):
            raise mistake("RB102", node.span, f"two parameters are called `{name}`")
        parameters.append((name, type_))
    return tuple(parameters)


def _parameter_type(world: SymbolTable, node: s.ParameterPhrase) -> Type:
    if node.range is not None:
        return world.range_type(node.range)
    if node.held is not None:
        assert node.kind is not None
        holder = SetOf if node.kind.text == s.HolderForm.SET else Bag
        return holder(world.domain_named(node.held).name)
    if node.kind is None or node.kind.text == s.HolderForm.BAG:
        holders = [name for name in world.domains if name in _card_domains(world)]
        if len(holders) != 1:
            raise mistake(
                "RB111",
                node.span,
                "the kind of these cards is unknown",
                f"name it: `bag of KIND {node.name.text}`",
            )
        return Bag(holders[0])
    return Member(world.domain_named(node.kind).name)


def _card_domains(world: SymbolTable) -> set[str]:
    """Return the kinds of cards used in costs, or else in bag fields."""
    costs = {
        const.type.domain
        for const in world.costs.values()
        if isinstance(const.type, Bag)
    }
    if costs:
        return costs
    return {
        field.type.domain
        for field in world.fields.values()
        if isinstance(field.type, Bag)
    }


def signature_of(
    world: SymbolTable, node: s.Signature, span_node: s.Node
) -> DefineSignature:
    """Return the checked signature of a definition or an expected definition."""
    if isinstance(node, s.ValueSignature):
        types = parameter_types(world, node.parameters)
        words = node.name.text
        sort, preposition = SignatureSort.VALUE, None
    elif isinstance(node, s.PropertySignature):
        types = parameter_types(world, (node.subject, *node.parameters))
        words = f"{node.subject.name.text}'s {node.name.text}"
        sort, preposition = SignatureSort.PROPERTY, None
    else:
        given = (node.subject,) if node.object is None else (node.subject, node.object)
        types = parameter_types(world, given)
        words = f"{node.subject.name.text} is {node.name.text}"
        if node.object is not None:
            words += f" {node.preposition} {node.object.name.text}"
        sort, preposition = SignatureSort.PREDICATE, node.preposition
    type_: Type = Truth()
    if not isinstance(node, s.PredicateSignature):
        type_ = _result_type(world, node)
    kinds = ",".join(_kind_word(type_) for _, type_ in types)
    return DefineSignature(
        key=f"{node.name.text}({kinds})",
        name=node.name.text,
        sort=sort,
        preposition=preposition,
        parameters=tuple(
            m.Parameter(slot=place + 1, name=name, type=t)
            for place, (name, t) in enumerate(types)
        ),
        type=type_,
        sentence=words,
        span=span_node.span,
    )


def _kind_word(type_: Type) -> str:
    """Return the kind of a parameter in the key of its definition."""
    if isinstance(type_, SetOf):
        return f"set_of_{type_.domain}"
    return str(getattr(type_, "domain", "number"))


def _result_type(
    world: SymbolTable, node: s.PropertySignature | s.ValueSignature
) -> Type:
    if node.type is not None:
        return check_type(world, node.type)
    expected = world.expected_types.get(node.name.text)
    if expected is not None:
        return expected
    raise mistake(
        "RB143",
        node.name.span,
        f"`{node.name.text}` has no type",
        f"write `{node.name.text}: 0 to 9`, `: yes/no` or the name of a kind",
    )


def declare_defines(world: SymbolTable) -> None:
    """Declare the signatures of definitions, and the types of expected definitions."""
    for clause in (*world.expectations, *world.clauses.values()):
        if not isinstance(clause, s.ExpectClause | s.DefineClause):
            continue
        with world.collect_errors(clause.signature.name.text):
            signature = signature_of(world, clause.signature, clause.signature.name)
            if isinstance(clause, s.ExpectClause):
                world.expected_types.setdefault(signature.name, signature.type)
            else:
                _add_signature(world, signature)


def _add_signature(world: SymbolTable, signature: DefineSignature) -> None:
    entries = world.defines.setdefault(signature.name, [])
    for other in entries:
        if other.key == signature.key and other.sort == signature.sort:
            raise mistake(
                "RB102",
                signature.span,
                f"`{signature.sentence}` is defined twice",
                related=((other.span, "first defined here"),),
            )
    entries.append(signature)
