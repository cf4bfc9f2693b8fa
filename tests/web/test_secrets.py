"""A browser receives only what its seat may know, at every step of a game.

There are two checks. In `marked.rules` every card has a unique name, and no response
may contain a name that is neither in the view nor in the log of the seat. For shipped
games, each response is requested again from a table whose hidden information is redrawn
(`game.sample`, or a deal by the test); the response must be identical. Both checks find
a planted secret.

A quick run plays two games of marked cards and one of each game in `SHORT`, and checks
some steps. With `--deep` it plays twenty games and checks every step; for the other
examples, every twelfth step and steps in simultaneous choices. Verified by manual
mutations: a page with `game.position`, a log of another seat, a replay of a running
game that shows everything, the seed in a page.
"""

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from copy import copy
from itertools import count
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from interpreter.game import state_of
from rulebook.model import Audience, Stack
from tests.support.redrawn import redrawn
from tests.web.visiting import ROOT, SCRIPT, Made, Server, played, serving, with_server
from workbench.bots import bot_random, decide, greedy, random_below
from workbench.bots.randomness import KeyedRandom
from workbench.presentation.localization.localizer import Localizer
from workbench.presentation.narration.event_log import EventLog
from workbench.web.keys import OWNER, SEAT, WATCH, derive_code
from workbench.web.request_limits import Rate, RequestLimits
from workbench.web.storage.table_options import TableOptions
from workbench.web.table import Table
from workbench.web.views.snapshot import snapshot

MARKED = str(ROOT / "tests" / "web" / "marked.rules")
DARE = str(ROOT / "examples" / "tiny" / "dare.rules")
MARK = re.compile(
    r"(?:(?<![A-Za-z0-9])|(?<=\\u[0-9a-f]{4}))qz[a-f][k-p](?![A-Za-z0-9])"
)
"""Name of a marked card: a word of its own, or after an escape of JSON."""
EVERY = Rate(1_000_000, 0.0001)
LIMITS = RequestLimits(
    request_rate=EVERY,
    seat_rate=EVERY,
    table_rate=EVERY,
    explanation_rate=EVERY,
    preview_rate=EVERY,
    invalid_key_rate=EVERY,
)
TRAINS = str(ROOT / "examples" / "games" / "trains.rules")
POSTS = str(ROOT / "tests" / "interpreter" / "posts.rules")
RANKS = str(ROOT / "tests" / "interpreter" / "ranks.rules")
SHORT = ("germany", "base", "classic", "cardgame", DARE, TRAINS, POSTS, RANKS)
EXAMPLES = map(str, sorted((ROOT / "examples").glob("*/*.rules")))
GAMES = (*SHORT, *[path for path in EXAMPLES if path not in SHORT])
DEEP = 20
PARTS = 4
"""Tests that share the games of `--deep`, so that they can run side by side."""
COMBINATIONS = 200
"""Number of argument combinations after which `why` stops."""
PREVIEWS = 4
"""Maximum number of previewed actions at a step."""
CLOCK = TableOptions(clock=30 * 86_400)
"""Option of a table with clocks that do not run out."""
COUNTABLE = "first"
"""Two-player example in which all can count the other hand, as the store is visible."""
RARELY = (40, 80, 40, 40, 1, 7, 7, 7)
"""Steps between two checks of the games in `SHORT` without `--deep`."""
NEWS = re.compile(r"(retry: \d+|: still here|id: \d+\ndata: \d+)\n\n")

RUNNING = {
    "workshop/now": {200, 403},
    "replay/record": {409},
    "replay/summary": {409},
}
"""Pages that not everybody has: spectators have no workshop, a running game no record
and no summary.
"""
OVER = {"workshop/now": {200, 403, 409}}
"""The same after the game, when the record is open to all."""

PATHS = ("", "now", "replay", "replay/record", "replay/summary", "workshop/now")
ENDED = ("", "now", "replay/summary")
"""Pages that show only what a seat may know when the game is over."""

Browsers = Mapping[str, httpx.AsyncClient]


async def seated(made: Made) -> dict[str, httpx.AsyncClient]:
    """Return a browser for each seat, and one for a spectator."""
    return {seat: await made.sat(seat) for seat in (*made.table.game.seats, WATCH)}


def choice(table: Table, seat: str, numbers: KeyedRandom) -> str:
    """Return an action of a seat: usually a good one, sometimes a random one."""
    game = table.game_for(seat)
    if random_below(4, numbers) and game.to_act == seat:
        return str(decide(greedy, game, seat, numbers).text)
    legal = game.legal_actions(seat)
    return str(legal[random_below(len(legal), numbers)].text)


async def responses_to(
    made: Made, seat: str, browser: httpx.AsyncClient
) -> dict[str, str]:
    """Return everything that a browser receives without acting, by request.

    A preview of each kind of action is among it.
    """
    told, expected = {}, OVER if made.table.over else RUNNING
    for path in PATHS:
        answer = await browser.get(made.home + path, headers=SCRIPT)
        assert answer.status_code in expected.get(path, {200}), (path, answer.text)
        told[path] = answer.text
    game = made.table.game_for(None if seat == WATCH else seat)
    legal = [] if seat == WATCH else game.legal_actions(seat)
    for name, action in {each.name: each.text for each in legal}.items():
        answer = await browser.post(
            f"{made.home}preview", data={"action": action}, headers=SCRIPT
        )
        assert answer.status_code == 200, answer.text
        told[f"preview {name}"] = answer.text
    for action in game.book.model.actions:
        form = {"action": action}
        answer = await browser.post(f"{made.home}why", data=form, headers=SCRIPT)
        assert answer.status_code == (403 if seat == WATCH else 200), answer.text
        told[f"why {action}"] = answer.text
    listeners = made.server.app.state.listeners
    stream = listeners.stream(made.server.host, made.table.id, None, 0)
    told["news"] = "".join([await anext(stream) for _ in range(2)])
    await stream.aclose()
    return told


def guarded(made: Made) -> Iterator[str]:
    """Return what no page may contain: seeds, codes and keys, even the seat's."""
    settings = made.table.stored.settings
    yield str(settings["header"]["seed"])
    yield str(settings["bot_seed"])
    yield from made.keys.values()
    yield derive_code(made.keys[OWNER, ""])


def see_no_key(made: Made, told: Mapping[str, str]) -> None:
    for where, text in told.items():
        for secret in guarded(made):
            assert secret not in text, where
    assert NEWS.sub("", told["news"]) == ""


# ------------------------------------------------------------ marked cards


def known(made: Made, seat: str) -> set[str]:
    """Return the marks that a seat may know, from its view, log and legal actions."""
    table, whose = made.table, None if seat == WATCH else seat
    own, legal = table.game, []
    if whose is not None:
        legal = [each.text for each in table.game_for(whose).legal_actions(whose)]
    told = [held(own.view(whose)), own.log(whose), legal]
    return set(MARK.findall(json.dumps(told)))


def held(part: Any) -> Any:
    """Return a part of a view without cards whose number is 0."""
    if isinstance(part, dict):
        return {name: held(each) for name, each in part.items() if each != 0}
    return [held(each) for each in part] if isinstance(part, list) else part


def leaked(made: Made, seat: str, told: Mapping[str, str]) -> set[tuple[str, str]]:
    """Return the marks in responses that the seat may not know, with their places."""
    free = known(made, seat)
    return {
        (where, mark)
        for where, text in told.items()
        for mark in MARK.findall(text)
        if mark not in free
    }


async def play_marked(
    made: Made, browsers: Browsers, seed: int, every: int
) -> tuple[int, int]:
    """Play a game by HTTP; return the number of responses, and the marks in them."""
    numbers, answers, marks = bot_random(seed, 0, "everybody"), 0, 0
    for step in count():
        due = made.table.waits_for()
        seat = due[random_below(len(due), numbers)]
        done = await made.do(browsers[seat], choice(made.table, seat, numbers))
        assert done.status_code == 200, done.text
        if made.table.over:
            break
        assert leaked(made, seat, {"do": done.text}) == set()
        if step % every and len(made.table.waits_for()) == 1:
            continue
        for each, browser in browsers.items():
            told = await responses_to(made, each, browser)
            assert leaked(made, each, told) == set(), each
            see_no_key(made, told)
            answers += len(told)
            marks += sum(bool(MARK.search(text)) for text in told.values())
    for each, browser in browsers.items():
        told = await responses_to(made, each, browser)
        ended = {path: told[path] for path in ENDED}
        assert leaked(made, each, ended) == set(), each
        answers += len(ended)
    return answers, marks


@pytest.mark.slow
@with_server(games=(MARKED,), limits=LIMITS)
async def test_responses_contain_no_unknown_cards(server: Server, deep: bool) -> None:
    for seed in range(1, (DEEP if deep else 2) + 1):
        made = await server.table(MARKED, seed=10**12 + seed)
        answers, marks = await play_marked(
            made, await seated(made), seed, every=1 if deep else 6
        )
        assert answers > 400
        assert marks > 100


# ------------------------------------------------------------ redrawn games


def twin(table: Table, seat: str, number: int) -> Table:
    """Return the table with another game that the seat cannot tell from its own.

    Every second game is dealt from the position and the view, without `sample`. A
    sample has no history; the log reports what its seat may know of it. Advance
    decisions of others may be impossible there, but everybody knows that they exist.
    """
    other = copy(table)
    other._early_games_cache = (-1, {})  # noqa: SLF001  (games of advance decisions)
    dealt = redrawn(table.game, seat, Random(number)) if number % 2 else None
    other.game = table.game.sample(seat, number) if dealt is None else dealt[0]
    ahead = ("waits_for",) if any(table.state.advance_decisions.values()) else ()
    for name in ("log", "log_since_decision", "decision_due_line", *ahead):
        setattr(other, name, getattr(table, name))
    return other


def hides(table: Table) -> bool:
    """Return whether a game has hidden fields other than stacks, which are chance."""
    return any(
        field.seen_by is not Audience.ALL and not isinstance(field.type, Stack)
        for field in table.book.model.fields.values()
    )


def cells(table: Table) -> tuple[Any, ...]:
    """Return the state of a table's game, without future chance."""
    state = state_of(table.game)
    return list(state.s), list(map(list, state.frames)), state.answered


async def differing(
    made: Made, seat: str, browser: httpx.AsyncClient, number: int, other: Table
) -> list[str]:
    """Return the responses that differ for a table that the seat cannot distinguish."""
    host, own = made.server.host, made.table
    paths = ("", "now") if number % 5 == 0 else ("now",)
    actions = sorted(own.game.book.model.actions)
    action = actions[number % len(actions)]
    game = own.game_for(seat)
    legal = [each.text for each in game.legal_actions(seat)]

    async def page_texts() -> list[str]:
        answers = [await browser.get(made.home + path) for path in paths]
        form = {"action": action}
        answers.append(await browser.post(f"{made.home}why", data=form, headers=SCRIPT))
        for text in legal[number % 3 :: 3][:PREVIEWS]:
            data = {"action": text}
            address = f"{made.home}preview"
            answers.append(await browser.post(address, data=data, headers=SCRIPT))
        assert {answer.status_code for answer in answers} == {200}
        return [answer.text for answer in answers]

    first = await page_texts()

    async def another(_: str) -> Table:
        return other

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(host, "get_any_table", another)
        second = await page_texts()
    names = (*paths, "why", *["preview"] * PREVIEWS)
    pairs = zip(names, first, second, strict=False)
    return [name for name, here, there in pairs if here != there]


async def play_twice(
    made: Made, seed: int, *, every: int, most: int
) -> tuple[list[tuple[int, str, str]], Counter[str]]:
    """Play a game; return differences by step and seat, and the compared responses."""
    browsers, numbers = await seated(made), bot_random(seed, 0, "everybody")
    counts, differs = Counter[str](games=1), []
    for step in range(most):
        table = made.table
        if table.over:
            break
        due = table.waits_for()
        seat = due[random_below(len(due), numbers)]
        table.decide(seat, choice(table, seat, numbers), table.version)
        table.update_clock()
        inside = len(table.waits_for()) > 1
        if (step % every and not inside) or table.over:
            continue
        counts["steps"] += 1
        for each in table.game.seats:
            other = twin(table, each, step)
            counts["seats"] += 1
            counts["compared"] += cells(other) != cells(table)
            places = await differing(made, each, browsers[each], step, other)
            differs += [(step, each, where) for where in places]
    return differs, counts


def empty_log(_table: Table, seat: str | None, localizer: Localizer) -> EventLog:
    """Return a log without entries."""
    return EventLog(localizer, seat)


@pytest.fixture
def no_past(monkeypatch: pytest.MonkeyPatch) -> None:
    """Omit the log, because a sample has no past events."""
    monkeypatch.setattr("workbench.web.views.events.event_log", empty_log)


@pytest.fixture
def counted_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let `why` stop after a number of combinations instead of a time, and let clocks
    stand still.
    """
    stopped = SimpleNamespace(time=lambda: 0.0)
    monkeypatch.setattr("workbench.web.views.snapshot.time", stopped)
    monkeypatch.setattr("workbench.web.views.choices.thread_time", count().__next__)
    monkeypatch.setattr("workbench.web.views.choices.WHY_SECONDS", COMBINATIONS)


@with_server(games=(MARKED,), limits=LIMITS)
async def test_messages_stay_at_their_table(server: Server) -> None:
    here, there = [await server.table(MARKED, seed=seed) for seed in (1, 2)]
    browsers, others = await seated(here), await seated(there)
    for seat in here.table.game.seats:
        form = {"text": f"qzz {seat}"}
        answer = await browsers[seat].post(f"{here.home}say", data=form, headers=SCRIPT)
        assert answer.status_code == 200, answer.text
    for seat, browser in others.items():
        told = await responses_to(there, seat, browser)
        told["lobby"] = (await browser.get("/")).text
        assert [where for where, text in told.items() if "qzz" in text] == []
        written = await responses_to(here, seat, browsers[seat])
        places = {where for where, text in written.items() if "qzz" in text}
        assert places == {"", "now"}


@pytest.mark.slow
@pytest.mark.usefixtures("no_past", "counted_time")
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize(
    "place", range(len(GAMES)), ids=[Path(name).stem for name in GAMES]
)
@played
async def test_hidden_information_does_not_change_responses(
    place: int, part: int, deep: bool, tmp_path: Path
) -> None:
    name = GAMES[place]
    if (name not in SHORT or part) and not deep:
        pytest.skip("all examples take an hour")

    games, counts = DEEP // PARTS if deep else 1, Counter[str]()
    first = place * DEEP + part * DEEP // PARTS
    files = (name,) if "/" in name else ()
    async with serving(tmp_path, games=files, limits=LIMITS) as server:
        for seed in range(first, first + games):
            made = await server.table(name, seed=seed, table_options=CLOCK)
            every = 12 if name not in SHORT else 1 if deep else RARELY[place]
            differs, here = await play_twice(
                made, seed, every=every, most=100_000 if deep else 160
            )
            assert differs == []
            counts += here
    countable = Path(name).stem == COUNTABLE
    assert counts["compared"] or countable or not hides(made.table)
    assert not (counts["compared"] and countable)
    sys.stdout.write(f"{name}: {dict(counts)}\n")


# ------------------------------------------------------------ planted secrets


def planting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make pages show the cards of another seat in a title."""
    honest = snapshot

    def telling(table: Any, seat: str | None, language: str) -> dict[str, Any]:
        cells = held(table.game.position["player"])
        others = {name: each for name, each in cells.items() if name != seat}
        shown = honest(table, seat, language)
        return {**shown, "choices": {**shown["choices"], "help": str(others)}}

    monkeypatch.setattr("workbench.web.table_routes.snapshot", telling)


@with_server(games=(MARKED,), limits=LIMITS)
async def test_planted_secret_is_found_by_its_mark(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = await server.table(MARKED)
    browsers = await seated(made)
    for seat, browser in browsers.items():
        assert leaked(made, seat, await responses_to(made, seat, browser)) == set()
    planting(monkeypatch)
    for seat, browser in browsers.items():
        marks = leaked(made, seat, await responses_to(made, seat, browser))
        assert {where for where, _ in marks} >= {"", "now"}, seat


@pytest.mark.usefixtures("no_past", "counted_time")
@with_server(games=(), limits=LIMITS)
async def test_planted_secret_changes_responses(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = await server.table("germany", seed=5)
    planting(monkeypatch)
    differs, _ = await play_twice(made, 5, every=20, most=121)
    assert {where for _, _, where in differs} >= {"", "now"}


@with_server(games=(MARKED,), limits=LIMITS)
async def test_a_key_that_is_planted_is_found(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = await server.table(MARKED, seed=10**12)
    browser = await made.sat("una")
    told = await responses_to(made, "una", browser)
    see_no_key(made, told)
    for secret in (made.keys[SEAT, "dos"], str(10**12)):
        with pytest.raises(AssertionError):
            see_no_key(made, {**told, "now": f"x{secret}y"})
    with pytest.raises(AssertionError):
        see_no_key(made, {**told, "news": "data: red won\n\n"})
