"""Analysis of which statements reveal hidden information to a seat by visible effects.

A statement reveals something if its effect, or whether it is executed, depends on a
hidden value. An open choice is not a hidden value, and whether it was possible follows
from the choice. Therefore moves, payments and offers reveal nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from interpreter.secrecy.audience import is_chosen_openly
from interpreter.secrecy.grades import NOTHING, OTHERS, OWN, Secrecy
from rulebook import model as m
from rulebook import tooling

Code = m.Procedure | m.Action
LEAVES = (m.DrawCard, m.Sees, m.Reveal, m.Spread, m.Gather, m.RollDice)


SILENT_STATEMENTS = (
    m.SetLocal,
    m.SetTally,
    m.CallProcedure,
    m.Shuffle,
    m.Require,
    m.RollDice,
    m.Spread,
)
"""Statements whose effects do not show what they read."""


def revealed_expressions(node: Any) -> list[Any]:
    """Return the expressions whose values the effect of a statement may reveal.

    They are all expressions directly in it, so that a new sort of statement hides
    nothing by default.
    """
    if isinstance(node, SILENT_STATEMENTS) or not isinstance(node, m.Stmt):
        return []
    parts = tooling.children(node)
    if isinstance(node, m.Wins) and node.ranking is not None:
        ranking = node.ranking
        parts += [ranking.set, ranking.where, *[by.value for by in ranking.by]]
    return [part for part in parts if isinstance(part, m.Typed)]


def is_you(who: Any) -> bool:
    """Return whether an expression is the seat that runs the unit."""
    return isinstance(who, m.Local) and who.slot == m.YOU


class DisclosureAnalysis:
    """Analysis of which statements reveal something, and which seats know a
    variable.
    """

    def __init__(self, model: m.Model) -> None:
        self.model = model
        self.secrecy = Secrecy(model)
        self.codes: dict[str, Code] = {**model.procedures, **model.actions}
        self.slots: dict[str, dict[int, int]] = {name: {} for name in self.codes}
        self.called: dict[str, bool] = {}
        news = [True]
        while True in news:
            news = [self.bind(code) for code in self.codes.values()]

    # ------------------------------------------------------------ locals

    def bind(self, code: Code) -> bool:
        """Grade the variables that a unit binds; return whether a grade has changed."""
        news = False
        for name, slot, grade in self.bindings(code):
            known = self.slots[name]
            if grade > known.get(slot, NOTHING):
                known[slot] = grade
                news = True
        return news

    def bindings(self, code: Code) -> Iterator[tuple[str, int, int]]:
        """Yield the bindings of variables: unit, slot, and grade of the value."""
        if isinstance(code, m.Action):
            for parameter in code.parameters:
                secret = not is_chosen_openly(self.model, code, parameter.slot)
                yield code.name, parameter.slot, OWN if secret else NOTHING
        for node in tooling.walk(*code.body):
            match node:
                case m.Choose(who=who, slot=slot) | m.Gather(who=who, bag=slot):
                    if not is_chosen_openly(self.model, code, slot):
                        yield code.name, slot, OWN if is_you(who) else OTHERS
                case m.DrawCard(slot=slot) if slot is not None:
                    yield code.name, slot, self.draw_grade(node)
                case (
                    m.EachMember(slot=slot, set=value)
                    | m.SetLocal(slot=slot, value=value)
                ):
                    yield code.name, slot, self.grade(code, value)
                case m.SetTally(slot=slot, value=value):
                    yield code.name, slot, self.grade(code, *node.indices, value)
                case m.CallProcedure(procedure=name, arguments=given):
                    yield from self.argument_grades(code, name, given, OWN)
                case m.Ask(who=who):
                    own = OWN if is_you(who) else OTHERS
                    for offer in node.offers:
                        yield from self.argument_grades(
                            code, offer.action, offer.arguments, own
                        )
                case _:
                    pass

    def argument_grades(
        self, code: Code, name: str, given: Iterable[Any], own: int
    ) -> Iterator[tuple[str, int, int]]:
        """Yield the grades of arguments passed to another unit; `own` replaces OWN."""
        parameters = self.codes[name].parameters
        for parameter, value in zip(parameters, given, strict=False):
            grade = self.grade(code, value)
            yield name, parameter.slot, own if grade == OWN else grade

    def draw_grade(self, node: m.DrawCard) -> int:
        """Return the grade of a drawn card."""
        sides = [self.audience(node.source), self.audience(node.destination)]
        return min(sides)

    def audience(self, holder: m.Expr | None) -> int:
        """Return the grade of the contents of a holder."""
        if not isinstance(holder, m.FieldValue):
            return NOTHING
        field = self.model.fields[holder.field]
        if field.seen_by is m.Audience.ALL:
            return NOTHING
        own = field.seen_by is m.Audience.OWNER and is_you(tooling.whose(holder.owner))
        return OWN if own else OTHERS

    def grade(self, code: Code, *parts: Any) -> int:
        """Return the highest grade of the values of expressions."""
        grade = NOTHING
        for part in parts:
            if part is not None:
                grade = max(
                    grade, self.secrecy.grade([part]), self.variable_grade(code, part)
                )
        return grade

    def variable_grade(self, code: Code, part: Any) -> int:
        """Return the highest grade of the variables in an expression.

        The number of cards in a holder is public.
        """
        if isinstance(part, m.SizeOf) and not isinstance(part.holder.type, m.SetOf):
            return NOTHING
        if isinstance(part, m.Local):
            return self.slots.get(code.name, {}).get(part.slot, NOTHING)
        inner = [self.variable_grade(code, child) for child in tooling.children(part)]
        return max(inner, default=NOTHING)

    # ------------------------------------------------------------ statements

    def reveals_any(self, code: Code, nodes: Iterable[Any]) -> bool:
        """Return whether any statement, or a procedure it calls, reveals something."""
        for node in tooling.walk(*nodes):
            if self.statement(code, node):
                return True
            if isinstance(node, m.CallProcedure) and self.procedure(node.procedure):
                return True
        return False

    def procedure(self, name: str) -> bool:
        """Return whether a procedure reveals something."""
        if name not in self.called:
            self.called[name] = False
            code = self.model.procedures[name]
            self.called[name] = self.reveals_any(code, code.body)
        return self.called[name]

    def statement(self, code: Code, node: Any) -> bool:
        """Return whether a statement, without the statements inside it, reveals
        something.
        """
        match node:
            case m.Sees() | m.Reveal():
                return True
            case m.DrawCard():
                return self.is_public_holder(node.source) or self.is_public_holder(
                    node.destination
                )
            case m.MoveAll():
                return self.is_hidden_holder(node.source) or self.reads_hidden(
                    code, node.member
                )
            case m.MoveCards():
                return self.move_reveals(code, node)
            case m.SetField():
                return self.is_set(code, node)
            case m.Choose() | m.Gather():
                return self.choice_reveals(code, node)
            case m.Ask():
                offered = [part for offer in node.offers for part in offer.arguments]
                return self.may_skip(node) or self.reads_hidden(
                    code, node.who, *offered
                )
            case _:
                return self.reads_hidden(code, *revealed_expressions(node))

    def reads_hidden(self, code: Code, *parts: Any) -> bool:
        """Return whether expressions read information hidden from a seat."""
        return self.grade(code, *parts) > NOTHING

    def is_hidden_holder(self, holder: m.Expr | None) -> bool:
        """Return whether the contents of a holder are hidden from a seat."""
        return self.audience(holder) > NOTHING

    def is_public_holder(self, holder: m.Expr | None) -> bool:
        """Return whether some seat sees the contents of a holder."""
        if not isinstance(holder, m.FieldValue):
            return True
        return self.model.fields[holder.field].seen_by is not m.Audience.NOBODY

    def move_reveals(self, code: Code, node: m.MoveCards) -> bool:
        """Return whether a move of cards reveals something."""
        places = [
            *self.secrecy.places(node.source),
            *self.secrecy.places(node.destination),
        ]
        if self.reads_hidden(code, *places) or (
            node.up_to and self.is_hidden_holder(node.source)
        ):
            return True
        if isinstance(node.bag, m.SingleBag) and self.reads_hidden(
            code, node.bag.count
        ):
            return True
        open_ = not (
            self.is_hidden_holder(node.source)
            and self.is_hidden_holder(node.destination)
        )
        return open_ and self.reads_hidden(code, node.bag)

    def is_set(self, code: Code, node: m.SetField) -> bool:
        """Return whether setting a field reveals something."""
        field = self.model.fields[node.field]
        own = field.seen_by is m.Audience.OWNER and is_you(tooling.whose(node.owner))
        if self.grade(code, node.owner) > (OWN if own else NOTHING):
            return True
        return self.grade(code, node.value) > (OWN if own else NOTHING)

    def choice_reveals(self, code: Code, node: m.Choose | m.Gather) -> bool:
        """Return whether merely offering a choice reveals what the seat holds.

        A choice from a whole holder only reveals that the holder is not empty.
        """
        tested = [node.where, node.who]
        if not isinstance(node.set, m.KindsIn):
            tested.append(node.set)
        if isinstance(node, m.Gather):
            tested += [node.low, node.high]
        return self.reads_hidden(code, *tested)

    def has_secret_picks(self, code: Code, node: m.Gather) -> bool:
        """Return whether the possible picks of a seat are not known to all."""
        return self.is_hidden_holder(node.source) or self.reads_hidden(
            code, node.set, node.where
        )

    def may_skip(self, node: m.Ask) -> bool:
        """Return whether secrets decide if a seat has anything to choose."""
        if node.until is not None or (node.optional and not node.skips):
            return False
        offers = [
            (self.model.actions[offer.action], offer.free) for offer in node.offers
        ]
        if any(
            not action.requirements and not action.parameters for action, _ in offers
        ):
            return False
        return any(
            self.secrecy.grade([need.condition]) > NOTHING
            for action, free in offers
            for need in action.requirements
            if not (free and need.sort is m.RequirementSort.PAYS)
        )

    # -------------------------------------------------------------- triggers

    def triggers(self) -> int:
        """Return the awards, then rules, that read hidden information, as bits."""
        reader = self.secrecy.reader
        tested = [
            (x.measure, x.at_least, x.only_if) for x in self.model.awards.values()
        ]
        tested += [(x.condition, x.set, None) for x in self.model.rules.values()]
        return sum(
            1 << bit
            for bit, parts in enumerate(tested)
            if any(True for part in parts if part for _ in reader.secrets(part))
        )
