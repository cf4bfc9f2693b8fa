"""Upper bounds of numbers in a game, derived from its rules.

Bounds follow from the numbers of pieces and cards, from definitions, and from
conditions that cannot change in play. Any other number is bounded by its type. A bound
is never too low.
"""

from __future__ import annotations

import attrs

from interpreter import Game
from rulebook import model as m
from rulebook.tooling import growing
from workbench.analysis.economy.probes.queries import (
    free_variables,
    is_settled,
    is_true,
    member_constant,
    with_values,
)

MAX_DEPTH = 12
"""Maximum depth to which nested definitions are expanded."""


@attrs.frozen
class UpperBounds:
    """Upper bounds of numbers in a game with known options, pieces and cards."""

    game: Game

    def upper_bound(
        self, e: m.Expr, slots: tuple[str, ...], depth: int = MAX_DEPTH
    ) -> int:
        """Return an upper bound of a number.

        *slots* are the variables of its clause, and *depth* is the remaining depth of
        nesting.
        """
        seen = self._expression_bound(e, slots, depth)
        kind = e.type
        highest = kind.high if isinstance(kind, m.Whole) else seen
        assert highest is not None
        return highest if seen is None else min(seen, highest)

    def is_false(self, e: m.Expr, slots: tuple[str, ...]) -> bool:
        """Return whether a condition is false and stays false in play."""
        if free_variables(e) or not is_settled(self.game.book.model, e):
            return False
        return not is_true(self.game, e, slots, {})

    def _expression_bound(
        self, e: m.Expr, slots: tuple[str, ...], depth: int
    ) -> int | None:
        """Return an upper bound derived from the expression, or None if unknown."""
        match e:
            case _ if isinstance(value := m.constant_value(e), int):
                return value
            case m.OptionValue(name=name):
                value = self.game.options[name]
                return value if isinstance(value, int) else None
            case m.PlayerCount():
                return self.game.players
            case m.HalfOf(value=inner):
                return self.upper_bound(inner, slots, depth) // 2
            case m.Conditional(value=left, other=right):
                return max(
                    self.upper_bound(left, slots, depth),
                    self.upper_bound(right, slots, depth),
                )
            case m.Extreme(smaller=smaller, left=left, right=right):
                pick = min if smaller else max
                return pick(
                    self.upper_bound(left, slots, depth),
                    self.upper_bound(right, slots, depth),
                )
            case m.Arith():
                return self._arithmetic_bound(e, slots, depth)
            case m.CallDefine() if depth:
                return self._definition_bound(e, depth - 1)
            case m.SumOver() | m.CountMembers():
                return self._sum_bound(e, slots, depth)
            case m.PieceCount(piece=piece) | m.PieceLeft(piece=piece):
                return self._piece_bound(piece, e.owner)
            case m.CountIn(member=m.Typed(type=m.Member(domain=kind)) as card) if (
                m.is_constant(card)
            ):
                return self._card_bound(kind, card.value)
            case m.LongestTrail(links=links, also=also, weight=None):
                sets = [self._link_bound(it) for it in (links, *also)]
                return None if None in sets else sum(it or 0 for it in sets)
            case _:
                return None

    def _arithmetic_bound(
        self, e: m.Arith, slots: tuple[str, ...], depth: int
    ) -> int | None:
        """Return an upper bound of a sum, difference or product, or None if unknown."""
        left, right = (self.upper_bound(it, slots, depth) for it in (e.left, e.right))
        low = [it.type.low for it in (e.left, e.right) if isinstance(it.type, m.Whole)]
        match e.op:
            case m.Reckoning.PLUS:
                return left + right
            case m.Reckoning.TIMES:
                return left * right if min(low, default=-1) >= 0 else None
            case m.Reckoning.MINUS:
                return left if low[-1:] >= [0] else None
            case _:
                return None

    def _definition_bound(self, e: m.CallDefine, depth: int) -> int | None:
        """Return an upper bound of a definition for the constant arguments."""
        define = self.game.book.model.defines[e.define]
        pairs = zip(define.parameters, e.arguments, strict=True)
        known = {p.slot: value for p, value in pairs if m.is_constant(value)}
        values = []
        for line in define.lines:
            condition = line.condition and with_values(line.condition, known)
            if condition is None or not self.is_false(condition, define.slots):
                value = with_values(line.value, known)
                values.append(self.upper_bound(value, define.slots, depth))
        if define.adds:
            return sum(max(value, 0) for value in values)
        return max((0, *values))

    def _sum_bound(
        self, e: m.SumOver | m.CountMembers, slots: tuple[str, ...], depth: int
    ) -> int | None:
        """Return an upper bound of a sum or count over members, or None if unknown."""
        if not m.is_all_of(e.set):
            return None
        domain = self.game.book.model.domains[e.set.domain]
        if domain.sort is m.DomainSort.PLAYER or domain.each_player:
            return None
        total = 0
        for number in range(len(domain.members)):
            value = {e.slot: member_constant(domain.name, number)}
            out = e.where is not None and self.is_false(
                with_values(e.where, value), slots
            )
            if not out and isinstance(e, m.SumOver):
                total += max(
                    self.upper_bound(with_values(e.value, value), slots, depth), 0
                )
            elif not out:
                total += 1
        return total

    def _link_bound(self, e: m.Expr) -> int | None:
        """Return the maximum number of links in a set, or None if unknown."""
        return (
            self._piece_bound(e.piece, e.owner)
            if isinstance(e, m.PieceSpaces)
            else None
        )

    def _piece_bound(self, piece: str, owner: m.Expr | None) -> int:
        """Return the maximum number of pieces of an owner, or of all owners."""
        counts = [it.most for it in self.game.supplies if it.name == piece]
        return sum(counts) if owner is None else max(counts, default=0)

    def _card_bound(self, kind: str, number: int) -> int | None:
        """Return the number of a card in the game, or None if more can come in."""
        name = self.game.book.model.domains[kind].members[number]
        counts = [it.most for it in self.game.supplies if it.exact and it.name == name]
        return counts[0] if counts else self.copy_count(kind, number)

    def copy_count(self, kind: str, number: int) -> int | None:
        """Return the number of copies of a card, or None if more can come in."""
        model = self.game.book.model
        domain = model.domains[kind]
        if not domain.copies or kind in growing(model):
            return None
        return self.upper_bound(domain.copies[number], ())
