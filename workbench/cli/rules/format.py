"""Command `rulebook format`: rule files in canonical form, or upgraded."""

import sys
from argparse import Namespace
from pathlib import Path
from typing import Any

from rulebook import RulesError, format_text, read_file
from rulebook.tooling import AppliedRewrite, Upgrade
from workbench.cli.frame.arguments import JSON
from workbench.cli.frame.declarations import command, flag, positional
from workbench.cli.frame.error_messages import (
    report_exception,
    write_diagnostics,
)
from workbench.cli.frame.exit_codes import FAILURE
from workbench.cli.frame.output import write_json, write_line, write_note
from workbench.errors import RequestError
from workbench.files.file_upgrade import texts_read, upgrade_files
from workbench.files.library.atomic_files import (
    STANDARD_INPUT,
    STDIN,
    check_writable,
    read_rules,
    read_standard_input,
    replace_text,
)


@command(
    "format",
    positional(
        "files", "FILE", "rule file to format; - reads standard input", nargs="+"
    ),
    flag("--check", "write nothing; exit with 1 if a file would be changed"),
    flag(
        "--upgrade",
        "rewrite what earlier versions accepted and this version refuses, instead of "
        "formatting; list all files of a game",
    ),
    JSON,
)
def run(arguments: Namespace) -> int:
    """Format rule files, or upgrade them from earlier versions."""
    if arguments.upgrade:
        return _upgrade(arguments)
    if arguments.files == [STDIN] and not arguments.json:
        text = read_standard_input()
        formatted = format_text(text, STANDARD_INPUT)
        if not arguments.check:
            sys.stdout.write(formatted)
        return int(arguments.check and formatted != text)
    rows = []
    broken = False
    for name in arguments.files:
        try:
            rows.append({"file": name, "changed": _format_file(name, arguments.check)})
        except RulesError as error:
            report_exception(error)
            broken = True
    changed = [row for row in rows if row["changed"]]
    if arguments.json:
        write_json(rows)
    else:
        verb = "would be changed" if arguments.check else "changed"
        for row in changed:
            write_line(f"{row['file']}: {verb}")
    return FAILURE if broken or (arguments.check and changed) else 0


def _format_file(name: str, check: bool) -> bool:
    """Format a file, or only check it; return whether its text changes."""
    path = Path(name)
    text = read_rules(path)
    formatted = format_text(text, name)
    if formatted.encode() == read_file(path):
        return False
    if not check:
        replace_text(path, formatted)
    return True


# ---------------------------------------------------------------- upgrade


def _upgrade(arguments: Namespace) -> int:
    """Upgrade files together, and report each rewrite and each remaining error.

    A file is written if at least one rewrite applies to it, even if errors remain.
    """
    if STDIN in arguments.files:
        raise RequestError("--upgrade needs files", "list all files of the game")
    paths = list(dict.fromkeys(map(Path, arguments.files)))
    upgrade = upgrade_files(paths)
    changed = [
        path for path in paths if any(x.file == str(path) for x in upgrade.applied)
    ]
    if arguments.json:
        write_json([_document(path, upgrade) for path in paths])
    else:
        for rewrite in upgrade.applied:
            _write_rewrite(rewrite)
        verb = "would be upgraded" if arguments.check else "upgraded"
        for path in changed:
            write_line(f"{path}: {verb}")
    if not arguments.check:
        for path in changed:
            check_writable(path)
        for path in changed:
            replace_text(path, upgrade.texts[str(path)])
    if upgrade.remaining:
        _report_remaining(upgrade)
    return FAILURE if upgrade.remaining or (arguments.check and changed) else 0


def _write_rewrite(rewrite: AppliedRewrite) -> None:
    """Write the place and name of a rewrite, and the lines that it replaced."""
    place = f"{rewrite.file}:{rewrite.line}"
    write_line(f"{place}: {rewrite.rewrite} (since {rewrite.since})")
    for sign, lines in ("-", rewrite.old), ("+", rewrite.new):
        for line in lines:
            write_line(f"{sign} {line}")


def _report_remaining(upgrade: Upgrade) -> None:
    """Write the errors that no rewrite removes, and the files that are not listed."""
    write_diagnostics(upgrade.remaining, texts_read(upgrade.texts), sys.stderr)
    for file in dict.fromkeys(error.span.file for error in upgrade.remaining):
        if file not in upgrade.texts:
            write_note(f"{file} was not upgraded; list it as well")


def _document(path: Path, upgrade: Upgrade) -> dict[str, Any]:
    """Return the result for one file as plain data."""
    rewrites = [
        {
            "rewrite": rewrite.rewrite,
            "since": rewrite.since,
            "line": rewrite.line,
            "old": list(rewrite.old),
            "new": list(rewrite.new),
        }
        for rewrite in upgrade.applied
        if rewrite.file == str(path)
    ]
    errors = [x.to_json() for x in upgrade.remaining if x.span.file == str(path)]
    return {
        "file": str(path),
        "changed": bool(rewrites),
        "rewrites": rewrites,
        "errors": errors,
    }
