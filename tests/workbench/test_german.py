"""German texts say “du” to their reader, as the rule files do."""

import re
import tomllib
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

import variants
from workbench import load

ROOT = Path(__file__).parents[2]
TABLES = sorted((ROOT / "workbench").rglob("de.toml"))
FORMAL = re.compile(
    r"""(?<![.!?:“"]\s) (?<!^) \b (Sie|Ihnen|Ihr\w*) \b   # inside a sentence
    | \b Sie \s (sind|\w+en) \b | \b Ihr\w* \b           # at its start
    """,
    re.VERBOSE,
)


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for part in value.values():
            yield from _strings(part)
    else:
        yield value


def _texts_of_rules(name: str) -> Iterator[str]:
    book = load(name)
    for texts in (book.words, book.questions, book.reports):
        yield from chain.from_iterable(texts.get("de", {}).values())


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.parts[-3])
def test_phrases_say_du(path: Path) -> None:
    texts = list(_strings(tomllib.loads(path.read_text(encoding="utf-8"))))
    assert len(texts) > 100
    assert [text for text in texts if FORMAL.search(text)] == []


def test_rule_files_say_du() -> None:
    texts = {text for name in variants.names() for text in _texts_of_rules(name)}
    assert any(re.search(r"\bdu\b", text) for text in texts)
    assert [text for text in texts if FORMAL.search(text)] == []


@pytest.mark.parametrize(
    ("text", "is_formal"),
    [
        ("Wählen Sie einen Ort.", True),
        ("Sie sind am Zug", True),
        ("Ihre Wahl", True),
        ("nur für Sie", True),
        ("Er zählt. Sie ist vier Punkte wert.", False),
        ("{seat} hat sie gewählt, mit ihren Karten", False),
    ],
)
def test_the_pattern_finds_a_formal_address(text: str, is_formal: bool) -> None:
    assert bool(FORMAL.search(text)) is is_formal
