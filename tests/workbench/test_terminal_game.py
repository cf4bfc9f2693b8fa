"""A terminal game that is killed, and abbreviated input."""

import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from interpreter import Action, Game
from tests.support.games import germany, localizer
from workbench import load
from workbench.cli import main
from workbench.errors import RequestError
from workbench.files.records.recorder import Recorder
from workbench.presentation.console.ascii import ascii_text
from workbench.presentation.localization.localizer import Localizer
from workbench.presentation.narration.selection import action_texts
from workbench.presentation.narration.view_text import turn_lines
from workbench.terminal.menu import card_cost_lines, cost_lines, menu_lines
from workbench.terminal.terminal_game import TerminalGame


def legal(*spelled: str) -> tuple[Action, ...]:
    actions = []
    for index, text in enumerate(spelled):
        name, _, rest = text.partition("(")
        arguments = tuple(part.strip() for part in rest.rstrip(")").split(",") if part)
        actions.append(Action("red", name, arguments, text, index))
    return tuple(actions)


TURN = legal(
    "trade_with_bank(lumber, ore)",
    "trade_with_bank(wool, ore)",
    "build_road(Berlin-Dessau)",
    "build_road(Köln-Trier)",
    "build_town_hall(Dessau)",
    "build_town_hall(Dortmund)",
    "discard(wool)",
    "discard(ore)",
    "end_turn",
)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("end", ["end_turn"]),
        ("Zug beenden", ["end_turn"]),
        ("zug", ["end_turn"]),
        ("build_road Köln-Trier", ["build_road(Köln-Trier)"]),
        ("build_road Tri-Kö", ["build_road(Köln-Trier)"]),
        ("Straße Dessau-Berlin", ["build_road(Berlin-Dessau)"]),
        ("rathaus bauen dor", ["build_town_hall(Dortmund)"]),
        ("trade_with_bank Holz Erz", ["trade_with_bank(lumber, ore)"]),
        ("trade_with_bank(wool, ore)", ["trade_with_bank(wool, ore)"]),
        ("trade_with_bank Wol, Erz", ["trade_with_bank(wool, ore)"]),
        ("discard 2 Wolle, 1 Erz", ["discard(wool)"] * 2 + ["discard(ore)"]),
        ("Dortmund", ["build_town_hall(Dortmund)"]),
        ("build_castle Trier", ["build_castle Trier"]),
    ],
)
def test_names_may_be_abbreviated(line: str, expected: list[str]) -> None:
    assert list(action_texts(line, TURN, localizer("de"))) == expected


@pytest.mark.parametrize("line", ["build_", "build_town_hall D"])
def test_ambiguous_input_is_reported(line: str) -> None:
    with pytest.raises(RequestError, match="ist mehrdeutig"):
        action_texts(line, TURN, localizer("de"))


def test_short_names_of_the_board_are_understood() -> None:
    short = {"Dessau": "Dsu"}

    actions = action_texts("build_town_hall dsu", TURN, localizer("de"), short)

    assert actions == ("build_town_hall(Dessau)",)


def test_the_menu_groups_by_name_and_counts_through() -> None:
    lines = list(menu_lines(TURN, localizer("de"), 60))

    assert any("Rathaus bauen (build_town_hall):" in line for line in lines)
    assert any("5 Dessau" in line and "6 Dortmund" in line for line in lines)
    assert lines[-1].strip().startswith("9  Zug beenden")
    assert max(map(len, lines)) <= 60


def test_costs_are_shown_in_the_chosen_language() -> None:
    lines = [line.strip() for line in cost_lines(germany().model, localizer("de"))]

    assert "Straße bauen: 1 Holz, 1 Lehm" in lines


def test_cards_in_hand_have_a_price_too() -> None:
    book = load("cardgame")
    words = Localizer.for_book(book, "de")
    holdings = [{"church": 1, "spy": 2}, {"count": 3}, 7]

    lines = [line.strip() for line in card_cost_lines(book.model, holdings, words)]

    assert lines == ["Kirche: 1 Lehm, 2 Getreide, 2 Erz"]


def test_shows_whose_turn_it_is_and_why_a_seat_decides() -> None:
    game = Game.start(germany(), seed=1)
    game.apply("offer_trade")

    (line,) = turn_lines(game.view("blue"), localizer("de"))

    assert line.startswith("Zug 1 · Blau · Handels- und Bauphase")
    assert "tausch" in line.lower()


def test_commands_may_be_typed_in_the_chosen_language() -> None:
    game, out = Game.start(germany(), seed=1), io.StringIO()
    lines = io.StringIO(
        "kosten\nbrett\nliste\nzurück\nwarum straße bauen ber-des\nende\n"
    )
    players = {**dict.fromkeys(game.seats, "human")}

    TerminalGame(
        game,
        players,
        1,
        io.StringIO("\n" + lines.read()),
        out,
        Recorder(None),
        localizer=localizer("de"),
    ).play()

    shown = out.getvalue()
    assert "Straße bauen: 1 Holz, 1 Lehm" in shown
    assert shown.count("BrHam") == 2  # the board is shown at the start and on request
    assert "es gibt noch nichts zurückzunehmen" in shown
    assert "nicht erlaubt" in shown
    assert game.steps == Game.start(germany(), seed=1).steps


def test_a_record_that_was_cut_off_in_a_line_is_resumed(
    tiny_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = tmp_path / "game.jsonl"
    assert (
        main(["play", str(tiny_path), "--seat", "all=random", "--record", str(record)])
        == 0
    )
    lines = record.read_text(encoding="utf-8").splitlines(keepends=True)
    record.write_text("".join(lines[:5]) + lines[5][:9], encoding="utf-8")
    monkeypatch.setattr("sys.stdin", io.StringIO(""))

    assert main(["play", "--resume", str(record)]) == 0

    kept = record.read_text(encoding="utf-8").splitlines(keepends=True)
    assert kept[:5] == lines[:5]
    assert all(json.loads(line) for line in kept)


def test_a_killed_game_loses_at_most_the_line_being_written(tmp_path: Path) -> None:
    record = tmp_path / "game.jsonl"
    command = [sys.executable, "-m", "workbench", "play", "classic"]
    players = ["--seat", "all=random", "--record", str(record), "--seed", "4"]
    with subprocess.Popen([*command, *players], stdout=subprocess.DEVNULL) as game:
        deadline = time.monotonic() + 60
        while game.poll() is None and time.monotonic() < deadline:
            if record.is_file() and record.stat().st_size > 4000:
                break
            time.sleep(0.01)
        os.kill(game.pid, signal.SIGKILL)
    lines = record.read_text(encoding="utf-8").splitlines(keepends=True)
    whole = [line for line in lines if line.endswith("\n")]

    assert len(lines) - len(whole) <= 1
    assert [json.loads(line) for line in whole]
    played = Game.replay("".join(whole), load("classic"))
    assert played.steps >= len(whole) - 1


@pytest.mark.parametrize(
    ("encoding", "typed"),
    [("ascii", "zurück\n".encode()), ("utf-8", b"zur\xfcck\n"), ("utf-8", b"\0\n")],
)
def test_unsupported_letters_are_handled(
    encoding: str, typed: bytes, tiny_path: Path
) -> None:
    command = [sys.executable, "-m", "workbench", "play", str(tiny_path)]
    done = subprocess.run(
        command,
        input=typed,
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"},
        check=False,
    )

    assert done.returncode == 0, done.stderr.decode()
    assert b"is not legal" in done.stdout


@pytest.mark.parametrize(
    ("shown", "plain"),
    [
        ("Weiß: „Straße“ … × 2", 'Weiss: "Strasse" ... x 2'),
        ("★ Köln–Łódź", "* Koln-?odz"),
        ("Zug 2 · Rot", "Zug 2 . Rot"),
    ],
)
def test_sentences_are_converted_to_ascii(shown: str, plain: str) -> None:
    assert ascii_text(shown) == plain


def test_accents_need_not_be_typed() -> None:
    assert action_texts("strasse trier-koln", TURN, localizer("de")) == (
        "build_road(Köln-Trier)",
    )
