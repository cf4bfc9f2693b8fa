"""What a clause is by its first words: one of a file's, a header, or a header below."""

from __future__ import annotations

import re

from rulebook.parse.grammar import keywords
from rulebook.source.lines import Chunk

COMPANION = re.compile(r"(scenarios|look|words[ \t]+\w+)[ \t]+of[ \t]")
"""What the header of a file beside a game begins with."""

SHORT_HEADER = "extends"
"""The word of a header of one line, which needs no version above it."""

_ROUND = re.compile(r"(the\s+)?(before|after)\s+(the\s+)?each\b")


def is_header(chunk: Chunk) -> bool:
    """Return whether a clause is the header of a file, a short one left out."""
    companion = COMPANION.match(chunk.lines[0]) is not None
    return companion or chunk.first_word in keywords.header_words()


def is_known(chunk: Chunk) -> bool:
    """Return whether a clause begins with words that one, or a header, begins with."""
    around_a_round = _ROUND.match(chunk.lines[0]) is not None
    is_clause = chunk.first_word in keywords.clause_words() or around_a_round
    return is_clause or is_header(chunk)


def start_of(chunk: Chunk) -> str:
    """Return the rule of the grammar that the first clause of a file is parsed by."""
    short = chunk.first_word == SHORT_HEADER
    return "header" if short or is_header(chunk) else "clause"
