"""What a how-to page shows is so: its commands and programs run and print that."""

from pathlib import Path

import pytest

from tests.native.compilers import CC
from tests.support.transcripts import Transcript, agrees, blocks

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "docs" / "how-to").glob("*.md"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_does_what_it_says(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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


@pytest.mark.parametrize(
    ("printed", "shown", "same"),
    [
        ("a\nb\n", "a\nb\n", True),
        ("a\nb\n", "a\n", False),
        ("a\nb\nc\n", "a\n…\nc\n", True),
        ("a\nb\nc\n", "…\nc\n", True),
        ("a\nb\nc\n", "a\n…\n", True),
        ("a\nb\nc\n", "a\n…\nd\n", False),
        ("1 game in 3.2 s\n", "1 game in … s\n", True),
        ("1 game in 3.2 s\n", "2 games in … s\n", False),
    ],
)
def test_what_is_left_out_may_be_anything(printed: str, shown: str, same: bool) -> None:
    assert agrees(printed, shown) == same
