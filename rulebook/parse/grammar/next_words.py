"""Words that may follow an unfinished clause, and the smallest way to finish it.

The parser reads the text up to a place. The tokens that it accepts next are the words
that can be written there. Where it accepts a name, a stand-in for the name and the
fewest possible tokens finish the clause, so that the name's role is known.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from copy import copy as shallow_copy
from typing import cast

from lark import Token, Tree, UnexpectedInput
from lark.parsers.lalr_interactive_parser import InteractiveParser

from rulebook.parse.grammar.continuations import continuation_flags
from rulebook.parse.grammar.keywords import spellings
from rulebook.parse.parser import BadDedent, parser
from rulebook.source.source_text import strip_comment

NAME_TOKEN = "NAME"
STAND_IN = "a_name_to_choose"
"""Name that takes the place of the name to be written."""

_WORDS_MAX = 5
"""Maximum number of words of a keyword."""

_STEPS_MAX = 2_000
"""Maximum number of tokens that are tried to finish a clause."""

_END = "$END"
_FINISHING = (
    *(_END, "_DEDENT", "_NL", "RPAR", "RSQB", "COLON", "_INDENT", NAME_TOKEN),
    *("STRING", "INT", "EQUAL", "TO", "FROM", "BY", "ON", "OTHERWISE", "COMMA"),
    *("VBAR", "_S", "_OF", "IN", "WHERE"),
)
"""Tokens in the order in which they are tried to finish a clause; others follow."""

_EXAMPLES = {NAME_TOKEN: "x", "INT": "1", "STRING": '"x"', "LINK": "x-y"}
"""Texts of the tokens that have no fixed spelling."""


def next_words(text: str, start: str) -> tuple[str, ...]:
    """Return the keywords that may follow the text of an unfinished clause.

    *start* is the grammar rule of the clause. The text ends between two words. A
    keyword of several words may already be written in part.
    """
    words = dict.fromkeys(_single_words(accepted_tokens(text, start)))
    *above, line = text.split("\n")
    if above and not line.strip():
        carried = accepted_tokens("\n".join(above), start)
        words |= dict.fromkeys(filter(_continues, _single_words(carried)))
    if line.endswith(" "):
        words |= dict.fromkeys(_completed_words("\n".join(above), line, start))
    return tuple(words)


def accepts_name(text: str, start: str) -> bool:
    """Return whether a name may follow the text of an unfinished clause."""
    return NAME_TOKEN in accepted_tokens(text, start)


def accepted_tokens(text: str, start: str) -> frozenset[str]:
    """Return the tokens that may follow a text; none if it has a mistake."""
    state = _state_after(text, start)
    return frozenset() if state is None else _accepted(state)


def finished_clause(text: str, start: str) -> Tree[Token] | None:
    """Return the tree of a clause with `STAND_IN` after the text, or None.

    A row of a table gets as many cells as the row above it.
    """
    state = _state_after(text, start)
    if state is None or NAME_TOKEN not in _accepted(state):
        return None
    trial = _without_values(state)
    cells: tuple[str, ...] = (NAME_TOKEN,)
    for cell in ("VBAR", NAME_TOKEN) * _missing_cells(text):
        with suppress(UnexpectedInput):
            trial.feed_token(Token(cells[-1], ""))
            cells = (*cells, cell)
    tokens = _finishing_tokens(trial, cells[-1:], [_STEPS_MAX])
    if tokens is None:
        return None
    tokens = (*cells[:-1], *tokens)
    row, column = text.count("\n") + 1, len(text) - text.rfind("\n")
    for number, name in enumerate(tokens):
        word = (*spellings(name), _EXAMPLES.get(name, "x"))[0] if number else STAND_IN
        end = column + len(word)
        token = Token(name, word, column, row, column, row, end, end)
        column = end + 1
        if name == _END:
            tree = state.feed_eof(token)  # type: ignore[no-untyped-call]
            return cast("Tree[Token]", tree)
        state.feed_token(token)
    raise AssertionError(tokens)


# ---------------------------------------------------------------- words


def _single_words(tokens: Iterable[str]) -> Iterator[str]:
    """Yield the spellings of tokens, without those that begin with a sign."""
    for token in sorted(tokens):
        for text in spellings(token):
            if text.replace(" ", "").replace("/", "").isalpha():
                yield text


def _continues(word: str) -> bool:
    """Return whether a line that starts with a word continues the line above."""
    return continuation_flags(["above", f"  {word} x"])[1]


def _completed_words(above: str, line: str, start: str) -> Iterator[str]:
    """Yield the rest of the keywords whose first words end the line."""
    begin = f"{above}\n" if above else ""
    ends = [match.start() for match in re.finditer(r"(?<![\w'’])\w|,", line)]
    for at in ends[-_WORDS_MAX:]:
        written = " ".join(line[at:].split()) + " "
        for token in accepted_tokens(begin + line[:at], start):
            for text in spellings(token):
                rest = text.removeprefix(written)
                if rest != text and rest.replace(" ", "").isalpha():
                    yield rest


# ---------------------------------------------------------------- parser states


def _state_after(text: str, start: str) -> InteractiveParser | None:
    """Return the state of the parser after a text, or None if it has a mistake."""
    state = parser().parse_interactive(text, start=start)
    try:
        for _ in state.iter_parse():
            pass
    except (UnexpectedInput, BadDedent):
        return None
    return state


def _accepted(state: InteractiveParser) -> frozenset[str]:
    """Return the tokens that a state accepts next."""
    return frozenset(state.accepts())  # type: ignore[no-untyped-call]


def _missing_cells(text: str) -> int:
    """Return how many cells the row at the end of a text has less than the one above.

    A stand-in for the next cell is counted as one of the row's cells.
    """
    *above, row = text.split("\n")
    code = (strip_comment(line) for line in reversed(above))
    before = next((line for line in code if line), "")
    return max(0, before.count("|") - row.count("|"))


def _without_values(state: InteractiveParser) -> InteractiveParser:
    """Return a copy of a state that builds no trees, for trials."""
    copy = state.copy(deepcopy_values=False)  # type: ignore[no-untyped-call]
    copy.parser_state.parse_conf = shallow_copy(state.parser_state.parse_conf)
    copy.parser_state.parse_conf.callbacks = {}
    return cast("InteractiveParser", copy)


def _finishing_tokens(
    state: InteractiveParser, names: tuple[str, ...], steps: list[int]
) -> tuple[str, ...] | None:
    """Return the first sequence of tokens that finishes a clause, or None.

    The sequence begins with one of *names*; *steps* is the number of tokens to try.
    """
    for name in names:
        if not steps[0]:
            return None
        steps[0] -= 1
        following = state.copy(deepcopy_values=False)  # type: ignore[no-untyped-call]
        try:
            following.feed_token(Token(name, ""))
        except UnexpectedInput:
            continue
        if name == _END:
            return (name,)
        choices = following.choices()
        known = [it for it in _FINISHING if it in choices]
        others = sorted(it for it in choices if it.isupper() and it not in known)
        rest = _finishing_tokens(following, (*known, *others), steps)
        if rest is not None:
            return name, *rest
    return None
