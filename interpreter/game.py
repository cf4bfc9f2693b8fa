"""A game: the friendly object over a plan and a state, and the one door to play."""

from __future__ import annotations

from typing import Any

import rulebook as rb
from interpreter.applying import legal_index, legal_indices
from interpreter.arguments import check_book, check_seed, text_of
from interpreter.beginning import before_setup, go_on, read, set_up
from interpreter.chances import chances, give
from interpreter.documents import positions, records, supplies
from interpreter.documents.pickling import DRAWN, GIVEN, Packed, unpacked
from interpreter.documents.replay import replay
from interpreter.errors import IllegalAction, UsageError
from interpreter.explain.gathering import Gathering, gathering, selection
from interpreter.explain.why import explained
from interpreter.explanation import Explanation
from interpreter.identity import identity, key_of
from interpreter.knowledge.log import seen_events
from interpreter.knowledge.lookahead import Outlook, outlook
from interpreter.knowledge.samples import draw_sample
from interpreter.knowledge.views import view
from interpreter.knowledge.witness import teaches
from interpreter.outcome import Outcome
from interpreter.plan.plan import Plan
from interpreter.state.state import State, Unbroken
from interpreter.state.wait_points import ChanceStep, Decision
from interpreter.tables.action_index import Action
from interpreter.tables.layout import RANKS, REASON, STATUS, UNFINISHED, WINNER
from interpreter.tables.ranks import first_of

CHANCE = "chance"


class Game:
    """A game that is played. Made by `start`, `from_position` or `replay`.

    Two games are equal when their rules, options and whole positions are, whatever
    led there. A game used as a key must not be played on; use a `copy`. `noted` are
    numbers that the record keeps for those who play: see `lines.NOTED`.
    """

    __slots__ = ("_began", "_events", "_plan", "_state", "given_board", "noted")

    def __init__(
        self,
        plan: Plan,
        state: State,
        board: dict[str, Any] | None = None,
        began: State | None = None,
    ) -> None:
        self.given_board = board
        self.noted: dict[str, int] = {}
        self._began = began
        self._plan = plan
        self._state = state
        self._events = records.Events(None, None, 0)

    # ------------------------------------------------------------ beginning

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
    ) -> Game:
        """Start a game: set-up runs up to the first decision.

        It stops, unfinished, after so many `turns`, or as many as the rules allow.
        """
        state = before_setup(book, players, seed, options, chance)
        game = cls(state.plan, state, board)
        set_up(state, board, turns)
        game._note_chance()
        return game

    @classmethod
    def from_position(
        cls,
        book: rb.Rulebook,
        position: dict[str, Any],
        seed: int | None = None,
        chance: str = DRAWN,
    ) -> Game:
        """Make the game of a position; what it leaves out is as before set-up.

        Raises `PositionError` where a value is not possible, there are more cards or
        pieces than the game has, or an invariant of the rules is broken.
        """
        return cls.laid_out(book, position, seed, chance).possible()

    @classmethod
    def laid_out(
        cls,
        book: rb.Rulebook,
        position: dict[str, Any],
        seed: int | None = None,
        chance: str = DRAWN,
    ) -> Game:
        """Make the game of a position that may break an invariant, as a test may."""
        plan, state = read(book, position, seed, chance)
        game = cls(plan, state, began=state.copy())
        go_on(state, position)
        game._note_chance()
        return game

    @classmethod
    def replay(cls, record: str, book: rb.Rulebook) -> Game:
        """Play a record again, or raise `RecordError` where it does not agree."""
        check_book(book)
        if not isinstance(record, str):
            raise UsageError(f"a record is a text, not {record!r}")
        return replay(lambda head: cls._of_header(book, head), record)

    @classmethod
    def _of_header(cls, book: rb.Rulebook, head: dict[str, Any]) -> Game:
        """Begin the game of a record's header."""
        seed = 0 if head["seed"] is None else head["seed"]
        chance = GIVEN if head["seed"] is None else DRAWN
        if "position" in head:
            return cls.laid_out(book, head["position"], seed, chance)
        players, options, board = head["players"], head["options"], head["board"]
        return cls.start(
            book,
            players=players,
            seed=seed,
            options=options,
            board=board,
            chance=chance,
        )

    def copy(self) -> Game:
        """Return a game that goes on by itself."""
        game = Game(self._plan, self._state.copy(), self.given_board, self._began)
        game._events = self._events
        game.noted = self.noted
        return game

    def __copy__(self) -> Game:
        return self.copy()

    def __deepcopy__(self, _memo: dict[int, Any]) -> Game:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        packed = Packed(
            book=self.book,
            position=self.position,
            seed=self._state.seed,
            chance=GIVEN if self._state.given else DRAWN,
            events=tuple(self._events.newest(0)),
            began=self.began,
            board=self.given_board,
            noted=self.noted,
            turns=self._state.turns,
        )
        return unpacked, (type(self), packed)

    def led_here(
        self, events: records.Events, began: State | None, board: dict[str, Any] | None
    ) -> None:
        """Take over how the game came here: its events and its beginning."""
        self._events, self._began, self.given_board = events, began, board

    def give_up_after(self, turns: int) -> None:
        """Let the game stop, unfinished, after so many turns."""
        self._state.turns = turns

    # ------------------------------------------------------------ asking

    @property
    def book(self) -> rb.Rulebook:
        """The rules that are played."""
        return self._plan.book

    @property
    def players(self) -> int:
        """The number of players."""
        return self._plan.players

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats in play, in seating order."""
        return self._plan.values.names["player"]

    @property
    def seed(self) -> int | None:
        """The seed of chance; None when chance is given."""
        return None if self._state.given else self._state.seed

    @property
    def options(self) -> dict[str, Any]:
        """The values of all options."""
        return dict(self._plan.options)

    @property
    def turn(self) -> int:
        """How many turns have begun."""
        turn: int = self._state.s[2]
        return turn

    @property
    def to_act(self) -> str | None:
        """The seat that must decide, `chance`, or None when the game is over."""
        waiting = self._state.waiting
        if isinstance(waiting, Decision):
            return self.seats[waiting.seat(self._state)]
        return CHANCE if isinstance(waiting, ChanceStep) else None

    def legal_indices(self) -> list[int]:
        """Return the indices of the legal actions, ascending."""
        return legal_indices(self._state)

    def legal_actions(self, seat: str | None = None) -> tuple[Any, ...]:
        """Return the legal actions in the order of their index, or chance outcomes."""
        if seat is not None:
            self.seat_number(seat)
        waiting = self._state.waiting
        if isinstance(waiting, Decision):
            number = waiting.seat(self._state)
            if seat is not None and self.seats[number] != seat:
                return ()
            state, actions = self._state, self._plan.actions
            indices = legal_indices(state)
            if not waiting.gives:
                known = actions.of_seat[number]
                return tuple([known[index] for index in indices])
            action, given = actions.action, waiting.given
            return tuple([action(number, n, given(state, n)) for n in indices])
        if isinstance(waiting, ChanceStep) and seat is None:
            return chances(self._state, waiting)
        return ()

    @property
    def gathering(self) -> Gathering | None:
        """What the seat to act is gathering, for picks in any order; else None."""
        return gathering(self._plan.actions, self._state)

    def seat_number(self, seat: str) -> int:
        """Return the number of a seat in play."""
        if seat not in self.seats:
            raise UsageError(
                f"there is no seat {seat}; the seats are {', '.join(self.seats)}",
                seat=seat,
            )
        return self.seats.index(seat)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on, or when it is unfinished."""
        s = self._state.s
        if not self._state.over or s[STATUS] == UNFINISHED:
            return None
        first = first_of(s[RANKS])
        winner = self.seats[s[WINNER]] if s[WINNER] >= 0 else None
        winners = tuple([self.seats[seat] for seat in first])
        ranks = s[RANKS] or (1,) * self.players
        points = {seat: self.points(seat) for seat in self.seats}
        by_seat = dict(zip(self.seats, ranks, strict=True))
        return Outcome(winners, winner, s[REASON], points, by_seat)

    @property
    def over(self) -> bool:
        """Whether the game has ended, or stopped at the limit of turns."""
        return self._state.over

    def points(self, seat: str) -> int:
        """Return a player's points."""
        points: int = self._plan.points(self._state.s, self.seat_number(seat))
        return points

    def worth(self, seat: str) -> int:
        """Return the rough value that the rules' hints give a player's position."""
        worth: int = self._plan.worth(self._state.s, self.seat_number(seat))
        return worth

    def outlook(self, action: Action) -> Outlook:
        """Return what a seat would have after a legal action, at the next decision."""
        return outlook(self._state, action.index)

    def teaches(self, action: str | Action) -> bool:
        """Whether by a legal action any seat learns what was hidden from it.

        That is a hidden value, a chance outcome, or a hidden choice. What follows from
        what everybody knew and from choices made in the open teaches nothing. Raises
        `IllegalAction`.
        """
        waiting = self._state.waiting
        if not isinstance(waiting, Decision):
            raise IllegalAction(self.why(text_of(action)))
        return teaches(self._state, legal_index(self._state, waiting, action))

    def why(self, action: str | Action | int, seat: str | None = None) -> Explanation:
        """Explain whether an action is legal, and what stands against it."""
        if seat is not None:
            self.seat_number(seat)
        return explained(self._plan, self._state, seat, action)

    # ------------------------------------------------------------ playing

    def apply(self, action: Any) -> tuple[dict[str, Any], ...]:
        """Do an action for the seat to act, or let a chance outcome happen.

        An action is a legal action, its text, its index, or an event of a record. A
        text such as `give(2 NAME, 1 NAME)` stands for all picks of a gather.
        Returns the events that follow, the action first. When it is not legal, or the
        rules have a mistake that shows only here (`RulesError`), nothing has changed.
        """
        if isinstance(action, str) and (picked := self._selected(action)):
            return self._apply_all(picked, action)
        waiting = self._state.waiting
        if isinstance(waiting, ChanceStep):
            before = self._events.count
            give(self._state, waiting, action)
            self._note_chance()
            return self._events.since(before)
        if not isinstance(waiting, Decision):
            raise IllegalAction(self.why(action))
        state = self._state
        index = legal_index(state, waiting, action)
        given = waiting.given(state, index)
        done = self._plan.actions.action(waiting.seat(state), index, given)
        before = self._events.count
        told = waiting.audience(state, index)
        with Unbroken(state):
            waiting.decide(state, index)
        self._events = self._events.after(records.Done(done.seat, done.text, told))
        self._note_chance()
        return self._events.since(before)

    def _selected(self, text: str) -> list[str]:
        """Return the single picks for which a text stands, none where it is no such."""
        selected = selection(self._plan.actions, text)
        return [] if selected is None else selected[1]

    def _apply_all(self, texts: list[str], whole: str) -> tuple[dict[str, Any], ...]:
        """Do all picks of a gather, or none of them."""
        explanation = self.why(whole)
        if not explanation.legal:
            raise IllegalAction(explanation)
        state, events = self._state.copy(), self._events
        try:
            for text in texts:
                self.apply(text)
        except (IllegalAction, rb.RulesError):
            self._state, self._events = state, events
            raise
        return self._events.since(events.count)

    def _note_chance(self) -> None:
        """Enter the chance events of the last run into the record."""
        for name, outcome, told in self._state.events:
            self._events = self._events.after(records.Drawn(name, outcome, told))
        self._state.events = []

    # ------------------------------------------------------------ as data

    @property
    def position(self) -> dict[str, Any]:
        """The whole position as plain data."""
        return positions.write_position(self._plan, self._state)

    def view(self, seat: str | None) -> dict[str, Any]:
        """Return what a seat (None: a spectator) may know, in the position's shape."""
        number = None if seat is None else self.seat_number(seat)
        return view(self._plan, self._state, number)

    def sample(self, seat: str, seed: int) -> Game:
        """Return a game that agrees with what a seat knows, the rest drawn anew.

        The same seed draws the same. Raises `UsageError` for an unknown seat or a seed
        that is no whole number.
        """
        check_seed(seed)
        state = draw_sample(self._state, self.seat_number(seat), seed)
        return Game(self._plan, state, began=state.copy())

    def log(self, seat: str | None) -> list[dict[str, Any]]:
        """Return the events as a seat (None: a spectator) may know them."""
        number = None if seat is None else self.seat_number(seat)
        return seen_events(self._state, self._events, number)

    def possible(self) -> Game:
        """Return the game, or raise `PositionError` where it cannot have come about."""
        began = self._state if self._began is None else self._began
        supplies.check_totals(self._plan, began.s)
        supplies.check_invariants(self._plan, self._state)
        return self

    def begin_here(self) -> None:
        """Let the record begin with the position as it stands."""
        self._began = self._state.copy()

    @property
    def began(self) -> dict[str, Any] | None:
        """The position that the game was made of; None when it began with set-up."""
        if self._began is None:
            return None
        return positions.write_position(self._plan, self._began)

    @property
    def record(self) -> str:
        """The game so far as text, one JSON document a line.

        The header of a game that was made of a position, or is a sample, has it as
        `position`.
        """
        return records.write_record(self)

    @property
    def events(self) -> tuple[dict[str, Any], ...]:
        """All events so far, as the record has them."""
        return self._events.since(0)

    @property
    def steps(self) -> int:
        """How many events there have been."""
        return self._events.count

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return identity(self._state) == identity(other._state)

    def __hash__(self) -> int:
        return hash(identity(self._state))

    @property
    def key(self) -> str:
        """A name of the position that is the same everywhere."""
        return key_of(self._plan, self.position)

    def __repr__(self) -> str:
        return f"<Game {self.book.name}, {self.to_act or 'over'}, {self.steps} events>"


def state_of(game: Game) -> State:
    """Return the state of a game and with it its plan: for what stands beside `Game`.

    Tests of rule files are carried out in it, and tests of engines look at it. No bot
    and no program of a user does: what a seat may know is in its view.
    """
    return game._state  # noqa: SLF001  (the one door)
