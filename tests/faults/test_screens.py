"""Faults that users found in the terminal: repeated, wrong or missing messages."""

import io
from copy import deepcopy
from pathlib import Path

import pytest

from interpreter import Game
from tests.support.commands import Output, output_of
from tests.support.games import cards, germany, localizer
from workbench import load
from workbench.errors import RequestError
from workbench.files.records.recorder import Recorder
from workbench.presentation.localization.localizer import Localizer
from workbench.presentation.narration.changes import Change
from workbench.presentation.narration.event_log import EventLog, entry_lines
from workbench.presentation.narration.momentary_fields import (
    name_only_bags,
    relevant_view,
)
from workbench.presentation.narration.view_changes import view_changes
from workbench.presentation.picture import scene_of, svg
from workbench.terminal.screen import Screen
from workbench.terminal.terminal_game import TerminalGame

HERE = Path(__file__).parent / "screens"
NEW = "`rulebook new hex --from hex`"


# ---------------------------------------------------------------- what is told


def test_the_first_roll_is_narrated_once_with_its_income() -> None:
    game = Game.start(germany(), players=3, seed=3)
    log = EventLog(localizer("en"), "red")
    log.update(game)

    lines = list(entry_lines(log.entries, localizer("en")))

    begins, *rolled = lines
    assert begins.endswith(" begins.")
    assert rolled == [
        f"{begins.removesuffix(' begins.')} rolled 3 + 3 = 6.",
        "    Blue got 1 resource · White got 1 resource",
    ]
    assert log.since(game.steps) == []


def test_cards_from_set_up_are_not_narrated() -> None:
    game = Game.start(cards(), seed=3)
    log = EventLog(Localizer.for_book(cards()), "white")
    log.update(game)

    assert not [entry for entry in log.entries if entry.effects]


@pytest.mark.parametrize("name", ["gives", "asks"])
def test_a_cleared_offer_is_not_narrated_as_a_loss(name: str) -> None:
    view = Game.start(germany(), players=3, seed=3).view("red")
    before = deepcopy(view)
    before["player"]["white"][name]["ore"] = 2

    assert list(view_changes(before, view, localizer("en"))) == []


@pytest.mark.parametrize("variant", ["base", "classic", "cardgame", "germany"])
def test_hands_are_not_shown_as_notes(variant: str) -> None:
    told = name_only_bags(load(variant))

    assert {"offered", "wanted"} <= told
    assert not told & {"hand", "supply", "deck", "used"}


def test_cards_taken_by_an_event_are_narrated() -> None:
    after = Game.start(cards(), seed=3).view("white")
    before = deepcopy(after)
    before["spot"]["white_spot_5_above"]["land"] = "white_fields"
    after["spot"]["white_spot_5_above"]["land"] = "white_fields"
    before["region"]["white_fields"]["stored"] = 3
    before["site"]["black_site_6_above_inner"]["card"] = "church"
    before["pieces"]["road"]["black_track_6"] = True
    words = Localizer.for_book(cards(), "en")
    fields = Change("white", "White's fields: stored 3 → 1")
    road = Change("black", "Black has 1 road fewer on the board")
    church = Change("black", "Black lost 1 Church")

    assert list(view_changes(before, after, words)) == [fields, road, church]
    assert list(view_changes(before, after, words, "black")) == [fields]
    assert list(view_changes(before, after, words, "white")) == [road, church]


def test_cards_with_equal_titles_are_counted_together() -> None:
    words = Localizer.for_book(cards(), "en")

    told = words.holding_text({"white_fields": 1, "white_hills": 1, "black_fields": 1})

    assert told == "2 fields, 1 hills"


# ---------------------------------------------------------------- dice


def test_only_dice_of_the_current_turn_are_shown() -> None:
    game = Game.start(load(str(HERE / "three_dice.rules")), seed=1, chance="given")

    assert relevant_view(game, None)["game"].keys() == {"first", "both"}
    game.apply({"chance": "start", "outcome": [3, 4]})
    assert relevant_view(game, None)["game"].keys() == {"both", "later"}
    game.apply("wait")
    game.apply({"chance": "play", "outcome": [5, 6]})
    assert relevant_view(game, None)["game"] == {"both": 5, "later": 6}
    assert relevant_view(game.sample("p1", 3), None) == relevant_view(game, None)
    assert [name for name, _ in scene_of(game).common] == ["both", "later"]


def test_the_other_players_die_is_not_shown() -> None:
    game = Game.start(cards(), seed=3)
    while not game.turn:
        game.apply(game.legal_actions()[0])

    assert "rival_die" not in relevant_view(game, None)["game"]
    assert not [title for title, _ in scene_of(game).common if "die" in title]


# ---------------------------------------------------------------- the window


def test_the_window_width_is_read_each_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    out = Terminal()
    screen = Screen.for_stream(out)
    for columns in (30, 60):
        monkeypatch.setenv("COLUMNS", str(columns))
        screen.write_wrapped(["word " * 20])

        assert screen.width == columns
        lines = out.getvalue().splitlines()
        assert columns - 5 <= max(map(len, lines)) <= columns


# ---------------------------------------------------------------- the limit of turns


def test_a_game_at_its_limit_of_turns_is_unfinished_everywhere(capsys: Output) -> None:
    path = str(HERE / "limit.rules")
    game, out = Game.start(load(path), seed=1), io.StringIO()
    players = dict.fromkeys(game.seats, "random")
    words = Localizer.for_book(game.book, "en")
    TerminalGame(
        game, players, 1, io.StringIO(), out, Recorder(None), localizer=words
    ).play()

    assert game.over and game.outcome is None
    assert "The game is unfinished: it reached its limit of 3 turns." in (
        out.getvalue()
    )
    assert "<desc>unfinished: the limit of turns was reached</desc>" in svg(
        scene_of(game)
    )
    told = output_of(capsys, "simulate", path, "--games", "2")
    assert "finished    0, unfinished 2" in told and "draws       0" in told


# ---------------------------------------------------------------- names of examples


@pytest.mark.parametrize("name", ["hex", "dare", "first", "connect_four"])
def test_naming_an_example_explains_how_to_get_it(
    name: str, working_folder: Path
) -> None:
    with pytest.raises(RequestError) as refused:
        load(name)

    assert NEW.replace("hex", name) in (refused.value.help or "")


def test_an_existing_example_file_is_used() -> None:
    with pytest.raises(RequestError) as refused:
        load("hexx")

    assert "did you mean `hex`?" in (refused.value.help or "")
