"""Sentences for people: what a requirement compares, and what it lacks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import rulebook as rb
from interpreter.phrases import say
from interpreter.plan.plan import Plan
from interpreter.python.expressions.paths import route
from interpreter.python.expressions.templates import writer
from interpreter.python.expressions.writer import Writer
from interpreter.source.assertion import free_locals
from interpreter.source.code import Code
from interpreter.tables.action_index import PlannedAction
from interpreter.tables.facts import Facts
from interpreter.tables.reads import children, walk
from interpreter.tables.slots import FIRST_LOCAL
from rulebook import model as m

SHOWN = 12
"""Most members of which a superlative's numbers are told."""


class Reader:
    """Evaluates parts of a requirement in a frame."""

    def __init__(self, plan: Plan, facts: Facts, s: list[Any], f: list[Any]) -> None:
        self.plan = plan
        self.facts = facts
        self.s = s
        self.f = f

    def value(self, expression: m.Expr) -> Any:
        """Return the value of an expression."""
        return self.evaluated(self.writer().code(expression))

    def writer(self) -> Writer:
        """Return a writer of what the book says: nothing in it is specialised."""
        return writer(self.plan.source, self.facts)

    def evaluated(self, code: Code) -> Any:
        """Return the value of an expression that has been written."""
        self.plan.source.compile()
        names = {**self.plan.source.names, "s": self.s, "f": self.f}
        return eval(code.text, names)  # noqa: S307

    def plain(self, expression: m.Expr) -> Any:
        """Return the value of an expression as plain data."""
        return self.plan.values.to_plain(expression.type, self.value(expression))

    def text(self, expression: m.Expr) -> str:
        """Return how an expression is written in the rules."""
        match expression:
            case m.PieceLeft(piece=piece):
                found = self.plan.model.pieces[piece]
                return f"{found.plural or found.name} left"
            case m.PieceCount(spaces=m.Typed(type=m.Member())):
                return self.on_space(expression)
            case m.Arith(left=m.PieceCount() as there, right=more) if (
                expression.span == there.span  # `has room for` says no number
            ):
                return f"{self.text(there)} + {self.value(more)}"
            case m.CountIn(holder=holder, member=member):
                return f"number of {self.text(member)} in {self.text(holder)}"
            case m.FieldValue(field=key) if ".limit." in key:
                return f"times of {key.rpartition('.')[2]}"
            case m.Const(type=m.Member()):
                return str(self.plain(expression))
            case _:
                written = self.plan.book.text_at(expression.span)
                return written or getattr(expression, "name", type(expression).__name__)

    def on_space(self, count: m.PieceCount) -> str:
        """Return what the number of pieces on one space is called."""
        piece = self.plan.model.pieces[count.piece]
        whose = ""
        if count.owner is not None:
            own = isinstance(count.owner, m.Local) and count.owner.slot == m.YOU
            whose = "your " if own else f"{self.text(count.owner)}'s "
        if count.another:
            whose = "another player's "
        assert count.spaces is not None
        plural = piece.plural or piece.name
        return f"number of {whose}{plural} on {self.text(count.spaces)}"

    def failing_part(self, condition: m.Expr) -> m.Expr:
        """Return the first part of a conjunction that does not hold."""
        if isinstance(condition, m.And):
            for part in condition.parts:
                if not self.value(part):
                    return self.failing_part(part)
        return condition

    def values(self, part: m.Expr) -> dict[str, Any]:
        """Return the values that a part of a requirement compares, by their text."""
        found = {
            self.text(compared): self.plain(compared)
            for compared in self.compared(part)
            if not isinstance(compared, m.Const)
        }
        return found | dict(self.measured(part)) | dict(self.ways(part))

    def ways(self, part: m.Expr) -> Iterator[tuple[str, Any]]:
        """Yield the trails that a part measures, link by link, and what is reached."""
        nodes = list(walk(part))
        measured = [node.way for node in nodes if isinstance(node, m.Distance)]
        for node in nodes:
            if not isinstance(node, m.LongestTrail | m.Reach) or not self.known(node):
                continue
            if any(node is one for one in measured):
                continue
            if isinstance(node, m.LongestTrail):
                found = route(self.writer(), node)
                kind = node.links.type
                yield (
                    f"a {self.text(node)}",
                    self.plan.values.to_plain(kind, self.evaluated(found)),
                )
            else:
                yield self.text(node), self.plain(node)[:SHOWN]

    def known(self, expression: m.Expr) -> bool:
        """Whether what an expression reads and does not bind itself has a value."""
        return all(map(self.readable, free_locals(expression)))

    def measured(self, part: m.Expr) -> Iterator[tuple[str, Any]]:
        """Yield what superlatives in a part compare: each member with its numbers."""
        for node in walk(part):
            match node:
                case m.Best(by=by):
                    values = [one.value for one in by]
                case m.Highest(value=value):
                    values = [value]
                case _:
                    continue
            if self.readable(node.set):
                yield from self.members(node, values)

    def members(
        self, node: m.Best | m.Highest, values: list[m.Expr]
    ) -> Iterator[tuple[str, Any]]:
        """Yield the numbers of the members that a superlative compares."""
        place = node.slot + FIRST_LOCAL
        assert isinstance(node.set.type, m.SetOf)
        names = self.plan.values.names.get(node.set.type.domain or "")
        f = [*self.f, *[None] * (place + 1 - len(self.f))]
        for member in self.value(node.set)[:SHOWN]:
            f[place] = member
            inner = Reader(self.plan, self.facts, self.s, f)
            if node.where is not None and not inner.value(node.where):
                continue
            name = str(member) if names is None else names[member]
            for value in values:
                if inner.readable(value):
                    yield f"{self.text(value)} ({name})", inner.plain(value)

    def compared(self, part: m.Expr) -> Iterator[m.Expr]:
        """Yield the expressions whose values decide a part."""
        match part:
            case m.Compare(left=left, right=right):
                yield left
                yield right
            case m.Covers(holder=holder, bag=bag):
                yield holder
                yield bag
            case m.Not(value=value):
                yield from self.compared(value)
            case m.Contains(member=member):
                yield member
            case _:
                for inner in children(part):
                    if isinstance(inner, m.Typed) and self.readable(inner):
                        yield inner

    def readable(self, expression: m.Typed) -> bool:
        """Whether an expression reads only locals that have a value."""
        for node in walk(expression):
            if isinstance(node, m.Local):
                place = node.slot + FIRST_LOCAL
                if place >= len(self.f) or self.f[place] is None:
                    return False
        return True

    def fix(self, part: m.Expr) -> str | None:
        """Return what would make a part hold, where that is a number of things."""
        match part:
            case m.Covers(holder=holder, bag=bag):
                return self.missing(holder, bag)
            case m.Compare(op=op, left=left, right=right):
                return self.difference(op, left, right)
            case _:
                return None

    def missing(self, holder: m.Expr, bag: m.Expr) -> str | None:
        """Return the cards that a holder lacks."""
        assert isinstance(bag.type, m.Bag)
        held, wanted = self.counts(holder), self.value(bag)
        names = self.plan.values.names[bag.type.domain]
        lacks = {
            name: want - have
            for name, have, want in zip(names, held, wanted, strict=True)
            if want > have
        }
        return say("lacks", lacks=lacks) if lacks else None

    def counts(self, holder: m.Expr) -> tuple[int, ...]:
        """Return the cards in a bag or stack."""
        value = self.value(holder)
        if isinstance(holder.type, m.Stack):
            contents: tuple[int, ...] = self.plan.source.names["contents"](value)
            return contents
        return tuple(value)

    def difference(self, op: str, left: m.Expr, right: m.Expr) -> str | None:
        """Return by how much a comparison fails."""
        one, other = self.value(left), self.value(right)
        if not (isinstance(left.type, m.Whole) and isinstance(right.type, m.Whole)):
            return None
        strict = 1 if op in {"<", ">"} else 0
        if op in {">", ">="}:
            return say("more", count=other - one + strict, rule=self.text(left))
        if op in {"<", "<="}:
            return say("fewer", count=one - other + strict, rule=self.text(left))
        return None


def sentence(reader: Reader, action: PlannedAction, failing: m.Requirement) -> str:
    """Return the sentence that says what is required."""
    if failing.sort is m.RequirementSort.STOCK:
        piece = reader.plan.model.pieces.get(failing.reason)
        plural = failing.reason if piece is None else piece.plural or piece.name
        return say("none_left", pieces=plural)
    if failing.holder is not None and failing.bag is not None and not failing.reason:
        wanted = cards(reader, failing.bag)
        if failing.sort is m.RequirementSort.PAYS:
            held = named(reader, failing.bag, reader.counts(failing.holder))
            return say("costs", action=action.name, wanted=wanted, held=held)
        return say("must_be_there", wanted=wanted)
    return failing.reason or say("it_needs", label=failing.label)


def cards(reader: Reader, bag: m.Expr) -> dict[str, int]:
    """Return the cards of a bag by name."""
    return named(reader, bag, reader.value(bag))


def named(reader: Reader, bag: m.Expr, counts: tuple[int, ...]) -> dict[str, int]:
    """Return counts by name."""
    assert isinstance(bag.type, m.Bag)
    names = reader.plan.values.names[bag.type.domain]
    return {name: n for name, n in zip(names, counts, strict=True) if n}


def choice_sentence(plan: Plan, node: m.Choose | m.Gather, label: str) -> str:
    """Return why a member cannot be chosen."""
    if label == "in_set":
        rule = plan.book.text_at(node.set.span) or node.name
        return say("not_among", rule=rule)
    if label == "where":
        assert node.where is not None
        return say("not_so", rule=plan.book.text_at(node.where.span))
    for define in plan.model.defines.values():
        if rb.Address.parse(define.name).last == label:
            return say("not_so", rule=define.sentence)
    return say("does_not_hold", label=label)


def wrong_arguments(
    plan: Plan, action: PlannedAction, arguments: list[str]
) -> tuple[str, str | None] | None:
    """Return what is wrong with the arguments of an action, and a help."""
    short = len(arguments) == len(action.open)
    places = action.open if short else action.places
    if len(arguments) != len(places):
        names = ", ".join(place.name for place in action.places)
        usage = f"{action.name}({names})" if names else action.name
        count = len(action.places)
        key = "one_argument" if count == 1 else "how_many_arguments"
        reason = say(key, action=action.name, count=count)
        return reason, say("write", usage=usage)
    for place, argument in zip(places, arguments, strict=True):
        value = plan.values.from_text(place.type, argument)
        if value is None:
            near = None
            if isinstance(place.type, m.Member):
                near = rb.nearest(argument, plan.values.names[place.type.domain])
            hint = say("did_you_mean", name=near) if near else None
            parts = {"argument": argument, "name": place.name, "type": str(place.type)}
            key = "no_such" if isinstance(place.type, m.Member) else "wrong_argument"
            return say(key, **parts), hint
        if not 0 <= value - place.low < place.size:
            high = place.low + place.size - 1
            return say("out_of_range", name=place.name, low=place.low, high=high), None
    return None
