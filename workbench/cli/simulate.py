"""`rulebook simulate`: many games by bots, and what they came to."""

import json
import os
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from workbench.bots import BOTS
from workbench.cli.command import (
    Command,
    add_json,
    add_settings,
    put,
    put_json,
    settings,
)
from workbench.errors import Refused
from workbench.loading import load
from workbench.progress import progress
from workbench.simulation import (
    DECISIONS_MAX,
    Limits,
    Task,
    bots_by_seat,
    simulate,
)
from workbench.statistics import Result, summary


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("variant", metavar="VARIANT")
    parser.add_argument("--games", type=int, default=100, metavar="N")
    parser.add_argument(
        "--bots",
        default="random",
        metavar="NAME[,NAME...]",
        help=f"{', '.join(BOTS)}, or your own as FILE.py:NAME or MODULE:NAME; one for"
        " every seat, or one for each",
    )
    parser.add_argument(
        "--engine", choices=("auto", "reference", "native"), default="auto"
    )
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="processes")
    parser.add_argument("--max-turns", type=int, metavar="N")
    parser.add_argument("--max-decisions", type=int, default=DECISIONS_MAX, metavar="N")
    parser.add_argument("--out", metavar="FILE.jsonl", help="one line for each game")
    parser.add_argument("--records", metavar="DIR", help="one record for each game")
    add_settings(parser)
    add_json(parser)


def _run(arguments: Namespace) -> int:
    _check(arguments)
    book = load(arguments.variant)
    chosen = settings(arguments)
    seats = list(chosen.start(book).seats)  # refuses what does not fit, before work
    task = Task(
        bots_by_seat(arguments.bots.split(","), seats),
        chosen,
        Limits(arguments.max_turns, arguments.max_decisions),
        keep_record=arguments.records is not None,
    )
    begun = time.perf_counter()
    games = simulate(
        arguments.variant, book, task, arguments.games, arguments.seed, arguments.jobs
    )
    results = list(_kept(progress(games, arguments.games), arguments))
    seconds = time.perf_counter() - begun
    document = {
        "variant": book.name,
        "digest": book.digest,
        "players": len(seats),
        "games": arguments.games,
        "seed": arguments.seed,
        "engine": "reference",
        **summary(results, seats, seconds),
    }
    if arguments.json:
        put_json(document)
    else:
        _show(document, task.bots)
    return 0


def _check(arguments: Namespace) -> None:
    """Refuse numbers that make no sense and the engine that does not exist yet."""
    if arguments.engine == "native":
        raise Refused("the native engine does not exist yet", "use --engine reference")
    least = {"games": 0, "jobs": 1, "max_turns": 1, "max_decisions": 1}
    for name, low in least.items():
        value = getattr(arguments, name)
        if value is not None and value < low:
            flag = name.replace("_", "-")
            raise Refused(f"--{flag} {value} is less than {low}")
    if arguments.jobs > (os.cpu_count() or 1) * 4:
        raise Refused(f"--jobs {arguments.jobs} is more than this machine can use")


def _kept(results: Iterable[Result], arguments: Namespace) -> Iterator[Result]:
    """The results, each written to the files that were asked for as it comes."""
    with ExitStack() as stack:
        out = None
        if arguments.out is not None:
            out = stack.enter_context(Path(arguments.out).open("w", encoding="utf-8"))
        if arguments.records is not None:
            Path(arguments.records).mkdir(parents=True, exist_ok=True)
        for result in results:
            if out is not None:
                out.write(json.dumps(result.to_json(), ensure_ascii=False) + "\n")
            if result.record is not None:
                place = Path(arguments.records) / f"{result.seed}.jsonl"
                place.write_text(result.record, encoding="utf-8", newline="\n")
            yield result


def _show(document: dict[str, Any], bots: Mapping[str, str]) -> None:
    sizes = f"{document['players']} players, {document['games']} games"
    put(f"{document['variant']}, {sizes}")
    put(f"  finished    {document['finished']}, unfinished {document['unfinished']}")
    for seat, wins in document["wins"].items():
        put(f"  wins        {seat} ({bots[seat]}): {wins}")
    put(f"  draws       {document['draws']}")
    for name in ("turns", "decisions"):
        values = document[name]
        put(
            f"  {name:<11} mean {values['mean']}, median {values['median']}, "
            f"95 % at most {values['p95']}"
        )
    put(
        f"  speed       {document['games_per_second']} games and "
        f"{document['decisions_per_second']} decisions a second"
    )


SIMULATE = Command("simulate", "play many games with bots and report", _arguments, _run)
