"""Detection of triggered rules that certainly trigger one another forever.

A `whenever` rule acts as long as its condition is true. After it has acted, two things
are known: the game fields that it set to constants, and the conditions that read
nothing that it changed. From these facts the check derives which rule acts next. If the
sequence certainly repeats, it is an error. All other cases are left to the run-time
budget.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs

from rulebook import model as m
from rulebook.check.declare.symbol_table import SymbolTable, mistake
from rulebook.queries.reads import ReadFinder, Writes
from rulebook.queries.state_parts import StatePart
from rulebook.signatures import (
    Ending,
    FieldPlace,
    Write,
    effects_of,
    effects_within,
)
from rulebook.source.diagnostics import has_errors

RULE_TESTS_MAX = 20_000
"""Maximum number of times that rules are tested, after which this check gives up."""


def check_termination(world: SymbolTable) -> None:
    """Report each rule that triggers itself forever, alone or through others.

    The check is skipped if there are errors, since incomplete bodies prove nothing.
    """
    if world.model is None or has_errors(world.diagnostics):
        return
    rules = RuleSequence(world.model)
    reported: dict[str, None] = {}
    for rule in world.model.rules.values():
        names = rules.cycle_from(rule)
        if names and not reported.keys() & names:
            reported.update(dict.fromkeys(names))
            with world.collect_errors():
                raise endless_rules_error(world.model, names)


def endless_rules_error(model: m.Model, names: list[str]) -> Exception:
    """Return the error for a cycle of rules that trigger one another."""
    first = model.rules[names[0]]
    if len(names) == 1:
        text = f"the condition of `{first.name}` is still true after it has acted"
    else:
        text = f"these trigger one another forever: {' -> '.join([*names, names[0]])}"
    return mistake(
        "RB156",
        first.condition.span,
        text,
        "make the rule change what its condition reads, so that the condition"
        " becomes false",
        tuple((model.rules[name].span, f"`{name}`") for name in names[1:]),
    )


@attrs.frozen
class KnownState:
    """Facts at one moment: constant fields, true conditions, rules that cannot act."""

    fields: tuple[tuple[StatePart, Any], ...] = ()
    true_conditions: tuple[m.Expr, ...] = ()
    idle_rules: tuple[str, ...] = ()


class RuleSequence:
    """Triggered rules of a model, and the order in which they act."""

    def __init__(self, model: m.Model) -> None:
        self.model = model
        self.reads = ReadFinder(model)
        self.writes: dict[str, Writes] = {}
        self.parts_by_condition: dict[m.Expr, tuple[StatePart, ...]] = {}
        self.tests_left = RULE_TESTS_MAX

    def cycle_from(self, rule: m.Rule) -> list[str]:
        """Return the names of rules that certainly repeat after *rule*, or []."""
        visited: list[tuple[str, KnownState]] = []
        next_: m.Rule | None = rule
        known = self.state_after(rule, KnownState())
        while next_ is not None and known is not None and self.tests_left > 0:
            state = (next_.name, known)
            if state in visited:
                return [name for name, _ in visited[visited.index(state) :]]
            visited.append(state)
            next_ = self.next_rule(known)
            known = None if next_ is None else self.state_after(next_, known)
        return []

    def state_after(self, rule: m.Rule, known: KnownState) -> KnownState | None:
        """Return the facts after a rule has acted, or None if they are uncertain."""
        body = self.model.procedures[rule.procedure].body
        if rule.name not in self.writes:
            self.writes[rule.name] = Writes(self.model, body)
        writes = self.writes[rule.name]
        stops = any(effects.ends is Ending.UNIT for effects in effects_within(body))
        if writes.may_wait or writes.may_end_game or stops:
            return None
        changed = self.changes_with_awards(writes)
        if changed is None:
            return None
        fields = {part: value for part, value in known.fields if part not in changed}
        fields |= dict(constant_assignments(self.model, body))
        conditions = (*known.true_conditions, *self.conditions_of(rule.name))
        lasting = [
            condition
            for condition in conditions
            if not changed.keys() & self.parts_read(condition)
        ]
        names = [*self.model.rules]
        self.tests_left -= len(names)
        idle = [*known.idle_rules, *names[: names.index(rule.name)]]
        resting = [
            name
            for name in sorted(set(idle) - {rule.name})
            if not any(
                changed.keys() & self.parts_read(conjunct)
                for conjunct in self.conditions_of(name)
            )
        ]
        by_name = sorted(fields.items(), key=lambda known: known[0].name)
        return KnownState(tuple(by_name), tuple(dict.fromkeys(lasting)), tuple(resting))

    def changes_with_awards(self, writes: Writes) -> dict[StatePart, None] | None:
        """Return the state that *writes* and awards change; None if awards may act."""
        changed = dict(writes.parts)
        for _ in self.model.awards:
            for award in self.model.awards.values():
                measured = (award.measure, award.at_least, award.only_if)
                if changed.keys() & self.reads.parts_read(*measured):
                    if award.gained is not None or award.lost is not None:
                        return None
                    changed[StatePart.award(award.name)] = None
        return changed

    def next_rule(self, known: KnownState) -> m.Rule | None:
        """Return the rule that certainly acts next, or None if that is uncertain."""
        for name, rule in self.model.rules.items():
            if name in known.idle_rules:
                continue
            self.tests_left -= 1
            verdict = self.condition_value(rule, known)
            if verdict is not False:
                return rule if verdict else None
        return None

    def condition_value(self, rule: m.Rule, known: KnownState) -> bool | None:
        """Return the value of a rule's condition, or None if it is uncertain."""
        truths = [
            known_truth(conjunct, known) for conjunct in self.conditions_of(rule.name)
        ]
        if False in truths:
            return False
        return None if None in truths else True

    def conditions_of(self, name: str) -> Iterator[m.Expr]:
        """Yield the conditions that must all be true for a rule to act."""
        rule = self.model.rules[name]
        if rule.set is None or rule.slot is None:
            yield from m.conjuncts(rule.condition)
        else:
            yield m.Exists(
                slot=rule.slot,
                name="",
                set=rule.set,
                where=rule.condition,
                type=rule.condition.type,
            )

    def parts_read(self, condition: m.Expr) -> tuple[StatePart, ...]:
        """Return the parts of the state that a condition reads."""
        if condition not in self.parts_by_condition:
            self.parts_by_condition[condition] = self.reads.parts_read(condition)
        return self.parts_by_condition[condition]


def constant_assignments(
    model: m.Model, body: tuple[m.Stmt, ...]
) -> Iterator[tuple[StatePart, Any]]:
    """Yield the game fields whose values after a body are known, with these values."""
    constant_by_part: dict[StatePart, Any] = {}
    for node in flattened_statements(body):
        match effects_of(node).writes:
            case (
                Write(place=FieldPlace(owner=None) as place, value=m.Const() as const),
            ):
                constant_by_part[StatePart.field(place.field)] = const.value
            case _:
                for part in Writes(model, node).parts:
                    constant_by_part.pop(part, None)
    yield from constant_by_part.items()


def flattened_statements(body: tuple[m.Stmt, ...]) -> Iterator[m.Stmt]:
    """Yield the statements of a body, with each step replaced by its statements."""
    for node in body:
        effects = effects_of(node)
        if effects.label is not None:
            for block in effects.blocks:
                yield from flattened_statements(block.body)
        else:
            yield node


def known_truth(e: m.Expr, known: KnownState) -> bool | None:
    """Return the value of a condition, or None if it is not certain."""
    if e in known.true_conditions:
        return True
    if (inner := m.negated_condition(e)) is not None:
        truth = known_truth(inner, known)
        return None if truth is None else not truth
    if (chain := m.chain_parts(e)) is not None:
        parts, every = chain
        truths = [known_truth(part, known) for part in parts]
        if (not every) in truths:
            return not every
        return None if None in truths else every
    if m.is_comparison(e):
        first, second = known_value(e.left, known), known_value(e.right, known)
        return None if None in (first, second) else e.op.function(first, second)
    value = known_value(e, known)
    return value if isinstance(value, bool) else None


def known_value(e: m.Expr, known: KnownState) -> Any:
    """Return the value of an expression, or None if it is not certain."""
    if m.is_field(e) and e.owner is None:
        return dict(known.fields).get(StatePart.field(e.field))
    return m.constant_value(e)
