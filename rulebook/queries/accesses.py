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
from rulebook.queries.reads import POINTS, WAITING
from rulebook.queries.state_parts import TURN, StatePart, field_part
from rulebook.traversal import children, walk

Mine = frozenset[int]
"""Slots of the variables that certainly hold the current loop member."""

NOBODY: Mine = frozenset()
HOLDERS = ("source", "destination", "stack")


@attrs.frozen
class Touch:
    """Read or write of a part of the state, or of a variable (by its slot).

    `by` are the keys (owner, space, …) that are the current loop member. Two accesses
    with a common key concern only the cells of their own members, so the accesses of
    two different members never conflict.
    """

    part: StatePart | int
    by: frozenset[str] = frozenset()

    @property
    def is_variable(self) -> bool:
        """True if it is an access to a variable and not to the state."""
        return isinstance(self.part, int)

    def meets(self, other: Touch) -> bool:
        """Return whether two accesses, for two different members, can conflict."""
        return self.part == other.part and not self.by & other.by


@attrs.frozen
class Run:
    """Code that runs, with the slots that hold the current loop member in it."""

    name: str
    mine: Mine = NOBODY


class Touches:
    """Analysis of the reads and writes of a model's code."""

    def __init__(self, model: m.Model) -> None:
        self.model = model
        self.known: dict[tuple[Callable[..., Any], Run], Any] = {}

    # ------------------------------------------------------------ reads

    def reads(self, expression: Any, member: int) -> set[Touch]:
        """Return the reads of an expression, including definitions that it calls."""
        mine = frozenset({member})
        touches = set(self.read(expression, mine))
        for run in self.all_runs(self.defines_in(expression, mine), self.defines_of):
            lines = self.once(self.lines_read, run)
            touches.update(touch for touch in lines if not touch.is_variable)
        return touches

    def lines_read(self, run: Run) -> tuple[Touch, ...]:
        """Return the direct reads of a definition's lines."""
        return tuple(dict.fromkeys(self.read(self.lines_of(run.name), run.mine)))

    def defines_of(self, run: Run) -> tuple[Run, ...]:
        """Return the definitions that a definition calls directly."""
        return tuple(self.defines_in(self.lines_of(run.name), run.mine))

    def defines_in(self, node: Any, mine: Mine) -> Iterator[Run]:
        """Yield the definitions that an expression calls directly."""
        for inner in walk(node):
            match inner:
                case m.CallDefine(define=name, arguments=given):
                    yield Run(name, handed(given, mine, 1))
                case m.Points(player=player):
                    yield Run(POINTS, handed((player,), mine, 1))

    def lines_of(self, name: str) -> tuple[Any, ...]:
        """Return the lines of a definition, or of `points`."""
        if name == POINTS:
            return self.model.points.lines
        define = self.model.defines.get(name)
        return () if define is None else define.lines

    def read(self, node: Any, mine: Mine) -> Iterator[Touch]:
        """Yield the direct reads of an expression, not those of definitions."""
        match node:
            case m.Local(slot=slot):
                if slot != m.YOU and slot not in mine:
                    yield Touch(slot)
                return
            case m.TallyValue(slot=slot, indices=indices):
                yield Touch(slot, places(indices, mine))
            case m.FieldValue(field=field, owner=owner):
                yield self.field(field, owner, mine)
            case (
                m.CountIn(holder=m.FieldValue() as held, member=card)
                | m.Contains(set=m.KindsIn(holder=m.FieldValue() as held), member=card)
                | m.Covers(holder=m.FieldValue() as held, bag=m.SingleBag(member=card))
            ):
                yield self.field(held.field, held.owner, mine, card)
                for part in (held.owner, card, getattr(node, "bag", None)):
                    yield from self.read(part, mine)
                return
            case m.PieceOn():
                yield self.piece(node, mine, node.space, another=node.another)
            case m.PieceOwner():
                yield self.piece(node, mine, node.space)
            case m.PieceCount():
                yield self.piece(node, mine, node.spaces, another=node.another)
            case m.PieceLeft() | m.PieceSpaces() | m.PieceSpace():
                yield self.piece(node, mine, None)
            case m.AwardHolder(award=award):
                yield Touch(StatePart.award(award))
            case m.Clockwise(turning=True):
                yield Touch(TURN)
        for child in children(node):
            yield from self.read(child, mine)

    # ------------------------------------------------------------ writes

    def writes(self, body: tuple[m.Stmt, ...], member: int) -> set[Touch]:
        """Return the writes of statements, including those of all code that they run.

        Awards and rules may act wherever somebody is asked or chance is drawn, so their
        writes are included there.
        """
        mine = frozenset({member})
        touches = set(self.written(body, mine))
        waits = may_settle(body)
        for run in self.all_runs(self.units_in(body, mine), self.units_of):
            waits = waits or self.once(self.unit_settles, run)
            touches |= self.once(self.unit_writes, run)
        return touches | self.awake if waits else touches

    @cached_property
    def awake(self) -> set[Touch]:
        """Writes of all awards and rules."""
        touches = {Touch(StatePart.award(name)) for name in self.model.awards}
        for run in self.all_runs(self.woken(), self.units_of):
            touches |= self.once(self.unit_writes, run)
        return touches

    def woken(self) -> Iterator[Run]:
        """Yield the procedures that awards and rules run."""
        for award in self.model.awards.values():
            for name in (award.gained, award.lost):
                if name is not None:
                    yield Run(name)
        for rule in self.model.rules.values():
            yield Run(rule.procedure)

    def unit_settles(self, run: Run) -> bool:
        """Return whether awards and rules may act while a unit runs."""
        return may_settle(body_of(self.model, run.name))

    def unit_writes(self, run: Run) -> set[Touch]:
        """Return the direct writes of a unit, except those to its own variables."""
        touches = self.written(body_of(self.model, run.name), run.mine)
        return {touch for touch in touches if not touch.is_variable}

    def units_of(self, run: Run) -> tuple[Run, ...]:
        """Return the units that a unit runs directly."""
        return tuple(self.units_in(body_of(self.model, run.name), run.mine))

    def units_in(self, body: Any, mine: Mine) -> Iterator[Run]:
        """Yield the units that statements run, including offered actions."""
        own = mine & {m.YOU}
        for node in walk(body):
            match node:
                case m.Call(procedure=name, arguments=given):
                    yield Run(name, own | handed(given, mine, 1))
                case m.Ask(who=who, offers=offers):
                    seat = frozenset({m.YOU}) if is_mine(who, mine) else NOBODY
                    for offer in offers:
                        fixed = handed(offer.arguments, mine, m.FREE + 1)
                        yield Run(action_code(offer.action), seat | fixed)
                case m.CarryOut(who=who):
                    seat = own if who is None else handed((who,), mine, m.YOU)
                    yield from (Run(name, seat) for name in card_texts(self.model))

    def written(self, body: Any, mine: Mine) -> Iterator[Touch]:
        """Yield the direct writes of statements."""
        for node in walk(body):
            match node:
                case m.SetLocal(slot=slot):
                    yield Touch(slot)
                case m.SetTally(slot=slot, indices=indices):
                    yield Touch(slot, places(indices, mine))
                case m.SetField(field=field, owner=owner):
                    yield self.field(field, owner, mine)
                case m.Spread(field=field):
                    yield Touch(StatePart.field(field))
                case m.RollDice(fields=fields):
                    yield from (Touch(StatePart.field(name)) for name in fields)
                case m.MoveCards() | m.MoveAll() | m.DrawCard() | m.Shuffle():
                    for held in held_by(node):
                        yield self.field(held.field, held.owner, mine, card_of(node))
                case m.PlacePiece(instead=True) | m.MovePiece(instead=True):
                    at = keys(mine, space=node.space)
                    yield Touch(
                        StatePart.piece(node.piece), self.on_space(node.piece, at)
                    )
                case m.MovePiece() if node.source != node.space:
                    yield self.piece(node, mine, None)
                case m.PlacePiece() | m.RemovePiece() | m.MovePiece():
                    yield self.piece(node, mine, node.space)
                case m.TurnsGo():
                    yield Touch(TURN)

    # ------------------------------------------------------------ parts

    def field(
        self, name: str, owner: m.Expr | None, mine: Mine, card: m.Expr | None = None
    ) -> Touch:
        """Return the access to a field, or to its cards of one kind."""
        by = keys(mine, owner=owner, card=card)
        if isinstance(owner, m.SpaceAt):
            by |= keys(mine, player=owner.owner) | places(owner.coordinates, mine)
        return Touch(field_part(self.model, name, owner), by)

    def piece(
        self, node: Any, mine: Mine, space: m.Expr | None, *, another: bool = False
    ) -> Touch:
        """Return the access to pieces: of one owner, or on one space."""
        owner = None if another else getattr(node, "owner", None)
        at = self.on_space(node.piece, keys(mine, space=space))
        return Touch(StatePart.piece(node.piece), keys(mine, player=owner) | at)

    def on_space(self, piece: str, by: frozenset[str]) -> frozenset[str]:
        """Return *by*, or nothing for a piece that leaves its old space when placed."""
        return frozenset() if self.model.pieces[piece].moves else by

    # ------------------------------------------------------------ runs

    def all_runs(
        self, first: Iterable[Run], more: Callable[[Run], tuple[Run, ...]]
    ) -> Iterator[Run]:
        """Yield the given runs and all code that they run, each once."""
        waiting = list(first)
        met = set(waiting)
        while waiting:
            run = waiting.pop()
            yield run
            new = set(self.once(more, run)) - met
            met |= new
            waiting.extend(new)

    def once(self, find: Callable[[Run], Any], run: Run) -> Any:
        """Return the result of a function for a run, from the cache if possible."""
        if (find, run) not in self.known:
            self.known[find, run] = find(run)
        return self.known[find, run]


def is_mine(value: m.Expr | None, mine: Mine) -> bool:
    """Return whether an expression is the current loop member."""
    return isinstance(value, m.Local) and value.slot in mine


def handed(given: tuple[m.Expr, ...], mine: Mine, first: int) -> Mine:
    """Return the parameters, from slot *first* on, that receive the loop member."""
    return frozenset(
        slot for slot, value in enumerate(given, first) if is_mine(value, mine)
    )


def keys(mine: Mine, **values: m.Expr | None) -> frozenset[str]:
    """Return the names of the keys whose value is the loop member."""
    return frozenset(key for key, value in values.items() if is_mine(value, mine))


def places(values: tuple[m.Expr, ...], mine: Mine) -> frozenset[str]:
    """Return the positions of the values that are the loop member, as keys."""
    return frozenset(map(str, handed(values, mine, 0)))


def held_by(node: Any) -> Iterator[m.FieldValue]:
    """Yield the holders whose cards a statement changes."""
    for name in HOLDERS:
        held = getattr(node, name, None)
        if isinstance(held, m.FieldValue):
            yield held


def card_of(node: Any) -> m.Expr | None:
    """Return the only card that a statement moves, or None if there may be several."""
    match node:
        case m.MoveCards(bag=m.SingleBag(member=card)) | m.MoveAll(member=card):
            return card
    return None


def may_settle(body: tuple[m.Stmt, ...]) -> bool:
    """Return whether the game may stop directly in a body, so that rules may act."""
    return any(isinstance(node, WAITING) for node in walk(body))
