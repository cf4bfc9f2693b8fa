"""A game at the terminal: typed input and shown output."""

import io
import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from interpreter import Game
from rulebook import Rulebook
from workbench.cli import main
from workbench.cli.play.play import players_by_seat
from workbench.errors import RequestError
from workbench.files.records.recorder import Recorder
from workbench.terminal.terminal_game import TerminalGame

SEATS = ("north", "south", "east")


def typed(
    book: Rulebook,
    lines: str,
    players: Mapping[str, str] | None = None,
    seed: int = 1,
    record: Path | None = None,
) -> tuple[Game, str]:
    """Return the game, and everything shown after these lines are typed."""
    game = Game.start(book, players=3, seed=seed)
    seats = players_by_seat((), game.seats) if players is None else players
    out = io.StringIO()
    recorder = Recorder(None if record is None else str(record))
    table = TerminalGame(game, seats, seed, io.StringIO(lines), out, recorder)
    return table.play(), out.getvalue()


def test_first_seat_is_a_person_by_default() -> None:
    assert players_by_seat((), SEATS) == {
        "north": "human",
        "south": "greedy",
        "east": "greedy",
    }


def test_later_seat_arguments_take_precedence() -> None:
    players = players_by_seat(["all=random", "south=human"], SEATS)

    assert players == {"north": "random", "south": "human", "east": "random"}


@pytest.mark.parametrize("wish", ["north", "west=random", "north=clever", "="])
def test_rejects_invalid_seat_arguments(wish: str) -> None:
    with pytest.raises(RequestError):
        players_by_seat([wish], SEATS)


def test_end_of_input_saves_and_ends(tiny: Rulebook, tmp_path: Path) -> None:
    record = tmp_path / "game.jsonl"

    game, shown = typed(tiny, "1\n", record=record)

    assert game.outcome is None
    assert record.read_text() == game.record
    assert "nothing is lost" in shown


def test_the_record_is_written_after_every_line(tiny: Rulebook, tmp_path: Path) -> None:
    record = tmp_path / "game.jsonl"
    lengths = []

    class Watched(io.StringIO):
        def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
            lengths.append(len(record.read_text().splitlines()))
            return super().readline(-1 if size is None else size)

    game = Game.start(tiny, players=2, seed=3)
    TerminalGame(
        game,
        {"north": "human", "south": "random"},
        3,
        Watched("1\n" * 6),
        io.StringIO(),
        Recorder(str(record)),
    ).play()

    assert len(set(lengths)) == len(lengths) >= 2


def test_question_mark_lists_and_why_explains(tiny: Rulebook) -> None:
    _, shown = typed(tiny, "?\nwhy cash_in(white)\nwhy nonsense(\nnonsense\n")

    assert "“cash in: white” is not legal" in shown
    assert "undo" in shown
    assert "Traceback" not in shown


def test_a_whole_selection_on_one_line(tiny: Rulebook) -> None:
    for seed in range(1, 100):
        game, _ = typed(tiny, "1\n", seed=seed)
        pouch = game.view("north")["player"]["north"]["pouch"]
        if game.to_act == "north" and pouch == {"white": 1, "black": 1}:
            game, _ = typed(tiny, "1\ntoss white, 1 black\n", seed=seed)
            done = [event["action"] for event in game.events if "seat" in event]
            assert done[-2:] == ["toss(white)", "toss(black)"]
            return
    pytest.fail("no game gave one of each")


def test_selection_is_applied_completely_or_not_at_all(tiny: Rulebook) -> None:
    game, shown = typed(
        tiny, "1\ntoss 3 white, 3 black\n", dict.fromkeys(SEATS, "human")
    )

    assert "not legal" in shown
    assert not any(
        "toss" in str(json.loads(line).get("action"))
        for line in game.record.splitlines()[1:]
    )


def test_undo_works_if_nothing_was_revealed(tiny: Rulebook) -> None:
    for seed in range(1, 40):
        lines = "1\n" if seed % 2 else ""
        game, _ = typed(tiny, lines, seed=seed)
        tossable = [a for a in game.legal_actions() if a.name == "toss"]
        if game.to_act == "north" and tossable:
            text = tossable[0].text
            once, _ = typed(tiny, f"{lines}{text}\n", seed=seed)
            undone, shown = typed(tiny, f"{lines}{text}\nundo\n", seed=seed)
            assert "undone" in shown
            assert undone == game
            assert once != game
            return
    pytest.fail("no game had a toss")


def test_undo_is_rejected_after_a_reveal(tiny: Rulebook) -> None:
    _, shown = typed(tiny, "undo\n")

    assert "nothing to undo" in shown


def test_hand_over_screen_is_shown_to_several_people(tiny: Rulebook) -> None:
    players = dict.fromkeys(SEATS, "human")

    _, shown = typed(tiny, "\n1\n1\n\n1\n1\n\n", players)

    assert "Hand over to" in shown


def test_only_what_the_reader_may_know_is_shown(tiny: Rulebook) -> None:
    for seed in range(1, 100):
        game, shown = typed(tiny, "1\ndone\n", seed=seed)
        if game.to_act == "north" and game.steps > 6:
            held = [line for line in shown.splitlines() if "pouch" in line]
            others = [line for line in held if not line.startswith("  north")]
            if others:
                assert all("white" not in line for line in others)
                assert all("pouch (" in line for line in others)
                return
    pytest.fail("no other seat ever held anything")


def test_resume_continues_the_same_game(
    tiny_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tiny, whole, part = str(tiny_path), tmp_path / "whole", tmp_path / "part"
    bots = ["--seat", "all=greedy"]
    assert main(["play", tiny, *bots, "--record", str(whole)]) == 0
    lines = whole.read_text().splitlines(keepends=True)
    part.write_text("".join(lines[: len(lines) // 2]))
    monkeypatch.setattr("sys.stdin", io.StringIO(""))

    assert main(["play", "--resume", str(part), *bots]) == 0

    resumed = part.read_text().splitlines(keepends=True)
    assert resumed[: len(lines) // 2] == lines[: len(lines) // 2]
    assert '"end"' in resumed[-1]
