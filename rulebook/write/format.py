"""Formatter of rule files: the same words and comments, with canonical spacing.

Formatting changes nothing but white space, so the tree stays equal (which is asserted),
and formatting twice is the same as formatting once. Each level is indented by two
spaces, and words are separated by one. Columns of tables, values of labels, texts and
translations are aligned, and so are citations and comments. There are never two blank
lines in a row. A sentence that continues on the next line is indented by two more
levels; the author decides where lines end.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

import attrs

from rulebook import syntax
from rulebook.parse import parse
from rulebook.parse.grammar import keywords
from rulebook.parse.grammar.continuations import continuation_flags
from rulebook.source.diagnostics import Diagnostic, RulesError, has_errors
from rulebook.source.source_text import is_blank, normalise

__all__ = ["format_text"]

_INDENT = 2
_SIDE_COLUMN = 64
"""Column, from 0, where citations and comments start after a shorter line."""

_LABEL_MAX = 24
"""Maximum length, in characters, of a label whose value is aligned with others."""

_TEXT_COLUMN_MAX = 72
"""Rightmost column, from 0, in which quoted texts are aligned."""

_TOKEN = re.compile(
    r"""(?P<gap>[ \t]*)(?P<token>
      "[^"\n]*" | ['’]s(?!\w) | \d+ | yes/no(?!\w) | [^\W\d_]\w*(?:-[^\W\d_]\w*)*
    | <= | >= | != | [^\s]
    )""",
    re.VERBOSE,
)
_SCENARIO, _EXAMPLES = "scenario", "examples"
"""First word of the clauses that can contain a table, and the word above the table."""

_DEFINE, _CELL_END = "define", "|"
"""First word of a clause whose lines are table rows if they contain the second text."""

_CLOSE = frozenset((",", ":", ")", "]", "'s", "."))
_OPEN = frozenset(("(", "[", "."))


def format_text(text: str, file_name: str) -> str:
    """Return the text of a rule file in canonical form.

    Raises:
        RulesError: if the text does not parse; nothing is formatted then.
    """
    parsed = parse(text, file_name)
    if has_errors(parsed.diagnostics):
        raise RulesError(parsed.diagnostics, {file_name: text})
    normal = normalise(text, file_name)
    assert not isinstance(normal, Diagnostic)
    lines = _align_columns(list(_parse_lines(normal.split("\n"))))
    written = "".join(f"{line}\n" for line in map(_line_text, lines))
    again = parse(written, file_name)
    assert again.file == parsed.file, "formatting changed what a file says"
    return written


@attrs.frozen
class _Line:
    """Line in parts: its depth, its joined tokens, its citations and its comment.

    `head` is the first word of its clause, without `replace`. A comment on a line of
    its own has no code; a blank line has no parts. If `is_continuation`, the line
    continues the sentence above.
    """

    level: int
    tokens: tuple[str, ...] = ()
    code: str = ""
    cites: str = ""
    comment: str = ""
    head: str = ""
    is_continuation: bool = False

    @property
    def may_stay_unaligned(self) -> bool:
        """True if the line may stay unaligned between aligned lines."""
        return self.is_continuation or (bool(self.comment) and not self.code)

    @property
    def is_row(self) -> bool:
        """True if the line is a row of a table."""
        inside = self.level > 0 and self.head in keywords.table_words()
        if self.head == _EXAMPLES:
            inside = self.level > 1
        elif self.head == _DEFINE:  # it has lines, or a table of values
            inside = _CELL_END in self.tokens
        return inside and bool(self.tokens) and not self.is_continuation


# ---------------------------------------------------------------- reading


def _parse_lines(lines: Sequence[str]) -> Iterator[_Line]:
    """Yield each line split into its parts, without redundant blank lines."""
    widths = [0]
    head = ""
    blank = None
    carried = continuation_flags(lines)
    for index, line in enumerate(lines):
        bare = line.strip(" \t")
        if not bare:
            blank = blank if blank is None else True
            continue
        if blank:
            yield _Line(0)
        blank = False
        if is_blank(line):
            yield _Line(_comment_level(lines, index, widths), comment=bare, head=head)
            continue
        if carried[index]:
            made = _line(len(widths) + 1, bare, head)
            yield attrs.evolve(made, is_continuation=True)
            continue
        width = _width(line)
        while width < widths[-1]:
            widths.pop()
        if width > widths[-1]:
            widths.append(width)
        made = _line(len(widths) - 1, bare, head)
        head = made.head
        yield made


def _width(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))


def _comment_level(lines: Sequence[str], index: int, widths: list[int]) -> int:
    """Return the depth of a comment, which is that of the line below or above it."""
    if lines[index][0] not in " \t":
        return 0
    for line in lines[index + 1 :]:
        if not line.strip(" \t"):
            break
        if is_blank(line):
            continue
        width = _width(line)
        if width > widths[-1]:
            return len(widths)
        if width:
            return sum(margin < width for margin in widths)
        break
    own = sum(margin < _width(lines[index]) for margin in widths)
    return min(own, max(1, len(widths) - 1))


def _line(level: int, code: str, head: str) -> _Line:
    tokens, comment = _tokens(code)
    texts = [token for _, token in tokens]
    first = texts.index("[") if "[" in texts else len(texts)
    if level == 0:
        words = [text for text in texts if text not in ("the", "replace")]
        head = words[0] if words else ""
    elif level == 1 and head in (_SCENARIO, _EXAMPLES):
        head = _EXAMPLES if texts[:first] == [_EXAMPLES] else _SCENARIO
    return _Line(
        level,
        tuple(texts[:first]),
        _join_tokens(tokens[:first], head if level == 0 else ""),
        _join_tokens(tokens[first:]),
        comment,
        head,
    )


def _tokens(code: str) -> tuple[list[tuple[bool, str]], str]:
    """Return the tokens, each with a flag for a preceding space, and the comment."""
    tokens: list[tuple[bool, str]] = []
    at = 0
    while match := _TOKEN.match(code, at):
        begins = match.start("token")
        if code[begins] == "#":
            return tokens, code[begins:].rstrip()
        token = "'s" if match["token"] == "’s" else match["token"]
        tokens.append((bool(match["gap"]), token))
        at = match.end()
    return tokens, ""


def _join_tokens(tokens: Sequence[tuple[bool, str]], head: str = "") -> str:
    """Return tokens as text with spaces; `head` is the first word of the clause."""
    text = ""
    last, before, earlier = "", "", ""
    for gap, token in tokens:
        if last == "-":
            spaced = _precedes_subtraction(earlier, before) and head != "spaces"
        else:
            spaced = bool(last) and _needs_space(
                last, token, gap=gap or head in keywords.bracket_words()
            )
        text += f" {token}" if spaced else token
        last, before, earlier = token, last, before
    return text


def _needs_space(last: str, token: str, *, gap: bool) -> bool:
    """Return whether two tokens need a space; *gap* is true if the text has one."""
    if token in _CLOSE or last in _OPEN:
        return False
    if token == "(":
        return gap or not last[-1].isalnum()
    return True


def _precedes_subtraction(earlier: str, token: str) -> bool:
    """Return whether a minus after these two tokens is a subtraction, not a sign."""
    phrases = {token, f"{earlier} {token}"}
    return token == ")" or (
        token[-1:].isalnum() and not phrases & keywords.words_before_numbers()
    )


# ---------------------------------------------------------------- columns


def _align_columns(lines: list[_Line]) -> list[_Line]:
    """Return the lines with their columns aligned."""
    lines = _align_groups(lines, _row_key, _align_rows)
    lines = _align_groups(lines, _label_key, _align_labels)
    lines = _align_groups(lines, _text_key, _align_texts)
    lines = _align_groups(lines, _translation_key, _align_translations)
    return _align_groups(lines, _citation_key, _align_citations)


_Key = Callable[[_Line], object]
_Align = Callable[[list[_Line]], list[_Line]]


def _align_groups(lines: list[_Line], key: _Key, align: _Align) -> list[_Line]:
    """Return the lines after aligning each run of lines that share a key.

    Comments do not end a run.
    """
    done: list[_Line] = []
    run: list[_Line] = []
    comments: list[tuple[int, _Line]] = []

    def finish() -> None:
        group = align(run) if run else []
        for place, comment in reversed(comments):
            group.insert(place, comment)
        done.extend(group)
        run.clear()
        comments.clear()

    for line in lines:
        if run and line.may_stay_unaligned:
            comments.append((len(run), line))
            continue
        own_key = None if line.is_continuation else key(line)
        if run and (own_key is None or own_key != key(run[0])):
            finish()
        if own_key is None:
            done.append(line)
        else:
            run.append(line)
    finish()
    return done


def _row_key(line: _Line) -> object:
    return "row" if line.is_row else None


def _align_rows(rows: list[_Line]) -> list[_Line]:
    cells = [_cells(row) for row in rows]
    count = min(map(len, cells))
    columns = [[row[index] for row in cells] for index in range(count)]
    widths = [max(map(len, column)) for column in columns]
    right = [_is_numeric(column[1:]) for column in columns]
    right[0] = False  # spaces before a row would be an indent
    return [
        attrs.evolve(
            row,
            code=" | ".join(
                text.rjust(width) if to_right else text.ljust(width)
                for text, width, to_right in zip(texts, widths, right, strict=True)
            ).rstrip(),
        )
        for row, texts in zip(rows, cells, strict=True)
    ]


def _cells(row: _Line) -> list[str]:
    quoted = re.split(r'("[^"]*")', row.code)
    marked = [
        part.replace("|", "\n") if index % 2 == 0 else part
        for index, part in enumerate(quoted)
    ]
    return [cell.strip() for cell in "".join(marked).split("\n")]


def _is_numeric(cells: Sequence[str]) -> bool:
    """Return whether a column contains only whole numbers and empty cells."""
    bare = [cell.removeprefix("-").strip() for cell in cells]
    return any(bare) and all(not cell or cell.isdigit() for cell in bare)


def _label_length(line: _Line) -> int:
    """Return the number of tokens in the line's label including its colon, or 0."""
    tokens = line.tokens
    words = 2 if tokens[:1] in (("needs",), ("step",)) else 1
    labelled = len(tokens) > words + 1 and tokens[words] == ":"
    if not labelled or tokens[0] == "otherwise" or line.level == 0:
        return 0
    return words + 1


def _label_key(line: _Line) -> object:
    count = _label_length(line)
    return (line.level, line.tokens[0] if count > 2 else "") if count else None


def _align_labels(lines: list[_Line]) -> list[_Line]:
    widths = [line.code.index(":") + 1 for line in lines]
    widest = max((width for width in widths if width <= _LABEL_MAX), default=0)
    return [
        attrs.evolve(
            line,
            code=f"{line.code[:width].ljust(widest)} {line.code[width:].lstrip()}",
        )
        for line, width in zip(lines, widths, strict=True)
    ]


_WORDS_WITH_TEXT = ("needs", "option", "expect", "limit", "source", "piece", "hint")


def _text_key(line: _Line) -> object:
    tokens = line.tokens
    if len(tokens) < 2 or tokens[-2] == ",":
        return None
    bare = "hint" in tokens[:2] and line.level == 0 and tokens[-2] == ":"
    if not (bare or tokens[-1].startswith('"')):
        return None
    if line.head == "as":
        return "as"
    if len(tokens) < 3:
        return None
    first = next(token for token in tokens if token not in ("replace", "add"))
    return (line.level, first) if first in _WORDS_WITH_TEXT else None


def _align_texts(lines: list[_Line]) -> list[_Line]:
    texts = [line.tokens[-1] for line in lines]
    codes = [
        line.code[: -len(text)].rstrip()
        for line, text in zip(lines, texts, strict=True)
    ]
    gap = " " if lines[0].tokens[0] == "source" else "  "
    room = _TEXT_COLUMN_MAX - _INDENT * lines[0].level
    widest = max((len(code) for code in codes if len(code) <= room), default=0)
    return [
        attrs.evolve(line, code=f"{code.ljust(widest)}{gap}{text}")
        for line, code, text in zip(lines, codes, texts, strict=True)
    ]


def _translation_key(line: _Line) -> object:
    sorts = tuple(syntax.TextSort)
    return line.head if line.head in sorts and line.level and line.code else None


def _align_translations(lines: list[_Line]) -> list[_Line]:
    pieces = [line.code.partition(" = ") for line in lines]
    widest = max(len(path) for path, _, _ in pieces)
    return [
        attrs.evolve(line, code=f"{path.ljust(widest)} = {texts}")
        for line, (path, _, texts) in zip(lines, pieces, strict=True)
    ]


def _citation_key(line: _Line) -> object:
    cited = line.head == "citations" and line.level and line.code
    return "citations" if cited else None


def _align_citations(lines: list[_Line]) -> list[_Line]:
    widest = max(len(line.code) for line in lines)
    return [
        attrs.evolve(line, code=f"{line.code.ljust(widest)}  {line.cites}", cites="")
        for line in lines
    ]


# ---------------------------------------------------------------- writing


def _line_text(line: _Line) -> str:
    text = " " * (_INDENT * line.level)
    if line.is_continuation and not line.code:
        text += line.cites
        return f"{text}  ".ljust(_SIDE_COLUMN) + line.comment if line.comment else text
    if not line.code:
        return f"{text}{line.comment}" if line.comment else ""
    text += line.code
    for side in (line.cites, line.comment):
        if side:
            text = f"{text}  ".ljust(_SIDE_COLUMN) + side
    return text
