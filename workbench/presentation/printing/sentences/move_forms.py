"""Forms of moves of cards and pieces, and of chance events."""

from typing import Any

import attrs

from rulebook import model as m
from rulebook.tooling import effects_of
from workbench.presentation.printing.sentences import forms as f
from workbench.presentation.printing.sentences.forms import Writer
from workbench.presentation.printing.sentences.text_runs import Text
from workbench.presentation.printing.sentences.value_forms import (
    card_kind_text,
    cards_text,
    counts_pieces,
    is_chosen_card,
    piece_values,
    single_piece_case,
    split_upper_limit,
)


def _end_marks(node: Any) -> dict[str, bool]:
    """Return template marks for the end of the stack where cards are put."""
    under = node.destination is not None and node.end is m.StackEnd.BOTTOM
    holder = None if node.destination is None else node.destination.type
    return {"bottom": under, "onto": isinstance(holder, m.Stack) and not under}


def _move_cards_case(node: m.MoveCards) -> str:
    if node.destination is None:
        return "out"
    return f.mark_names(**{"in": node.source is None}, **_end_marks(node))


def _move_cards_values(writer: Writer, node: m.MoveCards) -> f.Values:
    bag = cards_text(writer, node.bag)
    if node.up_to:
        key = "upto_card" if is_chosen_card(node.bag) else "upto"
        bag = writer.names.sentence(key, {"bag": bag})
    return {"bag": bag}


def _move_all_case(node: m.MoveAll) -> str:
    return f.mark_names(member=node.member is not None, out=node.destination is None)


def _draw_case(node: m.DrawCard) -> str:
    top = isinstance(node.source.type, m.Stack)
    return f.mark_names(top=top, **_end_marks(node), out=node.destination is None)


# -------------------------------------------------------------------- chance


def _draw_source(writer: Writer, stack: m.Expr) -> Text:
    return writer.phrase("card_of", source=writer.value(stack))


def _deal_text(writer: Writer, node: m.Spread) -> Text:
    cards = f.plural_text(writer, node.cards)
    return writer.phrase("dealt", cards=cards, set=writer.value(node.set))


def _spread_values(writer: Writer, node: m.Spread) -> f.Values:
    return {"field": writer.part(node.column or node.field.rpartition(f.DOT)[2])}


def _moved_pieces_values(writer: Writer, node: Any) -> f.Values:
    """Return the template values for pieces that are placed, removed or moved."""
    names, parts = writer.names, piece_values(writer, node)
    moved = effects_of(node).pieces
    assert moved is not None
    taken = moved.piece, moved.owner, moved.source
    number, limit = split_upper_limit(node.count)
    limited = counts_pieces(limit, *taken)
    key = [] if node.owner is None else ["owner"]
    is_single = names.model.pieces[node.piece].moves
    if is_single and node.owner is not None and node.count is None:
        key.append("only")
    if node.count is not None:
        parts["count"] = writer.count(number if limited else node.count)
        key.append("all" if counts_pieces(node.count, *taken) else "count")
    form = "lot." + "_".join(key) if key else "lot"
    if not key and is_single:
        form = single_piece_case(writer, node)
    lot = names.sentence(form, parts)
    return {**parts, "lot": names.sentence("upto", {"bag": lot}) if limited else lot}


MOVED_PIECES = f.Form(
    f.case_if_set("instead"),
    _moved_pieces_values,
    f.operand_fillers("source", "space"),
    whole=True,
)
MOVE_FORMS: f.Forms = {
    m.MoveCards: f.Form(_move_cards_case, _move_cards_values),
    m.MoveAll: f.Form(_move_all_case, gaps={"member": card_kind_text}),
    m.DrawCard: f.Form(_draw_case, drawn=lambda w, node: _draw_source(w, node.source)),
    m.Reveal: f.Form(
        gaps={"name": Writer.named}, drawn=lambda w, node: _draw_source(w, node.stack)
    ),
    m.RollDice: f.Form(
        f.case_if_set("condition"),
        drawn=lambda w, node: w.names.phrase("rolled", dice=w.part(node.fields)),
    ),
    m.Spread: f.Form(
        f.case_if_set("condition"),
        gaps={"cards": f.plural_text},
        values=_spread_values,
        drawn=_deal_text,
    ),
    m.PlacePiece: MOVED_PIECES,
    m.MovePiece: MOVED_PIECES,
    m.RemovePiece: attrs.evolve(MOVED_PIECES, case=f.only_case),
}
"""Forms of moves and chance events."""
