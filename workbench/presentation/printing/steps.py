"""Statements as lines of text, with nested statements below them."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeGuard

import attrs

from rulebook import model as m
from rulebook.tooling import find, limit_of
from workbench.presentation.printing.pages import TextLine
from workbench.presentation.printing.sentences.expressions import Teller
from workbench.presentation.printing.sentences.forms import form
from workbench.presentation.printing.sentences.text_runs import Text, plain

UNPAID = "free"
"""Name of the value that is true if an action is free of charge."""


def lines(teller: Teller, body: Sequence[m.Stmt]) -> tuple[TextLine, ...]:
    """Return statements as lines."""
    return tuple(_lines(teller, body))


def _lines(teller: Teller, body: Sequence[m.Stmt]) -> Iterator[TextLine]:
    for number, node in enumerate(body):
        after = body[number + 1] if number + 1 < len(body) else None
        if is_price(node) or is_counted(node) or _begins_often(node, after):
            continue
        yield from _statement(teller, node)


def is_price(node: m.Stmt) -> TypeGuard[m.If]:
    """Return whether a statement takes an action's price, printed separately."""
    match node:
        case m.If(condition=m.Not(value=m.Local(slot=m.FREE) as local)):
            return local.name == UNPAID
    return False


def is_counted(node: m.Stmt) -> bool:
    """Return whether a statement only counts for a limit, printed separately."""
    if not isinstance(node, m.SetField):
        return False
    return limit_of(node.field.removeprefix("player.")) is not None


def _begins_often(node: m.Stmt, after: m.Stmt | None) -> bool:
    """Return whether a statement only prepares a loop that a player may end."""
    return isinstance(node, m.SetLocal) and _often(after) == node.slot


def _often(node: m.Stmt | None) -> int | None:
    """Return the slot that ends a loop once a player decides so, or None."""
    match node:
        case m.Repeat(until=m.Not(value=m.Local(slot=slot)), body=(m.Ask(),)):
            return slot
    return None


def _statement(teller: Teller, node: m.Stmt) -> Iterator[TextLine]:
    match node:
        case m.If():
            yield from _if(teller, node, "If")
        case m.Repeat() if _often(node) is not None:
            ask = node.body[0]
            assert isinstance(ask, m.Ask)
            head = teller.sentence("Repeat.often", times=teller.operand(node.times))
            yield headed(head, lines(teller, (attrs.evolve(ask, otherwise=()),)))
        case m.Ask():
            yield from _ask(teller, node)
        case m.Choose(optional=True):
            yield headed(_statement_text(teller, node), lines(teller, node.body))
            yield from _otherwise(teller, node.otherwise)
        case m.Each():
            yield headed(_each(teller, node), lines(teller, node.body))
        case m.Step() | m.Together() | m.Repeat():
            yield headed(_statement_text(teller, node), lines(teller, node.body))
        case _:
            yield TextLine(_statement_text(teller, node))


def headed(head: Any, below: tuple[TextLine, ...]) -> TextLine:
    """Return a line above nested ones; a single simple line is joined to it."""
    if len(below) == 1 and not below[0].below:
        return TextLine((*head, *plain(" "), *below[0].text))
    return TextLine(head, below=below)


def _statement_text(teller: Teller, node: m.Stmt) -> Any:
    return teller.finished(teller.templated(node, form(node)))


def _if(teller: Teller, node: m.If, key: str) -> Iterator[TextLine]:
    head = teller.sentence(key, condition=teller.say(node.condition))
    body = lines(teller, node.body)
    apart = bool(node.otherwise) and any(find(node.body, m.If))
    yield TextLine(head, below=body) if apart else headed(head, body)
    match node.otherwise:
        case (m.If() as other,):
            yield from _if(teller, other, "If.otherwise_if")
        case others:
            yield from _otherwise(teller, others)


def _otherwise(teller: Teller, body: Sequence[m.Stmt]) -> Iterator[TextLine]:
    if body:
        yield headed(teller.sentence("If.otherwise"), lines(teller, body))


def _each(teller: Teller, node: m.Each) -> Any:
    where = () if node.where is None else teller.say(node.where)
    when = "_still" if node.still else "_where" if where else ""
    if isinstance(node.set, m.Clockwise | m.Sorted | m.Best):
        set = (*teller.value(node.set), *_called(teller, node))
        return teller.sentence(f"Each.ordered{when}", set=set, where=where)
    if not node.still:
        return _statement_text(teller, node)
    parts = {**teller.bound(attrs.evolve(node, where=None)), "where": where}
    return teller.sentence("Each.still", **parts)


def _called(teller: Teller, node: m.Each) -> Text:
    """Return the name that a loop gives the members of an ordered set."""
    own = getattr(node.set.type, "domain", None)
    if node.name in (own, getattr(node.set, "name", None)):
        return ()
    return teller.names.sentence("Each:name", {"name": teller.named(node.name)})


def _ask(teller: Teller, node: m.Ask) -> Iterator[TextLine]:
    """Yield the choice; if there are several actions, one line for each."""
    said = _statement_text(teller, node)
    single = len(node.offers) == 1 and node.until is None
    yield TextLine(said, below=() if single else tuple(_offers(teller, node.offers)))
    if node.body:
        yield headed(teller.sentence("Ask.then"), lines(teller, node.body))
    yield from _otherwise(teller, node.otherwise)


def _offers(teller: Teller, offers: Iterable[m.Offer]) -> Iterator[TextLine]:
    for offer in offers:
        yield TextLine(teller.finished(teller.part("", "", offer)))
