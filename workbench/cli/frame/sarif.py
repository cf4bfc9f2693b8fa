"""Diagnostics as SARIF 2.1.0, which code hosts and editors show in the source.

https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from rulebook import CODES, Diagnostic, Span
from workbench.files.library.manual import diagnostic_page as manual_page
from workbench.files.library.manual import plain_lines
from workbench.files.library.versions import version

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
TOOL_NAME = "rulebook"


def sarif_log(diagnostics: Sequence[Diagnostic]) -> dict[str, Any]:
    """Return a SARIF log with one run: all diagnostics in order, and their codes.

    Columns count code points from 1, and ends are exclusive, as in diagnostics.
    """
    codes = sorted({diagnostic.code for diagnostic in diagnostics})
    driver: dict[str, Any] = {
        "name": TOOL_NAME,
        "rules": [_rule_descriptor(code) for code in codes],
    }
    if number := version():
        driver["version"] = number
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(each, codes.index(each.code)) for each in diagnostics],
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule_descriptor(code: str) -> dict[str, Any]:
    """Return the SARIF rule of a diagnostic code, with its page of the manual."""
    page = manual_page(code)
    return {
        "id": code,
        "shortDescription": {"text": CODES[code]},
        "help": {"text": "\n".join(plain_lines(page)), "markdown": page},
    }


def _result(diagnostic: Diagnostic, rule: int) -> dict[str, Any]:
    sentences = [diagnostic.message, *([diagnostic.help] if diagnostic.help else [])]
    result = {
        "ruleId": diagnostic.code,
        "ruleIndex": rule,
        "level": diagnostic.severity,
        "message": {"text": "; ".join(sentences)},
        "locations": [_location(diagnostic.span)],
    }
    related = list(_related(diagnostic))
    return result | ({"relatedLocations": related} if related else {})


def _related(diagnostic: Diagnostic) -> Iterator[dict[str, Any]]:
    for span, text in diagnostic.related:
        yield {**_location(span), "message": {"text": text}}


def _location(span: Span) -> dict[str, Any]:
    return {
        "physicalLocation": {
            "artifactLocation": {"uri": _file_uri(span.file)},
            "region": {
                "startLine": span.line,
                "startColumn": span.column,
                "endLine": span.end_line,
                "endColumn": span.end_column,
            },
        }
    }


def _file_uri(file: str) -> str:
    """Return the URI of a file, relative if the file is in the working folder."""
    path = Path(file)
    if not path.is_absolute():
        return quote(path.as_posix())
    try:
        return quote(path.relative_to(Path.cwd()).as_posix())
    except ValueError:
        return path.as_uri()
