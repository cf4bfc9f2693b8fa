"""Tables of a run, with a row per game, per turn or per event.

Each column is declared once, with its meaning and the function that gets its value from
a result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import attrs

from rulebook import Rulebook
from workbench.analysis.runs.columns import (
    BOT_SEED,
    NUMBER,
    SEED,
    TEXT,
    TEXTS,
    TRUTH,
    TYPES_WITH_MEAN,
    WHOLE,
    Column,
    Row,
    TableSchema,
    Value,
)
from workbench.analysis.simulation.simulation import Seatings
from workbench.analysis.simulation.statistics import Result

GAMES, TURNS, EVENTS = "games", "turns", "events"
MEASURES, COUNTED = "measures", "counted"
BOT_ERRORS, LOST_BY = "bot_errors", "lost_by"
PASS = "pass"
Read = Callable[[Result], Value]

IDENTITY_COLUMNS: tuple[tuple[Column, Read], ...] = (
    (
        Column("seed", SEED, "seed of the game, for dice and card draws"),
        lambda r: r.seed,
    ),
    (Column("bot_seed", BOT_SEED, "seed of the bots"), lambda r: r.bot_seed),
    (Column("game", WHOLE, "number of the game, starting at 0"), lambda r: r.game),
)
OUTCOME_COLUMNS: tuple[tuple[Column, Read], ...] = (
    (
        Column("finished", TRUTH, "whether the game ended without reaching a limit"),
        lambda r: r.finished,
    ),
    (
        Column("winners", TEXTS, "winning seats; empty for a draw"),
        lambda r: list(r.winners),
    ),
    (
        Column(
            "reason",
            TEXT,
            "reason for the end, in the words of the rules",
            optional=True,
        ),
        lambda r: r.reason,
    ),
)
LENGTH_COLUMNS: tuple[tuple[Column, Read], ...] = (
    (
        Column("turns", WHOLE, "turns started, without set-up"),
        lambda r: r.turns,
    ),
    (Column("decisions", WHOLE, "decisions of all seats"), lambda r: r.decisions),
)
GAME = (IDENTITY_COLUMNS[0][0], IDENTITY_COLUMNS[2][0])
TURN = Column("turn", WHOLE, "number of the turn; 0 is set-up")


@attrs.frozen
class RunTables:
    """Tables of the games of a run, which all have the same seats and actions."""

    seats: tuple[str, ...]
    actions: tuple[str, ...]
    definitions_of_measures: Mapping[str, str] = attrs.field(factory=dict)
    """Definitions of measures, by column."""
    definitions_of_counts: Mapping[str, str] = attrs.field(factory=dict)
    """Definitions of the measures that are counted in replayed games, by column."""
    seatings: Seatings | None = None
    """Assignment of bots to seats, or None if it is the same in each game."""
    has_custom_bots: bool = False
    """True if custom bots play; their errors are then counted."""

    @classmethod
    def of_book(
        cls,
        book: Rulebook,
        seats: Sequence[str],
        definitions_of_measures: Mapping[str, str],
        definitions_of_counts: Mapping[str, str] | None = None,
        *,
        has_custom_bots: bool = False,
    ) -> RunTables:
        """Return the tables of the games of a book.

        *definitions_of_measures* and *definitions_of_counts* contain a definition for
        each column.
        """
        actions = sorted({PASS, *book.model.actions})
        fields = (
            tuple(seats),
            tuple(actions),
            definitions_of_measures,
            definitions_of_counts or {},
        )
        return cls(*fields, has_custom_bots=has_custom_bots)

    @property
    def column_readers(self) -> tuple[tuple[Column, Read], ...]:
        """Columns of a game, each with the function that reads it from a result."""
        return (
            *(
                *IDENTITY_COLUMNS,
                *self._bot_columns,
                *OUTCOME_COLUMNS,
                *self._point_columns,
                *LENGTH_COLUMNS,
            ),
            *(
                *self._win_columns,
                *self._action_columns,
                *self._measure_columns,
                *self._count_columns,
            ),
            *(self._error_columns if self.has_custom_bots else ()),
        )

    @property
    def _bot_columns(self) -> Iterator[tuple[Column, Read]]:
        """Yield the columns with the bot of each seat."""
        if self.seatings is None:
            return
        for position, seat in enumerate(self.seats):
            column = Column(f"bots.{seat}", TEXT, "the bot in the seat")
            yield column, partial(_bot_at, self.seatings, position)

    @property
    def _point_columns(self) -> Iterator[tuple[Column, Read]]:
        """Yield the columns with the points of each seat."""
        for seat in self.seats:
            column = Column(f"points.{seat}", WHOLE, "points of the seat at the end")
            yield column, lambda r, seat=seat: r.points[seat]  # type: ignore[misc]

    @property
    def _win_columns(self) -> Iterator[tuple[Column, Read]]:
        """Yield the columns that state whether each seat won."""
        for seat in self.seats:
            column = Column(f"wins.{seat}", TRUTH, "whether the seat is a winner")
            yield column, lambda r, seat=seat: seat in r.winners  # type: ignore[misc]

    @property
    def _action_columns(self) -> Iterator[tuple[Column, Read]]:
        """Yield the columns with the number of times each action was chosen."""
        for name in self.actions:
            column = Column(
                f"actions.{name}", WHOLE, "number of times the action was chosen"
            )
            yield column, partial(_action_count, name)

    @property
    def _measure_columns(self) -> Iterator[tuple[Column, Read]]:
        """Yield the columns of measures."""
        for name, meaning in self.definitions_of_measures.items():
            column = Column(f"{MEASURES}.{name}", NUMBER, meaning, optional=True)
            yield column, lambda r, name=name: r.measures[name]  # type: ignore[misc]

    @property
    def _count_columns(self) -> Iterator[tuple[Column, Read]]:
        """Yield the columns of measures that are counted in replayed games."""
        for name, meaning in self.definitions_of_counts.items():
            column = Column(f"{COUNTED}.{name}", NUMBER, meaning, optional=True)
            yield column, partial(_counted_value, name)

    @property
    def _error_columns(self) -> Iterator[tuple[Column, Read]]:
        """Yield the columns about errors of custom bots."""
        yield (
            Column(
                LOST_BY,
                TEXT,
                "seat that lost because of an error of its bot",
                optional=True,
            ),
            lambda r: r.lost_by,
        )
        for seat in self.seats:
            name = f"{BOT_ERRORS}.{seat}"
            column = Column(name, WHOLE, "number of errors of the seat's bot")
            yield column, partial(_error_count, seat)

    def schemas(self, *, detail: bool) -> dict[str, TableSchema]:
        """Return the table schemas by name; turns and events only with `detail`."""
        points = [column for column, _ in self._point_columns]
        turns = (
            *(*GAME, TURN),
            Column("seat", TEXT, "first seat that decided in the turn", optional=True),
            Column("decisions", WHOLE, "decisions in the turn"),
            Column("draws", WHOLE, "chance outcomes in the turn"),
            *(attrs.evolve(p, meaning="points at the end of the turn") for p in points),
        )
        events = (
            *(*GAME, Column("step", WHOLE, "number of the event in the record"), TURN),
            Column("seat", TEXT, "seat that decided; empty for chance", optional=True),
            Column("name", TEXT, "name of the action or chance event"),
            Column("action", TEXT, "the action as text", optional=True),
            Column("outcome", TEXT, "the chance outcome, as JSON", optional=True),
        )
        tables = {GAMES: tuple(column for column, _ in self.column_readers)}
        if detail:
            tables |= {TURNS: turns, EVENTS: events}
        return {name: TableSchema(name, columns) for name, columns in tables.items()}

    def rows(self, results: Sequence[Result]) -> dict[str, list[Row]]:
        """Return the rows of each table for the given games."""
        reads = [read for _, read in self.column_readers]
        tables: dict[str, list[Row]] = {
            GAMES: [[read(result) for read in reads] for result in results]
        }
        if any(result.detail for result in results):
            tables[TURNS] = [row for result in results for row in _turn_rows(result)]
            tables[EVENTS] = [row for result in results for row in _event_rows(result)]
        return tables

    def result_of(self, row: Row) -> Result:
        """Return the result that a row of the table of games contains."""
        names = [column.name for column, _ in self.column_readers]
        cells: Mapping[str, Any] = dict(zip(names, row, strict=True))
        measures = {
            name: cells[f"{MEASURES}.{name}"] for name in self.definitions_of_measures
        }
        counts = {
            name: cells[f"{COUNTED}.{name}"] for name in self.definitions_of_counts
        }
        was_counted = any(value is not None for value in counts.values())
        action_counts = {name: cells[f"actions.{name}"] for name in self.actions}
        return Result(
            points={seat: cells[f"points.{seat}"] for seat in self.seats},
            actions={name: number for name, number in action_counts.items() if number},
            winners=tuple(cells["winners"]),
            **{
                name: cells[name]
                for name in ("seed", "bot_seed", "game", "finished", "reason")
            },
            turns=cells["turns"],
            decisions=cells["decisions"],
            measures=measures or None,
            counts=counts if was_counted else None,
            lost_by=cells.get(LOST_BY),
            bot_errors={
                seat: times
                for seat in self.seats
                if (times := cells.get(f"{BOT_ERRORS}.{seat}", 0))
            },
        )

    @property
    def columns_with_mean(self) -> dict[str, tuple[Column, Read]]:
        """Columns of a game that have a mean, by name."""
        readers = (
            read for read in self.column_readers if read[0].type in TYPES_WITH_MEAN
        )
        excluded = [column.name for column, _ in IDENTITY_COLUMNS]
        return {read[0].name: read for read in readers if read[0].name not in excluded}


def _turn_rows(result: Result) -> Iterator[Row]:
    """Yield a row for each turn of a game."""
    assert result.detail is not None
    for turn in result.detail.turns:
        yield [
            *(result.seed, result.game, turn.number, turn.seat),
            *(turn.decisions, turn.draws, *turn.points),
        ]


def _event_rows(result: Result) -> Iterator[Row]:
    """Yield a row for each event of a game."""
    assert result.detail is not None
    for event in result.detail.events:
        yield [
            *(result.seed, result.game, event.step, event.turn),
            *(event.seat, event.name, event.action, event.outcome),
        ]


def _bot_at(seatings: Seatings, position: int, result: Result) -> str:
    """Return the bot that played in a seat in a game.

    *position* is the position of the seat in seating order.
    """
    return seatings.seating(result.game)[position]


def _counted_value(name: str, result: Result) -> Value:
    """Return the value of a counted measure, or None if the game was not replayed."""
    return None if result.counts is None else result.counts[name]


def _error_count(seat: str, result: Result) -> int:
    """Return the number of errors of the bot in a seat."""
    return result.bot_errors.get(seat, 0)


def _action_count(name: str, result: Result) -> int:
    """Return how often an action was chosen in a game."""
    return result.actions.get(name, 0)
