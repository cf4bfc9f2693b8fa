"""What a `require` of a test says when it does not hold: the values that decide it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs

import rulebook as rb
from interpreter.tables.reads import walk

BINDERS = (
    rb.Exists,
    rb.Find,
    rb.Filter,
    rb.Count,
    rb.Sum,
    rb.BagOver,
    rb.LongestTrail,
    rb.Per,
    rb.Reach,
    rb.Best,
    rb.Sorted,
    rb.Highest,
)
Told = tuple[rb.Expr, ...]
Shared = frozenset[str]


class RequireFailed(Exception):
    """A `require` does not hold; `told` are the parts that decide it."""

    def __init__(self, node: rb.Require, told: Told, values: tuple[Any, ...]) -> None:
        super().__init__("a requirement of a test does not hold")
        self.node = node
        self.told = told
        self.values = values


def failed(here: tuple[rb.Require, Told], values: tuple[Any, ...]) -> None:
    """Report that a `require` does not hold; the compiled tests call it."""
    node, told = here
    raise RequireFailed(node, told, values)


def told_by(condition: rb.Expr, shared: Shared) -> Told:
    """Return the expressions whose values show why a condition does not hold.

    `shared` are the pieces of which several may stand on a space.
    """
    found: dict[str, rb.Expr] = {}
    for part in (*free_locals(condition), *decisive(condition, shared)):
        if not isinstance(part, rb.Const | rb.AllOf):
            found.setdefault(repr(part), part)
    return tuple(found.values())


def free_locals(condition: rb.Expr) -> Iterator[rb.Local]:
    """Yield the local variables that are bound outside the condition."""
    nodes = list(walk(condition))
    bound = {node.slot for node in nodes if isinstance(node, BINDERS)}
    for node in nodes:
        if isinstance(node, rb.Local) and node.slot not in bound:
            yield node


def decisive(e: rb.Expr, shared: Shared) -> Iterator[rb.Expr]:
    """Yield what is compared or looked up in a condition, as a whole and in parts."""
    match e:
        case rb.And(parts=parts) | rb.Or(parts=parts):
            for part in parts:
                yield from decisive(part, shared)
        case rb.Not(value=value):
            yield from decisive(value, shared)
        case rb.Compare(left=left, right=right):
            yield from operands(left, shared)
            yield from operands(right, shared)
        case rb.Contains(set=members, member=member):
            yield from operands(member, shared)
            yield members
        case rb.Covers(holder=holder):
            yield holder
        case rb.PieceOn(piece=piece, space=space) if piece in shared:
            count = rb.Whole(0, rb.HOLDER_MAX)
            yield rb.PieceCount(
                piece, e.owner, space, e.another, type=count, span=e.span
            )
        case rb.PieceOn(piece=piece, owner=owner, space=space) if owner is not None:
            player = rb.Member("player", optional=True)
            yield rb.PieceOwner(piece, space, type=player, span=space.span)
        case rb.Exists(where=None):
            yield e.set
        case rb.Exists(where=where) if where is not None:
            yield rb.Filter(e.slot, e.name, e.set, where, type=e.set.type, span=e.span)
        case _:
            yield e


def operands(e: rb.Expr, shared: Shared) -> Iterator[rb.Expr]:
    """Yield a value that is compared, and what it is calculated from."""
    if isinstance(e, rb.Compare | rb.And | rb.Or | rb.Not):
        yield from decisive(e, shared)
        return
    yield e
    match e:
        case rb.Arith(left=left, right=right) | rb.Extreme(left=left, right=right):
            yield from operands(left, shared)
            yield from operands(right, shared)
        case _:
            pass


@attrs.frozen
class Words:
    """Puts values and requirements into words, given the book and names of members."""

    book: rb.Rulebook
    values: Any

    def sentence(self, failure: RequireFailed) -> str:
        """Return what does not hold, and a line for each value that decides it."""
        node = failure.node
        lines = [f"it is not so that {self.written(node.condition)}"]
        for part, value in zip(failure.told, failure.values, strict=True):
            lines.append(f"  {self.name(part)} = {self.value(part.type, value)}")
        return "\n".join(lines)

    def written(self, e: rb.Expr) -> str:
        """Return how an expression is written in the rules."""
        return self.book.text_at(e.span) or type(e).__name__

    def name(self, part: rb.Expr) -> str:
        """Return what a value is called."""
        match part:
            case rb.Local(name=name):
                return name
            case rb.PieceOwner(piece=piece):
                return f"owner of the {piece} on {self.written(part)}"
            case rb.PieceCount(piece=piece, owner=owner, another=another):
                whose = "" if owner is None else f"{self.written(owner)}'s "
                whose = "others' " if another else whose.replace("you's", "your")
                plural = self.book.model.pieces[piece].plural
                return f"number of {whose}{plural} in: {self.written(part)}"
            case rb.Filter(name=name):
                return f"each such {name}"
            case _:
                return self.written(part)

    def value(self, kind: rb.Type, value: Any) -> str:
        """Return a value in words."""
        match kind:
            case rb.Stack(domain=domain):
                entries, pool = value
                counts = list(pool)
                for card, _ in entries:
                    if card >= 0:
                        counts[card] += 1
                return self.counts(domain, counts)
            case rb.Bag(domain=domain):
                return self.counts(domain, value)
            case rb.Truth():
                return "yes" if value else "no"
            case rb.SetOf():
                return ", ".join(map(str, self.values.to_plain(kind, value))) or "none"
            case _:
                plain = self.values.to_plain(kind, value)
                return "none" if plain is None else str(plain)

    def counts(self, domain: str, counts: Any) -> str:
        """Return cards in words."""
        pairs = zip(self.values.names[domain], counts, strict=True)
        return ", ".join([f"{n} {name}" for name, n in pairs if n]) or "nothing"
