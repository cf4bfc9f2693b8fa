"""The examples of the language reference hold.

A block marked `rules` is laid over the village; `rules whole` is a file of its own; of
`rules error` the block `text` below it is the first line of what the checker says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import rulebook

PAGES = Path(__file__).parents[2] / "docs" / "language"
VILLAGE = (PAGES / "village.rules").read_text(encoding="utf-8")
BLOCK = re.compile(
    r"```rules(?P<mark>[a-z ]*)\n(?P<rules>.*?)```(?:\n+```text\n(?P<said>.*?)```)?",
    re.DOTALL,
)
OVER = 'rules language 1\nrulebook example "Example"\n  extends village\n\n'


def blocks() -> Iterator[object]:
    for page in sorted(PAGES.glob("*.md")):
        text = page.read_text(encoding="utf-8")
        for found in BLOCK.finditer(text):
            line = text[: found.start()].count("\n") + 1
            mark = found["mark"].strip()
            name = f"{page.stem}:{line}"
            yield pytest.param(mark, found["rules"], found["said"], id=name)


@pytest.mark.parametrize(("mark", "rules", "said"), list(blocks()))
def test_an_example_is_what_the_page_says(
    mark: str, rules: str, said: str | None
) -> None:
    text = rules if mark == "whole" else OVER + rules
    resolve = {"village": VILLAGE}.get
    if mark != "error":
        rulebook.loads(text, "example", resolve)
        return
    with pytest.raises(rulebook.RulesError) as caught:
        rulebook.loads(text, "example", resolve)
    (found,) = caught.value.diagnostics
    assert said is not None
    assert rulebook.render(found, {}).split("\n")[0] == said.strip()


def test_the_village_is_a_game_without_a_mistake() -> None:
    assert rulebook.loads(VILLAGE, "village").players == (2, 4)


def test_the_index_names_every_page() -> None:
    index = (PAGES / "README.md").read_text(encoding="utf-8")
    named = set(re.findall(r"\]\((\w+\.md)\)", index))
    assert named == {page.name for page in PAGES.glob("*.md")} - {"README.md"}
