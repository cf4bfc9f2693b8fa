"""Chat of a table: the latest messages, and whether the reader can write."""

from typing import Any

from workbench.presentation.localization.localizer import Localizer
from workbench.web.views.phrases import Phrases
from workbench.web.views.protocols import TableView
from workbench.web.views.symbols import seat_symbols


def chat_panel(
    table: TableView, seat: str | None, localizer: Localizer
) -> dict[str, Any] | None:
    """Return the messages at a table, or None if it has no chat."""
    if not table.has_chat():
        return None
    phrases = Phrases(localizer.language)
    symbols = seat_symbols(table.book, table.game.seats, localizer.language)
    names = {each.seat: each.name for each in table.seats}
    lines = []
    for message in table.state.messages:
        writer, content = message.by, message.content
        title = localizer.title(writer) if writer else phrases("page.spectator")
        name = names.get(writer, "")
        lines.append(
            {
                "number": message.number,
                "who": f"{name} ({title})" if name else title,
                "sign": symbols.get(writer),
                "text": content["text"],
            }
        )
    return {
        "lines": lines,
        "can_write": table.can_write(seat),
        "most": table.message_max,
    }
