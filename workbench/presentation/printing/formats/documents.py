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
from workbench.presentation.printing.reference import passage_of
from workbench.presentation.printing.sentences.text_runs import letters


def document(page: PrintedPage) -> dict[str, Any]:
    """Return a printed page with all its contents as plain data."""
    return {
        "title": letters(page.title),
        "language": page.language,
        "notes": [letters(note) for note in page.notes],
        "parts": [
            _part(str(number), part) for number, part in enumerate(page.parts, 1)
        ],
    }


def _part(number: str, part: PageSection) -> dict[str, Any]:
    return {
        "number": number,
        "title": letters(part.title),
        "place": part.place or None,
        "cites": _cites(part.cites),
        "blocks": [_block(block) for block in part.blocks],
        "parts": [
            _part(f"{number}.{place}", inner)
            for place, inner in enumerate(part.parts, 1)
        ],
    }


def _block(block: Block) -> dict[str, Any]:
    match block:
        case TextLine():
            return _line(block)
        case PrintedTable():
            heads = [letters(head) for head in block.heads]
            return {"heads": heads, "rows": [_row(row) for row in block.rows]}
        case Picture():
            return {"svg": block.svg, "caption": letters(block.caption)}


def _line(line: TextLine) -> dict[str, Any]:
    return {
        "text": letters(line.text),
        "place": line.place or None,
        "cites": _cites(line.cites),
        "below": [_line(inner) for inner in line.below],
    }


def _row(row: PrintedRow) -> dict[str, Any]:
    return {
        "cells": [letters(cell) for cell in row.cells],
        "place": row.place or None,
        "cites": _cites(row.cites),
    }


def _cites(cites: Iterable[Cite]) -> list[dict[str, str]]:
    return [{"source": cite.source, "passage": passage_of(cite)} for cite in cites]
