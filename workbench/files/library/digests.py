"""Digests that shipped rules had in earlier versions, and what has changed since."""

import json
from collections.abc import Mapping
from functools import cache

import attrs

import variants
from rulebook import Rulebook
from rulebook.tooling import differing


@attrs.frozen
class ShippedRules:
    """Rules as a version shipped them; `parts` is empty where only games are meant."""

    name: str
    version: str
    digest: str
    parts: Mapping[str, str]

    def changed(self, book: Rulebook) -> tuple[str, ...]:
        """The names of the parts that rules do not share with these."""
        return differing(self.parts, book.parts) if self.parts else ()


def known(digest: str) -> ShippedRules | None:
    """The shipped rules that had a digest in some version, the oldest first."""
    return _table().get(digest)


def same_rules(digest: object, book: Rulebook) -> bool:
    """Whether a digest is of these rules, in today's form or in an earlier one."""
    if digest in {book.digest, book.first_digest}:
        return True
    then = known(str(digest))
    return then is not None and then.digest == book.digest


@cache
def _table() -> Mapping[str, ShippedRules]:
    """The shipped rules of all versions by each digest that they had."""
    known_rules: dict[str, ShippedRules] = {}
    versions = json.loads(variants.DIGESTS.read_text(encoding="utf-8"))
    for version, shipped in versions.items():
        for name, row in shipped.items():
            rules = ShippedRules(name, version, row["digest"], row.get("parts", {}))
            for form in ("first", "digest"):
                if form in row:
                    known_rules.setdefault(row[form], rules)
    return known_rules
