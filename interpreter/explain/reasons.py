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

SHOWN = 12
"""Most members of which a superlative's numbers are told."""


class Reader:
    """Evaluates parts of a requirement in a frame."""

    def __init__(self, plan: Plan, facts: Facts, s: list[Any], f: list[Any]) -> None:
        self.plan = plan
        self.facts = facts
        self.s = s
        self.f = f

    def value(self, expression: rb.Expr) -> Any:
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

    def plain(self, expression: rb.Expr) -> Any:
        """Return the value of an expression as plain data."""
        return self.plan.values.to_plain(expression.type, self.value(expression))

    def text(self, expression: rb.Expr) -> str:
        """Return how an expression is written in the rules."""
        match expression:
            case rb.PieceLeft(piece=piece):
                found = self.plan.model.pieces[piece]
                return f"{found.plural or found.name} left"
            case rb.PieceCount(spaces=rb.Typed(type=rb.Member())):
                return self.on_space(expression)
            case rb.Arith(left=rb.PieceCount() as there, right=more) if (
                expression.span == there.span  # `has room for` says no number
            ):
                return f"{self.text(there)} + {self.value(more)}"
            case rb.CountIn(holder=holder, member=member):
                return f"number of {self.text(member)} in {self.text(holder)}"
            case rb.FieldValue(field=key) if ".limit." in key:
                return f"times of {key.rpartition('.')[2]}"
            case rb.Const(type=rb.Member()):
                return str(self.plain(expression))
            case _:
                written = self.plan.book.text_at(expression.span)
                return written or getattr(expression, "name", type(expression).__name__)

    def on_space(self, count: rb.PieceCount) -> str:
        """Return what the number of pieces on one space is called."""
        piece = self.plan.model.pieces[count.piece]
        whose = ""
        if count.owner is not None:
            own = isinstance(count.owner, rb.Local) and count.owner.slot == rb.YOU
            whose = "your " if own else f"{self.text(count.owner)}'s "
        if count.another:
            whose = "another player's "
        assert count.spaces is not None
        plural = piece.plural or piece.name
        return f"number of {whose}{plural} on {self.text(count.spaces)}"

    def failing_part(self, condition: rb.Expr) -> rb.Expr:
        """Return the first part of a conjunction that does not hold."""
        if isinstance(condition, rb.And):
            for part in condition.parts:
                if not self.value(part):
                    return self.failing_part(part)
        return condition

    def values(self, part: rb.Expr) -> dict[str, Any]:
        """Return the values that a part of a requirement compares, by their text."""
        found = {
            self.text(compared): self.plain(compared)
            for compared in self.compared(part)
            if not isinstance(compared, rb.Const)
        }
        return found | dict(self.measured(part)) | dict(self.ways(part))

    def ways(self, part: rb.Expr) -> Iterator[tuple[str, Any]]:
        """Yield the trails that a part measures, link by link, and what is reached."""
        nodes = list(walk(part))
        measured = [node.way for node in nodes if isinstance(node, rb.Distance)]
        for node in nodes:
            if not isinstance(node, rb.LongestTrail | rb.Reach) or not self.known(node):
                continue
            if any(node is one for one in measured):
                continue
            if isinstance(node, rb.LongestTrail):
                found = route(self.writer(), node)
                kind = node.links.type
                yield (
                    f"a {self.text(node)}",
                    self.plan.values.to_plain(kind, self.evaluated(found)),
                )
            else:
                yield self.text(node), self.plain(node)[:SHOWN]

    def known(self, expression: rb.Expr) -> bool:
        """Whether what an expression reads and does not bind itself has a value."""
        return all(map(self.readable, free_locals(expression)))

    def measured(self, part: rb.Expr) -> Iterator[tuple[str, Any]]:
        """Yield what superlatives in a part compare: each member with its numbers."""
        for node in walk(part):
            match node:
                case rb.Best(by=by):
                    values = [one.value for one in by]
                case rb.Highest(value=value):
                    values = [value]
                case _:
                    continue
            if self.readable(node.set):
                yield from self.members(node, values)

    def members(
        self, node: rb.Best | rb.Highest, values: list[rb.Expr]
    ) -> Iterator[tuple[str, Any]]:
        """Yield the numbers of the members that a superlative compares."""
        place = node.slot + FIRST_LOCAL
        assert isinstance(node.set.type, rb.SetOf)
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

    def compared(self, part: rb.Expr) -> Iterator[rb.Expr]:
        """Yield the expressions whose values decide a part."""
        match part:
            case rb.Compare(left=left, right=right):
                yield left
                yield right
            case rb.Covers(holder=holder, bag=bag):
                yield holder
                yield bag
            case rb.Not(value=value):
                yield from self.compared(value)
            case rb.Contains(member=member):
                yield member
            case _:
                for inner in children(part):
                    if isinstance(inner, rb.Typed) and self.readable(inner):
                        yield inner  # type: ignore[misc]

    def readable(self, expression: rb.Typed) -> bool:
        """Whether an expression reads only locals that have a value."""
        for node in walk(expression):
            if isinstance(node, rb.Local):
                place = node.slot + FIRST_LOCAL
                if place >= len(self.f) or self.f[place] is None:
                    return False
        return True

    def fix(self, part: rb.Expr) -> str | None:
        """Return what would make a part hold, where that is a number of things."""
        match part:
            case rb.Covers(holder=holder, bag=bag):
                return self.missing(holder, bag)
            case rb.Compare(op=op, left=left, right=right):
                return self.difference(op, left, right)
            case _:
                return None

    def missing(self, holder: rb.Expr, bag: rb.Expr) -> str | None:
        """Return the cards that a holder lacks."""
        assert isinstance(bag.type, rb.Bag)
        held, wanted = self.counts(holder), self.value(bag)
        names = self.plan.values.names[bag.type.domain]
        lacks = {
            name: want - have
            for name, have, want in zip(names, held, wanted, strict=True)
            if want > have
        }
        return say("lacks", lacks=lacks) if lacks else None

    def counts(self, holder: rb.Expr) -> tuple[int, ...]:
        """Return the cards in a bag or stack."""
        value = self.value(holder)
        if isinstance(holder.type, rb.Stack):
            contents: tuple[int, ...] = self.plan.source.names["contents"](value)
            return contents
        return tuple(value)

    def difference(self, op: str, left: rb.Expr, right: rb.Expr) -> str | None:
        """Return by how much a comparison fails."""
        one, other = self.value(left), self.value(right)
        if not (isinstance(left.type, rb.Whole) and isinstance(right.type, rb.Whole)):
            return None
        strict = 1 if op in {"<", ">"} else 0
        if op in {">", ">="}:
            return say("more", count=other - one + strict, rule=self.text(left))
        if op in {"<", "<="}:
            return say("fewer", count=one - other + strict, rule=self.text(left))
        return None


def sentence(reader: Reader, action: PlannedAction, failing: rb.Requirement) -> str:
    """Return the sentence that says what is required."""
    if failing.sort == "stock":
        piece = reader.plan.model.pieces.get(failing.reason)
        plural = failing.reason if piece is None else piece.plural or piece.name
        return say("none_left", pieces=plural)
    if failing.holder is not None and failing.bag is not None and not failing.reason:
        wanted = cards(reader, failing.bag)
        if failing.sort == "pays":
            held = named(reader, failing.bag, reader.counts(failing.holder))
            return say("costs", action=action.name, wanted=wanted, held=held)
        return say("must_be_there", wanted=wanted)
    return failing.reason or say("it_needs", label=failing.label)


def cards(reader: Reader, bag: rb.Expr) -> dict[str, int]:
    """Return the cards of a bag by name."""
    return named(reader, bag, reader.value(bag))


def named(reader: Reader, bag: rb.Expr, counts: tuple[int, ...]) -> dict[str, int]:
    """Return counts by name."""
    assert isinstance(bag.type, rb.Bag)
    names = reader.plan.values.names[bag.type.domain]
    return {name: n for name, n in zip(names, counts, strict=True) if n}


def choice_sentence(plan: Plan, node: rb.Choose | rb.Gather, label: str) -> str:
    """Return why a member cannot be chosen."""
    if label == "in_set":
        rule = plan.book.text_at(node.set.span) or node.name
        return say("not_among", rule=rule)
    if label == "where":
        assert node.where is not None
        return say("not_so", rule=plan.book.text_at(node.where.span))
    for define in plan.model.defines.values():
        if define.name.partition("(")[0].rpartition(".")[2] == label:
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
            if isinstance(place.type, rb.Member):
                near = rb.nearest(argument, plan.values.names[place.type.domain])
            hint = say("did_you_mean", name=near) if near else None
            parts = {"argument": argument, "name": place.name, "type": str(place.type)}
            key = "no_such" if isinstance(place.type, rb.Member) else "wrong_argument"
            return say(key, **parts), hint
        if not 0 <= value - place.low < place.size:
            high = place.low + place.size - 1
            return say("out_of_range", name=place.name, low=place.low, high=high), None
    return None
