"""What checked rules consist of, up to the whole of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs

from rulebook.model.base import Expr, Part
from rulebook.model.measures import GameMeasure
from rulebook.model.sorts import Audience, DomainSort, RelationSort, RequirementSort
from rulebook.model.statements import Stmt
from rulebook.model.types import Member, Type, Whole
from rulebook.sorts import Orientation, Period, StepWord, Tie
from rulebook.source.spans import Cite, Span

POSITION_KEYS = (
    *("players", "options", "board", "turn", "round", "active", "starter", "order"),
    *("game", "pieces", "awards", "seen", "split", "answers", "pending", "triggers"),
    *("chance", "end", "points", "at_least"),
)
"""The parts of every position and view. Beside them stand the fields of the members
of kinds, by kind: so no kind with fields is called as one of these."""


@attrs.frozen
class Column(Part):
    """A constant attribute: its values in the order of the members."""

    name: str
    type: Type
    values: tuple[Any, ...]


@attrs.frozen
class Axis(Part):
    """A coordinate of spaces: `size` values of a type, the first one `low`."""

    name: str
    type: Type
    low: int
    size: int


@attrs.frozen
class Domain(Part):
    """A finite ordered list of members.

    Of `player` the members are all seats and a game uses the first ones. `copies`
    (numbers or options) says how many there are of each card. With `each_player` the
    members are repeated for every player in play, all of the first player's first. With
    `axes` they lie at all combinations of coordinates, the last axis running fastest.
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
    """Return whether a type is a member of a kind of cards, or none."""
    if not isinstance(type_, Member):
        return False
    return domains[type_.domain].sort is DomainSort.CARDS


@attrs.frozen
class Relation(Part):
    """A relation of the board: from each member of `source` to a set of `target`."""

    name: str
    source: str
    target: str
    sort: RelationSort


@attrs.frozen
class Board(Part):
    """The spaces of a layout as tables of indices; the graph is made from them.

    `face_corners` are the corners of each face, clockwise from the north; they are in
    axial coordinates `face_places` (q, r). `link_ends` are the two ends of each link,
    in the order of the ends' domain. A board without hexes has no faces, and its
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
    """A part of the state. Key in the model: `name` of the game, else `owner.name`.

    A field for each pair (`level(kind)`) is of a domain of the sort `pair`, which is
    named by its `home` and the field: `player.level`, of the game `.price`.

    `start` is the value at set-up; for a bag `start_each` is how many of each member;
    with `start_every` the holder begins with every card of its domain. An endless bag
    never runs out. `resets` sets the start value again when a turn begins,
    `resets_round` when a round does. `dealt` fields are what set-up deals on the board.
    `faces` are the values of a die, one for each side.
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
    dealt: bool = False
    faces: tuple[int, ...] = ()
    cites: tuple[Cite, ...] = ()

    @property
    def key(self) -> str:
        """The name under which the model lists the field."""
        if self.owner is None:
            return self.name
        if self.is_pair:
            return self.owner.removeprefix(".")
        return f"{self.owner}.{self.name}"

    @property
    def each_player(self) -> bool:
        """Whether each player has one."""
        return self.owner == DomainSort.PLAYER

    @property
    def is_pair(self) -> bool:
        """Whether it has a value for each pair."""
        return self.owner is not None and "." in self.owner

    @property
    def home(self) -> str | None:
        """The domain of whose members it is a part; None: of the game."""
        if self.owner is None:
            return None
        return self.owner.partition(".")[0] or None


@attrs.frozen
class Room(Part):
    """How many pieces of a kind may stand on one space: `most` (None: any number) of
    each player, or of all together."""

    most: Expr | None
    each_player: bool = False


@attrs.frozen
class Piece(Part):
    """Where no `room` is said, at most one piece of a name stands on a space. `count`
    is for each player (then a piece has an owner) or in all. The only one there is
    moves when it is placed."""

    name: str
    plural: str
    count: Expr
    each_player: bool
    stands_on: tuple[str, ...]
    cites: tuple[Cite, ...] = ()
    room: Room | None = None

    @property
    def moves(self) -> bool:
        """Whether there is one, for each player or in all, whatever the settings."""
        return self.count.type == Whole(1, 1)


@attrs.frozen
class Option(Part):
    """A choice made before set-up. Type Truth or Whole; `default` is guarded values
    of which the first whose condition holds (None: always) applies."""

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
    """`label` may be empty; condition None: always."""

    label: str
    value: Expr
    condition: Expr | None
    cites: tuple[Cite, ...] = ()


@attrs.frozen
class Define(Part):
    """A derived value: the value of the first line whose condition holds.

    `sentence` shows how it is used, `path is in_reach for player`. For a truth a line
    without a condition that is not the last means: yes if it holds, else go on.
    (The checker writes such a line as value yes with that condition.) When no line
    applies the value is no, 0 or none. `adds`: the lines are summed instead. One that
    says that an `action` is legal follows from what that needs, and is in no digest.
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


@attrs.frozen
class Requirement(Part):
    """A condition of an action. `reason` is the sentence for people; for `pays` and
    `enough`, `holder` and `bag` are what must be covered by what."""

    label: str
    sort: RequirementSort
    condition: Expr
    reason: str
    holder: Expr | None = None
    bag: Expr | None = None
    cites: tuple[Cite, ...] = ()


@attrs.frozen
class Action(Part):
    """What a seat may choose. The price is paid in the body, guarded by slot FREE.

    `order` is its place among the declared actions. For the choice of a statement
    (`inline`) only name and parameters count.
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
    """A unit that is called: procedure, phase, set-up, card text, award or rule body.

    `name` is the clause's: `to` procedures their own, `setup`, `turn.PHASE`,
    `card.NAME`, `award.NAME.gained`, `rule.NAME`.
    """

    name: str
    parameters: tuple[Parameter, ...]
    body: tuple[Stmt, ...]
    slots: tuple[str, ...]
    cites: tuple[Cite, ...] = ()


@attrs.frozen
class PointLine(Part):
    """It counts 0 where its condition does not hold."""

    label: str
    value: Expr
    cites: tuple[Cite, ...] = ()
    condition: Expr | None = None


@attrs.frozen
class PointTable(Part):
    """Lines summed for a player, who is slot 1."""

    lines: tuple[PointLine, ...]
    slots: tuple[str, ...]


@attrs.frozen
class Award(Part):
    """Held by the player with the most of `measure` (slot 1 is the player).

    Only players with at least `at_least` and for whom `only_if` holds compete.
    With `tie` at the holder, who holds it keeps it while among the most.
    `gained` and `lost` are procedures with the player as parameter.
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
    """Tested whenever the state has settled. With `slot`, for any member of `set`,
    the first that meets the condition. Then the procedure runs, with the member."""

    name: str
    condition: Expr
    slot: int | None
    set: Expr | None
    procedure: str
    slots: tuple[str, ...]
    cites: tuple[Cite, ...] = ()


@attrs.frozen
class Limit(Part):
    """At most `count` of the actions for a player in each period.

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
    """A path of a drawing, as SVG has it: letters and numbers and nothing else.

    `fill` and `line` are colours in six digits, `own` (of what is drawn so), `ink`
    (what can be read on that), or None.
    """

    path: str
    fill: str | None = None
    line: str | None = None
    width: str | None = None


@attrs.frozen
class Drawing(Part):
    """Paths about a middle, -10 to 10 each way, the lowest first."""

    name: str
    strokes: tuple[Stroke, ...]


@attrs.frozen
class Given(Part):
    """`WHO is to move in PHASE`."""

    who: Expr
    phase: str


@attrs.frozen
class SetOption(Part):
    """In `given`: the scenario's game is played with this value of an option."""

    option: str
    value: Expr


@attrs.frozen
class SetRound(Part):
    """In `given`: the round in which the player who is to move has a turn."""

    value: Expr


@attrs.frozen
class SetHolder(Part):
    """In `given`: who holds an award; it does nothing when gained so, or lost."""

    award: str
    who: Expr


@attrs.frozen
class Expect(Part):
    """`who may [not] do action(arguments) [because label]`."""

    who: Expr
    action: str
    arguments: tuple[Expr, ...]
    legal: bool
    because: str | None


@attrs.frozen
class Does(Part):
    """In a scenario: the seat does these actions, in order."""

    who: Expr
    action: str
    arguments: tuple[Expr, ...]


@attrs.frozen
class NextChance(Part):
    """In a scenario: the next outcomes of chance, or of the event that is named; faces
    of one roll when `dice`."""

    values: tuple[Expr, ...]
    dice: bool
    event: str | None = None


@attrs.frozen
class Scenario(Part):
    """Steps are their words with their statements: `Stmt`s and `Given`, `SetOption`,
    `SetRound`, `SetHolder`, `Expect`, `Does`, `NextChance`.

    `clause` is the title that its clause has, and `row` the place of the row of
    examples that it is made of; the title says then what the row says.
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
        """Where it stands: its row, or the clause."""
        return self.row or self.span


@attrs.frozen
class Invariant(Part):
    title: str
    body: tuple[Stmt, ...]
    slots: tuple[str, ...]
    cites: tuple[Cite, ...] = ()

    @property
    def clause(self) -> str:
        """The title that its clause has."""
        return self.title

    @property
    def place(self) -> Span:
        """Where it stands."""
        return self.span


@attrs.frozen
class Model(Part):
    """A whole checked game; the dicts are in the order of declaration."""

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
    scenarios: tuple[Scenario, ...] = ()
    invariants: tuple[Invariant, ...] = ()
    hints: tuple[Hint, ...] = ()
    drawings: dict[str, Drawing] = attrs.Factory(dict)
    measures: dict[str, GameMeasure] = attrs.Factory(dict)
