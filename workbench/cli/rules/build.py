"""Command `rulebook build`: the generated program of a game, as text."""

from argparse import Namespace

from interpreter import kernel_program, python_program
from interpreter.c_engine import c_program
from workbench.analysis.simulation.settings import Settings
from workbench.cli.frame.arguments import OPTIONS, PLAYERS, VARIANT
from workbench.cli.frame.declarations import command, option, repeated
from workbench.cli.frame.output import write_lines
from workbench.files.library.loading import load

PROGRAMS = {"python": python_program, "c": c_program, "kernel": kernel_program}


@command(
    "build",
    VARIANT,
    option(
        "--emit",
        "language of the generated program, or `kernel` for the operations from which"
        " both programs are printed; each function is listed under its clause",
        choices=tuple(PROGRAMS),
        required=True,
    ),
    repeated(
        "--without NAME",
        "disable an optimisation: fold, inline, unroll, split, bound, order, branch,"
        " rounds, tables, narrow or near; may be repeated",
        default=[],
    ),
    PLAYERS,
    OPTIONS,
)
def run(arguments: Namespace) -> int:
    """Print the Python or C program, or the kernel, generated from the rules."""
    book = load(arguments.variant)
    settings = Settings.parse(arguments.players, 1, arguments.options, None)
    program = PROGRAMS[arguments.emit](
        book,
        players=arguments.players,
        options=dict(settings.options),
        disabled_rewrites=arguments.without,
    )
    write_lines(program.rstrip())
    return 0
