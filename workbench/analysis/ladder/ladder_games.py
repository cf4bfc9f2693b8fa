"""Games of a ladder and their results, by bot and by line-up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import attrs

from rulebook import Rulebook
from workbench.analysis.ladder.lineups import Lineup, LineupSchedule
from workbench.analysis.ladder.rating_model import RatedGame, Ratings, rate_bots
from workbench.analysis.simulation import engines
from workbench.analysis.simulation.engines import EngineChoice
from workbench.analysis.simulation.simulation import GameTask, portion_size
from workbench.analysis.simulation.statistics import Result
from workbench.bots import shipped_bot
from workbench.bots.registry import check_bot
from workbench.defaults import AUTO
from workbench.errors import RequestError


def whole_cycles(lineups: LineupSchedule, games: int) -> int:
    """Return *games* rounded down to whole cycles of line-ups.

    Raises `RequestError` if *games* is less than one cycle.
    """
    if games < lineups.games_per_cycle:
        problem = (
            f"--games {games} is less than one cycle of {lineups.games_per_cycle} games"
        )
        cycle = f"{lineups.lineup_count} line-ups in {lineups.seats} seats each"
        raise RequestError(
            f"{problem}: {cycle}", f"use --games {lineups.games_per_cycle} or more"
        )
    return games - games % lineups.games_per_cycle


def choose_engine(
    requested: str, book: Rulebook, task: GameTask, games: int
) -> tuple[EngineChoice, int]:
    """Return the engine for the games of a ladder, and the number of games per portion.

    By default, the native engine plays the games in which all bots support it. The
    interpreter plays all others, with the same results.
    """
    lineups = task.seatings
    assert isinstance(lineups, LineupSchedule)
    fast = [
        name
        for name in lineups.bots
        if engines.native_obstacle(_without_seating(task, [name])) is None
    ]
    can_mix = any(set(lineup) <= set(fast) for lineup in lineups.all_lineups)
    names = fast if requested == AUTO and can_mix else lineups.bots
    chosen = engines.choose_engine(
        requested, book, _without_seating(task, names), games
    )
    native = chosen.native
    source = None if native is None else native.source
    if source is not None and source.unsupported_reason(lineups.bots) is not None:
        return chosen, 1
    return chosen, portion_size(_without_seating(task, lineups.bots), native)


def default_ladder_jobs(task: GameTask, games: int) -> int:
    """Return the default number of worker processes for a ladder."""
    return engines.default_jobs(_without_seating(task, task.bot_names), games)


def _without_seating(task: GameTask, names: Sequence[str]) -> GameTask:
    """Return the task with only these bots and without an assignment to seats."""
    return attrs.evolve(task, bots={name: name for name in names}, seatings=None)


@attrs.frozen
class BotResults:
    """Results of one bot over its finished games.

    `wins` is its number of wins, in which a shared win counts as a fraction.
    `expected_wins` is the number expected from its share of the seats.
    """

    games: int
    wins: float
    expected_wins: float


@attrs.frozen
class LineupResults:
    """Finished games of one line-up, and the number of wins of each bot.

    A shared win counts as a fraction for each winner.
    """

    lineup: Lineup
    games: int
    wins: Mapping[str, float]


class LadderResults:
    """Results of a ladder, added one game at a time."""

    def __init__(self, lineups: LineupSchedule, seats: Sequence[str]) -> None:
        self.lineups, self.seats = lineups, tuple(seats)
        self.games: Counter[RatedGame] = Counter()
        self.won = dict.fromkeys(seats, 0.0)
        """Number of wins of each seat, with fractions for shared ones."""

    def add(self, result: Result) -> None:
        """Add a game, unless it is unfinished."""
        if not result.finished:
            return
        seating = self.lineups.seating(result.game)
        won = dict.fromkeys(sorted(seating), 0.0)
        shares = win_shares(result.winners, self.seats)
        for bot, (seat, share) in zip(seating, shares.items(), strict=True):
            won[bot] += share
            self.won[seat] += share
        self.games[RatedGame(tuple(sorted(seating)), tuple(won.values()))] += 1

    @property
    def finished_games(self) -> int:
        """Number of finished games."""
        return self.games.total()

    @property
    def ratings(self) -> Ratings | None:
        """Ratings computed from all games, or None if there are too few games."""
        return rate_bots(self.lineups.bots, self.games)

    @property
    def lineup_results(self) -> Iterator[LineupResults]:
        """Results of each line-up that was played."""
        for lineup in self.lineups.all_lineups:
            games = {game: n for game, n in self.games.items() if game.lineup == lineup}
            won = dict.fromkeys(lineup, 0.0)
            for game, times in games.items():
                for bot, share in game.shares_by_bot.items():
                    won[bot] += times * share
            if games:
                yield LineupResults(lineup, sum(games.values()), won)

    def results_of(self, bot: str) -> BotResults:
        """Return the results of a bot."""
        played = [meeting for meeting in self.lineup_results if bot in meeting.lineup]
        shares = (
            item.games * item.lineup.count(bot) / len(self.seats) for item in played
        )
        games, won = (
            sum(item.games for item in played),
            sum(item.wins[bot] for item in played),
        )
        return BotResults(games, won, sum(shares))


def win_shares(winners: Sequence[str], seats: Sequence[str]) -> Mapping[str, float]:
    """Return each seat's fraction of a win, shared by the winners or, if none, by all.

    >>> win_shares(("red",), ("red", "blue"))
    {'red': 1.0, 'blue': 0.0}
    >>> win_shares((), ("red", "blue"))
    {'red': 0.5, 'blue': 0.5}
    """
    won = winners or seats
    return {seat: (seat in won) / len(won) for seat in seats}


def check_bots(names: Sequence[str]) -> None:
    """Raise `RequestError` for fewer than two bots, duplicates, or an unknown name."""
    for index, name in enumerate(names):
        check_bot(name)
        if name in names[:index]:
            raise RequestError(f"`{name}` is listed twice", "list each bot once")
        bot = shipped_bot(name)
        for other in names[:index]:
            if bot is not None and bot == shipped_bot(other):
                raise RequestError(
                    f"`{other}` and `{name}` are the same bot", "list it once"
                )
    if len(names) < 2:
        problem = "a ladder needs more than one bot"
        raise RequestError(problem, "list at least two, such as --bots random,greedy")
