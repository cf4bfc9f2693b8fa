"""Limits of searches whose work the checker cannot bound in advance (ADR 95)."""

from __future__ import annotations

from typing import NoReturn

import attrs

import rulebook as rb


@attrs.frozen
class SearchPlace:
    """Search of an expression at `span`, which may take at most `limit` tries."""

    span: rb.Span
    limit: int

    def check_combinations(self, count: int) -> None:
        """Raise an error if a search tries too many combinations of cards."""
        if count > self.limit:
            self._fail(
                f"this search tries more than {self.limit:,} combinations of cards",
                "start the condition with a bound on the number of cards, such as "
                "`number of cards in … <= 6 and …`, or name a size, such as "
                "`combination of 3 cards`",
            )

    def check_trail(self, states: int) -> None:
        """Raise an error if a search for the longest trail has too many states."""
        if states > self.limit:
            self._fail(
                "these links form too many rings to search them for the longest trail",
                "search fewer links, such as those of one player",
            )

    def _fail(self, message: str, help_: str) -> NoReturn:
        raise rb.RulesError([rb.Diagnostic("RB152", message, self.span, help_)])
