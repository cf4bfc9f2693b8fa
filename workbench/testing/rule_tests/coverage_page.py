"""Coverage page: the text of the rules, coloured by what tests reached.

The page is self-contained and runs no script.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from html import escape

from rulebook import printable_line
from workbench.testing.rule_tests.rule_coverage import (
    COLUMN_HEADINGS,
    Coverage,
    CoveredPart,
    count_text,
    share_rows,
)

FIRST_BYTES = (b"<!doctype html>\n<!-- rulebook coverage -->",)
STYLE = """
:root { color-scheme: light dark; --ink: #1b1b1b; --paper: #ffffff; --soft: #595959;
        --no: #b3261e; --half: #8a5000; --yes: #1b6e20 }
@media (prefers-color-scheme: dark) {
  :root { --ink: #ececec; --paper: #161616; --soft: #b0b0b0;
          --no: #ff8a80; --half: #ffb74d; --yes: #81c784 } }
body { font: 15px/1.4 system-ui, sans-serif; margin: 2em auto; max-width: 75em;
       padding: 0 1em; color: var(--ink); background: var(--paper) }
table.shares td, table.shares th { padding: 0 1em 0 0; text-align: right }
table.shares th:first-child { text-align: left; font-weight: normal }
table.shares thead th:first-child { font-weight: bold }
ol.first { padding-left: 1.5em }
ol.first a { color: inherit; display: inline-block; min-height: 24px }
.no > b { color: var(--no) } .half > b { color: var(--half) }
ol.rules { list-style: none; padding: 0; font: 13px/1.5 ui-monospace, monospace }
.rules > li { display: grid; grid-template-columns: 4em 1fr minmax(0, 22em);
              border-left: .5em solid transparent }
.rules > li > a { color: var(--soft); min-height: 24px; text-align: right;
                  padding-right: 1em; text-decoration: none }
.rules > li > code { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit }
.rules > .no { border-color: var(--no) } .rules > .no > small { color: var(--no) }
.rules > .half { border-color: var(--half) }
.rules > .half > small { color: var(--half) }
.rules > .yes { border-color: var(--yes) }
""".strip()
STATES = ("no", "half", "yes")
FIRST_MAX = 12
"""Maximum number of parts in the list of what to test first."""


def coverage_html(coverage: Coverage) -> str:
    """Return the coverage as an HTML page."""
    name = escape_html(coverage.book.name)
    head = (
        f'{FIRST_BYTES[0].decode()}\n<html lang="en">\n<head><meta'
        ' charset="utf-8"><meta name="viewport" content="width=device-width">\n<title>'
        f"{name}: test coverage</title>\n<style>"
        f"\n{STYLE}\n</style></head>\n<body>"
    )
    legend = (
        "<p>Bar at the left of a line: red, part of it was not reached;"
        " amber, a condition was always true or always false; green, fully"
        " covered.</p>"
    )
    body = [
        f"<main>\n<h1>{name}: test coverage</h1>",
        f"<p>{escape_html(coverage.book.digest)}<br>{coverage.counts_text}</p>",
        *first_parts(coverage),
        *share_table(coverage),
        legend,
        *[line for file in coverage.book.files for line in file_html(coverage, file)],
    ]
    return "\n".join([head, *body, "</main>\n</body>\n</html>\n"])


def escape_html(text: str) -> str:
    """Return a text escaped for HTML."""
    return escape(printable_line(text))


def first_parts(coverage: Coverage) -> Iterator[str]:
    """Yield the HTML of the parts to test first: clauses with most that is missing.

    Parts that cannot have the missing outcome are left out.
    """
    missing = [part for part in coverage.parts if part.missing and not part.why]
    if not missing:
        yield "<p>Nothing is left to test: every part was reached.</p>"
        return
    by_clause = Counter(part.site.clause for part in missing)
    unreached = Counter(part.site.clause for part in missing if not part.reach_count)
    clauses = sorted(by_clause, key=lambda it: (-unreached[it], -by_clause[it], it))
    yield '<h2>What to test first</h2>\n<ol class="first">'
    for clause in clauses[:FIRST_MAX]:
        parts = [part for part in missing if part.site.clause == clause]
        yield first_part_html(clause, parts)
    yield "</ol>"
    if len(clauses) > FIRST_MAX:
        yield f"<p>{count_text(len(clauses) - FIRST_MAX, 'clause')} more below.</p>"


def first_part_html(clause: str, parts: Sequence[CoveredPart]) -> str:
    """Return the HTML of a clause in the list: its worst part, and how many more."""
    first = min(parts, key=lambda part: (part.reach_count > 0, part.site.span.line))
    place = escape_html(f"{first.site.span.file}:{first.site.span.line}")
    more = f", and {count_text(len(parts) - 1, 'more part')}" if len(parts) > 1 else ""
    note = escape_html(f"{first.display_name} {first.missing}{more}")
    return (
        f'<li class="{worst_state([first])}"><a href="#{place}">{escape_html(clause)}'
        f"</a>: <b>{note}</b></li>"
    )


def share_table(coverage: Coverage) -> Iterator[str]:
    """Yield the HTML table of coverage by sort of part."""
    _, *headings, _ = COLUMN_HEADINGS
    yield '<h2>Coverage</h2>\n<table class="shares"><thead><tr>'
    for heading in ("part", *headings, "covered"):
        yield f'<th scope="col">{heading}</th>'
    yield "</tr></thead><tbody>"
    for name, *cells in share_rows(coverage):
        yield f'<tr><th scope="row">{name}</th>'
        yield "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"
    yield "</tbody></table>"


def file_html(coverage: Coverage, file: str) -> Iterator[str]:
    """Yield the HTML of a file, if it contains parts that can be covered."""
    parts_by_line: dict[int, list[CoveredPart]] = {}
    for part in coverage.parts:
        if part.site.span.file == file:
            parts_by_line.setdefault(part.site.span.line, []).append(part)
    if not parts_by_line:
        return
    yield f'<h2>{escape_html(file)}</h2>\n<ol class="rules">'
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
