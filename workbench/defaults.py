"""Default values of commands, also shown by `--help`.

They are in a module without heavy imports, so that command-line help stays fast.
"""

from collections.abc import Mapping

LANGUAGE = "en"
HUMAN = "human"
RANDOM = "random"
GREEDY = "greedy"
MCTS = "mcts"
PLAYOUTS = 1_000
"""Number of playouts per decision of `mcts` if no budget is given."""

BUDGETS = "mcts(2000), mcts(50000 decisions) or mcts(0.5 s)"
BOTS: Mapping[str, str] = {
    RANDOM: "plays a random legal action",
    GREEDY: (
        "looks one step ahead for points and for value by the hints of the rule file"
    ),
    MCTS: (
        f"tree search with {PLAYOUTS} playouts per decision, or with a budget:"
        f" {BUDGETS}"
    ),
}
"""Shipped bots with their descriptions; `workbench.bots` implements them."""

SITTING = f"{', '.join(BOTS)} (or with a budget {BUDGETS})"
"""The shipped bots as one line of text."""

STOP, LOSE = "stop", "lose"
ON_BOT_ERROR = (STOP, RANDOM, LOSE)
"""Ways to react to an error of a bot."""

AUTO, NATIVE, REFERENCE = "auto", "native", "reference"
"""Choices of engine: the quicker one, the native one, or the interpreter."""

GAMES = 100
COMPARED = 400
"""Total number of games in a comparison, over all variants."""
LADDER_GAMES = 400

UNTIL_GAMES = 100_000
"""Maximum number of games when playing until a measure is precise enough."""
SWEEP_GAMES, SWEEP_POINTS = 200, 30
"""Number of games per point of a sweep, and maximum number of points in a search."""

TEST_GAMES = 20
"""Number of games per number of players; for generated games, the total."""

MUTANTS = 100
SETUPS = 50

GUIDED, UNIFORM = "guided", "uniform"
"""Choices of generated games: towards unreached parts, or any legal action."""

DECISIONS_MAX = 100_000

POSITIONS_MAX = 1_000_000
MEMORY_MAX = 1_024
"""Memory limit in MiB."""

SERVED_AT, PORT = "127.0.0.1", 8000
"""Default address and port of the server; only this machine can connect."""
