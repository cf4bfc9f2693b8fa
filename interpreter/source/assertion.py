"""What a `require` of a test says when it does not hold: the values that decide it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs

import rulebook as rb
from interpreter.tables.reads import walk
from rulebook import model as m

BINDERS = (m.Binder, m.LongestTrail, m.Per, m.Reach)
Told = tuple[m.Expr, ...]
Shared = frozenset[str]


class RequireFailed(Exception):
    """A `require` does not hold; `told` are the parts that decide it."""

    def __init__(self, node: m.Require, told: Told, values: tuple[Any, ...]) -> None:
        super().__init__("a requirement of a test does not hold")
        self.node = node
        self.told = told
        self.values = values


def failed(here: tuple[m.Require, Told], values: tuple[Any, ...]) -> None:
    """Report that a `require` does not hold; the compiled tests call it."""
    node, told = here
    raise RequireFailed(node, told, values)


def told_by(condition: m.Expr, shared: Shared) -> Told:
    """Return the expressions whose values show why a condition does not hold.

    `shared` are the pieces of which several may stand on a space.
    """
    found: dict[str, m.Expr] = {}
    for part in (*free_locals(condition), *decisive(condition, shared)):
        if not isinstance(part, m.Const | m.AllOf):
            found.setdefault(repr(part), part)
    return tuple(found.values())


def free_locals(condition: m.Expr) -> Iterator[m.Local]:
    """Yield the local variables that are bound outside the condition."""
    nodes = list(walk(condition))
    bound = {node.slot for node in nodes if isinstance(node, BINDERS)}
    for node in nodes:
        if isinstance(node, m.Local) and node.slot not in bound:
            yield node


def decisive(e: m.Expr, shared: Shared) -> Iterator[m.Expr]:
    """Yield what is compared or looked up in a condition, as a whole and in parts."""
    match e:
        case m.And(parts=parts) | m.Or(parts=parts):
            for part in parts:
                yield from decisive(part, shared)
        case m.Not(value=value):
            yield from decisive(value, shared)
        case m.Compare(left=left, right=right):
            yield from operands(left, shared)
            yield from operands(right, shared)
        case m.Contains(set=members, member=member):
            yield from operands(member, shared)
            yield members
        case m.Covers(holder=holder):
            yield holder
        case m.PieceOn(piece=piece, space=space) if piece in shared:
            count = m.Whole(0, rb.HOLDER_MAX)
            yield m.PieceCount(
                piece, e.owner, space, e.another, type=count, span=e.span
            )
        case m.PieceOn(piece=piece, owner=owner, space=space) if owner is not None:
            player = m.Member("player", optional=True)
            yield m.PieceOwner(piece, space, type=player, span=space.span)
        case m.Exists(where=None):
            yield e.set
        case m.Exists(where=where) if where is not None:
            yield m.Filter(e.slot, e.name, e.set, where, type=e.set.type, span=e.span)
        case _:
            yield e


def operands(e: m.Expr, shared: Shared) -> Iterator[m.Expr]:
    """Yield a value that is compared, and what it is calculated from."""
    if isinstance(e, m.Compare | m.And | m.Or | m.Not):
        yield from decisive(e, shared)
        return
    yield e
    match e:
        case m.Arith(left=left, right=right) | m.Extreme(left=left, right=right):
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

    def written(self, e: m.Expr) -> str:
        """Return how an expression is written in the rules."""
        return self.book.text_at(e.span) or type(e).__name__

    def name(self, part: m.Expr) -> str:
        """Return what a value is called."""
        match part:
            case m.Local(name=name):
                return name
            case m.PieceOwner(piece=piece):
                return f"owner of the {piece} on {self.written(part)}"
            case m.PieceCount(piece=piece, owner=owner, another=another):
                whose = "" if owner is None else f"{self.written(owner)}'s "
                whose = "others' " if another else whose.replace("you's", "your")
                plural = self.book.model.pieces[piece].plural
                return f"number of {whose}{plural} in: {self.written(part)}"
            case m.Filter(name=name):
                return f"each such {name}"
            case _:
                return self.written(part)

    def value(self, kind: m.Type, value: Any) -> str:
        """Return a value in words."""
        match kind:
            case m.Stack(domain=domain):
                entries, pool = value
                counts = list(pool)
                for card, _ in entries:
                    if card >= 0:
                        counts[card] += 1
                return self.counts(domain, counts)
            case m.Bag(domain=domain):
                return self.counts(domain, value)
            case m.Truth():
                return "yes" if value else "no"
            case m.SetOf():
                return ", ".join(map(str, self.values.to_plain(kind, value))) or "none"
            case _:
                plain = self.values.to_plain(kind, value)
                return "none" if plain is None else str(plain)

    def counts(self, domain: str, counts: Any) -> str:
        """Return cards in words."""
        pairs = zip(self.values.names[domain], counts, strict=True)
        return ", ".join([f"{n} {name}" for name, n in pairs if n]) or "nothing"
