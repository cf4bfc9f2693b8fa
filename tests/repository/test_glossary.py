"""The glossary: each word once, in order, and modules are called by its words."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GLOSSARY = ROOT / "docs" / "glossary.md"
ROOMS = ROOT / "docs" / "adr" / "0046-package-structure.md"
ROW = re.compile(r"^\| (?P<word>[^|]+) \| (?P<means>[^|]+) \|$", re.MULTILINE)
MODULE = re.compile(r"\(`([\w/]+)\.py`\)$")
NAMES = re.compile(r"^\* Modules are called .*?(?=^\*|^#|\Z)", re.MULTILINE | re.DOTALL)
HEAD = ("word", "---")

MEANINGS = {
    row["word"]: row["means"]
    for row in ROW.finditer(GLOSSARY.read_text(encoding="utf-8"))
    if row["word"] not in HEAD
}
MODULES = {
    word: Path(match[1])
    for word, means in MEANINGS.items()
    if (match := MODULE.search(means)) is not None
}


def test_each_word_stands_once_and_in_order() -> None:
    text = GLOSSARY.read_text(encoding="utf-8")
    rows = [line for line in text.splitlines() if line.startswith("|")]
    words = [row["word"] for row in ROW.finditer(text) if row["word"] not in HEAD]

    assert len(rows) == len(words) + len(HEAD)
    assert words == sorted(words, key=str.casefold)
    assert len(words) == len({word.casefold() for word in words})


@pytest.mark.parametrize("word", MODULES)
def test_a_module_is_called_by_its_word(word: str) -> None:
    name = word.replace(" ", "_")
    plurals = {name, f"{name}s", f"{name}es"}

    assert MODULES[word].name in plurals
    assert (ROOT / MODULES[word]).with_suffix(".py").is_file()


def test_the_words_of_the_rooms_are_explained() -> None:
    """Those names that the decision on rooms takes from the field."""
    named = NAMES.search(ROOMS.read_text(encoding="utf-8"))
    assert named is not None
    names = set(re.findall(r"`(\w+)`", named[0]))

    assert len(names) >= 10
    assert names - {module.name for module in MODULES.values()} == set()
