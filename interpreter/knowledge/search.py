"""Monte Carlo tree search over games that agree with what a seat knows.

What the C of `native/bots/search.h` does, step by step, for those who play without a
compiler: the same numbers choose the same. Each playout goes through a sample of its
own, and never through the game itself. What seats can tell apart is told apart in the
tree: a node is what the seat that acts there has been told since the root. Cowling,
Powley, Whitehouse, "Information Set Monte Carlo Tree Search", IEEE TCIAIG 4 (2), 2012.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Any

import attrs

from interpreter.knowledge.samples import draw_sample
from interpreter.plan.plan import Plan
from interpreter.state.state import State
from interpreter.state.wait_points import PASS, Decision
from interpreter.tables.chance import Stream
from interpreter.tables.layout import ENDED, RANKS, STATUS, TURN
from interpreter.tables.ranks import first_of

PATH = 128
"""How deep the tree is at most."""

FEW = 2
"""So many actions are tried at every node, however rarely it is come to."""

HALF, NEARLY = 0.5, 0.4
"""What nobody's win is worth; how much an estimate may differ from that, below."""

Told = tuple[Any, ...]


@attrs.frozen
class Budget:
    """How much a search may do, and how.

    `playouts` at most; one goes on for `turns` turns, or so many `decisions` after it
    has left the tree. Of actions that have not been done at a node one is tried as long
    as there are fewer than `wide` times the root of its visits, and else the best by
    what it came to and `curious` times how little is known of it.
    """

    playouts: int
    decisions: int
    turns: int = 0
    wide: float = 1e9
    curious: float = 0.7


@attrs.define
class Tried:
    """An action at a node: what it came to, how often it was done and could be."""

    index: int
    total: float = 0.0
    visits: int = 0
    legal: int = 0


@attrs.define
class Node:
    """What a seat knows when it acts: the actions that it has tried, newest last."""

    visits: int = 0
    tried: dict[int, Tried] = attrs.field(factory=dict)


class Search:
    """One search, for the seat that acts in a state; its numbers begin with a key."""

    def __init__(self, g: State, budget: Budget, key: int) -> None:
        self.game, self.plan, self.budget = g, g.plan, budget
        self.seat = acting(g)
        self.numbers = Stream(key, "search")
        self.nodes: dict[tuple[int, Told], Node] = {}
        self.margins: list[int] = []
        self.sizes = self.leaves = 0.0
        self.legal = legal_in(g)

    def index(self) -> int:
        """Search; return the index that was done most."""
        for _ in range(self.budget.playouts):
            self.playout(draw_sample(self.game, self.seat, self.numbers.word()))
        root = self.nodes[self.seat, ()]
        best = None
        for tried in reversed(root.tried.values()):
            if best is None or (tried.visits, tried.total) > (best.visits, best.total):
                best = tried
        assert best is not None
        return best.index

    def playout(self, g: State) -> None:
        """Go through a game as far as the tree goes, and on at random; note the end."""
        if not self.margins:
            self.margins = ahead_by(g)
        told: list[Told] = [()] * self.plan.players
        path: list[tuple[Tried, int]] = []
        end = g.s[TURN] + self.budget.turns if self.budget.turns else None
        fresh, legal = False, self.legal
        while not fresh and not stops(g, end) and len(path) < PATH:
            index, seat = legal[0], acting(g)
            if len(legal) > 1:
                node = self.nodes.setdefault((seat, told[seat]), Node())
                tried, fresh = self.selected(node, legal)
                node.visits += 1
                path.append((tried, seat))
                index = tried.index
            self.does(g, index, told)
            legal = legal_in(g)
        for _ in range(self.budget.decisions):
            if stops(g, end):
                break
            decide(g, self.by_name(legal_in(g)))
        rewards = self.rewards(g)
        for tried, seat in path:
            tried.visits += 1
            tried.total += rewards[seat]

    def selected(self, node: Node, legal: Sequence[int]) -> tuple[Tried, bool]:
        """Return the action to do at a node, and whether it is done there at first."""
        among, best, most = set(legal), None, -1.0
        here = [x for x in reversed(node.tried.values()) if x.index in among]
        for tried in here:
            tried.legal += 1
            unknown = sqrt(log_2(tried.legal) / tried.visits)
            worth = tried.total / tried.visits + self.budget.curious * unknown
            if worth > most:
                best, most = tried, worth
        more = len(legal) - len(here)
        few = len(here) < FEW or len(here) <= self.budget.wide * sqrt(node.visits)
        if best is not None and not (more and few):
            return best, False
        left = [index for index in legal if index not in node.tried]
        index = left[self.numbers.below(more)]
        node.tried[index] = Tried(index, legal=1)
        return node.tried[index], True

    def does(self, g: State, index: int, told: list[Told]) -> None:
        """Do an action, and note what each seat is told of it."""
        who, hidden = acting(g), g.split is not None or self.is_hidden(index)
        decide(g, index)
        for seat in range(self.plan.players):
            fell = [(name, repr(x)) for name, x, who_may in g.events if who_may >> seat & 1]
            known = index if seat == who or not hidden else None
            told[seat] = (*told[seat], known, *fell)

    def is_hidden(self, index: int) -> bool:
        """Whether others may not see which action it is."""
        return index != PASS and self.plan.actions.decoded(index)[0].told is not None

    def by_name(self, legal: Sequence[int]) -> int:
        """Return an action at random: first which, then with what."""
        names: dict[str, list[int]] = {}
        for index in legal:
            name = "" if index == PASS else self.plan.actions.decoded(index)[0].name
            names.setdefault(name, []).append(index)
        among = list(names.values())[self.numbers.below(len(names))]
        return among[self.numbers.below(len(among)) if len(among) > 1 else 0]

    def rewards(self, g: State) -> list[float]:
        """Return what a game came to for each seat, from 0 to 1."""
        seats = range(self.plan.players)
        if g.s[STATUS] == ENDED:
            first = first_of(g.s[RANKS])
            if len(first) in {0, len(seats)}:
                return [HALF for _ in seats]
            return [float(seat in first) for seat in seats]
        scale = self.sizes / self.leaves if self.leaves else 0.0
        rewards = []
        for was, now in zip(self.margins, ahead_by(g), strict=True):
            more = float(now - was)
            self.sizes += abs(more)
            self.leaves += 1
            rewards.append(HALF + NEARLY * more / (abs(more) + scale) if more else HALF)
        return rewards


def log_2(number: int) -> float:
    """Return a logarithm to base 2, between whole ones in a straight line."""
    whole = number.bit_length() - 1
    return whole + (number - (1 << whole)) / (1 << whole)


def ahead_by(g: State) -> list[int]:
    """Return how much more each seat has than the best of the others."""
    plan, seats = g.plan, range(g.plan.players)
    has = [plan.points(g.s, seat) + plan.worth(g.s, seat) for seat in seats]
    best = [max([has[x] for x in seats if x != seat], default=0) for seat in seats]
    return [has[seat] - best[seat] for seat in seats]


def stops(g: State, end: int | None) -> bool:
    """Whether a playout ends here."""
    return g.over or (end is not None and g.s[TURN] >= end)


def acting(g: State) -> int:
    """Return the seat that must decide."""
    assert isinstance(g.waiting, Decision)
    return g.waiting.seat(g)


def legal_in(g: State) -> list[int]:
    """Return what the seat may do that must decide, if any must."""
    if not isinstance(g.waiting, Decision):
        return []
    return g.waiting.legal(g, g.s, g.frames[-1])


def decide(g: State, index: int) -> None:
    """Do a legal action of the seat that must decide."""
    g.events = []
    assert isinstance(g.waiting, Decision)
    g.waiting.decide(g, index)
