"""Checks of clauses with bodies: definitions, actions, procedures, awards and rules."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from rulebook import model as m
from rulebook import syntax as s
from rulebook.addresses import (
    AWARD,
    RULE,
    Address,
    card_unit,
    phase_players_unit,
    phase_unit,
)
from rulebook.check.bodies.actions import declare_action
from rulebook.check.bodies.payments import (
    PLAYER_TYPE,
    check_payment,
    inherited_citations,
    subject_variable,
)
from rulebook.check.bodies.statement_checks import (
    check_block,
    check_statement,
    collect_error,
)
from rulebook.check.declare.scope import Unit, UnitSort, bind_parameters
from rulebook.check.declare.signatures import parameter_types
from rulebook.check.declare.symbol_table import (
    PLAYER,
    ActionSignature,
    SymbolTable,
    mistake,
    unknown_name_error,
)
from rulebook.check.facts.preconditions import with_implied_requirements
from rulebook.check.typing.assignability import describe_type
from rulebook.check.typing.binders import bind, visited_members
from rulebook.check.typing.expression_checks import (
    check_condition,
    check_expr,
    check_number,
)
from rulebook.model.value_types import Truth
from rulebook.queries.calls import measure_code
from rulebook.traversal import find

# ---------------------------------------------------------------- actions


def declare_actions(world: SymbolTable) -> None:
    """Declare the names and parameters of all actions and procedures."""
    for clause in world.clauses.values():
        if not isinstance(clause, s.ActionClause | s.ProcedureClause):
            continue
        with world.collect_errors(clause.name.text):
            if isinstance(clause, s.ActionClause):
                given = parameter_types(world, clause.parameters)
                slots = tuple(
                    m.Parameter(slot=place + 2, name=name, type=type_)
                    for place, (name, type_) in enumerate(given)
                )
                name = clause.name.text
                declare_action(world, ActionSignature(name, slots, clause.name.span))
            else:
                given = parameter_types(world, clause.parameters)
                world.procedure_parameters[clause.name.text] = tuple(
                    m.Parameter(slot=place + 1, name=name, type=type_)
                    for place, (name, type_) in enumerate(given)
                )


def check_action(world: SymbolTable, clause: s.ActionClause) -> None:
    """Check an action and store it in the order of declaration."""
    signature = world.action_signatures[clause.name.text]
    unit = Unit(world, clause.name.text, UnitSort.ACTION)
    unit.slots.append("free")
    for parameter in signature.parameters:
        unit.declare(parameter.name, parameter.type)
    empty = m.Action(
        name=clause.name.text,
        parameters=signature.parameters,
        requirements=(),
        body=(),
        slots=(),
        cites=clause.cites,
        span=clause.name.span,
    )
    world.actions[clause.name.text] = empty
    requirements, body = _action_lines(unit, clause)
    requirements = with_implied_requirements(world, requirements, body)
    _check_unique_labels(world, requirements)
    world.actions[clause.name.text] = attrs.evolve(
        empty,
        requirements=tuple(requirements),
        body=tuple(body),
        slots=tuple(unit.slots),
    )


def _check_unique_labels(world: SymbolTable, requirements: list[m.Requirement]) -> None:
    seen: dict[str, m.Requirement] = {}
    lines = (
        diagnostic.span
        for diagnostic in world.diagnostics
        if diagnostic.code == "RB102"
    )
    reported_lines = {(span.file, span.line) for span in lines}
    for requirement in requirements:
        with world.collect_errors():
            if (
                requirement.label in seen
                and (requirement.span.file, requirement.span.line) not in reported_lines
            ):
                raise mistake(
                    "RB102",
                    requirement.span,
                    f"the requirement `{requirement.label}` occurs twice",
                    "use another label: labels must be unique within an"
                    " action, including those from `needs as`",
                    related=((seen[requirement.label].span, "first here"),),
                )
        seen.setdefault(requirement.label, requirement)


def _action_lines(
    unit: Unit, clause: s.ActionClause | s.CardTextClause
) -> tuple[list[m.Requirement], list[m.Stmt]]:
    requirements: list[m.Requirement] = []
    body: list[m.Stmt] = []
    for line in clause.lines:
        with collect_error(unit, line):
            match line:
                case s.Pays():
                    need, payment = check_payment(unit, line, clause)
                    requirements.append(need)
                    body.append(payment)
                case s.Needs():
                    requirements.append(_need(unit, line, clause))
                case s.NeedsAs():
                    requirements.extend(_exclude_labels(line, _needs_as(unit, line)))
                case _:
                    body.extend(check_statement(unit, line))
    return requirements, body


def _need(unit: Unit, line: s.Needs, clause: s.Clause) -> m.Requirement:
    with unit.block():
        condition = check_condition(unit, line.condition)
    return m.Requirement(
        label=line.label.text,
        sort=m.RequirementSort.NEEDS,
        condition=condition,
        reason=line.reason,
        cites=line.cites or inherited_citations(line, clause),
        span=line.span,
    )


def _needs_as(
    unit: Unit, line: s.NeedsAs, action_chain: tuple[str, ...] = ()
) -> list[m.Requirement]:
    """Return the requirements that a `needs as` line takes from another action."""
    world = unit.world
    if line.action.text in unit.names:
        return _card_text_requirements(unit, line)
    other = next(
        (
            clause
            for clause in world.clauses.values()
            if isinstance(clause, s.ActionClause)
            and clause.name.text == line.action.text
        ),
        None,
    )
    if other is None or other.name.text not in world.action_signatures:
        raise unknown_name_error("action", line.action, world.action_signatures)
    action_chain = (
        (*action_chain, other.name.text)
        if action_chain
        else (unit.clause, other.name.text)
    )
    if other.name.text in action_chain[:-1]:
        raise mistake(
            "RB151",
            line.action.span,
            f"this refers to itself: {' -> '.join(action_chain)}",
            "`needs as` must not lead back to the action itself",
        )
    others = world.action_signatures[other.name.text].parameters
    parameters = world.action_signatures[unit.clause].parameters
    if [p.type for p in others] != [p.type for p in parameters[: len(others)]]:
        raise mistake(
            "RB116",
            line.action.span,
            f"`{other.name.text}` has different parameters, so its"
            " requirements do not fit",
        )
    with unit.block():
        for own, theirs in zip(parameters, others, strict=False):
            unit.names[theirs.name] = m.variable(own.slot, theirs.name, own.type)
        requirements: list[m.Requirement] = []
        for entry in other.lines:
            if isinstance(entry, s.Needs):
                with collect_error(unit, entry):
                    requirements.append(_need(unit, entry, other))
            elif isinstance(entry, s.NeedsAs):
                requirements.extend(
                    _exclude_labels(entry, _needs_as(unit, entry, action_chain))
                )
    return requirements


def _exclude_labels(
    line: s.NeedsAs, requirements: list[m.Requirement]
) -> list[m.Requirement]:
    """Return the requirements except those that a `needs as … except` line names."""
    labels = [requirement.label for requirement in requirements]
    for label in line.without:
        if label.text not in labels:
            raise unknown_name_error("requirement", label, labels)
    left_out = {label.text for label in line.without}
    return [
        requirement for requirement in requirements if requirement.label not in left_out
    ]


def _card_text_requirements(unit: Unit, line: s.NeedsAs) -> list[m.Requirement]:
    """Return the requirements of all card texts, each applying only to its own card."""
    world = unit.world
    card = unit.local(line.action.text, line.action.span)
    domain = getattr(card.type, "domain", "")
    kind = world.domains.get(domain)
    if kind is None or kind.sort is not m.DomainSort.CARDS:
        raise mistake(
            "RB110", card.span, f"`{line.action.text}` is neither an action nor a card"
        )
    members = world.domains[domain].members
    requirements: list[m.Requirement] = []
    for clause in world.clauses.values():
        if isinstance(clause, s.CardTextClause) and clause.name.text in members:
            own_card = m.constant(members.index(clause.name.text), card.type)
            other = m.unequal(card, own_card)
            for part in clause.lines:
                if isinstance(part, s.Needs):
                    with collect_error(unit, part):
                        need = _need(unit, part, clause)
                        parts = (other, need.condition)
                        condition = m.disjunction(parts, part.span)
                        requirements.append(attrs.evolve(need, condition=condition))
    return requirements


# ---------------------------------------------------------------- procedures


def check_body(
    world: SymbolTable,
    name: str,
    body: tuple[s.Stmt, ...],
    clause: s.Clause,
    given_parameters: tuple[m.Parameter, ...] = (),
    you: str | None = None,
) -> m.Procedure:
    """Check the body of a clause; return it as a procedure.

    `you` is another name for the player who acts in it.
    """
    unit = Unit(world, name, UnitSort.PROCEDURE)
    if you is not None:
        unit.names[you] = m.variable(m.YOU, you, PLAYER_TYPE)
    bound = bind_parameters(unit, tuple((p.name, p.type) for p in given_parameters))
    statements = check_block(unit, body)
    return m.Procedure(
        name=name,
        parameters=bound,
        body=statements,
        slots=tuple(unit.slots),
        cites=clause.cites,
        span=clause.span,
    )


def check_phase(world: SymbolTable, clause: s.Phase) -> Iterator[m.Procedure]:
    """Yield the procedure of a phase, and any that runs it once for each player."""
    phase, players = phase_unit(clause.name.text), clause.players
    if players is None:
        yield check_body(world, phase, clause.body, clause)
        return
    unit = Unit(world, phase_players_unit(clause.name.text), UnitSort.PROCEDURE)
    bound = bind(unit, players, in_turn=True)
    yield check_body(world, phase, clause.body, clause, you=bound.name)
    if bound.type != PLAYER_TYPE:
        raise mistake("RB136", players.span, "only players can act in a phase")
    you = bound.variable(players.span)
    act = m.CallProcedure(procedure=phase, arguments=(), player=you, span=players.span)
    loop = visited_members(bound).make_node(
        m.EachMember, body=(act,), still=players.still, span=players.span
    )
    yield m.Procedure(
        name=unit.clause,
        parameters=(),
        body=(loop,),
        slots=tuple(unit.slots),
        cites=clause.cites,
        span=players.span,
    )


def check_card_text(world: SymbolTable, clause: s.CardTextClause) -> m.Procedure | None:
    """Return the procedure for a card's text, or None if it has no lines.

    The requirements become a condition around the body.
    """
    named = (m.DomainSort.CARDS, m.DomainSort.KIND)
    kinds = [domain for domain in world.domains.values() if domain.sort in named]
    cards = [member for kind in kinds for member in kind.members]
    if clause.name.text not in cards:
        raise unknown_name_error("card", clause.name, cards)
    if not clause.lines:
        return None
    unit = Unit(world, card_unit(clause.name.text), UnitSort.PROCEDURE)
    requirements, body = _action_lines(unit, clause)
    block: tuple[m.Stmt, ...] = tuple(body)
    if requirements:
        needed = tuple(requirement.condition for requirement in requirements)
        block = (m.IfElse(condition=m.And(needed, type=Truth()), body=block),)
    return m.Procedure(
        name=unit.clause,
        parameters=(),
        body=block,
        slots=tuple(unit.slots),
        cites=clause.cites,
        span=clause.span,
    )


# ---------------------------------------------------------------- points, awards, rules


def check_points(
    world: SymbolTable, clause: s.PointsClause | s.HintValueClause | None
) -> m.PointTable:
    """Check a `points` or `hint value` clause; the table is empty without a clause."""
    if clause is None:
        return m.PointTable(lines=(), slots=("you", PLAYER))
    unit = Unit(world, "points", UnitSort.VALUE, has_actor=False)
    unit.declare(subject_variable(world, clause.subject), PLAYER_TYPE)
    unit.excluded_slot = 1
    lines: list[m.PointLine] = []
    for line in clause.lines:
        with world.collect_errors(), unit.block():
            test = line.condition
            condition = None if test is None else check_condition(unit, test)
            lines.append(
                m.PointLine(
                    label=line.label.text,
                    value=check_number(unit, line.value),
                    cites=line.cites or clause.cites,
                    condition=condition,
                    span=line.span,
                )
            )
    return m.PointTable(lines=tuple(lines), slots=tuple(unit.slots), span=clause.span)


def check_measure(world: SymbolTable, clause: s.MeasureClause) -> m.GameMeasure:
    """Check a measure: a number or condition, per player or for the whole game."""
    for you in find(clause.value, s.You):
        raise mistake(
            "RB112",
            you.span,
            "a measure cannot use `you`: nobody acts when it is evaluated",
            "measure it for each player: `measure NAME of player: …`",
        )
    unit = Unit(world, measure_code(clause.name.text), UnitSort.VALUE, has_actor=False)
    if clause.subject is not None:
        unit.declare(subject_variable(world, clause.subject), PLAYER_TYPE)
        unit.excluded_slot = 1
    with unit.block():
        value = check_expr(unit, clause.value)
    if not isinstance(value.type, m.Whole | m.Truth):
        raise mistake(
            "RB110",
            value.span,
            "a measure must be a number or a condition, but this is"
            f" {describe_type(value.type)}",
            "to measure a number of things, write `number of …`",
        )
    return m.GameMeasure(
        name=clause.name.text,
        value=value,
        each_player=clause.subject is not None,
        each_turn=clause.each_turn,
        unit=clause.unit,
        slots=tuple(unit.slots),
        cites=clause.cites,
        span=clause.span,
    )


def check_award(
    world: SymbolTable, clause: s.AwardClause, procedures: dict[str, m.Procedure]
) -> m.Award:
    """Check an award; its `gained` and `lost` bodies become procedures."""
    name = clause.name.text
    if clause.most is None:
        raise mistake(
            "RB141",
            clause.name.span,
            f"the award `{name}` has no line `most …`, which determines its holder",
        )
    unit = Unit(world, str(Address(AWARD, name)), UnitSort.VALUE, has_actor=False)
    subject = subject_variable(world, clause.subject)
    unit.declare(subject, PLAYER_TYPE)
    unit.excluded_slot = 1
    parts: dict[str, str | None] = {}
    for word, body in (("gained", clause.gained), ("lost", clause.lost)):
        address = str(Address(AWARD, name, (word,)))
        parts[word] = address if body else None
        if body:
            given = (m.Parameter(slot=1, name=subject, type=PLAYER_TYPE),)
            address = str(Address(AWARD, name, (word,)))
            procedures[address] = check_body(world, address, body, clause, given)
    at_least = None if clause.at_least is None else check_number(unit, clause.at_least)
    only_if = None if clause.only_if is None else check_condition(unit, clause.only_if)
    return m.Award(
        name=name,
        measure=check_number(unit, clause.most),
        at_least=at_least,
        only_if=only_if,
        tie=clause.tie or m.Tie.NOBODY,
        gained=parts["gained"],
        lost=parts["lost"],
        slots=tuple(unit.slots),
        cites=clause.cites,
        span=clause.span,
    )


def check_rule(
    world: SymbolTable, clause: s.RuleClause, procedures: dict[str, m.Procedure]
) -> m.Rule:
    """Check a rule; its body becomes a procedure with a member as its parameter."""
    name = str(Address(RULE, clause.name.text))
    unit = Unit(world, name, UnitSort.VALUE)
    slot: int | None = None
    set_: m.Expr | None = None
    given: tuple[m.Parameter, ...] = ()
    if clause.binder is not None:
        bound = bind(unit, clause.binder)
        slot, set_ = bound.slot, bound.set
        condition = bound.where or m.truth(True, clause.span)
        given = (m.Parameter(slot=1, name=bound.name, type=bound.type),)
    else:
        assert clause.condition is not None
        condition = check_condition(unit, clause.condition)
    procedures[name] = check_body(world, name, clause.body, clause, given)
    return m.Rule(
        name=clause.name.text,
        condition=condition,
        slot=slot,
        set=set_,
        procedure=name,
        slots=tuple(unit.slots),
        cites=clause.cites,
        span=clause.span,
    )
