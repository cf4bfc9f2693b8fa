"""Each property of every rule file fails for an engine that violates it.

These tests use the real engine with one fault. The fault must be found and shrunk, and
the error must contain the record of the game.
"""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import Any
from unittest import SkipTest

import attrs
import hypothesis
import pytest
from hypothesis import Phase

import workbench
from interpreter import Explanation, Game, IllegalAction, UsageError
from interpreter.core.layout import TURN
from interpreter.game import state_of
from interpreter.play.courses.native import NativeCourse
from rulebook import Rulebook, format_text
from rulebook.model import Bag
from tests.native.compilers import NEEDS_C
from workbench.testing import RuleFileProperties
from workbench.testing.strategies import file_properties
from workbench.testing.strategies.game_properties import check_listed_actions

TESTS = [name for name in dir(RuleFileProperties) if name.startswith("test_")]
FIXED = hypothesis.settings(
    RuleFileProperties.settings, max_examples=12, derandomize=True, database=None
)
QUICK = hypothesis.settings(FIXED, phases=(Phase.explicit, Phase.generate))
"""Disable shrinking, which a single test covers."""

TINY, HEARTS = "tests/support/tiny.rules", "examples/games/hearts.rules"


def held(name: str, test: str, **more: Any) -> None:
    """Run one of the tests for a rule file."""
    said = {"book": workbench.load(name), "events": 20, "settings": QUICK, **more}
    getattr(type("TestFile", (RuleFileProperties,), said)(), test)()


def broken(name: str, test: str) -> AssertionError:
    """Return the message of a failing test."""
    with pytest.raises(AssertionError) as caught:
        held(name, test)
    return caught.value


def record_of(error: BaseException) -> list[str]:
    """Return the lines of the record in an error message."""
    (note,) = [note for note in error.__notes__ if note.startswith("the record")]
    return note.splitlines()[1:]


@pytest.fixture
def wrong(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Return a function that replaces a member of `Game` by a faulty version."""

    def member(name: str, make: Callable[[Any], Any]) -> None:
        right = Game.__dict__[name]
        if isinstance(right, property):
            monkeypatch.setattr(Game, name, property(make(right.fget)))
        else:
            monkeypatch.setattr(Game, name, make(right))

    return member


# ---------------------------------------------------------------- single faults


def test_a_record_without_its_last_event_is_found(wrong: Callable[..., None]) -> None:
    def make(right: Callable[[Game], str]) -> Any:
        def record(game: Game) -> str:
            lines = right(game).splitlines(keepends=True)
            return "".join(lines[:-1] if len(lines) > 3 else lines)

        return record

    wrong("record", make)
    error = broken(TINY, "test_a_record_replays_to_the_same_game")

    assert "replaying the record leads to a different position" in str(error)


def test_a_position_that_forgets_the_turn_is_found(wrong: Callable[..., None]) -> None:
    def make(right: Callable[[Game], dict[str, Any]]) -> Any:
        return lambda game: {**right(game), "turn": min(game.turn, 1)}

    wrong("position", make)
    error = broken(TINY, "test_a_position_read_back_is_the_same_game")

    assert "position" in str(error)
    assert record_of(error)


LEGAL = "test_exactly_the_listed_actions_are_accepted"


def test_finds_an_accepted_action_that_is_not_listed(
    wrong: Callable[..., None],
) -> None:
    def make(right: Callable[..., tuple[Any, ...]]) -> Any:
        return lambda game, seat=None: right(game, seat)[: 1 + game.turn]

    wrong("legal_actions", make)
    error = broken(TINY, LEGAL)

    assert "is not listed but accepted" in str(
        error
    ) or "sum of the probabilities" in str(error)


def test_finds_a_listed_action_that_is_rejected(wrong: Callable[..., None]) -> None:
    def make(right: Callable[..., tuple[Any, ...]]) -> Any:
        def legal(game: Game, seat: str | None = None) -> tuple[Any, ...]:
            listed, every = right(game, seat), state_of(game).plan.actions
            if not listed or game.to_act == "chance":
                return listed
            missing = set(range(every.size)) - set(game.legal_indices())
            place = game.seats.index(game.to_act or "")
            return (*listed, *(every.action(place, n) for n in sorted(missing)[:1]))

        return legal

    game = Game.start(workbench.load(TINY), seed=1)
    wrong("legal_actions", make)  # no game could be drawn with such a list

    with pytest.raises(AssertionError, match="is listed but rejected"):
        check_listed_actions(game, Random(1))


def test_finds_a_rejection_that_changes_the_game(wrong: Callable[..., None]) -> None:
    def make(right: Callable[..., Any]) -> Any:
        def apply(game: Game, action: Any) -> Any:
            try:
                return right(game, action)
            except IllegalAction:
                state_of(game).s[TURN] += 1
                raise

        return apply

    wrong("apply", make)

    assert "is rejected but changes" in str(broken(TINY, LEGAL))


def test_a_view_that_shows_a_hidden_hand_is_found(wrong: Callable[..., None]) -> None:
    def make(right: Callable[..., dict[str, Any]]) -> Any:
        def view(game: Game, seat: str | None) -> dict[str, Any]:
            return {**right(game, seat), "player": game.position["player"]}

        return view

    wrong("view", make)
    error = broken(HEARTS, "test_a_view_is_the_same_whatever_it_hides")

    assert "reveals hidden information: player." in str(error)
    assert "hand" in str(error)


def test_finds_an_explanation_that_reveals_a_hidden_hand(
    wrong: Callable[..., None],
) -> None:
    def make(right: Callable[..., Explanation]) -> Any:
        def why(game: Game, action: Any, seat: str | None = None) -> Explanation:
            told = {name: has["hand"] for name, has in game.position["player"].items()}
            return attrs.evolve(right(game, action, seat), fix=str(told))

        return why

    wrong("why", make)
    error = broken(HEARTS, "test_a_view_is_the_same_whatever_it_hides")

    assert "the explanation of" in str(error)


SAMPLE = "test_a_sample_agrees_and_can_be_played_on"


def test_finds_a_sample_for_the_wrong_seat(
    wrong: Callable[..., None],
) -> None:
    def make(right: Callable[..., Game]) -> Any:
        def sample(game: Game, seat: str, seed: int) -> Game:
            place = game.seats.index(seat) + 1
            return right(game, game.seats[place % game.players], seed)

        return sample

    wrong("sample", make)

    assert "reveals hidden information" in str(broken(HEARTS, SAMPLE))


def test_finds_a_sample_built_from_hidden_information(
    wrong: Callable[..., None],
) -> None:
    def make(right: Callable[..., Game]) -> Any:
        def sample(game: Game, seat: str, seed: int) -> Game:
            return right(game, seat, seed + sum(map(ord, game.key)))

        return sample

    wrong("sample", make)

    assert "a sample of a sample" in str(broken(HEARTS, SAMPLE))


def test_finds_a_sample_with_an_additional_card(wrong: Callable[..., None]) -> None:
    def make(right: Callable[..., Game]) -> Any:
        def sample(game: Game, seat: str, seed: int) -> Game:
            return another_card(right(game, seat, seed), seat)

        return sample

    wrong("sample", make)

    assert "has lost or added cards or pieces" in str(broken(HEARTS, SAMPLE))


def another_card(game: Game, seat: str) -> Game:
    """Return a game in which all cards of the next seat are of the first kind."""
    state = state_of(game)
    (hand,) = (b for key, b in state.plan.layout.fields.items() if key == "player.hand")
    row = hand.row((game.seats.index(seat) + 1) % game.players)
    held = state.s[row : row + hand.size]
    state.s[row : row + hand.size] = [sum(held), *[0] * (hand.size - 1)]
    return game


@pytest.mark.parametrize("change", [1, -1])
def test_finds_a_created_or_lost_card(wrong: Callable[..., None], change: int) -> None:
    """Create or lose a card in the first bag at the fifth event."""

    def make(right: Callable[..., Any]) -> Any:
        def apply(game: Game, action: Any) -> Any:
            events = right(game, action)
            if game.steps == 5:
                state = state_of(game)
                fields = state.plan.layout.fields
                row = next(b for b in fields.values() if isinstance(b.field.type, Bag))
                state.s[row.base] += change
            return events

        return apply

    wrong("apply", make)
    error = broken(TINY, "test_no_card_or_piece_is_lost_or_made")

    assert "after event 5 the number has changed" in str(error)
    assert len(record_of(error)) > 5


BOTH = "test_both_engines_play_the_same_game"


@NEEDS_C
def test_an_engine_in_c_that_lacks_an_action_is_found(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    right = NativeCourse.choices
    monkeypatch.setattr(NativeCourse, "choices", lambda course: right(course)[:2])

    assert "the state of the engines a" in str(broken(TINY, BOTH))


def test_reports_a_missing_compiler(wrong: Callable[..., None]) -> None:
    def make(right: Any) -> Any:
        def replay(cls: type[Game], record: str, book: Rulebook, engine: str) -> Game:
            if engine == "native":
                raise UsageError("there is none", reason="no compiler of C is here")
            game: Game = right.__func__(cls, record, book, engine)
            return game

        return classmethod(replay)

    wrong("replay", make)
    with pytest.raises(
        SkipTest, match=r"NOT TESTED, NO NATIVE ENGINE: no compiler of C"
    ):
        held(TINY, BOTH)


WHY = "test_why_answers_for_every_action"


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"legal": True}, "whether "),
        ({"reason": None}, "is illegal without a reason"),
    ],
)
def test_a_wrong_answer_of_why_is_found(
    wrong: Callable[..., None], changes: Mapping[str, Any], said: str
) -> None:
    def make(right: Callable[..., Explanation]) -> Any:
        def why(game: Game, action: Any, seat: str | None = None) -> Explanation:
            return attrs.evolve(right(game, action, seat), **changes)

        return why

    wrong("why", make)

    error = broken(TINY, WHY)

    assert said in str(error)
    pasted = "the last step as a scenario; add what you expect:\nscenario "
    (note,) = (note for note in error.__notes__ if note.startswith(pasted))
    assert "  then" not in note


FORMATTED = "test_the_formatted_files_mean_the_same"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda text: text + "# more\n", "is not in canonical format"),
        (lambda text: text.replace("(1 to 9): 3", "(1 to 9): 4"), "the digest of"),
        (
            lambda text: text.replace(">= goal", ">= gaol"),
            "a formatted file has errors",
        ),
    ],
)
def test_finds_a_formatter_that_changes_the_meaning(
    monkeypatch: pytest.MonkeyPatch, change: Callable[[str], str], said: str
) -> None:
    def formatted(text: str, file: str) -> str:
        return change(format_text(text, file))

    monkeypatch.setattr(file_properties, "format_text", formatted)

    assert said in str(broken(TINY, FORMATTED))


# ---------------------------------------------------------------- everything together


def test_every_property_has_a_fault_here() -> None:
    text = Path(__file__).read_text(encoding="utf-8")

    assert [name for name in TESTS if f'"{name}"' not in text] == []


@pytest.mark.parametrize("test", TESTS)
def test_all_properties_are_true_of_a_small_file(test: str) -> None:
    if test == BOTH:
        pytest.skip("in tests/acceptance/test_every_file.py, of every file")
    held(TINY, test)


def test_failure_is_shrunk_to_the_shortest_game_and_simplest_settings(
    wrong: Callable[..., None],
) -> None:
    def make(right: Callable[[Game], dict[str, Any]]) -> Any:
        def position(game: Game) -> dict[str, Any]:
            if game.steps >= 4:
                raise RuntimeError("this engine gives up")
            return right(game)

        return position

    wrong("position", make)
    with pytest.raises(RuntimeError, match="gives up") as caught:
        held(TINY, "test_a_position_read_back_is_the_same_game", settings=FIXED)
    header, *events = map(json.loads, record_of(caught.value))

    assert len(events) == 4
    assert header["players"] == 2
    assert header["options"] == Game.start(workbench.load(TINY)).options
