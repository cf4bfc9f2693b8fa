"""Parameters whose arguments every offer fixes; action indices do not include them."""

from __future__ import annotations

from rulebook import model as m
from rulebook.signatures import effects_within


def fixed_parameter_counts(model: m.Model) -> dict[str, int]:
    """Return for each action the number of leading parameters that every offer fixes.

    It is 0 if one choice offers the action twice, because the fixed arguments then
    distinguish the offers.
    """
    fixed: dict[str, int] = {}
    for effects in effects_within(model.procedures, model.actions):
        names = [offer.action for offer in effects.offers]
        for offer in effects.offers:
            once = names.count(offer.action) == 1
            given = len(offer.arguments) if once else 0
            fixed[offer.action] = min(given, fixed.get(offer.action, given))
    return {name: fixed.get(name, 0) for name in model.actions}
