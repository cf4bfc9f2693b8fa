"""Is a seat favoured? Wins of equal bots by seat, and by place after the first player.

    python -m benchmarks.seats germany --games 4000 --out seats.jsonl

If the first player is drawn, equal bots should win equally often in every seat. The
chi-square measures the deviation from that, and p is the probability of such a
deviation by chance. Places after the first player may differ, because of the game. A
line for each game is appended to `--out`; games that it contains are not played again.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import erfc, exp, gamma, sqrt
from pathlib import Path
from typing import Any

from rulebook import Rulebook
from workbench.analysis.simulation.settings import Settings
from workbench.analysis.simulation.simulation import GameTask, bots_by_seat, play_game
from workbench.files.library.loading import load

EVERY = 100


def chi_square(counts: Sequence[int]) -> float:
    """Return the chi-square of counts against equal counts."""
    mean = sum(counts) / len(counts)
    return sum((count - mean) ** 2 / mean for count in counts) if mean else 0.0


def chance_of(distance: float, freedom: int) -> float:
    """Return the probability that a chi-square is at least *distance* by chance.

    This is the upper incomplete gamma function of halves, from 1/2 or 1 upwards.
    """
    half = distance / 2
    at, p = (0.5, erfc(sqrt(half))) if freedom % 2 else (1.0, exp(-half))
    while at < freedom / 2:
        p += half**at * exp(-half) / gamma(at + 1)
        at += 1
    return p


def games(book: Rulebook, task: GameTask, numbers: range) -> Iterator[dict[str, Any]]:
    """Yield the winner of each game, and the seat that started."""
    for number in numbers:
        start: Mapping[str, Any] = task.settings.start_bot_game(book, number).position
        result = play_game(book, task, number)
        yield {**result.to_json(), "starter": start["starter"]}


def counts_text(name: str, counts: Mapping[str, int]) -> str:
    """Return counts with their chi-square and p."""
    distance = chi_square(list(counts.values()))
    p = chance_of(distance, len(counts) - 1)
    wins = ", ".join(f"{seat} {count}" for seat, count in counts.items())
    return f"{name:<6} {wins}; chi-square {distance:.2f}, p {p:.4f}"


def table(rows: Sequence[Mapping[str, Any]], seats: Sequence[str]) -> Iterator[str]:
    """Yield the lines of the results."""
    won = [(row["winners"][0], row["starter"]) for row in rows if row["winners"]]
    yield f"games  {len(rows)}, won {len(won)}"
    by_seat = Counter(winner for winner, _ in won)
    yield counts_text("seat", {seat: by_seat[seat] for seat in seats})
    began = Counter(starter for _, starter in won)
    yield counts_text("began", {seat: began[seat] for seat in seats})
    size = len(seats)
    places = [
        (seats.index(winner) - seats.index(first)) % size for winner, first in won
    ]
    by_place = Counter(places)
    yield counts_text(
        "place", {str(place + 1): by_place[place] for place in range(size)}
    )


def main() -> None:
    """Play the missing games and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("variant")
    parser.add_argument("--games", type=int, default=4000)
    parser.add_argument("--players", type=int)
    parser.add_argument("--bot", default="greedy")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bot-seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("seats.jsonl"))
    chosen = parser.parse_args()
    book = load(chosen.variant)
    settings = Settings(chosen.players, chosen.seed, bot_seed=chosen.bot_seed)
    seats = settings.start(book).seats
    task = GameTask(bots_by_seat([chosen.bot], seats), settings)
    rows = []
    if chosen.out.exists():
        lines = chosen.out.read_text(encoding="utf-8").splitlines()
        rows = [json.loads(line) for line in lines]
    with chosen.out.open("a", encoding="utf-8") as file:
        for row in games(book, task, range(len(rows), chosen.games)):
            rows.append(row)
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
            file.flush()
            if len(rows) % EVERY == 0:
                print(*table(rows, seats), sep="\n", flush=True)
    print(*table(rows, seats), sep="\n")


if __name__ == "__main__":
    main()
