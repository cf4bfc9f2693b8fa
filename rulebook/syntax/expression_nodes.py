"""Syntax nodes of expressions."""

from __future__ import annotations

import attrs

from rulebook.shared_enums import ArithmeticOperator, Comparison
from rulebook.syntax.base_nodes import Name, Node

# ---------------------------------------------------------------- expressions


@attrs.frozen
class Number(Node):
    value: int


@attrs.frozen
class YesNo(Node):
    value: bool


@attrs.frozen
class NoneValue(Node):
    """`none`: no member, or no number."""


@attrs.frozen
class Nothing(Node):
    """`nothing`: the empty bag."""


@attrs.frozen
class You(Node):
    """`you`: the player who acts."""


@attrs.frozen
class NameRef(Node):
    """Bare name: variable, member, option, field of the game, definition or kind."""

    name: Name


@attrs.frozen
class LinkRef(Node):
    """`A-B`: a link named by its two ends."""

    first: Name
    second: Name


@attrs.frozen
class Of(Node):
    """`owner's name` or `owner's name(arguments)`; `your x` has `You` as owner."""

    owner: Expr
    name: Name
    arguments: tuple[Expr, ...] = ()


@attrs.frozen
class Apply(Node):
    """`name(arguments)`: call of a definition, or value with indices."""

    name: Name
    arguments: tuple[Expr, ...]


@attrs.frozen
class ArithExpression(Node):
    """Arithmetic on two numbers with the operator `op`.

    The parser sets `op`; only `rulebook.parse.arithmetic_builders` distinguishes the
    productions.
    """

    op: ArithmeticOperator = attrs.field(converter=ArithmeticOperator)
    left: Expr
    right: Expr


@attrs.frozen
class Negate(Node):
    value: Expr


@attrs.frozen
class CompareExpression(Node):
    """`left op right`: comparison of two values."""

    op: Comparison = attrs.field(converter=Comparison)
    left: Expr
    right: Expr


@attrs.frozen
class AndExpression(Node):
    left: Expr
    right: Expr


@attrs.frozen
class OrExpression(Node):
    left: Expr
    right: Expr


@attrs.frozen
class NotExpression(Node):
    value: Expr


@attrs.frozen
class Is(Node):
    """`subject is [not] word [preposition object]`: test of a predicate or a value.

    `word` is a name, or one of the texts `you`, `none`, `empty`.
    """

    subject: Expr
    negated: bool
    word: Name
    preposition: str | None = None
    object: Expr | None = None


@attrs.frozen
class IsSame(Node):
    """`subject is [not] other`; `other` has an owner, or is the next player."""

    subject: Expr
    negated: bool
    other: Expr


@attrs.frozen
class IsIn(Node):
    """`subject is [not] in container`: test of membership."""

    subject: Expr
    negated: bool
    container: Expr


@attrs.frozen
class Has(Node):
    """`subject has content`: test for cards or pieces."""

    subject: Expr
    content: Content


@attrs.frozen
class HasA(Node):
    """`has a NAME` (present) or `has no NAME` (absent)."""

    name: Name
    present: bool


@attrs.frozen
class HasAnothers(Node):
    """`has another KIND's NAME`, or `has no other KIND's NAME` if not present.

    The piece may belong to any member of the kind but one. For players, that is the
    subject or `you`; for other kinds, it is the member with the kind's name.
    """

    kind: Name
    name: Name
    present: bool = True


@attrs.frozen
class HasAmount(Node):
    """`has 3 salt`, `has (expr) salt`: that number or more."""

    count: Expr
    name: Name


@attrs.frozen
class HasThing(Node):
    """Any other content of `has`: `your pack has gift`, `space has [no] your tent`."""

    value: Expr
    present: bool = True


@attrs.frozen
class HasSome(Node):
    """`has 2 of your tents`, `has at least 2 of your tents`: that number or more."""

    count: Expr
    value: Expr


@attrs.frozen
class HasRoom(Node):
    """`has room for a tent`, `has room for 2 of your tents`."""

    value: Expr
    count: Expr | None = None


SMALLEST = frozenset(("fewest", "least", "lowest", "smallest", "shortest"))
"""Words of superlatives for which less is better."""

Content = HasA | HasAnothers | HasAmount | HasThing | HasSome | HasRoom


@attrs.frozen
class ClockwiseExpression(Node):
    """`players clockwise from start`, or with `after` without the start player.

    With `reverse`, `players counterclockwise to start`.
    """

    start: Expr
    reverse: bool
    after: bool = False


@attrs.frozen
class NumberRange(Node):
    """`low to high` as a set of numbers."""

    low: Expr
    high: Expr


@attrs.frozen
class Most(Node):
    """`most VALUE`, `lowest VALUE`; `word` is the superlative."""

    word: str
    value: Expr


@attrs.frozen
class InOrder(Node):
    """`in order of VALUE, then VALUE, first COUNT` or `in falling order of …`."""

    values: tuple[Expr, ...]
    falling: bool
    count: Expr | None = None


@attrs.frozen
class BinderPhrase(Node):
    """`KIND [NAME] [in DOMAIN] [in order of …] [with the most …] [where CONDITION]`.

    The name defaults to the kind's. With `where still` the condition is evaluated at
    each member's turn. A step of a way is `KIND BEFORE to NAME where CONDITION`.
    """

    kind: Name
    name: Name | None = None
    domain: Expr | ClockwiseExpression | NumberRange | None = None
    where: Expr | None = None
    order: InOrder | None = None
    best: tuple[Most, ...] = ()
    still: bool = False
    before: Name | None = None


@attrs.frozen
class Some(Node):
    binder: BinderPhrase


@attrs.frozen
class NoneOf(Node):
    """`no BINDER`: true if no member matches."""

    binder: BinderPhrase


@attrs.frozen
class Every(Node):
    """`every BINDER`: the set of all matching members."""

    binder: BinderPhrase


@attrs.frozen
class ExactlyOne(Node):
    """`exactly one BINDER`; as the condition of an `if` it binds the member."""

    binder: BinderPhrase


@attrs.frozen
class First(Node):
    """`first BINDER`: the first matching member, in the order of the domain."""

    binder: BinderPhrase


@attrs.frozen
class OnlyExpression(Node):
    """`only BINDER`: the only matching member, or none if there are several."""

    binder: BinderPhrase


@attrs.frozen
class NextPlayer(Node):
    """`next player [after WHO] [where CONDITION]`; the default of WHO is `you`."""

    after: Expr | None = None
    where: Expr | None = None


@attrs.frozen
class HighestExpression(Node):
    """`highest VALUE of any BINDER`; `word` is the superlative."""

    word: str
    value: Expr
    binder: BinderPhrase


@attrs.frozen
class NumberOf(Node):
    """`number of WHAT [NAME] [in PLACE] [with the most …] [where CONDITION]`.

    With a condition or a superlative, `what` is the kind that the binder iterates over.
    It has a name of its own only with a condition. `range`: numbers instead of a kind.
    `on`: pieces on one space; `another`: those of any other member of that kind.
    """

    what: Expr
    place: Expr | None = None
    where: Expr | None = None
    best: tuple[Most, ...] = ()
    name: Name | None = None
    on: bool = False
    another: Name | None = None
    range: NumberRange | None = None


@attrs.frozen
class SumOver(Node):
    """`sum over BINDER of VALUE`: sum over all matching members."""

    binder: BinderPhrase
    value: Expr


@attrs.frozen
class BagOverExpression(Node):
    """`bag over BINDER of COUNT`: a bag with that number of each member."""

    binder: BinderPhrase
    count: Expr


@attrs.frozen
class CombinationPhrase(Node):
    """`[NAME] of [SIZE] KIND in HOLDER [where CONDITION]`, after `combination`.

    The name defaults to `combination`. The size is `N`, `at least N` or `at most N`;
    `least` and `most` are equal for the first.
    """

    kind: Name
    holder: Expr
    name: Name | None = None
    least: Expr | None = None
    most: Expr | None = None
    where: Expr | None = None


@attrs.frozen
class SomeCombination(Node):
    binder: CombinationPhrase


@attrs.frozen
class NoCombination(Node):
    """`no combination …`: true if no combination matches."""

    binder: CombinationPhrase


@attrs.frozen
class NumberOfCombinations(Node):
    """`number of combinations …`: the number of matching combinations."""

    binder: CombinationPhrase


@attrs.frozen
class HighestOfCombinations(Node):
    """`highest VALUE of any combination …`; `word` is the superlative."""

    word: str
    value: Expr
    binder: CombinationPhrase


@attrs.frozen
class LongestTrailExpression(Node):
    """`longest trail of LINKS and LINKS by NUMBER changing at BINDER broken at BINDER`.

    All parts except the first links are optional; `also` contains the further links.
    """

    links: Expr
    broken_at: BinderPhrase | None = None
    also: tuple[Expr, ...] = ()
    by: Expr | None = None
    changing_at: BinderPhrase | None = None


@attrs.frozen
class ReachExpression(Node):
    """`reach from START over BINDER through BINDER within NUMBER steps`: spaces."""

    start: Expr
    over: BinderPhrase
    through: BinderPhrase | None = None
    within: Expr | None = None


@attrs.frozen
class DistanceExpression(Node):
    """`steps from START to GOAL over BINDER through BINDER`: the shortest distance.

    With a price, `cheapest way from … by PRICE`.
    """

    start: Expr
    goal: Expr
    over: BinderPhrase
    through: BinderPhrase | None = None
    by: Expr | None = None


@attrs.frozen
class CardAt(Node):
    """`the top card of STACK`, or `the card at place N of STACK`.

    Places are numbered from 1 at the top, or at the bottom if `from_bottom`.
    """

    stack: Expr
    place: Expr | None = None
    from_bottom: bool = False


@attrs.frozen
class PieceFieldValue(Node):
    """`PIECE's NAME at SPACE`, a value that travels with the piece."""

    piece: Expr
    name: Name
    space: Expr


@attrs.frozen
class ConditionalExpression(Node):
    """`(VALUE if CONDITION, otherwise OTHER)`; chains nest in `other`."""

    value: Expr
    condition: Expr
    other: Expr


@attrs.frozen
class MemberAfterExpression(Node):
    """`NUMBER places after MEMBER`, or `before`: another member of the same kind."""

    places: Expr
    member: Expr
    before: bool = False


@attrs.frozen
class HalfOf(Node):
    """`half of VALUE`, rounded down."""

    value: Expr


@attrs.frozen
class ExtremeExpression(Node):
    """`smaller of (a, b)` or `larger of (a, b)`: one of two numbers."""

    smaller: bool
    left: Expr
    right: Expr


@attrs.frozen
class CostOf(Node):
    name: Name


@attrs.frozen
class Amount(Node):
    """`2 salt`: a number of cards of one kind."""

    count: int
    name: Name


@attrs.frozen
class Amounts(Node):
    """`2 salt, 1 silk`: a bag written as a literal."""

    amounts: tuple[Amount, ...]


Expr = (
    Number
    | YesNo
    | NoneValue
    | Nothing
    | You
    | NameRef
    | LinkRef
    | Of
    | Apply
    | ArithExpression
    | Negate
    | CompareExpression
    | AndExpression
    | OrExpression
    | NotExpression
    | Is
    | IsIn
    | IsSame
    | Has
    | Some
    | NoneOf
    | Every
    | ExactlyOne
    | First
    | OnlyExpression
    | NextPlayer
    | HighestExpression
    | NumberOf
    | SumOver
    | BagOverExpression
    | SomeCombination
    | NoCombination
    | NumberOfCombinations
    | HighestOfCombinations
    | LongestTrailExpression
    | ReachExpression
    | DistanceExpression
    | CardAt
    | PieceFieldValue
    | HalfOf
    | MemberAfterExpression
    | ConditionalExpression
    | ExtremeExpression
    | CostOf
    | Amounts
)
