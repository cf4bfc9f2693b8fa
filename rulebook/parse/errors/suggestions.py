"""One-line help for a word that is not allowed at its position.

The table of mistakes comes first, then these cases in order: numbers written as words,
misspelt words, missing words. If none applies, the help is the general form of the
sentence.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from rulebook.parse.errors import example_matching
from rulebook.parse.errors.failure import Failure
from rulebook.parse.errors.sentence_forms import sentence_form_help
from rulebook.parse.grammar import keywords
from rulebook.parse.grammar.continuations import continuation_flags
from rulebook.source.spelling import foreign_word_help, nearest


def word_help(failure: Failure) -> str | None:
    """Return help for the word where the parser stopped, or None."""
    for known in _HELP_CASES:
        help = known(failure)
        if help is not None:
            return help
    return None


def line_end_help(failure: Failure) -> str | None:
    """Return help for a line that ends too soon, or None."""
    return (
        example_matching.row_help(failure)
        or _unfinished_line_help(failure)
        or sentence_form_help(failure)
    )


def _unfinished_line_help(failure: Failure) -> str | None:
    """Return help for a line whose last word belongs on the next line, such as `or`."""
    word = re.search(r"(\w+|[+*])\s*$", failure.before)
    below = failure.chunk.lines[failure.row + 1 :]
    goes_on = word is not None and continuation_flags(["above", f"  {word[1]} x"])[1]
    if word is None or not (goes_on and below):
        return None
    return f"begin the next line with `{word[1]}`"


def missing_verb_help(failure: Failure) -> str | None:
    """Return help for a sentence that lacks a verb after its start, or None."""
    known = example_matching.row_help(failure)
    subject = failure.before.split(":")[-1].strip()
    alone = failure.text.isidentifier() and re.match(r'\s*($|[(,"\[])', failure.after)
    if known is None and alone and subject.isidentifier():
        return (
            f"write `{subject} {'do' if subject == 'you' else 'does'} {failure.text}`"
        )
    return known


# ---------------------------------------------------------------- cases


def _number_word(failure: Failure) -> str | None:
    return foreign_word_help(failure.text) if "INT" in failure.accepts else None


def _whole_clause(failure: Failure) -> str | None:
    within = {"ACTION", "TO", "PHASE", "SETUP"} <= failure.accepts
    if (
        within
        and failure.chunk.first_word == "in"
        and failure.text in keywords.all_keywords()
    ):
        return f"replace the whole clause: `replace {failure.text} …`"
    return None


def _misspelt_word(failure: Failure) -> str | None:
    if failure.text in keywords.all_keywords():
        return None
    near = nearest(failure.text, keywords.keywords(failure.accepts))
    return None if near is None else f"did you mean `{near}`?"


def _previous_word_help(failure: Failure) -> str | None:
    """Return help if the word before the position looks like a misspelt keyword."""
    word = re.search(r"(\w{3,})\s*$", failure.before)
    every = keywords.all_keywords()
    if word is None or word[1] in every or not re.match(r"[\w\"(]", failure.text):
        return None
    near = nearest(word[1], every)
    return None if near is None else f"did you mean `{near}` instead of `{word[1]}`?"


_JOINING_TOKENS = {"PLUS", "AND", "_S"}
"""Tokens that can follow any value."""

_TOKENS_AFTER_VALUE = {"COLON", "_NL", "STRING", "LSQB", "RPAR", "COMMA", "WHERE", "IF"}


def _missing_word_help(failure: Failure) -> str | None:
    """Return help for two values with nothing between them: `north mood`."""
    ends = failure.accepts - keywords.operator_tokens() <= _TOKENS_AFTER_VALUE
    value = failure.token.type in ("NAME", "INT", "YOU", "YOUR")
    if not (value and ends and failure.accepts & _JOINING_TOKENS):
        return None
    return f"is a word missing before `{failure.text}`, such as `'s`, `is` or `and`?"


_HELP_CASES: tuple[Callable[[Failure], str | None], ...] = (
    example_matching.row_help,
    _number_word,
    _whole_clause,
    _misspelt_word,
    _previous_word_help,
    _missing_word_help,
    sentence_form_help,
)
