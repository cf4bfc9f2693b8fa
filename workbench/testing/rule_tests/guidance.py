"""Coverage-guided generation of games.

Some games start with set-up, with new combinations of settings, and some of these on a
given board. Others continue from rarely reached points or from edited positions. All
games favour rarely chosen actions, especially those that contain parts of the rules not
yet reached.

A game does not depend on the results of the last `RESULT_LAG` games. These can
therefore be played in parallel, and the games do not depend on the number of processes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import attrs

from interpreter import Site
from rulebook import Address, Rulebook
from workbench.analysis.simulation.settings import Settings
from workbench.bots.randomness import KeyedRandom
from workbench.testing.rule_tests.generated_games import (
    GeneratedGame,
    StartPoint,
    rotating_settings,
    with_board,
)
from workbench.testing.rule_tests.playouts import GamePoint, GameResult, PlayoutTask

RESULT_LAG = 16
"""Number of most recent games whose results a new game ignores."""
RARE_GOAL_GAMES = 3
"""Number of games that must reach a coverage goal before it is no longer rare."""
MAX_POINTS_PER_GOAL = 4
"""Maximum number of positions stored for each coverage goal, as starts of games."""
MAX_EDIT_POINTS = 64
"""Maximum number of positions between actions that are stored for editing."""
UNREACHED_FACTOR = 4.0
"""Factor for the weight of an action that contains an unreached part."""
BEGUN, MOVED, GOING_ON, BOTH = "begun", "moved", "going on", "moved and going on"
KINDS = (BEGUN, BEGUN, GOING_ON, MOVED, BOTH)


class GameGuide:
    """Iterator over games to play, aimed at coverage goals that few games have reached.

    It is exhausted when the next game depends on results that are not known yet, and
    continues after `add_result` has added them.
    """

    def __init__(
        self, book: Rulebook, sites: Sequence[Site], base: Settings, games: int
    ) -> None:
        self.book, self.games, self.sites = book, games, sites
        self.settings = rotating_settings(book, base)
        self.seed = base.seed or 0
        self.given, self.known = 0, 0
        self.waiting: dict[int, GameResult] = {}
        self.hits = [0] * (2 * len(sites))
        self.action_counts: Counter[str] = Counter()
        self.points_by_goal: dict[int, list[StartPoint]] = {}
        self.uses: Counter[int] = Counter()
        self.edit_points: list[StartPoint] = []
        self.described_games: list[GeneratedGame] = []

    def __len__(self) -> int:
        return self.games

    def __iter__(self) -> Iterator[PlayoutTask]:
        return self

    def __next__(self) -> PlayoutTask:
        number = self.given
        if number == self.games or not self.process_results(number - RESULT_LAG + 1):
            raise StopIteration
        self.given += 1
        self.described_games.append(self.describe_game(number))
        return PlayoutTask(without_history(self.described_games[-1]), self.rare_goals())

    def process_results(self, games: int) -> bool:
        """Process results in order; return whether *games* or more are processed."""
        while self.known < games:
            if self.known not in self.waiting:
                return False
            self.record_result(self.waiting.pop(self.known))
            self.known += 1
        return True

    def add_result(self, result: GameResult) -> GameResult:
        """Add the result of a game; return it with the game's full description."""
        number = result.game.number
        self.waiting[number] = attrs.evolve(result, game=self.described_games[number])
        return self.waiting[number]

    # ------------------------------------------------------------ results

    def record_result(self, result: GameResult) -> None:
        """Record the goals, action counts and positions of a game's result."""
        for site, (true_count, false_count) in enumerate(result.tally):
            self.hits[2 * site] += true_count > 0
            self.hits[2 * site + 1] += false_count > 0
        self.action_counts.update(result.action_counts)
        for point in result.rare_points:
            for goal in point.goals:
                points = self.points_by_goal.setdefault(goal, [])
                if len(points) < MAX_POINTS_PER_GOAL:
                    points.append(start_point(result.game, point))
        if result.edit_point is not None:
            self.edit_points = [
                *self.edit_points[1 - MAX_EDIT_POINTS :],
                start_point(result.game, result.edit_point),
            ]

    def rare_goals(self) -> tuple[int, ...]:
        """Return the numbers of the coverage goals that few games have reached."""
        return tuple(
            [goal for goal, games in enumerate(self.hits) if games < RARE_GOAL_GAMES]
        )

    # ------------------------------------------------------------ next games

    def describe_game(self, number: int) -> GeneratedGame:
        """Return the description of the game with this number."""
        kind = KINDS[number % len(KINDS)]
        weights = self.action_weights()
        start = None
        if kind == GOING_ON and self.points_by_goal:
            start = self.rarest_point()
        if kind == BOTH and self.edit_points:
            rng = KeyedRandom("guide", self.seed, number)
            start = self.edit_points[int(rng.random() * len(self.edit_points))]
        is_edited = kind == MOVED or (kind == BOTH and start is not None)
        if start is None:
            game = GeneratedGame(next(self.settings), number, None, is_edited, weights)
            return with_board(self.book, game)
        assert start.game is not None
        return GeneratedGame(start.game.settings, number, start, is_edited, weights)

    def rarest_point(self) -> StartPoint:
        """Return a start aimed at the goal that was reached and used least often."""
        goal = min(
            self.points_by_goal, key=lambda goal: self.uses[goal] + self.hits[goal]
        )
        self.uses[goal] += 1
        points = self.points_by_goal[goal]
        return points[self.uses[goal] % len(points)]

    def action_weights(self) -> dict[str, float]:
        """Return the weights of the known actions, higher for rarely chosen ones."""
        unreached = {
            Address.parse(site.clause).name
            for number, site in enumerate(self.sites)
            if not self.hits[2 * number]
            or (site.is_condition and not self.hits[2 * number + 1])
        }
        return {
            name: (1 + count) ** -0.5 * (UNREACHED_FACTOR if name in unreached else 1.0)
            for name, count in self.action_counts.items()
        }


def start_point(generated_game: GeneratedGame, point: GamePoint) -> StartPoint:
    """Return a position in a game as the start of another game."""
    return StartPoint(point.position, point.steps, generated_game)


def without_history(generated_game: GeneratedGame) -> GeneratedGame:
    """Return a description without the earlier game from which the game continues."""
    if generated_game.start_point is None:
        return generated_game
    return attrs.evolve(
        generated_game, start_point=attrs.evolve(generated_game.start_point, game=None)
    )
