"""MkDocs hook: build the site from Markdown that is written for code hosts.

The documents link to files outside docs/ and to folders. The hook adds these targets to
the site: Markdown as pages, other files as their source, folders as lists. It also
expands folders in `nav`, and adapts lists and code blocks to Python-Markdown. It warns
of pages that still look different from CommonMark.
"""

import logging
import os.path
import posixpath
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt
from mkdocs.structure.files import File

LOG = logging.getLogger("mkdocs.hooks.site")

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
OUTSIDE = "repository"
"""Folder of the site for files from outside docs/."""

LINK = re.compile(r"(?<=\]\()[^)\s#:]+")
FENCE = re.compile(r"((```+|~~~+)\w*).*")
ITEM = re.compile(r"(?:[*+-]|\d+[.)]) +")
LANGUAGES = {".lark": "text", ".py": "python", ".rules": "text", ".toml": "toml"}
COUNTED = ("h2", "h3", "li", "pre", "tr")
"""Elements of which a page has as many as CommonMark makes of its text."""

UNSEARCHED = "---\nsearch:\n  exclude: true\n---\n\n"


def on_config(config: Any) -> Any:
    """Replace each folder in `nav` by its pages."""
    config.nav = expanded(config.nav)
    return config


def expanded(entry: Any) -> Any:
    """Return an entry of `nav` in which folders are lists of pages."""
    if isinstance(entry, list):
        return [page for each in entry for page in listed(each)]
    if isinstance(entry, dict):
        return {title: expanded(value) for title, value in entry.items()}
    return entry


def listed(entry: Any) -> list[Any]:
    """Return the pages of a folder in `nav`, or another entry itself."""
    if not isinstance(entry, str) or not entry.endswith("/"):
        return [expanded(entry)]
    first = index(DOCS / entry)
    others = {path.name for path in (DOCS / entry).glob("*.md")} - {first}
    return [entry + name for name in (first, *sorted(others))]


def index(folder: Path) -> str:
    """Return the name of the page that stands for a folder."""
    return "README.md" if (folder / "README.md").exists() else "index.md"


def source(target: Path) -> Path:
    """Return the file that is shown for a file or folder; a list need not exist."""
    return target / index(target) if target.is_dir() else target


def page_of(path: Path) -> str:
    """Return the name that the site has for a file of the repository."""
    if path.is_relative_to(DOCS):
        return path.relative_to(DOCS).as_posix()
    name = f"{OUTSIDE}/{path.relative_to(ROOT).as_posix()}"
    return name if name.endswith(".md") else f"{name}.md"


def linked(path: Path, link: str) -> Path | None:
    """Return the file of the repository to which a document links, or None."""
    target = Path(os.path.normpath(path.parent / link))
    if target.exists() and target.is_relative_to(ROOT):
        return source(target)
    return None


def on_files(files: Any, config: Any) -> Any:
    """Add the linked files from outside docs/, and a page for each linked folder."""
    waiting = [(path, path.read_text(encoding="utf-8")) for path in DOCS.rglob("*.md")]
    while waiting:
        path, text = waiting.pop()
        for target in filter(None, (linked(path, link) for link in LINK.findall(text))):
            uri = page_of(target)
            if files.get_file_from_path(uri) is None:
                content = shown(target)
                new = File.generated(config, uri, content=content)
                new.origin = target
                files.append(new)
                if target.suffix == ".md":
                    waiting.append((target, content))
    return files


def shown(path: Path) -> str:
    """Return the page of a file from outside docs/, or of a folder."""
    if path.suffix == ".md" and path.exists():
        return path.read_text(encoding="utf-8")
    if path.exists():
        name, text = path.relative_to(ROOT), path.read_text(encoding="utf-8")
        language = LANGUAGES.get(path.suffix, "text")
        return f"{UNSEARCHED}# {name.as_posix()}\n\n````{language}\n{text}````\n"
    paths = sorted(each for each in path.parent.iterdir() if each.is_file())
    lines = [f"* [{heading(each)}]({each.name})\n" for each in paths]
    return f"# {path.parent.relative_to(ROOT).as_posix()}\n\n{''.join(lines)}"


def heading(path: Path) -> str:
    """Return the title of a page, or the name of another file."""
    if path.suffix != ".md":
        return path.name
    return path.read_text(encoding="utf-8").partition("\n")[0].lstrip("# ")


def path_of(page: Any) -> Path:
    """Return the file of the repository that a page shows."""
    path: Path = getattr(page.file, "origin", DOCS / page.file.src_uri)
    return path


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Adapt links and lists outside of code."""
    path = path_of(page)
    start = posixpath.dirname(page.file.src_uri) or "."

    def moved(link: re.Match[str]) -> str:
        target = linked(path, link[0])
        return link[0] if target is None else posixpath.relpath(page_of(target), start)

    return "\n".join(adapted(markdown.split("\n"), moved))


def adapted(lines: list[str], moved: Any) -> Iterator[str]:
    """Yield the lines with other links, and four spaces for each level of a list.

    Of the words after a fence, only the first is the language.
    """
    levels: list[int] = []
    closing = before = ""
    for line in lines:
        text = line.lstrip(" ")
        indent = len(line) - len(text)
        while levels and text and indent < levels[-1] and not closing:
            levels.pop()
        depth = max(indent - (levels[-1] if levels else 0), 0) + 4 * len(levels)
        if closing:
            closing = "" if text == closing else closing
        elif fence := FENCE.fullmatch(text):
            text, closing = fence.groups()
        elif item := ITEM.match(text):
            if not levels and before and not ITEM.match(before):
                yield ""
            levels.append(indent + len(item[0]))
        yield " " * depth + (text if closing else LINK.sub(moved, text)) if text else ""
        before = text


def on_page_content(html: str, page: Any, **_: Any) -> None:
    """Warn of a page that has more or fewer elements than CommonMark makes of it."""
    path = path_of(page)
    if path.suffix != ".md" or not path.exists():
        return
    text = path.read_text(encoding="utf-8")
    expected = MarkdownIt("commonmark").enable("table").render(text)
    for element in COUNTED:
        wanted, made = (
            len(re.findall(rf"<{element}[ >]", x)) for x in (expected, html)
        )
        if wanted != made:
            LOG.warning("%s: %d <%s>, not %d", path, made, element, wanted)
