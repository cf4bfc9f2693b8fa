"""From syntax tree to text and back: written text parses to an equal tree."""

from itertools import product
from typing import Any, get_args

import attrs
import hypothesis
import hypothesis.strategies as st
import pytest

from rulebook import syntax as s
from rulebook.parse import parse
from rulebook.source.spans import Cite
from rulebook.write import write, write_clause
from tests.support.trees import CASES, CELLS, HEAD

NAMES = ("ab", "c", "token", "köln_2", "where_to")
names = st.sampled_from(NAMES).map(s.Name)
refs = names.map(s.NameRef)
counts = st.integers(0, 99).map(s.Number)
bounds = st.integers(-9, 99).map(s.Number) | refs
prepositions = st.sampled_from(("for", "at", "to", "beside"))
Strategies = dict[type[s.Node], st.SearchStrategy[Any]]
"""Strategies for nodes, by class."""


def of(kind: type[s.Node], *parts: Any, **named: Any) -> Strategies:
    """Return a strategy for the nodes of a class."""
    return {kind: st.builds(kind, *parts, **named)}


def by_class(*rows: Strategies) -> Strategies:
    """Several strategies for each class, joined."""
    joined: Strategies = {}
    for row in rows:
        for kind, made in row.items():
            joined[kind] = joined[kind] | made if kind in joined else made
    return joined


LEAVES = by_class(
    {s.NameRef: refs, s.Number: counts},
    of(s.YesNo, st.booleans()),
    of(s.NoneValue),
    of(s.Nothing),
    of(s.You),
    of(s.LinkRef, names, names),
    of(s.CostOf, names),
)


def is_no_signed_number(node: s.Expr) -> bool:
    """Return whether an expression is not like `-3`, which is one number in a range."""
    return not (isinstance(node, s.Negate) and isinstance(node.value, s.Number))


def literal_ranges(
    inner: st.SearchStrategy[s.Expr],
) -> st.SearchStrategy[s.NumberRange]:
    return st.builds(s.NumberRange, st.integers(-9, 9).map(s.Number), inner)


def binders(inner: st.SearchStrategy[s.Expr]) -> st.SearchStrategy[s.BinderPhrase]:
    domains = st.one_of(
        st.none(),
        inner,
        st.builds(s.ClockwiseExpression, inner, st.booleans()),
        st.builds(s.ClockwiseExpression, inner, st.just(False), st.just(True)),
        st.builds(s.NumberRange, inner.filter(is_no_signed_number), inner),
        literal_ranges(inner),
    )
    return st.builds(
        s.BinderPhrase,
        names,
        st.none() | names,
        domains,
        st.none() | inner,
        st.none()
        | st.builds(
            s.InOrder,
            st.lists(inner, min_size=1, max_size=2).map(tuple),
            st.booleans(),
            st.none() | inner,
        ),
        rankings(inner) | st.just(()),
    )


def plain_binders(
    inner: st.SearchStrategy[s.Expr],
) -> st.SearchStrategy[s.BinderPhrase]:
    """Binders of sums, which neither sort nor compare."""
    return binders(inner).map(lambda binder: attrs.evolve(binder, order=None, best=()))


words = st.sampled_from(("most", "highest", "fewest", "lowest", "smallest"))


def rankings(
    inner: st.SearchStrategy[s.Expr],
) -> st.SearchStrategy[tuple[s.Most, ...]]:
    most = st.builds(s.Most, words, inner)
    return st.lists(most, min_size=1, max_size=2).map(tuple)


def located(inner: st.SearchStrategy[s.Expr]) -> st.SearchStrategy[s.BinderPhrase]:
    """Return binders with a condition or set; without one, `first` and `only` are
    names.
    """
    return st.builds(s.BinderPhrase, names, st.none() | names, inner, st.none() | inner)


def ways(inner: st.SearchStrategy[s.Expr]) -> tuple[st.SearchStrategy[Any], ...]:
    """Return the conditions of ways, without comparisons or sorting."""
    steps = st.builds(s.BinderPhrase, names, names, where=inner, before=names)
    return plain_binders(inner) | steps, st.none() | plain_binders(inner)


def owned(inner: st.SearchStrategy[s.Expr]) -> st.SearchStrategy[s.Expr]:
    return st.builds(s.Of, inner, names)


def counted(inner: st.SearchStrategy[s.Expr]) -> st.SearchStrategy[s.Expr]:
    """Return every form of `number of`."""
    kinds, plain = st.builds(s.NameRef, names), st.just(())
    return st.one_of(
        st.builds(s.NumberOf, inner, st.none() | inner, st.none() | inner),
        st.builds(s.NumberOf, inner, st.none() | inner, st.none(), rankings(inner)),
        st.builds(
            s.NumberOf, kinds, st.none() | inner, inner, plain | rankings(inner), names
        ),
        st.builds(
            s.NumberOf,
            inner,
            where=st.none() | inner,
            best=rankings(inner) | st.just(()),
            range=literal_ranges(inner) | st.builds(s.NumberRange, inner, inner),
        ),
        st.builds(s.NumberOf, inner, inner, on=st.just(True)),
        st.builds(s.NumberOf, refs, st.none() | inner, another=names),
        st.builds(s.NumberOf, refs, inner, on=st.just(True), another=names),
    )


def combinations(
    inner: st.SearchStrategy[s.Expr],
) -> st.SearchStrategy[s.CombinationPhrase]:
    """Combinations of any size, of one size, and with a lower or an upper limit."""
    sizes = st.one_of(
        st.just((None, None)),
        inner.map(lambda size: (size, size)),
        inner.map(lambda size: (size, None)),
        inner.map(lambda size: (None, size)),
    )
    return st.builds(
        lambda kind, holder, name, size, where: s.CombinationPhrase(
            kind, holder, name, size[0], size[1], where
        ),
        names,
        inner,
        st.none() | names,
        sizes,
        st.none() | inner,
    )


def larger(inner: st.SearchStrategy[s.Expr]) -> Strategies:
    """Strategies for expressions that contain others."""
    several = st.lists(inner, max_size=2).map(tuple)
    some = st.lists(inner, min_size=1, max_size=2).map(tuple)
    binder = binders(inner)
    objects = inner | st.integers(-9, 9).map(s.Number)
    contents = st.one_of(
        st.builds(s.HasA, names, st.booleans()),
        st.builds(s.HasAnothers, names, names, st.booleans()),
        st.builds(s.HasAmount, inner, names),
        st.builds(s.HasThing, inner),
        st.builds(s.HasThing, owned(inner), st.booleans()),
        st.builds(s.HasSome, inner, inner),
        st.builds(s.HasRoom, inner, st.none() | counts),
    )
    return by_class(
        of(s.Of, inner, names, several),
        of(s.Apply, names, some),
        of(s.ArithExpression, st.sampled_from(s.ArithmeticOperator), inner, inner),
        of(s.Negate, inner),
        of(
            s.CompareExpression,
            st.sampled_from(s.Comparison),
            inner,
            inner,
        ),
        of(s.AndExpression, inner, inner),
        of(s.OrExpression, inner, inner),
        of(s.NotExpression, inner),
        of(s.Is, inner, st.booleans(), names),
        of(s.Is, inner, st.booleans(), names, prepositions, objects),
        of(s.IsIn, inner, st.booleans(), inner),
        of(s.IsSame, inner, st.booleans(), st.builds(s.Of, inner, names)),
        of(s.Has, inner, contents),
        of(s.Some, binder),
        of(s.NoneOf, binder),
        of(s.Every, binder),
        {s.NumberOf: counted(inner)},
        of(s.ConditionalExpression, inner, inner, inner),
        of(s.ExactlyOne, binder),
        of(s.First, located(inner)),
        of(s.OnlyExpression, located(inner)),
        of(s.NextPlayer, st.none() | inner, st.none() | inner),
        of(s.HighestExpression, words, inner, binder),
        of(s.SumOver, plain_binders(inner), inner),
        of(s.BagOverExpression, plain_binders(inner), inner),
        of(s.SomeCombination, combinations(inner)),
        of(s.NoCombination, combinations(inner)),
        of(s.NumberOfCombinations, combinations(inner)),
        of(s.HighestOfCombinations, words, inner, combinations(inner)),
        of(s.LongestTrailExpression, inner, st.none() | binder),
        of(
            s.LongestTrailExpression,
            inner,
            st.none() | binder,
            several,
            st.none() | inner,
            st.none() | plain_binders(inner),
        ),
        of(s.ReachExpression, inner, binder),
        of(s.ReachExpression, inner, *ways(inner), st.none() | inner),
        of(s.DistanceExpression, inner, inner, *ways(inner)),
        of(s.CardAt, inner),
        of(s.PieceFieldValue, inner, names, inner),
        of(s.CardAt, inner, inner, st.booleans()),
        of(s.HalfOf, inner),
        of(s.MemberAfterExpression, inner, inner, st.booleans()),
        of(s.ExtremeExpression, st.booleans(), inner, inner),
    )


def any_of(strategies: Strategies) -> st.SearchStrategy[Any]:
    return st.one_of(*strategies.values())


exprs: st.SearchStrategy[s.Expr] = st.recursive(
    any_of(LEAVES), lambda inner: any_of(larger(inner)), max_leaves=8
)
amounts = st.lists(st.builds(s.Amount, st.integers(0, 99), names), min_size=1)
EXPRESSIONS = {**LEAVES, **larger(exprs), **of(s.Amounts, amounts.map(tuple))}
cites = st.lists(
    st.builds(Cite, st.sampled_from(NAMES), st.just("Any text: 1"), st.booleans()),
    max_size=1,
).map(tuple)
offers = st.builds(
    s.ActionOffer, names, st.lists(exprs, max_size=1).map(tuple), st.booleans()
)
calls = st.lists(offers, min_size=1, max_size=2).map(tuple)
several = st.one_of(
    st.builds(s.SomeOf, exprs, refs),
    st.builds(s.SomeOf, exprs, exprs, st.just(True)),
    st.builds(s.UpTo, exprs, refs),
    st.builds(s.UpTo, exprs, exprs, st.just(True)),
    st.builds(s.AllCardsOf, exprs),
)
lots = exprs | several
thing = st.one_of(
    several,
    st.builds(s.Everything),
    st.builds(s.RandomCard),
    st.builds(s.TopCard),
    st.builds(s.WholeHolding, exprs),
)
things = st.lists(thing, min_size=1, max_size=2).map(tuple)
binder_lines = binders(exprs)
SIMPLE = by_class(
    of(s.Perform, names, st.lists(exprs, max_size=2).map(tuple), cites=cites),
    of(s.Let, names, exprs, cites=cites),
    of(s.WinTogether, st.lists(exprs, min_size=2, max_size=3).map(tuple)),
    of(s.BestWin, rankings(exprs), st.none() | exprs),
    of(s.WinsStatement, st.builds(s.Every, binders(exprs))),
    of(s.GameEndsStatement),
    of(s.StartsStatement, exprs),
    of(
        s.AnnounceStatement,
        st.sampled_from(("the storm begins", "{you} pays {amount}", "{a}{a}")),
    ),
    of(s.StopStatement),
    of(s.Forget, exprs),
    of(s.ShuffleStatement, exprs),
    of(s.CarryOutStatement, exprs, st.none() | exprs),
    of(s.MayNot, exprs, offers, st.none() | names),
    of(s.MayStill, exprs, offers, st.none() | exprs),
    of(s.DoesNotSee, st.none() | exprs, exprs),
    of(s.IsToMove, exprs, names),
    of(s.NextTurnStatement, exprs),
    of(s.MissesTurnStatement, exprs),
    of(
        s.TurnsGoStatement,
        st.sampled_from(("clockwise", "counterclockwise", "other way")),
    ),
    of(s.LetTally, names, st.lists(names, min_size=1, max_size=2).map(tuple)),
    of(s.LetBag, names, names),
    of(s.SetTo, exprs, exprs),
    of(s.Change, exprs, exprs, st.booleans()),
    of(s.Move, things, exprs, exprs, st.sampled_from((None, "top", "bottom"))),
    of(s.Move, things, exprs, exprs, instead=st.booleans()),
    of(s.Discard, things, exprs),
    of(
        s.Place,
        lots,
        st.lists(exprs, min_size=1, max_size=2).map(tuple),
        st.booleans(),
    ),
    of(s.TakeOff, lots, exprs),
    of(s.Roll, st.lists(names, min_size=1).map(tuple), st.none() | exprs),
    of(s.ChanceChooses, binder_lines),
    of(s.Spreads, exprs, binder_lines, names, st.none() | exprs),
    of(s.ChooseStatement, exprs, binder_lines, st.booleans()),
    of(s.GatherStatement, exprs, exprs, exprs, binder_lines, names),
    of(s.Do, exprs, calls),
    of(s.MayDo, exprs, calls, times=st.none() | exprs),
    of(s.SeesStatement, exprs, exprs),
    of(s.WinsStatement, exprs),
    of(s.Draws),
    of(s.RequireStatement, exprs),
    of(s.ChanceGives, st.lists(exprs, min_size=1).map(tuple), st.just(True)),
    of(
        s.ChanceGives,
        st.lists(exprs, min_size=1).map(tuple),
        st.just(False),
        st.none() | names,
    ),
)


def blocks(inner: st.SearchStrategy[s.Stmt]) -> Strategies:
    """Strategies for statements that contain others."""
    body = st.lists(inner, min_size=1, max_size=2).map(tuple)
    maybe = st.lists(inner, max_size=2).map(tuple)
    return by_class(
        of(s.StepStatement, names, body, cites=cites),
        of(s.IfStatement, exprs, body, maybe, cites=cites),
        of(s.EachStatement, binder_lines, body, cites=cites),
        of(s.TogetherStatement, binder_lines, body),
        of(s.RepeatStatement, exprs, body),
        of(s.MayChoose, exprs, binder_lines, body, maybe),
        of(s.MayDo, exprs, calls, body, maybe),
        of(s.MayDo, exprs, calls, body, times=exprs),
        of(s.Menu, exprs, names, calls, cites=cites),
    )


stmts: st.SearchStrategy[s.Stmt] = st.recursive(
    any_of(SIMPLE), lambda inner: any_of(blocks(inner)), max_leaves=4
)
STATEMENTS = by_class(SIMPLE, blocks(stmts))


def again(file: s.File) -> s.File | None:
    text = write(file)
    parsed = parse(text, "again.rules")

    assert parsed.diagnostics == (), text
    return parsed.file


def test_every_class_has_a_writer() -> None:
    assert EXPRESSIONS.keys() == set(get_args(s.Expr))
    assert STATEMENTS.keys() == set(get_args(s.Stmt))


def requiring(condition: s.Expr) -> s.ProcedureClause:
    """Clause that contains an expression."""
    return s.ProcedureClause(s.Name("go"), (), (s.RequireStatement(condition),))


@pytest.mark.parametrize("kind", EXPRESSIONS, ids=lambda kind: kind.__name__)
@hypothesis.settings(derandomize=True, deadline=None, max_examples=8)
@hypothesis.given(data=st.data())
def test_expressions_survive_a_round_trip(
    kind: type[s.Node], data: st.DataObject
) -> None:
    node = data.draw(EXPRESSIONS[kind])
    clause: s.Declaration = requiring(node)
    if isinstance(node, s.Amounts):
        clause = s.CostClause(s.Name("toll"), node)
    file = s.File(1, None, (clause,))

    assert again(file) == file


@pytest.mark.parametrize("outer", s.ArithmeticOperator)
@pytest.mark.parametrize("inner", s.ArithmeticOperator)
def test_nested_operators_survive_a_round_trip(
    outer: s.ArithmeticOperator, inner: s.ArithmeticOperator
) -> None:
    small = s.ArithExpression(inner, s.NameRef(s.Name("a")), s.Number(2))
    sides: tuple[s.Expr, ...] = (small, s.Number(1))
    for left, right in product(sides, repeat=2):
        for comparison in s.Comparison:
            large = s.ArithExpression(outer, left, right)
            clause = requiring(s.CompareExpression(comparison, large, small))
            file = s.File(1, None, (clause,))

            assert again(file) == file


@pytest.mark.parametrize("kind", STATEMENTS, ids=lambda kind: kind.__name__)
@hypothesis.settings(derandomize=True, deadline=None, max_examples=8)
@hypothesis.given(data=st.data())
def test_statements_survive_a_round_trip(
    kind: type[s.Node], data: st.DataObject
) -> None:
    body = (data.draw(STATEMENTS[kind]), *data.draw(st.lists(stmts, max_size=1)))
    file = s.File(1, None, (s.ProcedureClause(s.Name("go"), (), body),))

    assert again(file) == file


@pytest.mark.parametrize("text", [text for text, _ in CASES] + [CELLS])
@pytest.mark.parametrize("prefix", ["", "replace "])
def test_clauses_survive_a_round_trip(prefix: str, text: str) -> None:
    file = parse(f"{HEAD}{prefix}{text}\n", "t.rules").file

    assert file is not None
    assert again(file) == file


@pytest.mark.parametrize("piece", ["a hut", "an oak", "2 of your oaks"])
def test_room_for_a_piece_survives_a_round_trip(piece: str) -> None:
    clause = f"define spot is free\n  spot has room for {piece}\n"
    parsed = parse(HEAD + clause, "t.rules")

    assert parsed.diagnostics == ()
    assert parsed.file is not None
    assert clause in write(parsed.file)
    assert again(parsed.file) == parsed.file


EDITS = """rules language 1
rulebook x "Title"                                            [en "Top"]
  extends a
  board b
  players 2 to 3
  seats red, blue, green
  turns 90
  source en "Text"

in action x
  add needs a: b "why"                                        [en "Why"]
  add needs as c
  replace pays 2 token
  remove needs d
  before step e: stop
  replace step f:                                             [en "F"]
    stop
    stop

in define y
  add line: a if b
  add first line: no if c
  replace line: d: yes
  remove line e

in kind z
  add row: a | 1 to 2 | N of b                                [en "Z"]
  remove row c

in award w
  replace at least 4
  add when gained: stop
  replace on a tie, nobody has it

in points
  add a: 1

in each player
  add field b: set of token, seen by owner
  remove field c

in phase day
  add action go(a) without paying
  remove action stay

in turn
  add phase night after day                                   [en "Night"]
    stop

remove invariant "x y"
remove option goal
"""


def test_headers_and_edits_survive_a_round_trip() -> None:
    parsed = parse(EDITS, "t.rules")

    assert parsed.diagnostics == ()
    assert parsed.file is not None
    assert again(parsed.file) == parsed.file


def test_formatting_keeps_the_position_and_form_of_lines() -> None:
    text = "to go\n  if a: stop\n  if b:\n    stop\n  each token: stop\n"
    parsed = parse(HEAD + text, "t.rules")
    assert parsed.file is not None

    lines = write_clause(parsed.file.clauses[0])

    assert "".join(f"{line}\n" for line in lines) == text
    assert [line.span.line for line in lines] == [2, 3, 4, 5, 6]
