"""What the commands that set variants side by side may be given."""

from argparse import ArgumentParser

from workbench.cli.frame.arguments import add_jobs, add_json


def impact(parser: ArgumentParser) -> None:
    """Add what `rulebook impact` may be given."""
    parser.add_argument(
        "before",
        metavar="BEFORE",
        help="the rules by which the games were recorded: a shipped name, a file, or a"
        " game with house rules, joined by +",
    )
    parser.add_argument(
        "after", metavar="AFTER", help="the rules by which they are played again"
    )
    parser.add_argument(
        "--corpus",
        metavar="DIR",
        required=True,
        help="a folder with records, which may lie in folders and beside other files",
    )
    add_jobs(parser, "play records at once; what comes of it is the same")
    parser.add_argument(
        "--fail-under",
        type=float,
        metavar="PERCENT",
        help="1 if fewer games still hold (default: however many hold will do)",
    )
    add_json(parser)
