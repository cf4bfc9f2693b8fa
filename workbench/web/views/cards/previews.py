"""Previews of actions: the cards of a seat afterwards, as text."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from interpreter import Game
from workbench.presentation.localization.localizer import Localizer
from workbench.web.views.cards.costs import cost_rows
from workbench.web.views.cards.hand import hand_data
from workbench.web.views.phrases import Phrases


def cards_after(game: Game, seat: str, action: str, localizer: Localizer) -> str:
    """Describe the cards of a seat after an action, and the actions affordable then.

    Return "" if the action is illegal, changes no cards that pay for actions, or
    reveals hidden information. Outcomes of chance are hidden information too.
    """
    legal = {each.text for each in game.legal_actions(seat)}
    if action not in legal or game.teaches(action):
        return ""
    after = game.copy()
    after.apply(action)
    view, old = after.view(seat), game.view(seat)
    held, before = (_paying_cards(game, seat, each, localizer) for each in (view, old))
    if held == before:
        return ""
    phrases, more = Phrases(localizer.language), Counter(held) - Counter(before)
    cards = localizer.holding_text(held)
    text = phrases("page.have_then" if more else "page.keep", cards=cards)
    rows = cost_rows(after, seat, view, localizer)
    affordable = ", ".join(row["title"] for row in rows if row["is_affordable"])
    if not affordable:
        return text
    return f"{text} · {phrases('page.affordable_then', actions=affordable)}"


def _paying_cards(
    game: Game, seat: str, view: Mapping[str, Any], localizer: Localizer
) -> dict[str, int]:
    """Return the counts of a seat's cards that pay for actions."""
    counts = Counter[str]()
    for group in hand_data(game, seat, view, localizer)["groups"]:
        counts.update({c["card"]: c["count"] for c in group["cards"] if c["pays"]})
    return dict(counts)
