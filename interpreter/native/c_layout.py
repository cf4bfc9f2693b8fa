"""Memory layout of a native game: cell types, stacks, and offsets in frames.

Integer ranges determine the type of the cells, and no written value exceeds the type. A
field is checked against its type at each write. A bag holds no more cards than exist or
may come from outside. Pieces are limited by their number.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from typing import Any

import attrs

from interpreter.core.facts import Facts
from interpreter.core.layout import Block
from interpreter.core.slots import FIRST_LOCAL
from interpreter.native.c_file import NotTranslatable, smallest_type
from interpreter.plan.plan import Plan, units
from interpreter.plan.units import Unit
from rulebook import model as m
from rulebook import tooling
from rulebook.signatures import statements_in

PLAYERS_MAX = 30
NUMBERS_MAX = 256
"""Maximum number of elements in a set of numbers that a frame stores."""

STACK_MAX = 2_000
"""Maximum number of cards in one stack."""

TURNS_MAX = 1_000_000
STACK_GRANULARITY = 16
"""Number of cards to whose multiples stack capacities are rounded up."""


@attrs.frozen
class FrameOffsets:
    """Offsets of a unit's local variables in its frame, by slot, and the frame size."""

    slots: Mapping[int, int]
    size: int


@attrs.frozen
class Cells:
    """Layout of the cells of a game: their C type and their stacks.

    `max_value` is the greatest number that a cell can store. `stacks` maps each stack
    cell to the number of its stack. Each stack has room for `stack_cards` cards of
    `stack_kinds` kinds.
    """

    type: str
    max_value: int
    stacks: Mapping[int, int]
    stack_cards: int
    stack_kinds: int

    @property
    def is_long(self) -> bool:
        """Whether some numbers need more than 32 bits."""
        return self.type == "int64_t"


def cell_layout(plan: Plan) -> Cells:
    """Return the memory layout of the cells of a plan."""
    facts = plan.facts
    if facts.players > PLAYERS_MAX:
        raise NotTranslatable(f"more than {PLAYERS_MAX} players")
    bits = (1 << facts.players) - 1
    low, high = m.NONE, max(bits, min(plan.model.turns, TURNS_MAX))
    for block in facts.layout.fields.values():
        below, above = range_of(plan, block)
        low, high = min(low, below), max(high, above)
    for name, piece in facts.layout.pieces.items():
        kind = plan.model.pieces[name].owner
        high = max(high, piece.count, facts.sizes[kind] if kind else 1)
    for node, effects in statements_in(*unit_statements(plan)):
        if effects.dealt_domain is not None and node.column:
            values = facts.column(node.cards, node.column)
            low, high = min([low, *values]), max([high, *values])
    stacks: dict[int, int] = {}
    for block in stack_blocks(facts):
        for owner in range(block.count):
            stacks[block.row(owner)] = len(stacks)
    kind = smallest_type([low, high])
    most = (1 << (int(kind[3:-2]) - 1)) - 1
    domains = {domain_of(block) for block in stack_blocks(facts)}
    cards = stack_capacity(max([1, *[max_cards(plan, domain) for domain in domains]]))
    kinds = max([1, *[facts.sizes[domain] for domain in domains]])
    return Cells(kind, most, stacks, min(cards, STACK_MAX), kinds)


def stack_capacity(cards: int) -> int:
    """Return the stack capacity for a number of cards.

    >>> [stack_capacity(cards) for cards in (0, 1, 16, 17)]
    [0, 16, 16, 32]
    """
    return -(-cards // STACK_GRANULARITY) * STACK_GRANULARITY


def link_space_bound(plan: Plan) -> int:
    """Return one more than the greatest index of a space at the end of a link."""
    board = plan.facts.board
    links = board.link_ends if board else ()
    return 1 + max([end for ends in links for end in ends], default=0)


def unit_statements(plan: Plan) -> list[Any]:
    """Return the outermost statements of all units."""
    statements: list[Any] = []
    for code in units(plan.model):
        statements += code.body
    return statements


def stack_blocks(facts: Facts) -> list[Block]:
    """Return the blocks of the fields that are stacks."""
    blocks = facts.layout.fields.values()
    return [block for block in blocks if isinstance(block.field.type, m.Stack)]


def domain_of(block: Block) -> str:
    """Return the domain of the cards in a stack or bag field."""
    assert isinstance(block.field.type, m.Stack | m.Bag)
    return block.field.type.domain


def range_of(plan: Plan, block: Block) -> tuple[int, int]:
    """Return the minimum and maximum that the cells of a field can contain."""
    match block.field.type:
        case m.Whole(low=low, high=high):
            return low, high
        case m.Member(domain=domain):
            return m.NONE, plan.facts.sizes[domain]
        case m.Bag(domain=domain):
            return 0, 0 if block.field.endless else max_cards(plan, domain)
        case m.SetOf():
            raise NotTranslatable(f"a field that holds a set: {block.field.key}")
        case _:
            return 0, 1


def max_cards(plan: Plan, domain: str) -> int:
    """Return the maximum number of cards of a domain that one holder can contain."""
    if domain in plan.facts.growing_domains:
        return tooling.HOLDER_MAX + 1
    count = 0
    for block in plan.facts.layout.fields.values():
        if getattr(block.field.type, "domain", None) != domain or block.field.endless:
            continue
        for owner in range(block.count):
            row = block.row(owner)
            match block.field.type:
                case m.Bag():
                    count += sum(plan.start_cells[row : row + block.size])
                case m.Stack():
                    count += sum(plan.start_cells[row][1])
                case _:
                    count += 1
    return count


# ---------------------------------------------------------------- frames


def frame_offsets(facts: Facts, unit: Unit) -> FrameOffsets:
    """Return the offsets of a unit's local variables in its frame."""
    slots, size = {}, FIRST_LOCAL
    for slot, kind in enumerate(unit.types):
        slots[slot] = size
        size += local_size(facts, unit, kind)
    return FrameOffsets(slots, size)


def local_size(facts: Facts, unit: Unit, kind: m.Type | None) -> int:
    """Return the number of cells that a local variable takes in a frame."""
    match kind:
        case m.Bag(domain=domain):
            return facts.sizes[domain]
        case m.SetOf(domain=None):
            return NUMBERS_MAX + 1
        case m.SetOf(domain=str(domain)):
            return 1 + max(facts.sizes[domain], dealt_card_count(facts, unit, domain))
        case m.Tally(domains=domains):
            size = 1
            for domain in domains:
                size *= facts.sizes[domain]
            return size
        case m.Stack():
            raise NotTranslatable("a stack in a variable")
        case _:
            return 1


def dealt_card_count(facts: Facts, unit: Unit, domain: str) -> int:
    """Return the room needed for the cards that a unit deals to members of a domain."""
    body = () if unit.code is None else unit.code.body
    counts = [
        sum(facts.copies(node.cards))
        for node, effects in statements_in(*body)
        if effects.dealt_domain is not None
        and isinstance(node.set.type, m.SetOf)
        and node.set.type.domain == domain
    ]
    return stack_capacity(max(counts, default=0))


def structure_type(name: str, **fields: Any) -> Any:
    """Return a `ctypes` structure type with only these fields, given as name=type."""
    parts = {"_fields_": list(fields.items()), "__slots__": ()}
    return type(name, (ctypes.Structure,), parts)


STREAM_WORDS = 16
"""Number of random words that a stream of C draws at once."""

STREAM_TYPE = structure_type(
    "Stream",
    key=ctypes.c_uint64,
    event=ctypes.c_uint32 * 2,
    number=ctypes.c_uint32,
    word=ctypes.c_uint32 * STREAM_WORDS,
    left=ctypes.c_int,
)
"""C structure of the random numbers of a bot, or of a game that is played at random."""
