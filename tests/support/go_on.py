"""Process that restores positions, replays the rest of a record, and compares.

Standard input: one line with variant, seed and record, then one line per position with
the number of events before it. Writes one line for each: `same`, or the events that
differ.
"""

import json
import sys

import workbench
from interpreter import Game


def main() -> None:
    feed = json.loads(sys.stdin.readline())
    book = workbench.load(feed["variant"])
    record = [json.loads(line) for line in feed["record"].splitlines()[1:]]
    for line in sys.stdin:
        position, done = json.loads(line)
        game = Game.from_position(book, position, seed=feed["seed"])
        for event in record[done:]:
            if "seat" in event:
                game.apply(event["action"])
        went_on = [json.loads(event) for event in game.record.splitlines()[1:]]
        sys.stdout.write("same\n" if went_on == record[done:] else f"{went_on}\n")


if __name__ == "__main__":
    main()
