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
from interpreter.searches.budget import Budget
from interpreter.searches.tree import Tried, Way, log_2
from interpreter.state.state import State
from interpreter.state.wait_points import PASS, Decision
from interpreter.tables.chance import Stream
from interpreter.tables.layout import ENDED, RANKS, STATUS, TURN
from interpreter.tables.ranks import first_of

PATH = 128
"""How deep the tree is at most."""

TOLD_OF = 64
"""So many of the events that follow an action tell nodes apart."""

HALF, NEARLY = 0.5, 0.4
"""What nobody's win is worth; how much an estimate may differ from that, below."""

Told = tuple[Any, ...]


ESTIMATED = Way(turns=2, least=8, beyond=200)
PLAYED_OUT = Way(turns=0, least=0, beyond=5_000)
"""Where hints say what a position is worth, and where the end must tell."""


def way_of(plan: Plan) -> Way:
    """Return how the rules of a plan are searched."""
    return ESTIMATED if plan.model.values.lines else PLAYED_OUT


@attrs.define
class Node:
    """What a seat knows when it acts: the actions that it has tried, newest last."""

    visits: int = 0
    tried: dict[int, Tried] = attrs.field(factory=dict)


class Search:
    """One search, for the seat that acts in a state; its numbers begin with a key."""

    def __init__(self, g: State, budget: Budget, key: int) -> None:
        self.game, self.plan, self.way = g, g.plan, way_of(g.plan)
        self.budget, self.room = budget, budget.room
        self.seat = acting(g)
        self.numbers = Stream(key, "search")
        self.nodes: dict[tuple[int, Told], Node] = {}
        self.margins: list[int] = []
        self.sizes = self.leaves = 0.0
        self.done = self.decisions = self.tried = 0
        self.legal = legal_in(g)

    def spent(self) -> tuple[int, int]:
        """Return how many playouts there were, and decisions in them."""
        return self.done, self.decisions

    def goes_on(self, more: int) -> bool:
        """Do so many playouts more, as far as more are asked for."""
        for _ in range(more):
            if not self.budget.lasts(self.done, self.decisions):
                break
            self.playout(draw_sample(self.game, self.seat, self.numbers.word()))
            self.done += 1
        return True

    def root(self) -> list[Tried]:
        """Return what was tried at the root, the newest first."""
        return list(reversed(self.nodes[self.seat, ()].tried.values()))

    def playout(self, g: State) -> None:
        """Go through a game as far as the tree goes, and on at random; note the end."""
        if not self.margins:
            self.margins = ahead_by(g)
        told: list[Told] = [()] * self.plan.players
        path: list[tuple[Tried, int]] = []
        end = g.s[TURN] + self.way.turns if self.way.turns else None
        enough = self.decisions + self.way.least
        is_new, legal = False, self.legal
        while not (is_new or self.stops(g, legal, end, enough)) and len(path) < PATH:
            index, seat = legal[0], acting(g)
            if len(legal) > 1:
                node = self.node((seat, told[seat]))
                if node is None:
                    break
                tried, is_new = self.selected(node, legal)
                if tried is None:
                    break
                node.visits += 1
                path.append((tried, seat))
                index = tried.index
            self.decisions += 1
            self.does(g, index, told)
            legal = legal_in(g)
        for _ in range(self.way.beyond):
            if self.stops(g, legal, end, enough):
                break
            self.decisions += 1
            decide(g, self.by_name(legal))
            legal = legal_in(g)
        rewards = self.rewards(g)
        for tried, seat in path:
            tried.visits += 1
            tried.total += rewards[seat]

    def stops(
        self, g: State, legal: Sequence[int], end: int | None, enough: int
    ) -> bool:
        """Whether a playout ends here.

        So where nothing is legal, and when so many decisions are made and a turn has
        come, if it is to end with one.
        """
        if g.over or not legal:
            return True
        return end is not None and g.s[TURN] >= end and self.decisions >= enough

    def node(self, key: tuple[int, Told]) -> Node | None:
        """Return the node of what a seat has been told, None: there is no room."""
        node = self.nodes.get(key)
        if node is None and len(self.nodes) < self.room:
            node = self.nodes[key] = Node()
        return node

    def selected(self, node: Node, legal: Sequence[int]) -> tuple[Tried | None, bool]:
        """Return the action to do at a node, and whether it is done there at first.

        None: none has been done there, and there is no room. The more often a node is
        come to, the more of what can be done there is tried.
        """
        among, best, most = set(legal), None, -1.0
        here = [x for x in reversed(node.tried.values()) if x.index in among]
        for tried in here:
            tried.legal += 1
            unknown = sqrt(log_2(tried.legal) / tried.visits)
            worth = tried.total / tried.visits + self.way.curious * unknown
            if worth > most:
                best, most = tried, worth
        wide = self.way.wide * sqrt(node.visits)
        if len(here) == len(legal) or self.tried >= self.room or len(here) > wide:
            return best, False
        index = self.by_name([index for index in legal if index not in node.tried])
        self.tried += 1
        node.tried[index] = Tried(index, legal=1)
        return node.tried[index], True

    def does(self, g: State, index: int, told: list[Told]) -> None:
        """Do an action, and note what each seat is told of it."""
        who, hidden = acting(g), g.split is not None or self.is_hidden(index)
        decide(g, index)
        events = g.events[:TOLD_OF]
        for seat in range(self.plan.players):
            seen = [(name, x) for name, x, told_to in events if told_to >> seat & 1]
            fell = [(name, repr(outcome)) for name, outcome in seen]
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


def ahead_by(g: State) -> list[int]:
    """Return how much more each seat has than the best of the others."""
    plan, seats = g.plan, range(g.plan.players)
    has = [plan.points(g.s, seat) + plan.worth(g.s, seat) for seat in seats]
    best = [max([has[x] for x in seats if x != seat], default=0) for seat in seats]
    return [has[seat] - best[seat] for seat in seats]


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
