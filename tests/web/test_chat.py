"""Chat of a table: who can write, what is stored, and that no game contains it.

Verified by manual mutations: unescaped messages, spectators who write, unlimited
lengths, rates or numbers of messages, messages in the record, in the notices or in the
limit of the journal, and a chat that a restart loses.
"""

from typing import Any

import httpx
import pytest

from tests.web.support import OPEN, found_again, limited, new_table, state_of
from tests.web.test_foreign import foreign, remote_table_of
from tests.web.test_turn_clock import FAR
from tests.web.visiting import SCRIPT, Made, Server, with_server
from workbench.web.keys import OWNER, WATCH
from workbench.web.request_limits import Rate, RequestLimits
from workbench.web.storage.journal import MAX_MESSAGES, LineKind
from workbench.web.storage.table_errors import (
    ChatClosed,
    InvalidMessage,
    LimitReached,
)
from workbench.web.storage.table_options import TableOptions
from workbench.web.storage.table_seats import MESSAGE_MAX, clean_message
from workbench.web.store import Store

PLENTY = RequestLimits(chat_rate=Rate(10_000, 0.001))
ALONE = {"left": "person", "right": "random"}


async def write(made: Made, browser: httpx.AsyncClient, text: str) -> httpx.Response:
    """Post a message, as the script of the page does."""
    data = {"text": text}
    return await browser.post(f"{made.home}say", data=data, headers=SCRIPT)


async def chat_of(made: Made, browser: httpx.AsyncClient) -> str:
    """Return the chat of a browser's page."""
    answer = await browser.get(f"{made.home}now")
    assert answer.status_code == 200, answer.text
    return str(answer.json()["parts"]["chat"])


def messages(table: Any) -> list[str]:
    """Return the texts of the messages in memory."""
    return [line.content["text"] for line in table.state.messages]


# ------------------------------------------------------------ writing


@with_server(bounds=FAR)
async def test_all_see_a_message_with_the_name_of_its_writer(server: Server) -> None:
    made = await server.table()
    left, right = await made.sat("left"), await made.sat("right")
    watcher, owner = await made.sat(WATCH), await made.sat(OWNER)
    await left.post(f"{made.home}name", data={"name": "Ann"}, headers=SCRIPT)
    answer = await write(made, left, "Hello!")
    assert answer.status_code == 200
    assert "Hello!" in answer.json()["parts"]["chat"]
    await write(made, right, "Hi!")
    for browser in (left, right, watcher, owner):
        chat = await chat_of(made, browser)
        assert "<b>Ann (Left):</b> Hello!" in chat
        assert "<b>Right:</b> Hi!" in chat
    page = (await left.get(made.home)).text
    assert 'role="log"' in page.partition('id="chat"')[2][:60]
    assert 'aria-label="Message"' in page


@with_server(bounds=FAR)
async def test_news_announce_messages(server: Server) -> None:
    made = await server.table()
    left = await made.sat("left")
    await left.get(made.home)
    listeners = server.app.state.listeners
    stream = listeners.stream(server.host, made.table.id, None, made.table.version)
    assert "retry" in await anext(stream)
    await write(made, left, "Hello!")
    assert f"data: {made.table.version}" in await anext(stream)
    await stream.aclose()


@with_server(bounds=FAR)
async def test_messages_are_escaped(server: Server) -> None:
    made = await server.table()
    left = await made.sat("left")
    text = "</script><script>alert('1')</script> {{ 7 * 7 }} & \u202eevil"
    await write(made, left, text)
    for page in (await chat_of(made, left), (await left.get(made.home)).text):
        assert "<script>alert" not in page
        assert "&lt;/script&gt;&lt;script&gt;alert(&#39;1&#39;)" in page
        assert "{{ 7 * 7 }} &amp; evil" in page


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        (" a \n\t b ", "a b"),
        ("a\u202eb\x00c\ud800d", "abcd"),
        ("\U0001f469\u200d\U0001f680", "\U0001f469\u200d\U0001f680"),
        ("x" * MESSAGE_MAX, "x" * MESSAGE_MAX),
    ],
    ids=ascii,
)
def test_messages_are_one_line_of_visible_text(text: str, clean: str) -> None:
    assert clean_message(text) == clean


@pytest.mark.parametrize(
    "text", ["", " \n ", "\u200d \u200d", "\u202e", "x" * (MESSAGE_MAX + 1)], ids=ascii
)
def test_rejects_empty_and_long_messages(text: str) -> None:
    with pytest.raises(InvalidMessage):
        clean_message(text)


@with_server(bounds=FAR, limits=PLENTY)
async def test_invalid_messages_change_nothing(server: Server) -> None:
    made = await server.table()
    left = await made.sat("left")
    await left.get(made.home)
    version = made.table.version
    for text in ("", "x" * (MESSAGE_MAX + 1)):
        answer = await write(made, left, text)
        assert answer.status_code == 400
        assert "300 characters" in answer.json()["refused"]["words"]
    assert (await write(made, left, "x" * 30_000)).status_code == 413
    assert made.table.version == version


@with_server(bounds=FAR)
async def test_each_seat_has_its_own_rate(server: Server) -> None:
    made = await server.table(table_options=TableOptions(chat="all"))
    left, right = await made.sat("left"), await made.sat("right")
    watchers = [await made.sat(WATCH), await made.sat(WATCH)]
    statuses = [(await write(made, left, "x")).status_code for _ in range(10)]
    assert statuses == [200] * 8 + [429] * 2
    assert (await write(made, right, "x")).status_code == 200
    both = [(await write(made, each, "x")).status_code for each in watchers * 5]
    assert both == [200] * 8 + [429] * 2


# ------------------------------------------------------------ options


@with_server(bounds=FAR)
async def test_spectators_only_read(server: Server) -> None:
    made = await server.table()
    watcher, owner = await made.sat(WATCH), await made.sat(OWNER)
    for browser in (watcher, owner):
        answer = await write(made, browser, "x")
        assert answer.status_code == 403
        assert answer.json()["refused"]["key"] == "no_chat"
        page = (await browser.get(made.home)).text
        assert "Spectators can only read the chat." in page
        assert 'id="message"' not in page
    assert (await write(made, server.browser(), "x")).status_code == 404
    shared = await made.sat("left", "right")
    assert (await write(made, shared, "x")).status_code == 409
    assert not made.table.state.messages


@with_server(bounds=FAR)
async def test_spectators_write_if_the_owner_allows_it(server: Server) -> None:
    made = await server.table(seats=ALONE, table_options=TableOptions(chat="all"))
    watcher = await made.sat(WATCH)
    assert (await write(made, watcher, "Hello!")).status_code == 200
    assert "<b>Spectator:</b> Hello!" in await chat_of(made, watcher)
    assert 'id="message"' in (await watcher.get(made.home)).text


@pytest.mark.parametrize("seats", [None, ALONE], ids=["no chat", "alone"])
@with_server(bounds=FAR)
async def test_table_without_a_chat_has_no_panel(server: Server, seats: Any) -> None:
    options = TableOptions(chat="players" if seats else "none")
    made = await server.table(seats=seats, table_options=options)
    left = await made.sat("left")
    assert (await write(made, left, "x")).status_code == 403
    page = (await left.get(made.home)).text
    assert 'id="chat-panel"' not in page
    assert (await chat_of(made, left)).strip() == ""


@with_server(bounds=FAR)
async def test_form_turns_the_chat_off(server: Server) -> None:
    browser = server.browser()
    for chat, status in (("none", 200), ("all", 200), ("x", 400)):
        data = {"game": "dare", "chat": chat}
        answer = await browser.post("/tables", data=data, headers=SCRIPT)
        assert answer.status_code == status
        if status == 200:
            table = await server.host.get_table(answer.json()["table"])
            assert table.options.chat == chat


# ------------------------------------------------------------ storage


def test_messages_survive_a_restart(store: Store) -> None:
    table = new_table(store, {"openly": OPEN})
    table.add_message("red", "Hello!")
    again = found_again(store, table.id)
    assert messages(again) == ["Hello!"]
    assert state_of(again) == state_of(table)


def test_old_messages_are_deleted(store: Store) -> None:
    table = new_table(store, {"openly": OPEN})
    table.rename("red", "Ann")
    other = new_table(store, {"openly": OPEN})
    other.add_message("red", "elsewhere")
    for number in range(MAX_MESSAGES + 5):
        table.add_message("red", str(number))
    stored = store.read(table.id)
    assert stored is not None
    texts = [line.content["text"] for line in stored.lines if line.sort == "chat"]
    assert texts == [str(number) for number in range(5, MAX_MESSAGES + 5)]
    assert messages(table) == texts
    assert any(line.sort is LineKind.NAMED for line in stored.lines)
    again = found_again(store, table.id)
    assert messages(again) == texts
    assert again.state.line_count == stored.lines[-1].number - MAX_MESSAGES - 5
    again.decide("red", "load", again.version)
    assert state_of(found_again(store, table.id)) == state_of(again)
    assert messages(found_again(store, other.id)) == ["elsewhere"]


def test_messages_do_not_fill_the_journal(store: Store) -> None:
    table = new_table(store, {"openly": OPEN})
    most = table.version + 1
    table = limited(store, table, max_lines=most)
    for _ in range(20):
        table.add_message("red", "x")
    table.decide("red", "load", table.version)
    with pytest.raises(LimitReached):
        table.decide("red", "take(1)", table.version)
    table.add_message("red", "still here")


def test_page_from_before_a_message_is_not_stale(store: Store) -> None:
    table = new_table(store, {"openly": OPEN})
    version = table.version
    table.add_message("blue", "x")
    table.decide("red", "load", version)


def test_seat_of_a_bot_has_no_say(store: Store) -> None:
    bots = {"red": "person", "blue": "random", "green": "random"}
    table = new_table(store, {"openly": OPEN}, bots)
    with pytest.raises(ChatClosed):
        table.add_message("red", "x")


@with_server(bounds=FAR)
async def test_messages_are_in_no_record_and_no_replay(server: Server) -> None:
    made = await server.table()
    browsers = {seat: await made.sat(seat) for seat in ("left", "right")}
    await write(made, browsers["left"], "quicksilver")
    while not made.table.over:
        await made.do(browsers[made.due], made.action())
        await write(made, browsers["left"], "quicksilver")
    left = browsers["left"]
    assert "quicksilver" in await chat_of(made, left)
    for path in ("replay", "replay/record", "replay?step=3"):
        answer = await left.get(made.home + path)
        assert answer.status_code == 200
        assert "quicksilver" not in answer.text
    assert "quicksilver" not in made.table.record
    log = (await left.get(f"{made.home}now")).json()["parts"]["log"]
    assert "quicksilver" not in log


# ------------------------------------------------------------ workers


@with_server(bounds=FAR)
async def test_untrusted_table_has_a_chat(server: Server) -> None:
    made = await foreign(server)
    left, right = await made.sat("left"), await made.sat("right")
    table = await remote_table_of(made)
    answer = await write(made, left, "<b>Hello!</b>")
    assert answer.status_code == 200, answer.text
    assert messages(table) == ["<b>Hello!</b>"]
    assert "<b>Left:</b> &lt;b&gt;Hello!&lt;/b&gt;" in await chat_of(made, right)
    watcher = await made.sat(WATCH)
    assert (await write(made, watcher, "x")).status_code == 403
    stored = server.host.store.read(table.id)
    assert stored is not None
    said = [line.content for line in stored.lines if line.sort is LineKind.CHAT]
    assert said == [{"seat": "left", "text": "<b>Hello!</b>"}]
