"""Cached rulebooks equal freshly read ones, and are never mixed up."""

from __future__ import annotations

import hashlib
import os
import pickle
import sys
import zlib
from collections.abc import Callable
from pathlib import Path

import attrs
import pytest

from rulebook import Rulebook, RulesError, examine, loads
from rulebook.loading import cached_book
from rulebook.model.limits import Limits
from rulebook.parse import ClauseCache, parse
from rulebook.tooling import DiskCache, book_cache
from tests.support.processes import run_process
from workbench.files.library import loading as library

HOUSE = """rules language 1
rulebook house "A house rule"
  extends tiny
  comes with scenarios

replace option goal (1 to 9): 4  "points that win"
"""
SCENARIOS = """rules language 1
scenarios of house

scenario "it begins" with 2 players
  then
    require north's score = 0
"""


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> DiskCache:
    """Return a cache of books in a folder of this test."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    place = book_cache()
    assert place is not None
    return place


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Record the files that are parsed."""
    files: list[str] = []

    def noted(text: str, file: str, keeper: ClauseCache) -> object:
        files.append(Path(file).name)
        return parse(text, file, keeper)

    monkeypatch.setattr("rulebook.loading.load.parse", noted)
    return files


def put(folder: Path, **texts: str) -> Path:
    folder.mkdir(exist_ok=True)
    for name, text in texts.items():
        (folder / f"{name}.rules").write_text(text, encoding="utf-8")
    return folder / f"{next(iter(texts))}.rules"


def book_of(path: Path, shelf: DiskCache, limits: Limits | None = None) -> Rulebook:
    book, diagnostics = examine(path, limits=limits, shelf=shelf)
    assert book is not None, diagnostics
    return book


def there(shelf: DiskCache) -> list[Path]:
    return sorted(shelf.folder.glob("*.book"))


@pytest.fixture
def house(tmp_path: Path, tiny_path: Path, shelf: DiskCache, parsed: list[str]) -> Path:
    """Return a file that needs two others, and whose book is cached."""
    texts = {"tiny": tiny_path.read_text("utf-8"), "house.scenarios": SCENARIOS}
    path = put(tmp_path / "rules", house=HOUSE, **texts)
    book_of(path, shelf)
    parsed.clear()
    return path


def said(book: Rulebook) -> dict[str, object]:
    """Return the content of a book."""
    return {field.name: getattr(book, field.name) for field in attrs.fields(Rulebook)}


def test_a_cached_book_equals_a_freshly_read_book(
    house: Path, shelf: DiskCache, parsed: list[str]
) -> None:
    texts: dict[str, str] = {}
    book, diagnostics = examine(house, shelf=shelf, texts=texts)

    assert parsed == []
    anew, _ = examine(house)
    assert book is not None and anew is not None
    assert said(book) == said(anew)
    assert book is not book_of(house, shelf)
    assert diagnostics == ()
    assert texts == anew.files


def test_a_cached_book_is_the_same_in_another_process(
    house: Path, shelf: DiskCache
) -> None:
    script = (
        "import rulebook, sys, rulebook.loading.load as l; l.parse = None;"
        "print(rulebook.examine(sys.argv[1], shelf=rulebook.books())[0].digest)"
    )
    words = [sys.executable, "-c", script, str(house)]
    done = run_process(words, check=True)

    assert done.stdout.strip() == book_of(house, shelf).digest


def edited(house: Path) -> None:
    put(house.parent, house=HOUSE.replace(": 4", ": 5"))


def base_edited(house: Path) -> None:
    path = house.with_name("tiny.rules")
    path.write_text(path.read_text("utf-8") + "# more\n", encoding="utf-8")


def scenarios_edited(house: Path) -> None:
    path = house.with_name("house.scenarios.rules")
    path.write_text(SCENARIOS.replace("begins", "starts"), encoding="utf-8")


def scenarios_gone(house: Path) -> None:
    house.with_name("house.scenarios.rules").unlink()


@pytest.mark.parametrize(
    "change", [edited, base_edited, scenarios_edited, scenarios_gone]
)
def test_a_changed_text_is_read_again(
    change: Callable[[Path], None], house: Path, shelf: DiskCache, parsed: list[str]
) -> None:
    change(house)

    book, _ = examine(house, shelf=shelf)

    assert "house.rules" in parsed
    anew, _ = examine(house)
    assert book is not None and anew is not None
    assert said(book) == said(anew)


def test_an_earlier_version_is_still_cached(
    house: Path, shelf: DiskCache, parsed: list[str]
) -> None:
    first = book_of(house, shelf).digest
    scenarios_edited(house)
    book_of(house, shelf)
    house.with_name("house.scenarios.rules").write_text(SCENARIOS, encoding="utf-8")
    parsed.clear()

    assert book_of(house, shelf).digest == first
    assert parsed == []


def test_a_new_file_with_precedence_is_noticed(
    tmp_path: Path, shelf: DiskCache, tiny_path: Path
) -> None:
    tiny = tiny_path.read_text("utf-8")
    alone = HOUSE.replace("  comes with scenarios\n", "")
    path = put(tmp_path / "rules", house=alone)

    def answered(name: str) -> str | None:
        return tiny if name == "tiny" else None

    first, _ = examine(path, answered, shelf=shelf)
    put(path.parent, tiny=tiny, house=alone)
    second, _ = examine(path, answered, shelf=shelf)

    assert first is not None and second is not None
    assert len(there(shelf)) == 2
    assert str(path.with_name("tiny.rules")) in second.files


def test_the_key_contains_limits_and_paths(
    house: Path, shelf: DiskCache, parsed: list[str]
) -> None:
    with pytest.raises(AssertionError):
        book_of(house, shelf, Limits(cells=1))
    assert parsed

    parsed.clear()
    book_of(put(house.parent, other=HOUSE, **{"other.scenarios": SCENARIOS}), shelf)
    assert "other.rules" in parsed


def test_another_program_version_reads_again(
    house: Path, shelf: DiskCache, parsed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cached_book, "program_digest", lambda: "another")

    book_of(house, shelf)

    assert parsed


def test_every_line_of_the_program_affects_the_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a.py", "deep/b.py", "c.lark"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("1")
    monkeypatch.setattr(cached_book, "SOURCE_FOLDER", tmp_path)
    digests = {cached_book.program_digest.__wrapped__()}
    for path in tmp_path.rglob("*.*"):
        path.write_text("2")
        digests.add(cached_book.program_digest.__wrapped__())

    assert len(digests) == 4


def test_without_program_sources_nothing_is_cached(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cached_book, "SOURCE_FOLDER", tmp_path)
    uncached = cached_book.program_digest.__wrapped__
    monkeypatch.setattr(cached_book, "program_digest", uncached)

    assert book_cache() is None


def test_books_with_diagnostics_are_not_cached(
    tmp_path: Path, shelf: DiskCache, tiny_path: Path
) -> None:
    tiny = tiny_path.read_text("utf-8")
    warned = put(tmp_path / "rules", house=HOUSE, tiny=tiny)  # without scenarios

    book, diagnostics = examine(warned, shelf=shelf)
    assert book is not None and diagnostics
    with pytest.raises(RulesError):
        loads("rules language 1\n", shelf=shelf)

    assert there(shelf) == []


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


def renamed(data: bytes) -> Callable[[Path], None]:
    """Return a change that writes invalid data under a name with its digest."""

    def change(path: Path) -> None:
        path.unlink()
        key, digest = path.stem.split("-")[0], hashlib.sha256(data).hexdigest()
        path.with_name(f"{key}-{digest}.book").write_bytes(data)

    return change


@pytest.mark.parametrize(
    "damage",
    [
        cut,
        renamed(b""),
        renamed(b"x"),
        renamed(b"5\n"),
        renamed(b"[]\nx"),
        renamed(b"[]\n" + zlib.compress(pickle.dumps((dict, ())))),
        renamed(b"[]\n" + zlib.compress(pickle.dumps(5))),
    ],
)
def test_ignores_damaged_cache_files(
    damage: Callable[[Path], None], house: Path, shelf: DiskCache, parsed: list[str]
) -> None:
    (path,) = there(shelf)
    damage(path)

    book_of(house, shelf)

    assert "house.rules" in parsed


def test_nothing_is_cached_where_others_can_write(shelf: DiskCache) -> None:
    shelf.folder.chmod(0o770)

    assert book_cache() is None


def test_a_full_disk_is_no_error(
    tmp_path: Path, shelf: DiskCache, tiny_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, data: bytes) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("rulebook.disk_cache.write_atomically", full)

    book_of(tiny_path, shelf)

    assert there(shelf) == []


def test_evicts_the_least_recently_used_books(
    tmp_path: Path, shelf: DiskCache, tiny_path: Path
) -> None:
    tiny = tiny_path.read_text("utf-8")
    book_of(put(tmp_path / "rules", a=tiny), shelf)
    size = there(shelf)[0].stat().st_size
    small = attrs.evolve(shelf, max_bytes=int(2.5 * size))
    for number, name in enumerate("bcd", 1):
        book_of(put(tmp_path / "rules", **{name: tiny}), small)
        for path in there(shelf):
            os.utime(path, (number, number))

    assert len(there(shelf)) == 2


def test_a_combined_house_rule_is_cached_and_its_changes_noticed(
    working_folder: Path, shelf: DiskCache, tiny_path: Path, parsed: list[str]
) -> None:
    over = 'rules language 1\nrulebook more "More"\n  over tiny\n'
    rule = over + '\nreplace option goal (1 to 9): 4  "points that win"\n'
    put(working_folder, more=rule, tiny=tiny_path.read_text("utf-8"))
    first = library.load("tiny.rules+more.rules")
    parsed.clear()

    assert library.load("tiny.rules+more.rules").digest == first.digest
    assert parsed == []

    put(working_folder, more=rule.replace(": 4", ": 5"))
    assert library.load("tiny.rules+more.rules").digest != first.digest


def test_examined_books_are_checked_again(shelf: DiskCache, parsed: list[str]) -> None:
    library.load("classic")
    parsed.clear()

    library.examine("classic")

    assert "classic.rules" in parsed
