"""Classification of clauses by their first words, such as those of headers."""

from __future__ import annotations

import re

from rulebook.parse.grammar import keywords
from rulebook.source.source_text import Chunk

COMPANION_START = re.compile(r"(scenarios|look|words[ \t]+\w+)[ \t]+of[ \t]")
"""Pattern for the start of a companion file's header."""

SHORT_HEADER = "extends"
"""First word of a one-line header, which needs no version above it."""

_ROUND = re.compile(r"(the\s+)?(before|after)\s+(the\s+)?each\b")


def is_header(chunk: Chunk) -> bool:
    """Return whether a clause is a full header, not the short form of one line."""
    companion = COMPANION_START.match(chunk.lines[0]) is not None
    return companion or chunk.first_word in keywords.header_words()


def has_known_start(chunk: Chunk) -> bool:
    """Return whether a clause starts with words that start a clause or a header."""
    around_a_round = _ROUND.match(chunk.lines[0]) is not None
    is_clause = chunk.first_word in keywords.clause_words() or around_a_round
    return is_clause or is_header(chunk)


def start_rule(chunk: Chunk) -> str:
    """Return the grammar rule with which the first clause of a file is parsed."""
    short = chunk.first_word == SHORT_HEADER
    return "header" if short or is_header(chunk) else "clause"
