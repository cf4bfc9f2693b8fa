"""Command `rulebook repair`: the valid part of a damaged record, in a new file."""

from argparse import Namespace
from pathlib import Path

from workbench.cli.frame.arguments import JSON, RULES
from workbench.cli.frame.declarations import command, positional
from workbench.cli.frame.output import write_json, write_line
from workbench.files.library.files import create_text
from workbench.files.records.headers import book_of
from workbench.files.records.record_files import load_record
from workbench.files.records.replay import replayed


@command(
    "repair",
    positional("record", "RECORD", "damaged record"),
    RULES,
    JSON,
)
def run(arguments: Namespace) -> int:
    """Save the intact part of a damaged record."""
    text, torn = load_record(arguments.record)
    lines = [line for line in text.split("\n") if line.strip()]
    replay = replayed(text, book_of(text, arguments.rules))
    kept = lines if replay.diverged is None else lines[: replay.steps + 1]
    left_out = len(lines) - len(kept) + bool(torn)
    why = replay.sentence or ("the last line is incomplete" if torn else None)
    path = Path(arguments.record)
    out = path.with_name(f"{path.stem}.repaired{path.suffix}") if left_out else None
    if out is not None:
        create_text(out, "".join(f"{line}\n" for line in kept))
    if arguments.json:
        write_json(
            {
                "steps": replay.steps,
                "lines": len(kept),
                "left_out": left_out,
                "why": why,
                "out": None if out is None else str(out),
            }
        )
        return 0
    write_line(f"{path}: {replay.steps} steps are intact")
    if out is not None:
        write_line(f"line {len(kept) + 1}: {why}")
        write_line(f"Saved the part before this line to {out}. Next step:")
        write_line(f"  rulebook play --resume {out}")
    return 0
