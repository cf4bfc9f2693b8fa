"""`rulebook simulate`: many games by bots, and what they came to."""

import json
import os
import sys
import time
from argparse import Namespace
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import attrs

from rulebook import Rulebook, visible
from workbench.cli.frame.games import settings
from workbench.cli.frame.output import put, put_json, put_rows
from workbench.console.progress import progress
from workbench.errors import Refused
from workbench.library.files import (
    RESULTS,
    Lines,
    create_text,
    is_regular,
    replace_text,
    spare,
)
from workbench.library.loading import load
from workbench.measures.measured import whole_table
from workbench.measures.summary import Summary, summed_up, worth_showing
from workbench.measures.summary import cells as measures
from workbench.simulation import engines
from workbench.simulation.comparison import Row, cells, compared
from workbench.simulation.measuring import legend_for
from workbench.simulation.simulation import Limits, Task, bots_by_seat, simulate
from workbench.simulation.statistics import Result, summary

LABEL = 10
"""How wide the labels of a summary are at least, so that those of its parts agree."""
FEW = 10
"""Below it a number in a second has a fraction."""
MEANS: Mapping[str, Any] = {"right": (1, 2), "least": (0, 10, 10)}
"""How the two means stand in the table of a comparison."""


@attrs.frozen
class Played:
    """What the games of one variant came to."""

    document: dict[str, Any]
    results: Sequence[Result]
    bots: Mapping[str, str]

    @property
    def name(self) -> str:
        """What the variant is called."""
        return str(self.document["variant"])

    @property
    def seats(self) -> tuple[str, ...]:
        """Who played."""
        return tuple(self.bots)


def run(arguments: Namespace) -> int:
    """The exit code of `rulebook simulate`."""
    _check(arguments)
    books = {variant: load(variant) for variant in arguments.variants}
    chosen = settings(arguments)
    seats = dict.fromkeys(chosen.start(book, turns=0).seats for book in books.values())
    if len(seats) > 1:
        who = " / ".join(", ".join(seating) for seating in seats)
        help = (
            "say --players N" if len({len(seating) for seating in seats}) > 1 else None
        )
        raise Refused(f"the seats are not the same: {who}", help)
    played = [_played(variant, book, arguments) for variant, book in books.items()]
    if len(played) == 1:
        if arguments.json:
            put_json(played[0].document)
        else:
            _show(played[0])
        return 0
    rows = [
        (other, list(compared(played[0].results, other.results, other.seats)))
        for other in played[1:]
    ]
    if arguments.json:
        put_json(
            {
                "variants": [variant.document for variant in played],
                "differences": [
                    {
                        "variant": other.name,
                        "against": played[0].name,
                        "rows": [row.to_json() for row in differences],
                    }
                    for other, differences in rows
                ],
            }
        )
    else:
        _show_differences(played[0], rows)
    return 0


def _played(variant: str, book: Rulebook, arguments: Namespace) -> Played:
    """Play the games of one variant."""
    chosen = settings(arguments)
    seats = list(chosen.start(book, turns=0).seats)  # refuses what does not fit
    task = Task(
        bots_by_seat(arguments.bots.split(","), seats),
        chosen,
        Limits(arguments.max_turns, arguments.max_decisions),
        keep_record=arguments.records is not None,
        measures=arguments.measures,
    )
    _see_places(arguments)
    engine = engines.chosen(arguments.engine, book, task, arguments.games)
    if engine.note is not None:
        sys.stderr.write(f"note: {visible(engine.note)}\n")
    begun = time.perf_counter()
    games = simulate(
        variant, book, task, arguments.games, arguments.jobs, engine.native
    )
    what = f"games of {book.name}"
    came = list(_kept(progress(games, arguments.games, what), arguments))
    results = sorted(came, key=lambda game_result: game_result.seed)
    if came != results:
        _put_in_order(results, arguments.out)
    seconds = time.perf_counter() - begun
    document = {
        "variant": book.name,
        "digest": book.digest,
        "players": len(seats),
        "games": arguments.games,
        "seed": arguments.seed,
        "bot_seed": chosen.bot_seed,
        "engine": engine.name,
        **summary(results, seats, seconds),
    }
    if arguments.measures:
        table = whole_table(legend_for(book, chosen))
        rows = [dict(result.measures or {}) for result in results]
        document["measures"] = [said.to_json() for said in summed_up(rows, table)]
    return Played(document, results, task.bots)


def _check(arguments: Namespace) -> None:
    """Refuse numbers that make no sense, and files for more than one variant."""
    arguments.variants = list(dict.fromkeys(arguments.variants))
    if len(arguments.variants) > 1 and (arguments.out or arguments.records):
        raise Refused("--out and --records are for one variant", "simulate each alone")
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
            out = stack.enter_context(Lines(arguments.out))
        for result in results:
            if result.record is not None:
                create_text(_place(arguments.records, result.seed), result.record)
            if out is not None:
                out.add(_line(result))
            yield result


def _place(folder: str, seed: int) -> Path:
    """Where the record of a game is kept."""
    return Path(folder) / f"{seed}.jsonl"


def _line(result: Result) -> str:
    return json.dumps(result.to_json(), ensure_ascii=False) + "\n"


def _put_in_order(results: Iterable[Result], out: str | None) -> None:
    """Write the lines of games by seed, once all are there; a pipe has had its own."""
    if out is not None and is_regular(out):
        replace_text(Path(out), "".join(map(_line, results)))


def _see_places(arguments: Namespace) -> None:
    """See that what will be written takes the place of nothing else."""
    if arguments.out is not None:
        spare(arguments.out, RESULTS, "what `simulate` writes")
    if arguments.records is not None:
        Path(arguments.records).mkdir(parents=True, exist_ok=True)
        seeds = range(arguments.seed, arguments.seed + arguments.games)
        there = [
            path for seed in seeds if (path := _place(arguments.records, seed)).exists()
        ]
        if there:
            raise Refused(f"{there[0]} is there already", "name another folder")


def _show(played: Played) -> None:
    document = played.document
    sizes = f"{document['players']} players, {document['games']} games"
    put(f"{document['variant']}, {sizes}")
    put_rows(_summed(played), indent=2, least=[LABEL], texts=[1])
    rows = per_game(document["actions"], document["games"])
    put_rows(rows, indent=2, least=[LABEL], right=[2])
    games, decisions = document["games_per_second"], document["decisions_per_second"]
    speed = f"{pace(games)} games and {pace(decisions)} decisions a second"
    put_rows([("speed", speed)], indent=2, least=[LABEL], texts=[1])
    if "measures" in document:
        said = [Summary(**measure) for measure in document["measures"]]
        shown = [measures(x, document["games"]) for x in worth_showing(said)]
        put_rows(shown, indent=2, least=[LABEL], right=[1])


def pace(number: float) -> str:
    """How many there are in a second, for people: of few the fraction counts too.

    >>> pace(1234567.8), pace(0.0471)
    ('1,234,568', '0.047')
    """
    return f"{number:,.0f}" if number >= FEW else f"{number:.2g}"


def _summed(played: Played) -> Iterator[tuple[str, str]]:
    """What the games of one variant came to, each behind its label."""
    document = played.document
    yield "finished", f"{document['finished']}, unfinished {document['unfinished']}"
    if played.results:
        first, last = played.results[0].seed, played.results[-1].seed
        yield "seeds", f"{first} to {last}, of the bots {document['bot_seed']}"
    for seat, wins in document["wins"].items():
        yield "wins", f"{seat} ({played.bots[seat]}): {wins}"
    yield "draws", str(document["draws"])
    for name in ("turns", "decisions"):
        values = document[name]
        middle = f"mean {values['mean']}, median {values['median']}"
        yield name, f"{middle}, 95 % at most {values['p95']}"


def per_game(actions: Mapping[str, int], games: int) -> Iterator[tuple[str, str, str]]:
    """How often each action was done in a game, what is done most comes first."""
    for name in sorted(actions, key=lambda name: (-actions[name], name)):
        yield "a game", name, f"{actions[name] / games:.2f} times"


def _show_differences(
    first: Played, others: Sequence[tuple[Played, Sequence[Row]]]
) -> None:
    for other, rows in others:
        sizes = f"{len(other.seats)} players, {len(other.results)} games"
        put(f"{other.name} against {first.name}, {sizes} each, of the same seeds")
        heads = ("a game", first.name, other.name, "difference")
        put_rows(map(cells, rows), heads=heads, indent=2, **MEANS)
    put("± is twice the standard error: a difference within it may be chance")
    for played in (first, *(other for other, _ in others)):
        if played.document["unfinished"]:
            number = played.document["unfinished"]
            put(f"{played.name}: {number} games were not finished")
