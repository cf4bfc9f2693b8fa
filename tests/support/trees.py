"""Syntax trees for tests: short constructors, and clauses with their expected trees."""

from rulebook import syntax as s
from rulebook.parse import ParsedFile, parse
from rulebook.source.spans import Cite

HEAD = "rules language 1\n"


def n(text: str) -> s.Name:
    return s.Name(text)


def r(text: str) -> s.NameRef:
    return s.NameRef(n(text))


def i(value: int) -> s.Number:
    return s.Number(value)


A, B, C, X = r("a"), r("b"), r("c"), r("x")
SPACE = s.BinderPhrase(n("space"))
RANGE = s.RangeType(i(1), i(6))
CELLS = """cards thing (things)
  thing | a        | b      | c  | d       | e   | f       | g  | h   | i
  one   | 1 x, 2 y | -3     | -  | nothing | yes | N of up | NE | a-b | "t"
"""
TABLE = "  name | x\n  one | 1 to 3\n"
MADE_TABLE = s.Table(
    (n("name"), n("x")),
    (s.Row((s.Cell("name", n("one")), s.Cell("range", (1, 3)))),),
)
PLAYER = s.ParameterPhrase(n("player"), n("player"))
CASES: list[tuple[str, s.Declaration]] = [
    ("kind mood: calm, wild", s.KindClause(n("mood"), None, (n("calm"), n("wild")))),
    (f"kind mood\n{TABLE}", s.KindClause(n("mood"), table=MADE_TABLE)),
    (
        "spaces spot of each player by column -1 to top, side in way",
        s.SpacesClause(
            n("spot"),
            None,
            True,
            (
                s.AxisPhrase(n("column"), s.RangeType(i(-1), r("top"))),
                s.AxisPhrase(n("side"), None, n("way")),
            ),
        ),
    ),
    (
        "spaces rim (rims) on the sides of spot by side in way",
        s.SpacesClause(
            n("rim"),
            n("rims"),
            axes=(
                s.AxisPhrase(n("spot")),
                s.AxisPhrase(n("side"), None, n("way")),
            ),
            on_sides=True,
        ),
    ),
    (f"spaces spot\n{TABLE}", s.SpacesClause(n("spot"), None, table=MADE_TABLE)),
    (
        f"hexes face (faces) flat_top\n{TABLE}",
        s.HexesClause(n("face"), n("faces"), "flat_top", MADE_TABLE),
    ),
    ("corners spot", s.CornersClause(n("spot"), None)),
    (f"links lane\n{TABLE}", s.LinksClause(n("lane"), None, MADE_TABLE)),
    (
        "links lane (lanes) between spot by (1, 0), (-1, 2)",
        s.LinksClause(
            n("lane"),
            n("lanes"),
            between=n("spot"),
            strides=(s.Stride((1, 0)), s.Stride((-1, 2))),
        ),
    ),
    (
        'option goal (1 to 9): 3 if a, otherwise 4 "help"',
        s.OptionClause(
            n("goal"), s.RangeType(i(1), i(9)), ((i(3), A), (i(4), None)), "help"
        ),
    ),
    ("option calm: no", s.OptionClause(n("calm"), None, ((s.YesNo(False), None),))),
    ("cost x: 2 a", s.CostClause(n("x"), s.Amounts((s.Amount(2, n("a")),)))),
    ("dice d, e: 1 to 6", s.DiceClause((n("d"), n("e")), RANGE)),
    ("dice d: sun, rain", s.DiceClause((n("d"),), None, (n("sun"), n("rain")))),
    (
        "piece tent (tents): 3 for each player, stands on a or b",
        s.PieceClause(n("tent"), n("tents"), i(3), n("player"), (n("a"), n("b"))),
    ),
    ("piece storm: x in all", s.PieceClause(n("storm"), None, X, None, ())),
    (
        "piece tent: 3 for each player, stands on a, any number",
        s.PieceClause(
            n("tent"), None, i(3), n("player"), (n("a"),), s.RoomPhrase(None)
        ),
    ),
    (
        "piece tent: 3 for each player, stands on a, up to x for each player",
        s.PieceClause(
            n("tent"), None, i(3), n("player"), (n("a"),), s.RoomPhrase(X, n("player"))
        ),
    ),
    (
        "piece storm: 4 in all, stands on a, up to 2",
        s.PieceClause(n("storm"), None, i(4), None, (n("a"),), s.RoomPhrase(i(2))),
    ),
    (
        'limit once: at most 1 each round of a, b "why"',
        s.LimitClause(n("once"), i(1), "round", (n("a"), n("b")), "why"),
    ),
    ("payments of player: a to b", s.PaymentsClause(PLAYER, A, B)),
    (
        "payments of player: by a if b",
        s.PaymentsClause(PLAYER, by=n("a"), condition=n("b")),
    ),
    (
        "game has\n  x: bag of a, starts with 2 b and 1 c",
        s.FieldsClause(
            None,
            (
                s.FieldLine(
                    n("x"),
                    s.HolderType("bag", n("a")),
                    starts_at=s.Amounts((s.Amount(2, n("b")), s.Amount(1, n("c")))),
                ),
            ),
        ),
    ),
    (
        "each player has\n  x: endless bag of a, seen by owner, starts with 1 of each",
        s.FieldsClause(
            n("player"),
            (
                s.FieldLine(
                    n("x"),
                    s.HolderType("bag", n("a"), True),
                    "owner",
                    starts_of_each=i(1),
                ),
            ),
        ),
    ),
    (
        (
            "the game has\n  x: stack of a, starts with every a\n"
            "  y: yes/no, starts at no"
            "\n  z: a or none, resets each turn, not shown"
        ),
        s.FieldsClause(
            None,
            (
                s.FieldLine(n("x"), s.HolderType("stack", n("a")), starts_every=n("a")),
                s.FieldLine(n("y"), s.YesNoType(), starts_at=s.YesNo(False)),
                s.FieldLine(n("z"), s.KindType(n("a"), True), resets=True, shown=False),
            ),
        ),
    ),
    (
        "define player's x(1 to 6 count): a = b",
        s.DefineClause(
            s.PropertySignature(
                PLAYER,
                n("x"),
                (s.ParameterPhrase(None, n("count"), RANGE),),
                s.KindType(n("a")),
            ),
            (s.DefinitionLine(B),),
        ),
    ),
    (
        (
            "define spot place is near for bag given\n  x: yes if a\n  no if b\n"
            "  otherwise c"
        ),
        s.DefineClause(
            s.PredicateSignature(
                s.ParameterPhrase(n("spot"), n("place")),
                n("near"),
                "for",
                s.ParameterPhrase(n("bag"), n("given")),
            ),
            (
                s.DefinitionLine(s.YesNo(True), A, n("x")),
                s.DefinitionLine(s.YesNo(False), B),
                s.DefinitionLine(C),
            ),
        ),
    ),
    (
        'expect define x: 1 to 6 "text"',
        s.ExpectClause(s.ValueSignature(n("x"), (), RANGE), "text"),
    ),
    (
        "columns of wood\n  wood | weight\n  oak | 3\n  otherwise | -",
        s.ColumnsClause(
            n("wood"),
            s.Table(
                (n("wood"), n("weight")),
                (
                    s.Row((s.Cell("name", n("oak")), s.Cell("number", 3))),
                    s.Row((s.Cell("name", n("otherwise")), s.Cell("empty"))),
                ),
            ),
        ),
    ),
    (
        'expect define x: 1 to 6 = a "text"',
        s.ExpectClause(
            s.ValueSignature(n("x"), (), RANGE),
            "text",
            s.DefineClause(s.ValueSignature(n("x"), (), RANGE), (s.DefinitionLine(A),)),
        ),
    ),
    (
        "expect define x: 1 to 6\n  b: a if b\n  otherwise a",
        s.ExpectClause(
            s.ValueSignature(n("x"), (), RANGE),
            None,
            s.DefineClause(
                s.ValueSignature(n("x"), (), RANGE),
                (s.DefinitionLine(A, B, n("b")), s.DefinitionLine(A)),
            ),
        ),
    ),
    (
        "define x(mood): 1 to 6\n  mood | 1 | -2\n  5    | 3 | a\n  10   | - | yes",
        s.DefineClause(
            s.ValueSignature(n("x"), (s.ParameterPhrase(n("mood"), n("mood")),), RANGE),
            (),
            table=s.Table(
                (n("mood"), n("1"), n("-2")),
                (
                    s.Row(
                        (
                            s.Cell("number", 5),
                            s.Cell("number", 3),
                            s.Cell("name", n("a")),
                        )
                    ),
                    s.Row(
                        (
                            s.Cell("number", 10),
                            s.Cell("empty"),
                            s.Cell(s.CellForm.YES_NO, True),
                        )
                    ),
                ),
            ),
        ),
    ),
    (
        "define bag of mood given is x\n  a",
        s.DefineClause(
            s.PredicateSignature(
                s.ParameterPhrase(n("bag"), n("given"), held=n("mood")), n("x")
            ),
            (s.DefinitionLine(A),),
        ),
    ),
    (
        "define set of mood given is x\n  a",
        s.DefineClause(
            s.PredicateSignature(
                s.ParameterPhrase(n("set"), n("given"), held=n("mood")), n("x")
            ),
            (s.DefinitionLine(A),),
        ),
    ),
    (
        "define x: 1 to 6\n  let y be a\n  let z be b\n  c",
        s.DefineClause(
            s.ValueSignature(n("x"), (), RANGE),
            (s.DefinitionLine(C),),
            (s.Let(n("y"), A), s.Let(n("z"), B)),
        ),
    ),
    (
        "expect define x: 1 to 6\n  let y be a\n  b",
        s.ExpectClause(
            s.ValueSignature(n("x"), (), RANGE),
            None,
            s.DefineClause(
                s.ValueSignature(n("x"), (), RANGE),
                (s.DefinitionLine(B),),
                (s.Let(n("y"), A),),
            ),
        ),
    ),
    (
        "expect to go(player)",
        s.ExpectProcedureClause(n("go"), (PLAYER,)),
    ),
    (
        'expect to go, otherwise nothing "text"',
        s.ExpectProcedureClause(
            n("go"), (), "text", s.ProcedureClause(n("go"), (), ())
        ),
    ),
    (
        "expect to go\n  stop",
        s.ExpectProcedureClause(
            n("go"), (), None, s.ProcedureClause(n("go"), (), (s.StopStatement(),))
        ),
    ),
    (
        'expect cost road, hut "text"',
        s.ExpectNamesClause("cost", (n("road"), n("hut")), "text"),
    ),
    (
        (
            'action go(player, spot a)\n  pays x\n  needs b: c "why"\n'
            "  needs as stay\n  stop"
        ),
        s.ActionClause(
            n("go"),
            (PLAYER, s.ParameterPhrase(n("spot"), n("a"))),
            (
                s.Pays(X),
                s.Needs(n("b"), C, "why"),
                s.NeedsAs(n("stay")),
                s.StopStatement(),
            ),
        ),
    ),
    (
        "action go\n  pays 2 a, 1 b\n  pays a's b",
        s.ActionClause(
            n("go"),
            (),
            (
                s.Pays(s.Amounts((s.Amount(2, n("a")), s.Amount(1, n("b"))))),
                s.Pays(s.Of(A, n("b"))),
            ),
        ),
    ),
    (
        'scenario "a"\n  when\n    you do go(2 a, 1 b)',
        s.ScenarioClause(
            "a",
            (
                s.ScenarioStep(
                    "when",
                    (
                        s.Do(
                            s.You(),
                            (
                                s.ActionOffer(
                                    n("go"),
                                    (
                                        s.Amounts(
                                            (s.Amount(2, n("a")), s.Amount(1, n("b")))
                                        ),
                                    ),
                                ),
                            ),
                        ),
                    ),
                ),
            ),
        ),
    ),
    ('card x "text"\n  stop', s.CardTextClause(n("x"), "text", (s.StopStatement(),))),
    ("setup\n  stop", s.SetupClause((s.StopStatement(),))),
    ("end\n  stop", s.EndClause((s.StopStatement(),))),
    ("after each round\n  stop", s.RoundClause("after", (s.StopStatement(),))),
    ("skip player where x", s.SkipClause(s.BinderPhrase(n("player"), where=X))),
    (
        "turn\n  phase x\n    stop",
        s.TurnClause((s.Phase(n("x"), None, (s.StopStatement(),)),)),
    ),
    (
        "round\n  phase x, each player\n    stop",
        s.TurnClause(
            (s.Phase(n("x"), s.BinderPhrase(n("player")), (s.StopStatement(),), True),)
        ),
    ),
    (
        "points of player\n  x: a",
        s.PointsClause(PLAYER, (s.PointsLine(n("x"), A),)),
    ),
    (
        "hint value of player\n  x: a",
        s.HintValueClause(PLAYER, (s.PointsLine(n("x"), A),)),
    ),
    ("measure x: a", s.MeasureClause(n("x"), None, False, A, "")),
    (
        'measure x of player each turn: a "b"',
        s.MeasureClause(n("x"), PLAYER, True, A, "b"),
    ),
    ('hint colour x: "#fff"', s.HintClause(n("colour"), n("x"), "#fff")),
    (
        (
            "award x of player\n  most a\n  at least 3\n  only if b\n"
            "  on a tie, nobody has it\n  when gained: stop\n  when lost: stop"
        ),
        s.AwardClause(
            n("x"),
            PLAYER,
            A,
            i(3),
            B,
            "nobody",
            (s.StopStatement(),),
            (s.StopStatement(),),
        ),
    ),
    ("rule x\n  whenever a: stop", s.RuleClause(n("x"), A, None, (s.StopStatement(),))),
    (
        "rule x\n  whenever any space: stop",
        s.RuleClause(n("x"), None, SPACE, (s.StopStatement(),)),
    ),
    (
        'scenario "x" with 3 players\n  when\n    stop\n  given\n    stop',
        s.ScenarioClause(
            "x",
            (
                s.ScenarioStep("when", (s.StopStatement(),)),
                s.ScenarioStep("given", (s.StopStatement(),)),
            ),
            i(3),
        ),
    ),
    (
        'scenario "x" over y with 3 players\n  when\n    stop',
        s.ScenarioClause(
            "x", (s.ScenarioStep("when", (s.StopStatement(),)),), i(3), n("y")
        ),
    ),
    (
        'scenario "x" with a players\n  examples\n    a\n    2\n  when\n    stop',
        s.ScenarioClause(
            "x",
            (s.ScenarioStep("when", (s.StopStatement(),)),),
            A,
            examples=s.Table((n("a"),), (s.Row((s.Cell("number", 2),)),)),
        ),
    ),
    ('invariant "x"\n  require a', s.InvariantClause("x", (s.RequireStatement(A),))),
    (
        'words de\n  a.b = "ein", "viele"',
        s.WordsClause(n("de"), (s.WordLine((n("a"), n("b")), ("ein", "viele")),)),
    ),
    (
        'citations\n  a [en "x", example]',
        s.CitationsClause((s.CiteLine((n("a"),), (Cite("en", "x", True),)),)),
    ),
]


def read(text: str) -> ParsedFile:
    return parse(HEAD + text, "t.rules")


def clauses(text: str) -> tuple[s.Declaration | s.Amendment, ...]:
    parsed = read(text)

    assert parsed.diagnostics == ()
    assert parsed.file is not None
    return parsed.file.clauses


def clause(text: str) -> s.Declaration | s.Amendment:
    (parsed_clause,) = clauses(text)
    return parsed_clause


def stmts(*lines: str) -> tuple[s.Stmt, ...]:
    body = "".join(f"  {line}\n" for line in lines)
    made = clause(f"to act\n{body}")

    assert isinstance(made, s.ProcedureClause)
    return made.body
