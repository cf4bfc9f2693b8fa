"""Diagnostics of texts that do not parse: place, code, one per clause.

The sentences themselves are tested in `tests/language/reading.rules-test`.
"""

import pytest

from rulebook.parse import parse
from rulebook.parse.errors.sentence_forms import SENTENCE_SHAPES
from rulebook.parse.errors.token_names import expected_words
from rulebook.source.spelling import join_with_or

HEAD = "rules language 1\n"


def mistakes_in(text: str) -> list[tuple[str, int, int, int]]:
    return [
        (
            diagnostic.code,
            diagnostic.span.line - 1,
            diagnostic.span.column,
            diagnostic.span.end_column,
        )
        for diagnostic in parse(HEAD + text, "t.rules").diagnostics
    ]


@pytest.mark.parametrize(
    ("text", "code", "line", "columns"),
    [
        ("knd a: b", "RB012", 1, (1, 4)),
        ("?kind a: b", "RB012", 1, (1, 2)),
        ("  kind a: b", "RB010", 1, (3, 12)),
        ("kind a b", "RB011", 1, (8, 9)),
        ("kind a: b c", "RB011", 1, (11, 12)),
        ("kind dark-red: b", "RB015", 1, (6, 14)),
        ("kind a: b-c, d", "RB015", 1, (9, 12)),
        ("kind a: b@", "RB013", 1, (10, 11)),
        ("kind a", "RB009", 1, (1, 7)),
        ("kind a # comment", "RB009", 1, (1, 7)),
        ("to a\n\tstop", "RB007", 2, (1, 2)),
        ("to a\n  \tstop", "RB007", 2, (3, 4)),
        ("to a\n  stop\n    stop", "RB010", 3, (5, 9)),
        ("to a\n    if b:\n      stop\n  stop", "RB008", 4, (3, 7)),
        ("to a\n  if b # why\n    stop", "RB017", 2, (7, 8)),
        ("to a\n  if b:\n  stop", "RB009", 2, (3, 8)),
        ("to a\n  if b:\n\n  # why\n  stop", "RB009", 2, (3, 8)),
        ("to a:\n  stop", "RB011", 1, (5, 6)),
        ('action a\n  needs b: c "d', "RB014", 2, (14, 16)),
        ("action a\n  needs b: c [en", "RB018", 2, (14, 15)),
        ("to a\n  set b to (1 + (2)", "RB021", 2, (12, 13)),
        ("to a\n  set b to (1\n    + (2)\n    + 3", "RB021", 2, (12, 13)),
        ("action a\n  needs b: c\n    and d\n  stop", "RB018", 3, (10, 11)),
        ("to a\n  set b to 1 + number of c where d", "RB016", 2, (16, 33)),
        ("to a\n  your b", "RB025", 2, (3, 9)),
        ("to a\n  set b to c-d-e", "RB026", 2, (12, 17)),
        ("cards a\n  b | c\n  d", "RB022", 3, (3, 4)),
        ('kind a: b\nboard c "d"', "RB023", 2, (1, 12)),
        ('board c "d"\n  players 2\n  players 3', "RB024", 3, (3, 12)),
        ('board c\n  players 2"', "RB011", 1, (8, 9)),
        ("to a\n\u00a0\u00a0stop", "RB013", 2, (1, 2)),
        ("to a\n  if\u00a0b: stop", "RB013", 2, (5, 6)),
        ("to a\n  if b\u200bc: stop", "RB013", 2, (7, 8)),
        ("to a\n  if 7's b = c: stop", "RB114", 2, (6, 7)),
        ("to a\n  if b has red c: stop", "RB110", 2, (12, 15)),
        ("to a\n  if b has 7 and c: stop", "RB011", 2, (12, 13)),
        ("to a\n  if number of b where c has d > 3: stop", "RB016", 2, (6, 33)),
        ("to a\n  b()", "RB011", 2, (4, 6)),
        ('action a\n  needs b c: d "e"', "RB011", 2, (9, 12)),
        ('action a\n  needs b > c "e"', "RB011", 2, (9, 12)),
        ("action a\n  needs b: c you are d [en 1]", "RB018", 2, (14, 23)),
        ("action a\n  needs b: c “you are d”", "RB013", 2, (14, 25)),
        ("define a: 3", "RB011", 1, (9, 12)),
        ("define a is 3", "RB011", 1, (10, 14)),
        ("define a 3", "RB011", 1, (10, 11)),
        ("to a\n  b\n  otherwise: c", "RB011", 3, (3, 12)),
        ("to a\n  if b: c\n  else: d", "RB011", 3, (3, 7)),
    ],
)
def test_place_and_code(
    text: str, code: str, line: int, columns: tuple[int, int]
) -> None:
    assert mistakes_in(text) == [(code, line, *columns)]


@pytest.mark.parametrize(
    ("text", "help"),
    [
        ("to a\n  if\u00a0b: stop", "an ordinary space"),
        ("to a\n\u00a0\u00a0stop", "indent with spaces"),
        ("to a\n  if b\u200bc: stop", "invisible character"),
        ("to a\n  set b to c – 1", "write `-`"),
    ],
)
def test_confusable_characters_have_a_fix(text: str, help: str) -> None:
    (diagnostic,) = parse(HEAD + text, "t.rules").diagnostics

    assert help in (diagnostic.help or "")


LINES = {
    "rulebook": "{}",
    "extends": "{}",
    "players": 'rulebook a "b"\n  {}',
    "seats": 'rulebook a "b"\n  {}',
    "needs": "action a\n  {}",
    "pays": "action a\n  {}",
    "field": "in game\n  {}",
    "otherwise": "to a\n  if b: c\n  {}\n    d",
    "whenever": "rule a\n  {}\n    b",
    **dict.fromkeys(("kind", "option", "cost", "dice", "piece", "limit", "hint"), "{}"),
    "colour": "{}",
    "scenario": "{}\n  then\n    require a",
    **dict.fromkeys(("repeat", "repeat until", "each"), "to a\n  {}\n    b"),
}
"""Context of lines that are not ordinary sentences, by first word."""


@pytest.mark.parametrize("word", sorted(SENTENCE_SHAPES))
def test_each_suggested_sentence_shape_parses(word: str) -> None:
    text = LINES.get(word, "to a\n  {}").format(SENTENCE_SHAPES[word])

    assert parse(HEAD + text, "t.rules").diagnostics == ()


def test_a_wrong_first_line_is_one_mistake() -> None:
    parsed = parse("import camps\n\nto a\n  b\n", "t.rules")

    (diagnostic,) = parsed.diagnostics
    assert (diagnostic.code, diagnostic.span.line) == ("RB004", 1)
    assert "`extends NAME`" in (diagnostic.help or "")


def test_each_broken_clause_has_an_error_and_the_others_are_parsed() -> None:
    text = "kind a b\nkind c: d\nto e\n  if f\nknd g: h\n# end\nkind i: j\n"
    parsed = parse(HEAD + text, "t.rules")

    assert [diagnostic.span.line for diagnostic in parsed.diagnostics] == [2, 5, 6]
    assert parsed.file is not None
    assert len(parsed.file.clauses) == 2


def test_lines_that_lost_their_indentation_are_one_mistake() -> None:
    text = 'action a\nneeds b: c "d"\nplace e on f\ng\nkind h: i\n'

    assert mistakes_in(text) == [("RB009", 1, 1, 9)]


def test_lines_without_a_clause_are_one_mistake() -> None:
    assert mistakes_in("place e on f\nset a to b\nkind h: i\n") == [("RB012", 1, 1, 6)]


def test_a_second_unknown_clause_is_still_found() -> None:
    assert [mistake[0] for mistake in mistakes_in("knd a: b\nkin c: d\n")] == [
        "RB012",
        "RB012",
    ]


def test_the_related_place_is_shown() -> None:
    (diagnostic,) = parse(f"{HEAD}cards a\n  b | c\n  d\n", "t.rules").diagnostics

    ((span, word),) = diagnostic.related
    assert (span.line, word) == (3, "the columns")


@pytest.mark.parametrize(
    ("accepts", "words"),
    [
        ({"NAME"}, "a name"),
        ({"_NL", "LSQB", "COLON"}, "`:` or the end of the line"),
        ({"PLUS", "STAR", "MINUS", "_NL"}, "the end of the line"),
        ({"PLUS", "STAR", "MINUS"}, "an operator"),
        ({"YOU", "YOUR", "NAME", "INT"}, "a value"),
        ({"LET", "SET", "MOVE", "NAME"}, "a sentence"),
        ({"KIND", "OPTION", "DEFINE"}, "a clause such as `option` or `define`"),
        ({"_NUMBER_OF", "_BOTTOM_OF"}, "`bottom of` or `number of`"),
    ],
)
def test_lists_the_expected_words(accepts: set[str], words: str) -> None:
    assert expected_words(accepts) == words


def test_long_lists_are_cut() -> None:
    many = {"SHOW", "SPREADS", "STARTS", "STEP", "STOP", "STRING"}

    assert expected_words(many).endswith(" or another word")


@pytest.mark.parametrize(
    ("words", "said"),
    [([], ""), (["a"], "a"), (["a", "b"], "a or b"), (["a", "b", "c"], "a, b or c")],
)
def test_joins_alternatives(words: list[str], said: str) -> None:
    assert join_with_or(words) == said
