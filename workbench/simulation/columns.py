"""Results as columns: for each measure a number for each game, by name.

`turns`, or with what it is of `points.red`. An action that nobody did in a game was
done no times there.
"""

from collections.abc import Mapping, Sequence

from workbench.simulation.statistics import Result

Columns = Mapping[str, Sequence[float]]


def columns_of(results: Sequence[Result], seats: Sequence[str]) -> Columns:
    """What is measured in some games, in their order."""
    columns: dict[str, list[float]] = {
        "turns": [result.turns for result in results],
        "decisions": [result.decisions for result in results],
        "finished": [result.finished for result in results],
        "draws": [result.finished and not result.winners for result in results],
    }
    for seat in seats:
        columns[f"wins.{seat}"] = [seat in result.winners for result in results]
    for seat in seats:
        columns[f"points.{seat}"] = [result.points[seat] for result in results]
    for name in sorted({name for result in results for name in result.actions}):
        columns[f"actions.{name}"] = [result.actions.get(name, 0) for result in results]
    return columns
