"""Names in a record open no files; files next to the record are never read."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from interpreter import Game, RecordError
from rulebook import loads
from tests.support.records import DARE, Output, changed, told
from workbench.errors import RequestError
from workbench.files.records.record_headers import rules_of_record

INTERPRETER = Path(__file__).parents[1] / "interpreter"


CANARY = "nobody may read this line"


NAMES = (
    "secret",
    "./secret",
    "secret.rules",
    "../files/secret",
    "{}/secret",
    "{}/secret.rules",
    "linked",
    "secret+classic",
    "classic+secret",
    "~/secret",
    "file://{}/secret.rules",
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a working folder with a file that no record may read."""
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "secret.rules").write_text(f"# {CANARY}\n{CANARY}\n" * 9)
    (folder / "linked.rules").symlink_to(folder / "secret.rules")
    monkeypatch.chdir(folder)
    return folder


Change = Callable[[str, str], dict[str, Any]]


PLACES: dict[str, Change] = {
    "variant": lambda name, digest: {"variant": name, "sources": ...},
    "variant beside sources": lambda name, digest: {"variant": name},
    "source": lambda name, digest: {"sources": {name: "nonsense"}},
    "extends": lambda name, digest: {"sources": {"x": f"extends {name}\n"}},
    "extends in head": lambda name, digest: {
        "sources": {"x": f'rules language 1\nrulebook x "X"\n  extends {name}\n'}
    },
    "board": lambda name, digest: {
        "sources": {"x": f'rules language 1\nrulebook x "X"\n  board {name}\n'}
    },
    "over": lambda name, digest: {
        "sources": {"x": f'rules language 1\nrulebook x "X"\n  over {name}\n'}
    },
}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("place", PLACES)
def test_a_name_in_a_record_opens_no_file(
    place: str, name: str, folder: Path, record: str, capsys: Output
) -> None:
    path = folder.parent / "game.jsonl"
    new = PLACES[place](name.format(folder), "")
    path.write_text(changed(record, **new))

    for command in (
        ["replay", str(path)],
        ["replay", str(path), "--json"],
        ["why", str(path), "pass"],
        ["board", "--record", str(path), "--out", "x.svg"],
        ["play", "--resume", str(path), "--seat", "all=random"],
    ):
        status, written = told(capsys, *command)
        assert CANARY not in written
        assert status == (0 if place == "variant beside sources" else 1)


def test_rules_that_fail_in_play_are_quoted_from_the_record(
    folder: Path, capsys: Output
) -> None:
    """Rules in a record may have the name of an unrelated file next to it."""
    text = (INTERPRETER / "failing.rules").read_text(encoding="utf-8")
    (folder / "failing.rules").write_text(f"{CANARY}\n" * 50)
    record = Game.start(loads(text, "failing"), players=2, seed=1).record
    path = folder.parent / "game.jsonl"
    path.write_text(record + '{"seat": "p1", "action": "climb"}\n')

    status, written = told(capsys, "replay", str(path))

    assert status == 1
    assert "| " + "  set height to height + number of black in heap" in written
    assert CANARY not in written


@pytest.mark.parametrize("name", ["\x1b]0;x\x07", "a/b", "..", "", "a\nb", "x" * 999])
def test_source_names_must_be_file_names(name: str, record: str) -> None:
    with pytest.raises(
        RecordError, match="line 1: `sources` contains an invalid file name"
    ):
        rules_of_record(changed(record, sources={name: DARE}))


def test_a_record_of_a_shipped_game_belongs_to_that_game(classic: str) -> None:
    assert rules_of_record(classic).name == "classic"
    for name in ("classic+first_come", "first_come", "/etc/passwd", "island"):
        with pytest.raises(RecordError, match="line 1: the record is of"):
            rules_of_record(changed(classic, variant=name))
    with pytest.raises(RequestError):
        rules_of_record(classic, "no such game")
