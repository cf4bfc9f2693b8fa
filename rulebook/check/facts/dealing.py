"""What set-up deals out: a holder that begins with enough of a card has it.

The cards that set-up can take from a holder are counted, loops by the most members that
they can have. Where that is no more than the holder begins with, no line of set-up has
to see that they are there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from math import prod

from rulebook import model as m
from rulebook.addresses import CARD, sort_of
from rulebook.check.declare.symbols import World
from rulebook.check.facts.stock import SETUP
from rulebook.check.typing.ranges import interval
from rulebook.model.limits import NUMBER_MAX
from rulebook.model.types import Bag, SetOf, Stack, Whole
from rulebook.queries.calls import Graph, action_code, callees_first, unit_calls
from rulebook.source.diagnostics import has_errors

Loops = tuple[tuple[int | None, int], ...]
"""The loops round a statement: the variable of each, and how often it runs at most."""

ANY_CARD = -1

Cards = dict[str, Counter[int]]
"""For each holder how many of each card are taken, and of cards that are not known."""


def enough_for_set_up(world: World) -> frozenset[str]:
    """Return the holders that begin with all that set-up can take from them.

    None where the rules have mistakes: code may then call itself.
    """
    assert world.model is not None
    wrong = has_errors(world.diagnostics)
    if wrong or SETUP not in world.model.procedures:
        return frozenset()
    graph = unit_calls(world.model, world.code.values())
    taken: dict[str, Cards] = {}
    for name in callees_first(_below(graph, SETUP)):
        unit = _Taken(world, taken)
        unit.block(_body(world.model, name), ())
        taken[name] = unit.cards
    return frozenset(
        key for key, cards in taken[SETUP].items() if _lasts(world, key, cards)
    )


def _below(graph: Graph, start: str) -> Graph:
    """Return the part of a graph that can be reached from a name."""
    below = {start: graph[start]}
    waiting = [start]
    while waiting:
        for name in graph[waiting.pop()]:
            if name not in below:
                below[name] = graph[name]
                waiting.append(name)
    return below


def _body(model: m.Model, name: str) -> tuple[m.Stmt, ...]:
    """Return the statements of a procedure or an action; other code takes nothing."""
    if name in model.procedures:
        return model.procedures[name].body
    actions = {action_code(key): action for key, action in model.actions.items()}
    return actions[name].body if name in actions else ()


def _lasts(world: World, key: str, cards: Counter[int]) -> bool:
    """Whether a holder begins with so many of each card."""
    field = world.fields[key]
    if not isinstance(field.type, Bag | Stack):
        return False
    more = cards[ANY_CARD]
    return all(
        cards[card] + more <= number
        for card, number in enumerate(_beginning(world, field, field.type.domain))
    )


def _beginning(world: World, field: m.Field, domain: str) -> Iterator[int]:
    """Yield the fewest of each card with which a holder can begin."""
    for card in range(world.size(domain)):
        if field.start_every:
            copies = world.domains[domain].copies
            yield _fewest(copies[card]) if copies else 1
        elif field.start_each is not None:
            yield _fewest(field.start_each)
        elif isinstance(field.start, m.Const):
            yield field.start.value[card]
        else:
            yield 0


def _fewest(value: m.Expr) -> int:
    return max(0, interval(value, ()).low) if isinstance(value.type, Whole) else 0


class _Taken:
    """The cards that set-up takes from each holder: how many of each, at most."""

    def __init__(self, world: World, called: Mapping[str, Cards]) -> None:
        self.world = world
        self.called = called
        self.cards: Cards = {}

    def block(self, body: tuple[m.Stmt, ...], loops: Loops) -> None:
        """Count what a block takes that runs in these loops."""
        for node in body:
            self.statement(node, loops)

    def statement(self, node: m.Stmt, loops: Loops) -> None:
        """Count what a statement takes."""
        match node:
            case m.Each() | m.Together():
                self.block(node.body, (*loops, (node.slot, self.members(node.set))))
            case m.Repeat(times=times):
                self.block(node.body, (*loops, (None, interval(times, ()).high)))
            case m.If(body=body, otherwise=otherwise):
                self.block((*body, *otherwise), loops)
            case m.Step(body=body):
                self.block(body, loops)
            case m.Choose(body=body, otherwise=otherwise):
                self.block((*body, *otherwise), loops)
            case m.Call(procedure=name):
                self.call(name, loops)
            case m.CarryOut():
                for name in self.called:
                    if sort_of(name) == CARD:
                        self.call(name, loops)
            case m.Ask():
                self.asked(node, loops)
            case m.MoveCards(source=m.FieldValue() as source):
                self.moved(node, source, loops)
            case m.MoveAll(source=m.FieldValue() as source):
                self.take(source, ANY_CARD, NUMBER_MAX, ())
            case m.DrawCard(source=m.FieldValue() as source):
                self.take(source, ANY_CARD, 1, loops)

    def call(self, name: str, loops: Loops, often: int = 1) -> None:
        """Count what other code takes each time it runs."""
        times = often * prod(size for _, size in loops)
        for key, cards in self.called.get(name, {}).items():
            here = self.cards.setdefault(key, Counter())
            for card, number in cards.items():
                here[card] += number * times

    def asked(self, node: m.Ask, loops: Loops) -> None:
        """Count what the offered actions take: each once, or any number of times."""
        for offer in node.offers:
            often = 1 if node.until is None else NUMBER_MAX
            self.call(action_code(offer.action), loops, often)
        self.block((*node.body, *node.otherwise), loops)

    def moved(self, node: m.MoveCards, source: m.FieldValue, loops: Loops) -> None:
        """Count cards that are named, or a bag that is known."""
        match node.bag:
            case m.SingleBag(member=m.Const(value=card), count=count):
                self.take(source, card, interval(count, ()).high, loops)
            case m.SingleBag(member=m.Local(slot=slot), count=count) if any(
                slot == looped for looped, _ in loops
            ):
                each = tuple(loop for loop in loops if loop[0] != slot)
                self.take(source, ANY_CARD, interval(count, ()).high, each)
            case m.SingleBag(count=count):
                self.take(source, ANY_CARD, interval(count, ()).high, loops)
            case m.Const(value=tuple() as cards):
                for card, number in enumerate(cards):
                    self.take(source, card, number, loops)
            case _:
                self.take(source, ANY_CARD, NUMBER_MAX, ())

    def take(self, source: m.FieldValue, card: int, number: int, loops: Loops) -> None:
        """Count a card so often as the loops run; each owner's holder by itself."""
        owner = source.owner.slot if isinstance(source.owner, m.Local) else None
        times = prod(size for slot, size in loops if slot is None or slot != owner)
        here = self.cards.setdefault(source.field, Counter())
        here[card] += max(0, number) * times

    def members(self, value: m.Expr) -> int:
        """Return how many members a set has at most."""
        domain = value.type.domain if isinstance(value.type, SetOf) else None
        return self.world.size(domain) if domain else NUMBER_MAX
