"""Work of an evaluation in steps, the same for every engine.

Each part of an expression and each statement is one step. A run through a set takes as
many steps as the set can have members. A call costs the steps of its callee. Reading a
row of places (cards in a bag, pieces on spaces) takes one step per sixteen places.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

from rulebook import model as m
from rulebook.check.analysis.intervals import NumberRanges
from rulebook.check.analysis.trails import trail_steps
from rulebook.check.declare.symbol_table import World
from rulebook.check.facts.piece_supply import piece_cells
from rulebook.model.limits import NUMBER_MAX
from rulebook.model.value_types import Member, SetOf, Stack, Truth, Type, Whole
from rulebook.queries.calls import (
    action_code,
    called_code,
    callees_first,
    calls_of,
    code_names,
)
from rulebook.signatures import effects_within
from rulebook.source.spans import Span
from rulebook.traversal import children, find

PLACES_PER_STEP = 16
"""Number of adjacent places (cards in a bag, pieces on spaces) read in one step."""

ASSUMED_DEAL_TESTS = 1_000
"""Assumed number of tests of a constrained deal's condition; usually fewer are run."""


class WorkBounds:
    """Upper bounds on the steps of all code, computed from the callees up."""

    def __init__(self, world: World) -> None:
        assert world.model is not None
        self.world = world
        self.model = world.model
        self.reals = NumberRanges(world)
        self.code = world.code
        graph = {
            name: called_code(self.model, code) for name, code in self.code.items()
        }
        self.order = callees_first(graph)
        self.total: dict[str, int] = {}
        self.stops: set[str] = set()
        self.long_trails: dict[Span, tuple[m.LongestTrail, int]] = {}
        """Searches that exceed the limit alone, with their steps; callers omit them."""
        for name in self.order:
            code = self.code[name]
            self.total[name] = self.total_steps(name, code.parts)
            if (
                any(effects.waits for effects in effects_within(code.parts))
                or self.stops & graph[name].keys()
            ):
                self.stops.add(name)

    # ------------------------------------------------------------ sizes

    def count_values(self, kind: Type) -> int:
        """Return the number of values of a parameter's type; 1 for a bag.

        A bag argument is fixed by each offer of the action.
        """
        if isinstance(kind, Member):
            return self.world.member_count(kind.domain) + kind.optional
        if isinstance(kind, Whole):
            return kind.high - kind.low + 1
        return 2 if isinstance(kind, Truth) else 1

    def count_kinds(self, kind: Type) -> int:
        """Return the number of kinds in a bag or stack, or of members in a set."""
        domain = getattr(kind, "domain", None)
        return self.world.member_count(domain) if domain else 1

    def tally_size(self, domains: Iterable[str]) -> int:
        """Return the number of entries of a tally."""
        return math.prod(map(self.world.member_count, domains))

    def max_cards(self, holder: m.Expr | None) -> int:
        """Return the maximum number of cards in a stack; 1 for any other holder."""
        if holder is not None and isinstance(holder.type, Stack):
            return self.reals.stores.stack_capacity(holder.type.domain)
        return 1

    # ------------------------------------------------------------ steps

    def total_steps(self, code: str, nodes: Iterable[Any]) -> int:
        """Return an upper bound on the steps of several nodes together."""
        return min(NUMBER_MAX, sum(self.steps(code, node) for node in nodes))

    def steps(self, code: str, node: Any) -> int:
        """Return an upper bound on the steps of evaluating a node."""
        steps = STEP_RULES.get(type(node), _plain)(self, code, node)
        return min(steps, NUMBER_MAX)

    def child_steps(self, code: str, node: Any) -> int:
        """Return an upper bound on the steps of all children of a node."""
        return self.total_steps(code, children(node))

    def loop_steps(
        self, code: str, node: Any, body: Iterable[Any], every: int = 0
    ) -> int:
        """Return an upper bound on the steps of running a body for each set member.

        An empty set counts as one member.
        """
        size = max(1, self.reals.max_size(code, node.set))
        passing = max(1, self.reals.max_matching(code, node))
        each = size * (1 + every + self.steps(code, node.where))
        return (
            1
            + self.steps(code, node.set)
            + each
            + passing * self.total_steps(code, body)
        )

    def may_wait(self, body: Iterable[Any]) -> bool:
        """Return whether a body may wait for a decision, chance or all players."""
        return any(
            effects.waits
            or not self.stops.isdisjoint(code_names(self.model, effects.calls))
            for effects in effects_within(*body)
        )

    def listing_steps(self, action: m.Action, fixed: int) -> int:
        """Return an upper bound on the steps of listing an action's legal arguments.

        The first *fixed* arguments are given. A requirement is tested for all values of
        the parameters up to the last that it reads.
        """
        open_ = action.parameters[fixed:]
        steps = math.prod(self.count_values(parameter.type) for parameter in open_)
        code = action_code(action.name)
        for need in action.requirements:
            read = {local.slot for local in find(need.condition, m.Local)}
            last = max(
                (parameter.slot for parameter in open_ if parameter.slot in read),
                default=0,
            )
            bound = (
                self.count_values(parameter.type)
                for parameter in open_
                if parameter.slot <= last
            )
            steps += math.prod(bound) * self.steps(code, need.condition)
        return min(steps, NUMBER_MAX)


Rule = Callable[[WorkBounds, str, Any], int]


def _plain(w: WorkBounds, code: str, node: Any) -> int:
    rows = 0
    if isinstance(node, m.FieldValue | m.Contains):
        value = node.set if isinstance(node, m.Contains) else node
        rows = w.count_kinds(value.type) // PLACES_PER_STEP
    return isinstance(node, m.Part) + rows + w.child_steps(code, node)


def _quantifier(w: WorkBounds, code: str, node: Any) -> int:
    value = getattr(node, "value", None)
    return w.loop_steps(code, node, () if value is None else (value,))


def _best(w: WorkBounds, code: str, node: m.BestMembers) -> int:
    """Return the steps of measuring all members and then collecting the best."""
    size = w.reals.max_size(code, node.set)
    return size + w.loop_steps(code, node, (measure.value for measure in node.by))


def _sorted(w: WorkBounds, code: str, node: m.SortedMembers) -> int:
    """Return the steps of measuring all members and then sorting them."""
    size = w.reals.max_size(code, node.set)
    return size * size.bit_length() + w.loop_steps(code, node, (node.value,))


def _numbers(w: WorkBounds, code: str, node: m.NumberSet) -> int:
    return w.reals.max_size(code, node) + w.child_steps(code, node)


def _related(w: WorkBounds, code: str, node: m.Related) -> int:
    return 1 + w.steps(code, node.of)


def _call(w: WorkBounds, code: str, node: Any) -> int:
    names = code_names(w.model, calls_of(node))
    most = max((w.total.get(name, 0) for name in names), default=0)
    return 1 + most + w.child_steps(code, node)


def _trail(w: WorkBounds, code: str, node: m.LongestTrail) -> int:
    board, degrees = w.world.board, w.reals.degrees
    assert board is not None and degrees is not None
    links = w.reals.max_links(code, node)
    corners = min(2 * links, w.world.member_count(board.corner))
    tests = corners * (1 + w.steps(code, node.closed) + _per(w, code, node.joint))
    tests += links * _per(w, code, node.weight)
    sets = (node.links, *node.also)
    sorts = len(sets) if node.joint is not None else 1
    search = sorts * trail_steps(board, degrees, links)
    if search > w.world.limits_of_size.steps:
        w.long_trails[node.span] = node, search
        search = 0
    return w.total_steps(code, sets) + tests + search


def _reach(w: WorkBounds, code: str, node: m.Reach) -> int:
    assert w.reals.degrees is not None
    spaces = w.world.member_count(node.domain)
    degree = w.reals.degrees.degree_of(w.model.relations[f"{node.domain}.neighbours"])
    condition = w.steps(code, node.where)
    crossed = degree * (1 + condition) if node.links else degree + condition
    each = 1 + crossed + _per(w, code, node.through)
    return w.total_steps(code, (node.start, node.within)) + spaces * each


def _per(w: WorkBounds, code: str, node: m.Per | None) -> int:
    """Return the steps of evaluating a value for one member; 0 if there is no value."""
    return 0 if node is None else w.steps(code, node.value)


def _distance(w: WorkBounds, code: str, node: m.Distance) -> int:
    return (
        1
        + w.world.member_count(node.way.domain)
        + w.total_steps(code, (node.way, node.goal))
    )


def _pieces(w: WorkBounds, code: str, node: Any) -> int:
    spaces = piece_cells(w.world, w.model.pieces[node.piece])
    named = getattr(node, "spaces", None)
    rows = spaces // PLACES_PER_STEP
    if named is not None:
        is_single = isinstance(named.type, Member)
        rows = 1 if is_single else w.reals.max_size(code, named)
    return 1 + rows + w.child_steps(code, node)


def _spaces(w: WorkBounds, code: str, node: m.PieceSpaces | m.PieceSpace) -> int:
    return 1 + w.world.member_count(node.domain) + w.child_steps(code, node)


def _bag(w: WorkBounds, code: str, node: Any) -> int:
    """Return the steps of a node that visits all kinds of a bag or cards of a stack."""
    holder = getattr(node, "holder", node)
    many = w.count_kinds(holder.type) + w.max_cards(holder)
    return 1 + many + w.child_steps(code, node)


def _count_in(w: WorkBounds, code: str, node: m.CountIn) -> int:
    return w.max_cards(node.holder) + w.child_steps(code, node)


def _size(w: WorkBounds, code: str, node: m.SizeOf) -> int:
    of_set = isinstance(node.holder.type, SetOf)
    many = (
        w.reals.max_size(code, node.holder)
        if of_set
        else w.count_kinds(node.holder.type)
    )
    return 1 + many // PLACES_PER_STEP + w.child_steps(code, node)


def _bag_over(w: WorkBounds, code: str, node: m.BagOver) -> int:
    return w.count_kinds(node.type) + w.loop_steps(code, node, (node.value,))


def _bags(w: WorkBounds, code: str, node: m.SumBags) -> int:
    return w.count_kinds(node.type) * len(node.bags) + w.child_steps(code, node)


# ---------------------------------------------------------------- statements


def _each(w: WorkBounds, code: str, node: m.EachMember | m.Together) -> int:
    left = (
        w.reals.max_size(code, node.set) // PLACES_PER_STEP
        if w.may_wait(node.body)
        else 0
    )
    return w.loop_steps(code, node, node.body, left)


def _repeat(w: WorkBounds, code: str, node: m.Repeat) -> int:
    rounds = max(1, w.reals.range_of(code, node.times).high)
    each = 1 + w.total_steps(code, node.body) + w.steps(code, node.until)
    return 1 + w.steps(code, node.times) + w.steps(code, node.until) + rounds * each


def _tally(w: WorkBounds, code: str, node: m.SetTally) -> int:
    return 1 + w.tally_size(node.domains) // PLACES_PER_STEP + w.child_steps(code, node)


def _move(w: WorkBounds, code: str, node: m.MoveCards) -> int:
    kinds = 1 if isinstance(node.bag, m.SingleBag) else w.count_kinds(node.bag.type)
    cards = w.max_cards(node.source) + w.max_cards(node.destination)
    stacks = isinstance(getattr(node.source, "type", None), Stack)
    stacks = stacks or isinstance(getattr(node.destination, "type", None), Stack)
    number = max(1, w.reals.range_of(code, node.bag).high) if stacks else 1
    number = min(number, cards)
    return (
        1 + kinds + number * (1 + cards // PLACES_PER_STEP) + w.child_steps(code, node)
    )


def _move_all(w: WorkBounds, code: str, node: m.MoveAll) -> int:
    cards = w.max_cards(node.source) + w.max_cards(node.destination)
    return (
        1
        + w.count_kinds(node.source.type)
        + cards * (1 + cards // PLACES_PER_STEP)
        + w.child_steps(code, node)
    )


def _draw(w: WorkBounds, code: str, node: m.DrawCard | m.Reveal) -> int:
    source = node.source if isinstance(node, m.DrawCard) else node.stack
    return (
        1 + w.count_kinds(source.type) + w.max_cards(source) + w.child_steps(code, node)
    )


def _sees(w: WorkBounds, code: str, node: m.Sees) -> int:
    cards = w.max_cards(node.holder)
    return 1 + cards * (1 + w.count_kinds(node.holder.type)) + w.child_steps(code, node)


def _shuffle(w: WorkBounds, code: str, node: m.Shuffle) -> int:
    return 1 + w.max_cards(node.stack) + w.child_steps(code, node)


def count_outcomes(model: m.Model, roll: m.RollDice) -> int:
    """Return the number of distinct outcomes of a dice roll."""
    return math.prod(len(set(model.fields[name].faces)) for name in roll.fields)


def _roll(w: WorkBounds, code: str, node: m.RollDice) -> int:
    return 1 + count_outcomes(w.model, node) * (1 + w.steps(code, node.condition))


def _chance(w: WorkBounds, code: str, node: m.ChanceChoose) -> int:
    return 1 + w.reals.max_size(code, node.set) + w.steps(code, node.set)


def _spread(w: WorkBounds, code: str, node: m.Spread) -> int:
    spaces = w.reals.max_size(code, node.set)
    cards = w.reals.stores.total_cards(node.cards)
    kinds = w.world.member_count(node.cards)
    dealt = cards if isinstance(w.world.fields[node.field].type, Stack) else spaces
    each = 1 + kinds + spaces // PLACES_PER_STEP
    search = 0
    if node.condition is not None:
        search = ASSUMED_DEAL_TESTS * w.steps(code, node.condition)
    return w.steps(code, node.set) + spaces * kinds + dealt * each + search


def _ask(w: WorkBounds, code: str, node: m.Ask) -> int:
    lists = sum(
        w.listing_steps(w.model.actions[offer.action], len(offer.arguments))
        for offer in node.offers
    )
    given = sum(w.total_steps(code, offer.arguments) for offer in node.offers)
    return (
        1 + lists + given + w.total_steps(code, (node.who, *node.body, *node.otherwise))
    )


def _choose(w: WorkBounds, code: str, node: m.Choose) -> int:
    chosen = w.loop_steps(code, node, ())
    return chosen + w.total_steps(code, (node.who, *node.body, *node.otherwise))


def _gather(w: WorkBounds, code: str, node: m.Gather) -> int:
    held = () if node.source is None else (node.source,)
    return w.loop_steps(code, node, ()) + w.total_steps(
        code, (node.who, node.low, node.high, *held)
    )


STEP_RULES: dict[type[Any], Rule] = {
    **dict.fromkeys(
        (m.Exists, m.FindMember, m.Filter, m.CountMembers, m.SumOver), _quantifier
    ),
    **dict.fromkeys((m.CallDefine, m.PlayerPoints, m.CallProcedure, m.CarryOut), _call),
    **dict.fromkeys((m.PieceCount, m.PieceLeft), _pieces),
    **dict.fromkeys((m.PlacePiece, m.RemovePiece, m.MovePiece), _pieces),
    **dict.fromkeys((m.PieceSpaces, m.PieceSpace), _spaces),
    **dict.fromkeys((m.KindsIn, m.Covers, m.SingleBag), _bag),
    m.CountIn: _count_in,
    m.SizeOf: _size,
    m.BagOver: _bag_over,
    m.SumBags: _bags,
    m.BestMembers: _best,
    m.SortedMembers: _sorted,
    m.Highest: _quantifier,
    m.NumberSet: _numbers,
    m.Related: _related,
    m.LongestTrail: _trail,
    m.Reach: _reach,
    m.Distance: _distance,
    **dict.fromkeys((m.EachMember, m.Together), _each),
    m.Repeat: _repeat,
    m.SetTally: _tally,
    m.MoveCards: _move,
    m.MoveAll: _move_all,
    **dict.fromkeys((m.DrawCard, m.Reveal), _draw),
    m.Sees: _sees,
    m.Shuffle: _shuffle,
    m.RollDice: _roll,
    m.ChanceChoose: _chance,
    m.Spread: _spread,
    m.Ask: _ask,
    m.Choose: _choose,
    m.Gather: _gather,
}
"""Step functions by model class; other nodes cost one step plus their children."""

__all__ = [
    "ASSUMED_DEAL_TESTS",
    "PLACES_PER_STEP",
    "WorkBounds",
    "count_outcomes",
]
