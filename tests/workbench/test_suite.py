"""`rulebook test`: progress display, and the records that it saves."""

import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from interpreter import Game, check_invariant, run_scenario
from rulebook.tooling import parse_scenarios
from tests.support.commands import Output, document_of, output_of
from workbench import load
from workbench.cli import main
from workbench.presentation.console.progress_bar import with_progress

RICH = """
invariant "nobody ever has two points"
  require no player where player's score >= 2
"""
POOR = """
invariant "nobody ever has a pebble"
  require no player where (number of pebble in player's pouch) > 0
"""
FOUND = ["-k", "nobody ever", "--games", "2"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, tiny_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    text = tiny_path.read_text(encoding="utf-8")
    (tmp_path / "tiny.rules").write_text(text + RICH + POOR, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def records() -> list[str]:
    return sorted(str(path) for path in Path().rglob("*.jsonl"))


def test_games_that_break_an_invariant_are_saved(capsys: Output) -> None:
    said = output_of(capsys, "test", "tiny.rules", *FOUND, status=1)
    assert records() == ["tiny.broken-2.jsonl", "tiny.broken.jsonl"]
    book = load("tiny.rules")
    for path, invariant in zip(
        records()[::-1], book.model.invariants[-2:], strict=True
    ):
        game = Game.replay(Path(path).read_text(encoding="utf-8"), book)
        assert check_invariant(game, invariant).status == "failed"
        assert f"after event {game.steps}, " in said
        assert main(["replay", path]) == 0
        assert f"rulebook replay {path}\n" in said


def test_records_are_saved_in_the_given_folder(capsys: Output) -> None:
    assert main(["test", "tiny.rules", *FOUND, "--records", "broken"]) == 1

    assert {str(Path(path).parent) for path in records()} == {"broken"}


def test_json_document_contains_the_records(capsys: Output) -> None:
    document = document_of(capsys, "test", "tiny.rules", *FOUND, status=1)
    assert all(item["record"] for item in document["items"])
    assert records() == []


def test_game_with_given_chance_cannot_be_resumed(capsys: Output) -> None:
    main(["test", "tiny.rules", *FOUND])
    before = Path("tiny.broken.jsonl").read_text(encoding="utf-8")

    assert main(["play", "--resume", "tiny.broken.jsonl"]) == 2
    assert "its chance outcomes were chosen" in capsys.readouterr().err
    assert Path("tiny.broken.jsonl").read_text(encoding="utf-8") == before


# ---------------------------------------------------------------- progress bar


CURSOR_IS_BACK_AND_LINE_EMPTY = "\033[?25h\r\033[1A\033[2K"


class Terminal(io.StringIO):
    """Stream that claims to be a terminal."""

    def isatty(self) -> bool:
        return True


def test_long_work_shows_its_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = Terminal()
    monkeypatch.setattr("sys.stderr", shown)
    monkeypatch.setattr(
        "workbench.presentation.console.progress_bar.PATIENCE_SECONDS", -1.0
    )
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "60")

    assert list(with_progress("abc", 3, "[b]scenarios")) == ["a", "b", "c"]
    assert "3/3 00:00 [b]scenarios" in shown.getvalue()
    assert shown.getvalue().endswith(CURSOR_IS_BACK_AND_LINE_EMPTY)

    assert list(with_progress("abc", 2, is_counted="ac".__contains__)) == [*"abc"]
    assert "2/2" in shown.getvalue()

    main(["test", "tiny.rules", "--games", "2"])
    assert "1/4 --:-- games" in shown.getvalue()


@pytest.mark.parametrize("patience", [-1.0, 60.0])
def test_no_bar_in_a_file_or_for_quick_work(
    patience: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = io.StringIO() if patience < 0 else Terminal()
    monkeypatch.setattr("sys.stderr", shown)
    monkeypatch.setattr(
        "workbench.presentation.console.progress_bar.PATIENCE_SECONDS", patience
    )

    assert list(with_progress("abc", 3)) == ["a", "b", "c"]
    assert shown.getvalue() == ""


def test_bar_is_removed_if_the_work_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = Terminal()
    monkeypatch.setattr("sys.stderr", shown)
    monkeypatch.setattr(
        "workbench.presentation.console.progress_bar.PATIENCE_SECONDS", -1.0
    )
    monkeypatch.setenv("TERM", "xterm")

    def broken() -> Iterator[str]:
        yield "a"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(with_progress(broken(), 2))
    assert shown.getvalue().endswith(CURSOR_IS_BACK_AND_LINE_EMPTY)


# ---------------------------------------------------------------- inherited tests


def test_inherited_scenario_names_its_file(capsys: Output) -> None:
    main(["new", "first", "--from", "first"])
    text = "extends first\nreplace cost hut: 3 reed\n"
    Path("stern.rules").write_text(text, encoding="utf-8")

    assert main(["test", "stern.rules", "--games", "0"]) == 1
    assert "belongs to first.rules, which stern extends;" in capsys.readouterr().out

    Path("lax.rules").write_text(text.replace("extends", "over"), encoding="utf-8")
    main(["test", "lax.rules", "--games", "0"])
    assert "instead of `extends`" not in capsys.readouterr().out


def test_broken_invariant_is_reported_as_a_failing_scenario(capsys: Output) -> None:
    assert main(["test", "tiny.rules", *FOUND, "--json"]) == 1

    book = load("tiny.rules")
    items = json.loads(capsys.readouterr().out)["items"]
    for item in items:
        head = f"rules language 1\nscenarios of {book.name}\n\n"
        (scenario,), _ = parse_scenarios(book, head + item["scenario"], "pasted")
        assert run_scenario(book, scenario).status == "failed"
    assert len(items) == 2


def test_scenario_is_printed_for_pasting(capsys: Output) -> None:
    said = output_of(capsys, "test", "tiny.rules", *FOUND, status=1)
    assert "  as a scenario, which fails until the rules are fixed:\n" in said
    assert " breaks: nobody ever has a pebble" in said


WAITING = """
scenario "somebody has to take a pebble first" with 2 players
  given
    north is to move in catch
  when
    dice show 3
    south does toss(white)
"""


def test_reports_who_has_yet_to_decide(folder: Path, capsys: Output) -> None:
    with (folder / "tiny.rules").open("a", encoding="utf-8") as file:
        file.write(WAITING)

    assert main(["test", "tiny.rules", "-k", "somebody", "--json"]) == 1

    (item,) = json.loads(capsys.readouterr().out)["items"]
    assert item["pending"] == "north must still decide: choose_pebble"
    assert item["message"].splitlines()[0] == (
        "toss(white): north must decide, not south"
    )


def test_the_position_in_which_a_test_fails_is_drawn(
    folder: Path, capsys: Output
) -> None:
    with (folder / "tiny.rules").open("a", encoding="utf-8") as file:
        file.write(WAITING)
    arguments = ["test", "tiny.rules", "--games", "1", "--pictures", "drawn"]

    said = output_of(capsys, *arguments, status=1)
    pictures = sorted(str(path) for path in Path("drawn").iterdir())
    assert len(pictures) == 3
    for path in pictures:
        assert f"  the position: {path}\n" in said
        assert Path(path).read_text(encoding="utf-8").startswith("<svg")
    assert main(arguments) == 1


def test_does_not_overwrite_a_file_that_is_not_a_picture(folder: Path) -> None:
    with (folder / "tiny.rules").open("a", encoding="utf-8") as file:
        file.write(WAITING)
    name = "tiny.somebody-has-to-take-a-pebble-first.svg"
    (folder / name).write_text("mine", encoding="utf-8")

    assert main(["test", "tiny.rules", "-k", "somebody", "--pictures", "."]) == 2

    assert (folder / name).read_text(encoding="utf-8") == "mine"


CHOSEN = """
option stones (1 to 9): 3  "how many"

scenario "the usual number"
  then
    require stones = 3

scenario "a number of its own"
  given
    set stones to 5
  then
    require stones = 5
"""


@pytest.mark.parametrize("command", ["test", "coverage"])
def test_scenarios_have_the_options_of_the_command_line(
    command: str, capsys: Output
) -> None:
    path = Path("tiny.rules")
    path.write_text(path.read_text(encoding="utf-8") + CHOSEN, encoding="utf-8")
    words = [command, "tiny.rules", "--games", "0", "--json"]

    assert main([*words, "--option", "stones=3"]) == 0
    document = json.loads(output_of(capsys, *words, "--option", "stones=4", status=1))
    items = document["items"] if command == "test" else document["failed"]
    assert [x["name"] for x in items if x["status"] == "failed"] == ["the usual number"]


@pytest.mark.parametrize("given", ["stone=3", "stones=10"])
def test_an_option_that_the_rules_lack_is_refused(given: str, capsys: Output) -> None:
    path = Path("tiny.rules")
    path.write_text(path.read_text(encoding="utf-8") + CHOSEN, encoding="utf-8")

    assert main(["test", "tiny.rules", "--games", "0", "--option", given]) == 2

    assert "stone" in capsys.readouterr().err
