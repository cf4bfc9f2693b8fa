"""Summary of the impact on many records: counts by cause, with examples."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

import attrs

from workbench.analysis.impact.dual_replay import Difference, DifferenceKind
from workbench.analysis.impact.game_impact import GameImpact, OmittedRecord
from workbench.analysis.impact.rule_changes import Names, RuleChanges

HEADS = ("differs first", "clause", "games", "share", "earliest")
WORDS = {
    DifferenceKind.START: "cannot start",
    DifferenceKind.REFUSED: "illegal action",
    DifferenceKind.EFFECT: "different effect",
    DifferenceKind.CHANCE: "different chance event",
    DifferenceKind.END: "different end",
    DifferenceKind.FAILURE: "error in the rules",
    DifferenceKind.CHOICES: "valid, different choices",
    DifferenceKind.ODDS: "valid, different odds",
}
MAX_CLAUSES, MAX_LINES = 3, 4
"""Maximum number of clauses named per row, and of lines shown per change."""
UNKNOWN_CAUSE = "cause unknown"


@attrs.frozen
class ImpactRow:
    """Games with the same kind of first difference and the same cause.

    `example` is the game whose difference appears earliest.
    """

    kind: DifferenceKind
    clauses: Names
    alternatives: Names
    games: int
    share: float
    example: GameImpact

    @property
    def difference(self) -> Difference:
        """Difference of the example."""
        assert self.example.difference is not None
        return self.example.difference

    @property
    def clause_names(self) -> str:
        """Names of the clauses as text; only the first few if there are many."""
        names = " with ".join(self.clauses[:MAX_CLAUSES]) or UNKNOWN_CAUSE
        more = len(self.clauses) - MAX_CLAUSES
        return f"{names} and {more} more" if more > 0 else names

    def to_json(self) -> dict[str, Any]:
        """Return the row as plain data."""
        difference = self.difference
        return {
            "kind": str(self.kind),
            "clauses": list(self.clauses),
            "also": list(self.alternatives),
            "games": self.games,
            "share": round(self.share, 4),
            "earliest": difference.event,
            "example": {"record": self.example.record, **difference.to_json()},
        }


@attrs.frozen
class Impact:
    """Impact of changed rules on a corpus.

    `omitted_records` are the records that could not be judged, and `other_file_count`
    counts files that are not records.
    """

    changes: RuleChanges
    games: Sequence[GameImpact]
    omitted_records: Sequence[OmittedRecord]
    other_file_count: int

    @property
    def valid_games(self) -> int:
        """Number of games that remain valid."""
        return sum(game.is_valid for game in self.games)

    @property
    def games_with_other_choices(self) -> int:
        """Number of valid games in which choices or odds differ."""
        return sum(game.is_valid and game.difference is not None for game in self.games)

    @property
    def percent_valid(self) -> float:
        """Percentage of games that remain valid."""
        return self.min_percent_valid(0)

    def min_percent_valid(self, unplayed: int) -> float:
        """Return the percentage of valid games if *unplayed* more games are invalid."""
        return 100 * self.valid_games / (len(self.games) + unplayed)

    @property
    def rows(self) -> list[ImpactRow]:
        """Games grouped by kind and cause of their first difference."""
        groups: dict[tuple[DifferenceKind, Names, Names], list[GameImpact]] = (
            defaultdict(list)
        )
        for game in self.games:
            if game.difference is not None:
                blame = game.blame
                key = (game.difference.kind, blame.clauses, blame.alternatives)
                groups[key].append(game)
        rows = [
            ImpactRow(
                *key,
                len(games),
                len(games) / len(self.games),
                min(games, key=first_different_event),
            )
            for key, games in groups.items()
        ]
        return sorted(
            rows,
            key=lambda row: (
                not row.kind.breaks_record,
                -row.games,
                row.kind,
                row.clauses,
            ),
        )

    def to_json(self) -> dict[str, Any]:
        """Return the impact as plain data."""
        before, after = self.changes.before, self.changes.after
        return {
            "before": {"variant": before.name, "digest": before.digest},
            "after": {"variant": after.name, "digest": after.digest},
            "changes": [self._change(name) for name in self.changes.names],
            "games": len(self.games),
            "holds": self.valid_games,
            "otherwise": self.games_with_other_choices,
            "rows": [row.to_json() for row in self.rows],
            "records": [game.to_json() for game in self.games],
            "left_out": [
                {"record": omitted.record, "reason": omitted.reason}
                for omitted in self.omitted_records
            ],
            "other_files": self.other_file_count,
            "other_rules": sum(game.has_other_digest for game in self.games),
            "cut_off": sum(game.is_truncated for game in self.games),
        }

    def _change(self, name: str) -> dict[str, Any]:
        """Return a changed clause as plain data."""
        file, line = self.changes.place(name) or (None, None)
        old, new = ([part.text for part in lines] for lines in self.changes.lines(name))
        return {"clause": name, "file": file, "line": line, "gone": old, "new": new}


def first_different_event(game: GameImpact) -> int:
    """Return the number of the event at which a game first differs."""
    assert game.difference is not None
    return game.difference.event


def row_cells(row: ImpactRow) -> tuple[str, ...]:
    """Return the table cells of a row."""
    share = f"{100 * row.share:.0f} %"
    event = f"event {row.difference.event}"
    return WORDS[row.kind], row.clause_names, str(row.games), share, event


def summary_lines(impact: Impact, before: str, after: str) -> Iterator[str]:
    """Yield the lines above the table; *before* and *after* are variants as typed."""
    changes, games = impact.changes, len(impact.games)
    count = len(changes.names)
    summary = {0: "the same rules", 1: "1 clause differs"}.get(count)
    summary = summary or f"{count} clauses differ"
    yield f"{after} against {before}: {summary}"
    valid = f"{impact.valid_games} of {count_text(games, 'game')} remain valid"
    if impact.games_with_other_choices:
        valid += (
            f"; in {impact.games_with_other_choices} of these, choices or odds differ"
        )
    yield valid


def example_lines(impact: Impact, rules: str) -> Iterator[str]:
    """Yield lines on each row's example: its difference, and a command to view it."""
    for row in impact.rows:
        difference, record = row.difference, row.example.record
        location = f"{record}, event {difference.event}"
        yield f"{row.clause_names}: {WORDS[row.kind]}, {location}"
        yield f"  {difference.sentence}"
        places = [impact.changes.place(name) for name in row.clauses]
        if difference.place is not None and difference.place not in places:
            yield f"  --> {place_text(difference.place)}"
        for name in row.clauses[:MAX_CLAUSES]:
            yield from change_lines(impact.changes, name)
        if row.alternatives:
            changes = " and ".join(row.alternatives)
            yield f"  each of {changes} alone has the same effect"
        if difference.kind is not DifferenceKind.START:
            yield (
                f"  rulebook record-to-scenario {record} --rules {rules}"
                f" --at {difference.step}"
            )


def change_lines(changes: RuleChanges, name: str) -> Iterator[str]:
    """Yield lines on a changed clause: its place, and what was removed and added."""
    place = changes.place(name)
    yield f"  {name}" + (f", {place_text(place)}" if place is not None else "")
    for mark, lines in zip("-+", changes.lines(name), strict=True):
        for line in lines[:MAX_LINES]:
            yield f"    {mark} {line.text}"
        if len(lines) > MAX_LINES:
            yield f"    {mark} and {len(lines) - MAX_LINES} more"


def place_text(place: tuple[str, int]) -> str:
    """Return a place as `file:line`."""
    return f"{place[0]}:{place[1]}"


def remark_lines(impact: Impact) -> Iterator[str]:
    """Yield remarks on records that were left out or are unusual."""
    other = [item for item in impact.omitted_records if item.has_other_rules]
    for item in impact.omitted_records:
        if not item.has_other_rules:
            yield f"{item.record}: {item.reason}"
    if other:
        more = f" and {len(other) - 1} more" if len(other) > 1 else ""
        yield f"{other[0].record}{more}: {other[0].reason}; ignored"
    differ = sum(game.has_other_digest for game in impact.games)
    if differ:
        yield (
            f"{count_text(differ, 'record')} with a different digest, but valid"
            f" under the rules of {impact.changes.before.name}"
        )
    cut = sum(game.is_truncated for game in impact.games)
    if cut:
        yield (
            f"{count_text(cut, 'record')} with an incomplete last line: replayed up"
            " to there"
        )
    if impact.other_file_count:
        files = count_text(impact.other_file_count, "file")
        yield f"{files} that {is_or_are(impact.other_file_count)} not a record"


def is_or_are(number: int) -> str:
    """Return "is" or "are", depending on a number."""
    return "is" if number == 1 else "are"


def count_text(number: int, noun: str) -> str:
    """Return a number with its noun in the singular or plural."""
    return f"{number} {noun}{'' if number == 1 else 's'}"
