"""Companion files are checked with the games that use them."""

import json
from pathlib import Path

import pytest

from tests.support.commands import Output, output_of
from workbench.cli import main

WORDS = """rules language 1
words de of shore

words
  hut = "Hütte"
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    main(["new", "shore", "--from", "first"])
    game = Path("shore.rules").read_text(encoding="utf-8")
    game = game.replace("  players", "  comes with de\n  players", 1)
    Path("shore.rules").write_text(game, encoding="utf-8")
    Path("shore.de.rules").write_text(WORDS, encoding="utf-8")
    return tmp_path


def mistakes_of(capsys: Output, *arguments: str) -> tuple[int, list[dict[str, object]]]:
    code = main(["check", *arguments, "--json"])
    return code, json.loads(capsys.readouterr().out)


def test_words_are_checked_with_their_game(folder: Path, capsys: Output) -> None:
    printed = output_of(capsys, "check", "shore.de.rules")
    assert "shore.de.rules (shore.rules)" in printed


def test_error_is_reported_in_the_companion(folder: Path, capsys: Output) -> None:
    Path("shore.de.rules").write_text(WORDS.replace(" = ", " "), encoding="utf-8")
    capsys.readouterr()

    code, mistakes = mistakes_of(capsys, "shore.de.rules")

    assert code == 1
    assert [(x["file"], x["line"]) for x in mistakes] == [("shore.de.rules", 5)]
    assert main(["check", "shore.rules"]) == 1


def test_companion_that_no_game_uses_is_an_error(folder: Path, capsys: Output) -> None:
    Path("shore.rules").unlink()
    capsys.readouterr()

    code, mistakes = mistakes_of(capsys, "shore.de.rules")

    assert (code, [x["code"] for x in mistakes]) == (1, ["RB170"])


def test_board_is_checked_with_each_game_that_uses_it(capsys: Output) -> None:
    house = Path(__file__).parents[2] / "variants" / "house"

    assert main(["check", str(house / "small_map_board.rules")]) == 0
    assert "small_map.rules)" in capsys.readouterr().out


def test_house_rule_is_not_a_companion(capsys: Output) -> None:
    house = Path(__file__).parents[2] / "variants" / "house" / "friendly_robber.rules"

    assert "(" not in output_of(capsys, "check", str(house))
