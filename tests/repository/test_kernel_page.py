"""The page on the kernel lists the operations and passes of today.

`python tests/repository/test_kernel_page.py` writes it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from inspect import cleandoc
from pathlib import Path
from typing import Any

from interpreter.kernel import operations as k
from interpreter.kernel.passes.pipeline import PASSES
from interpreter.kernel.text import LINES, TEXTS
from tests.support.kernel_texts import EXPRESSIONS, STATEMENTS

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "architecture" / "kernel.md"
EXAMPLE = ROOT / "tests" / "interpreter" / "kernel" / "golden" / "dare.txt"
MADE = re.compile(
    r"(<!-- (\w+): made by tests/repository/test_kernel_page.py -->\n)"
    r".*?(?=<!-- end -->)",
    re.DOTALL,
)
SORTS: dict[str, Any] = {
    "Values": k.Value,
    "Sequences": k.Sequence,
    "Rows": k.Row,
    "Statements": k.Statement,
    "Control": k.Control,
    "Outcomes of chance": k.Outcomes,
}
"""Classes of operations by heading; all others are parts of operations."""


def summary(described: Any) -> str:
    """Return the first paragraph of a docstring as one line."""
    text = cleandoc(described.__doc__).partition("\n\n")[0]
    return " ".join(text.split())


def escaped(text: str) -> str:
    """Return text for a cell of a table."""
    return text.replace("|", r"\|")


def example() -> str:
    """Return the action `dare_it` in the kernel."""
    text = EXAMPLE.read_text(encoding="utf-8")
    action = text[text.index("unit 4, dare_it") :].partition("\n\n")[0]
    return f"```text\n{action}\n```\n"


def passes() -> str:
    """Return the table of the passes."""
    lines = ["| pass | what it does |", "| --- | --- |"]
    lines += [f"| `{name}` | {described} |" for name, described in PASSES.items()]
    return "\n".join(lines) + "\n"


def operations() -> str:
    """Return the tables of the operations, one for each sort."""
    left = list({**TEXTS, **LINES})
    sections = []
    for heading, sort in SORTS.items():
        kinds = [kind for kind in left if issubclass(kind, sort)]
        left = [kind for kind in left if kind not in kinds]
        sections.append(section(heading, kinds))
    sections.append(section("Parts of operations", left))
    return "\n".join(sections)


def section(heading: str, kinds: Iterable[type]) -> str:
    """Return the table of one sort of operations, in the order of their module."""
    order = list(vars(k).values())
    lines = [f"### {heading}", "", "| operation | example | meaning |"]
    lines.append("| --- | --- | --- |")
    for kind in sorted(kinds, key=order.index):
        cells = (kind.__name__, text_of(kind), summary(kind))
        name, text, meaning = map(escaped, cells)
        lines.append(f"| `{name}` | `{text}` | {meaning} |")
    return "\n".join([*lines, ""])


def text_of(kind: type) -> str:
    """Return the text of the first example of an operation."""
    examples = [text for e, text in texts() if type(e) is kind]
    return examples[0].partition("|  ")[0]


def texts() -> Iterator[tuple[k.Operation, str]]:
    """Yield all examples with their text."""
    yield from EXPRESSIONS
    yield from STATEMENTS


def rewritten(page: str) -> str:
    """Return the page with regenerated parts."""
    made = {"example": example, "passes": passes, "operations": operations}
    return MADE.sub(lambda match: f"{match[1]}\n{made[match[2]]()}\n", page)


def test_the_page_is_current() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == rewritten(page), f"run {Path(__file__).name} and read the diff"


if __name__ == "__main__":
    PAGE.write_text(rewritten(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
