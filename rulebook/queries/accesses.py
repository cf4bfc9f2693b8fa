"""Reads and writes of code, and whether they concern only one member of a loop.

A loop runs its body for one member after another. If the round of a member changes only
that member's own parts, no round affects what is read of another member.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import Any

import attrs

from rulebook import model as m
from rulebook.queries.calls import action_code, body_of, card_texts
from rulebook.queries.reads import POINTS_NAME, WAITING_STATEMENTS
from rulebook.queries.state_parts import TURN, StatePart, field_part
from rulebook.traversal import children, walk

MemberSlots = frozenset[int]
"""Slots of the variables that certainly hold the current loop member."""

NOBODY: MemberSlots = frozenset()
HOLDERS = ("source", "destination", "stack")


@attrs.frozen
class Access:
    """Read or write of a part of the state, or of a variable (by its slot).

    `by` are the keys (owner, space, …) that are the current loop member. Two accesses
    with a common key concern only the cells of their own members, so the accesses of
    two different members never conflict.
    """

    part: StatePart | int
    own_keys: frozenset[str] = frozenset()

    @property
    def is_variable(self) -> bool:
        """True if it is an access to a variable and not to the state."""
        return isinstance(self.part, int)

    def conflicts_with(self, other: Access) -> bool:
        """Return whether two accesses, for two different members, can conflict."""
        return self.part == other.part and not self.own_keys & other.own_keys


@attrs.frozen
class CodeRun:
    """Code that runs, with the slots that hold the current loop member in it."""

    name: str
    mine: MemberSlots = NOBODY


class AccessAnalysis:
    """Analysis of the reads and writes of a model's code."""

    def __init__(self, model: m.Model) -> None:
        self.model = model
        self.known: dict[tuple[Callable[..., Any], CodeRun], Any] = {}

    # ------------------------------------------------------------ reads

    def reads(self, expression: Any, member: int) -> set[Access]:
        """Return the reads of an expression, including definitions that it calls."""
        mine = frozenset({member})
        touches = set(self.node_reads(expression, mine))
        for run in self.reachable_runs(
            self.defines_in(expression, mine), self.defines_of
        ):
            lines = self.cached_result(self.definition_reads, run)
            touches.update(touch for touch in lines if not touch.is_variable)
        return touches

    def definition_reads(self, run: CodeRun) -> tuple[Access, ...]:
        """Return the direct reads of a definition's lines."""
        return tuple(dict.fromkeys(self.node_reads(self.lines_of(run.name), run.mine)))

    def defines_of(self, run: CodeRun) -> tuple[CodeRun, ...]:
        """Return the definitions that a definition calls directly."""
        return tuple(self.defines_in(self.lines_of(run.name), run.mine))

    def defines_in(self, node: Any, mine: MemberSlots) -> Iterator[CodeRun]:
        """Yield the definitions that an expression calls directly."""
        for inner in walk(node):
            match inner:
                case m.CallDefine(define=name, arguments=given):
                    yield CodeRun(name, member_parameters(given, mine, 1))
                case m.PlayerPoints(player=player):
                    yield CodeRun(POINTS_NAME, member_parameters((player,), mine, 1))

    def lines_of(self, name: str) -> tuple[Any, ...]:
        """Return the lines of a definition, or of `points`."""
        if name == POINTS_NAME:
            return self.model.points.lines
        define = self.model.defines.get(name)
        return () if define is None else define.lines

    def node_reads(self, node: Any, mine: MemberSlots) -> Iterator[Access]:
        """Yield the direct reads of an expression, not those of definitions."""
        match node:
            case m.Local(slot=slot):
                if slot != m.YOU and slot not in mine:
                    yield Access(slot)
                return
            case m.TallyValue(slot=slot, indices=indices):
                yield Access(slot, member_indices(indices, mine))
            case m.FieldValue(field=field, owner=owner):
                yield self.field_access(field, owner, mine)
            case (
                m.CountIn(holder=m.FieldValue() as held, member=card)
                | m.Contains(set=m.KindsIn(holder=m.FieldValue() as held), member=card)
                | m.Covers(holder=m.FieldValue() as held, bag=m.SingleBag(member=card))
            ):
                yield self.field_access(held.field, held.owner, mine, card)
                for part in (held.owner, card, getattr(node, "bag", None)):
                    yield from self.node_reads(part, mine)
                return
            case m.PieceOn():
                yield self.piece_access(node, mine, node.space, another=node.another)
            case m.PieceOwner():
                yield self.piece_access(node, mine, node.space)
            case m.PieceCount():
                yield self.piece_access(node, mine, node.spaces, another=node.another)
            case m.PieceLeft() | m.PieceSpaces() | m.PieceSpace():
                yield self.piece_access(node, mine, None)
            case m.AwardHolder(award=award):
                yield Access(StatePart.award(award))
            case m.Clockwise(turning=True):
                yield Access(TURN)
        for child in children(node):
            yield from self.node_reads(child, mine)

    # ------------------------------------------------------------ writes

    def writes(self, body: tuple[m.Stmt, ...], member: int) -> set[Access]:
        """Return the writes of statements, including those of all code that they run.

        Awards and rules may act wherever somebody is asked or chance is drawn, so their
        writes are included there.
        """
        mine = frozenset({member})
        touches = set(self.node_writes(body, mine))
        waits = may_trigger_rules(body)
        for run in self.reachable_runs(self.units_in(body, mine), self.units_of):
            waits = waits or self.cached_result(self.may_trigger, run)
            touches |= self.cached_result(self.unit_writes, run)
        return touches | self.trigger_writes if waits else touches

    @cached_property
    def trigger_writes(self) -> set[Access]:
        """Writes of all awards and rules."""
        touches = {Access(StatePart.award(name)) for name in self.model.awards}
        for run in self.reachable_runs(self.trigger_procedures(), self.units_of):
            touches |= self.cached_result(self.unit_writes, run)
        return touches

    def trigger_procedures(self) -> Iterator[CodeRun]:
        """Yield the procedures that awards and rules run."""
        for award in self.model.awards.values():
            for name in (award.gained, award.lost):
                if name is not None:
                    yield CodeRun(name)
        for rule in self.model.rules.values():
            yield CodeRun(rule.procedure)

    def may_trigger(self, run: CodeRun) -> bool:
        """Return whether awards and rules may act while a unit runs."""
        return may_trigger_rules(body_of(self.model, run.name))

    def unit_writes(self, run: CodeRun) -> set[Access]:
        """Return the direct writes of a unit, except those to its own variables."""
        touches = self.node_writes(body_of(self.model, run.name), run.mine)
        return {touch for touch in touches if not touch.is_variable}

    def units_of(self, run: CodeRun) -> tuple[CodeRun, ...]:
        """Return the units that a unit runs directly."""
        return tuple(self.units_in(body_of(self.model, run.name), run.mine))

    def units_in(self, body: Any, mine: MemberSlots) -> Iterator[CodeRun]:
        """Yield the units that statements run, including offered actions."""
        own = mine & {m.YOU}
        for node in walk(body):
            match node:
                case m.CallProcedure(procedure=name, arguments=given):
                    yield CodeRun(name, own | member_parameters(given, mine, 1))
                case m.Ask(who=who, offers=offers):
                    seat = frozenset({m.YOU}) if is_member(who, mine) else NOBODY
                    for offer in offers:
                        fixed = member_parameters(offer.arguments, mine, m.FREE + 1)
                        yield CodeRun(action_code(offer.action), seat | fixed)
                case m.CarryOut(who=who):
                    seat = (
                        own if who is None else member_parameters((who,), mine, m.YOU)
                    )
                    yield from (CodeRun(name, seat) for name in card_texts(self.model))

    def node_writes(self, body: Any, mine: MemberSlots) -> Iterator[Access]:
        """Yield the direct writes of statements."""
        for node in walk(body):
            match node:
                case m.SetLocal(slot=slot):
                    yield Access(slot)
                case m.SetTally(slot=slot, indices=indices):
                    yield Access(slot, member_indices(indices, mine))
                case m.SetField(field=field, owner=owner):
                    yield self.field_access(field, owner, mine)
                case m.Spread(field=field):
                    yield Access(StatePart.field(field))
                case m.RollDice(fields=fields):
                    yield from (Access(StatePart.field(name)) for name in fields)
                case m.MoveCards() | m.MoveAll() | m.DrawCard() | m.Shuffle():
                    for held in changed_holders(node):
                        yield self.field_access(
                            held.field, held.owner, mine, moved_card(node)
                        )
                case m.PlacePiece(instead=True) | m.MovePiece(instead=True):
                    at = member_keys(mine, space=node.space)
                    yield Access(
                        StatePart.piece(node.piece), self.space_keys(node.piece, at)
                    )
                case m.MovePiece() if node.source != node.space:
                    yield self.piece_access(node, mine, None)
                case m.PlacePiece() | m.RemovePiece() | m.MovePiece():
                    yield self.piece_access(node, mine, node.space)
                case m.TurnsGo():
                    yield Access(TURN)

    # ------------------------------------------------------------ parts

    def field_access(
        self,
        name: str,
        owner: m.Expr | None,
        mine: MemberSlots,
        card: m.Expr | None = None,
    ) -> Access:
        """Return the access to a field, or to its cards of one kind."""
        by = member_keys(mine, owner=owner, card=card)
        if isinstance(owner, m.SpaceAt):
            by |= member_keys(mine, player=owner.owner) | member_indices(
                owner.coordinates, mine
            )
        return Access(field_part(self.model, name, owner), by)

    def piece_access(
        self,
        node: Any,
        mine: MemberSlots,
        space: m.Expr | None,
        *,
        another: bool = False,
    ) -> Access:
        """Return the access to pieces: of one owner, or on one space."""
        owner = None if another else getattr(node, "owner", None)
        at = self.space_keys(node.piece, member_keys(mine, space=space))
        return Access(StatePart.piece(node.piece), member_keys(mine, player=owner) | at)

    def space_keys(self, piece: str, by: frozenset[str]) -> frozenset[str]:
        """Return *by*, or nothing for a piece that leaves its old space when placed."""
        return frozenset() if self.model.pieces[piece].moves else by

    # ------------------------------------------------------------ runs

    def reachable_runs(
        self, first: Iterable[CodeRun], more: Callable[[CodeRun], tuple[CodeRun, ...]]
    ) -> Iterator[CodeRun]:
        """Yield the given runs and all code that they run, each once."""
        waiting = list(first)
        met = set(waiting)
        while waiting:
            run = waiting.pop()
            yield run
            new = set(self.cached_result(more, run)) - met
            met |= new
            waiting.extend(new)

    def cached_result(self, find: Callable[[CodeRun], Any], run: CodeRun) -> Any:
        """Return the result of a function for a run, from the cache if possible."""
        if (find, run) not in self.known:
            self.known[find, run] = find(run)
        return self.known[find, run]


def is_member(value: m.Expr | None, member_slots: MemberSlots) -> bool:
    """Return whether an expression is the current loop member."""
    return isinstance(value, m.Local) and value.slot in member_slots


def member_parameters(
    arguments: tuple[m.Expr, ...], member_slots: MemberSlots, first: int
) -> MemberSlots:
    """Return the parameters, from slot *first* on, that receive the loop member."""
    return frozenset(
        slot
        for slot, value in enumerate(arguments, first)
        if is_member(value, member_slots)
    )


def member_keys(member_slots: MemberSlots, **values: m.Expr | None) -> frozenset[str]:
    """Return the names of the keys whose value is the loop member."""
    return frozenset(
        key for key, value in values.items() if is_member(value, member_slots)
    )


def member_indices(
    values: tuple[m.Expr, ...], member_slots: MemberSlots
) -> frozenset[str]:
    """Return the positions of the values that are the loop member, as keys."""
    return frozenset(map(str, member_parameters(values, member_slots, 0)))


def changed_holders(node: Any) -> Iterator[m.FieldValue]:
    """Yield the holders whose cards a statement changes."""
    for name in HOLDERS:
        held = getattr(node, name, None)
        if isinstance(held, m.FieldValue):
            yield held


def moved_card(node: Any) -> m.Expr | None:
    """Return the only card that a statement moves, or None if there may be several."""
    match node:
        case m.MoveCards(bag=m.SingleBag(member=card)) | m.MoveAll(member=card):
            return card
    return None


def may_trigger_rules(body: tuple[m.Stmt, ...]) -> bool:
    """Return whether the game may stop directly in a body, so that rules may act."""
    return any(isinstance(node, WAITING_STATEMENTS) for node in walk(body))
