"""Sizes (law 2): how much a game can hold and how long an evaluation can take.

All are computed from the declarations, for the most players. What is beyond a limit
is refused at the clause that costs most; a caller of `load` may raise the limits.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter

from rulebook import model as m
from rulebook.check.world import World, mistake, shown
from rulebook.types import Member, SetOf, Whole
from rulebook.walk import children, find

#: A trail search visits at most this many links: it is counted as one evaluation of
#: the condition for each; the search itself has a bound of its own.
TRAIL_STEPS = 1_000


def check_sizes(world: World) -> None:
    """Report what is larger than the limits."""
    if world.model is None:
        return
    sizes = Sizes(world)
    _check_spaces(world)
    _check_actions(world, sizes)
    _check_steps(world, sizes)


def _check_spaces(world: World) -> None:
    sizes = {
        name: world.size(name)
        for name, domain in world.domains.items()
        if domain.sort in ("space", "face", "corner", "link")
    }
    if sum(sizes.values()) > world.limits_of_size.spaces:
        name = max(sizes, key=lambda one: sizes[one])
        raise mistake(
            "RB152",
            world.domains[name].span,
            f"{shown(sum(sizes.values()))} spaces are more than "
            f"{world.limits_of_size.spaces:,}; most of them are here",
        )


def _check_actions(world: World, sizes: Sizes) -> None:
    assert world.model is not None
    counts = {
        name: math.prod(sizes.of_type(one.type) for one in action.parameters)
        for name, action in world.model.actions.items()
    }
    total = sum(counts.values()) + 1
    if total > world.limits_of_size.actions:
        name = max(counts, key=lambda one: counts[one])
        raise mistake(
            "RB152",
            world.model.actions[name].span,
            f"{shown(total)} actions are more than {world.limits_of_size.actions:,}; "
            f"`{name}` alone has {shown(counts[name])}",
            "choose one thing at a time: an action that asks for the next",
        )


def _check_steps(world: World, sizes: Sizes) -> None:
    """The longest evaluation: one unit's body, or the list of one action."""
    assert world.model is not None
    for name, action in world.model.actions.items():
        _test_steps(world, name, action, _listing(sizes, action))
        _test_steps(world, name, action, sizes.steps(action.body))
    for name, procedure in world.model.procedures.items():
        _test_steps(world, name, procedure, sizes.steps(procedure.body))


def _listing(sizes: Sizes, action: m.Action) -> int:
    """The steps of listing an action: a requirement is tested for all values of the
    parameters up to the last one that it reads."""
    steps = 0
    for need in action.requirements:
        read = {local.slot for local in find(need.condition, m.Local)}
        last = max(
            (one.slot for one in action.parameters if one.slot in read), default=0
        )
        bound = (one.type for one in action.parameters if one.slot <= last)
        tests = math.prod(sizes.of_type(type_) for type_ in bound)
        steps += tests * sizes.steps(need.condition)
    return steps


def _test_steps(world: World, name: str, part: m.Part, steps: int) -> None:
    if steps > world.limits_of_size.steps:
        with world.collecting():
            raise mistake(
                "RB152",
                part.span,
                f"`{name}` may take {shown(steps)} steps, more than "
                f"{world.limits_of_size.steps:,}",
                "loop over fewer things, or give an inner loop a smaller set",
            )


class Sizes:
    """Bounds on sets and evaluations."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.defines: dict[str, int] = {}
        self.procedures: dict[str, int] = {}

    def of_type(self, type_: object) -> int:
        """Return how many values a parameter of the type can have."""
        if isinstance(type_, Member):
            return self.world.size(type_.domain) + type_.optional
        if isinstance(type_, Whole):
            return type_.high - type_.low + 1
        return 2

    def of_set(self, set_: m.Expr) -> int:
        """Return the most members of a set; a relation's by the board's degree."""
        if isinstance(set_, m.Related):
            return self.degree(set_.relation)
        if isinstance(set_, m.Numbers):
            assert isinstance(set_.low.type, Whole)
            assert isinstance(set_.high.type, Whole)
            return max(0, set_.high.type.high - set_.low.type.low + 1)
        if isinstance(set_.type, SetOf) and set_.type.domain is not None:
            return self.world.size(set_.type.domain)
        return 1

    def degree(self, relation: str) -> int:
        """Return a bound on the members that a relation gives: 6 on a hex layout."""
        source, _, name = relation.partition(".")
        board = self.world.board
        if board is not None and board.face is not None:
            return 6
        if board is not None and source == board.corner:
            ends = Counter(itertools.chain.from_iterable(board.link_ends))
            return max(ends.values(), default=0)
        if board is not None and source == board.link:
            return 2
        return self.world.size(self.world.relations[source, name].target)

    def steps(self, node: object) -> int:
        """Return a bound on the steps of evaluating a part of the model."""
        match node:
            case m.Exists() | m.Find() | m.Filter() | m.Count() | m.Sum() | m.BagOver():
                inner = self.steps(node.where) + self.steps(
                    getattr(node, "value", None)
                )
                return 1 + self.steps(node.set) + self.of_set(node.set) * (1 + inner)
            case m.Each() | m.Together() | m.Choose() | m.Gather():
                inner = self.steps(node.where) + self.steps(getattr(node, "body", ()))
                return 1 + self.steps(node.set) + self.of_set(node.set) * (1 + inner)
            case m.Repeat(times=times, body=body):
                assert isinstance(times.type, Whole)
                rounds = min(max(0, times.type.high), 1_000)
                return 1 + self.steps(times) + rounds * self.steps(body)
            case m.LongestTrail(links=links, closed=closed):
                return self.steps(links) + TRAIL_STEPS + 100 * self.steps(closed)
            case m.Reach(start=start, domain=domain, where=where):
                spaces = self.world.size(domain)
                degree = self.degree(f"{domain}.neighbours")
                return self.steps(start) + spaces * (1 + degree + self.steps(where))
            case m.CallDefine(define=name):
                return self._define(name) + self._inside(node)
            case m.Call(procedure=name):
                return self._procedure(name) + self._inside(node)
        return isinstance(node, m.Part) + self._inside(node)

    def _inside(self, node: object) -> int:
        within = (m.Part, tuple)
        return sum(self.steps(one) for one in children(node) if isinstance(one, within))

    def _define(self, name: str) -> int:
        if name not in self.defines:
            self.defines[name] = 1
            assert self.world.model is not None
            define = self.world.model.defines.get(name)
            self.defines[name] = self.steps(define.lines) if define else 1
        return self.defines[name]

    def _procedure(self, name: str) -> int:
        if name not in self.procedures:
            self.procedures[name] = 1
            assert self.world.model is not None
            found = self.world.model.procedures.get(name)
            self.procedures[name] = self.steps(found.body) if found else 1
        return self.procedures[name]
