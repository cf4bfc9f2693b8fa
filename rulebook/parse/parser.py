"""Lark parser of the grammar, and its handling of indentation.

It is created once per process, from tables that are cached between processes. It has no
state of its own, so parses may run concurrently.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from lark import Lark, Token, Tree
from lark.common import LexerConf
from lark.lark import PostLex
from lark.lexer import ContextualLexer

from rulebook.parse import parser_tables

GRAMMAR = Path(__file__).parents[1] / "grammar.lark"

TABLE_OPTIONS: dict[str, Any] = {
    "parser": "lalr",
    "lexer": "contextual",
    "start": ["header", "clause"],
    "maybe_placeholders": True,
}
"""Parser options that are fixed when the tables are created."""

LAYOUT_TOKENS = frozenset(("_NL", "_INDENT", "_DEDENT"))
"""Tokens of line ends and indentation, which are not part of a phrase's span."""


class BadDedent(Exception):
    """Raised for a line whose indentation matches no line above it."""

    def __init__(self, line: int, width: int) -> None:
        super().__init__(line, width)
        self.line = line
        self.width = width


class Indentation(PostLex):
    """Lexer step that inserts `_INDENT` and `_DEDENT` where the indentation changes.

    A line that ends in a comma continues on the next one, so its end is dropped.
    """

    always_accept = ("_NL",)

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        """Yield the tokens with the changes of indentation inserted.

        Raises: BadDedent: if the indentation of a line matches no line above it.
        """
        widths = [0]
        before = ""
        for token in stream:
            goes_on = token.type == "_NL" and before == "COMMA"
            before = token.type
            if goes_on:
                continue
            yield token
            if token.type != "_NL":
                continue
            width = len(token) - token.rfind("\n") - 1
            if width > widths[-1]:
                widths.append(width)
                yield Token.new_borrow_pos("_INDENT", "", token)
            while width < widths[-1]:
                widths.pop()
                yield Token.new_borrow_pos("_DEDENT", "", token)
            if width != widths[-1]:
                assert token.end_line is not None
                raise BadDedent(token.end_line, width)


class UnvalidatedLexer(ContextualLexer):
    """Contextual lexer that skips Lark's check of terminals; a test runs that check."""

    def __init__(self, conf: LexerConf, *args: Any, **kwargs: Any) -> None:
        conf.skip_validation = True
        super().__init__(conf, *args, **kwargs)


def _is_significant(child: object) -> bool:
    return not (isinstance(child, Token) and child.type in LAYOUT_TOKENS)


def grammar_text() -> str:
    """Return the text of the grammar."""
    return GRAMMAR.read_text(encoding="utf-8")


def runtime_options() -> dict[str, Any]:
    """Return the parser options that apply when the tables are used."""
    return {"postlex": Indentation(), "propagate_positions": _is_significant}


def make_parser(*, strict: bool = False) -> Lark:
    """Return a new parser; `strict` rejects grammar conflicts (needs interegular)."""
    lexers = {} if strict else {"ContextualLexer": UnvalidatedLexer}
    return Lark(
        grammar_text(),
        **TABLE_OPTIONS,
        **runtime_options(),
        strict=strict,
        _plugins=lexers,
    )


def tables_text() -> str:
    """Return the text of the file that stores the parser's tables."""
    name = parser_tables.tables_file_name(grammar_text(), TABLE_OPTIONS)
    return parser_tables.tables_text(make_parser(), name, TABLE_OPTIONS)


@lru_cache(maxsize=1)
def parser() -> Lark:
    """Return the parser of this process."""
    name = parser_tables.tables_file_name(grammar_text(), TABLE_OPTIONS)
    lark = parser_tables.stored_parser(name, runtime_options())
    if lark is None:
        lark = make_parser()
        parser_tables.store_tables(
            parser_tables.tables_text(lark, name, TABLE_OPTIONS), name
        )
    return lark


def tree_names() -> set[str]:
    """Return the names of all trees that can occur inside the parser's trees.

    A rule that is replaced by its only child, like most expression rules, has no tree.
    """
    names = set()
    for rule in parser().rules:
        kept = [x for x in rule.expansion if not getattr(x, "filter_out", False)]
        gaps = any(rule.options.empty_indices)
        is_child = rule.options.expand1 and len(kept) == 1 and not gaps
        if rule.alias or not is_child:
            names.add(rule.alias or rule.options.template_source or rule.origin.name)
    return {str(name) for name in names if not name.startswith("_")}


def parse_chunk(text: str, start: str) -> Tree[Token]:
    """Return the Lark tree of one clause, parsed with the grammar rule *start*."""
    return parser().parse(text, start=start)
