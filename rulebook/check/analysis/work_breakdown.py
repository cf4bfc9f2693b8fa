"""Most expensive lines of an evaluation, to explain an error about its steps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import attrs

from rulebook import model as m
from rulebook.check.analysis.work_bounds import WorkBounds
from rulebook.check.declare.symbol_table import SymbolTable, number_text
from rulebook.check.facts.wording import rule_text
from rulebook.model.value_types import Stack
from rulebook.queries.calls import Code, action_code, calls_of, code_names
from rulebook.signatures import is_statement
from rulebook.source.spans import Span
from rulebook.traversal import children, find

LINES_MAX = 3
"""Maximum number of lines that an error points at."""

STEPS_MIN = 50
"""Minimum number of steps of a line inside a loop that an error points at."""

BLOCKS = (m.LabelledBlock, m.IfElse)
"""Classes of nodes whose parts are lines of their own."""

FEWER_MEMBERS = (
    "loop over fewer members, or compute before the loop what stays the same"
)


@attrs.frozen
class Listing:
    """Legal arguments of an action, the first *fixed* of which are given."""

    action: m.Action
    fixed: int

    @property
    def span(self) -> Span:
        """Span of the action."""
        return self.action.span


@attrs.frozen
class Need:
    """Condition that is tested for many arguments of an action or members of a rule."""

    condition: m.Expr
    tested_for: str = "all arguments of the action"

    @property
    def span(self) -> Span:
        """Span of the condition."""
        return self.condition.span


@attrs.frozen
class Share:
    """Part of an evaluation with an upper bound on its steps.

    `node` is a node of the model, `Code`, a `Listing` or a `Need`.
    """

    code: str
    node: Any
    steps: int


@attrs.frozen
class Breakdown:
    """Related spans with notes, and a help line, for an evaluation with many steps."""

    related: tuple[tuple[Span, str], ...]
    help: str


def break_down(
    world: SymbolTable, work: WorkBounds, shares: tuple[Share, ...]
) -> Breakdown:
    """Return the most expensive lines among the shares of an evaluation."""
    if not shares:
        return Breakdown((), FEWER_MEMBERS)
    largest = max(shares, key=lambda share: share.steps)
    lines = list(_expensive_lines(work, largest))
    related: dict[tuple[str, int], tuple[Span, str]] = {}
    for line in lines:
        span, steps = line.node.span, number_text(line.steps)
        each = " each time" if related else ""
        verb = "takes up to" if related else "may take"
        note = f"{_noun(line)} {verb} {steps} steps{each}"
        related.setdefault((span.file, span.line), (span, note))
    helps = (_help(world, work, line) for line in lines)
    return Breakdown(tuple(related.values()), next(filter(None, helps), FEWER_MEMBERS))


def _expensive_lines(work: WorkBounds, share: Share) -> Iterator[Share]:
    """Yield the line that contributes most, then the one inside it if it is a loop."""
    for _ in range(LINES_MAX):
        line = _heaviest(work, share)
        yield line
        share = max(_parts(work, line), key=lambda part: part.steps, default=line)
        if share.steps < STEPS_MIN or not _repeats(line):
            return


def _heaviest(work: WorkBounds, share: Share) -> Share:
    """Return the smallest part that takes most of the steps of a share."""
    while parts := _parts(work, share):
        largest = max(parts, key=lambda part: part.steps)
        block = isinstance(share.node, (Code, Listing, *BLOCKS))
        if not block and 2 * largest.steps < share.steps:
            break
        if isinstance(largest.node, m.Typed) and is_statement(share.node):
            inner = _heaviest(work, largest)
            return inner if _repeats(inner) or _is_elsewhere(inner, share) else share
        share = largest
    return share


def _is_elsewhere(inner: Share, enclosing: Share) -> bool:
    places = [(part.node.span.file, part.node.span.line) for part in (inner, enclosing)]
    return places[0] != places[1]


def _parts(work: WorkBounds, share: Share) -> list[Share]:
    """Return the parts of a share, including the code that it calls."""
    code, node = share.code, share.node
    match node:
        case Code(name=name):
            values = [_of_code(work, value) for value in work.stored_values(name)]
            return [*_of_nodes(work, code, node.parts), *values]
        case Listing(action=action, fixed=fixed):
            code = action_code(action.name)
            return [
                Share(code, Need(condition), steps)
                for condition, steps in work.listing_costs(action, fixed)
            ]
        case Need(condition=condition):
            return [Share(code, condition, work.steps(code, condition))]
    shares = _of_nodes(work, code, children(node))
    for name in code_names(work.model, calls_of(node)):
        if name in work.code and name not in work.stored:
            shares.append(_of_code(work, name))
    if isinstance(node, m.Ask):
        shares += [
            Share(code, Listing(action, len(offer.arguments)), steps)
            for offer in node.offers
            for action in (work.model.actions[offer.action],)
            for steps in (work.listing_steps(action, len(offer.arguments)),)
        ]
    return shares


def _of_code(work: WorkBounds, name: str) -> Share:
    return Share(name, work.code[name], work.total[name])


def _of_nodes(work: WorkBounds, code: str, nodes: Iterable[Any]) -> list[Share]:
    return [
        Share(code, node, work.steps(code, node))
        for node in nodes
        if isinstance(node, m.Part)
    ]


def _repeats(share: Share) -> bool:
    """Return whether a share runs its parts many times."""
    kinds = (m.Binder, m.Repeat, m.Combinations, m.Reach, m.Distance, m.LongestTrail)
    return isinstance(share.node, (*kinds, m.Spread, m.RollDice, Need))


def _noun(share: Share) -> str:
    """Return the subject of a note about a share."""
    match share.node:
        case m.EachMember() | m.Together() | m.Repeat():
            return "this loop"
        case m.Choose():
            return "this choice"
        case Need(tested_for=members):
            return f"this condition, for {members},"
        case m.Binder() | m.Combinations() | m.Reach() | m.Distance():
            return "this search"
        case node if is_statement(node):
            return "this line"
        case _:
            return "this expression"


def _help(world: SymbolTable, work: WorkBounds, share: Share) -> str | None:
    """Return the help line for an expensive line, or None if its parts matter more."""
    match share.node:
        case m.Repeat(times=times):
            most = work.numbers.range_of(share.code, times).high
            return f"repeat it fewer times: it may run {number_text(most)} times"
        case m.Combinations():
            return "bound the number of cards, or name the size of the combinations"
        case m.Reach() | m.Distance():
            return "search fewer spaces, or search once, before the loop or the line"
        case m.Spread():
            return "let each part of the condition depend on few spaces"
        case m.RollDice():
            return "roll fewer dice at a time"
        case m.Binder():
            return _loop_help(world, work, share)
        case m.MoveCards() | m.MoveAll():
            return _stack_help(work, share)
        case _:
            return None


def _loop_help(world: SymbolTable, work: WorkBounds, share: Share) -> str:
    """Return the help line for a loop over a set."""
    loop = share.node
    size = work.numbers.max_size(share.code, loop.set)
    if isinstance(loop.set, m.NumberSet):
        return f"use a smaller range: it may contain {number_text(size)} numbers"
    for part in find(loop, m.PieceOn):
        piece = world.pieces[part.piece]
        tested = m.is_variable(part.space) and part.space.slot == loop.slot
        if tested and piece.owner is not None and isinstance(loop.set, m.AllOf):
            domain = getattr(loop.set.type, "domain", None)
            spaces = f"{domain} in {piece.owner}'s {piece.plural}"
            return (
                f"loop over fewer things: `{spaces} where …` visits only the spaces "
                "with these pieces"
            )
    return (
        f"loop over fewer members, which may be {number_text(size)} here, or compute "
        "constant parts before the loop"
    )


def _stack_help(work: WorkBounds, share: Share) -> str | None:
    """Return the help line for a move of cards from or to a long stack."""
    for holder in (share.node.source, share.node.destination):
        kind = getattr(holder, "type", None)
        if isinstance(kind, Stack):
            cards = work.stack_cards(holder)
            text = rule_text(work.world, holder) or "the stack"
            why = (
                f", because `{kind.domain}` cards can enter the game"
                if kind.domain in work.numbers.capacity.growing
                else ""
            )
            return f"`{text}` may hold {cards:,} cards{why}; use a bag or fewer cards"
    return None


__all__ = ["Breakdown", "Listing", "Need", "Share", "break_down"]
