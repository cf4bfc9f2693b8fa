"""Mistyped, abbreviated and unusual input, and the answers to it."""

import io
import os
import pty
import select
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest

import rulebook
from interpreter import Game
from tests.support.games import germany, localizer
from tests.support.processes import run_process
from workbench.cli import main
from workbench.files.records.record_replay import undoable_games
from workbench.files.records.recorder import Recorder
from workbench.presentation.localization.localizer import Localizer
from workbench.presentation.narration.selection import name_coordinates, suggest_command
from workbench.presentation.picture import scene_of
from workbench.terminal.keyboard import HIGH_SCREEN, Completions, complete
from workbench.terminal.terminal_game import TerminalGame

STEPS = """rules language 1
rulebook steps "Steps"
  players 2
  seats red, blue
  turns 9

spaces spot by column 1 to 3, row 1 to 3
piece stone: 4 for each player, stands on spot

setup
  red starts

action put(spot)
  needs free: spot has no stone  "somebody stands here"
  place your stone on spot
  set spot's bare to no

each spot has
  bare: yes/no, seen by all, starts at yes

turn
  phase first
    you do put
  phase second
    you do put
"""


MARKED = """
hint drawn spot: "bare"
"""

HEAP = """rules language 1
rulebook heap "A heap"
  players 2

game has
  heap: 0 to 13, seen by all, starts at 13

action take(1 to 3 amount)
  needs there: heap >= amount  "so many are not there"
  decrease heap by amount

turn
  phase taking
    you do take

rule over
  whenever heap = 0: you win
"""


def start() -> Game:
    return Game.start(germany(), seed=1)


def played(
    begun: Game, lines: str, words: Localizer, players: str = "greedy"
) -> tuple[Game, str]:
    """Return the game, and the output after the acting person types these lines."""
    game, out = begun.copy(), io.StringIO()
    who = dict.fromkeys(game.seats, players) | {game.to_act or "": "human"}
    table = TerminalGame(
        game, who, 1, io.StringIO(lines), out, Recorder(None), localizer=words
    )
    return table.play(), out.getvalue()


@pytest.mark.parametrize(
    ("line", "language", "meant"),
    [
        ("build_rod köl-düs", "en", "did you mean build_road köl-düs?"),
        ("build_rod(Köln-Trier)", "en", "did you mean build_road Köln-Trier?"),
        ("town ulm", "en", " or build_town_hall?"),
        ("undoo", "en", "did you mean undo?"),
        ("why bild_road ulm-stu", "en", "did you mean build_road ulm-stu?"),
        ("strase bauen köl-düs", "de", "war Straße bauen köl-düs gemeint?"),
        ("kosen", "de", "war kosten gemeint?"),
    ],
)
def test_suggests_the_probable_action(line: str, language: str, meant: str) -> None:
    assert meant in played(start(), f"{line}\n", localizer(language))[1]


def test_suggests_nothing_without_a_similar_name() -> None:
    assert suggest_command("xyzzy 3", germany(), localizer("en")) is None


@pytest.mark.parametrize("line", ["q", "exit", "quit", "EXIT"])
def test_several_commands_quit(line: str) -> None:
    _, shown = played(start(), f"{line}\nlist\n", localizer("en"))

    assert shown.count("Blue> ") == 1
    assert "The game was not saved" in shown


@pytest.mark.parametrize(
    ("line", "language", "usage"),
    [
        ("why", "en", "why ACTION "),
        ("save", "en", "save FILE "),
        ("about", "en", "about NAME "),
        ("warum", "de", "warum AKTION "),
    ],
)
def test_command_without_its_argument_shows_usage(
    line: str, language: str, usage: str
) -> None:
    _, shown = played(start(), f"{line}\n", localizer(language))

    assert usage in shown
    assert "not legal" not in shown and "nicht erlaubt" not in shown


def test_resumed_game_can_be_undone_until_the_last_reveal() -> None:
    book = rulebook.loads(STEPS)
    game = Game.start(book, seed=1)
    for text in ("spot_1_1", "spot_1_2", "spot_2_1", "spot_2_2", "spot_3_1"):
        game.apply(f"put({text})")
    resumed, words = Game.replay(game.record, book), Localizer.for_book(book, "en")

    back, shown = played(resumed, "undo\n", words)
    further, _ = played(resumed, "undo\nundo\n", words)

    assert back.steps == game.steps - 1
    assert back.to_act == "red"
    assert "undone" in shown
    assert further.steps == 1
    assert further.to_act == "red"


def test_undoable_games_end_at_the_last_reveal() -> None:
    game = start()
    game.apply("end_turn")
    assert undoable_games(start()) == undoable_games(game) == []

    book = rulebook.loads(STEPS)
    board = Game.start(book, seed=1)
    before = board.copy()
    board.apply("put(spot_1_1)")
    assert undoable_games(board) == [before]


def test_nothing_can_be_undone_at_the_start() -> None:
    _, shown = played(start(), "undo\n", localizer("en"))

    assert "you have not done anything yet" in shown


@pytest.mark.parametrize(
    "line", ["put(spot(2, 3))", "put spot(2,3)", "put( spot( 2 ,3 ) )", "put spot_2_3"]
)
def test_space_may_be_typed_as_in_rule_files(line: str) -> None:
    book = rulebook.loads(STEPS)

    begun = Game.start(book, seed=1)

    game, shown = played(begun, f"why {line}\n{line}\nquit\n", Localizer.for_book(book))

    assert "“put: spot 2 3” is legal" in shown
    assert game.events[0]["action"] == "put(spot_2_3)"


def test_only_the_name_of_a_kind_of_spaces_has_coordinates() -> None:
    assert name_coordinates("take(3)", rulebook.loads(STEPS)) == "take(3)"


def test_why_at_the_command_line_reads_coordinates(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = tmp_path / "game.jsonl"
    game = Game.start(rulebook.loads(STEPS), seed=1)
    game.apply("put(spot_1_1)")
    record.write_text(game.record, encoding="utf-8")

    main(["why", str(record), "put(spot(1, 1))"])

    assert "“put: spot 1 1” is not legal: somebody" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("language", "first", "why"),
    [
        ("en", "choose first: give", "why end_turn"),
        ("de", "zuerst wählen: bieten", "warum end_turn"),
    ],
)
def test_interrupting_choice_is_named_first(
    language: str, first: str, why: str
) -> None:
    lines = f"{why}\noffer_trade\n{why}\n"

    before, _, after = played(start(), lines, localizer(language))[1].partition("  2 ")

    assert first not in before
    assert first in after


def test_number_fields_are_on_the_screen() -> None:
    book = rulebook.loads(HEAP)

    _, shown = played(Game.start(book, seed=1), "", Localizer.for_book(book))

    assert "  heap 13\n" in shown


def test_bot_game_reports_its_seed_and_final_board() -> None:
    game, out = Game.start(rulebook.loads(STEPS), seed=5), io.StringIO()

    TerminalGame(
        game, dict.fromkeys(game.seats, "random"), 5, io.StringIO(), out, Recorder(None)
    ).play()

    lines = out.getvalue().splitlines()
    assert lines[0] == "to play the same game again, use --seed 5 --bot-seed 5"
    assert any("B" in line and "R" in line for line in lines[-9:])


def test_a_space_whose_attribute_is_no_is_not_drawn() -> None:
    book = rulebook.loads(STEPS + MARKED)
    game = Game.start(book, seed=1)
    game.apply("put(spot_2_2)")

    names = {space.name for space in scene_of(game).spaces}

    assert "spot_2_2" not in names
    assert len(names) == 8


@pytest.mark.parametrize("colours", [True, False])
def test_a_terminal_has_a_history_and_completes(tmp_path: Path, colours: bool) -> None:
    rules = tmp_path / "steps.rules"
    rules.write_text(STEPS, encoding="utf-8")
    master, slave = pty.openpty()
    termios.tcsetwinsize(slave, (HIGH_SCREEN, 80))
    command = [sys.executable, "-m", "workbench", "play", str(rules)]
    size = {"LINES": str(HIGH_SCREEN), "COLUMNS": "80"}
    environment = {**os.environ, **size, "TERM": "xterm", "NO_COLOR": "1"}
    if colours:
        del environment["NO_COLOR"]
    with subprocess.Popen(
        command, stdin=slave, stdout=slave, stderr=slave, env=environment
    ) as process:
        os.close(slave)
        shown = until(master, "red>")
        os.write(master, b"costs\n")
        shown += until(master, "nothing has a cost in this game")
        os.write(master, b"\x1b[A\n")
        again = until(master, "nothing has a cost in this game")
        os.write(master, b"why PUT(spot_2_3")
        menu = until(master, " put(spot_2_3) ")
        os.write(master, b"\t\n")
        why = until(master, "is legal")
        os.write(master, b"cost\x1b[D\x1b[D\x01\x0bquit\n")  # move, then clear
        until(master, "The game was not saved")
        process.kill()
    os.close(master)

    assert "nothing has a cost in this game" in shown
    assert "nothing has a cost in this game" in again
    assert " put(spot_2_3) " in menu
    assert ("\x1b[0;38;5;" in menu) == colours
    assert "“put: spot 2 3” is legal" in why


PUTS = ["put(Köln)", "put(Kiel)"]
KNOWN = Completions([*PUTS, "undo", "zurück", "warum"], {"warum": PUTS})


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("", []),
        ("p", [(-1, "put(Köln)"), (-1, "put(Kiel)")]),
        ("PUT(ko", [(-6, "put(Köln)")]),
        ("put(Köln)", []),
        ("zuru", [(-4, "zurück")]),
        ("w", [(-1, "warum")]),
        ("warum ", []),
        ("Warum put(ki", [(-6, "put(Kiel)")]),
        ("warum un", []),
        ("undo p", []),
    ],
)
def test_a_line_is_completed(typed: str, expected: list[tuple[int, str]]) -> None:
    assert complete(typed, KNOWN) == expected


def test_a_pipe_gets_plain_lines(tmp_path: Path) -> None:
    rules = tmp_path / "steps.rules"
    rules.write_text(STEPS, encoding="utf-8")
    command = [sys.executable, "-m", "workbench", "play", str(rules)]
    done = run_process(command, input="costs\nquit\n", check=True)

    assert "red> " in done.stdout
    assert "\x1b" not in done.stdout


def until(terminal: int, text: str) -> str:
    """Return a terminal's output up to a text, within a minute."""
    shown, deadline = "", time.monotonic() + 60
    while text not in shown and time.monotonic() < deadline:
        if select.select([terminal], [], [], 1)[0]:
            shown += os.read(terminal, 4096).decode("utf-8", "replace")
    return shown
