"""Links, cookies and seats: permissions at a table.

Verified by manual mutations: `who` accepts any requested seat, cookies for every table
or for all paths, cookies for scripts or for HTTP, keys in pages, guesses that are not
counted, the owner's page for everybody, a bot for a present player, a table revealed to
a browser without a key.
"""

from pathlib import Path

import pytest

from tests.web.visiting import HERE, SCRIPT, Made, Server, played, serving, with_server
from workbench.web.keys import OWNER, WATCH
from workbench.web.request_limits import Rate, RequestLimits


def stands(made: Made) -> tuple[int, int]:
    """Return what must not change: a table's version and the events of its game."""
    return made.table.version, made.table.game.steps


# ------------------------------------------------------------ links and seats


@with_server()
async def test_link_sets_a_cookie_for_its_table_only(server: Server) -> None:
    made = await server.table()
    browser = server.browser()
    answer = await browser.get(made.link(made.due))

    assert (answer.status_code, answer.headers["location"]) == (303, made.home)
    key, tables = answer.headers.get_list("set-cookie")
    for word in ("HttpOnly", "SameSite=strict", f"Path={made.home}"):
        assert word in key
    assert made.table.id in tables
    assert made.keys["seat", made.due] not in tables
    page = await browser.get(made.home)
    assert page.status_code == 200
    assert made.keys["seat", made.due] not in page.text


@with_server(secure=True)
async def test_cookies_are_secure_over_https(server: Server) -> None:
    made = await server.table()
    answer = await server.browser().get(made.link(made.due))
    cookies = answer.headers.get_list("set-cookie")

    assert len(cookies) == 2
    assert all("Secure" in cookie for cookie in cookies)


@with_server()
async def test_cross_site_link_continues_from_an_own_page(server: Server) -> None:
    made = await server.table()
    browser = server.browser(**{"sec-fetch-site": "cross-site"})
    answer = await browser.get(made.link(made.due))

    assert answer.status_code == 200
    assert f'content="0; url={made.home}"' in answer.text
    assert made.keys["seat", made.due] not in answer.text
    assert "key-" in answer.headers["set-cookie"]


@with_server()
async def test_cross_site_page_repeats_its_request_once(server: Server) -> None:
    made = await server.table()
    led = await server.browser(**{"sec-fetch-site": "cross-site"}).get(made.home)
    same = await server.browser(**{"sec-fetch-site": "same-origin"}).get(made.home)

    assert (led.status_code, same.status_code) == (200, 404)
    assert f'content="0; url={made.home}"' in led.text


@pytest.mark.parametrize("guess", ["A" * 32, "", "%2e%2e%2fx", "%00", "é" * 32])
@with_server()
async def test_guessed_link_is_rejected(server: Server, guess: str) -> None:
    made, browser = await server.table(), server.browser()
    answer = await browser.get(f"{made.home}sit/{guess}")

    assert answer.status_code == 404
    assert "set-cookie" not in answer.headers


@played
async def test_guesses_are_counted(tmp_path: Path) -> None:
    limits = RequestLimits(invalid_key_rate=Rate(5, 60))
    async with serving(tmp_path, limits=limits) as server:
        made, browser = await server.table(), server.browser()
        guesses = [f"{made.home}sit/{n}" for n in range(7)]
        statuses = [(await browser.get(guess)).status_code for guess in guesses]

        assert statuses == [404] * 5 + [429] * 2
        friend = await made.sat(made.due)
        assert (await friend.get(made.home)).status_code == 200


@with_server()
async def test_table_without_a_key_looks_like_a_missing_one(server: Server) -> None:
    made, browser = await server.table(), server.browser()
    for name in ("", "now", "news", "links", "replay", "workshop", "again"):
        there = await browser.get(made.home + name)
        gone = await browser.get(f"/t/nosuchtable1/{name}")

        assert there.status_code == gone.status_code == 404, name
        assert there.text == gone.text, name


@with_server()
async def test_key_opens_only_its_table(server: Server) -> None:
    made, other = await server.table(), await server.table()
    browser = await made.sat(made.due)
    cookie = "; ".join(f"{each.name}={each.value}" for each in browser.cookies.jar)
    stranger = server.browser(cookie=cookie)

    assert (await stranger.get(made.home)).status_code == 200
    assert (await stranger.get(other.home)).status_code == 404


@with_server()
async def test_other_cookies_do_not_lock_a_player_out(server: Server) -> None:
    made = await server.table()
    browser = await made.sat(made.due)
    own = [f"{each.name}={each.value}" for each in browser.cookies.jar]
    junk = [f"key-{number:08x}={number:064x}" for number in range(300)]
    player = server.browser(cookie="; ".join([*junk, *own]))

    assert (await player.get(made.home)).status_code == 200


@with_server()
async def test_browser_acts_only_for_its_own_seats(server: Server) -> None:
    made = await server.table()
    before, browser = stands(made), await made.sat(made.other)
    query = {"seat": made.due}
    form = {"action": made.action(), "at": str(made.table.version)}

    for name in ("", "now", "news"):
        answer = await browser.get(made.home + name, params=query)
        assert answer.status_code == 403, name
    for name in ("do", "why", "undo", "name"):
        answer = await browser.post(
            made.home + name, params=query, data=form, headers=SCRIPT
        )
        assert answer.status_code == 403, name
        assert answer.json()["refused"]["key"] == "not_your_seat"
    assert stands(made) == before


@with_server()
async def test_spectator_cannot_act(server: Server) -> None:
    made = await server.table()
    before, browser = stands(made), await made.sat(WATCH)

    assert (await browser.get(made.home)).status_code == 200
    answer = await made.do(browser, made.action())
    assert (answer.status_code, answer.json()["refused"]["key"]) == (
        403,
        "looks_on",
    )
    for name in ("undo", "agree", "decline", "name", "why", "bot", "person"):
        answer = await browser.post(made.home + name, data={"bot": "random"})
        assert answer.status_code == 403, name
    assert stands(made) == before


@with_server()
async def test_links_are_shown_to_the_owner_only(server: Server) -> None:
    made = await server.table()
    maker, player = await made.sat(OWNER), await made.sat(made.due)
    shown = await maker.get(f"{made.home}links")

    assert shown.status_code == 200
    assert all(key in shown.text for key in made.keys.values())
    assert all(f"{HERE}{made.link(s)}" in shown.text for s in made.table.game.seats)
    assert (await player.get(f"{made.home}links")).status_code == 403


@with_server()
async def test_shared_browser_hides_the_table_between_seats(server: Server) -> None:
    made = await server.table()
    browser = await made.sat(*made.table.game.seats)
    page = await browser.get(made.home)

    assert "share this browser" in page.text
    assert (await browser.get(f"{made.home}now")).status_code == 409
    assert (await made.do(browser, made.action())).status_code == 409
    for seat in made.table.game.seats:
        assert f"{made.home}?seat={seat}" in page.text
        now = await browser.get(f"{made.home}now", params={"seat": seat})
        assert now.status_code == 200
        assert now.json()["choices"]["decides"] == (seat == made.due)


@pytest.mark.parametrize("bot", ["os:system", "x.py:f", "nobody", "mcts(9999999)", ""])
@with_server()
async def test_request_cannot_name_a_bot_to_import(server: Server, bot: str) -> None:
    made = await server.table()
    browser = await made.sat(made.due)
    answer = await browser.post(f"{made.home}bot", data={"bot": bot}, headers=SCRIPT)

    assert answer.status_code == 400
    assert answer.json()["refused"]["key"] == "no_bot"
    assert made.table.seat_state(made.due).stand_in is None


# ------------------------------------------------------------ further


@with_server()
async def test_chosen_language_is_remembered(server: Server) -> None:
    made = await server.table()
    browser = await made.sat(made.due)
    assert '<html lang="en">' in (await browser.get(made.home)).text
    form = {"language": "de"}
    answer = await browser.post(f"{made.home}language", data=form)

    assert answer.headers["location"] == made.home
    assert '<html lang="de">' in (await browser.get(made.home)).text
    assert '<html lang="de">' in (await browser.get("/")).text
    wrong = await browser.post("/language", data={"language": "../../etc/passwd"})
    assert wrong.status_code == 400
    german = server.browser(**{"accept-language": "de-CH,de;q=0.9,en;q=0.8"})
    assert '<html lang="de">' in (await german.get("/")).text


@with_server()
async def test_rematch_opens_with_the_same_keys(server: Server) -> None:
    made = await server.table()
    seats = made.table.game.seats
    browsers = {seat: await made.sat(seat) for seat in seats}
    early = await browsers[seats[0]].post(f"{made.home}again")
    assert early.status_code == 409
    while not made.table.over:
        await made.do(browsers[made.due], made.action())
    assert (await browsers[seats[1]].get(f"{made.home}again")).status_code == 404
    first = await browsers[seats[0]].post(f"{made.home}again")
    second = await browsers[seats[1]].get(f"{made.home}again")

    assert first.headers["location"] == second.headers["location"] != made.home
    for seat in seats:
        if seat not in seats[:2]:
            continue
        page = await browsers[seat].get(first.headers["location"])
        assert page.status_code == 200
    assert server.host.store.count() == 2


@with_server(games=())
async def test_illegal_action_is_explained(server: Server) -> None:
    made = await server.table("classic", seats=3)
    browser = await made.sat(made.due)
    await browser.get(made.home)
    before = stands(made)
    answer = await browser.post(
        f"{made.home}why", data={"action": "end_turn"}, headers=SCRIPT
    )

    assert answer.status_code == 200
    assert answer.json()["why"]["reason"]
    assert stands(made) == before


@played
async def test_spectators_cannot_use_up_the_streams_of_players(tmp_path: Path) -> None:
    limits = RequestLimits(spectator_streams=2, streams_per_seat=2)
    async with serving(tmp_path, limits=limits) as server:
        made = await server.table()
        looks_on, id = await made.sat(WATCH), made.table.id
        player, other = await made.sat(made.due), await made.sat(made.other)
        listeners = server.app.state.listeners
        streams = []

        async def listen(seat: str | None) -> None:
            for _ in range(2):
                listeners.check_limit(id, seat)
                streams.append(listeners.stream(server.host, id, seat, 0))
                await anext(streams[-1])

        await listen(None)
        assert (await looks_on.get(f"{made.home}news")).status_code == 503
        await listen(made.due)
        assert (await player.get(f"{made.home}news")).status_code == 503
        await listen(made.other)
        assert (await other.get(f"{made.home}news")).status_code == 503
        for stream in streams:
            await stream.aclose()
        listeners.check_limit(id, None)
        listeners.check_limit(id, made.due)
