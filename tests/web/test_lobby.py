"""Lobby: a form creates tables, and only offered games are served.

Verified by manual mutations: a game by its path, unchecked house rules, the path of a
file in a page, links with another base URL, unlimited tables.
"""

import re
from pathlib import Path

import httpx
import pytest

from interpreter import RecordError, UsageError
from tests.web.visiting import DARE, ROOT, SCRIPT, Server, played, serving, with_server
from workbench.defaults import BOTS
from workbench.errors import RequestError
from workbench.web.host import HostLimits
from workbench.web.request_limits import Rate, RequestLimits
from workbench.web.responses import to_request_denied

PLENTY = RequestLimits(creation_rate=Rate(1_000, 0.001))


async def post_form(browser: httpx.AsyncClient, **form: object) -> httpx.Response:
    """Return the response to the form for a new table."""
    return await browser.post("/tables", data=form, headers=SCRIPT)


@with_server(games=())
async def test_form_creates_a_table(server: Server) -> None:
    browser = server.browser()
    form = {
        "game": "classic",
        "rule": ["friendly_robber", "endless_bank"],
        "players": "3",
        "bots": "1",
        "bot": "random",
        "option.points_to_win": "8",
        "option.hidden_discards": "no",
        "option.bank_rate": "",
    }
    answer = await browser.post("/tables", data=form)

    assert answer.status_code == 303
    id = answer.headers["location"].split("/")[2]
    table = await server.host.get_table(id)
    assert table.variant == "classic+friendly_robber+endless_bank"
    assert [place.bot for place in table.seats] == [None, None, "random"]
    assert table.game.options["points_to_win"] == 8
    assert table.game.options["hidden_discards"] is False
    links = await browser.get(answer.headers["location"])
    assert links.status_code == 200
    assert links.text.count("/sit/") == 2 * (2 + 2)  # two people, spectators, owner


@with_server(base_url="https://tables.example")
async def test_script_receives_the_links(server: Server) -> None:
    told = (await post_form(server.browser(), game="dare")).json()

    assert told["ok"]
    assert set(told["seats"]) == {"left", "right"}
    for link in (*told["seats"].values(), told["watch"], told["owner"]):
        assert link.startswith(f"https://tables.example/t/{told['table']}/sit/")
        path = link.removeprefix("https://tables.example")
        assert (await server.browser().get(path)).status_code == 303


@pytest.mark.parametrize(
    "form",
    [
        {"game": "classic", "rule": "cheap_landmarks"},
        {"game": ""},
        {},
        {"game": "dare", "players": "3"},
        {"game": "dare", "players": "-1"},
        {"game": "dare", "players": "9" * 50},
        {"game": "dare", "bots": "3"},
        {"game": "dare", "bots": "1", "bot": "os:system"},
        {"game": "dare", "bots": "1", "bot": "mcts(1000000)"},
        {"game": "dare", "option.no_such_option": "1"},
        {"game": "classic", "option.points_to_win": "999"},
        {"game": "classic", "option.points_to_win": "many"},
        {"game": "classic", "option.hidden_discards": "9"},
    ],
    ids=str,
)
@played
async def test_rejects_a_game_that_is_not_offered(
    form: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT / "examples" / "tiny")
    async with serving(tmp_path) as server:
        answer = await post_form(server.browser(), **form)

        assert answer.status_code == 400, answer.text
        assert answer.json()["refused"]["words"]
        assert str(ROOT) not in answer.text
        assert server.host.store.count() == 0


@with_server(limits=PLENTY)
async def test_every_offered_bot_can_be_chosen(server: Server) -> None:
    """Bots that the operator named can be chosen too."""
    server.host.bots = ("mcts(20)",)
    browser = server.browser()
    page = (await browser.get("/?game=dare")).text
    select = page.partition('name="bot"')[2].partition("</select>")[0]
    offered = re.findall('value="([^"]+)"', select)
    assert offered == [*BOTS, "mcts(20)"]
    for bot in offered:
        made = (await post_form(browser, game="dare", bots="1", bot=bot)).json()
        table = await server.host.get_table(made["table"])
        assert [place.bot for place in table.seats] == [None, bot]


@with_server()
async def test_rejects_more_bots_than_seats(server: Server) -> None:
    form = {"game": "classic", "players": "3", "bots": "4", "bot": "greedy"}
    refused = (await post_form(server.browser(), **form)).json()["refused"]

    assert refused["key"] == "many_bots"
    assert refused["words"] == "4 bots are too many for 3 seats."


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        (
            "points_to_win",
            "999",
            "kann die Einstellung „points to win“ nicht „999“ sein",
        ),
        (
            "hidden_discards",
            "9",
            "kann die Einstellung „hidden discards“ nicht „9“ sein",
        ),
        ("x" * 99, "1", f"kann die Einstellung „{'x' * 40}“ nicht „1“ sein"),
    ],
)
@with_server()
async def test_german_page_rejects_a_choice_in_german(
    server: Server, option: str, value: str, said: str
) -> None:
    browser = server.browser(**{"accept-language": "de"})
    form = {"game": "classic", f"option.{option}": value}
    answer = await browser.post("/tables", data=form)

    assert answer.status_code == 400
    assert said in answer.text


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (UsageError("so not"), "Das geht nicht."),
        (RequestError("so not"), "Das geht nicht."),
        (RecordError("so not"), "Diese Aufzeichnung lässt sich nicht abspielen."),
    ],
    ids=lambda each: type(each).__name__,
)
def test_english_messages_are_quoted_as_details(error: Exception, said: str) -> None:
    words = to_request_denied(error, "de")[1]
    assert words.startswith(f"{said} Einzelheiten auf Englisch: ")
    assert words.endswith("so not")


@pytest.mark.parametrize(
    "form",
    [
        {"game": "no_such_game"},
        {"game": "/etc/passwd"},
        {"game": DARE},
        {"game": "../tiny/hex.rules"},
        {"game": "hex.rules"},
        {"game": "classic+/etc/passwd"},
        {"game": "classic", "rule": "../dare"},
        {"game": "classic", "rule": "hex.rules"},
    ],
    ids=str,
)
@played
async def test_files_that_are_not_offered_are_not_read(
    form: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT / "examples" / "tiny")
    async with serving(tmp_path) as server:
        answer = await post_form(server.browser(), **form)

        assert answer.status_code == 400
        assert answer.json()["refused"]["key"] == "no_game"
        assert server.host.store.count() == 0


@pytest.mark.parametrize(
    "query", ["game=/etc/passwd", "game=../x", "game=hex.rules", f"game={DARE}"]
)
@with_server()
async def test_the_form_of_a_game_that_is_not_offered_is_refused(
    server: Server, query: str
) -> None:
    assert (await server.browser().get(f"/?{query}")).status_code == 400


@with_server()
async def test_house_rules_of_another_game_are_omitted(server: Server) -> None:
    query = {"game": "classic", "rule": ["cheap_landmarks", "endless_bank"]}
    page = (await server.browser().get("/", params=query)).text

    assert 'value="endless_bank" checked' in page
    assert "cheap_landmarks" not in page


@with_server()
async def test_showing_options_keeps_earlier_choices(server: Server) -> None:
    """Earlier choices stay if the game has them."""
    chosen = {
        "game": "classic",
        "players": "3",
        "bots": "2",
        "bot": "random",
        "option.points_to_win": "8",
        "option.hidden_discards": "no",
    }
    browser = server.browser()
    page = (await browser.get("/", params=chosen)).text
    for kept in (
        'value="3" checked',
        "selected>2<",
        'value="random" selected',
        'value="8" min',
        'value="no" selected',
    ):
        assert page.count(kept) == 1, kept
    other = (await browser.get("/", params={**chosen, "game": "dare"})).text
    assert 'value="2" checked' in other
    assert (await browser.get("/?players=x&bots=<b>&bot=<b>")).status_code == 200


@with_server()
async def test_no_page_contains_the_path_of_a_file(server: Server) -> None:
    browser = server.browser()
    made = (await post_form(browser, game="dare")).json()
    for path in ("/", "/?game=dare", f"/t/{made['table']}/links"):
        page = await browser.get(path)
        assert page.status_code == 200
        assert "dare" in page.text
        assert str(ROOT) not in page.text
        assert "examples" not in page.text


@with_server()
async def test_a_browser_finds_its_own_tables_again(server: Server) -> None:
    mine, other = server.browser(), server.browser()
    made = (await post_form(mine, game="dare")).json()["table"]
    theirs = (await post_form(other, game="dare")).json()["table"]
    page = (await mine.get("/")).text

    assert f"/t/{made}/" in page
    assert theirs not in page
    forged = server.browser(cookie="tables=x.y..z'\"<script>.nosuchtable1")
    assert (await forged.get("/")).status_code == 200


@with_server(limits=PLENTY)
async def test_number_of_new_tables_is_limited(server: Server) -> None:
    browser = server.browser()
    server.host.limits = HostLimits(tables=3)
    statuses = [(await post_form(browser, game="dare")).status_code for _ in range(5)]

    assert statuses == [200, 200, 200, 503, 503]
    assert server.host.store.count() == 3
