"""From text to amendments: clauses replaced and removed, and each edit of one."""

import pytest

from rulebook import syntax as s
from tests.support.trees import (
    CASES,
    A,
    B,
    clause,
    i,
    n,
)


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_any_clause_can_be_replaced(text: str, expected: s.Declaration) -> None:
    assert clause(f"replace {text}") == s.Replace(expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("remove action x", s.Remove("action", n("x"))),
        ('remove scenario "x y"', s.Remove("scenario", n("x y"))),
    ],
)
def test_removals(text: str, expected: s.Remove) -> None:
    assert clause(text) == expected


STOP = (s.StopStatement(),)


@pytest.mark.parametrize(
    ("where", "text", "expected"),
    [
        (
            "action x",
            'add needs a: b "why"',
            s.Edit("add", "needs", n("a"), s.Needs(n("a"), B, "why")),
        ),
        ("action x", "add needs as y", s.Edit("add", "needs", None, s.NeedsAs(n("y")))),
        ("action x", "remove needs a", s.Edit("remove", "needs", n("a"))),
        ("action x", "replace pays a", s.Edit("replace", "pays", None, s.Pays(A))),
        ("action x", "remove pays", s.Edit("remove", "pays")),
        ("to x", "replace step a: stop", s.Edit("replace", "step", n("a"), STOP)),
        ("setup", "before step a: stop", s.Edit("before", "step", n("a"), STOP)),
        ("phase x", "after step a: stop", s.Edit("after", "step", n("a"), STOP)),
        ("card x", "remove step a", s.Edit("remove", "step", n("a"))),
        (
            "kind x",
            "add row: a | 1",
            s.Edit(
                "add",
                "row",
                n("a"),
                s.Row((s.Cell("name", n("a")), s.Cell("number", 1))),
            ),
        ),
        ("cards x", "remove row a", s.Edit("remove", "row", n("a"))),
        (
            "define x",
            "add first line: a if b",
            s.Edit("add_first", "line", None, s.DefinitionLine(A, B)),
        ),
        (
            "define x",
            "replace line: c: a",
            s.Edit("replace", "line", n("c"), s.DefinitionLine(A, None, n("c"))),
        ),
        (
            "award x",
            "replace at least 4",
            s.Edit("replace", "award", n("at_least"), i(4)),
        ),
        (
            "award x",
            "replace on a tie, holder keeps it",
            s.Edit("replace", "award", n("tie"), "holder"),
        ),
        ("award x", "add when lost: stop", s.Edit("add", "award", n("lost"), STOP)),
        (
            "points",
            "add x: a",
            s.Edit("add", "points", n("x"), s.PointsLine(n("x"), A)),
        ),
        (
            "phase x",
            "add action go(a)",
            s.Edit("add", "action", n("go"), s.ActionOffer(n("go"), (A,))),
        ),
        ("phase x", "remove action go", s.Edit("remove", "action", n("go"))),
        (
            "game",
            "replace field x: yes/no",
            s.Edit("replace", "field", n("x"), s.FieldLine(n("x"), s.YesNoType())),
        ),
        ("each player", "remove field x", s.Edit("remove", "field", n("x"))),
        (
            "turn",
            "add phase x after y\n    stop",
            s.Edit(
                *("add", "phase", n("x"), s.Phase(n("x"), None, STOP)),
                *(n("y"), "after"),
            ),
        ),
        (
            "round",
            "add phase x before y, each player\n    stop",
            s.Edit(
                "add",
                "phase",
                n("x"),
                s.Phase(n("x"), s.BinderPhrase(n("player")), STOP),
                n("y"),
                "before",
            ),
        ),
        (
            "phase x",
            "replace each player where a",
            s.Edit("replace", "players", None, s.BinderPhrase(n("player"), where=A)),
        ),
    ],
)
def test_edits(where: str, text: str, expected: s.Edit) -> None:
    made = clause(f"in {where}\n  {text}")

    sort, _, name = where.partition(" ")
    assert made == s.Within(sort, n(name) if name else None, (expected,))


def test_several_actions_are_several_edits() -> None:
    made = clause("in phase x\n  add action a, b\n  remove action c, d")

    assert isinstance(made, s.Within)
    assert [(edit.verb, edit.name) for edit in made.edits] == [
        ("add", n("a")),
        ("add", n("b")),
        ("remove", n("c")),
        ("remove", n("d")),
    ]
