"""Command `rulebook cache`: cached files, and the compiler for native engines."""

from argparse import Namespace
from typing import Any

import attrs

from interpreter.c_engine import BuildFailure, c_compiler, user_cache
from rulebook.tooling import cache_folder
from workbench.cli.frame.arguments import JSON
from workbench.cli.frame.declarations import command, flag
from workbench.cli.frame.output import write_json, write_line, write_table
from workbench.files.library.cache_folder import cache_usage, clear_cache

UNITS = ("bytes", "kB", "MB", "GB")
MIN_COLUMN_WIDTHS = (15, 10, 10)
"""Minimum widths of the columns in characters: kind, files, size."""


@command(
    "cache",
    flag("--clear", "delete the caches; they are rebuilt when needed"),
    JSON,
)
def run(arguments: Namespace) -> int:
    """Show or delete the caches."""
    folder = cache_folder()
    if arguments.clear and folder is not None:
        clear_cache(folder)
    document = cache_document()
    if arguments.json:
        write_json(document)
        return 0
    write_usage(document)
    return 0


def cache_document() -> dict[str, Any]:
    """Return the cache folder, each cache's usage and the compiler, as plain data."""
    folder, compiler = cache_folder(), c_compiler()
    built = folder is not None and (folder / "engines").is_dir()
    has_failed = isinstance(compiler, BuildFailure)
    return {
        "folder": None if folder is None else str(folder),
        "kept": []
        if folder is None
        else [attrs.asdict(row) for row in cache_usage(folder)],
        "keeps_engines": folder is not None and (not built or user_cache() is not None),
        "compiler": None if isinstance(compiler, BuildFailure) else compiler.name,
        "reason": str(compiler) if has_failed else None,
    }


def write_usage(document: dict[str, Any]) -> None:
    """Write the cache usage and the compiler from `cache_document` as text."""
    write_line(document["folder"] or "no cache folder: there is no home folder")
    rows = [usage_cells(row) for row in document["kept"] if row["files"]]
    if rows:
        write_table(rows, indent=2, min_widths=MIN_COLUMN_WIDTHS, right_aligned=[1, 2])
    else:
        write_line("  empty")
    if document["compiler"] is None:
        write_line(f"native engines cannot be built: {document['reason']}")
        return
    write_line(f"native engines are compiled with {document['compiler']}")
    if not document["keeps_engines"]:
        write_line("native engines are not cached: no folder is private to you")


def usage_cells(row: dict[str, Any]) -> tuple[str, str, str]:
    """Return the table cells of one kind of cached file: name, count and size."""
    number = row["files"]
    files = "1 file" if number == 1 else f"{number:,} files"
    return row["kind"], files, size_text(row["bytes"])


def size_text(number: int) -> str:
    """Return a number of bytes as text, such as `1.5 MB`."""
    amount, unit = float(number), 0
    while amount >= 1000 and unit < len(UNITS) - 1:
        amount, unit = amount / 1000, unit + 1
    return f"{amount:.3g} {UNITS[unit]}"
