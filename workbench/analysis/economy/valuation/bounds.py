"""Upper bounds of numbers in a game, derived from its rules.

Bounds follow from the numbers of pieces and cards, from definitions, and from
conditions that cannot change in play. Any other number is bounded by its type. A bound
is never too low.
"""

from __future__ import annotations

import attrs

from interpreter import Game
from rulebook import model as m
from rulebook.signatures import PiecePlace, derived_range, inputs_of
from rulebook.tooling import growing_domains
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
        """Return an upper bound of a numeric expression.

        *slots* are the names of its clause's variables, and *depth* is the depth to
        which nested definitions may still be expanded.
        """
        bound = self._expression_bound(e, slots, depth)
        kind = e.type
        highest = kind.high if isinstance(kind, m.Whole) else bound
        assert highest is not None
        return highest if bound is None else min(bound, highest)

    def is_false(self, e: m.Expr, slots: tuple[str, ...]) -> bool:
        """Return whether a condition is false and stays false in play."""
        if free_variables(e) or not is_settled(self.game.book.model, e):
            return False
        return not is_true(self.game, e, slots, {})

    def _expression_bound(
        self, e: m.Expr, slots: tuple[str, ...], depth: int
    ) -> int | None:
        """Return an upper bound derived from the expression, or None if unknown."""
        value = m.constant_value(e)
        if isinstance(value, int):
            return value
        pieces = self._piece_bound(e)
        if pieces is not None:
            return pieces
        if m.is_call(e) and depth:
            return self._definition_bound(e.define, e.arguments, depth - 1)
        match e:
            case m.OptionValue(name=name):
                value = self.game.options[name]
                return value if isinstance(value, int) else None
            case m.PlayerCount():
                return self.game.players
            case m.SumOver() | m.CountMembers():
                return self._sum_bound(e, slots, depth)
            case m.CountIn(member=card) if m.is_constant(card):
                assert isinstance(card.type, m.Member)
                return self._card_bound(card.type.domain, card.value)
            case m.LongestTrail(links=links, also=also, weight=None):
                sets = [self._piece_bound(item) for item in (links, *also)]
                return None if None in sets else sum(item or 0 for item in sets)
            case _:
                bounds = derived_range(e, lambda part: self._range(part, slots, depth))
                return None if bounds is None else bounds.high

    def _range(self, e: m.Expr, slots: tuple[str, ...], depth: int) -> m.Whole:
        """Return the range of a number, with a lower end of at most 0."""
        low = e.type.low if isinstance(e.type, m.Whole) else -1
        return m.Whole(min(low, 0), self.upper_bound(e, slots, depth))

    def _definition_bound(
        self, name: str, arguments: tuple[m.Expr, ...], depth: int
    ) -> int:
        """Return an upper bound of a definition, given its constant arguments."""
        define = self.game.book.model.defines[name]
        pairs = zip(define.parameters, arguments, strict=True)
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
        each, total = e.value if isinstance(e, m.SumOver) else m.number(1), 0
        for number in range(len(domain.members)):
            value = {e.slot: member_constant(domain.name, number)}
            if e.where is None or not self.is_false(with_values(e.where, value), slots):
                bound = self.upper_bound(with_values(each, value), slots, depth)
                total += max(bound, 0)
        return total

    def _piece_bound(self, e: m.Expr) -> int | None:
        """Return the supply of the pieces an expression counts, or None if none."""
        for place in inputs_of(e).places:
            if isinstance(place, PiecePlace):
                supplies = self.game.supplies
                counts = [item.most for item in supplies if item.name == place.piece]
                return sum(counts) if place.owner is None else max(counts, default=0)
        return None

    def _card_bound(self, domain: str, index: int) -> int | None:
        """Return a card's exact supply, else its number of copies, else None."""
        name = self.game.book.model.domains[domain].members[index]
        counts = [
            item.most for item in self.game.supplies if item.exact and item.name == name
        ]
        return counts[0] if counts else self.copy_count(domain, index)

    def copy_count(self, kind: str, number: int) -> int | None:
        """Return the number of copies of card *number* of *kind*, None if unlimited."""
        model = self.game.book.model
        domain = model.domains[kind]
        if not domain.copies or kind in growing_domains(model):
            return None
        return self.upper_bound(domain.copies[number], ())
