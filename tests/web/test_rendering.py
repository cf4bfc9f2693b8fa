"""Pages are escaped, sent piece by piece, and say all their words in each language."""

import json
import re
import tracemalloc
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from interpreter import Game
from tests.web.test_moment import go_on
from tests.web.visiting import played, serving
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
URLS = {
    name: f"/t/x/{name}"
    for name in ("table", "now", "news", "do", "why", "name", "language", "lobby")
}
MARKUP = '<b onclick="x">&'


def have(answer: dict[str, Any]) -> str:
    """What a page has that was given an answer."""
    return ",".join(f"{part}:{digest}" for part, digest in answer["digests"].items())


@played
async def test_a_page_gets_only_the_parts_that_it_has_not(tmp_path: Path) -> None:
    """All at first, none where nothing has changed, what has changed after that."""
    async with serving(tmp_path) as server:
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


@played
async def test_of_a_board_only_marks_that_differ_are_sent(tmp_path: Path) -> None:
    """Put into the old ones they are the new board; an unknown one is sent whole."""
    async with serving(tmp_path) as server:
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
        assert {**before.marks, **before.over} | changed == {
            **after.marks,
            **after.over,
        }
        assert len(json.dumps(changed)) < len(after.svg) / 4
        unknown = changed_parts(
            snapshot(made.table, "red", "en"), "board:0123456789abcdef"
        )
        assert set(unknown["board"]["whole"]) == {"marks", "over"}


@played
async def test_names_with_markup_are_shown_as_they_are_written(tmp_path: Path) -> None:
    """In the page and in its parts nothing of them becomes a tag."""
    async with serving(tmp_path) as server:
        made = await server.table("germany", seats=4, seed=3)
        made.table.rename("red", MARKUP[:30])
        shown = snapshot(made.table, "blue", "en")
        text = table_page(shown, URLS, refusal={"key": "x", "words": "</script><b>"})
        assert "<b onclick" not in text
        assert "&lt;b onclick" in text
        assert "</script><b>" not in text
        assert "<b onclick" not in render_parts(shown)["players"]


@played
async def test_a_page_has_no_script_and_no_style_of_its_own(tmp_path: Path) -> None:
    """All of it comes from files; the data of the script is no script."""
    async with serving(tmp_path) as server:
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
    """So that it may be kept for ever; what is no file of ours is none."""
    kept = static_file("table.js")
    assert kept is not None
    content, sort, digest = kept
    assert content == (WEB / "static" / "table.js").read_bytes()
    assert sort.startswith("text/javascript")
    assert asset_address("table.js") == f"/static/{digest}/table.js"
    for name in ("../table.py", "vendor/../../table.py", "none.js", "", "/etc/passwd"):
        assert static_file(name) is None


def said_by_ours() -> set[str]:
    """The keys of all phrases that templates, scripts and modules say."""
    texts = [
        path.read_text(encoding="utf-8")
        for pattern in ("pages/**/*.html", "views/*.py", "*.py", "workshop/*.py")
        for path in WEB.glob(pattern)
    ]
    keys = set(re.findall(r"""["']((?:page|script)\.\w+)["']""", "\n".join(texts)))
    script = (WEB / "static" / "table.js").read_text(encoding="utf-8")
    keys |= {f"script.{name}" for name in re.findall(r"\bwords\.(\w+)", script)}
    return keys | {f"page.{name}" for name in PAGES}


PAGES = ("links", "replay", "workshop", "handover", "lobby")
"""What the navigation says, by the names of addresses."""


def test_every_phrase_is_said_and_every_said_phrase_is_there() -> None:
    """Of the sections that the table has."""
    there = {
        key for key in phrases("en") if key.partition(".")[0] in {"page", "script"}
    }
    assert there == said_by_ours()


def test_each_notice_has_words() -> None:
    """But who comes and goes, which stands beside the players."""
    there = set(Phrases("en").section("notice"))
    bare = {key for _, key in PHRASES_WITHOUT_GAP.values()}
    assert there == {str(sort) for sort in NOTICE_KINDS} - set(PRESENCE_NOTICES) | bare


@pytest.mark.parametrize("language", languages())
def test_a_language_has_the_gaps_of_english(language: str) -> None:
    """And no phrase of its own; English where it lacks one."""
    english, own = phrases("en"), phrases(language)
    assert own.keys() == english.keys()
    for key, phrase in own.items():
        gaps = re.findall(r"\{(\w+)\}", phrase)
        assert set(gaps) == set(re.findall(r"\{(\w+)\}", english[key])), key


def test_a_phrase_is_filled_and_never_twice() -> None:
    """A name that looks like a gap stays as it is."""
    say = Phrases("en")
    assert say("page.seat_to_move", seat="{seats}") == "{seats} is to move"
    assert say.section("script")["do_it"] == "OK"


def test_a_name_that_is_asked_for_is_not_kept() -> None:
    """Names of static files come from the network: as many as anybody likes."""
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
