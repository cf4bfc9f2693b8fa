"""Every lowered program is well formed, before and after each pass.

Each check rejects a broken program.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import attrs
import pytest

from interpreter.expressions.definitions import Definitions
from interpreter.kernel import operations as k
from interpreter.kernel.passes.pipeline import EVERY_PASS, PASSES, Pass, optimise
from interpreter.kernel.traversal import BOUND, WRITTEN
from interpreter.kernel.verify import (
    CALLEE_SLOTS,
    LOCALS,
    MalformedOperation,
    ProgramNames,
    Verifier,
    verify,
    verify_block,
    verify_steps,
)
from interpreter.lowering.program_parts import (
    BlockPart,
    DefinitionPart,
    Part,
    StepsPart,
    parts_of,
)
from interpreter.plan.plan import Plan
from interpreter.planning import plan_for
from rulebook import RulesError
from tests.support.kernel_texts import EXPRESSIONS, STATEMENTS
from workbench import load

ROOT = Path(__file__).parents[3]
FOLDERS = ("variants", "examples", "tests", "benchmarks")
COPIES = ("house", "bugs", "corpus", "oracle", "houses", "benchmarks")
"""Folders whose games differ little from shipped games."""

Change = Callable[[Any], Any]

# ---------------------------------------------------------------- all programs


def rule_files(*, deep: bool) -> Iterator[str]:
    """Yield the paths of the rule files that may be complete games."""
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.rules")):
            name = path.relative_to(ROOT)
            if path.name.count(".") == 1 and (deep or not {*name.parts} & {*COPIES}):
                yield str(name)


def changes(plan: Plan) -> dict[str, Change]:
    """Return sets of passes by name: no pass, each pass alone, and all together."""
    functions = Definitions(plan.facts).function

    def applied(*on: Pass) -> Change:
        return lambda e: optimise(e, frozenset(on), functions)

    single = {str(name): applied(name) for name in sorted(PASSES)}
    every = applied(*PASSES)
    return {
        "none": lambda e: e,
        **single,
        "all": every,
    }


def names_of(plan: Plan) -> ProgramNames:
    """Return the functions and units of a plan."""
    units = {number: bool(unit.steps) for number, unit in plan.lowered_units.items()}
    return ProgramNames(plan.source.names, units)


def check(part: Part, change: Change, names: ProgramNames) -> None:
    """Verify a part of a program after a change of its operations."""
    match part:
        case StepsPart():
            steps = [tuple(map(change, step)) for step in part.steps]
            verify_steps(steps, part.places, range(part.frame), names)
        case BlockPart():
            block = tuple(map(change, part.block))
            verify_block(block, part.parameters, range(part.frame), names)
        case DefinitionPart():
            bound = [*part.parameters]
            for line in part.lines:
                for slot, value in line.named:
                    verify(change(value), bound, names=names)
                    bound.append(slot)
                if line.condition is not None:
                    verify(change(line.condition), bound, names=names)
                verify(change(line.result), bound, names=names)
        case _:
            raise AssertionError(part)


@pytest.mark.timeout(300)
def test_every_program_is_well_formed_before_and_after_each_pass(deep: bool) -> None:
    """`--deep` also checks the programs of plans that were made without any pass."""
    games, parts = 0, 0
    for name in rule_files(deep=deep):
        try:
            book = load(name)
        except RulesError:
            continue
        games += 1
        for rewrites in (EVERY_PASS, frozenset[str]()) if deep else (EVERY_PASS,):
            plan = plan_for(book, len(book.seats), {}, rewrites)
            passes, names = changes(plan), names_of(plan)
            for part in parts_of(plan, plan.optimiser):
                parts += 1
                for label, change in passes.items():
                    try:
                        check(part, change, names)
                    except MalformedOperation as error:
                        pytest.fail(f"{name}, {part.title}, passes {label}: {error}")
    assert games > 80
    assert parts > 2_000


# ---------------------------------------------------------------- broken programs

ZERO, ONE, TWO = k.Int(0), k.Int(1), k.Int(2)
SET = k.Range(ZERO, ONE)
ROW = k.ConstantRow((1, 2), None)
STACK = k.Stack(4, None, 3)
ANY = k.Fold(k.FoldKind.ANY, 9, SET, k.Var(9))
WAYS = k.Ways(1, ZERO, ((), ()), None, None, None, None)
TRAIL = k.TrailLength((SET,), k.PerElement(9, ZERO), None, None, (), None, 9, None)
DICE = k.Dice((((0, 1), 1),), (3, 4), None)
OFFER = k.ActionOffer(None, free=False, slots=(2,), arguments=(ONE,), needed=())
FINISH = k.Finish(ONE, None, "", certain=True)
DEAL = k.Deal(
    0, 1, SET, 0, 2, False, "card", (0, 1, -1), (1, 1), 0, None, (), None, None, None
)


def changed(e: Any, **fields: Any) -> Any:
    """Return an operation with other fields."""
    return attrs.evolve(e, **fields)


VALUES: dict[str, tuple[Any, Any]] = {
    "sequence for a value": (k.Negate(ONE), k.Negate(SET)),  # type: ignore[arg-type]
    "value for a sequence": (ANY, changed(ANY, sequence=ONE)),
    "value for a row": (k.Total(ROW), k.Total(ONE)),  # type: ignore[arg-type]
    "text for a number": (ONE, k.Int("1")),  # type: ignore[arg-type]
    "list for a tuple": (k.All(()), k.All([])),  # type: ignore[arg-type]
    "operation as data": (ROW, k.ConstantRow((1, 2), ONE)),
    "statement in a value": (
        k.All((ONE,)),
        k.All((k.Leave(),)),  # type: ignore[arg-type]
    ),
    "truth of 2": (k.Int(1, truth=True), k.Int(2, truth=True)),
    "operator": (k.Binary("+", ONE, ONE), k.Binary("^", ONE, ONE)),
    "comparison": (k.CompareValues("<", ONE, ONE), k.CompareValues("<>", ONE, ONE)),
    "first comparison": (
        k.Between(ZERO, "<=", ONE, "<", ONE),
        k.Between(ZERO, "=<", ONE, "<", ONE),
    ),
    "second comparison": (
        k.Between(ZERO, "<=", ONE, "<", ONE),
        k.Between(ZERO, "<=", ONE, "=", ONE),
    ),
    "kind of a fold": (ANY, changed(ANY, kind="all")),
    "sum without a value": (
        changed(ANY, kind=k.FoldKind.SUM, value=ONE),
        changed(ANY, kind=k.FoldKind.SUM),
    ),
    "count with a value": (
        changed(ANY, kind=k.FoldKind.COUNT),
        changed(ANY, value=ONE),
    ),
    "local that nothing defines": (ANY, changed(ANY, where=k.Var(8))),
    "member outside its loop": (ANY, k.All((ANY, k.Var(9)))),
    "member in its own sequence": (ANY, changed(ANY, sequence=k.Range(ZERO, k.Var(9)))),
    "member as a row": (ANY, changed(ANY, where=k.Total(k.LocalRow(9, 2)))),
    "empty table": (k.Lookup((5, -1), ZERO), k.Lookup((), ZERO)),
    "table that is too short": (
        k.Lookup((5, 6, -1), ONE),
        k.Lookup((5, -1), ONE),
    ),
    "table without none": (
        changed(ANY, where=k.Lookup((5, 6, -1), k.Var(9, 2))),
        changed(ANY, where=k.Lookup((5, 6), k.Var(9, 2))),
    ),
    "rows without none": (
        changed(ANY, sequence=k.TableRow(((1,), ()), ZERO)),
        changed(ANY, sequence=k.TableRow(((1,),), ZERO)),
    ),
    "rows of different widths": (
        k.Total(k.LookupRow(((1, 2), (0, 0)), ZERO, "x")),
        k.Total(k.LookupRow(((1, 2), (0,)), ZERO, "x")),
    ),
    "sum of different rows": (
        k.Total(k.SumRow((ROW,), 2)),
        k.Total(k.SumRow((ROW,), 3)),
    ),
    "comparison of different rows": (
        k.CoversRow(ROW, ROW),
        k.CoversRow(ROW, k.CellRow(ZERO, 3)),
    ),
    "index outside a row": (k.Element(ROW, ONE), k.Element(ROW, k.Int(2))),
    "step of 0": (k.CellRow(ZERO, 3, 2), k.CellRow(ZERO, 3, 0)),
    "negative size": (k.CellRow(ZERO, 3), k.CellRow(ZERO, -3)),
    "coordinates without an axis": (
        k.GridIndex(((0, 3),), (ONE,), None, 2),
        k.GridIndex(((0, 3),), (ONE, ONE), None, 2),
    ),
    "empty axis": (
        k.GridIndex(((0, 3),), (ONE,), None, 2),
        k.GridIndex(((0, 0),), (ONE,), None, 2),
    ),
    "no sites": (k.Probe((3,), ONE), k.Probe((), ONE)),
    "size of a range": (k.Range(ZERO, ONE, 2), k.Range(ZERO, ONE, 3)),
    "sizes of a row and its indices": (k.Nonzero(ROW, 2), k.Nonzero(ROW, 3)),
    "stack of no cards": (k.StackSize(STACK), k.StackSize(k.Stack(4, None, 0))),
    "ways of too few places": (k.Reached(WAYS), k.Reached(changed(WAYS, size=2))),
    "trail without links": (TRAIL, changed(TRAIL, sorts=())),
}
"""For each fault of a value: a correct value, and a value with the fault."""

BLOCKS: dict[str, tuple[k.Block, k.Block]] = {
    "control in a block": ((k.Leave(),), (k.Goto(0),)),  # type: ignore[dict-item]
    "name outside its scope": (
        (k.Scope((k.Bind(9, ONE), k.Assign(0, k.Var(9)))),),
        (k.Scope((k.Bind(9, ONE),)), k.Assign(0, k.Var(9))),
    ),
    "name before its value": (
        (k.Bind(9, ONE), k.Assign(0, k.Var(9))),
        (k.Assign(0, k.Var(9)), k.Bind(9, ONE)),
    ),
    "write of a name": (
        (k.Bind(9, ONE), k.Assign(0, ONE)),
        (k.Bind(9, ONE), k.Assign(9, ONE)),
    ),
    "local of two sorts": (
        (k.Assign(0, k.Var(1)), k.Assign(0, k.Var(1))),
        (k.Assign(0, k.Var(1)), k.AssignSet(0, k.LocalSet(1, 2))),
    ),
    "row of another size": (
        (k.AssignRow(0, ROW, 2),),
        (k.AssignRow(0, ROW, 3),),
    ),
    "row that is stored in part": (
        (k.StoreRow(ZERO, ROW, 2),),
        (k.StoreRow(ZERO, ROW, 1),),
    ),
    "loop over a part of a row": (
        (k.ForCounts(9, 8, ROW, 2, ()),),
        (k.ForCounts(9, 8, ROW, 1, ()),),
    ),
    "no triggers": ((k.Wake(1),), (k.Wake(0),)),
    "count of nothing": ((k.Tick(1),), (k.Tick(0),)),
    "call with too few arguments": ((k.Run(1, (0,), (ONE,)),), (k.Run(1, (0,), ()),)),
}
"""For each fault of a block: a correct block, and a block with the fault."""


def deciding(offer: k.ActionOffer) -> k.WaitForAction:
    """Return a decision about one offer."""
    return k.WaitForAction(0, "", ONE, None, (offer,), None, 0, 0, 0, 0, private=False)


def event(outcomes: k.Outcomes, *accepted: k.Statement) -> k.Chance:
    """Return a chance event."""
    return k.Chance(0, "", "", outcomes, 9, accepted, 0, 0, None)


STEPS: dict[str, tuple[k.Step, k.Step]] = {
    "value in a step": ((k.Goto(0),), (ONE, k.Goto(0))),  # type: ignore[dict-item]
    "label without a place": ((k.Goto(0),), (k.Goto(1),)),
    "label of a branch without a place": (
        (k.Branch(ONE, (k.Goto(0),)), k.Goto(0)),
        (k.Branch(ONE, (k.Goto(1),)), k.Goto(0)),
    ),
    "last step that continues": ((k.Leave(), k.Goto(0)), (k.Leave(),)),
    "operation after a jump": ((k.Leave(), k.Goto(0)), (k.Goto(0), k.Leave())),
    "operation after the end": (
        (changed(FINISH, certain=False), k.Goto(0)),
        (FINISH, k.Goto(0)),
    ),
    "winners and a ranking": (
        (FINISH,),
        (changed(FINISH, ranking=k.BestSet(9, SET, None, ())),),
    ),
    "write outside the frame": ((k.Unset((1,)), k.Goto(0)), (k.Unset((9,)), k.Goto(0))),
    "hidden local outside the frame": (
        (k.BeginDeal(DEAL), k.Goto(0)),
        (k.BeginDeal(changed(DEAL, rest=7)), k.Goto(0)),
    ),
    "unit with too few arguments": (
        (k.Push(ONE, (0,), (ONE,), 0),),
        (k.Push(ONE, (0,), (), 0),),
    ),
    "offer with too few arguments": (
        (deciding(OFFER),),
        (deciding(changed(OFFER, arguments=())),),
    ),
    "faces of a row as one number": (
        (event(DICE, k.Assign(0, k.Element(k.LocalRow(9, 2), ZERO))),),
        (event(DICE, k.Assign(0, k.Var(9))),),
    ),
    "faces without cells": ((event(DICE),), (event(changed(DICE, cells=(3,))),)),
    "weight of 0": ((event(DICE),), (event(changed(DICE, rows=(((0, 1), 0),))),)),
    "card without a written value": (
        (event(DEAL),),
        (event(changed(DEAL, values=(1,))),),
    ),
}
"""For each fault of a step: a correct step, and a step with the fault."""


@pytest.mark.parametrize("fault", VALUES)
def test_a_broken_value_is_rejected(fault: str) -> None:
    sound, broken = VALUES[fault]
    verify(sound)
    with pytest.raises(MalformedOperation):
        verify(broken)


@pytest.mark.parametrize("fault", BLOCKS)
def test_a_broken_block_is_rejected(fault: str) -> None:
    sound, broken = BLOCKS[fault]
    verify_block(sound, frame=range(2))
    with pytest.raises(MalformedOperation):
        verify_block(broken, frame=range(2))


@pytest.mark.parametrize("fault", STEPS)
def test_a_broken_step_is_rejected(fault: str) -> None:
    sound, broken = STEPS[fault]
    verify_steps([sound], {0: 0}, range(2))
    with pytest.raises(MalformedOperation):
        verify_steps([broken], {0: 0}, range(2))


NAMES = ProgramNames({"d1"}, {1: False, 2: True})
CALLS: dict[str, tuple[k.Step, k.Step]] = {
    "value": (
        (k.Assign(0, k.CallFunction("d1", ())), k.Goto(0)),
        (k.Assign(0, k.CallFunction("d2", ())), k.Goto(0)),
    ),
    "row": (
        (k.AssignRow(0, k.CallRow("d1", (), 2), 2), k.Goto(0)),
        (k.AssignRow(0, k.CallRow("d2", (), 2), 2), k.Goto(0)),
    ),
    "set": (
        (k.AssignSet(0, k.CallSet("d1", (), 2)), k.Goto(0)),
        (k.AssignSet(0, k.CallSet("d2", (), 2)), k.Goto(0)),
    ),
    "unit": ((k.Run(1, (), ()), k.Goto(0)), (k.Run(3, (), ()), k.Goto(0))),
    "unit that waits": ((k.Run(1, (), ()), k.Goto(0)), (k.Run(2, (), ()), k.Goto(0))),
    "next unit": ((k.Push(TWO, (), (), 0),), (k.Push(k.Int(3), (), (), 0),)),
}
"""For each sort of call: a call of an existing function or unit, and an invalid call.
"""


@pytest.mark.parametrize("call", CALLS)
def test_a_call_of_a_missing_function_or_unit_is_rejected(call: str) -> None:
    sound, broken = CALLS[call]
    verify_steps([sound], {0: 0}, range(2), NAMES)
    with pytest.raises(MalformedOperation, match=r"unknown (function|unit)|may wait"):
        verify_steps([broken], {0: 0}, range(2), NAMES)


@pytest.mark.parametrize("kind", WRITTEN)
def test_a_write_outside_the_frame_is_rejected(kind: type) -> None:
    example = next(e for e, _ in [*EXPRESSIONS, *STATEMENTS] if type(e) is kind)
    for field in WRITTEN[kind].split():
        several = isinstance(getattr(example, field), tuple)
        broken = changed(example, **{field: (99,) if several else 99})
        places = dict.fromkeys(range(10), 0)
        Verifier(frozenset(range(10)), places).check_operation(example, "", {})
        with pytest.raises(MalformedOperation, match="99 is not in the frame"):
            Verifier(frozenset(range(10)), places).check_operation(broken, "", {})


def test_a_label_at_a_missing_step_is_rejected() -> None:
    with pytest.raises(MalformedOperation, match="label 0 is at step 1"):
        verify_steps([(k.Goto(0),)], {0: 1}, ())


def test_the_error_has_the_path_of_the_operation() -> None:
    wrong = k.CompareValues("=", k.Var(0), ONE)
    block = (k.Leave(), k.When(ONE, (k.Assign(0, k.Negate(wrong)),)))

    with pytest.raises(MalformedOperation) as caught:
        verify_block(block, frame=[0])

    assert caught.value.path == "[1].body[0].value.value"
    assert caught.value.problem == "unknown operator ="


def operations() -> list[type]:
    """Return the classes of operations."""
    return [kind for kind in vars(k).values() if attrs.has(kind)]


def test_every_field_with_a_slot_is_known_to_the_verifier() -> None:
    for kind in operations():
        named = {*BOUND.get(kind, ("", ()))[0].split(), *WRITTEN.get(kind, "").split()}
        fields = {field.name for field in attrs.fields(kind)}
        if kind in LOCALS or kind in CALLEE_SLOTS or kind is k.Bind:
            continue
        assert fields & {"slot", "slots", "rest"} <= named, kind
