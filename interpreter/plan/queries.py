"""Queries about statements that the code generators of both engines share.

They depend only on the model and the fixed data of a game, and return no code.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from math import prod

from interpreter.core.action_index import ActionSpace, PlannedAction
from interpreter.core.dependencies import walk
from interpreter.core.facts import Facts
from interpreter.core.layout import Block
from interpreter.core.optional import may_be_none
from rulebook import model as m
from rulebook import tooling

# ---------------------------------------------------------------- fields and seats


def all_seats_mask(facts: Facts) -> int:
    """Return all seats that play, as bits."""
    return (1 << facts.players) - 1


def target(node: m.SetField) -> m.FieldValue:
    """Return the field that a statement writes."""
    return m.FieldValue(node.field, node.owner, type=node.value.type)


def exceeded_range(facts: Facts, node: m.SetField, field: m.Field) -> m.Whole | None:
    """Return the range of a field if the written value may be outside it, else None."""
    kind, surely = field.type, tooling.range_of(facts.model, node.value)
    if not isinstance(kind, m.Whole):
        return None
    if kind.low <= surely.low and surely.high <= kind.high:
        return None
    return kind


def tally_size(facts: Facts, node: m.SetTally) -> int:
    """Return the number of counters of a tally."""
    return prod(facts.sizes[domain] for domain in node.domains)


def choosing_seat(code: m.Procedure | m.Action, member: m.Expr) -> m.Expr | None:
    """Return the seat that chose the moved card, or None if no seat did."""
    if isinstance(member, m.Local):
        for node in walk(*code.body):
            if isinstance(node, m.Choose) and node.slot == member.slot:
                return node.who
    return None


def certainly_ends(facts: Facts, node: m.Wins) -> bool:
    """Return whether a statement certainly ends the game, because there is a winner."""
    who, ranking = node.who, node.ranking
    if ranking is not None:
        return ranking.where is None
    if isinstance(who, m.Const):
        seats = who.value if isinstance(who.value, tuple) else (who.value,)
        return any(0 <= seat < facts.players for seat in seats)
    return who is None or (isinstance(who.type, m.Member) and not may_be_none(who))


# ---------------------------------------------------------------- cards


class CardHolder:
    """Source or destination of moved cards: a bag, stack or slot, or outside
    the game.
    """

    def __init__(self, facts: Facts, value: m.Expr | None) -> None:
        self.facts = facts
        self.value: m.FieldValue | None = None
        self.block: Block | None = None
        if value is not None:
            assert isinstance(value, m.FieldValue), value
            self.value = value
            self.block = facts.block(value)

    @property
    def has_count(self) -> bool:
        """Whether moves change its counts: it is in the game and not endless."""
        return self.block is not None and not self.block.field.endless

    @property
    def is_stack(self) -> bool:
        """Whether the holder is a stack."""
        return self.block is not None and isinstance(self.block.field.type, m.Stack)

    @property
    def is_slot(self) -> bool:
        """Whether the holder is a field for one card or none."""
        return self.block is not None and isinstance(self.block.field.type, m.Member)

    @property
    def may_grow(self) -> bool:
        """Whether the holder can receive cards from outside the game."""
        assert self.block is not None
        domain = getattr(self.block.field.type, "domain", None)
        return domain in self.facts.growing

    @property
    def is_open(self) -> bool:
        """Whether everybody sees the cards in the holder."""
        return self.block is None or self.block.field.seen_by is m.Audience.ALL

    @property
    def only_viewer(self) -> m.Expr | None:
        """The only seat that sees the cards in the holder, if there is one."""
        if self.block is None:
            return None
        field = self.block.field
        if field.seen_by is not m.Audience.OWNER or not field.each_player:
            return None
        assert self.value is not None and self.value.owner is not None
        return self.value.owner


def card_of(holder: m.Expr) -> m.Member:
    """Return the type of a card in a holder."""
    assert isinstance(holder.type, m.Bag | m.Stack)
    return m.Member(holder.type.domain)


def procedures_of_cards(facts: Facts, node: m.CarryOut) -> tuple[str, ...]:
    """Return the names of the procedures that cards can carry out."""
    assert isinstance(node.card.type, m.Member)
    return tuple(map(tooling.card_unit, facts.names[node.card.type.domain]))


# ---------------------------------------------------------------- chance


def dice_results(fields: Iterable[m.Field]) -> list[tuple[tuple[int, ...], int]]:
    """Return the results of dice, each with its weight."""
    dice = [
        [(face, field.faces.count(face)) for face in dict.fromkeys(field.faces)]
        for field in fields
    ]
    return [
        (
            tuple(face for face, _ in combination),
            prod(share for _, share in combination),
        )
        for combination in product(*dice)
    ]


def chosen_type(node: m.ChanceChoose) -> m.Type:
    """Return the type of a value that chance chooses."""
    assert isinstance(node.set.type, m.SetOf)
    domain = node.set.type.domain
    return m.Whole(0, 0) if domain is None else m.Member(domain)


def dealt_values(facts: Facts, node: m.Spread) -> tuple[int, ...]:
    """Return the value that each kind of dealt card stands for, and a last value for
    none.
    """
    if node.column:
        return facts.column(node.cards, node.column)
    return (*range(facts.sizes[node.cards]), m.NONE)


# ---------------------------------------------------------------- decisions


def offers_of(node: m.Ask) -> tuple[m.Offer, ...]:
    """Return the offers to a seat, including the action that ends a loop."""
    if node.until is None or node.until in [offer.action for offer in node.offers]:
        return node.offers
    return (*node.offers, m.Offer(action=node.until))


def in_listing_order(
    offers: Iterable[m.Offer], space: ActionSpace
) -> Iterator[tuple[m.Offer, PlannedAction]]:
    """Yield the offers with their actions, in the order in which legal actions are
    listed.
    """
    pairs = [(offer, space.by_name[offer.action]) for offer in offers]
    yield from sorted(pairs, key=lambda pair: pair[1].base)


def required_values(offer: m.Offer, action: PlannedAction) -> list[m.Expr]:
    """Return the values of an offer that must not be none."""
    pairs = zip(action.action.parameters, offer.arguments, strict=False)
    return [
        value
        for parameter, value in pairs
        if isinstance(parameter.type, m.Member)
        and not parameter.type.optional
        and may_be_none(value)
    ]
