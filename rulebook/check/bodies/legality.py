"""`ACTION is legal`: a condition that combines the requirements of an action.

Each such condition becomes a definition, so that all checks of definitions apply to it.
It searches for arguments that are not given. Each requirement is tested as soon as
everything that it reads is known.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import attrs

from rulebook import model as m
from rulebook import syntax as s
from rulebook.check.bodies.actions import action_named, check_offer
from rulebook.check.declare.scope import Unit
from rulebook.check.declare.symbol_table import PLAYER, SymbolTable, mistake
from rulebook.check.facts.preconditions import reads_slots
from rulebook.check.typing.arithmetic_checks import negate_if
from rulebook.check.typing.assignability import TRUTH
from rulebook.check.typing.expression_checks import check_player
from rulebook.model.value_types import NONE, Member, Whole
from rulebook.traversal import rewrite

LEGAL = "legal"
ACTOR_SLOT = 1
"""Slot of the seat that would act; no requirement uses it for anything else."""


def check_is_legal(unit: Unit, node: s.Is) -> m.Expr | None:
    """Return the condition for `ACTION is legal`, or None for other uses of `is`."""
    name, arguments = _name_and_arguments(node.subject)
    if name is None or node.word.text != LEGAL or name.text in unit.names:
        return None
    if LEGAL in unit.world.defines and name.text not in unit.world.action_signatures:
        return None
    signature = action_named(unit.world, name)
    if node.preposition not in (None, "for") or isinstance(node.object, s.Number):
        raise mistake(
            "RB123",
            node.span,
            f"`{name.text}` can be legal only for a player",
            f"write `{name.text} is legal` or `{name.text} is legal for PLAYER`",
        )
    actor = _actor(unit, node)
    call = s.ActionOffer(name=name, arguments=arguments, span=node.subject.span)
    given = check_offer(unit, call).arguments
    sentence = _sentence(name.text, signature.parameters[: len(given)])
    unit.world.legality_conditions.setdefault(sentence, (name, len(given)))
    condition = m.call(sentence, (actor, *given), TRUTH, node.span)
    return negate_if(condition, node.negated)


def _name_and_arguments(node: s.Expr) -> tuple[s.Name | None, tuple[s.Expr, ...]]:
    match node:
        case s.NameRef(name=name):
            return name, ()
        case s.Apply(name=name, arguments=arguments):
            return name, arguments
    return None, ()


def _actor(unit: Unit, node: s.Is) -> m.Expr:
    if node.object is not None:
        return check_player(unit, node.object)
    if not unit.has_actor:
        assert isinstance(node.subject, s.NameRef | s.Apply)
        raise mistake(
            "RB112",
            node.span,
            "nobody acts here: state for whom the action is legal",
            f"write `{node.subject.name.text} is legal for PLAYER`",
        )
    return m.you()


def _sentence(name: str, parameters: tuple[m.Parameter, ...]) -> str:
    names = ", ".join(parameter.name for parameter in parameters)
    return f"{name}({names}) is legal" if names else f"{name} is legal"


# ---------------------------------------------------------------- the definitions


def legality_definitions(world: SymbolTable) -> Iterator[m.Define]:
    """Yield the definitions for all `is legal` conditions of the checked actions."""
    for sentence, (name, given) in world.legality_conditions.items():
        action = world.actions.get(name.text)
        if action is None:
            continue  # the action has an error, which is reported elsewhere
        with world.collect_errors():
            if action.inline:
                raise mistake(
                    "RB135",
                    name.span,
                    f"`{name.text}` only records a choice, so it is legal "
                    "whenever the choice is offered",
                    "`is legal` needs an action that has a clause",
                )
            yield _definition(action, sentence, given)


def _definition(action: m.Action, sentence: str, given_count: int) -> m.Define:
    actor = m.Parameter(slot=ACTOR_SLOT, name=PLAYER, type=Member(PLAYER))
    open_ = action.parameters[given_count:]
    needs = [
        _value_requirement(parameter) for parameter in action.parameters[:given_count]
    ]
    needs += [
        attrs.evolve(requirement, condition=rewrite(requirement.condition, _for_actor))
        for requirement in action.requirements
    ]
    return m.Define(
        name=sentence,
        sentence=sentence,
        parameters=(actor, *action.parameters[:given_count]),
        type=TRUTH,
        lines=tuple(
            _search_lines(needs, open_) if open_ else _requirement_lines(needs)
        ),
        slots=(action.slots[0], PLAYER, *action.slots[2:]),
        cites=action.cites,
        span=action.span,
        action=action.name,
    )


def _for_actor(node: object) -> object:
    if m.is_variable(node, m.YOU):
        return attrs.evolve(node, slot=ACTOR_SLOT, name=PLAYER)
    return node


def _value_requirement(parameter: m.Parameter) -> m.Requirement:
    """Return the requirement that an argument is a valid value of its parameter."""
    argument = m.variable(parameter.slot, parameter.name, parameter.type)
    bounds: tuple[tuple[m.Comparison, int], ...] = ((m.Comparison.UNEQUAL, NONE),)
    if isinstance(parameter.type, Whole):
        bounds = (
            (m.Comparison.AT_LEAST, parameter.type.low),
            (m.Comparison.AT_MOST, parameter.type.high),
        )
    parts = tuple(
        m.compare(op, argument, m.constant(end, parameter.type)) for op, end in bounds
    )
    sort = m.RequirementSort.VALUE
    return m.Requirement(parameter.name, sort, m.conjunction(parts), "")


def _requirement_lines(requirements: Iterable[m.Requirement]) -> Iterator[m.DefineLine]:
    """Yield a line per requirement, which returns `no` if unmet, then a `yes` line."""
    for need in requirements:
        yield m.DefineLine(
            label=need.label,
            value=m.truth(False),
            condition=m.negation(need.condition),
            cites=need.cites,
            span=need.span,
        )
    yield m.DefineLine(label="", value=m.truth(True), condition=None)


def _search_lines(
    requirements: Iterable[m.Requirement], open_parameters: tuple[m.Parameter, ...]
) -> Iterator[m.DefineLine]:
    """Yield a definition line that is true if some arguments meet all requirements."""
    parts = [part for need in requirements for part in m.conjuncts(need.condition)]
    condition = _existence_condition(parts, open_parameters)
    yield m.DefineLine(label="", value=m.truth(True), condition=condition)


def _existence_condition(
    parts: list[m.Expr], open_parameters: tuple[m.Parameter, ...]
) -> m.Expr | None:
    """Return the condition that arguments exist for which all *parts* are true.

    Parts that read no open parameter are tested first.
    """
    slots = {parameter.slot for parameter in open_parameters}
    closed_parts = [part for part in parts if not reads_slots(part, slots)]
    if open_parameters:
        open_parts = [part for part in parts if reads_slots(part, slots)]
        first = open_parameters[0]
        set_ = _pop_membership_set(first, open_parts, slots) or _all_values(first)
        where = _existence_condition(open_parts, open_parameters[1:])
        closed_parts.append(m.exists(first.slot, first.name, set_, where))
    return m.conjunction(tuple(closed_parts)) if closed_parts else None


def _pop_membership_set(
    parameter: m.Parameter, parts: list[m.Expr], open_slots: set[int]
) -> m.Expr | None:
    """Pop the test that *parameter* is in a set from *parts*; return the set if any."""
    for number, part in enumerate(parts):
        match part:
            case m.Contains(set=set_, member=member) if (
                m.is_variable(member, parameter.slot)
                and isinstance(parameter.type, Member)
                and not reads_slots(set_, open_slots)
            ):
                del parts[number]
                return set_
    return None


def _all_values(parameter: m.Parameter) -> m.Expr:
    """Return the set of all values of a parameter's type."""
    if isinstance(parameter.type, Member):
        return m.all_of(parameter.type.domain)
    assert isinstance(parameter.type, Whole)
    return m.number_set(parameter.type.low, parameter.type.high)
