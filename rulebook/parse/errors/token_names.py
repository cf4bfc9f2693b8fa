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
    """Return the tokens that the parser would accept, as text for a message."""
    remaining = set(accepted_tokens)
    if remaining >= CLAUSE_START_TOKENS:
        return "a clause such as `option` or `define`"
    words = []
    if {"LET", "SET", "MOVE"} <= remaining:
        words.append("a sentence")
        remaining &= {"_DEDENT", "$END"}
    elif {"YOU", "YOUR"} <= remaining:
        words.append("a value")
        remaining -= keywords.value_tokens()
    if remaining & {"PLUS", "AND", "_S"}:
        remaining -= keywords.operator_tokens()
        if not remaining:
            words.append("an operator")
    if "_NL" in remaining:
        remaining -= {"LSQB"}
    last = [name for name in _LAYOUT_LAST if name in remaining]
    others = map(_readable_name, remaining.difference(last))
    words += sorted(others, key=_likelihood_key)
    words += [_readable_name(name) for name in last]
    if len(words) > _SHOWN_MAX:
        words = [*words[: _SHOWN_MAX - 1], "another word"]
    return join_with_or(words)


def _likelihood_key(words: str) -> tuple[bool, str]:
    """Return a sort key that puts keywords of several words last."""
    return words.startswith("`") and " " in words, words


def _readable_name(name: str) -> str:
    return TOKEN_WORDS.get(name) or f"`{(*keywords.spellings(name), name)[0]}`"
