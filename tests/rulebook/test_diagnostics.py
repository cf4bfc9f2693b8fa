"""Diagnostics as values and as text."""

import json
import re

import attrs
import pytest

from rulebook.source.diagnostics import (
    CODES,
    Diagnostic,
    RulesError,
    has_errors,
    sort_diagnostics,
)
from rulebook.source.rendering import render, render_all
from rulebook.source.spans import Span

SPAN = Span("t.rules", 2, 6, 2, 9)
TEXT = "rules language 1\nkind abc: d\n"
ONE = Diagnostic("RB011", "expected `x`", SPAN, "write `x`")


def at(file: str, line: int, column: int) -> Diagnostic:
    return Diagnostic("RB011", "m", Span(file, line, column, line, column + 1))


def test_every_code_is_well_formed_and_titled() -> None:
    assert all(re.fullmatch(r"RB\d{3}", code) for code in CODES)
    assert all(CODES.values())
    assert list(CODES) == sorted(CODES)


def test_a_diagnostic_has_a_code_of_the_catalogue() -> None:
    with pytest.raises(AssertionError):
        Diagnostic("RB999", "m", SPAN)


def test_json_has_the_keys_of_the_contract() -> None:
    assert json.loads(json.dumps(ONE.to_json())) == {
        "code": "RB011",
        "severity": "error",
        "message": "expected `x`",
        "file": "t.rules",
        "line": 2,
        "column": 6,
        "end_line": 2,
        "end_column": 9,
        "help": "write `x`",
        "edit": None,
    }
    slip = attrs.evolve(ONE, help="did you mean `mood`?")
    assert slip.to_json()["edit"] == "mood"
    assert attrs.evolve(slip, help="did you mean `a` or `b`?").edit is None
    assert attrs.evolve(slip, help="write `none`").edit == "none"


def test_diagnostics_are_sorted_by_place_without_duplicates() -> None:
    ordered = [at("a", 1, 9), at("a", 2, 1), at("a", 2, 3), at("b", 1, 1)]

    assert sort_diagnostics([*reversed(ordered), ordered[0]]) == tuple(ordered)


def test_the_exception_contains_all_diagnostics_in_order() -> None:
    error = RulesError([at("b", 1, 1), at("a", 1, 1)])

    assert [diagnostic.span.file for diagnostic in error.diagnostics] == ["a", "b"]
    assert [document["file"] for document in error.to_json()] == ["a", "b"]
    assert str(error).splitlines()[0] == "a:1:1: error RB011: m"


def test_warnings_are_not_errors() -> None:
    warning = Diagnostic("RB011", "m", SPAN, severity="warning")

    assert not has_errors([warning])
    assert has_errors([warning, ONE])


def test_rendering_quotes_the_line() -> None:
    assert render(ONE, {"t.rules": TEXT}) == (
        "error RB011: expected `x`\n"
        " --> t.rules:2:6\n"
        "  |\n"
        "2 | kind abc: d\n"
        "  |      ^^^\n"
        "  = help: write `x`"
    )


def test_rendering_without_the_text() -> None:
    assert render(ONE) == (
        "error RB011: expected `x`\n --> t.rules:2:6\n  = help: write `x`"
    )


def test_rendering_shows_the_other_end() -> None:
    other = Diagnostic("RB011", "m", SPAN, None, ((Span("u", 10, 1, 10, 2), "here"),))

    assert render(other, {"t.rules": TEXT, "u": "x\n" * 10}) == (
        "error RB011: m\n"
        "  --> t.rules:2:6\n"
        "   |\n"
        " 2 | kind abc: d\n"
        "   |      ^^^\n"
        "   = note: here\n"
        "  --> u:10:1\n"
        "   |\n"
        "10 | x\n"
        "   | ^"
    )


def test_the_mark_of_a_multiline_span_ends_with_the_first_line() -> None:
    over = Diagnostic("RB011", "m", Span("t", 1, 3, 2, 2))

    assert render(over, {"t": "abcde\nf\n"}).splitlines()[-1] == "  |   ^^^"


def test_a_span_at_the_end_of_a_line_is_marked() -> None:
    end = Diagnostic("RB011", "m", Span("t", 1, 4, 1, 5))

    assert render(end, {"t": "abc\n"}).splitlines()[-1] == "  |    ^"


def test_long_lines_are_cut() -> None:
    far = Diagnostic("RB011", "m", Span("t", 1, 501, 1, 504))
    *_, line, mark = render(far, {"t": "a" * 500 + "bcd" + "e" * 500}).splitlines()

    assert len(line) < 200
    assert line[mark.index("^") : mark.rindex("^") + 1] == "bcd"


def test_several_diagnostics_are_separated_by_blank_lines() -> None:
    assert render_all([ONE, ONE]).count("\n\n") == 1
