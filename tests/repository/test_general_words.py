"""Law 1, no game in the code: the code has no word that a shipped rule file declares.

The test scans identifiers (split at `_` and capitals), strings and comments of every
.py and .lark file of the code floors. `tests/general_words.txt` lists the words that
are general although a shipped file declares them too, each with its reason.
"""

import io
import re
import tokenize
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

import variants
from tests.support.names import declared_names
from workbench import load

ROOT = Path(__file__).parents[2]
CODE = ("rulebook", "interpreter", "workbench")
EXCEPTIONS = ROOT / "tests" / "general_words.txt"
SHORTEST = 3
WORD = re.compile(r"[^\W\d_]+")
HUMP = re.compile(r"[A-ZÄÖÜ]?[a-zäöüß]+|[A-ZÄÖÜ]+(?![a-zäöüß])")


def words(text: str) -> Iterator[str]:
    """Return the words of a text or identifier, in lower case."""
    for run in WORD.findall(text):
        for word in HUMP.findall(run):
            if len(word) >= SHORTEST:
                yield word.lower()


def declared() -> dict[str, str]:
    """Return each word of a declared name, with a name that contains it."""
    names_by_word: dict[str, str] = {}
    for variant in variants.names():
        for name in declared_names(load(variant)):
            for word in words(name):
                names_by_word.setdefault(word, name)
    return names_by_word


def exceptions() -> dict[str, str]:
    """Return the general words, with the reason for each."""
    lines = EXCEPTIONS.read_text(encoding="utf-8").splitlines()
    pairs = (line.partition("#") for line in lines if line.strip(" #"))
    return {word.strip(): reason.strip() for word, _, reason in pairs if word.strip()}


@cache
def code_words() -> dict[str, str]:
    """Return each word in the code floors, with a place where it occurs."""
    place_by_word: dict[str, str] = {}
    for floor in CODE:
        for path in sorted((ROOT / floor).rglob("*")):
            for line, text in _texts(path):
                for word in words(text):
                    place_by_word.setdefault(word, f"{path.relative_to(ROOT)}:{line}")
    return place_by_word


def _texts(path: Path) -> Iterable[tuple[int, str]]:
    if path.suffix == ".lark":
        return enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
    if path.suffix != ".py":
        return ()
    readline = io.StringIO(path.read_text(encoding="utf-8")).readline
    return (
        (token.start[0], token.string)
        for token in tokenize.generate_tokens(readline)
        if token.type not in (tokenize.OP, tokenize.NUMBER)
    )


@pytest.fixture(scope="module")
def names() -> dict[str, str]:
    return declared()


def test_the_code_has_no_word_of_a_game(names: dict[str, str]) -> None:
    """No word of a name that a shipped game declares occurs in the code floors."""
    code, general = code_words(), exceptions()
    guilty = [
        f"{code[word]}: `{word}` (declared: {names[word]})"
        for word in sorted(code.keys() & names.keys() - general.keys())
    ]

    assert guilty == []


def test_every_exception_has_a_reason_and_a_use(names: dict[str, str]) -> None:
    """Each general word has a reason, and both a game and the code use it."""
    general, code = exceptions(), code_words()

    assert [word for word, reason in general.items() if not reason] == []
    assert sorted(general.keys() - (names.keys() & code.keys())) == []


def test_identifiers_are_split_into_words() -> None:
    """`words` splits at underscores and capitals and omits short words."""
    assert list(words("longest_trail")) == ["longest", "trail"]
    assert list(words("LongestTrail")) == ["longest", "trail"]
    assert list(words("HTTPServer of I47")) == ["http", "server"]
