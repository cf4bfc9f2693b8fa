"""Record files."""

import json
from pathlib import Path

import pytest

from interpreter import Game, RecordError, read_header
from rulebook import Rulebook
from workbench import load
from workbench.files.records.record_headers import rules_of_record
from workbench.files.records.recorder import Recorder


def test_record_of_a_file_contains_its_rules(tiny: Rulebook) -> None:
    game = Game.start(tiny, players=2, seed=1)

    book = rules_of_record(game.record)

    assert book.digest == tiny.digest
    assert list(read_header(game.record)["sources"]) == ["tiny"]


def test_a_record_of_a_shipped_game_needs_no_sources() -> None:
    book = load("germany")
    record = Game.start(book, players=3, seed=1).record

    assert "sources" not in read_header(record)
    assert read_header(record)["variant"] == "germany"
    assert rules_of_record(record).digest == book.digest


@pytest.mark.parametrize("sources", [["x"], {"tiny": 3}])
def test_rejects_invalid_sources(tiny: Rulebook, sources: object) -> None:
    head = {**read_header(Game.start(tiny, players=2).record), "sources": sources}

    with pytest.raises(RecordError, match="line 1: `sources`"):
        rules_of_record(json.dumps(head) + "\n")


def test_the_file_follows_the_game_and_an_undo(tiny: Rulebook, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    recorder = Recorder(str(path))
    game = Game.start(tiny, players=2, seed=1)
    recorder.write(game)
    before = game.copy()
    game.apply(game.legal_actions()[0])
    recorder.write(game)
    assert path.read_text() == game.record

    recorder.write(before)

    assert path.read_text() == before.record
    assert [entry.name for entry in tmp_path.iterdir()] == ["game.jsonl"]
