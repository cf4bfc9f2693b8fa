"""What holds where nothing is said: plain values, which `--help` reads too.

They stand here, so that what a command may be given is known without what it imports.
"""

from collections.abc import Mapping

LANGUAGE = "en"
HUMAN = "human"
RANDOM = "random"
GREEDY = "greedy"
MCTS = "mcts"
PLAYOUTS = 1_000
"""How many playouts `mcts` may make for a decision, where no budget is said."""

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
"""The bots that are shipped, and what each is; `workbench.bots` has them."""

SITTING = f"{', '.join(BOTS)} (or with a budget {BUDGETS})"
"""The same for people, on one line."""

STOP, LOSE = "stop", "lose"
ON_BOT_ERROR = (STOP, RANDOM, LOSE)
"""What may come of a bot that does wrong."""

AUTO, NATIVE, REFERENCE = "auto", "native", "reference"
"""What may play: one engine or the other, or whichever is quicker."""

GAMES = 100
COMPARED = 400
"""Games of a comparison, of all variants together."""
LADDER_GAMES = 400

UNTIL_GAMES = 100_000
"""The most where games are played until a measure is known."""
SWEEP_GAMES, SWEEP_POINTS = 200, 30
"""Games at each point of a sweep, and points at most where a goal is sought."""

TEST_GAMES = 20
"""For each number of players; of made-up games all together."""

MUTANTS = 100
SETUPS = 50

GUIDED, UNIFORM = "guided", "uniform"
"""How made-up games choose: what no game has reached, or any legal action."""

DECISIONS_MAX = 100_000

POSITIONS_MAX = 1_000_000
MEMORY_MAX = 1_024
"""In MiB."""

SERVED_AT, PORT = "127.0.0.1", 8000
"""Where tables are served to browsers: on this machine, and nowhere else."""
