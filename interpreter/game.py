"""`Game`: the public interface for playing, based on a plan and a state."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import rulebook as rb
from interpreter.arguments import action_text, check_book, check_seed
from interpreter.core.action_index import Action
from interpreter.core.layout import RANKS, REASON, STATUS, UNFINISHED, WINNER
from interpreter.core.ranks import winners_of
from interpreter.documents import packing, positions, records, supplies
from interpreter.documents.pickling import DRAWN, GIVEN, PickledGame, unpickle
from interpreter.documents.replay import replay
from interpreter.documents.supplies import Supply
from interpreter.errors import IllegalAction, UsageError
from interpreter.explain.definition_values import definition_value
from interpreter.explain.gathering import Gathering, current_gathering, parse_selection
from interpreter.explain.point_sources import point_sources
from interpreter.explain.why import explain_action
from interpreter.explanation import Explanation
from interpreter.knowledge.disclosure import reveals_information
from interpreter.knowledge.extremes import known_point_sources
from interpreter.knowledge.log import visible_events
from interpreter.knowledge.lookahead import Outlook, outlook
from interpreter.knowledge.samples import draw_sample
from interpreter.knowledge.views import view, visible_cells
from interpreter.outcome import Outcome
from interpreter.plan.observation_layout import number_names, observed_runs
from interpreter.plan.plan import Plan
from interpreter.play.action_lookup import legal_index
from interpreter.play.announcements import check_announced, is_announcement
from interpreter.play.courses.engines import AUTO, factory_for, switch_engine
from interpreter.play.courses.perft import count_leaves, count_turn_leaves
from interpreter.play.courses.reference import CHANCE as BY_CHANCE
from interpreter.play.courses.reference import ReferenceCourse
from interpreter.play.start import (
    continue_position,
    prepare_setup,
    read_start,
    state_before_setup,
)
from interpreter.state.identity import has_same_cells, identity, position_key
from interpreter.state.state import State
from interpreter.state.wait_points import Decision

CHANCE = "chance"


class Game:
    """Game in progress, created by `start`, `from_position` or `replay`.

    Two games are equal if their rules, options and positions are equal, however they
    were reached. Do not continue a game that is used as a dictionary key; use a `copy`.
    `notes` are numbers that the record stores for programs that play (see `NOTE_FIELDS`
    in `record_lines`). Both engines play the same game: `native` in C, `reference` in
    the interpreter.
    """

    __slots__ = ("_course", "_initial", "_plan", "given_board", "notes")

    def __init__(
        self,
        plan: Plan,
        course: State | ReferenceCourse,
        board: dict[str, Any] | None = None,
        initial: State | None = None,
    ) -> None:
        self.given_board = board
        self.notes: dict[str, int] = {}
        self._initial = initial
        self._plan = plan
        self._course = (
            course if isinstance(course, ReferenceCourse) else ReferenceCourse(course)
        )

    # ------------------------------------------------------------- creation

    @classmethod
    def start(
        cls,
        book: rb.Rulebook,
        *,
        players: int | None = None,
        seed: int = 0,
        options: dict[str, Any] | None = None,
        board: dict[str, Any] | None = None,
        chance: str = DRAWN,
        turns: int | None = None,
        engine: str = AUTO,
    ) -> Game:
        """Start a game and run set-up until the first decision.

        The game stops, unfinished, after `turns` turns, or after the limit in the
        rules. Raise `UsageError` if the `native` engine is requested but not available.
        """
        state = state_before_setup(book, players, seed, options, chance)
        factory = factory_for(state.plan, engine)
        prepare_setup(state, board, turns)
        return cls(
            state.plan, factory.start(state, board_given=board is not None), board
        )

    @classmethod
    def from_position(
        cls,
        book: rb.Rulebook,
        position: dict[str, Any],
        seed: int | None = None,
        chance: str | None = None,
        engine: str = AUTO,
    ) -> Game:
        """Create a game from a position; missing parts are as they were before set-up.

        `seed` and `chance` default to the values in the position. Raise `PositionError`
        if a value is impossible, if there are more cards or pieces than the game has,
        or if an invariant of the rules is violated.
        """
        return cls.from_any_position(book, position, seed, chance, engine).checked()

    @classmethod
    def from_any_position(
        cls,
        book: rb.Rulebook,
        position: dict[str, Any],
        seed: int | None = None,
        chance: str | None = None,
        engine: str = AUTO,
    ) -> Game:
        """Create a game from a position that may violate invariants, as in tests."""
        plan, state = read_start(book, position, seed, chance)
        factory, initial = factory_for(plan, engine), state.copy()
        continue_position(state, position)
        return cls(plan, factory.from_state(state), initial=initial)

    @classmethod
    def replay(cls, record: str, book: rb.Rulebook, engine: str = AUTO) -> Game:
        """Replay a record, or raise `RecordError` if it does not fit the rules."""
        check_book(book)
        if not isinstance(record, str):
            raise UsageError(f"a record must be a string, not {record!r}")
        return replay(lambda head: cls._from_header(book, head, engine), record)

    @classmethod
    def _from_header(cls, book: rb.Rulebook, head: dict[str, Any], engine: str) -> Game:
        """Start the game that the header of a record describes."""
        seed, chance = (0, GIVEN) if head["seed"] is None else (head["seed"], DRAWN)
        turns = head.get("turns")
        if "position" in head:
            game = cls.from_any_position(book, head["position"], seed, chance, engine)
            if turns is not None:
                game.limit_turns(min(turns, game._plan.model.turns))  # noqa: SLF001
            return game
        given = {key: head[key] for key in ("players", "options", "board")}
        return cls.start(
            book, seed=seed, chance=chance, turns=turns, engine=engine, **given
        )

    def copy(self) -> Game:
        """Return an independent copy of the game."""
        game = Game(self._plan, self._course.copy(), self.given_board, self._initial)
        game.notes = self.notes
        return game

    def __copy__(self) -> Game:
        return self.copy()

    def __deepcopy__(self, _memo: dict[int, Any]) -> Game:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        packed = PickledGame(
            book=self.book,
            position=self.position,
            seed=self._state.seed,
            chance=GIVEN if self._state.given else DRAWN,
            events=tuple(self._course.events.skip(0)),
            initial_position=self.initial_position,
            board=self.given_board,
            notes=self.notes,
            turns=self._state.turns,
            engine=self.engine,
        )
        return unpickle, (type(self), packed)

    def set_history(
        self,
        events: records.Events,
        initial: State | None,
        board: dict[str, Any] | None,
    ) -> None:
        """Set the events and the first position that led to this game."""
        self._course.events, self._initial, self.given_board = events, initial, board

    def limit_turns(self, turns: int) -> None:
        """Limit the game to *turns* turns, after which it stops unfinished."""
        self._course.limit_turns(turns)

    def goes_on_by(self, engine: str) -> None:
        """Switch to another engine, which continues the same game.

        Raise `UsageError` if the `native` engine is requested but not available.
        """
        self._course = switch_engine(self._course, engine)

    # ----------------------------------------------------------- queries

    @property
    def _state(self) -> State:
        """Current state; callers must not change it."""
        return self._course.state

    @property
    def engine(self) -> str:
        """Name of the engine that plays: `native` or `reference`."""
        return self._course.engine

    @property
    def book(self) -> rb.Rulebook:
        """Rulebook of the game."""
        return self._plan.book

    @property
    def players(self) -> int:
        """Number of players."""
        return self._plan.players

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats in play, in seating order."""
        return self._plan.values.names["player"]

    @property
    def seed(self) -> int | None:
        """Seed of chance, or None if chance is given."""
        return None if self._state.given else self._state.seed

    @property
    def options(self) -> dict[str, Any]:
        """Values of all options."""
        return dict(self._plan.options)

    @property
    def turn(self) -> int:
        """Number of turns that have started."""
        return self._course.turn

    @property
    def turn_limit(self) -> int | None:
        """Limit of turns set for this game, or None if only the rules limit it."""
        limit = self._state.turns
        return limit if limit < self._plan.model.turns else None

    @property
    def to_act(self) -> str | None:
        """The seat that must decide, `chance`, or None if the game is over."""
        chooser = self._course.chooser
        if chooser is None:
            return None
        return CHANCE if chooser == BY_CHANCE else self.seats[chooser]

    @property
    def actions(self) -> int:
        """Number of actions in the action space; every index is smaller."""
        return self._plan.actions.size

    @property
    def supplies(self) -> tuple[Supply, ...]:
        """Numbers of the cards and pieces that the rules neither create nor remove."""
        return tuple(supplies.supplies_of(self._plan, self._state.s))

    def legal_indices(self) -> list[int]:
        """Return the indices of the legal actions, ascending; empty if no seat acts."""
        return self._course.legal_indices()

    def legal_actions(self, seat: str | None = None) -> tuple[Any, ...]:
        """Return the legal actions in index order, or the possible outcomes.

        Return outcomes if one must be given. With `seat`, return an empty tuple unless
        this seat must decide.
        """
        if seat is not None:
            self.seat_number(seat)
            if self.to_act != seat:
                return ()
        return self._course.choices()

    @property
    def gathering(self) -> Gathering | None:
        """Gather in which the seat to act picks cards in any order, or None."""
        return current_gathering(self._plan.actions, self._state)

    def seat_number(self, seat: str) -> int:
        """Return the index of a seat in seating order."""
        if seat not in self.seats:
            raise UsageError(
                f"there is no seat {seat}; seats are {', '.join(self.seats)}",
                seat=seat,
            )
        return self.seats.index(seat)

    @property
    def outcome(self) -> Outcome | None:
        """Outcome of the game, or None if it has not ended or is unfinished."""
        s = self._state.s
        if not self._state.is_over or s[STATUS] == UNFINISHED:
            return None
        first = winners_of(s[RANKS])
        winner = self.seats[s[WINNER]] if s[WINNER] >= 0 else None
        winners = tuple([self.seats[seat] for seat in first])
        ranks = s[RANKS] or (1,) * self.players
        points = {seat: self.points(seat) for seat in self.seats}
        by_seat = dict(zip(self.seats, ranks, strict=True))
        return Outcome(winners, winner, s[REASON], points, by_seat)

    @property
    def over(self) -> bool:
        """Whether the game has ended or was stopped by the turn limit."""
        return self._course.is_over

    def points(self, seat: str) -> int:
        """Return the points of a seat."""
        points: int = self._plan.points(self._state.s, self.seat_number(seat))
        return points

    def point_sources(self, seat: str) -> dict[str, int]:
        """Return the points of a seat by the label of their line in `points`.

        Hidden points count too; the sum is `points(seat)`.
        """
        return point_sources(self._plan, self._state.s, self.seat_number(seat))

    def visible_point_sources(
        self, seat: str | None
    ) -> dict[str, dict[str, tuple[int, int]]]:
        """Return the points of each line of `points` that a seat can infer.

        None is a spectator. The result has a minimum and a maximum for each label and
        each seat.
        """
        number = None if seat is None else self.seat_number(seat)
        cells = visible_cells(self._plan, self._state, number)
        known = known_point_sources(self._plan, cells, number)
        return {
            label: dict(zip(self.seats, bounds, strict=True))
            for label, bounds in known.items()
        }

    def worth(self, seat: str) -> int:
        """Return the approximate value of a seat's position, based on hints."""
        worth: int = self._plan.position_value(self._state.s, self.seat_number(seat))
        return worth

    def value(self, definition: str, *arguments: str | int) -> Any:
        """Return the value of a definition such as `worth(player)` for these arguments.

        The arguments are names of members and numbers. Hidden values count too. Raise
        `UsageError` for an unknown definition or argument.
        """
        return definition_value(self._plan, self._state.s, definition, arguments)

    def visible_value(
        self, seat: str | None, definition: str, *arguments: str | int
    ) -> Any:
        """Return `value` as a seat, or a spectator (None), sees it now.

        Choices that are still secret in a simultaneous block do not count; hidden
        fields do, so ask only for definitions that read none.
        """
        number = None if seat is None else self.seat_number(seat)
        cells = visible_cells(self._plan, self._state, number)
        return definition_value(self._plan, cells, definition, arguments)

    def outlook(self, action: Action) -> Outlook:
        """Return the acting seat's outlook after a legal action."""
        return outlook(self._state, action.index)

    def teaches(self, action: str | Action) -> bool:
        """Return whether a legal action reveals hidden information to any seat.

        Hidden information includes hidden values, chance outcomes and hidden choices.
        Consequences of public knowledge and of open choices reveal nothing. Raise
        `IllegalAction` if the action is not legal.
        """
        waiting = self._state.waiting
        if not isinstance(waiting, Decision):
            raise IllegalAction(self.why(action_text(action)))
        return reveals_information(
            self._state, legal_index(self._state, waiting, action)
        )

    def why(self, action: str | Action | int, seat: str | None = None) -> Explanation:
        """Explain whether an action is legal, and if not, why."""
        if seat is not None:
            self.seat_number(seat)
        return explain_action(self._plan, self._state, seat, action)

    # ------------------------------------------------------------ playing

    def apply(self, action: Any) -> tuple[dict[str, Any], ...]:
        """Apply an action of the seat to act, or a chance outcome.

        Pass a legal action, its text, its index, or an event of a record (an
        announcement changes nothing, and must be one that the game has made since the
        last action or outcome). A text such as `give(2 NAME, 1 NAME)` makes all picks
        of a gather at once. Return the events that happened, the action first. Raise
        `IllegalAction` if the action is not legal, or `RulesError` if the action
        exposes a mistake in the rules. In both cases the game is unchanged.
        """
        if isinstance(action, str) and (picked := self._picks_in(action)):
            return self._apply_all(picked, action)
        if is_announcement(action):
            check_announced(self._course.events, action)
            return ()
        return self._course.apply(action)

    def advance(self, index: int) -> list[int]:
        """Apply a legal action by its index; return the indices that are legal next.

        The list is empty if the game is over or a chance outcome must be given. This is
        the fastest way to play, because events are only computed when requested.
        """
        return self._course.advance(index)

    def _picks_in(self, text: str) -> list[str]:
        """Return the single picks that a text selects; empty for other texts."""
        selected = parse_selection(self._plan.actions, text)
        return [] if selected is None else selected[1]

    def _apply_all(
        self, texts: list[str], selection: str
    ) -> tuple[dict[str, Any], ...]:
        """Make all picks of a gather, or none of them if one is illegal."""
        explanation = self.why(selection)
        if not explanation.legal:
            raise IllegalAction(explanation)
        before = self._course.copy()
        try:
            for text in texts:
                self.apply(text)
        except (IllegalAction, rb.RulesError):
            self._course = before
            raise
        return self._course.events.since(before.events.count)

    def leaves(self, depth: int, *, turns: bool = False) -> int:
        """Return the number of possible sequences of exactly *depth* choices.

        A choice is an action, or a chance outcome that must be given. With `turns`,
        count sequences of *depth* whole turns. Sequences that end earlier do not count.
        """
        return (count_turn_leaves if turns else count_leaves)(self._course, depth)

    def branches(self) -> Iterator[Game]:
        """Yield the game after each possible choice, in the order of `legal_actions`.

        Raise `RulesError` if a choice exposes a mistake in the rules.
        """
        for course in self._course.branches():
            yield Game(self._plan, course, self.given_board, self._initial)

    # --------------------------------------------------------- plain data

    @property
    def packed(self) -> bytes:
        """Position packed into few bytes, for storing very many positions.

        Games of the same rules, options, players and seed are equal if and only if
        their bytes are. The bytes are only valid in this process; use positions or
        records to store games longer.
        """
        return packing.pack(self._state)

    def packs_like(self, other: Game) -> bool:
        """Return whether another game, even of other rules, can unpack `packed`."""
        return has_same_cells(self._plan, other._plan)

    def unpacked(self, position: bytes) -> Game:
        """Return a game with the settings of this one, at a position from `packed`.

        Its record begins there, as for a game created from a position.
        """
        state = packing.unpack(position, self._state)
        initial = state.copy()
        state.run()
        return Game(self._plan, self._course.from_other_state(state), initial=initial)

    @property
    def position(self) -> dict[str, Any]:
        """Complete position as plain data."""
        return positions.write_position(self._plan, self._state)

    def view(self, seat: str | None) -> dict[str, Any]:
        """Return what a seat may know, as a position; None is a spectator."""
        number = None if seat is None else self.seat_number(seat)
        return view(self._plan, self._state, number)

    def observation(self, seat: str) -> list[int]:
        """Return the numbers that a seat sees, or `HIDDEN` for hidden numbers."""
        return self._course.observation(self.seat_number(seat))

    def observed(self) -> tuple[str, ...]:
        """Return the names of the numbers in an observation."""
        return number_names(observed_runs(self._plan))

    def sample(self, seat: str, seed: int) -> Game:
        """Return a game that agrees with what a seat knows; the rest is redrawn.

        The same seed gives the same sample. Raise `UsageError` for an unknown seat or a
        seed that is not an integer.
        """
        check_seed(seed)
        state = draw_sample(self._state, self.seat_number(seat), seed)
        return Game(
            self._plan, self._course.from_other_state(state), initial=state.copy()
        )

    def log(self, seat: str | None) -> list[dict[str, Any]]:
        """Return the events without details hidden from a seat (None: spectator)."""
        number = None if seat is None else self.seat_number(seat)
        return visible_events(self._state, self._course.events, number)

    def checked(self) -> Game:
        """Return this game, or raise `PositionError` if its position is impossible."""
        initial = self._state if self._initial is None else self._initial
        supplies.check_totals(self._plan, initial.s)
        supplies.check_invariants(self._plan, self._state)
        return self

    def restart_record(self) -> None:
        """Make the record begin with the current position."""
        self._initial = self._state.copy()

    @property
    def initial_position(self) -> dict[str, Any] | None:
        """Position from which the game was created, or None after a normal start."""
        if self._initial is None:
            return None
        return positions.write_position(self._plan, self._initial)

    @property
    def record(self) -> str:
        """Record of the game so far as text, one JSON document per line.

        The header of a sample, or of a game created from a position, contains the first
        position as `position`.
        """
        return records.write_record(self)

    @property
    def events(self) -> tuple[dict[str, Any], ...]:
        """All events so far, in the format of a record."""
        return self._course.events.since(0)

    @property
    def steps(self) -> int:
        """Number of events so far."""
        return self._course.events.count

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return identity(self._state) == identity(other._state)

    def __hash__(self) -> int:
        return hash(identity(self._state))

    @property
    def key(self) -> str:
        """Identifier of the position, the same on every machine."""
        return position_key(self._plan, self.position)

    def __repr__(self) -> str:
        return f"<Game {self.book.name}, {self.to_act or 'over'}, {self.steps} events>"


def course_of(game: Game) -> ReferenceCourse:
    """Return the engine-specific course of a game, for tests of engines and samples."""
    return game._course  # noqa: SLF001  (deliberate access)


def state_of(game: Game) -> State:
    """Return the state of a game, for modules that run or inspect it directly.

    Bots and user programs must not use it, because it contains hidden information. A
    view contains what a seat may know.
    """
    return game._state  # noqa: SLF001  (deliberate access)
