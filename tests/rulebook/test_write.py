"""From syntax tree to text and back: what is written parses to an equal tree."""

from typing import Any

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
leaves = st.one_of(
    refs,
    counts,
    st.builds(s.YesNo, st.booleans()),
    st.builds(s.NoneValue),
    st.builds(s.Nothing),
    st.builds(s.You),
    st.builds(s.LinkRef, names, names),
    st.builds(s.CostOf, names),
)


def is_no_signed_number(node: s.Expr) -> bool:
    """Whether an expression is not `-3`, which a range reads as one number."""
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
        st.none() | st.builds(s.InOrder, inner, st.booleans(), st.none() | inner),
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
    """Binders of which something is said: else `first` and `only` are names."""
    return st.builds(s.BinderPhrase, names, st.none() | names, inner, st.none() | inner)


def ways(inner: st.SearchStrategy[s.Expr]) -> tuple[st.SearchStrategy[Any], ...]:
    """What a way leads over and through: nothing is compared or sorted."""
    return plain_binders(inner), st.none() | plain_binders(inner)


def owned(inner: st.SearchStrategy[s.Expr]) -> st.SearchStrategy[s.Expr]:
    return st.builds(s.Of, inner, names)


def counted(inner: st.SearchStrategy[s.Expr]) -> st.SearchStrategy[s.Expr]:
    """Every form of `number of`."""
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
            range=literal_ranges(inner),
        ),
        st.builds(s.NumberOf, inner, inner, on=st.just(True)),
        st.builds(s.NumberOf, refs, st.none() | inner, another=st.just(True)),
        st.builds(s.NumberOf, refs, inner, on=st.just(True), another=st.just(True)),
    )


def larger(inner: st.SearchStrategy[s.Expr]) -> st.SearchStrategy[s.Expr]:
    several = st.lists(inner, max_size=2).map(tuple)
    some = st.lists(inner, min_size=1, max_size=2).map(tuple)
    binder = binders(inner)
    objects = inner | st.integers(-9, 9).map(s.Number)
    contents = st.one_of(
        st.builds(s.HasA, names, st.booleans()),
        st.builds(s.HasAnothers, names, st.booleans()),
        st.builds(s.HasAmount, inner, names),
        st.builds(s.HasThing, inner),
        st.builds(s.HasThing, owned(inner), st.booleans()),
        st.builds(s.HasSome, inner, inner),
        st.builds(s.HasRoom, inner, st.none() | counts),
    )
    return st.one_of(
        st.builds(s.Of, inner, names, several),
        st.builds(s.Apply, names, some),
        st.builds(s.ArithExpression, st.sampled_from("+-*"), inner, inner),
        st.builds(s.Negate, inner),
        st.builds(
            s.CompareExpression,
            st.sampled_from(("=", "!=", "<", "<=", ">", ">=")),
            inner,
            inner,
        ),
        st.builds(s.AndExpression, inner, inner),
        st.builds(s.OrExpression, inner, inner),
        st.builds(s.NotExpression, inner),
        st.builds(s.Is, inner, st.booleans(), names),
        st.builds(s.Is, inner, st.booleans(), names, prepositions, objects),
        st.builds(s.IsIn, inner, st.booleans(), inner),
        st.builds(s.IsSame, inner, st.booleans(), st.builds(s.Of, inner, names)),
        st.builds(s.Has, inner, contents),
        st.builds(s.Some, binder),
        st.builds(s.NoneOf, binder),
        st.builds(s.Every, binder),
        counted(inner),
        st.builds(s.ConditionalExpression, inner, inner, inner),
        st.builds(s.ExactlyOne, binder),
        st.builds(s.First, located(inner)),
        st.builds(s.OnlyExpression, located(inner)),
        st.builds(s.NextPlayer, st.none() | inner, st.none() | inner),
        st.builds(s.HighestExpression, words, inner, binder),
        st.builds(s.SumOver, plain_binders(inner), inner),
        st.builds(s.BagOverExpression, plain_binders(inner), inner),
        st.builds(s.LongestTrailExpression, inner, st.none() | binder),
        st.builds(
            s.LongestTrailExpression,
            inner,
            st.none() | binder,
            several,
            st.none() | inner,
            st.none() | plain_binders(inner),
        ),
        st.builds(s.ReachExpression, inner, binder),
        st.builds(s.ReachExpression, inner, *ways(inner), st.none() | inner),
        st.builds(s.DistanceExpression, inner, inner, *ways(inner)),
        st.builds(s.TopCardOf, inner),
        st.builds(s.HalfOf, inner),
        st.builds(s.ExtremeExpression, st.booleans(), inner, inner),
    )


exprs: st.SearchStrategy[s.Expr] = st.recursive(leaves, larger, max_leaves=8)
cites = st.lists(
    st.builds(Cite, st.sampled_from(NAMES), st.just("Any text: 1"), st.booleans()),
    max_size=1,
).map(tuple)
calls = st.lists(
    st.builds(
        s.ActionOffer, names, st.lists(exprs, max_size=1).map(tuple), st.booleans()
    ),
    min_size=1,
    max_size=2,
).map(tuple)
several = st.one_of(
    st.builds(s.SomeOf, exprs, refs),
    st.builds(s.SomeOf, exprs, exprs, st.just(True)),
    st.builds(s.UpTo, exprs, refs),
    st.builds(s.UpTo, exprs, exprs, st.just(True)),
    st.builds(s.AllCardsOf, exprs),
)
lots = exprs | several
things = st.lists(
    st.one_of(
        several,
        st.builds(s.Everything),
        st.builds(s.RandomCard),
        st.builds(s.TopCard),
        st.builds(s.WholeHolding, exprs),
    ),
    min_size=1,
    max_size=2,
).map(tuple)
binder_lines = binders(exprs)
simple = st.one_of(
    st.builds(s.Perform, names, st.lists(exprs, max_size=2).map(tuple), cites=cites),
    st.builds(s.Let, names, exprs, cites=cites),
    st.builds(s.WinTogether, st.lists(exprs, min_size=2, max_size=3).map(tuple)),
    st.builds(s.BestWin, rankings(exprs), st.none() | exprs),
    st.builds(s.WinsStatement, st.builds(s.Every, binders(exprs))),
    st.builds(s.GameEndsStatement),
    st.builds(s.NextTurnStatement, exprs),
    st.builds(s.MissesTurnStatement, exprs),
    st.builds(
        s.TurnsGoStatement,
        st.sampled_from(("clockwise", "counterclockwise", "other way")),
    ),
    st.builds(s.LetTally, names, st.lists(names, min_size=1, max_size=2).map(tuple)),
    st.builds(s.LetBag, names, names),
    st.builds(s.SetTo, exprs, exprs),
    st.builds(s.Change, exprs, exprs, st.booleans()),
    st.builds(s.Move, things, exprs, exprs, st.sampled_from((None, "top", "bottom"))),
    st.builds(s.Move, things, exprs, exprs, instead=st.booleans()),
    st.builds(s.Discard, things, exprs),
    st.builds(
        s.Place,
        lots,
        st.lists(exprs, min_size=1, max_size=2).map(tuple),
        st.booleans(),
    ),
    st.builds(s.TakeOff, lots, exprs),
    st.builds(s.Roll, st.lists(names, min_size=1).map(tuple), st.none() | exprs),
    st.builds(s.ChanceChooses, binder_lines),
    st.builds(s.Spreads, exprs, binder_lines, names, st.none() | exprs),
    st.builds(s.ChooseStatement, exprs, binder_lines, st.booleans()),
    st.builds(s.GatherStatement, exprs, exprs, exprs, binder_lines, names),
    st.builds(s.Do, exprs, calls),
    st.builds(s.MayDo, exprs, calls, times=st.none() | exprs),
    st.builds(s.SeesStatement, exprs, exprs),
    st.builds(s.WinsStatement, exprs),
    st.builds(s.Draws),
    st.builds(s.RequireStatement, exprs),
    st.builds(s.ChanceGives, st.lists(exprs, min_size=1).map(tuple), st.just(True)),
    st.builds(
        s.ChanceGives,
        st.lists(exprs, min_size=1).map(tuple),
        st.just(False),
        st.none() | names,
    ),
)


def blocks(inner: st.SearchStrategy[s.Stmt]) -> st.SearchStrategy[s.Stmt]:
    body = st.lists(inner, min_size=1, max_size=2).map(tuple)
    maybe = st.lists(inner, max_size=2).map(tuple)
    return st.one_of(
        st.builds(s.StepStatement, names, body, cites=cites),
        st.builds(s.IfStatement, exprs, body, maybe, cites=cites),
        st.builds(s.EachStatement, binder_lines, body, cites=cites),
        st.builds(s.TogetherStatement, binder_lines, body),
        st.builds(s.RepeatStatement, exprs, body),
        st.builds(s.MayChoose, exprs, binder_lines, body, maybe),
        st.builds(s.MayDo, exprs, calls, body, maybe),
        st.builds(s.MayDo, exprs, calls, body, times=exprs),
        st.builds(s.Menu, exprs, names, calls, cites=cites),
    )


stmts: st.SearchStrategy[s.Stmt] = st.recursive(simple, blocks, max_leaves=4)


def again(file: s.File) -> s.File | None:
    text = write(file)
    parsed = parse(text, "again.rules")

    assert parsed.diagnostics == (), text
    return parsed.file


@hypothesis.settings(derandomize=True, deadline=None)
@hypothesis.given(st.lists(stmts, min_size=1, max_size=3).map(tuple))
def test_any_statement(body: tuple[s.Stmt, ...]) -> None:
    file = s.File(1, None, (s.ProcedureClause(s.Name("go"), (), body),))

    assert again(file) == file


@pytest.mark.parametrize("text", [text for text, _ in CASES] + [CELLS])
@pytest.mark.parametrize("prefix", ["", "replace "])
def test_any_clause(prefix: str, text: str) -> None:
    file = parse(f"{HEAD}{prefix}{text}\n", "t.rules").file

    assert file is not None
    assert again(file) == file


@pytest.mark.parametrize("piece", ["a hut", "an oak", "2 of your oaks"])
def test_there_is_room_for_whatever_begins_its_name(piece: str) -> None:
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


def test_header_and_edits() -> None:
    parsed = parse(EDITS, "t.rules")

    assert parsed.diagnostics == ()
    assert parsed.file is not None
    assert again(parsed.file) == parsed.file


def test_lines_keep_their_place_and_their_way_of_standing() -> None:
    text = "to go\n  if a: stop\n  if b:\n    stop\n  each token: stop\n"
    parsed = parse(HEAD + text, "t.rules")
    assert parsed.file is not None

    lines = write_clause(parsed.file.clauses[0])

    assert "".join(f"{line}\n" for line in lines) == text
    assert [line.span.line for line in lines] == [2, 3, 4, 5, 6]
