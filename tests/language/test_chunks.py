"""Every `*.rules-test` file: chunks combined with the prelude, with their expected
errors.

A chunk ends at a line `---`. `### "text" help "text"` at the end of a line says that an
error or a warning is expected in this line, whose message contains the first text and
whose help contains the second. Missing and unexpected ones both fail. A line that
cannot be parsed hides mistakes found by checks, so it needs a separate chunk. The
scenarios of a chunk without errors are played. `-k NAME:3` picks the chunk of
`NAME.rules-test` that begins in line 3.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import rulebook
from interpreter import run_scenario

HERE = Path(__file__).parent
PRELUDE = (HERE / "prelude.rules").read_text(encoding="utf-8")
MARK = re.compile(r'\s*### "(?P<message>[^"]*)"(?: help "(?P<help>[^"]*)")?$')


def chunks() -> list[tuple[str, str]]:
    """Return all chunks, each with a name made of its file and line."""
    named_chunks = []
    for path in sorted(HERE.glob("*.rules-test")):
        line = 1
        for text in path.read_text(encoding="utf-8").split("\n---\n"):
            named_chunks.append((f"{path.stem}:{line}", text))
            line += text.count("\n") + 2
    return named_chunks


def resolve(name: str) -> str | None:
    """Return the prelude."""
    return PRELUDE if name == "prelude" else None


@pytest.mark.parametrize(
    "text", [pytest.param(text, id=name) for name, text in chunks()]
)
def test_a_chunk_has_exactly_the_expected_errors(text: str) -> None:
    """Each expected error is found in its line, and there are no others."""
    lines = text.splitlines()
    expected = {}
    for number, line in enumerate(lines):
        mark = MARK.search(line)
        if mark:
            lines[number] = line[: mark.start()]
            expected[number + 4] = (mark["message"], mark["help"] or "")
    head = 'rules language 1\nrulebook chunk "A chunk"\n  extends prelude\n'
    source = head + "\n".join(lines) + "\n"
    by_line = {}
    book, diagnostics = rulebook.examine_text(source, "chunk", resolve)
    for diagnostic in diagnostics:
        assert diagnostic.span.file == "chunk", diagnostic
        assert diagnostic.span.line not in by_line, diagnostic
        by_line[diagnostic.span.line] = diagnostic
    if book is not None:
        for scenario in book.model.scenarios:
            verdict = run_scenario(book, scenario)
            assert verdict.status == "passed", f"{scenario.title}: {verdict.message}"
    assert sorted(expected) == sorted(by_line), [
        str(diagnostic) for diagnostic in by_line.values()
    ]
    for line_number, (message, help) in expected.items():
        assert message in by_line[line_number].message
        assert help in (by_line[line_number].help or "")
