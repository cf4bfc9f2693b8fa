"""Syntax nodes of clauses, headers and whole files."""

from __future__ import annotations

import attrs

from rulebook.shared_enums import Period, StepWord, Tie
from rulebook.source.spans import NOWHERE, Cite, Span
from rulebook.syntax.base_nodes import Clause, Name, Node
from rulebook.syntax.component_nodes import (
    CardsClause,
    ColumnsClause,
    CornersClause,
    CostClause,
    DiceClause,
    HexesClause,
    KindClause,
    LinksClause,
    OptionClause,
    PieceClause,
    SpacesClause,
    Table,
)
from rulebook.syntax.definition_nodes import (
    DefineClause,
    ExpectClause,
    ExpectNamesClause,
    ExpectProcedureClause,
    ProcedureClause,
)
from rulebook.syntax.expression_nodes import BinderPhrase, Expr
from rulebook.syntax.section_nodes import AsInClause, HeadingsClause, SectionClause
from rulebook.syntax.statement_nodes import Stmt
from rulebook.syntax.syntax_enums import (
    EditPart,
    EditVerb,
    FileSort,
    Side,
    TextSort,
)
from rulebook.syntax.type_nodes import ParameterPhrase, TypeExpr

# ---------------------------------------------------------------- clauses


@attrs.frozen
class Source(Node):
    """`source NAME "title" in LANGUAGE`: a cited text, in all languages by default."""

    name: Name
    text: str
    language: Name | None = None


@attrs.frozen
class Team(Node):
    """`team NAME: SEAT, …`: seats that win together."""

    name: Name
    members: tuple[Name, ...]


@attrs.frozen
class Header(Node):
    """Header of a file: its sort and, for a game, its metadata.

    `players` are the minimum and maximum number of players. A file of words has a
    `language`; the name in a companion's header is the game's. `companions` are the
    companions that a game names.

    A short header is `extends NAME` alone: the file's name is the rulebook's, and the
    title is empty. Such a file may leave out the version, which then defaults to 1.
    `over` names the games that a house rule amends. `themes` are the files that declare
    looks; `lacks` are the themes that were not found.
    """

    sort: FileSort = attrs.field(converter=FileSort)
    name: Name
    title: str
    extends: tuple[Name, ...] = ()
    boards: tuple[Name, ...] = ()
    players: tuple[int, int] | None = None
    seats: tuple[Name, ...] = ()
    sources: tuple[Source, ...] = ()
    turns: int | None = None
    cites: tuple[Cite, ...] = ()
    is_short: bool = False
    over: tuple[Name, ...] = ()
    rounds: int | None = None
    teams: tuple[Team, ...] = ()
    companions: tuple[Name, ...] = ()
    language: Name | None = None
    themes: tuple[Name, ...] = ()
    lacks: tuple[Name, ...] = ()


@attrs.frozen
class FieldLine(Clause):
    name: Name
    type: TypeExpr
    seen_by: str = "all"
    starts_at: Expr | None = None
    starts_of_each: Expr | None = None
    starts_every: Name | None = None
    resets: bool = False
    shown: bool = True
    parameters: tuple[ParameterPhrase, ...] = ()


@attrs.frozen
class FieldsClause(Clause):
    """`each OWNER has FIELDS` or, with owner None, `the game has FIELDS`."""

    owner: Name | None
    fields: tuple[FieldLine, ...]


@attrs.frozen
class Pays(Clause):
    """`pays COST`, `pays 2 salt` or `pays card's cost`: the price of an action."""

    price: Expr


@attrs.frozen
class Needs(Clause):
    label: Name
    condition: Expr
    reason: str


@attrs.frozen
class NeedsAs(Clause):
    """`needs as OTHER_ACTION except LABEL`: the requirements of another action.

    Both actions must have the same parameters.
    """

    action: Name
    without: tuple[Name, ...] = ()


ActionLine = Pays | Needs | NeedsAs | Stmt


@attrs.frozen
class ActionClause(Clause):
    name: Name
    parameters: tuple[ParameterPhrase, ...]
    lines: tuple[ActionLine, ...]


@attrs.frozen
class CardTextClause(Clause):
    """`card NAME`: the effect of a card; `needs` lines are required to play it.

    A card without an effect may have only a text for its readers.
    """

    name: Name
    text: str | None
    lines: tuple[ActionLine, ...]


@attrs.frozen
class SetupClause(Clause):
    body: tuple[Stmt, ...]


@attrs.frozen
class EndClause(Clause):
    """`end`: statements that determine the winners when the game is over."""

    body: tuple[Stmt, ...]


@attrs.frozen
class RoundClause(Clause):
    """`before each round` or `after each round`; `when` is the first word."""

    when: Side = attrs.field(converter=Side)
    body: tuple[Stmt, ...]


@attrs.frozen
class SkipClause(Clause):
    """`skip player where CONDITION`: players whose turns are skipped."""

    binder: BinderPhrase


@attrs.frozen
class Phase(Clause):
    """`phase NAME`, or `phase NAME, each BINDER`: `you` is each player in turn.

    A phase in a `round` clause runs once in each round, a phase in a `turn` clause once
    in each turn.
    """

    name: Name
    players: BinderPhrase | None
    body: tuple[Stmt, ...]
    each_round: bool = False


@attrs.frozen
class TurnClause(Clause):
    """`turn`, or `round` if its phases run once in each round."""

    phases: tuple[Phase, ...]


@attrs.frozen
class PointsLine(Clause):
    label: Name
    value: Expr
    condition: Expr | None = None


@attrs.frozen
class PointsClause(Clause):
    subject: ParameterPhrase
    lines: tuple[PointsLine, ...]


@attrs.frozen
class HintValueClause(Clause):
    """`hint value of player`: lines that only bots add to the points."""

    subject: ParameterPhrase
    lines: tuple[PointsLine, ...]


@attrs.frozen
class MeasureClause(Clause):
    """`measure NAME of player each turn: expression "unit"`: a number for each game.

    With a `subject` there is one for each player. With `each_turn` it is taken at the
    end of every turn, else when the game is over. The unit is for display, and empty if
    none is given.
    """

    name: Name
    subject: ParameterPhrase | None
    each_turn: bool
    value: Expr
    unit: str


@attrs.frozen
class HintClause(Clause):
    """`hint WORD NAME: "text"`, as in `hint colour NAME: "#2e7d32"`.

    A cell of a `look` is a hint too, with its column as the word and its row as the
    name; in a `style` it is the other way round. `place` is the span of the text,
    including its quotes.
    """

    word: Name
    name: Name
    text: str
    place: Span = attrs.field(default=NOWHERE, eq=False, repr=False)
    is_quoted: bool = attrs.field(default=True, eq=False, repr=False)


@attrs.frozen
class ColourClause(Clause):
    """`colour NAME: "#2e7d32"`, or a line of `colours`."""

    name: Name
    text: str
    place: Span = attrs.field(default=NOWHERE, eq=False, repr=False)


@attrs.frozen
class DrawingClause(Clause):
    """`drawing NAME` with a row for each of its paths, from back to front."""

    name: Name
    table: Table


@attrs.frozen
class AwardClause(Clause):
    name: Name
    subject: ParameterPhrase
    most: Expr | None = None
    at_least: Expr | None = None
    only_if: Expr | None = None
    tie: Tie | None = attrs.field(
        default=None, converter=attrs.converters.optional(Tie)
    )
    gained: tuple[Stmt, ...] = ()
    lost: tuple[Stmt, ...] = ()
    tie_span: Span = attrs.field(default=NOWHERE, eq=False, repr=False)


@attrs.frozen
class RuleClause(Clause):
    """`rule NAME` with `whenever CONDITION:` or `whenever any BINDER:`."""

    name: Name
    condition: Expr | None
    binder: BinderPhrase | None
    body: tuple[Stmt, ...]


@attrs.frozen
class LimitClause(Clause):
    """`limit NAME: at most N each PERIOD of ACTIONS "reason"`, which limits actions."""

    name: Name
    count: Expr
    period: Period = attrs.field(converter=Period)
    actions: tuple[Name, ...]
    reason: str


@attrs.frozen
class PaymentsClause(Clause):
    """`payments of SUBJECT: SOURCE to DESTINATION`, or `by PROCEDURE if PREDICATE`."""

    subject: ParameterPhrase
    source: Expr | None = None
    destination: Expr | None = None
    by: Name | None = None
    condition: Name | None = None


@attrs.frozen
class ScenarioStep(Node):
    word: StepWord = attrs.field(converter=StepWord)
    body: tuple[Stmt, ...]
    cites: tuple[Cite, ...] = attrs.field(default=(), kw_only=True)


@attrs.frozen
class ScenarioClause(Clause):
    """Scenario; with `examples`, one scenario for each row of the table.

    If `players` is None, it is the maximum that the rules allow. With `over`, the
    scenario is only for that game.
    """

    title: str
    steps: tuple[ScenarioStep, ...]
    players: Expr | None = None
    over: Name | None = None
    examples: Table | None = None


@attrs.frozen
class InvariantClause(Clause):
    title: str
    body: tuple[Stmt, ...]


@attrs.frozen
class WordLine(Node):
    """`a.b = "one", "many"`: texts for a name, with the names in braces as `gaps`.

    A gap with two names is a part of something: `{partner's hand}`. `kinds` are those
    that gaps count: `{n wood}`. For a sentence (`"text" = "translation"`), the path is
    the sentence in quotes.
    """

    path: tuple[Name, ...]
    texts: tuple[str, ...]
    gaps: tuple[tuple[Name, ...], ...] = attrs.field(default=(), eq=False, repr=False)
    is_sentence: bool = attrs.field(default=False, repr=False)
    kinds: tuple[Name, ...] = attrs.field(default=(), eq=False, repr=False)


@attrs.frozen
class WordsClause(Clause):
    """`words LANGUAGE`, `questions LANGUAGE` or `reports LANGUAGE`.

    In a companion file of words, the header names the language.
    """

    language: Name | None
    lines: tuple[WordLine, ...]
    sort: TextSort = TextSort.WORDS


@attrs.frozen
class CiteLine(Node):
    """Line of a `citations` or `as in` clause.

    `library` is the library that must declare the clause (`as in`), if given.
    """

    path: tuple[Name, ...]
    cites: tuple[Cite, ...]
    library: Name | None = None


@attrs.frozen
class CitationsClause(Clause):
    lines: tuple[CiteLine, ...]


Declaration = (
    KindClause
    | CardsClause
    | ColumnsClause
    | SpacesClause
    | HexesClause
    | CornersClause
    | LinksClause
    | OptionClause
    | CostClause
    | DiceClause
    | PieceClause
    | FieldsClause
    | DefineClause
    | ExpectClause
    | ExpectNamesClause
    | ExpectProcedureClause
    | ActionClause
    | ProcedureClause
    | CardTextClause
    | SetupClause
    | EndClause
    | RoundClause
    | SkipClause
    | TurnClause
    | PointsClause
    | HintValueClause
    | MeasureClause
    | HintClause
    | ColourClause
    | DrawingClause
    | AwardClause
    | RuleClause
    | LimitClause
    | PaymentsClause
    | ScenarioClause
    | InvariantClause
    | WordsClause
    | CitationsClause
    | SectionClause
    | HeadingsClause
    | AsInClause
)

# ---------------------------------------------------------------- amendments


@attrs.frozen
class Replace(Clause):
    """`replace CLAUSE`, with the new clause."""

    clause: Declaration


@attrs.frozen
class Remove(Clause):
    """`remove SORT NAME`; scenarios and invariants are named by their titles."""

    sort: str
    name: Name


@attrs.frozen
class Edit(Clause):
    """Edit: one line below `in SORT NAME`.

    `name` is the label of the edited part, and `content` the new part (None for
    remove). `anchor` is the phase next to which an added phase comes, on the side
    `where`, or the step that contains the edited menu.
    """

    verb: EditVerb = attrs.field(converter=EditVerb)
    part: EditPart = attrs.field(converter=EditPart)
    name: Name | None = None
    content: object = None
    anchor: Name | None = None
    where: Side | None = attrs.field(
        default=None, converter=attrs.converters.optional(Side)
    )


@attrs.frozen
class Within(Clause):
    """`in SORT [NAME]` with its edits."""

    sort: str
    name: Name | None
    edits: tuple[Edit, ...]


Amendment = Replace | Remove | Within


@attrs.frozen
class File(Node):
    """Parsed file: language version, header and clauses in order."""

    version: int
    header: Header | None
    clauses: tuple[Declaration | Amendment, ...]
