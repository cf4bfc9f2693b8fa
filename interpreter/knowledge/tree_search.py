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

from interpreter.algorithms.budget import Budget
from interpreter.algorithms.tree import Tried, Way, log_2
from interpreter.core.chance import Stream
from interpreter.core.layout import ENDED, RANKS, STATUS, TURN
from interpreter.core.ranks import first_of
from interpreter.knowledge.samples import draw_sample
from interpreter.knowledge.turn_search import LAST, SAMPLES, Thinking, Value, has_in
from interpreter.plan.plan import Plan
from interpreter.state.state import State
from interpreter.state.wait_points import PASS, Decision

PATH = 128
"""How deep the tree is at most."""

TOLD_OF = 64
"""So many of the events that follow an action tell nodes apart."""

HALF, NEARLY = 0.5, 0.4
"""What nobody's win is worth; how much an estimate may differ from that, below."""

Told = tuple[Any, ...]


EACH = 4
"""So many actions of each name a playout looks at."""

PLAYED_OUT = Way(turns=0, least=0, beyond=5_000)
JUDGED = Way(
    turns=2, least=8, beyond=400, wide=1.0, curious=0.2, doubt=0.3, judged=True
)
"""Where the end must tell, and where hints say what a position is worth.

There a playout ends after so many turns of each seat.
"""


Chosen = tuple[Tried | None, bool]
"""What is done at a node, and whether it is for the first time."""


def way_of(plan: Plan) -> Way:
    """Return how the rules of a plan are searched."""
    if not plan.model.values.lines:
        return PLAYED_OUT
    return attrs.evolve(JUDGED, turns=JUDGED.turns * plan.players)


@attrs.define
class Node:
    """What a seat knows when it acts: the actions that it has tried, newest last."""

    visits: int = 0
    tried: dict[int, Tried] = attrs.field(factory=dict)


class TreeSearchRun:
    """One search, for the seat that acts in a state; its numbers begin with a key."""

    def __init__(self, g: State, budget: Budget, key: int) -> None:
        self.game, self.plan, self.way = g, g.plan, way_of(g.plan)
        self.budget, self.room = budget, budget.room
        self.seat = acting(g)
        self.key, self.numbers = key, Stream(key, "search")
        self.nodes: dict[tuple[int, Told], Node] = {}
        self.margins: list[int] = []
        self.sizes = self.leaves = 0.0
        self.done = self.decisions = self.tried = 0
        self.legal = legal_in(g)
        self.ranked: list[int] = []
        self.mind = self.numbers

    def spent(self) -> tuple[int, int]:
        """Return how many playouts there were, and decisions in them."""
        return self.done, self.decisions

    def goes_on(self, more: int) -> bool:
        """Do so many playouts more, as far as more are asked for.

        Where one action alone is worth trying one playout will do.
        """
        for _ in range(more):
            if not self.budget.lasts(self.done, self.decisions) or (
                self.done and len(self.ranked) == 1
            ):
                break
            first = None
            if self.way.judged:
                self.ranked = self.ranked or self.by_thought()
                first = self.selected(self.top(), self.legal)
                seed = self.paired(first)
            else:
                seed = self.numbers.word()
            self.playout(draw_sample(self.game, self.seat, seed), first)
            self.done += 1
        return True

    def top(self) -> Node:
        """Return the node of the root."""
        node = self.node((self.seat, ()))
        assert node is not None
        return node

    def by_thought(self) -> list[int]:
        """Return the actions of the root, those of which greedy thinks most first.

        Without those that it does only where there is nothing else.
        """
        seeds = [self.numbers.word() for _ in range(SAMPLES)]
        worlds: dict[int, State] = {}

        def world(number: int) -> State:
            if number not in worlds:
                worlds[number] = draw_sample(self.game, self.seat, seeds[number])
            return worlds[number]

        legal = self.legal
        values = Thinking(legal, world, seeds[0]).values()
        start = self.numbers.below(len(legal))
        places = [*range(start, len(legal)), *range(start)]
        places.sort(key=lambda place: -values[place])
        best, *others = places
        kept = [place for place in others if values[place] > LAST // 2]
        return [legal[place] for place in (best, *kept)]

    def paired(self, first: Chosen) -> int:
        """Return the seed of the game in which an action of the root is tried next.

        Each of them is tried in the same games, one after another, so that they differ
        by what was done and not by luck.
        """
        pairs = Stream(self.key, "pairs")
        assert first[0] is not None
        pairs.number = first[0].visits
        seed = pairs.word()
        self.mind = Stream(seed, "search")
        return seed

    def root(self) -> list[Tried]:
        """Return what was tried at the root, the newest first."""
        return list(reversed(self.nodes[self.seat, ()].tried.values()))

    def playout(self, g: State, first: Chosen | None) -> None:
        """Go through a game as far as the tree goes, and on; note the end.

        `first` is what was chosen at the root, if that has been.
        """
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
                if first is None:
                    first = self.selected(node, legal, g)
                (tried, is_new), first = first, None
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
            judged = self.way.judged
            decide(g, self.apt(g, legal) if judged else self.by_name(legal))
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

    def selected(
        self, node: Node, legal: Sequence[int], g: State | None = None
    ) -> Chosen:
        """Return the action to do at a node, and whether it is done there at first.

        None: none has been done there, and there is no room. The more often a node is
        come to, the more of what can be done there is tried. Where no game is given it
        is the root, with the actions that greedy ranks.
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
        every = self.ranked if g is None else legal
        if len(here) == len(every) or self.tried >= self.room or len(here) > wide:
            return best, False
        index = self.untried(node, every, g)
        self.tried += 1
        node.tried[index] = Tried(index, legal=1)
        return node.tried[index], True

    def untried(self, node: Node, legal: Sequence[int], g: State | None) -> int:
        """Return an action that has not been done at a node.

        At the root the best as greedy ranks them; where no other is known to be legal
        what is best at once; else one at random.
        """
        left = [index for index in legal if index not in node.tried]
        if g is None:
            return left[0]
        if self.way.judged and len(left) == len(legal):
            return self.apt(g, legal)
        return self.by_name(left)

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

    def names(self, legal: Sequence[int]) -> list[list[int]]:
        """Return actions by their names, in order."""
        names: dict[str, list[int]] = {}
        for index in legal:
            name = "" if index == PASS else self.plan.actions.decoded(index)[0].name
            names.setdefault(name, []).append(index)
        return list(names.values())

    def by_name(self, legal: Sequence[int]) -> int:
        """Return an action at random: first which, then with what."""
        names = self.names(legal)
        among = names[self.mind.below(len(names))]
        return among[self.mind.below(len(among)) if len(among) > 1 else 0]

    def apt(self, g: State, legal: Sequence[int]) -> int:
        """Return what is best at once of some of each name; of equals what ends a turn.

        Best is that after which whoever does it has most, of two furthest ahead.
        """
        if len(legal) == 1:
            return legal[0]
        seat, among, values = acting(g), [], []
        for named in self.names(legal):
            size = len(named)
            start = self.mind.below(size) if size > EACH else 0
            places = [x * size // min(size, EACH) for x in range(min(size, EACH))]
            among += [named[(start + place) % size] for place in places]
        for index in among:
            after = g.copy()
            decide(after, index)
            ends = after.over or after.s[TURN] != g.s[TURN]
            values.append((goes_by(after, seat), ends))
        most = max(values)
        best = [x for x, value in zip(among, values, strict=True) if value == most]
        return best[self.mind.below(len(best)) if len(best) > 1 else 0]

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


def goes_by(g: State, seat: int) -> Value:
    """Return what a seat goes by in a playout: what it has.

    Of two it is how much more than the other; of more that would cost too much.
    """
    has = has_in(g, seat)
    return has - has_in(g, 1 - seat) if g.plan.players == 2 else has


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
