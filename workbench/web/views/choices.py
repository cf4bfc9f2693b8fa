"""Choices of a player: legal actions as plain data, narrowed one argument at a time.

Each click selects an argument and keeps the actions with it, until one is left.
Actions that are offered but illegal are listed too, so that a player can ask why.
"""

from collections.abc import Iterator, Mapping, Sequence
from time import thread_time
from typing import Any

from interpreter import Action, Explanation, Game, Message
from workbench.presentation.cards.costs import fixed_price
from workbench.presentation.localization.languages import fill_gaps
from workbench.presentation.localization.localizer import PASS, Localizer
from workbench.presentation.localization.refusals import citation, explanation_document
from workbench.presentation.narration.questions import parameter_question
from workbench.presentation.printing.pages import anchor
from workbench.web.views.gather_forms import gather_forms
from workbench.web.views.offers import (
    NOT_OFFERED_KEYS,
    action_instances,
    card_price,
    count_instances,
    current_offers,
    ending_actions,
)
from workbench.web.views.phrases import Phrases


def choices(game: Game, seat: str | None, localizer: Localizer) -> dict[str, Any]:
    """Return the choices of a seat as plain data; empty if it need not decide."""
    if seat is None or game.to_act != seat:
        return {"decides": False, "actions": [], "names": {}, "cannot": [], "forms": []}
    legal, offered = (
        game.legal_actions(seat),
        current_offers(game.book, game.view(seat)),
    )
    forms = gather_forms(game, seat, legal, localizer)
    leads = {form["lead"]: number for number, form in enumerate(forms)}
    pick_names = {
        row["name"] for form in forms if not form["lead"] for row in form["rows"]
    }
    by_name: dict[str, list[Action]] = {}
    for action in legal:
        if action.name not in pick_names:
            by_name.setdefault(action.name, []).append(action)
    entries = []
    for name, actions in by_name.items():
        entry = _action_entry(
            name, actions, game, localizer, is_free=offered.get(name, False)
        )
        if name in leads:
            entry["form"] = leads[name]
        if name == PASS and game.gathering is not None and not game.gathering.made:
            (pick, _), *_ = game.gathering.left
            entry["say"] = entry["title"] = _nothing_title(pick.name, localizer)
        entries.append(entry)
    return {
        "decides": True,
        "actions": entries,
        "names": _argument_titles(legal, localizer),
        "cannot": list(
            _illegal_actions(game, seat, {a.name for a in legal}, offered, localizer)
        ),
        "forms": forms,
    }


def _action_entry(
    name: str,
    actions: Sequence[Action],
    game: Game,
    localizer: Localizer,
    *,
    is_free: bool,
) -> dict[str, Any]:
    """Describe an action: its legal argument lists, sentence, prompts and cost."""
    book, gaps = game.book, localizer.parameter_names(name)
    entry: dict[str, Any] = {
        "name": name,
        "title": action_title(name, localizer),
        "say": _sentence_template(name, localizer),
        "asks": [
            _numbered(parameter_question(name, gap, localizer), gaps) for gap in gaps
        ],
        "options": [argument_texts(action.text) for action in actions],
        "final": any(game.teaches(action) for action in actions[:1]),
    }
    if name in ending_actions(book) or name == PASS:
        entry["ends"] = True
    cost = () if is_free else fixed_price(book, name)
    if cost:
        entry["cost"] = localizer.holding_text(dict(cost))
        entry["cards"] = dict(cost)
    elif not is_free:
        costs = {
            argument: localizer.holding_text(dict(paid))
            for action in actions
            for argument in argument_texts(action.text)
            if (paid := card_price(book, name, argument))
        }
        entry |= {"costs": costs} if costs else {}
    return entry


def action_title(name: str, localizer: Localizer) -> str:
    """Return the title of an action, with `…` for arguments.

    Arguments at the end are left out, except after a preposition.
    """
    if name == PASS:
        return localizer.action(PASS)
    title = localizer.short_title(name)
    ends_in_gap = localizer.sentence(name, "").endswith("}")
    return f"{title} …" if ends_in_gap and localizer.is_hanging(title) else title


def _nothing_title(name: str, localizer: Localizer) -> str:
    """Return the title of picking nothing: `give nothing`, from the title of a pick."""
    nothing = localizer.phrase("nothing")
    sentence, gaps = localizer.sentence(name, ""), localizer.parameter_names(name)
    filled = fill_gaps(sentence, dict.fromkeys(gaps, nothing))
    return (
        filled if filled != sentence else f"{action_title(name, localizer)}: {nothing}"
    )


def _sentence_template(name: str, localizer: Localizer) -> str:
    """Return the sentence of an action with numbered gaps: `build here: {0}`."""
    if name == PASS:
        return localizer.action(PASS)
    sentence = localizer.sentence(name, "")
    gaps = localizer.parameter_names(name)
    if not sentence:
        gap_list = ", ".join(f"{{{number}}}" for number in range(len(gaps)))
        title = localizer.title(name)
        return f"{title}: {gap_list}" if gap_list else title
    return _numbered(sentence, gaps)


def _numbered(sentence: str, gaps: Sequence[str]) -> str:
    """Return a sentence with the numbers of parameters in its gaps."""
    return fill_gaps(sentence, {gap: f"{{{n}}}" for n, gap in enumerate(gaps)})


def _argument_titles(legal: Sequence[Action], localizer: Localizer) -> dict[str, str]:
    """Return the titles of all arguments of the legal actions, by argument text."""
    texts = (argument_texts(action.text) for action in legal)
    return {each: localizer.value(each) for text in texts for each in text}


def _illegal_actions(
    game: Game,
    seat: str,
    legal: set[str],
    offered: Mapping[str, Any],
    localizer: Localizer,
) -> Iterator[dict[str, str]]:
    """Yield names and titles of *offered* actions that are not in *legal*."""
    for name in offered:
        action = game.book.model.actions[name]
        if name in legal:
            continue
        first = next(action_instances(game, action), None)
        if first is None:
            continue
        reason = game.why(first, seat).reason
        if getattr(reason, "key", "") not in NOT_OFFERED_KEYS:
            yield {"name": name, "title": action_title(name, localizer)}


# ---------------------------------------------------------------- rejections

WHY_SECONDS = 1.0
"""CPU seconds after which the search for an explanation stops."""


def explain_illegal(
    game: Game,
    seat: str | None,
    localizer: Localizer,
    name: str | None = None,
    thing: str | None = None,
) -> dict[str, Any]:
    """Explain why an action, or every action with the argument *thing*, is illegal.

    The explanation covers the argument combination that meets the most requirements.
    The search stops after `WHY_SECONDS`; then the result has a key `stopped`.
    """
    if seat is None:
        return {"title": "", "reason": ""}
    offered = current_offers(game.book, game.view(seat)) if game.to_act == seat else {}
    actions = game.book.model.actions
    names = [name] if name in actions else list(offered) or list(actions)
    candidates = (
        (actions[candidate], text)
        for candidate in names
        for text in action_instances(game, actions[candidate])
    )
    best: tuple[int, Explanation] | None = None
    checked, ends = 0, thread_time() + WHY_SECONDS
    for action, text in candidates:
        if thread_time() > ends:
            break
        checked += 1
        if thing is not None and thing not in argument_texts(text):
            continue
        explanation = game.why(text, seat)
        rank = _met_requirements(explanation, action.requirements)
        if best is None or rank > best[0]:
            best = (rank, explanation)
    if best is None:
        result = {"title": localizer.value(thing) if thing else "", "reason": ""}
    else:
        result = refusal_data(best[1], localizer, complete=thing is not None)
    possible = sum(count_instances(game, actions[candidate]) for candidate in names)
    if checked < possible:
        phrases = Phrases(localizer.language)
        result["stopped"] = phrases(
            "page.why_stopped", looked=checked, possible=possible
        )
    return result


def argument_texts(text: str) -> list[str]:
    """Return the arguments in the text of an action."""
    _, bracket, inside = text.partition("(")
    return inside.rstrip(")").split(", ") if bracket else []


def _met_requirements(explanation: Explanation, requirements: Sequence[Any]) -> int:
    """Return the number of requirements that an action meets before it fails one.

    Returns -1 if it is illegal for another reason, and a higher number if it is legal.
    """
    if explanation.legal:
        return len(requirements) + 1
    labels = [requirement.label for requirement in requirements]
    if explanation.requirement in labels:
        return labels.index(explanation.requirement)
    return -1


COSTS = "costs"
QUOTED = "rule"
"""Part of a message that quotes the rules."""


def payment_text(parts: Mapping[str, Any], localizer: Localizer) -> str:
    """Describe the cost of an action and the player's cards, both bags in *parts*."""
    bags = {
        name: localizer.list_text(localizer.card_texts(part))
        or localizer.phrase("nothing")
        for name, part in parts.items()
        if isinstance(part, Mapping)
    }
    return Phrases(localizer.language)("page.costs_so_much", **bags)


def refusal_data(
    explanation: Explanation, localizer: Localizer, *, complete: bool = True
) -> dict[str, Any]:
    """Describe why an action is illegal: reason, remedy, and place in the rules.

    If *complete* is true, the title includes the arguments of the action. A remedy that
    quotes the rules is for their authors, and is left out.
    """
    document = explanation_document(explanation, localizer)
    reason, remedy = explanation.reason, explanation.fix
    if isinstance(remedy, Message) and QUOTED in remedy.parts:
        document["fix"] = None
    if isinstance(reason, Message) and reason.key == COSTS:
        document["reason"] = payment_text(reason.parts, localizer)
    text = explanation.action
    title = (
        localizer.action(text)
        if complete
        else action_title(text.partition("(")[0], localizer)
    )
    result: dict[str, Any] = {
        "legal": explanation.legal,
        "title": title,
        "reason": document["reason"] or "",
        "values": [
            f"{localizer.title(name)}: {localizer.value_text(value)}"
            for name, value in explanation.values.items()
        ],
        "lines": [line["text"] for line in explanation.lines],
        "help": document["fix"] or "",
    }
    passage = citation(explanation, localizer)
    if passage is not None:
        result |= {"section": passage[0], "source": passage[1]}
        result["says"] = (explanation.citation or {}).get("says", "")
    if document["file"]:
        parts = (document["clause"], document["requirement"])
        result["clause"] = ".".join(part for part in parts if part)
        result["file"] = str(document["file"]).rsplit("/", 1)[-1]
        result["line"] = document["line"]
        result["rule"] = anchor(f"action.{result['clause']}")
    return result
