"""Diagnostics as plain text, with the line they are about.

```text
error RB012: no clause begins with `knd`
 --> tiny.rules:3:1
  |
3 | knd mood: calm, wild
  | ^^^
  = help: did you mean `kind`?
```

The workbench handles terminal colours and widths.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from rulebook.source.diagnostics import Diagnostic
from rulebook.source.printable import printable_line
from rulebook.source.spans import Span

LINE_MAX = 160
"""Maximum number of code points shown of a quoted line."""

CONTEXT = 40
"""Number of code points shown before the marked column of a longer line."""

_LINE_END = re.compile("\r\n|\r|\n")

_NO_TEXTS: Mapping[str, str] = {}


def render(diagnostic: Diagnostic, texts: Mapping[str, str] = _NO_TEXTS) -> str:
    """Return a diagnostic as text; `texts` maps names to the files to quote."""
    gutter = " " * max(
        len(str(span.line)) for span in (diagnostic.span, *_related_spans(diagnostic))
    )
    head = f"{diagnostic.severity} {diagnostic.code}: {diagnostic.message}"
    lines = [head, *_quoted_place(diagnostic.span, gutter, texts)]
    for span, word in diagnostic.related:
        lines += [f"{gutter} = note: {word}", *_quoted_place(span, gutter, texts)]
    if diagnostic.help is not None:
        lines.append(f"{gutter} = help: {diagnostic.help}")
    return "\n".join(map(printable_line, lines))


def render_all(
    diagnostics: Iterable[Diagnostic], texts: Mapping[str, str] = _NO_TEXTS
) -> str:
    """Return several diagnostics as text, with a blank line between them."""
    return "\n\n".join(render(diagnostic, texts) for diagnostic in diagnostics)


def _related_spans(diagnostic: Diagnostic) -> tuple[Span, ...]:
    return tuple(span for span, _ in diagnostic.related)


def _quoted_place(span: Span, gutter: str, texts: Mapping[str, str]) -> list[str]:
    """Return lines that name a span and quote its first line, indented by *gutter*."""
    where = f"{gutter}--> {span.file}:{span.line}:{span.column}"
    lines = _LINE_END.split(texts.get(span.file, "").removeprefix("\ufeff"))
    if not 1 <= span.line <= len(lines) or not any(lines):
        return [where]
    line = printable_line(lines[span.line - 1])
    end = span.end_column if span.end_line == span.line else len(line) + 1
    start = span.column - 1
    shown, marked = _clip_line(line, start)
    width = max(1, min(end - span.column, len(shown) - marked))
    number = str(span.line).rjust(len(gutter))
    return [
        where,
        f"{gutter} |",
        f"{number} | {shown}".rstrip(),
        f"{gutter} | {' ' * marked}{'^' * width}",
    ]


def _clip_line(line: str, start: int) -> tuple[str, int]:
    """Return the shown part of a line, and the marked column in it."""
    if len(line) <= LINE_MAX:
        return line, start
    first = max(0, start - CONTEXT)
    piece = line[first : first + LINE_MAX]
    before = "…" if first else ""
    after = "…" if first + LINE_MAX < len(line) else ""
    return f"{before}{piece}{after}", start - first + len(before)
