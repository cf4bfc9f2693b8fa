"""What people write out of habit, from other languages and from their own.

Tables of words and signs with what this language has instead, and the shape of each
sentence by the word that it begins with. `parse/mistakes` looks here for a cure.
"""

from __future__ import annotations

import unicodedata

WORDS = {
    "==": "equality is one `=`",
    "<>": "write `!=`",
    "!": "write `not`",
    "&": "write `and`",
    "plus": "write `+`",
    "minus": "write `-`",
    "/": "write `divided by`, and `, rounded up` behind it where it is",
    "mod": "write `remainder of a divided by b`",
    "{": "brackets are round: `(`",
    "}": "brackets are round: `)`",
    "'": "a text stands in `\"`; `'s` follows a name without a blank",
    ";": "each sentence stands on a line of its own",
    "then": "a condition ends in `:`",
    "than": "numbers are compared with `<`, `<=`, `>` and `>=`",
    "least": "numbers are compared: `>=` is at least",
    "most": "numbers are compared: `<=` is at most",
    "contains": "write `has`",
    "includes": "write `has`",
    "equals": "equality is `=`",
    "procedure": "a procedure is called `to`",
    "function": "a function is called `define`",
    "unless": "write `if not`",
    "cannot": "write `may not`",
    "can": "write `may do`, or `does` where there is no choice",
    "must": "write `does`: who is asked has to decide",
}
"""Words and signs that stand where this language has others."""

SIGNS = {
    "–": "write `-`",
    "—": "write `-`",
    "−": "write `-`",
    "×": "write `*`",
    "·": "write `*`",
    "÷": "write `divided by`",
    "½": "write `half of`",
    "≤": "write `<=`",
    "≥": "write `>=`",
    "≠": "write `!=`",
    "…": "a range is written `1 to 3`",
    "→": "write `to`",
    "`": "a part follows `'s`",
    "´": "a part follows `'s`",
    "′": "a part follows `'s`",
    "%": "there are no percentages: write the number that is meant",
    "[": "brackets are round, `(`; square ones hold a citation",
    "]": "brackets are round, `)`; square ones hold a citation",
}
"""Signs of typesetting and of mathematics."""

COMPARED = ("=", "!=", "<", "<=", ">", ">=")
"""The signs between two values that are compared."""

BEGINNINGS = {
    "else": "the word is `otherwise`",
    "elif": "write `otherwise if`",
    "while": (
        "what happens again is `repeat COUNT times:` or "
        "`repeat until CONDITION, at most COUNT times:`"
    ),
    "for": "what happens for each is `each KIND:`",
    "foreach": "what happens for each is `each KIND:`",
    "unless": "write `if not CONDITION:`",
    "return": "a definition's lines are values, without a word before them",
    "add": "a number grows by `increase PLACE by 1`; cards go by `move`",
    "subtract": "a number shrinks by `decrease PLACE by 1`",
    "give": "cards go by `move 1 CARD from PLACE to PLACE`",
    "gain": "cards come by `move 1 CARD from PLACE to your PLACE`",
    "get": "cards come by `move 1 CARD from PLACE to your PLACE`",
    "take": "cards come by `move 1 CARD from PLACE to your PLACE`",
    "draw": "a card is drawn by `move top card from PLACE to your PLACE`",
    "lose": "cards go by `discard 1 CARD from your PLACE`",
    "pay": "an action's price is `pays COST`; else cards go by `move`",
    "build": "a piece is placed by `place your PIECE on SPACE`",
    "skip": "write `PLAYER misses a turn`, or `PLAYER has the next turn`",
    "player": (
        "say which: `you`, a seat, `the only player with the most NUMBER`; "
        "several win by `the players with the most NUMBER win`"
    ),
    "reveal": "`PLAYER sees PLACE` shows somebody what lies there",
    "show": "`PLAYER sees PLACE` shows somebody what lies there",
    "look": "`PLAYER sees PLACE` shows somebody what lies there",
    "put": "a piece is placed by `place PIECE on SPACE`; cards go by `move`",
    "check": "what must hold is `require CONDITION`",
    "assert": "what must hold is `require CONDITION`",
    "expect": "what must hold is `require CONDITION`",
    "all": "what happens for each is `each KIND:`",
    "every": "what happens for each is `each KIND:`",
    "and": "each sentence stands on a line of its own; conditions come before the `:`",
    "call": "a procedure is called by its name alone",
    "var": "write `let NAME be VALUE`",
}
"""Words with which no sentence begins, and the sentences that are meant."""

BEFORE = {
    "my": "write `your`",
    "their": "say whose it is, as in `player's`",
    "from": "write `in`: `KIND in PLACE`",
    "top": "cards go one by one: `repeat 2 times: move the top card from A to B`",
    "random": "chance is rolled: declare `dice NAME: 1 to 6` and write `roll NAME`",
    "roll": "`roll NAME` stands on a line of its own; then the die is read by its name",
    "number": "write `number of`",
    "distance": "how far it is are the `steps from A to B over LINK`",
}
"""Words that are taken for names, though something else is meant."""

CLAUSES = {
    "def": "a value is called `define NAME`, and what happens `to NAME`",
    "function": "a value is called `define NAME`, and what happens `to NAME`",
    "procedure": "what happens is called `to NAME`",
    "class": "things of a kind are called `kind`, `cards` or `piece`",
    "enum": "things of a kind are listed as `kind NAME: FIRST, SECOND`",
    "const": "write `define NAME = VALUE`, or `option NAME (1 to 9): 3`",
    "var": "what a game remembers stands below `game has`",
    "import": "write `extends NAME` in the first line",
    "include": "write `extends NAME` in the first line",
    "use": "write `extends NAME` in the first line",
    "change": "write `replace` before the clause, or `in` to change a part of it",
    "modify": "write `replace` before the clause, or `in` to change a part of it",
    "delete": "write `remove` before the clause's name",
    "test": 'write `scenario "TITLE"`',
    "phase": "below `in turn` stands `add phase NAME after OTHER`",
    "add": "parts are added below a line such as `in action NAME`",
    "/": "a comment begins with `#`",
    "*": "a comment begins with `#`",
    "-": "a comment begins with `#`; a clause begins in the first column",
}
"""Words with which no clause begins, and the clauses that are meant."""

SHAPES = {
    "rulebook": 'rulebook NAME "Title"',
    "extends": "extends NAME",
    "players": "players 2 to 4",
    "seats": "seats NAME, NAME",
    "kind": "kind NAME: FIRST, SECOND",
    "option": 'option NAME (1 to 9): 3 "What it is"',
    "cost": "cost NAME: 1 CARD, 2 CARD",
    "dice": "dice NAME: 1 to 6",
    "piece": "piece NAME: 3 for each player, stands on SPACE",
    "limit": 'limit NAME: at most 1 each turn of ACTION "Reason"',
    "hint": 'hint WORD NAME: "Text"',
    "colour": 'colour NAME: "#2e7d32"',
    "scenario": 'scenario "Title" with 2 players',
    "needs": 'needs LABEL: CONDITION "Reason"',
    "pays": "pays COST",
    "field": "add field NAME: 0 to 9",
    "otherwise": "otherwise:",
    "let": "let NAME be VALUE",
    "set": "set PLACE to VALUE",
    "increase": "increase PLACE by VALUE",
    "decrease": "decrease PLACE by VALUE",
    "move": "move CARDS from PLACE to PLACE",
    "discard": "discard CARDS from PLACE",
    "remove": "remove PIECE from SPACE",
    "roll": "roll NAME and NAME",
    "place": "place PIECE on SPACE",
    "repeat": "repeat COUNT times:",
    "repeat until": "repeat until CONDITION, at most COUNT times:",
    "each": "each KIND where CONDITION:",
    "whenever": "whenever CONDITION:",
}
"""The shape of a line, by the words that it begins with; names are in capitals."""


def cure_of_sign(char: str) -> str | None:
    """Return what to do about a character that has no meaning."""
    if char in SIGNS or char in WORDS:
        return SIGNS.get(char) or WORDS[char]
    if char.isspace():
        return "write a usual blank in its place"
    if unicodedata.category(char) == "Cf":
        return "delete it: it is there, though nothing is seen"
    return None
