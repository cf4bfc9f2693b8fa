"""Lowering of blocks, loops, calls and game ends, in units that may wait."""

from __future__ import annotations

from interpreter.core.facts import Facts
from interpreter.core.layout import ACTIVE
from interpreter.core.optional import may_be_none
from interpreter.core.slots import FIRST_LOCAL
from interpreter.expressions.lowerer import ONE, ZERO, at_least_0, exists
from interpreter.expressions.set_values import ranking_key, size_of
from interpreter.kernel import operations as k
from interpreter.lowering.unit_lowerer import FlowTable, UnitLowerer
from interpreter.plan.units import SimultaneousBlock
from rulebook import model as m
from rulebook import tooling
from rulebook.signatures import effects_of, effects_within, is_statement


def _step(t: UnitLowerer, node: m.LabelledBlock, end: k.Label) -> None:
    del end
    t.flatten_part(node.body)


def _if(t: UnitLowerer, node: m.IfElse, end: k.Label) -> None:
    del end
    otherwise, done = t.new_label(), t.new_label()
    t.add(k.Branch(k.Negate(t.low.value(node.condition)), (k.Goto(otherwise),)))
    with t.condition(node.condition, node.body):
        t.flatten_block(node.body)
    t.close(k.Goto(done))
    t.place(otherwise)
    t.flatten_block(node.otherwise)
    t.place(done)


def _each(t: UnitLowerer, node: m.EachMember, end: k.Label) -> None:
    del end
    [rest] = t.statement_steps(node).slots
    t.add(k.AssignSet(rest, t.low.sequence(node.set)))
    t.record_loop(node, rest)
    flatten_loop(t, node, rest)


def flatten_loop(
    t: UnitLowerer,
    node: m.EachMember | m.Together,
    rest: int,
    begin: tuple[k.Control, ...] = (),
    end: tuple[k.Control, ...] = (),
) -> None:
    """Flatten a loop over the remaining members, which the hidden local *rest* stores.

    The operations in `begin` run before each round and before the end of the loop. The
    operations in `end` run at the end of the loop.
    """
    again, done = t.label_here(), t.new_label()
    if isinstance(node, m.Together):
        t.splits.append(again)
        t.record_scope(again)
    empty = k.Negate(k.Fold(k.FoldKind.ANY, t.low.new_slot(), k.LocalSet(rest, 0)))
    leave = (k.Unset((rest, node.slot)), *end, k.Goto(done))
    t.add(*begin, k.Branch(empty, leave), k.TakeFirst(rest, node.slot))
    if node.where is not None and isinstance(node, m.EachMember):
        t.add(k.Branch(k.Negate(t.low.value(node.where)), (k.Goto(again),)))
    with t.binding(node.slot, *t.statement_steps(node).slots):
        t.flatten_block(node.body)
    t.close(k.Goto(again))
    t.place(done)


def _together(t: UnitLowerer, node: m.Together, end: k.Label) -> None:
    del end
    rest, own, everybody = slots = t.statement_steps(node).slots
    players, seat = t.low.facts.players, k.Var(t.low.new_slot())
    active = at_least_0(k.Load(k.Int(ACTIVE)))
    turn = k.Binary("%", k.Binary("-", seat, active), k.Int(players))
    chosen = t.low.sequence(node.set)
    if node.where is not None:
        chosen = k.FilteredSet(node.slot, chosen, t.low.value(node.where))
    in_turn = k.SortedSet(seat.slot, chosen, None, turn, falling=False)
    size = size_of(t.low, node.set)
    t.add(k.AssignSet(rest, in_turn), k.BeginTogether(own, rest, everybody, size))
    last, at = slots[-1] + FIRST_LOCAL, node.slot + FIRST_LOCAL
    part = places_bound_in_block(t.code, node)
    grade = t.loop_grade(node)
    t.hide_slots(grade, rest, everybody)
    t.unit.simultaneous_blocks.append(
        SimultaneousBlock(
            last - 1, last - 2, last, at, part, grade, node.set, node.where
        )
    )
    forget = tuple([place - FIRST_LOCAL for place in part])
    begin = (k.Unset(forget),) if forget else ()
    flatten_loop(t, node, rest, begin, (k.EndTogether(own, everybody),))


def places_bound_in_block(
    code: m.Procedure | m.Action, node: m.Together
) -> tuple[int, ...]:
    """Return the frame places of variables bound only inside a simultaneous block.

    They are cleared between players, so that no player sees the choice of another.
    """
    within = effects_within(*node.body)
    inside = dict.fromkeys(slot for x in within for slot in x.slots)
    outside = {parameter.slot for parameter in code.parameters} | {m.YOU, node.slot}
    left: list[m.Part] = list(code.body)
    while left:
        part = left.pop()
        if part is not node:
            if is_statement(part):
                outside.update(effects_of(part).slots)
            left.extend(tooling.children(part))
    return tuple(slot + FIRST_LOCAL for slot in inside if slot not in outside)


def _repeat(t: UnitLowerer, node: m.Repeat, end: k.Label) -> None:
    del end
    [left] = t.statement_steps(node).slots
    t.add(k.Assign(left, t.low.value(node.times)))
    t.record_repeat(node, left)
    again, done = t.label_here(), t.new_label()
    over: k.Value = k.CompareValues("<=", k.Var(left), ZERO)
    if node.until is not None:
        over = k.Some((over, t.low.value(node.until)))
    t.add(k.Branch(over, (k.Unset((left,)), k.Goto(done))))
    t.add(k.Assign(left, k.Binary("-", k.Var(left), ONE)), k.CheckBudget())
    with t.binding(left):
        t.flatten_block(node.body)
    t.close(k.Goto(again))
    t.place(done)


def _call(t: UnitLowerer, node: m.CallProcedure, end: k.Label) -> None:
    del end
    after, number = t.new_label(), t.units[node.procedure]
    unit = k.Int(number)
    if node.player is not None and may_be_none(node.player):
        missing = k.Negate(exists(t.low.value(node.player)))
        t.add(k.Branch(missing, (k.Goto(after),)))
    t.close(k.Push(unit, *t.call_arguments(node), after))
    t.place(after)
    t.name_wait_point(node, after)
    t.record_start(after, node.player, {number: [node.arguments]})


def procedures_of_cards(facts: Facts, node: m.CarryOut) -> tuple[str, ...]:
    """Return the names of the procedures that cards can carry out."""
    assert isinstance(node.card.type, m.Member)
    return tuple(map(tooling.card_unit, facts.names[node.card.type.domain]))


def _carry_out(t: UnitLowerer, node: m.CarryOut, end: k.Label) -> None:
    del end
    after, unit = t.new_label(), k.Var(t.low.new_slot())
    names = procedures_of_cards(t.low.facts, node)
    numbers = tuple([t.units.get(name, -1) for name in names])
    card = t.low.value(node.card)
    t.add(k.Bind(unit.slot, k.Lookup((*numbers, -1), card)))
    who: k.Value = k.Var(m.YOU)
    nobody: k.Value = k.CompareValues("<", unit, ZERO)
    if node.player is not None:
        who = k.Var(t.low.new_slot())
        t.add(k.Bind(who.slot, t.low.value(node.player)))
        nobody = k.Some((nobody, k.Negate(exists(who))))
    t.add(k.Branch(nobody, (k.Goto(after),)))
    t.close(k.Push(unit, (m.YOU,), (who,), after))
    t.place(after)
    t.name_wait_point(node, after)
    t.record_start(after, node.player, {number: [()] for number in numbers})


# ---------------------------------------------------------------- the end of the game


def certainly_ends(facts: Facts, node: m.Wins) -> bool:
    """Return whether a statement certainly names a winner, so that it ends the game."""
    who, ranking = node.player, node.ranking
    if ranking is not None:
        return ranking.where is None
    if m.is_constant(who):
        seats = who.value if isinstance(who.value, tuple) else (who.value,)
        return any(0 <= seat < facts.players for seat in seats)
    return who is None or (isinstance(who.type, m.Member) and not may_be_none(who))


def _wins(t: UnitLowerer, node: m.Wins, end: k.Label) -> None:
    del end
    by, who, ranking = node.ranking, node.player, None
    if by is not None:
        keys = tuple([ranking_key(t.low, each) for each in by.by])
        members = t.low.sequence(by.set)
        ranking = k.BestSet(by.slot, members, t.low.condition(by.where), keys)
    winners: k.Value | k.Sequence | None = None
    if by is None and who is not None:
        several = isinstance(who.type, m.SetOf)
        winners = t.low.sequence(who) if several else t.low.value(who)
    certain = certainly_ends(t.low.facts, node)
    finish = k.Finish(winners, ranking, node.reason, certain)
    if certain:
        t.close(finish)
    else:
        t.add(finish)


def _game_ends(t: UnitLowerer, node: m.GameEnds, end: k.Label) -> None:
    del node, end
    t.close(k.EndGame())


FLOWS: FlowTable = {
    m.LabelledBlock: _step,
    m.IfElse: _if,
    m.EachMember: _each,
    m.Together: _together,
    m.Repeat: _repeat,
    m.CallProcedure: _call,
    m.CarryOut: _carry_out,
    m.Wins: _wins,
    m.GameEnds: _game_ends,
}
