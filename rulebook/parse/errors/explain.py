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
    VERB_TOKENS,
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
    return _unexpected_token(failure)


_QUOTES = "“”„«»‘‚‹›'"


def _unclosed_quote(failure: Failure) -> Diagnostic | None:
    if failure.is_character and failure.text == '"':
        place = failure.span_on_line(failure.span.column, len(failure.code) + 1)
        help = 'add `"` at its end; a text must be on one line'
        return Diagnostic("RB014", "this text has no closing quote", place, help)
    return None


def _wrong_quotes(failure: Failure) -> Diagnostic | None:
    if failure.token[:1] not in tuple(_QUOTES) or failure.token.type == "_S":
        return None
    rest = failure.code[failure.span.column :]
    ends = [place for place, char in enumerate(rest, 1) if char in f'{_QUOTES}"']
    end = failure.span.column + (ends[-1] if ends else 0) + 1
    message = f"`{failure.token[0]}` is not a quotation mark here"
    help = 'write `"` before and after a text'
    return Diagnostic(
        "RB013", message, failure.span_on_line(failure.span.column, end), help
    )


def _table_message(failure: Failure) -> Diagnostic | None:
    nearly = failure.place is StopPlace.VERB and _similar_verb(failure) is not None
    return None if nearly else example_matching.best_message(failure)


def _meaningless_sign(failure: Failure) -> Diagnostic | None:
    if not failure.is_character:
        return None
    char = str(failure.token)
    name = unicodedata.name(char, "").lower()
    help = example_matching.row_help(failure) or _sign_help(char)
    shown = f"`{char}`" if char.isprintable() and not char.isspace() else "this"
    message = f"{shown} ({name or f'U+{ord(char):04X}'}) has no meaning here"
    return Diagnostic("RB013", message, failure.span, help)


def _sign_help(char: str) -> str | None:
    """Return help for a meaningless character by its Unicode category, or None."""
    if char == "_" or unicodedata.combining(char):
        return "a name begins with a letter and has letters, digits and `_`"
    if char.isspace():
        return "replace it with an ordinary space"
    if unicodedata.category(char) == "Cf":
        return "delete this invisible character"
    return None


def _hyphen(failure: Failure) -> Diagnostic | None:
    column = failure.span.column - 1
    for match in re.finditer(r"[^\W\d_]\w*(?:-\w+)+", failure.code):
        if match.start() <= column < match.end() and failure.token[:1] in (
            "-",
            match[0][0],
        ):
            place = failure.span_on_line(match.start() + 1, match.end() + 1)
            return Diagnostic(
                "RB015",
                f"`{match[0]}` contains a hyphen, which names cannot have",
                place,
                help=f"write `{match[0].replace('-', '_')}`; put spaces around a minus",
            )
    return None


def _missing_lines(failure: Failure) -> Diagnostic | None:
    if "_INDENT" not in failure.accepts:
        return None
    row = min(failure.row, len(failure.chunk.lines) - 1)
    if not failure.ends_line:
        row = max(0, row - 1)
        while row > 0 and is_blank(failure.chunk.lines[row]):
            row -= 1
    return Diagnostic(
        "RB009",
        "the lines that belong to this line are missing",
        failure.row_text_span(row),
        help="write them below it, indented by two more spaces",
    )


def _extra_indentation(failure: Failure) -> Diagnostic | None:
    if failure.token.type != "_INDENT":
        return None
    assert failure.token.end_line is not None
    row = failure.token.end_line - 1
    return Diagnostic(
        "RB010",
        "this line is indented further than the line above, which takes no"
        " indented lines",
        failure.row_text_span(row),
        help=(
            "indent it like the line above; a line ends in `:` if indented lines "
            "belong to it, and in a word such as `and` or `where` if its sentence "
            "continues"
        ),
        related=((failure.row_text_span(failure.row), "the line above"),),
    )


def _missing_colon(failure: Failure) -> Diagnostic | None:
    if not (failure.token.type == "_NL" and failure.colon_starts_block):
        return None
    return Diagnostic(
        "RB017",
        "expected `:` at the end of this line",
        failure.span,
        help="a statement with indented lines below it ends in `:`",
    )


def _extra_colon(failure: Failure) -> Diagnostic | None:
    if not (failure.token.type == "COLON" and "_NL" in failure.accepts):
        return None
    return Diagnostic(
        "RB011",
        "expected the end of the line but found `:`",
        failure.span,
        help="a heading has no `:`; a statement with indented lines below it has one",
    )


def _missing_reason(failure: Failure) -> Diagnostic | None:
    words = failure.first_words
    if not (failure.token.type in ("_NL", "LSQB") and "STRING" in failure.accepts):
        return None
    if not {"needs", "limit"} & set(words):
        return None
    return Diagnostic(
        "RB018",
        f"this `{'limit' if 'limit' in words else 'needs'}` has no reason",
        failure.span,
        help='end it with a reason for players, such as "the space is taken"',
    )


def _open_bracket(failure: Failure) -> Diagnostic | None:
    closing = {"RPAR": ")", "RSQB": "]"}
    wanted = [closing[name] for name in sorted(failure.accepts & closing.keys())]
    if not wanted or not failure.ends_line:
        return None
    bracket = _unclosed_bracket(failure)
    if bracket is None:
        return None
    row, column, char = bracket
    where = "on its line" if row == failure.row else "in its sentence"
    return Diagnostic(
        "RB021",
        f"`{char}` is not closed {where}",
        failure.span_on_line(column, column + 1, row),
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
    match = re.match(r"\s*(?:the\s+)*(\w+)", failure.before)
    if match is None or not failure.accepts >= VERB_TOKENS:
        return None
    near = nearest(match[1], keywords.sentence_words())
    if near in (None, match[1]) or _similar_verb(failure):
        return None
    message = f"no sentence begins with `{match[1]}`"
    place = failure.span_on_line(match.start(1) + 1, match.end(1) + 1)
    return Diagnostic("RB011", message, place, f"did you mean `{near}`?")


def _similar_verb(failure: Failure) -> str | None:
    return None if failure.ends_line else nearest(failure.token, keywords.verbs())


def _missing_verb(failure: Failure) -> Diagnostic | None:
    if not failure.accepts >= VERB_TOKENS:
        return None
    verb = _similar_verb(failure)
    found_text = "the end of the line" if failure.ends_line else f"`{failure.token}`"
    help = (
        suggestions.missing_verb_help(failure)
        if verb is None
        else f"did you mean `{verb}`?"
    )
    message = f"expected a verb such as `chooses` or `may do` but found {found_text}"
    return Diagnostic("RB011", message, failure.span, help)


def _unexpected_token(failure: Failure) -> Diagnostic:
    expected = token_names.expected_words(failure.accepts)
    if failure.ends_line:
        message = f"expected {expected} before the end of the line"
        return Diagnostic(
            "RB011", message, failure.span, suggestions.line_end_help(failure)
        )
    text = failure.code[failure.span.column - 1 : failure.span.end_column - 1] or str(
        failure.token
    )
    message = f"expected {expected} but found `{text}`"
    return Diagnostic("RB011", message, failure.span, suggestions.word_help(failure))


_KNOWN_CASES: tuple[Callable[[Failure], Diagnostic | None], ...] = (
    _unclosed_quote,
    _wrong_quotes,
    _meaningless_sign,
    _missing_lines,
    _extra_indentation,
    _table_message,
    *PATTERN_CHECKS,
    _hyphen,
    _open_bracket,
    _missing_reason,
    _missing_colon,
    _unknown_sentence,
    _extra_colon,
    _missing_verb,
)
