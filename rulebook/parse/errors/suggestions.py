"""One-line help for a word that is not allowed where it is.

The table of mistakes comes first, then these cases in order: numbers written as words,
misspelt words, missing words. If none applies, the help is the general form of the
sentence.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from rulebook.parse.errors import likeness
from rulebook.parse.errors.failure import Failure
from rulebook.parse.errors.shapes import shape
from rulebook.parse.grammar import keywords
from rulebook.parse.grammar.continuations import carried_on
from rulebook.source.spelling import meant, nearest


def cure(at: Failure) -> str | None:
    """Return help for the word where the parser stopped."""
    for known in _CURES:
        help = known(at)
        if help is not None:
            return help
    return None


def at_the_end(at: Failure) -> str | None:
    """Return help for a line that ends too soon."""
    return likeness.cure(at) or _goes_on(at) or shape(at)


def _goes_on(at: Failure) -> str | None:
    """Return help for a line whose last word belongs on the next line, such as `or`."""
    word = re.search(r"(\w+|[+*])\s*$", at.before)
    below = at.chunk.lines[at.row + 1 :]
    goes_on = word is not None and carried_on(["above", f"  {word[1]} x"])[1]
    if word is None or not (goes_on and below):
        return None
    return f"begin the next line with `{word[1]}`"


def of_a_verb(at: Failure) -> str | None:
    """Return help if no verb follows the start of a sentence."""
    known = likeness.cure(at)
    subject = at.before.split(":")[-1].strip()
    alone = at.text.isidentifier() and re.match(r'\s*($|[(,"\[])', at.after)
    if known is None and alone and subject.isidentifier():
        return f"write `{subject} {'do' if subject == 'you' else 'does'} {at.text}`"
    return known


# ---------------------------------------------------------------- single cases


def _number_word(at: Failure) -> str | None:
    return meant(at.text) if "INT" in at.accepts else None


def _whole_clause(at: Failure) -> str | None:
    within = {"ACTION", "TO", "PHASE", "SETUP"} <= at.accepts
    if within and at.chunk.first_word == "in" and at.text in keywords.every_keyword():
        return f"replace the whole clause: `replace {at.text} …`"
    return None


def _near(at: Failure) -> str | None:
    if at.text in keywords.every_keyword():
        return None
    near = nearest(at.text, keywords.keywords(at.accepts))
    return None if near is None else f"did you mean `{near}`?"


def _word_before(at: Failure) -> str | None:
    """Return help if the word before the position looks like a misspelt keyword."""
    word = re.search(r"(\w{3,})\s*$", at.before)
    every = keywords.every_keyword()
    if word is None or word[1] in every or not re.match(r"[\w\"(]", at.text):
        return None
    near = nearest(word[1], every)
    return None if near is None else f"did you mean `{near}` instead of `{word[1]}`?"


_JOINS = {"PLUS", "AND", "_S"}
"""Tokens that may follow any value."""

_BEHIND_A_VALUE = {"COLON", "_NL", "STRING", "LSQB", "RPAR", "COMMA", "WHERE", "IF"}


def _word_missing(at: Failure) -> str | None:
    """Return help for two values with nothing between them: `north mood`."""
    ends = at.accepts - keywords.operators() <= _BEHIND_A_VALUE
    value = at.token.type in ("NAME", "INT", "YOU", "YOUR")
    if not (value and ends and at.accepts & _JOINS):
        return None
    return f"is a word missing before `{at.text}`, such as `'s`, `is` or `and`?"


_CURES: tuple[Callable[[Failure], str | None], ...] = (
    likeness.cure,
    _number_word,
    _whole_clause,
    _near,
    _word_before,
    _word_missing,
    shape,
)
