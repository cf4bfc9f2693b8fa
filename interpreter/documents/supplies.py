"""Checks of a position: numbers of cards and pieces, and invariants of the rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, assert_never

import attrs

from interpreter.core.layout import ACTIVE, TURN, Block, PieceCells
from interpreter.core.stacks import contents
from interpreter.documents.pieces import owner_names
from interpreter.errors import PositionError
from interpreter.explain.require_messages import RequireMessages
from interpreter.plan.plan import PLANS_MAX, Plan, units
from interpreter.source.failures import RequireFailed
from interpreter.state.state import State
from interpreter.state.wait_points import ChanceStep
from rulebook import model as m
from rulebook import tooling
from rulebook.signatures import Effects, effects_within


@attrs.frozen
class Supply:
    """Number of copies of a card or piece in a game, and the expected number.

    If `exact`, the rules neither create nor remove copies, and `count` must equal
    `most`. For pieces, `count` is the number on the board and `most` is the
    maximum. `owner` is the name of the seat or other member that owns them.
    """

    name: str
    owner: str | None
    count: int
    most: int
    exact: bool

    @property
    def kept(self) -> bool:
        """Whether the count is as expected: equal to `most`, or not above it."""
        return self.count == self.most if self.exact else self.count <= self.most


def supplies_of(plan: Plan, s: list[Any]) -> Iterator[Supply]:
    """Yield the supplies of cards whose number never changes, then of all pieces."""
    losing = domains_with_losses(plan.model, plan.layout.fields)
    for domain, holders in conserved_holders(plan).items():
        names = plan.values.names[domain]
        counts, initial = (
            total_cards(holders, cells, len(names)) for cells in (s, plan.start_cells)
        )
        if domain not in losing:
            for name, count, most in zip(names, counts, initial, strict=True):
                yield Supply(name, None, count, most, exact=True)
    for name, cells in plan.layout.pieces.items():
        for owner, whose in enumerate(owner_names(plan, name) or (None,)):
            count = pieces_on_board(cells, s, owner)
            yield Supply(name, whose, count, cells.count, exact=False)


def pieces_on_board(cells: PieceCells, s: list[Any], owner: int) -> int:
    """Return the number of pieces of an owner on the board."""
    if cells.owners:
        return sum(s[cells.low + owner : cells.high : cells.owners])
    return s[cells.low : cells.high].count(owner)


def domains_with_losses(model: m.Model, blocks: dict[str, Block]) -> dict[str, None]:
    """Return the domains of cards that can leave the game or be overwritten."""
    assigned, _ = creating_writes(model, blocks)
    losing: dict[str, None] = {}
    for effects in code_effects(model):
        transfer = effects.cards
        if transfer is None:
            continue
        leaves_game = transfer.destination is None
        holder = transfer.source if leaves_game else transfer.destination
        if m.is_field(holder):
            domain = card_domain(model, blocks[holder.field])
            if domain is not None and (leaves_game or holder.field in assigned):
                losing[domain] = None
    return losing


def check_totals(plan: Plan, s: list[Any]) -> None:
    """Raise `PositionError` if there are more copies of a card than at the start."""
    for domain, holders in conserved_holders(plan).items():
        names = plan.values.names[domain]
        counts, initial = (
            total_cards(holders, cells, len(names)) for cells in (s, plan.start_cells)
        )
        pairs = zip(names, counts, initial, strict=True)
        for name, count, most in pairs:
            if count > most:
                places = ", ".join(field_path(block.field) for block in holders)
                message = f"there are {count} {name}, but only {most} in the game"
                raise PositionError(places, message)


def total_cards(holders: list[Block], s: Any, size: int) -> list[int]:
    """Return the total number of each card in these holders."""
    rows = [
        cards_in(block, s, block.row(owner), size)
        for block in holders
        for owner in range(block.count)
    ]
    return [sum(column) for column in zip(*rows, strict=True)]


def cards_in(block: Block, s: Any, row: int, size: int) -> Sequence[int]:
    """Return the number of each card in a bag, stack or slot."""
    match block.field.type:
        case m.Bag():
            return tuple(s[row : row + size])
        case m.Stack():
            return contents(s[row])
        case _:
            return [int(s[row] == card) for card in range(size)]


@lru_cache(maxsize=PLANS_MAX)
def conserved_holders(plan: Plan) -> dict[str, list[Block]]:
    """Return the holders of each domain whose cards are only moved, never created."""
    model, blocks = plan.model, plan.layout.fields
    assigned, gaining = creating_writes(model, blocks)
    holders: dict[str, list[Block]] = {}
    for key, block in blocks.items():
        domain = card_domain(model, block)
        if domain is not None and key not in assigned and domain not in gaining:
            holders.setdefault(domain, []).append(block)
    return holders


def card_domain(model: m.Model, block: Block) -> str | None:
    """Return the domain of the cards in a holder, or None for other fields."""
    match block.field.type:
        case m.Bag(domain=domain) | m.Stack(domain=domain):
            return domain
        case m.Member(domain=domain, optional=True):
            return domain if model.domains[domain].sort is m.DomainSort.CARDS else None
        case _:
            return None


def creating_writes(
    model: m.Model, blocks: dict[str, Block]
) -> tuple[dict[str, None], dict[str, None]]:
    """Return the fields that rules set, and the domains that can gain cards.

    A domain gains cards if they are dealt from a column, come from outside the game,
    from an endless stock or from a field that rules set, or are reset each turn or
    round.
    """
    assigned: dict[str, None] = {}
    gaining: dict[str, None] = {
        domain: None
        for block in blocks.values()
        if block.field.endless or block.field.resets or block.field.resets_round
        if (domain := card_domain(model, block)) is not None
    }
    sources: dict[str, None] = {}
    for effects in code_effects(model):
        transfer = effects.cards
        assigned |= {place.field: None for place in effects.assigned_fields}
        if effects.dealt_domain is not None:
            gaining[effects.dealt_domain] = None
        if transfer is not None and m.is_field(transfer.source):
            sources[transfer.source.field] = None
        elif (
            transfer is not None
            and transfer.source is None
            and transfer.bag is not None
        ):
            assert isinstance(transfer.bag.type, m.Bag)
            gaining[transfer.bag.type.domain] = None
    for key in sources:
        domain = card_domain(model, blocks[key])
        if key in assigned and domain is not None:
            gaining[domain] = None
    return assigned, gaining


def code_effects(model: m.Model) -> Iterator[Effects]:
    """Return the effects of all statements of procedures and actions."""
    return effects_within([code.body for code in units(model)])


def field_path(field: m.Field) -> str:
    """Return the path of a field in a position."""
    return f"{field.owner or 'game'}.{field.name}"


def check_invariants(plan: Plan, g: State) -> None:
    """Raise `PositionError` if an invariant of the rules is violated after set-up."""
    dealing = g.s[TURN] == 0 and isinstance(g.waiting, ChanceStep)
    if dealing:
        return
    for invariant in plan.model.invariants:
        try:
            require_invariant(plan, g, invariant)
        except RequireFailed as failure:
            paths = ", ".join(paths_read(plan.model, failure.node.condition))
            message = RequireMessages(plan).sentence(failure)
            raise PositionError(
                paths or "position",
                f"the invariant “{invariant.title}” is violated: {message}",
            ) from None


def require_invariant(plan: Plan, g: State, invariant: m.Invariant) -> None:
    """Raise `RequireFailed` if an invariant is violated; `you` is the active player."""
    title = f"invariant {invariant.title}"
    unit = plan.test_unit(title, invariant.body, invariant.slots)
    assert unit.whole is not None
    unit.whole(g, g.s, unit.frame(g.s[ACTIVE]))


def paths_read(model: m.Model, condition: m.Expr) -> Iterator[str]:
    """Yield the paths in a position that a condition reads."""
    for part in tooling.ReadFinder(model).parts_read(condition):
        match part.sort:
            case tooling.PartSort.FIELD:
                yield field_path(model.fields[part.name])
            case tooling.PartSort.PIECE:
                yield f"pieces.{part.name}"
            case tooling.PartSort.AWARD:
                yield f"awards.{part.name}"
            case tooling.PartSort.ACTIVE:
                yield "active"
            case tooling.PartSort.TURN:
                yield "turn"
            case tooling.PartSort.WINNER:
                yield "end.winner"
            case never:
                assert_never(never)
