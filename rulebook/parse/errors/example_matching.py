"""Matching of parse errors with the examples in the table of mistakes.

The parser runs on an example when a line contains the words of its row. A failure
matches the example if three things are true. The parser stopped at the same kind of
position. The marked words are around it in the same order. The token of the correct
line would also have been accepted at this position.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from itertools import accumulate

import attrs
from lark import Token, UnexpectedInput

from rulebook.parse.errors.clause_words import has_known_start, start_rule
from rulebook.parse.errors.failure import (
    Failure,
    StopPlace,
    failure_of,
    failure_of_first_word,
)
from rulebook.parse.errors.mistake_table import (
    BadTable,
    MistakeRow,
    is_placeholder,
    mistake_rows,
    split_words,
)
from rulebook.parse.parser import parse_chunk, parser
from rulebook.source.diagnostics import Diagnostic
from rulebook.source.spans import Span

_BEGINS = r"\s*(?:(?:the|add|replace)\s+)*"
_FIRST_ON_LINE = f"^{_BEGINS}"
_FIRST_IN_SENTENCE = f"(?:^|:){_BEGINS}"
_BLANKS = r"\s*(?:the\s+)*"
_GAP = r"[^:\s][^:]*?"
_ANY = (r"\w+", r"\d+", r'"[^"]*"')
_NAMED = re.compile(r"\{([^{}\s]+)\}")
_BETWEEN = "…"
"""Placeholder for the text between marked words, or before the first one."""


@attrs.frozen
class RowMessage:
    """Message and help of a row for a matched mistake; the message may be empty."""

    code: str
    message: str
    help: str
    place: Span


@attrs.frozen
class ExampleShape:
    """Pattern that a mistake must match: marked words before and after the position."""

    place: StopPlace
    """Kind of position where the parser stopped; see `Failure.place`."""

    ends_line: bool
    accepts: frozenset[str]
    expected_tokens: frozenset[str]
    """Tokens in the correct lines at the position where the parser stopped."""

    before: re.Pattern[str]
    stop_token: str | None
    """Text of the token where the parser stopped; None for any text."""

    after: re.Pattern[str]
    placeholders: tuple[tuple[str, str], ...]
    """Placeholders in the row's texts, each with the pattern group of its word."""

    message_groups: tuple[str, ...]
    """Pattern groups of the words that the message points at."""


def best_message(failure: Failure) -> Diagnostic | None:
    """Return the diagnostic of the first matching row with a message, or None."""
    match = _first_match(failure, (row for row in mistake_rows() if row.message))
    if match is None:
        return None
    return Diagnostic(match.code, match.message, match.place, help=match.help)


def row_help(failure: Failure) -> str | None:
    """Return the help of the first matching row without a message, or None."""
    match = _first_match(failure, (row for row in mistake_rows() if not row.message))
    return None if match is None else match.help


def _first_match(failure: Failure, rows: Iterable[MistakeRow]) -> RowMessage | None:
    words = frozenset(
        text for text, _, _ in split_words(f"{failure.code} {failure.text}")
    )
    matches = (match_row(row, failure, words) for row in rows)
    return next((match for match in matches if match is not None), None)


def match_row(
    row: MistakeRow, failure: Failure, words: frozenset[str]
) -> RowMessage | None:
    """Return the message of a row for a failure, or None if the failure does not match.

    `words` are those of the failure's line.
    """
    if not row.required_words <= words:
        return None
    if row.in_clause and row.in_clause != failure.chunk.first_word:
        return None
    shape = shape_of(row)
    if not _is_same_position(row, shape, failure):
        return None
    if shape.stop_token is not None and not _matches_word(
        shape.stop_token, failure.text
    ):
        return None
    before, after = (
        shape.before.search(failure.before),
        shape.after.match(failure.after),
    )
    if before is None or after is None:
        return None
    groups = {**before.groupdict(), **after.groupdict(), "stop": failure.text}
    between = groups.get("gap") or _sentence_before(
        failure.before[: before.start("marked")]
    )
    if not _is_balanced(groups.get("gap") or ""):
        return None
    known = {name: groups[group] for name, group in shape.placeholders} | {
        _BETWEEN: between
    }
    message, help = (
        _fill_placeholders(text, known) for text in (row.message, row.help)
    )
    return RowMessage(row.code, message, help, _message_span(shape, failure, before))


def _is_same_position(row: MistakeRow, shape: ExampleShape, failure: Failure) -> bool:
    """Return whether the parser stopped at a position like that in the example.

    If the row has no message, both lines or neither must end at this position.
    """
    ends = failure.ends_line == shape.ends_line or bool(row.message)
    could = shape.expected_tokens <= failure.accepts
    if row.exact_position:
        could = shape.accepts == failure.accepts
    return shape.place is failure.place and ends and could


def _matches_word(expected: str, text: str) -> bool:
    if is_placeholder(expected):
        return re.fullmatch(_any_word_pattern(expected), text) is not None
    return expected.split() == text.split()


def _any_word_pattern(text: str) -> str:
    word, number, quoted = _ANY
    return quoted if text[0] == '"' else number if text.isdigit() else word


def _sentence_before(before: str) -> str:
    """Return the text after the last colon, where the current sentence starts."""
    return before.rsplit(":", maxsplit=1)[-1].strip()


def _is_balanced(text: str) -> bool:
    """Return whether all brackets in a text are closed within it."""
    depths = list(accumulate((char == "(") - (char == ")") for char in text))
    return min(depths, default=0) >= 0 and sum(depths[-1:]) == 0


def _fill_placeholders(text: str, values: dict[str, str]) -> str:
    return _NAMED.sub(lambda name: values[name[1]], text)


def _message_span(shape: ExampleShape, failure: Failure, before: re.Match[str]) -> Span:
    """Return the span of the words in the failure that a row's message points at."""
    if not shape.message_groups:
        return failure.span
    first, last = shape.message_groups[0], shape.message_groups[-1]
    start = failure.span.column if first == "stop" else before.start(first) + 1
    end = failure.span.end_column if last == "stop" else before.end(last) + 1
    return failure.span_on_line(start, end)


# ---------------------------------------------------------------- examples


@cache
def failure_of_example(row: MistakeRow) -> Failure:
    """Return the failure that the parser reports for a row's example."""
    chunk = row.chunk
    if not has_known_start(chunk) and start_rule(chunk) == "clause":
        return failure_of_first_word("", chunk)
    try:
        parse_chunk(chunk.text, start_rule(chunk))
    except UnexpectedInput as problem:
        failure = failure_of("", chunk, problem)
        if failure.row == len(row.lines_above):
            return failure
    raise BadTable(f"the parser does not stop in this example: {row.line}")


@cache
def shape_of(row: MistakeRow) -> ExampleShape:
    """Return the pattern that lines like a row's example match."""
    at = failure_of_example(row)
    stop = at.span.column - 1
    end = max(stop + 1, at.span.end_column - 1)
    marked = [
        (text, start, last)
        for text, start, last in split_words(row.line)
        if row.marks[start:last].strip() and (last <= stop or start >= end)
    ]
    left = [piece for piece in marked if piece[2] <= stop]
    right = [piece for piece in marked if piece[1] >= end]
    at_stop = bool(row.marks[stop:end].strip())
    names = [(text, f"w{start}") for text, start, _ in marked]
    stopper = at.text if not at.ends_line else ""
    if at_stop:
        names.append((stopper, "stop"))
    if row.template:
        column = row.marks.index("^")
        names.append((row.template, "stop" if column == stop else f"w{column}"))
    unknown = {*_NAMED.findall(row.message + row.help)} - {name for name, _ in names}
    if unknown - {_BETWEEN}:
        raise BadTable(f"no word of the example has a mark: {unknown}")
    shown = [f"w{start}" for _, start, last in left if "^" in row.marks[start:last]]
    shown += ["stop"] if "^" in row.marks[stop:end] else []
    return ExampleShape(
        at.place,
        at.ends_line,
        at.accepts,
        frozenset(_expected_token(row, line, stop) for line in row.correct_lines),
        _left_pattern(row.line, left, stop),
        stopper if at_stop else None,
        _right_pattern(row.line, right, end),
        tuple(names),
        tuple(shown),
    )


def _left_pattern(
    line: str, pieces: list[tuple[str, int, int]], stop: int
) -> re.Pattern[str]:
    pattern = ""
    for index, (text, start, last) in enumerate(pieces):
        pattern += _group_pattern(text, start)
        following = pieces[index + 1][1] if index + 1 < len(pieces) else stop
        pattern += _between_pattern(line[last:following], "P<gap>" not in pattern)
    begins = _start_pattern(line[: pieces[0][1]]) if pieces else ""
    return re.compile(f"{begins}(?P<marked>){pattern}$")


def _right_pattern(
    line: str, pieces: list[tuple[str, int, int]], end: int
) -> re.Pattern[str]:
    pattern = ""
    for text, start, last in pieces:
        pattern += _between_pattern(line[end:start]) + _group_pattern(text, start)
        end = last
    return re.compile(pattern)


def _start_pattern(text: str) -> str:
    """Return the pattern for the text before the first marked word."""
    if re.fullmatch(_FIRST_ON_LINE, text):
        return _FIRST_ON_LINE
    return _FIRST_IN_SENTENCE if re.search(f"{_FIRST_IN_SENTENCE}$", text) else ""


def _group_pattern(text: str, start: int) -> str:
    inner = _any_word_pattern(text) if is_placeholder(text) else re.escape(text)
    if re.match(r"\w", text):
        inner = rf"(?<!\w){inner}(?!\w)"
    return f"(?P<w{start}>{inner})"


def _between_pattern(text: str, named: bool = False) -> str:
    """Return the pattern for the text between two marked words."""
    if text.strip():
        gap = f"(?P<gap>{_GAP})" if named else f"(?:{_GAP})"
        return f"{_BLANKS}{gap}{_BLANKS}"
    return _BLANKS if text else ""


def _expected_token(row: MistakeRow, line: str, stop: int) -> str:
    """Return the correct line's token at the position where the example fails."""
    common = row.line[:stop].rstrip()
    if line[: len(common)] != common:
        raise BadTable(f"this line does not begin like the example: {line}")
    chunk = row.with_line(line)
    reading = parser().parse_interactive(chunk.text, start=start_rule(chunk))
    place = (len(row.lines_above) + 1, len(common) + 1)
    try:
        return _token_at(reading.iter_parse(), place)
    except UnexpectedInput:
        raise BadTable(
            f"the parser stops in this line before the mistake: {line}"
        ) from None


def _token_at(tokens: Iterable[Token], place: tuple[int, int]) -> str:
    return next(token.type for token in tokens if (token.line, token.column) >= place)
