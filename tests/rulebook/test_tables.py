"""Parser tables: cached tables work like newly generated ones."""

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from lark import Lark, UnexpectedInput

from rulebook.parse import parser, parser_tables
from rulebook.source.source_text import split_clauses

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "variants").glob("germany/*.rules"))
BROKEN = ("action build(", "costs\n  road 1\n", "kind a: b, , c\n", "\x00\n")

Damage = Callable[[str], str]


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return a cache folder for this test, without tables from a wheel."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(parser_tables, "SHIPPED_TABLES", tmp_path / "none.json")
    parser.parser.cache_clear()
    yield tmp_path / "rulebook"
    parser.parser.cache_clear()


@pytest.fixture(scope="module")
def text() -> str:
    return parser.tables_text()


@pytest.fixture(scope="module")
def made() -> Lark:
    return parser.make_parser()


def name() -> str:
    return parser_tables.tables_file_name(parser.grammar_text(), parser.TABLE_OPTIONS)


def kept() -> Lark | None:
    return parser_tables.stored_parser(name(), parser.runtime_options())


def read(parser: Lark, clause: str) -> object:
    """Return the tree of a clause with all places, or where parsing stops and what
    could follow.
    """
    try:
        tree = parser.parse(clause, start="clause")
    except UnexpectedInput as error:
        follow = error.interactive_parser.accepts()  # type: ignore[no-untyped-call]
        return type(error), error.line, error.column, follow
    places = [
        (
            subtree.data,
            None
            if subtree.meta.empty
            else (subtree.meta.line, subtree.meta.end_column),
        )
        for subtree in tree.iter_subtrees()
    ]
    return tree, places


def test_cached_tables_parse_like_new_tables(made: Lark, text: str) -> None:
    kept_parser = parser_tables.parser_from_text(text, name(), parser.runtime_options())

    assert kept_parser is not None
    clauses = [
        chunk.text
        for path in FILES
        for chunk in split_clauses(path.read_text(encoding="utf-8"))
    ]
    assert len(clauses) > 100
    for clause in (*clauses, *BROKEN):
        assert read(kept_parser, clause) == read(made, clause)


def test_tables_are_made_once(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parser.parser()
    (path,) = cache.iterdir()

    assert json.loads(path.read_text().splitlines()[1]).keys() == {"data", "memo"}
    assert path.stat().st_mode & 0o077 == 0
    parser.parser.cache_clear()
    monkeypatch.setattr(parser, "make_parser", None)  # no other tables are generated
    assert parser.parser().parse("dice a: 1 to 6\n", start="clause")


def test_tables_of_a_wheel_are_used(
    cache: Path, tmp_path: Path, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "none.json").write_text(text)
    monkeypatch.setattr(parser, "make_parser", None)

    assert parser.parser().parse("dice a: 1 to 6\n", start="clause")
    assert not cache.exists()


DAMAGES: dict[str, Damage] = {
    "empty": lambda text: "",
    "cut off": lambda text: text[: len(text) // 2],
    "one letter": lambda text: text.replace('"NAME"', '"NAMF"', 1),
    "another name": lambda text: ("1" if text[0] == "0" else "0") + text[1:],
    "no tables": lambda text: signed("{}"),
    "no JSON": lambda text: signed("cos\nsystem\n(S'true'\ntR."),
    "nested": lambda text: signed("[" * 100_000),
    "other numbers": lambda text: signed('{"data":{"parser":{"parser":{"states":1}}}}'),
}


def signed(body: str) -> str:
    """Return a file with a valid signature but other content."""
    return f"{name()} {parser_tables.digest_of(body)}\n{body}\n"


@pytest.mark.parametrize("damage", DAMAGES)
def test_ignores_damaged_table_files(damage: str, cache: Path, text: str) -> None:
    parser_tables.store_tables(text, name())
    (path,) = cache.iterdir()
    assert kept() is not None

    path.write_text(DAMAGES[damage](text))

    assert kept() is None


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="no users here")
@pytest.mark.parametrize("what", ["file", "folder"])
@pytest.mark.parametrize("mode", [0o020, 0o002])
def test_ignores_tables_that_others_can_write(
    what: str, mode: int, cache: Path, text: str
) -> None:
    parser_tables.store_tables(text, name())
    path = next(cache.iterdir()) if what == "file" else cache

    path.chmod(path.stat().st_mode | mode)

    assert kept() is None


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="no users here")
def test_ignores_tables_of_another_user(
    cache: Path, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    parser_tables.store_tables(text, name())
    monkeypatch.setattr(os, "getuid", lambda: cache.stat().st_uid + 1)

    assert kept() is None


@pytest.mark.parametrize("changed", ["grammar", "Lark", "options", "Python"])
def test_tables_belong_to_one_grammar_and_version(
    changed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, grammar, options = name(), parser.grammar_text(), dict(parser.TABLE_OPTIONS)
    match changed:
        case "grammar":
            grammar += "\n// a word more\n"
        case "Lark":
            monkeypatch.setattr("lark.__version__", "0.1")
        case "options":
            options["start"] = ["clause"]
        case "Python":
            monkeypatch.setattr("sys.version_info", (2, 7))

    assert parser_tables.tables_file_name(grammar, options) != before


@pytest.mark.parametrize("place", ["a file", "nowhere", "full"])
def test_without_a_cache_folder_tables_are_made(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    match place:
        case "a file":
            (tmp_path / "rulebook").write_text("in the way")
        case "nowhere":
            monkeypatch.delenv("XDG_CACHE_HOME")
            monkeypatch.setattr(Path, "home", no_home)
        case "full":
            monkeypatch.setattr(os, "fdopen", full)

    assert parser.parser().parse("dice a: 1 to 6\n", start="clause")
    assert list(tmp_path.rglob("tables-*")) == []
    if place == "full":
        assert list((tmp_path / "rulebook").iterdir()) == []


def no_home() -> Path:
    raise RuntimeError("there is no home")


def full(number: int, *_mode: str, **_more: str) -> object:
    os.close(number)
    raise OSError(28, "no space left on device")


def test_there_are_never_many_files(cache: Path) -> None:
    for number in range(12):
        parser_tables.store_tables("", f"{number:016x}")
        path = cache / f"tables-{number:016x}.json"
        os.utime(path, (number, number))

    left = sorted(cache.iterdir())
    assert len(left) == parser_tables.CACHED_FILES_MAX
    assert left[-1].stem == f"tables-{11:016x}"
