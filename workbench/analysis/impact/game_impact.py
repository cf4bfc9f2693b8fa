"""Impact of changed rules on a single recorded game."""

from typing import Any

import attrs

from interpreter import RecordError
from rulebook import Rulebook, RulesError
from workbench.analysis.impact.blame import Blame, find_blame
from workbench.analysis.impact.dual_replay import Difference, DualReplay, ParsedRecord
from workbench.analysis.impact.rule_changes import RuleChanges
from workbench.errors import RequestError
from workbench.files.library.digests import matches_digest
from workbench.files.library.loading import load
from workbench.files.records.record_files import load_record

NO_BLAME = Blame(())
"""Empty blame, for a game without a difference."""


@attrs.frozen
class OmittedRecord:
    """Record that is omitted because it cannot be replayed, and the reason.

    `has_other_rules` is true if the record was made under other rules.
    """

    record: str
    reason: str
    has_other_rules: bool = False


@attrs.frozen
class GameImpact:
    """Impact on a recorded game: its first difference and the changes that cause it.

    `has_other_digest` is true if the record names a different digest but is valid under
    the old rules. `is_truncated` is true if its last line was incomplete.
    """

    record: str
    difference: Difference | None = None
    blame: Blame = NO_BLAME
    has_other_digest: bool = False
    is_truncated: bool = False

    @property
    def is_valid(self) -> bool:
        """True if the record remains valid, with the same result."""
        return self.difference is None or not self.difference.kind.breaks_record

    def to_json(self) -> dict[str, Any]:
        """Return the impact as plain data."""
        document: dict[str, Any] = {"record": self.record, "holds": self.is_valid}
        if self.difference is None:
            return {**document, "difference": None}
        difference = self.difference.to_json()
        causes = {
            "clauses": list(self.blame.clauses),
            "also": list(self.blame.alternatives),
        }
        return {**document, "difference": {**difference, **causes}}


class ImpactJudge:
    """Callable that computes the impact of changed rules on records."""

    def __init__(self, before: Rulebook, after: Rulebook) -> None:
        self.before, self.after = before, after
        self.changes = RuleChanges(before, after)

    def __call__(self, record: str) -> GameImpact | OmittedRecord:
        """Return the impact on the game in a record file, or why it is omitted."""
        try:
            text, truncated = load_record(record)
            recorded = ParsedRecord.read(text)
        except (OSError, RequestError, RecordError) as error:
            return OmittedRecord(record, str(error))
        differs = not matches_digest(recorded.head["digest"], self.before)
        try:
            return attrs.evolve(
                self.judge(record, recorded),
                has_other_digest=differs,
                is_truncated=bool(truncated),
            )
        except (RecordError, RulesError) as error:
            name = recorded.head["variant"]
            reason = (
                f"a game of {name}, recorded with rules of a different digest"
                if differs
                else ""
            )
            return OmittedRecord(record, reason or invalid_record_text(error), differs)

    def judge(self, record: str, parsed_record: ParsedRecord) -> GameImpact:
        """Return the impact on a game.

        Raises `RecordError` if the record is not valid under the old rules.
        """
        replay = DualReplay(parsed_record, self.before, self.after)
        differences = list(replay.differences())
        replay.finish()
        if not differences:
            return GameImpact(record)
        fatal = next((item for item in differences if item.kind.breaks_record), None)
        difference = fatal or differences[0]
        blame = find_blame(parsed_record, self.before, self.changes, difference)
        return GameImpact(record, difference, blame)


def invalid_record_text(error: Exception) -> str:
    """Return a sentence on why a record is not valid under its own rules."""
    step = getattr(error, "step", None)
    prefix = "" if step is None else f"event {step + 1}: "
    return f"it is not valid under its own rules: {prefix}{error}"


def load_judge(before: str, after: str) -> ImpactJudge:
    """Return the judge of records of variant *before* under variant *after*."""
    return ImpactJudge(load(before), load(after))
