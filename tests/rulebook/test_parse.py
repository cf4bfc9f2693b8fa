"""From text to syntax tree: every production builds the expected node."""

import attrs
import pytest

from rulebook import syntax as s
from rulebook.parse import parse
from rulebook.parse.grammar.keywords import spellings
from rulebook.parse.parser import make_parser
from rulebook.source.spans import Cite, Span
from rulebook.write.expression_text import expr as expr_text
from tests.support.trees import (
    CASES,
    CELLS,
    SPACE,
    A,
    B,
    C,
    X,
    clause,
    clauses,
    i,
    n,
    r,
    read,
    stmts,
)


def expr(text: str) -> s.Expr:
    (made,) = stmts(f"require {text}")

    assert isinstance(made, s.RequireStatement)
    return made.condition


def test_the_grammar_has_no_conflict() -> None:
    make_parser(strict=True)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a", A),
        ("the a", A),
        ("(a)", A),
        ("12", i(12)),
        ("yes", s.YesNo(True)),
        ("no", s.YesNo(False)),
        ("none", s.NoneValue()),
        ("nothing", s.Nothing()),
        ("you", s.You()),
        ("a-b", s.LinkRef(n("a"), n("b"))),
        ("a - b", s.ArithExpression("-", A, B)),
        ("your x", s.Of(s.You(), n("x"))),
        ("your x(1)", s.Of(s.You(), n("x"), (i(1),))),
        ("a's b's c", s.Of(s.Of(A, n("b")), n("c"))),
        ("a’s b", s.Of(A, n("b"))),
        ("a(b, 1)", s.Apply(n("a"), (B, i(1)))),
        ("cost of a", s.CostOf(n("a"))),
        ("a + b * c", s.ArithExpression("+", A, s.ArithExpression("*", B, C))),
        ("a - b - c", s.ArithExpression("-", s.ArithExpression("-", A, B), C)),
        ("-a", s.Negate(A)),
        ("a <= b", s.CompareExpression("<=", A, B)),
        ("a or b and c", s.OrExpression(A, s.AndExpression(B, C))),
        ("not a = b", s.NotExpression(s.CompareExpression("=", A, B))),
        ("a is red", s.Is(A, False, n("red"))),
        ("a is not none", s.Is(A, True, n("none"))),
        ("a is next to 0", s.Is(A, False, n("next"), "to", i(0))),
        ("a is next to -1", s.Is(A, False, n("next"), "to", i(-1))),
        ("a is open for b's c", s.Is(A, False, n("open"), "for", s.Of(B, n("c")))),
        ("a is not in b", s.IsIn(A, True, B)),
        ("a is b's c", s.IsSame(A, False, s.Of(B, n("c")))),
        ("a is not your b", s.IsSame(A, True, s.Of(s.You(), n("b")))),
        ("a is the next player", s.IsSame(A, False, s.NextPlayer())),
        ("a has no b", s.Has(A, s.HasA(n("b"), False))),
        ("a has an b", s.Has(A, s.HasA(n("b"), True))),
        ("a has another player's b", s.Has(A, s.HasAnothers(n("player"), n("b")))),
        (
            "a has no other player's b",
            s.Has(A, s.HasAnothers(n("player"), n("b"), False)),
        ),
        ("a has another guild's b", s.Has(A, s.HasAnothers(n("guild"), n("b")))),
        ("a has any b", s.Has(A, s.HasA(n("b"), True))),
        ("a has any other player's b", s.Has(A, s.HasAnothers(n("player"), n("b")))),
        (
            "a has no your b",
            s.Has(A, s.HasThing(s.Of(s.You(), n("b")), False)),
        ),
        (
            "a has none of your b",
            s.Has(A, s.HasThing(s.Of(s.You(), n("b")), False)),
        ),
        ("a has 2 of your b", s.Has(A, s.HasSome(i(2), s.Of(s.You(), n("b"))))),
        ("a has at least c of b", s.Has(A, s.HasSome(C, B))),
        ("a has room for a b", s.Has(A, s.HasRoom(B))),
        ("a has room for 2 of b's c", s.Has(A, s.HasRoom(s.Of(B, n("c")), i(2)))),
        ("a has 2 b", s.Has(A, s.HasAmount(i(2), n("b")))),
        ("a has at least c b", s.Has(A, s.HasAmount(C, n("b")))),
        ("a has (c) b", s.Has(A, s.HasAmount(C, n("b")))),
        ("a has your b", s.Has(A, s.HasThing(s.Of(s.You(), n("b"))))),
        ("some space", s.Some(SPACE)),
        (
            "no space other in a where other is red",
            s.NoneOf(
                s.BinderPhrase(
                    n("space"), n("other"), A, s.Is(r("other"), False, n("red"))
                )
            ),
        ),
        ("every space in a", s.Every(s.BinderPhrase(n("space"), None, A))),
        ("number of a", s.NumberOf(A)),
        ("number of a in b + 1", s.ArithExpression("+", s.NumberOf(A, B), i(1))),
        ("number of a in b where x", s.NumberOf(A, B, X)),
        (
            "number of a on b + 1",
            s.ArithExpression("+", s.NumberOf(A, B, on=True), i(1)),
        ),
        ("number of another player's a", s.NumberOf(A, another=n("player"))),
        ("number of any other guild's a", s.NumberOf(A, another=n("guild"))),
        (
            "number of another player's a on b",
            s.NumberOf(A, B, on=True, another=n("player")),
        ),
        ("sum over space of a", s.SumOver(SPACE, A)),
        (
            "sum over space where a or b of c",
            s.SumOver(s.BinderPhrase(n("space"), where=s.OrExpression(A, B)), C),
        ),
        ("longest trail of a broken at space", s.LongestTrailExpression(A, SPACE)),
        ("longest trail of a", s.LongestTrailExpression(A)),
        ("longest trail of a and b by c", s.LongestTrailExpression(A, None, (B,), C)),
        (
            "longest trail of a and b changing at space broken at space",
            s.LongestTrailExpression(A, SPACE, (B,), None, SPACE),
        ),
        (
            "longest trail of a and b and c changing at space where x or some space",
            s.LongestTrailExpression(
                A,
                None,
                (B, C),
                None,
                s.BinderPhrase(n("space"), where=s.OrExpression(X, s.Some(SPACE))),
            ),
        ),
        ("reach from a over space", s.ReachExpression(A, SPACE)),
        ("reach from a over space through space", s.ReachExpression(A, SPACE, SPACE)),
        (
            "reach from a over space b to c where x",
            s.ReachExpression(
                A, s.BinderPhrase(n("space"), n("c"), where=X, before=n("b"))
            ),
        ),
        (
            "steps from a to b over space b to c where x through space",
            s.DistanceExpression(
                A, B, s.BinderPhrase(n("space"), n("c"), where=X, before=n("b")), SPACE
            ),
        ),
        ("2 places after a", s.MemberAfterExpression(i(2), A)),
        ("1 place before a", s.MemberAfterExpression(i(1), A, before=True)),
        (
            "reach from a over space within 1 step",
            s.ReachExpression(A, SPACE, None, i(1)),
        ),
        (
            "reach from a over space where x through space within b + 1 steps",
            s.ReachExpression(
                A,
                s.BinderPhrase(n("space"), where=X),
                SPACE,
                s.ArithExpression("+", B, i(1)),
            ),
        ),
        (
            "some combination of cards in a where x",
            s.SomeCombination(s.CombinationPhrase(n("cards"), A, where=X)),
        ),
        (
            "number of combinations meld of 3 cards in a",
            s.NumberOfCombinations(
                s.CombinationPhrase(n("cards"), A, n("meld"), i(3), i(3))
            ),
        ),
        (
            "no combination of at least b cards in a",
            s.NoCombination(s.CombinationPhrase(n("cards"), A, None, B)),
        ),
        (
            "most b of any combination of at most b + 1 cards in a where no space",
            s.HighestOfCombinations(
                "most",
                B,
                s.CombinationPhrase(
                    n("cards"),
                    A,
                    most=s.ArithExpression("+", B, i(1)),
                    where=s.NoneOf(SPACE),
                ),
            ),
        ),
        (
            "some combination in a where x",
            s.Some(s.BinderPhrase(n("combination"), None, A, X)),
        ),
        ("steps from a to b over space", s.DistanceExpression(A, B, SPACE)),
        (
            "cheapest way from a to b over space by a",
            s.DistanceExpression(A, B, SPACE, by=A),
        ),
        (
            "steps from a to b over space through space where no space",
            s.DistanceExpression(
                A, B, SPACE, s.BinderPhrase(n("space"), where=s.NoneOf(SPACE))
            ),
        ),
        ("the top card of a = b", s.CompareExpression("=", s.CardAt(A), B)),
        (
            "the card at place 1 of a = b",
            s.CompareExpression("=", s.CardAt(A, s.Number(1)), B),
        ),
        (
            "card at place b from the bottom of a",
            s.CardAt(A, B, from_bottom=True),
        ),
        ("half of number of a", s.HalfOf(s.NumberOf(A))),
        ("smaller of (a, b)", s.ExtremeExpression(True, A, B)),
        ("larger of (a, b)", s.ExtremeExpression(False, A, B)),
    ],
)
def test_expressions(text: str, expected: s.Expr) -> None:
    assert expr(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("act_more", s.Perform(n("act_more"))),
        ("act_more(a)", s.Perform(n("act_more"), (A,))),
        ("let x be a", s.Let(n("x"), A)),
        ("let x be nothing", s.Let(n("x"), s.Nothing())),
        ("let x be a tally of b and c", s.LetTally(n("x"), (n("b"), n("c")))),
        ("let x be nothing of b", s.LetBag(n("x"), n("b"))),
        ("set a to b", s.SetTo(A, B)),
        ("increase a by 1", s.Change(A, i(1), True)),
        ("decrease a by 1", s.Change(A, i(1), False)),
        ("increase a by up to 1", s.Change(A, i(1), True, True)),
        ("decrease a by up to b", s.Change(A, B, False, True)),
        (
            "move 3 a, (x) b, x c from a to b",
            s.Move((s.SomeOf(i(3), A), s.SomeOf(X, B), s.SomeOf(X, C)), A, B),
        ),
        (
            "move up to x + 1 c from a to b",
            s.Move((s.UpTo(s.ArithExpression("+", X, i(1)), C),), A, B),
        ),
        ("move all c from a to b", s.Move((s.AllCardsOf(C),), A, B)),
        ("move everything from a to b", s.Move((s.Everything(),), A, B)),
        ("move a random card from a to b", s.Move((s.RandomCard(),), A, B)),
        ("move the top card from a to b", s.Move((s.TopCard(),), A, B)),
        (
            "move x of c(x), up to a c from a to b",
            s.Move(
                (s.SomeOf(X, s.Apply(n("c"), (X,)), True), s.UpTo(A, C)),
                *(A, B),
            ),
        ),
        ("move c from a to top of b", s.Move((s.WholeHolding(C),), A, B, "top")),
        ("move c from a to bottom of b", s.Move((s.WholeHolding(C),), A, B, "bottom")),
        ("discard c from a", s.Discard((s.WholeHolding(C),), A)),
        ("place you's x on a, b", s.Place(s.Of(s.You(), n("x")), (A, B))),
        ("place x on a in place of what stands there", s.Place(X, (A,), True)),
        ("place 2 of x on a", s.Place(s.SomeOf(i(2), X, True), (A,))),
        ("remove x from a", s.TakeOff(X, A)),
        ("remove up to 2 of x from a", s.TakeOff(s.UpTo(i(2), X, True), A)),
        ("remove all b's x from a", s.TakeOff(s.AllCardsOf(s.Of(B, n("x"))), A)),
        (
            "move (x) of c from a to b in place of what stands there",
            s.Move((s.SomeOf(X, C, True),), A, B, instead=True),
        ),
        ("shuffle a", s.ShuffleStatement(A)),
        ("roll a and b", s.Roll((n("a"), n("b")))),
        ("roll a so that x", s.Roll((n("a"),), X)),
        ("chance chooses space", s.ChanceChooses(SPACE)),
        (
            "chance spreads a over space as b so that x",
            s.Spreads(A, SPACE, n("b"), X),
        ),
        ("you choose space", s.ChooseStatement(s.You(), SPACE)),
        ("a chooses space, if there are several", s.ChooseStatement(A, SPACE, True)),
        (
            "a chooses x in 1 to 6",
            s.ChooseStatement(
                A, s.BinderPhrase(n("x"), domain=s.NumberRange(i(1), i(6)))
            ),
        ),
        (
            "you gather 2 space as x",
            s.GatherStatement(s.You(), i(2), i(2), SPACE, n("x")),
        ),
        (
            "you gather 1 to c space as x",
            s.GatherStatement(s.You(), i(1), C, SPACE, n("x")),
        ),
        (
            "a does go(b) without paying, stay",
            s.Do(A, (s.ActionOffer(n("go"), (B,), True), s.ActionOffer(n("stay")))),
        ),
        ("a may do go", s.MayDo(A, (s.ActionOffer(n("go")),))),
        (
            "a may do go, up to 2 times",
            s.MayDo(A, (s.ActionOffer(n("go")),), times=i(2)),
        ),
        (
            "a may do go, up to b times: stop",
            s.MayDo(A, (s.ActionOffer(n("go")),), (s.StopStatement(),), times=B),
        ),
        ("forget a", s.Forget(A)),
        ("carry out a", s.CarryOutStatement(A)),
        ("a sees b", s.SeesStatement(A, B)),
        ("you win", s.WinsStatement(s.You())),
        ("nobody wins", s.Draws()),
        ("a starts", s.StartsStatement(A)),
        ("stop", s.StopStatement()),
        (
            "red may not go(a) because x",
            s.MayNot(r("red"), s.ActionOffer(n("go"), (A,)), n("x")),
        ),
        ("red may still go", s.MayStill(r("red"), s.ActionOffer(n("go")))),
        (
            "red may still go for exactly 2 a, 1 b",
            s.MayStill(
                r("red"),
                s.ActionOffer(n("go")),
                s.Amounts((s.Amount(2, n("a")), s.Amount(1, n("b")))),
            ),
        ),
        ("a sees b + 1", s.SeesStatement(A, s.ArithExpression("+", B, i(1)))),
        ("a does not see b", s.DoesNotSee(A, B)),
        ("you do not see b", s.DoesNotSee(s.You(), B)),
        ("nobody sees b", s.DoesNotSee(None, B)),
        ("red is to move in day", s.IsToMove(r("red"), n("day"))),
        ("dice show 3, 4", s.ChanceGives((i(3), i(4)), True)),
        (
            "chance first gives a",
            s.ChanceGives((A,), dice=False, event=n("first")),
        ),
        ("chance gives a, b-c", s.ChanceGives((A, s.LinkRef(n("b"), n("c"))), False)),
        ("each space: stop", s.EachStatement(SPACE, (s.StopStatement(),))),
        ("repeat 2 times: stop", s.RepeatStatement(i(2), (s.StopStatement(),))),
        (
            "each space: repeat 2 times: stop",
            s.EachStatement(SPACE, (s.RepeatStatement(i(2), (s.StopStatement(),)),)),
        ),
        ("step x: stop", s.StepStatement(n("x"), (s.StopStatement(),))),
        (
            "at the same time each space: stop",
            s.TogetherStatement(SPACE, (s.StopStatement(),)),
        ),
        ("a may choose space: stop", s.MayChoose(A, SPACE, (s.StopStatement(),))),
        (
            "a may do go: stop",
            s.MayDo(A, (s.ActionOffer(n("go")),), (s.StopStatement(),)),
        ),
        (
            "each player in players clockwise from a: stop",
            s.EachStatement(
                s.BinderPhrase(n("player"), domain=s.ClockwiseExpression(A, False)),
                (s.StopStatement(),),
            ),
        ),
        (
            "each player in players counterclockwise to a: stop",
            s.EachStatement(
                s.BinderPhrase(n("player"), domain=s.ClockwiseExpression(A, True)),
                (s.StopStatement(),),
            ),
        ),
        (
            "each player where still x: stop",
            s.EachStatement(
                s.BinderPhrase(n("player"), where=X, still=True), (s.StopStatement(),)
            ),
        ),
        (
            "each player where still x, until one is left, at most 3 times: stop",
            s.EachStatement(
                s.BinderPhrase(n("player"), where=X, still=True),
                (s.StopStatement(),),
                i(3),
            ),
        ),
        (
            "each player where still or x: stop",
            s.EachStatement(
                s.BinderPhrase(n("player"), where=s.OrExpression(r("still"), X)),
                (s.StopStatement(),),
            ),
        ),
    ],
)
def test_statements(text: str, expected: s.Stmt) -> None:
    assert stmts(text) == (expected,)


def test_parses_chains_of_conditions() -> None:
    made = stmts(
        "if a: stop", "otherwise if b:", "  stop", "otherwise:", "  act_more", "stop"
    )

    inner = s.IfStatement(B, (s.StopStatement(),), (s.Perform(n("act_more")),))
    assert made == (s.IfStatement(A, (s.StopStatement(),), (inner,)), s.StopStatement())


def test_a_menu_may_span_several_lines() -> None:
    made = stmts("you may, until done:", "  go, stay(a)", "  leave")

    calls = (
        s.ActionOffer(n("go")),
        s.ActionOffer(n("stay"), (A,)),
        s.ActionOffer(n("leave")),
    )
    assert made == (s.Menu(s.You(), n("done"), calls),)


def test_parses_citations_of_statements() -> None:
    first, second, third = stmts(
        'if a: [en "One"]',
        "  stop",
        'otherwise: [en "Two", example]',
        "  stop",
        'stop [en "Three"] [de "Drei"]',
        'each space: stop [en "Four"]',
    )

    assert first.cites == (Cite("en", "One"), Cite("en", "Two", True))
    assert second.cites == (Cite("en", "Three"), Cite("de", "Drei"))
    assert third.cites == ()
    assert isinstance(third, s.EachStatement)
    assert third.body[0].cites == (Cite("en", "Four"),)


def test_every_form_of_cell() -> None:
    made = clause(CELLS)

    assert isinstance(made, s.CardsClause)
    assert made.plural == n("things")
    assert made.table is not None
    assert made.table.columns == tuple(map(n, ("thing", *"abcdefghi")))
    (row,) = made.table.rows
    assert row.cells == (
        s.Cell("name", n("one")),
        s.Cell("bag", s.Amounts((s.Amount(1, n("x")), s.Amount(2, n("y"))))),
        s.Cell("number", -3),
        s.Cell("empty"),
        s.Cell("nothing"),
        s.Cell("yes_no", True),
        s.Cell("corner", ("N", n("up"))),
        s.Cell("side", "NE"),
        s.Cell("link", s.LinkRef(n("a"), n("b"))),
        s.Cell("text", "t"),
    )


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_clauses(text: str, expected: s.Declaration) -> None:
    assert clause(text) == expected


def test_a_block_of_costs_is_a_clause_for_each_line() -> None:
    first, second = clauses('costs [en "All"]\n  a: 1 x [en "One"]\n  b: 2 x')

    assert first.cites == (Cite("en", "One"), Cite("en", "All"))
    assert second.cites == (Cite("en", "All"),)


def test_parses_a_header() -> None:
    parsed = read(
        'rulebook x "Title" [en "Top"]\n'
        "  extends a, b\n  board c\n  players 2 to 4\n  seats red, blue\n"
        '  source en "One"\n  source de "Zwei"\n  turns 500\n'
    )

    assert parsed.diagnostics == ()
    assert parsed.file is not None
    assert parsed.file.header == s.Header(
        "rulebook",
        n("x"),
        "Title",
        (n("a"), n("b")),
        (n("c"),),
        (2, 4),
        (n("red"), n("blue")),
        (s.Source(n("en"), "One"), s.Source(n("de"), "Zwei")),
        500,
        (Cite("en", "Top"),),
    )


def test_a_board_for_one_number_of_players() -> None:
    parsed = read('board x "Title"\n  players 3\n')

    assert parsed.file is not None
    assert parsed.file.header == s.Header("board", n("x"), "Title", players=(3, 3))


def test_comments_blank_lines_and_byte_order_marks_are_ignored() -> None:
    plain = read("kind a: b\nkind c: d\n")
    decorated = parse(
        "\ufeff# first\r\n\r\nrules language 1   # the version\r\n"
        "kind a: b  # one\r\n\r\n  # between\r\n# more\r\n"
        "the kind c:\td\r\n# last",
        "t.rules",
    )

    assert decorated.diagnostics == ()
    assert decorated.file == plain.file


def test_names_are_normalised() -> None:
    assert clause("kind Ko\u0308ln: a") == clause("kind K\u00f6ln: a")


def test_spans_refer_to_the_file_and_exclude_their_end() -> None:
    made = clauses("\nkind a: b\n\nto act\n  # why\n  set a to  b + 12 # here\n")[1]

    assert isinstance(made, s.ProcedureClause)
    assert made.span == Span("t.rules", 5, 1, 7, 19)
    (set_to,) = made.body
    assert isinstance(set_to, s.SetTo)
    assert set_to.span == Span("t.rules", 7, 3, 7, 19)
    assert set_to.target.span == Span("t.rules", 7, 7, 7, 8)
    assert set_to.value.span == Span("t.rules", 7, 13, 7, 19)


def test_every_node_has_a_span() -> None:
    for text, _ in CASES:
        for node in nodes(clause(text)):
            assert node.span.file == "t.rules", node


def nodes(value: object) -> list[s.Node]:
    if isinstance(value, tuple):
        return [node for part in value for node in nodes(part)]
    if not isinstance(value, s.Node):
        return []
    fields = attrs.fields(type(value))
    inner = tuple(getattr(value, field.name) for field in fields)
    return [value, *nodes(inner)]


@pytest.mark.parametrize("word", spellings("PREP"))
def test_each_preposition_joins_a_predicate_and_its_object(word: str) -> None:
    made = expr(f"red is better {word} blue")

    assert isinstance(made, s.Is)
    assert (made.word.text, made.preposition) == ("better", word)


def test_members_are_sorted_by_several_values() -> None:
    made = expr("some player in players in falling order of fame, then age, first 2")

    assert isinstance(made, s.Some)
    order = made.binder.order
    assert order is not None
    assert [getattr(value, "name", value) for value in order.values] == [
        n("fame"),
        n("age"),
    ]
    assert (order.falling, order.count) == (True, i(2))


@pytest.mark.parametrize(
    "value",
    [
        "the top card of pile",
        "the card at place 2 of pile",
        "the card at place n from the bottom of pile",
        "2 places after north",
        "red's soldier's rank at b",
    ],
)
def test_is_compares_with_the_same_value_as_an_equals_sign(value: str) -> None:
    same, equal = expr(f"thing is not {value}"), expr(f"thing != {value}")

    assert isinstance(same, s.IsSame)
    assert isinstance(equal, s.CompareExpression)
    assert (same.negated, same.other) == (True, equal.right)
    assert expr_text(same) == f"thing is not {value}"
