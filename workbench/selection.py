"""What a person types: a number of the list, an action's text, or a whole selection.

A selection such as `give 2 a, 1 b` stands for `give(a)`, `give(a)`, `give(b)`, done one
after the other.
"""

import re
from collections.abc import Sequence

from interpreter import Action

_SELECTION = re.compile(r"(?P<name>\w+)\s+(?P<rest>.+)", re.DOTALL)
_PART = re.compile(r"(?:(?P<count>\d{1,3})\s+)?(?P<thing>[\w-]+)")


def texts(line: str, legal: Sequence[Action]) -> tuple[str, ...]:
    """The action texts that a line stands for; one for most lines.

    A line that is neither a number of the list nor a selection is taken as an action's
    text, for the rules to judge.
    """
    if line.isdecimal() and 1 <= int(line) <= len(legal):
        return (legal[int(line) - 1].text,)
    names = {action.name for action in legal}
    found = _SELECTION.fullmatch(line)
    if found is None or found["name"] not in names:
        return (line,)
    parts = [_PART.fullmatch(part.strip()) for part in found["rest"].split(",")]
    spelled: list[str] = []
    for part in parts:
        if part is None:
            return (line,)
        spelled += [f"{found['name']}({part['thing']})"] * int(part["count"] or 1)
    return tuple(spelled)
