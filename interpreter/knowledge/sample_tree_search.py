"""Monte Carlo tree search over games that agree with what a seat knows.

This is the Python version of `native/bots/search.h`, for systems without a compiler. It
makes the same choices with the same random numbers. Each playout uses a new sample,
never the real game. A node of the tree is everything that its acting seat has learnt
since the root. See Cowling, Powley, Whitehouse, "Information Set Monte Carlo Tree
Search", IEEE TCIAIG 4 (2), 2012.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Any

import attrs

from interpreter.algorithms.budget import Budget
from interpreter.algorithms.tree import SearchParameters, Tried, log_2
from interpreter.core.chance import Stream
from interpreter.core.layout import ENDED, RANKS, STATUS, TURN
from interpreter.core.ranks import winners_of
from interpreter.knowledge.samples import draw_sample
from interpreter.knowledge.turn_search import (
    LAST_RESORT,
    SAMPLES,
    TurnSearch,
    Value,
    position_value,
)
from interpreter.plan.plan import Plan
from interpreter.state.state import State
from interpreter.state.wait_points import PASS, Decision

MAX_DEPTH = 128
"""Maximum depth of the tree."""

MAX_EVENTS = 64
"""Maximum number of events after an action that distinguish nodes."""

HALF, NEARLY = 0.5, 0.4
"""Reward for a game without a winner, and maximum deviation of an estimate from it."""

Observed = tuple[Any, ...]

ACTIONS_PER_NAME = 4
"""Maximum number of actions with the same name that a playout compares."""

PLAYED_OUT = SearchParameters(turns=0, min_decisions=0, max_decisions=5_000)
"""Search parameters if only the result of a game counts."""

VALUED = SearchParameters(
    turns=2,
    min_decisions=8,
    max_decisions=400,
    width=1.0,
    exploration=0.2,
    required_margin=0.3,
    values_positions=True,
)
"""Search parameters if hints value positions; `turns` counts turns of each seat."""


Selection = tuple[Tried | None, bool]
"""Action selected at a node (None if the tree is full), and whether it is new there."""


def search_parameters(plan: Plan) -> SearchParameters:
    """Return the search parameters for the rules of a plan."""
    if not plan.model.values.lines:
        return PLAYED_OUT
    return attrs.evolve(VALUED, turns=VALUED.turns * plan.players)


@attrs.define
class Node:
    """Node of the tree: what a seat knows when it acts.

    `tried` maps action indices to statistics, newest last.
    """

    visits: int = 0
    tried: dict[int, Tried] = attrs.field(factory=dict)


class TreeSearchRun:
    """Search for the seat to act in a state; *key* determines its random numbers."""

    def __init__(self, g: State, budget: Budget, key: int) -> None:
        self.game, self.plan, self.parameters = g, g.plan, search_parameters(g.plan)
        self.budget, self.room = budget, budget.room
        self.seat = deciding_seat(g)
        self.key, self.numbers = key, Stream(key, "search")
        self.nodes: dict[tuple[int, Observed], Node] = {}
        self.margins: list[int] = []
        self.sizes = self.leaves = 0.0
        self.done = self.decisions = self.tried = 0
        self.legal = legal_indices(g)
        self.ranked: list[int] = []
        self.stream = self.numbers

    def progress(self) -> tuple[int, int]:
        """Return the number of playouts so far, and of the decisions in them."""
        return self.done, self.decisions

    def run_playouts(self, count: int) -> bool:
        """Run up to *count* further playouts, within the budget; always return True.

        If only one action is worth trying, one playout suffices.
        """
        for _ in range(count):
            if not self.budget.allows_playout(self.done, self.decisions) or (
                self.done and len(self.ranked) == 1
            ):
                break
            first = None
            if self.parameters.values_positions:
                self.ranked = self.ranked or self.rank_actions()
                first = self.select(self.root_node(), self.legal)
                seed = self.paired_seed(first)
            else:
                seed = self.numbers.next_word()
            self.run_playout(draw_sample(self.game, self.seat, seed), first)
            self.done += 1
        return True

    def root_node(self) -> Node:
        """Return the root of the tree."""
        node = self.node((self.seat, ()))
        assert node is not None
        return node

    def rank_actions(self) -> list[int]:
        """Return the actions of the root in greedy's order, the best first.

        Actions that `greedy` takes only as a last resort are omitted, except the best
        action.
        """
        seeds = [self.numbers.next_word() for _ in range(SAMPLES)]
        samples: dict[int, State] = {}

        def sampled_state(number: int) -> State:
            if number not in samples:
                samples[number] = draw_sample(self.game, self.seat, seeds[number])
            return samples[number]

        legal = self.legal
        values = TurnSearch(legal, sampled_state, seeds[0]).values()
        start = self.numbers.next_below(len(legal))
        places = [*range(start, len(legal)), *range(start)]
        places.sort(key=lambda place: -values[place])
        best, *others = places
        good = [place for place in others if values[place] > LAST_RESORT // 2]
        return [legal[place] for place in (best, *good)]

    def paired_seed(self, first: Selection) -> int:
        """Return the seed of the sample in which an action of the root is tried next.

        All actions are tried in the same sequence of samples, so that luck does not
        distort the comparison.
        """
        pairs = Stream(self.key, "pairs")
        assert first[0] is not None
        pairs.number = first[0].visits
        seed = pairs.next_word()
        self.stream = Stream(seed, "search")
        return seed

    def root_actions(self) -> list[Tried]:
        """Return the actions tried at the root, newest first."""
        return list(reversed(self.nodes[self.seat, ()].tried.values()))

    def run_playout(self, g: State, first: Selection | None) -> None:
        """Play a game through the tree and beyond, and record the result.

        `first` is the action selected at the root, if it is already selected.
        """
        if not self.margins:
            self.margins = leads(g)
        observations: list[Observed] = [()] * self.plan.players
        path: list[tuple[Tried, int]] = []
        end = g.s[TURN] + self.parameters.turns if self.parameters.turns else None
        min_decisions = self.decisions + self.parameters.min_decisions
        is_new, legal = False, self.legal
        while (
            not (is_new or self.is_finished(g, legal, end, min_decisions))
            and len(path) < MAX_DEPTH
        ):
            index, seat = legal[0], deciding_seat(g)
            if len(legal) > 1:
                node = self.node((seat, observations[seat]))
                if node is None:
                    break
                if first is None:
                    first = self.select(node, legal, g)
                (tried, is_new), first = first, None
                if tried is None:
                    break
                node.visits += 1
                path.append((tried, seat))
                index = tried.index
            self.decisions += 1
            self.apply_action(g, index, observations)
            legal = legal_indices(g)
        for _ in range(self.parameters.max_decisions):
            if self.is_finished(g, legal, end, min_decisions):
                break
            self.decisions += 1
            by_value = self.parameters.values_positions
            decide(
                g,
                self.best_immediate_action(g, legal)
                if by_value
                else self.random_action(legal),
            )
            legal = legal_indices(g)
        rewards = self.rewards(g)
        for tried, seat in path:
            tried.visits += 1
            tried.total += rewards[seat]

    def is_finished(
        self, g: State, legal: Sequence[int], end: int | None, min_decisions: int
    ) -> bool:
        """Return whether a playout ends here.

        It ends if no action is legal. If there is an `end`, it also ends once that turn
        and `min_decisions` decisions are reached.
        """
        if g.is_over or not legal:
            return True
        return end is not None and g.s[TURN] >= end and self.decisions >= min_decisions

    def node(self, key: tuple[int, Observed]) -> Node | None:
        """Return the node for what a seat has learnt, or None if the tree is full."""
        node = self.nodes.get(key)
        if node is None and len(self.nodes) < self.room:
            node = self.nodes[key] = Node()
        return node

    def select(
        self, node: Node, legal: Sequence[int], g: State | None = None
    ) -> Selection:
        """Select the action to take at a node.

        The more often a node is visited, the more of its actions are tried. If *g* is
        None, the node is the root, whose untried actions are taken in greedy's order.
        """
        legal_set, best, best_score = set(legal), None, -1.0
        candidates = [x for x in reversed(node.tried.values()) if x.index in legal_set]
        for tried in candidates:
            tried.legal += 1
            uncertainty = sqrt(log_2(tried.legal) / tried.visits)
            score = (
                tried.total / tried.visits + self.parameters.exploration * uncertainty
            )
            if score > best_score:
                best, best_score = tried, score
        max_tried = self.parameters.width * sqrt(node.visits)
        actions = self.ranked if g is None else legal
        if (
            len(candidates) == len(actions)
            or self.tried >= self.room
            or len(candidates) > max_tried
        ):
            return best, False
        index = self.untried_action(node, actions, g)
        self.tried += 1
        node.tried[index] = Tried(index, legal=1)
        return node.tried[index], True

    def untried_action(self, node: Node, legal: Sequence[int], g: State | None) -> int:
        """Return an action not yet tried at a node.

        At the root it is the next in greedy's order. If no legal action has been tried
        and hints value positions, it is the action with the best immediate value.
        Otherwise it is random.
        """
        left = [index for index in legal if index not in node.tried]
        if g is None:
            return left[0]
        if self.parameters.values_positions and len(left) == len(legal):
            return self.best_immediate_action(g, legal)
        return self.random_action(left)

    def apply_action(self, g: State, index: int, observations: list[Observed]) -> None:
        """Apply an action, and record what each seat sees of it."""
        actor, hidden = deciding_seat(g), g.split is not None or self.is_hidden(index)
        decide(g, index)
        events = g.happened[:MAX_EVENTS]
        for seat in range(self.plan.players):
            seen = [(name, x) for name, x, observers in events if observers >> seat & 1]
            outcomes = [(name, repr(outcome)) for name, outcome in seen]
            known = index if seat == actor or not hidden else None
            observations[seat] = (*observations[seat], known, *outcomes)

    def is_hidden(self, index: int) -> bool:
        """Return whether an action is hidden from other seats."""
        return (
            index != PASS and self.plan.actions.decode(index)[0].observers is not None
        )

    def group_by_name(self, legal: Sequence[int]) -> list[list[int]]:
        """Return the actions grouped by name, in order."""
        names: dict[str, list[int]] = {}
        for index in legal:
            name = "" if index == PASS else self.plan.actions.decode(index)[0].name
            names.setdefault(name, []).append(index)
        return list(names.values())

    def random_action(self, legal: Sequence[int]) -> int:
        """Return a random action: first a random name, then random arguments."""
        names = self.group_by_name(legal)
        among = names[self.stream.next_below(len(names))]
        return among[self.stream.next_below(len(among)) if len(among) > 1 else 0]

    def best_immediate_action(self, g: State, legal: Sequence[int]) -> int:
        """Return the index of the best action, trying only a few of each name.

        Ties go to an action that ends the turn. With two players, the best action gives
        its seat the greatest lead, otherwise the highest value.
        """
        if len(legal) == 1:
            return legal[0]
        seat, among, values = deciding_seat(g), [], []
        for named in self.group_by_name(legal):
            size = len(named)
            start = self.stream.next_below(size) if size > ACTIONS_PER_NAME else 0
            places = [
                x * size // min(size, ACTIONS_PER_NAME)
                for x in range(min(size, ACTIONS_PER_NAME))
            ]
            among += [named[(start + place) % size] for place in places]
        for index in among:
            after = g.copy()
            decide(after, index)
            ends = after.is_over or after.s[TURN] != g.s[TURN]
            values.append((comparison_value(after, seat), ends))
        most = max(values)
        best = [x for x, value in zip(among, values, strict=True) if value == most]
        return best[self.stream.next_below(len(best)) if len(best) > 1 else 0]

    def rewards(self, g: State) -> list[float]:
        """Return the reward of each seat at the end of a playout, from 0 to 1."""
        seats = range(self.plan.players)
        if g.s[STATUS] == ENDED:
            first = winners_of(g.s[RANKS])
            if len(first) in {0, len(seats)}:
                return [HALF for _ in seats]
            return [float(seat in first) for seat in seats]
        scale = self.sizes / self.leaves if self.leaves else 0.0
        rewards = []
        for before, after in zip(self.margins, leads(g), strict=True):
            gain = float(after - before)
            self.sizes += abs(gain)
            self.leaves += 1
            rewards.append(HALF + NEARLY * gain / (abs(gain) + scale) if gain else HALF)
        return rewards


def leads(g: State) -> list[int]:
    """Return the lead of each seat over the best other seat."""
    plan, seats = g.plan, range(g.plan.players)
    values = [plan.points(g.s, seat) + plan.position_value(g.s, seat) for seat in seats]
    best = [max([values[x] for x in seats if x != seat], default=0) for seat in seats]
    return [values[seat] - best[seat] for seat in seats]


def comparison_value(g: State, seat: int) -> Value:
    """Return the number by which a seat compares actions in a playout.

    With two players it is the lead, otherwise the seat's own value, because computing
    the lead would be too slow.
    """
    value = position_value(g, seat)
    return value - position_value(g, 1 - seat) if g.plan.players == 2 else value


def deciding_seat(g: State) -> int:
    """Return the seat that must decide."""
    assert isinstance(g.waiting, Decision)
    return g.waiting.seat(g)


def legal_indices(g: State) -> list[int]:
    """Return the legal actions of the seat that must decide; empty if no seat must."""
    if not isinstance(g.waiting, Decision):
        return []
    return g.waiting.legal(g, g.s, g.frames[-1])


def decide(g: State, index: int) -> None:
    """Apply a legal action of the seat that must decide."""
    g.clear_events()
    assert isinstance(g.waiting, Decision)
    g.waiting.decide(g, index)
