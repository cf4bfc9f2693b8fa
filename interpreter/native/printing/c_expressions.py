"""Printer of kernel values, sequences and rows as C expressions and loops.

It depends on the kernel, not on the rules. The text refers to `g` (the game) and `f`
(the frame). A value is text that is safe as an operand. A sequence becomes a loop, or,
if it is needed as a whole, an array that begins with its size. A row is read index by
index, or fills an array.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import count
from typing import Any

import attrs

from interpreter.core.facts import Facts
from interpreter.kernel import operations as k
from interpreter.kernel.passes.keeping import bound_of, is_ascending, key_of_counts
from interpreter.kernel.passes.narrowing import conjunction, conjuncts
from interpreter.kernel.traversal import only_member
from interpreter.native.c_file import CFile, NotTranslatable
from interpreter.native.keeping.held_places import HeldRow
from interpreter.native.keeping.kept_values import KeptEntries, canonical
from interpreter.native.printing.c_places import (
    WORD,
    Words,
    constant,
    meeting,
    word_count,
)
from rulebook.completeness import check_complete, concrete_classes

MAX_COMBINED_WORDS = 4
"""Maximum number of 64-bit words for which combining whole words is faster."""

MAX_UNROLLED_CELLS = 8
"""Maximum number of cells whose sum is printed without a loop."""

NUMBERS_MAX = 256
"""Maximum size of a stored set of numbers; the interpreter handles larger sets."""

MAX_LITERAL = 2
"""Largest plain number that becomes a literal; all numbers of costs are data."""


@attrs.frozen
class Loop:
    """C loop over a sequence: the lines before the loop, and its head with tests."""

    before: str
    head: str


Element = Callable[[str], str]
"""Function that maps the text of an index to the text of the count at the index."""


def literal(value: int) -> str:
    """Return the C text of a number, safe as an operand."""
    return f"({int(value)})" if value < 0 else str(int(value))


def loop_head(index: str, low: str, end: str, name: str, value: str) -> str:
    """Return the head of a C loop over the indices from *low* to *end* - 1."""
    return (
        f"for (num {index} = {low}; {index} < {end}; {index}++) "
        f"{{ VAR {name} = {value}; "
    )


@attrs.define
class Printer:
    """Printer of the expressions in one unit; `bound` slots are C variables.

    `places` maps slots to places in the frame; without `places`, every slot is a
    variable. Trail lengths below `enough` need not be exact. If `costs` is true, every
    positive number becomes a separate amount.
    """

    file: CFile
    facts: Facts
    stacks: Mapping[int, int]
    places: Mapping[int, int] | None = None
    bound: dict[int, str] = attrs.field(factory=dict)
    enough: str = "2"
    costs: bool = False

    # ------------------------------------------------------------ locals and amounts

    def new(self, letter: str) -> str:
        """Return an unused C name that starts with *letter*."""
        return self.file.new_name(letter)

    def slot(self, number: int) -> str:
        """Return the C code of a local that is one number, for reading or writing."""
        if number in self.bound:
            return self.bound[number]
        if self.places is None:
            return f"v{number}"
        return f"f[{self.places[number]}]"

    def array(self, number: int) -> str:
        """Return the address of a local that takes several cells."""
        if number in self.bound:
            return self.bound[number]
        if self.places is None:
            return f"v{number}"
        return f"(f + {self.places[number]})"

    @contextmanager
    def binding(self, slot: int, name: str | None = None) -> Iterator[str]:
        """Make a slot a C variable inside the block, and yield the variable's name."""
        before = self.bound.get(slot)
        self.bound[slot] = name or self.new(f"v{slot}_")
        yield self.bound[slot]
        if before is None:
            del self.bound[slot]
        else:
            self.bound[slot] = before

    def amount(self, value: int, source: Any, *key: Any) -> str:
        """Return the C code of an amount, which is data, not part of the text.

        A plain number of 2 or less becomes a literal: it is seldom an amount, and
        literals are faster.
        """
        is_separate = self.costs and value > 0
        if value <= MAX_LITERAL and not key and not is_separate:
            return literal(value)
        span = source.span
        where = f"{span.file}:{span.line}" if span.file else "calculated"
        name = object() if is_separate else (span, key)
        return self.file.amounts.number(value, name, where)

    def stack(self, e: k.Stack) -> str:
        """Return the C address of a stack."""
        first = self.stacks[e.base]
        if e.owner is None:
            return f"(&g->stack[{first}])"
        return f"(&g->stack[{first} + {self.value(e.owner)}])"

    # ------------------------------------------------------------ values

    def value(self, e: k.Value) -> str:
        """Return the C text of a value, safe as an operand."""
        return VALUES[type(e)](self, e)

    def chain(self, parts: Iterable[k.Value], sign: str, empty: str) -> str:
        """Return the C text of values joined by an operator, or *empty* if none."""
        return f"({sign.join(map(self.value, parts)) or empty})"

    def call(
        self, e: k.CallFunction | k.CallRow | k.CallSet, *out: str
    ) -> tuple[str, str]:
        """Return the lines that prepare the arguments of a call, and the C call itself.

        The pointers in *out* come before the arguments and receive the result.
        """
        self.file.called.add(e.function)
        before, arguments = "", []
        for part in e.arguments:
            if isinstance(part, k.Value):
                arguments.append(self.value(part))
                continue
            array = self.new("a")
            arguments.append(array)
            if isinstance(part, k.Sequence):
                before += f"num {array}[{self.max_size(part) + 1}]; "
                before += f"{self.fill_sequence(part, array)} "
            else:
                before += f"num {array}[{size_of(part)}]; {self.fill_row(part, array)} "
        return before, f"{e.function}({', '.join(['g', *out, *arguments])})"

    # ------------------------------------------------------------ sequences

    def loop_over(self, e: k.Sequence, name: str) -> Loop:
        """Return the C loop over a sequence, in order; *name* is the loop variable."""
        loop = LOOPS.get(type(e))
        if loop is not None:
            return loop(self, e, name)
        array, index = self.new("a"), self.new("i")
        before = f"num {array}[{self.max_size(e) + 1}]; {self.fill_sequence(e, array)} "
        return Loop(
            before, loop_head(index, "1", f"{array}[0] + 1", name, f"{array}[{index}]")
        )

    def for_each(
        self,
        e: k.Sequence,
        name: str,
        body: str,
        where: k.Value | None = None,
        *,
        any_order: bool = False,
    ) -> str:
        """Return the lines that run *body* for the members of a sequence.

        `body` may break and continue. `any_order` means that the order does not matter.
        """
        if any_order and isinstance(e, k.Reached) and e.ways.is_plain:
            loop = search_order_loop(self, e.ways, name)
        else:
            loop = self.loop_over(e, name)
        test = "" if where is None else f"if (!{self.value(where)}) continue; "
        return f"{{ {loop.before}{loop.head}{test}{body} }} }}"

    def fill_sequence(self, e: k.Sequence, array: str) -> str:
        """Return the lines that fill an array with a sequence, its size first."""
        fill = LISTS.get(type(e))
        if fill is not None:
            return fill(self, e, array)
        name = self.new("m")
        enter = f"{array}[++{array}[0]] = {name};"
        return f"{array}[0] = 0; {self.for_each(e, name, enter)}"

    def max_size(self, e: k.Sequence) -> int:
        """Return the maximum number of members of a sequence."""
        match e:
            case k.Range(low=k.Int(value=low), high=k.Int(value=high)):
                return max(0, high - low + 1)
            case k.Range(size=size):
                return NUMBERS_MAX if size is None else min(NUMBERS_MAX, size)
            case k.Listed(members=members):
                return len(members)
            case k.TableRow(rows=rows):
                return max(map(len, rows), default=0)
            case k.Around(rows=rows):
                return len(rows)
            case k.FilteredSet() | k.Guarded() | k.BestSet() | k.SortedSet():
                return self.max_size(e.sequence)
            case k.Reached(ways=ways):
                return ways.size
            case k.WinnerSet():
                return self.facts.players
            case (
                k.Holding(size=size)
                | k.Nonzero(size=size)
                | k.LocalSet(size=size)
                | k.CallSet(size=size)
                | k.Union(size=size)
                | k.KeptPlaces(size=size)
            ):
                return size
            case _:
                raise NotTranslatable(f"a set of unknown size: {type(e).__name__}")

    # ------------------------------------------------------------ rows

    def element(self, e: k.Row, index: str) -> str | None:
        """Return the C text of a count in a row, or None if the row must be filled."""
        read = ELEMENTS.get(type(e))
        return None if read is None else read(self, e, index)

    def prepare_row(self, e: k.Row) -> tuple[str, Element]:
        """Return the lines that prepare a row, and a function that reads its counts."""
        if self.element(e, "0") is not None:
            return "", lambda index: str(self.element(e, index))
        array = self.new("b")
        before = f"num {array}[{size_of(e)}]; {self.fill_row(e, array)} "
        return before, lambda index: f"{array}[{index}]"

    def fill_row(self, e: k.Row, array: str) -> str:
        """Return the lines that fill an array with the counts of a row."""
        fill = FILLS.get(type(e))
        if fill is not None:
            return fill(self, e, array)
        i = self.new("k")
        count = self.element(e, i)
        return f"for (num {i} = 0; {i} < {size_of(e)}; {i}++) {array}[{i}] = {count};"


def size_of(e: k.Row) -> int:
    """Return the number of counts in a row."""
    match e:
        case k.ConstantRow(values=values):
            return len(values)
        case k.LookupRow(rows=rows):
            return len(rows[0])
        case k.StackRow(stack=stack) | k.StackPool(stack=stack):
            return stack.kinds
        case k.CellRow() | k.LocalRow() | k.BuiltRow() | k.SumRow() | k.CallRow():
            return e.size
        case _:
            raise AssertionError(e)


# ---------------------------------------------------------------- values


def _lookup(p: Printer, e: k.Lookup) -> str:
    table = p.file.guarded_table(e.table)
    if e.data is not None:
        table = p.file.data(e.data, (e.table[-1], *e.table[:-1]), e.data)
    return f"{table}[{p.value(e.index)} + 1]"


def _grid_index(p: Printer, e: k.GridIndex) -> str:
    x, lines, tests, index, places = p.new("x"), "", [], "0", 1
    for number, ((low, size), at) in enumerate(zip(e.axes, e.coordinates, strict=True)):
        part = f"{x}_{number}"
        lines += f"num {part} = {p.value(at)} - {literal(low)}; "
        tests.append(f"{part} >= 0 && {part} < {size}")
        index, places = f"({index} * {size} + {part})", places * size
    if e.owner is not None:
        lines += f"num {x}_o = {p.value(e.owner)}; "
        tests.append(f"{x}_o >= 0")
        index = f"({x}_o * {places} + {index})"
    return f"({{ {lines}{' && '.join(tests)} ? {index} : -1; }})"


NARROW = (k.Load, k.Lookup)
"""Classes of values that C stores in 32 bits or fewer; results may need more."""


def _binary(p: Printer, e: k.Binary) -> str:
    left, right = p.value(e.left), p.value(e.right)
    match e.operator:
        case "max" if e.right == k.Int(0):
            return f"at_least_0({left})"
        case "min" | "max":
            return f"{'smaller' if e.operator == 'min' else 'larger'}({left}, {right})"
        case "//" | "%" if not e.natural or getattr(e.right, "value", None) == 0:
            return (
                f"{'divided' if e.operator == '//' else 'left_over'}({left}, {right})"
            )
        case "//":
            return f"({left} / {right})"
        case "-" if e.left == k.Int(0):
            return f"(-{right})"
        case "+" | "-" | "*" if isinstance(e.left, NARROW):
            return f"((num){left} {e.operator} {right})"
        case "+" | "-" | "*" if isinstance(e.right, NARROW):
            return f"({left} {e.operator} (num){right})"
        case operator:
            return f"({left} {operator} {right})"


def _between(p: Printer, e: k.Between) -> str:
    x = p.new("x")
    test = f"{p.value(e.low)} {e.first} {x} && {x} {e.second} {p.value(e.high)}"
    return f"({{ num {x} = {p.value(e.value)}; {test}; }})"


def _select(p: Printer, e: k.Select) -> str:
    return f"({p.value(e.condition)} ? {p.value(e.then)} : {p.value(e.otherwise)})"


def _call(p: Printer, e: k.CallFunction) -> str:
    before, call = p.call(e)
    return f"({{ {before}{call}; }})" if before else call


def _absent(p: Printer, e: k.Absent) -> str:
    del p, e
    raise NotTranslatable("a named seat that is not in play")


def _no_probe(p: Printer, e: k.Probe) -> str:
    del p, e
    raise NotTranslatable("counted games")


FOLDS: Mapping[k.FoldKind, tuple[str, str, str]] = {
    k.FoldKind.ANY: ("int {r} = 0;", "{r} = 1; break;", "{r}"),
    k.FoldKind.FIRST: ("num {r} = -1;", "{r} = {v}; break;", "{r}"),
    k.FoldKind.COUNT: ("num {r} = 0;", "{r} += {x};", "{r}"),
    k.FoldKind.SUM: ("num {r} = 0;", "{r} += {x};", "{r}"),
    k.FoldKind.MAX: (
        "num {r} = 0; int {r}_t = 0;",
        "num {k} = {x}; if (!{r}_t || {k} > {r}) {r} = {k}; {r}_t = 1;",
        "{r}",
    ),
    k.FoldKind.MIN: (
        "num {r} = 0; int {r}_t = 0;",
        "num {k} = {x}; if (!{r}_t || {k} < {r}) {r} = {k}; {r}_t = 1;",
        "{r}",
    ),
    k.FoldKind.ONLY: (
        "num {r} = -1; int {r}_t = 0;",
        "{r} = {v}; {r}_t++;",
        "{r}_t == 1 ? {r} : -1",
    ),
}
"""C code of each kind of fold: before the loop, for each member, and the result."""

UNORDERED = frozenset({k.FoldKind.ANY, k.FoldKind.COUNT, k.FoldKind.SUM})
"""Kinds of folds whose result does not depend on the order of the members."""


WEIGHTED = frozenset({k.FoldKind.COUNT, k.FoldKind.SUM})
"""Kinds of folds that count a selection once for each way to select its items."""


def _fold(p: Printer, e: k.Fold) -> str:
    counts = e.kind is k.FoldKind.COUNT
    if counts and e.where is None and isinstance(e.sequence, k.LocalSet):
        return f"{p.array(e.sequence.slot)}[0]"
    quick = QUICK.get(e.kind)
    text = None if quick is None else quick(p, e)
    if text is not None:
        return text
    start, each, end = FOLDS[e.kind]
    names = {"r": p.new("r"), "k": p.new("k")}
    with p.binding(e.slot) as v:
        where, value = e.where, "1"
        if counts and e.where is not None:
            where, value = None, p.value(e.where)
        elif e.value is not None:
            value = p.value(e.value)
        body = each.format(v=v, x=value, **names)
        through = p.for_each(e.sequence, v, body, where, any_order=e.kind in UNORDERED)
    return f"({{ {start.format(**names)} {through} {end.format(**names)}; }})"


def _fold_selections(p: Printer, e: k.FoldSelections) -> str:
    start, each, end = FOLDS[e.kind]
    names = {"r": p.new("r"), "k": p.new("k")}
    counts, low, high, total, tried = [p.new(x) for x in ("b", "n", "n", "n", "n")]
    kinds = size_of(e.row)
    with p.binding(e.slot) as v:
        where = "" if e.where is None else f"if (!{p.value(e.where)}) continue; "
        x = "1" if e.value is None else p.value(e.value)
        if e.kind in WEIGHTED:
            x = f"ways_to_select({counts}, {v}, {kinds}) * {x}"
        body = each.format(v=v, x=x, **names)
        select = f"next_selection({counts}, {v}, {kinds}, {high}, &{total})"
        through = (
            f"num {v}[{kinds}] = {{0}}, {total} = 0, {tried} = 0; while ({select}) "
            f"{{ if (++{tried} > {e.limit}) fail(g, MISTAKE); "
            f"if ({total} < {low}) continue; {where}{body} }}"
        )
    sizes = f"num {low} = {p.value(e.low)}, {high} = {p.value(e.high)}; "
    lines = f"num {counts}[{kinds}]; {p.fill_row(e.row, counts)} {sizes}"
    return f"({{ {start.format(**names)} {lines}{through} {end.format(**names)}; }})"


def _contains(p: Printer, e: k.ContainsElement) -> str:
    member = p.value(e.member)
    if isinstance(e.sequence, k.LocalSet):
        return f"lists({p.array(e.sequence.slot)}, {member})"
    x, v, r = p.new("x"), p.new("m"), p.new("r")
    enter = f"if ({v} == {x}) {{ {r} = 1; break; }}"
    through = p.for_each(e.sequence, v, enter, any_order=True)
    return f"({{ num {x} = {member}; int {r} = 0; {through} {r}; }})"


def _same_sequence(p: Printer, e: k.SameSequence) -> str:
    a, b = p.new("a"), p.new("b")
    lines = "".join(
        [
            f"num {array}[{p.max_size(side) + 1}]; {p.fill_sequence(side, array)} "
            for array, side in ((a, e.left), (b, e.right))
        ]
    )
    same = f"!memcmp({a}, {b}, sizeof(num) * (size_t)({a}[0] + 1))"
    return f"({{ {lines}{a}[0] == {b}[0] && {same}; }})"


def _element(p: Printer, e: k.Element) -> str:
    before, count = p.prepare_row(e.row)
    text = count(p.value(e.index))
    return f"({{ {before}{text}; }})" if before else text


def _total(p: Printer, e: k.Total) -> str:
    r, i, size = p.new("r"), p.new("i"), size_of(e.row)
    match e.row:
        case k.CellRow(first=first, step=step):
            x = p.new("x")
            head = f"num {x} = {p.value(first)}"
            if size <= MAX_UNROLLED_CELLS:
                cells = " + ".join([f"g->s[{x} + {n * step}]" for n in range(size)])
                return f"({{ {head}; {cells}; }})"
            each = f"{r} += g->s[{x} + {i} * {step}];"
            before = f"{head}, {r} = 0; "
        case row:
            lines, count = p.prepare_row(row)
            each = f"{r} += {count(i)};"
            before = f"num {r} = 0; {lines}"
    through = f"for (num {i} = 0; {i} < {size}; {i}++) {each}"
    return f"({{ {before}{through} {r}; }})"


def _count_equal(p: Printer, e: k.CountEqual) -> str:
    assert e.row.step == 1
    counted = held_count(p, e)
    if counted is not None:
        return counted
    return f"holding(g->s + {p.value(e.row.first)}, {e.row.size}, {p.value(e.value)})"


def held_count(p: Printer, e: k.CountEqual) -> str | None:
    """Return the C text of a count of cells that is kept, or None if it is not."""
    match e.row:
        case k.CellRow(first=k.Int(value=first), size=size):
            row = p.file.held.row(first + 1)
        case _:
            return None
    if row is None or row.size != size - 1:
        return None
    x = p.new("x")
    count = f"g->held_count[{row.first_count} + {x} + 1] + ({x} == -1)"
    inside = f"(uint64_t)({x} + 1) <= {row.values}"
    return f"({{ num {x} = {p.value(e.value)}; {inside} ? {count} : 0; }})"


def _covers(p: Printer, e: k.CoversRow) -> str:
    good, i = p.new("t"), p.new("k")
    first, held = p.prepare_row(e.row)
    second, wanted = p.prepare_row(e.other)
    through = (
        f"for (num {i} = 0; {i} < {size_of(e.other)} && {good}; {i}++) "
        f"{good} = {held(i)} >= {wanted(i)};"
    )
    return f"({{ {first}{second}int {good} = 1; {through} {good}; }})"


# ---------------------------------------------------------------- rows


def _constant_row(p: Printer, e: k.ConstantRow, index: str) -> str:
    span = e.source.span
    where = f"{span.file}:{span.line}"
    return f"{p.file.data((span, e.values), e.values, where)}[{index}]"


def _lookup_row(p: Printer, e: k.LookupRow, index: str) -> str:
    counts = [x for row in (e.rows[-1], *e.rows[:-1]) for x in row]
    table = p.file.data(e.data, counts, e.data)
    return f"{table}[({p.value(e.index)} + 1) * {len(e.rows[0])} + {index}]"


def _cell(p: Printer, e: k.CellRow, index: str) -> str:
    step = "" if e.step == 1 else f" * {e.step}"
    return f"g->s[{p.value(e.first)} + {index}{step}]"


def _one_built(p: Printer, e: k.BuiltRow, index: str) -> str | None:
    member = only_member(e)
    if member is None:
        return None
    return f"({index} == {p.value(member)} ? {p.value(e.value)} : 0)"


def _sum_of(p: Printer, e: k.SumRow, index: str) -> str | None:
    counts = [p.element(row, index) for row in e.rows]
    plain = [count for count in counts if count is not None]
    return f"({' + '.join(plain)})" if len(plain) == len(counts) else None


ELEMENTS: Mapping[type, Callable[[Printer, Any, str], str | None]] = {
    k.ConstantRow: _constant_row,
    k.CellRow: _cell,
    k.LocalRow: lambda p, e, index: f"{p.array(e.slot)}[{index}]",
    k.LookupRow: _lookup_row,
    k.StackRow: lambda p, e, index: f"stack_held({p.stack(e.stack)}, {index})",
    k.StackPool: lambda p, e, index: f"{p.stack(e.stack)}->pool[{index}]",
    k.BuiltRow: _one_built,
    k.SumRow: _sum_of,
}


def _built_filled(p: Printer, e: k.BuiltRow, array: str) -> str:
    with p.binding(e.slot) as v:
        body = f"{array}[{v}] = {p.value(e.value)};"
        through = p.for_each(e.sequence, v, body, e.where)
    return f"memset({array}, 0, {e.size} * sizeof(num)); {through}"


def _sum_filled(p: Printer, e: k.SumRow, array: str) -> str:
    text = ""
    for place, row in enumerate(e.rows):
        before, count = p.prepare_row(row)
        i, sign = p.new("k"), "+=" if place else "="
        head = f"for (num {i} = 0; {i} < {e.size}; {i}++)"
        text += f"{{ {before}{head} {array}[{i}] {sign} {count(i)}; }} "
    return text


def _call_filled(p: Printer, e: k.CallRow, array: str) -> str:
    before, call = p.call(e, array)
    return f"{{ {before}{call}; }}"


FILLS: Mapping[type, Callable[[Printer, Any, str], str]] = {
    k.BuiltRow: _built_filled,
    k.SumRow: _sum_filled,
    k.CallRow: _call_filled,
}

# ---------------------------------------------------------------- loops


def _range(p: Printer, e: k.Range, name: str) -> Loop:
    match e:
        case k.Range(low=k.Int(value=low), high=k.Int(value=high)):
            head = f"for (num {name} = {low}; {name} <= {high}; {name}++) {{ "
            return Loop("", head)
        case _:
            i, last = p.new("i"), p.new("e")
            before = f"num {i} = {p.value(e.low)}, {last} = {p.value(e.high)}; "
            return Loop(before, f"for (; {i} <= {last}; {i}++) {{ VAR {name} = {i}; ")


def _members(p: Printer, e: k.Listed, name: str) -> Loop:
    table, i = p.file.table(e.members), p.new("i")
    return Loop("", loop_head(i, "0", str(len(e.members)), name, f"{table}[{i}]"))


def table_row(p: Printer, rows: Any, index: str, name: str) -> Loop:
    """Return the C loop over one row of a constant table of sets."""
    members, places = p.file.sets(rows)
    i, end, row = p.new("i"), p.new("e"), p.new("r")
    before = (
        f"num {row} = {index} + 1, {i} = {places}[{row}], {end} = {places}[{row} + 1]; "
    )
    head = f"for (; {i} < {end}; {i}++) {{ VAR {name} = {members}[{i}]; "
    return Loop(before, head)


def _nonzero(p: Printer, e: k.Nonzero, name: str) -> Loop:
    before, count = p.prepare_row(e.row)
    head = f"for (num {name} = 0; {name} < {e.size}; {name}++) {{ "
    return Loop(before, f"{head}if (!{count(name)}) continue; ")


def _filter(p: Printer, e: k.FilteredSet, name: str) -> Loop:
    if with_bits(e) is not None and met_at_once(p, e) is not None:
        return places_loop(p, e, name)
    loop = p.loop_over(e.sequence, name)
    with p.binding(e.slot, name):
        return Loop(loop.before, f"{loop.head}if (!{p.value(e.condition)}) continue; ")


def _guarded(p: Printer, e: k.Guarded, name: str) -> Loop:
    loop, t = p.loop_over(e.sequence, name), p.new("t")
    before = f"int {t} = {p.value(e.condition)} != 0; {loop.before}"
    return Loop(before, f"{loop.head}if (!{t}) break; ")


def _local_set(p: Printer, e: k.LocalSet, name: str) -> Loop:
    array, i = p.array(e.slot), p.new("i")
    return Loop("", loop_head(i, "1", f"{array}[0] + 1", name, f"{array}[{i}]"))


def _no_cell_set(p: Printer, e: k.CellSet, name: str) -> Loop:
    del p, e, name
    raise NotTranslatable("a field that holds a set")


def _winners(p: Printer, e: k.WinnerSet, name: str) -> Loop:
    del p, e
    head = f"for (num {name} = 0; {name} < g->ranked; {name}++) "
    return Loop("", f"{head}{{ if (g->ranks[{name}] != 1) continue; ")


def _holding(p: Printer, e: k.Holding, name: str) -> Loop:
    if e.value is None and p.file.held.row(e.base) is None:
        head = f"for (num {name} = 0; {name} < {e.size}; {name}++) {{ "
        return Loop("", f"{head}if (g->s[{e.base} + {name}] == -1) continue; ")
    return places_loop(p, e, name)


def places_loop(p: Printer, e: k.Sequence, name: str) -> Loop:
    """Return the C loop over places in ascending order, using bits."""
    lines, bits, words = as_bits(p, e)
    following = f"({name} = next_place({bits}, {words})) >= 0"
    return Loop(lines, f"for (VAR {name}; {following};) {{ ")


LOOPS: Mapping[type, Callable[[Printer, Any, str], Loop]] = {
    k.Range: _range,
    k.Listed: _members,
    k.TableRow: lambda p, e, name: table_row(p, e.rows, p.value(e.index), name),
    k.Holding: _holding,
    k.Nonzero: _nonzero,
    k.FilteredSet: _filter,
    k.Guarded: _guarded,
    k.LocalSet: _local_set,
    k.CellSet: _no_cell_set,
    k.WinnerSet: _winners,
    k.Around: places_loop,
    k.Union: places_loop,
    k.KeptPlaces: places_loop,
}

# ---------------------------------------------------------------- places as bits

Bits = tuple[str, str, int]
"""Lines of C that compute a bit set, the name of its array, and its word count."""


def as_bits(p: Printer, e: k.Sequence) -> Bits:
    """Return a sequence of places as a bit set."""
    match e:
        case k.Holding() if (held := p.file.held.row(e.base)) is not None:
            return held_bits(p, e, held)
        case k.Holding(value=k.Value() as value):
            bits, o, words = p.new("b"), p.new("o"), word_count(e.size)
            some = f"if ({o} >= 0) " if e.nowhere else ""
            lines = (
                f"num {o} = {p.value(value)}; uint64_t {bits}[{words}] = {{0}}; "
                f"{some}places_of({bits}, g->s + {e.base}, {e.size}, {o}); "
            )
            return lines, bits, words
        case k.Around():
            return around(p, e)
        case k.Union():
            parts = [as_bits(p, part) for part in e.sequences]
            bits, i, words = p.new("b"), p.new("i"), parts[0][2]
            values = " | ".join([f"{part[1]}[{i}]" for part in parts])
            head = f"for (int {i} = 0; {i} < {words}; {i}++)"
            lines = f"uint64_t {bits}[{words}]; {head} {bits}[{i}] = {values}; "
            return "".join([part[0] for part in parts]) + lines, bits, words
        case k.FilteredSet():
            return filtered_bits(p, e)
        case k.Range(low=k.Int(value=0), high=k.Int(value=high)):
            bits, all_ = p.new("b"), constant(range(high + 1), high + 1).words
            lines = f"uint64_t {bits}[{len(all_)}] = {{{', '.join(all_)}}}; "
            return lines, bits, len(all_)
        case k.Reached(ways=ways) if (fits := fitting_words(p, ways)) is not None:
            v, bits, words = p.new("m"), p.new("b"), word_count(ways.size)
            before, edge, left, step = flood(p, ways, fits, v)
            head = f"for (VAR {v}; ({v} = next_place({edge}, {words})) >= 0;)"
            last = "".join([f"{bits}[{n}] &= ~{left}[{n}]; " for n in range(words)])
            own = f"uint64_t {bits}[{words}] = {{{', '.join(fits.words)}}}; "
            return f"{before}{own}{head} {{ {step} }} {last}", bits, words
        case k.KeptPlaces():
            bits, words = p.new("b"), word_count(e.size)
            lines = f"uint64_t {bits}[{words}]; "
            lines += f"{kept_call(p, e, bits)}; "
            return lines, bits, words
        case _:
            raise AssertionError(e)


def held_bits(p: Printer, e: k.Holding, row: HeldRow) -> Bits:
    """Return the places that contain a value, whose bits are kept."""
    bits, o, words = p.new("b"), p.new("o"), row.width
    own, sets = f"uint64_t {bits}[{words}]; ", f"g->held + {row.first}"
    if e.value is None:
        empty = f"~({sets})[i]"
        last = f"{bits}[{words - 1}] &= ((uint64_t)1 << {row.size % 64}) - 1; "
        fill = f"for (int i = 0; i < {words}; i++) {bits}[i] = {empty}; {last}"
        return own + fill, bits, words
    source = row.set_of(p.value(e.value), o, nowhere=e.nowhere)
    return f"{own}memcpy({bits}, {source}, sizeof {bits}); ", bits, words


def met_at_once(p: Printer, e: k.FilteredSet) -> Words | None:
    """Return the places that meet all conditions, if these can be tested at once."""
    size = bound_of(e.sequence)
    return None if size is None else meeting(p, e.condition, e.slot, size)


def filtered_bits(p: Printer, e: k.FilteredSet) -> Bits:
    """Return the places that meet a condition, as a bit set.

    Conditions that can be tested for all places at once come first.
    """
    size = bound_of(e.sequence)
    whole, rest = list[Words](), list[k.Value]()
    for test in conjuncts(e.condition):
        words = None if size is None else meeting(p, test, e.slot, size)
        if words is None:
            rest.append(test)
        else:
            whole.append(words)
    before, bits, count = as_bits(p, e.sequence)
    if whole:
        copied, bits = bits, p.new("b")
        before += f"uint64_t {bits}[{count}]; memcpy({bits}, {copied}, sizeof {bits}); "
    for part in whole:
        before += part.before
        before += "".join([f"{bits}[{n}] &= {x}; " for n, x in enumerate(part.words)])
    condition = conjunction(rest)
    if condition is None:
        return before, bits, count
    met, remaining, v = p.new("b"), p.new("b"), p.new("m")
    with p.binding(e.slot, v):
        holds = f"(({p.value(condition)}) != 0)"
    lines = (
        f"{before}uint64_t {met}[{count}] = {{0}}, {remaining}[{count}]; "
        f"memcpy({remaining}, {bits}, sizeof {remaining}); "
        f"for (VAR {v}; ({v} = next_place({remaining}, {count})) >= 0;) "
        f"{{ {add_bit(met, v, holds)} }} "
    )
    return lines, met, count


def places_meeting(p: Printer, e: k.Fold) -> Words | None:
    """Return the members of a sequence that meet the condition of a fold, as bits.

    Return None if the condition cannot be tested for all places at once.
    """
    size = bound_of(e.sequence)
    if size is None or e.where is None or size > WORD * MAX_COMBINED_WORDS:
        return None
    match e.sequence:
        case k.TableRow(rows=rows, index=index):
            words = meeting(p, e.where, e.slot, size)
            if words is None:
                return None
            i, width = p.new("i"), word_count(size)
            masks = p.file.masks((rows[-1], *rows[:-1]), width)
            before = f"num {i} = ({p.value(index)} + 1) * {width}; "
            own = [f"{masks}[{i} + {n}]" for n in range(width)]
        case k.Range(low=k.Int(value=0)):
            words = meeting(p, e.where, e.slot, size)
            if words is None:
                return None
            before, own = "", list(constant(range(size), size).words)
        case k.Holding() | k.Union() | k.Around() | k.KeptPlaces() | k.FilteredSet():
            words = meeting(p, e.where, e.slot, size)
            if words is None or with_bits(e.sequence) is None:
                return None
            before, bits, count = as_bits(p, e.sequence)
            own = [f"{bits}[{n}]" for n in range(count)]
        case _:
            return None
    both = zip(own, words.words, strict=True)
    return Words(before + words.before, tuple([f"({a} & {b})" for a, b in both]))


def any_place(p: Printer, e: k.Fold) -> str | None:
    """Return the C text of whether some place meets a condition, by whole words."""
    met = places_meeting(p, e)
    if met is None:
        return None
    return f"({{ {met.before}({' | '.join(met.words)}) != 0; }})"


def first_place(p: Printer, e: k.Fold) -> str | None:
    """Return the C text of the first place that meets a condition, by whole words."""
    met = places_meeting(p, e) if is_ascending(e.sequence) else None
    if met is None:
        return None
    bits = p.new("b")
    words = f"uint64_t {bits}[{len(met.words)}] = {{{', '.join(met.words)}}};"
    return f"({{ {met.before}{words} next_place({bits}, {len(met.words)}); }})"


def places_count(p: Printer, e: k.Fold) -> str | None:
    """Return the C text of the number of places that meet a condition."""
    met = places_meeting(p, e)
    if met is None:
        return None
    counts = " + ".join([f"bits_in({word})" for word in met.words])
    return f"({{ {met.before}{counts}; }})"


QUICK: Mapping[k.FoldKind, Callable[[Printer, k.Fold], str | None]] = {
    k.FoldKind.ANY: any_place,
    k.FoldKind.FIRST: first_place,
    k.FoldKind.COUNT: places_count,
}
"""Folds that may be computed with whole words; the functions may return None."""


def with_bits(e: k.Sequence) -> k.Sequence | None:
    """Return a sequence if it can be computed as a bit set, else None."""
    match e:
        case k.Holding(value=k.Value()) | k.Around() | k.Union() | k.KeptPlaces():
            return e
        case k.Range(low=k.Int(value=0), high=k.Int(value=high)):
            return e if high < WORD * MAX_COMBINED_WORDS else None
        case k.FilteredSet():
            return None if with_bits(e.sequence) is None else e
        case _:
            return None


def add_bit(bits: str, place: str, condition: str = "1") -> str:
    """Return the line that adds a place to a bit set if a condition is true."""
    return f"{bits}[{place} / 64] |= (uint64_t){condition} << {place} % 64;"


def around(p: Printer, e: k.Around) -> Bits:
    """Return the places whose row shares a member with a sequence, as a bit set."""
    far = max((member for row in e.rows for member in row), default=-1) + 1
    near: list[list[int]] = [[] for _ in range(far)]
    for place, row in enumerate(e.rows):
        for member in row:
            near[member].append(place)
    bits, words = p.new("b"), word_count(len(e.rows))
    at, v, i = p.new("m"), p.new("m"), p.new("i")
    if words <= MAX_COMBINED_WORDS:
        masks = p.file.masks(near, words)
        body = f"{bits}[{i}] |= {masks}[{at} * {words} + {i}];"
        head = f"for (int {i} = 0; {i} < {words}; {i}++)"
    else:
        members, places_ = p.file.sets([*near, []])
        body = f"num {v} = {members}[{i}]; {add_bit(bits, v)}"
        head = f"for (num {i} = {places_}[{at} + 1]; {i} < {places_}[{at} + 2]; {i}++)"
    loop = places_loop(p, e.sequence, at)
    lines = (
        f"{loop.before}uint64_t {bits}[{words}] = {{0}}; "
        f"{loop.head}{head} {{ {body} }} }} "
    )
    return lines, bits, words


# ---------------------------------------------------------------- sequences as arrays


def _call_listed(p: Printer, e: k.CallSet, array: str) -> str:
    before, call = p.call(e, array)
    return f"{before}{call};"


def _range_listed(p: Printer, e: k.Range, array: str) -> str:
    v, most = p.new("m"), p.max_size(e)
    enter = f"if ({array}[0] == {most}) fail(g, BEYOND); {array}[++{array}[0]] = {v};"
    return f"{array}[0] = 0; {p.for_each(e, v, enter)}"


def _best(p: Printer, e: k.BestSet, array: str) -> str:
    key, most, way, size = p.new("k"), p.new("k"), p.new("k"), len(e.keys)
    with p.binding(e.slot) as v:
        values = "".join(
            [f"{key}[{n}] = {p.value(part)}; " for n, part in enumerate(e.keys)]
        )
        body = (
            f"num {key}[{size}]; {values}"
            f"int {way} = {array}[0] ? compared({key}, {most}, {size}) : 1; "
            f"if ({way} < 0) continue; if ({way} > 0) {{ {array}[0] = 0; "
            f"memcpy({most}, {key}, sizeof {most}); }} {array}[++{array}[0]] = {v};"
        )
        through = p.for_each(e.sequence, v, body, e.where)
    return f"num {most}[{size}] = {{0}}; {array}[0] = 0; {through}"


def _sorted(p: Printer, e: k.SortedSet, array: str) -> str:
    key = p.new("k")
    with p.binding(e.slot) as v:
        body = f"{array}[++{array}[0]] = {v}; {key}[{array}[0]] = {p.value(e.key)};"
        through = p.for_each(e.sequence, v, body, e.where)
    truncation = ""
    if e.count is not None:
        most = p.new("n")
        truncation = (
            f" num {most} = {p.value(e.count)}; if ({most} < 0) {most} = 0; "
            f"if ({array}[0] > {most}) {array}[0] = {most};"
        )
    return (
        f"num {key}[{p.max_size(e) + 1}]; {array}[0] = 0; {through} "
        f"sort_by({array}, {key}, {int(e.falling)});{truncation}"
    )


def _reached(p: Printer, e: k.Reached, array: str) -> str:
    far, i, size = p.new("d"), p.new("i"), e.ways.size
    return (
        f"{{ num {far}[{size}]; {steps(p, e.ways, far)} {array}[0] = 0; "
        f"for (num {i} = 0; {i} < {size}; {i}++) "
        f"if ({far}[{i}] >= 0) {array}[++{array}[0]] = {i}; }}"
    )


LISTS: Mapping[type, Callable[[Printer, Any, str], str]] = {
    k.CallSet: _call_listed,
    k.Range: _range_listed,
    k.BestSet: _best,
    k.SortedSet: _sorted,
    k.Reached: _reached,
}

# ---------------------------------------------------------------- ways


def for_each_place(p: Printer, e: k.Value | k.Sequence, name: str, body: str) -> str:
    """Return the C code that runs *body* for one place or for each of several."""
    if isinstance(e, k.Value):
        return f"{{ num {name} = {p.value(e)}; {body} }}"
    return p.for_each(e, name, body)


def steps(p: Printer, e: k.Ways, distances: str) -> str:
    """Return the lines that fill an array with the number of steps to every place.

    The number is -1 for places that are not reached, and -2 for places that are reached
    but do not meet the condition.
    """
    edge, ends, begun, at, i = [p.new(x) for x in ("q", "n", "m", "c", "i")]
    enter = (
        f"if ({begun} >= 0 && {distances}[{begun}] == -1) "
        f"{{ {distances}[{begun}] = 0; {edge}[{ends}++] = {begun}; }}"
    )
    fits = within = through = limit = ""
    if e.links is None and e.fits is not None:
        with p.binding(e.fits.slot, at):
            test = p.value(e.fits.value)
            fits = f"if (!{test}) {{ {distances}[{at}] = -2; continue; }} "
    if e.within is not None:
        limit = f"num {i}_w = {p.value(e.within)}; "
        within = f"if ({distances}[{at}] >= {i}_w) continue; "
    if e.through is not None:
        with p.binding(e.through.slot, at):
            through = (
                f"if ({distances}[{at}] && !{p.value(e.through.value)}) continue; "
            )

    def reach(to: str, _link: str) -> str:
        return (
            f"if ({distances}[{to}] == -1) "
            f"{{ {distances}[{to}] = {distances}[{at}] + 1; {edge}[{ends}++] = {to}; }}"
        )

    return (
        f"num {edge}[{e.size}], {ends} = 0; {limit}"
        f"for (num {i} = 0; {i} < {e.size}; {i}++) {distances}[{i}] = -1; "
        f"{for_each_place(p, e.start, begun, enter)} "
        f"for (num {i} = 0; {i} < {ends}; {i}++) {{ num {at} = {edge}[{i}]; "
        f"{fits}{within}{through}{neighbour_lines(p, e, at, reach)} }}"
    )


def costs(p: Printer, e: k.Ways, price: k.PerElement, distances: str) -> str:
    """Return the lines that fill an array with the lowest cost to every place.

    The cost is -1 for places that are not reached, and -2 for places that are reached
    but do not meet the condition. The cheapest place not yet expanded is always next.
    """
    left, begun, at, cost, i = [p.new(x) for x in ("t", "m", "c", "n", "i")]
    fits = through = first = mark = ""
    if e.links is None and e.fits is not None:
        with p.binding(e.fits.slot, at):
            fits = f"if (!{p.value(e.fits.value)}) "
            fits += f"{{ {distances}[{at}] = -2; continue; }} "
    if e.through is not None:
        seen = p.new("t")
        first, mark = f", {seen}[{e.size}] = {{0}}", f" {seen}[{begun}] = 1;"
        with p.binding(e.through.slot, at):
            through = f"if (!{seen}[{at}] && !{p.value(e.through.value)}) continue; "

    def reach(to: str, link: str) -> str:
        with p.binding(price.slot, to if e.links is None else link):
            return (
                f"num {cost} = {distances}[{at}] + {p.value(price.value)}; "
                f"if ({distances}[{to}] == -1 || {cost} < {distances}[{to}]) "
                f"{distances}[{to}] = {cost};"
            )

    enter = f"if ({begun} >= 0) {{ {distances}[{begun}] = 0;{mark} }}"
    cheaper = f"({at} < 0 || {distances}[{i}] < {distances}[{at}])"
    return (
        f"uint8_t {left}[{e.size}] = {{0}}{first}; "
        f"for (num {i} = 0; {i} < {e.size}; {i}++) {distances}[{i}] = -1; "
        f"{for_each_place(p, e.start, begun, enter)} "
        f"for (;;) {{ num {at} = -1; "
        f"for (num {i} = 0; {i} < {e.size}; {i}++) "
        f"if (!{left}[{i}] && {distances}[{i}] >= 0 && {cheaper}) {at} = {i}; "
        f"if ({at} < 0) break; {left}[{at}] = 1; "
        f"{fits}{through}{neighbour_lines(p, e, at, reach)} }}"
    )


def neighbour_lines(
    p: Printer, e: k.Ways, at: str, reach: Callable[[str, str], str]
) -> str:
    """Return the lines that visit the neighbours of a place.

    `reach` returns the lines for the names of a neighbour and of the link to it, which
    is empty without links.
    """
    to = p.new("m")
    if e.links is None:
        loop, holds = table_row(p, e.neighbours, at, to), ""
        if e.step is not None:
            with p.binding(e.step.before, at), p.binding(e.step.slot, to):
                holds = f"if (!{p.value(e.step.holds)}) continue; "
        return f"{{ {loop.before}{loop.head}{holds}{reach(to, '')} }} }}"
    pair, start = p.new("p"), 0
    pairs: list[tuple[int, ...]] = []
    for row in e.links:
        pairs.append(tuple(range(start, start + len(row))))
        start += len(row)
    place_of = p.file.table([place for row in e.links for _, place in row])
    link_of = p.file.table([link for row in e.links for link, _ in row])
    loop = table_row(p, pairs, at, pair)
    link, holds = p.new("v"), ""
    if e.fits is not None:
        with p.binding(e.fits.slot, link):
            holds = f"if (!{p.value(e.fits.value)}) continue; "
    step = (
        f"VAR {link} = {link_of}[{pair}]; {holds}"
        f"num {to} = {place_of}[{pair}]; {reach(to, link)}"
    )
    return f"{{ {loop.before}{loop.head}{step} }} }}"


def search_order_loop(p: Printer, e: k.Ways, name: str) -> Loop:
    """Return the C loop over the places reached by ways, in search order."""
    fits = fitting_words(p, e)
    if fits is not None:
        before, edge, _, step = flood(p, e, fits, name)
        words = word_count(e.size)
        head = f"for (VAR {name}; ({name} = next_place({edge}, {words})) >= 0;) {{ "
        return Loop(before, head + step)
    to = p.new("m")
    edge, ends, begun, seen, i = [p.new(x) for x in ("q", "n", "m", "t", "i")]

    def enter(place: str) -> str:
        test = "1"
        if e.fits is not None:
            with p.binding(e.fits.slot, place):
                test = p.value(e.fits.value)
        return (
            f"if (!{seen}[{place}]) {{ {seen}[{place}] = 1; "
            f"if ({test}) {edge}[{ends}++] = (int){place}; }}"
        )

    first = for_each_place(p, e.start, begun, f"if ({begun} >= 0) {{ {enter(begun)} }}")
    near = table_row(p, e.neighbours, name, to)
    return Loop(
        f"uint8_t {seen}[{e.size}] = {{0}}; "
        f"int {edge}[{e.size} + 1], {ends} = 0; {first} ",
        f"for (int {i} = 0; {i} < {ends}; {i}++) {{ VAR {name} = {edge}[{i}]; "
        f"{{ {near.before}{near.head}{enter(to)} }} }} ",
    )


def fitting_words(p: Printer, e: k.Ways) -> Words | None:
    """Return the places that plain ways may use, or None if they need single tests."""
    if not e.is_plain or word_count(e.size) > MAX_COMBINED_WORDS:
        return None
    if e.fits is None:
        return constant(range(e.size), e.size)
    return meeting(p, e.fits.value, e.fits.slot, e.size)


def flood(p: Printer, e: k.Ways, fits: Words, at: str) -> tuple[str, str, str, str]:
    """Return how plain ways flood the places that fit, as sets of places.

    The result is the lines before, the sets of places to expand and of places not
    reached, and the lines that expand the place *at*, which leaves the first set.
    """
    edge, left, n, i = p.new("q"), p.new("b"), p.new("n"), p.new("i")
    words, begun = word_count(e.size), p.new("m")
    masks = p.file.masks(e.neighbours[: e.size], words)
    enter = (
        f"if ({begun} >= 0 && {left}[{begun} / 64] >> {begun} % 64 & 1) "
        f"{{ {edge}[{begun} / 64] |= (uint64_t)1 << {begun} % 64; "
        f"{left}[{begun} / 64] &= ~((uint64_t)1 << {begun} % 64); }}"
    )
    before = (
        f"{fits.before}uint64_t {edge}[{words}] = {{0}}, "
        f"{left}[{words}] = {{{', '.join(fits.words)}}}; "
        f"{for_each_place(p, e.start, begun, enter)} "
    )
    step = (
        f"for (int {i} = 0; {i} < {words}; {i}++) {{ "
        f"uint64_t {n} = {masks}[{at} * {words} + {i}] & {left}[{i}]; "
        f"{edge}[{i}] |= {n}; {left}[{i}] ^= {n}; }} "
    )
    return before, edge, left, step


def _distance(p: Printer, e: k.LinkDistance) -> str:
    far, best, goal = p.new("d"), p.new("n"), p.new("m")
    if e.price is None:
        search = steps(p, e.ways, far)
    else:
        search = costs(p, e.ways, e.price, far)
    nearer = (
        f"if ({goal} >= 0 && {far}[{goal}] >= 0 && {far}[{goal}] < {best}) "
        f"{best} = {far}[{goal}];"
    )
    return (
        f"({{ num {far}[{e.ways.size}], {best} = {e.beyond}; {search} "
        f"{for_each_place(p, e.goal, goal, nearer)} {best}; }})"
    )


# ---------------------------------------------------------------- trails


def _longest_trail(p: Printer, e: k.TrailLength) -> str:
    trail, place, i, n = p.new("t"), p.new("p"), p.new("i"), p.new("n")
    lines = f"Trail {trail}; {trail}.links = 0; "
    lines += f"{trail}.joined = {int(e.joint is not None)}; "
    several = len(e.sorts) > 1
    if several:
        lines += f"int {place}[{len(e.ends)}] = {{0}}; "
    for sort, links in enumerate(e.sorts):
        v = p.new("m")
        bit = 1 << sort if e.joint is not None else 1
        add = f"trail_link(g, &{trail}, {place if several else '0'}, {v}, {bit});"
        lines += f"{p.for_each(links, v, add)} "
    plain = e.weight is None and e.joint is None
    few = ""
    if plain:
        safe = next(links for links in count(2) if links**2 << links > e.limit)
        few = f"if ({n} > 1 && ({n} >= {p.enough} || {n} >= {safe})) "
    lines += f"num {n} = {trail}.links; {few}{{ {end_condition_lines(p, trail, e)}"
    if e.weight is not None:
        with p.binding(e.weight.slot) as link:
            weight = p.value(e.weight.value)
            lines += (
                f"for (int {i} = 0; {i} < {trail}.links; {i}++) "
                f"{{ VAR {link} = (num)({trail}.asked[{i}] >> 32); "
                f"{trail}.weight[{i}] = {weight}; }} "
            )
    cached = "0" if e.weight is not None else cache_of(p, e)
    search = f"trail_longest(g, &{trail}, {cached}, {e.limit})"
    return f"({{ {lines}{n} = {search}; }} {n}; }})"


def end_condition_lines(p: Printer, trail: str, e: k.TrailLength) -> str:
    """Return the lines that store both ends of each link of a trail, and their flags.

    The flags are bits that mark an end as closed or as a joint.
    """
    table, flags = p.file.table([end for ends in e.ends for end in ends]), ""
    i, j, now, corner = [p.new(x) for x in ("i", "i", "n", "m")]
    with p.binding(e.closed.slot, corner):
        holds = p.value(e.closed.value)
        flags += f"{now} |= (uint64_t)({holds} != 0) * CLOSED << {j}; "
    if e.joint is not None:
        with p.binding(e.joint.slot, corner):
            holds = p.value(e.joint.value)
            flags += f"{now} |= (uint64_t)({holds} != 0) * JOINT << {j}; "
    return (
        f"for (int {i} = 0; {i} < {trail}.links; {i}++) {{ "
        f"uint64_t {now} = {trail}.asked[{i}]; for (int {j} = 0; {j} < 2; {j}++) {{ "
        f"VAR {corner} = {table}[2 * ({trail}.asked[{i}] >> 32) + (uint64_t){j}]; "
        f"{trail}.end[2 * {i} + {j}] = (int){corner}; {flags}}} "
        f"{trail}.asked[{i}] = {now}; }} "
    )


def cache_of(p: Printer, e: k.TrailLength) -> str:
    """Return the address of a trail's cache entry.

    A trail that depends on a seat has an entry for each seat.
    """
    first = p.file.new_trail() * p.facts.players
    if e.seat is None:
        return f"&g->kept[{first}]"
    return f"&g->kept[{first} + at_least_0({p.value(e.seat)})]"


# ---------------------------------------------------------------- kept values


def kept_function(p: Printer, e: k.KeptValue | k.KeptPlaces) -> str:
    """Return the C function that returns a kept value, and write it if it is new.

    For a set of places, the second parameter of the function is the array to fill.
    """
    key = canonical(e), p.enough
    known = p.file.kept.values.get(key)
    if known is not None:
        return known.name
    width = word_count(e.size) if isinstance(e, k.KeptPlaces) else 0
    by_key = None if isinstance(e, k.KeptPlaces) else key_of_counts(e.value, e.slots)
    names = {slot: p.new("a") for slot in e.slots}
    sizes = dict(zip(e.slots, e.sizes, strict=True))
    inner = attrs.evolve(p, places=None, bound=names)
    given = "".join([f", VAR {names[slot]}" for slot in e.slots])
    passed = "".join([f", {names[slot]}" for slot in e.slots])
    index, inside = "0", "1"
    for slot, name in names.items():
        index = f"({index} * {sizes[slot] + 1} + {name} + 1)"
        inside += f" && (uint64_t)({name} + 1) <= {sizes[slot]}"
    kept = p.file.kept.add(key, e, p.new("k"), width)
    now, mark = f"{kept.name}_now(g", "*valid |= (uint64_t)1 << i % 64;"
    if isinstance(e, k.KeptPlaces):
        head, out = "void", ", uint64_t *bits"
        body = fill_places(inner, e, width)
        entry = f"g->places + {kept.first} + i * {width}"
        fill = f"{now}, {entry}{passed}); {mark}"
        outside = f"{{ {now}, bits{passed}); return; }}"
        result = f"memcpy(bits, {entry}, {width} * sizeof *bits);"
    else:
        head, out, body = "num", "", f"return {inner.value(e.value)};"
        entry, outside = f"g->number[{kept.first} + i]", f"return {now}{passed});"
        fill = f"num x = {now}{passed}); if (x != (int16_t)x) return x; "
        fill += f"{entry} = (int16_t)x; {mark}"
        if by_key is not None:
            fill = counts_lines(inner, e, by_key, sizes[by_key], kept)
        result = f"return {entry};"
    lines = [
        *([f"if (!({inside})) {outside}"] if names else []),
        f"num i = {index}; uint64_t *valid = g->valid + {kept.word} + i / 64;",
        f"if (!(*valid >> i % 64 & 1)) {{ {fill} }}",
        result,
    ]
    p.file.functions += [
        (
            f"static APART UNUSED {head} {kept.name}_now(Game *g{out}{given})",
            ["(void)g;", body],
        ),
        (f"static UNUSED {head} {kept.name}(Game *g{out}{given})", lines),
    ]
    return kept.name


def fill_places(p: Printer, e: k.KeptPlaces, width: int) -> str:
    """Return the lines that fill the array `bits` with a set of places."""
    member = p.new("m")
    sequence = with_bits(e.sequence)
    if sequence is not None:
        before, own, words = as_bits(p, sequence)
        if words == width:
            return f"{before}memcpy(bits, {own}, {width} * sizeof *bits);"
    through = p.for_each(e.sequence, member, add_bit("bits", member))
    return f"memset(bits, 0, {width} * sizeof *bits); {through}"


def counts_lines(
    p: Printer, e: k.KeptValue, key: int, size: int, kept: KeptEntries
) -> str:
    """Return the lines that fill the entries for all values of a key in one pass."""
    fold, v = e.value, p.new("m")
    of: k.Value = k.Int(0)
    assert isinstance(fold, k.Fold)
    rest = list[k.Value]()
    for test in conjuncts(fold.where):
        match test:
            case k.CompareValues("==", left, k.Var(slot=slot)) if slot == key:
                of = left
            case _:
                rest.append(test)
    with p.binding(fold.slot, v):
        added = "1" if fold.value is None else p.value(fold.value)
        body = (
            f"num x = {p.value(of)}; if ((uint64_t)(x + 1) <= {size}) {{ "
            f"sum[x + 1] += {added}; }}"
        )
        through = p.for_each(fold.sequence, v, body, conjunction(rest), any_order=True)
    name, first = p.bound[key], f"i - {p.bound[key]} - 1"
    return (
        f"num sum[{size + 1}] = {{0}}; {through} "
        f"if (sum[{name} + 1] != (int16_t)sum[{name} + 1]) return sum[{name} + 1]; "
        f"for (num n = {first}, c = 0; c <= {size}; n++, c++) {{ "
        f"if (sum[c] != (int16_t)sum[c]) continue; "
        f"g->number[{kept.first} + n] = (int16_t)sum[c]; "
        f"g->valid[{kept.word} + n / 64] |= (uint64_t)1 << n % 64; }}"
    )


def kept_call(p: Printer, e: k.KeptValue | k.KeptPlaces, *out: str) -> str:
    """Return the C call that returns a kept value, or fills an array with places."""
    arguments = ", ".join(["g", *out, *map(p.value, e.keys)])
    return f"{kept_function(p, e)}({arguments})"


VALUES: Mapping[type, Callable[[Printer, Any], str]] = {
    k.KeptValue: kept_call,
    k.Int: lambda _, e: literal(e.value),
    k.Amount: lambda p, e: p.amount(e.value, e.source, *e.key),
    k.Absent: _absent,
    k.Var: lambda p, e: p.slot(e.slot),
    k.Load: lambda p, e: f"g->s[{p.value(e.cell)}]",
    k.Lookup: _lookup,
    k.GridIndex: _grid_index,
    k.Binary: _binary,
    k.CompareValues: lambda p, e: (
        f"({p.value(e.left)} {e.operator} {p.value(e.right)})"
    ),
    k.Between: _between,
    k.Negate: lambda p, e: f"(!{p.value(e.value)})",
    k.All: lambda p, e: p.chain(e.parts, " & " if e.eager else " && ", "1"),
    k.Some: lambda p, e: p.chain(e.parts, " || ", "0"),
    k.CountTrue: lambda p, e: p.chain(e.parts, " + ", "0"),
    k.Select: _select,
    k.SeatBit: lambda p, e: f"bit({p.value(e.seat)})",
    k.CallFunction: _call,
    k.Probe: _no_probe,
    k.Fold: _fold,
    k.FoldSelections: _fold_selections,
    k.ContainsElement: _contains,
    k.SameSequence: _same_sequence,
    k.Element: _element,
    k.Total: _total,
    k.CountEqual: _count_equal,
    k.CoversRow: _covers,
    k.StackSize: lambda p, e: f"{p.stack(e.stack)}->size",
    k.StackEntry: lambda p, e: f"stack_entry({p.stack(e.stack)}, {p.value(e.place)})",
    k.LinkDistance: _distance,
    k.TrailLength: _longest_trail,
}

check_complete("the C of folds", FOLDS, k.FoldKind)
check_complete("the C of values", VALUES, concrete_classes(k.Value, k))
check_complete("the C of sequences", [*LOOPS, *LISTS], concrete_classes(k.Sequence, k))
check_complete("the C of rows", [*ELEMENTS, *FILLS], concrete_classes(k.Row, k))
