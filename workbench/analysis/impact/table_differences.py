"""What lies on the table, by two rulebooks: where the two are apart.

Only what both know can be compared. What one of them alone knows is compared with what
it was at the beginning: it counts from when something happens to it. Supplies without
an end have no number that could be compared.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import attrs

from interpreter import Game
from rulebook.tooling import limit_of

Table = Mapping[str, Any]
Path = tuple[str, ...]
Apart = tuple[Path, Any, Any]
"""Where two tables are apart, and what lies there on either."""

NOT_ON_IT = frozenset({"players", "options", "pending", "chance", "triggers"}) | {
    *("split", "answers", "end")
}
"""Parts of a position that say where the game waits, and not what is on the table."""

FLAT = frozenset({"game", "pieces", "awards", "points"})
"""Parts whose entries are names of the rules; the others have members with such."""

ENDLESS = "endless"


class Absent:
    """What stands where there is nothing."""


NOTHING = Absent()


def table_of(game: Game) -> dict[str, Any]:
    """The table of a game, points included, without what counts for limits."""
    position = game.position
    table = {name: part for name, part in position.items() if name not in NOT_ON_IT}
    table["points"] = points_of(game)
    return table


def points_of(game: Game) -> dict[str, int]:
    """The points of each seat."""
    return {seat: game.points(seat) for seat in game.seats}


@attrs.frozen
class Sight:
    """How two tables are compared: `mine` and `theirs` are how what only one of them
    knows was at the beginning; `known` is what both know, None where that is all.

    `packed`: where games in few bytes are the same, so are their tables but for points.
    """

    known: frozenset[Path] | None
    mine: Table
    theirs: Table
    packed: bool

    @classmethod
    def of(cls, game: Game, other: Game) -> "Sight":
        """The sight on two games that begin."""
        mine, theirs = table_of(game), table_of(other)
        both, either = names(mine) & names(theirs), names(mine) | names(theirs)
        known = None if both == either else both
        packed = known is None and game.packs_as(other)
        return cls(known, rest(mine, known), rest(theirs, known), packed)

    def differences(self, game: Game, other: Game) -> list[Apart]:
        """Where the tables of two games are apart."""
        packed = self.packed and game.packed == other.packed
        if packed and points_of(game) == points_of(other):
            return []
        mine, theirs = table_of(game), table_of(other)
        if mine == theirs:
            return []
        if self.known is None:
            return counting(leaf_differences(mine, theirs))
        news = (
            *leaf_differences(narrow(mine, self.known), narrow(theirs, self.known)),
            *leaf_differences(rest(mine, self.known), self.mine),
            *leaf_differences(self.theirs, rest(theirs, self.known)),
        )
        return counting(news)


def names(table: Table) -> frozenset[Path]:
    """What a table knows, as the part it stands in and its name there."""
    return frozenset(
        (section, name)
        for section, part in table.items()
        for inner in entries(section, part)
        for name in inner
    )


def entries(section: str, part: Any) -> Iterator[Mapping[str, Any]]:
    """The objects of a part whose keys are names of the rules."""
    if not isinstance(part, dict):
        yield {"": part}
    elif section in FLAT:
        yield part
    else:
        yield from (inner for inner in part.values() if isinstance(inner, dict))


def narrow(table: Table, known: frozenset[Path]) -> Table:
    """A table with only what is known."""
    return chosen(table, known, wanted=True)


def rest(table: Table, known: frozenset[Path] | None) -> Table:
    """A table without what is known."""
    return {} if known is None else chosen(table, known, wanted=False)


def chosen(table: Table, known: frozenset[Path], *, wanted: bool) -> Table:
    """A table with what is known, or with what is not."""

    def of(section: str, inner: Any) -> Any:
        if not isinstance(inner, dict):
            return inner
        return {
            name: value
            for name, value in inner.items()
            if ((section, name) in known) == wanted
        }

    parts: dict[str, Any] = {}
    for section, part in table.items():
        if not isinstance(part, dict):
            if ((section, "") in known) == wanted:
                parts[section] = part
        elif section in FLAT:
            parts[section] = of(section, part)
        else:
            parts[section] = {key: of(section, inner) for key, inner in part.items()}
    return parts


def leaf_differences(mine: Any, theirs: Any, path: Path = ()) -> Iterator[Apart]:
    """Where two documents are apart, leaf by leaf.

    What is not there is as nothing: as no, 0, or an empty list.
    """
    if mine == theirs or ENDLESS in (mine, theirs):
        return
    sides = mine, theirs
    if any(isinstance(side, dict) for side in sides):
        left, right = (side if isinstance(side, dict) else {} for side in sides)
        for key in dict.fromkeys((*left, *right)):
            inner = left.get(key, NOTHING), right.get(key, NOTHING)
            yield from leaf_differences(*inner, (*path, key))
    elif all(isinstance(side, list) for side in sides) and len(mine) == len(theirs):
        for number, inner in enumerate(zip(mine, theirs, strict=True)):
            yield from leaf_differences(*inner, (*path, str(number)))
    elif NOTHING not in sides or any(map(something, sides)):
        before, after = (None if side is NOTHING else side for side in sides)
        yield path, before, after


def something(value: Any) -> bool:
    """Whether there is anything: not no, 0, or an empty list."""
    return value is not NOTHING and bool(value)


def counting(news: Iterator[Apart] | tuple[Apart, ...]) -> list[Apart]:
    """Where tables are apart, without what only counts for the limit of an action."""
    return [entry for entry in news if not any(map(limit_of, entry[0]))]


def differences_text(news: Apart) -> str:
    """Where two tables are apart, for people."""
    path, mine, theirs = news
    return f"{'.'.join(path)} is {value_text(theirs)}, not {value_text(mine)}"


def value_text(value: Any) -> str:
    """A plain value as rule files have it."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)
