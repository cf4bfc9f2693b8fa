"""Tables of catanatron 3.2.1 with a seat for an outside player; run by its own Python.

    python catanatron_table.py

The first line of input is a list of games in JSON. Each has a `seed`, `players`, the
name of `theirs`, the `seat` of the outside player (null: none), and the flag `watch`,
with which each step lists all legal actions. The output has one line of JSON per event:
`table` before the first decision, `step`, `ask` for a decision, and `over` with the
result. One line with the index of a legal action answers each `ask`.
"""

import json
import random
import sys
import time
from typing import Any

from catanatron import Color, Game
from catanatron.game import TURNS_LIMIT
from catanatron.models.player import RandomPlayer
from catanatron.players.search import VictoryPointPlayer
from catanatron.players.weighted_random import WeightedRandomPlayer

COLOURS = (Color.RED, Color.BLUE, Color.WHITE, Color.ORANGE)


def alpha_beta(colour: Color) -> Any:
    """Return a search that is not in their package: see `benchmarks.peer_engines`."""
    from catanatron_experimental.machine_learning.players import minimax

    return minimax.AlphaBetaPlayer(colour)


def value_function(colour: Color) -> Any:
    """Return a player with the same evaluation but without lookahead."""
    from catanatron_experimental.machine_learning.players import minimax

    return minimax.ValueFunctionPlayer(colour)


PLAYERS = {
    "random": RandomPlayer,
    "weighted random": WeightedRandomPlayer,
    "victory point": VictoryPointPlayer,
    "value function": value_function,
    "alpha-beta": alpha_beta,
}


def say(**what: Any) -> None:
    """Print a line of JSON."""
    sys.stdout.write(json.dumps(what) + "\n")


def plain(value: Any) -> Any:
    """Return a value of an action as plain data."""
    if isinstance(value, tuple | list):
        return [plain(each) for each in value]
    return value.value if isinstance(value, Color) else value


def choice_and_outcome(action: Any) -> tuple[list[Any], Any]:
    """Return the choice in an action, and the outcome of chance."""
    name, value = action.action_type.value, plain(action.value)
    if name in {"ROLL", "DISCARD", "BUY_DEVELOPMENT_CARD"}:
        return [name, None], value
    if name == "MOVE_ROBBER":
        return [name, value[:2]], value[2]
    return [name, value], None


class Outside:
    """Seat whose player is asked by a line."""

    is_bot = True

    def __init__(self, colour: Color) -> None:
        self.color = colour

    def decide(self, _game: Game, playable_actions: list[Any]) -> Any:
        """Ask for a decision if there is a choice."""
        if len(playable_actions) == 1:
            return playable_actions[0]
        say(ask=[choice_and_outcome(action)[0] for action in playable_actions])
        sys.stdout.flush()
        return playable_actions[int(sys.stdin.readline())]


class Clocked:
    """Clock for decisions of their players that have a choice.

    They receive the actions in a fixed order. Some of theirs come out of sets, whose
    order depends on memory addresses.
    """

    def __init__(self) -> None:
        self.decisions, self.seconds = 0, 0.0

    def decide(self, player: Any, game: Game, actions: list[Any]) -> Any:
        """Let a player decide."""
        actions = sorted(actions, key=repr)
        if isinstance(player, Outside) or len(actions) == 1:
            return player.decide(game, actions)
        begun = time.process_time()
        action = player.decide(game, actions)
        self.seconds += time.process_time() - begun
        self.decisions += 1
        return action


def initial_state(game: Game) -> dict[str, Any]:
    """Return the state of a table before the first decision."""
    board = game.state.board
    tiles = [
        {
            "xyz": list(place),
            "resource": tile.resource,
            "number": tile.number,
            "nodes": {ref.value: node for ref, node in tile.nodes.items()},
        }
        for place, tile in board.map.land_tiles.items()
    ]
    ports = {str(kind): sorted(ends) for kind, ends in board.map.port_nodes.items()}
    colours = [colour.value for colour in game.state.colors]
    return {
        "players": len(colours),
        "colors": colours,
        "tiles": tiles,
        "port_nodes": ports,
        "robber": list(board.robber_coordinate),
        "vp": game.vps_to_win,
    }


def new_game(asked: dict[str, Any]) -> Game:
    """Return a new game with the outside player in the requested seat."""
    number, seed = asked["players"], asked["seed"]
    random.seed(seed)
    order = random.sample(range(number), number)
    outside = None if asked["seat"] is None else order[asked["seat"]]
    made = PLAYERS[asked["theirs"]]
    players = [
        Outside(colour) if place == outside else made(colour)
        for place, colour in enumerate(COLOURS[:number])
    ]
    return Game(players, seed=seed)


def play(asked: dict[str, Any]) -> None:
    """Play a game."""
    game, clock = new_game(asked), Clocked()
    state = game.state
    say(table=initial_state(game))
    while game.winning_color() is None and state.num_turns < TURNS_LIMIT:
        before = state.playable_actions if asked["watch"] else []
        done = game.play_tick(decide_fn=clock.decide)
        action, result = choice_and_outcome(done)
        legal = [choice_and_outcome(each)[0] for each in before]
        say(step=action, by=done.color.value, result=result, legal=legal)
    winner, place = game.winning_color(), asked["seat"]
    say(
        over=winner and winner.value,
        won=winner is not None and state.color_to_index[winner] == place,
        turns=state.num_turns,
        decisions=clock.decisions,
        seconds=clock.seconds,
    )
    sys.stdout.flush()


for asked in json.loads(sys.stdin.readline()):
    play(asked)
