"""Checks of offered actions, and declarations of actions that record choices."""

from __future__ import annotations

from rulebook import model as m
from rulebook import syntax as s
from rulebook.addresses import CHOICE_PREFIX
from rulebook.check.declare.scope import Unit
from rulebook.check.declare.symbol_table import (
    ActionSignature,
    SymbolTable,
    argument_count_error,
    mistake,
    unknown_name_error,
)
from rulebook.check.typing.assignability import describe_type, expect_type
from rulebook.check.typing.binders import CheckedBinder
from rulebook.check.typing.expression_checks import check_expr
from rulebook.model.value_types import Member, Truth, Whole
from rulebook.source.spans import Span

RESERVED = ("pass",)


def check_offer(unit: Unit, call: s.ActionOffer) -> m.Offer:
    """Check an action that a choice offers, with the arguments that the offer fixes."""
    signature = action_named(unit.world, call.name)
    wanted = signature.parameters
    if len(call.arguments) > len(wanted):
        declared = ((signature.span, "declared here"),)
        raise argument_count_error(
            call.name, wanted, call.arguments, call.span, declared
        )
    arguments = tuple(
        expect_type(check_expr(unit, node, parameter.type), parameter.type)
        for node, parameter in zip(call.arguments, wanted, strict=False)
    )
    for parameter in wanted[len(arguments) :]:
        if not isinstance(parameter.type, Member | Truth | Whole):
            raise mistake(
                "RB116",
                call.span,
                f"`{parameter.name}` of `{signature.name}` must be given: a"
                f" seat cannot choose {describe_type(parameter.type)}",
                f"write it in brackets: `{signature.name}({parameter.name})`",
                ((signature.span, "declared here"),),
            )
    return m.Offer(
        action=signature.name,
        arguments=arguments,
        free=call.without_paying,
        span=call.span,
    )


def action_named(world: SymbolTable, name: s.Name) -> ActionSignature:
    """Return the signature of a declared action; raise `Mistake` if unknown."""
    if name.text in world.action_signatures:
        return world.action_signatures[name.text]
    help_names = [*world.action_signatures]
    if name.text in world.procedure_parameters:
        raise mistake(
            "RB135",
            name.span,
            f"`{name.text}` is a procedure, which players cannot choose",
            f"write `{name.text}` alone on its line",
        )
    raise unknown_name_error("action", name, help_names)


def declare_until_action(unit: Unit, name: s.Name) -> str:
    """Return the name of the action that ends a menu, declaring it if it is new."""
    world = unit.world
    if name.text not in world.actions and name.text not in world.action_signatures:
        declare_action(world, ActionSignature(name.text, (), name.span))
    signature = world.action_signatures.get(name.text)
    if signature is not None and signature.parameters:
        raise mistake(
            "RB116", name.span, f"`{name.text}` ends a menu and takes no arguments"
        )
    if name.text not in world.actions:
        signature = world.action_signatures[name.text]
        world.actions[name.text] = _empty_action(signature, inline=True)
    return name.text


def declare_action(world: SymbolTable, signature: ActionSignature) -> None:
    """Register the signature of an action; raise `Mistake` if the name is reserved."""
    if signature.name in RESERVED:
        raise mistake("RB107", signature.span, f"`{signature.name}` is a keyword")
    world.action_signatures[signature.name] = signature


def _empty_action(signature: ActionSignature, inline: bool) -> m.Action:
    return m.Action(
        name=signature.name,
        parameters=signature.parameters,
        requirements=(),
        body=(),
        slots=("you", "free", *(p.name for p in signature.parameters)),
        inline=inline,
        span=signature.span,
    )


def choice_name(variable: str) -> str:
    """Return the name of the action by which a seat chooses the value of a variable."""
    return f"{CHOICE_PREFIX}{variable}"


def declare_inline_action(
    unit: Unit, name: str, binder: CheckedBinder, span: Span
) -> str:
    """Declare the action behind a `chooses` or `gathers` statement; return its name."""
    world = unit.world
    type_ = binder.type
    if isinstance(type_, Whole) and (type_.high > 10_000 or type_.low < -10_000):
        raise mistake("RB120", span, "this choice has too many possible numbers")
    signature = ActionSignature(name, (m.Parameter(2, binder.name, type_),), span)
    if name in world.actions:
        known = world.actions[name]
        if not known.inline or _domain(known.parameters[0].type) != _domain(type_):
            raise mistake(
                "RB102",
                span,
                f"the choice `{name}` is already an action with other arguments",
                "give the variable another name",
                (
                    (
                        known.span,
                        f"it takes {describe_type(known.parameters[0].type)} here",
                    ),
                ),
            )
        if isinstance(type_, Whole):
            _widen(world, known, type_)
        return name
    if name in world.action_signatures and name not in world.inline_names:
        raise mistake("RB102", span, f"`{name}` is declared as an action too")
    world.inline_names.add(name)
    world.action_signatures[name] = signature
    world.actions[name] = _empty_action(signature, inline=True)
    return name


def _widen(world: SymbolTable, action: m.Action, type_: Whole) -> None:
    old = action.parameters[0].type
    assert isinstance(old, Whole)
    wide = Whole(min(old.low, type_.low), max(old.high, type_.high))
    parameter = m.Parameter(2, action.parameters[0].name, wide)
    signature = ActionSignature(action.name, (parameter,), action.span)
    world.actions[action.name] = _empty_action(signature, inline=True)


def _domain(type_: object) -> object:
    return type_.domain if isinstance(type_, Member) else "number"
