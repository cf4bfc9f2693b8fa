"""The examples of the language reference hold.

A block marked `rules` is laid over the village; `rules whole` is a file of its own, and
`rules part` one that only others read; of `rules error` the block `text` below it is
the first line of what the checker says. Scenarios are played. Between them they use the
whole grammar.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

import rulebook
from interpreter import run_scenario
from rulebook.parse import parse, parser
from rulebook.parse.errors import clause_words
from rulebook.source.lines import cut, normalise

PAGES = Path(__file__).parents[2] / "docs" / "language"
VILLAGE = (PAGES / "village.rules").read_text(encoding="utf-8")
BLOCK = re.compile(
    r"```rules(?P<mark>[a-z ]*)\n(?P<rules>.*?)```(?:\n+```text\n(?P<said>.*?)```)?",
    re.DOTALL,
)
OVER = 'rules language 1\nrulebook example "Example"\n  extends village\n\n'


def blocks() -> Iterator[ParameterSet]:
    for page in sorted(PAGES.glob("*.md")):
        text = page.read_text(encoding="utf-8")
        for match in BLOCK.finditer(text):
            line = text[: match.start()].count("\n") + 1
            mark = match["mark"].strip()
            name = f"{page.stem}:{line}"
            yield pytest.param(mark, match["rules"], match["said"], id=name)


def resolve(name: str) -> str | None:
    """The village, or a file that one of the pages has whole."""
    if name == "village":
        return VILLAGE
    head = re.compile(rf"(rulebook|board) {name} ")
    game, _, sort = name.partition(".")
    if sort:
        head = re.compile(rf'({sort}|words {sort}) of {game}\n|{sort} {game} "')
    shown = (block.values for block in blocks())
    texts = (str(rules) for mark, rules, _ in shown if mark in ("whole", "part"))
    return next((text for text in texts if head.search(text)), None)


@pytest.mark.parametrize(("mark", "rules", "said"), list(blocks()))
def test_an_example_is_what_the_page_says(
    mark: str, rules: str, said: str | None
) -> None:
    text = rules if mark in ("whole", "part") else OVER + rules
    if mark == "part":
        assert parse(text, "example").diagnostics == ()
        return
    if mark != "error":
        book = rulebook.loads(text, "example", resolve)
        for scenario in book.model.scenarios:
            assert run_scenario(book, scenario).status == "passed", scenario.title
        return
    with pytest.raises(rulebook.RulesError) as caught:
        rulebook.loads(text, "example", resolve)
    (diagnostic,) = caught.value.diagnostics
    assert said is not None
    assert rulebook.render(diagnostic, {}).split("\n")[0] == said.strip()


NEVER_IN_A_VALUE = {"cell_range", "cell_side"}
"""Cells that are read, so that the checker can say what no column can hold."""


def productions() -> set[str]:
    """What the trees of the grammar are called."""
    rules = parser.parser().rules
    named = {str(rule.alias or rule.origin.name) for rule in rules if rule.alias}
    named |= {str(r.origin.name) for r in rules if not (r.alias or r.options.expand1)}
    return {name.partition("{")[0] for name in named if not name.startswith("_")}


def used(text: str) -> Iterator[str]:
    """The productions that a text uses."""
    normal = normalise(text, "example")
    assert isinstance(normal, str)
    for chunk in cut(normal):
        for part in chunk.below if chunk.first_word == "rules" else [chunk]:
            short = part.first_word == clause_words.SHORT_HEADER
            start = "header" if short or clause_words.is_header(part) else "clause"
            yield from (
                str(tree.data)
                for tree in parser.parse_chunk(part.text, start).iter_subtrees()
            )


def test_the_examples_use_every_production_of_the_grammar() -> None:
    texts = [VILLAGE, *(str(block.values[1]) for block in blocks())]
    used_productions = {name for text in texts for name in used(text)}

    assert sorted(productions() - used_productions - NEVER_IN_A_VALUE) == []


WORD = re.compile(r'"([a-z]+)"|/([a-z][a-z +]*)\(\?!')


def test_every_word_of_the_grammar_stands_in_an_example() -> None:
    texts = [VILLAGE, *(str(block.values[1]) for block in blocks())]
    words = {
        (word or several).replace("+", "")
        for word, several in WORD.findall(parser.grammar())
    }
    missing = {
        word
        for word in words
        if not any(re.search(rf"\b{word}\b", text) for text in texts)
    }

    assert sorted(missing) == []


def test_the_village_is_a_game_without_a_mistake() -> None:
    assert rulebook.loads(VILLAGE, "village").players == (2, 4)


def test_the_index_names_every_page() -> None:
    index = (PAGES / "README.md").read_text(encoding="utf-8")
    named = set(re.findall(r"\]\((\w+\.md)\)", index))
    assert named == {page.name for page in PAGES.glob("*.md")} - {"README.md"}
