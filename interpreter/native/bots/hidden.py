"""C tables of hidden information: card holders, hidden values and owned fields."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from interpreter.core.layout import Block
from interpreter.native.c_file import NotTranslatable
from interpreter.plan.plan import Plan, owning_seat
from rulebook import model as m

Row = tuple[int | str, ...]
NOBODY = -1
SORTS: Mapping[type, str] = {m.Bag: "A_BAG", m.Stack: "A_STACK"}


def struct_array(kind: str, name: str, rows: Sequence[Row]) -> str:
    """Return a C array of structures; an empty array gets a row of zeros.

    >>> struct_array("Own", "OWN", [(1, 2)])
    'static const UNUSED Own OWN[] = {{1, 2}};'
    """
    listed = ", ".join("{" + ", ".join(map(str, row)) + "}" for row in rows or [(0,)])
    return f"static const UNUSED {kind} {name}[] = {{{listed}}};"


def number_array(kind: str, name: str, values: Sequence[int]) -> str:
    """Return the C definition of an array of numbers of the type `kind`."""
    listed = ", ".join(map(str, values)) or "0"
    return f"static const UNUSED {kind} {name}[] = {{{listed}}};"


def hidden_tables(plan: Plan, stacks: Mapping[int, int], cards: int) -> list[str]:
    """Return the C tables of hidden information; a stack has room for *cards* cards."""
    holders: list[Row] = []
    starts, kinds, heaps = [0], [], 1
    for domain, blocks in plan.hidden.cards.items():
        here = [row for block in blocks for row in holder_rows(plan, block, stacks)]
        ordered = sum(row[0] == "A_STACK" for row in here)
        heaps = max(heaps, len(here) + ordered * cards)
        holders += here
        starts.append(len(holders))
        kinds.append(plan.facts.sizes[domain])
    for block in plan.hidden.public_stacks:  # each keeps its cards
        assert isinstance(block.field.type, m.Stack)
        for row in holder_rows(plan, block, stacks):
            heaps = max(heaps, 1 + cards)
            holders.append(row)
            starts.append(len(holders))
            kinds.append(plan.facts.sizes[block.field.type.domain])
    values = [row for block in plan.hidden.values for row in value_rows(plan, block)]
    fields = plan.layout.fields.values()
    own = [row for block in fields for row in owned_rows(plan, block, stacks)]
    return [
        f"enum {{ DOMAINS = {len(kinds)}, HOLDERS = {len(holders)} }};",
        f"enum {{ VALUES = {len(values)}, OWNS = {len(own)} }};",
        f"enum {{ HEAPS = {heaps}, KINDS = {max([1, *plan.facts.sizes.values()])} }};",
        f"enum {{ HAS_STACKS = {int(bool(stacks))} }};",
        struct_array("Holder", "HOLDER", holders),
        number_array("int", "DOMAIN_FROM", starts),
        number_array("int", "KINDS_OF", kinds),
        struct_array("HiddenValue", "VALUE", values),
        struct_array("OwnPart", "OWN_ROW", own),
    ]


def viewers(plan: Plan, block: Block, index: int) -> tuple[int, int]:
    """Return the seat that sees a field as its owner, and the cell of other viewers.

    The cell stores the seats that have looked at the field, as bits. Either number is
    -1 if it does not apply.
    """
    owner = owning_seat(plan, block, index)
    if owner is None or block.field.seen_by is not m.Audience.OWNER:
        owner = NOBODY
    return owner, NOBODY if block.viewers_base is None else block.viewers_base + index


def holder_rows(plan: Plan, block: Block, stacks: Mapping[int, int]) -> Iterator[Row]:
    """Yield a table row for each holder of hidden cards."""
    sort = SORTS.get(type(block.field.type), "A_CARD")
    for index in range(block.count):
        row = block.row(index)
        yield sort, stacks.get(row, row), *viewers(plan, block, index)


def value_rows(plan: Plan, block: Block) -> Iterator[Row]:
    """Yield a table row for each hidden value, with its minimum and value count."""
    if isinstance(block.field.type, m.SetOf):
        raise NotTranslatable(f"a hidden set: {block.field.key}")
    low, size = plan.values.extent(block.field.type)
    for index in range(block.count):
        yield block.row(index), *viewers(plan, block, index), low, size


def owned_rows(plan: Plan, block: Block, stacks: Mapping[int, int]) -> Iterator[Row]:
    """Yield a table row for each field that a seat owns."""
    for index in range(block.count):
        owner, row = owning_seat(plan, block, index), block.row(index)
        if owner is not None:
            yield int(row in stacks), stacks.get(row, row), block.size, owner
