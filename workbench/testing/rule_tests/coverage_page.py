"""Coverage page: the text of the rules, coloured by what tests reached.

The page is self-contained and runs no script.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from rulebook import printable_line
from workbench.testing.rule_tests.rule_coverage import (
    COLUMN_HEADINGS,
    Coverage,
    CoveredPart,
    share_rows,
)

FIRST_BYTES = (b"<!doctype html>\n<!-- rulebook coverage -->",)
STYLE = """
:root { color-scheme: light dark; --no: #c62828; --half: #b26a00; --yes: #2e7d32 }
body { font: 15px/1.4 system-ui, sans-serif; margin: 2em auto; max-width: 75em;
       padding: 0 1em }
table.shares td, table.shares th { padding: 0 1em 0 0; text-align: right }
table.shares td:first-child { text-align: left }
ol { list-style: none; padding: 0; font: 13px/1.5 ui-monospace, monospace }
li { display: grid; grid-template-columns: 4em 1fr minmax(0, 22em);
     border-left: .5em solid transparent }
li > a { color: inherit; opacity: .5; text-align: right; padding-right: 1em;
         text-decoration: none }
li > code { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit }
li > small { opacity: .8 }
li.no { border-color: var(--no) } li.no > small { color: var(--no) }
li.half { border-color: var(--half) } li.half > small { color: var(--half) }
li.yes { border-color: var(--yes) }
""".strip()
STATES = ("no", "half", "yes")


def coverage_html(coverage: Coverage) -> str:
    """Return the coverage as an HTML page."""
    name = escape_html(coverage.book.name)
    head = (
        f'{FIRST_BYTES[0].decode()}\n<html lang="en">\n<head><meta'
        f' charset="utf-8"><title>{name}: test coverage</title>\n<style>'
        f"\n{STYLE}\n</style></head>\n<body>"
    )
    legend = (
        "<p>Bar at the left of a line: red, part of it was not reached;"
        " amber, a condition was always true or always false; green, fully"
        " covered.</p>"
    )
    body = [
        f"<h1>{name}: test coverage</h1>",
        f"<p>{escape_html(coverage.book.digest)}<br>{coverage.counts_text}</p>",
        *share_table(coverage),
        legend,
        *[line for file in coverage.book.files for line in file_html(coverage, file)],
    ]
    return "\n".join([head, *body, "</body>\n</html>\n"])


def escape_html(text: str) -> str:
    """Return a text escaped for HTML."""
    return escape(printable_line(text))


def share_table(coverage: Coverage) -> Iterator[str]:
    """Yield the HTML table of coverage by sort of part."""
    yield '<table class="shares"><tr>'
    yield "".join(f"<th>{head}</th>" for head in COLUMN_HEADINGS) + "</tr>"
    for row in share_rows(coverage):
        yield "<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>"
    yield "</table>"


def file_html(coverage: Coverage, file: str) -> Iterator[str]:
    """Yield the HTML of a file, if it contains parts that can be covered."""
    parts_by_line: dict[int, list[CoveredPart]] = {}
    for part in coverage.parts:
        if part.site.span.file == file:
            parts_by_line.setdefault(part.site.span.line, []).append(part)
    if not parts_by_line:
        return
    yield f"<h2>{escape_html(file)}</h2>\n<ol>"
    for number, line in enumerate(coverage.book.files[file].splitlines(), 1):
        yield line_html(file, number, line, parts_by_line.get(number, ()))
    yield "</ol>"


def line_html(file: str, number: int, line: str, parts: Sequence[CoveredPart]) -> str:
    """Return the HTML of a line, marked with the coverage of parts that start in it."""
    name = f"{escape_html(file)}:{number}"
    state = f' class="{worst_state(parts)}"' if parts else ""
    note = "<br>".join(escape_html(words) for words in missing_notes(parts))
    title = escape_html("\n".join(reach_notes(parts)))
    return (
        f'<li{state} id="{name}"><a href="#{name}">{number}</a>'
        f'<code title="{title}">{escape_html(line) or " "}</code>'
        f"<small>{note}</small></li>"
    )


def worst_state(parts: Iterable[CoveredPart]) -> str:
    """Return the worst coverage state of these parts: `no`, `half` or `yes`."""
    ranks = [0 if not part.reach_count else 1 if part.missing else 2 for part in parts]
    return STATES[min(ranks)]


def missing_notes(parts: Iterable[CoveredPart]) -> Iterator[str]:
    """Yield notes on outcomes that were never observed for these parts."""
    for part in parts:
        if part.missing:
            why = f" ({part.why})" if part.why else ""
            yield f"{part.display_name} {part.missing}{why}"


def reach_notes(parts: Iterable[CoveredPart]) -> Iterator[str]:
    """Yield notes on how often these parts were reached, and by which tests."""
    for part in parts:
        counts = f"{part.reach_count} times"
        if part.site.is_condition:
            counts = f"{part.true_count} times true, {part.false_count} times false"
        sources = f"{sum(part.scenarios)} in scenarios, {sum(part.games)} in games"
        yield f"{part.display_name} {part.text}: {counts} ({sources})"
