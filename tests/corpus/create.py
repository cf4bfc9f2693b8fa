"""Script that adds the rule files of a version to the corpus, when it is released.

`PYTHONPATH=CHECKOUT python tests/corpus/create.py VERSION CHECKOUT` copies rule files
from a checkout of the version, and the examples of its language reference. Games of
this version are recorded with its engine.
"""

import json
import re
import sys
from pathlib import Path
from random import Random

import rulebook
from interpreter import Game

FILES = (
    *("variants/classic/classic.rules", "variants/classic/classic_board.rules"),
    *("variants/classic/classic.look.rules", "variants/classic/classic_rulings.rules"),
    *("variants/common/common.rules", "variants/common/common.look.rules"),
    *("variants/common/island.rules", "variants/common/island.look.rules"),
    *("variants/house/friendly_robber.rules", "docs/language/village.rules"),
    *("examples/first/first.rules", "examples/tiny/connect_four.rules"),
    *("examples/tiny/dare.rules", "examples/tiny/hex.rules"),
    *("examples/games/backgammon.rules", "examples/games/hearts.rules"),
    *("examples/games/trains.rules", "examples/games/sealed_bids.rules"),
)
BLOCK = re.compile(r"```rules( whole| part|)\n(.*?)```", re.DOTALL)
OVER = 'rules language 1\nrulebook example "Example"\n  extends village\n\n'
DECISIONS = 60
SEPARATOR = "\n---\n"


def create(target: Path, checkout: Path) -> None:
    """Copy the files, and record a game of each."""
    for path in (checkout / name for name in FILES):
        if path.is_file():
            (target / path.name).write_bytes(path.read_bytes())
    examples = reference(checkout / "docs" / "language")
    (target / "reference.rules-test").write_text(examples, encoding="utf-8")
    for path in sorted(target.glob("*.rules")):
        record(path)


def reference(folder: Path) -> str:
    """Return the examples of the language reference, each as a file."""
    return SEPARATOR.join(
        ("" if mark else OVER) + rules
        for page in sorted(folder.glob("*.md"))
        for mark, rules in BLOCK.findall(page.read_text(encoding="utf-8"))
    )


def record(path: Path) -> None:
    """Record a game of random actions next to a rule file, if it is a game."""
    try:
        game = Game.start(rulebook.load(path), seed=7)
    except rulebook.RulesError:
        return
    numbers = Random(7)
    for _ in range(DECISIONS):
        actions = game.legal_actions()
        if game.to_act is None or not actions:
            break
        game.apply(numbers.choice(actions))
    header, *events = game.record.splitlines()
    kept = json.loads(header)
    kept.pop("sources", None)
    path.with_suffix(".jsonl").write_text("\n".join([json.dumps(kept), *events, ""]))


if __name__ == "__main__":
    create(Path(__file__).parent / sys.argv[1], Path(sys.argv[2]))
