"""Parts of a lowered program: its units, definitions and enumerators."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import attrs

from interpreter.core.action_index import PlannedAction
from interpreter.expressions.definitions import table_lookup
from interpreter.expressions.lowerer import Argument, Lowerer
from interpreter.expressions.tables import EXPRESSIONS
from interpreter.kernel import operations as k
from interpreter.kernel.passes.pipeline import Optimiser, Pass
from interpreter.kernel.traversal import walk
from interpreter.lowering.enumerators import enumerator
from interpreter.lowering.named_values import bound_lines
from interpreter.plan.addresses import Addresses
from interpreter.plan.plan import Plan
from rulebook import model as m


@attrs.frozen(kw_only=True)
class Part:
    """Part of a lowered program, with a title and the address of its clause.

    `parameters` are the slots with given values, and `frame` is the size of the frame.
    """

    title: str
    address: str
    parameters: tuple[int, ...] = ()
    frame: int = 0


@attrs.frozen(kw_only=True)
class BlockPart(Part):
    """Part without steps: a unit that never waits, or an enumerator."""

    block: k.Block


@attrs.frozen(kw_only=True)
class EnumeratorPart(BlockPart):
    """Enumerator of an action, whose operations are already rewritten."""


@attrs.frozen(kw_only=True)
class StepsPart(Part):
    """Unit that may wait; `places` maps its labels to step numbers."""

    steps: tuple[k.Step, ...]
    places: Mapping[k.Label, int]


@attrs.frozen
class Line:
    """Line of a definition, used if its condition is true.

    `named` are the locals that are bound before it, each with its value.
    """

    condition: k.Value | None
    result: Argument
    named: tuple[tuple[int, Argument], ...] = ()


@attrs.frozen(kw_only=True)
class DefinitionPart(Part):
    """Definition with its lowered lines.

    Its value is the sum of its applicable lines if `adds` is true, else the first one.
    """

    lines: tuple[Line, ...]
    adds: bool


def parts_of(plan: Plan, optimiser: Optimiser) -> Iterator[Part]:
    """Yield the parts of the program of a plan."""
    addresses = Addresses(plan.book)
    for number, define in enumerate(plan.model.defines.values()):
        yield lower_definition(
            plan, number, define, addresses.address_of(define, define.name)
        )
    for unit in plan.rule_units:
        if unit.code is None:
            continue
        lowered = plan.lowered_units[unit.number]
        title = f"unit {unit.number}, {unit.name}"
        address = addresses.address_of(unit.code, unit.name)
        given = (m.YOU, *[parameter.slot for parameter in unit.code.parameters])
        size = len(unit.slots)
        if lowered.steps:
            yield StepsPart(
                title=title,
                address=address,
                parameters=given,
                frame=size,
                steps=lowered.steps,
                places=lowered.places,
            )
        else:
            yield BlockPart(
                title=title,
                address=address,
                parameters=given,
                frame=size,
                block=lowered.block,
            )
    for action, fixed in offered_actions(plan):
        low = Lowerer(plan.facts, EXPRESSIONS)
        yield EnumeratorPart(
            title=f"enumerator of {action.name}",
            address=addresses.address_of(action.action, action.name),
            parameters=(m.YOU, m.FREE, *fixed),
            block=enumerator(low, optimiser, action, fixed),
        )


def lower_definition(
    plan: Plan, number: int, define: m.Define, address: str
) -> DefinitionPart:
    """Return a lowered definition."""
    low = Lowerer(plan.facts, EXPRESSIONS)
    lines = [
        Line(
            low.condition(bound.line.condition),
            low.argument(bound.line.value),
            tuple([(each.slot, low.argument(each.value)) for each in bound.named]),
        )
        for bound in bound_lines(plan.facts, define)
    ]
    table = (
        table_lookup(plan.facts, define)
        if Pass.TABLES in plan.optimiser.passes
        else None
    )
    if table is not None:
        lines = [
            Line(table.applies, table.value),
            *(lines if table.applies is not None else ()),
        ]
    return DefinitionPart(
        title=f"definition d{number}, {define.name}",
        address=address,
        parameters=tuple([parameter.slot for parameter in define.parameters]),
        lines=tuple(lines),
        adds=define.adds,
    )


def offered_actions(plan: Plan) -> list[tuple[PlannedAction, tuple[int, ...]]]:
    """Return the actions that units offer, with the slots of given parameters."""
    offers: dict[tuple[str, tuple[int, ...]], PlannedAction] = {}
    for lowered in plan.lowered_units.values():
        for step in lowered.steps:
            for op in step:
                for inside in walk(op):
                    if isinstance(inside, k.ActionOffer):
                        key = (inside.action.name, inside.slots)
                        offers[key] = inside.action
    return [(action, fixed) for (_, fixed), action in offers.items()]
