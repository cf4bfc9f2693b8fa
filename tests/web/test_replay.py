"""Replay: any event of a game, from each permitted viewpoint, and continuation."""

import json
import random
from pathlib import Path
from typing import Any

import httpx
import pytest

from interpreter import Game
from tests.web.deciding import play
from tests.web.visiting import (
    DARE,
    ROOT,
    SCRIPT,
    Made,
    Server,
    played,
    serving,
    with_server,
)
from workbench.errors import RequestError
from workbench.files.library.loading import load
from workbench.presentation.localization.localizer import Localizer
from workbench.presentation.narration.event_log import EventLog
from workbench.web.keys import OWNER, WATCH
from workbench.web.request_limits import Rate, RequestLimits
from workbench.web.sandbox.process_limits import WorkerLimits
from workbench.web.views.board_view import board_view
from workbench.web.worker_pool.pool import WorkerPool
from workbench.web.workshop.replay_view import EVERYTHING, ReplayView, Viewpoint
from workbench.web.workshop.timeline import (
    MAX_RECENT_POSITIONS,
    MILESTONE_COUNT,
    Timeline,
    TimelineCache,
)
from workbench.web.workshop.uploads import UploadedRecords

BIDS = str(ROOT / "examples" / "games" / "sealed_bids.rules")
OFTEN = Rate(100_000, 0.0001)


def game_of(variant: str, steps: int, seed: int = 5) -> Game:
    """Return a game after *steps* events, or at its end."""
    game, rng = Game.start(load(variant), seed=seed), random.Random(seed)
    while game.steps < steps and not game.over:
        game.apply(rng.choice(game.legal_actions()))
    return game


async def over(server: Server, variant: str = DARE) -> Made:
    """Return a table whose game is over."""
    made = await server.table(variant)
    await play(made, 10_000)
    assert made.table.over
    return made


async def event_data(browser: httpx.AsyncClient, made: Made, **asked: Any) -> Any:
    """Return the data of a replay page at an event."""
    answer = await browser.get(f"{made.home}replay/at", params=asked, headers=SCRIPT)
    assert answer.status_code == 200, answer.text
    return answer.json()


# ---------------------------------------------------------------- timelines


@pytest.mark.parametrize("variant", [DARE, "germany"])
def test_timeline_returns_every_position(variant: str) -> None:
    game = game_of(variant, 60)
    film, events = Timeline(game), game.events
    again = Timeline(game).game_at(0)
    for step in range(film.steps + 1):
        assert film.game_at(step).position == again.position
        assert film.turns[step] == again.turn
        if step < film.steps:
            again.apply(events[step])
    assert film.game_at(film.steps).position["pieces"] == game.position["pieces"]


def test_playing_on_does_not_change_the_timeline() -> None:
    film = Timeline(game_of(DARE, 8))
    for step in range(film.steps):
        before = film.game_at(step).position
        other = film.game_at(step)
        other.apply(film.events[step])
        assert film.game_at(step).position == before


def test_few_positions_of_a_long_game_are_stored() -> None:
    game = game_of("germany", 400)
    film = Timeline(game)
    for step in range(0, film.steps, 7):
        film.game_at(step)
    assert film.steps >= 400
    assert film.stored_count <= 2 * MILESTONE_COUNT + MAX_RECENT_POSITIONS


def test_timeline_is_extended_and_rebuilt_after_an_undo() -> None:
    films, game = TimelineCache(), game_of(DARE, 4)
    film = films.timeline_of("table", game)
    earlier = game.copy()
    while game.steps < 8:
        game.apply(game.legal_actions()[0])
    assert films.timeline_of("table", game) is film
    assert film.steps == game.steps
    assert film.game_at(film.steps).position["pieces"] == game.position["pieces"]
    assert films.timeline_of("table", earlier) is not film
    assert films.timeline_of("table", earlier).steps == earlier.steps


def test_number_of_cached_timelines_is_limited() -> None:
    films, game = TimelineCache(max_timelines=3), game_of(DARE, 4)
    for number in range(9):
        films.timeline_of(number, game)
    assert len(films) == 3


@pytest.mark.parametrize("step", [-1, 10_000])
def test_rejects_an_unknown_event(step: int) -> None:
    with pytest.raises(RequestError):
        Timeline(game_of(DARE, 4)).game_at(step)


def test_replay_shows_each_seat_its_former_view() -> None:
    game = game_of(BIDS, 40)
    film = Timeline(game)
    for seat in (*game.seats, None):
        seen = ReplayView(film, Viewpoint(seat or "nobody"), "en")
        for step in (0, 20, 30, film.steps):
            drawn = board_view(film.game_at(step), seat, "en")
            assert seen.board(step).svg == drawn.svg
        log = EventLog(seen.words, seat)
        log.update(game)
        rows = seen.event_rows(film.steps)
        assert [row["text"] for row in rows] == [entry.text for entry in log.entries]
        assert any(row["effects"] for row in rows)
    assert any(None in event.values() for event in game.log(None))


def test_viewpoint_everything_shows_all() -> None:
    game = game_of(BIDS, 40)
    seen = ReplayView(Timeline(game), Viewpoint(EVERYTHING), "en")
    public = ReplayView(seen.timeline, Viewpoint("nobody"), "en")
    for view, is_hidden in ((seen, False), (public, True)):
        texts = [row["text"] for row in view.event_rows(game.steps)]
        assert any("made a hidden choice" in text for text in texts) is is_hidden
    cards = game.position["player"]["red"]["hand"]
    words = seen.words.holding_text(cards)
    assert any(words in line for line in seen.holdings(game.steps))
    assert not any(
        words in line
        for line in ReplayView(seen.timeline, Viewpoint("blue"), "en").holdings(40)
    )


# ---------------------------------------------------------------- during the run


@with_server(games=(BIDS,))
async def test_running_game_allows_only_the_own_viewpoint(server: Server) -> None:
    made = await server.table(BIDS)
    await play(made, 8)
    seat = made.table.game.seats[0]
    browser = await made.sat(seat, OWNER)
    assert (await event_data(browser, made))["step"] == made.table.game.steps
    for eyes in (*made.table.game.seats[1:], EVERYTHING, "nobody"):
        answer = await browser.get(f"{made.home}replay?seen={eyes}")
        assert answer.status_code == 403
    form = {"at": "2", "with": "bots"}
    onward = await browser.post(f"{made.home}replay/go-on", data=form)
    record = await browser.get(f"{made.home}replay/record")
    assert (onward.status_code, record.status_code) == (409, 409)


@with_server(games=(BIDS,))
async def test_spectator_sees_public_information(server: Server) -> None:
    made = await server.table(BIDS)
    await play(made, 30)
    browser = await made.sat(WATCH)
    log = EventLog(Localizer("en", made.table.book), None)
    log.update(made.table.game)
    page = (await browser.get(f"{made.home}replay")).text
    assert page.count("data-step=") == len(log.entries) > 0


@with_server()
async def test_replay_requires_a_link(server: Server) -> None:
    made = await server.table()
    for path in ("replay", "replay/at", "replay/record"):
        answer = await server.browser().get(f"{made.home}{path}")
        assert answer.status_code == 404


# ---------------------------------------------------------------- after the game


@with_server()
async def test_finished_game_allows_every_viewpoint(server: Server) -> None:
    made = await over(server)
    browser = await made.sat(made.table.game.seats[0])
    page = (await browser.get(f"{made.home}replay")).text
    for eyes in (EVERYTHING, *made.table.game.seats):
        assert f'data-eyes="{eyes}"' in page
        assert (await event_data(browser, made, seen=eyes, at=3))["step"] == 3


@with_server()
async def test_record_of_a_finished_game_can_be_replayed(server: Server) -> None:
    made = await over(server)
    browser = await made.sat(WATCH)
    answer = await browser.get(f"{made.home}replay/record")
    assert "attachment" in answer.headers["content-disposition"]
    again = Game.replay(answer.text, made.table.book)
    assert again.events == made.table.game.events


@with_server()
async def test_link_leads_to_an_event(server: Server) -> None:
    made = await over(server)
    browser = await made.sat(WATCH)
    page = (await browser.get(f"{made.home}replay?at=4")).text
    assert f"Event 4 of {made.table.game.steps}" in page
    assert page.count('aria-current="step"') == 1
    last = await event_data(browser, made, at=99_999)
    assert last["step"] == made.table.game.steps
    for wrong in ("x", "-1", "1e3", "9" * 40, "٣"):
        answer = await browser.get(f"{made.home}replay?at={wrong}")
        assert answer.status_code == 400


@with_server()
async def test_only_marks_that_differ_are_sent(server: Server) -> None:
    made = await server.table("germany", seats=3)
    await play(made, 12)
    browser = await made.sat(made.table.game.seats[0])
    first = await event_data(browser, made, at=0)
    later = await event_data(browser, made, at=12, board=first["digest"])
    assert first["board"]["whole"]["marks"].count("<g id=") > 50
    assert 0 < len(later["board"]["changed"]) < 20


@with_server()
async def test_new_table_with_bots_continues_from_an_event(server: Server) -> None:
    made = await over(server)
    mine = made.table.game.seats[1]
    browser = await made.sat(mine)
    form = {"at": "4", "with": "bots", "seen": mine}
    answer = await browser.post(f"{made.home}replay/go-on", data=form)
    assert answer.status_code == 303
    home = answer.headers["location"].removesuffix("links")
    table = await server.host.get_table(home.split("/")[2])
    assert (await browser.get(f"{home}links")).status_code == 200
    bots = {place.seat: place.bot for place in table.seats}
    assert bots[mine] is None
    assert all(bot for seat, bot in bots.items() if seat != mine)
    then = Timeline(made.table.game).game_at(4)
    began = Timeline(table.game).game_at(0)
    assert began.position["player"] == then.position["player"]
    assert not table.over


@with_server()
async def test_new_table_with_people_continues_from_an_event(server: Server) -> None:
    made = await over(server)
    browser = await made.sat(WATCH)
    for at, status in (("3", 303), ("9999", 400), ("", 400), ("x", 400)):
        form = {"at": at, "with": "others"}
        answer = await browser.post(f"{made.home}replay/go-on", data=form)
        assert answer.status_code == status, answer.text
        if status == 303:
            table = answer.headers["location"].split("/")[2]
            seats = (await server.host.get_table(table)).seats
            assert all(place.bot is None for place in seats)


@with_server()
async def test_replay_is_available_in_german(server: Server) -> None:
    made = await over(server)
    browser = await made.sat(WATCH)
    back = await browser.post(
        f"{made.home}replay/language?at=2", data={"language": "de"}
    )
    assert back.headers["location"].endswith("at=2")
    page = (await browser.get(back.headers["location"])).text
    assert "Ereignis 2 von" in page


# ---------------------------------------------------------------- uploaded records


async def handed(server: Server, text: str | bytes) -> httpx.Response:
    """Return the response to an uploaded record."""
    data = text.encode() if isinstance(text, str) else text
    return await server.browser().post("/replay", content=data, headers=SCRIPT)


@with_server()
async def test_uploaded_record_is_shown(server: Server) -> None:
    game = game_of("germany", 50)
    address = (await handed(server, game.record)).json()["address"]
    browser = server.browser()
    page = (await browser.get(f"{address}?at=20")).text
    assert f"Event 20 of {game.steps}" in page
    assert 'data-eyes="everything" ' in page
    again = await browser.get(f"{address}/record")
    assert Game.replay(again.text, game.book).events == game.events
    form = {"at": "20", "with": "bots", "seen": "blue"}
    onward = await browser.post(f"{address}/go-on", data=form)
    assert onward.status_code == 303


@with_server()
async def test_record_contains_its_rules(server: Server) -> None:
    game = game_of(DARE, 6)
    address = (await handed(server, game.record)).json()["address"]
    browser = server.browser()
    assert "Dare" in (await browser.get(address)).text
    onward = await browser.post(f"{address}/go-on", data={"at": "2"})
    assert onward.status_code == 303


@played
async def test_rejects_invalid_records_and_rules(
    tmp_path: Path,
) -> None:
    record = game_of(DARE, 6).record
    head, *lines = record.split("\n")
    sources = json.loads(head)["sources"]["dare"]

    def with_rules(text: str) -> str:
        changed = {**json.loads(head), "sources": {"dare": text}}
        return "\n".join([json.dumps(changed), *lines])

    elsewhere = {**json.loads(head), "variant": "/etc/passwd"}
    elsewhere.pop("sources")
    wrong = {
        "nothing": b"",
        "no text": b"\xff\xfe\x00",
        "no record": b"{}",
        "elsewhere": json.dumps(elsewhere).encode(),
        "other rules": with_rules(sources.replace("turns 4", "turns 5")).encode(),
        "mistake": with_rules(sources.replace("shuffle deck", "shufle deck")).encode(),
        "another file": with_rules(
            sources.replace("  players", "  extends passwd\n  players", 1)
        ).encode(),
    }
    async with serving(tmp_path) as server:
        for name, data in wrong.items():
            answer = await handed(server, data)
            assert answer.status_code == 400, name
            assert answer.json()["refused"]["words"]
        assert (await handed(server, b"x" * 9_000_000)).status_code == 413


@played
async def test_diverging_record_is_shown_up_to_the_divergence(tmp_path: Path) -> None:
    game = game_of("germany", 40)
    lines = game.record.split("\n")
    number = next(n for n, line in enumerate(lines[1:], 1) if '"seat"' in line)
    lines[number] = '{"seat": "red", "action": "no_such_thing"}'
    async with serving(tmp_path) as server:
        address = (await handed(server, "\n".join(lines))).json()["address"]
        page = (await server.browser().get(address)).text
        assert f"of {number - 1}<" in page
        assert f"event {number}: " in page


@played
async def test_a_record_that_takes_too_long_is_refused(tmp_path: Path) -> None:
    hasty = WorkerPool(WorkerLimits(seconds=0.05))
    async with serving(tmp_path, workers=hasty) as server:
        answer = await handed(server, game_of("germany", 6).record)
        assert answer.status_code == 503
        assert answer.json()["refused"]["key"] == "rules_time"


@played
async def test_number_of_uploaded_records_is_limited(tmp_path: Path) -> None:
    data = game_of(DARE, 4).record.encode()
    async with serving(tmp_path) as server:
        records = UploadedRecords(server.host, max_records=2)
        ids = [await records.add(data) for _ in range(3)]
        there = [records.preamble(id) is not None for id in ids]
        assert there == [False, True, True]
        assert server.host.workers is not None
        assert server.host.workers.live_count == 2


@with_server(limits=RequestLimits(request_rate=OFTEN))
async def test_unknown_record_is_not_found(server: Server) -> None:
    for path in ("/replay/x", "/replay/x/at", "/replay/x/record"):
        assert (await server.browser().get(path)).status_code == 404
    assert (await server.browser().get("/replay")).status_code == 200
