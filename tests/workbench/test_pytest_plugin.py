"""Scenarios and invariants of rule files as items of pytest, in its own process."""

import os
import sys
from pathlib import Path

import pytest

from tests.support.processes import run_process

ROOT = Path(__file__).parents[2]
OTHER_PLUGINS = ("anyio", "cacheprovider", "hypothesispytest", "timeout", "xdist")
"""Plugins that take long to import, and that these tests do not need."""
TESTS = """
scenario "a pair is worth a point" with 2 players
  given
    move 2 white from heap to north's pouch
    north is to move in swap
  when
    north does cash_in(white)
  then
    require north's score = 1

scenario "a pair is worth two points" with 2 players
  given
    move 2 white from heap to north's pouch
    north is to move in swap
  when
    north does cash_in(white)
  then
    require north's score = 2

invariant "the heap never grows"
  require number of pebble in heap <= 18

invariant "nobody ever has a pebble"
  require no player where (number of pebble in player's pouch) > 0
"""


def pytest_in(folder: Path, *arguments: str) -> tuple[int, str]:
    """Run pytest with the plugin of this project; return its status and output."""
    command = [sys.executable, "-m", "pytest", *arguments]
    for name in OTHER_PLUGINS:
        command += ["-p", f"no:{name}"]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = run_process(command, cwd=folder, env=environment)
    return done.returncode, done.stdout


@pytest.fixture
def folder(tmp_path: Path, tiny_path: Path) -> Path:
    text = tiny_path.read_text(encoding="utf-8") + TESTS
    (tmp_path / "tiny.rules").write_text(text, encoding="utf-8")
    (tmp_path / "broken.rules").write_text("rules language 1\nrulebok x\n")
    (tmp_path / "pytest.ini").write_text("[pytest]\nrulebook_games = 1\n")
    return tmp_path


def test_every_scenario_and_invariant_is_an_item(folder: Path) -> None:
    status, said = pytest_in(folder, "-v", "tiny.rules")

    assert status == 1
    assert "tiny.rules::scenario: a pair is worth a point PASSED" in said
    assert "tiny.rules::scenario: a pair is worth two points FAILED" in said
    assert "tiny.rules::invariant: the heap never grows PASSED" in said
    assert "tiny.rules::invariant: nobody ever has a pebble FAILED" in said
    assert "require north's score = 2" in said
    assert '"format": "rulebook-record/' in said
    assert "workbench/" not in said


def test_one_item_by_its_name(folder: Path) -> None:
    status, said = pytest_in(
        folder, "-q", "tiny.rules::scenario: a pair is worth a point"
    )

    assert status == 0
    assert "1 passed" in said


def test_a_file_with_a_mistake_is_an_error(folder: Path) -> None:
    status, said = pytest_in(folder, "-q")

    assert status == 2
    assert "error RB012: no clause begins with `rulebok`" in said
    assert "broken.rules:2:1" in said


HOUSE = 'rules language 1\nrulebook {name} "House rules"\n  extends tiny\n'
COUNT_CHECKS = """
import rulebook.loading.load as load

checked = []
original = load._check_merged

def counting(merged, *rest):
    checked.append(merged.header.name.text)
    return original(merged, *rest)

load._check_merged = counting

def pytest_unconfigure():
    print("CHECKED", *sorted(checked))
"""


def test_a_collection_checks_each_file_once(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """House rules over one game do not check it again; a second process checks none."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (folder / "broken.rules").unlink()
    for name in ("one_more", "two_more"):
        text = HOUSE.format(name=name)
        (folder / f"{name}.rules").write_text(text, encoding="utf-8")
    (folder / "conftest.py").write_text(COUNT_CHECKS, encoding="utf-8")

    status, said = pytest_in(folder, "--collect-only", "-q")
    _, again = pytest_in(folder, "--collect-only", "-q")

    assert status == 0
    assert "4 tests collected" in said
    assert "CHECKED one_more tiny two_more\n" in said
    assert "4 tests collected" in again
    assert "CHECKED\n" in again


def test_a_collection_checks_a_library_without_a_game_once(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Games that extend a library do not check the library again."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (folder / "broken.rules").unlink()
    library = 'rules language 1\nrulebook moods "Moods"\nkind mood: calm, wild\n'
    (folder / "moods.rules").write_text(library, encoding="utf-8")
    for name in ("one_more", "two_more"):
        text = HOUSE.format(name=name).replace("tiny", "tiny, moods")
        (folder / f"{name}.rules").write_text(text, encoding="utf-8")
    (folder / "conftest.py").write_text(COUNT_CHECKS, encoding="utf-8")

    status, said = pytest_in(folder, "--collect-only", "-q")

    assert status == 0
    assert "4 tests collected" in said
    assert "CHECKED moods one_more tiny two_more\n" in said


def test_an_error_in_a_file_is_reported_after_it_was_valid(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The cache of checked rules never hides a change of a file."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    path = folder / "tiny.rules"
    pytest_in(folder, "--collect-only", "-q", "tiny.rules")
    path.write_text(path.read_text("utf-8") + "\nscenaro x\n", encoding="utf-8")

    status, said = pytest_in(folder, "--collect-only", "-q", "tiny.rules")

    assert status == 2
    assert "no clause begins with `scenaro`" in said
