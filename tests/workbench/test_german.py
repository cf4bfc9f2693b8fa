"""German texts say “du” to their reader, and need titles in the nominative only."""

import re
import tomllib
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

import variants
from rulebook.model import DomainSort
from workbench import load

ROOT = Path(__file__).parents[2]
TABLES = sorted((ROOT / "workbench").rglob("de.toml"))
SPOKEN = [path for path in TABLES if "printing" not in path.parts]
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


TITLE_GAPS = frozenset({"card", "cards", "cost", "held", "lacks", "things", "wanted"})
"""Gaps of phrases that contain titles of cards."""
UNDECLINED = re.compile(r"(^|[:,(/] |\(|\b[Kk]arte |\bmuss |\bwar )$")
"""Text before a title in the nominative: a colon, or a noun or verb that governs it."""
DECLINED = re.compile(r"(Schwarz|Groß|Klein|Alt|Neu|weiß|rot|frei)e[rs]? ")


def _governed(text: str, names: frozenset[str]) -> list[str]:
    """Return the gaps of a text that need another case than the nominative."""
    return [
        gap[0]
        for gap in re.finditer(r"\{([^}]*)\}", text)
        if gap[1].split()[-1:] and gap[1].split()[-1] in names
        if not UNDECLINED.search(text[: gap.start()])
    ]


@pytest.mark.parametrize("path", SPOKEN, ids=lambda path: path.parts[-3])
def test_phrases_need_titles_in_the_nominative_only(path: Path) -> None:
    """A title such as “Schwarzer Ritter” has no other form."""
    texts = list(_strings(tomllib.loads(path.read_text(encoding="utf-8"))))
    assert [text for text in texts if _governed(text, TITLE_GAPS)] == []


@pytest.mark.parametrize("name", variants.names())
def test_rule_files_need_titles_with_adjectives_in_the_nominative_only(
    name: str,
) -> None:
    book = load(name)
    model, words = book.model, book.words["de"]
    kinds = {
        domain.name
        for domain in model.domains.values()
        for member in domain.members
        if domain.sort is DomainSort.CARDS
        if DECLINED.match(words.get(member, ("",))[0])
    }
    holders = [
        *model.fields.values(),
        *(each for action in model.actions.values() for each in action.parameters),
    ]
    named = {
        getattr(each, "name", "")
        for each in holders
        if getattr(getattr(each, "type", None), "domain", "") in kinds
    }
    names = frozenset(named | kinds)
    assert bool(kinds) == (name == "cardgame")
    assert [text for text in _texts_of_rules(name) if _governed(text, names)] == []


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
