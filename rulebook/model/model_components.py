"""Components of the checked model, and the model itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs

from rulebook.model.base_parts import Expr, Part
from rulebook.model.measures import GameMeasure
from rulebook.model.model_enums import (
    Audience,
    DomainSort,
    RelationSort,
    RequirementSort,
    Viewers,
)
from rulebook.model.model_statements import Stmt
from rulebook.model.value_types import Member, Type, Whole
from rulebook.shared_enums import Orientation, Period, StepWord, Tie
from rulebook.source.spans import Cite, Span

POSITION_KEYS = (
    *("players", "options", "board", "turn", "round", "active", "starter", "order"),
    *("game", "pieces", "awards", "seen", "split", "answers", "pending", "triggers"),
    *("chance", "end", "points", "at_least"),
)
"""Keys of every position and view, which a kind with fields cannot have as its name.

The fields of members are stored next to these keys, under the name of their kind.
"""


@attrs.frozen
class Column(Part):
    """Constant attribute of a kind: a value for each member, in member order."""

    name: str
    type: Type
    values: tuple[Any, ...]


@attrs.frozen
class Axis(Part):
    """Coordinate of spaces or cards: `size` values of a type, starting at `low`."""

    name: str
    type: Type
    low: int
    size: int


@attrs.frozen
class Domain(Part):
    """Finite ordered list of members.

    The members of `player` are all seats; a game uses the first ones. `copies` (numbers
    or options) is the number of copies of each card. With `each_player` the members are
    repeated for every player in play, grouped by player. With `axes` they are all
    combinations of coordinates, with the last axis varying fastest.
    """

    name: str
    plural: str
    sort: DomainSort
    members: tuple[str, ...]
    columns: dict[str, Column] = attrs.field(factory=dict)
    copies: tuple[Expr, ...] = ()
    each_player: bool = False
    axes: tuple[Axis, ...] = ()


def is_card(domains: Mapping[str, Domain], type_: Type) -> bool:
    """Return whether the values of a type are cards, or cards and `none`."""
    if not isinstance(type_, Member):
        return False
    return domains[type_.domain].sort is DomainSort.CARDS


FACING = "facing"
"""Attribute of a space on the side of another: the space that it touches, or none."""


@attrs.frozen
class Relation(Part):
    """Relation of the board, from each member of `source` to members of `target`.

    `rows` are the indices of the related members of each member, or None for a relation
    that follows from the hexes, corners and links of the board.
    """

    name: str
    source: str
    target: str
    sort: RelationSort
    rows: tuple[tuple[int, ...], ...] | None = None


@attrs.frozen
class Board(Part):
    """Board as tables of indices: its faces, corners and links.

    `face_corners` are the corners of each face, clockwise from the north. `face_places`
    are the axial coordinates (q, r) of the faces. `link_ends` are the two ends of each
    link, in the order of the ends' domain. A board without hexes has no faces, and its
    links join members of `corner`.
    """

    orientation: Orientation
    face: str | None
    corner: str
    link: str | None
    face_places: tuple[tuple[int, int], ...]
    face_corners: tuple[tuple[int, ...], ...]
    link_ends: tuple[tuple[int, int], ...]


@attrs.frozen
class Field(Part):
    """Field of the game or of each member of a domain: part of the state.

    Its key in the model is `name` for the game, else `owner.name`. A field for each
    pair (`level(kind)`) belongs to a domain of the sort `pair`. That domain is named by
    its `home` and the field: `player.level`, or `.price` for the game.

    `start` is the value at set-up. For a bag, `start_each` is the number of each
    member; with `start_every` the holder starts with every card of its domain. An
    endless bag never runs out. `resets` restores the start value when a turn begins,
    `resets_round` when a round does. `dealt` fields are dealt on the board at set-up.
    `faces` are the values of a die, one for each side. Views contain
    `bookkeeping` fields; pages, pictures, text boards and printed components do not.
    `piece` is the piece that carries the field, or None.
    """

    name: str
    owner: str | None
    type: Type
    seen_by: Audience = Audience.ALL
    start: Expr | None = None
    start_each: Expr | None = None
    start_every: bool = False
    endless: bool = False
    resets: bool = False
    resets_round: bool = False
    bookkeeping: bool = False
    dealt: bool = False
    faces: tuple[int, ...] = ()
    piece: str | None = None
    cites: tuple[Cite, ...] = ()

    @property
    def written_name(self) -> str:
        """Name as rules write it: `rank` for the field `troop_rank` of a troop."""
        return self.name.removeprefix(f"{self.piece}_") if self.piece else self.name

    @property
    def key(self) -> str:
        """Key of the field in the model."""
        if self.owner is None:
            return self.name
        if self.is_pair:
            return self.owner.removeprefix(".")
        return f"{self.owner}.{self.name}"

    @property
    def each_player(self) -> bool:
        """True if each player has a value of the field."""
        return self.owner == DomainSort.PLAYER

    @property
    def is_pair(self) -> bool:
        """True if the field has parameters: a value for each pair or combination."""
        return self.owner is not None and "." in self.owner

    @property
    def home(self) -> str | None:
        """Domain whose members have the field; None for a field of the game."""
        if self.owner is None:
            return None
        return self.owner.partition(".")[0] or None


@attrs.frozen
class Room(Part):
    """Limit on the pieces on one space: at most `maximum` (None: unlimited).

    It counts the pieces of each owner, or those of all owners together.
    """

    maximum: Expr | None
    each_owner: bool = False


@attrs.frozen
class Piece(Part):
    """Kind of piece. Without `room`, a space holds at most one piece of the kind.

    `count` is the number of pieces for each player (with `each_player`), for each
    member of the domain `each_member`, or in all. If it is 1, placing the piece moves
    it. `fields` are the keys of the fields that travel with the piece.
    """

    name: str
    plural: str
    count: Expr
    each_player: bool
    stands_on: tuple[str, ...]
    cites: tuple[Cite, ...] = ()
    room: Room | None = None
    fields: tuple[str, ...] = ()
    each_member: str | None = None

    @property
    def owner(self) -> str | None:
        """Domain whose members own the pieces; None for pieces without an owner."""
        return str(DomainSort.PLAYER) if self.each_player else self.each_member

    @property
    def moves(self) -> bool:
        """True if placing the piece moves it, since one exists per owner or in all."""
        return self.count.type == Whole(1, 1)


@attrs.frozen
class Option(Part):
    """Setting of a game, chosen before set-up; its type is Truth or Whole.

    `default` contains pairs of a value and a condition (None: always true). The value
    of the first pair with a true condition applies.
    """

    name: str
    type: Type
    default: tuple[tuple[Expr, Expr | None], ...]
    help: str
    cites: tuple[Cite, ...] = ()


@attrs.frozen
class Parameter(Part):
    slot: int
    name: str
    type: Type


@attrs.frozen
class DefineLine(Part):
    """Line of a definition. `label` may be empty; condition None means always."""

    label: str
    value: Expr
    condition: Expr | None
    cites: tuple[Cite, ...] = ()


@attrs.frozen
class Define(Part):
    """Derived value: the value of the first line whose condition is true.

    `sentence` shows how it is used, as in `path is in_reach for player`. In the source,
    an unconditional line of a yes/no define, before the last, means: yes if its value
    is true, else try the next line. (The checker turns such a line into the value yes
    with that condition.) When no line applies, the value is no, 0 or none. With `adds`,
    the lines are summed instead. A define that says whether an `action` is legal
    follows from the action's requirements; digests omit it. A value that the lines of
    another definition name (`let`) is a define too, `within` that definition and with
    its parameters.
    """

    name: str
    sentence: str
    parameters: tuple[Parameter, ...]
    type: Type
    lines: tuple[DefineLine, ...]
    slots: tuple[str, ...]
    adds: bool = False
    cites: tuple[Cite, ...] = ()
    action: str | None = None
    within: str | None = None


@attrs.frozen
class Requirement(Part):
    """Condition of an action, with a sentence for people as its `reason`.

    For the sorts `pays` and `enough`, `holder` must contain the cards of `bag`.
    """

    label: str
    sort: RequirementSort
    condition: Expr
    reason: str
    holder: Expr | None = None
    bag: Expr | None = None
    cites: tuple[Cite, ...] = ()


@attrs.frozen
class Action(Part):
    """Action that a seat may choose.

    Its body pays the price, unless the variable in slot FREE is true. If `inline`, it
    represents the choice of a statement, and only its name and parameters matter.
    """

    name: str
    parameters: tuple[Parameter, ...]
    requirements: tuple[Requirement, ...]
    body: tuple[Stmt, ...]
    slots: tuple[str, ...]
    inline: bool = False
    cites: tuple[Cite, ...] = ()


@attrs.frozen
class Procedure(Part):
    """Code that is called: procedure, phase, set-up, card text, award or rule body.

    `name` is the clause's own for `to` procedures, else `setup`, `turn.PHASE`,
    `card.NAME`, `award.NAME.gained` or `rule.NAME`.
    """

    name: str
    parameters: tuple[Parameter, ...]
    body: tuple[Stmt, ...]
    slots: tuple[str, ...]
    cites: tuple[Cite, ...] = ()


@attrs.frozen
class PointLine(Part):
    """Line of `points`, which counts as 0 if its condition is false."""

    label: str
    value: Expr
    cites: tuple[Cite, ...] = ()
    condition: Expr | None = None


@attrs.frozen
class PointTable(Part):
    """Lines of `points`, which are summed for a player (in slot 1)."""

    lines: tuple[PointLine, ...]
    slots: tuple[str, ...]


@attrs.frozen
class Award(Part):
    """Award held by the player with the highest `measure` (slot 1 is the player).

    Only players with at least `at_least` and for whom `only_if` is true compete. If
    `tie` is the holder, a holder who shares the maximum keeps the award. `gained` and
    `lost` are procedures with the player as parameter.
    """

    name: str
    measure: Expr
    at_least: Expr | None
    only_if: Expr | None
    tie: Tie
    gained: str | None
    lost: str | None
    slots: tuple[str, ...]
    cites: tuple[Cite, ...] = ()


@attrs.frozen
class Rule(Part):
    """Rule whose condition is evaluated whenever the state has settled.

    With `slot`, it applies to the first member of `set` that meets the condition. Its
    procedure then runs, with that member as argument.
    """

    name: str
    condition: Expr
    slot: int | None
    set: Expr | None
    procedure: str
    slots: tuple[str, ...]
    cites: tuple[Cite, ...] = ()


@attrs.frozen
class Limit(Part):
    """Limit of `count` actions per player and period.

    A field `limit.NAME` of each player counts them; the requirement is in the actions.
    """

    name: str
    count: Expr
    period: Period
    actions: tuple[str, ...]


@attrs.frozen
class Hint(Part):
    word: str
    name: str
    text: str


@attrs.frozen
class Stroke(Part):
    """Path of a drawing in SVG syntax, normalised to letters and numbers.

    `fill` and `line` are colours of six hexadecimal digits, `own` (the colour of the
    drawn thing), `ink` (a colour that is readable on `own`), or None.
    """

    path: str
    fill: str | None = None
    line: str | None = None
    width: str | None = None


@attrs.frozen
class Drawing(Part):
    """Paths with coordinates from -10 to 10 around a centre, bottom path first."""

    name: str
    strokes: tuple[Stroke, ...]


@attrs.frozen
class Given(Part):
    """Scenario step `WHO is to move in PHASE`."""

    player: Expr
    phase: str


@attrs.frozen
class SetOption(Part):
    """Scenario step in `given` that sets an option of the game."""

    option: str
    value: Expr


@attrs.frozen
class SetRound(Part):
    """Scenario step in `given` that sets the round of the player to move."""

    value: Expr


@attrs.frozen
class SetHolder(Part):
    """Scenario step in `given` that sets the holder of an award.

    The award's procedures `gained` and `lost` do not run.
    """

    award: str
    player: Expr


@attrs.frozen
class Expect(Part):
    """Scenario step `who may [not] do action(arguments) [because label]`.

    With a `price`, a number for each card, the action must cost exactly these cards.
    """

    player: Expr
    action: str
    arguments: tuple[Expr, ...]
    legal: bool
    because: str | None
    price: tuple[int, ...] | None = None


@attrs.frozen
class ExpectView(Part):
    """Scenario step `who sees value`, or `who does not see value`.

    `value` is None if `text` names an action, a choice or a chance event: then the last
    event of this name is meant. `nobody sees value` is a step of all viewers with
    `visible` false.
    """

    viewer: Expr | Viewers
    value: Expr | None
    text: str
    visible: bool


@attrs.frozen
class Does(Part):
    """Scenario step in which a seat does one or more actions, in order."""

    player: Expr
    action: str
    arguments: tuple[Expr, ...]


@attrs.frozen
class NextChance(Part):
    """Scenario step that sets the next outcomes of chance, or of a named event.

    With `dice`, the outcomes are the faces of one roll.
    """

    values: tuple[Expr, ...]
    dice: bool
    event: str | None = None


@attrs.frozen
class Scenario(Part):
    """Scenario, with steps that are pairs of a word and its statements.

    The statements are `Stmt`s, `Given`, `SetOption`, `SetRound`, `SetHolder`, `Expect`,
    `ExpectView`, `Does` and `NextChance`. `clause` is the title of the clause. `row` is
    the span of the scenario's row of examples, if any; `title` then includes the row's
    content.
    """

    title: str
    players: int | None
    steps: tuple[tuple[StepWord, tuple[Any, ...]], ...]
    slots: tuple[str, ...]
    clause: str
    row: Span | None = None
    cites: tuple[Cite, ...] = ()

    @property
    def place(self) -> Span:
        """Span of the row of examples, or of the clause if there is none."""
        return self.row or self.span


@attrs.frozen
class Invariant(Part):
    title: str
    body: tuple[Stmt, ...]
    slots: tuple[str, ...]
    cites: tuple[Cite, ...] = ()

    @property
    def clause(self) -> str:
        """Title of the invariant's clause."""
        return self.title

    @property
    def place(self) -> Span:
        """Span of the invariant."""
        return self.span


@attrs.frozen
class Model(Part):
    """Complete checked rules of a game; dicts are in the order of declaration.

    With `phases_each_round`, a round is one turn, in whose phases all players can act.
    """

    domains: dict[str, Domain]
    relations: dict[str, Relation]
    board: Board | None
    fields: dict[str, Field]
    pieces: dict[str, Piece]
    options: dict[str, Option]
    costs: dict[str, tuple[int, ...]]
    defines: dict[str, Define]
    actions: dict[str, Action]
    procedures: dict[str, Procedure]
    phases: tuple[str, ...]
    points: PointTable
    values: PointTable
    awards: dict[str, Award]
    rules: dict[str, Rule]
    limits: dict[str, Limit]
    turns: int
    rounds: int | None = None
    phases_each_round: bool = False
    scenarios: tuple[Scenario, ...] = ()
    invariants: tuple[Invariant, ...] = ()
    hints: tuple[Hint, ...] = ()
    drawings: dict[str, Drawing] = attrs.Factory(dict)
    measures: dict[str, GameMeasure] = attrs.Factory(dict)
