"""Triggers to evaluate after a write to each part of the state."""

from __future__ import annotations

from rulebook import model as m
from rulebook import tooling

children, walk = tooling.children, tooling.walk


def trigger_masks(
    model: m.Model, reads: tooling.ReadFinder
) -> dict[tooling.StatePart, int]:
    """Return the triggers that read each part of the state, as bits.

    Bit 0 is the first award; the rules follow the awards.
    """
    triggers = [
        reads.parts_read(award.measure, award.at_least, award.only_if)
        for award in model.awards.values()
    ] + [reads.parts_read(rule.condition, rule.set) for rule in model.rules.values()]
    masks: dict[tooling.StatePart, int] = {}
    for bit, parts in enumerate(triggers):
        for part in parts:
            masks[part] = masks.get(part, 0) | 1 << bit
    return masks
