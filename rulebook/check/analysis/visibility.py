"""Check that requirements read only information that the acting seat can see.

A field seen by its owner may be read if the owner is the seat that decides. All players
know the number of cards in a bag, a stack or a slot, but nothing else about a hidden
field. A value that a statement has shown (`you see …`) may be read in the same unit.
"""

from __future__ import annotations

from typing import Any

import attrs

from rulebook import model as m
from rulebook.addresses import phase_players_unit
from rulebook.check.bodies.turn_order import SKIP_DEFINITION
from rulebook.check.declare.symbol_table import SymbolTable, mistake
from rulebook.secrecy import HiddenReadFinder
from rulebook.signatures import effects_of, effects_within, is_statement
from rulebook.source.spans import Span
from rulebook.traversal import rewrite, walk


def check_hidden_reads(world: SymbolTable) -> None:
    """Report conditions that read hidden fields; mark choices that may be skipped."""
    if world.model is None:
        return
    reader = HiddenReadFinder(world.model)
    for action in world.model.actions.values():
        for need in action.requirements:
            with world.collect_errors():
                _check_condition(
                    reader, need.condition, need.condition.span, m.you(), ()
                )
    skipped = world.model.defines.get(SKIP_DEFINITION)
    if skipped is not None:  # all players see who is skipped
        for line in skipped.lines:
            with world.collect_errors():
                _check_condition(
                    reader,
                    line.condition or line.value,
                    line.span,
                    m.you(),
                    (),
                )
    for name in world.model.phases:  # all players see who acts, in which order
        players = world.model.procedures.get(phase_players_unit(name))
        if players is not None:
            with world.collect_errors():
                _check_players_are_public(reader, players)
    units: tuple[m.Procedure | m.Action, ...] = (
        *world.model.procedures.values(),
        *world.model.actions.values(),
    )
    for unit in units:
        shown_values = tuple(
            reveal.holder
            for effects in effects_within(unit.body)
            for reveal in effects.reveals
            if not reveal.top
        )
        for node in walk(unit.body):
            who = effects_of(node).asks if is_statement(node) else None
            if who is None or not isinstance(node, m.Binder):
                continue
            with world.collect_errors():
                for part in (node.set, node.where):
                    if part is not None:
                        _check_condition(reader, part, part.span, who, shown_values)
                if effects_of(node).asks_only_if_several:
                    _check_skip_is_public(reader, node)
    world.model = _mark_skippable_choices(world.model, reader)


def _check_condition(
    reader: HiddenReadFinder,
    condition: m.Expr,
    span: Span,
    actor: m.Expr,
    shown_values: tuple[m.Expr, ...],
) -> None:
    for secret in reader.hidden_reads(condition):
        if secret.owner is not None and secret.owner == actor:
            continue
        if secret.field in shown_values:
            continue
        field = reader.model.fields[secret.field.field]
        whose = (
            "nobody sees it"
            if field.seen_by is m.Audience.NOBODY
            else "its owner sees it"
        )
        match field.type:
            case m.Bag() | m.Stack():
                known = "only its number of cards is known to all"
            case card if m.is_card(reader.model.domains, card):
                known = "only whether a card is there (`is none`) is known to all"
            case _:
                known = "nothing about it is known to all"
        raise mistake(
            "RB150",
            secret.field.span if secret.field.span.file else span,
            f"this depends on `{field.written_name}`, which may be hidden from the"
            " seat that decides",
            f"{whose}; {known}",
            ((field.span, "declared here"),),
        )


def _check_skip_is_public(reader: HiddenReadFinder, node: Any) -> None:
    """Raise `Mistake` if skipping a choice would reveal hidden information."""
    for secret in reader.hidden_reads((node.set, node.where)):
        field = reader.model.fields[secret.field.field]
        raise mistake(
            "RB150",
            secret.field.span if secret.field.span.file else node.span,
            f"the number of choices depends on `{field.written_name}`, which is hidden",
            "skipping the question would reveal it: remove `if there are several`",
            ((field.span, "declared here"),),
        )


def _check_players_are_public(reader: HiddenReadFinder, players: m.Procedure) -> None:
    """Raise `Mistake` if hidden information decides who acts in a phase."""
    blocks = [block for node in players.body for block in effects_of(node).blocks]
    binders = [block.binder for block in blocks if block.binder is not None]
    for secret in reader.hidden_reads([(each.set, each.where) for each in binders]):
        field = reader.model.fields[secret.field.field]
        raise mistake(
            "RB150",
            secret.field.span if secret.field.span.file else players.span,
            f"who acts in this phase depends on `{field.written_name}`, which is"
            " hidden",
            "everybody sees who acts: order and select players by public values",
            ((field.span, "declared here"),),
        )


def _mark_skippable_choices(model: m.Model, reader: HiddenReadFinder) -> m.Model:
    """Return the model with a mark on choices to skip if no action is legal."""

    def reads_hidden_fields(offer: m.Offer) -> bool:
        needs = model.actions[offer.action].requirements
        free = (m.RequirementSort.PAYS,) if offer.free else ()
        tested = [need.condition for need in needs if need.sort not in free]
        return any(True for condition in tested for _ in reader.hidden_reads(condition))

    def change(node: Any) -> Any:
        offers = effects_of(node).offers if is_statement(node) else ()
        if offers and node.optional:
            return attrs.evolve(node, skips=not any(map(reads_hidden_fields, offers)))
        return node

    return attrs.evolve(
        model,
        procedures=rewrite(model.procedures, change),
        actions=rewrite(model.actions, change),
    )
