"""Command `rulebook format`: rule files in canonical form, with comments."""

import sys
from argparse import Namespace
from pathlib import Path

from rulebook import RulesError, format_text, read_file
from workbench.cli.frame.arguments import JSON
from workbench.cli.frame.declarations import command, flag, positional
from workbench.cli.frame.error_messages import report_exception
from workbench.cli.frame.exit_codes import FAILURE
from workbench.cli.frame.output import write_json, write_line
from workbench.files.library.atomic_files import (
    STANDARD_INPUT,
    STDIN,
    read_rules,
    read_standard_input,
    replace_text,
)


@command(
    "format",
    positional(
        "files", "FILE", "rule file to format; - reads standard input", nargs="+"
    ),
    flag("--check", "write nothing; exit with 1 if a file is not formatted"),
    JSON,
)
def run(arguments: Namespace) -> int:
    """Format rule files."""
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
