"""Printer of kernel values, sequences and rows as Python expressions.

It depends on the kernel, not on the rules. The generated text refers to `s` (the
cells), `f` (the frame) and the variables that are bound.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from itertools import product
from math import prod
from typing import Any

import attrs

from interpreter.core.layout import RANKS
from interpreter.core.slots import FIRST_LOCAL
from interpreter.kernel import operations as k
from interpreter.kernel.passes.narrowing import holding_of
from interpreter.kernel.search_limits import SearchPlace
from interpreter.kernel.traversal import only_member
from interpreter.source import code
from interpreter.source.code import Code, Precedence
from interpreter.source.source import Source
from rulebook.completeness import check_complete, concrete_classes

ZERO = code.literal(0)
NONE = Code("None")
LEVELS: Mapping[str, Precedence] = {
    "+": Precedence.SUM,
    "-": Precedence.SUM,
    "*": Precedence.PRODUCT,
    "//": Precedence.PRODUCT,
    "%": Precedence.PRODUCT,
}


@attrs.define
class Printer:
    """Printer of the expressions in one unit; `bound` slots are Python variables.

    `players` is the number of seats. With `variables` every slot is a variable. Without
    `folds_constants`, constant conditions are evaluated like all others, so that
    counted games count them.
    """

    source: Source
    players: int
    variables: bool = False
    folds_constants: bool = True
    bound: set[int] = attrs.field(factory=set)

    # ------------------------------------------------------------ locals

    def slot(self, number: int) -> Code:
        """Return the text of a local."""
        if self.variables or number in self.bound:
            return code.name(f"v{number}")
        return Code(f"f[{number + FIRST_LOCAL}]", uses=code.LOCALS.uses)

    @contextmanager
    def binding(self, slot: int) -> Iterator[str]:
        """Make a slot a Python variable inside the block, and yield its name."""
        new = slot not in self.bound
        self.bound.add(slot)
        yield f"v{slot}"
        if new:
            self.bound.remove(slot)

    # ------------------------------------------------------------ operations

    def value(self, e: k.Value) -> Code:
        """Return the text of a value."""
        return self.source.flatten(VALUES[type(e)](self, e))

    def values(self, parts: Iterable[k.Value]) -> list[Code]:
        """Return the texts of values."""
        return [self.value(part) for part in parts]

    def members(self, e: k.Sequence) -> Code:
        """Return the text of a sequence that is iterated over once."""
        return self.source.flatten(SEQUENCES[type(e)](self, e))

    def stored(self, e: k.Sequence) -> Code:
        """Return the text of a sequence as a tuple."""
        members = self.members(e)
        return members if isinstance(e, TUPLES) else code.call("tuple", members)

    def search_place(self, e: k.FoldSelections | k.TrailLength) -> str:
        """Return the name of the place and limit of a search."""
        return self.source.add_object(SearchPlace(e.span, e.limit))

    def row(self, e: k.Row) -> Code:
        """Return the text of a row that is read once."""
        return self.source.flatten(ROWS[type(e)](self, e))

    def row_tuple(self, e: k.Row) -> Code:
        """Return the text of a row as a tuple."""
        return code.call("tuple", self.row(e)) if is_list(e) else self.row(e)

    def argument(self, e: k.Value | k.Sequence | k.Row) -> Code:
        """Return the text of an argument of a call."""
        if isinstance(e, k.Value):
            return self.value(e)
        return self.stored(e) if isinstance(e, k.Sequence) else self.row_tuple(e)

    def filtered_list(
        self, slot: int, sequence: k.Sequence, where: k.Value | None
    ) -> Code:
        """Return the text of a list of the members that meet a condition."""
        members = self.members(sequence)
        with self.binding(slot) as v:
            test = None if where is None else self.value(where)
            return code.list_code(
                code.comprehension(
                    code.name(v), code.comprehension_clause(v, members, test), v
                )
            )

    def function(self, e: k.PerElement | None) -> Code:
        """Return the text of a function that evaluates a member, or the text `None`."""
        if e is None:
            return NONE
        with self.binding(e.slot) as v:
            return code.lambda_of(v, self.value(e.value))

    def step(self, e: k.StepCondition) -> Code:
        """Return the text of a function of two places that tests a step."""
        with self.binding(e.before) as before, self.binding(e.slot) as v:
            return code.lambda_of(before, self.value(e.holds), v)

    def stack(self, e: k.Stack) -> Code:
        """Return the text of the cell that contains a stack."""
        owner = ZERO if e.owner is None else self.value(e.owner)
        return code.cell(code.add_constant(e.base, owner))


def is_list(e: k.Row) -> bool:
    """Return whether the text of a row is a list."""
    return isinstance(e, k.CellRow)


# ---------------------------------------------------------------- values


def _int(p: Printer, e: k.Int) -> Code:
    literal = code.literal(bool(e.value) if e.truth else e.value)
    if e.truth and not p.folds_constants:
        return attrs.evolve(literal, constant=code.UNKNOWN)
    return literal


def _lookup(p: Printer, e: k.Lookup) -> Code:
    return code.index_into(p.source.table(e.table), p.value(e.index))


def _grid_index(p: Printer, e: k.GridIndex) -> Code:
    grid = product(*[range(low, low + size) for low, size in e.axes])
    places = {at: index for index, at in enumerate(grid)}
    at = code.tuple_code(p.values(e.coordinates))
    if e.owner is None:
        return code.combine(f"{p.source.table(places)}.get({at.text}, -1)", at)
    size = prod(size for _, size in e.axes)
    rows = [
        {at: index + seat * size for at, index in places.items()}
        for seat in range(e.owners)
    ]
    owner = code.index_into(p.source.table((*rows, {})), p.value(e.owner))
    return code.combine(f"{owner.text}.get({at.text}, -1)", owner, at)


def _binary(p: Printer, e: k.Binary) -> Code:
    left, right = p.value(e.left), p.value(e.right)
    match e.operator:
        case "min" | "max":
            return code.call(e.operator, left, right)
        case "|" | "&":
            return code.combine(f"({left} {e.operator} {right})", left, right)
        case "+" if left.is_constant:
            return code.add(left, right)
        case "-" if left.is_constant and left.constant == 0:
            return code.combine(
                f"-{right.with_precedence(Precedence.ATOM)}",
                right,
                precedence=Precedence.SIGN,
            )
        case operator:
            return code.binary(LEVELS[operator], operator, left, right)


def _between(p: Printer, e: k.Between) -> Code:
    low, value, high = p.values((e.low, e.value, e.high))
    return code.compare_with_bounds(low, value, high, e.first, e.second)


def _count_true(p: Printer, e: k.CountTrue) -> Code:
    parts = p.values(e.parts)
    if len(parts) < 2:
        return code.call("int", parts[0]) if parts else ZERO
    text = " + ".join([part.with_precedence(Precedence.PRODUCT) for part in parts])
    return code.combine(text, *parts, precedence=Precedence.SUM)


def _select(p: Printer, e: k.Select) -> Code:
    condition, then, otherwise = p.values((e.condition, e.then, e.otherwise))
    return code.conditional(condition, then, otherwise)


def _call(p: Printer, e: k.CallFunction | k.CallRow | k.CallSet) -> Code:
    return code.call(e.function, code.CELLS, *map(p.argument, e.arguments))


def _probe(p: Printer, e: k.Probe) -> Code:
    if isinstance(e.site, int):
        return code.call("asked", code.literal(e.site), p.value(e.value))
    return code.call("row", Code(p.source.table(e.site)), p.value(e.value))


def kept_code(
    p: Printer,
    e: k.KeptValue | k.KeptPlaces,
    inner: Any,
    text: Callable[[Any], Code],
) -> Code:
    """Return the text of a kept value, which this engine computes each time."""
    keys = p.values(e.keys)
    with ExitStack() as bound:
        names = [bound.enter_context(p.binding(slot)) for slot in e.slots]
        value = text(inner)
    if not names:
        return value
    function = f"(lambda {', '.join(names)}: {value.text})"
    given = ", ".join([key.text for key in keys])
    return code.combine(f"{function}({given})", value, *keys)


# ---------------------------------------------------------------- folds


def cells_of_row(p: Printer, e: k.Fold) -> tuple[Code, Code, bool] | None:
    """Return the text of cells at constant places, and of the value to look for.

    One Python call reads all cells. The third result is true if the value -1 matches no
    cell. Return None if the fold has another form.
    """
    if not isinstance(e.sequence, k.TableRow) or e.value is not None or not e.where:
        return None
    holding = holding_of(e.where, e.slot, 0)
    if holding is None or not isinstance(holding.value, k.Int | k.Var):
        return None
    index = p.value(e.sequence.index)
    readers = p.source.readers(e.sequence.rows, holding.base)
    cells = code.combine(f"{readers}[{index.text}](s)", index, code.CELLS)
    return cells, p.value(holding.value), holding.nowhere


def _fold(p: Printer, e: k.Fold) -> Code:
    search = cells_of_row(p, e)
    if search is not None:
        cells, wanted, nowhere = search
        if e.kind is k.FoldKind.ANY and nowhere:
            return code.compare_with_bounds(code.literal(-1), wanted, cells, "!=", "in")
        if e.kind is k.FoldKind.ANY:
            return code.compare(wanted, "in", cells)
        if e.kind is k.FoldKind.COUNT and not nowhere:
            return code.combine(f"{cells}.count({wanted.text})", cells, wanted)
    return FOLDS[e.kind](p, e)


def _any(p: Printer, e: k.Fold) -> Code:
    members = p.members(e.sequence)
    if e.where is None:
        return code.compare(code.call("len", members), ">", ZERO)
    with p.binding(e.slot) as v:
        tests = code.comprehension(
            p.value(e.where), code.comprehension_clause(v, members), v
        )
    if isinstance(e.sequence, k.TableRow):
        return code.compare(code.literal(True), "in", code.list_code(tests))
    return code.call("any", tests)


def _count(p: Printer, e: k.Fold) -> Code:
    members = p.members(e.sequence)
    if e.where is None:
        return code.call("len", members)
    with p.binding(e.slot) as v:
        tests = code.comprehension(
            p.value(e.where), code.comprehension_clause(v, members), v
        )
    return code.call("sum", code.list_code(tests))


def _first(p: Printer, e: k.Fold) -> Code:
    members = p.members(e.sequence)
    with p.binding(e.slot) as v:
        test = None if e.where is None else p.value(e.where)
        matches = code.comprehension(
            code.name(v), code.comprehension_clause(v, members, test), v
        )
    return code.combine(f"next(({matches.text}), -1)", matches)


def numbers(p: Printer, e: k.Fold) -> Code:
    """Return the text of a list of the values of the members that meet a condition."""
    assert e.value is not None
    members = p.members(e.sequence)
    with p.binding(e.slot) as v:
        test = None if e.where is None else p.value(e.where)
        return code.list_code(
            code.comprehension(
                p.value(e.value), code.comprehension_clause(v, members, test), v
            )
        )


def _extreme(p: Printer, e: k.Fold) -> Code:
    values = numbers(p, e)
    return code.combine(f"{e.kind}({values.text}, default=0)", values)


def _only(p: Printer, e: k.Fold) -> Code:
    if e.where is None:
        return code.call("only", p.stored(e.sequence))
    return code.call("only", p.filtered_list(e.slot, e.sequence, e.where))


FOLDS: Mapping[k.FoldKind, Callable[[Printer, k.Fold], Code]] = {
    k.FoldKind.ANY: _any,
    k.FoldKind.FIRST: _first,
    k.FoldKind.COUNT: _count,
    k.FoldKind.SUM: lambda p, e: code.call("sum", numbers(p, e)),
    k.FoldKind.MAX: _extreme,
    k.FoldKind.MIN: _extreme,
    k.FoldKind.ONLY: _only,
}

# ---------------------------------------------------------------- selections


def _fold_selections(p: Printer, e: k.FoldSelections) -> Code:
    check = f"{p.search_place(e)}.check_combinations"
    sizes = (p.value(e.low), p.value(e.high))
    drawn = code.call("selections", p.row(e.row), *sizes, Code(check))
    with p.binding(e.slot) as v:
        ways = f"{v}_ways"
        test = None if e.where is None else p.value(e.where)
        value = None if e.value is None else p.value(e.value)
    result, around = SELECTIONS[e.kind]
    each = code.combine(
        result.format(ways=ways, value=value and value.with_precedence(PRODUCT)),
        *(() if value is None else (value,)),
        precedence=PRODUCT,
    )
    loop = code.comprehension_clause(f"{v}, {ways}", drawn, test)
    values = code.comprehension(each, loop, v)
    return code.combine(around.format(values.text), values)


PRODUCT = Precedence.PRODUCT
SELECTIONS: Mapping[k.FoldKind, tuple[str, str]] = {
    k.FoldKind.ANY: ("True", "any({})"),
    k.FoldKind.COUNT: ("{ways}", "sum([{}])"),
    k.FoldKind.SUM: ("{ways} * {value}", "sum([{}])"),
    k.FoldKind.MAX: ("{value}", "max([{}], default=0)"),
    k.FoldKind.MIN: ("{value}", "min([{}], default=0)"),
}
"""Text of each kind of fold: the value of a selection, and the call around values."""

# ---------------------------------------------------------------- rows


def _element(p: Printer, e: k.Element) -> Code:
    index = p.value(e.index)
    match e.row:
        case k.CellRow(first=first, step=step):
            return code.cell(code.add(p.value(first), code.multiply(index, step)))
        case k.StackRow(stack=stack):
            return code.call("stack_count", p.stack(stack), index)
        case row:
            counts = p.row(row)
            return code.combine(f"{counts}[{index.text}]", counts, index)


def _count_equal(p: Printer, e: k.CountEqual) -> Code:
    cells, value = p.row(e.row), p.value(e.value)
    return code.combine(f"{cells}.count({value.text})", cells, value)


def _stack_size(p: Printer, e: k.StackSize) -> Code:
    stack = p.stack(e.stack)
    return code.combine(f"len({stack}[0])", stack)


def _cell_row(p: Printer, e: k.CellRow) -> Code:
    first = p.value(e.first)
    last = (e.size - 1) * e.step + 1 if e.step > 1 else e.size
    end = code.add(first, code.literal(last))
    return code.cells(first, end, None if e.step == 1 else code.literal(e.step))


def _built_row(p: Printer, e: k.BuiltRow) -> Code:
    size = code.literal(e.size)
    member = only_member(e)
    if member is not None:
        return code.call("single", size, p.value(member), p.value(e.value))
    members = p.members(e.sequence)
    with p.binding(e.slot) as v:
        test = None if e.where is None else p.value(e.where)
        pair = code.tuple_code([code.name(v), p.value(e.value)])
        pairs = code.comprehension(pair, code.comprehension_clause(v, members, test), v)
    return code.combine(f"bag_of({size}, ({pairs.text}))", pairs)


def _sum_row(p: Printer, e: k.SumRow) -> Code:
    rows = [p.row(row) for row in e.rows]
    return code.combine(f"tuple(map(sum, zip({code.join_code(rows)})))", *rows)


def _lookup_row(p: Printer, e: k.LookupRow) -> Code:
    return code.index_into(p.source.table(e.rows), p.value(e.index))


ROWS: Mapping[type, Callable[[Printer, Any], Code]] = {
    k.CellRow: _cell_row,
    k.ConstantRow: lambda p, e: p.source.literal(e.values),
    k.LookupRow: _lookup_row,
    k.LocalRow: lambda p, e: p.slot(e.slot),
    k.BuiltRow: _built_row,
    k.SumRow: _sum_row,
    k.CallRow: _call,
    k.StackRow: lambda p, e: code.call("contents", p.stack(e.stack)),
    k.StackPool: lambda p, e: code.index_into(str(p.stack(e.stack)), code.literal(1)),
}

# ---------------------------------------------------------------- sequences


def _range(p: Printer, e: k.Range) -> Code:
    match e:
        case k.Range(low=k.Int(value=low), high=k.Int(value=high)):
            members = tuple(range(low, high + 1))
            return Code(p.source.table(members), constant=members)
        case _:
            return code.call(
                "range", p.value(e.low), code.add_constant(1, p.value(e.high))
            )


def _table_row(p: Printer, e: k.TableRow) -> Code:
    return code.index_into(p.source.table(e.rows), p.value(e.index))


def _holding(p: Printer, e: k.Holding) -> Code:
    cells = f"[i for i, c in enumerate(s[{e.base}:{e.base + e.size}]) if"
    if e.value is None:
        return code.combine(f"{cells} c != -1]", code.CELLS)
    value = p.value(e.value)
    test = f"{'-1 != ' * e.nowhere}c == {value.with_precedence(Precedence.BITS)}"
    return code.combine(f"{cells} {test}]", value, code.CELLS)


def _nonzero(p: Printer, e: k.Nonzero) -> Code:
    if isinstance(e.row, k.StackRow):
        return code.call("stack_kinds", p.stack(e.row.stack))
    row = p.row(e.row)
    return code.combine(f"[i for i, c in enumerate({row.text}) if c]", row)


def _guarded(p: Printer, e: k.Guarded) -> Code:
    members = p.members(e.sequence)
    return code.conditional(p.value(e.condition), members, Code("()"))


def _best(p: Printer, e: k.BestSet) -> Code:
    return code.call("best", p.filtered_list(e.slot, e.sequence, e.where), keys(p, e))


def keys(p: Printer, e: k.BestSet) -> Code:
    """Return the text of a function that returns the sort keys of a member."""
    with p.binding(e.slot) as v:
        return code.lambda_of(v, code.tuple_code(p.values(e.keys)))


def _sorted(p: Printer, e: k.SortedSet) -> Code:
    plain = e.where is None and not e.falling and e.count is None
    if plain and e.key == k.Var(e.slot):
        return code.call("sorted", p.members(e.sequence))
    members = p.filtered_list(e.slot, e.sequence, e.where)
    key = p.function(k.PerElement(e.slot, e.key))
    text = f"sorted({members.text}, key={key.text}, reverse={e.falling})"
    if e.count is None:
        return code.combine(f"tuple({text})", members, key)
    most = p.value(e.count)
    return code.combine(f"tuple({text}[: max(0, {most.text})])", members, key, most)


def _winners(p: Printer, e: k.WinnerSet) -> Code:
    del p, e
    return code.call("first_of", code.cell(code.literal(RANKS)))


def _around(p: Printer, e: k.Around) -> Code:
    return code.call("around", Code(p.source.table(e.rows)), p.members(e.sequence))


def _union(p: Printer, e: k.Union) -> Code:
    members = [p.members(part) for part in e.sequences]
    joined = ", ".join([f"*{part}" for part in members])
    return code.combine(f"sorted({{{joined}}})", *members)


SEQUENCES: Mapping[type, Callable[[Printer, Any], Code]] = {
    k.Range: _range,
    k.Listed: lambda p, e: p.source.literal(e.members),
    k.TableRow: _table_row,
    k.Holding: _holding,
    k.Nonzero: _nonzero,
    k.FilteredSet: lambda p, e: p.filtered_list(e.slot, e.sequence, e.condition),
    k.Guarded: _guarded,
    k.LocalSet: lambda p, e: p.slot(e.slot),
    k.CellSet: lambda p, e: code.cell(p.value(e.cell)),
    k.CallSet: _call,
    k.BestSet: _best,
    k.SortedSet: _sorted,
    k.WinnerSet: _winners,
    k.Around: _around,
    k.Union: _union,
    k.KeptPlaces: lambda p, e: kept_code(p, e, e.sequence, p.members),
    k.Reached: lambda p, e: reached_places(p, e.ways),
}
TUPLES = (
    k.Listed,
    k.TableRow,
    k.LocalSet,
    k.CellSet,
    k.CallSet,
    k.BestSet,
    k.WinnerSet,
    k.Reached,
)
"""Classes of sequences whose Python text is a tuple."""

# ---------------------------------------------------------------- searches


def reached_places(p: Printer, e: k.Ways) -> Code:
    """Return the text of a tuple of the places reached by ways."""
    if e.is_plain:
        return code.call("reach", *way_inputs(p, e))
    places = steps(p, e)
    return code.combine(f"tuple(sorted({places.text}))", places)


def steps(p: Printer, e: k.Ways) -> Code:
    """Return the text of a mapping from each reached place to its number of steps."""
    word = "steps_over" if e.links is None else "steps_along"
    within = NONE if e.within is None else p.value(e.within)
    step = [] if e.step is None else [p.step(e.step)]
    return code.call(word, *way_inputs(p, e), p.function(e.through), within, *step)


def costs(p: Printer, e: k.Ways, price: k.PerElement) -> Code:
    """Return the text of a mapping from each reached place to its lowest cost."""
    word = "costs_over" if e.links is None else "costs_along"
    step = [] if e.step is None else [p.step(e.step)]
    through, cost = p.function(e.through), p.function(price)
    return code.call(word, *way_inputs(p, e), through, cost, *step)


def way_inputs(p: Printer, e: k.Ways) -> tuple[Code, Code, Code]:
    """Return the texts of the start, the neighbours or links, and the condition."""
    table = p.source.table(e.neighbours if e.links is None else e.links)
    fits = e.fits or k.PerElement(0, k.Int(1, truth=True))
    return as_iterable(p, e.start), Code(table), p.function(fits)


def as_iterable(p: Printer, e: k.Value | k.Sequence) -> Code:
    """Return the text of one or several places as an iterable."""
    return code.tuple_code([p.value(e)]) if isinstance(e, k.Value) else p.members(e)


def _distance(p: Printer, e: k.LinkDistance) -> Code:
    far = steps(p, e.ways) if e.price is None else costs(p, e.ways, e.price)
    return code.call("nearest", far, as_iterable(p, e.goal), code.literal(e.beyond))


def _longest_trail(p: Printer, e: k.TrailLength) -> Code:
    if len(e.sorts) > 1 or e.weight is not None:
        return code.call("trail.max_weight", *trail_inputs(p, e))
    check = Code(p.search_place(e))
    return code.call("trail", p.stored(e.sorts[0]), p.function(e.closed), check)


def trail_inputs(p: Printer, e: k.TrailLength) -> tuple[Code, ...]:
    """Return the texts of all inputs that determine a trail."""
    sets = code.tuple_code([p.stored(links) for links in e.sorts])
    conditions = map(p.function, (e.closed, e.weight, e.joint))
    return sets, *conditions, Code(p.search_place(e))


VALUES: Mapping[type, Callable[[Printer, Any], Code]] = {
    k.Int: _int,
    k.Amount: lambda _, e: code.literal(e.value),
    k.Absent: lambda _, e: code.literal(e.value),
    k.Var: lambda p, e: p.slot(e.slot),
    k.Load: lambda p, e: code.cell(p.value(e.cell)),
    k.Lookup: _lookup,
    k.GridIndex: _grid_index,
    k.Binary: _binary,
    k.CompareValues: lambda p, e: code.compare(
        p.value(e.left), e.operator, p.value(e.right)
    ),
    k.Between: _between,
    k.Negate: lambda p, e: code.negate(p.value(e.value)),
    k.All: lambda p, e: code.chain("and", p.values(e.parts)),
    k.Some: lambda p, e: code.chain("or", p.values(e.parts)),
    k.CountTrue: _count_true,
    k.Select: _select,
    k.SeatBit: lambda p, e: code.call("seat_bit", p.value(e.seat)),
    k.CallFunction: _call,
    k.KeptValue: lambda p, e: kept_code(p, e, e.value, p.value),
    k.Probe: _probe,
    k.Fold: _fold,
    k.FoldSelections: _fold_selections,
    k.ContainsElement: lambda p, e: code.compare(
        p.value(e.member), "in", p.members(e.sequence)
    ),
    k.SameSequence: lambda p, e: code.compare(
        p.stored(e.left), "==", p.stored(e.right)
    ),
    k.Element: _element,
    k.Total: lambda p, e: code.call("sum", p.row(e.row)),
    k.CountEqual: _count_equal,
    k.CoversRow: lambda p, e: code.call("covers", p.row(e.row), p.row(e.other)),
    k.StackSize: _stack_size,
    k.StackEntry: lambda p, e: code.call(
        "stack_entry", p.stack(e.stack), p.value(e.place)
    ),
    k.LinkDistance: _distance,
    k.TrailLength: _longest_trail,
}

check_complete("the Python text of folds", FOLDS, k.FoldKind)
check_complete("the Python text of values", VALUES, concrete_classes(k.Value, k))
check_complete(
    "the Python text of sequences", SEQUENCES, concrete_classes(k.Sequence, k)
)
check_complete("the Python text of rows", ROWS, concrete_classes(k.Row, k))
