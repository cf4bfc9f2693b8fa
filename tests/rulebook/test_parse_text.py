"""Checks of a file before it is parsed: bytes, characters, lines, sizes."""

import pytest

from rulebook.parse import decode, parse
from rulebook.source.diagnostics import Diagnostic
from rulebook.source.files import BYTES_MAX
from rulebook.source.source_text import split_clauses
from rulebook.source.spans import Span

HEAD = "rules language 1\n"


def codes(text: str) -> list[str]:
    return [diagnostic.code for diagnostic in parse(text, "t.rules").diagnostics]


def test_bytes_are_decoded() -> None:
    assert decode("kind a: ö".encode(), "t.rules") == "kind a: ö"


@pytest.mark.parametrize(
    ("data", "place"),
    [
        (b"\xff\xfe", (1, 1)),
        ("ok\nöö ".encode() + b"\xc3", (2, 4)),
        ("a\r\nb".encode("utf-16"), (1, 1)),
    ],
)
def test_bytes_that_are_not_utf_8_are_shown(
    data: bytes, place: tuple[int, int]
) -> None:
    text_or_mistake = decode(data, "t.rules")

    assert isinstance(text_or_mistake, Diagnostic)
    assert text_or_mistake.code == "RB001"
    assert (text_or_mistake.span.line, text_or_mistake.span.column) == place


def test_huge_files_are_not_read() -> None:
    text_or_mistake = decode(b"#" * (BYTES_MAX + 1), "t.rules")

    assert isinstance(text_or_mistake, Diagnostic)
    assert text_or_mistake.code == "RB002"
    assert codes("#" * (BYTES_MAX + 1)) == ["RB002"]


@pytest.mark.parametrize(
    "char", ["\x00", "\x0c", "\x1b", "\u2028", "\u202e", "\ud800", "\x85"]
)
def test_rejects_forbidden_characters(char: str) -> None:
    (diagnostic,) = parse(f"{HEAD}kind a: b\n# {char}", "t.rules").diagnostics

    assert diagnostic.code == "RB003"
    assert diagnostic.span == Span("t.rules", 3, 3, 3, 4)


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("", "RB004", 1),
        ("\n\n# only a comment\n", "RB004", 1),
        ("\nkind a: b\n", "RB004", 2),
        ("rules language\n", "RB004", 1),
        ("rules language one\n", "RB004", 1),
        ("rules language 0\n", "RB004", 1),
        ("rules language 1 2\n", "RB004", 1),
        ("rules language 2\nfuture things\n", "RB005", 1),
    ],
)
def test_checks_the_first_line(text: str, code: str, line: int) -> None:
    (diagnostic,) = parse(text, "t.rules").diagnostics

    assert (diagnostic.code, diagnostic.span.line) == (code, line)


def test_a_newer_language_names_the_version() -> None:
    parsed = parse("rules language 7\n", "t.rules")

    assert parsed.file is None
    assert "language 7" in (parsed.diagnostics[0].help or "")


def test_an_old_file_without_a_first_line_is_still_read() -> None:
    parsed = parse("kind a: b\n", "t.rules")

    assert parsed.file is not None
    assert len(parsed.file.clauses) == 1


def test_clauses_begin_in_the_first_column() -> None:
    chunks = list(split_clauses("# c\none\n  two\n# c\n  three\n\n# c\nfour\n\n"))

    assert [(chunk.line, chunk.lines) for chunk in chunks] == [
        (2, ("one", "  two", "# c", "  three")),
        (8, ("four",)),
    ]


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("kind a: b", "kind"),
        ("the game has", "game"),
        ("thence", "thence"),
        ("(kind)", ""),
        ("", ""),
    ],
)
def test_finds_the_first_word(line: str, word: str) -> None:
    chunk = next(iter(split_clauses(line or "?")))

    assert chunk.first_word == word


HOSTILE = {
    "open brackets": "to a\n  set x to " + "(" * 3900,
    "nested brackets": "to a\n  set x to " + "-(" * 1900 + "1" + ")" * 1900,
    "many operators": "to a\n  set x to 1" + "+1" * 1900,
    "many nots": "to a\n  require " + "not " * 900 + "x",
    "nested blocks": "to a\n" + "".join(" " * n + "if a:\n" for n in range(1, 900)),
    "many otherwise": "to a\n  if a: stop\n" + "  otherwise if a: stop\n" * 900,
    "a long line": "kind a: " + "b, " * 9000 + "b",
    "a long name": "kind " + "a" * 3900 + " b",
    "hyphens": "kind " + "a-" * 1900 + "a: b",
    "blanks": "kind a" + " " * 3900 + "b",
    "quotes": 'kind "' * 600,
    "a long number": "to a\n  set x to " + "9" * 3900,
    "marks": "kind a" + "\u0301" * 3900 + ": b",
    "tabs": "to a\n" + "\t" * 3900 + "stop",
    "hexadecimal": "to a\n  set x to 0x10",
    "wide digits": "to a\n  set x to \u0661\u00b2",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_is_a_diagnostic(name: str) -> None:
    told = codes(HEAD + HOSTILE[name] + "\n")

    assert len(told) == 1


def test_a_file_with_many_mistakes_is_not_read_to_its_end() -> None:
    told = codes(HEAD + "kind a b\n" * 5000)

    assert len(told) <= 101
    assert told[-1] == "RB006"


def test_ordinary_nesting_is_accepted() -> None:
    depth = 20
    body = "".join("  " * n + "if a:\n" for n in range(1, depth)) + "  " * depth
    brackets = "(" * 40 + "1" + ")" * 40
    total = " + ".join("1" * 40)

    assert codes(f"{HEAD}to x\n{body}set a to {brackets} + {total}\n") == []
