"""A click can choose only legal actions; illegal ones have an explanation."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from interpreter import Game
from rulebook import loads
from rulebook.model import Gather
from rulebook.tooling import find
from tests.web.support import new_table, url_in
from workbench.files.library.loading import load
from workbench.presentation.cards.costs import fixed_price
from workbench.presentation.localization.localizer import Localizer
from workbench.web.store import Store
from workbench.web.views import choices as module
from workbench.web.views.choices import choices, explain_illegal
from workbench.web.views.gather_forms import complete_actions
from workbench.web.views.snapshot import snapshot

TINY = Path(__file__).parents[2] / "examples" / "tiny"
FILES = ("germany", "base", "cardgame", str(TINY / "dare.rules"))
STEPS = 120


def played(variant: str, seed: int, steps: int = STEPS) -> Iterator[Game]:
    """Return the game before each of its random decisions."""
    game, chance = Game.start(load(variant), seed=seed), random.Random(seed)
    for _ in range(steps):
        if game.to_act is None:
            return
        yield game
        game.apply(chance.choice(game.legal_actions()))


@pytest.mark.parametrize("variant", FILES, ids=lambda name: Path(name).stem)
def test_clickable_actions_are_exactly_the_legal_ones(variant: str) -> None:
    """Compare actions with their arguments, and the picks of the current row."""
    words = Localizer.for_book(load(variant), "en")
    gathered = 0
    for game in played(variant, 7):
        chosen = choices(game, game.to_act, words)
        legal = {action.text for action in game.legal_actions()}
        if game.gathering is not None and not game.gathering.made:
            legal |= {pick.text for pick, _ in game.gathering.left}
        offered = {
            f"{entry['name']}({', '.join(option)})" if option else entry["name"]
            for entry in chosen["actions"]
            for option in entry["options"]
        }
        for form in chosen["forms"]:
            if form["lead"] is None:
                row = form["rows"][0]
                picks = (pick["card"] for pick in row["picks"] if pick["most"])
                offered |= {f"{row['name']}({card})" for card in picks}
                gathered += 1
            else:
                assert form["lead"] in offered
        assert offered == legal
        named = {
            arg for entry in chosen["actions"] for o in entry["options"] for arg in o
        }
        assert named <= chosen["names"].keys()
    model = load(variant).model
    places = [*model.procedures.values(), *model.actions.values()]
    assert bool(gathered) == any(True for place in places for _ in find(place, Gather))


def test_others_have_no_choices() -> None:
    """Spectators have no choices either."""
    game = Game.start(load("germany"), seed=3)
    words = Localizer.for_book(game.book, "en")
    other = next(seat for seat in game.seats if seat != game.to_act)
    for seat in (other, None):
        chosen = choices(game, seat, words)
        assert not chosen["decides"]
        assert not chosen["actions"] + chosen["cannot"] + chosen["forms"]


def test_illegal_offers_are_listed_with_their_requirement() -> None:
    """The list contains neither legal actions nor those offered elsewhere."""
    game = Game.start(load("germany"), seed=3)
    seat = str(game.to_act)
    words = Localizer.for_book(game.book, "en")
    chosen = choices(game, seat, words)
    names = {entry["name"] for entry in chosen["cannot"]}
    assert "build_road" in names
    assert not names & {entry["name"] for entry in chosen["actions"]}
    assert "move_robber" not in names
    told = explain_illegal(game, seat, words, "build_road")
    assert told["clause"] == "build_road.pays"
    assert told["reason"].startswith("It costs 1 lumber and 1 brick; you have ")
    assert told["help"]
    assert told["section"] == "Building roads"


def test_remedies_do_not_quote_the_rules() -> None:
    """`1 more: number of mercenary in your developments` is for authors."""
    game = Game.start(load("germany"), seed=3)
    told = explain_illegal(
        game, str(game.to_act), Localizer("de", game.book), "play_mercenary"
    )

    assert told["reason"]
    assert told["help"] == ""


def test_explanation_for_a_thing_covers_the_closest_action() -> None:
    """With enough cards, the missing road is the reason, not the price."""
    book = load("germany")
    words = Localizer.for_book(book, "de")
    for game in played("germany", 11, 2_000):
        seat = str(game.to_act)
        names = {action.name for action in game.legal_actions()}
        if "build_road" in names:
            texts = {action.text for action in game.legal_actions()}
            far = next(
                name
                for name in book.model.domains["path"].members
                if f"build_road({name})" not in texts
            )
            told = explain_illegal(game, seat, words, None, far)
            assert told["clause"] in {"build_road.reached", "build_road.vacant"}
            assert words.title(far) in told["title"]
            return
    raise AssertionError("no road could be built")


def test_explanation_for_an_action_covers_the_closest_arguments() -> None:
    """A seat that can pay but cannot build hears about a vacant city."""
    words = Localizer.for_book(load("germany"), "en")
    dear = dict(fixed_price(load("germany"), "build_town_hall"))
    for game in (game for seed in range(6) for game in played("germany", seed, 400)):
        hand = game.view(game.to_act)["player"][game.to_act]["hand"]
        texts = [action.name for action in game.legal_actions()]
        can_pay = all(hand[card] >= count for card, count in dear.items())
        if can_pay and "end_turn" in texts and "build_town_hall" not in texts:
            told = explain_illegal(game, game.to_act, words, "build_town_hall")
            assert told["clause"] == "build_town_hall.road"
            return
    raise AssertionError("nobody was rich without a place to build")


STOPPED = {"en": "Only the first 7 of 40000 c", "de": "Nur die ersten 7 von 40000 "}


@pytest.mark.parametrize("language", STOPPED)
def test_search_for_an_explanation_is_limited(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (Path(__file__).parent / "slow.rules").read_text(encoding="utf-8")
    small = text.replace("x 1 to 60, y 1 to 60", "x 1 to 2, y 1 to 2")
    game, clock = Game.start(loads(small), seed=1), iter(range(100))
    monkeypatch.setattr(module, "thread_time", lambda: next(clock) / 7)
    told = explain_illegal(game, game.to_act, Localizer(language, game.book), "go")
    assert told["stopped"].startswith(STOPPED[language])
    assert told["clause"] == "go.f"


def test_a_form_has_the_limits_of_both_its_rows() -> None:
    """Given cards cannot be wanted, and only held cards can be given."""
    game = Game.start(load("germany"), seed=3)
    seat = str(game.to_act)
    form = choices(game, seat, Localizer.for_book(game.book, "en"))["forms"][0]
    give, want = form["rows"]
    hand = game.view(seat)["player"][seat]["hand"]
    assert form["lead"] == "offer_trade"
    assert {p["card"]: p["most"] for p in give["picks"]} == hand
    assert (give["fewest"], give["most"]) == (1, sum(hand.values()))
    assert want["fewest"] == 1
    assert {p["card"] for p in want["picks"] if p["most"]} == set(hand)
    held = [card for card, count in hand.items() if count]
    assert form["excludes"] == {card: [card] for card in held}


def test_submitted_form_is_applied_as_a_whole() -> None:
    """The ends of gathers are inserted; an impossible sequence stays unchanged."""
    game = Game.start(load("germany"), seed=3)
    hand = game.view(game.to_act)["player"][game.to_act]["hand"]
    given, wanted = (
        next(card for card, count in hand.items() if bool(count) is there)
        for there in (True, False)
    )
    texts = complete_actions(
        game, ["offer_trade", f"give(1 {given})", f"want(2 {wanted})"]
    )
    assert texts == [
        "offer_trade",
        f"give(1 {given})",
        "pass",
        f"want(2 {wanted})",
        "pass",
    ]
    for text in texts:
        game.apply(text)
    assert game.view(None)["game"]["wanted"][wanted] == 2
    again = Game.start(load("germany"), seed=3)
    assert complete_actions(again, ["give(1 ore)"]) == ["give(1 ore)"]
    assert complete_actions(again, ["end_turn"]) == ["end_turn"]


def test_an_action_that_is_offered_free_has_no_price() -> None:
    """A road placed by a card costs nothing, although roads have a price."""
    book = load("germany")
    words = Localizer.for_book(book, "en")
    assert dict(fixed_price(book, "build_road")) == {"lumber": 1, "brick": 1}
    costs = set()
    for seed in range(4):
        for game in played("germany", seed, 1_500):
            pending = game.view(game.to_act)["pending"]
            if pending[-1]["clause"] == "play_road_building":
                for entry in choices(game, game.to_act, words)["actions"]:
                    costs.add((entry["name"], entry.get("cost")))
        if costs:
            break
    assert ("build_road", None) in costs


GIFTS = """rules language 1
rulebook gifts "Gifts"
  players 2
  seats left, right
  turns 9

kind good (goods): wool, oak, tin

game has
  heap: bag of good, seen by all
each player has
  hand: bag of good, seen by owner, starts with 2 of each

turn
  phase play
    you gather LOW to 4 good in your hand as gift
    move gift from your hand to heap

points of player
  none: 0

words en
  gift = "give {good}"

words de
  gift = "spenden"
"""


def gifts(low: int, *actions: str) -> Game:
    game = Game.start(loads(GIFTS.replace("LOW", str(low))), seed=1)
    for action in actions:
        game.apply(action)
    return game


@pytest.mark.parametrize(
    ("low", "actions", "english", "german"),
    [
        (0, (), ["give nothing"], ["spenden: nichts"]),
        (0, ("gift(wool)",), ["nothing more"], ["nichts weiter"]),
        (2, (), [], []),
        (2, ("gift(wool)",), [], []),
        (2, ("gift(wool)", "gift(oak)"), ["nothing more"], ["nichts weiter"]),
    ],
)
def test_choosing_nothing_says_what_it_means(
    low: int, actions: tuple[str, ...], english: list[str], german: list[str]
) -> None:
    game = gifts(low, *actions)
    for language, titles in (("en", english), ("de", german)):
        words = Localizer.for_book(game.book, language)
        entries = choices(game, game.to_act, words)["actions"]
        assert [entry["title"] for entry in entries] == titles
        assert [entry["say"] for entry in entries] == titles


def test_a_question_says_what_was_chosen_so_far(tmp_path: Path) -> None:
    text = GIFTS.replace("LOW", "2")
    table = new_table(Store.open(url_in(tmp_path)), {"gifts": text})

    def title(language: str) -> str:
        return str(snapshot(table, "left", language)["turn"]["title"])

    assert title("en") == "give: choose 2–4 goods"
    table.decide("left", "gift(wool)", table.version)
    assert title("en") == "give: choose 1–3 goods · so far 1 wool"
    assert title("de") == "spenden – wähle: 1–3 goods · bisher: 1 wool"


def test_only_the_present_choice_of_several_is_so_far(tmp_path: Path) -> None:
    """Cards of an earlier choice are not listed, and the form has the chosen ones."""
    first = "    you gather 2 to 4 good in your hand as gift\n"
    assert first in GIFTS.replace("LOW", "2")
    before = "    you gather 1 to 4 good in your hand as toll\n"
    text = GIFTS.replace("LOW", "2").replace(first, before + first)
    table = new_table(Store.open(url_in(tmp_path)), {"gifts": text})

    def page() -> dict[str, Any]:
        return snapshot(table, "left", "en")

    table.decide("left", ["toll(oak)", "pass"], table.version)
    (form,) = page()["choices"]["forms"]
    assert form["chosen"] == ""
    table.decide("left", "gift(wool)", table.version)
    assert str(page()["turn"]["title"]).endswith(" goods · so far 1 wool")
    (form,) = page()["choices"]["forms"]
    assert form["chosen"] == "1 wool"
