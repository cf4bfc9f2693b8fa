"""OpenSpiel games, in which each decision and each chance event is a node.

    pyspiel.load_game("rulebook(rules=NAME_OR_PATH,players=3,options=a:1+b:yes)")

Actions are the action indices of the rule file. Chance is explicit: outcomes are
numbered in the order of `Game.legal_actions`. Seats that choose simultaneously act in
turn, without seeing each other's choices. The return of a seat is its share of the win
times the number of players, minus 1. All returns sum to 0.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pyspiel

import rulebook as rb
from interpreter import Chance, Game, UsageError, options_of
from workbench import load
from workbench.learning.chance_nodes import has_perfect_information, max_outcomes
from workbench.learning.stepping import GIVEN, EpisodeSetting

NAME = "rulebook"
CHANCE = "chance"
"""Value of `Game.to_act` if a chance event is due."""

DECISIONS = 10_000
BASE_CHANCE_EVENTS = 1_000
"""Base of the limit on chance events in a game; each decision adds ten to it."""

MAX_OUTCOMES = 65_536
"""Maximum number of outcomes of a chance event."""

PARAMETERS: dict[str, Any] = {
    "rules": "",
    "players": 0,
    "options": "",
    "decisions": DECISIONS,
}
KNOWN_BOOKS: dict[str, rb.Rulebook] = {}
"""Rulebooks registered in this process, by their names in game parameters."""

TYPES = pyspiel.GameType


def register_game(
    book: rb.Rulebook, players: int | None, options: dict[str, Any], decisions: int
) -> Any:
    """Return the OpenSpiel game of a book, and register the book under a name."""
    name = f"{book.name}-{book.digest.rpartition(':')[2][:12]}"
    KNOWN_BOOKS[name] = book
    all_options = options_of(book, players=players, options=options)
    given_options = {key: all_options[key] for key in options}
    return RuleGame(
        {
            "rules": name,
            "players": players or book.players[1],
            "options": options_text(given_options),
            "decisions": decisions,
        }
    )


def options_text(options: dict[str, Any]) -> str:
    """Return options as the text of a game parameter.

    >>> options_text({"a": 1, "b": True, "c": "most"})
    'a:1+b:yes+c:most'
    """
    words = {True: "yes", False: "no", None: "none"}
    return "+".join(
        f"{name}:{words.get(value, value) if type(value) is not int else value}"
        for name, value in options.items()
    )


def parse_options(text: str) -> dict[str, Any]:
    """Return the options in the text of a game parameter.

    >>> parse_options("a:1+b:yes+c:most"), parse_options("")
    ({'a': 1, 'b': True, 'c': 'most'}, {})
    """
    words = {"yes": True, "no": False, "none": None}
    given = [part.partition(":")[::2] for part in text.split("+") if part]
    return {
        name: int(value) if value.isdecimal() else words.get(value, value)
        for name, value in given
    }


def game_type(
    book: rb.Rulebook | None, players: tuple[int, int], outcomes: int
) -> pyspiel.GameType:
    """Return the OpenSpiel game type of a book, or a general one without a book.

    *players* are the minimum and maximum number of players, and *outcomes* is the
    maximum number of outcomes of a chance event, 0 without chance.
    """
    chance_modes, information_modes = TYPES.ChanceMode, TYPES.Information
    is_perfect = book is not None and has_perfect_information(book.model)
    return TYPES(
        short_name=NAME,
        long_name="Rulebook" if book is None else f"Rulebook: {book.title}",
        dynamics=TYPES.Dynamics.SEQUENTIAL,
        chance_mode=chance_modes.EXPLICIT_STOCHASTIC
        if outcomes
        else chance_modes.DETERMINISTIC,
        information=(
            information_modes.PERFECT_INFORMATION
            if is_perfect
            else information_modes.IMPERFECT_INFORMATION
        ),
        utility=TYPES.Utility.ZERO_SUM,
        reward_model=TYPES.RewardModel.TERMINAL,
        min_num_players=players[0],
        max_num_players=players[1],
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=PARAMETERS,
        default_loadable=False,
    )


class RuleGame(pyspiel.Game):
    """OpenSpiel game of a rule file.

    Created by OpenSpiel or `workbench.learning.spiel_game`.
    """

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        parameters: dict[str, Any] = {**PARAMETERS, **(params or {})}
        book = find_book(parameters["rules"])
        players = parameters["players"] or book.players[1]
        if players < 2:
            raise UsageError(
                f"{book.name} has one player: OpenSpiel needs games with"
                " winners and losers",
            )
        outcomes = max_outcomes(book.model, book.seats[:players])
        if outcomes > MAX_OUTCOMES:
            raise UsageError(
                f"{book.name} has a chance event with up to {outcomes:,}"
                " outcomes, each of which is a tree branch in OpenSpiel: the"
                f" limit is {MAX_OUTCOMES:,}"
            )
        self.rules, self.decisions = parameters["rules"], parameters["decisions"]
        self.book, self.chances = book, outcomes
        options = parse_options(parameters["options"])
        setting = EpisodeSetting(book, players, options, chance=GIVEN).with_engine(0)
        self.start_state = setting.start(0)
        information = pyspiel.GameInfo(
            num_distinct_actions=self.start_state.actions,
            max_chance_outcomes=outcomes,
            num_players=players,
            min_utility=-1.0,
            max_utility=float(players - 1),
            utility_sum=0.0,
            max_game_length=self.decisions,
        )
        game_kind = game_type(book, book.players, outcomes)
        super().__init__(game_kind, information, parameters)

    def observed(self) -> tuple[str, ...]:
        """Return the names of the numbers in an observation."""
        return self.start_state.observed()

    def new_initial_state(self, state: Any = None) -> RuleState:
        """Return the state before the first decision or chance event."""
        if state is not None:
            raise ValueError("a game can only start with its set-up")
        return RuleState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Return the maximum number of chance events in a game, or 0 without chance."""
        return BASE_CHANCE_EVENTS + 10 * self.decisions if self.chances else 0

    def make_py_observer(self, kind: Any = None, params: Any = None) -> Any:
        """Return an observer of states.

        Without *kind*, OpenSpiel passes *params* in its place.
        """
        if isinstance(kind, dict):
            kind, params = None, kind
        if params:
            raise ValueError(f"observations take no parameters: {params}")
        return Observer(self, kind)


class SavedState:
    """Game behind an OpenSpiel state: copied with it, and pickled as a record.

    OpenSpiel pickles the attributes of a state. A pickle contains no rules, and
    unpickling uses rules that are already loaded.
    """

    def __init__(self, game: Game, rules: str) -> None:
        self.game, self.rules = game, rules

    def __deepcopy__(self, _memo: dict[int, Any]) -> SavedState:
        return SavedState(self.game.copy(), self.rules)

    def __reduce__(self) -> tuple[Any, ...]:
        return replay_state, (self.game.record, self.rules, self.game.engine)


def replay_state(record: str, rules: str, engine: str) -> SavedState:
    """Return the saved state at the end of a record, by replaying it."""
    return SavedState(Game.replay(record, find_book(rules), engine), rules)


def find_book(rules: str) -> rb.Rulebook:
    """Return the book with this name: registered, or loaded from a file."""
    if rules not in KNOWN_BOOKS:
        KNOWN_BOOKS[rules] = load(rules)
    return KNOWN_BOOKS[rules]


class RuleState(pyspiel.State):
    """OpenSpiel state: a seat or chance must act, or the game is over."""

    def __init__(self, game: RuleGame) -> None:
        super().__init__(game)
        self.kept = SavedState(game.start_state.copy(), game.rules)
        self.left = [game.decisions, game.max_chance_nodes_in_history() or 1]
        """Remaining decisions and chance events until the game is cut off."""
        self.texts: dict[int, str] = {}
        """Texts of the legal actions by index, computed on demand."""

    @property
    def current_game(self) -> Game:
        """Game at this state."""
        return self.kept.game

    def _is_over(self) -> bool:
        """Return whether the game is over or cut off."""
        return self.current_game.over or not all(self.left)

    def current_player(self) -> int:
        """Return the number of the seat to act, or the code for chance or the end."""
        if self._is_over():
            over: int = pyspiel.PlayerId.TERMINAL
            return over
        actor = self.current_game.to_act
        if actor == CHANCE:
            chance: int = pyspiel.PlayerId.CHANCE
            return chance
        return self.current_game.seats.index(str(actor))

    def is_terminal(self) -> bool:
        """Return whether the game is over or cut off."""
        return self._is_over()

    def _legal_actions(self, player: int) -> list[int]:
        """Return the indices of a seat's legal actions, in ascending order."""
        legal = self.current_game.legal_indices()
        if not legal:
            seat = self.current_game.seats[player]
            raise UsageError(f"{seat} must decide but has no legal action")
        return legal

    def _outcomes(self) -> list[Chance]:
        """Return the outcomes of the current chance event with positive probability."""
        return [each for each in self.current_game.legal_actions() if each.probability]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the numbers and probabilities of the possible outcomes."""
        return [(n, float(each.probability)) for n, each in enumerate(self._outcomes())]

    def _apply_action(self, action: int) -> None:
        """Apply an action by its index, or a chance outcome by its number."""
        if self.current_game.to_act == CHANCE:
            self.current_game.apply(self._outcomes()[action])
            self.left = [self.left[0], self.left[1] - 1]
        else:
            self.current_game.advance(int(action))
            self.left = [self.left[0] - 1, self.left[1]]
        self.texts = {}

    def _action_to_string(self, player: int, action: int) -> str:
        """Return an action or an outcome as text."""
        if player == pyspiel.PlayerId.CHANCE:
            return json_line(self._outcomes()[action].to_json())
        if not self.texts:
            legal = self.current_game.legal_actions(self.current_game.seats[player])
            self.texts = {each.index: each.text for each in legal}
        return self.texts.get(action) or self.current_game.why(int(action)).action

    def returns(self) -> list[float]:
        """Return the payoff of each seat: 0 before the end or without a winner."""
        outcome = self.current_game.outcome
        seats = self.current_game.seats
        if outcome is None or not outcome.winners:
            return [0.0] * len(seats)
        share = len(seats) / len(outcome.winners)
        return [share * (seat in outcome.winners) - 1 for seat in seats]

    def __str__(self) -> str:
        """Return the position as one line of JSON."""
        return json_line(self.current_game.position)


class Observer:
    """Observer of states, as numbers and as text.

    By default, the numbers are the current observation of the seat. The text can also
    contain all that the seat has learnt (`perfect_recall`), or only public or private
    information.
    """

    def __init__(self, game: RuleGame, kind: Any) -> None:
        self._game = game
        self._open = game.get_type().information == (
            TYPES.Information.PERFECT_INFORMATION
        )
        nobody = pyspiel.PrivateInfoType.NONE
        self._recalls = kind is not None and kind.perfect_recall
        self._public = kind is None or kind.public_info
        self._private = kind is None or kind.private_info != nobody
        self.tensor: Any = None
        self.dict: dict[str, Any] = {}
        if self._public and self._private and not self._recalls:
            self.tensor = np.zeros(len(game.observed()), np.float32)
            self.dict = {"observation": self.tensor}

    def set_from(self, state: RuleState, player: int) -> None:
        """Write the observation of a seat to the tensor."""
        if self.tensor is not None:
            seat = state.current_game.seats[player]
            self.tensor[:] = state.current_game.observation(seat)

    def string_from(self, state: RuleState, player: int) -> str:
        """Return the observation of a seat as JSON, one document per line."""
        game = state.current_game
        seat = game.seats[player] if self._private else None
        if not self._public:
            private = json_line(game.view(seat))
            return (
                "" if self._open or private == json_line(game.view(None)) else private
            )
        if not self._recalls:
            return json_line({"seat": seat, "view": game.view(seat)})
        learned = state.history_str() if self._open else json_line(game.log(seat))
        return f"{json_line(seat)}\n{learned}\n{json_line(game.view(seat))}"


def json_line(document: Any) -> str:
    """Return plain data as one line of JSON."""
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))


pyspiel.register_game(game_type(None, (2, 100), MAX_OUTCOMES), RuleGame)
