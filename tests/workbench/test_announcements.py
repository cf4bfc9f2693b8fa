"""Announcements are shown wherever the log is, in the reader's language."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from interpreter import Game
from rulebook import Rulebook, loads
from tests.support.commands import Output, output_of
from workbench.cli import main
from workbench.files.records.record_replay import game_and_events, undoable_games
from workbench.presentation.localization.localizer import Localizer
from workbench.presentation.narration.event_log import Narrator
from workbench.testing.scenarios.from_records import scenario_of_step
from workbench.web.storage.undo import reveals_anything

PATH = Path(__file__).parents[1] / "language" / "sayings.rules"


@pytest.fixture(scope="module")
def sayings() -> Rulebook:
    return loads(PATH.read_text(encoding="utf-8"), name="sayings.rules")


def said(text: str, **values: Any) -> dict[str, Any]:
    """Return an announcement as an event."""
    return {"announced": text, "values": values}


TAKES = said("{you} takes {good}", you="red", good="wood")


@pytest.mark.parametrize(
    ("language", "event", "line"),
    [
        ("en", TAKES, "  red takes wood"),
        ("de", TAKES, "  Holz geht an Rot"),
        ("de", said("Hear, hear!"), "  Hört, hört!"),
        ("de", said("{you} rolls {die}", you="red", die=4), "  Rot rolls 4"),
        ("en", said("{leader} leads", leader=None), "  – leads"),
    ],
)
def test_an_announcement_is_a_line_in_the_language_of_its_reader(
    sayings: Rulebook, language: str, event: dict[str, Any], line: str
) -> None:
    words = Localizer.for_book(sayings, language)
    told = Narrator(words, {}).narrate([event], [])
    assert told.text == line.strip()
    assert told.is_sentence


def test_the_log_knows_whom_an_announcement_names(sayings: Rulebook) -> None:
    words = Localizer.for_book(sayings, "en")
    assert "red" in Narrator(words, {}).narrate([TAKES], []).seats


def test_the_printed_rules_quote_announcements(capsys: Output) -> None:
    assert main(["print", str(PATH), "--language", "de"]) == 0
    assert "Ansage: „*good* geht an *du*“" in capsys.readouterr().out
    assert main(["print", str(PATH), "--language", "en"]) == 0
    assert "Announce: “*you* takes *good*”" in capsys.readouterr().out


def test_simulated_records_contain_announcements_and_replay(
    tmp_path: Path, sayings: Rulebook, capsys: Output
) -> None:
    records: dict[str, list[str]] = {}
    for engine in ("native", "reference"):
        folder = tmp_path / engine
        arguments = ["simulate", str(PATH), "--games", "3", "--bots", "random,greedy"]
        more = ["--players", "2", "--engine", engine, "--records", str(folder)]
        assert main([*arguments, *more]) == 0
        files = sorted(folder.rglob("*.jsonl"))
        assert len(files) == 3
        records[engine] = [path.read_text(encoding="utf-8") for path in files]
    assert records["native"] == records["reference"]
    game = Game.replay(records["native"][0], sayings)
    assert any("announced" in event for event in game.events)
    path = next((tmp_path / "native").rglob("*.jsonl"))
    printed = output_of(capsys, "replay", str(path), "--list", "--rules", str(PATH))
    assert "The fair opens" in printed


def test_steps_of_a_game_with_announcements_can_be_visited_and_undone(
    sayings: Rulebook,
) -> None:
    game, numbers = Game.start(sayings, players=2, seed=3), Random(3)
    while game.to_act is not None:
        before = game.copy()
        action = numbers.choice(game.legal_actions())
        news = game.apply(action)
        if not any("chance" in event for event in news):
            assert reveals_anything(before, news) == before.teaches(action)
    begin, events = game_and_events(game)
    for event in events:
        begin.apply(event)
    assert begin.events == game.events
    other = Game.start(sayings, players=2, seed=3)
    other.apply("shout")
    other.apply("shout")
    assert [each.steps < other.steps for each in undoable_games(other)] == [True, True]
    made = scenario_of_step(other)
    assert made is not None
    assert "does shout" in made


def test_a_record_that_lacks_an_announcement_diverges(
    tmp_path: Path, sayings: Rulebook, capsys: Output
) -> None:
    game = Game.start(sayings, players=2, seed=3)
    game.apply("shout")
    lines = [
        line
        for line in game.record.splitlines()
        if not line.startswith('{"announced": "Hear')
    ]
    path = tmp_path / "short.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert main(["replay", str(path), "--rules", str(PATH), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["diverged"]
