"""General forms of sentences, shown as help if there is no better help."""

from __future__ import annotations

import re

from rulebook.parse.errors.failure import Failure, blank_quotes

SENTENCE_SHAPES = {
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
"""Form of each sentence by its first words, with placeholders in capitals."""


def sentence_form_help(failure: Failure) -> str | None:
    """Return help with the general form of the sentence, or None if it is unknown."""
    parts = re.split(r":(?:\s|$)", blank_quotes(failure.before + failure.text))
    for part in reversed(parts):
        words = re.findall(r"\w+", part)
        if words[:1] in (["add"], ["replace"]):
            del words[0]
        amends = words[:1] == ["remove"] and not failure.row
        if words and words[0] in SENTENCE_SHAPES and not amends:
            written = SENTENCE_SHAPES.get(
                " ".join(words[:2]), SENTENCE_SHAPES[words[0]]
            )
            return f"the form of this line is `{written}`"
    return None
