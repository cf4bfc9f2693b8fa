"""Parts of a condition that explain its value, and their texts.

Only the table `ANATOMIES` defines what each class contributes to an explanation. The
classes in `PLAIN` are explained by their direct parts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import Enum, auto
from typing import Any

import attrs

from interpreter.core.slots import FIRST_LOCAL
from interpreter.explain.evaluator import ExpressionEvaluator
from interpreter.phrases import make_message
from rulebook import model as m
from rulebook.completeness import check_complete, concrete_classes
from rulebook.tooling import HOLDER_MAX, children, counted_limit, walk

MEMBERS_SHOWN = 12
"""Maximum number of members whose numbers an explanation of a superlative lists."""


class Join(Enum):
    """Logical operator that joins conditions or negates one."""

    ALL = auto()
    ANY = auto()
    NOT = auto()


@attrs.frozen
class ConditionParts:
    """Parts of an expression that explain its value.

    `joined_conditions` are the conditions that it joins. `compared_values` are the
    values that it compares, by `op` or by containment. `terms` are the values from
    which it is calculated, and `shown_values` are further values that decide it.
    `search` looks for members, and `matches` is the set that it finds. `ranked_values`
    are the numbers that a superlative compares. `is_option` is true if the value is an
    option. `links` are those of a measured trail; `is_way` is true for the spaces that
    a way reaches, and `measured_way` is a way whose length is the value.
    """

    join: Join | None = None
    joined_conditions: tuple[m.Expr, ...] = ()
    op: m.Comparison | None = None
    compared_values: tuple[m.Expr, ...] = ()
    terms: tuple[m.Expr, ...] = ()
    shown_values: tuple[m.Expr, ...] = ()
    search: m.Binder | None = None
    matches: m.Expr | None = None
    ranked_values: tuple[m.Expr, ...] = ()
    is_option: bool = False
    links: m.Expr | None = None
    is_way: bool = False
    measured_way: m.Expr | None = None
    shown_if_shared: m.PieceCount | None = None
    """Count shown in place of `shown_values` if such pieces may share a space."""


def _compare(e: m.Compare) -> ConditionParts:
    sides = (e.left, e.right)
    return ConditionParts(op=e.op, compared_values=sides, terms=sides)


def _exists(e: m.Exists) -> ConditionParts:
    matches, kind = e.set, e.set.type
    if e.where is not None:
        matches = m.Filter(e.slot, e.name, e.set, e.where, type=kind, span=e.span)
    return ConditionParts(search=e, matches=matches, shown_values=(matches,))


def _piece_on(e: m.PieceOn) -> ConditionParts:
    kind = m.Whole(0, HOLDER_MAX)
    count = m.PieceCount(e.piece, e.owner, e.space, e.another, type=kind, span=e.span)
    if e.owner is None:
        return ConditionParts(shown_if_shared=count)
    assert isinstance(e.owner.type, m.Member)
    type_ = attrs.evolve(e.owner.type, optional=True)
    owner = m.PieceOwner(e.piece, e.space, type=type_, span=e.space.span)
    return ConditionParts(shown_values=(owner,), shown_if_shared=count)


PLAIN = (
    m.ActivePlayer,
    m.AllOf,
    m.AwardHolder,
    m.BagOver,
    m.CallDefine,
    m.Clockwise,
    m.ColumnValue,
    m.Conditional,
    m.Const,
    m.CountIn,
    m.CountMembers,
    m.FieldValue,
    m.Filter,
    m.FindMember,
    m.HalfOf,
    m.KindsIn,
    m.Local,
    m.MemberAfter,
    m.NumberSet,
    m.OnlyMember,
    m.OwnSpaces,
    m.PieceCount,
    m.PieceLeft,
    m.PieceOwner,
    m.PieceSpace,
    m.PieceSpaces,
    m.PlayerCount,
    m.PlayerPoints,
    m.Related,
    m.RoundNumber,
    m.SingleBag,
    m.SizeOf,
    m.SortedMembers,
    m.SpaceAt,
    m.StackCard,
    m.SumBags,
    m.SumOver,
    m.TallyValue,
    m.Winner,
    m.Winners,
)
"""Classes explained by their direct parts only."""

NO_PARTS = ConditionParts()
ANATOMIES: dict[type[Any], Callable[[Any], ConditionParts]] = {
    m.And: lambda e: ConditionParts(Join.ALL, e.parts),
    m.Or: lambda e: ConditionParts(Join.ANY, e.parts),
    m.Not: lambda e: ConditionParts(Join.NOT, (e.value,)),
    m.Compare: _compare,
    m.Contains: lambda e: ConditionParts(
        compared_values=(e.member,), terms=(e.member,), shown_values=(e.set,)
    ),
    m.Covers: lambda e: ConditionParts(
        compared_values=(e.holder, e.bag), shown_values=(e.holder,)
    ),
    m.Arith: lambda e: ConditionParts(terms=(e.left, e.right)),
    m.Extreme: lambda e: ConditionParts(terms=(e.left, e.right)),
    m.Exists: _exists,
    m.PieceOn: _piece_on,
    m.BestMembers: lambda e: ConditionParts(
        ranked_values=tuple([by.value for by in e.by])
    ),
    m.Highest: lambda e: ConditionParts(ranked_values=(e.value,)),
    **dict.fromkeys(
        (m.CombinationExists, m.CountCombinations, m.HighestCombination),
        lambda e: ConditionParts(shown_values=(e.holder,)),
    ),
    m.OptionValue: lambda _: ConditionParts(is_option=True),
    m.LongestTrail: lambda e: ConditionParts(links=e.links),
    m.Reach: lambda _: ConditionParts(is_way=True),
    m.Distance: lambda e: ConditionParts(measured_way=e.way),
    **dict.fromkeys(PLAIN, lambda _: NO_PARTS),
}

check_complete(
    "the table of parts that explain", ANATOMIES, concrete_classes(m.Typed, m)
)


def condition_parts(e: Any) -> ConditionParts:
    """Return the parts that explain a value; other parts of the model have none."""
    return ANATOMIES[type(e)](e) if isinstance(e, m.Typed) else NO_PARTS


def is_negated_within(e: m.Expr) -> bool:
    """Return whether a negation is a part of its condition's words: `x is not y`."""
    inner = condition_parts(e).joined_conditions
    return isinstance(e, m.Not) and inner[0].span == e.span


class Explainer(ExpressionEvaluator):
    """Evaluator that determines which parts of a condition make it true or false."""

    # ------------------------------------------------------------ texts

    def rule_text(self, e: m.Expr) -> str:
        """Return an expression as the rule file writes it, or the name of its class."""
        return self.plan.book.text_at(e.span) or type(e).__name__

    def text(self, expression: m.Expr) -> str:
        """Return the text of an expression for players."""
        match expression:
            case m.PieceLeft(piece=piece):
                return f"{self.plural(piece)} left"
            case m.PieceCount(
                piece=piece, owner=owner, spaces=m.Typed(type=m.Member()) as space
            ):
                whose = ""
                if owner is not None:
                    own = m.is_you(owner)
                    whose = "your " if own else f"{self.text(owner)}'s "
                if expression.another:
                    whose = f"another {self.plan.model.pieces[piece].owner}'s "
                return f"number of {whose}{self.plural(piece)} on {self.text(space)}"
            case m.Arith(left=m.PieceCount() as there, right=more) if (
                expression.span == there.span  # `has room for` shows no number
            ):
                return f"{self.text(there)} + {self.value(more)}"
            case m.CountIn(holder=holder, member=member):
                return f"number of {self.text(member)} in {self.text(holder)}"
            case m.Typed(type=m.Member()) if m.is_constant(expression):
                return str(self.plain(expression))
            case _:
                field = m.field_key(expression)
                if field is not None and (limit := self.counted_limit(field)):
                    return f"times of {limit}"
                written = self.plan.book.text_at(expression.span)
                return written or getattr(expression, "name", type(expression).__name__)

    def author_text(self, e: m.Expr) -> str:
        """Return the text of an expression for authors of rules, in tests."""
        match e:
            case m.PieceOwner(piece=piece):
                return f"owner of the {piece} on {self.rule_text(e)}"
            case m.PieceCount(piece=piece, owner=owner, another=another):
                whose = "" if owner is None else f"{self.rule_text(owner)}'s "
                whose = "others' " if another else whose.replace("you's", "your")
                plural = self.plan.model.pieces[piece].plural
                return f"number of {whose}{plural} in: {self.rule_text(e)}"
            case m.Filter(name=name):
                return f"each such {name}"
            case _:
                return e.name if m.is_variable(e) else self.rule_text(e)

    def plural(self, piece: str) -> str:
        """Return the plural of a piece's name, or the name if it has none."""
        described = self.plan.model.pieces[piece]
        return described.plural or described.name

    def counted_limit(self, field: str) -> str | None:
        """Return the name of the limit whose uses a generated field counts, or None."""
        return counted_limit(self.plan.model.fields[field].name)

    # ------------------------------------------------------------ deciding parts

    def conjuncts(self, condition: m.Expr) -> tuple[m.Expr, ...]:
        """Return the conditions that a conjunction joins."""
        parts = condition_parts(condition)
        return parts.joined_conditions if parts.join is Join.ALL else (condition,)

    def failing_part(self, condition: m.Expr) -> m.Expr:
        """Return the first false part of a conjunction, or the condition itself."""
        for part in self.conjuncts(condition):
            if part is not condition and not self.value(part):
                return self.failing_part(part)
        return condition

    def deciding_values(self, condition: m.Expr) -> tuple[m.Expr, ...]:
        """Return the expressions whose values explain why a condition is false."""
        matches = (*m.free_variables(condition), *self.deciding_parts(condition))
        by_repr: dict[str, m.Expr] = {}
        for part in matches:
            if not (m.is_constant(part) or m.is_all_of(part)):
                by_repr.setdefault(repr(part), part)
        return tuple(by_repr.values())

    def deciding_parts(self, e: m.Expr) -> Iterator[m.Expr]:
        """Yield the compared values and lookups in a condition."""
        parts = condition_parts(e)
        if is_negated_within(e):
            yield e
            return
        for part in parts.joined_conditions:
            yield from self.deciding_parts(part)
        for part in parts.terms:
            yield from self.operands(part)
        shared, count = self.plan.facts.shared_pieces, parts.shown_if_shared
        if count is not None and count.piece in shared:
            yield count
            return
        yield from parts.shown_values
        if not (parts.joined_conditions or parts.terms or parts.shown_values):
            yield e

    def operands(self, e: m.Expr) -> Iterator[m.Expr]:
        """Yield a compared value, and the values from which it is calculated."""
        parts = condition_parts(e)
        if parts.joined_conditions or parts.op is not None:
            yield from self.deciding_parts(e)
            return
        yield e
        for part in () if parts.compared_values else parts.terms:
            yield from self.operands(part)

    def deciding_expressions(self, e: m.Expr) -> Iterator[m.Expr]:
        """Yield the expressions whose values decide a part of a requirement.

        If the part compares nothing, yield all its direct parts that can be evaluated.
        """
        parts = condition_parts(e)
        if m.is_field(e) or isinstance(e, m.ColumnValue):
            yield e
        elif parts.join is Join.NOT:
            matches = condition_parts(parts.joined_conditions[0]).matches
            if matches is None:
                yield from self.deciding_expressions(parts.joined_conditions[0])
            elif self.is_evaluable(matches):
                yield matches
        elif parts.search is not None:
            members = parts.search.set
            if not m.is_all_of(members) and self.is_bound(members):
                yield members
        elif parts.compared_values:
            yield from parts.compared_values
        elif parts.join is not None:
            for inner in parts.joined_conditions:
                yield from self.deciding_expressions(inner)
        else:
            for inner in children(e):
                if isinstance(inner, m.Typed) and self.is_bound(inner):
                    yield inner

    def deciding_calls(self, e: m.Expr) -> Iterator[tuple[str, tuple[m.Expr, ...]]]:
        """Yield (definition, arguments) of each call that decides an expression."""
        parts = condition_parts(e)
        if m.is_call(e):
            yield e.define, e.arguments
        elif parts.join is Join.NOT or parts.op is not None:
            for part in (*parts.joined_conditions, *parts.compared_values):
                yield from self.deciding_calls(part)

    # ------------------------------------------------------------ values

    def values(self, part: m.Expr) -> dict[str, Any]:
        """Return the values that a part of a requirement compares, by their text."""
        by_text = {
            self.text(compared): self.plain(compared)
            for compared in self.deciding_expressions(part)
            if not m.is_constant(compared)
        }
        return (
            by_text
            | dict(self.superlatives_in(part))
            | dict(self.measured_trails(part))
        )

    def measured_trails(self, part: m.Expr) -> Iterator[tuple[str, Any]]:
        """Yield (text, members) of each measured trail and reached set in a part."""
        nodes = [(node, condition_parts(node)) for node in walk(part)]
        measured = [id(parts.measured_way) for _, parts in nodes]
        for node, parts in nodes:
            known = id(node) not in measured and self.is_evaluable(node)
            if parts.links is not None and known:
                links = self.plan.values.to_plain(parts.links.type, self.route(node))
                yield f"a {self.text(node)}", links
            elif parts.is_way and known:
                yield self.text(node), self.plain(node)[:MEMBERS_SHOWN]

    def is_evaluable(self, expression: m.Expr) -> bool:
        """Return whether all free variables of an expression have a value."""
        return all(map(self.is_bound, m.free_variables(expression)))

    def superlatives_in(self, part: m.Expr) -> Iterator[tuple[str, Any]]:
        """Yield (text, value) for each number that superlatives in a part compare."""
        for node in walk(part):
            ranked = condition_parts(node).ranked_values
            if ranked and self.is_bound(node.set):
                yield from self.members(node, ranked)

    def members(
        self, node: m.Binder, values: tuple[m.Expr, ...]
    ) -> Iterator[tuple[str, Any]]:
        """Yield (text with member, value) for each number in a superlative."""
        place = node.slot + FIRST_LOCAL
        assert isinstance(node.set.type, m.SetOf)
        names = self.plan.values.names.get(node.set.type.domain or "")
        f = [*self.f, *[None] * (place + 1 - len(self.f))]
        for member in self.value(node.set)[:MEMBERS_SHOWN]:
            f[place] = member
            inner = Explainer(self.plan, self.s, f)
            if node.where is not None and not inner.value(node.where):
                continue
            name = str(member) if names is None else names[member]
            for value in values:
                if inner.is_bound(value):
                    yield f"{self.text(value)} ({name})", inner.plain(value)

    # ------------------------------------------------------------ suggested fixes

    def suggested_fix(self, part: m.Expr) -> str | None:
        """Return a change that would satisfy a comparison, or None."""
        match condition_parts(part):
            case ConditionParts(op=None, compared_values=(holder, bag)):
                return self.missing_cards(holder, bag)
            case ConditionParts(op=m.Comparison() as op, compared_values=(left, right)):
                return self.difference(op, left, right)
            case _:
                return None

    def missing_cards(self, holder: m.Expr, bag: m.Expr) -> str | None:
        """Return a phrase that lists the cards a holder lacks, or None."""
        held = self.cards(holder)
        lacks = {
            name: wanted - held.get(name, 0)
            for name, wanted in self.cards(bag).items()
            if wanted > held.get(name, 0)
        }
        return make_message("lacks", lacks=lacks) if lacks else None

    def difference(self, op: m.Comparison, left: m.Expr, right: m.Expr) -> str | None:
        """Return a phrase for how much more or less is needed, or None."""
        first, second = self.value(left), self.value(right)
        if not (isinstance(left.type, m.Whole) and isinstance(right.type, m.Whole)):
            return None
        strict = 1 if op in {m.Comparison.LESS, m.Comparison.MORE} else 0
        match op:
            case m.Comparison.MORE | m.Comparison.AT_LEAST:
                return make_message(
                    "more", count=second - first + strict, rule=self.text(left)
                )
            case m.Comparison.LESS | m.Comparison.AT_MOST:
                count = first - second + strict
                return make_message("fewer", count=count, rule=self.text(left))
            case _:
                return None
