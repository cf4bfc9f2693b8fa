"""Digests of the rules shipped in each version, to report what changed since."""

import json
from collections.abc import Mapping
from functools import cache

import attrs

import variants
from rulebook import Rulebook
from rulebook.tooling import differing_parts


@attrs.frozen
class ShippedRules:
    """Rules of a game as shipped in one version.

    `parts` contains the digest of each part; it is empty if only the total is known.
    """

    name: str
    version: str
    digest: str
    parts: Mapping[str, str]

    def changed_parts(self, book: Rulebook) -> tuple[str, ...]:
        """Return the names of the parts that are different in a rulebook."""
        return differing_parts(self.parts, book.parts) if self.parts else ()


def shipped_rules(digest: str) -> ShippedRules | None:
    """Return the oldest shipped rules with this digest, or None."""
    return _shipped_rules_by_digest().get(digest)


def matches_digest(digest: object, book: Rulebook) -> bool:
    """Return whether a digest, computed by any version, is that of a rulebook."""
    if digest in {book.digest, book.first_digest}:
        return True
    shipped = shipped_rules(str(digest))
    return shipped is not None and shipped.digest == book.digest


@cache
def _shipped_rules_by_digest() -> Mapping[str, ShippedRules]:
    """Return the shipped rules of all versions, by digest."""
    known_rules: dict[str, ShippedRules] = {}
    versions = json.loads(variants.DIGESTS.read_text(encoding="utf-8"))
    for version, shipped in versions.items():
        for name, row in shipped.items():
            rules = ShippedRules(name, version, row["digest"], row.get("parts", {}))
            for form in ("first", "digest"):
                if form in row:
                    known_rules.setdefault(row[form], rules)
    return known_rules
