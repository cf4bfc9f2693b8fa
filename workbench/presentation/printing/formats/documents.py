"""Printed page as plain data, for `--json`."""

from collections.abc import Iterable
from typing import Any

from rulebook import Cite
from workbench.presentation.printing.pages import (
    Block,
    PageSection,
    Picture,
    PrintedPage,
    PrintedRow,
    PrintedTable,
    TextLine,
)
from workbench.presentation.printing.reference import passage_heading
from workbench.presentation.printing.sentences.text_runs import unstyled


def document(page: PrintedPage) -> dict[str, Any]:
    """Return a printed page with all its contents as plain data."""
    return {
        "title": unstyled(page.title),
        "language": page.language,
        "notes": [unstyled(note) for note in page.notes],
        "parts": [
            _section_data(str(number), part)
            for number, part in enumerate(page.parts, 1)
        ],
    }


def _section_data(number: str, part: PageSection) -> dict[str, Any]:
    return {
        "number": number,
        "title": unstyled(part.title),
        "place": part.place or None,
        "cites": _cites_data(part.cites),
        "blocks": [_block_data(block) for block in part.blocks],
        "parts": [
            _section_data(f"{number}.{place}", inner)
            for place, inner in enumerate(part.parts, 1)
        ],
    }


def _block_data(block: Block) -> dict[str, Any]:
    match block:
        case TextLine():
            return _line_data(block)
        case PrintedTable():
            heads = [unstyled(head) for head in block.heads]
            return {"heads": heads, "rows": [_row_data(row) for row in block.rows]}
        case Picture():
            return {"svg": block.svg, "caption": unstyled(block.caption)}


def _line_data(line: TextLine) -> dict[str, Any]:
    return {
        "text": unstyled(line.text),
        "place": line.place or None,
        "cites": _cites_data(line.cites),
        "below": [_line_data(inner) for inner in line.children],
    }


def _row_data(row: PrintedRow) -> dict[str, Any]:
    return {
        "cells": [unstyled(cell) for cell in row.cells],
        "place": row.place or None,
        "cites": _cites_data(row.cites),
    }


def _cites_data(cites: Iterable[Cite]) -> list[dict[str, str]]:
    return [{"source": cite.source, "passage": passage_heading(cite)} for cite in cites]
