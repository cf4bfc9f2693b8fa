"""The how-to pages: their commands and programs run and print what a page shows."""

from pathlib import Path

import pytest

from tests.native.compilers import CC
from tests.support.transcripts import Transcript, agrees, blocks

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "docs" / "how-to").glob("*.md"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_prints_what_it_shows(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every command and program of a page runs, in order, with the output shown."""
    if page.stem == "native-engine" and CC is None:
        pytest.skip("NO COMPILER OF C: this page is not tested")
    plugin = (ROOT / "conftest.py").read_text(encoding="utf-8")
    (tmp_path / "conftest.py").write_text(plugin)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    text = page.read_text(encoding="utf-8")
    for library in ("numpy", "pettingzoo", "pyspiel"):
        if f"import {library}" in text:
            pytest.importorskip(library)
    page_blocks = list(blocks(text))

    assert any(block.language in {"sh", "python"} for block in page_blocks)
    transcript = Transcript(tmp_path)
    for block in page_blocks:
        transcript.follow(block)


ELLIPSES = [
    ("a\nb\n", "a\nb\n", True),
    ("a\nb\n", "a\n", False),
    ("a\nb\nc\n", "a\n…\nc\n", True),
    ("a\nb\nc\n", "…\nc\n", True),
    ("a\nb\nc\n", "a\n…\n", True),
    ("a\nb\nc\n", "a\n…\nd\n", False),
    ("1 game in 3.2 s\n", "1 game in … s\n", True),
    ("1 game in 3.2 s\n", "2 games in … s\n", False),
]
"""Output, the page's version of it, and whether the two agree."""


def test_an_ellipsis_matches_any_output() -> None:
    """`…` matches any lines, or any text in a line; all other text must be equal."""
    for printed, shown, same in ELLIPSES:
        assert agrees(printed, shown) == same, (printed, shown)
