"""Exercises: questions from scenarios, answered by the engine."""

import re

import pytest

from rulebook import loads
from tests.web.visiting import Server, with_server
from workbench import load
from workbench.web.exercises.exercises import ExerciseView, exercises_of, question_of

SHOP = """rules language 1
rulebook shop "Shop"
  players 2
  seats red, blue
kind ware (wares): silk, salt
each player has
  coins: 0 to 9, seen by all
  secret: bag of ware, seen by owner
action buy
  needs rich: your coins >= 3  "this costs three coins"
  decrease your coins by 3
turn
  phase trade
    you may, until stop:
      buy
scenario "three coins are enough"
  given
    red is to move in trade
    set red's coins to 3
  then
    red may still buy
scenario "two are not"
  given
    red is to move in trade
    set red's coins to 2
  then
    blue may not buy
    red may not buy because rich
    red may still stop
scenario "this one fails"
  given
    red is to move in trade
    set red's coins to 0
  then
    red may still buy
"""


def test_each_scenario_gives_a_legal_and_an_illegal_action() -> None:
    book = loads(SHOP, "shop.rules")
    assert [
        (each.scenario.title, each.expected.action, each.expected.because)
        for each in exercises_of(book)
    ] == [
        ("three coins are enough", "buy", None),
        ("two are not", "buy", "rich"),
        ("two are not", "stop", None),
        ("this one fails", "buy", None),
    ]


def test_the_engine_gives_the_answer_and_the_reason() -> None:
    book = loads(SHOP, "shop.rules")
    asked = ExerciseView(book, 1, "en").content(answered=False)
    answered = ExerciseView(book, 1, "en").content(answered=True)

    assert asked is not None
    assert answered is not None
    assert asked["action"] == "buy"
    assert "legal" not in asked
    assert "why" not in asked
    assert not answered["legal"]
    assert answered["why"]["reason"] == "this costs three coins"
    assert ExerciseView(book, 3, "en").content(answered=True) is None


def test_the_place_is_marked_and_the_passage_is_in_the_language_of_the_reader() -> None:
    book = load("germany")
    number = next(
        at
        for at, each in enumerate(exercises_of(book))
        if each.expected.action == "build_road" and len(each.scenario.cites) > 1
    )
    for language, start in (("en", "Catan"), ("de", "Die Siedler")):
        content = ExerciseView(book, number, language).content(answered=True)
        assert content is not None
        assert len(content["places"]) == 1
        assert "line" in content["places"][0]
        assert content["passage"][1].startswith(start)


@pytest.mark.parametrize("name", ["germany", "base", "classic", "cardgame"])
def test_the_answers_of_the_shipped_games_are_right(name: str, deep: bool) -> None:
    book = load(name)
    exercises = exercises_of(book)
    for number in range(0, len(exercises), 1 if deep else 9):
        question = question_of(book, number)
        assert question is not None
        explanation = question.game.why(question.action, question.seat)
        assert explanation.legal == exercises[number].expected.legal
        assert explanation.legal or explanation.reason


@with_server()
async def test_pages_lead_through_all_exercises(server: Server) -> None:
    browser = server.browser()
    lobby = await browser.get("/?game=classic")
    assert 'href="/learn/classic"' in lobby.text
    first = await browser.get("/learn/classic")
    assert "Exercise 1 of " in first.text
    assert "Right." not in first.text
    assert "Wrong." not in first.text
    yes, no = [
        await browser.get(f"/learn/classic/1?answer={word}") for word in ("yes", "no")
    ]
    assert {
        match[0]
        for page in (yes, no)
        if (match := re.search("Right|Wrong", page.text)) is not None
    } == {"Right", "Wrong"}
    assert 'href="/learn/classic/2"' in first.text
    german = await browser.get("/learn/classic", headers={"accept-language": "de"})
    assert "Übung 1 von " in german.text


@with_server()
async def test_the_page_of_a_table_leads_to_exercises(server: Server) -> None:
    for variant, there in (("base", True), ("base+fifteen_points", False)):
        made = await server.table(variant)
        browser = await made.sat(made.due)
        page = await browser.get(made.home)
        assert ('href="/learn/' in page.text) == there


@with_server()
async def test_unknown_exercises_are_refused(server: Server) -> None:
    browser = server.browser()
    for address in ("/learn/classic/0", "/learn/classic/9999", "/learn/nothing"):
        assert (await browser.get(address)).status_code in {400, 404}, address
