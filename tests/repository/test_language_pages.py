"""The language reference: its examples are valid and use the whole grammar.

A block marked `rules` extends the village. `rules whole` is a file, and `rules part` is
a file that only others read. Below `rules error`, the block `text` is the first line of
the checker's message. The scenarios of an example are run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import attrs
import pytest

import rulebook
from interpreter import run_scenario
from rulebook.parse import parse, parser
from rulebook.parse.errors import clause_words
from rulebook.source.source_text import normalise, split_clauses

PAGES = Path(__file__).parents[2] / "docs" / "language"
VILLAGE = (PAGES / "village.rules").read_text(encoding="utf-8")
BLOCK = re.compile(
    r"```rules(?P<mark>[a-z ]*)\n(?P<rules>.*?)```(?:\n+```text\n(?P<said>.*?)```)?",
    re.DOTALL,
)
OVER = 'rules language 1\nrulebook example "Example"\n  extends village\n\n'


REFERENCE = sorted(path for path in PAGES.glob("*.md") if path.stem != "README")


@attrs.frozen
class Block:
    """An example: its page and line, its mark, its rules, the message below it."""

    place: str
    mark: str
    rules: str
    message: str | None


def blocks(*pages: Path) -> Iterator[Block]:
    """Yield the examples of pages, of the whole reference by default."""
    for page in pages or REFERENCE:
        text = page.read_text(encoding="utf-8")
        for match in BLOCK.finditer(text):
            place = f"{page.name}:{text[: match.start()].count(chr(10)) + 1}"
            yield Block(place, match["mark"].strip(), match["rules"], match["said"])


def resolve(name: str) -> str | None:
    """Return the village, or a file that a page contains in full."""
    if name == "village":
        return VILLAGE
    head = re.compile(rf"(rulebook|board) {name} ")
    game, _, sort = name.partition(".")
    if sort:
        head = re.compile(rf'({sort}|words {sort}) of {game}\n|{sort} {game} "')
    texts = (block.rules for block in blocks() if block.mark in ("whole", "part"))
    return next((text for text in texts if head.search(text)), None)


def problems_of(block: Block) -> list[str]:
    """Return the differences between an example and what its page claims."""
    text = block.rules if block.mark in ("whole", "part") else OVER + block.rules
    if block.mark == "part":
        return [problem.message for problem in parse(text, "example").diagnostics]
    try:
        book = rulebook.loads(text, "example", resolve)
    except rulebook.RulesError as error:
        messages = [rulebook.render(x, {}).split("\n")[0] for x in error.diagnostics]
        shown = [(block.message or "").strip()] if block.mark == "error" else []
        return [] if messages == shown else messages
    if block.mark == "error":
        return ["it has no error"]
    return [
        f"scenario {scenario.title!r} fails"
        for scenario in book.model.scenarios
        if run_scenario(book, scenario).status != "passed"
    ]


@pytest.mark.parametrize("page", REFERENCE, ids=lambda page: page.stem)
def test_the_examples_of_a_page_are_valid(page: Path) -> None:
    """Each example is accepted and its scenarios pass, or it has the error shown."""
    problems = [
        f"{block.place}: {problem}"
        for block in blocks(page)
        for problem in problems_of(block)
    ]

    assert not problems, "\n".join(problems)


NEVER_IN_A_VALUE = {"cell_range", "cell_side"}
"""Cells that the parser accepts so that the checker can report them."""


def productions() -> set[str]:
    """Return the names of the grammar's trees."""
    rules = parser.parser().rules
    named = {str(rule.alias or rule.origin.name) for rule in rules if rule.alias}
    named |= {str(r.origin.name) for r in rules if not (r.alias or r.options.expand1)}
    return {name.partition("{")[0] for name in named if not name.startswith("_")}


def used(text: str) -> Iterator[str]:
    """Return the productions that a text uses."""
    normal = normalise(text, "example")
    assert isinstance(normal, str)
    for chunk in split_clauses(normal):
        for part in chunk.rest if chunk.first_word == "rules" else [chunk]:
            short = part.first_word == clause_words.SHORT_HEADER
            start = "header" if short or clause_words.is_header(part) else "clause"
            yield from (
                str(tree.data)
                for tree in parser.parse_chunk(part.text, start).iter_subtrees()
            )


def test_the_examples_use_every_production_of_the_grammar() -> None:
    """Each production of the grammar occurs in an example of the reference."""
    texts = [VILLAGE, *(block.rules for block in blocks())]
    used_productions = {name for text in texts for name in used(text)}

    assert sorted(productions() - used_productions - NEVER_IN_A_VALUE) == []


WORD = re.compile(r'"([a-z]+)"|/([a-z][a-z +]*)\(\?!')


def test_the_examples_use_every_word_of_the_grammar() -> None:
    """Each keyword of the grammar occurs in an example of the reference."""
    texts = [VILLAGE, *(block.rules for block in blocks())]
    words = {
        (word or several).replace("+", "")
        for word, several in WORD.findall(parser.grammar_text())
    }
    missing = {
        word
        for word in words
        if not any(re.search(rf"\b{word}\b", text) for text in texts)
    }

    assert sorted(missing) == []


def test_the_village_is_a_valid_game() -> None:
    """The game that the examples extend has no errors."""
    assert rulebook.loads(VILLAGE, "village").players == (2, 4)


def test_the_index_links_to_every_page() -> None:
    """The index of the reference has a link to each page and to no other."""
    index = (PAGES / "README.md").read_text(encoding="utf-8")
    named = set(re.findall(r"\]\((\w+\.md)\)", index))
    assert named == {page.name for page in PAGES.glob("*.md")} - {"README.md"}
