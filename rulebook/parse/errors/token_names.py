"""The grammar's tokens in words, for messages that say what was expected."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from functools import lru_cache

from rulebook.parse.parser import parser
from rulebook.source.spelling import either


def words(text: str) -> tuple[str, ...]:
    """Return the words of a text, for lists that read better in a line."""
    return tuple(text.split())


_SHOWN_MAX = 5

_SAID = {
    "NAME": "a name",
    "INT": "a number",
    "STRING": "a text in quotes",
    "LINK": "a link",
    "COMPASS": "a side such as `NE`",
    "PREP": "a word such as `for`",
    "CMP": "a comparison",
    "_NL": "the end of the line",
    "_INDENT": "indented lines",
    "_DEDENT": "the end of these lines",
    "$END": "the end of the clause",
    "_IS": "`is`",
    "_HAS": "`has`",
    "_S": "`'s`",
    "_CHOOSE": "`chooses`",
    "_GATHER": "`gathers`",
    "_DO": "`does`",
    "_SEE": "`sees`",
    "_WIN": "`wins`",
    "_PLAYERS": "`players`",
    "_IS_TO_MOVE": "`is to move`",
    "_CLOCKWISE_AFTER": "`clockwise after`",
    "_IN_ORDER_OF": "`in order of`",
    "_IN_FALLING_ORDER_OF": "`in falling order of`",
    "_HAS_NEXT_TURN": "`has the next turn`",
    "_MISSES_A_TURN": "`misses a turn`",
    "_CARRIES_OUT": "`carries out`",
    "WAY": "`the other way`",
    "_PLAYERS_WITH": "`players with`",
    "_THEN": "`, then`",
    "_UP_TO_TIMES": "`, up to … times`",
    "IF_SEVERAL": "`, if there are several`",
    "MOST_OF": "`most`",
    "FEWEST_OF": "`fewest`",
    "LARGEST_OF": "`highest`",
    "SMALLEST_OF": "`lowest`",
    "_OF_ANY": "`of any`",
    "_FIRST": "`first`",
    "_ONLY": "`only`",
    "_SMALLER_OF": "`smaller of`",
    "_LARGER_OF": "`larger of`",
    "_DIVIDED_BY": "`divided by`",
    "_REMAINDER_OF": "`remainder of`",
    "_ANOTHERS": "`another player's`",
    "YES_NO": "`yes/no`",
}
OPERATORS = frozenset(
    words(
        "PLUS MINUS STAR _DIVIDED_BY CMP AND OR _IS _HAS _S IN LPAR "
        "_CLOCKWISE_FROM _CLOCKWISE_AFTER _COUNTERCLOCKWISE_TO"
    )
)
_VALUES = frozenset(
    words(
        "NAME LINK INT YOU YOUR YES NO NONE NOTHING MINUS NOT SOME EVERY LPAR "
        "_NUMBER_OF _SUM_OVER _BAG_OVER _LONGEST_TRAIL _REACH_FROM _STEPS_FROM "
        "_HALF_OF _REMAINDER_OF _SMALLER_OF _LARGER_OF _COST_OF _TOP_CARD_OF _TOP_CARD "
        "_RANDOM_CARD EVERYTHING ALL _UP_TO _NEXT_PLAYER _EXACTLY_ONE _FIRST _ONLY "
        "LARGEST_OF SMALLEST_OF"
    )
)
_LAYOUT_LAST = ("_NL", "_DEDENT", "$END")

SENTENCE_WORDS = words(
    "let set increase decrease move discard place remove shuffle roll chance forget "
    "carry nobody stop require step if each repeat otherwise you your dice needs pays"
)
"""Words that begin a sentence, where it does not begin with who does something."""

VERBS = words("chooses gathers does sees wins starts may choose gather do see win")
"""Words that follow who does something."""


def expected(accepts: Collection[str]) -> str:
    """Return in words what could have stood there."""
    left = set(accepts)
    if {"KIND", "OPTION", "DEFINE"} <= left:
        return "a clause such as `option` or `define`"
    said = []
    if {"LET", "SET", "MOVE"} <= left:
        said.append("a sentence")
        left &= {"_DEDENT", "$END"}
    elif {"YOU", "YOUR"} <= left:
        said.append("a value")
        left -= _VALUES
    if left & {"PLUS", "AND", "_S"}:
        left -= OPERATORS
        if not left:
            said.append("an operator")
    if "_NL" in left:
        left -= {"LSQB"}
    last = [name for name in _LAYOUT_LAST if name in left]
    said += sorted(_said(name) for name in left.difference(last))
    said += [_said(name) for name in last]
    if len(said) > _SHOWN_MAX:
        said = [*said[: _SHOWN_MAX - 1], "another word"]
    return either(said)


def keywords(names: Iterable[str]) -> list[str]:
    """Return the words that some of the grammar's tokens stand for, sorted."""
    spelled = _spelled()
    found = (spelled.get(name, "") for name in names)
    return sorted(word for word in found if word.replace(" ", "").isalpha())


@lru_cache(maxsize=1)
def every_keyword() -> tuple[str, ...]:
    """Return all words that are keywords somewhere, sorted."""
    return tuple(keywords(_spelled()))


def _said(name: str) -> str:
    return _SAID.get(name) or f"`{_spelled().get(name, name)}`"


@lru_cache(maxsize=1)
def _spelled() -> dict[str, str]:
    """Return how each keyword or sign is spelled, by the token's name."""
    spelled = {}
    for terminal in parser().terminals:
        text = terminal.pattern.value
        if terminal.pattern.type == "re":
            text = re.sub(r"\(\?!.*?\)$", "", text).replace(" +", " ")
        spelled[terminal.name] = text.replace("\\", "")
    return spelled
