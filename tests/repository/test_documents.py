"""The Markdown files: links, decision records, the glossary."""

import os.path
import re
import subprocess
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
RECORDS = ROOT / "docs" / "adr"
LINK = re.compile(r"\]\(([^)#:\s]*)(?:#([^)\s]*))?\)")
INDEX_ROW = re.compile(r"^- \[(\d+)\. (.+)\]\((.+)\)$", re.MULTILINE)
PLACE = re.compile(
    r"`((?:tests|docs|rulebook|interpreter|workbench|variants|\.ci)/[^`<* ]*)`"
)
FENCED = re.compile(r"^ *(```+|~~~+).*?^ *\1$", re.DOTALL | re.MULTILINE)
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
GLOSSARY = ROOT / "docs" / "glossary.md"
ROOMS = ROOT / "docs" / "adr" / "0046-package-structure.md"
ROW = re.compile(r"^\| (?P<word>[^|]+) \| (?P<means>[^|]+) \|$", re.MULTILINE)
MODULE = re.compile(r"\(`([\w/]+)\.py`\)$")
NAMES = re.compile(r"^\* Modules are called .*?(?=^\*|^#|\Z)", re.MULTILINE | re.DOTALL)
HEAD = ("word", "---")


def rows() -> list[tuple[str, str]]:
    """Return the words of the glossary with their meanings, in order."""
    matches = ROW.finditer(GLOSSARY.read_text(encoding="utf-8"))
    return [(row["word"], row["means"]) for row in matches if row["word"] not in HEAD]


def modules() -> dict[str, Path]:
    """Return the words that name a module, each with its path without `.py`."""
    matches = ((word, MODULE.search(means)) for word, means in rows())
    return {word: Path(match[1]) for word, match in matches if match is not None}


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
    """The list of documents is not empty by mistake."""
    names = {path.relative_to(ROOT).as_posix() for path in DOCUMENTS}

    assert {"README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "docs/index.md"} <= names


def test_links_and_paths_exist() -> None:
    """No document links to, or names, a file or an anchor that is missing."""
    missing = []
    for path in DOCUMENTS:
        text, page = path.read_text(encoding="utf-8"), path.relative_to(ROOT)
        dead = (each for each in LINK.findall(text) if is_dead(path, *each))
        missing += [f"{page}: {'#'.join(each)}" for each in dead]
        places = (place for place in PLACE.findall(text) if not (ROOT / place).exists())
        missing += [f"{page}: {place}" for place in places]

    assert not missing, "\n".join(missing)


def test_the_paths_of_the_guide_for_contributors_exist() -> None:
    """Each path in CONTRIBUTING.md exists, also inside of commands."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    paths = re.findall(r"(?<![\w/.])(?:tests|docs|rulebook|workbench)/[\w./-]+", text)

    assert len(paths) > 10
    assert [path for path in paths if not (ROOT / path.rstrip(".")).exists()] == []


def test_each_decision_record_has_a_unique_number() -> None:
    """The number in the file name of a decision record is also in its heading."""
    records = sorted(RECORDS.glob("[0-9]*.md"))
    numbers = [int(path.name[:4]) for path in records]
    headings = [path.read_text(encoding="utf-8").split("\n")[0] for path in records]

    assert numbers == sorted(set(numbers))
    assert [int(line.split()[1].rstrip(".")) for line in headings] == numbers


def test_the_index_lists_each_decision_record_by_its_title() -> None:
    """The rows of docs/adr/README.md are the titles of the records, in order."""
    rows = INDEX_ROW.findall((RECORDS / "README.md").read_text(encoding="utf-8"))
    titles = [
        (path.read_text(encoding="utf-8").split("\n")[0], path.name)
        for path in sorted(RECORDS.glob("[0-9]*.md"))
    ]

    assert [(f"# {number}. {title}", name) for number, title, name in rows] == titles


def test_the_glossary_lists_each_word_once_in_order() -> None:
    """Words are sorted without regard to case, and every line of the table is read."""
    text = GLOSSARY.read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line.startswith("|")]
    words = [word for word, _ in rows()]

    assert len(lines) == len(words) + len(HEAD)
    assert words == sorted(words, key=str.casefold)
    assert len(words) == len({word.casefold() for word in words})


def test_modules_are_called_by_the_words_of_the_glossary() -> None:
    """A module that the glossary names exists, and its name contains the word."""
    problems = []
    for word, path in modules().items():
        name = word.replace(" ", "_")
        if f"_{name}" not in f"_{path.name}":
            problems.append(f"{path} is not called after `{name}`")
        if not (ROOT / path).with_suffix(".py").is_file():
            problems.append(f"{word}: there is no {path}.py")

    assert len(modules()) > 30
    assert problems == []


def test_the_glossary_explains_the_words_of_the_rooms() -> None:
    """The names that the decision on rooms takes from the field are in the glossary."""
    section = NAMES.search(ROOMS.read_text(encoding="utf-8"))
    assert section is not None
    names = set(re.findall(r"`(\w+)`", section[0]))

    assert len(names) >= 10
    assert names - {module.name for module in modules().values()} == set()
