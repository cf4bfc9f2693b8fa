"""The place of a face-down card is public, but the card itself is hidden (ADR 81)."""

from pathlib import Path

import pytest

import rulebook
from interpreter import HIDDEN, Game
from rulebook import Rulebook, RulesError
from tests.support.knowing import screen
from workbench.presentation.picture import scene_of

TEXT = (Path(__file__).parent / "posts.rules").read_text("utf-8")
ENGINES = ("reference", "native")
POSTS = tuple(f"red_post_{column}_1" for column in (1, 2, 3))


@pytest.fixture(scope="module")
def book() -> Rulebook:
    return rulebook.loads(TEXT, "posts.rules")


def deployed(book: Rulebook, engine: str, card: str, column: int) -> Game:
    """Return a game in which red has placed a card face down."""
    game = Game.start(book, seed=1, engine=engine)
    game.apply(f"deploy({card}, {column})")
    return game


def reading(game: Game, seat: str) -> dict[str, int]:
    return dict(zip(game.observed(), game.observation(seat), strict=True))


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("column", [1, 2, 3])
def test_view_and_observation_show_where_a_card_is(
    book: Rulebook, engine: str, column: int
) -> None:
    game = deployed(book, engine, "scout", column)
    numbers = reading(game, "blue")

    for place, post in enumerate(POSTS, 1):
        count = int(place == column)
        assert game.view("blue")["post"][post] == {"hidden": {"count": count}}
        assert game.view(None)["post"][post] == {"hidden": {"count": count}}
        assert numbers[f"{post}.hidden.count"] == count
        assert numbers[f"{post}.hidden"] == HIDDEN
    assert game.view("red")["post"][POSTS[column - 1]] == {"hidden": "scout"}
    assert game.log("blue") == [{"seat": "red", "action": None}]


@pytest.mark.parametrize("engine", ENGINES)
def test_samples_keep_the_place_and_redraw_the_card(
    book: Rulebook, engine: str
) -> None:
    for column, post in enumerate(POSTS, 1):
        scout, guard = (
            deployed(book, engine, card, column) for card in ("scout", "guard")
        )
        assert scout.view("blue") == guard.view("blue")
        cards = set()
        for seed in range(20):
            world = scout.sample("blue", seed)
            assert world.position == guard.sample("blue", seed).position
            assert world.view("blue") == scout.view("blue")
            cards.add(world.position["post"][post]["hidden"])

        assert cards == {"scout", "guard"}


@pytest.mark.parametrize("engine", ENGINES)
def test_a_requirement_may_test_whether_a_slot_has_a_card(
    book: Rulebook, engine: str
) -> None:
    game = deployed(book, engine, "scout", 2)

    legal = [action.text for action in game.legal_actions() if action.name == "strike"]

    assert legal == ["strike(red, 2)"]
    assert game.why("strike(red, 1)", "blue").sentence.endswith("nobody is here")


@pytest.mark.parametrize(
    ("old", "new", "note"),
    [
        (
            "other's post(column, 1)'s hidden is not none",
            "other's post(column, 1)'s hidden is scout",
            "only whether a card is there (`is none`) is known to all",
        ),
        (
            "needs other: other is not you ",
            "needs other: other's friends is empty ",
            "nothing about it is known to all",
        ),
    ],
)
def test_a_requirement_may_not_read_the_card(old: str, new: str, note: str) -> None:
    more = "  friends: set of player, seen by owner\n"
    text = TEXT.replace("  fallen:", f"{more}  fallen:")
    rulebook.loads(text)
    assert old in text

    with pytest.raises(RulesError) as caught:
        rulebook.loads(text.replace(old, new))

    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "RB150"
    assert note in str(diagnostic.help)


def test_screens_show_a_face_down_card(book: Rulebook) -> None:
    game = deployed(book, "reference", "scout", 2)

    assert screen(game, "blue") == screen(deployed(book, "native", "guard", 2), "blue")
    spaces = scene_of(game, "blue").spaces
    shown = {trait.is_face_down for space in {*spaces} for trait in space.traits}
    assert shown == {True}
