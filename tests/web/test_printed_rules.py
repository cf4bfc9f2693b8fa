"""Printed rules at a table: ids, languages, safety, and the clauses decided now."""

import re

import pytest

import workbench
from interpreter import Game
from rulebook import loads
from tests.web.visiting import SCRIPT, Server, with_server
from workbench.presentation.localization.localizer import Localizer
from workbench.presentation.printing.rules import rules_page
from workbench.presentation.printing.sentences.text_runs import unstyled
from workbench.web.views import printed_rules as module
from workbench.web.views.choices import refusal_data
from workbench.web.views.printed_rules import pending_clauses, printed_rules
from workbench.web.views.rendering import render_part

RULES = """rules language 1
rulebook shop "Shop <b>"
  players 2
  seats red, blue
each player has
  coins: 0 to 9, seen by all
action buy
  needs rich: your coins >= 3  "costs <script>"
  ask
action look
  set your coins to 1
to ask
  you do look
turn
  phase trade
    you may, until stop:
      buy
"""


def test_ids_are_those_of_no_other_element_and_all_links_lead_somewhere() -> None:
    html = render_part("rules", printed_rules(workbench.load("germany"), "en"), "en")
    ids, links = (
        re.findall(r' id="([^"]*)"', html),
        re.findall(r'href="#([^"]*)"', html),
    )
    assert len(ids) == len(set(ids)) > 100
    assert all(each.startswith("rules-") for each in ids)
    assert set(links) <= set(ids)
    assert {"rules-action.build_road", "rules-phase.trade_and_build"} <= set(ids)


@pytest.mark.parametrize("language", ["en", "de"])
def test_chapters_are_those_of_the_printed_rulebook(language: str) -> None:
    book = workbench.load("germany")
    page = rules_page(book, Localizer.for_book(book, language))
    chapters = printed_rules(book, language)["chapters"]
    assert [title for _, _, title in chapters] == [
        unstyled(x.title) for x in page.parts
    ]


def test_rules_are_printed_once_for_each_language(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    book, printed = loads(RULES, "shop.rules"), list[str]()

    def printing(book: object, words: Localizer) -> object:
        printed.append(words.language)
        return rules_page(book, words)  # type: ignore[arg-type]

    monkeypatch.setattr(module, "rules_page", printing)
    for language in ("en", "de", "en", "de"):
        printed_rules(book, language)
    assert printed == ["en", "de"]


def test_texts_of_the_rules_are_escaped() -> None:
    html = render_part("rules", printed_rules(loads(RULES, "shop.rules"), "en"), "en")
    assert "costs &lt;script&gt;" in html and "<script" not in html
    assert "Shop &lt;b&gt;" in html


def test_pending_clauses_begin_with_the_innermost() -> None:
    book = loads(RULES, "shop.rules")
    game = Game.start(book, seed=1)
    seat = game.to_act or ""
    assert pending_clauses(book, game.view(seat))[0] == "phase.trade"
    refused = refusal_data(game.why("buy", seat), Localizer("en", book))
    assert refused["rule"] == "action.buy.rich"
    book = loads(RULES.replace("your coins >= 3", "your coins = 0"), "shop.rules")
    game = Game.start(book, seed=1)
    game.apply("buy")
    clauses = pending_clauses(book, game.view(seat))
    assert clauses.index("to.ask") < clauses.index("action.buy")
    assert clauses.index("action.buy") < clauses.index("phase.trade")


@with_server()
async def test_the_rules_are_those_of_the_table_in_the_language_of_the_reader(
    server: Server,
) -> None:
    made = await server.table(seed=3)
    browser = await made.sat(made.due)
    told = (await browser.get(f"{made.home}rules", headers=SCRIPT)).json()
    book = made.table.book
    assert told["rules"] == render_part("rules", printed_rules(book, "en"), "en")
    german = {**SCRIPT, "accept-language": "de"}
    told = (await browser.get(f"{made.home}rules", headers=german)).json()
    assert told["rules"] == render_part("rules", printed_rules(book, "de"), "de")
    now = (await browser.get(f"{made.home}now", headers=SCRIPT)).json()
    assert now["choices"]["rules"] == book.digest
    stranger = server.browser()
    assert (await stranger.get(f"{made.home}rules", headers=SCRIPT)).status_code == 404
