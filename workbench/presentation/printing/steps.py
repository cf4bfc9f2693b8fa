"""Statements as lines of text, with nested statements below them."""

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any

import attrs

from rulebook import model as m
from rulebook.tooling import (
    Effects,
    FieldPlace,
    VariablePlace,
    counted_limit,
    effects_of,
    effects_within,
)
from workbench.presentation.printing.pages import TextLine
from workbench.presentation.printing.sentences.forms import Writer
from workbench.presentation.printing.sentences.set_forms import loop_head
from workbench.presentation.printing.sentences.text_runs import Text, plain_text

FREE_VALUE = "free"
"""Name of the variable that is true if an action is free of charge."""


def statement_lines(writer: Writer, body: Sequence[m.Stmt]) -> tuple[TextLine, ...]:
    """Return statements as lines."""
    return tuple(_statement_lines(writer, body))


def _statement_lines(writer: Writer, body: Sequence[m.Stmt]) -> Iterator[TextLine]:
    for node, after in zip_longest(body, body[1:]):
        if not (
            is_price(node) or counts_toward_limit(node) or _prepares_loop(node, after)
        ):
            yield from _single_statement_lines(writer, node)


def is_price(node: m.Stmt) -> bool:
    """Return whether a statement collects an action's price, printed separately."""
    free = m.negated_condition(effects_of(node).condition)
    return m.is_variable(free, m.FREE) and free.name == FREE_VALUE


def counts_toward_limit(node: m.Stmt) -> bool:
    """Return whether a statement only counts toward a limit, printed separately."""
    places = (write.place for write in effects_of(node).writes)
    fields = (place.field for place in places if isinstance(place, FieldPlace))
    return any(
        counted_limit(field.removeprefix("player.")) is not None for field in fields
    )


def _prepares_loop(node: m.Stmt, following: m.Stmt | None) -> bool:
    """Return whether a statement only initializes a loop that a player may end."""
    slot = None if following is None else _loop_slot(effects_of(following))
    writes = effects_of(node).writes
    return slot is not None and any(w.place == VariablePlace(slot) for w in writes)


def _loop_slot(effects: Effects) -> int | None:
    """Return the slot that ends a loop when a player chooses to stop, or None."""
    for block in effects.blocks:
        ends = map(m.negated_condition, block.fails if block.loop else ())
        single = len(block.body) == 1 and effects_of(block.body[0]).offers
        if single and m.is_variable(ended := next(ends, None)):
            return ended.slot
    return None


def _single_statement_lines(writer: Writer, node: m.Stmt) -> Iterator[TextLine]:
    effects = effects_of(node)
    repeated = m.read_visits_until_one_is_left(node)
    if repeated is not None:
        visit, times = repeated
        head = loop_head(writer, visit, writer.operand(times))
        yield with_heading(head, statement_lines(writer, visit.body))
    elif _is_implied(writer, effects):
        yield from statement_lines(writer, effects.blocks[0].body)
    elif effects.condition is not None:
        yield from _if_lines(writer, node)
    elif _loop_slot(effects) is not None:
        (loop,) = effects.blocks
        offered: Any = loop.body[0]
        ask = attrs.evolve(offered, otherwise=())
        head = writer.sentence("often", times=writer.operand(loop.times))
        yield with_heading(head, statement_lines(writer, (ask,)))
    elif effects.offers:
        yield from _offer_lines(writer, node)
    else:
        blocks = () if writer.form(node).whole else effects.blocks
        first, *others = [block.body for block in blocks] or [()]
        yield with_heading(
            _statement_head(writer, node), statement_lines(writer, first)
        )
        for body in others:
            yield from _otherwise_lines(writer, body)


def _is_implied(writer: Writer, effects: Effects) -> bool:
    """Return whether an `if` only checks that a piece with the changed field exists."""
    if effects.condition is None or len(effects.blocks[0].body) != 1:
        return False
    places = [write.place for write in effects_of(effects.blocks[0].body[0]).writes]
    fields = writer.names.model.fields
    return any(isinstance(p, FieldPlace) and fields[p.field].piece for p in places)


def with_heading(head: Text, nested: tuple[TextLine, ...]) -> TextLine:
    """Return a heading above nested lines; join it to a single simple line."""
    if len(nested) == 1 and not nested[0].children:
        return TextLine((*head, *plain_text(" "), *nested[0].text))
    return TextLine(head, children=nested)


def _statement_head(writer: Writer, node: m.Stmt) -> Text:
    """Return the line for a statement, without the statements inside it."""
    own = writer.form(node).head
    return own(writer, node) if own else writer.finish(writer.from_template(node))


def _if_lines(writer: Writer, node: m.Stmt, case: str = "") -> Iterator[TextLine]:
    effects = effects_of(node)
    then, otherwise = effects.blocks
    key = writer.form(node).key(node) + case
    head = writer.finish(writer.from_template(node, key))
    body = statement_lines(writer, then.body)
    ifs = [inner for inner in effects_within(then.body) if inner.condition is not None]
    apart = bool(otherwise.body and ifs)
    yield TextLine(head, children=body) if apart else with_heading(head, body)
    match otherwise.body:
        case (other,) if effects_of(other).condition is not None:
            yield from _if_lines(writer, other, ".otherwise_if")
        case others:
            yield from _otherwise_lines(writer, others)


def _otherwise_lines(writer: Writer, body: Sequence[m.Stmt]) -> Iterator[TextLine]:
    if body:
        yield with_heading(writer.sentence("otherwise"), statement_lines(writer, body))


def _offer_lines(writer: Writer, node: m.Stmt) -> Iterator[TextLine]:
    """Yield the line for a choice and, if it has several actions, one line for each."""
    effects = effects_of(node)
    offers = effects.offers
    single = len(offers) == 1 and not effects.runs[0].repeats
    below = (TextLine(writer.finish(writer.part(offer))) for offer in offers)
    yield TextLine(
        _statement_head(writer, node), children=() if single else tuple(below)
    )
    then, otherwise = effects.blocks
    if then.body:
        yield with_heading(writer.sentence("then"), statement_lines(writer, then.body))
    yield from _otherwise_lines(writer, otherwise.body)
