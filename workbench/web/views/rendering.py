"""Renderer of pages: Jinja turns plain data into HTML, and escapes all text.

A page consists of parts: elements with an id. Each part has a digest, and parts that
the browser has already are not sent again.
"""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from rulebook import printable_lines
from workbench.extras import Extra, import_library
from workbench.presentation.picture.panels import capitalize
from workbench.web.views.board_view import BoardView, changed_marks, grouped_svg
from workbench.web.views.phrases import Phrases, languages

PURPOSE = "the table in the browser"
PACKAGE_FILES = files("workbench.web")
MEDIA_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
}
PARTS = (
    *("turn", "actions", "hand", "tableaus", "players", "offers", "log", "places"),
    "chat",
)
"""Parts of a table's page that are sent as HTML; the board is sent mark by mark."""


# ---------------------------------------------------------------- static files


@cache
def _static_files() -> dict[str, tuple[bytes, str, str]]:
    """Return all static files by name: their bytes, media types and digests."""
    static = {}
    for name, place in _files(PACKAGE_FILES / "static"):
        ending = "." + name.rpartition(".")[2]
        if ending in MEDIA_TYPES:
            content = place.read_bytes()
            static[name] = (
                content,
                MEDIA_TYPES[ending],
                sha256(content).hexdigest()[:16],
            )
    return static


def _files(folder: Traversable, prefix: str = "") -> Iterator[tuple[str, Traversable]]:
    """Yield the files below a folder with their relative names."""
    for entry in folder.iterdir():
        name = prefix + entry.name
        if entry.is_dir():
            yield from _files(entry, f"{name}/")
        else:
            yield name, entry


def static_file(name: str) -> tuple[bytes, str, str] | None:
    """Return the bytes, media type and digest of a static file, or None."""
    return _static_files().get(name)


@cache
def asset_address(name: str) -> str:
    """Return the address of a static file, which contains a digest for caching."""
    file = static_file(name)
    if file is None:
        raise KeyError(name)
    return f"/static/{file[2]}/{name}"


# ---------------------------------------------------------------- pages


@cache
def _environment() -> Any:
    """Return the Jinja environment. Missing values in a template raise an error."""
    jinja2 = import_library("jinja2", Extra.WEB, PURPOSE)
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("workbench.web", "pages"),
        autoescape=True,
        finalize=_remove_control_characters,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.globals |= {"asset": asset_address, "languages": languages()}
    environment.filters["json"] = compact_json
    environment.filters |= {"svg": _safe_svg, "capitalise": capitalize}
    return environment


def _remove_control_characters(value: Any) -> Any:
    """Remove control characters from text before a template prints it."""
    return printable_lines(value) if type(value) is str else value


def compact_json(value: Any) -> str:
    """Return plain data as JSON without blanks."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _safe_svg(marks: Mapping[str, str]) -> Any:
    """Mark drawn SVG as safe for templates; its texts are already escaped."""
    return import_library("markupsafe", Extra.WEB, PURPOSE).Markup(grouped_svg(marks))


def render_page(name: str, **data: Any) -> str:
    """Render a template by name, in the language given by the key `language`."""
    language = str(data.get("language", "en"))
    template = _environment().get_template(f"{name}.html")
    text: str = template.render(
        **{"language": language, **data, "say": Phrases(language)}
    )
    return text


def table_page(
    snapshot: Mapping[str, Any],
    urls: Mapping[str, str],
    refusal: Mapping[str, Any] | None = None,
) -> str:
    """Render the page of a table from its snapshot."""
    parts = render_parts(snapshot)
    language = str(snapshot["language"])
    start = {
        "version": snapshot["version"],
        "seat": snapshot["seat"],
        "choices": snapshot["choices"],
        "digests": part_digests(snapshot, parts),
        "urls": dict(urls),
        "words": Phrases(language).section("script"),
        "spots": space_positions(snapshot["board"]),
        "refused": refusal,
        "now": snapshot["now"],
    }
    return render_page(
        "table",
        moment=snapshot,
        parts=parts,
        urls=urls,
        start=start,
        **_common_data(snapshot),
    )


def _common_data(snapshot: Mapping[str, Any]) -> dict[str, Any]:
    return {"language": snapshot["language"], "board": snapshot["board"]}


def render_parts(snapshot: Mapping[str, Any]) -> dict[str, str]:
    """Render all parts of a table's page as HTML, by element id."""
    language = str(snapshot["language"])
    return {name: render_part(name, snapshot, language) for name in PARTS}


def render_part(name: str, data: Mapping[str, Any], language: str, **more: Any) -> str:
    """Render a part of a page as HTML, from plain data."""
    template = _environment().get_template(f"parts/{name}.html")
    text: str = template.render(m=data, say=Phrases(language), **more)
    return text


def space_positions(board: BoardView) -> dict[str, list[Any]]:
    """Return the rounded centre (x, y) and the title of each space, by name."""
    return {
        position.name: [
            round(position.centre[0]),
            round(position.centre[1]),
            position.title,
        ]
        for position in board.positions.values()
    }


def part_digests(
    snapshot: Mapping[str, Any], parts_by_id: Mapping[str, str]
) -> dict[str, str]:
    """Return the digest of each part of a table's page, by element id."""
    digests = {name: digest(text) for name, text in parts_by_id.items()}
    return digests | {"board": snapshot["board"].digest}


def digest(text: str) -> str:
    """Return a short digest of text."""
    return sha256(text.encode()).hexdigest()[:12]


def changed_parts(snapshot: Mapping[str, Any], known_parts: str = "") -> dict[str, Any]:
    """Return the parts of a snapshot that a page lacks.

    `known_parts` lists the parts that the page has, as `part:digest,…`.
    """
    known_digests = dict(
        pair.split(":", 1)
        for pair in known_parts[:1000].split(",")
        if pair.count(":") == 1
    )
    parts = render_parts(snapshot)
    digests = part_digests(snapshot, parts)
    changed = {
        name: html
        for name, html in parts.items()
        if known_digests.get(name) != digests[name]
    }
    update: dict[str, Any] = {
        "version": snapshot["version"],
        "parts": changed,
        "choices": snapshot["choices"],
        "digests": digests,
        "now": snapshot["now"],
    }
    if known_digests.get("board") != digests["board"]:
        update["board"] = _board_changes(
            snapshot["board"], known_digests.get("board", "")
        )
    return update


def _board_changes(board: BoardView, known_digest: str) -> dict[str, Any]:
    """Return the marks that a page lacks, and the spaces if its board is unknown."""
    changes = changed_marks(board, known_digest)
    if "whole" in changes:
        changes["spots"] = space_positions(board)
    return changes
