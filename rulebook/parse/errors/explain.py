"""Explanations of parse errors for people.

`explain` checks for layout mistakes first, then for the table of mistakes and other
known cases, in order. The first match gives the message. If nothing matches, the
message lists what could be written there instead.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

from lark import UnexpectedInput

from rulebook.parse.errors import example_matching, suggestions, token_names
from rulebook.parse.errors.failure import (
    VERBS_COME,
    Failure,
    StopPlace,
    blank_quotes,
    failure_of,
)
from rulebook.parse.errors.mistake_patterns import PATTERN_CHECKS
from rulebook.parse.grammar import keywords
from rulebook.source.diagnostics import Diagnostic
from rulebook.source.source_text import Chunk, is_blank
from rulebook.source.spelling import nearest


def explain(file: str, chunk: Chunk, problem: UnexpectedInput) -> Diagnostic:
    """Return the diagnostic for a parse error in a clause."""
    failure = failure_of(file, chunk, problem)
    for usual in _KNOWN_CASES:
        diagnostic = usual(failure)
        if diagnostic is not None:
            return diagnostic
    return _unexpected(failure)


_QUOTES = "“”„«»‘‚‹›'"


def _quote_not_closed(at: Failure) -> Diagnostic | None:
    if at.is_character and at.text == '"':
        place = at.span_on_line(at.span.column, len(at.code) + 1)
        help = 'add `"` at its end; a text must be on one line'
        return Diagnostic("RB014", "this text has no closing quote", place, help)
    return None


def _other_quotes(at: Failure) -> Diagnostic | None:
    if at.token[:1] not in tuple(_QUOTES) or at.token.type == "_S":
        return None
    rest = at.code[at.span.column :]
    ends = [place for place, char in enumerate(rest, 1) if char in f'{_QUOTES}"']
    end = at.span.column + (ends[-1] if ends else 0) + 1
    message = f"`{at.token[0]}` is not a quotation mark here"
    help = 'write `"` before and after a text'
    return Diagnostic("RB013", message, at.span_on_line(at.span.column, end), help)


def _in_the_table(at: Failure) -> Diagnostic | None:
    nearly = at.place is StopPlace.VERB and _nearly_a_verb(at) is not None
    return None if nearly else example_matching.best_message(at)


def _meaningless(at: Failure) -> Diagnostic | None:
    if not at.is_character:
        return None
    char = str(at.token)
    name = unicodedata.name(char, "").lower()
    help = example_matching.row_help(at) or _sign_help(char)
    said = f"`{char}`" if char.isprintable() and not char.isspace() else "this"
    message = f"{said} ({name or f'U+{ord(char):04X}'}) has no meaning here"
    return Diagnostic("RB013", message, at.span, help)


def _sign_help(char: str) -> str | None:
    """Return help for a character that has no meaning, by its Unicode category."""
    if char == "_" or unicodedata.combining(char):
        return "a name begins with a letter and has letters, digits and `_`"
    if char.isspace():
        return "replace it with an ordinary space"
    if unicodedata.category(char) == "Cf":
        return "delete this invisible character"
    return None


def _hyphen(at: Failure) -> Diagnostic | None:
    column = at.span.column - 1
    for match in re.finditer(r"[^\W\d_]\w*(?:-\w+)+", at.code):
        if match.start() <= column < match.end() and at.token[:1] in ("-", match[0][0]):
            place = at.span_on_line(match.start() + 1, match.end() + 1)
            return Diagnostic(
                "RB015",
                f"`{match[0]}` contains a hyphen, which names cannot have",
                place,
                help=f"write `{match[0].replace('-', '_')}`; put spaces around a minus",
            )
    return None


def _lines_missing(at: Failure) -> Diagnostic | None:
    if "_INDENT" not in at.accepts:
        return None
    row = min(at.row, len(at.chunk.lines) - 1)
    if not at.ends_line:
        row = max(0, row - 1)
        while row > 0 and is_blank(at.chunk.lines[row]):
            row -= 1
    return Diagnostic(
        "RB009",
        "this line needs lines below it",
        at.row_text_span(row),
        help="put them on the lines below, indented by two more spaces",
    )


def _too_far(at: Failure) -> Diagnostic | None:
    if at.token.type != "_INDENT":
        return None
    assert at.token.end_line is not None
    row = at.token.end_line - 1
    return Diagnostic(
        "RB010",
        "this line is indented further than the line above, which takes no"
        " indented lines",
        at.row_text_span(row),
        help=(
            "indent it like the line above; a line ends in `:` if indented lines "
            "belong to it, and in a word such as `and` or `where` if its sentence "
            "continues"
        ),
        related=((at.row_text_span(at.row), "the line above"),),
    )


def _colon_missing(at: Failure) -> Diagnostic | None:
    if not (at.token.type == "_NL" and at.colon_starts_block):
        return None
    return Diagnostic(
        "RB017",
        "expected `:` at the end of this line",
        at.span,
        help="a statement with indented lines below it ends in `:`",
    )


def _colon_too_much(at: Failure) -> Diagnostic | None:
    if not (at.token.type == "COLON" and "_NL" in at.accepts):
        return None
    return Diagnostic(
        "RB011",
        "expected the end of the line but found `:`",
        at.span,
        help="a heading has no `:`; a statement with indented lines below it has one",
    )


def _reason_missing(at: Failure) -> Diagnostic | None:
    words = at.first_words
    if not (at.token.type in ("_NL", "LSQB") and "STRING" in at.accepts):
        return None
    if not {"needs", "limit"} & set(words):
        return None
    return Diagnostic(
        "RB018",
        f"this `{'limit' if 'limit' in words else 'needs'}` has no reason",
        at.span,
        help='end it with a reason for players, such as "the space is taken"',
    )


def _bracket_open(at: Failure) -> Diagnostic | None:
    closing = {"RPAR": ")", "RSQB": "]"}
    wanted = [closing[name] for name in sorted(at.accepts & closing.keys())]
    if not wanted or not at.ends_line:
        return None
    bracket = _unclosed_bracket(at)
    if bracket is None:
        return None
    row, column, char = bracket
    where = "on its line" if row == at.row else "in its sentence"
    return Diagnostic(
        "RB021",
        f"`{char}` is not closed {where}",
        at.span_on_line(column, column + 1, row),
        help=f"add `{wanted[0]}` at its end",
    )


def _unclosed_bracket(failure: Failure) -> tuple[int, int, str] | None:
    """Return the row, column and text of the last unclosed bracket, or None."""
    closed = 0
    for row, code in failure.sentence:
        bare = blank_quotes(code)
        for column in range(len(bare), 0, -1):
            char = bare[column - 1]
            if char in ")]":
                closed += 1
            elif char in "([" and closed:
                closed -= 1
            elif char in "([":
                return row, column, char
    return None


def _unknown_sentence(failure: Failure) -> Diagnostic | None:
    """Return a diagnostic if the first word starts no sentence and names nobody."""
    begun = re.match(r"\s*(?:the\s+)*(\w+)", failure.before)
    if begun is None or not failure.accepts >= VERBS_COME:
        return None
    near = nearest(begun[1], keywords.sentence_words())
    if near in (None, begun[1]) or _nearly_a_verb(failure):
        return None
    message = f"no sentence begins with `{begun[1]}`"
    place = failure.span_on_line(begun.start(1) + 1, begun.end(1) + 1)
    return Diagnostic("RB011", message, place, f"did you mean `{near}`?")


def _nearly_a_verb(at: Failure) -> str | None:
    return None if at.ends_line else nearest(at.token, keywords.verbs())


def _no_verb(at: Failure) -> Diagnostic | None:
    if not at.accepts >= VERBS_COME:
        return None
    verb = _nearly_a_verb(at)
    said = "the end of the line" if at.ends_line else f"`{at.token}`"
    help = (
        suggestions.missing_verb_help(at) if verb is None else f"did you mean `{verb}`?"
    )
    message = f"expected a verb such as `chooses` or `may do` but found {said}"
    return Diagnostic("RB011", message, at.span, help)


def _unexpected(at: Failure) -> Diagnostic:
    expected = token_names.expected_words(at.accepts)
    if at.ends_line:
        message = f"expected {expected} before the end of the line"
        return Diagnostic("RB011", message, at.span, suggestions.line_end_help(at))
    text = at.code[at.span.column - 1 : at.span.end_column - 1] or str(at.token)
    message = f"expected {expected} but found `{text}`"
    return Diagnostic("RB011", message, at.span, suggestions.word_help(at))


_KNOWN_CASES: tuple[Callable[[Failure], Diagnostic | None], ...] = (
    _quote_not_closed,
    _other_quotes,
    _meaningless,
    _lines_missing,
    _too_far,
    _in_the_table,
    *PATTERN_CHECKS,
    _hyphen,
    _bracket_open,
    _reason_missing,
    _colon_missing,
    _unknown_sentence,
    _colon_too_much,
    _no_verb,
)
