"""Every path, link and anchor in a document of the repository exists."""

import os.path
import re
import subprocess
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RECORDS = ROOT / "docs" / "adr"
LINK = re.compile(r"\]\(([^)#:\s]*)(?:#([^)\s]*))?\)")
INDEX_ROW = re.compile(r"^\| (\d+) \| \[(.+)\]\((.+)\) \| .+ \|$", re.MULTILINE)
PLACE = re.compile(
    r"`((?:tests|docs|rulebook|interpreter|workbench|variants|\.ci)/[^`<* ]*)`"
)
FENCED = re.compile(r"^ *(```+|~~~+).*?^ *\1$", re.DOTALL | re.MULTILINE)
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)


def documents() -> list[Path]:
    """Return the Markdown files of the repository that git does not ignore."""
    command = ["git", "ls-files", "-co", "--exclude-standard", "*.md"]
    try:
        listing = subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
    names = listing.stdout.decode().splitlines()
    return sorted(ROOT / name for name in names if (ROOT / name).is_file())


DOCUMENTS = documents()


@cache
def anchors(path: Path) -> frozenset[str]:
    """Return the anchors that code hosts give to the headings of a document."""
    text = FENCED.sub("", path.read_text(encoding="utf-8"))
    titles = (LINK.sub("", title).lower() for title in HEADING.findall(text))
    return frozenset(re.sub(r"[^\w\- ]", "", it).replace(" ", "-") for it in titles)


def is_dead(path: Path, link: str, anchor: str) -> bool:
    """Return whether a link of a document leads nowhere."""
    target = Path(os.path.normpath(path.parent / link)) if link else path
    if not target.is_relative_to(ROOT) or not target.exists():
        return True
    return bool(anchor and target.suffix == ".md" and anchor not in anchors(target))


def test_the_repository_has_documents() -> None:
    names = {path.relative_to(ROOT).as_posix() for path in DOCUMENTS}

    assert {"README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "docs/index.md"} <= names


@pytest.mark.parametrize(
    "path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT))
)
def test_links_lead_somewhere(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    dead = [each for each in LINK.findall(text) if is_dead(path, *each)]
    missing = [place for place in PLACE.findall(text) if not (ROOT / place).exists()]

    assert (dead, missing) == ([], [])


def test_the_paths_of_the_guide_for_contributors_exist() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    paths = re.findall(r"(?<![\w/.])(?:tests|docs|rulebook|workbench)/[\w./-]+", text)

    assert len(paths) > 10
    assert [path for path in paths if not (ROOT / path.rstrip(".")).exists()] == []


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
