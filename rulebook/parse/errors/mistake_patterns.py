"""Detection of mistakes inside a sentence that no example in the table can describe.

Only code can determine where such a mistake starts and ends, or whether it is a
mistake. Mistakes that nearby words identify are in the table of mistakes.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from rulebook.parse.errors.failure import Failure, blank_quotes
from rulebook.parse.grammar import keywords
from rulebook.source.diagnostics import Diagnostic
from rulebook.source.spelling import foreign_word_help, nearest

_ENDS = r"\s*(?:$|[:),\[\"]|(?:and|or|if|where)\b)"


def _missing_number(failure: Failure) -> Diagnostic | None:
    """Return a diagnostic for `has NAME CARD`, which lacks a number of cards."""
    word = re.search(r"\b(?:has|have)\s+(\w+)\s*$", failure.before)
    if word is None or not re.fullmatch(r"[^\W\d]\w*", failure.text):
        return None
    if not re.match(_ENDS, failure.after):
        return None
    cards = failure.text
    cure = foreign_word_help(word[1])
    return Diagnostic(
        "RB110",
        f"expected a number of `{cards}`, but this is `{word[1]}`",
        failure.span_on_line(word.start(1) + 1, word.end(1) + 1),
        help=cure or f"write `has {cards}`, or how many, as in `has 2 {cards}`",
    )


_NEEDS = re.compile(r"\s*(?:(?:add|replace)\s+)?needs\s+")


def _missing_label(failure: Failure) -> Diagnostic | None:
    match = _NEEDS.match(failure.code)
    if match is None or failure.accepts != {"COLON"} or failure.ends_line:
        return None
    words = re.match(r"(\w+(?:\s+\w+)+)\s*:", failure.code[match.end() :])
    end, message = (
        failure.span.end_column,
        "this `needs` has no label, or no `:` after it",
    )
    help = (
        'write `needs LABEL: CONDITION "Reason"`; other rules refer to it by its label'
    )
    if words is not None:
        end = match.end() + words.end(1) + 1
        message = "a label is one word"
        help = f"write `{'_'.join(words[1].split())}`"
    return Diagnostic(
        "RB011", message, failure.span_on_line(match.end() + 1, end), help
    )


def _reason_without_quotes(failure: Failure) -> Diagnostic | None:
    words = failure.code.split()[:2]
    sort = "limit" if "limit" in words else "needs"
    if (
        sort not in words
        or "STRING" not in failure.accepts
        or not failure.text.isidentifier()
    ):
        return None
    reason = re.match(r'[^"\[]*(?=\[|$)', failure.code[failure.span.column - 1 :])
    if (
        reason is None
        or nearest(failure.text, keywords.keywords(failure.accepts)) is not None
    ):
        return None
    place = failure.span_on_line(
        failure.span.column, failure.span.column + len(reason[0].rstrip())
    )
    message = f"the reason of this `{sort}` has no quotes"
    return Diagnostic("RB018", message, place, 'write `"` before and after it')


_DEFINED = re.compile(r"(?:replace\s+)?define\s.*?(:|\bis\b|$)")


def _defined_without_equals(failure: Failure) -> Diagnostic | None:
    """Return a diagnostic for `define bonus: 3`, `define bonus is 3` and the like."""
    match = _DEFINED.match(blank_quotes(failure.code))
    if failure.row or match is None:
        return None
    start = match.start(1)
    value = re.fullmatch(r"(:|is|)\s*(-?\d*|yes|no|return.*)", failure.code[start:])
    number = failure.token.type == "INT" and "EQUAL" in failure.accepts
    if value is None or (not value[1] and not number):
        return None
    if number and not value[1]:
        start, value = failure.span.column - 1, re.match("(.*)(.*)", failure.after)
    return Diagnostic(
        "RB011",
        "expected `=` before the value of this definition",
        failure.span_on_line(start + 1, len(failure.code) + 1),
        help="write `define NAME = VALUE`, or its lines below `define NAME`, "
        "without a `:`",
    )


def _misplaced_sentence(failure: Failure) -> Diagnostic | None:
    """Return a diagnostic for a sentence in an amendment that lacks a position."""
    edits = {"BEFORE", "AFTER", "ADD"} <= failure.accepts
    word = re.match(r"\s*(?:add\s+)?(\w+)\s*$", failure.before + (failure.text * edits))
    if word is None or not (edits or failure.accepts == {"COLON"}):
        return None
    if word[1] not in keywords.sentence_words():
        return None
    return Diagnostic(
        "RB011",
        f"this does not say where the `{word[1]}` goes",
        failure.span_on_line(word.start(1) + 1, word.end(1) + 1),
        help=(
            "put it below `before step NAME:`, `after step NAME:` or `replace step "
            "NAME:`; a clause without steps can only be replaced as a whole"
        ),
    )


_PREDICATE = re.compile(r"(?:\w+\s+)*define\s.*\bis\s+(\w+?)(?:_([a-z]+))?\s*$")


def _predicate_with_brackets(failure: Failure) -> Diagnostic | None:
    """Return a diagnostic for brackets, as in `define player is ready_for(good)`."""
    match = _PREDICATE.match(failure.before)
    if failure.token.type != "LPAR" or "PREP" not in failure.accepts or match is None:
        return None
    word, preposition = match[1], match[2]
    if preposition and preposition not in keywords.spellings("PREP"):
        word, preposition = f"{word}_{preposition}", None
    given = re.match(r"\s*([\w ]*?)\s*\)", failure.after)
    thing = given[1] if given is not None and given[1] else "KIND"
    return Diagnostic(
        "RB011",
        "expected a word such as `for` or the end of the line but found "
        f"`{failure.text}`",
        failure.span,
        help=(
            f"a predicate takes one more thing, after a preposition: write `is {word} "
            f"{preposition or 'for'} {thing}`"
        ),
    )


_PHRASE = re.compile(
    r"\b(some|no|every|number\s+of|sum\s+over|bag\s+over|longest\s+trail\s+of"
    r"|reach\s+from|steps\s+from"
    r"|sum|longest|reach)\b"
)
_FULL_PHRASES = {
    "sum": "sum over",
    "longest": "longest trail of",
    "reach": "reach from",
}


def _phrase_without_brackets(failure: Failure) -> Diagnostic | None:
    if failure.ends_line or failure.is_character:
        return None
    phrases = list(_PHRASE.finditer(blank_quotes(failure.before)))
    if not phrases:
        return None
    last = phrases[-1]
    between = failure.before[last.end() :]
    is_bare = between.replace("the ", "").strip() == ""
    counts = last[0].split()[0] in ("number", "sum")
    named = failure.token.type == "NAME" and re.match(
        r"\s*(?:in\b.*?)?\bwhere\b", failure.after
    )
    counted = counts and bool(failure.text == "where" or named)
    compared = failure.token.type == "CMP" and counts and " where " in between
    measured = failure.token.type == "CMP" and last[0].split()[0] in (
        "steps",
        "longest",
    )
    if compared or measured:
        is_bare = "(" not in between and ")" not in between
    if not (is_bare or counted) or ("NAME" in failure.accepts and not measured):
        return None
    word = " ".join(last[0].split())
    phrase = _FULL_PHRASES.get(word, word)
    return Diagnostic(
        "RB016",
        f"a phrase that begins with `{phrase}` needs brackets here",
        failure.span_on_line(last.start() + 1, failure.span.end_column),
        help=f"put brackets round the whole phrase: `({phrase} …)`",
    )


PATTERN_CHECKS: tuple[Callable[[Failure], Diagnostic | None], ...] = (
    _missing_number,
    _missing_label,
    _defined_without_equals,
    _misplaced_sentence,
    _predicate_with_brackets,
    _phrase_without_brackets,
    _reason_without_quotes,
)
