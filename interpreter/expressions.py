"""Every expression as a Python expression over `s` (the cells) and `f` (the locals).

One small function for each class of the model, found by `TEMPLATES`. A slot is `f[n]`,
or the variable `vN` where a quantifier, a define or an enumeration binds it. Whatever
reads nothing of a game is folded to its value at once.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import rulebook as rb
from interpreter.facts import Facts
from interpreter.inlining import inlined
from interpreter.layout import ACTIVE, BACKWARDS, ENDLESS, ROUND, WINNER, Block
from interpreter.missing import may_be_none, may_hold_none
from interpreter.source import Source

FIRST_LOCAL = 2
NAME = re.compile(r"v\d+|\d+|f\[\d+\]")
Template = Callable[["Writer", Any], str]
TEMPLATES: dict[type, Template] = {}


def writes(kind: type) -> Callable[[Template], Template]:
    """Enter a template for a class of the model."""

    def enter(template: Template) -> Template:
        TEMPLATES[kind] = template
        return template

    return enter


class Writer:
    """Writes expressions of one unit; `bound` slots are Python variables.

    A `lazy` one reads nothing that does not decide: for what is known in part only.
    """

    def __init__(
        self,
        source: Source,
        facts: Facts,
        bound: dict[int, str] | None = None,
        variable: str = "v",
        *,
        lazy: bool = False,
    ) -> None:
        self.source = source
        self.facts = facts
        self.bound = bound if bound is not None else {}
        self.variable = variable
        self.lazy = lazy

    def text(self, expression: rb.Expr) -> str:
        """Return the Python text of an expression, safe as an operand."""
        return self.source.folded(TEMPLATES[type(expression)](self, expression))

    def slot(self, number: int) -> str:
        """Return how a local variable is read and written."""
        return self.bound.get(number, f"f[{number + FIRST_LOCAL}]")

    @contextmanager
    def binding(self, slot: int) -> Iterator[str]:
        """Let a slot be a Python variable for a while."""
        before = self.bound.get(slot)
        self.bound[slot] = f"{self.variable}{slot}"
        yield self.bound[slot]
        if before is None:
            del self.bound[slot]
        else:
            self.bound[slot] = before

    def loop(self, node: Any) -> str:
        """Return `for v in members if condition` of a binder (inside `binding`)."""
        tests = "" if node.where is None else f" if {self.text(node.where)}"
        return f"for {self.bound[node.slot]} in {self.members(node)}{tests}"

    def members(self, node: Any) -> str:
        """Return the set of a binder, read outside its own variable."""
        inner = self.bound.pop(node.slot)
        text = self.text(node.set)
        self.bound[node.slot] = inner
        return text

    def function(self, expression: rb.Expr) -> str:
        """Return the name of a new function of (s, f) that gives the value."""
        name = self.source.new_name("x")
        return self.source.function(name, "s, f", [f"return {self.text(expression)}"])

    def row(self, value: rb.FieldValue) -> str:
        """Return the index of the first cell of a field's owner."""
        block = self.facts.block(value)
        if value.owner is None:
            return str(block.base)
        owner = self.text(value.owner)
        scaled = owner if block.stride == 1 else f"{owner} * {block.stride}"
        return self.source.folded(f"({block.base} + {scaled})")

    def cell(self, value: rb.FieldValue, member: rb.Expr) -> str:
        """Return the index of one count of a bag."""
        return self.source.folded(f"({self.row(value)} + {self.text(member)})")

    def piece_cell(self, piece: str, space: rb.Expr) -> str:
        """Return the index of the cell of a piece on a space."""
        base = self.facts.piece_base(piece, space)
        return self.source.folded(f"({base} + {self.text(space)})")

    def related_cells(self, piece: str, spaces: rb.Related) -> str:
        """Return what the cells of a piece on related spaces hold, as a tuple."""
        base = self.facts.set_base(piece, spaces)
        rows = self.source.readers(self.facts.relations[spaces.relation], base)
        return f"{rows}[{self.text(spaces.of)}](s)"

    def bag_block(self, holder: rb.Expr) -> Block | None:
        """Return the block of a holder that is a bag field."""
        if isinstance(holder, rb.FieldValue) and isinstance(holder.type, rb.Bag):
            return self.facts.block(holder)
        return None


# ---------------------------------------------------------------- values


@writes(rb.Const)
def _const(w: Writer, e: rb.Const) -> str:
    return w.source.literal(e.value)


@writes(rb.OptionValue)
def _option(w: Writer, e: rb.OptionValue) -> str:
    value = w.facts.options[e.name]
    return w.source.literal(rb.NONE if value is None else value)


@writes(rb.PlayerCount)
def _players(w: Writer, e: rb.PlayerCount) -> str:
    del e
    return str(w.facts.players)


@writes(rb.Local)
def _local(w: Writer, e: rb.Local) -> str:
    return w.slot(e.slot)


@writes(rb.FieldValue)
def _field(w: Writer, e: rb.FieldValue) -> str:
    block = w.facts.block(e)
    if not isinstance(e.type, rb.Bag):
        return f"s[{w.row(e)}]"
    row = w.row(e)
    end = w.source.folded(f"({row} + {block.size})")
    return f"tuple(s[{row}:{end}])"


@writes(rb.ColumnValue)
def _column(w: Writer, e: rb.ColumnValue) -> str:
    return f"{w.source.table(w.facts.column(e.domain, e.column))}[{w.text(e.of)}]"


@writes(rb.Related)
def _related(w: Writer, e: rb.Related) -> str:
    return f"{w.source.table(w.facts.relations[e.relation])}[{w.text(e.of)}]"


@writes(rb.SpaceAt)
def _space_at(w: Writer, e: rb.SpaceAt) -> str:
    axes = w.facts.model.domains[e.domain].axes
    places = itertools.product(*(range(one.low, one.low + one.size) for one in axes))
    found = {place: index for index, place in enumerate(places)}
    at = "".join(f"{w.text(one)}, " for one in e.coordinates)
    if e.owner is None:
        return f"{w.source.table(found)}.get(({at}), -1)"
    rows = [
        {place: index + seat * len(found) for place, index in found.items()}
        for seat in range(w.facts.players)
    ]
    table = w.source.table((*rows, {}))
    return f"{table}[{w.text(e.owner)}].get(({at}), -1)"


@writes(rb.OwnSpaces)
def _own_spaces(w: Writer, e: rb.OwnSpaces) -> str:
    size = len(w.facts.model.domains[e.domain].members)
    rows = [
        tuple(range(seat * size, seat * size + size)) for seat in range(w.facts.players)
    ]
    return f"{w.source.table((*rows, ()))}[{w.text(e.player)}]"


@writes(rb.TallyValue)
def _tally(w: Writer, e: rb.TallyValue) -> str:
    text = f"{w.slot(e.slot)}[{tally_index(w, e.slot, e.indices)}]"
    tests = [f"{w.text(i)} >= 0" for i in e.indices if may_hold_none(i)]
    return f"({text} if {' and '.join(tests)} else 0)" if tests else text


def tally_index(w: Writer, slot: int, indices: tuple[rb.Expr, ...]) -> str:
    """Return the place of one number in a tally, which is one flat tuple."""
    sizes = [w.facts.sizes[domain] for domain in w.facts.tallies[slot]]
    text = "0"
    for size, index in zip(sizes, indices, strict=True):
        text = f"({text} * {size} + {w.text(index)})"
    return w.source.folded(text)


@writes(rb.CallDefine)
def _call(w: Writer, e: rb.CallDefine) -> str:
    texts = tuple(map(w.text, e.arguments))
    if all(map(NAME.fullmatch, texts)):
        inner = inlined(w, e.define, texts)
        if inner is not None:
            return inner
    arguments = "".join(f", {text}" for text in texts)
    return f"{w.facts.defines[e.define]}(s{arguments})"


@writes(rb.AwardHolder)
def _award(w: Writer, e: rb.AwardHolder) -> str:
    return f"s[{w.facts.layout.awards[e.award]}]"


@writes(rb.Points)
def _points(w: Writer, e: rb.Points) -> str:
    name = "visible_points" if e.visible else "points"
    return f"{name}(s, {w.text(e.player)})"


@writes(rb.ActivePlayer)
def _active(w: Writer, e: rb.ActivePlayer) -> str:
    del w, e
    return f"s[{ACTIVE}]"


@writes(rb.Round)
def _round(w: Writer, e: rb.Round) -> str:
    del w, e
    return f"s[{ROUND}]"


@writes(rb.Winner)
def _winner(w: Writer, e: rb.Winner) -> str:
    del w, e
    return f"s[{WINNER}]"


# ---------------------------------------------------------------- arithmetic and logic


def number(w: Writer, e: rb.Expr) -> str:
    """Return an operand of arithmetic; none counts as 0."""
    text = w.text(e)
    return text if isinstance(e.type, rb.Whole) else f"max({text}, 0)"


@writes(rb.Arith)
def _arith(w: Writer, e: rb.Arith) -> str:
    left, right = number(w, e.left), number(w, e.right)
    if e.op == "//up":
        return f"(-(-{left} // {right}))"
    return f"({left} {e.op} {right})"


@writes(rb.Half)
def _half(w: Writer, e: rb.Half) -> str:
    return f"({number(w, e.value)} // 2)"


@writes(rb.Extreme)
def _extreme(w: Writer, e: rb.Extreme) -> str:
    name = "min" if e.smaller else "max"
    return f"{name}({number(w, e.left)}, {number(w, e.right)})"


@writes(rb.Compare)
def _compare(w: Writer, e: rb.Compare) -> str:
    op = "==" if e.op == "=" else e.op
    return f"({w.text(e.left)} {op} {w.text(e.right)})"


def joined(w: Writer, parts: tuple[rb.Expr, ...], word: str) -> str:
    """Return `a and b`, `a or b`, without parts that decide nothing."""
    neutral, decided = ("True", "False") if word == "and" else ("False", "True")
    texts = [text for text in map(w.text, parts) if text != neutral]
    if decided in texts:
        return decided
    if len(texts) == 1:
        return texts[0]
    return f"({f' {word} '.join(texts)})" if texts else neutral


@writes(rb.And)
def _and(w: Writer, e: rb.And) -> str:
    return joined(w, e.parts, "and")


@writes(rb.Or)
def _or(w: Writer, e: rb.Or) -> str:
    return joined(w, e.parts, "or")


@writes(rb.Not)
def _not(w: Writer, e: rb.Not) -> str:
    return f"(not {w.text(e.value)})"


# ---------------------------------------------------------------- bags and stacks


def is_stack(e: rb.Expr) -> bool:
    """Whether the value is a stack."""
    return isinstance(e.type, rb.Stack)


def bag_text(w: Writer, e: rb.Expr) -> str:
    """Return the counts of a bag or stack as a tuple."""
    return f"contents({w.text(e)})" if is_stack(e) else w.text(e)


@writes(rb.CountIn)
def _count_in(w: Writer, e: rb.CountIn) -> str:
    if is_stack(e.holder):
        return f"stack_count({w.text(e.holder)}, {w.text(e.member)})"
    block = w.bag_block(e.holder)
    if block is None:
        return f"at({w.text(e.holder)}, {w.text(e.member)})"
    if block.field.endless:
        return str(ENDLESS)
    assert isinstance(e.holder, rb.FieldValue)
    return f"s[{w.cell(e.holder, e.member)}]"


@writes(rb.SizeOf)
def _size_of(w: Writer, e: rb.SizeOf) -> str:
    if is_stack(e.holder):
        return f"len({w.text(e.holder)}[0])"
    block = w.bag_block(e.holder)
    if block is not None and block.field.endless:
        return str(ENDLESS)
    if block is not None and isinstance(e.holder, rb.FieldValue):
        row = w.row(e.holder)
        end = w.source.folded(f"({row} + {block.size})")
        return f"sum(s[{row}:{end}])"
    word = "sum" if isinstance(e.holder.type, rb.Bag) else "len"
    return f"{word}({w.text(e.holder)})"


@writes(rb.Covers)
def _covers(w: Writer, e: rb.Covers) -> str:
    block = w.bag_block(e.holder)
    if block is not None and block.field.endless:
        return "True"
    bag = w.text(e.bag)
    if block is None or not isinstance(e.holder, rb.FieldValue):
        return f"covers({bag_text(w, e.holder)}, {bag})"
    held = e.holder
    if bag[0] == "(" and bag[1:2].isdigit() and bag.count("(") == 1:
        row, counts = w.row(held), [int(n) for n in bag[1:-1].split(",") if n.strip()]
        tests = [
            f"s[{w.source.folded(f'({row} + {member})')}] >= {count}"
            for member, count in enumerate(counts)
            if count
        ]
        return f"({' and '.join(tests)})" if tests else "True"
    if isinstance(e.bag, rb.SingleBag) and not may_be_none(e.bag.member):
        return f"(s[{w.cell(held, e.bag.member)}] >= {w.text(e.bag.count)})"
    return f"covers({w.text(held)}, {bag})"


@writes(rb.KindsIn)
def _kinds_in(w: Writer, e: rb.KindsIn) -> str:
    if is_stack(e.holder):
        return f"stack_kinds({w.text(e.holder)})"
    return f"tuple([i for i, c in enumerate({w.text(e.holder)}) if c])"


@writes(rb.SingleBag)
def _single_bag(w: Writer, e: rb.SingleBag) -> str:
    assert isinstance(e.type, rb.Bag)
    size = w.facts.sizes[e.type.domain]
    return f"single({size}, {w.text(e.member)}, {w.text(e.count)})"


@writes(rb.SumBags)
def _sum_bags(w: Writer, e: rb.SumBags) -> str:
    bags = ", ".join(bag_text(w, bag) for bag in e.bags)
    return f"tuple(map(sum, zip({bags})))"


@writes(rb.TopOf)
def _top_of(w: Writer, e: rb.TopOf) -> str:
    return f"top({w.text(e.stack)})"


# ---------------------------------------------------------------- sets and binders


@writes(rb.AllOf)
def _all_of(w: Writer, e: rb.AllOf) -> str:
    return w.source.table(tuple(range(w.facts.sizes[e.domain])))


@writes(rb.Clockwise)
def _clockwise(w: Writer, e: rb.Clockwise) -> str:
    seats = range(w.facts.players)
    rows = [(*seats[start:], *seats[:start]) for start in seats]
    rows.append(tuple(seats))
    if e.after:
        rows = [tuple(seat for seat in row if seat != row[0]) for row in rows[:-1]]
        rows.append(tuple(seats))
    if e.reverse:
        rows = [row[::-1] for row in rows]
    if e.turning and w.facts.turns_back:
        ways = (tuple(rows), tuple(row[::-1] for row in rows))
        return f"{w.source.table(ways)}[s[{BACKWARDS}]][{w.text(e.start)}]"
    return f"{w.source.table(tuple(rows))}[{w.text(e.start)}]"


@writes(rb.Numbers)
def _numbers(w: Writer, e: rb.Numbers) -> str:
    return f"tuple(range({w.text(e.low)}, {w.text(e.high)} + 1))"


@writes(rb.Contains)
def _contains(w: Writer, e: rb.Contains) -> str:
    member = w.text(e.member)
    match e.set:
        case rb.Numbers(low=low, high=high):
            return f"({w.text(low)} <= {member} <= {w.text(high)})"
        case rb.KindsIn(holder=rb.FieldValue(type=rb.Bag()) as holder):
            block = w.facts.block(holder)
            return (
                f"({member} >= 0)"
                if block.field.endless
                else f"(s[{w.cell(holder, e.member)}] > 0)"
            )
        case rb.AllOf():
            return f"({member} >= 0)"
        case _:
            return f"({member} in {w.text(e.set)})"


@writes(rb.Exists)
def _exists(w: Writer, e: rb.Exists) -> str:
    match e:
        case rb.Exists(
            set=rb.Related() as spaces,
            where=rb.PieceOn(space=rb.Local(e.slot), owner=rb.Local() as owner) as on,
        ) if not (
            on.another or owner.slot == e.slot or w.facts.layout.pieces[on.piece].owners
        ):
            somebody = "-1 != " if may_hold_none(owner) else ""
            return f"({somebody}{w.text(owner)} in {w.related_cells(on.piece, spaces)})"
    with w.binding(e.slot) as name:
        members = w.members(e)
        if e.where is None:
            return f"(len({members}) > 0)"
        test = w.text(e.where)
    if isinstance(e.set, rb.Related) and not w.lazy:
        return f"(True in [{test} for {name} in {members}])"
    return f"any({test} for {name} in {members})"


@writes(rb.Find)
def _find(w: Writer, e: rb.Find) -> str:
    with w.binding(e.slot) as name:
        return f"next(({name} {w.loop(e)}), -1)"


@writes(rb.Filter)
def _filter(w: Writer, e: rb.Filter) -> str:
    with w.binding(e.slot) as name:
        return f"tuple([{name} {w.loop(e)}])"


@writes(rb.Count)
def _count(w: Writer, e: rb.Count) -> str:
    with w.binding(e.slot) as name:
        members = w.members(e)
        if e.where is None:
            return f"len({members})"
        return f"sum([{w.text(e.where)} for {name} in {members}])"


@writes(rb.Sum)
def _sum(w: Writer, e: rb.Sum) -> str:
    with w.binding(e.slot):
        return f"sum([{number(w, e.value)} {w.loop(e)}])"


@writes(rb.BagOver)
def _bag_over(w: Writer, e: rb.BagOver) -> str:
    assert isinstance(e.type, rb.Bag)
    size = w.facts.sizes[e.type.domain]
    with w.binding(e.slot) as name:
        return f"bag_of({size}, (({name}, {number(w, e.value)}) {w.loop(e)}))"
