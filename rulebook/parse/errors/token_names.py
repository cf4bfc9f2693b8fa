"""Names of grammar tokens, for messages that list what was expected."""

from __future__ import annotations

from collections.abc import Collection

from rulebook.parse.errors.failure import CLAUSE_START_TOKENS
from rulebook.parse.grammar import keywords
from rulebook.source.spelling import join_with_or

_SHOWN_MAX = 4
"""Maximum number of expected tokens that a message lists."""

TOKEN_WORDS = {
    "NAME": "a name",
    "INT": "a number",
    "STRING": "a string in quotes",
    "LINK": "a link",
    "COMPASS": "a side such as `NE`",
    "PREP": "a word such as `for`",
    "CMP": "a comparison",
    "_NL": "the end of the line",
    "_INDENT": "indented lines",
    "_DEDENT": "the end of these lines",
    "$END": "the end of the clause",
    "_DO": "`does`",
    "_MISSES_A_TURN": "`misses a turn`",
    "_CARRIES_OUT": "`carries out`",
    "WAY": "`the other way`",
    "_UP_TO_TIMES": "`, up to … times`",
    "LARGEST_OF": "`highest`",
    "SMALLEST_OF": "`lowest`",
}
_LAYOUT_LAST = ("_NL", "_DEDENT", "$END")


def expected_words(accepted_tokens: Collection[str]) -> str:
    """Return the tokens that the parser would accept, in words."""
    left = set(accepted_tokens)
    if left >= CLAUSE_START_TOKENS:
        return "a clause such as `option` or `define`"
    said = []
    if {"LET", "SET", "MOVE"} <= left:
        said.append("a sentence")
        left &= {"_DEDENT", "$END"}
    elif {"YOU", "YOUR"} <= left:
        said.append("a value")
        left -= keywords.value_tokens()
    if left & {"PLUS", "AND", "_S"}:
        left -= keywords.operator_tokens()
        if not left:
            said.append("an operator")
    if "_NL" in left:
        left -= {"LSQB"}
    last = [name for name in _LAYOUT_LAST if name in left]
    said += sorted(map(_readable_name, left.difference(last)), key=_likelihood_key)
    said += [_readable_name(name) for name in last]
    if len(said) > _SHOWN_MAX:
        said = [*said[: _SHOWN_MAX - 1], "another word"]
    return join_with_or(said)


def _likelihood_key(words: str) -> tuple[bool, str]:
    """Return a sort key that puts keywords of several words last."""
    return words.startswith("`") and " " in words, words


def _readable_name(name: str) -> str:
    return TOKEN_WORDS.get(name) or f"`{(*keywords.spellings(name), name)[0]}`"
