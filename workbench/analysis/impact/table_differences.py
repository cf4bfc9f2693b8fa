"""Differences between the tables of two games that have different rules.

Only names known to both rulebooks can be compared directly. A part that only one of
them knows is compared with its initial value, so it differs once something happens to
it. Endless supplies are not compared.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import attrs

from interpreter import Game
from rulebook.tooling import counted_limit

Table = Mapping[str, Any]
Path = tuple[str, ...]
TableDifference = tuple[Path, Any, Any]
"""Difference between two tables: its path, and the value in each of them."""

PARTS_OFF_TABLE = frozenset({"players", "options", "pending", "chance", "triggers"}) | {
    *("split", "answers", "end")
}
"""Parts of a position that are not on the table, such as the wait point."""

NAME_KEYED_PARTS = frozenset({"game", "pieces", "awards", "points"})
"""Parts whose keys are names from the rules; in others, names are a level deeper."""

ENDLESS = "endless"


class MissingValue:
    """Type of the placeholder for a missing value."""


ABSENT = MissingValue()


def game_table(game: Game) -> dict[str, Any]:
    """Return the contents of a game's table as plain data, including points."""
    position = game.position
    table = {
        name: part for name, part in position.items() if name not in PARTS_OFF_TABLE
    }
    table["points"] = points_of(game)
    return table


def points_of(game: Game) -> dict[str, int]:
    """Return the points of each seat."""
    return {seat: game.points(seat) for seat in game.seats}


@attrs.frozen
class TableComparison:
    """Comparison of the tables of two games.

    `known` contains the names that both rulebooks know, or is None if they know the
    same names. `own_initial` and `other_initial` are initial values of parts that only
    one of them knows. If `compare_packed` is true, equal packed positions mean equal
    tables apart from points.
    """

    known: frozenset[Path] | None
    own_initial: Table
    other_initial: Table
    compare_packed: bool

    @classmethod
    def of_games(cls, game: Game, other: Game) -> "TableComparison":
        """Return the comparison for two games that have just started."""
        mine, theirs = game_table(game), game_table(other)
        both, either = (
            table_names(mine) & table_names(theirs),
            table_names(mine) | table_names(theirs),
        )
        known = None if both == either else both
        packed = known is None and game.packs_like(other)
        return cls(
            known, unknown_part(mine, known), unknown_part(theirs, known), packed
        )

    def differences(self, game: Game, other: Game) -> list[TableDifference]:
        """Return the differences between the current tables of both games."""
        packed = self.compare_packed and game.packed == other.packed
        if packed and points_of(game) == points_of(other):
            return []
        mine, theirs = game_table(game), game_table(other)
        if mine == theirs:
            return []
        if self.known is None:
            return without_limit_counters(leaf_differences(mine, theirs))
        differences = (
            *leaf_differences(
                known_part(mine, self.known), known_part(theirs, self.known)
            ),
            *leaf_differences(unknown_part(mine, self.known), self.own_initial),
            *leaf_differences(self.other_initial, unknown_part(theirs, self.known)),
        )
        return without_limit_counters(differences)


def table_names(table: Table) -> frozenset[Path]:
    """Return all names from the rules in a table, as pairs of part and name."""
    return frozenset(
        (section, name)
        for section, part in table.items()
        for inner in named_entries(section, part)
        for name in inner
    )


def named_entries(section: str, part: Any) -> Iterator[Mapping[str, Any]]:
    """Yield the objects of a part whose keys are names from the rules."""
    if not isinstance(part, dict):
        yield {"": part}
    elif section in NAME_KEYED_PARTS:
        yield part
    else:
        yield from (inner for inner in part.values() if isinstance(inner, dict))


def known_part(table: Table, known_names: frozenset[Path]) -> Table:
    """Return a table reduced to the known names."""
    return filtered_table(table, known_names, keep_known=True)


def unknown_part(table: Table, known_names: frozenset[Path] | None) -> Table:
    """Return the rows of a table with other names; none if all names are known."""
    return (
        {}
        if known_names is None
        else filtered_table(table, known_names, keep_known=False)
    )


def filtered_table(
    table: Table, known_names: frozenset[Path], *, keep_known: bool
) -> Table:
    """Return a table with only the known names, or all others if not *keep_known*."""

    def of(section: str, inner: Any) -> Any:
        if not isinstance(inner, dict):
            return inner
        return {
            name: value
            for name, value in inner.items()
            if ((section, name) in known_names) == keep_known
        }

    parts: dict[str, Any] = {}
    for section, part in table.items():
        if not isinstance(part, dict):
            if ((section, "") in known_names) == keep_known:
                parts[section] = part
        elif section in NAME_KEYED_PARTS:
            parts[section] = of(section, part)
        else:
            parts[section] = {key: of(section, inner) for key, inner in part.items()}
    return parts


def leaf_differences(
    mine: Any, theirs: Any, path: Path = ()
) -> Iterator[TableDifference]:
    """Yield the differences between two documents, value by value.

    A missing value counts as equal to false, 0 and an empty list.
    """
    if mine == theirs or ENDLESS in (mine, theirs):
        return
    sides = mine, theirs
    if any(isinstance(side, dict) for side in sides):
        left, right = (side if isinstance(side, dict) else {} for side in sides)
        for key in dict.fromkeys((*left, *right)):
            inner = left.get(key, ABSENT), right.get(key, ABSENT)
            yield from leaf_differences(*inner, (*path, key))
    elif all(isinstance(side, list) for side in sides) and len(mine) == len(theirs):
        for number, inner in enumerate(zip(mine, theirs, strict=True)):
            yield from leaf_differences(*inner, (*path, str(number)))
    elif ABSENT not in sides or any(map(has_content, sides)):
        before, after = (None if side is ABSENT else side for side in sides)
        yield path, before, after


def has_content(value: Any) -> bool:
    """Return whether a value exists and is not false, 0 or empty."""
    return value is not ABSENT and bool(value)


def without_limit_counters(
    differences: Iterator[TableDifference] | tuple[TableDifference, ...],
) -> list[TableDifference]:
    """Return the differences without those in counters of action limits."""
    return [entry for entry in differences if not any(map(counted_limit, entry[0]))]


def difference_text(difference: TableDifference) -> str:
    """Return a difference as text."""
    path, mine, theirs = difference
    return f"{'.'.join(path)} is {value_text(theirs)}, not {value_text(mine)}"


def value_text(value: Any) -> str:
    """Return a value as written in rule files."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)
