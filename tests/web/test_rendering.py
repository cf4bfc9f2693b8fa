"""Pages are escaped, updated in parts, and complete in each language."""

import json
import re
import tracemalloc
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from interpreter import Game
from tests.web.test_moment import go_on
from tests.web.visiting import Server, with_server
from workbench.files.library.loading import load
from workbench.presentation.picture import scene_of
from workbench.presentation.picture.labels import name_placements
from workbench.presentation.picture.svg import BoardDrawing as Drawn
from workbench.web.storage.journal import NOTICE_KINDS
from workbench.web.views.board_view import draw_board
from workbench.web.views.events import PHRASES_WITHOUT_GAP, PRESENCE_NOTICES
from workbench.web.views.phrases import Phrases, languages, phrases
from workbench.web.views.rendering import (
    PARTS,
    asset_address,
    changed_parts,
    render_parts,
    static_file,
    table_page,
)
from workbench.web.views.snapshot import snapshot

WEB = Path(str(files("workbench.web")))
PATHS = (
    "table",
    "now",
    "news",
    "do",
    "why",
    "name",
    "language",
    "lobby",
    "summary",
    "say",
)
URLS = {name: f"/t/x/{name}" for name in PATHS}
MARKUP = '<b onclick="x">&'


def have(answer: dict[str, Any]) -> str:
    """Return the parts that a page has after an answer."""
    return ",".join(f"{part}:{digest}" for part, digest in answer["digests"].items())


@with_server()
async def test_page_receives_only_missing_parts(server: Server) -> None:
    """First all parts are sent, then none, then only changed ones."""
    made = await server.table("germany", seats=4, seed=3)
    first = changed_parts(snapshot(made.table, "red", "en"))
    assert set(first["parts"]) == set(PARTS)
    assert "whole" in first["board"]
    same = changed_parts(snapshot(made.table, "red", "en"), have(first))
    assert same["parts"] == {}
    assert "board" not in same
    go_on(made.table, 1)
    then = changed_parts(snapshot(made.table, "red", "en"), have(first))
    assert "log" in then["parts"]
    assert "hand" not in then["parts"]
    held = dict(first["parts"]) | then["parts"]
    assert held == render_parts(snapshot(made.table, "red", "en"))


@with_server()
async def test_only_changed_marks_of_a_board_are_sent(server: Server) -> None:
    """Changed marks complete the old board; for an unknown board all are sent."""
    made = await server.table("germany", seats=4, seed=3)
    before = snapshot(made.table, "red", "en")["board"]
    had = changed_parts(snapshot(made.table, "red", "en"))
    for _ in range(200):
        go_on(made.table, 1)
        then = changed_parts(snapshot(made.table, "red", "en"), have(had))
        if "board" in then:
            break
    after = snapshot(made.table, "red", "en")["board"]
    changed = then["board"]["changed"]
    assert {**before.marks, **before.top_marks} | changed == {
        **after.marks,
        **after.top_marks,
    }
    assert len(json.dumps(changed)) < len(after.svg) / 4
    unknown = changed_parts(snapshot(made.table, "red", "en"), "board:0123456789abcdef")
    assert set(unknown["board"]["whole"]) == {"marks", "over"}


@with_server()
async def test_names_with_markup_are_shown_as_they_are_written(server: Server) -> None:
    """Names never become tags, in the page and in its parts."""
    made = await server.table("germany", seats=4, seed=3)
    made.table.rename("red", MARKUP[:30])
    shown = snapshot(made.table, "blue", "en")
    text = table_page(shown, URLS, refusal={"key": "x", "words": "</script><b>"})
    assert "<b onclick" not in text
    assert "&lt;b onclick" in text
    assert "</script><b>" not in text
    assert "<b onclick" not in render_parts(shown)["players"]


@with_server()
async def test_page_has_no_inline_scripts_or_styles(server: Server) -> None:
    """Scripts and styles come from files; the data of the script is not a script."""
    made = await server.table("germany", seats=4, seed=3)
    for seat in ("orange", "red", None):
        text = table_page(snapshot(made.table, seat, "de"), URLS)
        assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:", text)
        scripts = re.findall(r"<script([^>]*)>", text)
        assert all("src=" in s or "application/json" in s for s in scripts)
        assert len(re.findall(r'id="([^"]+)"', text)) == len(
            set(re.findall(r'id="([^"]+)"', text))
        )


def test_the_address_of_a_file_has_its_digest() -> None:
    """Files can be cached forever; unknown files do not exist."""
    kept = static_file("table.js")
    assert kept is not None
    content, sort, digest = kept
    assert content == (WEB / "static" / "table.js").read_bytes()
    assert sort.startswith("text/javascript")
    assert asset_address("table.js") == f"/static/{digest}/table.js"
    for name in ("../table.py", "vendor/../../table.py", "none.js", "", "/etc/passwd"):
        assert static_file(name) is None


def said_by_ours() -> set[str]:
    """Return the keys of all phrases in templates, scripts and modules."""
    texts = [
        path.read_text(encoding="utf-8")
        for pattern in ("pages/**/*.html", "views/**/*.py", "*.py", "workshop/*.py")
        for path in WEB.glob(pattern)
    ]
    keys = set(re.findall(r"""["']((?:page|script)\.\w+)["']""", "\n".join(texts)))
    for name in ("table.js", "alerts.js", "rules_panel.js"):
        script = (WEB / "static" / name).read_text(encoding="utf-8")
        keys |= {f"script.{key}" for key in re.findall(r"\bwords\.(\w+)", script)}
    return keys | {f"page.{name}" for name in PAGES}


PAGES = ("links", "replay", "workshop", "handover", "lobby")
"""Phrases of the navigation, by names of addresses."""


def test_every_phrase_is_used_and_every_used_phrase_exists() -> None:
    """Check the sections of the table."""
    there = {
        key for key in phrases("en") if key.partition(".")[0] in {"page", "script"}
    }
    assert there == said_by_ours()


def test_each_notice_has_words() -> None:
    """Presence is excepted, because the players panel shows it."""
    there = set(Phrases("en").section("notice"))
    bare = {key for _, key in PHRASES_WITHOUT_GAP.values()}
    assert there == {str(sort) for sort in NOTICE_KINDS} - set(PRESENCE_NOTICES) | bare


@pytest.mark.parametrize("language", languages())
def test_a_language_has_the_gaps_of_english(language: str) -> None:
    """A language has no additional phrases; missing ones are in English."""
    english, own = phrases("en"), phrases(language)
    assert own.keys() == english.keys()
    for key, phrase in own.items():
        gaps = re.findall(r"\{(\w+)\}", phrase)
        assert set(gaps) == set(re.findall(r"\{(\w+)\}", english[key])), key


def test_gaps_of_a_phrase_are_filled_only_once() -> None:
    """A name that looks like a gap stays unchanged."""
    say = Phrases("en")
    assert say("page.seat_to_move", seat="{seats}") == "{seats} is to move"
    assert say.section("script")["do_it"] == "OK"


def test_requested_names_are_not_cached() -> None:
    """Requested names come from the network and could be unlimited."""
    assert static_file("table.js") is not None
    tracemalloc.start()
    try:
        for number in range(3_000):
            assert static_file(f"{number:0200}.js") is None
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept < 100_000


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_board_of_a_page_shows_every_name_whole(language: str) -> None:
    scene = scene_of(Game.start(load("germany"), seed=3), None, language)
    left, top, wide, high = map(float, draw_board(scene).box.split())
    drawn = Drawn.of_scene(scene)
    paper = drawn.name_area()

    for name, box, *_ in name_placements(scene, drawn.unit, drawn.to_picture, paper):
        assert left <= box.left < box.right <= left + wide, name
        assert top <= box.top < box.bottom <= top + high, name
