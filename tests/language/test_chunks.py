"""Every `*.rules-test` file: chunks laid over the prelude, with the expected errors.

A chunk ends at a line `---`. `### "text" help "text"` at the end of a line says that
an error is expected in this line, whose message contains the first text and whose
help contains the second. Missing and unexpected errors both fail. The scenarios of a
chunk without errors are played.
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
    """Return all chunks with a name that says where each one stands."""
    found = []
    for path in sorted(HERE.glob("*.rules-test")):
        line = 1
        for text in path.read_text(encoding="utf-8").split("\n---\n"):
            found.append((f"{path.stem}:{line}", text))
            line += text.count("\n") + 2
    return found


def resolve(name: str) -> str | None:
    """Return the prelude."""
    return PRELUDE if name == "prelude" else None


@pytest.mark.parametrize(
    "text", [pytest.param(text, id=name) for name, text in chunks()]
)
def test_a_chunk_has_exactly_the_errors_that_it_says(text: str) -> None:
    """Each expected error is found in its line, and nothing else is."""
    lines = text.splitlines()
    expected = {}
    for number, line in enumerate(lines):
        mark = MARK.search(line)
        if mark:
            lines[number] = line[: mark.start()]
            expected[number + 4] = (mark["message"], mark["help"] or "")
    head = 'rules language 1\nrulebook chunk "A chunk"\n  extends prelude\n'
    source = head + "\n".join(lines) + "\n"
    found = {}
    try:
        book = rulebook.loads(source, "chunk", resolve)
        for scenario in book.model.scenarios:
            verdict = run_scenario(book, scenario)
            assert verdict.status == "passed", f"{scenario.title}: {verdict.message}"
    except rulebook.RulesError as error:
        for one in error.diagnostics:
            assert one.span.file == "chunk", one
            assert one.span.line not in found, one
            found[one.span.line] = one
    assert sorted(expected) == sorted(found), [str(one) for one in found.values()]
    for line_number, (message, help) in expected.items():
        assert message in found[line_number].message
        assert help in (found[line_number].help or "")
