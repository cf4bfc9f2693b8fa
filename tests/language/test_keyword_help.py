"""Explanations of keywords: complete, and with pages that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulebook.parse.grammar import keywords
from rulebook.parse.grammar.keyword_help import CLAUSE_HELP, LINE_HELP, REFERENCE

ROOT = Path(__file__).parents[2]


def test_every_keyword_that_starts_a_clause_is_explained() -> None:
    assert {*keywords.clause_words(), *keywords.header_words()} == CLAUSE_HELP.keys()


def test_every_keyword_that_starts_a_line_is_explained() -> None:
    assert {*keywords.line_words()} <= LINE_HELP.keys()
    assert {*LINE_HELP} <= {*keywords.all_keywords(), *keywords.line_words()}


@pytest.mark.parametrize(
    "page", sorted({page for _, page in (*CLAUSE_HELP.values(), *LINE_HELP.values())})
)
def test_the_pages_and_sections_exist(page: str) -> None:
    name, _, section = page.partition("#")
    text = (ROOT / REFERENCE / name).read_text(encoding="utf-8")
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    anchors = {re.sub(r"[^\w -]", "", it).lower().replace(" ", "-") for it in headings}
    assert not section or section in anchors


def test_explanations_are_whole_sentences() -> None:
    for text, _ in (*CLAUSE_HELP.values(), *LINE_HELP.values()):
        assert re.fullmatch(r"[A-Z`].*\.", text), text
