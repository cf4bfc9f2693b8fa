"""Pass that marks values and sets of places to be kept until a cell they read changes.

A part of an operation is kept if it is costly to compute, depends on few locals of
known size, and reads only cells that are seldom written. `CellBlocks` says which cells
belong together; a write to one of them ends the validity of what was read from them.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from fractions import Fraction
from math import prod
from typing import Any, TypeGuard

import attrs

from interpreter.kernel import operations as k
from interpreter.kernel.passes.candidates import loop_conditions
from interpreter.kernel.passes.costs import cost
from interpreter.kernel.passes.narrowing import conjunction, conjuncts
from interpreter.kernel.passes.rewriter import Rewriter, is_local
from interpreter.kernel.traversal import (
    BOUND,
    WRITTEN,
    map_children,
    parts,
    reads_local,
    slots,
    walk,
)

Sizes = Mapping[int, int]
"""Sizes of locals by slot: each local is at least -1 and less than its size."""

MIN_COST = 32
"""Minimum cost of a part that is worth keeping."""

MAIN_SHARE = Fraction(4, 5)
"""Share of the cost of a value from which one of its parts is kept in its place."""

COUNTS = frozenset({k.FoldKind.COUNT, k.FoldKind.SUM})
"""Folds that can be kept together for all values of a property."""

ENTRIES_MAX = 1024
"""Maximum number of entries of a kept value, one for each combination of its locals."""

PLACES_MAX = 256
"""Maximum number of places of a kept set."""

UNKEPT = (
    *(k.Absent, k.Probe, k.LocalRow, k.LocalSet, k.CellSet),
    *(k.WinnerSet, k.StackRow, k.StackPool, k.StackSize, k.StackEntry),
)
"""Operations that are never kept, because they read more than cells and numbers."""


LOCAL_STATEMENTS = (
    *(k.Bind, k.Assign, k.AssignSet, k.AssignRow, k.AssignElement, k.Offered),
    *(k.Wake, k.Tick, k.CheckBudget, k.Fail, k.Announce),
    *(k.When, k.ForEach, k.ForCounts, k.Times, k.Scope, k.DropFirst, k.Leave),
)
"""Statements that write no cells, apart from the statements inside them."""


@attrs.frozen
class CellBlocks:
    """Blocks of cells: `block_of` maps a cell to its block, or None if it has none.

    `stable` are the blocks that are seldom written. `top_of` returns the greatest
    number that a cell may contain, or None if it is unknown. `row_of` returns the size
    of the row of cells that starts with a cell, and the number of members of which each
    of them contains one or none, or None if there is no such row.
    """

    block_of: Callable[[int], int | None]
    stable: frozenset[int]
    top_of: Callable[[int], int | None] = lambda _: None
    row_of: Callable[[int], tuple[int, int] | None] = lambda _: None


@attrs.frozen
class Reads:
    """Blocks of cells and locals that an operation reads, and locals that it binds.

    `blocks` is None if the operation may read something else.
    """

    blocks: frozenset[int] | None
    free: frozenset[int]
    bound: frozenset[int]


Keys = Mapping[int, k.Value]
"""Values of the locals that are not locals of the context, by slot."""

Dependencies = tuple[
    tuple[int, ...],
    tuple[k.Value, ...],
    tuple[int, ...],
    tuple[int, ...],
    tuple[int | None, ...],
]
"""Slots, keys and sizes of locals, and blocks and their owners, for a kept value."""

NOTHING = Reads(frozenset(), frozenset(), frozenset())


@attrs.define(eq=False)
class Keeper:
    """Pass over the operations of one program, whose cells are in `blocks`."""

    rewriter: Rewriter
    blocks: CellBlocks
    known: dict[int, tuple[Any, Reads]] = attrs.field(factory=dict)
    functions: dict[str, Reads] = attrs.field(factory=dict)

    def keep(self, e: Any, sizes: Sizes) -> Any:
        """Return an operation in which costly, stable parts are marked as kept."""
        if isinstance(e, k.KeptValue | k.KeptPlaces):
            keys = tuple([self.keep(key, sizes) for key in e.keys])
            return attrs.evolve(e, keys=keys)
        if isinstance(e, k.Value) and self.is_worth_keeping(e, sizes):
            if not self.is_mostly_a_part(e):
                return self.kept_value(e, sizes)
        elif isinstance(e, k.Sequence) and is_ascending(e):
            kept = self.kept_places(e, sizes, {})
            if kept is not None:
                return kept
        return self.keep_parts(e, sizes)

    def keep_parts(self, e: Any, sizes: Sizes) -> Any:
        """Return an operation in which parts of its parts are marked as kept."""
        sizes = {**sizes, **sizes_of_bound(e)}
        if isinstance(e, k.Fold | k.FilteredSet | k.ForEach):
            e = self.with_stable_conditions(e, sizes)
        if isinstance(e, k.KeptPlaces):
            return self.keep(e, sizes)
        return map_children(e, lambda part: self.keep(part, sizes))

    def keep_counts(self, e: Any, sizes: Sizes) -> Any:
        """Return a kept operation in which counts by property are marked as kept.

        They are shared by all that is computed from them.
        """
        sizes = {**sizes, **sizes_of_bound(e)}

        def inner(part: Any) -> Any:
            if isinstance(part, k.Fold) and self.is_worth_keeping(part, sizes):
                kept = self.kept_value(part, sizes)
                if key_of_counts(kept.value, kept.slots) is not None:
                    return kept
            return self.keep_counts(part, sizes)

        return map_children(e, inner)

    def kept_value(self, e: k.Value, sizes: Sizes) -> k.KeptValue:
        """Return a stable value as a kept value.

        A sum or count of members with a constant property becomes one of several that
        are kept together, for all values of the property.
        """
        keys: dict[int, k.Value] = {}
        for test in property_tests(e):
            wanted = test.right
            if isinstance(wanted, k.Int) and isinstance(test.left, k.Lookup):
                slot = self.rewriter.new_slot()
                keys[slot] = wanted
                sizes = {**sizes, slot: max(test.left.table) + 1}
                other = attrs.evolve(test, right=k.Var(slot))
                fold: Any = e
                tests = [other if x is test else x for x in conjuncts(fold.where)]
                e = attrs.evolve(fold, where=conjunction(tests))
                break
        dependencies = self.dependencies(e, sizes, keys)
        return k.KeptValue(*dependencies, self.keep_counts(e, sizes))

    def is_mostly_a_part(self, e: k.Value) -> bool:
        """Return whether one part of a value takes nearly all of its cost."""
        if isinstance(e, k.Fold | k.FoldSelections):
            return False
        own = [part for part in parts(e) if isinstance(part, k.Value)]
        most = max([cost(self.rewriter, part) for part in own], default=0)
        return most >= MAIN_SHARE * cost(self.rewriter, e)

    def is_worth_keeping(self, e: k.Value | k.Sequence, sizes: Sizes) -> bool:
        """Return whether an operation is stable, costly, and has few entries."""
        reads = self.reads(e)
        if not reads.blocks or not reads.blocks <= self.blocks.stable:
            return False
        if not all(slot in sizes for slot in reads.free):
            return False
        entries = prod(sizes[slot] + 1 for slot in reads.free)
        return entries <= ENTRIES_MAX and cost(self.rewriter, e) >= MIN_COST

    def dependencies(self, e: k.Operation, sizes: Sizes, keys: Keys) -> Dependencies:
        """Return what a stable operation depends on."""
        reads = self.reads(e)
        assert reads.blocks is not None
        slots, blocks = self.ordered(e, reads.free), tuple(sorted(reads.blocks))
        owners: dict[int, set[int | None]] = {block: set() for block in blocks}
        self.find_owners(e, owners)
        compared = [owners[block] for block in blocks]
        return (
            slots,
            tuple([keys.get(slot, k.Var(slot)) for slot in slots]),
            tuple([sizes[slot] for slot in slots]),
            blocks,
            tuple([x.pop() if len(x) == 1 else None for x in compared]),
        )

    def ordered(self, e: k.Operation, slots: frozenset[int]) -> tuple[int, ...]:
        """Return locals in order, last the one whose values are counted together."""
        key = key_of_counts(e, slots)
        return tuple(sorted(slots, key=lambda slot: (slot == key, slot)))

    def find_owners(self, e: k.Operation, owners: dict[int, set[int | None]]) -> None:
        """Add the locals that an operation compares with the cells of each block."""
        match e:
            case k.CompareValues("==", k.Load(cell), k.Var(slot=slot)):
                inner: list[k.Operation] = [cell]
            case k.Between(k.Int(-1), "!=", k.Load(cell), "==", k.Var(slot=slot)):
                inner = [cell]
            case k.Holding(base=base, value=k.Var(slot=slot)):
                cell, inner = k.Int(base), []
            case k.CountEqual(k.CellRow(first=cell), k.Var(slot=slot)):
                inner = [cell]
            case _:
                for block in self.own_blocks(e) or ():
                    owners[block].add(None)
                for part in parts(e):
                    self.find_owners(part, owners)
                return
        for block in self.block(constant_part(cell)) or ():
            owners[block].add(slot)
        for part in inner:
            self.find_owners(part, owners)

    def kept_places(
        self, e: k.Sequence, sizes: Sizes, keys: Keys
    ) -> k.KeptPlaces | None:
        """Return a sequence of places as a kept set, or None if it is not kept."""
        size = bound_of(e)
        if size is None or size > PLACES_MAX or not self.is_worth_keeping(e, sizes):
            return None
        dependencies = self.dependencies(e, sizes, keys)
        return k.KeptPlaces(*dependencies, self.keep_counts(e, sizes), size)

    def with_stable_conditions(self, e: Any, sizes: Sizes) -> Any:
        """Return a loop whose stable conditions are part of a kept set, if it pays."""
        written = self.written(e.body) if isinstance(e, k.ForEach) else NOTHING
        if not is_ascending(e.sequence) or written.blocks is None:
            return e
        chosen, tests, keys = list[k.Value](), list[k.Value](), dict[int, k.Value]()
        for test in loop_tests(e):
            reads, stable = self.reads(test), self.stable_test(test, e.slot, sizes)
            changes = reads.blocks is None or not (
                written.blocks.isdisjoint(reads.blocks)
                and written.bound.isdisjoint(reads.free)
            )
            if stable is not None and not changes:
                condition, known, given = stable
                tests.append(test)
                chosen.append(condition)
                sizes, keys = {**sizes, **known}, {**keys, **given}
        condition_of_all = conjunction(chosen)
        if condition_of_all is None:
            return e
        filtered = k.FilteredSet(e.slot, e.sequence, condition_of_all)
        kept = self.kept_places(filtered, sizes, keys)
        return e if kept is None else without_tests(e, kept, tests)

    def stable_test(
        self, e: k.Value, slot: int, sizes: Sizes
    ) -> tuple[k.Value, Sizes, Keys] | None:
        """Return a condition with only stable reads, and the locals that it adds.

        In a comparison of a stable cell with another value, the value becomes a local.
        Return None if there is no such condition.
        """
        if self.is_stable(e, sizes):
            return e, {}, {}
        match e:
            case k.CompareValues("==", k.Load(cell) as load, wanted) if (
                self.is_stable(load, sizes) and slot not in self.reads(wanted).free
            ):
                top = self.blocks.top_of(constant_part(cell))
                of: k.Value = load
            case k.CompareValues("==", k.Lookup(table, k.Var(slot=read)) as of, wanted):
                if read != slot or slot in self.reads(wanted).free:
                    return None
                top = max(table)
            case _:
                return None
        if top is None or top >= ENTRIES_MAX:
            return None
        new = self.rewriter.new_slot()
        return k.CompareValues("==", of, k.Var(new)), {new: top + 1}, {new: wanted}

    def written(self, body: k.Block) -> Reads:
        """Return the blocks and locals that a block writes, as what it binds.

        The blocks are None if they are unknown.
        """
        blocks, bound = set[int](), set[int]()
        for operation in body:
            for inner in walk(operation):
                if not isinstance(inner, k.Statement):
                    continue
                match inner:
                    case k.Store(cell=cell) | k.StoreRow(first=cell):
                        number = self.blocks.block_of(constant_part(cell))
                    case k.Clear(row=row):
                        number = self.blocks.block_of(constant_part(row.first))
                    case _ if isinstance(inner, LOCAL_STATEMENTS):
                        fields = WRITTEN.get(type(inner), "").split()
                        bound.update(x for name in fields for x in slots(inner, name))
                        if isinstance(inner, k.AssignElement):
                            bound.add(inner.row.slot)
                        continue
                    case _:
                        number = None
                if number is None:
                    return attrs.evolve(NOTHING, blocks=None)
                blocks.add(number)
        return Reads(frozenset(blocks), frozenset(), frozenset(bound))

    def is_stable(self, e: k.Value, sizes: Sizes) -> bool:
        """Return whether all that a value reads is stable or of known size."""
        reads = self.reads(e)
        if reads.blocks is None or not reads.blocks <= self.blocks.stable:
            return False
        return all(slot in sizes for slot in reads.free)

    # ------------------------------------------------------------ reads

    def reads(self, e: k.Operation) -> Reads:
        """Return what an operation reads."""
        known = self.known.get(id(e))
        if known is None:
            known = self.known[id(e)] = e, self.new_reads(e)
        return known[1]

    def new_reads(self, e: k.Operation) -> Reads:
        """Return what an operation reads, from what its parts read."""
        inner = union(map(self.reads, parts(e)))
        if is_local(e) and isinstance(e, k.Var):
            return Reads(frozenset(), frozenset({e.slot}), frozenset())
        if isinstance(e, UNKEPT):
            return Reads(None, inner.free, inner.bound)
        bound = inner.bound.union(bound_slots(e))
        own = self.own_blocks(e)
        blocks = None if own is None or inner.blocks is None else inner.blocks | own
        return Reads(blocks, inner.free - bound, bound)

    def own_blocks(self, e: k.Operation) -> frozenset[int] | None:
        """Return the blocks that an operation itself reads, or None if unknown."""
        match e:
            case k.Load(cell):
                return self.block(constant_part(cell))
            case k.CellRow(first=first):
                return self.block(constant_part(first))
            case k.Holding(base=base):
                return self.block(base)
            case k.CallFunction() | k.CallSet() | k.CallRow():
                return self.function_blocks(e.function)
            case _:
                return frozenset()

    def block(self, cell: int) -> frozenset[int] | None:
        """Return the block of a cell as a set, or None if it has none."""
        number = self.blocks.block_of(cell)
        return None if number is None else frozenset({number})

    def function_blocks(self, name: str) -> frozenset[int] | None:
        """Return the blocks that a function reads, or None if unknown."""
        if name not in self.functions:
            self.functions[name] = attrs.evolve(NOTHING, blocks=None)
            function = self.rewriter.functions(name)
            if function is not None:
                every = [x for line in function.lines for x in line if x is not None]
                self.functions[name] = union(map(self.reads, every))
        return self.functions[name].blocks


def property_tests(e: k.Value) -> list[k.CompareValues]:
    """Return the tests of a sum or count that compare a property with a value."""
    if not isinstance(e, k.Fold) or e.kind not in COUNTS:
        return []
    return [test for test in conjuncts(e.where) if is_equality(test)]


def is_equality(e: k.Value) -> TypeGuard[k.CompareValues]:
    """Return whether a condition is true if two values are equal."""
    match e:
        case k.CompareValues("=="):
            return True
        case _:
            return False


def key_of_counts(e: k.Operation, slots: Container[int]) -> int | None:
    """Return the local whose every value gives an entry in one pass over a sequence.

    It is one of *slots*, it is compared with a property of each member, and nothing
    else reads it. Return None if *e* is no sum or count of that kind.
    """
    if not isinstance(e, k.Fold):
        return None
    fold = e
    for test in property_tests(fold):
        others = [x for x in conjuncts(fold.where) if x is not test]
        rest = (fold.sequence, fold.value, test.left, *others)
        match test.right:
            case k.Var(slot=slot) if slot in slots and not any(
                reads_local(x, slot) for x in rest if x is not None
            ):
                return slot
            case _:
                continue
    return None


def union(several: Iterable[Reads]) -> Reads:
    """Return everything that several operations read."""
    blocks: frozenset[int] | None = frozenset()
    free, bound = frozenset[int](), frozenset[int]()
    for reads in several:
        known = blocks is not None and reads.blocks is not None
        blocks = blocks | reads.blocks if known else None  # type: ignore[operator]
        free, bound = free | reads.free, bound | reads.bound
    return Reads(blocks, free, bound)


def constant_part(e: k.Value) -> int:
    """Return the sum of the constants in the index of a cell; the rest is an offset."""
    match e:
        case k.Int(value=value):
            return value
        case k.Binary("+", left, right):
            return constant_part(left) + constant_part(right)
        case _:
            return 0


def bound_slots(e: k.Operation) -> tuple[int, ...]:
    """Return the slots that an operation binds."""
    if isinstance(e, k.Bind):
        return (e.slot,)
    fields = BOUND[type(e)][0].split() if type(e) in BOUND else ()
    return tuple([slot for field in fields for slot in slots(e, field)])


def sizes_of_bound(e: Any) -> dict[int, int]:
    """Return the sizes of the locals that an operation binds, where they are known."""
    match e:
        case k.Fold() | k.BuiltRow() | k.FilteredSet() | k.BestSet() | k.SortedSet():
            size = bound_of(e.sequence)
        case k.ForEach():
            size = bound_of(e.sequence)
        case k.ForCounts(index=slot, size=size):
            return {slot: size}
        case _:
            return {}
    return {} if size is None else {e.slot: size}


def bound_of(e: k.Sequence) -> int | None:
    """Return a bound that all members of a sequence are below; None if unknown."""
    match e:
        case k.Range(low=k.Int(value=low), high=k.Int(value=high)) if low >= -1:
            return high + 1
        case k.Listed(members=members) if min(members, default=0) >= -1:
            return max(members, default=-1) + 1
        case k.TableRow(rows=rows):
            return max((member for row in rows for member in row), default=-1) + 1
        case k.Around(rows=rows):
            return len(rows)
        case k.Holding() | k.Nonzero() | k.Union() | k.KeptPlaces():
            return e.size
        case k.FilteredSet() | k.Guarded() | k.BestSet() | k.SortedSet():
            return bound_of(e.sequence)
        case k.Reached(ways=ways):
            return ways.size
        case _:
            return None


def is_ascending(e: k.Sequence) -> bool:
    """Return whether the members are certainly places in ascending order, from 0 on."""
    match e:
        case k.Range(low=k.Int(value=low), high=k.Int()):
            return low >= 0
        case k.Holding() | k.Reached() | k.Around() | k.Union() | k.Nonzero():
            return True
        case k.Listed(members=members):
            return list(members) == sorted({*members}) and min(members, default=0) >= 0
        case k.TableRow(rows=rows):
            return all(list(row) == sorted({*row}) for row in rows)
        case k.FilteredSet() | k.Guarded():
            return is_ascending(e.sequence)
        case _:
            return False


def loop_tests(e: Any) -> tuple[k.Value, ...]:
    """Return the conditions of a loop that its members have to meet."""
    match e:
        case k.ForEach():
            return loop_conditions(e)
        case k.FilteredSet(condition=condition):
            return conjuncts(condition)
        case _:
            return conjuncts(e.where)


def without_tests(e: Any, sequence: k.Sequence, tests: list[k.Value]) -> Any:
    """Return a loop over another sequence, whose members all meet some conditions."""

    def rest(condition: k.Value | None) -> k.Value | None:
        return conjunction([x for x in conjuncts(condition) if x not in tests])

    match e:
        case k.FilteredSet(condition=condition):
            left = rest(condition)
            if left is None:
                return sequence
            return attrs.evolve(e, sequence=sequence, condition=left)
        case k.ForEach(body=(k.Offered(condition=condition) as offered,)):
            body = (attrs.evolve(offered, condition=rest(condition)),)
            return attrs.evolve(e, sequence=sequence, where=rest(e.where), body=body)
        case _:
            return attrs.evolve(e, sequence=sequence, where=rest(e.where))
