"""Statements as lines of text, with nested statements below them."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeGuard

import attrs

from rulebook import model as m
from rulebook.tooling import find, limit_of
from workbench.presentation.printing.pages import TextLine
from workbench.presentation.printing.sentences.expressions import SentenceWriter
from workbench.presentation.printing.sentences.template_keys import template_key
from workbench.presentation.printing.sentences.text_runs import Text, plain_text

FREE_VALUE = "free"
"""Name of the value that is true if an action is free of charge."""


def statement_lines(
    teller: SentenceWriter, body: Sequence[m.Stmt]
) -> tuple[TextLine, ...]:
    """Return statements as lines."""
    return tuple(_statement_lines(teller, body))


def _statement_lines(
    teller: SentenceWriter, body: Sequence[m.Stmt]
) -> Iterator[TextLine]:
    for number, node in enumerate(body):
        after = body[number + 1] if number + 1 < len(body) else None
        if is_price(node) or is_counted(node) or _prepares_loop(node, after):
            continue
        yield from _lines_of_statement(teller, node)


def is_price(node: m.Stmt) -> TypeGuard[m.IfElse]:
    """Return whether a statement takes an action's price, printed separately."""
    match node:
        case m.IfElse(condition=m.Not(value=m.Local(slot=m.FREE) as local)):
            return local.name == FREE_VALUE
    return False


def is_counted(node: m.Stmt) -> bool:
    """Return whether a statement only counts for a limit, printed separately."""
    if not isinstance(node, m.SetField):
        return False
    return limit_of(node.field.removeprefix("player.")) is not None


def _prepares_loop(node: m.Stmt, after: m.Stmt | None) -> bool:
    """Return whether a statement only prepares a loop that a player may end."""
    return isinstance(node, m.SetLocal) and _loop_slot(after) == node.slot


def _loop_slot(node: m.Stmt | None) -> int | None:
    """Return the slot that ends a loop once a player decides so, or None."""
    match node:
        case m.Repeat(until=m.Not(value=m.Local(slot=slot)), body=(m.Ask(),)):
            return slot
    return None


def _lines_of_statement(teller: SentenceWriter, node: m.Stmt) -> Iterator[TextLine]:
    match node:
        case m.IfElse():
            yield from _if_lines(teller, node, "IfElse")
        case m.Repeat() if _loop_slot(node) is not None:
            ask = node.body[0]
            assert isinstance(ask, m.Ask)
            head = teller.sentence("Repeat.often", times=teller.operand(node.times))
            yield with_heading(
                head, statement_lines(teller, (attrs.evolve(ask, otherwise=()),))
            )
        case m.Ask():
            yield from _ask(teller, node)
        case m.Choose(optional=True):
            yield with_heading(
                _statement_text(teller, node), statement_lines(teller, node.body)
            )
            yield from _otherwise_lines(teller, node.otherwise)
        case m.EachMember():
            yield with_heading(
                _loop_head(teller, node), statement_lines(teller, node.body)
            )
        case m.LabelledBlock() | m.Together() | m.Repeat():
            yield with_heading(
                _statement_text(teller, node), statement_lines(teller, node.body)
            )
        case _:
            yield TextLine(_statement_text(teller, node))


def with_heading(head: Any, below: tuple[TextLine, ...]) -> TextLine:
    """Return a line above nested ones; a single simple line is joined to it."""
    if len(below) == 1 and not below[0].below:
        return TextLine((*head, *plain_text(" "), *below[0].text))
    return TextLine(head, below=below)


def _statement_text(teller: SentenceWriter, node: m.Stmt) -> Any:
    return teller.finish(teller.from_template(node, template_key(node)))


def _if_lines(teller: SentenceWriter, node: m.IfElse, key: str) -> Iterator[TextLine]:
    head = teller.sentence(key, condition=teller.express(node.condition))
    body = statement_lines(teller, node.body)
    apart = bool(node.otherwise) and any(find(node.body, m.IfElse))
    yield TextLine(head, below=body) if apart else with_heading(head, body)
    match node.otherwise:
        case (m.IfElse() as other,):
            yield from _if_lines(teller, other, "IfElse.otherwise_if")
        case others:
            yield from _otherwise_lines(teller, others)


def _otherwise_lines(
    teller: SentenceWriter, body: Sequence[m.Stmt]
) -> Iterator[TextLine]:
    if body:
        yield with_heading(
            teller.sentence("IfElse.otherwise"), statement_lines(teller, body)
        )


def _loop_head(teller: SentenceWriter, node: m.EachMember) -> Any:
    where = () if node.where is None else teller.express(node.where)
    when = "_still" if node.still else "_where" if where else ""
    if isinstance(node.set, m.Clockwise | m.SortedMembers | m.BestMembers):
        set = (*teller.value(node.set), *_called(teller, node))
        return teller.sentence(f"EachMember.ordered{when}", set=set, where=where)
    if not node.still:
        return _statement_text(teller, node)
    parts = {**teller.binder_values(attrs.evolve(node, where=None)), "where": where}
    return teller.sentence("EachMember.still", **parts)


def _called(teller: SentenceWriter, node: m.EachMember) -> Text:
    """Return the name that a loop gives the members of an ordered set."""
    own = getattr(node.set.type, "domain", None)
    if node.name in (own, getattr(node.set, "name", None)):
        return ()
    return teller.names.sentence("EachMember:name", {"name": teller.named(node.name)})


def _ask(teller: SentenceWriter, node: m.Ask) -> Iterator[TextLine]:
    """Yield the choice; if there are several actions, one line for each."""
    said = _statement_text(teller, node)
    single = len(node.offers) == 1 and node.until is None
    yield TextLine(
        said, below=() if single else tuple(_offer_lines(teller, node.offers))
    )
    if node.body:
        yield with_heading(
            teller.sentence("Ask.then"), statement_lines(teller, node.body)
        )
    yield from _otherwise_lines(teller, node.otherwise)


def _offer_lines(
    teller: SentenceWriter, offers: Iterable[m.Offer]
) -> Iterator[TextLine]:
    for offer in offers:
        yield TextLine(teller.finish(teller.part("", "", offer)))
