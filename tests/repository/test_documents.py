"""Every path and link that a document names exists."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted(
    [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("tests/*.md")]
)
RECORDS = ROOT / "docs" / "adr"
LINK = re.compile(r"\]\(([^)#:]+)\)")
INDEX_ROW = re.compile(r"^\| (\d+) \| \[(.+)\]\((.+)\) \| .+ \|$", re.MULTILINE)
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


def test_each_decision_record_has_a_number_of_its_own() -> None:
    records = sorted(RECORDS.glob("[0-9]*.md"))
    numbers = [int(path.name[:4]) for path in records]
    headings = [path.read_text(encoding="utf-8").split("\n")[0] for path in records]

    assert numbers == sorted(set(numbers))
    assert [int(line.split()[1].rstrip(".")) for line in headings] == numbers


def test_the_index_lists_each_decision_record_by_its_title() -> None:
    rows = INDEX_ROW.findall((RECORDS / "README.md").read_text(encoding="utf-8"))
    titles = [
        (path.read_text(encoding="utf-8").split("\n")[0], path.name)
        for path in sorted(RECORDS.glob("[0-9]*.md"))
    ]

    assert [(f"# {number}. {title}", name) for number, title, name in rows] == titles
