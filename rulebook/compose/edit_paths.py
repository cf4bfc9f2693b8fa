"""The parts of a clause that an edit touches, so that two edits can be compared.

A part is a path of words: `()` is the whole clause, `("needs", "near")` one
requirement. Two edits meet when the path of one begins with that of the other.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulebook import syntax as s
from rulebook.traversal import find, walk

Part = tuple[str, ...]

MENU = "menu"


def in_words(edit: s.Edit) -> str:
    """What an edit is about, as the file says it: `step roll`."""
    name = "" if edit.name is None else edit.name.text
    if edit.part is s.EditPart.AWARD:
        return name.replace("_", " ")
    if edit.verb is s.EditVerb.AT:
        return f"at the {edit.part}"
    return f"{edit.part} {name}".rstrip()


def parts(clause: s.Clause | None, edit: s.Edit) -> tuple[Part, ...]:
    """Return what an edit of a clause touches."""
    name = "" if edit.name is None else edit.name.text
    match edit.part:
        case s.EditPart.STEP:
            return tuple(_step(clause, edit, name))
        case s.EditPart.ACTION:
            first = next(find(clause, s.Menu), None)
            own = (MENU, name)
            return (own, *_around(clause, first, own))
        case s.EditPart.LINE if edit.verb in (s.EditVerb.ADD, s.EditVerb.ADD_FIRST):
            return ((f"{edit.verb} line",), *((("line", name),) if name else ()))
        case s.EditPart.NEEDS if isinstance(edit.content, s.NeedsAs):
            return (("needs as", edit.content.action.text),)
    return ((edit.part, name),)


def _step(clause: s.Clause | None, edit: s.Edit, name: str) -> Iterator[Part]:
    """A step, what is in it when it goes, and that something in those around changes.

    What stands before a step and what stands after it do not meet.
    """
    steps = [step for step in find(clause, s.Step) if step.name.text == name]
    own: Part = ("step", name)
    if edit.verb in (s.EditVerb.BEFORE, s.EditVerb.AFTER):
        own = (*own, edit.verb)
    else:
        bodies = tuple(step.body for step in steps)
        yield from (("step", inner.name.text) for inner in find(bodies, s.Step))
        if next(find(bodies, s.Menu), None) is not None:
            yield (MENU,)
    yield own
    for step in steps:
        yield from _around(clause, step, own)


def _around(
    clause: s.Clause | None, inner: s.Step | s.Menu | None, own: Part
) -> Iterator[Part]:
    """That a part changes inside the steps around it."""
    for step in find(clause, s.Step):
        if any(other is inner for other in walk(step.body)):
            yield ("step", step.name.text, "inside", *own)
