"""Defaults of commands, as shown by `--help`.

This module has no heavy imports, so that `--help` stays fast.
"""

from collections.abc import Mapping

LANGUAGE = "en"
HUMAN = "human"
RANDOM = "random"
GREEDY = "greedy"
MCTS = "mcts"
DEFAULT_PLAYOUTS = 1_000
"""Number of playouts per decision of the bot `mcts`, unless a budget is given."""

BUDGETS = "mcts(2000), mcts(50000 decisions) or mcts(0.5 s)"
BOTS: Mapping[str, str] = {
    RANDOM: "plays a random legal action",
    GREEDY: (
        "looks one step ahead for points and for value by the hints of the rule file"
    ),
    MCTS: (
        f"tree search with {DEFAULT_PLAYOUTS} playouts per decision, or with a budget:"
        f" {BUDGETS}"
    ),
}
"""Description of each shipped bot, by name; `workbench.bots` has the bots."""

BOT_NAMES = f"{', '.join(BOTS)} (or with a budget {BUDGETS})"
"""Names of the shipped bots as text, for help."""

STOP, LOSE = "stop", "lose"
BOT_ERROR_REACTIONS = (STOP, RANDOM, LOSE)
"""Possible reactions to a bot's error, as values of `--on-bot-error`."""

AUTO, NATIVE, REFERENCE = "auto", "native", "reference"
"""Choices of engine: the faster one, the native one, or the interpreter."""

GAMES = 100
COMPARISON_GAMES = 400
"""Default total number of games in a comparison, divided among the variants."""
LADDER_GAMES = 400

MAX_PRECISION_GAMES = 100_000
"""Default maximum number of games if `--until` requests a precision."""
SWEEP_GAMES, SWEEP_POINTS = 200, 30
"""Default number of games per point of a sweep, and maximum number of points."""

TEST_GAMES = 20
"""Default number of generated games: per number of players in `test`, else in total."""

MUTANTS = 100
SETUPS = 50

GUIDED, UNIFORM = "guided", "uniform"
"""Ways to choose actions in generated games: towards unreached rules, or uniformly."""

DECISIONS_MAX = 100_000

POSITIONS_MAX = 1_000_000
MAX_MEMORY_MIB = 1_024
"""Default memory limit of an exploration, in MiB."""

DEFAULT_ADDRESS, DEFAULT_PORT = "127.0.0.1", 8000
"""Default address and port of the server; the address allows only local connections."""
