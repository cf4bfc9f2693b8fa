"""Every path and link that a document names exists."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted(
    [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("tests/*.md")]
)
LINK = re.compile(r"\]\(([^)#:]+)\)")
PLACE = re.compile(
    r"`((?:tests|docs|rulebook|interpreter|workbench|variants|\.ci)/[^`<* ]*)`"
)


@pytest.mark.parametrize(
    "path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT))
)
def test_links_lead_somewhere(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    missing = [link for link in LINK.findall(text) if not (path.parent / link).exists()]
    missing += [place for place in PLACE.findall(text) if not (ROOT / place).exists()]

    assert missing == []
