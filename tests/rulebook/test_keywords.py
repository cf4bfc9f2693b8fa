"""Words of the language, derived from the grammar. A new word of the grammar appears
wherever words are listed; our tables are checked against the grammar.
"""

from collections.abc import Iterator

import pytest
from lark import Lark

from rulebook.parse import parser
from rulebook.parse.errors import token_names
from rulebook.parse.errors.clause_words import COMPANION_START, SHORT_HEADER
from rulebook.parse.errors.sentence_forms import SENTENCE_SHAPES
from rulebook.parse.grammar import keywords
from rulebook.parse.parser import LAYOUT_TOKENS

FUNCTIONS = [part for part in vars(keywords).values() if hasattr(part, "cache_clear")]


@pytest.fixture
def with_new_words(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Add a few words to the grammar, and clear what was derived from it."""
    text = parser.grammar_text()
    for place, new in (
        ("?decl: kind |", '?decl: "relic" NAME cites _NL | kind |'),
        ("?simple: postfix ", '?simple: "exchange" postfix | postfix '),
        ("       | who _WIN ", "       | who _BOASTS | who _WIN "),
        ("?stmt:  simple", '?stmt: "whoever" binder block{cites} | simple'),
        ("?unary: postfix", "?unary: _TWICE unary | postfix"),
        ("      | arith CMP arith ", '      | arith "beats" arith | arith CMP arith '),
        ("?header_line:", '?header_line: "weather" NAME _NL |'),
        (
            "OTHERWISE_NOTHING.3:",
            "_BOASTS: /boasts?(?!\\w)/\n_TWICE: /twice as/\nOTHERWISE_NOTHING.3:",
        ),
    ):
        assert place in text
        text = text.replace(place, new, 1)
    changed = Lark(text, **parser.TABLE_OPTIONS, **parser.runtime_options())
    monkeypatch.setattr(keywords, "parser", lambda: changed)
    for function in FUNCTIONS:
        function.cache_clear()
    yield
    for function in FUNCTIONS:
        function.cache_clear()


@pytest.mark.usefixtures("with_new_words")
def test_a_new_word_of_the_grammar_appears_in_all_lists() -> None:
    assert "relic" in keywords.clause_words()
    assert "weather" in keywords.header_line_words()
    assert {"exchange", "whoever", "weather"} <= set(keywords.line_words())
    assert {"exchange", "whoever"} <= set(keywords.sentence_words())
    assert {"boasts", "boast"} <= set(keywords.verbs())
    assert "_TWICE" in keywords.value_tokens()
    assert "BEATS" in keywords.operator_tokens()
    assert "beats" in keywords.words_before_numbers()
    assert {"relic", "exchange", "weather", "beats"} <= set(keywords.all_keywords())


def test_the_lists_contain_exactly_the_words_of_the_language() -> None:
    assert {"kind", "end", "skip", "as", "replace"} <= set(keywords.clause_words())
    assert not {"before", "after", "stop"} & set(keywords.clause_words())
    assert keywords.header_words() == ("rulebook", "board", "theme")
    assert set(keywords.table_words()) >= {
        "kind",
        "cards",
        "headings",
        "look",
        "drawing",
    }
    assert not {"option", "costs", "points"} & set(keywords.table_words())
    assert set(keywords.bracket_words()) >= {"kind", "option", "piece"}
    assert keywords.verbs()[0] == "chooses"
    assert {"otherwise", "you", "stop"} <= set(keywords.sentence_words())


@pytest.mark.parametrize(
    ("token", "texts"),
    [
        ("SET", ("set",)),
        ("_CHOOSE", ("chooses", "choose")),
        ("_IS", ("is", "are")),
        ("_THEN", (", then",)),
        ("_PLAYERS_WITH", ("players with",)),
        ("YES_NO", ("yes/no",)),
        ("NAME", ()),
        ("CARRIED_ON", ()),
        ("_INDENT", ()),
    ],
)
def test_texts_of_a_token(token: str, texts: tuple[str, ...]) -> None:
    assert keywords.spellings(token) == texts


NO_WORDS = {"CARRIED_ON", "THE"}
"""Tokens that are removed before parsing."""


def test_a_message_can_name_every_token() -> None:
    names = {terminal.name for terminal in parser.parser().terminals}
    names = {name for name in names if not name.startswith("__")} - NO_WORDS

    for name in names:
        said = token_names.expected_words({name})
        assert not set(said) & set("\\?*^") or said in ("`*`", "`^`"), (name, said)
        assert name not in said, name


def test_descriptions_refer_to_existing_tokens() -> None:
    names = {terminal.name for terminal in parser.parser().terminals}

    assert set(token_names.TOKEN_WORDS) <= names | LAYOUT_TOKENS | {"$END"}


def test_the_shapes_begin_with_words_of_the_grammar() -> None:
    known = set(keywords.all_keywords())

    assert {word for words in SENTENCE_SHAPES for word in words.split()} <= known


def test_headers_begin_with_the_words_of_the_grammar() -> None:
    words = {keywords.spellings(name)[0] for name in keywords.first_tokens("header")}
    beside = {
        word
        for word in words
        if COMPANION_START.match(f"{word} of game")
        or COMPANION_START.match(f"{word} de of game")
    }

    assert words == {*keywords.header_words(), SHORT_HEADER, *beside}
    assert len(beside) == 3
