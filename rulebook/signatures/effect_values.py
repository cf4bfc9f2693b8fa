"""Classes for effect signatures: what a statement may read, write, move and reveal."""

from __future__ import annotations

from enum import Enum, StrEnum, auto

import attrs

from rulebook import model as m
from rulebook.source.spans import NOWHERE, Span


class TurnState(Enum):
    """Part of the state about turns or winners, such as whose turn it is."""

    ACTIVE = auto()
    ROUND = auto()
    DIRECTION = auto()
    FIRST_PLAYER = auto()
    NEXT_PLAYER = auto()
    MISSED_TURNS = auto()
    WINNER = auto()


@attrs.frozen
class FieldPlace:
    """Field of an owner; without an owner, of the game or of several owners.

    `card` is the only kind of card that is read or written in it, or None.
    """

    field: str
    owner: m.Expr | None = None
    card: m.Expr | None = None


@attrs.frozen
class PiecePlace:
    """Pieces of a kind on a space; without a space, anywhere."""

    piece: str
    owner: m.Expr | None = None
    space: m.Expr | None = None


@attrs.frozen
class VariablePlace:
    """Variable of the unit; with `indices`, one number of a tally."""

    slot: int
    indices: tuple[m.Expr, ...] = ()


@attrs.frozen
class AwardPlace:
    """Holder of an award."""

    award: str


Place = FieldPlace | PiecePlace | VariablePlace | AwardPlace | TurnState


@attrs.frozen
class Inputs:
    """Inputs of an expression: places it reads, and operands whose inputs count too."""

    places: tuple[Place, ...] = ()
    operands: tuple[m.Expr, ...] = ()


@attrs.frozen
class Write:
    """Write to a place, with the new value if it is an expression of the rules.

    If `knowledge_only`, only what seats know of the place changes, not its contents.
    """

    place: Place
    value: m.Expr | None = None
    knowledge_only: bool = False


@attrs.frozen
class CardTransfer:
    """Cards that leave a holder and arrive in another; None is outside the game.

    `bag` contains the cards, and is None if they are not known in advance. `card` is
    their only kind, if there is one, and `count` their number. If `is_exact`, exactly
    these cards move; otherwise only as many as the source contains. `maximum` is the
    maximum number of cards, or None.
    """

    source: m.Expr | None
    destination: m.Expr | None
    bag: m.Expr | None = None
    card: m.Expr | None = None
    count: m.Expr | None = None
    is_exact: bool = True
    maximum: int | None = None
    span: Span = attrs.field(default=NOWHERE, eq=False)

    @property
    def holders(self) -> tuple[m.Expr | None, m.Expr | None]:
        """Source and destination."""
        return self.source, self.destination


@attrs.frozen
class PieceTransfer:
    """Pieces that leave a space and arrive on another; None is the supply.

    `count` is their number, or None for one piece. If `replaces`, pieces that are in
    the way return to the supply. Without an owner, pieces of any owner may move.
    """

    piece: str
    owner: m.Expr | None
    source: m.Expr | None
    destination: m.Expr | None
    count: m.Expr | None = None
    replaces: bool = False
    span: Span = attrs.field(default=NOWHERE, eq=False)

    @property
    def spaces(self) -> tuple[m.Expr, ...]:
        """Spaces that the pieces leave or arrive on, each once."""
        ends = (self.source, self.destination)
        return tuple(dict.fromkeys(space for space in ends if space is not None))


@attrs.frozen
class Binding:
    """Variable that a statement binds.

    It gets the value of `value`, a member of `members`, or a bag with at most `maximum`
    of each card, all from the holder `source`. If all are None, chance or a seat
    decides. `type` is its type if it is not that of the value or the members.
    """

    slot: int
    name: str = ""
    value: m.Expr | None = None
    members: m.Expr | None = None
    maximum: m.Expr | None = None
    source: m.Expr | None = None
    type: m.Type | None = None


@attrs.frozen
class Block:
    """Statements inside a statement, in the order in which they may run.

    When they start, the conditions in `holds` are true and those in `fails` are false.
    `binder` binds a variable for them. A `loop` runs them any number of times; `times`
    is the maximum, or None if they run once for each member of the binder's set.
    """

    body: tuple[m.Stmt, ...]
    holds: tuple[m.Expr, ...] = ()
    fails: tuple[m.Expr, ...] = ()
    binder: m.Binder | None = None
    loop: bool = False
    times: m.Expr | None = None


@attrs.frozen
class Run:
    """Code that a statement or expression runs.

    It is a procedure, a definition, the points of a player, an offered action or the
    text of a card. `code` is its name, or None for the text of `card`, which may be any
    card. The arguments are in its slots from `first` on. `seat` is `you` in the code,
    or None if that does not change.
    """

    code: str | None
    arguments: tuple[m.Expr, ...] = ()
    first: int = 1
    seat: m.Expr | None = None
    offer: m.Offer | None = None
    repeats: bool = False
    card: m.Expr | None = None


@attrs.frozen
class Reveal:
    """Contents or top card of a holder, revealed to a seat (None: to all seats)."""

    holder: m.Expr
    to: m.Expr | None = None
    top: bool = False


class Pause(Enum):
    """Kind of event that a statement may wait for."""

    NOTHING = auto()
    CHANCE = auto()
    DECISION = auto()
    SIMULTANEOUS = auto()


class Ending(Enum):
    """Scope that a statement may end: nothing, its own unit, or the game."""

    NOTHING = auto()
    UNIT = auto()
    GAME = auto()


class Failure(StrEnum):
    """Reason why a statement may fail during play, named as in the kernel."""

    BEYOND = "beyond"
    NO_ROOM = "no_room"
    NO_SPACE = "no_space"
    NONE_LEFT = "none_left"
    NOT_FREE = "not_free"
    NOT_STANDING = "not_standing"
    NOT_THERE = "not_there"
    TOO_MANY = "too_many"
    UNTRUE = "untrue"


@attrs.frozen
class Effects:
    """Effects of a statement itself, for any number of players and options.

    Blocks inside it and code that it runs have effects of their own. `asks` is the seat
    that decides; if it `asks_only_if_several`, it takes the only candidate without a
    decision. `choices` are the names of what it may choose, and `until` is the action
    that ends repeated offers. `event` is the name of a chance event, `dice` are the
    fields of the dice that it rolls, `dealt_domain` is the domain of cards that chance
    deals to the members of `dealt_members`, and `shuffled_stack` the stack whose order
    becomes unknown. `announces` are the values in a sentence for the log, or None.
    `label` names the steps inside. If `may_continue`, there are cases in which nothing
    ends, such as a win without a winner.
    """

    writes: tuple[Write, ...] = ()
    cards: CardTransfer | None = None
    pieces: PieceTransfer | None = None
    bindings: tuple[Binding, ...] = ()
    blocks: tuple[Block, ...] = ()
    runs: tuple[Run, ...] = ()
    reveals: tuple[Reveal, ...] = ()
    announces: tuple[m.Expr, ...] | None = None
    failures: frozenset[Failure] = frozenset()
    pause: Pause = Pause.NOTHING
    asks: m.Expr | None = None
    asks_only_if_several: bool = False
    choices: tuple[str, ...] = ()
    event: str | None = None
    dice: tuple[str, ...] = ()
    dealt_domain: str | None = None
    dealt_members: m.Expr | None = None
    shuffled_stack: m.Expr | None = None
    ends: Ending = Ending.NOTHING
    may_continue: bool = False
    label: str | None = None
    until: str | None = None

    @property
    def may_wait(self) -> bool:
        """True if a decision or a chance event may occur, so that rules may act."""
        return self.pause is not Pause.NOTHING

    @property
    def overwritten_fields(self) -> tuple[FieldPlace, ...]:
        """Fields that get a new value, from the rules or by chance."""
        moved = self.cards is not None or self.shuffled_stack is not None
        return () if moved else self.fields

    @property
    def is_all_or_nothing(self) -> bool:
        """True if the statement either takes full effect or does not change the state.

        A compound statement itself fails only before it runs its inner statements.
        """
        return bool(self.blocks and self.failures)

    @property
    def is_loop(self) -> bool:
        """True if the statement runs a block any number of times."""
        return any(block.loop for block in self.blocks)

    @property
    def member_loop(self) -> Block | None:
        """Block that runs for each member of a set in turn, or None."""
        for block in self.blocks:
            if block.loop and block.binder is not None and not self.may_wait:
                return block
        return None

    @property
    def slots(self) -> tuple[int, ...]:
        """Slots of the variables that the statement binds."""
        return tuple(binding.slot for binding in self.bindings)

    @property
    def always_bound_slots(self) -> tuple[int, ...]:
        """Slots of the variables that always have a value after the statement.

        A chosen member counts only if the unit ends when none is chosen.
        """
        ends = self.ends is Ending.UNIT
        return tuple(x.slot for x in self.bindings if x.members is None or ends)

    @property
    def condition(self) -> m.Expr | None:
        """Condition that decides which block runs, or None."""
        return next((held for block in self.blocks for held in block.holds), None)

    @property
    def fields(self) -> tuple[FieldPlace, ...]:
        """Fields whose contents change."""
        places = (write.place for write in self.writes if not write.knowledge_only)
        return tuple(place for place in places if isinstance(place, FieldPlace))

    @property
    def assigned_fields(self) -> tuple[FieldPlace, ...]:
        """Fields that get the value of an expression."""
        places = (write.place for write in self.writes if write.value is not None)
        return tuple(place for place in places if isinstance(place, FieldPlace))

    @property
    def calls(self) -> tuple[Run, ...]:
        """Code that runs without a choice."""
        return tuple(run for run in self.runs if run.offer is None)

    @property
    def offers(self) -> tuple[m.Offer, ...]:
        """Actions that a seat may choose."""
        return tuple(run.offer for run in self.runs if run.offer is not None)
