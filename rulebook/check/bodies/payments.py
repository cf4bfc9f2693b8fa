"""Payments of actions: who pays, who receives, and how."""

from __future__ import annotations

from rulebook import model as m
from rulebook import syntax as s
from rulebook.addresses import Address
from rulebook.check.declare.scope import Unit
from rulebook.check.declare.symbol_table import (
    PLAYER,
    SymbolTable,
    mistake,
    unknown_name_error,
)
from rulebook.check.typing.assignability import expect_type
from rulebook.check.typing.expression_checks import (
    check_expr,
    named_cost,
)
from rulebook.model.value_types import Bag, Member, Truth
from rulebook.source.spans import Cite

PLAYER_TYPE = Member(PLAYER)


def inherited_citations(part: s.Clause, clause: s.Clause) -> tuple[Cite, ...]:
    """Return the citations that a part without its own takes from its clause.

    A part that another file added inherits none, since the cited text does not cover
    it.
    """
    return clause.cites if part.span.file == clause.span.file else ()


def check_payment(
    unit: Unit, line: s.Pays, clause: s.Clause
) -> tuple[m.Requirement, m.Stmt]:
    """Return the requirement that the price can be paid, and the payment statement."""
    world = unit.world
    price_clause: s.Clause = line
    match line.price:
        case s.NameRef(name=name) if name.text not in unit.names:
            price = named_cost(unit, name)
            price_clause = world.clauses[Address("cost", name.text)]
        case _:
            price = check_expr(unit, line.price)
    if not isinstance(price.type, Bag):
        raise mistake("RB110", line.price.span, "expected a cost, such as `2 a, 1 b`")
    you = m.you(line.span)
    payments = next(
        (c for c in world.clauses.values() if isinstance(c, s.PaymentsClause)), None
    )
    if payments is None:
        raise mistake(
            "RB140",
            line.span,
            "no clause defines how players pay",
            "add a clause such as `payments of player: player's pack to store`",
        )
    condition, pay, holder = _pay_by(unit, payments, price, you)
    need = m.Requirement(
        label="pays",
        sort=m.RequirementSort.PAYS,
        condition=condition,
        reason="",
        holder=holder,
        bag=price,
        cites=line.cites
        or price_clause.cites
        or inherited_citations(price_clause, clause),
        span=line.span,
    )
    return need, m.IfElse(
        condition=m.payment_condition(line.span), body=(pay,), span=line.span
    )


def _pay_by(
    unit: Unit, clause: s.PaymentsClause, price: m.Expr, you: m.Expr
) -> tuple[m.Expr, m.Stmt, m.Expr | None]:
    """Return a payment's condition and statement, and the holder that pays or None."""
    world = unit.world
    if clause.by is not None and clause.condition is not None:
        entries = world.defines.get(clause.condition.text, [])
        if not entries:
            raise unknown_name_error("description", clause.condition, world.defines)
        test = m.call(entries[0].key, (you, price), Truth(), price.span)
        if clause.by.text not in world.procedure_parameters:
            raise unknown_name_error("procedure", clause.by, world.procedure_parameters)
        call = m.CallProcedure(
            procedure=clause.by.text, arguments=(you, price), span=price.span
        )
        return test, call, None
    assert clause.source is not None and clause.destination is not None
    with unit.block():
        subject = subject_variable(world, clause.subject)
        unit.names[subject] = m.variable(m.YOU, subject, PLAYER_TYPE)
        source = check_expr(unit, clause.source)
        destination = check_expr(unit, clause.destination)
    for holder in (source, destination):
        expect_type(holder, price.type)
    move = m.MoveCards(
        bag=price, source=source, destination=destination, span=price.span
    )
    return m.covers(source, price, price.span), move, source


def subject_variable(world: SymbolTable, node: s.ParameterPhrase) -> str:
    """Return the name of the variable in a subject such as `points of player`.

    A wrong subject is reported; the check then continues with the expected variable.
    """
    with world.collect_errors():
        if node.kind is None or world.domain_named(node.kind).name != PLAYER:
            raise mistake(
                "RB136",
                node.span,
                "the subject of this clause must be a player",
                "write `player` here",
            )
        return node.name.text
    return PLAYER if node.name == node.kind else node.name.text
