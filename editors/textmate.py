"""The TextMate grammar of rule files, by which editors colour them as they are typed.

    python -m editors.textmate [--check]

writes `editors/vscode/syntaxes/rules.tmLanguage.json`; with `--check` it ends with 1 if
that is not what the language's own grammar gives. Every word comes from there. A word
of the language is one only where it can stand: what begins a clause in column 1, what
begins a sentence at its beginning, and little words and phrases anywhere.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Any

from rulebook.parse.grammar import keywords as k

FILE = Path(__file__).parent / "vscode" / "syntaxes" / "rules.tmLanguage.json"
NAME = r"[^\W\d_]\w*"
END = r"(?![\w'’-])"
START = r"(?<![\w'’-])"
CONSTANTS = {"yes", "no", "none", "nothing", "all", "everything", "empty"}
Parts = dict[str, list[dict[str, Any]]]
AMENDING = ("in", "replace", "remove")
FILES = ("extends", "scenarios of", "look of", "words")


def choice(texts: Iterable[str]) -> str:
    """Words of which any stands, the longest first; blanks in a phrase may be several.

    Both TextMate and Vim read it.
    """
    ordered = sorted({text.strip(" ,") for text in texts}, key=lambda x: (-len(x), x))
    return "|".join(text.replace(" ", r"\s+") for text in ordered)


def words(texts: Iterable[str]) -> str:
    """A group of words, of which any stands."""
    return f"({choice(texts)})"


def written(text: str) -> bool:
    """Whether a keyword is made of words, and not of signs."""
    return any(letter.isalpha() for letter in text)


def at_the_start() -> set[str]:
    """The words that something begins with: a file, a clause, a line, a sentence."""
    groups: tuple[Collection[str], ...] = (
        *(k.clause_words(), k.header_words(), k.header_line_words()),
        *(k.line_words(), k.sentence_words()),
    )
    return {word for group in groups for word in group}


def spelled() -> Iterator[str]:
    """Every keyword in each way in which it is written."""
    for token in k.token_spellings():
        yield from filter(written, k.spellings(token))


def phrases() -> list[str]:
    """Keywords of several words: they are never names."""
    return sorted({text for text in spelled() if " " in text.strip(" ,")})


def little_words() -> list[str]:
    """Single keywords that begin nothing: what stands between names and values."""
    constants = set(constant_words())
    begins = at_the_start() - {"in", "if", "to", "on"}
    inner = {text for text in spelled() if text.strip(" ,").isalpha()} - begins
    return sorted({text.strip(" ,") for text in inner} - constants - {"the"})


def constant_words() -> list[str]:
    """The words that are values by themselves."""
    return sorted(CONSTANTS & set(k.all_keywords()))


def pattern(name: str, match: str) -> dict[str, Any]:
    """What matches has a name."""
    return {"name": f"{name}.rules", "match": match}


def captured(match: str, *names: str) -> dict[str, Any]:
    """Each group of what matches has a name."""
    groups = {str(i): {"name": f"{x}.rules"} for i, x in enumerate(names, 1) if x}
    return {"match": match, "captures": groups}


def beside() -> Parts:
    """What stands for itself anywhere: remarks, texts, citations."""
    return {
        "comment": [pattern("comment.line.number-sign", "#.*$")],
        "text": [
            {
                "name": "string.quoted.double.rules",
                "begin": '"',
                "end": '"|$',
                "patterns": [pattern("constant.other.placeholder", r"\{[^}\"]*\}")],
            }
        ],
        "citation": [
            {
                "name": "meta.citation.rules",
                "begin": r"\[",
                "end": r"\]|$",
                "patterns": [
                    {"include": "#text"},
                    pattern("constant.numeric", r"\d+"),
                    pattern("markup.italic.source", NAME),
                ],
            }
        ],
    }


def heads() -> Parts:
    """What begins in column 1: the language, the header, clauses."""
    name = rf"(?!(?:{choice(little_words())}){END})({NAME})"
    clause = words(x for x in k.clause_words() if x not in AMENDING)
    return {
        "language": [
            captured(
                r"^(rules)\s+(language)\s+(\d+)",
                *("keyword.control.language", "keyword.control.language"),
                "constant.numeric",
            )
        ],
        "header": [
            captured(
                rf"^{words(k.header_words())}\s+({NAME})",
                *("keyword.control.header", "entity.name.namespace"),
            ),
            captured(
                rf"^{words(FILES)}\s+(?:({NAME})\s+of\s+)?({NAME})$",
                *("keyword.control.header", "constant.language"),
                "entity.name.namespace",
            ),
        ],
        "clause": [
            captured(
                rf"^{words(AMENDING)}\s+(?:the\s+)?{clause}{END}(?:\s+{name})?",
                *("keyword.control.amendment", "keyword.declaration.clause"),
                "entity.name.function",
            ),
            captured(
                rf"^(?:the\s+)?{words(k.clause_words())}{END}(?:\s+{name})?",
                *("keyword.declaration.clause", "entity.name.function"),
            ),
        ],
    }


def inside() -> Parts:
    """What stands in a clause: labels, sentences, words, values."""
    begins = words({*k.line_words(), *k.sentence_words(), *k.header_line_words()})
    return {
        "label": [
            captured(
                rf"^\s+(needs|pays)\s+({NAME})(?=\s*:)",
                *("keyword.control.sentence", "entity.name.tag"),
            ),
            captured(
                rf"{START}(because)\s+({NAME})",
                "keyword.operator.word",
                "entity.name.tag",
            ),
        ],
        "sentence": [
            captured(
                rf"(?:^\s+|(?<=:)\s+){begins}{END}(?!\s*\|)", "keyword.control.sentence"
            )
        ],
        "word": [
            pattern("keyword.operator.word", rf"{START}{words(phrases())}{END}"),
            pattern("constant.language", rf"{START}{words(constant_words())}{END}"),
            pattern("keyword.operator.word", rf"{START}{words(little_words())}{END}"),
        ],
        "value": [
            pattern("constant.numeric", rf"{START}\d+(?!\w)"),
            pattern("keyword.operator", r"<=|>=|!=|[=<>+*]|(?<=\s)-(?=\s)"),
            pattern("punctuation.separator", r"[|,:]"),
        ],
    }


def grammar() -> dict[str, Any]:
    """The grammar as plain data; what stands first is tried first."""
    parts = beside() | heads() | inside()
    return {
        "$schema": "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
        "name": "Rulebook",
        "scopeName": "source.rules",
        "fileTypes": ["rules"],
        "patterns": [{"include": f"#{part}"} for part in parts],
        "repository": {name: {"patterns": listed} for name, listed in parts.items()},
    }


def text() -> str:
    """The grammar as its file holds it."""
    return json.dumps(grammar(), indent=2, ensure_ascii=False) + "\n"


def put(file: Path, text: str, given: list[str]) -> int:
    """Write what is made, or with `--check` say whether the file is that."""
    if given == ["--check"]:
        return int(file.read_text(encoding="utf-8") != text)
    file.write_text(text, encoding="utf-8")
    return 0


def main(given: list[str]) -> int:
    """Write the file, or with `--check` return whether it is out of date."""
    return put(FILE, text(), given)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
