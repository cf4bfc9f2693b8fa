"""Many games by bots: seeds in, results and statistics out.

Game i has seed S + i, whatever the number of processes, and results come in order of
seed. A game that reaches a limit of turns or decisions is unfinished, not an error.
"""

import signal
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import Any

import attrs

from interpreter import Game
from rulebook import Rulebook
from workbench.bots import decide, generator
from workbench.errors import Refused
from workbench.loading import load
from workbench.own_bots import bot_of, check_bot
from workbench.settings import Settings
from workbench.statistics import Result

DECISIONS_MAX = 100_000


@attrs.frozen
class Limits:
    """Where a game is given up."""

    turns: int | None = None
    decisions: int = DECISIONS_MAX


@attrs.frozen
class Task:
    """Everything that decides how one game goes, but its seed."""

    bots: Mapping[str, str]
    settings: Settings
    limits: Limits = Limits()
    keep_record: bool = False


def bots_by_seat(names: Sequence[str], seats: Sequence[str]) -> dict[str, str]:
    """Which bot sits where: one name for every seat, else exactly one per seat.

    Raises `Refused` for a name that is no bot's.
    """
    for name in names:
        check_bot(name)
    if len(names) == 1:
        names = list(names) * len(seats)
    if len(names) != len(seats):
        raise Refused(f"{len(names)} bots for {len(seats)} seats")
    return dict(zip(seats, names, strict=True))


def playout(book: Rulebook, task: Task, seed: int) -> Result:
    """The result of one game played by bots to its end or to a limit."""
    game = task.settings.start(book, seed=seed)
    bots = {seat: bot_of(name) for seat, name in task.bots.items()}
    numbers = {seat: generator(seed, seat) for seat in task.bots}
    actions: Counter[str] = Counter()
    decisions = 0
    while (seat := game.to_act) is not None and decisions < task.limits.decisions:
        if task.limits.turns is not None and game.turn > task.limits.turns:
            break
        action = decide(bots[seat], game, seat, numbers[seat])
        game.apply(action)
        actions[action.name] += 1
        decisions += 1
    return _result(game, seed, decisions, actions, keep_record=task.keep_record)


def _result(
    game: Game,
    seed: int,
    decisions: int,
    actions: Mapping[str, int],
    *,
    keep_record: bool,
) -> Result:
    outcome = game.outcome
    return Result(
        seed=seed,
        finished=outcome is not None,
        winners=() if outcome is None else tuple(outcome.winners),
        reason=None if outcome is None else outcome.reason,
        points={seat: game.points(seat) for seat in game.seats},
        turns=game.turn,
        decisions=decisions,
        actions=dict(actions),
        record=game.record if keep_record else None,
    )


def simulate(
    variant: str, book: Rulebook, task: Task, games: int, seed: int, jobs: int = 1
) -> Iterator[Result]:
    """The results of games with seeds from `seed` on, in order.

    With several jobs, processes load the variant anew.
    """
    seeds = range(seed, seed + games)
    if jobs <= 1 or games <= 1:
        yield from map(partial(playout, book, task), seeds)
        return
    chunk = max(1, min(8, games // (jobs * 4)))
    with ProcessPoolExecutor(
        min(jobs, games), initializer=_prepare, initargs=(variant, task)
    ) as pool:
        yield from pool.map(_playout_here, seeds, chunksize=chunk)


_worker: dict[str, Any] = {}


def _prepare(variant: str, task: Task) -> None:
    """Load the book once in a worker process; Ctrl-C is the parent's business."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _worker.update(book=load(variant), task=task)


def _playout_here(seed: int) -> Result:
    return playout(_worker["book"], _worker["task"], seed)
