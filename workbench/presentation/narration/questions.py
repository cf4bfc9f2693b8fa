"""Questions of decisions, from the rules."""

from collections.abc import Mapping
from typing import Any

from interpreter import Game, Gathering
from rulebook.model import Member
from rulebook.tooling import COUNT, GAP
from workbench.presentation.localization.localizer import PASS, Localizer
from workbench.presentation.narration.event_log import (
    clause_name,
    sole_action,
    step_name,
)
from workbench.presentation.narration.gap_values import GapValues
from workbench.presentation.narration.selection import action_title

View = Mapping[str, Any]


def decision_question(game: Game, seat: str, view: View, localizer: Localizer) -> str:
    """Return the question that a seat must answer, or "" if the rules have none.

    A choice has its own question. The step or clause that offers actions has one for
    all of them; if it offers a single action with a single parameter, that has one.
    """
    clause = clause_name(view)
    gathering = game.gathering
    if gathering is not None and gathering.left:
        names = [gathering.left[0][0].name]
        count = _count_text(gathering.fewest, gathering.most, localizer)
        given = {COUNT: count}
    else:
        actions = game.legal_actions(seat)
        names = list(dict.fromkeys(a.name for a in actions if a.name != PASS))
        only = sole_action(localizer.book, view)
        names = names or [only] if only else names
        given = {}
    step = f"{clause}.{step_name(view)}"
    paths = [step, clause]
    if len(names) == 1:
        (name,) = names
        parameters = localizer.parameter_names(name)
        own = [f"{name}.{parameter}" for parameter in parameters[:1]]
        paths = [f"{clause}.{name}", name, step, *own, clause]
    values = GapValues(view, seat, localizer, given)
    texts = (values.fill(text) for path in paths for text in _texts(path, localizer))
    return next((text for text in texts if text is not None), "")


def gather_question(gathering: Gathering, localizer: Localizer) -> str:
    """Return the default question of a choice of several cards, with their number."""
    action = gathering.left[0][0]
    count = _count_text(gathering.fewest, gathering.most, localizer)
    things = localizer.cards_text(count, _picked_kind(action.name, localizer))
    title = action_title(action.name, localizer)
    return localizer.phrase("gather", action=title, things=things)


def _count_text(fewest: int, most: int, localizer: Localizer) -> str:
    """Return how many cards a choice of several needs, before the name of the cards."""
    if fewest == most:
        return str(fewest)
    return f"{fewest}–{most}" if fewest else localizer.phrase("up_to", count=most)


def _picked_kind(name: str, localizer: Localizer) -> str:
    """Return the kind of the cards that an action picks one of."""
    book = localizer.book
    parameters = book.model.actions[name].parameters if book is not None else ()
    kinds = (p.type.domain for p in parameters if isinstance(p.type, Member))
    return next(kinds, "")


def parameter_question(name: str, parameter: str, localizer: Localizer) -> str:
    """Return the question for a parameter of an action, with gaps for the others.

    Questions with other gaps are asked of the whole decision only. The default asks for
    the parameter by its title, or by that of the kind of its values.
    """
    parameters = localizer.parameter_names(name)
    own = _texts(f"{name}.{parameter}", localizer) or _texts(name, localizer)
    for text in own:
        if all(match[3] in parameters for match in GAP.finditer(text)):
            return text
    assert localizer.book is not None
    model = localizer.book.model
    is_titled = parameter in localizer.words and parameter not in model.actions
    type_ = next(p.type for p in model.actions[name].parameters if p.name == parameter)
    what = parameter
    if isinstance(type_, Member) and type_.domain and not is_titled:
        what = type_.domain
    return localizer.phrase("which", what=localizer.title(what))


def _texts(path: str, localizer: Localizer) -> tuple[str, ...]:
    return localizer.questions.get(path, ())
