"""Results of checking untrusted rule texts in a worker process.

Names in a text refer only to texts sent with it, or to shipped files. If the worker
fails, the result contains a diagnostic that explains why.
"""

from collections.abc import Mapping
from typing import Any

import attrs

from workbench.files.library.loading import ENDING
from workbench.files.records.record_headers import is_valid_name
from workbench.web.sandbox.process_limits import WorkerLimits
from workbench.web.sandbox.rule_texts import Texts

MAX_FILES = 64
"""Maximum number of files per game."""

MAX_CHARACTERS = 1_500_000
"""Maximum total length of all files in characters."""


@attrs.frozen
class CheckFindings:
    """Result of checking rule texts.

    `stopped` is the reason why a check did not finish: `time`, `memory`, `size`,
    `names` or `failure`. `tried` is the result of replaying a game under the rules, and
    `verdict` its description. `plans` is true if games can start under the rules.
    `more` counts the diagnostics beyond the maximum, which are left out.
    """

    diagnostics: tuple[Mapping[str, Any], ...]
    plans: bool = False
    name: str | None = None
    digest: str | None = None
    more: int = 0
    stopped: str | None = None
    tried: Mapping[str, Any] | None = None
    verdict: Mapping[str, Any] | None = None

    @property
    def errors(self) -> int:
        """Number of diagnostics that are errors."""
        return sum(diagnostic["severity"] == "error" for diagnostic in self.diagnostics)


def stopped_findings(
    reason: str, texts: Texts, message: str, help: str, code: str
) -> CheckFindings:
    """Return findings with a single error for a check that did not finish."""
    file = f"{next(iter(texts), 'rules')}{ENDING}"
    location = {"file": file, "line": 1, "column": 1, "end_line": 1, "end_column": 1}
    head = {"code": code, "severity": "error", "message": message}
    return CheckFindings(({**head, **location, "help": help},), stopped=reason)


def rejected_findings(texts: Texts) -> CheckFindings | None:
    """Return findings that reject texts before any check, or None if they are valid.

    Reasons for rejection are their number, their length or invalid file names.
    """
    if not texts or any(not is_valid_name(name) for name in texts):
        message = "the name of a rule file is invalid"
        return stopped_findings(
            "names", {}, message, "rename it, for example to `rules`", "RB166"
        )
    length = sum(map(len, texts.values()))
    if len(texts) > MAX_FILES or length > MAX_CHARACTERS:
        message = (
            f"{len(texts)} files with {length:,} characters exceed the limit"
            f" of {MAX_FILES} files with {MAX_CHARACTERS:,} characters"
        )
        return stopped_findings("size", texts, message, "shorten the rules", "RB002")
    return None


def timeout_findings(texts: Texts, limits: WorkerLimits) -> CheckFindings:
    """Return findings for a check that exceeded the time limit."""
    message = f"checking these rules takes longer than {limits.cpu} seconds"
    help = "use smaller boards or fewer combinations"
    return stopped_findings("time", texts, message, help, "RB152")


def early_exit_findings(
    texts: Texts, limits: WorkerLimits, *, out_of_memory: bool
) -> CheckFindings:
    """Return findings for a check whose worker process ended early."""
    if out_of_memory:
        message = f"checking these rules takes more than {limits.memory >> 20} MiB"
        help = "use smaller boards or fewer combinations"
        return stopped_findings("memory", texts, message, help, "RB152")
    message = "the check of these rules was stopped before it finished"
    help = (
        "nothing was changed; try again, and tell the operator of this server"
        " if it happens again"
    )
    return stopped_findings("failure", texts, message, help, "RB152")
